"""`sheshbesh review`: match files judged, decision by decision."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

import click

from sheshbesh.cli.commands.convert import fail, one_line
from sheshbesh.cli.game_arguments import cluster_option, language_option
from sheshbesh.cli.terminal.console import command_language, stopped
from sheshbesh.errors import RecordError, SheshbeshError, WorkError
from sheshbesh.i18n import Text

if TYPE_CHECKING:
    from sheshbesh.records import Match
    from sheshbesh.reviews import Job, Progress, Report
    from sheshbesh.reviews.judging import Depth
    from sheshbesh.work import Work

    _Bar = Callable[[str], Callable[[Progress], None] | None]
    """Begins the bar of a file; what is returned is called with the progress of its review."""

_SUFFIXES = frozenset({".mat", ".txt", ".sgf", ".xg", ".json", ".jsonl"})
"""The files of a folder that are looked at; a file that is named itself may be called anything."""

_WORKERS_OF_A_FILE = 16
"""Workers that one match keeps busy; with twice as many two are reviewed at a time, and so on."""

_DEPTHS: dict[str, Depth] = {"0": 0, "1": 1, "2": 2, "thorough": "rollout", "rollout": "rollout"}
"""Depths by their names; `rollout` is accepted as another name of `thorough`."""


class _Done(NamedTuple):
    """A match and its report."""

    match: Match
    report: Report


class _Asked(NamedTuple):
    """A subject of a review: a file, and whether it was found in a folder."""

    file: Path
    from_folder: bool


@click.command(short_help="Judge every decision of a match file.")
@click.argument(
    "sources", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True)
)
@click.option(
    "--plies",
    type=click.Choice(tuple(_DEPTHS)),
    metavar="[0|1|2|thorough]",
    default="2",
    show_default=True,
    help="How deep to look; `thorough`: 2 plies, and rollouts of what they leave open, ten times as long.",
)
@click.option(
    "--rule", type=click.Choice(("gnubg", "xg", "snowie")), default="gnubg", help="Whose rules count."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON; a folder or several files give a list.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write a page (.html) or the match with its analysis (.sgf); for several, a folder of pages.",
)
@click.option("--workers", type=click.IntRange(1), help="Processes that share the work; one for each core.")
@cluster_option
@click.option("--resume", is_flag=True, help="Go on where a stopped review of the same file has got to.")
@click.option("--no-keep", is_flag=True, help="Do not keep the review for `sheshbesh search`.")
@language_option
def command(
    sources: tuple[Path, ...],
    *,
    plies: str,
    rule: str,
    as_json: bool,
    output: Path | None,
    workers: int | None,
    cluster: str | None,
    resume: bool,
    no_keep: bool,
    lang: str,
) -> None:
    """Judge every decision of the matches in FILE..., of whatever program, or of all in a folder.

    Says what both players lost, by plays and by the cube, how lucky they were, and which decisions cost the
    most. Exits with 2 where there is no match. A review that is stopped, by Ctrl-C or otherwise, goes on with
    the same command and --resume; without it everything is judged anew.
    Reviews are kept among your records, where `sheshbesh search` finds their positions.
    """
    from sheshbesh.work import open_work

    asked = list(_asked(sources))
    as_list = len(asked) != 1 or asked[0].from_folder
    try:
        work = open_work(workers, cluster)
    except WorkError as error:
        fail(sources[0], error)
    try:
        with work:
            done = _all_reviewed(asked, work, plies=plies, resume=resume)
    except KeyboardInterrupt:
        stopped(Text("Stopped. The same command with --resume goes on from here."))
    if not done:
        fail(sources[0], RecordError(Text("no match file was found")))
    if not no_keep:
        from sheshbesh.cli.terminal.record_files import keep_reviews

        keep_reviews(report for _, report in done)
    if output is not None:
        _write(done, output, as_list=as_list, lang=lang)
    if as_json:
        data = [report.to_data(rule, lang) for _, report in done]
        click.echo(json.dumps(data if as_list else data[0], ensure_ascii=False, indent=1))
    elif output is None:
        for index, (_, report) in enumerate(done):
            click.echo(("\n" if index else "") + "\n".join(_fitted(report.to_text(lang))))


def _fitted(text: str) -> Iterator[str]:
    """The lines of a report, on a terminal none longer than it is wide; whole where they go elsewhere."""
    from sheshbesh.cli.terminal.console import Console

    width = Console().columns if sys.stdout.isatty() else 0
    for line in text.splitlines():
        if len(line) < width or not width:
            yield line
        else:
            yield from wrap(line, max(width - 1, 20), subsequent_indent="  ", break_on_hyphens=False)


def _asked(sources: tuple[Path, ...]) -> Iterator[_Asked]:
    for source in sources:
        try:
            inside = sorted(source.iterdir()) if source.is_dir() else None
        except OSError as error:
            fail(source, error)
        if inside is None:
            yield _Asked(source, from_folder=False)
            continue
        for file in inside:
            if file.suffix.lower() in _SUFFIXES and file.is_file():
                yield _Asked(file, from_folder=True)


def _all_reviewed(asked: list[_Asked], work: Work, *, plies: str, resume: bool) -> list[_Done]:
    """The reports of all files, in order; with many workers of several files at the same time."""
    at_once = 1 + work.workers // _WORKERS_OF_A_FILE
    running: deque[tuple[_Asked, Match, Job]] = deque()
    done: list[_Done] = []
    waiting = deque(asked)
    with _bars() as bar:
        try:
            while waiting or running:
                while waiting and len(running) < at_once:
                    each = waiting.popleft()
                    if (match := _match(each)) is not None:
                        running.append((each, match, _begun(each, match, work, bar, plies, resume=resume)))
                if running:
                    each, match, job = running.popleft()
                    done.append(_Done(match, _report(each, job, running)))
        except BaseException:
            for _, _, job in running:
                job.stop()
            raise
    return done


def _match(each: _Asked) -> Match | None:
    """The match of one file; None for a file of a folder that is no match, which is printed."""
    from sheshbesh.records import read_match
    from sheshbesh.records.text import MOST_BYTES

    try:
        match = read_match(sys.stdin.buffer.read(MOST_BYTES + 1) if str(each.file) == "-" else each.file)
    except (SheshbeshError, OSError) as error:
        if not each.from_folder:
            fail(each.file, error)
        click.echo(one_line(Text("left out: {why}", why=error)), err=True)
        return None
    for repair in match.repairs:
        click.echo(one_line(repair.text), err=True)
    return match


def _begun(each: _Asked, match: Match, work: Work, bar: _Bar, plies: str, *, resume: bool) -> Job:
    from sheshbesh.reviews import start_review

    depth = _DEPTHS[plies]
    try:
        return start_review(
            match,
            plies=depth,
            work=work,
            progress=bar(each.file.name),
            state=_state(match, depth, resume=resume),
            file=str(each.file),
        )
    except (SheshbeshError, ValueError, OSError) as error:
        fail(each.file, error)


def _report(each: _Asked, job: Job, others: Iterable[tuple[_Asked, Match, Job]]) -> Report:
    """The report of a review, waited for; whatever ends that stops the work."""
    try:
        return job.report()
    except (SheshbeshError, ValueError, OSError) as error:
        for _, _, other in others:
            other.stop()
        fail(each.file, error)
    except BaseException:
        job.stop()
        raise


def _state(match: Match, depth: Depth, *, resume: bool) -> Path | None:
    """The state to go on from, or an empty one; None where none can be kept and none is asked for."""
    try:
        file = _state_file(match, depth)
        if not resume:
            file.unlink(missing_ok=True)
            file.touch()
    except OSError:
        if resume:
            raise
        return None
    return file


def _state_file(match: Match, depth: Depth) -> Path:
    """Return where a review of this match at this depth keeps what it has judged."""
    from sheshbesh.engines.bearoff_databases import cache_folder

    text = json.dumps(match.to_data(), sort_keys=True)
    folder = cache_folder() / "reviews"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{sha256(text.encode()).hexdigest()[:24]}-{depth}.partial"


def _write(done: list[_Done], output: Path, *, as_list: bool, lang: str) -> None:
    """One report to a file, several into a folder, each by the name of its match file."""
    from sheshbesh.records import write_match

    try:
        if as_list:
            output.mkdir(parents=True, exist_ok=True)
            for _, report in done:
                report.to_html(output / f"{Path(report.file).name}.html", lang)
        elif output.suffix.lower() == ".sgf":
            write_match(done[0].report.annotated(done[0].match), output)
        else:
            done[0].report.to_html(output, lang)
    except (SheshbeshError, OSError) as error:
        fail(output, error)


def _depth(progress: Progress) -> str:
    """The depth of a pass in the language of the command: what rich draws is not translated on its way."""
    from sheshbesh.reviews.wording import depth_text

    name = "rollout" if progress.plies == "rollout" else f"{progress.plies}ply"
    return depth_text(name, command_language())


@contextmanager
def _bars() -> Iterator[_Bar]:
    """Bars on standard error, one for each match that is judged; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*parts, console=Console(stderr=True), transient=True) as bars:

        def begin(name: str) -> Callable[[Progress], None]:
            task = bars.add_task(name, total=None)
            passes: set[Depth] = set()

            def update(progress: Progress) -> None:
                if progress.plies not in passes:
                    # How fast a pass is says nothing of the next one.
                    passes.add(progress.plies)
                    bars.reset(task)
                bars.update(
                    task,
                    description=f"{name}, {_depth(progress)}",
                    completed=progress.done,
                    total=progress.total,
                    visible=progress.done < progress.total,
                )

            return update

        yield begin
