"""A run that goes on learns from what it had learned from: the positions of its rounds are kept beside it."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.cli.main import cli
from sheshbesh.errors import TrainingError
from sheshbesh.training.files import CHECKPOINT, POSITIONS

np = pytest.importorskip("numpy", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

from sheshbesh.training import recipe  # noqa: E402
from sheshbesh.training.play import Games  # noqa: E402
from sheshbesh.training.run import Stopped, TrainingRun  # noqa: E402
from sheshbesh.training.sample_buffer import SampleBuffer  # noqa: E402
from sheshbesh.work import Here  # noqa: E402
from tests.training.small import SHORT_RUN, small_recipe  # noqa: E402

GAME = sb.variant("hypergammon")
TEXT = SHORT_RUN.format(games=120, round=20)


class Interrupter:
    """A user who presses Ctrl-C after a number of rounds."""

    def __init__(self, rounds: int) -> None:
        self.left = rounds

    def round_done(self, **said: object) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)

    def measured(self, **said: object) -> None:
        pass


def run_in(folder: Path, interrupted_after: int = 0) -> TrainingRun:
    folder.mkdir(exist_ok=True)
    plan = recipe.load(small_recipe(folder.parent, TEXT))
    return TrainingRun(GAME, plan, folder, work=Here(), watcher=Interrupter(interrupted_after))


def rounds_in(folder: Path) -> list[str]:
    return sorted(file.name for file in (folder / POSITIONS).iterdir())


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was interrupted after its fourth round of six."""
    folder = tmp_path_factory.mktemp("interrupted") / "hypergammon"
    with pytest.raises(Stopped):
        run_in(folder, interrupted_after=4).train()
    return folder


@pytest.fixture
def again(interrupted: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(interrupted, tmp_path / "hypergammon"))


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """The same run without a break, and the net that it made."""
    folder = tmp_path_factory.mktemp("unbroken") / "hypergammon"
    return folder, run_in(folder).train()


def test_an_interrupted_run_ends_with_the_net_of_an_unbroken_one(
    again: Path, unbroken: tuple[Path, bytes]
) -> None:
    assert rounds_in(again) == ["000002.bin", "000003.bin", "000004.bin"]
    run = run_in(again)
    assert run.resume()
    assert run.learner.buffer.held == [2, 3, 4]
    assert run.train() == unbroken[1]


def test_a_finished_run_keeps_its_last_round_and_makes_the_same_net_of_it(
    unbroken: tuple[Path, bytes],
) -> None:
    folder, net = unbroken
    assert rounds_in(folder) == ["000006.bin"]
    run = run_in(folder)
    assert run.resume()
    assert run.learner.final_net(run.progress.round)[0] == net


def test_what_a_checkpoint_does_not_speak_of_is_not_learned(again: Path) -> None:
    later = again / POSITIONS / "000005.bin"  # played when the machine went down
    shutil.copyfile(again / POSITIONS / "000004.bin", later)
    (again / POSITIONS / "000006.bin.new").write_bytes(b"half a fi")
    run = run_in(again)
    assert run.resume()
    assert run.learner.buffer.held == [2, 3, 4]
    run.train()
    assert rounds_in(again) == ["000006.bin"]


def test_a_run_goes_on_without_positions_that_were_removed(again: Path) -> None:
    (again / POSITIONS / "000003.bin").unlink()
    run = run_in(again)
    assert run.resume()
    assert run.learner.buffer.held == [2, 4]


def test_damaged_positions_are_refused_by_name(again: Path) -> None:
    file = again / POSITIONS / "000003.bin"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    with pytest.raises(TrainingError, match=r"000003\.bin is damaged.*remove it to go on"):
        run_in(again).resume()


def test_fresh_removes_the_positions_and_nothing_of_others(again: Path) -> None:
    note = again / POSITIONS / "note.txt"
    note.write_text("mine", encoding="utf-8")
    command = ["train", "hypergammon", "--runs", str(again.parent), "--fresh"]
    plan = small_recipe(again.parent, TEXT.replace("games = 120", "games = 20"))
    done = CliRunner().invoke(cli, [*command, "--recipe", str(plan)])
    assert done.exit_code == 0, done.output
    assert rounds_in(again) == ["000001.bin", "note.txt"]
    assert (again / CHECKPOINT).is_file()


def test_only_the_last_rounds_are_held(tmp_path: Path) -> None:
    buffer = SampleBuffer(classes=6, rounds=2, folder=tmp_path / POSITIONS)
    for number, size in enumerate((5, 3, 4), start=1):
        slots = np.full((size, _core.POSITION_SLOTS), number, np.uint8)
        targets = np.full((size, 6), number / 10, np.float32)
        assert buffer.add([Games(number, slots, targets, 1, size, (1,))], number) == size
    assert (len(buffer), buffer.held) == (7, [2, 3])
    slots, targets, numbers = buffer.newest(10)
    assert (slots == 3).all()
    assert targets == pytest.approx(0.3)
    assert set(numbers) == {3}
    assert len(rounds_in(tmp_path)) == 3, "the last checkpoint may still speak of the first"
    buffer.tidy()
    other = SampleBuffer(classes=6, rounds=2, folder=tmp_path / POSITIONS)
    other.take_up([1, 2, 3])
    assert other.held == [2, 3]
    one, two = (each.sample(torch.Generator().manual_seed(4), 50) for each in (buffer, other))
    assert all(torch.equal(a, b) for a, b in zip(one, two, strict=True))
    assert set(one[2].tolist()) == {2, 3}
