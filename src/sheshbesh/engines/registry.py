"""The nets that play each set of rules: found by fingerprint, else the nearest one.

A net is two files: `NAME.net`, the weights as `net.h` describes them, and `NAME.json`, its manifest,
which says what it was made for, how, and with what result. The shipped ones lie in `nets/`; a caller
may name more folders, or one file.

A rule set that no net covers is played by the nearest one, and whatever comes of it is marked
approximate. Distance is counted over the axes: each answer that differs adds the weight of its axis
(`WEIGHTS`), an answer in numbers its share of the range. What decides how checkers move and meet
weighs most, what a win pays least: scoring is translated class by class (`class_map`). Among equally
near nets those of the caller's folders come first, then the order of their names decides.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sheshbesh import _core
from sheshbesh.bounded import read_bytes, read_text
from sheshbesh.engines.bearoff_databases import cache_folder, write_whole
from sheshbesh.engines.outcome import Classes, ResultClass
from sheshbesh.errors import NetError, VariantError
from sheshbesh.rules import Position, Variant, as_variant, variant
from sheshbesh.rules.axes import AXES, TABLE_ONLY, Answers, Axis

Folders = str | PathLike[str] | Iterable[str | PathLike[str]]
"""Places to look for nets: paths, or a single one."""

FORMAT = 1
"""The form of a manifest; raised when a field changes its meaning."""

_KEPT = 64
"""Nets that stay loaded, a megabyte each; those asked for least recently go first."""

shipped_folder = Path(__file__).with_name("nets")
"""The folder of the shipped nets."""

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "board.movement": 64,
        "contact": 64,
        "board": 16,
        "throw": 8,
        "runner": 8,
        "ending": 4,
        "occupancy": 4,
        "prime": 4,
        "head": 4,
        "duty": 3,
        "hit_run": 3,
        "bearoff": 2,
        "score": 1,
    }
)
"""The weight of a different answer, by axis or else by table. The axes of the table weigh nothing."""


@dataclass(frozen=True)
class Manifest:
    """The statements of a net about itself. `path` is the file of the weights.

    `covers` maps each rule fingerprint the net was trained for to its axes. `data` is the whole
    manifest: recipe, commit, seed, machine, strength and so on.
    """

    path: Path
    name: str
    game: str
    title: str
    input_set: int
    sha256: str
    wins: tuple[tuple[str, int], ...]
    has_tie: bool
    covers: Mapping[str, Answers] = field(repr=False)
    data: Mapping[str, Any] = field(repr=False)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # The other process may run on another machine: a shipped net is there, too, any other travels along.
        if self.path.parent == shipped_folder:
            return _shipped_again, (self.name, self.sha256)
        files = (self.path.read_bytes(), self.path.with_suffix(".json").read_bytes())
        return _unpacked, (self.path, self.sha256, *files)

    @property
    def strength(self) -> Mapping[str, Any]:
        """The measured strength, as the training wrote it down."""
        found = self.data.get("strength", {})
        return found if isinstance(found, Mapping) else {}


@dataclass(frozen=True)
class Found:
    """A net for a rule set: its manifest, and how far its rules are from those asked for."""

    manifest: Manifest
    distance: float
    class_map: tuple[int, ...]
    """For each class of the net the class of the rules that it counts for."""

    @property
    def approximate(self) -> bool:
        """True if the net was made for other rules."""
        return self.distance > 0

    def load(self) -> _core.Net:
        """The net itself; NetError if the file is not that of its manifest."""
        return load_net(self.manifest)

    def evaluate(self, position: Position) -> Sequence[float]:
        """Return the probability of each class in a position, as the net says without looking ahead."""
        search = _core.Searcher(self.load(), position.variant._core, list(self.class_map), cache_entries=0)
        return search.evaluate([position._core])[0]


# Manifests


def read_manifest(path: Path) -> Manifest:
    """The manifest of the net in `path`, from the file beside it that ends in .json."""
    beside = path.with_suffix(".json")
    try:
        data = json.loads(read_text(beside))
    except FileNotFoundError:
        raise NetError(f"{path}: its manifest {beside.name} is missing", path) from None
    except OSError as error:
        raise NetError(f"{beside} cannot be read: {error.strerror or error}", beside) from error
    except (ValueError, RecursionError) as error:
        raise NetError(f"{beside} is no manifest: {error}", beside) from error
    try:
        return _manifest(path, data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise NetError(f"{beside} is no manifest of a net: {what}", beside) from error


def _manifest(path: Path, data: Mapping[str, Any]) -> Manifest:
    if data["format"] != FORMAT:
        raise ValueError(f"its format is {data['format']!r}, this program reads {FORMAT}")
    covers = {
        fingerprint: _axes_of(data["game"], entry.get("options", {}), fingerprint, data["axes"])
        for fingerprint, entry in data["fingerprints"].items()
    }
    if not covers:
        raise ValueError("it covers no rules")
    wins = tuple((str(kind), int(points)) for kind, points in data["classes"])
    return Manifest(
        path,
        path.stem,
        str(data["game"]),
        str(data["title"]),
        int(data["input_set"]),
        str(data["sha256"]),
        wins,
        bool(data["tie"]),
        MappingProxyType(covers),
        MappingProxyType(dict(data)),
    )


def _axes_of(
    game: str, options: Mapping[str, object], fingerprint: str, values: Mapping[str, Sequence[Any]]
) -> Answers:
    """The axes of rules that a net covers: those of the shipped game, else the first values it saw."""
    try:
        known = variant(game, **options)
    except VariantError:
        pass
    else:
        if known.fingerprint == fingerprint:
            return known.axes
    return {
        table: {key: values[f"{table}.{key}"][0] for key in keys}
        for table, keys in AXES.items()
        if table not in TABLE_ONLY
    }


def load_net(manifest: Manifest) -> _core.Net:
    """Read the weights and check them; NetError says which file and what is wrong with it."""
    path = manifest.path
    net = _load(path, manifest.sha256, manifest.input_set)
    expected = 2 * len(manifest.wins) + manifest.has_tie
    if net.classes != expected:
        raise NetError(f"{path}: it has {net.classes} outputs, its manifest names {expected} classes", path)
    return net


@lru_cache(maxsize=_KEPT)
def _load(path: Path, digest: str, input_set: int) -> _core.Net:
    if input_set != _core.INPUT_SET:
        raise NetError(f"{path}: made for input set {input_set}, this program has {_core.INPUT_SET}", path)
    try:
        content = read_bytes(path)
    except OSError as error:
        raise NetError(f"{path} cannot be read: {error.strerror or error}", path) from error
    if sha256(content).hexdigest() != digest:
        raise NetError(f"{path} is not the file its manifest speaks of: its SHA-256 is another", path)
    try:
        return _core.Net(content)
    except ValueError as error:
        raise NetError(f"{path}: {error}", path) from error


@cache
def shipped() -> tuple[Manifest, ...]:
    """Return the manifests of the shipped nets; read once."""
    return manifests(shipped_folder) if shipped_folder.is_dir() else ()


def _shipped_again(name: str, digest: str) -> Manifest:
    """The shipped net that another process has named; NetError if that of this name is another here."""
    manifest = read_manifest(shipped_folder / f"{name}.net")
    if manifest.sha256 != digest:
        raise NetError(
            f"{manifest.path} is net {manifest.sha256[:12]}, asked for is {digest[:12]}: both programs need "
            "the same version of Sheshbesh",
            manifest.path,
        )
    return manifest


def _unpacked(path: Path, digest: str, net: bytes, manifest: bytes) -> Manifest:
    """A net of one's own: from its file where that is here, else from a copy in the cache folder."""
    copy = cache_folder() / "nets" / digest / path.name
    for place in (path, copy):
        with suppress(NetError):
            if (found := read_manifest(place)).sha256 == digest and place.is_file():
                return found
    # The manifest comes last: a net is there as soon as it has one.
    for file, content in ((copy, net), (copy.with_suffix(".json"), manifest)):
        write_whole(file, content)
    return read_manifest(copy)


def manifests(folder: str | PathLike[str]) -> tuple[Manifest, ...]:
    """The manifests of all nets in a folder, by name."""
    place = Path(folder)
    if not place.is_dir():
        raise NetError(f"{place} is no folder of nets", place)
    return tuple(read_manifest(path) for path in sorted(place.glob("*.net")))


# Search


def find(game: Variant | str, folders: Folders = ()) -> Found:
    """The net for a game: its own, or the nearest one whose classes can stand for the game's.

    `folders`, several or a single path, are searched before the shipped nets. NetError if there is no
    such net.
    """
    game = as_variant(game)
    places = (folders,) if isinstance(folders, str | PathLike) else folders
    known = [*(manifest for folder in places for manifest in manifests(folder)), *shipped()]
    # One that was made for these rules is at no distance; to measure all others takes milliseconds.
    own = [manifest for manifest in known if game.fingerprint in manifest.covers]
    found = _fitting(own, game) or _fitting(known, game)
    if not found:
        raise NetError(f"no net was found that could play {game.title} ({game.fingerprint})")
    return min(found, key=lambda match: match.distance)


def _fitting(nets: Iterable[Manifest], game: Variant) -> list[Found]:
    return [match for manifest in nets if (match := fit(manifest, game)) is not None]


def use(path: str | PathLike[str], game: Variant | str) -> Found:
    """The net in one file, for a game; NetError if it cannot stand for it."""
    game = as_variant(game)
    manifest = read_manifest(Path(path))
    found = fit(manifest, game)
    if found is None:
        raise NetError(f"{path}: it knows a tie, and {game.title} has none", path)
    return found


def fit(manifest: Manifest, game: Variant) -> Found | None:
    """Return how a net fits a game; None where it foretells ties that the game cannot end in."""
    classes = Classes.of(game)
    if manifest.has_tie and not classes.has_tie:
        return None
    own = game.fingerprint
    near = 0.0 if own in manifest.covers else min(distance(a, game.axes) for a in manifest.covers.values())
    # Rules that differ are never at no distance, even if they differ only in an axis without weight.
    far = 0.0 if own in manifest.covers else max(near, 1e-6)
    return Found(manifest, far, class_map(manifest, classes))


def distance(one: Answers, other: Answers) -> float:
    """Return how far two rule sets are apart; 0 for the same."""
    total = 0.0
    for table, keys in AXES.items():
        if table in TABLE_ONLY:
            continue
        for key, axis in keys.items():
            weight = WEIGHTS.get(f"{table}.{key}", WEIGHTS.get(table, 0.0))
            total += weight * _difference(axis, one[table][key], other[table][key])
    return total


def _difference(axis: Axis, one: object, other: object) -> float:
    """Return how far two answers are apart, 0 to 1."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        mine: dict[int, int] = {int(point): count for point, count in one.items()}
        theirs: dict[int, int] = {int(point): count for point, count in other.items()}
        moved = sum(abs(mine.get(point, 0) - theirs.get(point, 0)) for point in mine.keys() | theirs.keys())
        return moved / max(sum(mine.values()) + sum(theirs.values()), 1)
    if axis.kind == "int" and isinstance(one, int) and isinstance(other, int):
        return abs(one - other) / max(axis.high - axis.low, 1)
    return float(one != other)


# Classes


def class_map(net: Manifest, rules: Classes) -> tuple[int, ...]:
    """For each class of a net, in order, the class of the rules that it counts for.

    The same kind if the rules have it; else the highest class that stands no higher: a backgammon
    becomes a gammon, and that a single game, where there is none. Where one side counts checkers left
    and the other does not, a gammon is all checkers left, and a plain win a third of them: about
    what is left on average when the loser has borne off.
    """
    own = tuple(_class_for(kind, points, net.wins, rules) for kind, points in net.wins)
    half = len(rules.wins)
    return (*own, *(at + half for at in own), *((2 * half,) if net.has_tie else ()))


def _class_for(kind: str, points: int, wins: Sequence[tuple[str, int]], rules: Classes) -> int:
    if (kind, points) in rules.wins:
        return rules.wins.index((kind, points))
    counted = kind in ("count", "difference")
    most = max((p for k, p in wins if k in ("count", "difference")), default=0)
    if rules.counted:
        ladder = [at for at, (k, _) in enumerate(rules.wins) if k in ("count", "difference")]
        level = rules.level(ResultClass("win", kind, points))
        share = points / most if counted else 1.0 if _is_gammon(kind, points) else 1 / 3
        return ladder[max(round(share * len(ladder)), level) - 1]
    height = (2 if points == most else 1) if counted else _height(kind, points)
    same = [at for at, (k, _) in enumerate(rules.wins) if k == kind]
    if same:
        return same[0]
    levels = rules.levels[: len(rules.wins)]
    below = [at for at, level in enumerate(levels) if level <= height]
    # The kinds of the usual wins come first: no other game has a mother.
    usual = [at for at in below if rules.wins[at][0] not in ("mother", "closed_area")]
    return max(usual or below or [0], key=lambda at: (levels[at], -at))


def _height(kind: str, points: int) -> int:
    return Classes(((kind, points),), has_tie=False).levels[0]


def _is_gammon(kind: str, points: int) -> bool:
    return _height(kind, points) > 1
