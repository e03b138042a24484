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


_COUNT = Text("{side} has {n} checkers, not {most}", side="", n=0, most=0)
_ON_BAR = Text("{side} has {n} on the bar in a game without hitting", side="", n=0)
_IN_HAND = Text("{side} has {n} in hand in a game without entering", side="", n=0)
_PINNED = Text("{side} has pinned checkers in a game without pinning", side="")
_TOO_HIGH = Text(
    "{side} has {n} checkers on White's point {point}, the most is {most}", side="", n=0, point=0, most=0
)
_NOT_UNDER = Text("{side} is not under an enemy on White's point {point}", side="", point=0)


def _of(side: Side, text: Text, **values: object) -> Text:
    """A problem that one side has."""
    return Text(text.template, side=side.text, **values)


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


def _shared_point_problems(both: Both, geometry: Geometry) -> list[str]:
    problems: list[str] = []
    white, black = both[Side.WHITE], both[Side.BLACK]
    for point in range(1, 25):
        other = geometry.mirrored(point)
        counts = {Side.WHITE: white.counts[point], Side.BLACK: black.counts[other]}
        listed = [
            side for side, own in ((Side.WHITE, point), (Side.BLACK, other)) if own in both[side].pinned
        ]
        shared = all(counts.values())
        if geometry.contact != "pin":
            if shared:
                problems.append(Text("both colours on White's point {point}", point=point))
            continue
        if not shared:
            problems += [_of(side, _NOT_UNDER, point=point) for side in listed]
        elif len(listed) != 1:
            problems.append(
                Text("both colours on White's point {point}: name the one pinned checker", point=point)
            )
        elif counts[listed[0]] != 1:
            problems.append(
                Text(
                    "{n} checkers pinned on White's point {point}, only one can be",
                    n=counts[listed[0]],
                    point=point,
                )
            )
    return problems


def _infer_pins(both: Both, geometry: Geometry) -> None:
    """Take the one that is alone where two colours share a point for the pinned one."""
    for point in range(1, 25):
        here = ((Side.WHITE, point), (Side.BLACK, geometry.mirrored(point)))
        counts = [both[side].counts[own] for side, own in here]
        if min(counts) == 1 and max(counts) > 1 and not any(own in both[side].pinned for side, own in here):
            side, own = here[counts.index(1)]
            both[side].pinned.add(own)


def find_problems(both: Both, geometry: Geometry) -> list[str]:
    """Everything that makes the position impossible; pins that leave no choice are filled in."""
    problems: list[str] = []
    if geometry.contact == "pin":
        _infer_pins(both, geometry)
    for side, own in both.items():
        total = sum(own.counts)
        if total != geometry.checkers:
            problems.append(_of(side, _COUNT, n=total, most=geometry.checkers))
        if own.counts[BAR] and geometry.contact != "hit":
            problems.append(_of(side, _ON_BAR, n=own.counts[BAR]))
        if own.counts[HAND] and not geometry.hand:
            problems.append(_of(side, _IN_HAND, n=own.counts[HAND]))
        if own.pinned and geometry.contact != "pin":
            problems.append(_of(side, _PINNED))
        for point in range(1, 25):
            if geometry.stack_cap and own.counts[point] > geometry.stack_cap:
                shown = geometry.own(side, point)
                problems.append(
                    _of(side, _TOO_HIGH, n=own.counts[point], point=shown, most=geometry.stack_cap)
                )
    return problems + _shared_point_problems(both, geometry)


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
