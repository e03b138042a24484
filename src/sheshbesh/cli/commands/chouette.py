"""`sheshbesh chouette`: three to ten people, or bots in their seats, at one board and one keyboard."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from sheshbesh.cli.game_arguments import DEFAULT, complete_games, language_option, rule_options
from sheshbesh.cli.terminal.card_options import clock_option, level_option
from sheshbesh.i18n import Text

if TYPE_CHECKING:
    from sheshbesh.cli.terminal.chouette_loop import ChouetteLoop
    from sheshbesh.cli.terminal.chouette_table import ChouetteScreen
    from sheshbesh.cli.terminal.console import Console
    from sheshbesh.cli.terminal.record_files import LockedRecord
    from sheshbesh.match.card import Card
    from sheshbesh.players.opponent import Opponent
    from sheshbesh.session import ChouetteHeader, Seats


@click.command("chouette")
@click.argument("names", metavar="NAME NAME NAME [...]", nargs=-1)
@click.option(
    "--game",
    metavar="GAME",
    shell_complete=complete_games,
    help="A name from `sheshbesh rules`, or a file.  [default: backgammon]",
)
@rule_options
@click.option(
    "--card", "code", metavar="CODE", help="All of that as a house-rule card: backgammon.m.beavers."
)
@clock_option
@click.option("--beavers", is_flag=True, help="A double may be turned back at once.")
@click.option("--box-chooses", is_flag=True, help="The box may double some members only.")
@click.option("--bots", metavar="NAME,NAME", default="", help="These seats are played by the program.")
@level_option
@click.option(
    "--dice",
    type=click.Choice(["chains", "typed", "seeded"]),
    help="chains: fixed beforehand, to be checked with verify-dice; typed: from your own dice.",
)
@click.option("--seed", type=int, help="Repeatable dice, for study; without it they are cryptographic.")
@click.option(
    "--record", type=click.Path(dir_okay=False, path_type=Path), help="Keep the record in this file."
)
@click.option("--no-record", is_flag=True, help="Keep no record.")
@language_option
def command(
    *,
    lang: str,
    names: tuple[str, ...],
    game: str | None,
    options: tuple[str, ...],
    code: str | None,
    clock: str | None,
    beavers: bool,
    box_chooses: bool,
    bots: str,
    level: str | None,
    dice: str | None,
    seed: int | None,
    record: Path | None,
    no_record: bool,
) -> None:
    """Play a chouette: the box alone against a team, everybody at this keyboard.

    Give 3 to 10 names; the seats are thrown for. Every prompt names the person it asks. Type ?
    during the game for help and its rules.
    """
    from sheshbesh.cli.terminal.card_options import CardOptions
    from sheshbesh.cli.terminal.console import Console, LeaveError
    from sheshbesh.cli.terminal.session_setup import find_card

    if record is not None and no_record:
        raise click.UsageError(Text("--record and --no-record contradict each other"))
    if code is not None and (game is not None or options or clock or beavers):
        raise click.UsageError(
            Text("the card {code} says what is played: leave the game and its options out", code=code)
        )
    people = _people(names)
    played_by_bots = _bots(bots, people)
    card_options = CardOptions(money=True, options=options, clock=clock)
    card = find_card(game or DEFAULT, code, card_options, dice, seeded=seed is not None)
    card = replace(card, beavers=True) if beavers else card
    _check(card, people)
    console = Console(lang)
    try:
        seats = _throw_for_seats(console, card, people, seed)
    except LeaveError:
        return
    header, number = _header(card, seats, seed, is_choosing=box_chooses)
    _play(console, header, (played_by_bots, level), number, _Keeping(record, is_kept=not no_record))


class _Keeping(NamedTuple):
    """The place of the record, if one is kept; without a path to the usual folder."""

    path: Path | None
    is_kept: bool


# What was ordered


def _people(names: Sequence[str]) -> tuple[str, ...]:
    from sheshbesh.cli.terminal.chouette_prompts import read_name
    from sheshbesh.session.chouette.seats import FEWEST, MOST

    try:
        people = tuple(read_name(name) for name in names)
    except ValueError as error:
        raise click.UsageError(error.args[0]) from None
    if not FEWEST <= len(people) <= MOST:
        text = Text(
            "a chouette has {least} to {most} people, not {n}", least=FEWEST, most=MOST, n=len(people)
        )
        raise click.UsageError(text)
    twice = [name for name, times in Counter(name.casefold() for name in people).items() if times > 1]
    if twice:
        raise click.UsageError(
            Text("everybody needs a different name: {twice} is given twice", twice=repr(twice[0]))
        )
    return people


def _bots(text: str, people: Sequence[str]) -> tuple[str, ...]:
    known = {name.casefold(): name for name in people}
    named = [name.strip() for name in text.split(",") if name.strip()]
    for name in named:
        if name.casefold() not in known:
            raise click.UsageError(
                Text("--bots: there is no {name} among {choices}", name=repr(name), choices=", ".join(people))
            )
    return tuple(known[name.casefold()] for name in named)


def _check(card: Card, people: tuple[str, ...]) -> None:
    """MatchError for a table that cannot be, before anybody throws for a seat."""
    from sheshbesh.match.card import DiceSource
    from sheshbesh.session import Chouette, Seats

    seed = "check" if card.dice is DiceSource.SEEDED else None
    Chouette.new(card, Seats(people[0] if people else "", people[1:]), seed=seed)


# Seats


def _throw_for_seats(console: Console, card: Card, people: tuple[str, ...], seed: int | None) -> Seats:
    """Everybody throws one die, and again where some have tied; the throws are shown."""
    from sheshbesh.match.card import DiceSource
    from sheshbesh.session import Seats

    if card.dice is DiceSource.TYPED:
        throws = _throws(console, people, lambda name: _typed_die(console, name))
    else:
        chance = secrets.SystemRandom() if seed is None else random.Random(f"seats {seed}")
        throws = _throws(console, people, lambda _: chance.randint(1, 6))
    return Seats.by_throws(throws)


def _throws(console: Console, people: tuple[str, ...], die: Callable[[str], int]) -> Mapping[str, list[int]]:
    throws: dict[str, list[int]] = {name: [] for name in people}
    throwing, again = list(people), False
    while throwing:
        for name in throwing:
            throws[name].append(die(name))
        shown = ", ".join(f"{name} {throws[name][-1]}" for name in throwing)
        console.say(
            Text("Throws for the seats, after a tie: {throws}.", throws=shown)
            if again
            else Text("Throws for the seats: {throws}.", throws=shown),
            indent="  ",
        )
        tied = Counter(tuple(dice) for dice in throws.values())
        throwing = [name for name in people if tied[tuple(throws[name])] > 1]
        again = True
    return throws


def _typed_die(console: Console, name: str) -> int:
    from sheshbesh.cli.terminal.console import LeaveError

    while True:
        text = console.ask(Text("{name}, a die for the seats: ", name=name))
        if text in ("1", "2", "3", "4", "5", "6"):
            return int(text)
        if text.casefold() in ("q", "quit", "exit"):
            raise LeaveError
        console.say(Text("Type one number 1 to 6; q to leave."))


# Playing


def _header(
    card: Card, seats: Seats, seed: int | None, *, is_choosing: bool
) -> tuple[ChouetteHeader, str | None]:
    """Return what the record begins with, and the seed of the dice if they have one."""
    from sheshbesh.cli.terminal import record_files
    from sheshbesh.match.card import DiceSource
    from sheshbesh.session import ChouetteHeader

    number = None
    if card.dice is DiceSource.SEEDED:
        number = str(secrets.randbelow(10**6) if seed is None else seed)
    match_id = record_files.new_name(secrets.token_hex(4)) if number is None else "study"
    return ChouetteHeader(card, match_id, seats, chosen_members=is_choosing, seed=number), number


def _play(
    console: Console,
    header: ChouetteHeader,
    bots: tuple[tuple[str, ...], str | None],
    seed: str | None,
    keeping: _Keeping,
) -> None:
    from sheshbesh.cli.terminal.chouette_loop import ChouetteLoop
    from sheshbesh.cli.terminal.chouette_table import ChouetteScreen
    from sheshbesh.cli.terminal.console import progress_bars
    from sheshbesh.cli.terminal.record_files import keeper
    from sheshbesh.players.opponent import find_opponent

    whole = header.session()
    screen = ChouetteScreen(console, whole)
    seats, level = bots
    chance = int(seed) if seed is not None else None
    with progress_bars() as bars:
        players = {name: find_opponent(header.card.rules, level, chance, progress=bars) for name in seats}
    _greet(screen, header, players, seed)
    record_file = _record_file(screen, header, keeping)
    _run(ChouetteLoop(screen, whole, players, keeper=keeper(), record_file=record_file), record_file)


def _greet(
    screen: ChouetteScreen, header: ChouetteHeader, bots: Mapping[str, Opponent], seed: str | None
) -> None:
    from sheshbesh.cli.terminal.chouette_narration import listed, seated
    from sheshbesh.match.card import DiceSource
    from sheshbesh.players.opponent import SIMPLE

    card = header.card
    screen.say(
        Text("{title}. {description}", title=Text(card.rules.title), description=Text(card.rules.description))
    )
    screen.say(seated(header.session()))
    if bots:
        opponent = next(iter(bots.values()))
        names = listed(tuple(bots))
        screen.say(
            Text("The simple bot plays for {names}.", names=names)
            if opponent.name == SIMPLE
            else Text(
                "The {level} bot plays for {names}.",
                level=Text(opponent.name.removesuffix(f" {SIMPLE}")),
                names=names,
            )
        )
    screen.say(Text("O is White, the box; X is Black, the team. Type ? for help and the rules, q to end."))
    screen.say(Text("Your table: {code} ({hash}).", code=card.code, hash=card.hash))
    if seed is not None:
        screen.say(Text("The dice follow seed {seed}: for study, not for play that counts.", seed=seed))
    elif card.dice is DiceSource.TYPED:
        screen.say(
            Text("Throw your own dice and type them; before a play is confirmed, 6-5 replaces the throw.")
        )
    screen.say()


def _record_file(screen: ChouetteScreen, header: ChouetteHeader, keeping: _Keeping) -> LockedRecord | None:
    """The record, begun; None with a reason where there is none."""
    from sheshbesh.cli.terminal import record_files
    from sheshbesh.cli.terminal.card_options import OwnCard

    if isinstance(header.card, OwnCard):
        if keeping.path is not None:
            raise click.UsageError(Text("a game of your own has no record: leave --record out"))
        return None
    if not keeping.is_kept:
        return None
    return record_files.begin(keeping.path, header, screen.say)


def _run(loop: ChouetteLoop, record_file: LockedRecord | None) -> None:
    """Play; whatever ends it, everybody sees the sheet."""
    from sheshbesh.cli.terminal.console import LeaveError
    from sheshbesh.cli.terminal.session_setup import announce_end

    screen = loop.screen
    try:
        loop.run()
    except (LeaveError, KeyboardInterrupt):
        if loop.whole.members:
            screen.say(
                Text(
                    "The chouette ends in the middle of a game; members still playing gain and lose nothing."
                )
            )
        screen.console.show(["", *screen.score_sheet()])
        announce_end(screen, loop.state.card, record_file)
    finally:
        if record_file is not None:
            # A chouette cannot be resumed: its secrets are not needed any more.
            record_file.forget()
            record_file.close()
