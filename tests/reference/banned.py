"""Hit and run: which checker hit, and whether it went on as it may not.

Checkers look alike, so a sequence of steps breaks the ban only if it does so whichever checker
is taken to have moved. A *story* is one such assignment: the marks of the checkers that have hit
in their own home. `Stories` holds every assignment that fits the steps so far.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.position import OFF
from tests.reference.rules import Rules
from tests.reference.steps import Moved


class Mark(NamedTuple):
    """A checker that has hit in its own home during this play."""

    point: int
    """Where it is now."""
    bad: bool
    """Whether the play would break the ban if it ended now."""
    fresh: bool
    """Whether it has stood still since its hit."""


Story = tuple[Mark, ...]
Stories = frozenset[Story]

NO_HITS: Stories = frozenset({()})


def after_step(rules: Rules, stories: Stories, mine_before: tuple[int, ...], moved: Moved) -> Stories:
    """Return every assignment after one more step; empty if the step itself is banned.

    `mine_before` are the mover's points before the step.
    """
    if rules.ban == "none" or (stories == NO_HITS and not moved.hit):
        return NO_HITS
    following: set[Story] = set()
    for story in stories:
        following.update(_continued(rules, story, mine_before, moved))
    if rules.ban == "hard" and rules.ban_priority == "absolute":
        return frozenset(story for story in following if not is_bad(story))
    return frozenset(following)


def obeys(stories: Stories) -> bool:
    """Whether some assignment keeps to the ban."""
    return any(not is_bad(story) for story in stories)


def is_bad(story: Story) -> bool:
    """Whether a play with these marks breaks the ban."""
    return any(mark.bad for mark in story)


def _continued(rules: Rules, story: Story, mine_before: tuple[int, ...], moved: Moved) -> list[Story]:
    """Let every checker that may have made the step make it."""
    source = moved.step.source
    marked_here = [mark for mark in story if mark.point == source and source != OFF]
    standing = mine_before[source] if source < len(mine_before) else 1
    movers: list[Mark | None] = list(set(marked_here))
    if standing > len(marked_here):
        movers.append(None)
    if rules.ban == "hard":
        return [_hard(story, mover, moved) for mover in movers]
    return [_soft(story, mover, mine_before, moved) for mover in movers]


def _soft(story: Story, mover: Mark | None, mine_before: tuple[int, ...], moved: Moved) -> Story:
    """Follow the soft ban: a hitter may not end off the board or on a landing upon its own side.

    Another checker that lands on the point of the hit while the hitter still stands there
    releases it.
    """
    target = moved.step.target
    rest = _without(story, mover)
    rest = [mark for mark in rest if not (mark.fresh and mark.point == target)]
    if moved.hit and target <= 6:
        rest.append(Mark(target, bad=False, fresh=True))
    elif mover is not None:
        onto_own = target != OFF and mine_before[target] > 0
        rest.append(Mark(target, bad=onto_own or target == OFF, fresh=False))
    return tuple(sorted(rest))


def _hard(story: Story, mover: Mark | None, moved: Moved) -> Story:
    """Follow the hard ban: a hitter may not move again."""
    target = moved.step.target
    rest = _without(story, mover)
    if mover is not None:
        rest.append(Mark(target, bad=True, fresh=False))
    elif moved.hit and target <= 6:
        rest.append(Mark(target, bad=False, fresh=True))
    return tuple(sorted(rest))


def _without(story: Story, mover: Mark | None) -> list[Mark]:
    rest = list(story)
    if mover is not None:
        rest.remove(mover)
    return rest
