"""A review as plain text: the numbers of both players, then the errors, the costliest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from sheshbesh.i18n import translate
from sheshbesh.reviews.rolled import SEARCHED

if TYPE_CHECKING:
    from sheshbesh.reviews.judged import Judged
    from sheshbesh.reviews.report import Report

MOST = 12
"""Errors that are listed."""


class Row(NamedTuple):
    """A number of both players: what it is, White's and Black's."""

    name: str
    white: str
    black: str


def report_lines(report: Report, lang: str = "en") -> Iterator[str]:
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
        yield error_line(each, lang)


def title(report: Report, lang: str) -> str:
    """Who played against whom."""
    white, black = report.players
    return translate("{white} against {black}", lang, white=white or "White", black=black or "Black")


def remarks(report: Report, lang: str) -> Iterator[str]:
    """What judged, how deep, and what is to be known about the numbers."""
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
    if not report.complete:
        yield translate("Not everything has been looked at as deep as that yet.", lang)
    yield translate(
        "A decision has a verdict only where its loss exceeds twice the error of the engine.", lang
    )


def rows(report: Report, lang: str) -> Iterator[Row]:
    """The numbers of both players; lines about the cube only where there is one."""
    told = report.statistics("gnubg", bars=True).players
    rated = report.statistics("xg", bars=True).players
    yield Row(translate("Player", lang), *(each["name"][:18] for each in told))
    yield Row(
        translate("Plays, of them unforced", lang),
        *(f"{p['moves']['total']}, {p['moves']['unforced']}" for p in told),
    )
    yield Row(translate("Lost by plays (EMG)", lang), *(f"{p['moves']['error_emg']:.3f}" for p in told))
    if any(each.decision.cube is not None for each in report.decisions):
        yield Row(
            translate("Cube decisions, of them close", lang),
            *(f"{p['cube']['total']}, {p['cube']['close']}" for p in told),
        )
        yield Row(translate("Lost by the cube (EMG)", lang), *(f"{p['cube']['error_emg']:.3f}" for p in told))
    yield Row(
        translate("Error rate (mEMG a decision)", lang),
        *(_with(p["rate_memg"], p["bars"]["rate_memg"], 2) for p in told),
    )
    yield Row(
        translate("Half of it, GNU Backgammon's divisor", lang),
        *(_with(p["rate_memg"] / 2, p["bars"]["pr"], 2) for p in told),
    )
    yield Row(
        translate("Performance rating, XG's divisor", lang),
        *(_with(p["pr"], p["bars"]["pr"], 2) for p in rated),
    )
    yield Row(
        translate("Luck (EMG)", lang), *(_with(p["luck"]["emg"], p["bars"]["luck_emg"], 3) for p in told)
    )


def _with(value: float, error: float | None, digits: int) -> str:
    return f"{value:.{digits}f}" if error is None else f"{value:.{digits}f} ± {error:.{digits}f}"


def error_line(each: Judged, lang: str = "en") -> str:
    """One error in a line: where, which side, what was done and what it lost, what was better and why."""
    return f"{heading(each, lang)}. {each.say(lang)}"


def heading(each: Judged, lang: str) -> str:
    """Where an error was made, by which side, what was done and what it lost."""
    return translate(
        "Game {game}, {number}: {side} {done}, -{loss:.3f}, {word}",
        lang,
        game=each.game,
        number=each.number,
        side=side_name(each, lang),
        done=_done(each, lang),
        loss=each.loss,
        word=verdict_name(each, lang),
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


def verdict_name(each: Judged, lang: str) -> str:
    """What the decision is called."""
    match each.verdict:
        case None:
            return translate("too close to call", lang)
        case "best":
            return translate("best", lang)
        case "fine":
            return translate("fine", lang)
        case "inaccuracy":
            return translate("inaccuracy", lang)
        case "error":
            return translate("error", lang)
        case _:
            return translate("blunder", lang)


def action(text: str, lang: str) -> str:
    """A play in notation, or a cube action in words."""
    words = {
        "no_double": translate("no double", lang),
        "double": translate("double", lang),
        "take": translate("take", lang),
        "drop": translate("drop", lang),
        "beaver": translate("beaver", lang),
    }
    return words.get(text, text)


def sentence(each: Judged, because: str, lang: str) -> str:
    """What would have been better and why, as one sentence; `because` is what speaks for the best play."""
    cube: Any = each.decision.cube
    if cube is None:
        if because:
            return translate("{best} was better: it {why}.", lang, best=each.best, why=because)
        return translate("{best} was better by {loss:.3f}.", lang, best=each.best, loss=each.loss)
    if each.decision.kind in ("take", "drop"):
        return translate(
            "Right was: {best}. The other side has {take:+.3f} after a take, {drop:+.3f} after a drop.",
            lang,
            best=action(each.best, lang),
            take=cube.double_take,
            drop=cube.double_drop,
        )
    return translate(
        "Right was: {best}. The equity is {double:+.3f} with a double, {waits:+.3f} without.",
        lang,
        best=action(each.best, lang),
        double=cube.best_double,
        waits=cube.no_double,
    )
