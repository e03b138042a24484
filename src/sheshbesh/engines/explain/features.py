"""What a player can count on the board after a play: shots, points, primes, pins, the race.

Which of it matters follows from the axes of the rule set, so a user's own game is described like a
shipped one. Nothing here judges: the value of a count is a heuristic that puts differences in an
order, and `reasons` says with it what lies behind a difference that the engine has found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from sheshbesh.rules import Play, Position, Roll, Side
from sheshbesh.rules.notation import BAR, OFF

Value = float | frozenset[int]
"""A number, or a set of points in the own numbering of the side."""

_HOME = range(1, 7)
_TRAP = 4
"""A run of closed points from this length on holds what is behind it."""


class View:
    """A position as one side counts it, in its own numbering, normally after its own play."""

    def __init__(self, position: Position, side: Side | str) -> None:
        self.position = position
        self.side = Side.of(side)
        self.axes = position.variant.axes
        self.mine = position.counts(self.side)
        self.theirs = position.counts(self.side.other)
        self.mirrored = position.variant._geometry.mirrored
        self.contact = self.axes["contact"]["kind"]
        self.is_contrary = self.axes["board"]["movement"] == "contrary"

    def _closed(self, side: Side) -> frozenset[int]:
        """The points, in the numbers of `side`, on which the other may not land."""
        counts = self.position.counts(side)
        least = 1 if self.contact == "block" else 2
        holds = {self.mirrored(point) for point in self.position.pinned(side.other)}
        return frozenset(point for point in range(1, 25) if counts[point] >= least or point in holds)

    @cached_property
    def closed(self) -> frozenset[int]:
        """Own points that are closed to the other side."""
        return self._closed(self.side)

    @cached_property
    def has_contact(self) -> bool:
        """Whether the two sides can still meet."""
        return self.position.has_contact

    @cached_property
    def prime(self) -> tuple[int, int]:
        """The longest run of own closed points with enemies still behind it, and how many those are."""
        return _longest_run({self.mirrored(point) for point in self.closed}, self.theirs)

    @cached_property
    def prime_against(self) -> tuple[int, int]:
        """The longest enemy run with own checkers still behind it, and how many those are."""
        return _longest_run({self.mirrored(point) for point in self._closed(self.side.other)}, self.mine)

    @property
    def held(self) -> frozenset[int]:
        """The points, in enemy numbers, where an enemy checker lies imprisoned."""
        return self.position.pinned(self.side.other)

    @property
    def suffered(self) -> frozenset[int]:
        """The own points where an own checker lies imprisoned."""
        return self.position.pinned(self.side)

    @property
    def lead(self) -> int:
        """The pips by which the side is ahead in the race."""
        return self.position.pips(self.side.other) - self.position.pips(self.side)

    @cached_property
    def harm(self) -> tuple[tuple[int, int], ...] | None:
        """For each throw of the other side its weight of 36, and the pips that it can cost.

        None if the other side does not throw next.
        """
        if not self.may_be_answered:
            return None
        cost = self._pips_hit if self.contact == "hit" else self._pips_held
        return tuple((weight, max(map(cost, self.position.legal_plays(roll)))) for roll, weight in Roll.all())

    def _pips_hit(self, play: Play) -> int:
        """The way that a play of the other side makes longer."""
        return play.result.pips(self.side) - self.position.pips(self.side)

    def _pips_held(self, play: Play) -> int:
        """The way that checkers newly imprisoned by it still have before them."""
        return sum(play.result.pinned(self.side) - self.suffered)

    @property
    def may_be_answered(self) -> bool:
        """Whether the other side throws next."""
        position = self.position
        return position.turn is not self.side and position.pending is None and position.result is None


def _longest_run(closed: set[int], walkers: tuple[int, ...]) -> tuple[int, int]:
    """The longest run of these points in the numbers of those who walk, and how many are behind it."""
    best, run = (0, 0), 0
    for point in range(1, 25):
        run = run + 1 if point in closed else 0
        behind = sum(walkers[point + 1 :])
        if run and behind:
            best = max(best, (run, behind))
    return best


@dataclass(frozen=True, slots=True)
class Measured:
    """What was counted, and by a heuristic its value to the side, in points of equity."""

    value: Value
    equity: float


def _trapped(run: tuple[int, int]) -> int:
    """How many are behind a run that is long enough to hold them."""
    length, behind = run
    return behind if length >= _TRAP else 0


Count = Callable[[View], Measured | None]
"""Counts one thing; None where it cannot be counted, such as shots when the other side does not throw."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One thing to be counted; `matters` asks the rules and the phase of the game."""

    id: str
    count: Count
    matters: Callable[[View], bool] = lambda _: True


def dangerous_rolls(view: View) -> Measured | None:
    """Of 36 rolls of the other side those that can hit or imprison at least one more checker."""
    harm = view.harm
    if harm is None:
        return None
    rolls = sum(weight for weight, pips in harm if pips)
    return Measured(rolls, -_TURN * rolls / 36)


def exposed_pips(view: View) -> Measured | None:
    """The pips that such a roll of the other side costs, on the average of all 36.

    Of several checkers within reach the worst choice counts: a hit costs the way made, a checker
    imprisoned the way it still has to go.
    """
    harm = view.harm
    if harm is None:
        return None
    mean = sum(weight * pips for weight, pips in harm) / 36
    return Measured(mean, -_PIP * mean)


def dancing_rolls(view: View) -> Measured | None:
    """Of 36 rolls of the other side those with which it cannot move at all."""
    if not view.may_be_answered:
        return None
    plays = view.position.legal_plays
    rolls = sum(weight for roll, weight in Roll.all() if plays(roll)[0].is_pass)
    return Measured(rolls, _TURN * rolls / 36)


def _each(equity: float, number: Callable[[View], int]) -> Count:
    """Counts something of which each has the same value."""

    def count(view: View) -> Measured:
        value = number(view)
        return Measured(value, equity * value)

    return count


def _points(equities: Mapping[int, float]) -> Count:
    """Names the own closed points among these, each with its own value."""

    def count(view: View) -> Measured:
        held = view.closed.intersection(equities)
        return Measured(held, sum(equities[point] for point in sorted(held)))

    return count


def _gaps(view: View) -> Measured | None:
    """Empty home points once all checkers are at home."""
    if not any(view.mine[1:]) or any(view.mine[max(_HOME) + 1 :]):
        return None
    return _each(-0.03, lambda view: sum(not view.mine[point] for point in _HOME))(view)


def _runner(view: View) -> int:
    """Whether the first checker has arrived, where the others wait for it."""
    last = 6 if view.axes["runner"]["to"] == "home" else 11
    return int(sum(view.mine[: last + 1]) > 0)


def _meets(view: View) -> bool:
    return view.has_contact


def _kind(*kinds: str) -> Callable[[View], bool]:
    return lambda view: view.contact in kinds and view.has_contact


def _contrary(*kinds: str) -> Callable[[View], bool]:
    return lambda view: view.contact in kinds and view.is_contrary and view.has_contact


_TURN, _PIP = 0.20, 0.02
"""What a turn that is lost and a pip of a checker that is sent back or held cost."""

_HOME_WORTH = MappingProxyType({6: 0.08, 5: 0.10, 4: 0.09, 3: 0.06, 2: 0.04, 1: 0.03})
_OUTSIDE_WORTH = MappingProxyType({7: 0.07, 8: 0.05} | dict.fromkeys(range(9, 19), 0.03))
_ANCHOR_WORTH = MappingProxyType({24: 0.04, 23: 0.05, 22: 0.07, 21: 0.10, 20: 0.12, 19: 0.06})

FEATURES: tuple[Feature, ...] = (
    Feature("shots", dangerous_rolls, _kind("hit")),
    Feature("pin_shots", dangerous_rolls, _kind("pin")),
    Feature("exposed", exposed_pips, _kind("hit", "pin")),
    Feature("dances", dancing_rolls, _meets),
    Feature("sent_back", _each(0.16, lambda view: view.theirs[BAR]), _kind("hit")),
    Feature("on_bar", _each(-0.16, lambda view: view.mine[BAR]), _kind("hit")),
    Feature("pins_held", _each(0.30, lambda view: len(view.held)), _kind("pin")),
    Feature("pins_suffered", _each(-0.30, lambda view: len(view.suffered)), _kind("pin")),
    Feature("home_points", _points(_HOME_WORTH), _contrary("hit", "pin")),
    Feature("outside_points", _points(_OUTSIDE_WORTH), _contrary("hit", "pin")),
    Feature("anchors", _points(_ANCHOR_WORTH), _contrary("hit")),
    Feature("blocks", _each(0.03, lambda view: len(view.closed)), _kind("block")),
    Feature("prime", _each(0.04, lambda view: view.prime[0]), _meets),
    Feature("prime_against", _each(-0.03, lambda view: view.prime_against[0]), _meets),
    Feature("trapped", _each(0.05, lambda view: _trapped(view.prime)), _meets),
    Feature("captives", _each(-0.05, lambda view: _trapped(view.prime_against)), _meets),
    Feature("back", _each(-0.05, lambda view: sum(view.mine[19:])), _contrary("hit")),
    Feature("head", _each(-0.03, lambda view: view.mine[24]), lambda view: view.axes["head"]["limit"] != 0),
    Feature("runner", _each(0.15, _runner), lambda view: view.axes["runner"]["to"] != "none"),
    Feature("stack", _each(-0.02, lambda view: max(view.mine[1:25]))),
    Feature("gaps", _gaps, lambda view: not view.has_contact),
    Feature("off", _each(0.08, lambda view: view.mine[OFF])),
    Feature("race", _each(0.006, lambda view: view.lead)),
)
"""All of them. The value of each is a heuristic: only the order of size matters, and only for the
choice which difference is named first."""


def measure(position: Position, side: Side | str) -> Mapping[str, Measured]:
    """Everything that counts for `side` in a position, by the id of the feature.

    Left out is what the rules or the phase make meaningless, and whatever depends on the next throw
    of the other side where that is not what comes next.
    """
    view = View(position, side)
    found = ((feature.id, feature.count(view)) for feature in FEATURES if feature.matters(view))
    return MappingProxyType({id_: value for id_, value in found if value is not None})
