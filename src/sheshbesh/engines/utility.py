"""What the classes of a game are worth: points in money play, chances in a match.

Whatever is played for, equity is normalised to the present cube: +1 is a plain win at this cube, -1 a
plain loss. `sheshbesh.cube.match_utility` says how a score is turned into that.
"""

from __future__ import annotations

from collections.abc import Sequence

from sheshbesh.cube import MatchEquityTable
from sheshbesh.cube.match_utility import match_utility
from sheshbesh.engines import cube_efficiency
from sheshbesh.engines.outcome import Classes
from sheshbesh.errors import MatchError
from sheshbesh.match import MatchState
from sheshbesh.rules import Side

_EVEN_AT_SCORE = 0.003
"""How far plays may differ at a score for money equity to choose between them, when it differs by a whole
game of the dearest kind."""


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


def play_utility(classes: Classes, paid: Sequence[float]) -> tuple[float, ...]:
    """What plays are chosen by in money play with a cube, from what `utility` says is `paid` now.

    Under Jacoby's rule a gammon pays one point while the cube is unturned, yet who plays for it turns the
    cube in time. Between a dead cube and a live one (Janowski's model, as in `sheshbesh.cube.decision`) what
    a win brings beyond the plain one counts `turned_share`. Elsewhere it is what is paid.
    """
    share = turned_share(cube_efficiency.shipped().contact)
    return tuple(now + share * (then - now) for now, then in zip(paid, classes.money, strict=True))


def score_utility(classes: Classes, worth: Sequence[float]) -> tuple[float, ...]:
    """What plays are chosen by at a score, from what each class is `worth` there.

    Where gammons count nothing, plays that win as surely as each other are equal, and a net tells them
    apart by its noise alone. Among equals the play is chosen by money equity: it counts `_EVEN_AT_SCORE`
    of what a class is worth at most, less than any net is sure of.
    """
    most = max(map(abs, classes.money))
    share = _EVEN_AT_SCORE / most
    return tuple(here + share * money for here, money in zip(worth, classes.money, strict=True))


def turned_share(efficiency: float) -> float:
    """Which share of a gammon's further points an unturned cube is worth under Jacoby's rule.

    In units of half of what lies between a plain win and a plain loss. With a dead cube those are two
    points apart and a gammon adds nothing. With a live one equity is straight between the take point
    (l - .5) / (w + l + .5), at -1, and the cash point (l + 1) / (w + l + .5), at +1, where w and l are what
    wins and losses are worth on average with the cube turned: so it is 4/3 of cubeless equity with
    gammons and half the chance to win, a plain win lies 10/3 from a plain loss, and a gammon adds 4/3.
    """
    gammon = efficiency * 4 / 3
    plain = (1 - efficiency) * 2 + efficiency * 10 / 3
    return gammon / (plain / 2)
