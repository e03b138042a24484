"""A board without checkers: frame, fields, points, bar and trays, drawn as the page draws them.

The grain of the wood is left out: it is most of the page's drawing, and too fine for a small picture.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from sheshbesh.pictures.geometry import FIELD, Frame, Tray
from sheshbesh.rules import Side

Colours = Mapping[str, str]
"""The tokens of a material by their names, such as `point-a`."""

MATERIALS: Final = ("wood", "felt", "paper")

_PETALS = 16


@cache
def colours_of(material: str) -> Colours:
    """The colours of a material as the page has them; KeyError for one that there is not."""
    data = files("sheshbesh") / "web" / "board" / "palettes.json"
    found: Colours = json.loads(data.read_text(encoding="utf-8"))["materials"][material]
    return found


def definitions(colours: Colours) -> str:
    """The shadings that parts refer to."""

    def stops(*names: str) -> str:
        return "".join(f'<stop offset="{i}" stop-color="{colours[name]}"/>' for i, name in enumerate(names))

    bodies = "".join(
        f'<radialGradient id="body-{tone}" cx=".42" cy=".36" r=".75">{stops(f"{tone}-1", f"{tone}-2")}'
        "</radialGradient>"
        for tone in "wb"
    )
    return (
        f'<linearGradient id="frame" x2="0" y2="1">{stops("frame", "frame-2")}</linearGradient>{bodies}'
        f'<linearGradient id="cube-face" x2=".3" y2="1">{stops("cube-1", "cube-2")}</linearGradient>'
    )


def empty_board(frame: Frame, material: str, colours: Colours) -> str:
    """A board without checkers; the smaller parts are drawn over the larger ones."""
    m, inside = frame.m, frame.height - 2 * frame.m["rimY"]
    parts = [
        f'<rect x="1.5" y="1.5" width="{frame.width - 3:g}" height="{frame.height - 3:g}" rx="26" '
        f'fill="url(#frame)" stroke="{colours["frame-line"]}" stroke-width="3"/>'
    ]
    for x in frame.fields:
        parts.append(
            f'<rect x="{x:g}" y="{m["rimY"]:g}" width="{FIELD}" height="{inside:g}" '
            f'fill="{colours["field"]}"/>'
        )
        if material == "wood":
            parts.append(_rosette(x + FIELD / 2, frame.mid, m["half"] * 0.42, colours["inlay"]))
    parts += _points(frame, material, colours)
    for x in frame.fields:
        parts += _edging(frame, x, material, colours)
    parts.append(_bar(frame, material, colours))
    parts += (_slot(tray, colours) for tray in _trays(frame))
    return "".join(parts)


def _points(frame: Frame, material: str, colours: Colours) -> Iterator[str]:
    length, carved = frame.m["length"], material == "wood"
    path = _ogee(length) if carved else f"M-46 0H46L0 {length:g}Z"
    line = (
        f'stroke="{colours["inlay"]}" stroke-width="2.2" stroke-opacity=".75"'
        if carved
        else f'stroke="{colours["point-line"]}" stroke-width="2"'
    )
    for number in range(1, 25):
        cell = frame.cell_of_number(number)
        # Neighbours differ, and so do the two that face each other.
        fill = colours["point-a" if (cell.column % 2 == 0) is (cell.dir < 0) else "point-b"]
        yield (
            f'<path d="{path}" transform="translate({cell.x:g} {cell.base:g}) scale(1 {cell.dir})" '
            f'fill="{fill}" {line}/>'
        )


def _ogee(length: float) -> str:
    def at(share: float) -> str:
        return f"{length * share:g}"

    return (
        f"M-45 0H45C43 {at(0.42)} 30 {at(0.6)} 15 {at(0.76)} 6 {at(0.86)} 2 {at(0.93)} 0 {length:g}"
        f"-2 {at(0.93)}-6 {at(0.86)}-15 {at(0.76)}-30 {at(0.6)}-43 {at(0.42)}-45 0Z"
    )


def _edging(frame: Frame, x: float, material: str, colours: Colours) -> Iterator[str]:
    """The edging of a field, each material its own."""
    y, height = frame.m["rimY"], frame.height - 2 * frame.m["rimY"]

    def rect(out: float, stroke: str, width: float, more: str = "") -> str:
        return (
            f'<rect x="{x - out:g}" y="{y - out:g}" width="{FIELD + 2 * out:g}" '
            f'height="{height + 2 * out:g}" fill="none" stroke="{stroke}" stroke-width="{width:g}"{more}/>'
        )

    if material == "wood":
        yield rect(7, "#1a0e07", 14)
        yield rect(7, "#c9a468", 6, ' stroke-dasharray="6 8"')
        yield rect(14, colours["inlay"], 1.8, ' opacity=".85"')
        yield rect(0, colours["inlay"], 1.8, ' opacity=".85"')
    elif material == "felt":
        yield rect(0, colours["frame-line"], 4)
        yield rect(10, colours["inlay"], 2.5, ' rx="5" stroke-dasharray="13 7" stroke-linecap="round"')
    else:
        yield rect(0, colours["frame-line"], 3)


def _bar(frame: Frame, material: str, colours: Colours) -> str:
    y, height = frame.m["rimY"], frame.height - 2 * frame.m["rimY"]
    if material != "wood":
        dashes = ' stroke-dasharray="13 7"' if material == "felt" else ""
        line = f'stroke="{colours["inlay"]}" stroke-width="2"{dashes}'
        return f'<path d="M{frame.bar_x:g} {y:g}v{height:g}" {line}/>'
    # In place of the page's khatam, a band of its stars' diamonds.
    step = 36
    diamonds = "".join(
        f"M{frame.bar_x:g} {y + 6 + index * step:g}l11 12-11 12-11-12z"
        for index in range(int((height - 12) // step))
    )
    return (
        f'<rect x="{frame.bar_x - 14.7:g}" y="{y:g}" width="29.4" height="{height:g}" fill="#1e120b" '
        f'stroke="{colours["inlay"]}" stroke-width="2"/><path d="{diamonds}" fill="#dcc592"/>'
    )


def _trays(frame: Frame) -> Iterator[Tray]:
    layout = frame.layout
    for side in Side:
        yield frame.tray(side, "off")
        if layout["hand"]:
            yield frame.tray(side, "hand")
    if layout["cube"] and layout["movement"] == "contrary" and not layout["hand"]:
        m = frame.m
        x = frame.cube(None).x - m["tray"] / 2
        yield Tray(x, m["rimY"], m["tray"], frame.height - 2 * m["rimY"], bottom=False)


def _slot(tray: Tray, colours: Colours) -> str:
    return (
        f'<rect x="{tray.x:g}" y="{tray.y:g}" width="{tray.width:g}" height="{tray.height:g}" rx="10" '
        f'fill="{colours["slot"]}" stroke="{colours["frame-line"]}" stroke-width="2"/>'
    )


def _rosette(x: float, y: float, r: float, colour: str) -> str:
    """A sixteen-fold rosette behind one half."""
    squares = "".join(
        f'<rect x="{-r * 0.62:.1f}" y="{-r * 0.62:.1f}" width="{r * 1.24:.1f}" height="{r * 1.24:.1f}" '
        f'transform="rotate({turn * 22.5:g})"/>'
        for turn in range(4)
    )
    a, b, c, w = (round(r * share) for share in (0.3, 0.46, 0.6, 0.09))
    petals = "".join(
        f'<path d="M0-{a}Q{w}-{b} 0-{c}Q-{w}-{b} 0-{a}" transform="rotate({turn * 360 / _PETALS:g})"/>'
        for turn in range(_PETALS)
    )
    circles = "".join(f'<circle r="{r * share:.1f}"/>' for share in (0.96, 0.28, 1))
    return (
        f'<g transform="translate({x:g} {y:g})" fill="none" stroke="{colour}" stroke-width="2.4" '
        f'opacity=".2">{squares}{petals}{circles}</g>'
    )
