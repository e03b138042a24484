"""Positions of reviews as a few whole numbers, and questions that are asked of them.

An `Outline` is what a position is found by: themes, closed points and lone checkers as bits of the 24
points, checkers back, pins, head, race, and what the decision lost. A `Wanted` is a question; it becomes
conditions on single numbers, which a database can answer from an index and `Wanted.finds` answers here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sheshbesh.engines.explain.features import View
from sheshbesh.engines.explain.themes import THEMES, Theme, themes
from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text
from sheshbesh.reviews.judged import Judged
from sheshbesh.rules import Variant
from sheshbesh.rules.notation import BAR

KINDS = ("play", "double", "take")
"""The kinds of decisions; stored by their place."""

Holding = Literal["own", "made", "blot", "their", "their_made", "their_blot", "empty"]
HOLDINGS: tuple[Holding, ...] = ("own", "made", "blot", "their", "their_made", "their_blot", "empty")
"""The states that may be asked of a point: own checkers, at least two, a single one; those of the other side;
none."""

_KIND = {"play": 0, "double": 1, "no_double": 1, "take": 2, "drop": 2}
_BACK = range(19, 25)


@dataclass(frozen=True, slots=True)
class Outline:
    """A decision in numbers, points in the numbering of the side that decides.

    `kind` is a place in KINDS, `themes` have a bit for each of THEMES, `loss` is in thousandths of a point
    (EMG). `own`, `made`, `their` and `their_made` have bit n - 1 for point n: any checkers, two or more.
    `back` and `their_back` are checkers in the other side's home or on the bar, `pins` and `pinned` checkers
    that are held and that one has held, `head` those on the head of a game that has one, `lead` pips ahead.
    """

    kind: int
    loss: int
    themes: int
    own: int
    made: int
    their: int
    their_made: int
    back: int
    their_back: int
    pins: int
    pinned: int
    head: int
    lead: int


def outline(judged: Judged, rules: Variant) -> Outline:
    """The outline of a judged decision of a game; PositionError where its position cannot be read."""
    position = rules.position_from_id(judged.board)
    view = View(position, judged.side)
    theirs = [0, *(view.theirs[view.mirrored(point)] for point in range(1, 25))]
    other_back = sum(view.theirs[point] for point in _BACK) + view.theirs[BAR]
    return Outline(
        kind=_KIND[judged.decision.kind],
        loss=round(1000 * judged.loss) if judged.decision.counted else 0,
        themes=theme_bits(themes(position)),
        own=_bits(point for point in range(1, 25) if view.mine[point]),
        made=_bits(point for point in range(1, 25) if view.mine[point] > 1),
        their=_bits(point for point in range(1, 25) if theirs[point]),
        their_made=_bits(point for point in range(1, 25) if theirs[point] > 1),
        back=sum(view.mine[point] for point in _BACK) + view.mine[BAR],
        their_back=other_back,
        pins=len(view.held),
        pinned=len(view.suffered),
        head=view.mine[24] if view.axes["head"]["limit"] else 0,
        lead=view.lead,
    )


def countable(rules: Variant) -> tuple[str, ...]:
    """The numbers of checkers that positions of a game can be asked for, by their names in `Outline`."""
    found = ["back", "their_back"]
    if rules.axes["contact"]["kind"] == "pin":
        found += ["pins", "pinned"]
    if rules.axes["head"]["limit"]:
        found.append("head")
    return tuple(found)


def theme_bits(names: Iterable[Theme]) -> int:
    """Themes as bits."""
    return sum(1 << THEMES.index(name) for name in set(names))


def themes_of(bits: int) -> list[Theme]:
    """The way back."""
    return [name for place, name in enumerate(THEMES) if bits >> place & 1]


def _bits(points: Iterable[int]) -> int:
    return sum(1 << (point - 1) for point in points)


# Questions


class Bits(NamedTuple):
    """Of the bits of `mask` in the number `name` exactly those of `value` are set."""

    name: str
    mask: int
    value: int


class Span(NamedTuple):
    """The number `name` lies from `low` to `high`, both included; None is no limit."""

    name: str
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The positions that are looked for: all of it must hold.

    `kind` is one of KINDS, `themes` must all be there, `points` say what stands on single points, `spans`
    bound the numbers of an `Outline` by name.
    """

    kind: str | None = None
    themes: frozenset[Theme] = frozenset()
    points: Mapping[int, Holding] = field(default_factory=dict)
    spans: Mapping[str, tuple[int | None, int | None]] = field(default_factory=dict)

    def conditions(self) -> list[Bits | Span]:
        """The same as conditions on single numbers."""
        found: list[Bits | Span] = [
            Span(name, low, high) for name, (low, high) in self.spans.items() if (low, high) != (None, None)
        ]
        if self.kind is not None:
            place = KINDS.index(self.kind)
            found.append(Span("kind", place, place))
        if self.themes:
            bits = theme_bits(self.themes)
            found.append(Bits("themes", bits, bits))
        return found + self._pattern()

    def _pattern(self) -> list[Bits | Span]:
        """Return what stands on the points: for each of four numbers which bits are set and which are not."""
        asked: dict[str, list[int]] = {name: [0, 0] for name in ("own", "made", "their", "their_made")}
        for point, holding in self.points.items():
            bit = 1 << (point - 1)
            for name, is_set in _HELD[holding].items():
                asked[name][0] |= bit
                asked[name][1] |= bit if is_set else 0
        return [Bits(name, mask, value) for name, (mask, value) in asked.items() if mask]

    def finds(self, found: Outline) -> bool:
        """Return True if an outline is what is looked for."""
        return all(_holds(condition, getattr(found, condition.name)) for condition in self.conditions())


_HELD: Mapping[Holding, Mapping[str, bool]] = {
    "own": {"own": True},
    "made": {"made": True},
    "blot": {"own": True, "made": False},
    "their": {"their": True},
    "their_made": {"their_made": True},
    "their_blot": {"their": True, "their_made": False},
    "empty": {"own": False, "their": False},
}


def _holds(condition: Bits | Span, number: int) -> bool:
    if isinstance(condition, Bits):
        return number & condition.mask == condition.value
    low, high = condition.low, condition.high
    return (low is None or number >= low) and (high is None or number <= high)


def read_points(text: str) -> dict[int, Holding]:
    """Return what stands on single points, as "6=made,20=their_blot"; SheshbeshError says what is wrong."""
    found: dict[int, Holding] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        number, _, holding = part.partition("=")
        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= 24) or holding not in HOLDINGS:
            raise SheshbeshError(
                Text(
                    "a point is asked for as 6=made, not {part}; {choices}",
                    part=repr(part[:20]),
                    choices=", ".join(HOLDINGS),
                )
            )
        found[int(number)] = holding
    return found
