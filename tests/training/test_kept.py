"""Float checkpoints, pieces of a run, and the pause that others may ask for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.errors import TrainingError
from sheshbesh.training.files import CHECKPOINT, LOG, Log

np = pytest.importorskip("numpy", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

from sheshbesh.training import checkpoint, quiet, recipe, weights  # noqa: E402
from sheshbesh.training.run import PieceDone, Stopped, TrainingRun  # noqa: E402
from sheshbesh.work import Here  # noqa: E402
from tests.training.small import NETS, SHORT_RUN, small_recipe  # noqa: E402
from tests.waiting import PATIENCE  # noqa: E402

GAME = sb.variant("hypergammon")
TEXT = SHORT_RUN.format(games=60, round=20)


@pytest.fixture(autouse=True)
def quiet_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lock of these tests' own: what else runs on the machine does not pause them."""
    monkeypatch.setenv(quiet.FOLDER, str(tmp_path / "quiet"))
    return tmp_path / "quiet"


class Stopper:
    """Stops a run after some rounds."""

    def __init__(self, rounds: int) -> None:
        self.left = rounds
        self.run: TrainingRun | None = None

    def round_done(self, **_said: object) -> None:
        self.left -= 1
        if self.left == 0:
            assert self.run is not None
            self.run.stop()

    def measured(self, **_said: object) -> None:
        pass


def new_run(folder: Path, keep: Path, text: str = TEXT, stop_after: int = 0) -> TrainingRun:
    stopper = Stopper(stop_after)
    plan = recipe.load(small_recipe(keep.parent, text))
    run = TrainingRun(GAME, plan, folder, work=Here(), watcher=stopper, keep=keep)
    stopper.run = run
    return run


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was stopped after two rounds of three, and of what it keeps."""
    folder = tmp_path_factory.mktemp("left")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(quiet.FOLDER, str(folder / "quiet"))
        with pytest.raises(Stopped):
            new_run(folder / "here", folder / "kept", stop_after=2).train()
    return folder


@pytest.fixture
def stopped(left: Path, tmp_path: Path) -> Path:
    """A copy of it, for one test alone."""
    return Path(shutil.copytree(left, tmp_path / "left"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> TrainingRun:
    """A run of three rounds, with what it keeps beside it."""
    folder = tmp_path_factory.mktemp("finished")
    run = new_run(folder / "here", folder / "kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(quiet.FOLDER, str(folder / "quiet"))
        run.train()
    return run


def train(*words: object) -> Result:
    done = CliRunner().invoke(cli, ["train", "hypergammon", *map(str, words)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_a_stopped_run_goes_on_elsewhere_and_keeps_the_mean_alone_in_the_end(stopped: Path) -> None:
    kept = stopped / "kept" / "hypergammon.bin"
    here = new_run(stopped / "here", stopped / "elsewhere")
    there = new_run(stopped / "there", stopped / "kept")
    assert here.resume() and there.resume()
    assert (there.progress.games, there.progress.round, there.left) == (40, 2, 20)
    for mine, theirs in ((there.learner.mean, here.learner.mean), (there.learner.model, here.learner.model)):
        for new, old in zip(mine.state_dict().values(), theirs.state_dict().values(), strict=True):
            torch.testing.assert_close(new, old, rtol=1e-3, atol=1e-7)
            assert new.dtype == old.dtype
    assert there.gates.begun_with == (NETS / "hypergammon.net").read_bytes(), (
        "the shipped one is to be beaten"
    )
    parameters = sum(value.numel() for value in weights.load(kept)["mean"].values())
    assert 4 * parameters < kept.stat().st_size < 4 * parameters + 40_000
    there.train()
    assert there.progress.games == 60
    assert weights.load(kept)["progress"]["games"] == 60
    assert 2 * parameters < kept.stat().st_size < 2 * parameters + 40_000
    assert list(kept.parent.iterdir()) == [kept], "overwritten, never numbered"


def test_a_new_run_begins_with_the_weights_of_a_finished_one(tmp_path: Path, finished: TrainingRun) -> None:
    (kept,) = (finished.folder.parent / "kept").iterdir()
    there = new_run(tmp_path / "there", kept.parent)
    assert not there.resume(), "its run is over"
    there.begin_from(kept)
    torch.testing.assert_close(
        there.learner.mean.state_dict(), finished.learner.mean.state_dict(), rtol=1e-3, atol=1e-7
    )
    assert there.began_from[-1]["games"] == 60
    assert there.gates.begun_with == (NETS / "hypergammon.net").read_bytes()


def test_weights_that_are_not_finite_replace_nothing(stopped: Path) -> None:
    run, kept = new_run(stopped / "here", stopped / "kept"), stopped / "kept" / "hypergammon.bin"
    assert run.resume()
    before = kept.read_bytes()
    with torch.no_grad():
        run.learner.mean.linear[0].weight[0, 0] = float("inf")
    with pytest.raises(TrainingError, match=r"not replaced: layers\.0\.weight"):
        run.save(keep=True)
    assert kept.read_bytes() == before


def test_a_polished_net_is_kept_as_it_was_before(tmp_path: Path, trained: Path) -> None:
    state = checkpoint.load(trained / CHECKPOINT)
    assert state["ranges"] is not None
    assert weights.save(tmp_path / "kept.bin", state)
    torch.testing.assert_close(
        weights.load(tmp_path / "kept.bin")["mean"], state["plain"], rtol=1e-3, atol=1e-7
    )
    assert not weights.save(tmp_path / "none.bin", {**state, "plain": None})
    assert not (tmp_path / "none.bin").exists()


def test_a_float_checkpoint_that_is_damaged_or_something_else_is_refused(stopped: Path) -> None:
    kept = stopped / "kept" / "hypergammon.bin"
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1])
    with pytest.raises(TrainingError, match=r"hypergammon\.bin is damaged.*repository"):
        new_run(stopped / "there", stopped / "kept").resume()
    shutil.copy(stopped / "here" / CHECKPOINT, kept)
    with pytest.raises(TrainingError, match="all of a run"):
        new_run(stopped / "there", stopped / "kept").resume()
    (stopped / "there").mkdir()
    (stopped / "there" / CHECKPOINT).write_bytes(whole)
    with pytest.raises(TrainingError, match="its place is the folder that --keep names"):
        new_run(stopped / "there", stopped / "kept").resume()


@pytest.mark.soak
def test_the_command_goes_on_from_what_is_kept_without_being_told_the_recipe(tmp_path: Path) -> None:
    kept, piece = tmp_path / "kept", ("--stop-after", 0.05)
    plan = small_recipe(tmp_path, TEXT.replace("games = 60", "games = 1_000_000"))
    begun = train("--recipe", plan, "--keep", kept, "--runs", tmp_path / "here", *piece)
    assert begun.exit_code == 0, begun.output
    assert f"--keep {kept}" in begun.output and "--stop-after 0.05" in begun.output
    games = weights.load(kept / "hypergammon.bin")["progress"]["games"]
    for where in ("there", "there"):
        after = train("--keep", kept, "--runs", tmp_path / where, *piece)
        assert after.exit_code == 0, after.output
        assert f"at {games:,} games" in after.output
        state = weights.load(kept / "hypergammon.bin")
        assert state["progress"]["games"] > games
        assert recipe.read(json.loads(state["recipe"]), "kept") == recipe.load(plan)
        games = state["progress"]["games"]


@pytest.mark.soak
def test_what_is_kept_of_a_finished_run_goes_on_by_a_recipe_of_its_own(
    tmp_path: Path, short_gates: int
) -> None:
    new_run(tmp_path / "here", tmp_path / "kept").train()
    done = train("--keep", tmp_path / "kept", "--runs", tmp_path / "there", "--stop-after", 0.05)
    assert done.exit_code == 0, done.output
    log = Log(tmp_path / "there" / "hypergammon" / LOG).read()
    assert [event["games"] for event in log if event["event"] == "init"] == [60]
    state = weights.load(tmp_path / "kept" / "hypergammon.bin")
    assert recipe.read(json.loads(state["recipe"]), "kept") == recipe.load(Path(recipe.CONTINUE))


def test_a_piece_ends_after_its_time_and_the_next_goes_on(tmp_path: Path) -> None:
    plan = recipe.load(small_recipe(tmp_path, TEXT))
    pieces = 0
    while pieces < 10:
        run = TrainingRun(GAME, plan, tmp_path / "run", work=Here(), piece=0.0)
        run.resume()
        pieces += 1
        try:
            run.train()
        except PieceDone:
            continue
        break
    assert pieces == 3, "a round each"
    assert run.progress.games == 60


def test_a_device_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    for device in ("nonsense", "xpu" if not torch.xpu.is_available() else "mps"):
        done = train("--device", device, "--games", 10, "--runs", tmp_path / "runs")
        assert done.exit_code == 2
        assert f"PyTorch cannot learn on {device}" in " ".join(done.output.split())
    assert not (tmp_path / "runs").exists()


def test_the_log_tells_how_far_the_net_was_from_a_round_before_it_learned_it(finished: TrainingRun) -> None:
    run = finished
    rounds = [event for event in Log(run.folder / LOG).read() if event["event"] == "round"]
    assert "residual_learned" not in rounds[0], "nothing was learned before"
    assert all(event["residual_new"] > 0 for event in rounds)
    assert all(event["residual_learned"] > 0 for event in rounds[1:])
    money = np.array(run.coverage.money())
    slots, targets, numbers = run.learner.buffer.newest(2048)
    logits = run.learner.mean.activations(run.learner.inputs.expand(slots, numbers))[-1]
    off = (logits.softmax(dim=1).numpy() - targets) @ money
    newest, _ = run.learner.residuals()
    assert newest.rms == pytest.approx(float(np.sqrt(np.mean(off**2))))
    assert newest.mean == pytest.approx(float(np.mean(off)))
    assert all(abs(event["shift_new"]) < event["residual_new"] for event in rounds)


def test_training_pauses_while_a_living_process_asks_for_quiet(tmp_path: Path, quiet_folder: Path) -> None:
    quiet_folder.mkdir()
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True
    )
    (quiet_folder / f"{int(gone.stdout)}.quiet").touch()
    (quiet_folder / "99999999999.quiet").touch()
    (quiet_folder / "nobody.quiet").touch()
    assert not quiet.asked_for(), "nobody is there who asked"
    assert not list(quiet_folder.iterdir())

    run = new_run(tmp_path / "run", tmp_path / "kept")
    seen: list[bool] = []

    def look(until: object) -> None:
        seen.append(quiet.asked_for())
        assert (tmp_path / "kept" / "hypergammon.bin").is_file(), "nothing is lost if it is killed meanwhile"
        (quiet_folder / f"{os.getpid()}.quiet").unlink()

    wait = quiet.wait
    quiet.wait = look
    try:
        with quiet.held():
            run.train()
    finally:
        quiet.wait = wait
    assert seen == [True], "after the first round, once"
    words = [event["event"] for event in Log(tmp_path / "run" / LOG).read()]
    assert words[:4] == ["begin", "round", "pause", "go on"]


def test_what_a_command_under_the_lock_trains_does_not_wait_for_it(quiet_folder: Path) -> None:
    code = "from sheshbesh.training import quiet; raise SystemExit(3 if quiet.asked_for() else 0)"
    command = [sys.executable, str(quiet.__file__), sys.executable, "-c", code]
    assert subprocess.run(command, check=False, timeout=PATIENCE).returncode == 0


def test_a_command_under_the_lock_begins_when_trainers_have_paused(quiet_folder: Path) -> None:
    with quiet.at_work():
        assert quiet.training()
        assert not quiet.wait_for_trainers(longest=0.0)
        asked = iter([False, True])
        with quiet.held():
            quiet.wait(until=lambda: quiet.training() or next(asked))
        assert quiet.training(), "it goes on"
    assert not quiet.training()
    script = Path(quiet.__file__)
    look = f"import pathlib; print(len(list(pathlib.Path({str(quiet_folder)!r}).iterdir())))"
    done = subprocess.run(
        [sys.executable, script, sys.executable, "-c", look], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.strip()) == (0, "1")
    failed = subprocess.run([sys.executable, script, sys.executable, "-c", "raise SystemExit(7)"])
    assert failed.returncode == 7
    assert not list(quiet_folder.iterdir())
