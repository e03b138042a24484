"""A review as plain text: the numbers of both players, then the errors, the dearest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sheshbesh.i18n import translate

if TYPE_CHECKING:
    from sheshbesh.reviews.judged import Judged
    from sheshbesh.reviews.report import Report

MOST = 12
"""Errors that are listed."""


def report_lines(report: Report, lang: str = "en") -> Iterator[str]:
    """The lines of the report; sections are divided by empty lines."""
    told = report.statistics("gnubg", bars=True).players
    rated = report.statistics("xg", bars=True).players
    white, black = report.players
    yield translate("{white} against {black}", lang, white=white or "White", black=black or "Black")
    depth = (
        translate("two plies, close decisions rolled out", lang)
        if report.plies == "rollout"
        else translate("looked at {plies} plies deep", lang, plies=report.plies)
    )
    yield translate("Judged by the net {net}: {depth}.", lang, net=report.net[:8], depth=depth)
    if report.approximate:
        yield translate("The net was made for other rules: the numbers are approximate.", lang)
    if not report.complete:
        yield translate("Not everything has been looked at as deep as that yet.", lang)
    yield ""
    for name, left, right in _rows(told, rated, has_cube=_has_cube(report), lang=lang):
        yield f"{name:<34}{left:>20}{right:>20}"
    yield ""
    errors = report.errors()
    yield translate("The dearest errors", lang) if errors else translate("No errors were found.", lang)
    for each in errors[:MOST]:
        yield error_line(each, lang)


def _has_cube(report: Report) -> bool:
    return any(each.decision.cube is not None for each in report.decisions)


def _rows(told: Any, rated: Any, *, has_cube: bool, lang: str) -> Iterator[tuple[str, str, str]]:
    def row(name: str, *pair: str) -> tuple[str, str, str]:
        return translate(name, lang), pair[0], pair[1]

    yield row("Player", *(each["name"][:18] for each in told))
    yield row("Plays, of them unforced", *(f"{p['moves']['total']}, {p['moves']['unforced']}" for p in told))
    yield row("Lost by plays (EMG)", *(f"{p['moves']['error_emg']:.3f}" for p in told))
    if has_cube:
        yield row(
            "Cube decisions, of them close", *(f"{p['cube']['total']}, {p['cube']['close']}" for p in told)
        )
        yield row("Lost by the cube (EMG)", *(f"{p['cube']['error_emg']:.3f}" for p in told))
    yield row(
        "Error rate (mEMG a decision)", *(_with(p["rate_memg"], p["bars"]["rate_memg"], 2) for p in told)
    )
    yield row("Performance rating (XG's rule)", *(_with(p["pr"], p["bars"]["pr"], 2) for p in rated))
    yield row("Luck (EMG)", *(_with(p["luck"]["emg"], p["bars"]["luck_emg"], 3) for p in told))


def _with(value: float, error: float | None, digits: int) -> str:
    return f"{value:.{digits}f}" if error is None else f"{value:.{digits}f} ± {error:.{digits}f}"


def error_line(each: Judged, lang: str = "en") -> str:
    """One error in a line: where, who, what was done, what was better, why."""
    dice = "" if each.dice is None else f" {each.dice[0]}-{each.dice[1]}"
    word = translate(each.verdict, lang) if each.verdict else translate("too close to call", lang)
    done, best = _action(each.played, lang), _action(each.best, lang)
    text = translate(
        "Game {game}, {number}: {side}{dice} {done}, better {best} (-{loss:.3f}, {word})",
        lang,
        game=each.game,
        number=each.number,
        side=translate("White" if each.side == "white" else "Black", lang),
        dice=dice,
        done=done,
        best=best,
        loss=each.loss,
        word=word,
    )
    why = each.say(lang)
    return f"{text}: {why}" if why else text


def _action(text: str, lang: str) -> str:
    cube = {"no_double": "no double", "double": "double", "take": "take", "drop": "drop", "beaver": "beaver"}
    return translate(cube[text], lang) if text in cube else text
