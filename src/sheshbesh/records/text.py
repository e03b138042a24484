"""Bytes of unknown origin as text, within limits, and which program wrote it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.records.model import Repair, at_line
from sheshbesh.rules import variants

MOST_BYTES = 32 * 2**20
"""The largest file that is looked at. Analysed matches to 25 points have less than 4 MiB."""
MOST_ROW = 4000
"""Characters in one row of a match beyond which it is none."""
MOST_TEXT = 3 * 2**20
"""The largest text without analysis; a session of a thousand games has less."""

MOST_JSON = 12 * 2**20
"""The largest JSON form, with analysis; that of a match to 25 points has less than 8 MiB."""

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
                raise RecordError(
                    Text("byte {start}: the file begins as {name} but is none", start=error.start, name=name)
                ) from None
    try:
        return _checked(data.decode("utf-8")), []
    except UnicodeDecodeError as error:
        at = error.start
    name = _guess(data)
    text = _checked(data.decode(name, errors="replace"))
    line = data.count(b"\n", 0, at) + 1
    found = data[max(at - 10, 0) : at + 10].decode(name, errors="replace")
    label = {"cp1252": "Windows-1252", "shift_jis": "Shift-JIS"}[name]
    return text, [
        Repair(line, found.strip(), Text("the text is not UTF-8"), Text("read as {label}", label=label))
    ]


def _checked(text: str) -> str:
    at = text.find("\0")
    if at >= 0:
        line = text.count("\n", 0, at) + 1
        raise RecordError(at_line(line, Text("a null byte: expected the text of a match")))
    return text


def _guess(data: bytes) -> str:
    """Japanese programs wrote Shift-JIS: its first bytes are control codes or punctuation in Windows-1252."""
    try:
        data.decode("shift_jis")
    except UnicodeDecodeError:
        return "cp1252"
    return "shift_jis" if any(0x81 <= byte <= 0x9F for byte in data) else "cp1252"


_SITES = (
    ("galaxy", "galaxy"),
    ("opengammon", "opengammon"),
    ("foxamon", "foxamon"),
    ("choue", "choue"),
    ("playok", "playok"),
    ("gridgammon", "gridgammon"),
    ("dailygammon", "dailygammon"),
    ("backgammon studio", "studio"),
    ("heroes", "studio"),
    ("extreme gammon", "xg"),
    ("gnu backgammon", "gnubg"),
)


def dialect_of(text: str, tags: Mapping[str, str], *, ratings: bool) -> str:
    """A name such as "xg" or "galaxy"; by the site's own tag, else by the spelling of bar and off."""
    site = tags.get("Site", "").lower()
    for sign, name in _SITES:
        if sign in site:
            if name == "galaxy" and "Bar/" in text:
                return "xg"
            return name
    if re.search(r"\d\) .*\bBar/|/Off\b|Cannot Move", text):
        return "studio" if re.search(r"\bbar/|/off\b", text) else "xg"
    if re.search(r"\bbar/|/off\b", text):
        return "studio"
    if tags and not ratings:
        return "gnubg"
    return "gridgammon" if ratings else "jellyfish"


def variant_named(name: str) -> str | None:
    """The game that a tag calls `name`, whatever its capitals and spaces; None if it is not known."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    return next((each for each in variants() if re.sub(r"[^a-z0-9]", "", each) == plain), None)
