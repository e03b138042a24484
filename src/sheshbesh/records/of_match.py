"""The statistics of a match from the analysis that stood in its file."""

from __future__ import annotations

from sheshbesh.errors import RecordError
from sheshbesh.records.decision import GameOutcome
from sheshbesh.records.model import Match
from sheshbesh.records.stake import chances_after
from sheshbesh.records.statistics import Statistics, statistics
from sheshbesh.rules import Side


def outcomes_of(match: Match) -> tuple[GameOutcome, ...]:
    """What each finished game did to White's match-winning chances, in money play to the points."""
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
        raise RecordError("there is no analysis in this file: expected one saved by GNU Backgammon or XG")
    return statistics(
        match.analysis,
        outcomes_of(match),
        names=(match.players["white"], match.players["black"]),
        length=match.length,
        game=match.variant,
        rule=rule,
        bars=bars,
    )
