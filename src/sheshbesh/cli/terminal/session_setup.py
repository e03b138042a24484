"""Starts, resumes and leaves a match by the settings of a command."""

from __future__ import annotations

import random
import secrets
import shlex
from dataclasses import dataclass, replace
from pathlib import Path

import click

from sheshbesh.cli.terminal import record_files, record_folder, score_text
from sheshbesh.cli.terminal.card_options import CardOptions, OwnCard, find_dice, with_dice
from sheshbesh.cli.terminal.coach import Coach
from sheshbesh.cli.terminal.commands import Screen
from sheshbesh.cli.terminal.console import Console, LeaveError, UserError, progress_bars
from sheshbesh.cli.terminal.match_loop import MatchLoop, Player, start_at
from sheshbesh.cli.terminal.players import Bot, Human
from sheshbesh.cli.terminal.record_files import LockedRecord, keeper
from sheshbesh.cli.terminal.session_loop import Stopwatch
from sheshbesh.cli.terminal.wording import name
from sheshbesh.errors import RecordError, system_reason
from sheshbesh.formats import parse_any_id
from sheshbesh.i18n import PluralText, Text
from sheshbesh.match.card import Card, Contest, DiceSource
from sheshbesh.match.state import MatchState
from sheshbesh.match.timing import ClockKind
from sheshbesh.players.gnubg import Gnubg
from sheshbesh.players.opponent import (
    EngineOpponent,
    Opponent,
    find_opponent,
    introduce,
    is_opponent,
    opponent_named,
)
from sheshbesh.rules import Roll, Side
from sheshbesh.session import Header, Phase, Record, Session
from sheshbesh.session.record_header import level_tags

_NOT_KEPT = Text("Nothing was played, so no record is kept.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """The settings of a match; `words` are the arguments that choose the game and its table."""

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


def find_card(
    game: str | None, code: str | None, card_options: CardOptions, dice: str | None, *, seeded: bool
) -> Card:
    """The card by its code, or for a game with the options given."""
    source = find_dice(dice, seeded=seeded)
    if code is not None:
        card = Card.from_code(code)
        return card if dice is None and not seeded else with_dice(card, source)
    assert game is not None
    return card_options.card(game, dice=source)


# Starting


def start(console: Console, settings: PlaySettings) -> None:
    """Play a match with these settings."""
    card, seat = settings.card, _seat(settings.side, settings.seed)
    state, seed = _new_state(settings)
    opponent: Opponent | None = None
    if settings.opponent == "bot":
        with progress_bars() as bars:
            opponent = find_opponent(card.rules, settings.level, settings.seed, progress=bars)
    elif settings.opponent == "gnubg":
        opponent = Gnubg(card.rules, jacoby=state.card.jacoby)
    screen = _new_screen(console, state.card, seat, opponent)
    level = opponent.level if isinstance(opponent, EngineOpponent) else None
    tags = level_tags({seat.other.value: level})
    header = Header(state.card, state.throwing.match_id, _names(screen), seed, tags=tags)
    _greet(screen, state.card, settings.seed if settings.seed is not None else seed, opponent)
    record_file = _record_file(screen, settings, header)
    has_tutor = _seat_coach(screen, opponent, tutor=settings.tutor)
    loop = MatchLoop(
        screen,
        state,
        _players(screen, opponent),
        stopwatch=Stopwatch(),
        keeper=keeper(),
        record_file=record_file,
        has_tutor=has_tutor,
    )
    side = () if opponent is None else ("--side", seat.value)
    words = (*((card.rules.name,) if not settings.words else ()), *settings.words, *side)
    _run(loop, record_file, shlex.join(("sheshbesh", "play", *words)))


def _new_state(settings: PlaySettings) -> tuple[Session, str | None]:
    """The match before its first action, and the seed of its dice, if they have one."""
    card = settings.card
    found = None if settings.position is None else parse_any_id(settings.position, card.rules)
    if found is not None and found.match is not None:
        card = _at_stakes(card, found.match)
    if settings.position is None and settings.roll is not None:
        raise click.UsageError(Text("--roll goes with --position; a game begins with the opening draw"))
    if settings.position is not None and card.dice is not DiceSource.TYPED:
        # A position is for study: nothing is recorded, so there is nothing to prove about its dice.
        card = with_dice(card, DiceSource.SEEDED)
    seed = None
    if card.dice is DiceSource.SEEDED:
        chosen = secrets.token_hex(16) if settings.position is not None else secrets.randbelow(10**6)
        seed = str(chosen if settings.seed is None else settings.seed)
    # The name of the match goes into its dice: with a seed the same dice must come again.
    match_id = record_files.new_name(secrets.token_hex(4)) if seed is None else "study"
    state = Session.new(card, match_id=match_id, seed=seed)
    if found is None:
        return state, seed
    position = found.position
    if found.match is not None:
        said = found.match
        score = replace(
            state.score,
            white=said.white,
            black=said.black,
            crawford=said.crawford,
        )
        if card.has_cube:
            score = replace(score, cube=said.cube, owner=said.owner, automatic_doubles=said.automatic_doubles)
        state = state.but(score=score)
    if position.result is not None:
        raise click.UsageError(Text("the game is over in this position: {result}", result=position.result))
    if settings.roll is not None and position.pending is not None:
        raise click.UsageError(
            Text("an element is owed in this position, no dice are thrown for it: leave --roll out")
        )
    dice = found.dice if settings.roll is None else Roll.parse(settings.roll)
    return start_at(state, position, dice), seed


def _at_stakes(card: Card, said: MatchState) -> Card:
    """The card, for money or a match as the id of a position says; MatchError if it cannot be played so."""
    if said.is_money:
        return replace(card, contest=Contest.MONEY, jacoby=bool(said.jacoby), beavers=said.beavers)
    return replace(card, contest=Contest.POINTS, length=said.length)


def _seat(side: str, seed: int | None) -> Side:
    if side == "random":
        chance = secrets.SystemRandom() if seed is None else random.Random(f"seat {seed}")
        return chance.choice((Side.WHITE, Side.BLACK))
    return Side.of(side)


def _new_screen(console: Console, card: Card, seat: Side, opponent: Opponent | None) -> Screen:
    names = {seat: "you", seat.other: opponent.name} if opponent is not None else dict.fromkeys(Side, "")
    return Screen(console, card, names=names, viewer=seat)


def _names(screen: Screen) -> dict[str, str]:
    return {side.value: screen.names[side] for side in Side}


def _players(screen: Screen, opponent: Opponent | None) -> dict[Side, Player]:
    human = Human()
    bots = {opponent.name: Bot(opponent)} if opponent is not None else {}
    return {side: bots.get(screen.names[side], human) for side in Side}


def _seat_coach(screen: Screen, opponent: Opponent | None, *, tutor: bool | None) -> bool:
    """Let the engine give hints, against the program or where a tutor is asked for; whether there is one."""
    has_tutor = opponent is not None if tutor is None else tutor
    if opponent is not None or has_tutor:
        screen.coach = Coach.find(screen.variant)
    return has_tutor


def _record_file(screen: Screen, settings: PlaySettings, header: Header) -> LockedRecord | None:
    """The record, begun; None with a reason where there is none."""
    is_study = settings.position is not None
    if is_study or isinstance(settings.card, OwnCard):
        if settings.record is not None:
            what = Text("a game from a position") if is_study else Text("a game of your own")
            raise click.UsageError(Text("{what} has no record: leave --record out", what=what))
        return None
    if not settings.is_recorded:
        return None
    return record_files.begin(settings.record, header, screen.say)


def _greet(screen: Screen, card: Card, seed: int | str | None, opponent: Opponent | None) -> None:
    variant = card.rules
    screen.say(
        Text("{title}. {description}", title=Text(variant.title), description=Text(variant.description))
    )
    # Without a length the cube stays in its box, which nobody had to choose.
    options = {key: value for key, value in variant._data.chosen.items() if key != "cube" or card.has_cube}
    if options:
        from sheshbesh.rules.options import format_value

        screen.say(
            Text(
                "Options: {options}.",
                options=", ".join(f"{key} = {format_value(value)}" for key, value in options.items()),
            )
        )
    screen.say(Text("{signs}. Type ? for help and the rules of this game, q to leave.", signs=screen.dealt()))
    if opponent is not None:
        screen.say(introduce(opponent, variant))
    if card.contest is not Contest.MONEY or card.has_cube or card.clock.kind is not ClockKind.NONE:
        screen.say(Text("Your table: {code} ({hash}).", code=card.code, hash=card.hash))
    if card.touch_move:
        screen.say(
            Text(
                "Touch-move: a checker that has been moved stays moved, nothing is taken back "
                "(--option touch_move=false allows it)."
            )
        )
    if card.dice is DiceSource.SEEDED and len(str(seed)) < 32:
        screen.say(Text("The dice follow seed {seed}: for study, not for play that counts.", seed=str(seed)))
    elif card.dice is DiceSource.TYPED:
        screen.say(
            Text("Throw your own dice and type them; before a play is confirmed, 6-5 replaces the throw.")
        )
    screen.say()


# Resuming


def resume(console: Console, path: Path | None) -> None:
    """Resume a recorded match."""
    try:
        record_file, record, state = record_folder.reopen(path)
    except OSError as error:
        raise UserError(
            Text("{file}: {why}", file=path or record_files.folder(), why=system_reason(error))
        ) from error
    names = {side: record.header.players.get(side.value, "") for side in Side}
    people = [side for side in Side if not is_opponent(names[side])]
    screen = Screen(console, record.header.card, names=names, viewer=(people or list(Side))[0])
    try:
        _greet_again(screen, record, state, record_file)
        if state.phase is Phase.OVER:
            record_file.forget()
            _show_sheet(screen, state)
            screen.say(score_text.verdict(state))
            announce_end(screen, state.card, record_file)
        else:
            _go_on(screen, record, state, record_file)
    finally:
        record_file.close()


def _greet_again(screen: Screen, record: Record, state: Session, record_file: LockedRecord) -> None:
    screen.say(
        PluralText(
            "{path}: {title}, {code}, {n} event.",
            "{path}: {title}, {code}, {n} events.",
            len(record.events),
            path=str(record_file.path),
            title=Text(state.card.rules.title),
            code=state.card.code,
        )
    )
    if record.damage is not None:
        screen.say(Text("The record was damaged: {damage}. It has been repaired.", damage=record.damage))
    if state.phase is Phase.OVER:
        screen.say(Text("This match is over."))
    elif plays := [event for event in record.events if "play" in event.then]:
        screen.say(
            Text(
                "The last play was {who}'s: {play}.",
                who=name(Side.of(plays[-1].actor)),
                play=str(plays[-1].then["play"]),
            )
        )
    screen.say()


def _go_on(screen: Screen, record: Record, state: Session, record_file: LockedRecord) -> None:
    """Play on, with the chains of the dice whose secrets are there."""
    chains = keeper()
    missing = chains.restore(state, record_file.secrets())
    start = record.events[-1].at if record.events else 0
    named = next((name for name in screen.names.values() if is_opponent(name)), None)
    opponent = None
    if named is not None:
        with progress_bars() as bars:
            opponent = opponent_named(state.card.rules, named, jacoby=state.card.jacoby, progress=bars)
    has_tutor = _seat_coach(screen, opponent, tutor=None)
    loop = MatchLoop(
        screen,
        state,
        _players(screen, opponent),
        stopwatch=Stopwatch(start),
        keeper=chains,
        record_file=record_file,
        has_tutor=has_tutor,
    )
    try:
        loop.recover(missing)
    except RecordError:
        _show_sheet(screen, state)
        raise
    _run(loop, record_file, "")


# Leaving


def _run(loop: MatchLoop, record_file: LockedRecord | None, words: str) -> None:
    """Play until the end or until the players leave; close the record and show how to resume."""
    screen = loop.screen
    try:
        loop.run()
    except (LeaveError, KeyboardInterrupt):
        _announce_left(loop, record_file, words)
    else:
        if record_file is not None:
            record_file.forget()
        if len(loop.state.games) > 1 or loop.state.card.contest is not Contest.MONEY:
            _show_sheet(screen, loop.state)
        announce_end(screen, loop.state.card, record_file)
    finally:
        if record_file is not None:
            record_file.close()


def _announce_left(loop: MatchLoop, record_file: LockedRecord | None, words: str) -> None:
    """Show the position the game was left in, and the command that resumes it."""
    screen, state = loop.screen, loop.state
    if state.phase is Phase.READY and state.games and record_file is None:
        screen.say(Text("Goodbye."))
        return
    position = state.position
    if position is not None and state.phase not in (Phase.READY, Phase.OPENING):
        screen.say(Text("Left at position: {id}", id=position.id))
    if record_file is not None and not record_file.has_plays:
        screen.say(_NOT_KEPT)
        record_file = None
    if record_file is not None:
        screen.say(Text("Everything is in the record. To resume:"))
        _show_command(screen, "play --resume", record_file)
    elif position is not None:
        dice = state.dice if position.pending is None else None
        roll = f" --roll {dice}" if dice is not None else ""
        screen.say(Text("To resume:"))
        screen.console.show([f"  {words} \\", f"    --position {shlex.quote(position.id)}{roll}"])


def _show_sheet(screen: Screen, state: Session) -> None:
    screen.console.show(["", *score_text.score_sheet(state)])


def announce_end(screen: Screen, card: Card, record_file: LockedRecord | None) -> None:
    """Say where the record is, and how its dice are checked."""
    if record_file is None:
        return
    if not record_file.has_plays:
        screen.say(_NOT_KEPT)
        return
    screen.console.show([Text("Record: {path}", path=str(record_file.path))])
    if card.dice in (DiceSource.CHAINS, DiceSource.STRICT):
        screen.console.show([Text("To check the dice:")])
        _show_command(screen, "verify-dice", record_file)


def _show_command(screen: Screen, words: str, record_file: LockedRecord) -> None:
    """A command about the record, whose path is given a line of its own."""
    screen.console.show([f"  sheshbesh {words} \\", f"    {shlex.quote(str(record_file.path))}"])
