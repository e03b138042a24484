"""Bytes of unknown origin as text, within limits."""

from __future__ import annotations

import codecs

from sheshbesh.errors import RecordError
from sheshbesh.records.model import Repair

MOST_BYTES = 32 * 2**20
"""The largest file that is looked at. Analysed matches to 25 points have less than 4 MiB."""
MOST_TEXT = 3 * 2**20
"""The largest text without analysis; a session of a thousand games has less."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes) -> tuple[str, list[Repair]]:
    """The text, and a repair where its encoding had to be guessed.

    A byte order mark decides; else UTF-8; else, for files of older programs, Shift-JIS or Windows-1252.
    RecordError if it is no text.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            try:
                return _checked(data[len(mark) :].decode(name)), []
            except UnicodeDecodeError as error:
                raise RecordError(f"byte {error.start}: the file begins as {name} but is none") from None
    try:
        return _checked(data.decode("utf-8")), []
    except UnicodeDecodeError as error:
        at = error.start
    name = _guess(data)
    text = _checked(data.decode(name, errors="replace"))
    line = data.count(b"\n", 0, at) + 1
    found = data[max(at - 10, 0) : at + 10].decode(name, errors="replace")
    label = {"cp1252": "Windows-1252", "shift_jis": "Shift-JIS"}[name]
    return text, [Repair(line, found.strip(), "the text is not UTF-8", f"read as {label}")]


def _checked(text: str) -> str:
    at = text.find("\0")
    if at >= 0:
        line = text.count("\n", 0, at) + 1
        raise RecordError(f"line {line}: a null byte: expected the text of a match")
    return text


def _guess(data: bytes) -> str:
    """Japanese programs wrote Shift-JIS: its first bytes are control codes or punctuation in Windows-1252."""
    try:
        data.decode("shift_jis")
    except UnicodeDecodeError:
        return "cp1252"
    return "shift_jis" if any(0x81 <= byte <= 0x9F for byte in data) else "cp1252"
