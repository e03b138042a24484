"""`sheshbesh play`: games and matches in the plain terminal, against the engine or two at one keyboard."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.game_arguments import DEFAULT, complete_games, language_option
from sheshbesh.cli.terminal.card_options import CardOptions, level_option, table_options
from sheshbesh.i18n import Text, translate
from sheshbesh.rules.lookup import find_game

if TYPE_CHECKING:
    from sheshbesh.cli.terminal.console import Console


@click.command("play")
@click.argument("game", required=False, shell_complete=complete_games)
@click.option(
    "--opponent",
    type=click.Choice(["bot", "human", "gnubg"]),
    default="bot",
    show_default=True,
    help="The program, a second person at this keyboard, or GNU Backgammon, if it is installed.",
)
@level_option
@click.option(
    "--side",
    type=click.Choice(["white", "black", "random"]),
    default="white",
    show_default=True,
    help="Your side against the bot.",
)
@click.option(
    "--tutor/--no-tutor",
    default=None,
    help="Grade each of your decisions.  [default: in games against the program]",
)
@table_options
@click.option("--card", "code", metavar="CODE", help="All of that as a house-rule card: takhte.p5.")
@click.option(
    "--dice",
    type=click.Choice(["chains", "strict", "typed", "seeded", "auto", "manual"]),
    help="chains: fixed beforehand, to be checked with verify-dice; typed: from your own dice (manual).",
)
@click.option("--seed", type=int, help="Repeatable dice, for study; without it they are cryptographic.")
@click.option("--position", "position_id", metavar="ID", help="Study: start from this position.")
@click.option("--roll", metavar="6-5", help="The dice to play; needs --position.")
@click.option(
    "--record", type=click.Path(dir_okay=False, path_type=Path), help="Keep the record in this file."
)
@click.option("--no-record", is_flag=True, help="Keep no record; the match cannot be resumed.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Resume a match; without FILE the newest that can be resumed.",
)
@language_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    lang: str,
    game: str | None,
    opponent: str,
    level: str | None,
    side: str,
    tutor: bool | None,
    match: int | None,
    games: int | None,
    money: bool,
    clock: str | None,
    cube: bool | None,
    options: tuple[str, ...],
    code: str | None,
    dice: str | None,
    seed: int | None,
    position_id: str | None,
    roll: str | None,
    record: Path | None,
    no_record: bool,
    resume: str | None,
) -> None:
    """Play GAME in the terminal.

    GAME is a name from `sheshbesh rules` or a file of your own such as ./mygame.toml. Without one
    you are asked. Without --match, --games or --money one game follows another, the points are
    added up, and there is no cube. Type ? during the game for help and its rules.
    """
    from sheshbesh.cli.terminal import session_setup
    from sheshbesh.cli.terminal.console import Console, LeaveError

    console = Console(lang)
    if resume is not None:
        _refuse_others(ctx)
        session_setup.resume(console, Path(resume) if resume else None)
        return
    if record is not None and no_record:
        raise click.UsageError(Text("--record and --no-record contradict each other"))
    if level is not None and opponent != "bot":
        raise click.UsageError(
            Text("--level is the program's, and --opponent {opponent} leaves it out", opponent=opponent)
        )
    card_options = CardOptions(match=match, games=games, money=money, clock=clock, cube=cube, options=options)
    if code is not None and (game is not None or card_options != CardOptions()):
        raise click.UsageError(
            Text("the card {code} says what is played: leave the game and its options out", code=code)
        )
    try:
        name = None if code is not None else game or _ask_game(console)
    except LeaveError:
        return
    session_setup.start(
        console,
        session_setup.PlaySettings(
            card=session_setup.find_card(name, code, card_options, dice, seeded=seed is not None),
            opponent=opponent,
            level=level,
            side=side,
            tutor=tutor,
            seed=seed,
            position=position_id,
            roll=roll,
            record=record,
            is_recorded=not no_record,
            words=_words(game, card_options, code, opponent, level, dice, seed),
        ),
    )


def _refuse_others(ctx: click.Context) -> None:
    """A match is gone on with as it was begun."""
    given = [
        parameter.opts[0]
        for parameter in ctx.command.params
        if parameter.name is not None
        and parameter.name not in ("resume", "lang")
        and ctx.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(
            Text(
                "--resume continues the match as it was begun: leave {choices} out", choices=", ".join(given)
            )
        )


def _words(
    game: str | None,
    card_options: CardOptions,
    code: str | None,
    opponent: str,
    level: str | None,
    dice: str | None,
    seed: int | None,
) -> tuple[str, ...]:
    """The words of the command that say what is played, for going on from a position."""
    options = {
        "--match": card_options.match,
        "--games": card_options.games,
        "--clock": card_options.clock,
        "--card": code,
        "--level": level,
        "--dice": dice,
        "--seed": seed,
    }
    words = [game] if game is not None else []
    words += [word for option in card_options.options for word in ("--option", option)]
    words += ["--money"] if card_options.money else []
    words += (
        [{True: "--cube", False: "--no-cube"}[card_options.cube]] if card_options.cube is not None else []
    )
    words += [word for key, value in options.items() if value is not None for word in (key, str(value))]
    return (*words, *(("--opponent", opponent) if opponent != "bot" else ()))


def _ask_game(console: Console) -> str:
    """The game a person chooses from the list; the default without a terminal."""
    import sheshbesh as sb

    if not console.is_interactive:
        return DEFAULT
    names = sb.variants()
    for number, name in enumerate(names, 1):
        line = f"{number:>3}  {name:<12} "
        # One line a game, so that the whole list stands on a screen of 24 lines.
        room = console.width - 1 - len(line)
        console.show(
            [
                line
                + textwrap.shorten(
                    translate(sb.variant(name).description, console.lang), room, placeholder=" ..."
                )
            ]
        )
    while True:
        text = console.ask(Text("Which game? (a number or a name; Enter for {game}) ", game=DEFAULT))
        if not text:
            return DEFAULT
        if text.isdecimal() and 1 <= int(text[:3]) <= len(names):
            return names[int(text[:3]) - 1]
        try:
            return find_game(text).name
        except sb.VariantError as error:
            console.say(f"{error}.", indent="  ")
