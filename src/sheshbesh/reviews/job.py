"""Reviewing a match in the background: a quick pass first, a deep one behind it, on one core or many.

The judgement of a decision depends on nothing but the decision, the net and the depth, so the number of
workers, interruptions and the order change no bit of it.
"""

from __future__ import annotations

import atexit
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from itertools import count, takewhile
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from sheshbesh.bounded import read_text
from sheshbesh.engines import Engine, make_engine
from sheshbesh.errors import RecordError, StoppedError
from sheshbesh.i18n import Text
from sheshbesh.notebook import told
from sheshbesh.records import Match
from sheshbesh.records.write import HasMatch
from sheshbesh.reviews.judged import Judged
from sheshbesh.reviews.judging import Depth, judge
from sheshbesh.reviews.questions import Question, questions, rules_of
from sheshbesh.reviews.report import Report
from sheshbesh.rules import Variant
from sheshbesh.work import Here, Stop, Work, open_work

Plies = Depth | Literal["thorough"]
"""How deep a review is to look; "thorough" is the depth that reports and files call "rollout"."""

_CHUNK = 4
"""Decisions that a worker takes at a time: few, so that stopping is quick and all workers end together."""

_QUICK_CHUNK = 32
"""The same in the quick pass, where a decision takes milliseconds."""

_QUICK_BEGINNING = 8
"""More workers than any machine waits for to start take part in the quick pass."""

_LOOK_UP = 0.2
"""Seconds after which who waits for a review looks for signals."""

_Found = dict[Depth, dict[int, Judged]]
"""The decisions judged, by the depth of the pass and the place of the decision."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The stage that a review has reached.

    Parameters
    ----------
    done : int
        The decisions that are judged.
    total : int
        All of them.
    plies : Depth
        The depth of this pass, or "rollout".

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.Progress(done=3, total=40, plies=2).done
    3
    """

    done: int
    total: int
    plies: Depth


class Job:
    """A review that runs in the background; made by `start_review`.

    Parameters
    ----------
    match : Match
        The match.
    plies : Depth
        How deep decisions are looked at.
    work : Work
        The place where they are.
    owns_work : bool
        Whether the job closes that place at its end.
    progress : Callable[[Progress], None] or bool or None
        Called for every judged decision, from another thread.
    state : str or PathLike[str] or None
        The file that a stopped review goes on from.
    file : str
        Where the match came from.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> game = sb.Game("hypergammon", dice=[(6, 5)])
    >>> game.play(game.legal[0]) if game.roll() else None
    >>> job = sb.start_review(game.to_match(), plies=0, workers=1)
    >>> job.report().complete, job.running
    (True, False)
    """

    def __init__(
        self,
        match: Match,
        *,
        plies: Depth,
        work: Work,
        owns_work: bool,
        progress: Callable[[Progress], None] | bool | None,
        state: str | PathLike[str] | None,
        file: str,
    ) -> None:
        self._match, self._plies, self._file = match, plies, file
        self._rules = rules_of(match)
        self._engine = make_engine(self._rules)
        self._questions = list(questions(match))
        self._work, self._owns_work = work, owns_work
        self._tell: Callable[[Progress], None] | None = None
        self._asked = progress
        self._stopping = Stop()
        self._ended = threading.Event()
        self._failure: BaseException | None = None
        self._found: _Found = {depth: {} for depth in self._passes}
        self._state = _State(Path(state), self._key()) if state is not None else None
        if self._state is not None:
            self._state.read(self._found)
        self.progress = Progress(0, len(self._questions), self._passes[0])
        self._thread = threading.Thread(target=self._run, name="review", daemon=True)
        atexit.register(self.stop)  # a thread that is in the core must not meet the end of the interpreter
        self._thread.start()

    @property
    def _passes(self) -> tuple[Depth, ...]:
        return (0, self._plies) if self._plies else (0,)

    def _key(self) -> str:
        """Return what a partial review must have been made of for this one to go on from it."""
        return _key(self._questions, self._plies, self._engine, self._rules)

    @property
    def running(self) -> bool:
        """True if it still works."""
        return not self._ended.is_set()

    def stop(self) -> None:
        """Stop now; what is judged stays in the state file, if one was given.

        Called from `progress` it returns at once, else when the work has ended.
        """
        self._stopping.set()
        if threading.current_thread() is not self._thread:
            self._wait()

    def _wait(self) -> None:
        # Not by `join`, which takes a thread for ended once an interrupt has broken it off; and in short
        # waits, for a signal that another thread takes does not wake this one.
        while not self._ended.wait(_LOOK_UP):
            pass

    def report(self, *, wait: bool = True) -> Report:
        """Return the report.

        Parameters
        ----------
        wait : bool
            Whether to wait until everything is judged; else of what there is by now.

        Returns
        -------
        Report
            The report.

        Raises
        ------
        StoppedError
            The job was stopped before its end, and the whole is asked for.
        WorkError
            The cluster that judged was lost.
        """
        if wait:
            self._wait()
            if self._failure is not None:
                raise self._failure
            if not self._is_complete:
                raise StoppedError(Text("the review was stopped before it was complete"))
        best = {
            index: judged for depth in self._passes for index, judged in self._found[depth].copy().items()
        }
        return Report.of(
            self._match,
            [best[index] for index in sorted(best)],
            file=self._file,
            plies=self._plies,
            net=self._engine.net.sha256,
            approximate=self._engine.approximate,
            complete=self._is_complete,
        )

    @property
    def _is_complete(self) -> bool:
        return len(self._found[self._plies]) == len(self._questions)

    def _run(self) -> None:
        try:
            with self._stopping, told(self._asked, _share) as self._tell:
                for plies in self._passes:
                    self._one_pass(plies)
        except BaseException as error:
            if not self._stopping.is_set():
                self._failure = error
        finally:
            if self._owns_work:
                self._work.close()
            if self._state is not None:
                self._state.close(done=self._is_complete)
            self._ended.set()
            atexit.unregister(self.stop)

    def _one_pass(self, plies: Depth) -> None:
        found, total = self._found[plies], len(self._questions)
        missing = [index for index in range(total) if index not in found]
        self._report_progress(Progress(len(found), total, plies))
        for index, judged in self._judged(missing, plies):
            found[index] = judged
            if self._state is not None:
                self._state.add(plies, index, judged)
            self._report_progress(Progress(len(found), total, plies))

    def _report_progress(self, progress: Progress) -> None:
        self.progress = progress
        if self._tell is not None:
            self._tell(progress)

    def _judged(self, missing: Sequence[int], plies: Depth) -> Iterator[tuple[int, Judged]]:
        work = self._work
        if plies == 0:
            # It takes less time than processes need to begin.
            work, size = (work, _QUICK_CHUNK) if work.workers > _QUICK_BEGINNING else (Here(), 1)
        else:
            size = max(1, min(_CHUNK, len(missing) // (2 * work.workers))) if work.beside else 1
        chunks = [missing[first : first + size] for first in range(0, len(missing), size)]
        parts = (([self._questions[index] for index in chunk], plies) for chunk in chunks)
        with closing(work.map(_judge_all, parts, self._engine, stop=self._stopping.is_set)) as results:
            for chunk, judged in zip(chunks, results, strict=False):
                yield from zip(chunk, judged, strict=True)


def _share(progress: Progress) -> tuple[str, float]:
    """Return what a bar is of, a pass, and the share of it that is done."""
    label = "rollouts" if progress.plies == "rollout" else f"{progress.plies} plies"
    return label, progress.done / progress.total if progress.total else 1.0


def _judge_all(part: tuple[list[Question], Depth], engine: Engine) -> list[Judged]:
    """The judgements of some decisions at a depth."""
    asked, plies = part
    return [judge(engine, question, plies) for question in asked]


def _key(asked: Sequence[Question], plies: Depth, engine: Engine, rules: Variant) -> str:
    """Return what a partial review is made of, as a digest."""
    shown = [(q.game, q.event, q.kind, q.text, q.shown, q.played, str(q.match)) for q in asked]
    parts = [shown, plies, engine.net.sha256, rules.fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()


class Portions:
    """A review in portions, each judged wherever there is time for it; `partial` puts them together.

    RecordError for a match without rules that can be judged, as `start_review`.
    """

    def __init__(self, match: Match, plies: Depth) -> None:
        self._match, self._questions, self._plies = match, list(questions(match)), plies
        rules = rules_of(match)
        self._engine = make_engine(rules)
        self.key = _key(self._questions, plies, self._engine, rules)
        """The digest of what the portions belong to: the same decisions, depth, net and rules have the same
        one."""

    @property
    def total(self) -> int:
        """The number of decisions."""
        return len(self._questions)

    def judge(self, places: Sequence[int], seconds: float) -> list[tuple[int, dict[str, Any]]]:
        """Judgements of the decisions at these places, at least one of them, as the partial review keeps
        them.

        None is begun after `seconds`; who asks goes on with the places that are not among the answers.
        """
        until, found = monotonic() + seconds, list[tuple[int, dict[str, Any]]]()
        for place in places:
            if not 0 <= place < self.total:
                raise RecordError(
                    Text("this match has {n} decisions, none at place {place}", n=self.total, place=place)
                )
            found.append((place, judge(self._engine, self._questions[place], self._plies).kept()))
            if monotonic() >= until:
                break
        return found

    def report(self, judged: bytes) -> Report:
        """The report of the match, all of whose decisions stand in a `partial` review.

        RecordError where that is of another match, depth or net, or one is missing.
        """
        found: _Found = {depth: {} for depth in {0, self._plies}}
        _read_partial(judged.decode().splitlines(), self.key, found, "judged")
        best = found[self._plies]
        if missing := self.total - len(best):
            raise RecordError(
                Text("{missing} of {n} decisions of this match are not judged", missing=missing, n=self.total)
            )
        return Report.of(
            self._match,
            [best[place] for place in range(self.total)],
            file="",
            plies=self._plies,
            net=self._engine.net.sha256,
            approximate=self._engine.approximate,
            complete=True,
        )


def partial(key: str, plies: Depth, judged: Mapping[int, Mapping[str, Any]]) -> bytes:
    """A partial review of portions, as the state file from which `start_review` goes on."""
    lines = [{"review": key}, *([plies, place, judged[place]] for place in sorted(judged))]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def judged_so_far(content: bytes) -> tuple[Judged, ...]:
    """Return the decisions of a `partial` review from the first on, up to one that is not judged yet."""
    found: dict[int, Judged] = {}
    for line in content.splitlines()[1:]:
        _, place, data = json.loads(line)
        found[place] = Judged.from_kept(data)
    return tuple(found[place] for place in takewhile(found.__contains__, count()))


def _read_partial(lines: Sequence[str], key: str, found: _Found, what: str) -> list[str]:
    """Add to `found` what stands in a partial review; the lines of judgements that can be read.

    RecordError where it belongs to something else than `key`.
    """
    try:
        head = json.loads(lines[0])["review"]
    except (IndexError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise RecordError(Text("{file}: this is no partial review", file=what)) from error
    if head != key:
        raise RecordError(
            Text(
                "{file}: this is the partial review of another match, depth or net; remove it to begin anew",
                file=what,
            )
        )
    kept = []
    for line in lines[1:]:
        try:
            plies, index, data = json.loads(line)
            found[plies][index] = Judged.from_kept(data)
        except (ValueError, KeyError, TypeError, RecursionError):
            break
        kept.append(line)
    return kept


class _State:
    """The file of a partial review: a line for each judged decision, after one that says of what."""

    def __init__(self, path: Path, key: str) -> None:
        self._path, self._key = path, key

    def read(self, found: _Found) -> None:
        """Read what an earlier run has judged; a last line that was cut off is dropped."""
        lines = read_text(self._path).splitlines() if self._path.exists() else []
        kept = _read_partial(lines, self._key, found, f"{self._path}") if lines else []
        draft = self._path.with_name(f"{self._path.name}.draft")
        draft.write_text("\n".join((json.dumps({"review": self._key}), *kept, "")), encoding="utf-8")
        draft.replace(self._path)
        self._file = self._path.open("a", encoding="utf-8")

    def add(self, plies: Depth, index: int, judged: Judged) -> None:
        """Keep one decision."""
        self._file.write(json.dumps([plies, index, judged.kept()], ensure_ascii=False) + "\n")
        self._file.flush()

    def close(self, *, done: bool) -> None:
        """End; of a review that is complete nothing has to be kept."""
        self._file.close()
        if done:
            self._path.unlink(missing_ok=True)


def start_review(
    match: Match | HasMatch,
    *,
    plies: Plies = 2,
    workers: int | None = None,
    progress: Callable[[Progress], None] | bool | None = None,
    state: str | PathLike[str] | None = None,
    cluster: str | None = None,
    file: str = "",
    work: Work | None = None,
) -> Job:
    """Begin to review a match in the background.

    Parameters
    ----------
    match : Match or HasMatch
        The match, or a `Game`.
    plies : int or str
        How deep every decision is looked at, after a first pass at 0; "thorough" is two plies, and rollouts,
        cut short, of plays and cube decisions that they leave open. The report calls it "rollout", and that
        word asks for it, too.
    workers : int, optional
        How many processes share the work; one for each core without it.
    progress : Callable[[Progress], None] or bool, optional
        True shows a bar, in a terminal or a notebook. A function is called for every judged decision, from
        another thread.
    state : str or PathLike[str], optional
        A file that a stopped or killed review goes on from.
    cluster : str, optional
        The address of a Dask scheduler whose workers do the work instead; needs the extra `cluster`.
    file : str
        What the report says of where the match came from.
    work : Work, optional
        A place of work that is open already and stays so, in the place of workers and cluster: several
        reviews may share one.

    Returns
    -------
    Job
        The job.

    Raises
    ------
    RecordError
        The state belongs to another review.
    WorkError
        No scheduler answers at `cluster`.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> game = sb.Game("hypergammon", dice=[(6, 5)])
    >>> game.play(game.legal[-1]) if game.roll() else None
    >>> with_errors = sb.start_review(game, plies=0, workers=1).report().errors()
    >>> all(judged.loss > 0 for judged in with_errors)
    True
    """
    depth: Depth = "rollout" if plies == "thorough" else plies
    if depth != "rollout" and (type(depth) is not int or not 0 <= depth <= 3):
        raise ValueError(f"a review looks 0 to 3 plies ahead, or plies is 'thorough', not {plies!r}")
    place = work if work is not None else open_work(workers, cluster)
    try:
        return Job(
            match if isinstance(match, Match) else match.to_match(),
            plies=depth,
            work=place,
            owns_work=work is None,
            progress=progress,
            state=state,
            file=file,
        )
    except BaseException:
        if work is None:
            place.close()
        raise


def review(
    match: Match | HasMatch,
    *,
    plies: Plies = 2,
    workers: int | None = None,
    progress: Callable[[Progress], None] | bool | None = None,
    state: str | PathLike[str] | None = None,
    cluster: str | None = None,
    file: str = "",
    work: Work | None = None,
) -> Report:
    """Review a match and wait for the report.

    An interrupt stops the work before it goes on its way: with `state` nothing that was judged is lost.

    Parameters
    ----------
    match : Match or HasMatch
        The match, or a `Game`.
    plies : int or str
        As in `start_review`.
    workers : int, optional
        As in `start_review`.
    progress : Callable[[Progress], None] or bool, optional
        As in `start_review`.
    state : str or PathLike[str], optional
        As in `start_review`.
    cluster : str, optional
        As in `start_review`.
    file : str
        As in `start_review`.
    work : Work, optional
        As in `start_review`.

    Returns
    -------
    Report
        The report.

    Raises
    ------
    RecordError
        The state belongs to another review.
    WorkError
        No scheduler answers at `cluster`, or it is lost meanwhile.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> game = sb.Game("hypergammon", dice=[(6, 5)])
    >>> game.play(game.legal[-1]) if game.roll() else None
    >>> sb.review(game, plies=0, workers=1).complete
    True
    """
    job = start_review(
        match,
        plies=plies,
        workers=workers,
        progress=progress,
        state=state,
        cluster=cluster,
        file=file,
        work=work,
    )
    try:
        return job.report()
    except BaseException:
        job.stop()
        raise
