"""The bear-off solved once more, slow and plain, by the public API alone, to compare the databases with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import sheshbesh as sb
from sheshbesh.cube import MatchEquityTable
from sheshbesh.rules.setup import Geometry

Home = tuple[int, ...]
"""One side's checkers on its own points 1 to 6; in a race of three checkers, on as many points as matter."""

Row = tuple[float, ...]
"""Points of the side on roll: cubeless, and with the cube in the middle, its own, the other side's."""


def position(game: sb.Variant, mine: Home, theirs: Home) -> sb.Position:
    """White on roll with `mine` on White's points from 1 up, Black with `theirs` on Black's; the rest off."""
    parallel = Geometry.of(game.axes).parallel
    checkers = Geometry.of(game.axes).checkers
    return game.position(
        {
            "white": {str(p): n for p, n in enumerate(mine, 1) if n},
            "black": {str(p + 12 if parallel else 25 - p): n for p, n in enumerate(theirs, 1) if n},
            "white_off": checkers - sum(mine),
            "black_off": checkers - sum(theirs),
        },
        turn="white",
        first_turn=False,
    )


def homes(most: int) -> Iterator[Home]:
    """Every way that at least one and at most `most` checkers stand on six points."""

    def spread(points: int, left: int) -> Iterator[Home]:
        if points == 0:
            yield ()
            return
        for here in range(left + 1):
            for rest in spread(points - 1, left - here):
                yield (here, *rest)

    yield from (home for home in spread(6, most) if any(home))


class Solver:
    """Values of the bear-off of one game, by recursion over the plays of the public API.

    Games where nothing may be playable are beyond it: a value would ask for itself.
    """

    def __init__(self, game: sb.Variant) -> None:
        self.game = game
        self.replies = cache(self._replies)
        self.turns: Callable[[Home], float] = cache(self._turns)
        self.row: Callable[[Home, Home], Row] = cache(self._row)

    def _replies(self, mine: Home) -> list[tuple[float, list[Home]]]:
        start = position(self.game, mine, (1, 0, 0, 0, 0, 0))
        found = []
        for high in range(1, 7):
            for low in range(1, high + 1):
                plays = start.legal_plays((high, low))
                targets = [tuple(play.result.counts("white")[1 : len(mine) + 1]) for play in plays]
                assert mine not in targets
                found.append(((1 if high == low else 2) / 36, targets))
        return found

    def _turns(self, mine: Home) -> float:
        if not any(mine):
            return 0.0
        return 1.0 + sum(weight * min(map(self.turns, targets)) for weight, targets in self.replies(mine))

    def _row(self, mine: Home, theirs: Home) -> Row:
        if not any(theirs):
            lost = position(self.game, mine, theirs).result
            assert lost is not None
            return (-float(lost.points),) * 4
        sums = [0.0] * 4
        for weight, targets in self.replies(mine):
            answers = [self._answer(theirs, target) for target in targets]
            for kind in range(4):
                sums[kind] += weight * max(-answer[kind] for answer in answers)
        cubeless, centred, owned, other = sums
        return (cubeless, centred, owned, other)

    def _answer(self, on_roll: Home, waits: Home) -> Row:
        """The row after the side on roll has thought of doubling, the two cubes exchanged."""
        cubeless, centred, owned, theirs = self.row(on_roll, waits)
        if any(waits):
            centred = max(centred, min(2 * theirs, 1.0))
            owned = max(owned, min(2 * theirs, 1.0))
        return (cubeless, centred, theirs, owned)


class Chains:
    """The fewest turns, on average, where throws go on within a turn: by recursion over the public API."""

    def __init__(self, game: sb.Variant) -> None:
        self.game = game
        self.turns: Callable[[Home], float] = cache(self._turns)

    def _turns(self, mine: Home) -> float:
        start = position(self.game, mine, (0, 0, 0, 0, 0, 1))
        total = 0.0
        for roll, ways in sb.Roll.all():
            total += ways / 36 * self._best(start, (roll.first, roll.second))
        return total

    def _best(self, state: sb.Position, dice: tuple[int, int] | None) -> float:
        """The turns, this one included, from a throw or what is owed on."""
        return min(self._after(play.result) for play in state.legal_plays(dice))

    def _after(self, state: sb.Position) -> float:
        mine = tuple(state.counts("white")[1:7])
        if not any(mine):
            return 1.0
        if state.turn is not sb.Side.WHITE:
            return 1.0 + self.turns(mine)
        return self._best(state, None) if state.pending is not None else self.turns(mine)


class SolverAtScore:
    """The cube of a money game or a match in the bear-off, by the same recursion; for single games only."""

    def __init__(self, solver: Solver, match: sb.MatchState, table: MatchEquityTable) -> None:
        self._solver, self._match, self._table = solver, match, table
        self._hold: Callable[[Home, Home, sb.Side, int, sb.Side | None], float] = cache(self._holding)

    def decision(self, mine: Home, theirs: Home) -> tuple[float, float]:
        """What not to double and to double and be taken are worth to White, who is on roll and may double."""
        white, cube = sb.Side.WHITE, self._match.cube
        owner = None if self._match.owner is None else white
        lost, won = self._worth(-cube), self._worth(cube)
        values = (
            self._hold(mine, theirs, white, cube, owner),
            self._hold(mine, theirs, white, 2 * cube, white.other),
        )
        no_double, taken = ((2 * value - lost - won) / (won - lost) for value in values)
        return no_double, taken

    def _worth(self, points: int) -> float:
        """The value of a number of points won by White."""
        if self._match.length is None:
            return float(points)
        return self._table.after(self._match, sb.Side.WHITE, points)

    def _holding(self, mine: Home, theirs: Home, side: sb.Side, cube: int, owner: sb.Side | None) -> float:
        """The worth to White with `side` on roll, who does not double now."""
        best, won = (max, cube) if side is sb.Side.WHITE else (min, -cube)
        total = 0.0
        for weight, targets in self._solver.replies(mine):
            total += weight * best(
                self._deciding(theirs, target, side.other, cube, owner) if any(target) else self._worth(won)
                for target in targets
            )
        return total

    def _deciding(self, mine: Home, theirs: Home, side: sb.Side, cube: int, owner: sb.Side | None) -> float:
        hold = self._hold(mine, theirs, side, cube, owner)
        away = self._match.away(side)
        if owner not in (None, side) or cube >= 1024 or (away is not None and cube >= away):
            return hold
        best, worst, won = (max, min, cube) if side is sb.Side.WHITE else (min, max, -cube)
        return best(hold, worst(self._hold(mine, theirs, side, 2 * cube, side.other), self._worth(won)))
