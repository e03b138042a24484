"""`sheshbesh drill`: one's own mistakes asked again, when they are due."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.game_arguments import language_option
from sheshbesh.i18n import JoinedText, PluralText, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sheshbesh.cli.terminal.console import Console
    from sheshbesh.practice import Answer, Deck, PracticeCard
    from sheshbesh.practice.deck import Entry
    from sheshbesh.reviews import Report
    from sheshbesh.rules import Side

_SUFFIX = ".review.json"
_LEVELS = {"easy": Text("Easy"), "medium": Text("Medium"), "hard": Text("Hard")}


@click.command("drill")
@click.argument(
    "files", metavar="FILE...", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--player", metavar="NAME", help="Whose mistakes in FILE: a player's name, White or Black.")
@click.option(
    "--deck", "deck_file", type=click.Path(dir_okay=False, path_type=Path), help="The file of the cards."
)
@click.option("--list", "listing", is_flag=True, help="List all cards, and when they are due.")
@click.option("--stats", is_flag=True, help="Show how many answers were right.")
@click.option("--delete", "deleted", metavar="ID", help="Forget the card whose id begins so.")
@click.option(
    "--anki", type=click.Path(dir_okay=False, path_type=Path), help="Write all cards as an Anki deck (.apkg)."
)
@click.option(
    "--puzzles",
    metavar="GAME",
    help="Ask the public puzzles of a game, or `today` for that of the day; nothing is kept.",
)
@click.option("--level", type=click.Choice(["easy", "medium", "hard"]), help="Only puzzles of this level.")
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, help="Ask at most this many cards."
)
@click.option("--no-keep", is_flag=True, help="Do not keep the review for `sheshbesh search`.")
@language_option
def command(
    *,
    files: tuple[Path, ...],
    player: str | None,
    deck_file: Path | None,
    listing: bool,
    stats: bool,
    deleted: str | None,
    anki: Path | None,
    puzzles: str | None,
    level: str | None,
    limit: int,
    no_keep: bool,
    lang: str,
) -> None:
    """Ask the cards that are due; with FILE, add what a player got wrong in those matches first.

    FILE is a saved review (.review.json) or a match file, which is reviewed two plies deep; that review is
    kept for `sheshbesh search`. A card comes again after minutes when it was answered wrong, and after days
    or months when it was right.
    """
    from sheshbesh.cli.terminal.console import Console
    from sheshbesh.cli.terminal.record_files import data_folder
    from sheshbesh.practice import Deck, write_anki

    console = Console(lang)
    if puzzles is not None:
        _solve(console, puzzles, level, limit)
        return
    if level is not None:
        raise click.UsageError(Text("--level belongs to --puzzles"))
    deck = Deck(deck_file or data_folder() / "practice.json")
    now = datetime.now(UTC)
    for file in files:
        _add(console, deck, file, player, now, keep=not no_keep)
    if deleted is not None:
        entry = deck.find(deleted)
        deck.remove(entry)
        console.say(Text("Card {id} is forgotten.", id=entry.card.id))
    if anki is not None:
        count = write_anki((entry.card for entry in deck), anki, lang)
        console.say(PluralText("{n} card is in {file}.", "{n} cards are in {file}.", count, file=str(anki)))
    if listing:
        _list(console, deck)
    if stats:
        _stats(console, deck)
    if not (listing or stats or deleted is not None or anki is not None):
        _drill(console, deck, limit, now)


# Adding


def _add(console: Console, deck: Deck, file: Path, player: str | None, now: datetime, *, keep: bool) -> None:
    from sheshbesh.practice.cards import LEAST_PLIES, cards_of

    report = _report(file, keep=keep)
    side = _side(console, report, file, player)
    if isinstance(report.plies, int) and report.plies < LEAST_PLIES:
        console.say(
            PluralText(
                "{file} was judged {n} ply deep; only what is judged {least} deep becomes a card.",
                "{file} was judged {n} plies deep; only what is judged {least} deep becomes a card.",
                report.plies,
                file=file.name,
                least=LEAST_PLIES,
            ),
            indent="  ",
        )
        return
    count = deck.add(cards_of(report, side), now)
    console.say(
        PluralText("{n} new card from {file}.", "{n} new cards from {file}.", count, file=file.name),
        indent="  ",
    )


def _report(file: Path, *, keep: bool) -> Report:
    from sheshbesh.cli.terminal.record_files import keep_reviews
    from sheshbesh.records import read_match
    from sheshbesh.reviews import read_review, review

    if file.name.endswith(_SUFFIX):
        return read_review(file)
    report = review(read_match(file), plies=2, file=file.name)
    if keep:
        keep_reviews([report])
    return report


def _side(console: Console, report: Report, file: Path, player: str | None) -> Side:
    """The side whose mistakes are practised."""
    from sheshbesh.rules import Side

    names = dict(zip(Side, report.players, strict=True))
    known = {name.casefold(): side for side, name in names.items() if name}
    known |= {side.value: side for side in Side}
    while player is None and console.is_interactive:
        white, black = report.players
        asked = console.ask(
            Text("Who are you: White ({white}) or Black ({black})? ", white=white, black=black)
        )
        if asked.casefold() in known:
            return known[asked.casefold()]
    if player is None or player.casefold() not in known:
        listed = " or ".join(name for name in (*report.players, "White", "Black") if name)
        raise click.UsageError(
            Text(
                "{name}: --player says whose mistakes are practised: {listed}", name=file.name, listed=listed
            )
        )
    return known[player.casefold()]


# Looking


def _list(console: Console, deck: Deck) -> None:
    from sheshbesh.practice.wording import source_text

    if not len(deck):
        console.say(Text("There are no cards yet: sheshbesh drill FILE makes some of a match."))
    for entry in sorted(deck, key=lambda each: each.due):
        card = entry.card
        line = Text(
            "{id}  due {due}  -{loss}  {source}",
            id=card.id,
            due=f"{entry.due:%Y-%m-%d %H:%M}",
            loss=f"{card.loss:.3f}",
            source=source_text(card),
        )
        console.show([line])


def _stats(console: Console, deck: Deck) -> None:
    answers = [answer for entry in deck for answer in entry.answers]
    right = sum(answer["right"] for answer in answers)
    console.say(PluralText("{n} card.", "{n} cards.", len(deck)))
    if answers:
        console.say(
            Text(
                "{right} of {all} answers were right ({share:.0%}).",
                right=right,
                all=len(answers),
                share=right / len(answers),
            )
        )


# Asking


def _drill(console: Console, deck: Deck, limit: int, now: datetime) -> None:
    from sheshbesh.cli.terminal.console import LeaveError
    from sheshbesh.practice.deck import need_schedule
    from sheshbesh.practice.wording import source_text

    due = deck.due(now)
    if not due:
        _nothing(console, deck)
        return
    need_schedule()
    console.say(
        PluralText(
            "{n} card is due. Type a play, or double, roll, take, drop; q leaves.",
            "{n} cards are due. Type a play, or double, roll, take, drop; q leaves.",
            len(due),
        )
    )
    right = asked = 0
    try:
        for entry in due[:limit]:
            right += _ask(console, entry.card, source_text(entry.card), partial(_keep, deck, entry))
            asked += 1
    except LeaveError:
        pass
    if asked:
        console.say()
        console.say(Text("{right} of {asked} were right.", right=right, asked=asked))


def _keep(deck: Deck, entry: Entry, answer: Answer) -> None:
    deck.answered(entry, answer, datetime.now(UTC))


def _solve(console: Console, game: str, level: str | None, limit: int) -> None:
    """Ask public puzzles, the easiest first."""
    from sheshbesh.cli.terminal.console import LeaveError
    from sheshbesh.practice.puzzles import puzzle_of, puzzles
    from sheshbesh.rules import variant

    asked = (puzzle_of(datetime.now(UTC).date()),) if game == "today" else puzzles(variant(game).name)
    found = [each for each in asked if level in (None, each.level)]
    if not found:
        console.say(Text("There are no puzzles of this game."))
        return
    console.say(PluralText("{n} puzzle; q leaves.", "{n} puzzles; q leaves.", len(found)))
    right = answered = 0
    try:
        for each in found[:limit]:
            title = JoinedText(Text(each.card.rules.title), _LEVELS[each.level], separator=", ")
            right += _ask(console, each.card, title, lambda _: None)
            answered += 1
    except LeaveError:
        pass
    if answered:
        console.say()
        console.say(Text("{right} of {asked} were right.", right=right, asked=answered))


def _nothing(console: Console, deck: Deck) -> None:
    upcoming = min((entry.due for entry in deck), default=None)
    if upcoming is None:
        console.say(Text("There are no cards yet: sheshbesh drill FILE makes some of a match."))
    else:
        console.say(Text("Nothing is due before {due}.", due=f"{upcoming.astimezone():%Y-%m-%d %H:%M}"))


def _ask(console: Console, card: PracticeCard, source: str, keep: Callable[[Answer], None]) -> bool:
    """Ask one card until the answer can be judged: whether it was right. LeaveError when they leave."""
    from sheshbesh.cli.terminal.console import LeaveError, Line
    from sheshbesh.cli.terminal.wording import refusal_text
    from sheshbesh.errors import IllegalPlayError, NotationError
    from sheshbesh.practice.anki import board_lines
    from sheshbesh.practice.wording import (
        answer_text,
        candidate_lines,
        explanation,
        question_text,
    )

    console.say()
    console.show([source, *board_lines(card)])
    console.say(question_text(card))
    while True:
        text = console.ask("> ")
        if text.casefold() in ("q", "quit", "exit"):
            raise LeaveError
        try:
            answer = card.answer(text)
        except IllegalPlayError as error:
            console.say(refusal_text(error), indent="  ")
            continue
        except NotationError:
            console.say(_wanted(card.question), indent="  ")
            continue
        break
    keep(answer)
    console.say(answer_text(card, answer), indent="  ")
    console.show(candidate_lines(card))
    reason = explanation(card, console.lang)
    if reason:
        console.say(Line(reason), indent="  ")
    return answer.right


def _wanted(question: str) -> Text:
    wanted: Sequence[Text] = (
        Text("Type a play such as 8/5 6/5 or bar/22; q leaves."),
        Text("Type double or roll; q leaves."),
        Text("Type take or drop; q leaves."),
    )
    return wanted[("play", "double", "take").index(question)]
