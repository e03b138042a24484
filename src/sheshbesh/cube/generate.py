"""Match equity tables from a game's own results, with and without a cube.

>>> from sheshbesh.cube import generate
>>> table = generate({1: 0.36, 2: 0.14}, length=5)       # a game without cube, to five, mars 2
>>> round(table.chance(5, 5), 6), round(table.chance(1, 2), 6)
(0.5, 0.68)

Without a cube the table is exact: one game leads from a score to others, nearer to the end. With a
cube the same recursion runs over a model of one game, `CubePlay`. Literature: N. Zadeh and G.
Kobliska, "On optimal doubling in backgammon" (Management Science 23, 1977); R. Janowski,
"Take-Points in Money Games" (1993).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import fsum
from types import MappingProxyType

from sheshbesh import _core
from sheshbesh.cube.equity_tables import MatchEquityTable
from sheshbesh.cube.values import OWNERS, GameValues, game_values
from sheshbesh.errors import MatchError

LONGEST = 128
"""The longest match, in points, that a table is made for."""

BACKGAMMON_WINS: Mapping[int, float] = MappingProxyType({1: 0.37, 2: 0.1245, 3: 0.0055})
"""The wins of a side at backgammon, as a chance of each number of points: 26 % gammons, 1.1 % of all
wins backgammons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubePlay:
    """The model of a game with the cube when a table is made.

    `efficiency` is that of the cube over a whole game: 0 dead, 1 live. `swing` is how far the chance
    to win has moved, on average and either way, when somebody first decides about the cube.
    `response` says how sides adapt to the score: the share of wins above the plain one grows by it
    times the further value of such a win over in money play (gammon price less one half).

    The defaults were fitted to the Kazaross-XG2 table up to 9 points with 26 % gammons, to
    which they come within 0.0036 everywhere (`tests/test_match_generate.py`).
    """

    efficiency: float = 0.82
    swing: float = 0.02
    response: float = 0.17

    def __post_init__(self) -> None:
        problems = [
            f"{name} lies between {low} and {high}, not {value!r}"
            for name, low, high, value in (
                ("efficiency", 0, 1, self.efficiency),
                ("swing", 0, 0.25, self.swing),
                ("response", 0, 1, self.response),
            )
            if not low <= value <= high
        ]
        if problems:
            raise MatchError("; ".join(problems), problems=problems)


Points = tuple[tuple[int, float], ...]


def generate(
    wins: Mapping[int, float],
    losses: Mapping[int, float] | None = None,
    *,
    length: int = 25,
    cube: CubePlay | None = None,
    crawford: bool = True,
    name: str = "generated",
) -> MatchEquityTable:
    """The table of a game from how it ends.

    `wins` gives, for each number of points before any cube, the probability that White wins them in
    a game; `losses` the same for Black, None for sides of equal skill. What is missing to 1 are
    games without a winner, which are played again at the same score. Without `cube` the game is
    played without one. `crawford` is whether the cube rests in the game after a side first needs a
    single point. MatchError for chances that cannot be.
    """
    white, black = _points(wins, "wins"), _points(losses if losses is not None else wins, "losses")
    won, lost = fsum(p for _, p in white), fsum(p for _, p in black)
    if won + lost > 1 + 1e-6 or won + lost <= 0:
        raise MatchError(f"the chances of wins and losses sum to {won + lost:g}, expected up to 1")
    if type(length) is not int or not 1 <= length <= LONGEST:
        raise MatchError(f"a table is for 1 to {LONGEST} points, not {length!r}")
    source = "generated " + ("without cube" if cube is None else str(cube)) + f" from {dict(white)}"
    if black != white:
        source += f" against {dict(black)}"
    recursion = _Recursion(white, black, length, cube, crawford=crawford)
    return recursion.table(name, source)


def extended(table: MatchEquityTable, length: int, *, crawford: bool = True) -> MatchEquityTable:
    """A table that reaches at least `length` points.

    Scores in the table stay; those beyond it are those of `generate` with the results of
    backgammon and the default `CubePlay`, which continue from its edge; `crawford` as in `generate`.
    MatchError above 128.
    """
    return table if length <= table.length else _extended(table, length, crawford=crawford)


@lru_cache(maxsize=16)
def _extended(table: MatchEquityTable, length: int, *, crawford: bool) -> MatchEquityTable:
    if length > LONGEST:
        raise MatchError(f"a table is for 1 to {LONGEST} points, not {length!r}")
    points = _points(BACKGAMMON_WINS, "wins")
    recursion = _Recursion(points, points, length, CubePlay(), crawford=crawford, known=table)
    return recursion.table(table.name, f"{table.source}; above {table.length} points generated")


@lru_cache(maxsize=16)
def without_crawford(table: MatchEquityTable) -> MatchEquityTable:
    """The table for matches in which the cube never rests.

    Where a side needs a single point the chances are those after the Crawford game. Those of the
    other scores are moved by what the rule makes of them by `generate`, with the results of
    backgammon and the default `CubePlay`. A table to which the rule makes no difference (without a
    cube, or made without the rule) comes back as it is.
    """
    if not _has_crawford(table):
        return table
    resting, turning = (
        generate(BACKGAMMON_WINS, length=table.length, cube=CubePlay(), crawford=rule).pre_crawford
        for rule in (True, False)
    )

    def chance(i: int, j: int) -> float:
        if i and j:
            return min(max(table.pre_crawford[i][j] + turning[i][j] - resting[i][j], 0.0), 1.0)
        return table.chance(i + 1, j + 1, crawford=False)

    sizes = range(table.length)
    return replace(
        table,
        source=f"{table.source}; without the Crawford game",
        pre_crawford=tuple(tuple(chance(i, j) for j in sizes) for i in sizes),
    )


def _has_crawford(table: MatchEquityTable) -> bool:
    """Return True if the game after a side first needs a single point differs from those after it."""
    return any(
        table.chance(*score) != table.chance(*score, crawford=False)
        for n in range(2, table.length + 1)
        for score in ((1, n), (n, 1))
    )


def _points(wins: Mapping[int, float], where: str) -> Points:
    wrong = [
        f"{where}: {points!r} points with probability {share!r}"
        for points, share in wins.items()
        if type(points) is not int or points < 1 or not 0 <= share <= 1
    ]
    if wrong or not wins:
        raise MatchError(
            "; ".join(wrong) or f"{where} are empty: expected points and their chances", problems=wrong
        )
    return tuple(sorted((points, float(share)) for points, share in wins.items()))


class _Recursion:
    """The scores of a match in the order in which each needs only those before it."""

    def __init__(
        self,
        white: Points,
        black: Points,
        length: int,
        cube: CubePlay | None,
        *,
        crawford: bool,
        known: MatchEquityTable | None = None,
    ) -> None:
        self.length, self.cube, self.crawford, self.known = length, cube, crawford, known
        self.won, self.lost = fsum(p for _, p in white), fsum(p for _, p in black)
        self.even = self.won / (self.won + self.lost)
        self.white, self.black = tuple(zip(*white, strict=True)), tuple(zip(*black, strict=True))
        self.pre: dict[tuple[int, int], float] = {}
        self.post: dict[tuple[int, int], float] = {}

    def table(self, name: str, source: str) -> MatchEquityTable:
        """Every score, as a table."""
        sizes = range(1, self.length + 1)
        for n in sizes:
            for away, opponent_away in ((n, 1), (1, n)):
                self.post[away, opponent_away] = self._value(away, opponent_away, after_crawford=True)
        for total in range(2, 2 * self.length + 1):
            for away in range(max(1, total - self.length), min(self.length, total - 1) + 1):
                self.pre[away, total - away] = self._value(away, total - away, after_crawford=False)
        return MatchEquityTable(
            name,
            source,
            tuple(tuple(self.pre[i, j] for j in sizes) for i in sizes),
            tuple(self.post[i, 1] for i in sizes),
            tuple(1.0 - self.post[1, j] for j in sizes),
        )

    def _value(self, away: int, opponent_away: int, *, after_crawford: bool) -> float:
        known = self.known
        if known is not None and max(away, opponent_away) <= known.length:
            return known.chance(away, opponent_away, crawford=not after_crawford)
        if away == opponent_away == 1:
            return self.even
        near = min(away, opponent_away) == 1
        if near and not after_crawford and not self.crawford:
            return self.post[away, opponent_away]

        def value(gain: int) -> float:
            """The chance after one game; no tie is asked for, since it changes nothing."""
            mine, theirs = away - max(gain, 0), opponent_away + min(gain, 0)
            if mine <= 0 or theirs <= 0:
                return 1.0 if mine <= 0 else 0.0
            return (self.post if near else self.pre).get((mine, theirs), 0.0)

        rests = self.cube is None or (near and not after_crawford)
        values = game_values(
            self.white[0],
            self.black[0],
            value,
            away=away,
            opponent_away=opponent_away,
            turnable=not rests,
        )
        model = self._model(values)
        return model.dead(self.even) if rests else _played(model, self.even, self._swing)

    @property
    def _swing(self) -> float:
        return min(self.cube.swing if self.cube else 0.0, self.even, 1.0 - self.even)

    def _model(self, values: GameValues) -> _core.CubeModel:
        if self.cube is None:
            return values.model(self.white[1], self.black[1], 0.0)
        response = self.cube.response
        wins = [share / self.won for share in self.white[1]] if self.won else [1.0]
        losses = [share / self.lost for share in self.black[1]] if self.lost else [1.0]
        heights = []
        for at in values.heights:
            own = _adapted(wins, response * _surplus(at.wins, at.losses[0]))
            theirs = _adapted(losses, response * _surplus(at.losses, at.wins[0]))
            heights.append(at.height(own, theirs))
        return _core.CubeModel(heights, self.cube.efficiency)


def _surplus(values: Sequence[float], other: float) -> float:
    """The further value of the second way to win over that in money play, where a gammon gains half of
    the distance between a plain win and a plain loss."""
    if len(values) < 2 or values[0] == other:
        return 0.0
    return (values[1] - values[0]) / (values[0] - other) - 0.5


def _adapted(shares: Sequence[float], growth: float) -> list[float]:
    """Shares of the ways to win with all above the first grown by that part, as far as there is room."""
    more = fsum(shares[1:])
    factor = min(1.0 + growth, 1.0 / more) if more > 0 else 1.0
    rest = [share * factor for share in shares[1:]]
    return [1.0 - fsum(rest), *rest]


def _played(model: _core.CubeModel, even: float, swing: float) -> float:
    """The value of a game with a centred cube: either side may be the first to decide, after the
    chance to win has moved either way."""
    total = 0.0
    here = model.heights[0]
    for chance in (even + swing, even - swing):
        waits = model.value(chance, OWNERS[None])
        mine = min(model.value(chance, OWNERS["theirs"], 1), here.cash) if here.mine else waits
        theirs = max(model.value(chance, OWNERS["mine"], 1), here.drop) if here.theirs else waits
        total += max(waits, mine) + min(waits, theirs)
    return total / 4
