"""The container of eXtreme Gammon's files: a header, a picture, and members packed with zlib.

Layout published by its maker (extremegammon.com/XGformat.aspx): `RGMH`, the size of the header (8,232) at
byte 8, then the members `temp.xg` (records of 2,560 bytes), `temp.xgi`, `temp.xgr`, `temp.xgc`, each a zlib
stream, and an index that is packed as well.
"""

from __future__ import annotations

import re
import zlib

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text

MAGIC = b"RGMH"
RECORD = 2560
_HEADER = 8232
_STREAM = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_MOST_UNPACKED = 64 * 2**20
_MOST_TRIES = 2000
_MOST_COMMENTS = 2**20


def members(data: bytes) -> list[bytes]:
    """The unpacked members in their order; RecordError if the container is broken or unpacks too large."""
    size = int.from_bytes(data[8:12], "little") if len(data) >= 12 else 0
    if not data.startswith(MAGIC) or not 28 <= size <= len(data):
        raise RecordError(
            Text(
                "byte 8: a header of {size} bytes in a file of {n}: expected an .xg file",
                size=size,
                n=len(data),
            )
        )
    found: list[bytes] = []
    at, left, tries = size, _MOST_UNPACKED, 0
    while (match := _STREAM.search(data, at)) is not None:
        tries += 1
        if tries > _MOST_TRIES:
            break
        unpacked = _unpack(data, match.start(), left)
        if unpacked is None:
            at = match.start() + 1
            continue
        member, at = unpacked
        left -= len(member)
        found.append(member)
    return found


def _unpack(data: bytes, start: int, left: int) -> tuple[bytes, int] | None:
    """The stream that begins here and the place behind it; None if there is none, or none that is whole."""
    unpacker = zlib.decompressobj()
    try:
        # A thumbnail has such bytes by chance: the first bytes are checked before more is unpacked.
        member = unpacker.decompress(data[start : start + 4096], 1)
        member += unpacker.decompress(unpacker.unconsumed_tail + data[start + 4096 :], left + 1)
    except zlib.error:
        return None
    if len(member) > left:
        raise RecordError(
            Text("byte {start}: the file unpacks to more than {most} bytes", start=start, most=_MOST_UNPACKED)
        )
    if not unpacker.eof:
        return None
    return member, len(data) - len(unpacker.unused_data)


def contents(data: bytes) -> tuple[list[bytes], list[str]]:
    """The records of the match, and the comments that they point to; RecordError if there is no match."""
    unpacked = members(data)
    candidates = [member for member in unpacked if member and len(member) % RECORD == 0 and member[8] == 0]
    if not candidates:
        raise RecordError(
            Text(
                "byte {start}: no whole member with the records of a match: the file is cut off",
                start=_HEADER,
            )
        )
    main = max(candidates, key=len)
    texts = next((member for member in unpacked if member.startswith(b"{\\rtf")), b"")
    comments = [plain_rtf(line) for line in texts[:_MOST_COMMENTS].split(b"\r\n")]
    return [main[at : at + RECORD] for at in range(0, len(main), RECORD)], comments


def records(data: bytes) -> list[bytes]:
    """The records of the match; RecordError if there are none."""
    return contents(data)[0]


def plain_rtf(data: bytes) -> str:
    """The words of a comment in Rich Text Format; bytes 1 and 2 stand for the end of a line."""
    text = data.replace(b"\x01\x02", b"\n").decode("cp1252", errors="replace").strip()
    text = text.removeprefix("{").removesuffix("}")
    # Tables of fonts and colours are groups of their own.
    text = re.sub(r"\{[^{}]*\}", "", re.sub(r"\{[^{}]*\}", "", text))
    text = re.sub(r"\\'([0-9a-f]{2})", lambda m: bytes.fromhex(m[1]).decode("cp1252", "replace"), text)
    text = re.sub(r"\\u(\d{1,5})\??", lambda m: chr(int(m[1])) if int(m[1]) < 0xD800 else "", text)
    text = re.sub(r"\\par\b", "\n", text)
    text = re.sub(r"\\[a-z]+-?\d* ?", "", text)
    lines = (" ".join(line.split()) for line in text.replace("{", "").replace("}", "").splitlines())
    return "\n".join(line for line in lines if line)
