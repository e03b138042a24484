"""Make `src/sheshbesh/pictures/digits.json`: the outlines of the ten digits of the page's font.

    python tools/digits.py

Pictures that are drawn without a browser carry their numbers as outlines, so that they look the same wherever
they are shown. An outline stands on the base line at y = 0 with y downwards; 1000 units are the font's size.
"""

from __future__ import annotations

import json
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).resolve().parent.parent
FONT = ROOT / "src" / "sheshbesh" / "web" / "fonts" / "inter-signs.woff2"
TO = ROOT / "src" / "sheshbesh" / "pictures" / "digits.json"
WEIGHT = 650


def main() -> None:
    """Write the file."""
    font = TTFont(FONT)
    axes = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes} if "fvar" in font else {}
    if axes:
        font = instantiateVariableFont(font, {**axes, "wght": WEIGHT})
    scale = 1000 / font["head"].unitsPerEm
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    found = {}
    for digit in "0123456789":
        glyph = glyphs[names[ord(digit)]]
        pen = SVGPathPen(glyphs, ntos=lambda number: f"{number:.0f}")
        glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        found[digit] = {"width": round(glyph.width * scale), "path": pen.getCommands()}
    TO.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
