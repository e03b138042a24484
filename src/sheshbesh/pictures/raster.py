"""Pictures of boards as PNG, and games as animations; needs the packages of the extra `site`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

from sheshbesh.errors import SheshbeshError

WIDTHS: Final = range(200, 1601)
"""Pixels that a picture may be wide."""
_COLOURS: Final = 64
"""Colours of an animation."""


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
    frames, palette = list[bytes](), list[int]()
    for drawing in drawings:
        made, palette = frame(drawing, width, palette)
        frames.append(made)
    return joined(frames, seconds)


def frame(drawing: str, width: int, palette: Sequence[int] = ()) -> tuple[bytes, list[int]]:
    """One frame of an animation as PNG, and the palette of all, red, green and blue of each colour in turn.

    The first frame is drawn without a palette and makes it: colours that change from frame to frame would
    flicker, and cost bytes.
    """
    image = _pillow()
    with image.open(io.BytesIO(png(drawing, width))) as picture:
        flat = picture.convert("RGB")
    if not palette:
        palette = flat.quantize(_COLOURS, method=image.Quantize.MEDIANCUT).getpalette()
    paints = image.new("P", (1, 1))
    paints.putpalette(palette)
    buffer = io.BytesIO()
    flat.quantize(palette=paints, dither=image.Dither.NONE).save(buffer, "PNG", compress_level=6)
    return buffer.getvalue(), list(palette)


def joined(frames: Sequence[bytes], seconds: Sequence[float]) -> bytes:
    """The GIF of frames made by `frame`, each shown for its `seconds`."""
    image = _pillow()
    first, *others = (image.open(io.BytesIO(each)) for each in frames)
    buffer = io.BytesIO()
    first.save(
        buffer,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[round(1000 * each) for each in seconds],
        loop=0,
        optimize=False,
    )
    return buffer.getvalue()


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise PictureError("an animation needs Pillow: install sheshbesh[site]") from None
    return Image


def _resvg() -> Any:
    try:
        import resvg_py
    except ImportError:
        raise PictureError("a PNG needs resvg-py: install sheshbesh[site]") from None
    return resvg_py
