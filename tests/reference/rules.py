"""The axes of a rule set as one typed, hashable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Axes = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Rules:
    """One answer a field; the names follow the axes, the meanings are told there."""

    checkers: int
    movement: str
    setup: tuple[tuple[int, int], ...]
    hand: int
    contact: str
    stack_cap: int
    own_quarter: int
    opponent_quarter: int
    quarter_until: str
    prime: str
    prime_transit: bool
    head_limit: int
    head_exception: str
    runner: str
    duty: str
    tie: str
    must_open: str
    ban: str
    ban_priority: str
    overshoot: str
    inside: bool
    forced: str
    pinned_blocks: bool
    double_steps: int
    progression_from: int
    progression_count: str
    progression_in_bearoff: bool
    unused_to_opponent: bool
    forfeit_simple: bool
    bonus: str
    opening_dice: str
    opening_starter: str
    opening_later: str
    mother: str
    mother_points: int
    closed_area: bool
    closed_area_wins: bool
    last_roll_tie: bool
    single: int
    gammon: int
    backgammon: int
    home_mars: int
    koks: int
    left: str

    @property
    def turns_cap(self) -> int:
        """The largest number of finished turns of a side that a rule can ask about."""
        first_turn_matters = 1 if self.head_exception != "none" else 0
        return max(first_turn_matters, self.progression_from - 1, 0)

    @property
    def watches_formation(self) -> bool:
        """Whether any rule looks at the mover's points after a step."""
        return self.own_quarter < 6 or self.opponent_quarter < 6 or self.watches_primes

    @property
    def watches_primes(self) -> bool:
        """Whether primes are judged after every step."""
        return self.prime != "always" and self.prime_transit


_PLACES: Mapping[str, tuple[str, str]] = {
    "checkers": ("board", "checkers"),
    "movement": ("board", "movement"),
    "hand": ("board", "hand"),
    "contact": ("contact", "kind"),
    "stack_cap": ("occupancy", "stack_cap"),
    "own_quarter": ("occupancy", "own_quarter"),
    "opponent_quarter": ("occupancy", "opponent_quarter"),
    "quarter_until": ("occupancy", "quarter_until"),
    "prime": ("prime", "allowed"),
    "prime_transit": ("prime", "transit"),
    "head_limit": ("head", "limit"),
    "head_exception": ("head", "exception"),
    "runner": ("runner", "to"),
    "duty": ("duty", "dice"),
    "tie": ("duty", "tie"),
    "must_open": ("duty", "must_open"),
    "ban": ("hit_run", "ban"),
    "ban_priority": ("hit_run", "priority"),
    "overshoot": ("bearoff", "overshoot"),
    "inside": ("bearoff", "inside"),
    "forced": ("bearoff", "forced"),
    "pinned_blocks": ("bearoff", "pinned_blocks"),
    "double_steps": ("throw", "double_steps"),
    "progression_from": ("throw", "progression_from"),
    "progression_count": ("throw", "progression_count"),
    "progression_in_bearoff": ("throw", "progression_in_bearoff"),
    "unused_to_opponent": ("throw", "unused_to_opponent"),
    "forfeit_simple": ("throw", "forfeit_simple"),
    "bonus": ("throw", "one_two_bonus"),
    "opening_dice": ("opening", "dice"),
    "opening_starter": ("opening", "starter"),
    "opening_later": ("opening", "later"),
    "mother": ("ending", "mother"),
    "mother_points": ("ending", "mother_points"),
    "closed_area": ("ending", "closed_area"),
    "closed_area_wins": ("ending", "closed_area_wins"),
    "last_roll_tie": ("ending", "last_roll_tie"),
    "single": ("score", "single"),
    "gammon": ("score", "gammon"),
    "backgammon": ("score", "backgammon"),
    "home_mars": ("score", "home_mars"),
    "koks": ("score", "koks"),
    "left": ("score", "left"),
}


def read_axes(axes: Axes | Rules) -> Rules:
    """Return the rules the axes describe; a `Rules` passes through.

    Raises `KeyError` if an axis is missing: every table must be filled in.
    """
    if isinstance(axes, Rules):
        return axes
    setup = axes["board"]["setup"]
    assert isinstance(setup, Mapping)
    fields = {name: axes[table][key] for name, (table, key) in _PLACES.items()}
    points = tuple(sorted((int(point), int(count)) for point, count in setup.items()))
    return Rules(setup=points, **fields)  # type: ignore[arg-type]
