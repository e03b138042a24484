"""Work in parts, here and beside: order, ends, errors, lost processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.errors import WorkError
from sheshbesh.work import Here, Interrupted, Processes, Stop, Threads, Work, base, open_work
from tests.work.dask_help import digest_of, ends_its_process, fails, process_of

PERFT_2 = 202_782


@pytest.mark.parametrize("place", [Here, lambda: Threads(3)])
def test_results_come_in_the_order_of_the_parts(place: Callable[[], Work]) -> None:
    with place() as work:
        found = list(work.map(digest_of, range(6), "a"))
    assert found == [digest_of(number, "a") for number in range(6)]


@pytest.mark.parametrize("place", [Here, lambda: Threads(2)])
def test_parts_without_an_end_are_taken_as_far_ahead_as_the_window(place: Callable[[], Work]) -> None:
    taken: list[int] = []

    def parts() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield number

    with place() as work, work.map(process_of, parts()) as results:
        assert list(islice(results, 3)) == [os.getpid()] * 3
        assert len(taken) <= 3 + work.window
    assert list(results) == [], "closed, it gives no more"


def test_what_a_part_raises_is_raised_in_its_turn() -> None:
    for place in (Here(), Threads(2)):
        with place as work:
            results = work.map(fails, range(5))
            assert list(islice(results, 2)) == [0, 1]
            with pytest.raises(KeyError, match="the third"):
                next(results)


def test_work_that_is_asked_to_stop_gives_no_more() -> None:
    asked = iter([False, True])
    assert list(Here().map(process_of, range(9), stop=lambda: next(asked))) == [os.getpid()]


def test_processes_do_the_same_and_one_that_is_killed_changes_nothing() -> None:
    expected = [digest_of(number, "a" * 100_000) for number in range(8)]
    with Processes(2) as work:
        found = []
        for result in work.map(digest_of, range(8), "a" * 100_000):
            found.append(result)
            if len(found) in (1, 4):
                os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)
    assert found == expected


def test_a_place_that_is_closed_begins_no_process() -> None:
    work = Processes(2)
    work.map(ends_its_process, count())
    work.close()
    assert not multiprocessing.active_children()
    with pytest.raises(WorkError, match="closed"):
        work.map(process_of, [0])
    assert not multiprocessing.active_children()


PLAIN = """
import os
from sheshbesh.work import open_work

print("begun")


def squared(number):
    return number * number


with open_work(2) as work:
    print(list(work.map(squared, range(4))))
"""


@pytest.mark.parametrize("how", ["file", "prompt"])
def test_a_script_without_a_main_guard_and_a_prompt_may_share_work(how: str, tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text(PLAIN)
    words = [str(file)] if how == "file" else ["-c", PLAIN]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    assert done.stdout == "begun\n[0, 1, 4, 9]\n", "the script is not run again in the processes"
    assert done.stderr == ""


KILLED = """
import sheshbesh as sb
from sheshbesh.work import open_work


def busy(how):
    print("begun", flush=True)
    if how == "core":
        sb.variant("backgammon").perft(9)
    while how == "interpreter":
        pass


with open_work(2) as work:
    if HOW == "idle":
        list(work.map(busy, [HOW] * 2))
        input()
    list(work.map(busy, [HOW] * 2))
"""


@pytest.mark.parametrize("how", ["interpreter", "core", "idle"])
def test_processes_end_with_the_one_that_they_work_for_though_it_is_killed(how: str) -> None:
    words = [sys.executable, "-c", f"HOW = {how!r}{KILLED}"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as asking:
        assert asking.stdout is not None
        assert [asking.stdout.readline() for _ in range(2)] == ["begun\n"] * 2
        asking.kill()
        # The other end of the pipe is open as long as any of them runs.
        assert "Traceback" not in asking.stdout.read()


def test_a_stop_ends_what_its_thread_computes_in_the_core() -> None:
    start = sb.variant("backgammon").start()
    with Stop() as stop:
        assert start.variant.perft(2, start) == PERFT_2
        within = Stop()
        stop.set()
        assert within.is_set(), "made inside of the other"
        with pytest.raises(Interrupted):
            start.variant.perft(2, start)
    assert start.variant.perft(2, start) == PERFT_2


def test_dropped_work_of_threads_ends_at_once() -> None:
    begun = threading.Event()

    def counted(depth: int) -> int:
        begun.set()
        return sb.variant("backgammon").perft(depth)

    with Threads(1) as work:
        with work.map(counted, [6]):
            assert begun.wait(60)
        assert list(work.map(process_of, [0])) == [os.getpid()]


def test_a_part_that_ends_every_process_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_MOST_LOSSES", 1)
    with Processes(1) as work, pytest.raises(WorkError, match="lost 2 times"):
        list(work.map(ends_its_process, [0]))


@pytest.mark.parametrize("workers", [0, -1, 1.5, True])
def test_there_is_at_least_one_worker(workers: int) -> None:
    with pytest.raises(ValueError, match="one worker or more"):
        open_work(workers)
