"""A review as plain text: the numbers of both players, then the errors, the costliest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from sheshbesh.engines.explain.wording import grade_name
from sheshbesh.i18n import PluralText, Text, digits, translate
from sheshbesh.records import Statistics
from sheshbesh.reviews.judged import Judged
from sheshbesh.reviews.questions import Played
from sheshbesh.reviews.rolled import SEARCHED
from sheshbesh.reviews.wording import action

MOST = 12
"""Errors that are listed."""

RATING = Text("Performance rating, XG's divisor")
"""The number that is shown first."""


class Reviewed(Played, Protocol):
    """A reviewed match as its texts use it. `Report` is one."""

    @property
    def players(self) -> tuple[str, str]:
        """The names of White and Black."""

    @property
    def plies(self) -> int | str:
        """The depth at which decisions were searched; "rollout" where the close ones were rolled out."""

    @property
    def net(self) -> str:
        """The checksum of the net."""

    @property
    def approximate(self) -> bool:
        """True if the net was made for other rules."""

    @property
    def left_out(self) -> tuple[int, int]:
        """The decisions of White and of Black of which nothing is said."""

    @property
    def complete(self) -> bool:
        """True if everything has been judged at that depth."""

    @property
    def decisions(self) -> tuple[Judged, ...]:
        """The judged decisions, in the order in which they were made."""

    def errors(self) -> list[Judged]:
        """The decisions that lost something, the largest loss first."""

    def statistics(self, rule: str = "gnubg", *, bars: bool = True) -> Statistics:
        """Return what the decisions add up to by "gnubg", "xg" or "snowie"."""


class Row(NamedTuple):
    """A number of both players: what it is, White's and Black's."""

    name: str
    white: str
    black: str


def report_lines(report: Reviewed, lang: str = "en") -> Iterator[str]:
    """The lines of the report; sections are divided by empty lines."""
    yield title(report, lang)
    yield from remarks(report, lang)
    yield ""
    for row in rows(report, lang):
        yield f"{row.name:<36}{row.white:>20}{row.black:>20}"
    yield ""
    errors = report.errors()
    yield translate("The costliest errors", lang) if errors else translate("No errors were found.", lang)
    for each in errors[:MOST]:
        yield error_line(each, lang, report.players)
    if tried := [each for each in report.decisions if each.tried]:
        yield ""
        yield translate("Taken back for another try", lang)
        for each in tried:
            yield error_line(each, lang, report.players)


def title(report: Reviewed, lang: str) -> str:
    """Return who played against whom."""
    white, black = report.players
    return translate("{white} against {black}", lang, white=white or "White", black=black or "Black")


def remarks(report: Reviewed, lang: str) -> Iterator[str]:
    """Return what judged, how deep, and what is to be known about the numbers."""
    if report.plies == "rollout":
        yield translate(
            "Judged by the net {net}, {plies} plies deep; what they leave open is rolled out.",
            lang,
            net=report.net[:8],
            plies=SEARCHED,
        )
    else:
        yield translate(
            "Judged by the net {net}, {plies} plies deep.", lang, net=report.net[:8], plies=report.plies
        )
    if report.approximate:
        yield translate("The net was made for other rules: the numbers are approximate.", lang)
    if n := sum(report.left_out):
        yield translate(
            PluralText(
                "{n} decision is left out: against the rules, or on a board that is not known.",
                "{n} decisions are left out: against the rules, or on a board that is not known.",
                n,
            ),
            lang,
        )
    if not report.complete:
        yield translate("Not everything has been looked at as deep as that yet.", lang)
    yield translate(
        "A decision has a verdict only where its loss exceeds twice the error of the engine.", lang
    )


def rows(report: Reviewed, lang: str) -> Iterator[Row]:
    """The numbers of both players; lines about the cube only where there is one."""
    counted = report.statistics("gnubg", bars=True).players
    rated = report.statistics("xg", bars=True).players
    yield Row(translate("Player", lang), *(each["name"][:18] for each in counted))
    yield Row(
        translate("Plays, of them unforced", lang),
        *(digits(f"{p['moves']['total']}, {p['moves']['unforced']}", lang) for p in counted),
    )
    yield Row(
        translate("Lost by plays (EMG)", lang),
        *(figure(p["moves"]["error_emg"], None, 3, lang) for p in counted),
    )
    if any(each.decision.cube is not None for each in report.decisions):
        yield Row(
            translate("Cube decisions, of them close", lang),
            *(digits(f"{p['cube']['total']}, {p['cube']['close']}", lang) for p in counted),
        )
        yield Row(
            translate("Lost by the cube (EMG)", lang),
            *(figure(p["cube"]["error_emg"], None, 3, lang) for p in counted),
        )
    yield Row(
        translate("Error rate (mEMG a decision)", lang),
        *(figure(p["rate_memg"], p["bars"]["rate_memg"], 2, lang) for p in counted),
    )
    yield Row(
        translate("Half of it, GNU Backgammon's divisor", lang),
        *(figure(p["rate_memg"] / 2, p["bars"]["pr"], 2, lang) for p in counted),
    )
    yield Row(
        translate(RATING, lang),
        *(figure(p["pr"], p["bars"]["pr"], 2, lang) for p in rated),
    )
    yield Row(
        translate("Luck (EMG)", lang),
        *(figure(p["luck"]["emg"], p["bars"]["luck_emg"], 3, lang) for p in counted),
    )


def figure(value: float, error: float | None, places: int, lang: str) -> str:
    """Write a number and its standard error, to `places` decimal places, in the digits of a language."""
    number = f"{{value:.{places}f}}"
    error_too = "" if error is None else f" ± {{error:.{places}f}}"
    return translate(number + error_too, lang, value=value, error=error)


def error_line(each: Judged, lang: str = "en", players: tuple[str, str] = ("", "")) -> str:
    """One error in a line: where, by whom, what was done and what it lost, what was better and why."""
    return f"{heading(each, lang, players)}. {each.say(lang)}"


def heading(each: Judged, lang: str, players: tuple[str, str] = ("", "")) -> str:
    """Return where an error was made, by whom, what was done and what it lost.

    `players` are the names of White and Black; a side without one is called by its colour.
    """
    name = players[0 if each.side == "white" else 1]
    return translate(
        "Game {game}, {number}: {side} {done}, -{loss:.3f}, {word}",
        lang,
        game=each.game,
        number=each.number,
        side=name or side_name(each, lang),
        done=_done(each, lang),
        loss=each.loss,
        word=translate(grade_name(each.verdict), lang),
    )


def _done(each: Judged, lang: str) -> str:
    """The throw and the play, or the cube action."""
    if each.dice is None:
        return action(each.played, lang)
    # In one piece: a language that is written from the right must not turn the order.
    return f"{each.dice[0]}-{each.dice[1]} {each.played}".rstrip()


def side_name(each: Judged, lang: str) -> str:
    """The side that decided."""
    return translate("White", lang) if each.side == "white" else translate("Black", lang)
