"""From the text or the steps of a play to a judgement by the core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from sheshbesh import _core
from sheshbesh.errors import NotationError
from sheshbesh.rules import notation
from sheshbesh.rules.notation import BAR, HAND, OFF, Move, StepPair
from sheshbesh.rules.refusal import Refusal
from sheshbesh.rules.roll import Roll

if TYPE_CHECKING:
    from sheshbesh.rules.play import Play
    from sheshbesh.rules.position import Position, StepLike

_MOST_READINGS = 24


def _numbers(position: Position, roll: Roll) -> tuple[int, ...]:
    """A number for each step that may be played."""
    high, low, steps = _core.element(position._rules, position._state, *roll)
    return (high,) * steps if high == low else (high, low)


def _taken(position: Position, roll: Roll, pairs: Sequence[StepPair]) -> frozenset[int]:
    """The points where these steps can take an enemy checker.

    Where enemies are imprisoned it depends on the order: a captor may leave and another come.
    """
    pinning = position.variant.geometry.contact == "pin"
    orders = set(permutations(pairs)) if pinning else {tuple(pairs)}
    taken = set()
    for order in orders:
        takes = _core.takes_along(position._rules, position._state, *roll, list(order))
        for (origin, die), takes_one in zip(order, takes, strict=False):
            if takes_one:
                taken.add(max((HAND if origin == BAR else origin) - die, OFF))
    return frozenset(taken)


def judge(position: Position, roll: Roll, moves: Sequence[Move]) -> tuple[Play | None, Refusal | None]:
    """The legal play the moves name, or why there is none.

    A missing `*` is accepted, a wrong one is not. Where the text leaves the touch-down open, the
    reading that takes exactly what is marked comes first.
    """
    variant = position.variant
    if position.result is not None:
        return None, variant.refusal("game.over")
    readings = notation.readings(moves, _numbers(position, roll))
    if not readings:
        return None, variant.refusal("dice.not_thrown")
    marked = frozenset[int]().union(*(move.taken for move in moves))
    taken = {pairs: _taken(position, roll, pairs) for pairs in readings}
    ordered = sorted(readings, key=lambda pairs: taken[pairs] != marked)
    wrong_mark = False
    for pairs in ordered:
        final = _core.final_position(position._rules, position._state, *roll, list(pairs))
        if final is None:
            continue
        if not marked <= taken[pairs]:
            wrong_mark = True
            continue
        play = position.play_to(final, roll)
        if play is not None:
            return play, None
    if wrong_mark:
        return None, variant.refusal("take.none")
    return None, _nearest(position, roll, ordered[:_MOST_READINGS], whole=True)


def play_of(position: Position, roll: Roll, steps: Sequence[StepLike]) -> Play | Refusal:
    """The whole play that consists of these steps, or why there is none."""
    if position.result is not None:
        return position.variant.refusal("game.over")
    readings = list(step_pairs(position, roll, steps))
    if not readings:
        return position.variant.refusal("dice.not_thrown")
    for pairs in readings:
        final = _core.final_position(position._rules, position._state, *roll, list(pairs))
        play = None if final is None else position.play_to(final, roll)
        if play is not None:
            return play
    refusal = _nearest(position, roll, readings, whole=True)
    assert refusal is not None
    return refusal


def judge_steps(position: Position, roll: Roll, steps: Sequence[StepLike]) -> Refusal | None:
    """None if the steps, in this order, can become a legal play, else why not."""
    if position.result is not None:
        return position.variant.refusal("game.over")
    readings = list(step_pairs(position, roll, steps))
    if not readings:
        return position.variant.refusal("dice.not_thrown")
    return _nearest(position, roll, readings, whole=False)


def _nearest(
    position: Position, roll: Roll, readings: Sequence[Sequence[StepPair]], *, whole: bool
) -> Refusal | None:
    """The refusal of the reading that comes closest to being legal; None if one is."""
    best: tuple[int, _core.Verdict, _core.Rule] | None = None
    for pairs in readings:
        verdict, rule = _core.explain(position._rules, position._state, *roll, list(pairs), whole=whole)
        if verdict == _core.Verdict.legal:
            return None
        # The later a referee reaches the rule, the more of the play was in order.
        rank = rule.value if verdict == _core.Verdict.broken_rule else -1
        if best is None or rank > best[0]:
            best = rank, verdict, rule
    assert best is not None
    return position.refuse(best[1], best[2])


def _ends(step: StepLike) -> tuple[int, int, int | None]:
    """(origin, target, die if known) of a step in any of its forms."""
    if isinstance(step, str):
        moves = notation.parse_moves(step)
        if len(moves) != 1 or len(moves[0].points) != 2 or moves[0].times != 1:
            raise NotationError(f"expected a single step like 6/4, found {step!r}")
        origin, target = moves[0].points
        return origin, target, None
    if len(step) not in (2, 4) or not all(isinstance(part, int) for part in step):
        raise NotationError(f"expected a step, a text like 6/4 or (origin, target), found {step!r}")
    origin, target, die = step[0], step[1], step[2] if len(step) == 4 else None
    if not (1 <= origin <= BAR and OFF <= target <= HAND - 1 and die in (None, *range(1, 7))):
        raise NotationError(f"a step goes from 1 to 26 to 0 to 24 by a die of 1 to 6, found {step!r}")
    return origin, target, die


def step_pairs(position: Position, roll: Roll, steps: Sequence[StepLike]) -> Iterator[tuple[StepPair, ...]]:
    """Every way to give the steps dice of this roll, keeping their order."""

    def assign(index: int, left: tuple[int, ...]) -> Iterator[tuple[StepPair, ...]]:
        if index == len(ends):
            yield ()
            return
        origin, target, known = ends[index]
        height = HAND if origin == BAR else origin
        for die in sorted(set(left), reverse=True):
            if (known is not None and die != known) or max(height - die, OFF) != target:
                continue
            rest = list(left)
            rest.remove(die)
            for more in assign(index + 1, tuple(rest)):
                yield ((origin, die), *more)

    ends = [_ends(step) for step in steps]
    yield from assign(0, _numbers(position, roll))
