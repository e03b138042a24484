"""Work in parts, here and beside: order, ends, errors, lost processes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from itertools import count, islice

import pytest

from sheshbesh.errors import WorkError
from sheshbesh.work import Here, Processes, Threads, Work, base, open_work
from tests.work.dask_help import digest_of, ends_its_process, fails, process_of


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
                multiprocessing.active_children()[0].kill()
    assert found == expected


def test_a_part_that_ends_every_process_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_MOST_LOSSES", 1)
    with Processes(1) as work, pytest.raises(WorkError, match="lost 2 times"):
        list(work.map(ends_its_process, [0]))


@pytest.mark.parametrize("workers", [0, -1, 1.5, True])
def test_there_is_at_least_one_worker(workers: int) -> None:
    with pytest.raises(ValueError, match="one worker or more"):
        open_work(workers)
