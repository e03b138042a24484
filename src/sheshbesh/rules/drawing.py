"""The board as plain text, 57 columns wide or 39, from either player's seat.

The viewer's numbers stand on the rim and their home is below on the right: 24 to 13 run above, 12 to
1 below. In games where both sides go the same way round, their head is then above on the right and
the enemy's below on the left; both are labelled and drawn as a short pile with its count.

    O, X    a checker of White, of Black         7O    the pile has seven of White
    [x]     one of Black imprisoned under what stands above it
    . :     an empty place on an odd and on an even point
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from sheshbesh.i18n import JoinedText, Text
from sheshbesh.notebook import PICTURE_WIDTH
from sheshbesh.rules.notation import BAR, HAND, OFF
from sheshbesh.rules.setup import Geometry
from sheshbesh.rules.side import Side

if TYPE_CHECKING:
    from sheshbesh.rules.play import Step
    from sheshbesh.rules.position import Position
    from sheshbesh.rules.roll import Roll

SIGNS = {Side.WHITE: "O", Side.BLACK: "X"}
"""The letter of a side's checkers."""

_HEIGHT = 5
_HEAD_HEIGHT = 3
_HEAD = 24
_HEADS = {Side.WHITE: Text("White's head"), Side.BLACK: Text("Black's head")}
_CELL, _NARROW_CELL = 4, 3
_UPPER, _LOWER = tuple(range(13, 25)), tuple(range(12, 0, -1))

WIDTH = 57
"""Columns of the board."""

NARROW_WIDTH = 39
"""Columns of the narrow board, which has no outer walls."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The visible part of a position: the checkers, perhaps in the middle of a play.

    `counts` are the 27 counts of each side in its own numbers as in `Position.counts`, `pinned` the
    points, in its own numbers, where a checker of a side lies under an enemy.
    """

    geometry: Geometry
    counts: dict[Side, tuple[int, ...]]
    pinned: dict[Side, frozenset[int]]

    @classmethod
    def of(cls, position: Position) -> Picture:
        """The picture of a position."""
        return cls(
            position.variant._geometry,
            {side: position.counts(side) for side in Side},
            {side: position.pinned(side) for side in Side},
        )

    def after(self, side: Side, steps: Sequence[Step]) -> Picture:
        """The picture after `side` has made these steps, which must be legal ones."""
        picture = self
        for step in steps:
            picture = picture._moved(side, step)
        return picture

    def _moved(self, side: Side, step: Step) -> Picture:
        mine, theirs = list(self.counts[side]), list(self.counts[side.other])
        captives = set(self.pinned[side.other])
        mine[step.origin] -= 1
        mine[step.target] += 1
        if 1 <= step.origin <= 24 and mine[step.origin] == 0:
            captives.discard(self.geometry.mirrored(step.origin))
        if step.takes:
            there = self.geometry.mirrored(step.target)
            if self.geometry.contact == "pin":
                captives.add(there)
            else:
                theirs[there] -= 1
                theirs[BAR] += 1
        return replace(
            self,
            counts={side: tuple(mine), side.other: tuple(theirs)},
            pinned={side: self.pinned[side], side.other: frozenset(captives)},
        )

    def pips(self, side: Side) -> int:
        """Pips still to go; a checker on the bar or in hand counts 25."""
        return sum(count * min(point, HAND) for point, count in enumerate(self.counts[side]))

    def _is_head(self, side: Side, point: int) -> bool:
        return self.geometry.parallel and point == _HEAD and self.counts[side][point] > _HEAD_HEIGHT

    def pile(self, viewpoint: Side, point: int) -> list[str]:
        """The signs on the viewer's point from the rim inwards; of a high pile the last is its count."""
        captive: list[str] = []
        sign, height, room = "", 0, _HEIGHT
        for side in (viewpoint, viewpoint.other):
            own = point if side is viewpoint else self.geometry.mirrored(point)
            count = self.counts[side][own]
            if own in self.pinned[side]:
                captive = [f"[{SIGNS[side].lower()}]"]
            elif count:
                sign, height = SIGNS[side], count
                room = _HEAD_HEIGHT if self._is_head(side, own) else _HEIGHT
        room -= len(captive)
        if height > room:
            return [*captive, *[sign] * (room - 1), f"{height}{sign}"]
        return captive + [sign] * height

    def _half(self, viewpoint: Side, points: Sequence[int], bar: Sequence[str], *, narrow: bool) -> list[str]:
        """The rows of one half from the rim inwards; `bar` from the middle outwards."""
        piles = {point: self.pile(viewpoint, point) for point in points}
        rows = []
        for level in range(_HEIGHT):
            signs = [
                piles[point][level] if level < len(piles[point]) else ".:"[point % 2 == 0] for point in points
            ]
            place = _HEIGHT - 1 - level
            rows.append(_row(signs, bar[place] if place < len(bar) else "", narrow=narrow))
        return rows

    def _bar(self, side: Side) -> list[str]:
        count = self.counts[side][BAR]
        return [SIGNS[side]] * count if count <= _HEIGHT - 1 else [f"{count}{SIGNS[side]}"]

    def tray(self, side: Side) -> Text:
        """One line of what a side has beside the board, and its pips."""
        counts = self.counts[side]
        parts = [
            Text(
                "{sign} {side}  pips {pips:>3}   off {off:>2}",
                sign=SIGNS[side],
                side=Text(side.value.capitalize()),
                pips=self.pips(side),
                off=counts[OFF],
            )
        ]
        if self.geometry.hand:
            parts.append(Text("in hand {n:>2}", n=counts[HAND]))
        if counts[BAR]:
            parts.append(Text("on the bar {n}", n=counts[BAR]))
        if self.pinned[side]:
            parts.append(Text("imprisoned {n}", n=len(self.pinned[side])))
        return JoinedText(*parts, separator="   ")

    def lines(self, viewpoint: Side, *, narrow: bool = False) -> list[str]:
        """The board without what stands beside it, from the upper rim to the lower."""
        upper = self._half(viewpoint, _UPPER, self._bar(viewpoint), narrow=narrow)
        lower = self._half(viewpoint, _LOWER, self._bar(viewpoint.other), narrow=narrow)
        bar = "BAR" if self.geometry.contact == "hit" else ""
        middle = _row([""] * 12, bar, narrow=narrow)
        rows = [_rim(_UPPER, narrow=narrow), *upper, middle, *reversed(lower), _rim(_LOWER, narrow=narrow)]
        if not self.geometry.parallel:
            return rows
        upper_head, lower_head = _HEADS[viewpoint], _HEADS[viewpoint.other]
        return [Text(f"{{head:>{len(rows[0])}}}", head=upper_head), *rows, lower_head]


def _row(signs: Iterable[str], middle: str, *, narrow: bool) -> str:
    """Twelve cells with the bar between them."""
    if narrow:
        cells = [sign.center(_NARROW_CELL) for sign in signs]
        bar = f"{middle:^3}" if len(middle) > 1 else f"|{middle or ' '}|"
        return f"{''.join(cells[:6])}{bar}{''.join(cells[6:])}"
    cells = [sign.center(_CELL) for sign in signs]
    return f"|{''.join(cells[:6])}|{middle:^5}|{''.join(cells[6:])}|"


def _rim(points: Sequence[int], *, narrow: bool) -> str:
    cells = [str(point).center(_NARROW_CELL if narrow else _CELL, "-") for point in points]
    if narrow:
        return f"{''.join(cells[:6])}+-+{''.join(cells[6:])}"
    return f"+{''.join(cells[:6])}+-----+{''.join(cells[6:])}+"


def draw(position: Position, *, viewpoint: Side) -> str:
    """The board seen by `viewpoint`, with both sides' trays and who is on roll, or how the game ended."""
    picture = Picture.of(position)
    outcome = position.result
    status = str(outcome) if outcome else f"{position.turn.value.capitalize()} to play"
    lines = [picture.tray(viewpoint.other), *picture.lines(viewpoint), picture.tray(viewpoint), status]
    return "\n".join(line.rstrip() for line in lines)


def picture(position: Position, dice: Roll | None = None, steps: Sequence[Step] = ()) -> str:
    """Draw the board as SVG, with dice and steps of the side on roll, for a notebook.

    Pictures are made above the rules, of what is played; they are asked for by name, and only here.
    """
    pictures = import_module("sheshbesh.pictures")
    scene = pictures.scene_of(position, dice=dice, steps=steps)
    return str(pictures.svg(scene, pictures.Look(width=PICTURE_WIDTH)))
