"""One checker, one die: which steps the rules allow, and the board after them.

Nothing here knows of other dice, of duties, or of which checker hit before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from tests.reference.position import BAR, HAND, MIRROR, OFF, Side, mother_is_lost
from tests.reference.rules import Rules


class Step(NamedTuple):
    """One checker moved by one die, in the mover's own numbers."""

    source: int
    target: int
    die: int


class Moved(NamedTuple):
    """The board after a step, seen by the mover."""

    step: Step
    mine: Side
    theirs: Side
    hit: bool


def steps_with(rules: Rules, mine: Side, theirs: Side, die: int, *, head_left: int) -> Iterator[Moved]:
    """Yield every step of one die that obeys the step rules.

    `head_left` says how many more checkers may leave 24 in this turn.
    """
    for source in movable(rules, mine):
        if source == 24 and head_left == 0:
            continue
        target = 25 - die if source in (BAR, HAND) else source - die
        if target >= 1:
            if source < BAR and not rules.inside and all_home(mine):
                continue
            if not is_open(rules, mine, theirs, target):
                continue
        else:
            if not may_bear_off(rules, mine, source, die):
                continue
            target = OFF
        moved = make_step(rules, mine, theirs, Step(source, target, die))
        if not rules.watches_formation or formation_allowed(rules, moved.mine, moved.theirs):
            yield moved


def movable(rules: Rules, mine: Side) -> list[int]:
    """Return where a checker may be taken from: the bar alone if anything is there."""
    if mine.bar:
        return [BAR]
    sources = [HAND] if mine.hand else []
    points = [p for p in range(24, 0, -1) if mine.points[p] and p not in mine.pinned]
    if rules.runner != "none" and not runner_arrived(rules, mine) and any(mine.points[1:24]):
        points = [p for p in points if p != 24]
        sources = []
    return sources + points


def runner_arrived(rules: Rules, mine: Side) -> bool:
    """Whether a checker stands where the runner has to go, or further, or is off."""
    last = 6 if rules.runner == "home" else 11
    return mine.off > 0 or any(mine.points[1 : last + 1])


def is_open(rules: Rules, mine: Side, theirs: Side, target: int) -> bool:
    """Whether a checker of mine may land on one of my points."""
    enemies = theirs.points[MIRROR[rules.movement][target]]
    if rules.stack_cap and mine.points[target] >= rules.stack_cap:
        return False
    if rules.contact == "block":
        return enemies == 0
    if rules.contact == "pin":
        return enemies == 0 or (enemies == 1 and target not in mine.pinned)
    return enemies <= 1


def all_home(mine: Side) -> bool:
    """Whether no checker is outside 1-6, on the bar or in hand."""
    return not mine.bar and not mine.hand and not any(mine.points[7:25])


def may_bear_off(rules: Rules, mine: Side, source: int, die: int) -> bool:
    """Whether the checker on `source` may leave the board with a die that reaches past 1."""
    if not all_home(mine) or (rules.pinned_blocks and mine.pinned):
        return False
    if die == source:
        return True
    if rules.overshoot == "from_highest":
        return not any(mine.points[source + 1 : 7])
    return rules.overshoot == "loose" and mine.points[die] == 0


def make_step(rules: Rules, mine: Side, theirs: Side, step: Step) -> Moved:
    """Return the board after a step, whether or not it is allowed."""
    mirror = MIRROR[rules.movement]
    points, bar, hand, off = list(mine.points), mine.bar, mine.hand, mine.off
    freed = 0
    if step.source == BAR:
        bar -= 1
    elif step.source == HAND:
        hand -= 1
    else:
        points[step.source] -= 1
        if points[step.source] == 0:
            freed = mirror[step.source]
    landed = 0
    if step.target == OFF:
        off += 1
    else:
        points[step.target] += 1
        landed = mirror[step.target]
    after = Side(tuple(points), bar, hand, off, mine.pinned, mine.turns, mine.lost)
    hit = rules.contact == "hit" and landed > 0 and theirs.points[landed] > 0
    if hit:
        theirs = _sent_to_bar(theirs, landed)
    elif rules.contact == "pin":
        enemy_before, theirs = theirs, _with_prisoners(theirs, freed, landed)
        if rules.mother == "plays_on" and not mother_is_lost(enemy_before, mine):
            after, theirs = _with_mother_flag(after, theirs)
    return Moved(step, after, theirs, hit)


def _sent_to_bar(theirs: Side, point: int) -> Side:
    points = list(theirs.points)
    points[point] -= 1
    return theirs._replace(points=tuple(points), bar=theirs.bar + 1)


def _with_prisoners(theirs: Side, freed: int, landed: int) -> Side:
    """Free the prisoner where the last guard left, imprison one where the step ended."""
    pinned = set(theirs.pinned)
    pinned.discard(freed)
    if theirs.points[landed]:
        pinned.add(landed)
    return theirs if pinned == theirs.pinned else theirs._replace(pinned=frozenset(pinned))


def _with_mother_flag(mine: Side, theirs: Side) -> tuple[Side, Side]:
    """Mark the enemy if this step has sealed its mother; with an older mark of mine it cancels.

    A step cannot seal my own mother: that takes a pin or a last departure of the enemy.
    """
    if not mother_is_lost(theirs, mine):
        return mine, theirs
    if mine.lost:
        return mine._replace(lost=False), theirs
    return mine, theirs._replace(lost=True)


def formation_allowed(rules: Rules, mine: Side, theirs: Side) -> bool:
    """Whether the mover's points may stand as they do after a step."""
    own_start = range(19, 25)
    if rules.own_quarter < 6 and _quarter_binds(rules, theirs) and _held(mine, own_start) > rules.own_quarter:
        return False
    enemy_start = MIRROR[rules.movement][19:25]
    if rules.opponent_quarter < 6 and _held(mine, enemy_start) > rules.opponent_quarter:
        return False
    return not rules.watches_primes or primes_allowed(rules, mine, theirs)


def _holds(mine: Side, point: int) -> bool:
    return mine.points[point] > 0 and point not in mine.pinned


def _held(mine: Side, points: Iterable[int]) -> int:
    return sum(1 for point in points if _holds(mine, point))


def _quarter_binds(rules: Rules, theirs: Side) -> bool:
    if rules.quarter_until == "always":
        return True
    last = 11 if rules.quarter_until == "enemy_passed" else 6
    return theirs.off == 0 and not any(theirs.points[1 : last + 1])


def primes_allowed(rules: Rules, mine: Side, theirs: Side) -> bool:
    """Whether every run of six or more held points has the enemy checker it needs.

    Runs are followed along the enemy's path, from its 24 down to its 1, and do not wrap.
    """
    if rules.prime == "always":
        return True
    mirror = MIRROR[rules.movement]
    length = 0
    for enemy_point in range(24, -1, -1):
        if enemy_point > 0 and _holds(mine, mirror[enemy_point]):
            length += 1
            continue
        if length >= 6:
            if rules.prime == "may_move":
                return _can_step(rules, theirs, mine)
            lowest_of_run = enemy_point + 1
            reach = lowest_of_run - 1 if rules.prime == "ahead_of_block" else 6
            if not any(theirs.points[1 : reach + 1]):
                return False
        length = 0
    return True


def leaves_lock(rules: Rules, mine: Side, theirs: Side) -> bool:
    """Whether the enemy is locked in the sense of `duty.must_open`."""
    if rules.must_open == "stack_behind":
        stack = next((p for p in range(7, 25) if theirs.points[p] == rules.checkers), None)
        if stack is None:
            return False
        mirror = MIRROR[rules.movement]
        return all(_holds(mine, mirror[p]) for p in range(stack - 6, stack))
    if rules.must_open == "any_lock":
        return not _can_step(rules, theirs, mine)
    return False


def _can_step(rules: Rules, mine: Side, theirs: Side) -> bool:
    """Whether a side could play any single number, its head rule taken without the exceptions."""
    if rules.prime == "may_move":
        # Its own runs are not looked at, see the axis.
        rules = replace(rules, prime="always")
    head = rules.head_limit or -1
    return any(next(steps_with(rules, mine, theirs, die, head_left=head), None) for die in range(1, 7))
