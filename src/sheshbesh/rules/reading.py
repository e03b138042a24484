"""From the text or the steps of a play to a judgement by the core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from sheshbesh import _core
from sheshbesh.errors import NotationError
from sheshbesh.i18n import Text
from sheshbesh.rules import notation
from sheshbesh.rules.notation import BAR, HAND, OFF, Move, StepPair
from sheshbesh.rules.play import Play, Step
from sheshbesh.rules.refusal import Refusal, rule_id
from sheshbesh.rules.roll import Roll

if TYPE_CHECKING:
    from sheshbesh.rules.position import Position, StepLike

_MOST_READINGS = 24
"""Readings of an illegal text that are explained; each takes a search of its own."""

_DOUBLE = 4
"""Steps of a double in most games."""


def _numbers(position: Position, roll: Roll) -> tuple[int, ...]:
    """A number for each step that may be played."""
    high, low, steps = _core.element(position.variant._core, position._core, *roll)
    return (high,) * steps if high == low else (high, low)


def _taken(position: Position, roll: Roll, pairs: Sequence[StepPair]) -> frozenset[int]:
    """The points where these steps can take an enemy checker.

    Where enemies are imprisoned it depends on the order: a captor may leave and another come.
    """
    pinning = position.variant._geometry.contact == "pin"
    orders = set(permutations(pairs)) if pinning else {tuple(pairs)}
    taken = set()
    for order in orders:
        takes = _core.takes_along(position.variant._core, position._core, *roll, list(order))
        for (origin, die), takes_one in zip(order, takes, strict=False):
            if takes_one:
                taken.add(max((HAND if origin == BAR else origin) - die, OFF))
    return frozenset(taken)


def judge(position: Position, roll: Roll, moves: Sequence[Move]) -> Play | Refusal:
    """The legal play the moves name, or why there is none.

    A missing `*` is accepted, a wrong one is not. Where the text leaves the touch-down open, the
    reading that takes exactly what is marked comes first.
    """
    variant = position.variant
    if position.result is not None:
        return variant.refusal("game.over")
    readings = notation.readings(moves, _numbers(position, roll))
    if not readings:
        return variant.refusal(_number_refusal(position, moves, roll))
    marked = frozenset[int]().union(*(move.taken for move in moves))
    taken = {pairs: _taken(position, roll, pairs) for pairs in readings}
    ordered = sorted(readings, key=lambda pairs: taken[pairs] != marked)
    wrong_mark = False
    plays = _plays(position, roll)
    for pairs in ordered:
        play = _made(position, plays, pairs)
        if play is not None and marked <= taken[pairs]:
            return play
        wrong_mark |= play is not None
    if wrong_mark:
        return variant.refusal("take.none")
    refusal = _explain(position, roll, ordered[:_MOST_READINGS])
    assert refusal is not None
    return refusal


def play_of(position: Position, roll: Roll, steps: Sequence[StepLike]) -> Play | Refusal:
    """The whole play that consists of these steps, or why there is none."""
    if position.result is None:
        plays = _plays(position, roll)
        for pairs in step_pairs(position, roll, steps):
            play = _made(position, plays, pairs)
            if play is not None:
                return play
    refusal = _judged(position, roll, steps, whole=True)
    assert refusal is not None
    return refusal


def _number_refusal(position: Position, moves: Sequence[Move], roll: Roll) -> str:
    """Why the dice do not reach: there is no checker to move, a double is played less often than four times,
    or these numbers are not thrown."""
    if _is_empty(position, [(move.points[0], move.points[1:]) for move in moves]):
        return "checker.none"
    variant = position.variant
    fewer = variant.axes["throw"]["double_steps"] != _DOUBLE
    doubled = roll.is_double and notation.readings(moves, (roll.first,) * _DOUBLE)
    return "dice.double" if fewer and doubled else "dice.not_thrown"


def _is_empty(position: Position, ways: Sequence[tuple[int, Sequence[int]]]) -> bool:
    """Return True if a move begins where the mover has no checker, and none comes to by another move.

    `ways` are origins with the points that are touched after them.
    """
    mine = position.counts(position.turn)
    reached = {point for _, points in ways for point in points}
    return any(mine[origin] == 0 and origin not in reached for origin, _ in ways)


def _marks(steps: Sequence[StepLike]) -> list[bool]:
    return ["*" in step if isinstance(step, str) else len(step) == 4 and bool(step[3]) for step in steps]


def is_truly_marked(
    position: Position, roll: Roll, pairs: Sequence[StepPair], steps: Sequence[StepLike]
) -> bool:
    """Return True if enemies are taken wherever the steps, in this order, say so."""
    marks = _marks(steps)
    if not any(marks):
        return True
    takes = _core.takes_along(position.variant._core, position._core, *roll, list(pairs))
    return all(takes[at] for at, marked in enumerate(marks) if marked and at < len(takes))


def judge_steps(position: Position, roll: Roll, steps: Sequence[StepLike]) -> Refusal | None:
    """None if the steps, in this order, can become a legal play, else why not."""
    refusal = _judged(position, roll, steps, whole=False)
    if refusal is not None or not any(_marks(steps)):
        return refusal
    for pairs in step_pairs(position, roll, steps):
        if _explain(position, roll, [pairs], whole=False) is None and is_truly_marked(
            position, roll, pairs, steps
        ):
            return None
    return position.variant.refusal("take.none")


def _plays(position: Position, roll: Roll) -> _core.PlayList:
    return _core.legal_plays(position.variant._core, position._core, *roll)


def _made(position: Position, plays: _core.PlayList, pairs: Sequence[StepPair]) -> Play | None:
    """The legal play of exactly these steps, in some order, if there is one."""
    index = plays.index_of_steps(list(pairs))
    return None if index is None else Play(position, plays, index)


def _explain(
    position: Position, roll: Roll, readings: Sequence[Sequence[StepPair]], *, whole: bool = True
) -> Refusal | None:
    """Why none of these readings is a whole play, or the beginning of one; None if one is."""
    verdict, rule = _core.explain(
        position.variant._core, position._core, *roll, [list(pairs) for pairs in readings], whole=whole
    )
    return _refusal(position, verdict, rule)


def _judged(position: Position, roll: Roll, steps: Sequence[StepLike], *, whole: bool) -> Refusal | None:
    """The same of steps, by whichever of the dice, where they do not say it."""
    shown = [(origin, target, die or 0) for origin, target, die in map(_ends, steps)]
    verdict, rule = _core.judge(position.variant._core, position._core, *roll, shown, whole=whole)
    return _refusal(position, verdict, rule)


def _refusal(position: Position, verdict: _core.Verdict, rule: _core.Rule) -> Refusal | None:
    if verdict == _core.Verdict.legal:
        return None
    return position.variant.refusal(rule_id(verdict, rule, position.variant.axes))


def _ends(step: StepLike) -> tuple[int, int, int | None]:
    """(origin, target, die if known) of a step in any of its forms."""
    if isinstance(step, str):
        moves = notation.parse_moves(step)
        if len(moves) != 1 or len(moves[0].points) != 2 or moves[0].times != 1:
            raise NotationError(Text("expected a single step like 6/4, found {step}", step=repr(step)))
        origin, target = moves[0].points
        return origin, target, None
    if (
        not isinstance(step, tuple)
        or len(step) not in (2, 4)
        or not all(isinstance(part, int) for part in step)
    ):
        raise NotationError(
            Text("expected a step, a text like 6/4 or (origin, target), found {step}", step=repr(step))
        )
    origin, target, die = step[0], step[1], step[2] if len(step) == 4 else None
    if not (1 <= origin <= BAR and OFF <= target <= HAND - 1 and die in (None, *range(1, 7))):
        raise NotationError(
            Text("a step goes from 1 to 26 to 0 to 24 by a die of 1 to 6, found {step}", step=repr(step))
        )
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

    numbers = _numbers(position, roll)
    if all(type(step) is Step and 1 <= step.origin <= BAR for step in steps):
        # The steps of a turn in progress name their dice: there is one way, and no need to search.
        yield from _as_named(steps, list(numbers))  # type: ignore[arg-type]
        return
    ends = [_ends(step) for step in steps]
    yield from assign(0, numbers)


def _as_named(steps: Sequence[Step], left: list[int]) -> Iterator[tuple[StepPair, ...]]:
    pairs = []
    for origin, target, die, _ in steps:
        height = HAND if origin == BAR else origin
        if die not in left or max(height - die, OFF) != target:
            return
        left.remove(die)
        pairs.append((origin, die))
    yield tuple(pairs)
