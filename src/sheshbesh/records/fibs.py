"""Reading FIBS's `oldmoves`: a row for each roll and cube action, X and O for the players.

    Score is 0-0 in a 3 point match.
    X is anna - O is boris
    X: (6 1) 13-7 8-7
    O: (3 2) 24-21 13-11

X is White. Points are those of the mover, or of one of the players for both. Docs: docs/guide/match-files.md.
"""

from __future__ import annotations

import re

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.records.entry import Entry, RawGame, RawMatch, left_out
from sheshbesh.records.model import at_line
from sheshbesh.records.text import MOST_ROW
from sheshbesh.rules import Side

_SCORE = re.compile(
    r"^\s*Score is (\d{1,6})-(\d{1,6}) in an? (?:(\d{1,6})[ -]point|unlimited|money)\b.*$",
    re.IGNORECASE | re.MULTILINE,
)
_NAMES = re.compile(r"^\s*X is (.+?)\s+-\s+O is (.+?)\s*$", re.IGNORECASE)
_ROW = re.compile(r"^\s*([XO])\s*:\s*(?:\(\s*([1-6])\s+([1-6])\s*\))?\s*(.*?)\s*$")
_STEP = re.compile(r"(bar|\d{1,2})-(off|home|bar|\d{1,2})", re.IGNORECASE)
_DONE = (
    (re.compile(r"(?:re)?doubles", re.IGNORECASE), "double"),
    (re.compile(r"accepts|takes", re.IGNORECASE), "take"),
    (re.compile(r"rejects|drops|passes", re.IGNORECASE), "drop"),
    (re.compile(r"beavers|raccoons", re.IGNORECASE), "beaver"),
    (re.compile(r"wins", re.IGNORECASE), "wins"),
    (re.compile(r"resigns|gives up", re.IGNORECASE), "resign"),
)


def looks_like_fibs(text: str) -> bool:
    """Return True if the beginning of a text is that of FIBS's `oldmoves`."""
    return _SCORE.search(text[:2000]) is not None


def read_fibs(text: str) -> RawMatch:
    """Take the text apart; X is White. RecordError, naming the line, if it is no match."""
    raw, game = RawMatch("fibs", "fibs"), None
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > MOST_ROW:
            raise RecordError(
                at_line(number, Text("a row of {n} characters: expected a row of a match", n=len(line)))
            )
        if score := _SCORE.match(line):
            length = int(score[3]) if score[3] else None
            if raw.games and length != raw.length:
                raise RecordError(
                    at_line(
                        number, Text("another match begins in the same text: {found}", found=repr(line[:80]))
                    )
                )
            raw.length = length
            game = RawGame(len(raw.games) + 1, int(score[1]), int(score[2]), number)
            raw.games.append(game)
        elif names := _NAMES.match(line):
            if (raw.white or raw.black) and (raw.white, raw.black) != (names[1], names[2]):
                raise RecordError(
                    at_line(
                        number, Text("another match begins in the same text: {found}", found=repr(line[:80]))
                    )
                )
            raw.white, raw.black = names[1], names[2]
        elif (row := _ROW.match(line)) and game is not None:
            _row(raw, game, number, line, row)
        elif line.strip():
            raw.repair(number, line, Text("this is no part of a match"), Text("left out"))
    if not any(game.entries for game in raw.games):
        raise RecordError(at_line(1, Text("there is no row in any game of this match")))
    return raw


def _row(raw: RawMatch, game: RawGame, number: int, line: str, row: re.Match[str]) -> None:
    side, said = (Side.WHITE if row[1] == "X" else Side.BLACK), row[4].rstrip(". ")
    entry = Entry("roll", side, number, line, hole=game.hole)
    game.hole = False
    if row[2]:
        entry.dice = int(row[2]), int(row[3])
        if re.search(r"can'?t move|cannot move", said, re.IGNORECASE):
            entry.text, entry.dance = "", True
        else:
            entry.text = _play(said) if said else None
        game.entries.append(entry)
        return
    kind = next((kind for pattern, kind in _DONE if pattern.match(said)), None)
    if kind is None:
        raw.repair(number, line, Text("this row cannot be read"), left_out(lost=True))
        game.hole = True
        return
    entry.kind = kind  # type: ignore[assignment]
    value = re.search(r"\d{1,6}", said)
    if value and kind in ("wins", "resign"):
        entry.value = int(value[0])
    game.entries.append(entry)


def _play(text: str) -> str:
    """The play in the mover's own numbers: some programs count all points as one of the players does."""
    steps = _STEP.findall(text)
    if len(steps) != len(text.split()):
        return text
    rising = any(_rises(origin.lower(), target.lower()) for origin, target in steps)
    own = [[_own(place.lower(), rising=rising) for place in step] for step in steps]
    return " ".join("/".join(step) for step in own)


def _rises(origin: str, target: str) -> bool:
    if origin == "bar":
        return target.isdecimal() and int(target) <= 6
    return int(origin) > 6 if not target.isdecimal() else int(target) > int(origin)


def _own(place: str, *, rising: bool) -> str:
    if not place.isdecimal():
        return "off" if place == "home" else place
    return str(25 - int(place)) if rising else place
