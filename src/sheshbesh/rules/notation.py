"""The text of plays: own numbering of the mover, `bar/22*`, `13/7(2)`, `24/18/14`, `6/off`, `pass`.

Printing and reading know no rules. Reading yields what the text names (`Move`); which steps of the
dice that can mean is worked out by `readings`, and which of those is legal is asked of the core.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sheshbesh.errors import NotationError
from sheshbesh.i18n import Text

OFF, HAND, BAR = 0, 25, 26
NAMES = {OFF: "off", HAND: "hand", BAR: "bar"}

_ORIGINS = {"bar": BAR, "b": BAR, "hand": HAND, "h": HAND, "25": BAR}
_TARGETS = {"off": OFF, "o": OFF, "0": OFF}
_PASSES = {"", "pass", "dance", "-", "no move"}
_MOVE = re.compile(r"(?P<path>[^\s,()]+)(?:\((?P<times>\d+)\))?$")
_MAX_MOVES = 8
_SHOWN = 40


class StepLike(Protocol):
    """The parts of a step that printing needs."""

    @property
    def origin(self) -> int:
        """The origin of the checker."""

    @property
    def target(self) -> int:
        """The target of the checker."""

    @property
    def takes(self) -> bool:
        """True if it hits or imprisons there."""


def format_point(point: int) -> str:
    """A point, or `bar`, `hand`, `off`."""
    return NAMES.get(point, str(point))


def format_step(origin: int, target: int, *, takes: bool) -> str:
    """One step as text."""
    return f"{format_point(origin)}/{format_point(target)}{'*' if takes else ''}"


def _format_way(way: Sequence[StepLike]) -> str:
    """The steps of one checker as text; points that it only passes are left out."""
    text = format_point(way[0].origin)
    for step in way:
        if step.takes or step is way[-1]:
            text += f"/{format_point(step.target)}{'*' if step.takes else ''}"
    return text


def format_steps(steps: Sequence[StepLike]) -> str:
    """The steps of a play as text, the ways of single checkers joined and equal ones counted.

    A way is not drawn on through a point where it took an enemy if another checker has arrived
    there since: which of them moved on cannot be seen, and a hit-and-run must not be suggested.
    """
    if not steps:
        return "pass"
    ways: list[list[StepLike]] = []
    for done, step in enumerate(steps):
        for way in ways:
            if way[-1].target == step.origin:
                if way[-1].takes and _arrived(steps[:done], step.origin) > 1:
                    ways.append([step])
                else:
                    way.append(step)
                break
        else:
            ways.append([step])
    ways.sort(key=lambda way: [way[0].origin, *[step.target for step in way]], reverse=True)
    texts = [_format_way(way) for way in ways]
    times = {text: texts.count(text) for text in texts}
    return " ".join([text if n == 1 else f"{text}({n})" for text, n in times.items()])


def _arrived(steps: Iterable[StepLike], point: int) -> int:
    """Return how many more checkers have come to a point by these steps than have left it."""
    return sum((step.target == point) - (step.origin == point) for step in steps)


@dataclass(frozen=True, slots=True)
class Move:
    """The moves that one word of a play names: a way through points, and where enemies are said to be
    taken."""

    points: tuple[int, ...]
    taken: frozenset[int]
    times: int


def _short(text: str) -> str:
    """A text as shown in a message, however long it was."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


def _point(text: str, where: Callable[[], Text], *, first: bool) -> int:
    names = _ORIGINS if first else _TARGETS
    if text in names:
        return names[text]
    if text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= 24:
        return int(text)
    expected = Text("a point 1 to 24, bar or hand") if first else Text("a point 1 to 24 or off")
    found = _short(text)
    raise NotationError(
        Text("{where}: expected {expected}, found {found}", where=where(), expected=expected, found=found)
    )


def _parse_move(word: str, text: str, column: int) -> Move:
    def where() -> Text:
        return Text("play {play}, column {n}", play=repr(text), n=column + 1)

    match = _MOVE.match(word)
    if match is None:
        raise NotationError(
            Text(
                "{where}: expected a move like 8/5 or 13/7(2), found {found}",
                where=where(),
                found=_short(word),
            )
        )
    parts = match["path"].split("/")
    if len(parts) < 2:
        raise NotationError(
            Text("{where}: expected origin/target, found {found}", where=where(), found=_short(word))
        )
    times = int(match["times"][:3]) if match["times"] else 1
    if not 1 <= times <= 4:
        raise NotationError(
            Text(
                "{where}: a move is made 1 to 4 times, not {times}",
                where=where(),
                times=_short(match["times"]),
            )
        )
    points = [_point(parts[0], where, first=True)]
    taken = set()
    for part in parts[1:]:
        bare = part.removesuffix("*")
        points.append(_point(bare, where, first=False))
        if bare != part:
            if points[-1] == OFF:
                raise NotationError(
                    Text(
                        "{where}: nothing is taken off the board, found {found}",
                        where=where(),
                        found=_short(part),
                    )
                )
            taken.add(points[-1])
        origin = points[-2] if points[-2] != BAR else HAND
        if points[-2] == OFF or points[-1] >= origin:
            raise NotationError(
                Text(
                    "{where}: checkers move to lower points, found {found}", where=where(), found=_short(word)
                )
            )
    return Move(tuple(points), frozenset(taken), times)


def parse_moves(text: str) -> tuple[Move, ...]:
    """Read a play; NotationError says where and what was expected. A pass has no moves."""
    if not isinstance(text, str):
        raise NotationError(Text("a play is text, not {name}", name=type(text).__name__))
    plain = text.strip().lower()
    if plain in _PASSES:
        return ()
    moves = []
    for match in re.finditer(r"[^\s,]+", plain):
        moves.append(_parse_move(match.group(), text.strip()[:_SHOWN], match.start()))
        if len(moves) > _MAX_MOVES:
            raise NotationError(
                Text(
                    "a play has at most {most} moves: {text}",
                    most=_MAX_MOVES,
                    text=repr(text.strip()[:_SHOWN]),
                )
            )
    return tuple(moves)


StepPair = tuple[int, int]
"""(origin, die): what the core needs to know of a step."""


def _hops(
    start: int, end: int, dice: tuple[int, ...]
) -> Iterator[tuple[tuple[StepPair, ...], tuple[int, ...]]]:
    """Every way to go from `start` to `end` with some of `dice`: (steps, dice left)."""
    height = HAND if start == BAR else start
    for die in sorted(set(dice), reverse=True):
        target = max(height - die, OFF)
        if target < end:
            continue
        left = list(dice)
        left.remove(die)
        here = (start, die)
        if target == end:
            yield (here,), tuple(left)
        else:
            for steps, rest in _hops(target, end, tuple(left)):
                yield (here, *steps), rest


def readings(moves: Sequence[Move], dice: tuple[int, ...]) -> list[tuple[StepPair, ...]]:
    """Every set of steps the moves can stand for with these dice, each once, plain readings first.

    `dice` lists a number for each step that may be played. A way 24/14 may touch down on either
    point; a named touch-down is fixed.
    """
    way = tuple(
        (a, b)
        for move in moves
        for _ in range(move.times)
        for a, b in zip(move.points, move.points[1:], strict=False)
    )
    if len(way) > len(dice):
        return []
    distinct: dict[tuple[StepPair, ...], tuple[StepPair, ...]] = {}
    for steps in _walks(way, dice):
        distinct.setdefault(tuple(sorted(steps)), steps)
    return list(distinct.values())


def _walks(hops: tuple[tuple[int, int], ...], left: tuple[int, ...]) -> Iterator[tuple[StepPair, ...]]:
    """Every sequence of steps that makes these hops with the numbers left."""
    if not hops:
        yield ()
        return
    for steps, rest in _hops(*hops[0], left):
        for more in _walks(hops[1:], rest):
            yield (*steps, *more)
