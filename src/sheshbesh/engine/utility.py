"""What the classes of a game are worth: points in money play, chances in a match.

Whatever is played for, equity is normalised to the present cube: +1 is a plain win at this cube, -1 a
plain loss. `sheshbesh.engine.match_utility` says how a score is turned into that.
"""

from __future__ import annotations

from sheshbesh.engine.match_utility import match_utility
from sheshbesh.engine.outcome import Classes
from sheshbesh.errors import MatchError
from sheshbesh.match import MatchEquityTable, MatchState
from sheshbesh.rules import Side


def utility(
    classes: Classes,
    match: MatchState | None,
    side: Side,
    table: MatchEquityTable | None = None,
    *,
    has_cube: bool = True,
) -> tuple[float, ...]:
    """What each class is worth to `side`, with `side` on roll; in the order of `classes.all`.

    Without a match state: money, cube 1, without Jacoby's rule. `table` holds the match equities
    (default: Kazaross-XG2), `has_cube` says whether the game is played with one. MatchError if the
    match is over.
    """
    if match is None:
        return classes.money
    if match.winner is not None:
        raise MatchError(f"the match is over, {match.winner.value} has won it: {match}")
    return match_utility(classes.all, match, side, table, has_cube=has_cube)
