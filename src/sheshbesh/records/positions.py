"""Single positions: ids of every program, and the texts that XG and BGBlitz copy to the clipboard.

Those texts are in the language of their user, some with decimal commas. They are read by their numbers and
their order, never by their words: the board from the id in them, candidates from numbered rows, the cube
from its three equities. Every position of a text is a game of its own; what is no number of theirs is kept
as a comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.formats.any_id import AnyPosition, kind_of_id, parse_any_id
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.records.board import counts, steps_of_text
from sheshbesh.records.entry import Counts, Entry, RawCandidate, RawCube, RawGame, RawMatch
from sheshbesh.records.model import at_line
from sheshbesh.records.text import MOST_ROW
from sheshbesh.rules import Position, Side, variant
from sheshbesh.rules.ids import stripped

_PLACES = 26
_IDS = re.compile(
    r"(?:\bxgid\s*(?:[=:]|%3D)\s*)?(?<![\w:-])(?P<xgid>[-A-Oa-o]{26}(?:(?::|%3A)-?\w+){8,9})(?!\w|:\w|%3A)"
    r"|(?<![\w:-])(?P<ogid>[0-9a-q]*:[0-9a-q]*:[NWBD?]\d{1,2}[NOTP](?::[^\s:]*){0,8})"
    r"|position[- ]id\s*:?\s*(?P<gnu>[A-Za-z0-9+/]{14})(?![\w+/])",
    re.IGNORECASE,
)
_PAIR = re.compile(r"(?<![\w+/:])[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}(?![\w+/:])")
_MATCH_ID = re.compile(r"Match[- ]ID\s*:?\s*([A-Za-z0-9+/]{12})(?![\w+/])", re.IGNORECASE)


def _rows(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Compile a pattern of single rows: white space in it ends with the row, or blank rows would be slow."""
    return re.compile(pattern.replace(r"\s", r"[^\S\n]"), re.MULTILINE | flags)


_NUMBER = r"[-+−]?\d+[.,]\d+"
_MEANT = _rows(r"^\s*(?:xgid|gnu(?:bg)?[ -]?id|ogid)\s*[=:%]", re.IGNORECASE)
_XG_NAMES = _rows(r"^\s*X:\s*(.*?)\s+O:\s*(.*?)\s*$")
_LEGEND = _rows(r"[+|]\s{2,}([OX]):\s(.*?)\s{2,}\d+\s*$")
_XG_ROW = _rows(rf"^\s*\d+\.\s+(\S.*?)\s+eq:\s*({_NUMBER})")
_BLITZ_ROW = _rows(rf"^\s*\d+\.\s+{_NUMBER}\s+\w+\s*/\s*({_NUMBER})\s*(?:\(\s*{_NUMBER}\s*\))?\s+(\S.*?)\s*$")
_BLITZ_CHANCES = _rows(
    rf"^\s*({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s+-\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s*$"
)
_PERCENT = _rows(rf"({_NUMBER})\s*%\s*\(\s*\w+:\s*({_NUMBER})\s*%\s+\w+:\s*({_NUMBER})\s*%\s*\)")
_XG_CUBE = _rows(rf"^\s+\S[^:\n]*:\s*([-+−]\d+[.,]\d+)\s*(?:\(\s*{_NUMBER}\s*\))?\s*$")
_BLITZ_CUBE = _rows(
    rf"^\s*(\S[^:\n]*?)\s*:\s*{_NUMBER}\s*\(\s*{_NUMBER}\s*\)\s+({_NUMBER})\s*\(\s*{_NUMBER}\s*\)\s*$"
)
_BLITZ_WINS = _rows(rf"^\s*(\S.*?)\s{{2,}}({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s*$")
_BOARD_ROW = re.compile(r"^[\sv^]*(?:\||\+[-\d])|^[\s*]*GNU Backgammon|^\s*[=_-]+\s*$")
_SAID = re.compile(r"\d")
_MOST_TEXT = 100_000
_MOST_POSITIONS = 500


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
    """Return True if there is an id of a position in a text, or what is meant to be one."""
    if len(text) > _MOST_TEXT:
        return False
    if _IDS.search(text) or _PAIR.search(text) or _MEANT.search(text):
        return True
    return "\n" not in text.strip() and kind_of_id(text) not in (None, ("own", text.strip()))


@dataclass(frozen=True, slots=True)
class IdInText:
    """An id, where in the text it begins and ends, and whether the text calls it a Position ID."""

    text: str
    begin: int
    end: int
    is_labelled: bool = False


def ids_in(text: str) -> list[IdInText]:
    """The ids in a text, in their order; if there is none, the line that comes nearest to one."""
    found = [_spelled(text, match) for match in _IDS.finditer(text)]
    taken = [(each.begin, each.end) for each in found]
    for match in _PAIR.finditer(text):
        if not any(begin <= match.start() < end for begin, end in taken):
            found.append(IdInText(match[0], match.start(), match.end()))
    if found:
        return sorted(found, key=lambda each: each.begin)
    meant = _MEANT.search(text)
    begin = meant.start() if meant else 0
    line = text[begin:].lstrip().split("\n")[0] if meant else stripped(text)
    return [IdInText(line, begin, begin + len(line))]


def _spelled(text: str, match: re.Match[str]) -> IdInText:
    """The id as `parse_any_id` reads it; gnubg writes its two ids in two lines."""
    if match["xgid"]:
        return IdInText(f"XGID={match['xgid']}", match.start(), match.end())
    if match["ogid"]:
        return IdInText(f"OGID={match['ogid']}", match.start(), match.end())
    score = _MATCH_ID.match(text[match.end() : match.end() + 80].lstrip())
    said = f"{match['gnu']}:{score[1]}" if score else match["gnu"]
    return IdInText(said, match.start(), match.end(), is_labelled=True)


def read_position(text: str) -> RawMatch:
    """Positions, with their analysis, as a match of unfinished games; RecordError if there is none.

    All of them have to be of one match length; others are left out, with a repair.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > MOST_ROW:
            raise RecordError(
                at_line(
                    number,
                    Text("a row of {n} characters: at most {most} can be read", n=len(line), most=MOST_ROW),
                )
            )
    raw = RawMatch("position", "id")
    ids = _distinct(text, ids_in(text))
    if len(ids) > _MOST_POSITIONS:
        raise RecordError(
            Text("{n} positions in one text; at most {most} can be read", n=len(ids), most=_MOST_POSITIONS)
        )
    for index, (where, here) in enumerate(ids):
        before = ids[index - 1][0].end if index else 0
        after = ids[index + 1][0].begin if index + 1 < len(ids) else len(text)
        _position(raw, _Part(text, before, where, after, last=index + 1 == len(ids)), here)
    if not raw.games:
        raise RecordError(at_line(1, Text("there is no position in this text")))
    entries = [entry for game in raw.games for entry in game.entries]
    if any(entry.candidates or entry.cube for entry in entries):
        raw.analysed_by = {"xg": "eXtreme Gammon", "bgblitz": "BGBlitz"}.get(raw.dialect, "unknown")
    return raw


def _distinct(text: str, ids: list[IdInText]) -> list[tuple[IdInText, AnyPosition]]:
    """Return what the ids say; of two programs' ids of one position, one below the other, that which says
    more."""
    found: list[tuple[IdInText, AnyPosition]] = []
    for each in ids:
        line = text.count("\n", 0, each.begin) + 1
        try:
            here = parse_any_id(each.text, variant("backgammon"))
        except SheshbeshError as error:
            raise RecordError(at_line(line, error.message)) from None
        if not found or not _says_the_same(text, *found[-1], each, here):
            found.append((each, here))
        elif here.kind == "xgid":
            found[-1] = (each, here)
    return found


def _says_the_same(
    text: str, before: IdInText, last: AnyPosition, where: IdInText, here: AnyPosition
) -> bool:
    """Return True if ids of two programs, one below the other in one text, are of one position."""
    labelled = before.is_labelled or where.is_labelled
    if not labelled or last.kind == here.kind or "\n\n" in text[before.end : where.begin]:
        return False
    return _seen_by_mover(last.position) == _seen_by_mover(here.position)


def _seen_by_mover(position: Position) -> tuple[list[int], list[int]]:
    """The checkers of the side on roll and of the other: programs disagree about who is White."""
    board = counts(position)
    return board[position.turn], board[position.turn.other]


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of a text that belongs to one id: what stands before it (a diagram), and behind it."""

    whole: str
    before: int
    id: IdInText
    after: int
    last: bool

    @property
    def line(self) -> int:
        return self.whole.count("\n", 0, self.id.begin) + 1

    @property
    def head(self) -> str:
        return self.whole[self.before : self.id.begin]

    @property
    def body(self) -> str:
        """From the end of the id's line up to the diagram of the next position."""
        text = self.whole[self.id.end : self.after]
        if not self.last:
            diagram = re.search(r"^[^\S\n]*\+(?:13|12|24)-.*\Z", text, re.MULTILINE | re.DOTALL)
            text = text[: diagram.start()] if diagram else text
        return text


def _position(raw: RawMatch, part: _Part, here: AnyPosition) -> None:
    match = here.match or MatchState()
    if raw.games and (match.length, bool(match.jacoby), match.beavers) != (
        raw.length,
        bool(raw.jacoby),
        raw.beavers,
    ):
        reason = Text("another position of the same text is of another match length or other rules for money")
        raw.repair(part.line, part.id.text, reason, Text("left out: read it by itself"))
        return
    raw.length, raw.jacoby, raw.beavers = match.length, bool(match.jacoby), match.beavers
    _names(raw, part)
    side = here.position.turn
    game = RawGame(len(raw.games) + 1, match.white, match.black, part.line, crawford=match.crawford)
    owner = None if match.owner is None else Side.of(match.owner)
    placed = Entry(
        "set", side, part.line, "position", board=counts(here.position), value=match.cube, owner=owner
    )
    game.entries.append(placed)
    cube = _cube(part.body, side)
    candidates = _candidates(raw, part)
    if here.dice is not None:
        dice = (here.dice.first, here.dice.second)
        entry = Entry("roll", side, part.line, f"{dice[0]}{dice[1]}", dice, None)
        entry.candidates, candidates = candidates, []
        placed.cube, cube = cube, None
        game.entries.append(entry)
    elif here.offer is not None:
        game.entries.append(Entry("double", side, part.line, "double", cube=cube))
        answers = {"double": 0, "beaver": 1, "raccoon": 2}[here.offer]
        sides = (side.other, side)
        game.entries += [Entry("beaver", sides[turn], part.line, here.offer) for turn in range(answers)]
    else:
        placed.cube = cube
    if candidates:
        raw.repair(
            part.line, part.id.text, Text("plays are weighed though no dice are thrown"), Text("left out")
        )
    note = _note(part)
    if note:
        game.entries.append(Entry("comment", None, part.line, text=note))
    raw.games.append(game)


def _names(raw: RawMatch, part: _Part) -> None:
    names: tuple[str, str] | None = None
    if match := _XG_NAMES.search(part.body):
        names, dialect = (match[1].strip(), match[2].strip()), "xg"
    elif legend := dict(_LEGEND.findall(part.head)):
        names, dialect = (legend.get("X", "").strip(), legend.get("O", "").strip()), "bgblitz"
    elif "GNU Backgammon" in part.head + part.body:
        dialect = "gnubg"
    else:
        return
    raw.dialect = dialect
    if names is None:
        return
    if not raw.games or not (raw.white or raw.black):
        raw.white, raw.black = names
    elif names != (raw.white, raw.black):
        raw.repair(
            part.line,
            f"{names[0]}, {names[1]}",
            Text("other players than those of the first position"),
            Text("left out"),
        )


def _note(part: _Part) -> str:
    """Return what somebody wrote below a position: the rows that hold no number and are no row of a
    program's."""
    rows = []
    for row in part.body.split("\n")[1:]:
        plain = row.strip()
        if not plain or _BOARD_ROW.match(row) or _XG_NAMES.match(row) or _LEGEND.search(row):
            continue
        if _of_program(plain):
            continue
        rows.append(plain)
    return "\n".join(rows)


def _of_program(row: str) -> bool:
    """Return True if a row is one that a program writes: it has equities, chances, a score, or is a
    heading."""
    if re.search(r"\d+[.,]\d+|\beq:|%|\bto (?:move|play)\b|G\+BG|\(EMG\)", row) or re.match(
        r"eXtreme Gammon|XGID|Position[- ]ID|Match[- ]ID", row
    ):
        return True
    if re.search(r"\bX:\s*\d+ O:\s*\d+", row) or re.match(
        r"[^:]{1,24}\s?[:(][^.!?]*\d[^.!?]*$|\S+ - \d+ \S+ - \d+", row
    ):
        return True
    # "X to play 52", "Rot to move.", "Cubeless equities", "Best cube action: double / take": in any language
    # a heading is short, a label before a colon, or names the side on roll.
    return bool(re.match(r"[XO] \S+(?: \S+){0,3}$|[^.!?:]{1,40}:(?: [^.!?]*)?$", row)) or (
        bool(_SAID.search(row)) and len(row.split()) <= 5
    )


def _float(text: str) -> float:
    return float(text.replace(",", ".").replace("−", "-"))


def _candidates(raw: RawMatch, part: _Part) -> list[RawCandidate]:
    text, found = part.body, []
    rows = list(_XG_ROW.finditer(text))
    for index, row in enumerate(rows):
        end = rows[index + 1].start() if index + 1 < len(rows) else len(text)
        shares = _PERCENT.findall(text, row.end(), end)[:2]
        depth, name = _split(row[1])
        found.append((name, _float(row[2]), _percent(shares), depth))
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
            raw.repair(part.line, name, Text("this play cannot be read"), Text("left out"))
            continue
        candidates.append(RawCandidate(steps, equity, chances, depth))
    return candidates


def _split(text: str) -> tuple[str, str]:
    """Return how deep XG looked, and the play: the words with a stroke at the end of the row."""
    words = text.split()
    at = len(words)
    while at and "/" in words[at - 1]:
        at -= 1
    return " ".join(words[:at]), " ".join(words[at:])


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
