"""Reading the text of a match: two columns, one grammar, many dialects (`.mat`, `.txt`).

    5 point match

     Game 1
     anna : 0                        boris : 0
      1) 31: 8/5 6/5                 62: 24/18 13/11
      2)  Doubles => 2                Drops
          Wins 1 point

White is the left column, whatever the tags say. The grammar and the dialects: docs/guide/match-files.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.records.entry import (
    DUMPED,
    NOT_KNOWN,
    Entry,
    IllegalDump,
    RawGame,
    RawMatch,
    left_out,
    parse_dump,
)
from sheshbesh.records.model import at_line
from sheshbesh.records.positions import set_position
from sheshbesh.records.text import MOST_ROW, dialect_of, variant_named
from sheshbesh.rules import Side

LENGTH = re.compile(r"^\s*(\d{1,6})\s+point\s+match\b", re.IGNORECASE)
_UNLIMITED = re.compile(r"^\s*(?:unlimited|money)\s+(?:game|match|session)\b", re.IGNORECASE)
_GAME = re.compile(r"^\s*Game\s+(\d{1,6})\s*$", re.IGNORECASE)
_TAG = re.compile(r"^\s*;\s*\[\s*([^\"\[\]]+?)\s+\"(.*)\"\s*\]\s*$")
_SET = re.compile(r"^\s*;\s*Set\s+Pos\s*=\s*(\S+)", re.IGNORECASE)
_SET_REST = re.compile(r":(\d{1,2}):(-?1|0):(-?1)(?:[:/]|$)")
_CRAWFORD = re.compile(r"^\s*;\s*Crawford game:\s*(yes|no)\s*$", re.IGNORECASE)
_SCORE = re.compile(r"^\s*(\S.*?|)\s*:\s*(\d{1,6})\s+(\S.*?|)\s*:\s*(\d{1,6})\s*$")
_ROW = re.compile(r"^\s*(\d{1,6})\s*\)(.*)$")
_RATED = re.compile(r"^(.*\S)\s*,\s*(\d{2,5})$")
_DUMP = re.compile(r"Illegal play\s*\((.*?)\)(?=\s|$)", re.IGNORECASE)
_CELL = re.compile(
    r"(?P<dice>(?<![\d/])[0-6]\s?[0-6]\s*:)"
    r"|(?P<double>\b(?:re)?doubles?\b)"
    r"|(?P<take>\b(?:takes?|accepts?)\b)"
    r"|(?P<drop>\b(?:drops?|passes|rejects)\b)"
    r"|(?P<beaver>\b(?:beavers?|raccoons?)\b)"
    r"|(?P<wins>\bwins?\b)"
    r"|(?P<resign>\b(?:loses|losses|concedes?|resign(?:s|ed)?)\b)"
    r"|(?P<hidden>(?<![?:\d])(?<![:\d] ) ?\?{2,})",
    re.IGNORECASE,
)
_POINTS = re.compile(r"^\s*(?:[=-]*>?\s*)?-?\d*\s*(?:points?)?(?:\s*and the match)?\s*[.!]?", re.IGNORECASE)
_ANSWER = re.compile(r"^\s*[.!]?")
_SAYS = {
    **dict.fromkeys(("double", "beaver", "wins", "resign"), _POINTS),
    **dict.fromkeys(("take", "drop"), _ANSWER),
}
"""What may stand behind a keyword."""
_NUMBER = re.compile(r"(?<![0-9-])-?[0-9]{1,9}")
_DANCE = re.compile(r"cannot\s*move|can't\s*move|no\s*(?:legal\s*)?(?:move|play)|dances?", re.IGNORECASE)
_PLAYED = re.compile(r"^(?:(?:bar|b|\d{1,2})/\S+)", re.IGNORECASE)
_MOST_LINES = 30_000
_LEFT = 12
"""A cell that begins at most this many characters behind the number of its row stands in the left column."""


@dataclass(slots=True)
class _Cell:
    """A cell of a row: what it is, where it stands, and the text behind its keyword."""

    kind: str
    side: Side
    text: str
    rest: str


def looks_like_mat(text: str) -> bool:
    """Return True if the beginning of a text is that of a match in two columns."""
    head = text[:20_000]
    return any(
        LENGTH.match(line) or _GAME.match(line) or _UNLIMITED.match(line) for line in head.splitlines()
    )


def read_mat(text: str) -> RawMatch:
    """Take the text apart; RecordError, naming the line, if it is no match."""
    lines = text.splitlines()
    if len(lines) > _MOST_LINES:
        raise RecordError(at_line(_MOST_LINES, Text("a match with this many rows cannot be read")))
    reader = _Reader(RawMatch("mat", ""))
    for number, line in enumerate(lines, start=1):
        if not reader.take(number, line):
            break
    return reader.finish(text)


class _Reader:
    """The rows of one text, taken one after the other."""

    def __init__(self, raw: RawMatch) -> None:
        self.raw = raw
        self.game: RawGame | None = None
        self.number = 0
        self.length_at = 0
        self.scored = False
        self.ratings = False
        self.swapped = False
        self.row = 0
        self.row_found = ""
        self.blank: tuple[int, str] | None = None
        self.dumps: list[IllegalDump] = []

    def take(self, number: int, line: str) -> bool:
        """Read a row; False where another match begins."""
        if len(line) > MOST_ROW:
            raise RecordError(
                at_line(number, Text("a row of {n} characters: expected a row of a match", n=len(line)))
            )
        if not line.strip():
            return True
        if line.lstrip().startswith(";"):
            self._comment(number, line)
        elif (match := LENGTH.match(line)) or _UNLIMITED.match(line):
            if self.length_at and (self.game or self.raw.games):
                self._another(number, line)
                return False
            self.raw.length = int(match[1]) or None if match else None
            self.length_at = number
        elif match := _GAME.match(line):
            self._begin(number, int(match[1]))
        elif self.game is not None and not self.scored and (match := _SCORE.match(line)):
            self._score(number, line, match)
        elif self.game is not None:
            self._row(number, line)
        else:
            self.raw.repair(number, line, Text("this is no part of a match"), Text("left out"))
        return True

    def _another(self, number: int, line: str) -> None:
        self.raw.repair(
            number, line, Text("another match begins in the same file"), Text("only the first is read")
        )

    def _comment(self, number: int, line: str) -> None:
        if match := _TAG.match(line):
            if self.raw.tags.setdefault(match[1], match[2]) != match[2]:
                self.raw.repair(number, line, Text("this tag has another value above"), Text("left out"))
        elif match := _SET.match(line):
            self._set(number, line, match[1])
        elif self.game is not None and (match := _CRAWFORD.match(line)):
            self.game.crawford = match[1].lower() == "yes"
        elif self.game is not None:
            remark = line.strip().lstrip("; ").strip()
            if remark:
                self.game.entries.append(Entry("comment", None, number, line, text=remark))

    def _set(self, number: int, line: str, text: str) -> None:
        if self.game is None:
            self.raw.repair(number, line, Text("a position is set up outside a game"), Text("left out"))
            return
        board = set_position(text)
        if board is None:
            self.raw.repair(number, line, Text("this position cannot be read"), Text("left out"))
            return
        board = {self._column(side): board[side] for side in Side}
        entry = Entry("set", None, number, line, board=board)
        if told := _SET_REST.search(text):
            left, right = self._column(Side.WHITE), self._column(Side.BLACK)
            entry.value, entry.side = 2 ** int(told[1]), left if told[3] == "1" else right
            entry.owner = {"1": left, "-1": right}.get(told[2])
        entry.hole, self.game.hole = self.game.hole, False
        self.game.entries.append(entry)

    def _column(self, side: Side) -> Side:
        """The side of a column of this game, White's being the left one of the first."""
        return side.other if self.swapped else side

    def _begin(self, number: int, game: int) -> None:
        self.game = RawGame(game, 0, 0, number)
        self.raw.games.append(self.game)
        self.scored = self.swapped = False
        self.row, self.blank = 0, None

    def _score(self, number: int, line: str, match: re.Match[str]) -> None:
        assert self.game is not None
        names = []
        for tag, name in (("White rating", match[1]), ("Black rating", match[3])):
            rated = _RATED.match(name)
            if rated and not self.raw.tags.get("Site"):
                self.raw.tags.setdefault(tag, rated[2])
                self.ratings = True
                name = rated[1]
            names.append(name.strip())
        known = [self.raw.white, self.raw.black]
        if not any(known):
            self.raw.white, self.raw.black = names
        elif names == known[::-1] != known:
            self.swapped = True
        elif names != known and any(names):
            self.raw.repair(
                number, line, Text("the names are others than before"), Text("read as the same two players")
            )
        scores = int(match[2]), int(match[4])
        self.game.white, self.game.black = scores[::-1] if self.swapped else scores
        self.scored = True

    # Rows

    def _row(self, number: int, line: str) -> None:
        assert self.game is not None
        numbered = _ROW.match(line)
        body = numbered[2] if numbered else line
        if numbered and not self._follows(number, line, int(numbered[1])):
            return
        if numbered and not body.strip():
            self.blank = number, line
            return
        left = _LEFT if numbered else 20
        body = self._without_dumps(number, body)
        cells = list(_cells(body, left))
        if not cells:
            self.game.hole |= bool(numbered)
            done = left_out(lost=bool(numbered))
            self.raw.repair(number, line, Text("this row cannot be read"), done)
            return
        gap = body[: _start(body)]
        if gap.strip():
            self.game.hole |= bool(numbered)
            self.raw.repair(
                number,
                line,
                Text("{gap} cannot be read", gap=repr(gap.strip())),
                left_out(lost=bool(numbered)),
            )
        for cell in cells:
            self._cell(number, cell)

    def _follows(self, number: int, line: str, row: int) -> bool:
        """Hold the number of a row against the one before; False for a row that stands twice."""
        assert self.game is not None
        last, self.row = self.row, row
        found, self.row_found = self.row_found, line.strip()
        if row == last and found == line.strip():
            self.raw.repair(number, line, Text("this row stands twice"), Text("left out"))
            return False
        if row != last + 1 and (row, last) != (0, 0):
            self.raw.repair(
                number,
                line,
                Text("row {row} follows row {last}", row=row, last=last),
                Text("read as it stands; {not_known}", not_known=NOT_KNOWN),
            )
            self.game.hole = True
        return True

    def _without_dumps(self, number: int, body: str) -> str:
        def keep(match: re.Match[str]) -> str:
            dump = parse_dump(match[1])
            if dump is None:
                self.raw.repair(
                    number, match[0], Text("this dump of a position cannot be read"), Text("left out")
                )
                return "@illegal"
            self.dumps.append(dump)
            return f"@{len(self.dumps) - 1}"

        # "@" marks what was taken out, so one that the file has itself may not be taken for such a mark.
        return _DUMP.sub(keep, body.replace("@", " "))

    def _cell(self, number: int, cell: _Cell) -> None:
        assert self.game is not None
        if self.blank is not None and cell.kind not in ("wins", "resign", "hidden"):
            self.raw.repair(*self.blank, Text("nothing stands in this row"), left_out(lost=True))
            self.game.hole = True
        self.blank = None
        entry = Entry("roll", self._column(cell.side), number, cell.text.strip(), hole=self.game.hole)
        self.game.hole = False
        if cell.kind in _SAYS and (more := _SAYS[cell.kind].sub("", cell.rest, count=1).strip()):
            self.raw.repair(number, cell.text, Text("{gap} cannot be read", gap=repr(more)), Text("left out"))
        match cell.kind:
            case "dice":
                digits = [int(each) for each in cell.text if each in "0123456"][:2]
                entry.dice = (digits[0], digits[1])
                self._played(entry, cell.rest.strip())
            case "hidden":
                entry.kind = "resign"
            case "double" | "beaver":
                entry.kind = "double" if cell.kind == "double" else "beaver"
                entry.value = _first_number(cell.rest)
            case "wins":
                entry.kind, entry.value = "wins", _first_number(cell.rest)
            case "resign":
                entry.kind, entry.value = "resign", _first_number(cell.rest)
            case "take":
                entry.kind = "take"
            case _:
                entry.kind = "drop"
        if entry.kind == "resign":
            self._leave_roll(entry)
        self.game.entries.append(entry)

    def _leave_roll(self, entry: Entry) -> None:
        """`32: Concedes`: the roll was not played."""
        assert self.game is not None
        entries = self.game.entries
        if entries and entries[-1].kind == "roll" and entries[-1].line == entry.line:
            last = entries[-1]
            if last.side is entry.side and last.text == "":
                last.text = None

    def _played(self, entry: Entry, text: str) -> None:
        """The part of a cell behind the dice."""
        if match := re.match(r"@([0-9]+)\s*$", text):
            dump = self.dumps[int(match[1])]
            entry.board = dump.board(entry.side or Side.WHITE, self.raw.white, self.raw.black)
            entry.text = DUMPED
            entry.found = re.sub(r"@[0-9]+", "Illegal play (...)", entry.found)
        elif text.startswith(("?", "@")):
            entry.text = None
        elif _DANCE.search(text):
            entry.text, entry.dance = "", True
        else:
            words = text.split()
            kept = [word for word in words if _PLAYED.match(word)]
            if len(kept) < len(words):
                other = " ".join(word for word in words if not _PLAYED.match(word))
                if set(other) <= set("? ") and other:
                    kept = []
                    entry.text = None
                    return
                self.raw.repair(
                    entry.line,
                    text,
                    Text("{other} is no part of a play", other=repr(other)),
                    Text("left out"),
                )
            entry.text = " ".join(kept)

    # The end

    def finish(self, text: str) -> RawMatch:
        """The whole file; RecordError if there was no match in it."""
        raw = self.raw
        if not raw.games:
            if not self.length_at:
                raise RecordError(at_line(1, Text("expected a line like '5 point match' or 'Game 1'")))
            raise RecordError(at_line(self.length_at, Text("no game follows the length of the match")))
        if not self.length_at:
            raw.repair(1, "", Text("the length of the match is not written"), Text("read as money play"))
        if not any(game.entries for game in raw.games):
            raise RecordError(at_line(raw.games[0].line, Text("there is no row in any game of this match")))
        tags = {key.lower(): value.strip().lower() for key, value in raw.tags.items()}
        raw.crawford_rule = tags.get("crawford", "on") != "off"
        raw.jacoby = {"on": True, "off": False}.get(tags.get("jacoby", ""))
        raw.beavers = tags.get("beaver", "") == "on"
        self._variant(tags.get("variation", "backgammon"))
        raw.dialect = dialect_of(text, raw.tags, ratings=self.ratings)
        for game in raw.games:
            _turn_rows(game)
        return raw

    def _variant(self, name: str) -> None:
        found = variant_named(name)
        if found is not None:
            self.raw.variant = found
        elif name:
            self.raw.repair(1, name, Text("this game is not known"), Text("read as backgammon"))


def _turn_rows(game: RawGame) -> None:
    """Resolve what the columns leave open: standalone results after `Losses` or `Concedes`."""
    entries = game.entries
    for index, entry in enumerate(entries):
        if entry.kind == "wins" and index and entries[index - 1].kind == "resign":
            loser = entries[index - 1].side
            if loser is not None and entries[index - 1].line == entry.line:
                entry.side = loser.other


def _cells(body: str, left: int) -> Iterator[_Cell]:
    """The cells of a row with their columns."""
    starts = list(_CELL.finditer(body))
    sides: list[Side] = []
    for index, match in enumerate(starts):
        if index == 0:
            sides.append(Side.WHITE if match.start() <= left else Side.BLACK)
        else:
            sides.append(Side.BLACK)
    for index, match in enumerate(starts):
        kind = match.lastgroup or ""
        end = starts[index + 1].start() if index + 1 < len(starts) else len(body)
        side = sides[index]
        shares = index and _shares_column(body, starts[index - 1], match)
        if shares:
            side = sides[index] = sides[index - 1]
        yield _Cell(kind, side, body[match.start() : end], body[match.end() : end])


def _shares_column(body: str, before: re.Match[str], here: re.Match[str]) -> bool:
    """Return True if a keyword belongs to the roll before it, as in `32: Concedes`."""
    between = body[before.end() : here.start()]
    return here.lastgroup in ("resign", "hidden") and before.lastgroup == "dice" and len(between) <= 2


def _start(body: str) -> int:
    match = _CELL.search(body)
    return match.start() if match else len(body)


def _first_number(text: str) -> int | None:
    match = _NUMBER.search(text)
    return int(match[0]) if match else None
