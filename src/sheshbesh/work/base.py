"""The interface of all places of work: parts go out some way ahead, results come back in order."""

from __future__ import annotations

import pickle
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, Generic, Literal, Self, TypeVar

from sheshbesh.errors import WorkError
from sheshbesh.i18n import Text

P = TypeVar("P")
R = TypeVar("R")

_POLL: Final = 0.1
"""Seconds between two questions whether to stop."""

_MOST_LOSSES: Final = 12
"""Losses of workers in a row, without a result between them, after which it is the work that ends them."""

_KEPT: Final = 4
"""Shared objects that a thread of a worker keeps: those of the pieces of work that run side by side."""


@dataclass(frozen=True, slots=True)
class PartResult:
    """The fate of part `number`: a result, an error that the work raised, or a worker that was lost."""

    number: int
    kind: Literal["done", "failed", "lost"]
    value: Any


class Batch(ABC):
    """Parts of one piece of work at one place."""

    @abstractmethod
    def submit(self, number: int, part: object) -> None:
        """Have a part done."""

    @abstractmethod
    def collect(self, seconds: float) -> list[PartResult]:
        """Some parts that are done; waits for one up to `seconds`, may return none."""

    @abstractmethod
    def cancel(self) -> None:
        """Drop what has not begun."""


class Work(ABC):
    """A place where parts of work are done; made by `open_work`, closed by its owner."""

    beside: bool = True
    """True if parts are done while this process does something else."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """The number of parts that can be done at the same time now, at least 1."""

    @abstractmethod
    def batch(self, function: Callable[..., object], shared: object) -> Batch:
        """The parts of one call of `map`."""

    @property
    def window(self) -> int:
        """The number of parts that go out ahead of the next result: enough that no worker waits."""
        return 2 * self.workers + 2

    def map(
        self,
        function: Callable[..., R],
        parts: Iterable[P],
        shared: object = None,
        *,
        stop: Callable[[], bool] | None = None,
        ahead: int | None = None,
    ) -> Results[R]:
        """`function(part)`, or `function(part, shared)` where something is shared, of each part, in order.

        Parts are taken and sent out some way ahead of the results, from now on; `ahead` is how far (None:
        `window`). `shared` reaches each worker once, by pickle, and must not be changed by the function,
        which is one that can be imported. `stop`, asked some ten times a second, ends the results early.
        What the function raises is raised here. WorkError if workers are lost again and again, or the whole
        place is.
        """
        return Results(self, function, parts, shared, stop, ahead)

    @abstractmethod
    def close(self) -> None:
        """Let the workers go; what is not done is dropped."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Results(Generic[R]):
    """The results of parts, in order; see `Work.map`. Closed, it gives no more."""

    def __init__(
        self,
        work: Work,
        function: Callable[..., R],
        parts: Iterable[P],
        shared: object,
        stop: Callable[[], bool] | None,
        ahead: int | None,
    ) -> None:
        self._work, self._stop, self._ahead = work, stop, ahead
        self._parts: Iterator[P] = iter(parts)
        self._batch = work.batch(function, shared)
        self._out: dict[int, object] = {}
        """The parts that were sent out and have no result yet."""
        self._found: dict[int, PartResult] = {}
        self._sent = self._returned = self._losses = 0
        self._exhausted = self._closed = False
        self._fill()

    @property
    def complete(self) -> bool:
        """True if every part has given its result."""
        return self._exhausted and self._returned == self._sent

    def __iter__(self) -> Iterator[R]:
        return self

    def __next__(self) -> R:
        if self._closed:
            raise StopIteration
        try:
            return self._following()
        except BaseException:
            self.close()
            raise

    def _following(self) -> R:
        self._fill()
        while self._returned not in self._found:
            if not self._out or (self._stop is not None and self._stop()):
                raise StopIteration
            self._take_in(self._batch.collect(_POLL))
            self._fill()
        self._returned += 1
        found = self._found.pop(self._returned - 1)
        if found.kind == "failed":
            raise found.value
        result: R = found.value
        return result

    def _fill(self) -> None:
        """Send out parts up to the end of the window."""
        ahead = self._ahead or self._work.window
        while not self._exhausted and self._sent - self._returned < ahead:
            try:
                part = next(self._parts)
            except StopIteration:
                self._exhausted = True
                return
            self._out[self._sent] = part
            self._batch.submit(self._sent, part)
            self._sent += 1

    def _take_in(self, outcomes: list[PartResult]) -> None:
        lost = [each for each in outcomes if each.kind == "lost"]
        for each in outcomes:
            if each.kind != "lost":
                del self._out[each.number]
                self._found[each.number] = each
        if len(lost) < len(outcomes):
            self._losses = 0
        elif lost:
            self._losses += 1
        if lost and self._losses > _MOST_LOSSES:
            raise WorkError(
                Text(
                    "workers were lost {n} times in a row without a result between; the last time: {why}",
                    n=self._losses,
                    why=lost[-1].value,
                )
            ) from lost[-1].value
        for each in lost:
            self._batch.submit(each.number, self._out[each.number])

    def close(self) -> None:
        """Drop what has not begun."""
        if not self._closed:
            self._closed = True
            self._batch.cancel()
            self._out.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# In a worker


@dataclass(frozen=True, slots=True)
class Shared:
    """The object that parts share, on its way to the workers: pickled, and known by its digest."""

    digest: bytes
    content: bytes

    @classmethod
    def of(cls, value: object) -> Shared:
        """Anything that can be pickled."""
        content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return cls(sha256(content).digest(), content)


_unpacked = threading.local()


def unpack(digest: bytes, content: Callable[[], bytes]) -> Any:
    """The shared object of this digest, made once in each thread: engines serve one thread at a time."""
    kept: dict[bytes, Any] = _unpacked.__dict__.setdefault("kept", {})
    if digest in kept:
        kept[digest] = kept.pop(digest)
    else:
        while len(kept) >= _KEPT:
            del kept[next(iter(kept))]
        kept[digest] = pickle.loads(content())
    return kept[digest]


def own_version() -> str:
    """The version of Sheshbesh that runs here."""
    try:
        return version("sheshbesh")
    except PackageNotFoundError:
        return "not installed"
