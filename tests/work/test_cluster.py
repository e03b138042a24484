"""Work on a Dask cluster: the same bytes as here, workers killed or not, and clear errors."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

import sheshbesh as sb
from sheshbesh.errors import WorkError
from sheshbesh.records import read_match
from sheshbesh.reviews import Progress, review
from sheshbesh.work import CLUSTER_VARIABLE, Here, Processes, Work, base, cluster, open_work
from tests.reviews.test_review import short, short_text
from tests.work.dask_help import ROOT, dask_processes, digest_and_place, digest_of, ends_its_process, fails

distributed = pytest.importorskip("distributed", reason="needs the extra cluster")

NOBODY = "tcp://127.0.0.1:1"
LONGER = Path(__file__).parents[1] / "data" / "review" / "choue.txt"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of two workers inside this process."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50
    ) as made:
        yield made.scheduler_address


@pytest.fixture
def places(address: str) -> Iterator[list[Work]]:
    """This process, two beside it, and the cluster."""
    opened = [Here(), Processes(2), open_work(cluster=address)]
    yield opened
    for work in opened:
        work.close()


# The same to the bit


def test_a_review_has_the_same_bytes_wherever_it_is_made(places: list[Work], tmp_path: Path) -> None:
    files = []
    for number, work in enumerate(places):
        files.append(tmp_path / f"{number}.json")
        review(short(), plies=0, work=work).save(files[-1])
    assert len({file.read_bytes() for file in files}) == 1


def test_a_rollout_gives_the_same_numbers_wherever_it_is_played(places: list[Work]) -> None:
    engine = sb.engine("hypergammon")
    plays = engine.rank(engine.variant.start(), (3, 1))[:2]
    options = sb.RolloutOptions(trials=360, minimum=72, lead=4, truncate=3, seed=5)
    here = engine.rollout_plays(plays, options=options)
    for work in places:
        assert engine.rollout_plays(plays, options=options, work=work) == here


def test_labels_for_training_have_the_same_bytes_wherever_they_are_made(places: list[Work]) -> None:
    pytest.importorskip("numpy", reason="needs the extra train")
    from sheshbesh.training.play import Order, play_games

    game = sb.variant("hypergammon")
    net = sb.engine(game).net.path.read_bytes()
    orders = [
        Order(game, 0, 4, seed, decay=0.5, explore=0.1, random_plies=2, longest_game=500, keep=1.0)
        for seed in range(3)
    ]
    made = [
        [
            (part.slots.tobytes(), part.targets.tobytes(), part.results)
            for part in work.map(play_games, orders, net)
        ]
        for work in places
    ]
    assert made[0] == made[1] == made[2]


def test_a_net_of_ones_own_travels_to_the_workers(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = sb.engine("hypergammon").net.path
    for suffix in (".net", ".json"):
        (tmp_path / f"mine{suffix}").write_bytes(shipped.with_suffix(suffix).read_bytes())
    monkeypatch.setenv("SHESHBESH_CACHE", str(tmp_path / "cache"))
    engine = sb.engine("hypergammon", net=tmp_path / "mine.net", bearoff=False)
    packed = base.Shared.of(engine)
    for suffix in (".net", ".json"):
        (tmp_path / f"mine{suffix}").unlink()
    back = base.unpack(packed.digest, lambda: packed.content)
    assert back.net.path == tmp_path / "cache" / "nets" / engine.net.sha256 / "mine.net"
    start = engine.variant.start()
    assert back.evaluate(start) == engine.evaluate(start)


@pytest.mark.soak
def test_the_strength_tools_enter_the_same_bytes_wherever_they_measure(tmp_path: Path) -> None:
    regret = ["regret", "hypergammon", "--decisions", "2", "--trials", "72", "--truncate", "1", "--near", "9"]
    duel = ["duels", "--games", "hypergammon", "--pairs", "110", "--against", "random"]
    with dask_processes(tmp_path, 1) as dask:
        for tool, *arguments in (regret, duel):
            found = set()
            for place in (["--workers", "1"], ["--cluster", str(dask.file)]):
                out = tmp_path / f"{tool}{place[0]}"
                command = [sys.executable, "-m", f"benchmarks.strength.{tool}", *arguments, *place]
                command += ["--state", str(out), "--out", str(out)]
                subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
                found.add((out / f"{tool}.json").read_bytes())
            assert len(found) == 1


# Losses


@pytest.mark.soak
def test_workers_that_are_killed_change_nothing(tmp_path: Path) -> None:
    with dask_processes(tmp_path, 2) as dask, open_work(cluster=str(dask.file)) as work:
        found = []
        for result, process in work.map(digest_and_place, range(9), "a"):
            found.append(result)
            if len(found) in (1, 5):
                # The fifth part may have been done before by the process killed first.
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
    assert found == [digest_of(number, "a") for number in range(9)]


@pytest.mark.soak  # two reviews of a match; one that is killed here goes on by the same file in every suite
def test_a_review_whose_scheduler_dies_goes_on_elsewhere(tmp_path: Path) -> None:
    # Seconds of work: the scheduler is gone long before its worker has done all of it.
    match, state = read_match(LONGER), tmp_path / "a.partial"
    with dask_processes(tmp_path, 1) as dask:

        def told(progress: Progress) -> None:
            if progress.plies == 2 and progress.done >= 8 and dask.scheduler.poll() is None:
                dask.scheduler.kill()

        with pytest.raises(WorkError, match="was lost"):
            review(match, plies=2, cluster=str(dask.file), state=state, progress=told)
    assert state.exists()
    asked: list[Progress] = []
    resumed = review(match, plies=2, workers=2, state=state, progress=asked.append)
    assert resumed == review(match, plies=2, workers=1)
    assert min(each.done for each in asked if each.plies == 2) >= 8, "what was judged is not judged again"


# Errors


def test_what_a_part_raises_there_is_raised_here(address: str) -> None:
    with open_work(cluster=address) as work, pytest.raises(KeyError, match="the third"):
        list(work.map(fails, range(5)))


def test_a_worker_with_another_version_is_an_error() -> None:
    with pytest.raises(WorkError, match=r"has Sheshbesh .*, the program that asks it has 0\.0\.9"):
        cluster.do_part("0.0.9", b"", b"", None)


def test_a_cluster_without_workers_is_an_error() -> None:
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty,
        pytest.raises(WorkError, match="has no workers"),
    ):
        cluster.Cluster(empty.scheduler_address, workers_within=0)


@pytest.mark.parametrize("where", [NOBODY, "nonsense://a:1", "a", "a:b", "no/such/file.json"])
def test_an_address_where_nobody_answers_is_named(where: str) -> None:
    with pytest.raises(WorkError, match=re.escape(f"no cluster answers at {where}: ")):
        open_work(cluster=where)


@pytest.mark.parametrize("content", ["", "{}", "[]", '"text"', "no JSON at all"])
@pytest.mark.parametrize("name", ["scheduler.json", "scheduler"])
def test_a_file_that_no_scheduler_has_written_is_named(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(WorkError, match=f"{name}: the file is none that a scheduler of Dask has written"):
        open_work(cluster=str(tmp_path / name))


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkError, match=r"pip install 'sheshbesh\[cluster\]'"):
        open_work(cluster=NOBODY)


def test_the_commands_take_the_address_from_the_environment_too(address: str, tmp_path: Path) -> None:
    from sheshbesh.cli.main import cli

    file = tmp_path / "a.mat"
    file.write_text(short_text())
    rollout = ["rollout", "hypergammon", "--trials", "36", "--truncate", "1"]
    for arguments in (["review", str(file), "--plies", "0", "--no-keep"], rollout):
        run = CliRunner().invoke
        here, there = run(cli, arguments), run(cli, [*arguments, "--cluster", address])
        assert (there.exit_code, there.stdout) == (0, here.stdout), there.output
        lost = run(cli, arguments, env={CLUSTER_VARIABLE: NOBODY})
        assert lost.exit_code != 0 and len(lost.stderr.splitlines()) == 1
        assert NOBODY in lost.stderr


@pytest.mark.soak  # that `Processes` tells it, test_work.py says
def test_a_part_that_ends_every_worker_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_MOST_LOSSES", 0)
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    with (
        dask_processes(tmp_path, 1) as dask,
        open_work(cluster=str(dask.file)) as work,
        pytest.raises(WorkError, match="lost 1 times"),
    ):
        list(work.map(ends_its_process, [0]))
