"""A position as SVG, without a font, a script or a style sheet: it looks the same wherever it is shown.

The parts have the classes that the page's board gives them (`piece`, `number`, `die`, `cube`), and lie where
they lie there.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from math import atan2, degrees, hypot
from typing import Any

from sheshbesh.match import Card, MatchState
from sheshbesh.pictures.empty_board import MATERIALS, Colours, colours_of, definitions, empty_board
from sheshbesh.pictures.geometry import DRAWN, At, Frame, Tray
from sheshbesh.rules import Position, Roll, Side, Step
from sheshbesh.rules.notation import BAR, HAND, OFF
from sheshbesh.session.board_data import board_data, layout_data

__all__ = ["MATERIALS", "Look", "Scene", "scene_of", "svg"]

_CROWN = "M-22 15V-13L-10-1 0-19 10-1 22-13V15Z"
_CENTRE = 0.364
"""From the middle of a number to its base line, in sizes of the font."""
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_TONES = {Side.WHITE: "w", Side.BLACK: "b"}
_MOST_ON_BAR = 4
_LINK = (1200, 630)
_GROUND, _ON_GROUND = "#F4EFE6", "#231B14"
"""The paper and the ink of the page."""


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a board: its viewer, its material, and its title for those who do not see it.

    `width` is in pixels; None leaves it at the units of the drawing, 1,500 in most games.
    """

    viewer: Side = Side.WHITE
    material: str = "wood"
    title: str = ""
    width: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """The things on a board: `layout` and `board` as in `session.board_data`, a throw of `turn`, the cube.

    `cube` is its value and who owns it; None where the game is played without one. `steps` of `turn` are
    drawn as arrows.
    """

    layout: Mapping[str, Any]
    board: Mapping[str, Any]
    turn: Side | None = None
    dice: tuple[int, ...] = ()
    cube: tuple[int, Side | None] | None = None
    steps: tuple[Step, ...] = ()


def scene_of(
    position: Position,
    card: Card | None = None,
    match: MatchState | None = None,
    dice: Roll | None = None,
    *,
    steps: Sequence[Step] = (),
) -> Scene:
    """The scene of a position; the cube is in it where the card has one, or, without a card, the game.

    `steps` are of the side on roll, in its numbers.
    """
    layout = layout_data(position.variant, card)
    cube = None
    if layout["cube"]:
        state = match or MatchState()
        cube = (state.cube, None if state.owner is None else Side.of(state.owner))
    thrown = () if dice is None else (dice.first, dice.second)
    return Scene(layout, board_data(position), position.turn, thrown, cube, tuple(steps))


def svg(scene: Scene, look: Look | None = None) -> str:
    """The picture; KeyError for a material that there is not."""
    look = look or Look()
    frame, paint = Frame(scene.layout, look.viewer), colours_of(look.material)
    drawing = _Drawing(frame, scene, look, paint)
    name = f"<title>{escape(look.title)}</title>" if look.title else ""
    size = 1 if look.width is None else look.width / frame.width
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {frame.width:g} {frame.height:g}" '
        f'width="{frame.width * size:g}" height="{frame.height * size:g}" role="img">{name}'
        f"<defs>{definitions(paint)}{drawing.shapes()}</defs>"
        f"{empty_board(frame, look.material, paint)}{''.join(drawing.parts())}</svg>"
    )


def linked(drawing: str, material: str = "wood", score: tuple[int, int] | None = None) -> str:
    """A picture of `svg` in the middle of one of 1200 by 630, as other sites show that of a link.

    `score` stands beside it, White's on the left and Black's on the right, each with a checker.
    """
    found = re.match(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    assert found is not None, "not a picture of a board"
    width, height = float(found[1]), float(found[2])
    pad, paint = 40, colours_of(material)
    tall = height + 2 * pad
    wide = tall * _LINK[0] / _LINK[1]
    left = (wide - width) / 2
    inner = drawing.replace("<svg ", f'<svg x="{left:g}" y="{pad}" ', 1)
    parts = [f'<rect width="{wide:g}" height="{tall:g}" fill="{_GROUND}"/>', inner]
    for tone, middle, points in zip("wb", (left / 2, wide - left / 2), score or (), strict=False):
        parts.append(
            f'<circle cx="{middle:g}" cy="{tall / 2 - 190:g}" r="90" fill="{paint[f"{tone}-1"]}" '
            f'stroke="{paint[f"{tone}-edge"]}" stroke-width="8"/>'
        )
        parts.append(_number(points, At(middle, tall / 2 + 90), 300, _ON_GROUND, "score"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {tall:g}" width="{_LINK[0]}" '
        f'height="{_LINK[1]}" role="img">{"".join(parts)}</svg>'
    )


@cache
def _digits() -> Mapping[str, Mapping[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(
        (files("sheshbesh") / "pictures" / "digits.json").read_text(encoding="utf-8")
    )
    return found


def _number(value: int, at: At, size: float, fill: str, kind: str) -> str:
    """A whole number with its middle at a point."""
    digits, text = _digits(), str(value)
    width = sum(digits[digit]["width"] for digit in text)
    drawn, x = [], -width / 2
    for digit in text:
        drawn.append(f'<path d="{digits[digit]["path"]}" transform="translate({x:g} 0)"/>')
        x += digits[digit]["width"]
    return (
        f'<g class="{kind}" data-text="{text}" fill="{fill}" '
        f'transform="translate({at.x:g} {at.y + _CENTRE * size:.2f}) scale({size / 1000:g})">'
        f"{''.join(drawn)}</g>"
    )


def _to(at: At) -> str:
    return f'transform="translate({at.x:g} {at.y:g})"'


class _Drawing:
    """The parts of one picture that may be elsewhere in the next one."""

    def __init__(self, frame: Frame, scene: Scene, look: Look, paint: Colours) -> None:
        self.frame, self.scene, self.look, self.paint = frame, scene, look, paint
        self.shade = f'fill="#000" opacity="{paint["shadow"]}"'

    def shapes(self) -> str:
        """The pictures of checkers: `checker-w`, and `plain-w` for those that carry a numeral or a crown."""
        r, paint, material = self.frame.m["r"], self.paint, self.look.material
        made = []
        for tone in "wb":
            body = (
                f'<circle cy="4" r="{r + 0.5:g}" {self.shade}/>'
                f'<circle r="{r - 1.8:g}" fill="url(#body-{tone})" '
                f'stroke="{paint[f"{tone}-edge"]}" stroke-width="3.6"/>'
            )
            mark = f'fill="none" stroke="{paint[f"{tone}-mark"]}" stroke-width="2"'
            if material == "paper" and tone == "b":
                body += f'<circle r="{r - 6:g}" fill="none" stroke="{paint["b-mark"]}" stroke-width="2.4"/>'
            ring = f'<circle r="{r * 0.78:g}" {mark}/>' if material == "wood" else ""
            made.append(f'<g id="checker-{tone}">{body}<g {mark}>{_sign(material, tone, r)}</g></g>')
            made.append(f'<g id="plain-{tone}">{body}{ring}</g>')
        return "".join(made)

    def parts(self) -> Iterator[str]:
        """Numbers, piles, what lies beside the points, dice and cube."""
        yield from self._numbers()
        for place in range(1, 25):
            yield self._pile(place)
        for side in Side:
            yield from self._heaps(side)
        yield from self._dice()
        yield self._cube()
        yield from self._arrows()

    # Numbers on the rims

    def _numbers(self) -> Iterator[str]:
        frame, viewer = self.frame, self.look.viewer
        size, both = frame.m["text"], frame.layout["movement"] == "parallel"
        for place in range(1, 25):
            cell = frame.cell(place)
            y = cell.base - cell.dir * (frame.m["rimY"] / 2 + 3)
            own = At(cell.x - (15 if both else 0), y)
            yield _number(frame.number(viewer, place), own, size, self.paint["number"], "number")
            if both:
                other = frame.number(viewer.other, place)
                small = size * 0.66  # on the base line of the larger one
                at = At(cell.x + 19, y + _CENTRE * (size - small))
                yield _number(other, at, small, self.paint["number-2"], "number other")

    # Checkers

    def _piece(self, tone: str, at: At, *, count: int = 0, plain: bool = False, crown: bool = False) -> str:
        shape = "plain" if plain or count or crown else "checker"
        ink, more = self.paint[f"{tone}-ink"], ""
        if crown:
            more = (
                f'<path d="{_CROWN}" fill="none" stroke="{ink}" stroke-width="4.5" stroke-linejoin="round"/>'
            )
        if count:
            more += _number(count, At(0, 3), 46, ink, "count")
        return f'<g class="piece" {_to(at)}><use href="#{shape}-{tone}"/>{more}</g>'

    def _pile(self, place: int) -> str:
        point, layout = self.scene.board["points"][place - 1], self.frame.layout
        captive = None if point.get("pin") is None else Side.of(point["pin"])
        side = captive.other if captive else Side.WHITE if point["w"] else Side.BLACK
        count = point[_TONES[side]]
        if not count:
            return ""
        tight = layout["head"][side.value] == place and count > DRAWN
        is_mother = layout["mother"][side.value] == place
        spots = self.frame.pile(place, count, pinned=captive is not None, tight=tight)
        tone, drawn = _TONES[side], []
        if captive is not None:
            drawn.append(self._piece(_TONES[captive], self.frame.pile(place, 1)[0], plain=True))
        for index, at in enumerate(spots):
            label = count if index == len(spots) - 1 and count > len(spots) else 0
            drawn.append(self._piece(tone, at, count=label, crown=is_mother and not tight and index == 0))
        if is_mother and tight:
            drawn.append(self._crown_badge(place, tone))
        if captive is not None:
            drawn.append(self._lock(place))
        return "".join(drawn)

    def _crown_badge(self, place: int, tone: str) -> str:
        """The crown of a mother who stands beneath others, on the rim."""
        cell, paint = self.frame.cell(place), self.paint
        return (
            f'<g class="crown" transform="translate({cell.x:g} {cell.base + cell.dir * 15:g}) scale(.9)">'
            f'<circle r="24" fill="{paint[f"{tone}-1"]}" stroke="{paint[f"{tone}-edge"]}" '
            'stroke-width="3.5"/>'
            f'<path d="{_CROWN}" transform="scale(.6)" fill="none" stroke="{paint[f"{tone}-ink"]}" '
            'stroke-width="6" stroke-linejoin="round"/></g>'
        )

    def _lock(self, place: int) -> str:
        """The lock of a captive, in the middle of its crescent."""
        cell, colour = self.frame.cell(place), self.paint["target"]
        y = cell.base + cell.dir * self.frame.m["r"] * 0.56
        return (
            f'<g class="lock" transform="translate({cell.x:g} {y:g}) scale(.85)">'
            f'<circle r="23" fill="{self.paint["casing"]}" stroke="{colour}" stroke-width="4"/>'
            f'<path d="M-6-2V-7a6 6 0 0 1 12 0V-2" fill="none" stroke="{colour}" stroke-width="4"/>'
            f'<rect x="-10" y="-3" width="20" height="14" rx="3" fill="{colour}"/></g>'
        )

    def _heaps(self, side: Side) -> Iterator[str]:
        board, tone = self.scene.board, _TONES[side]
        bar = board["bar"][side.value]
        shown = min(bar, _MOST_ON_BAR)
        for index in range(shown):
            label = bar if index == shown - 1 and bar > shown else 0
            yield self._piece(tone, self.frame.on_bar(side, index), count=label)
        yield self._slabs(self.frame.tray(side, "off"), tone, board["off"][side.value])
        if self.frame.layout["hand"]:
            yield self._slabs(self.frame.tray(side, "hand"), tone, board["hand"][side.value])

    def _slabs(self, tray: Tray, tone: str, count: int) -> str:
        """Checkers borne off or in hand, edge-on."""
        if not count:
            return ""
        step, size, paint = (tray.height - 14) / 15, self.frame.m["text"], self.paint
        drawn = []
        for index in range(min(count, 15)):
            y = tray.y + tray.height - 7 - (index + 1) * step if tray.bottom else tray.y + 7 + index * step
            drawn.append(
                f'<rect class="slab" x="{tray.x + 5:g}" y="{y + 1.5:.2f}" width="{tray.width - 10:g}" '
                f'height="{step - 3:.2f}" rx="6" fill="{paint[f"{tone}-2"]}" '
                f'stroke="{paint[f"{tone}-edge"]}" stroke-width="2.4"/>'
            )
        base = tray.y - 14 if tray.bottom else tray.y + tray.height + 14 + size * 0.72
        at = At(tray.x + tray.width / 2, base - _CENTRE * size)
        return "".join(drawn) + _number(count, at, size, paint["number"], "number")

    # Dice and cube

    def _dice(self) -> Iterator[str]:
        turn, values = self.scene.turn, sorted(self.scene.dice, reverse=True)
        if turn is None or not values:
            return
        size, middle = self.frame.m["die"], self.frame.dice(turn)
        for index, value in enumerate(values):
            yield self._die(
                At(middle.x + (index - (len(values) - 1) / 2) * size * 1.27, middle.y), value, _TONES[turn]
            )

    def _die(self, at: At, value: int, tone: str) -> str:
        size, paint = self.frame.m["die"], self.paint
        box = f'x="{-size / 2:g}" width="{size:g}" height="{size:g}" rx="{size * 0.2:g}"'
        pips = "".join(
            f'<circle cx="{x * size * 0.26:g}" cy="{y * size * 0.26:g}" r="{size * 0.094:g}"/>'
            for x, y in _PIPS[value]
        )
        return (
            f'<g class="die" {_to(at)}><rect {box} y="{5 - size / 2:g}" {self.shade}/>'
            f'<rect {box} y="{-size / 2:g}" fill="{paint[f"{tone}-1"]}" stroke="{paint[f"{tone}-edge"]}" '
            f'stroke-width="3.5"/><g fill="{paint[f"{tone}-ink"]}">{pips}</g></g>'
        )

    def _cube(self) -> str:
        if self.scene.cube is None:
            return ""
        value, owner = self.scene.cube
        at, size, paint = self.frame.cube(owner), self.frame.m["cube"], self.paint
        text = str(value)
        scale = 1.2 / len(text) if len(text) > 3 else 0.38 if len(text) > 2 else 0.5
        box = f'x="{-size / 2:g}" width="{size:g}" height="{size:g}" rx="{size * 0.19:g}"'
        return (
            f'<g class="cube" {_to(at)}><rect {box} y="{5 - size / 2:g}" {self.shade}/>'
            f'<rect {box} y="{-size / 2:g}" fill="url(#cube-face)" stroke="{paint["cube-edge"]}" '
            'stroke-width="3.5"/>'
            f"{_number(value, At(0, size * 0.02), size * scale, paint['cube-ink'], 'face')}</g>"
        )

    # Arrows

    def _arrows(self) -> Iterator[str]:
        """The steps of a play, one arrow for all that go the same way."""
        side = self.scene.turn
        if side is None:
            return
        for (origin, target), count in Counter(
            (step.origin, step.target) for step in self.scene.steps
        ).items():
            start, end = self._end(side, origin, target), self._end(side, target, origin)
            length = hypot(end.x - start.x, end.y - start.y)
            angle = degrees(atan2(end.y - start.y, end.x - start.x))
            yield (
                f'<g class="arrow" transform="translate({start.x:g} {start.y:g}) rotate({angle:.2f})">'
                f'<path d="M0-7H{length - 34:.1f}V-22L{length:.1f} 0 {length - 34:.1f} 22V7H0Z" '
                f'fill="{self.paint["target"]}" stroke="{self.paint["casing"]}" '
                'stroke-width="3" opacity=".9"/></g>'
            )
            if count > 1:
                middle = At((start.x + end.x) / 2, (start.y + end.y) / 2)
                size = self.frame.m["text"]
                yield f'<circle {_to(middle)} r="{size * 0.8:g}" fill="{self.paint["casing"]}"/>'
                yield _number(count, middle, size, self.paint["target"], "times")

    def _end(self, side: Side, number: int, other: int) -> At:
        """Return where a step begins or ends, by the side's own number; `other` is its other end."""
        if number in (OFF, HAND):
            tray = self.frame.tray(side, "off" if number == OFF else "hand")
            return At(tray.x + tray.width / 2, tray.y + tray.height / 2)
        if number == BAR:
            return self.frame.on_bar(side, 0)
        place = self.frame.place(side, number)
        point = self.scene.board["points"][place - 1]
        own, lands = point[_TONES[side]], other > number
        count = max(min(own + lands, DRAWN), 1)
        return self.frame.pile(place, count)[-1]


def _sign(material: str, tone: str, r: float) -> str:
    """The sign on a checker, so that colour is never needed to tell them apart."""
    parts: Sequence[str]
    if material == "wood" and tone == "w":
        square = "M-15-15H15V15H-15Z"
        parts = (
            f'<circle r="{r * 0.72:g}"/>',
            f'<path d="{square}"/>',
            f'<path d="{square}" transform="rotate(45)"/>',
        )
    elif material == "wood":
        parts = (f'<circle r="{r * 0.72:g}" stroke-width="2.6"/>', f'<circle r="{r * 0.3:g}"/>')
    elif material == "felt":
        parts = (f'<circle r="{r * 0.66:g}" stroke-width="2.4"/>',)
        parts += (f'<circle r="{r * 0.16:g}" stroke-width="2.4"/>',) if tone == "b" else ()
    elif tone == "w":
        parts = (f'<circle r="{r * 0.5:g}" stroke-width="5"/>',)
    else:
        parts = ('<path d="M-17-17 17 17M17-17-17 17" stroke-width="9" stroke-linecap="round"/>',)
    return "".join(parts)
