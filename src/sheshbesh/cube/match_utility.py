"""The equity of each way to end a game at a score, with the cube where it lies.

Equity here is normalised to the present cube: a plain win of its value is +1, a plain loss -1. In
money play that is points divided by the cube; in a match it is the chance to win the match, measured
between the chances after winning and after losing the cube's value. Classes are (ending, kind,
points) as `sheshbesh.engines.outcome.ResultClass` has them, seen by the side that asks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from sheshbesh.cube import (
    CubePlay,
    MatchEquityTable,
    equity_table,
    equity_table_of,
    extended,
    generate,
    without_crawford,
)
from sheshbesh.cube.values import GameValues, Owner, game_values
from sheshbesh.match import MatchState
from sheshbesh.rules import GameResult, Side, Variant

Class = tuple[str, str, int]
"""A way to end a game: "win", "lose" or "tie" for the side that asks, its kind, its points."""

DEFAULT_TABLE = "kazaross_xg2"
"""The table of matches for which no other is given."""


def match_utility(
    classes: Sequence[Class],
    match: MatchState,
    side: Side | str,
    table: MatchEquityTable | None = None,
    *,
    has_cube: bool = True,
) -> tuple[float, ...]:
    """The normalised equity of each class for `side`, for choosing between plays at a score.

    The game counts at the present value of the cube, or at twice that where a side may turn it at
    no cost and so will: the side that trails after the Crawford game, and the owner of a cube with
    which the other side has enough; not in games without a cube (`has_cube`). What else the cube may
    do is `sheshbesh.cube.decision`'s matter.
    """
    values = values_at(tuple(classes), match, Side.of(side), table)
    here, owner = values.heights[0], owner_for(match, Side.of(side))
    free = (here.mine_free and owner != "theirs") or (here.theirs_free and owner != "mine")
    height = values.heights[1] if has_cube and free else here
    wins, losses = iter(height.wins), iter(height.losses)
    next_of = {"win": lambda: next(wins), "lose": lambda: next(losses), "tie": lambda: values.tie}
    return tuple(values.normalised(next_of[ending]()) for ending, _, _ in classes)


def table_at(match: MatchState, table: MatchEquityTable | None) -> MatchEquityTable:
    """The table to use in a match: the given one or the default, made long enough, without the
    Crawford game where there is none."""
    return _fitted(table or equity_table(DEFAULT_TABLE), match.length or 1, crawford=match.crawford_rule)


def table_for(
    game: Variant,
    classes: Sequence[Class],
    start: Callable[[], Sequence[float]],
    *,
    length: int,
    crawford: bool = True,
) -> MatchEquityTable:
    """The table of a game: the shipped one that was made for it, else one generated from its results.

    `start` gives the probabilities of the classes before the first throw, when it is needed; the two
    sides are taken as equally strong, so they are averaged. `crawford` is false for matches without
    the Crawford game.
    """
    shipped = equity_table_of(game)
    if shipped is not None and game.axes["cube"]["use"]:
        return _fitted(shipped, length, crawford=crawford)
    has_cube = bool(game.axes["cube"]["use"])
    return _generated(tuple(classes), tuple(start()), length, has_cube=has_cube, crawford=crawford)


def _fitted(table: MatchEquityTable, length: int, *, crawford: bool) -> MatchEquityTable:
    return extended(table if crawford else without_crawford(table), length, crawford=crawford)


@lru_cache(maxsize=64)
def _generated(
    classes: tuple[Class, ...], start: tuple[float, ...], length: int, *, has_cube: bool, crawford: bool
) -> MatchEquityTable:
    wins: dict[int, float] = {}
    for (ending, _, points), probability in zip(classes, start, strict=True):
        if ending != "tie":
            wins[points] = wins.get(points, 0.0) + probability / 2
    cube = CubePlay() if has_cube else None
    return generate(wins, length=length, cube=cube, crawford=crawford, name="own results")


@lru_cache(maxsize=4096)
def values_at(
    classes: tuple[Class, ...], match: MatchState, side: Side, table: MatchEquityTable | None = None
) -> GameValues:
    """The values for `side` at this score and cube: in points (money) or MWC (match)."""
    wins = [(points, kind) for ending, kind, points in classes if ending == "win"]
    losses = [(points, kind) for ending, kind, points in classes if ending == "lose"]
    win_points, loss_points = [points for points, _ in wins], [points for points, _ in losses]
    if match.is_money:
        now = tuple(
            [match.points(GameResult(winner, points, kind)) // match.cube for points, kind in ways]
            for winner, ways in ((side, wins), (side.other, losses))
        )
        jacoby = now != (win_points, loss_points)
        return game_values(
            win_points,
            loss_points,
            float,
            cube=match.cube,
            limit=match.cube_limit,
            unturned_points=(now[0], now[1]) if jacoby else None,
        )
    known = table_at(match, table)
    return game_values(
        win_points,
        loss_points,
        lambda gain: known.after(match, side, gain),
        cube=match.cube,
        limit=match.cube_limit,
        away=match.away(side),
        opponent_away=match.away(side.other),
        turnable=not match.crawford,
        dead_double=match.allow_dead_double,
    )


def owner_for(match: MatchState, side: Side) -> Owner:
    """Return who alone may turn the cube, as `side` sees it."""
    return None if match.owner is None else "mine" if match.owner is side else "theirs"
