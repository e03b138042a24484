"""The places of everything on a drawn board, as the page has them, by the measures in web/board."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final, NamedTuple

from sheshbesh.rules import Side
from sheshbesh.rules.notation import BAR, HAND, OFF

_MEASURES: Final[Mapping[str, Any]] = json.loads(
    (files("sheshbesh") / "web" / "board" / "measures.json").read_text(encoding="utf-8")
)
_WIDE: Final[Mapping[str, float]] = _MEASURES["shapes"]["wide"]
DRAWN: Final[int] = _MEASURES["drawn"]
"""Checkers of a pile that are drawn; the others are counted by a numeral. Over a captive it is one less."""
FIELD: Final = 600
"""The width of a field: six columns of 100."""


class At(NamedTuple):
    """A point of the picture."""

    x: float
    y: float


class Cell(NamedTuple):
    """The place of a point of the board: its middle, its rim, and the way it points (1 down, -1 up)."""

    column: int
    x: float
    base: float
    dir: int


class Tray(NamedTuple):
    """A box for checkers that are off or in hand; `bottom`: it fills from below."""

    x: float
    y: float
    width: float
    height: float
    bottom: bool


class Frame:
    """A board with a layout (`session.board_data.layout_data`), seen by one side, whose home is below
    on the right.

    Where both sides go the same way round, that is where the viewer's last points are.
    """

    def __init__(self, layout: Mapping[str, Any], viewer: Side) -> None:
        self.layout, self.viewer = layout, viewer
        m = self.m = _WIDE
        self.width = 2 * m["rimX"] + m["bar"] + 2 * FIELD
        self.height = 2 * (m["rimY"] + m["half"])
        self.mid, self.bar_x = self.height / 2, self.width / 2
        self.fields = (m["rimX"], m["rimX"] + FIELD + m["bar"])

    def place(self, side: Side, number: int) -> int:
        """The place, in White's numbers, of a side's own point."""
        found: int = self.layout["numbers"][side.value][number - 1]
        return found

    def number(self, side: Side, place: int) -> int:
        """A place as a side counts it."""
        found: int = self.layout["numbers"][side.value].index(place) + 1
        return found

    def cell_of_number(self, number: int) -> Cell:
        """The cell of the viewer's own number."""
        low = number <= 12
        column = 12 - number if low else number - 13
        x = self.fields[column >= 6] + column % 6 * 100 + 50
        base = self.height - self.m["rimY"] if low else self.m["rimY"]
        return Cell(column, x, base, -1 if low else 1)

    def cell(self, place: int) -> Cell:
        """The cell of a place."""
        return self.cell_of_number(self.number(self.viewer, place))

    def home(self, side: Side) -> tuple[bool, bool]:
        """Return True if a side bears off on the right, and below."""
        cell = self.cell(self.place(side, 1))
        return cell.column >= 6, cell.dir < 0

    def rim_x(self, side: Side, *, opposite: bool = False) -> float:
        """The middle of the rim beside a side's home, or opposite it."""
        right = self.home(side)[0] is not opposite
        return self.width - self.m["rimX"] / 2 if right else self.m["rimX"] / 2

    def tray(self, side: Side, kind: str) -> Tray:
        """The tray of borne-off checkers (`off`), or of those in `hand`: opposite."""
        bottom, height = self.home(side)[1], self.m["half"] - 75
        x = self.rim_x(side, opposite=kind == "hand") - self.m["tray"] / 2
        y = self.height - self.m["rimY"] - height if bottom else self.m["rimY"]
        return Tray(x, y, self.m["tray"], height, bottom)

    def cube(self, owner: Side | None) -> At:
        """The middle of the cube."""
        x = self.rim_x(owner or self.viewer, opposite=True)
        if owner is None:
            return At(x, self.mid)
        inset = self.m["rimY"] + self.m["cube"] * 0.62
        return At(x, self.height - inset if self.home(owner)[1] else inset)

    def dice(self, side: Side) -> At:
        """The middle of a side's dice: in the half on its right."""
        return At(self.fields[side is self.viewer] + 300, self.mid)

    def on_bar(self, side: Side, index: int) -> At:
        """The middle of a checker on the bar, which fills towards where the side enters."""
        way = 1 if self.cell(self.place(side, 24)).dir < 0 else -1
        return At(self.bar_x, self.mid + way * (self.m["half"] * 0.3 + index * self.m["r"] * 2))

    def pile(self, place: int, count: int, *, pinned: bool = False, tight: bool = False) -> list[At]:
        """The middles of a pile's checkers that are drawn, from the rim inwards.

        `pinned` leaves room for a captive, `tight` condenses.
        """
        cell, r = self.cell(place), self.m["r"]
        first = cell.base + cell.dir * (r + 3 + (r * _MEASURES["crescent"] if pinned else 0))
        drawn = DRAWN - pinned
        pitch = r * 0.98 if tight else 2 * r
        return [At(cell.x, first + cell.dir * index * pitch) for index in range(min(count, drawn))]

    def rest(self, side: Side, number: int, index: int, *, pinned: bool = False, tight: bool = False) -> At:
        """Return where a checker of a side rests on one of its own numbers, as the `index`-th there."""
        if number == BAR:
            return self.on_bar(side, index)
        if number in (OFF, HAND):
            tray = self.tray(side, "off" if number == OFF else "hand")
            y = (min(index, 14) + 0.5) * (tray.height - 14) / 15 + 7
            return At(tray.x + tray.width / 2, tray.y + tray.height - y if tray.bottom else tray.y + y)
        return self.pile(self.place(side, number), index + 1, pinned=pinned, tight=tight)[-1]
