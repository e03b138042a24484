"""From an order to a laid table and back: starts, takes up and leaves a match."""

from __future__ import annotations

import random
import secrets
import shlex
from dataclasses import dataclass
from pathlib import Path

import click

from sheshbesh.cli.commands.tables import progress_bars
from sheshbesh.cli.main import UserError
from sheshbesh.cli.terminal import record_files, record_folder, score_sheet
from sheshbesh.cli.terminal.card_options import OwnCard, Wishes, find_dice, with_dice
from sheshbesh.cli.terminal.clock import Watch
from sheshbesh.cli.terminal.coach import Coach
from sheshbesh.cli.terminal.commands import Desk
from sheshbesh.cli.terminal.console import Console, LeaveError
from sheshbesh.cli.terminal.match_loop import Player, Table
from sheshbesh.cli.terminal.players import Bot, Human
from sheshbesh.cli.terminal.position_game import study
from sheshbesh.cli.terminal.record_files import Book, keeper
from sheshbesh.errors import RecordError
from sheshbesh.match.card import Card, Contest, DiceSource
from sheshbesh.match.timing import ClockKind
from sheshbesh.players.opponent import Opponent, find_opponent, introduce, is_opponent, opponent_named
from sheshbesh.rules import Roll, Side
from sheshbesh.session import Header, Phase, Record, Session

_NOT_KEPT = "Nothing was played, so no record is kept."


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was asked for; `words` are those of the command that say what is played."""

    card: Card
    opponent: str
    level: str | None
    side: str
    tutor: bool | None
    seed: int | None
    position: str | None
    roll: str | None
    record: Path | None
    is_recorded: bool
    words: tuple[str, ...]


def find_card(game: str | None, code: str | None, wishes: Wishes, dice: str | None, *, seeded: bool) -> Card:
    """The card by its code, or for a game with the wishes of a table."""
    source = find_dice(dice, seeded=seeded)
    if code is not None:
        card = Card.from_code(code)
        return card if dice is None and not seeded else with_dice(card, source)
    assert game is not None
    return wishes.card(game, dice=source)


# Starting


def start(console: Console, order: Order) -> None:
    """Play by an order."""
    card, seat = order.card, _seat(order.side, order.seed)
    state, seed = _new_state(order)
    opponent = None
    if order.opponent == "bot":
        with progress_bars() as bars:
            opponent = find_opponent(card.rules, order.level, order.seed, progress=bars)
    desk = _lay(console, state.card, seat, opponent)
    header = Header(state.card, state.throwing.match_id, _names(desk), seed)
    _greet(desk, state.card, order.seed if order.seed is not None else seed, opponent)
    book = _book(desk, order, header)
    has_tutor = _seat_coach(desk, opponent, tutor=order.tutor)
    table = Table(
        desk,
        state,
        _players(desk, opponent),
        watch=Watch(),
        keeper=keeper(),
        book=book,
        has_tutor=has_tutor,
    )
    side = () if opponent is None else ("--side", seat.value)
    words = (*((card.rules.name,) if not order.words else ()), *order.words, *side)
    _sit(table, book, shlex.join(("sheshbesh", "play", *words)))


def _new_state(order: Order) -> tuple[Session, str | None]:
    """The match before its first action, and the seed of its dice, if they have one."""
    card = order.card
    if order.position is None and order.roll is not None:
        raise click.UsageError("--roll goes with --position; a game begins with the opening draw")
    if order.position is not None and card.dice is not DiceSource.TYPED:
        # A position is for study: nothing is recorded, so there is nothing to prove about its dice.
        card = with_dice(card, DiceSource.SEEDED)
    seed = None
    if card.dice is DiceSource.SEEDED:
        chosen = secrets.token_hex(16) if order.position is not None else secrets.randbelow(10**6)
        seed = str(chosen if order.seed is None else order.seed)
    # The name of the match goes into its dice: with a seed the same dice must come again.
    match_id = record_files.new_name(secrets.token_hex(4)) if seed is None else "study"
    state = Session.new(card, match_id=match_id, seed=seed)
    if order.position is None:
        return state, seed
    position = card.rules.position_from_id(order.position)
    if position.result is not None:
        raise click.UsageError(f"the game is over in this position: {position.result}")
    if order.roll is not None and position.pending is not None:
        raise click.UsageError(
            "an element is owed in this position, no dice are thrown for it: leave --roll out"
        )
    return study(state, position, Roll.parse(order.roll) if order.roll is not None else None), seed


def _seat(side: str, seed: int | None) -> Side:
    if side == "random":
        chance = secrets.SystemRandom() if seed is None else random.Random(f"seat {seed}")
        return chance.choice((Side.WHITE, Side.BLACK))
    return Side.of(side)


def _lay(console: Console, card: Card, seat: Side, opponent: Opponent | None) -> Desk:
    names = {seat: "you", seat.other: opponent.name} if opponent is not None else dict.fromkeys(Side, "")
    return Desk(console, card, names=names, viewer=seat)


def _names(desk: Desk) -> dict[str, str]:
    return {side.value: desk.names[side] for side in Side}


def _players(desk: Desk, opponent: Opponent | None) -> dict[Side, Player]:
    human = Human()
    bots = {opponent.name: Bot(opponent)} if opponent is not None else {}
    return {side: bots.get(desk.names[side], human) for side in Side}


def _seat_coach(desk: Desk, opponent: Opponent | None, *, tutor: bool | None) -> bool:
    """Let the engine give hints, against the program or where a tutor is wished; whether one speaks up."""
    has_tutor = opponent is not None if tutor is None else tutor
    if opponent is not None or has_tutor:
        desk.coach = Coach.find(desk.variant)
    return has_tutor


def _book(desk: Desk, order: Order, header: Header) -> Book | None:
    """The record, begun; None with a reason where there is none."""
    is_study = order.position is not None
    if is_study or isinstance(order.card, OwnCard):
        if order.record is not None:
            what = "a game from a position" if is_study else "a game of your own"
            raise click.UsageError(f"{what} has no record: leave --record out")
        return None
    if not order.is_recorded:
        return None
    return record_files.begin(order.record, header, desk.say)


def _greet(desk: Desk, card: Card, seed: int | str | None, opponent: Opponent | None) -> None:
    variant = card.rules
    desk.say(f"{variant.title}. {variant.data.description}")
    # Without a length the cube stays in its box, which nobody had to choose.
    options = {key: value for key, value in variant.data.chosen.items() if key != "cube" or card.has_cube}
    if options:
        from sheshbesh.rules.options import format_value

        desk.say(f"Options: {', '.join(f'{key} = {format_value(value)}' for key, value in options.items())}.")
    desk.say(f"{desk.dealt()}. Type ? for help and the rules of this game, q to leave.")
    if opponent is not None:
        desk.say(introduce(opponent, variant))
    if card.contest is not Contest.MONEY or card.has_cube or card.clock.kind is not ClockKind.NONE:
        desk.say(f"Your table: {card.code} ({card.hash}).")
    if card.touch_move:
        desk.say(
            "Touch-move: a checker that has been moved stays moved, nothing is taken back "
            "(--option touch_move=false allows it)."
        )
    if card.dice is DiceSource.SEEDED and len(str(seed)) < 32:
        desk.say(f"The dice follow seed {seed}: for study, not for play that counts.")
    elif card.dice is DiceSource.TYPED:
        desk.say("Throw your own dice and type them; before a play is confirmed, 6-5 replaces the throw.")
    desk.say()


# Taking up


def resume(console: Console, path: Path | None) -> None:
    """Go on with a recorded match."""
    try:
        book, record, state = record_folder.reopen(path)
    except OSError as error:
        raise UserError(f"{path or record_files.folder()}: {error.strerror or error}") from error
    names = {side: record.header.players.get(side.value, "") for side in Side}
    people = [side for side in Side if not is_opponent(names[side])]
    desk = Desk(console, record.header.card, names=names, viewer=(people or list(Side))[0])
    try:
        _greet_again(desk, record, state, book)
        if state.phase is Phase.OVER:
            book.forget()
            _show_sheet(desk, state)
            desk.say(score_sheet.verdict(state))
            tell_end(desk, state.card, book)
        else:
            _go_on(desk, record, state, book)
    finally:
        book.close()


def _greet_again(desk: Desk, record: Record, state: Session, book: Book) -> None:
    desk.say(f"{book.path}: {state.card.rules.title}, {state.card.code}, {len(record.events)} events.")
    if record.damage is not None:
        desk.say(f"The record was damaged: {record.damage}. It has been mended.")
    if state.phase is Phase.OVER:
        desk.say("This match is over.")
    elif plays := [event for event in record.events if "play" in event.then]:
        desk.say(f"The last play was {plays[-1].actor.capitalize()}'s: {plays[-1].then['play']}.")
    desk.say()


def _go_on(desk: Desk, record: Record, state: Session, book: Book) -> None:
    """Play on, with the chains of the dice whose secrets are there."""
    chains = keeper()
    missing = chains.restore(state, book.secrets())
    start = record.events[-1].at if record.events else 0
    named = next((name for name in desk.names.values() if is_opponent(name)), None)
    opponent = None
    if named is not None:
        with progress_bars() as bars:
            opponent = opponent_named(state.card.rules, named, progress=bars)
    has_tutor = _seat_coach(desk, opponent, tutor=None)
    table = Table(
        desk,
        state,
        _players(desk, opponent),
        watch=Watch(start),
        keeper=chains,
        book=book,
        has_tutor=has_tutor,
    )
    try:
        table.recover(missing)
    except RecordError:
        _show_sheet(desk, state)
        raise
    _sit(table, book, "")


# Leaving


def _sit(table: Table, book: Book | None, words: str) -> None:
    """Play; whatever ends it, the record is whole and the players know how to go on."""
    desk = table.desk
    try:
        table.sit()
    except (LeaveError, KeyboardInterrupt):
        _tell_left(table, book, words)
    else:
        if book is not None:
            book.forget()
        if len(table.state.games) > 1 or table.state.card.contest is not Contest.MONEY:
            _show_sheet(desk, table.state)
        tell_end(desk, table.state.card, book)
    finally:
        if book is not None:
            book.close()


def _tell_left(table: Table, book: Book | None, words: str) -> None:
    """The position the game was left in, and the command that goes on from it."""
    desk, state = table.desk, table.state
    if state.phase is Phase.READY and state.games and book is None:
        desk.say("Goodbye.")
        return
    position = state.position
    if position is not None and state.phase not in (Phase.READY, Phase.OPENING):
        desk.say(f"Left at position: {position.id}")
    if book is not None and not book.has_plays:
        desk.say(_NOT_KEPT)
        book = None
    if book is not None:
        desk.say("Everything is in the record. To go on:")
        _show_command(desk, "play --resume", book)
    elif position is not None:
        dice = state.dice if position.pending is None else None
        roll = f" --roll {dice}" if dice is not None else ""
        desk.say("To go on:")
        desk.console.show([f"  {words} \\", f"    --position {shlex.quote(position.id)}{roll}"])


def _show_sheet(desk: Desk, state: Session) -> None:
    desk.console.show(["", *score_sheet.score_sheet(state)])


def tell_end(desk: Desk, card: Card, book: Book | None) -> None:
    """Where the record is, and how its dice are checked."""
    if book is None:
        return
    if not book.has_plays:
        desk.say(_NOT_KEPT)
        return
    desk.console.show([f"Record: {book.path}"])
    if card.dice in (DiceSource.CHAINS, DiceSource.STRICT):
        desk.console.show(["To check the dice:"])
        _show_command(desk, "verify-dice", book)


def _show_command(desk: Desk, words: str, book: Book) -> None:
    """A command about the record, whose path is given a line of its own."""
    desk.console.show([f"  sheshbesh {words} \\", f"    {shlex.quote(str(book.path))}"])
