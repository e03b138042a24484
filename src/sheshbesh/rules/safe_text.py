"""Texts from files that are safe to show, and the characters that are not.

A control character can move the cursor, ring, or write into the window's title; a bidirectional control
can show a line in another order than it is read; other default-ignorable characters are invisible. The
zero-width joiner and non-joiner are ordinary in Persian, Arabic and Indic words and are let pass.
"""

from __future__ import annotations

import re

_TRICKS = (
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls
    "\u2028\u2029\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff"  # separators, annotations, halves, tags
    "\ufffe\uffff"  # no characters, and not let into XML
)
_INVISIBLE = (
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
_UNFIT = re.compile(f"[{_TRICKS}{_INVISIBLE}]")
_UNFIT_IN_LINES = re.compile(f"(?![\n\t])[{_TRICKS}{_INVISIBLE}]")
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_TRICK = re.compile(f"[{_TRICKS}]")
_TRICK_IN_LINES = re.compile(f"(?![\n\t])[{_TRICKS}]")


def unfit_character(text: str, *, lines: bool = False) -> str | None:
    """The first character that no text of a game may have, as `U+001B`; None if there is none.

    With `lines`, line ends and tabs are let pass.
    """
    found = (_UNFIT_IN_LINES if lines else _UNFIT).search(text)
    return None if found is None else f"U+{ord(found[0]):04X}"


def one_line(text: str) -> str:
    """A name from outside as it is listed: on one line, without what no text of a game may have."""
    return " ".join(_UNFIT.sub("", _SPACES.sub(" ", text)).split())


def escaped(text: object, *, lines: bool = False) -> str:
    r"""The text with every character that could trick a terminal written out, such as `\x1b`."""
    return (_TRICK_IN_LINES if lines else _TRICK).sub(_written, str(text))


def _written(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
