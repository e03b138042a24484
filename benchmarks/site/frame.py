"""What a client that measures must read of a frame, and no more: the rest would cost what is measured.

The server writes a state as a head, what everybody sees, and at the end what is this viewer's own.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

_VERSION, _KEY, _PHASE, _OWN = b'"v":', b'"key":"', b'"phase":"', b'"you":['


class Seen(NamedTuple):
    """The match after event `v`: its key, its phase, and what this viewer may do."""

    v: int
    key: str
    phase: str
    own: dict[str, Any]


def see(frame: bytes) -> Seen:
    """Read a frame of type `state`; ValueError where it is not written as expected."""
    own = frame.rindex(_OWN)
    return Seen(
        int(_between(frame, _VERSION, b",")),
        _between(frame, _KEY, b'"').decode(),
        _between(frame, _PHASE, b'"').decode(),
        json.loads(b"{" + frame[own:-1]),
    )


def _between(frame: bytes, before: bytes, after: bytes) -> bytes:
    start = frame.index(before) + len(before)
    return frame[start : frame.index(after, start)]
