"""What is played and what follows: elements of a throw, chains, leftovers, the next side."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.reference.position import Pending, Position, Side, other, with_sides
from tests.reference.rules import Rules
from tests.reference.steps import all_home

Dice = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Element:
    """One piece of play with its own duty: a throw, a link of a chain, or dice handed over."""

    steps: Dice
    rest: Dice = ()
    """Numbers of the elements that follow if this one is completed."""
    origin: str = "throw"
    """throw: a simple throw; chain: an element of a progression; handed: from the other side;
    chosen: the double named after 1-2."""
    head: int = 0
    """Checkers that left 24 in the elements of this roll before."""


def element_of(rules: Rules, pos: Position, dice: Dice | None) -> Element:
    """Return what the side on roll has to play with these dice.

    Raises `ValueError` if dice are needed and missing, or are no double where one is named.
    """
    pending = pos.pending
    if pending is not None and pending.choose is None:
        return Element(pending.steps, pending.rest, "handed" if pending.then else "chain", pending.head)
    if dice is None or len(dice) != 2:
        raise ValueError(f"two dice are needed, got {dice!r}")
    high, low = max(dice), min(dice)
    if pending is not None:
        if high != low:
            raise ValueError(f"a double is to be named, got {dice!r}")
        return Element((high,) * rules.double_steps, origin="chosen", head=pending.head)
    if high != low:
        return Element((high, low))
    steps = (high,) * rules.double_steps
    if not _stops_at_home(rules, pos.side(pos.turn)) and doubles_go_on(rules, pos):
        return Element(steps, tuple(range(high + 1, 7)), "chain")
    return Element(steps)


def doubles_go_on(rules: Rules, pos: Position) -> bool:
    """Whether enough turns are over for a double thrown now to start a chain."""
    finished = pos.side(pos.turn).turns
    if rules.progression_count == "game":
        finished += pos.side(other(pos.turn)).turns
    return rules.progression_from > 0 and finished + 1 >= rules.progression_from


def _stops_at_home(rules: Rules, mine: Side) -> bool:
    return not rules.progression_in_bearoff and all_home(mine)


def follow(
    rules: Rules, pos: Position, element: Element, mine: Side, theirs: Side, unused: Dice, *, over: bool
) -> Position:
    """Return the position after an element was played as far as `unused` says.

    `mine` and `theirs` are the checkers after it; `over` tells that the game has ended by it,
    which ends the turn, whatever was pending.
    """
    board = with_sides(pos, pos.turn, mine, theirs)
    if over:
        return _turn_ends(rules, board)
    complete = not unused
    before = pos.side(pos.turn)
    head = element.head + max(0, before.points[24] - mine.points[24]) if rules.head_limit else 0
    if complete and element.rest and not _stops_at_home(rules, mine):
        then = "own_throw" if element.origin == "handed" else None
        following = Pending(pos.turn, (element.rest[0],) * 4, element.rest[1:], then, head=head)
        return replace(board, pending=following)
    if element.origin == "handed":
        return replace(board, pending=None)
    if element.origin == "chosen":
        again = complete or rules.bonus == "always"
        return replace(board, pending=None) if again else _turn_ends(rules, board)
    if complete and rules.bonus != "off" and sorted(element.steps) == [1, 2]:
        return replace(board, pending=Pending(pos.turn, choose="double", head=head))
    owed = None if complete else _handed_over(rules, pos, element, unused)
    return _turn_ends(rules, board, owed)


def _handed_over(rules: Rules, pos: Position, element: Element, unused: Dice) -> Pending | None:
    """Return what the opponent gets of an incomplete element."""
    is_chain = element.origin == "chain"
    if not rules.unused_to_opponent or not (is_chain or rules.forfeit_simple):
        return None
    steps = tuple(sorted(unused, reverse=True))
    return Pending(other(pos.turn), steps, element.rest, then="own_throw")


def _turn_ends(rules: Rules, board: Position, pending: Pending | None = None) -> Position:
    """Pass the right to throw to the other side."""
    mine = board.side(board.turn)
    counted = mine._replace(turns=min(mine.turns + 1, rules.turns_cap))
    ended = with_sides(board, board.turn, counted, board.side(other(board.turn)))
    return replace(ended, turn=other(board.turn), pending=pending)
