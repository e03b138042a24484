"""The door for files: bytes or a path in, a match out."""

from __future__ import annotations

import os
from pathlib import Path

from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.i18n import Text
from sheshbesh.records.fibs import looks_like_fibs, read_fibs
from sheshbesh.records.gnubg_text import looks_like_gnubg_text, read_gnubg_text
from sheshbesh.records.mat import looks_like_mat, read_mat
from sheshbesh.records.model import Match, at_line
from sheshbesh.records.own_read import looks_like_json, looks_like_record, read_json, read_record
from sheshbesh.records.positions import looks_like_position, read_position
from sheshbesh.records.replay import replay_match
from sheshbesh.records.sgf import looks_like_sgf, read_sgf
from sheshbesh.records.text import MOST_BYTES, MOST_JSON, MOST_TEXT, decode
from sheshbesh.records.xg import read_xg
from sheshbesh.records.xg_container import MAGIC


def read_match(source: str | bytes | os.PathLike[str]) -> Match:
    """Read a match file of whatever program.

    Parameters
    ----------
    source : str or bytes or os.PathLike[str]
        A path, the bytes of the file or its text. The kind of file is recognised by its content, never from
        its name.

    Returns
    -------
    Match
        The match; what was unclear or wrong in the file is in its `repairs`.

    Raises
    ------
    RecordError
        The file holds no match; what was found and what was expected is said, with the line.
    OSError
        The path cannot be opened.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> game = sb.Game("backgammon", dice=[(3, 1)])
    >>> game.play("8/5 6/5") if game.roll() else None
    >>> sb.write_match(game, "opening.mat")
    >>> [event.play for event in sb.read_match("opening.mat").games[0].events]
    ['8/5 6/5']
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return _read(bytes(source))
    if isinstance(source, str) and ("\n" in source or "\r" in source or len(source) > 1024):
        return _read(source.encode("utf-8", errors="surrogatepass"))
    path = Path(source)
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise RecordError(
            Text("{file}: {n} bytes; a match file has at most {most}", file=path, n=size, most=MOST_BYTES)
        )
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        return _read(data)
    except RecordError as error:
        raise RecordError(Text("{file}: {why}", file=path, why=error)) from None


def _read(data: bytes) -> Match:
    if len(data) > MOST_BYTES:
        raise RecordError(Text("{n} bytes; a match file has at most {most}", n=len(data), most=MOST_BYTES))
    if not data.strip():
        raise RecordError(Text("the file is empty: expected a match"))
    try:
        return _by_content(data)
    except RecordError:
        raise
    except SheshbeshError as error:
        raise RecordError(Text("no match can be read: {why}", why=error)) from None
    except RecursionError:
        raise RecordError(Text("the file is nested too deeply to be a match")) from None


def _by_content(data: bytes) -> Match:
    if data.startswith(MAGIC):
        return replay_match(read_xg(data))
    text, repairs = decode(data)
    if looks_like_record(text):
        return read_record(text)
    if looks_like_json(text):
        if len(text) > MOST_JSON:
            raise RecordError(
                Text("{n} characters; the JSON of a match has at most {most}", n=len(text), most=MOST_JSON)
            )
        return read_json(text)
    for looks_like, read, limited in _TEXTS:
        if looks_like(text):
            if limited:
                _limit(text)
            raw = read(text)
            raw.repairs[:0] = repairs
            return replay_match(raw)
    raise RecordError(
        at_line(1, Text("no match file that is known begins with {text}", text=repr(text.strip()[:40])))
    )


_TEXTS = (
    (looks_like_gnubg_text, read_gnubg_text, False),
    (looks_like_mat, read_mat, True),
    (looks_like_fibs, read_fibs, True),
    (looks_like_sgf, read_sgf, False),
    (looks_like_position, read_position, True),
)
"""The kinds of text: what tells one, its reader, and whether the limit of texts without analysis holds."""


def _limit(text: str) -> None:
    if len(text) > MOST_TEXT:
        raise RecordError(
            Text("{n} characters; the text of a match has at most {most}", n=len(text), most=MOST_TEXT)
        )
