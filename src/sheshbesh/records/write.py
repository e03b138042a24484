"""Writing a match to a file of whatever program."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Protocol

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.records.mat_write import DIALECTS, format_mat
from sheshbesh.records.model import Match
from sheshbesh.records.own_write import format_record
from sheshbesh.records.sgf_write import format_sgf
from sheshbesh.session import Record

FORMS = ("json", "mat", "sgf", "record")
_SUFFIXES = {
    ".mat": "mat",
    ".txt": "mat",
    ".sgf": "sgf",
    ".json": "json",
    ".jsonl": "record",
    ".record": "record",
}


class HasMatch(Protocol):
    """An object that can be told as a match: a game that is played from Python."""

    def to_match(self) -> Match:
        """Return the match as it stands."""

    def to_record(self) -> Record:
        """Return its record, with every draw and offer."""


def format_match(match: Match | HasMatch, form: str, *, dialect: str = "xg") -> bytes:
    """The bytes of a file of this form: "json", "mat" (in a dialect), "sgf" or "record".

    RecordError says why, if such a file cannot hold the match.
    """
    if not isinstance(match, Match):
        if form == "record":
            return match.to_record().to_text().encode()
        match = match.to_match()
    if form == "mat":
        return format_mat(match, dialect).encode()
    if form == "sgf":
        return format_sgf(match).encode()
    if form == "record":
        return format_record(match).encode()
    if form == "json":
        return (json.dumps(match.to_data(), ensure_ascii=False, indent=1) + "\n").encode()
    raise RecordError(f"no form {form!r} of match files: expected {', '.join(FORMS)}")


def write_match(
    match: Match | HasMatch, path: str | os.PathLike[str], *, dialect: str = "xg", form: str | None = None
) -> None:
    """Write a match, or a game that is played, to a file.

    Parameters
    ----------
    match : Match or HasMatch
        The match, or a `Game`.
    path : str or os.PathLike[str]
        The file.
    dialect : str
        The spelling of a .mat file, "xg" or "gnubg".
    form : str, optional
        The form; by the suffix without it: .mat, .txt, .sgf, .json, .jsonl.

    Raises
    ------
    RecordError
        The file cannot hold the match.
    OSError
        It cannot be written.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.write_match(sb.Game("tavla", dice=[(6, 5)]), "game.jsonl")
    """
    path = Path(path)
    if form is None:
        form = _SUFFIXES.get(path.suffix.lower())
        if form is None:
            raise RecordError(
                Text(
                    "{file}: expected a name in {suffixes}, or a form of {forms}",
                    file=path,
                    suffixes=", ".join(_SUFFIXES),
                    forms=", ".join(FORMS),
                )
            )
    path.write_bytes(format_match(match, form, dialect=dialect))


__all__ = ["DIALECTS", "FORMS", "format_match", "write_match"]
