"""The findings of a reader in a file, before the rules have seen it.

A play that could not be exported is given by the position after it. `Illegal play (15;0;1;0;0;Morley;Tanguay;
0;9;9;1;0;<26 places>;<next dice>;)` is Snowie's position text with the board *after* the play: place 0 is the
bar of the second player named, 1 to 24 the points seen by the first (its checkers positive), 25 its bar. What
was moved is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.records.model import Repair, at_line
from sheshbesh.rules import Side

EntryKind: TypeAlias = Literal["roll", "double", "take", "drop", "beaver", "resign", "set", "wins", "comment"]

Counts: TypeAlias = dict[Side, list[int]]
"""25 numbers a side in its own numbering: points 1 to 24 and the bar."""


MOST_REPAIRS = 2000

DUMPED = "?dump"
"""The text of a play of which only the position after it is given."""

NOT_KNOWN = Text("the board is not known, until a position is given")


def left_out(*, lost: bool) -> Text:
    """Return what was done with something that is no entry; `lost` if it may have been a roll."""
    return Text("left out; {not_known}", not_known=NOT_KNOWN) if lost else Text("left out")


@dataclass(slots=True)
class RawCandidate:
    """A weighed play: its steps in the mover's own numbers (25 bar, 0 off) and its equity."""

    steps: tuple[tuple[int, int], ...]
    equity: float
    chances: tuple[float, float, float, float, float] | None = None
    depth: str = ""


@dataclass(slots=True)
class RawCube:
    """Equities of a cube decision in the doubler's view; `in_mwc` says that they are winning chances."""

    no_double: float
    double_take: float
    double_drop: float = 1.0
    chances: tuple[float, float, float, float, float] | None = None
    chances_take: tuple[float, float, float, float, float] | None = None
    cubeless: float | None = None
    cubeless_take: float | None = None
    depth: str = ""
    in_mwc: bool = False


@dataclass(slots=True)
class Entry:
    """One row, node or record: who did what, and its analysis.

    A "roll" has `dice` and either `text`, the play as written (None: hidden or never played, "": nothing
    written), or `steps`; `dance` says that the file itself calls it one. `value` is a cube value or points.
    `board` is the one that was set up or that a roll led to, `given` the one before it, where a file shows
    it. `hole` says that rolls are missing before it.
    """

    kind: EntryKind
    side: Side | None
    line: int
    found: str = ""
    dice: tuple[int, int] | None = None
    text: str | None = None
    steps: tuple[tuple[int, int], ...] | None = None
    dance: bool = False
    value: int | None = None
    board: Counts | None = None
    given: Counts | None = None
    owner: Side | None = None
    hole: bool = False
    candidates: list[RawCandidate] = field(default_factory=list)
    played: int | None = None
    cube: RawCube | None = None
    luck: float | None = None
    loss: float | None = None
    cube_loss: float | None = None


@dataclass(slots=True)
class RawGame:
    """One game of a file: the score before it, and its entries."""

    number: int
    white: int
    black: int
    line: int
    entries: list[Entry] = field(default_factory=list)
    crawford: bool | None = None
    result: tuple[Side | None, int] | None = None
    resigned: bool = False
    """True if the result says that it came by a resignation."""
    hole: bool = False
    """True while rolls are missing before the entry that comes next."""


@dataclass(slots=True)
class RawMatch:
    """A file taken apart."""

    format: str
    dialect: str
    white: str = ""
    black: str = ""
    length: int | None = None
    variant: str = "backgammon"
    tags: dict[str, str] = field(default_factory=dict)
    games: list[RawGame] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    crawford_rule: bool = True
    jacoby: bool | None = None
    beavers: bool = False
    analysed_by: str | None = None

    def repair(self, line: int, found: str, reason: str, done: str) -> None:
        """Note a repair; RecordError for more than `MOST_REPAIRS`: this is no match."""
        if len(self.repairs) >= MOST_REPAIRS:
            raise RecordError(
                at_line(
                    line, Text("more than {most} rows are not plain: this is no match", most=MOST_REPAIRS)
                )
            )
        self.repairs.append(Repair(line, found.strip()[:120], reason, done))


def is_crawford_due(length: int | None, white: int, black: int, *, played: bool) -> bool:
    """Return True if the score alone says that a game is the Crawford game; `played` says that there was
    one."""
    return (
        length is not None and length > 1 and not played and sorted((length - white, length - black))[0] == 1
    )


_DUMPED_BOARD = 12
_DUMPED_PLACES = 26


@dataclass(frozen=True, slots=True)
class IllegalDump:
    """The names of the two sides, the first one's checkers positive, and 26 places."""

    first: str
    second: str
    places: tuple[int, ...]

    def board(self, mover: Side, white: str, black: str) -> Counts:
        """The checkers by side; if the names say nothing, the first side is the mover's opponent."""
        if self.first == self.second:
            first = mover.other
        elif self.first == white or self.second == black:
            first = Side.WHITE
        elif self.first == black or self.second == white:
            first = Side.BLACK
        else:
            first = mover.other
        mine, theirs = [0] * 25, [0] * 25
        for place, count in enumerate(self.places):
            if count > 0 and place:
                mine[place - 1] = count
            elif count < 0 and place < _DUMPED_PLACES - 1:
                theirs[24 - place] = -count
        return {first: mine, first.other: theirs}


def parse_dump(text: str) -> IllegalDump | None:
    """Read a dump; None if it is none."""
    fields = [field.strip() for field in text.rstrip("; ").split(";")]
    if len(fields) < _DUMPED_BOARD + _DUMPED_PLACES:
        return None
    try:
        places = tuple(int(field) for field in fields[_DUMPED_BOARD : _DUMPED_BOARD + _DUMPED_PLACES])
    except ValueError:
        return None
    if any(abs(count) > 15 for count in places):
        return None
    return IllegalDump(fields[5], fields[6], places)
