"""What a line of the protocol leads to: an answer at once, work, or the end. Plain values, no I/O."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Report = Callable[[str], None]
"""Takes one line of output."""

Stopped = Callable[[], bool]
"""Whether the work shall end with what it has."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Lines to be written in their turn, after the answers to earlier commands."""

    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """Something that may take long. `run` reports its lines as they come, the answer last.

    It raises SheshbeshError for what only turns out now, such as a game without a cube.
    """

    run: Callable[[Report, Stopped], None]


@dataclass(frozen=True, slots=True)
class Ready:
    """The answer to `isready`: at once, even while work is being done."""


@dataclass(frozen=True, slots=True)
class Stop:
    """All work begun before ends with what it has."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The program ends; work in progress is given up."""


Effect = Reply | Work | Ready | Stop | Quit
