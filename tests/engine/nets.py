"""A writer of nets in the format of cpp/include/sheshbesh/engine/net.h, in plain Python.

Nets with random weights are valid and know nothing; their values still depend on the whole position,
so they serve for everything but strength. The writer shares no code with the reader it tests.
"""

from __future__ import annotations

import hashlib
import json
import random
import struct
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.engines import Classes
from sheshbesh.rules.axes import TABLE_ONLY

MAGIC = b"SSHNET01"
INPUT_SET = 2


def fnv1a(data: bytes) -> int:
    """The 64-bit FNV-1a hash."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def _little(kind: str, values: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(values)}{kind}", *values)


def random_net(
    *,
    units: int,
    classes: int,
    widths: Sequence[int] = (64, 16),
    shift: int = 2,
    input_set: int = INPUT_SET,
    seed: int = 0,
) -> bytes:
    """The file of a net with random weights, small enough that no sum of the first layer overflows."""
    chance = random.Random(f"net {seed}")

    def draw(count: int, limit: int) -> list[int]:
        return chance.choices(range(-limit, limit + 1), k=count)

    head = struct.pack("<4I", input_set, units, len(widths), classes)
    parts = [MAGIC, head, _little("I", widths), struct.pack("<I", shift)]
    parts.append(_little("h", draw(units * widths[0], 16)))
    parts.append(_little("h", draw(widths[0], 200)))
    for wide, narrow in pairwise(widths):
        parts.append(_little("b", draw(wide * narrow, 40)))
        parts.append(_little("i", draw(narrow, 1000)))
        # About a third of the outputs lie inside 0 .. 127.
        parts.append(_little("f", [0.06 / wide**0.5] * narrow))
    parts.append(_little("h", draw(classes * widths[-1], 100)))
    parts.append(_little("f", [chance.uniform(-0.3, 0.3) for _ in range(classes)]))
    parts.append(_little("f", [4e-4 / widths[-1] ** 0.5] * classes))
    body = b"".join(parts)
    return body + struct.pack("<Q", fnv1a(body))


def manifest_of(content: bytes, games: Iterable[sb.Variant], **changes: object) -> dict[str, Any]:
    """What the manifest of a net says that was made for these rules; `changes` replace fields."""
    rules = list(games)
    first = rules[0]
    classes = Classes.of(first)
    return {
        "format": 1,
        "input_set": INPUT_SET,
        "game": first.data.name,
        "title": first.title,
        "fingerprints": {each.fingerprint: {"options": dict(each.options)} for each in rules},
        "axes": {
            f"{table}.{key}": [_plain(value)]
            for table, keys in first.axes.items()
            if table not in TABLE_ONLY
            for key, value in keys.items()
        },
        "classes": [list(each) for each in classes.wins],
        "tie": classes.has_tie,
        "sha256": hashlib.sha256(content).hexdigest(),
        "recipe": {"name": "random weights, for tests"},
        **changes,
    }


def write_net(folder: Path, *games: sb.Variant, name: str = "", seed: int = 0, **changes: object) -> Path:
    """Write a random net for these rules and its manifest; the path of the weights."""
    content = random_net(units=len(_core.unit_scale()), classes=len(Classes.of(games[0])), seed=seed)
    path = folder / f"{name or games[0].name}.net"
    path.write_bytes(content)
    path.with_suffix(".json").write_text(json.dumps(manifest_of(content, games, **changes)))
    return path


def _plain(value: object) -> object:
    return {str(key): part for key, part in value.items()} if isinstance(value, Mapping) else value
