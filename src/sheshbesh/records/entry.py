"""What a reader found in a file, before the rules have seen it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sheshbesh.errors import RecordError
from sheshbesh.records.model import Repair
from sheshbesh.rules import Side

EntryKind: TypeAlias = Literal["roll", "double", "take", "drop", "beaver", "resign", "set", "wins", "comment"]

Counts: TypeAlias = dict[Side, list[int]]
"""25 numbers a side in its own numbering: points 1 to 24 and the bar."""


MOST_REPAIRS = 2000

DUMPED = "?dump"
"""The text of a play of which only the position after it is told."""


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
    """One row, node or record: who did what, and what the analyser said about it.

    A "roll" has `dice` and either `text`, the play as written (None: hidden or never played, "": nothing
    written), or `steps`; `dance` says that the file itself calls it one. `value` is a cube value or points.
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
    owner: Side | None = None
    match_won: bool = False
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
        """Note something that was not plain; RecordError where so much is that it is no match."""
        if len(self.repairs) >= MOST_REPAIRS:
            raise RecordError(f"line {line}: more than {MOST_REPAIRS} rows are not plain: this is no match")
        self.repairs.append(Repair(line, found.strip()[:120], reason, done))
