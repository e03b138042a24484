"""Read the files of others up to a size, so that none can fill the memory or hang a parser."""

from __future__ import annotations

import errno
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

from sheshbesh.i18n import Text

KIB: Final = 1 << 10
MIB: Final = 1 << 20

MOST_SETTINGS: Final = 256 * KIB
"""Bytes of a file that somebody has written by hand: a game, a recipe, a table."""

MOST_DATA: Final = 64 * MIB
"""Bytes of a file that a program has written: a review, a deck, a rollout, a net."""

_MOST_PARTS: Final = 8
"""Parts of a key of TOML: the parser's time grows with the square of their number."""

_PROSE = re.compile(
    r"""\"{3}(?:\\.|[^\\])*?(?:\"{3}|\Z) | '{3}.*?(?:'{3}|\Z)
    | "(?:\\.|[^"\\\n])*+" | '[^'\n]*+' | \#[^\n]*+""",
    re.DOTALL | re.VERBOSE,
)
"""Strings and comments of TOML, in which dots mean nothing."""

_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{_MOST_PARTS}}}")


def read_bytes(path: str | os.PathLike[str], most: int = MOST_DATA) -> bytes:
    """The bytes of a file, of standard input for "-"; OSError for one of more than `most`, too."""
    if str(path) == "-":
        return _checked(sys.stdin.buffer.read(most + 1), path, most)
    with Path(path).open("rb") as file:
        return _checked(file.read(most + 1), path, most)


def _checked(data: bytes, path: str | os.PathLike[str], most: int) -> bytes:
    if len(data) > most:
        raise OSError(errno.EFBIG, Text("it has more than {size}", size=size_name(most)), str(path))
    return data


def size_name(size: int) -> str:
    """A number of bytes as people say it."""
    return f"{size // MIB} MiB" if size >= MIB else f"{size // KIB} KiB"


def read_text(path: str | os.PathLike[str], most: int = MOST_DATA) -> str:
    """The text of a file in UTF-8; OSError as for `read_bytes`, UnicodeDecodeError where it is none."""
    return read_bytes(path, most).decode("utf-8-sig")


def parse_toml(text: str) -> dict[str, Any]:
    """The content of a TOML text; TOMLDecodeError where it is none, or its keys have too many parts."""
    shown = _PROSE.sub(lambda found: "s" + "\n" * found[0].count("\n"), text)
    if (found := _LONG_KEY.search(shown)) is not None:
        line = shown.count("\n", 0, found.start()) + 1
        raise tomllib.TOMLDecodeError(
            f"A key has more than {_MOST_PARTS} parts between dots (at line {line}, column 1)"
        )
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("It is nested too deep (at end of document)") from None
