"""Pictures of boards as PNG, and games as animations; needs the packages of the extra `site`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

from sheshbesh.errors import SheshbeshError

WIDTHS: Final = range(200, 1601)
"""Pixels that a picture may be wide."""


class PictureError(SheshbeshError):
    """Pictures cannot be made here: a package of the extra `site` is missing."""


def png(drawing: str, width: int) -> bytes:
    """An SVG of `sheshbesh.pictures.svg` as PNG; `width` is in pixels."""
    found: bytes = _resvg().svg_to_bytes(svg_string=drawing, width=width, skip_system_fonts=True)
    return bytes(found)


def animation(drawings: Sequence[str], seconds: Sequence[float], width: int) -> bytes:
    """Drawings one after the other as a GIF that begins anew at its end, each shown for its `seconds`.

    Each frame has only the rectangle in which it differs from the one before.
    """
    try:
        from PIL import Image
    except ImportError:
        raise PictureError("an animation needs Pillow: install sheshbesh[site]") from None
    frames: list[Any] = []
    palette = None
    for drawing in drawings:
        with Image.open(io.BytesIO(png(drawing, width))) as picture:
            flat = picture.convert("RGB")
        # One palette for all: colours that change from frame to frame would flicker, and cost bytes.
        palette = palette or flat.quantize(64, method=Image.Quantize.MEDIANCUT)
        frames.append(flat.quantize(palette=palette, dither=Image.Dither.NONE))
    buffer = io.BytesIO()
    frames[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[round(1000 * each) for each in seconds],
        loop=0,
        optimize=False,
    )
    return buffer.getvalue()


def _resvg() -> Any:
    try:
        import resvg_py
    except ImportError:
        raise PictureError("a PNG needs resvg-py: install sheshbesh[site]") from None
    return resvg_py
