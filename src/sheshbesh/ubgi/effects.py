"""Effects of a protocol line: an answer at once, work, or the end. Plain values, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

Report = Callable[[str], None]
"""Takes one line of output."""


class Cancellable(Protocol):
    """A search that can be cancelled from another thread."""

    def cancel(self) -> None:
        """End the running search, and every later one."""

    def resume(self) -> None:
        """Let searches run again."""


class StopSignal:
    """Asks work to stop with what it has: set by one thread, read by the one that works."""

    def __init__(self) -> None:
        self._is_set = False
        self._searching: Cancellable | None = None
        self._lock = Lock()

    def __call__(self) -> bool:
        """Return True if it was set."""
        return self._is_set

    def set(self) -> None:
        """Set it, and end the search that is reached."""
        with self._lock:
            self._is_set = True
            if self._searching is not None:
                self._searching.cancel()

    @contextmanager
    def reaching(self, engine: Cancellable) -> Iterator[None]:
        """Let `set` end what is searched meanwhile; if it was set before, that ends at once."""
        with self._lock:
            self._searching = engine
            if self._is_set:
                engine.cancel()
        try:
            yield
        finally:
            with self._lock:
                self._searching = None
                engine.resume()


@dataclass(frozen=True, slots=True)
class Reply:
    """Lines to be written in their turn, after the answers to earlier commands."""

    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """Something that may take long. `run` reports its lines as they come, the answer last.

    It raises SheshbeshError for what only turns out now, such as a game without a cube.
    """

    run: Callable[[Report, StopSignal], None]


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
