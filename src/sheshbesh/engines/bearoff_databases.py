"""The bear-off databases: made on first use, kept in the user's cache folder, shared by all games they fit.

Two databases serve a game. The *one-sided* one has the number of turns that a side needs from every position
with all checkers at home (54,264 with fifteen), the *two-sided* one the exact value of every pair of
positions with at most six checkers on the board (853,776), or of every race where a game has three
checkers (587,926). What they are found by is a key of the rules that a bear-off asks, so games that
differ elsewhere use the same files. Making one takes a second or two; a file has 2 kB to 51 MB.

A damaged or foreign file is made anew. Where the folder cannot be written, databases live in memory.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Generic, Literal, TypeVar

from sheshbesh import _core
from sheshbesh.i18n import Text
from sheshbesh.notebook import bars
from sheshbesh.rules import Variant, as_variant

Kind = Literal["one-sided", "two-sided"]
_T = TypeVar("_T", _core.OneSided, _core.TwoSided)

_MAKING: dict[Kind, Text] = {
    "one-sided": Text("making the one-sided bear-off database, once for all"),
    "two-sided": Text("making the two-sided bear-off database, once for all"),
}

Progress = Callable[[str, float], None]
"""Told what is being made and the share done, 0 to 1. What it raises ends the work."""

CACHE_VARIABLE = "SHESHBESH_CACHE"
"""The environment variable that names another cache folder."""

_log = logging.getLogger(__name__)
_lock = Lock()


@dataclass(frozen=True, slots=True)
class DatabaseInfo:
    """The facts known of one database of a game without making it.

    `obstacle` says why the rules have no such database; then `path` is None.
    """

    kind: Kind
    obstacle: str
    path: Path | None

    @property
    def exists(self) -> bool:
        """True if its file is there; it may still prove damaged."""
        return self.path is not None and self.path.is_file()


def cache_folder() -> Path:
    """Return where databases are kept: by the customs of the system, or where SHESHBESH_CACHE says."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "sheshbesh" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "sheshbesh"
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "sheshbesh"


@dataclass(frozen=True)
class _Source(Generic[_T]):
    """The source of the databases of one kind, and those that were read or made in this process."""

    kind: Kind
    sides: _core.Sides
    parse: Callable[[bytes, _core.Ruleset], _T]
    loaded: dict[Path, _T] = field(default_factory=dict)

    def path(self, core: _core.Ruleset) -> Path:
        name = f"{self.kind}-{_core.bearoff_key(core, self.sides)}-v{_core.BEAROFF_VERSION}.table"
        return cache_folder() / "bearoff" / name

    def get(self, core: _core.Ruleset, progress: Progress | None) -> _T | None:
        """The database for these rules; None if they have none."""
        if _core.bearoff_obstacle(core, self.sides):
            return None
        path = self.path(core)
        with _lock:  # two threads that ask for one database shall not both make it
            if path not in self.loaded:
                self.loaded[path] = self._read(path, core) or self._make(path, core, progress)
            return self.loaded[path]

    def _read(self, path: Path, core: _core.Ruleset) -> _T | None:
        try:
            return self.parse(path.read_bytes(), core)
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("%s cannot be read (%s); the database is made anew", path, error)
        except ValueError as error:
            _log.warning("%s: %s; it is made anew", path, error)
        return None

    def _make(self, path: Path, core: _core.Ruleset, progress: Progress | None) -> _T:
        label = _MAKING[self.kind]
        file = _core.generate_bearoff(
            core, self.sides, None if progress is None else lambda done: progress(label, done)
        )
        try:
            write_whole(path, file)
        except OSError as error:
            _log.warning("%s cannot be written (%s); the database is made in every run", path, error)
        return self.parse(file, core)


_ONE: _Source[_core.OneSided] = _Source("one-sided", _core.Sides.one, _core.OneSided.parse)
_TWO: _Source[_core.TwoSided] = _Source("two-sided", _core.Sides.two, _core.TwoSided.parse)


def info(variant: Variant | str) -> tuple[DatabaseInfo, DatabaseInfo]:
    """Both kinds of database of a game: whether the rules permit them, and where their files are."""
    variant = as_variant(variant)
    return _info(_ONE, variant), _info(_TWO, variant)


def ids(variant: Variant) -> tuple[str, ...]:
    """Return what names the databases of a game: equal where they are."""
    return tuple(each.path.stem for each in info(variant) if each.path is not None)


def _info(source: _Source[_T], variant: Variant) -> DatabaseInfo:
    obstacle = _core.bearoff_obstacle(variant._core, source.sides)
    return DatabaseInfo(source.kind, obstacle, None if obstacle else source.path(variant._core))


def for_variant(
    variant: Variant | str,
    progress: Progress | bool | None = None,  # noqa: FBT001 -- True asks for bars
) -> tuple[_core.BearoffDatabase, ...]:
    """The databases of a game for `_core.Searcher(databases=...)`: one, or none where its rules permit none.

    Made if they are not in the cache; `progress` is called only then, True shows bars.
    """
    variant = as_variant(variant)
    with nullcontext(progress or None) if progress is not True else bars() as tell:
        one = _ONE.get(variant._core, tell)
        two = _TWO.get(variant._core, tell)
    return (_core.BearoffDatabase(variant._core, one, two),) if one or two else ()


def write_whole(path: Path, file: bytes) -> None:
    """Write so that no other program ever sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as part:
            part.write(file)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
