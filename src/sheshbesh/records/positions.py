"""Single positions: XGID, GNU Backgammon's ids, and the texts that XG and BGBlitz copy to the clipboard.

Those texts are in the language of their user, some with decimal commas. They are read by their numbers and
their order, never by their words: the board from the id in them, candidates from numbered rows, the cube
from its three equities.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.formats.gnubg_id import parse_gnubg_id
from sheshbesh.formats.xgid import parse_xgid
from sheshbesh.match import MatchState
from sheshbesh.records.board import counts, steps_of_text
from sheshbesh.records.entry import Counts, Entry, RawCandidate, RawCube, RawGame, RawMatch
from sheshbesh.rules import Position, Roll, Side, variant

_PLACES = 26
_XGID = re.compile(r"XGID\s*=\s*([-A-Oa-o]{26}(?::-?\w+){8,9})")
_GNU = re.compile(r"(?<![\w/+])([A-Za-z0-9+/]{14})(?:\s*:\s*([A-Za-z0-9+/]{12}))?(?![\w+/])")
_MATCH_ID = re.compile(r"Match[- ]ID\s*:?\s*([A-Za-z0-9+/]{12})(?![\w+/])", re.IGNORECASE)
_POSITION_ID = re.compile(r"Position[- ]ID\s*:?\s*([A-Za-z0-9+/]{14})(?![\w+/])", re.IGNORECASE)
_NUMBER = r"[-+−]?\d+[.,]\d+"
_XG_NAMES = re.compile(r"^\s*X:(.*?)\s{2,}O:(.*?)\s*$", re.MULTILINE)
_LEGEND = re.compile(r"[+|]\s{2,}([OX]):\s(.*?)\s{2,}\d+\s*$", re.MULTILINE)
_XG_ROW = re.compile(rf"^\s*\d+\.\s+(\S.*?)\s{{2,}}(\S.*?)\s+eq:\s*({_NUMBER})", re.MULTILINE)
_BLITZ_ROW = re.compile(
    rf"^\s*\d+\.\s+{_NUMBER}\s+\w+\s*/\s*({_NUMBER})\s*(?:\(\s*{_NUMBER}\s*\))?\s+(\S.*?)\s*$", re.MULTILINE
)
_BLITZ_CHANCES = re.compile(
    rf"^\s*({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s+-\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s*$",
    re.MULTILINE,
)
_PERCENT = re.compile(rf"({_NUMBER})\s*%\s*\(\s*\w+:\s*({_NUMBER})\s*%\s+\w+:\s*({_NUMBER})\s*%\s*\)")
_XG_CUBE = re.compile(rf"^\s+\S[^:\n]*:\s*([-+−]\d+[.,]\d+)\s*(?:\(\s*{_NUMBER}\s*\))?\s*$", re.MULTILINE)
_BLITZ_CUBE = re.compile(
    rf"^\s*(\S[^:\n]*?)\s*:\s*{_NUMBER}\s*\(\s*{_NUMBER}\s*\)\s+({_NUMBER})\s*\(\s*{_NUMBER}\s*\)\s*$",
    re.MULTILINE,
)
_BLITZ_WINS = re.compile(rf"^\s*(\S.*?)\s{{2,}}({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s*$", re.MULTILINE)
_MOST_TEXT = 100_000


def set_position(text: str) -> Counts | None:
    """The checkers of XG's `Set Pos=` line: the board of an XGID; None if it is none."""
    board = text.split("/")[0].split(":")[0]
    if len(board) != _PLACES:
        return None
    found: Counts = {Side.WHITE: [0] * 25, Side.BLACK: [0] * 25}
    for column, letter in enumerate(board):
        if letter == "-":
            continue
        number = ord(letter.upper()) - ord("A") + 1 if letter.isascii() and letter.isalpha() else 0
        if not 1 <= number <= 15:
            return None
        # The ends are the bars: either case is in circulation there.
        side = Side.BLACK if column == 0 else Side.WHITE if column == 25 else None
        side = side or (Side.WHITE if letter.isupper() else Side.BLACK)
        found[side][(column if side is Side.WHITE else 25 - column) - 1] = number
    return found


def looks_like_position(text: str) -> bool:
    """Whether there is an id of a position in a text."""
    if len(text) > _MOST_TEXT:
        return False
    if _XGID.search(text) or _POSITION_ID.search(text):
        return True
    return _GNU.fullmatch(text.strip()) is not None


def read_position(text: str) -> RawMatch:
    """A position, with its analysis, as a match of one unfinished game; RecordError if none."""
    raw = RawMatch("position", "id")
    try:
        if match := _XGID.search(text):
            here = _from_xgid(raw, match[1])
        else:
            here = _from_gnu(raw, text)
    except RecordError:
        raise
    except SheshbeshError as error:
        raise RecordError(f"line 1: {error}") from None
    _names(raw, text)
    game = RawGame(1, here.white, here.black, 1, crawford=here.crawford)
    game.entries.append(
        Entry("set", here.side, 1, "position", board=here.board, value=here.cube, owner=here.owner)
    )
    cube = _cube(text, here.side)
    if here.dice is not None:
        entry = Entry("roll", here.side, 1, f"{here.dice[0]}{here.dice[1]}", here.dice, None)
        entry.candidates = _candidates(raw, text)
        game.entries.append(entry)
    elif here.doubled:
        game.entries.append(Entry("double", here.side, 1, "double", cube=cube))
    else:
        game.entries[0].cube = cube
    raw.games.append(game)
    if any(entry.candidates or entry.cube for entry in game.entries):
        raw.analysed_by = {"xg": "eXtreme Gammon", "bgblitz": "BGBlitz"}.get(raw.dialect, "unknown")
    return raw


@dataclass(frozen=True, slots=True)
class _Here:
    """What an id says."""

    board: Counts
    side: Side
    cube: int
    owner: Side | None
    white: int
    black: int
    crawford: bool
    dice: tuple[int, int] | None
    doubled: bool


def _from_xgid(raw: RawMatch, text: str) -> _Here:
    found = parse_xgid("XGID=" + text, variant("backgammon"))
    match = found.match
    raw.length, raw.jacoby, raw.beavers = match.length, bool(match.jacoby), match.beavers
    return _here(found.position, match, found.dice, doubled=found.offer is not None)


def _from_gnu(raw: RawMatch, text: str) -> _Here:
    """GNU Backgammon's Position ID and Match ID. White is its player 0."""
    named = _POSITION_ID.search(text)
    match = _GNU.search(named[1] if named else text.strip())
    assert match is not None
    score = _MATCH_ID.search(text)
    key = score[1] if score else match[2]
    found = parse_gnubg_id(f"{match[1]}:{key}" if key else match[1], variant("backgammon"))
    if found.match is None:
        return _here(found.position, MatchState(), None, doubled=False)
    raw.length, raw.jacoby = found.match.length, bool(found.match.jacoby)
    return _here(found.position, found.match, found.dice, doubled=found.doubled)


def _here(position: Position, match: MatchState, dice: Roll | None, *, doubled: bool) -> _Here:
    return _Here(
        counts(position),
        position.turn,
        match.cube,
        None if match.owner is None else Side.of(match.owner),
        match.white,
        match.black,
        match.crawford,
        None if dice is None else (dice.first, dice.second),
        doubled,
    )


def _names(raw: RawMatch, text: str) -> None:
    if match := _XG_NAMES.search(text):
        raw.white, raw.black, raw.dialect = match[1].strip(), match[2].strip(), "xg"
        return
    legend = dict(_LEGEND.findall(text))
    if legend:
        raw.white, raw.black = legend.get("X", "").strip(), legend.get("O", "").strip()
        raw.dialect = "bgblitz"
    elif "GNU Backgammon" in text:
        raw.dialect = "gnubg"


def _float(text: str) -> float:
    return float(text.replace(",", ".").replace("−", "-"))


def _candidates(raw: RawMatch, text: str) -> list[RawCandidate]:
    found = []
    rows = list(_XG_ROW.finditer(text))
    for index, row in enumerate(rows):
        end = rows[index + 1].start() if index + 1 < len(rows) else len(text)
        shares = _PERCENT.findall(text, row.end(), end)[:2]
        found.append((row[2], _float(row[3]), _percent(shares), row[1].strip()))
    if not rows:
        rows = list(_BLITZ_ROW.finditer(text))
        for index, row in enumerate(rows):
            end = rows[index + 1].start() if index + 1 < len(rows) else len(text)
            match = _BLITZ_CHANCES.search(text, row.end(), end)
            chances = None
            if match:
                numbers = [_float(each) for each in match.groups()]
                chances = (numbers[0], numbers[1], numbers[2], numbers[4], numbers[5])
            found.append((row[2], _float(row[1]), chances, ""))
    candidates = []
    for name, equity, chances, depth in found:
        try:
            steps = steps_of_text(_plain_play(name))
        except SheshbeshError:
            raw.repair(1, name, "this play cannot be read", "left out")
            continue
        candidates.append(RawCandidate(steps, equity, chances, depth))
    return candidates


def _plain_play(text: str) -> str:
    """A play with the words of any language for bar and off."""
    plain = re.sub(r"(?<![\w*)])[^\W\d_]+\s*/", "bar/", text)
    return re.sub(r"/[^\W\d_]+", "/off", plain)


def _percent(shares: list[tuple[str, str, str]]) -> tuple[float, float, float, float, float] | None:
    if len(shares) < 2:
        return None
    mine, theirs = ([_float(each) / 100 for each in row] for row in shares)
    return mine[0], mine[1], mine[2], theirs[1], theirs[2]


def _cube(text: str, side: Side) -> RawCube | None:
    """The three equities: XG writes no double, double and take, double and pass; BGBlitz the best first."""
    rows = _BLITZ_CUBE.findall(text)
    if len(rows) >= 3:
        none = next((_float(value) for label, value in rows if "/" not in label), None)
        doubled = [_float(value) for label, value in rows if "/" in label]
        if none is None or len(doubled) < 2:
            return None
        drop = 1.0 if 1.0 in doubled else max(doubled)
        doubled.remove(drop)
        return RawCube(none, doubled[0], 1.0, _blitz_chances(text, side))
    values = [_float(value) for value in _XG_CUBE.findall(text)]
    if len(values) < 3:
        return None
    return RawCube(values[-3], values[-2], values[-1], _percent(_PERCENT.findall(text)[:2]))


def _blitz_chances(text: str, side: Side) -> tuple[float, float, float, float, float] | None:
    """Rows of both players, O's first."""
    rows = [[_float(each) / 100 for each in row[1:]] for row in _BLITZ_WINS.findall(text)][:2]
    if len(rows) < 2:
        return None
    theirs, mine = rows if side is Side.WHITE else rows[::-1]
    return mine[0], mine[1], mine[2], theirs[1], theirs[2]
