"""Random positions that press on the rules: bars, bear-offs, pins, primes, runners, chains.

Positions need not be reachable, only possible. What each side looks like is drawn on its own, so
that unlikely meetings happen often.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.reference.position import MIRROR, Colour, Pending, Position, Side, other
from tests.reference.results import result
from tests.reference.rules import Rules

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """Where a side's checkers may stand, and how they crowd there."""

    where: Range = (1, 24)
    heaps: Range = (4, 12)
    """How many points they are spread over."""
    off: Range = (0, 0)
    """How many of fifteen have been borne off."""
    run: int = 0
    """Points in a row that are held besides the heaps."""
    head: Range = (0, 0)
    """How many stay on 24."""
    scouts: Range = (0, 0)
    """How many single ones have come to 1-11."""
    even: bool = False
    """Whether the heaps are filled in turn."""
    before: bool = False
    """Whether the run stands right before the other side's rearmost checker."""


SHAPES = (
    Shape(),
    Shape(heaps=(9, 15)),
    Shape(off=(0, 6)),
    Shape(where=(1, 6), heaps=(2, 6)),
    Shape(where=(1, 6), heaps=(1, 5), off=(1, 14)),
    Shape(where=(1, 8), heaps=(3, 6), off=(0, 5)),
    Shape(where=(1, 24), heaps=(1, 3), off=(10, 15)),
    Shape(where=(1, 24), heaps=(1, 2), head=(9, 14)),
    Shape(where=(12, 24), heaps=(3, 6), head=(1, 8)),
    Shape(where=(1, 24), heaps=(2, 6), head=(1, 1)),
    Shape(where=(1, 12), heaps=(3, 8), head=(1, 1)),
    Shape(heaps=(2, 4), run=5),
    Shape(heaps=(2, 4), run=6),
    Shape(heaps=(1, 3), run=7, off=(0, 2)),
    Shape(where=(7, 18), heaps=(4, 8)),
    Shape(where=(7, 24), heaps=(1, 1)),
    Shape(where=(1, 24), heaps=(1, 1)),
)
"""Looks that any two sides may have."""

FEW = Shape(heaps=(1, 3), off=(9, 14))
WALL = Shape(heaps=(7, 7), even=True)
COMING_HOME = Shape(where=(1, 9), heaps=(3, 6), off=(0, 8))
BLOTS_IN_HIS_HOME = Shape(where=(16, 24), heaps=(7, 9), off=(0, 6), even=True)
STACK = Shape(where=(7, 24), heaps=(1, 1))
LOCK = Shape(run=6, before=True, heaps=(1, 4))
OWN_START = Shape(where=(19, 24), heaps=(4, 5), scouts=(0, 4))
HIS_START = Shape(where=(7, 12), heaps=(3, 5), scouts=(0, 3))
STARTING = Shape(where=(12, 24), heaps=(1, 4), head=(5, 14))
NEARLY_OFF = Shape(where=(1, 6), heaps=(1, 2), off=(12, 14))
OFF = Shape(off=(15, 15))

MEETINGS = (
    (FEW, WALL),
    (FEW, Shape(heaps=(10, 15))),
    (COMING_HOME, BLOTS_IN_HIS_HOME),
    (COMING_HOME, WALL),
    (STACK, LOCK),
    (OWN_START, STARTING),
    (OWN_START, Shape(scouts=(0, 1), heaps=(2, 5), head=(1, 6))),
    (HIS_START, Shape()),
    (NEARLY_OFF, NEARLY_OFF),
)
"""Pairs that make a particular rule bite."""


def random_position(rules: Rules, rng: random.Random) -> Position:
    """Return a possible position with some history, and sometimes something pending."""
    turn: Colour = rng.choice(("white", "black"))
    mine, theirs = _two_sides(rules, rng)
    starter: Colour | None = rng.choice(("white", "black")) if rules.last_roll_tie else None
    if rules.last_roll_tie and rng.random() < 0.15:
        starter = other(turn)
        mine, theirs = _side(rules, rng, NEARLY_OFF, set()), _side(rules, rng, OFF, set())
    white, black = (mine, theirs) if turn == "white" else (theirs, mine)
    pos = Position(white, black, turn, starter)
    pending = _pending(rules, pos, rng)
    if pending is not None and pending.then is None and rules.head_limit:
        # Only an exception lets one more than the limit leave, so no more can have left.
        most = rules.head_limit + (rules.head_exception != "none")
        pending = replace(pending, head=rng.randint(0, most))
    return pos if pending is None or result(rules, pos) else replace(pos, pending=pending)


def random_dice(pos: Position, rng: random.Random) -> tuple[int, int]:
    """Return a throw, more often a double than honest dice; what is owed comes first."""
    high, low = rng.randint(1, 6), rng.randint(1, 6)
    if pos.pending is not None and pos.pending.steps:
        steps = pos.pending.steps
        return steps[0], steps[-1]
    if pos.pending is not None or rng.random() < 0.1:
        return high, high
    return high, low


def _two_sides(rules: Rules, rng: random.Random) -> tuple[Side, Side]:
    mirror = MIRROR[rules.movement]
    shapes = rng.choice(MEETINGS) if rng.random() < 0.4 else (rng.choice(SHAPES), rng.choice(SHAPES))
    first = _side(rules, rng, shapes[0], taken=set())
    prison = _prison_ahead(rules, rng, first)
    taken = {mirror[point] for point, count in enumerate(first.points) if count}
    second = _side(rules, rng, shapes[1], taken, _run_before(first, mirror) if shapes[1].before else ())
    if prison is not None:
        first, second = _imprison(first, second, prison, mirror)
    if rules.mother == "plays_on" and rng.random() < 0.3:
        first = first._replace(lost=True)
    return (first, second) if rng.random() < 0.5 else (second, first)


def _side(rules: Rules, rng: random.Random, shape: Shape, taken: set[int], run: Sequence[int] = ()) -> Side:
    """Return one side; points in `taken` belong to the other one."""
    points = [0] * 25
    cap = rules.stack_cap or rules.checkers
    left = rules.checkers
    off = rng.randint(*shape.off) * rules.checkers // 15
    hand = rng.randint(0, min(rules.hand, left - off)) if rng.random() < 0.5 else 0
    bar = min(rng.choice((1, 1, 2, 3)), left - off - hand) if _has_bar(rules, rng) else 0
    left -= off + hand + bar
    per_point = 2 if rules.contact == "hit" and rng.random() < 0.7 else 1
    begin = rng.randint(1, 25 - shape.run) if shape.run else 0
    for point in run or range(begin, begin + shape.run):
        if point not in taken and left >= per_point:
            points[point] += per_point
            left -= per_point
    if 24 not in taken:
        points[24] = max(points[24], min(rng.randint(*shape.head), left, cap))
        left = rules.checkers - off - hand - bar - sum(points)
    free = [p for p in range(shape.where[0], shape.where[1] + 1) if p not in taken]
    for point in rng.sample(range(1, 12), min(left, rng.randint(*shape.scouts))):
        if point not in taken and points[point] < cap:
            points[point] += 1
    heaps = rng.sample(free, min(len(free), rng.randint(*shape.heaps)))
    everywhere = [p for p in range(1, 25) if p not in taken]
    for _ in range(rules.checkers - off - hand - bar - sum(points)):
        fitting = [p for p in heaps if points[p] < cap] or [p for p in everywhere if points[p] < cap]
        lowest = min(points[p] for p in fitting)
        points[rng.choice([p for p in fitting if not shape.even or points[p] == lowest])] += 1
    return Side(tuple(points), bar, hand, off, frozenset(), rng.randint(0, rules.turns_cap), lost=False)


def _has_bar(rules: Rules, rng: random.Random) -> bool:
    return rules.contact == "hit" and rng.random() < 0.25


def _run_before(first: Side, mirror: Sequence[int]) -> list[int]:
    """Return the six points before the other side's rearmost checker, to lock it in."""
    rearmost = max((p for p, count in enumerate(first.points) if count), default=0)
    return [mirror[point] for point in range(rearmost - 6, rearmost)] if rearmost >= 7 else []


def _prison_ahead(rules: Rules, rng: random.Random, side: Side) -> int | None:
    """Choose one of a side's single checkers to be imprisoned, rather its last one on 24."""
    singles = [p for p, count in enumerate(side.points) if count == 1]
    if rules.contact != "pin" or not singles or rng.random() < 0.4:
        return None
    return 24 if 24 in singles and rng.random() < 0.5 else rng.choice(singles)


def _imprison(first: Side, second: Side, prison: int, mirror: Sequence[int]) -> tuple[Side, Side]:
    """Put a checker of the second side, from its fullest point, upon one of the first."""
    points = list(second.points)
    fullest = max(range(1, 25), key=lambda point: points[point])
    if points[fullest] == 0:
        return first, second
    points[fullest] -= 1
    points[mirror[prison]] += 1
    return first._replace(pinned=frozenset({prison})), second._replace(points=tuple(points))


def _pending(rules: Rules, pos: Position, rng: random.Random) -> Pending | None:
    """Return sometimes an element of a chain, dice handed over, or a double to be named."""
    if rng.random() < 0.5:
        return None
    if rules.bonus != "off":
        return Pending(pos.turn, choose="double")
    if rules.progression_from == 0:
        return None
    die = rng.randint(1, 6)
    rest = tuple(range(die + 1, 7))
    if rules.unused_to_opponent and rng.random() < 0.6:
        if rules.forfeit_simple and rng.random() < 0.4:
            low = rng.randint(1, 6)
            steps = (max(die, low), min(die, low)) if low != die else (die,)
            return Pending(pos.turn, steps, (), "own_throw")
        return Pending(pos.turn, (die,) * rng.randint(1, 4), rest, "own_throw")
    finished = pos.side(pos.turn).turns
    if rules.progression_count == "game":
        finished += pos.side(other(pos.turn)).turns
    if finished + 1 < rules.progression_from:
        return None
    return Pending(pos.turn, (die,) * 4, rest)
