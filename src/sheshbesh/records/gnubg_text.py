"""Reading gnubg's text export of games, analysed or not (`export match text`).

A block begins with `Move number 3:  anna to play 63` and the Position and Match ID, which give the board
before it; `* anna moves bar/16` is what was done, and below it stand the analysis of the cube and the roll.
Totals of games are worked out again and not read. gnubg's player 0, O, is White. Docs:
docs/guide/match-files.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.formats.gnubg_id import GnubgPosition, parse_gnubg_id
from sheshbesh.i18n import Text
from sheshbesh.records.board import counts, steps_of_text
from sheshbesh.records.entry import Entry, RawCandidate, RawCube, RawGame, RawMatch
from sheshbesh.records.model import at_line
from sheshbesh.records.text import MOST_ROW
from sheshbesh.rules import Side, variant

_SCORE = re.compile(
    r"^The score \(after (\d{1,6}) games?\) is: (.*?) (\d{1,6}), (.*?) (\d{1,6})"
    r"(?: \(([^()]*)\))?((?:, .*)?)$"
)
_BLOCK = re.compile(r"^Move number (\d{1,6}):\s+(.*)$", re.MULTILINE)
_LENGTH = re.compile(r"match to (\d{1,6}) points?")
_PLAYER = re.compile(r"\s([OX]): (.*?)(?: \(Cube: \d+\))?\s*$")
_POSITION = re.compile(r"Position ID:\s*(\S{14})\s*$")
_MATCH = re.compile(r"Match ID\s*:\s*(\S{12})\s*$")
_DONE = re.compile(
    r"^\* (.*?) ?(moves (?P<play>\S.*)|cannot move|(?:re)?doubles|accepts|takes|rejects|passes|beavers"
    r"|raccoons|resigns.*)$"
)
_WINS = re.compile(r"^(.+) wins (\d{1,6}) points?\b(.*)$")
_NUMBER = r"[-+]?\d+\.\d+"
_ROLLED = re.compile(rf"^Rolled [1-6]{{2}}(?: \(({_NUMBER})(%?)\))?:?")
_WEIGHED = re.compile(rf"^(\*?)\s+(?:\d+\.|\?\?) +(.+?)\s*(?:Eq\.|MWC):\s*({_NUMBER})(%?)")
_CUBE = re.compile(rf"^\d\. (No (?:re)?double|(?:Double|Redouble), (?:take|pass|beaver))\s.*?({_NUMBER})(%?)")
_CUBELESS = re.compile(rf"^(\d+-ply|.*?) cubeless equity ({_NUMBER})")
_ROW = re.compile(rf"({_NUMBER}) ({_NUMBER}) ({_NUMBER}) - ({_NUMBER}) ({_NUMBER}) ({_NUMBER})")
_OF_BOARD = re.compile(r"^[ v^]?[+|]|^Pip counts:")
_SKIPPED = re.compile(
    r"^(?:Cube analysis|Cubeful equities:|Proper cube action:|Alert:|(?:Game|Match|Session) statistics"
    r"|Rollout|Output generated|Player  | ?by GNU Backgammon|\*?\s+Cannot move"
    r"|\s*\[[a-z ]+\]$)"
)
_TAGS = {"Date": "EventDate", "Event": "Event", "Place": "Site", "Round": "Round", "Annotator": "Transcriber"}
_TAG = re.compile(r"^(Date|Event|Place|Round|Annotator|Comments?):\s*(.*)$")
_MOST_LINES = 400_000


def looks_like_gnubg_text(text: str) -> bool:
    """Return True if a text has the blocks of such an export."""
    block = _BLOCK.search(text)
    return block is not None and "Position ID:" in text[block.end() : block.end() + 400]


@dataclass(slots=True)
class _Block:
    """The lines below one `Move number`."""

    line: int
    found: str
    ids: list[str] = field(default_factory=list)
    here: GnubgPosition | None = None
    entry: Entry | None = None
    cube: dict[str, float] = field(default_factory=dict)
    in_mwc: bool = False
    rows: list[tuple[float, ...]] = field(default_factory=list)
    cubeless: float | None = None
    depth: str = ""
    weighed: list[RawCandidate] = field(default_factory=list)
    played: int | None = None
    luck: float | None = None
    notes: list[str] = field(default_factory=list)


def read_gnubg_text(text: str) -> RawMatch:
    """Take the text apart; RecordError, naming the line, if it is no match."""
    lines = text.splitlines()
    if len(lines) > _MOST_LINES:
        raise RecordError(at_line(_MOST_LINES, Text("a match with this many rows cannot be read")))
    reader = _Reader(RawMatch("text", "gnubg", analysed_by="GNU Backgammon"))
    for number, line in enumerate(lines, start=1):
        if len(line) > MOST_ROW:
            raise RecordError(
                at_line(number, Text("a row of {n} characters: expected a row of a match", n=len(line)))
            )
        reader.take(number, line.rstrip())
    return reader.finish()


class _Reader:
    """The rows of one text, taken one after the other."""

    def __init__(self, raw: RawMatch) -> None:
        self.raw = raw
        self.game: RawGame | None = None
        self.block: _Block | None = None
        self.totals = False
        self.begun = False

    def take(self, number: int, line: str) -> None:
        """Read a row."""
        if match := _SCORE.match(line):
            self._begin(number, line, match)
        elif match := _BLOCK.match(line):
            self._close()
            self.totals = False
            self.block = _Block(number, match[2].strip())
        elif self.totals or not line.strip():
            return
        elif line.startswith(("Game statistics", "Match statistics", "Session statistics")):
            self._close()
            self.totals = True
        elif self.block is not None:
            self._row(self.block, number, line)
        elif match := _TAG.match(line):
            self.raw.tags.setdefault(_TAGS.get(match[1], "Comment"), match[2].strip())
        elif (match := _WINS.match(line)) and self.game is not None:
            self._wins(number, line, match)
        elif line.strip() != "Match Information:" and not _SKIPPED.match(line) and not _OF_BOARD.match(line):
            self.raw.repair(number, line, Text("this is no part of a match"), Text("left out"))

    def _begin(self, number: int, line: str, match: re.Match[str]) -> None:
        self._close()
        self.totals = False
        length = _LENGTH.search(match[6] or "")
        points = (int(length[1]) or None) if length else None
        if self.begun and (points, match[2], match[4]) != (self.raw.length, self.raw.white, self.raw.black):
            raise RecordError(
                at_line(number, Text("another match begins in the same text: {found}", found=repr(line[:80])))
            )
        self.raw.length, self.raw.white, self.raw.black = points, match[2], match[4]
        self.begun = True
        self.game = RawGame(int(match[1]) + 1, int(match[3]), int(match[5]), number)
        if points is not None:
            self.game.crawford = "crawford game" in match[7].lower()
        self.raw.games.append(self.game)

    # One block

    def _row(self, block: _Block, number: int, line: str) -> None:
        if match := _POSITION.search(line) or _MATCH.search(line):
            self._id(block, number, match[1])
        elif match := _WINS.match(line):
            self._close()
            self._wins(number, line, match)
        elif match := _DONE.match(line):
            self._done(block, number, line, match)
        elif match := _CUBE.match(line):
            block.cube[match[1].lower().replace("redouble", "double")] = float(match[2])
            block.in_mwc |= bool(match[3])
        elif match := _WEIGHED.match(line):
            self._weighed(block, number, line, match)
        elif match := _ROW.search(line):
            self._chances(block, tuple(float(each) for each in match.groups()))
        elif match := _CUBELESS.match(line):
            block.depth, block.cubeless = match[1], float(match[2])
        elif match := _ROLLED.match(line):
            if match[1] and not match[2]:
                block.luck = float(match[1])
        elif match := _PLAYER.search(line):
            self._name(match)
        elif not _SKIPPED.match(line) and not _OF_BOARD.match(line):
            block.notes.append(line.strip())

    def _id(self, block: _Block, number: int, text: str) -> None:
        block.ids.append(text)
        if len(block.ids) != 2:
            return
        try:
            block.here = parse_gnubg_id(":".join(block.ids), variant(self.raw.variant))
        except SheshbeshError as error:
            self.raw.repair(
                number,
                ":".join(block.ids),
                Text("this position cannot be read: {why}", why=error),
                Text("left out"),
            )
            return
        match = block.here.match
        assert match is not None
        if self.game is not None and not self.begun and match.length != self.raw.length:
            raise RecordError(
                at_line(number, Text("another match begins in the same text: {found}", found=repr(text)))
            )
        # Without headings the score tells where a game begins.
        before = self.game
        if before is None or (not self.begun and (before.white, before.black) != (match.white, match.black)):
            self.raw.length = match.length
            count = 1 if before is None else before.number + 1
            self.game = RawGame(count, match.white, match.black, block.line)
            if match.length is not None:
                self.game.crawford = match.crawford
            self.raw.games.append(self.game)
        if match.length is None and self.raw.jacoby is None:
            self.raw.jacoby = bool(match.jacoby)

    def _name(self, match: re.Match[str]) -> None:
        """The names beside the board, where no heading gives them."""
        if not self.begun:
            if match[1] == "O":
                self.raw.white = self.raw.white or match[2].strip()
            else:
                self.raw.black = self.raw.black or match[2].strip()

    def _done(self, block: _Block, number: int, line: str, match: re.Match[str]) -> None:
        """Note what was done; the ids say whose turn it is."""
        here = block.here
        if here is None or block.entry is not None or self.game is None:
            self.raw.repair(number, line, Text("no position tells whose turn this is"), Text("left out"))
            return
        verb, mover = match[2].split()[0], here.position.turn
        entry = Entry("roll", mover, number, line, given=counts(here.position))
        if match["play"] or verb == "cannot":
            if here.dice is None:
                self.raw.repair(number, line, Text("no dice are thrown for this play"), Text("left out"))
                return
            entry.dice, entry.text = (here.dice.first, here.dice.second), match["play"] or ""
            entry.dance = verb == "cannot"
        elif verb in ("doubles", "redoubles"):
            entry.kind, entry.value = "double", None
        else:
            entry.kind = {
                "accepts": "take",
                "takes": "take",
                "rejects": "drop",
                "passes": "drop",
                "beavers": "beaver",
                "raccoons": "beaver",
            }.get(verb, "resign")  # type: ignore[assignment]
            # After a double the side on roll still is the one that doubled.
            entry.side = mover if entry.kind == "resign" else mover.other
        block.entry = entry
        self.game.entries.append(entry)

    def _weighed(self, block: _Block, number: int, line: str, match: re.Match[str]) -> None:
        words = match[2].split()
        at = len(words)
        while at and "/" in words[at - 1]:
            at -= 1
        try:
            steps = steps_of_text(" ".join(words[at:])) if at < len(words) else ()
        except SheshbeshError:
            self.raw.repair(number, line, Text("this weighed play cannot be read"), Text("left out"))
            return
        if match[4]:
            self.raw.repair(
                number, line, Text("a play is weighed in winning chances"), Text("left out: export equities")
            )
            return
        if match[1]:
            block.played = len(block.weighed)
        block.weighed.append(RawCandidate(steps, float(match[3]), None, _depth(" ".join(words[:at]))))

    def _chances(self, block: _Block, row: tuple[float, ...]) -> None:
        """Chances below a weighed play are its own; before one, those of the position."""
        win, gammon, backgammon, _, lost_gammon, lost_backgammon = row
        if block.weighed:
            if block.weighed[-1].chances is None:
                block.weighed[-1].chances = (win, gammon, backgammon, lost_gammon, lost_backgammon)
        else:
            block.rows.append((win, gammon, backgammon, lost_gammon, lost_backgammon))

    def _close(self) -> None:
        """The end of a block: its analysis belongs to what was done."""
        block, self.block = self.block, None
        if block is None or self.game is None:
            return
        entry = block.entry
        if entry is None and block.here is not None and block.here.dice is not None:
            # Nothing was done with this roll: a player resigned.
            dice = block.here.dice
            entry = Entry(
                "roll", block.here.position.turn, block.line, block.found, (dice.first, dice.second)
            )
            entry.given = counts(block.here.position)
            self.game.entries.append(entry)
        if entry is not None:
            entry.cube = _cube(block, answer=entry.kind in ("take", "drop", "beaver"))
            if entry.kind == "roll":
                # A dance is no choice among plays.
                entry.candidates = [] if entry.dance else block.weighed
                entry.played, entry.luck = (None if entry.dance else block.played), block.luck
        if block.notes:
            self.game.entries.append(Entry("comment", None, block.line, text="\n".join(block.notes)))

    def _wins(self, number: int, line: str, match: re.Match[str]) -> None:
        assert self.game is not None
        side = {self.raw.white: Side.WHITE, self.raw.black: Side.BLACK}.get(match[1].strip())
        if side is None or self.raw.white == self.raw.black:
            self.raw.repair(number, line, Text("nobody of this name plays in this match"), Text("left out"))
            return
        self.game.entries.append(Entry("wins", side, number, line, value=int(match[2])))

    def finish(self) -> RawMatch:
        """The whole text; RecordError if there was no match in it."""
        self._close()
        raw = self.raw
        if not any(game.entries for game in raw.games):
            raise RecordError(
                at_line(1, Text("there is no play in this text: expected one exported by GNU Backgammon"))
            )
        if raw.length is None and raw.jacoby is None:
            raw.jacoby = False
        entries = (entry for game in raw.games for entry in game.entries)
        if not any(entry.candidates or entry.cube or entry.luck is not None for entry in entries):
            raw.analysed_by = None
        return raw


def _cube(block: _Block, *, answer: bool) -> RawCube | None:
    """The three equities, turned to the doubler's view where they are the answerer's."""
    none, take, drop = (block.cube.get(name) for name in ("no double", "double, take", "double, pass"))
    if take is None:
        take = block.cube.get("double, beaver")
    if none is None or take is None:
        return None
    rows = [(row[0], row[1], row[2], row[3], row[4]) for row in block.rows[:2]]
    depth = _depth(block.depth)
    if block.in_mwc:
        shares = [each / 100 for each in (none, take)]
        shares = [1 - each for each in shares] if answer else shares
        return RawCube(shares[0], shares[1], 1.0, depth=depth, in_mwc=True)
    if answer:
        return RawCube(-none, -take, -drop if drop is not None else 1.0, depth=depth)
    return RawCube(
        none,
        take,
        drop if drop is not None else 1.0,
        rows[0] if rows else None,
        rows[1] if len(rows) > 1 else None,
        block.cubeless,
        depth=depth,
    )


def _depth(text: str) -> str:
    """gnubg's words for a depth as its SGF has them."""
    match = re.search(r"(\d)-ply", text)
    return f"E {match[1]}C 1 0.000000 1" if match else " ".join(text.split())
