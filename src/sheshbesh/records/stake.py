"""The worth of a unit of equity at a score, and the statistics of a match with its analysis.

Match-winning chances are those of the table that gnubg uses.
"""

from __future__ import annotations

from functools import lru_cache

from sheshbesh.cube import equity_table, extended
from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.records.decision import GameOutcome
from sheshbesh.records.model import Match
from sheshbesh.records.statistics import Statistics, statistics, uncounted
from sheshbesh.rules import Side

TABLE = "kazaross_xg2"
"""Kazaross XG2 to 25 points, the default of both GNU Backgammon and eXtreme Gammon."""


@lru_cache(maxsize=4096)
def chances_after(
    length: int, white: int, black: int, side: Side, gain: int, *, crawford: bool, crawford_rule: bool = True
) -> float:
    """The match-winning chances of `side` once it has gained `gain` points (negative: lost) in this game.

    With a gain of 0 it gives the chances before the game; `crawford` is about this game.
    """
    white, black = min(white, length), min(black, length)
    if white >= length or black >= length:
        return 1.0 if (white >= length) is (side is Side.WHITE) else 0.0
    state = MatchState(
        length=length,
        white=white,
        black=black,
        crawford=crawford and crawford_rule,
        crawford_rule=crawford_rule,
    )
    try:
        table = extended(equity_table(TABLE), length)
    except SheshbeshError:
        return 0.5
    return table.after(state, side, gain)


def chances_at(
    length: int | None,
    white: int,
    black: int,
    side: Side,
    cube: int,
    *,
    crawford: bool,
    crawford_rule: bool = True,
) -> tuple[float, float] | None:
    """The chances of `side` after winning and after losing `cube` points; None in money play."""
    if length is None:
        return None
    win, lose = (
        chances_after(length, white, black, side, gain, crawford=crawford, crawford_rule=crawford_rule)
        for gain in (cube, -cube)
    )
    return win, lose


def outcomes_of(match: Match) -> tuple[GameOutcome, ...]:
    """Return what each finished game did to White's match-winning chances, in money play to the points."""
    found = []
    for game in match.games:
        result = game.result
        if result is None:
            continue
        points = 0
        if result.winner is not None:
            points = result.points if result.winner is Side.WHITE else -result.points
        change = float(points)
        if match.length is not None:
            before, after = (
                chances_after(
                    match.length,
                    game.white,
                    game.black,
                    Side.WHITE,
                    gain,
                    crawford=game.crawford,
                    crawford_rule=match.crawford_rule,
                )
                for gain in (0, points)
            )
            change = after - before
        found.append(GameOutcome(game.number, points, change))
    return tuple(found)


def match_statistics(match: Match, *, rule: str = "gnubg", bars: bool = False) -> Statistics:
    """Statistics from the analysis in the file; RecordError if there is none."""
    if not any(each.candidates or each.cube or each.luck is not None for each in match.analysis):
        raise RecordError(
            Text("there is no analysis in this file: expected one saved by GNU Backgammon or XG")
        )
    return statistics(
        match.analysis,
        outcomes_of(match),
        names=(match.players["white"], match.players["black"]),
        length=match.length,
        game=match.variant,
        rule=rule,
        bars=bars,
        left_out=uncounted(match),
    )
