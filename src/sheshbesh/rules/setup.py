"""Positions from and to plain data, and what makes one impossible.

A position is impossible, and refused with every problem listed, when the checkers do not add up,
both colours share a point without a pin, a bar or a pin stands in a game that has none, or a stack
is above the game's cap. Positions that no game would reach are accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sheshbesh import _core
from sheshbesh.errors import PositionError
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.rules.axes import Answers, number_of
from sheshbesh.rules.notation import BAR, HAND, OFF
from sheshbesh.rules.side import SIDES, Side

Board = Mapping[str, object]
"""White's and Black's checkers by point in White's numbers, with bar, off, hand and pinned points:
the mapping of `Position.board`."""

_KEYS = {f"{side.value}{part}" for side in SIDES for part in ("", "_bar", "_off", "_hand")}
_KEYS |= {f"pinned_{side.value}" for side in SIDES}


@dataclass(frozen=True, slots=True)
class Geometry:
    """The conditions for a board in one rule set, and each side's numbers for the other's points."""

    checkers: int
    parallel: bool
    contact: str
    hand: int
    stack_cap: int

    @classmethod
    def of(cls, axes: Answers) -> Geometry:
        """Return the geometry that complete answers make."""
        return cls(
            checkers=number_of(axes, "board", "checkers"),
            parallel=axes["board"]["movement"] == "parallel",
            contact=str(axes["contact"]["kind"]),
            hand=number_of(axes, "board", "hand"),
            stack_cap=number_of(axes, "occupancy", "stack_cap"),
        )

    def mirrored(self, point: int) -> int:
        """The same point in the other side's numbering."""
        if self.parallel:
            return point + 12 if point <= 12 else point - 12
        return 25 - point

    def own(self, side: Side, point: int) -> int:
        """A point of White's numbers in `side`'s own numbers, and back."""
        return point if side is Side.WHITE else self.mirrored(point)


@dataclass
class Checkers:
    """One side's checkers in its own numbering: 27 counts (off, points, hand, bar), pinned points."""

    counts: list[int] = field(default_factory=lambda: [0] * 27)
    pinned: set[int] = field(default_factory=set)


Both = dict[Side, Checkers]


_TEXTS = {
    "count": Text("{side} has {n} checkers, not {most}", side="", n=0, most=0),
    "bar": Text("{side} has {n} on the bar in a game without hitting", side="", n=0),
    "hand": Text("{side} has {n} in hand in a game without entering", side="", n=0),
    "pinned": Text("{side} has pinned checkers in a game without pinning", side=""),
    "high": Text(
        "{side} has {n} checkers on White's point {point}, the most is {most}", side="", n=0, point=0, most=0
    ),
    "under": Text("{side} is not under an enemy on White's point {point}", side="", point=0),
    "shared": Text("both colours on White's point {point}", point=0),
    "name": Text("both colours on White's point {point}: name the one pinned checker", point=0),
    "several": Text("{n} checkers pinned on White's point {point}, only one can be", n=0, point=0),
    "starter": Text("who started is not asked in this game"),
    "mother": Text("no mother is played on in this game"),
    "head": Text("at most {n} checkers leave the head in a roll of this game", n=0),
    "choose": Text("no double is named in this game"),
    "owed": Text("nothing can be owed in this game"),
    "chain": Text("no chain goes on in this game"),
    "then": Text("nothing is handed over in this game"),
    "simple": Text("no simple throw is handed over in this game"),
}
"""What makes a position impossible, by the names of the core (`description.h`)."""

Problem = tuple[str, bool | None, int, int, int, str]
"""A problem as the core tells it: its name, whether it is Black's, n, most, point, the part of a text."""


def worded(texts: Mapping[str, Text], problem: Problem, **values: object) -> Text:
    """A problem in the words of `texts`; `values` are what else they say."""
    name, black, n, most, point, part = problem
    side = "" if black is None else SIDES[black].text
    known = {"side": side, "n": n, "most": most, "point": point, "field": repr(part), **values}
    text = texts[name]
    return Text(text.template, **{name: known[name] for name in text.values})


def problem_texts(problems: Iterable[Problem]) -> list[str]:
    """Word what makes a position impossible."""
    return [worded(_TEXTS, problem) for problem in problems]


def _number(value: object, what: str, problems: list[str]) -> int:
    if type(value) is int and 0 <= value <= 15:
        return value
    problems.append(
        Text("{what} must be a number of checkers, 0 to 15, not {found}", what=what, found=repr(value))
    )
    return 0


def _point(value: object, what: str, problems: list[str]) -> int | None:
    text = str(value)
    if (isinstance(value, str) or type(value) is int) and text.isdecimal() and len(text) <= 2:
        point = int(text)
        if 1 <= point <= 24:
            return point
    problems.append(Text("{what}: {found} is not a point 1 to 24", what=what, found=repr(value)))
    return None


def read_board(board: Board, geometry: Geometry) -> tuple[Both, list[str]]:
    """Read the mapping into both sides' own numberings, with all problems found on the way."""
    problems: list[str] = []
    if not isinstance(board, Mapping):
        return {side: Checkers() for side in SIDES}, [
            Text("a board is a mapping, not {board}", board=repr(board))
        ]
    problems += [Text("unknown key {key}", key=repr(key)) for key in board if key not in _KEYS]
    both: Both = {}
    for side in SIDES:
        own = both[side] = Checkers()
        points = board.get(side.value, {})
        if not isinstance(points, Mapping):
            problems.append(
                Text("{key} must map points to checkers, not be {found}", key=side.value, found=repr(points))
            )
            points = {}
        for name, count in points.items():
            point = _point(name, side.value, problems)
            if point is not None:
                own.counts[geometry.own(side, point)] += _number(
                    count, Text("{side} on {point}", side=side.value, point=point), problems
                )
        for index, part in ((BAR, "_bar"), (OFF, "_off"), (HAND, "_hand")):
            own.counts[index] = _number(board.get(side.value + part, 0), side.value + part, problems)
        pinned = board.get(f"pinned_{side.value}", ())
        if isinstance(pinned, str) or not isinstance(pinned, Iterable):
            problems.append(
                Text("{key} must list points, not be {found}", key=f"pinned_{side.value}", found=repr(pinned))
            )
            pinned = ()
        for name in pinned:
            point = _point(name, f"pinned_{side.value}", problems)
            if point is not None:
                own.pinned.add(geometry.own(side, point))
    return both, problems


def description(both: Both, turn: Side) -> _core.Description:
    """Both sides' checkers for the core, without a history."""
    white, black = (both[side] for side in SIDES)
    return _core.Description(
        counts=(white.counts, black.counts),
        pinned=(sorted(white.pinned), sorted(black.pinned)),
        black_on_roll=turn is Side.BLACK,
    )


def refuse_if(problems: list[str], source: object) -> None:
    """Raise PositionError with all problems, if there are any."""
    if problems:
        raise PositionError(
            Text(
                "impossible position {position}: {problems}",
                position=repr(source),
                problems=JoinedText(*problems, separator="; "),
            ),
            problems=tuple(problems),
        )


def write_board(state: _core.State, geometry: Geometry) -> dict[str, object]:
    """The mapping of a position; pinned points and the hand only in games that have them."""
    mine, theirs = (Side.BLACK, Side.WHITE) if state.black_on_roll else (Side.WHITE, Side.BLACK)
    counts = {mine: state.mine, theirs: state.theirs}
    pinned = {mine: state.pinned_mine, theirs: state.pinned_theirs}
    board: dict[str, object] = {}
    for side in SIDES:
        own = counts[side]
        points = {geometry.own(side, point): own[point] for point in range(1, 25) if own[point]}
        board[side.value] = {str(point): points[point] for point in sorted(points, reverse=True)}
        board[f"{side.value}_bar"] = own[BAR]
        board[f"{side.value}_off"] = own[OFF]
        if geometry.hand:
            board[f"{side.value}_hand"] = own[HAND]
    if geometry.contact == "pin":
        for side in SIDES:
            board[f"pinned_{side.value}"] = sorted(
                (geometry.own(side, p) for p in pinned[side]), reverse=True
            )
    return board
