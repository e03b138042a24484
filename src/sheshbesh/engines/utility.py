"""The equity of each class of results: points in money play, match-winning chances (MWC) in a match.

In both, equity is normalised to the present cube: +1 is a plain win at this cube, -1 a
plain loss. `sheshbesh.cube.match_utility` says how a score is turned into that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from sheshbesh.cube import MatchEquityTable
from sheshbesh.cube.decision import cube_decision, cubeful_equity
from sheshbesh.cube.match_utility import match_utility, table_for
from sheshbesh.cube.values import shipped_efficiency
from sheshbesh.engines.outcome import Classes, Outcome
from sheshbesh.errors import MatchError
from sheshbesh.match import MatchState
from sheshbesh.rules import Position, Side, Variant

EVEN_AT_SCORE = 0.003
"""The difference of plays at a score that is small enough for money equity to choose between them, when it
differs by a whole game of the kind that pays most."""


def utility(
    classes: Classes,
    match: MatchState | None,
    side: Side,
    table: MatchEquityTable | None = None,
    *,
    has_cube: bool = True,
) -> tuple[float, ...]:
    """The equity of each class for `side`, with `side` on roll; in the order of `classes.all`.

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
    """Return what plays are chosen by in money play with a cube, from what `utility` says is `paid` now.

    Under Jacoby's rule a gammon pays one point while the cube is unturned, yet a side that plays for it
    turns the cube in time. Between a dead cube and a live one (Janowski's model, as in
    `sheshbesh.cube.decision`) what a win brings beyond the plain one counts `turned_share`. Elsewhere it
    is what is paid.
    """
    share = turned_share(shipped_efficiency().contact)
    return tuple(now + share * (then - now) for now, then in zip(paid, classes.money, strict=True))


def score_utility(classes: Classes, equities: Sequence[float]) -> tuple[float, ...]:
    """Return what plays are chosen by at a score, from the `equities` of the classes there.

    Where gammons count nothing, plays that win as surely as each other are equal, and a net ranks them
    by its noise alone. Among equals the play is chosen by money equity: it counts `EVEN_AT_SCORE`
    of a class's equity at most, less than any net is sure of.
    """
    most = max(map(abs, classes.money))
    share = EVEN_AT_SCORE / most
    return tuple(here + share * money for here, money in zip(equities, classes.money, strict=True))


def turned_share(cube_efficiency: float) -> float:
    """Return which share of a gammon's further points counts with an unturned cube under Jacoby's rule.

    In units of half of what lies between a plain win and a plain loss. With a dead cube those are two
    points apart and a gammon adds nothing. With a live one equity is straight between the take point
    (l - .5) / (w + l + .5), at -1, and the cash point (l + 1) / (w + l + .5), at +1, where w and l are the
    mean points of wins and losses with the cube turned: so it is 4/3 of cubeless equity with
    gammons and half the chance to win, a plain win lies 10/3 from a plain loss, and a gammon adds 4/3.
    """
    gammon = cube_efficiency * 4 / 3
    plain = (1 - cube_efficiency) * 2 + cube_efficiency * 10 / 3
    return gammon / (plain / 2)


class Scores:
    """The equities of a game's classes at any score, and the match equity tables behind them.

    `start` gives the probabilities of the classes before the first throw. It is called once, when a
    table has to be made from the game's own results.
    """

    def __init__(self, rules: Variant, classes: Classes, start: Callable[[], Sequence[float]]) -> None:
        self._rules = rules
        self._classes = classes
        self._has_cube = bool(rules.axes["cube"]["use"])
        self._start = cache(start)

    def equities(self, match: MatchState | None, side: Side) -> tuple[float, ...]:
        """The equity of each class for `side`, which is on roll; in money play with the cube in mind."""
        paid = utility(self._classes, match, side, self.table(match), has_cube=self._has_cube)
        if match is None or not match.is_money or not self._has_cube:
            return paid
        return play_utility(self._classes, paid)

    def choosing(self, match: MatchState | None, equities: Sequence[float]) -> Sequence[float]:
        """Return what plays are compared by where the classes have these equities."""
        at_score = match is not None and not match.is_money
        return score_utility(self._classes, equities) if at_score else equities

    def cubeful(self, outcome: Outcome, position: Position, match: MatchState) -> float:
        """The equity with the cube of the side on roll, which doubles where that is right."""
        side = position.turn
        if match.winner is not None:
            return outcome.equity
        if match.double_refusal(side):
            return self.holding(outcome, position, match, side)
        return cube_decision(
            self._classes.all,
            outcome.probabilities,
            match,
            side,
            efficiency=shipped_efficiency().at(position),
            table=self.table(match),
        ).equity

    def holding(self, outcome: Outcome, position: Position, match: MatchState, side: Side) -> float:
        """The equity of `side`, whose outcome it is, with the cube where it lies, not turned now."""
        return cubeful_equity(
            self._classes.all,
            outcome.probabilities,
            match,
            side,
            efficiency=shipped_efficiency().at(position),
            table=self.table(match),
        )

    def table(self, match: MatchState | None) -> MatchEquityTable | None:
        """The match equities: a table made for the game, else one from its own results; None for money."""
        check_match(match)
        if match is None or match.length is None or match.winner is not None:
            return None
        return table_for(
            self._rules, self._classes.all, self._start, length=match.length, crawford=match.crawford_rule
        )


def check_match(match: object) -> None:
    """TypeError unless it is a MatchState or None."""
    if match is not None and not isinstance(match, MatchState):
        raise TypeError(f"a MatchState is expected, not {match!r}")
