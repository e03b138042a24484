"""Playing a rollout: positions over threads, chunk by chunk, to a file and back.

What comes out depends on the positions and the options alone: chunks are played by any thread but
added in order, and where to stop is decided in that order, too. A rollout that was saved goes on with
the same numbers.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from itertools import combinations, islice
from math import fsum
from pathlib import Path
from typing import Any

from sheshbesh import _core
from sheshbesh.bounded import read_text
from sheshbesh.cube import MatchEquityTable
from sheshbesh.cube.decision import databases_apply
from sheshbesh.cube.match_utility import owner_for, values_at
from sheshbesh.cube.values import OWNERS, Owner, shipped_efficiency
from sheshbesh.engines import bearoff_databases
from sheshbesh.engines.outcome import Classes
from sheshbesh.engines.registry import Found
from sheshbesh.engines.rollout.rollout import VIEWS, Estimate, Rollout, RolloutOptions, weights
from sheshbesh.engines.rollout.tally import CHUNK, Tally
from sheshbesh.engines.utility import score_utility, utility
from sheshbesh.errors import RolloutError, system_reason
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.notebook import told
from sheshbesh.rules import Position, Side, Variant
from sheshbesh.work import Threads, Work

SAVE_EVERY = 60.0
"""Seconds between two savings: what a rollout that is killed loses at most."""

FORMAT = 3
"""The form of the file; raised when the same trial would give other numbers, too."""

_LUCK = {
    "none": _core.Luck.none,
    "full": _core.Luck.full,
    "sifted": _core.Luck.filtered,
}

Progress = Callable[[tuple[Rollout, ...]], None]
"""Told after each chunk what is known of each position so far."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of an engine that a rollout uses. The ids say in a file what it was played with."""

    variant: Variant
    found: Found
    class_map: Sequence[int] | None = None
    databases: Sequence[_core.ExactValues] = ()
    database_ids: tuple[str, ...] = ()
    equities: MatchEquityTable | None = None

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # Tables live in the core: the other process has its own.
        settings = (self.class_map, bool(self.databases), self.database_ids, self.equities)
        return _parts_again, (self.variant, self.found, *settings)

    @property
    def net_id(self) -> str:
        """The SHA-256 of the net."""
        return self.found.manifest.sha256


def _parts_again(
    variant: Variant,
    found: Found,
    class_map: Sequence[int] | None,
    has_databases: bool,  # noqa: FBT001 -- as a pickle passes it
    database_ids: tuple[str, ...],
    equities: MatchEquityTable | None,
) -> Parts:
    return Parts(
        variant=variant,
        found=found,
        class_map=class_map,
        databases=bearoff_databases.for_variant(variant) if has_databases else (),
        database_ids=database_ids,
        equities=equities,
    )


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A position to be rolled out for `side`, which need not be on roll; the cube is at `place`.

    `place` are the doublings since the state of the match that was asked with, and who then owns it,
    seen by the side on roll; `first_double` whether that side may turn it before its first throw.
    """

    position: Position
    side: Side
    place: tuple[int, str | None] = (0, None)
    first_double: bool = False

    @property
    def own(self) -> bool:
        """True if the side that is asked for is on roll."""
        return self.side is self.position.turn


@dataclass(kw_only=True)
class RolloutRun:
    """Some positions rolled out together, with the same dice."""

    parts: Parts
    entries: Sequence[Entry]
    match: MatchState | None
    options: RolloutOptions
    tally: Tally = field(init=False)

    def __post_init__(self) -> None:
        variant, match, options = self.parts.variant, self.match, self.options
        self.classes = Classes.of(variant)
        wanted = options.cube if options.cube is not None else match is not None
        self.cubeful = wanted and bool(variant.axes["cube"]["use"])
        if options.cube and not self.cubeful:
            raise ValueError(f"{variant.title} is played without a cube")
        if self.cubeful and options.plies:
            raise ValueError("with a cube in play, plays are chosen at 0 plies: give cube=False or plies=0")
        self._weights = [weights(self.classes, self._utility(entry.side)) for entry in self.entries]
        self._width = len(self.classes) + 1 + len(VIEWS) + self.cubeful
        self.pairs = tuple(combinations(range(len(self.entries)), 2))
        self.tally = Tally(self._width * len(self.entries), self._column_pairs())
        self._rollers: dict[int, _core.Roller] = {}

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # What another process needs to play trials; what was added up stays here.
        return _run_again, (self.parts, tuple(self.entries), self.match, self.options)

    def _column_pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple((self._decisive(a), self._decisive(b)) for a, b in self.pairs)

    def _decisive(self, entry: int) -> int:
        """The column of the equity that decides: the last one, the cubeful, or that of the classes."""
        return (entry + 1) * self._width - 1 if self.cubeful else entry * self._width + len(self.classes)

    def _utility(self, side: Side) -> tuple[float, ...]:
        has_cube = bool(self.parts.variant.axes["cube"]["use"])
        return utility(self.classes, self.match, side, self.parts.equities, has_cube=has_cube)

    def _choosing(self, side: Side) -> tuple[float, ...]:
        """Return what plays are chosen by, without a cube."""
        utility = self._utility(side)
        at_score = self.match is not None and not self.match.is_money
        return score_utility(self.classes, utility) if at_score else utility

    # Trials

    def _roller(self, index: int) -> _core.Roller:
        """The roller for a position."""
        if index not in self._rollers:
            parts, options, entry = self.parts, self.options, self.entries[index]
            self._rollers[index] = _core.Roller(
                parts.found.load(),
                parts.variant._core,
                list(self._choosing(entry.position.turn)),
                None if parts.class_map is None else list(parts.class_map),
                list(parts.databases),
                cube=self._heights(entry) if self.cubeful else None,
                preference=self._preference(entry.position.turn) if self.cubeful else None,
                cube_efficiency=self._efficiency(),
                seed=options.seed,
                plies=options.plies,
                truncate=options.truncate,
                luck=_LUCK[options.luck],
                filter_to=options.filter_to,
                first_double=entry.first_double,
            )
        return self._rollers[index]

    def _preference(self, side: Side) -> list[float] | None:
        """Return what the choice of plays adds to the value of each class with a cube; None: nothing."""
        pairs = zip(self._choosing(side), self._utility(side), strict=True)
        added = [choosing - plain for choosing, plain in pairs]
        return added if any(added) else None

    def _efficiency(self) -> float:
        # One number for all positions of a trial: where there is contact, most decisions fall in it.
        by_phase = shipped_efficiency()
        first = {by_phase.at(entry.position) for entry in self.entries}
        return first.pop() if len(first) == 1 else by_phase.contact

    def _heights(self, entry: Entry) -> list[tuple[Any, ...]]:
        """The heights of the cube as the core takes them, for the side on roll."""
        match = self.match or MatchState(jacoby=False)
        values = values_at(self.classes.all, match, entry.position.turn, self.parts.equities)
        variant = self.parts.variant
        # Of more checkers than the databases hold some are off by then, so no gammon is possible.
        checkers = sum(entry.position.counts(entry.side))
        gammons = checkers <= _core.TWO_SIDED_CHECKERS
        return [
            (
                *values.core_height(height, ties=self.classes.has_tie),
                databases_apply(variant, match, height=height, gammons=gammons),
            )
            for height in range(len(values.heights))
        ]

    def _play(self, index: int, chunk: int) -> list[list[float]]:
        """A chunk of trials of a position, seen by the side it is asked for, with what is added up."""
        entry = self.entries[index]
        height, owner = entry.place
        roller = self._roller(index)
        rows = roller.run(entry.position._core, height, OWNERS[owner], chunk * CHUNK, CHUNK)
        size = len(self.classes)
        made = []
        for row in rows:
            classes, cubeful = row[:size], row[size:]
            if not entry.own:
                classes = list(self.classes.flipped(classes))
                cubeful = [-value for value in cubeful]
            linear = [
                fsum(p * w for p, w in zip(classes, weight, strict=True)) for weight in self._weights[index]
            ]
            made.append([*classes, *linear, *cubeful])
        return made

    # All of it

    def play(
        self,
        *,
        threads: int = 1,
        file: str | os.PathLike[str] | None = None,
        progress: Progress | bool | None = None,
        cancelled: Callable[[], bool] | None = None,
        work: Work | None = None,
    ) -> tuple[Rollout, ...]:
        """Play until the options say it is enough; what was found for each position.

        `file` is read if it exists, and written before the first trial, at least every minute and at
        the end. `progress` is called after each chunk; True shows a bar. `cancelled` is asked some ten
        times a second, and ends the rollout with what there is. So does KeyboardInterrupt, but it goes
        on upwards. Trials are played by `threads` threads of this process, or, where `work` is given, there.
        RolloutError if the file belongs to another rollout, is damaged or cannot be written; WorkError as
        in `Work.map`.
        """
        if type(threads) is not int or threads < 1:
            raise ValueError(f"threads must be a whole number from 1 up, not {threads!r}")
        path = None if file is None else Path(file)
        if path is not None:
            self._load(path)
            self._save(path)  # a place that takes no file is found out before there is something to lose
        saved = time.monotonic()
        try:
            with (
                told(progress, self._share) as tell,
                Threads(threads) if work is None else nullcontext(work) as place,
            ):
                for rows in self._chunks(place, cancelled):
                    self.tally = self.tally.plus(rows)
                    if path is not None and time.monotonic() - saved >= SAVE_EVERY:
                        self._save(path)
                        saved = time.monotonic()
                    if tell is not None:
                        tell(self.rollouts())
        finally:
            if path is not None:
                self._save(path)
        return self.rollouts()

    def _share(self, found: tuple[Rollout, ...]) -> tuple[str, float]:
        # A rollout may be enough before all its trials.
        return "rollout", 1.0 if self.is_enough() else found[0].trials / (self._last * CHUNK)

    def cubeful_means(self) -> tuple[float, ...]:
        """The cubeful equity of each position over all trials, played here at once: no errors and no file.

        For rollouts with a cube in which nothing is left to chance, where that is all there is to know.
        """
        found = []
        for index, entry in enumerate(self.entries):
            height, owner = entry.place
            roller = self._roller(index)
            rows = roller.run(entry.position._core, height, OWNERS[owner], 0, self._last * CHUNK)
            mean = fsum(row[-1] for row in rows) / len(rows)
            found.append(mean if entry.own else -mean)
        return tuple(found)

    def go_on(self, kept: Mapping[str, Any] | None) -> None:
        """Begin where another run of the same rollout stopped: `kept` is its `tally.to_json()`.

        ValueError for what is none. The chunks that follow are the same as if it had not been stopped.
        """
        if kept is not None:
            self.tally = Tally.from_json(kept, self.tally.columns, self.tally.pairs)

    def _chunks(self, place: Work, cancelled: Callable[[], bool] | None) -> Iterator[list[list[float]]]:
        """The chunks that are still to be played, in order, each with the columns of all positions."""
        if self.is_enough():
            return
        size = len(self.entries)
        parts = ((index, chunk) for chunk in range(self.tally.chunks, self._last) for index in range(size))
        with closing(place.map(_play, parts, self, stop=cancelled, ahead=size * place.window)) as results:
            while len(chunk := list(islice(results, size))) == size:
                yield [[value for row in rows for value in row] for rows in zip(*chunk, strict=True)]
                if self.is_enough() or (cancelled is not None and cancelled()):
                    return

    @property
    def _last(self) -> int:
        return -(-self.options.trials // CHUNK)

    def is_enough(self) -> bool:
        """Return True if the options let the rollout end here."""
        options, tally = self.options, self.tally
        if tally.chunks >= self._last:
            return True
        if tally.chunks == 0 or tally.trials < options.minimum:
            return False
        indices = range(len(self.entries))
        if options.target is not None and all(
            tally.error(self._decisive(i)) <= options.target for i in indices
        ):
            return True
        if options.lead is None or len(indices) == 1:
            return False
        best = max(indices, key=lambda i: tally.mean(self._decisive(i)))
        behind = [self.difference(best, i) for i in indices if i != best]
        return all(each > options.lead * each.error for each in behind)

    # Results

    def rollouts(self) -> tuple[Rollout, ...]:
        """Return what is known so far, by position."""
        finished = self.is_enough()
        return tuple(self._rollout(i, finished=finished) for i in range(len(self.entries)))

    def _rollout(self, index: int, *, finished: bool) -> Rollout:
        first = index * self._width
        found = [Estimate(self.tally.mean(i), self.tally.error(i)) for i in range(first, first + self._width)]
        size = len(self.classes)
        return Rollout(
            table=self.classes,
            trials=self.tally.trials,
            probabilities=tuple(found[:size]),
            equity=found[size],
            cubeful=found[-1] if self.cubeful else None,
            views={name: found[size + 1 + i] for i, (name, _, _) in enumerate(VIEWS)},
            finished=finished,
            approximate=self.parts.found.approximate,
            values=self._utility(self.entries[index].side),
        )

    def difference(self, a: int, b: int) -> Estimate:
        """By how much position `a` is better than `b`."""
        if a == b:
            return Estimate(0.0, 0.0)
        mean = self.tally.mean(self._decisive(a)) - self.tally.mean(self._decisive(b))
        return Estimate(mean, self.tally.joint_error(self.pairs.index((min(a, b), max(a, b)))))

    # The file

    def _description(self) -> dict[str, Any]:
        """All that decides what a trial gives."""
        parts, options = self.parts, self.options
        described = {
            "rules": parts.variant.fingerprint,
            "net": parts.net_id,
            "tables": list(parts.database_ids),
            "positions": [
                [entry.position.id, entry.side.value, *entry.place, entry.first_double]
                for entry in self.entries
            ],
            "utility": [list(self._utility(entry.side)) for entry in self.entries],
            "cube": [self._heights(entry) for entry in self.entries] if self.cubeful else None,
            "cube efficiency": self._efficiency() if self.cubeful else None,
            "seed": options.seed,
            "plies": options.plies,
            "truncate": options.truncate,
            "luck": [options.luck, options.filter_to],
        }
        if self.match is not None and not self.match.is_money:
            described["choosing"] = [list(self._choosing(entry.side)) for entry in self.entries]
        plain: dict[str, Any] = json.loads(json.dumps(described))
        return plain

    def _save(self, path: Path) -> None:
        content = {"format": FORMAT, "rollout": self._description(), "tally": self.tally.to_json()}
        try:
            draft = path.with_name(path.name + ".new")
            with draft.open("w", encoding="utf-8") as stream:
                json.dump(content, stream)
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(path)
        except OSError as error:
            raise RolloutError(
                Text("{file} cannot be written: {why}", file=path, why=system_reason(error))
            ) from error

    def _load(self, path: Path) -> None:
        """Take up what the file holds, if there is one."""
        try:
            content = json.loads(read_text(path))
            kept, described = content["format"], content["rollout"]
        except FileNotFoundError:
            return
        except OSError as error:
            raise RolloutError(
                Text("{file} cannot be read: {why}", file=path, why=system_reason(error))
            ) from error
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise RolloutError(Text("{file} is no saved rollout: {why}", file=path, why=error)) from error
        if kept != FORMAT:
            raise RolloutError(
                Text(
                    "{file}: its format is {found}, this program reads {expected}",
                    file=path,
                    found=repr(kept),
                    expected=FORMAT,
                )
            )
        own = self._description()
        if described != own:
            names = described if isinstance(described, Mapping) else {}
            other = ", ".join(name for name in own if names.get(name) != own[name])
            raise RolloutError(
                Text("{file} belongs to another rollout; what differs: {other}", file=path, other=other)
            )
        try:
            tally = Tally.from_json(content.get("tally"), self.tally.columns, self.tally.pairs)
        except ValueError as error:
            raise RolloutError(Text("{file} is damaged: {why}", file=path, why=error)) from error
        if not self._adds_up(tally):
            raise RolloutError(
                Text("{file} is damaged: its classes of results do not add up to its trials", file=path)
            )
        self.tally = tally

    def _adds_up(self, tally: Tally) -> bool:
        """Return True if the probabilities of the classes sum to 1 for each position, as those of any trial
        do."""
        firsts = range(0, len(self.entries) * self._width, self._width)
        sums = [fsum(tally.mean(first + i) for i in range(len(self.classes))) for first in firsts]
        return tally.chunks == 0 or all(abs(each - 1) < 1e-3 for each in sums)


def _run_again(
    parts: Parts, entries: Sequence[Entry], match: MatchState | None, options: RolloutOptions
) -> RolloutRun:
    return RolloutRun(parts=parts, entries=entries, match=match, options=options)


def _play(part: tuple[int, int], run: RolloutRun) -> list[list[float]]:
    """A chunk of trials of one of a run's positions: which position, which chunk."""
    return run._play(*part)


def owner_of(match: MatchState | None, side: Side) -> Owner:
    """The owner of the cube, seen by `side`."""
    return None if match is None else owner_for(match, side)
