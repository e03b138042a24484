"""A whole training in small: it learns, survives, refuses, and says what it made."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import types
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.errors import TrainingError

np = pytest.importorskip("numpy", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

from sheshbesh.training import checkpoint, coverage, export, origins, quantised, recipe, seeds  # noqa: E402
from sheshbesh.training import learner as learner_module  # noqa: E402
from sheshbesh.training import run as run_module  # noqa: E402
from sheshbesh.training.files import CHECKPOINT, LOG  # noqa: E402
from sheshbesh.training.growth import grown  # noqa: E402
from sheshbesh.training.log import Log  # noqa: E402
from sheshbesh.training.model import Inputs, Model, loss_of  # noqa: E402
from sheshbesh.training.pace import Pace  # noqa: E402
from sheshbesh.training.play import Crew, Games, Order, play_duel, play_games  # noqa: E402
from sheshbesh.training.plot import draw  # noqa: E402
from sheshbesh.training.progress import Progress  # noqa: E402
from sheshbesh.training.run import Run  # noqa: E402

SMALL = """
check_pairs = 50
checks = 2
[stage]
widths = [64, 32]
batch = 512
round = 200
passes = 3.0
rate = 6e-3
decay = [1.0, 0.6]
gate_pairs = 0
[[stages]]
games = 600
[[stages]]
games = 600
widths = [64, 32, 32]
rate = [6e-3, 5e-4]
polish = true
gate_pairs = 300
"""

ONE_ROUND = """
checks = 0
[stage]
widths = [64, 32, 32]
batch = 512
round = 100
rate = 1e-4
decay = 0.6
polish = true
gate_pairs = 0
[[stages]]
games = 100
"""
NETS = Path(sb.__file__).parent / "engine" / "nets"


def small_recipe(folder: Path, text: str = SMALL) -> Path:
    file = folder / "small.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of hypergammon."""
    folder = tmp_path_factory.mktemp("run")
    plan = recipe.load("hypergammon", small_recipe(folder))
    Run(sb.variant("hypergammon"), plan, folder, crew=Crew(1)).train()
    return folder


def test_twelve_hundred_games_teach_enough_to_beat_random_play_soundly(trained: Path) -> None:
    net = (trained / "hypergammon.net").read_bytes()
    score = play_duel(sb.variant("hypergammon"), net, None, 500, seed=11)
    assert score.share > 0.75
    assert score.per_game > 10 * score.error


def test_the_manifest_says_where_the_net_comes_from(trained: Path) -> None:
    data = json.loads((trained / "hypergammon.json").read_text(encoding="utf-8"))
    net = (trained / "hypergammon.net").read_bytes()
    game = sb.variant("hypergammon")
    assert data["format"] == 1
    assert (data["game"], data["title"]) == ("hypergammon", game.title)
    assert data["fingerprints"][game.fingerprint] == {"options": {}}
    assert data["classes"] == [["single", 1], ["gammon", 2], ["backgammon", 3]]
    assert data["tie"] is False
    assert data["widths"] == [64, 32, 32]
    assert data["games"] >= 1200
    assert data["recipe"]["stages"][1]["polish"] is True
    assert data["strength"]["random"]["share"] > 0.7
    assert 0 < data["quantisation_rmse"] < 0.05
    assert data["parameters"] == quantised.parse(net).parameters
    assert data["axes"]["board.checkers"] == [3]


def test_every_promotion_is_in_the_log_and_the_plot(trained: Path) -> None:
    events = Log(trained / LOG).read()
    (promotion,) = (event for event in events if event["event"] == "promotion")
    assert promotion["per_game"] > 2 * promotion["error"]
    table, picture = draw(trained)
    assert "promotion" in table.read_text(encoding="utf-8")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_finished_run_is_taken_up_without_playing_on(trained: Path) -> None:
    run = Run(
        sb.variant("hypergammon"), recipe.load("hypergammon", trained / "small.toml"), trained, crew=Crew(1)
    )
    assert run.resume()
    assert run.delivered


def test_a_finished_run_can_be_gated_again(trained: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hypergammon"
    shutil.copytree(trained, folder)
    change_strength(folder, gate={"games": 600})  # as if the net of the first stage had been the better one
    done = gate_again(folder)
    assert done.exit_code == 0, done.output
    last = Log(folder / LOG).read()[-1]
    assert (last["against"], last["pairs"]) == ("previous", 100)
    assert abs(last["per_game"]) < 0.3  # it is the same net, calibrated on other positions


def test_without_another_net_there_is_nothing_to_gate_against(trained: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hypergammon"
    shutil.copytree(trained, folder)
    before = (folder / "hypergammon.net").read_bytes(), len(Log(folder / LOG).read())
    for message in ("promoted last is the last one", "no net was promoted"):
        done = gate_again(folder)
        assert done.exit_code == 2, done.output
        assert message in " ".join(done.output.split())
        change_strength(folder)
    assert ((folder / "hypergammon.net").read_bytes(), len(Log(folder / LOG).read())) == before


def change_strength(folder: Path, **strength: object) -> None:
    """Have a run's checkpoint say something else about its gates."""
    state = checkpoint.load(folder / CHECKPOINT)
    checkpoint.save(folder / CHECKPOINT, state | {"strength": json.dumps(strength)})


def gate_again(folder: Path) -> Result:
    command = ["train", folder.name, "--runs", str(folder.parent), "--recipe", str(folder / "small.toml")]
    return CliRunner().invoke(cli, [*command, "--gate", "100"])


def start_training(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    program = [sys.executable, "-c", "from sheshbesh.cli.main import main; main()"]
    command = ["train", "hypergammon", "--runs", str(folder), *arguments]
    return subprocess.Popen([*program, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_rounds(log: Log, count: int) -> list[dict[str, Any]]:
    for _ in range(3000):
        rounds = [event for event in log.read() if event["event"] == "round"]
        if len(rounds) >= count:
            return rounds
        time.sleep(0.1)
    raise AssertionError("no round within five minutes")


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    file = small_recipe(tmp_path, SMALL.replace("games = 600", "games = 1000"))
    folder = tmp_path / "hypergammon"
    process = start_training(tmp_path, "--recipe", str(file))
    wait_for_rounds(Log(folder / LOG), 3)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    process = start_training(tmp_path, "--recipe", str(file))
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0, out
    events = Log(folder / LOG).read()
    (resumed,) = (event for event in events if event["event"] == "resume")
    assert resumed["games"] >= 200
    rounds = [event["games"] for event in events if event["event"] == "round"]
    assert rounds[-1] >= 2000
    assert resumed["games"] + 200 in rounds
    assert (folder / "hypergammon.net").is_file()


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_an_interrupted_run_leaves_a_good_checkpoint(tmp_path: Path) -> None:
    plan = small_recipe(tmp_path)
    process = start_training(tmp_path, "--recipe", str(plan), "--games", "100000", "--seed", "3")
    log = Log(tmp_path / "hypergammon" / LOG)
    wait_for_rounds(log, 2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 130, out
    words = f"hypergammon --recipe {plan} --games 100000 --seed 3 --runs {tmp_path}"
    assert f"sheshbesh train {words}\n" in out
    state = checkpoint.load(tmp_path / "hypergammon" / CHECKPOINT)
    assert state["progress"]["games"] == log.read()[-1]["games"]


def test_a_damaged_checkpoint_is_refused(trained: Path, tmp_path: Path) -> None:
    data = bytearray((trained / CHECKPOINT).read_bytes())
    folder = tmp_path / "hypergammon"
    folder.mkdir()
    for spoil in (len(data) // 2, 0):
        data[spoil] ^= 1
        (folder / CHECKPOINT).write_bytes(data)
        command = ["train", "hypergammon", "--runs", str(tmp_path), "--recipe", str(trained / "small.toml")]
        done = CliRunner().invoke(cli, command)
        assert done.exit_code == 2
        assert "checkpoint.bin" in "".join(done.output.split())
        assert "--fresh" in done.output
    (folder / CHECKPOINT).write_bytes(data[:1000])
    with pytest.raises(TrainingError, match=r"no checkpoint|damaged"):
        checkpoint.load(folder / CHECKPOINT)


def test_a_checkpoint_of_other_inputs_is_refused(trained: Path, tmp_path: Path) -> None:
    plan = recipe.load("hypergammon", trained / "small.toml")
    state = checkpoint.load(trained / CHECKPOINT)
    state["mean"]["seen"] = state["mean"]["seen"][:-60]
    checkpoint.save(tmp_path / CHECKPOINT, state)
    run = Run(sb.variant("hypergammon"), plan, tmp_path, crew=Crew(1))
    with pytest.raises(TrainingError, match=r"checkpoint\.bin was made for \d+ inputs, not"):
        run.resume()
    with pytest.raises(TrainingError, match=r"checkpoint\.bin was made for \d+ inputs, not"):
        run.begin_from(tmp_path / CHECKPOINT)


def test_a_checkpoint_of_another_recipe_or_game_is_refused(trained: Path) -> None:
    plan = recipe.load("hypergammon", trained / "small.toml")
    with pytest.raises(TrainingError, match="another recipe"):
        Run(sb.variant("hypergammon"), replace(plan, seed=1), trained, crew=Crew(1)).resume()
    with pytest.raises(TrainingError, match="other rules"):
        Run(sb.variant("tapa"), plan, trained, crew=Crew(1)).resume()


def test_helpers_beside_the_trainer_play_the_same_kind_of_run(tmp_path: Path) -> None:
    file = small_recipe(tmp_path, SMALL.replace("games = 600", "games = 400"))
    process = start_training(tmp_path, "--recipe", str(file), "--workers", "2")
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0, out
    assert json.loads((tmp_path / "hypergammon" / "hypergammon.json").read_text())["games"] >= 800


def model_of(game: str, widths: tuple[int, ...]) -> tuple[Model, Inputs, coverage.Coverage]:
    covered = coverage.cover(sb.variant(game), "auto", 0.2)
    inputs = Inputs(covered)
    model = Model(inputs.units, widths, covered.class_count, torch.Generator().manual_seed(3))
    model.seen[:] = True
    return model, inputs, covered


def some_positions(covered: coverage.Coverage, count: int = 300) -> export.Sample:
    blank = quantised.write(quantised.blank(len(_units()), (64,), covered.class_count))
    played = play_games(Order(covered.main, 0, 20, 1, 0.0, 1.0, 0, 400, 1.0), blank)
    return export.Sample(played.slots[:count], np.zeros(count, np.uint8))


def _units() -> list[int]:
    from sheshbesh import _core

    return _core.unit_scale()


@pytest.mark.parametrize("game", ["backgammon", "tapa", "khachapuri"])
def test_rounding_changes_little_and_never_overflows(game: str) -> None:
    model, inputs, covered = model_of(game, (128, 64, 32))
    sample = some_positions(covered)
    net = export.quantise(model, inputs, sample)
    weight, bias = net.first_weight.astype(np.float64), net.first_bias.astype(np.float64)
    low, high = export.sum_bounds(weight, bias)
    assert -32768 <= low.min() <= high.max() <= 32767
    sums = net.first_sums(quantised.units_of(sample.slots, inputs.rules[sample.numbers]))
    assert (sums >= low).all()
    assert (sums <= high).all()
    assert export.equity_error(model, net, inputs, sample, covered.money()) < 0.05
    assert quantised.write(quantised.parse(quantised.write(net))) == quantised.write(net)


def test_polishing_sees_the_first_layer_as_the_core_will_sum_it(trained: Path) -> None:
    plan = recipe.load("hypergammon", trained / "small.toml")
    run = Run(sb.variant("hypergammon"), plan, trained, crew=Crew(1))
    assert run.resume()
    model, inputs = run.learner.mean, run.learner.inputs
    assert model.ranges is not None
    sample = some_positions(run.coverage)
    net = export.quantise(model, inputs, sample)
    sums = net.first_sums(quantised.units_of(sample.slots, inputs.rules[sample.numbers]))
    whole = quantised.first_activations(sums, net.shift)

    def same() -> float:
        seen = model.activations(inputs.expand(sample.slots, sample.numbers))[0].double().numpy()
        assert model.ranges is not None
        return float(np.mean(np.abs(seen / model.ranges[0].double().numpy() * 127 - whole) < 0.5))

    with_rounding = same()
    model.first_error = None
    assert with_rounding > 0.99 > same()


def test_a_larger_net_begins_as_the_smaller_one_was() -> None:
    model, inputs, covered = model_of("backgammon", (64, 32))
    sample = some_positions(covered)
    units = inputs.expand(sample.slots, sample.numbers)
    larger = grown(model, (128, 64, 64), torch.Generator().manual_seed(1))
    assert larger.widths == (128, 64, 64)
    torch.testing.assert_close(larger.activations(units)[-1], model.activations(units)[-1])


def test_a_run_can_begin_with_the_net_of_a_relative(trained: Path, tmp_path: Path) -> None:
    plan = recipe.load("backgammon", trained / "small.toml")
    wider = replace(plan, stages=tuple(replace(stage, widths=(128, 32, 32)) for stage in plan.stages))
    run = Run(sb.variant("backgammon"), wider, tmp_path / "new", crew=Crew(1))
    run.begin_from(trained / CHECKPOINT)
    assert run.learner.mean.widths == (128, 32, 32)
    sample = some_positions(run.coverage)
    old = Run(sb.variant("hypergammon"), plan, trained, crew=Crew(1))
    assert old.resume()
    assert old.learner.plain is not None
    before = old.learner.plain.activations(old.learner.inputs.expand(sample.slots, sample.numbers))[-1]
    now = run.learner.mean.activations(run.learner.inputs.expand(sample.slots, sample.numbers))[-1]
    torch.testing.assert_close(now, before)


@pytest.mark.parametrize("options", ["auto", ()])
def test_a_shipped_net_becomes_floats_and_rounds_back_to_itself(options: str | tuple[()]) -> None:
    file = NETS / "long_nardy.net"
    covered = coverage.cover(sb.variant("long_nardy"), options, 0.2)
    inputs = Inputs(covered)
    assert (len(covered.variants) > 1) == bool(options)
    origin = origins.load(file, inputs, torch.Generator())
    assert (origin.game, origin.classes) == ("long_nardy", coverage.class_words(covered.classes))
    net, sample = quantised.parse(file.read_bytes()), some_positions(covered)
    assert origin.model.ranges is not None
    # Sums of the first layer that lie between two steps may round either way.
    assert export.equity_error(origin.model, net, inputs, sample, covered.money()) < 0.005
    again = export.quantise(origin.model, inputs, sample)
    rules = inputs.rules[sample.numbers]
    moved = again.probabilities(sample.slots, rules) - net.probabilities(sample.slots, rules)
    assert float(np.sqrt(np.mean(moved**2))) < 0.005


def test_a_run_begun_with_a_shipped_net_plays_as_well_at_once(trained: Path, tmp_path: Path) -> None:
    net = trained / "hypergammon.net"
    file = small_recipe(tmp_path, ONE_ROUND)
    command = ["train", "hypergammon", "--runs", str(tmp_path), "--recipe", str(file), "--init", str(net)]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    folder = tmp_path / "hypergammon"
    (begun,) = (event for event in Log(folder / LOG).read() if event["event"] == "init")
    parent = json.loads((trained / "hypergammon.json").read_text())
    assert begun["games"] == parent["games"]
    about = json.loads((folder / "hypergammon.json").read_text())
    assert about["recipe"]["began_from"] == [
        {key: parent[key] for key in ("game", "games", "seed", "recipe")}
    ], "with the recipes that made it, a net can be made again"
    new = (folder / "hypergammon.net").read_bytes()
    assert new != net.read_bytes()
    score = play_duel(sb.variant("hypergammon"), new, net.read_bytes(), 500, seed=12)
    assert score.per_game > -0.1 - 3 * score.error
    foreign = folder / "diary.txt"
    foreign.touch()
    done = CliRunner().invoke(cli, [*command, "--fresh"])
    assert done.exit_code == 0, done.output
    assert [event["event"] for event in Log(folder / LOG).read()][:2] == ["init", "begin"]
    assert foreign.is_file()


def test_a_net_that_plays_already_goes_on_by_a_recipe_of_its_own(trained: Path, tmp_path: Path) -> None:
    begun = ["train", "hypergammon", "--runs", str(tmp_path), "--init", str(trained / "hypergammon.net")]
    done = CliRunner().invoke(cli, [*begun, "--games", "64"])
    assert done.exit_code == 0, done.output
    about = json.loads((tmp_path / "hypergammon" / "hypergammon.json").read_text())
    rates = [stage["rate"] for stage in about["recipe"]["stages"]]
    further = recipe.load("hypergammon", Path(recipe.FURTHER))
    assert rates == [list(stage.rate) for stage in further.stages]
    (gate,) = (about["strength"][word] for word in ("gate", "refused") if word in about["strength"])
    assert gate["against"] == f"net {sha256((trained / 'hypergammon.net').read_bytes()).hexdigest()[:12]}"
    assert gate["pairs"] == 10_000
    again = ["train", "hypergammon", "--runs", str(tmp_path), "--recipe", recipe.FURTHER, "--games", "64"]
    done = CliRunner().invoke(cli, again)
    assert done.exit_code == 0, done.output
    assert "is trained" in done.output
    kept = {file: file.read_bytes() for file in (tmp_path / "hypergammon").iterdir()}
    done = CliRunner().invoke(cli, [*again, "--fresh"])
    assert done.exit_code == 2 and "--init" in done.output
    assert {file: file.read_bytes() for file in (tmp_path / "hypergammon").iterdir()} == kept


def test_a_net_that_knows_other_ends_of_the_game_is_not_the_one_to_beat(tmp_path: Path) -> None:
    """It could not be played against: a tie, say, has no place among its results."""
    plan = recipe.load("tapa", Path(recipe.FURTHER))
    for rules, beaten_first in ((sb.variant("tapa"), True), (sb.variant("tapa", mother=True), False)):
        run = Run(rules, replace(plan, options=()), tmp_path, crew=Crew(1))
        run.begin_from(NETS / "tapa.net")
        assert (run.gates.begun_with is not None) == beaten_first


def test_rounds_of_polish_that_teach_nothing_leave_a_polished_net_as_it_is(tmp_path: Path) -> None:
    text = ONE_ROUND.replace("[64, 32, 32]", "[512, 256, 256]").replace("round = 100", "round = 60")
    text = text.replace("rate = 1e-4", "rate = 0.0").replace("games = 100", "games = 720")
    game, shipped = sb.variant("backgammon"), NETS / "backgammon.net"
    run = Run(game, recipe.load(game.name, small_recipe(tmp_path, text)), tmp_path, crew=Crew(1))
    run.begin_from(shipped)
    new = quantised.parse(run.train())
    assert run.progress.round > 10
    sample = some_positions(run.coverage)
    old = quantised.parse(shipped.read_bytes())
    moved = [net.probabilities(sample.slots, run.learner.inputs.rules[sample.numbers]) for net in (old, new)]
    equities = (moved[1] - moved[0]) @ np.array(run.coverage.money())
    assert float(np.sqrt(np.mean(equities**2))) < 0.02


def test_a_net_to_begin_with_that_is_damaged_or_alone_is_refused(trained: Path, tmp_path: Path) -> None:
    plan = recipe.load("hypergammon", trained / "small.toml")
    larger = replace(plan, stages=plan.stages[1:])
    net = tmp_path / "hypergammon.net"
    shutil.copy(trained / "hypergammon.net", net)
    run = Run(sb.variant("hypergammon"), larger, tmp_path / "run", crew=Crew(1))
    with pytest.raises(TrainingError, match=r"manifest .*hypergammon\.json: No such file"):
        run.begin_from(net)
    shutil.copy(trained / "hypergammon.json", tmp_path)
    run.begin_from(net)
    assert run.learner.model.ranges is not None
    with pytest.raises(TrainingError, match="cannot grow"):
        Run(sb.variant("hypergammon"), plan, tmp_path / "run", crew=Crew(1)).begin_from(net)
    net.write_bytes(net.read_bytes()[:-1])
    with pytest.raises(TrainingError, match=r"hypergammon\.net: .*damaged"):
        run.begin_from(net)


@pytest.mark.parametrize("play_seconds", [3.0, 8.0])
def test_minutes_count_the_time_that_self_play_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, play_seconds: float
) -> None:
    clock = types.SimpleNamespace(now=0.0)
    ticking = types.SimpleNamespace(monotonic=lambda: clock.now, process_time=lambda: clock.now)
    monkeypatch.setattr(run_module, "time", ticking)
    learn = Run._learn

    def slow_play(order: Order, net: bytes) -> Games:
        clock.now += play_seconds / 2  # two orders a round: the game, and one of its options
        return play_games(order, net)

    def slow_learn(run: Run, played: list[Games], stage: recipe.Stage, share: float) -> float:
        clock.now += 2.0
        return learn(run, played, stage, share)

    for module in (run_module, learner_module):
        monkeypatch.setattr(module, "play_games", slow_play)
    monkeypatch.setattr(Run, "_learn", slow_learn)
    plan = recipe.load(
        "tavla", small_recipe(tmp_path, ONE_ROUND.replace("round = 100", "round = 50"))
    ).scaled(5000)
    run = Run(sb.variant("tavla"), plan, tmp_path, crew=Crew(1), minutes=2)
    run.train()
    measuring = play_seconds / 2  # games played at the very end, to see what rounding costs
    assert run.progress.seconds == clock.now - measuring
    assert 100 < clock.now < 140


def test_what_a_stage_played_is_learned_as_that_stage_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the last round of a stage, whose net goes to the gate."""
    played: list[int] = []
    learned: list[tuple[int, bool]] = []
    learn = Run._learn

    def watched_play(order: Order, net: bytes) -> Games:
        played.append(order.plies)
        return play_games(order, net)

    def watched_learn(run: Run, games: list[Games], stage: recipe.Stage, share: float) -> float:
        learned.append((stage.plies, stage.polish))
        assert share < 1
        return learn(run, games, stage, share)

    monkeypatch.setattr(run_module, "play_games", watched_play)
    monkeypatch.setattr(Run, "_learn", watched_learn)
    common = {"widths": [64], "decay": 0.0, "rate": 1e-3, "round": 10, "games": 30, "gate_pairs": 0}
    stages = [common, {**common, "plies": 1, "polish": True}]
    plan = recipe.read({"options": [], "checks": 0, "stages": stages}, "x.toml")
    run = Run(sb.variant("tavla"), plan, tmp_path, crew=Crew(1))
    run.train()
    assert played == [0] * 3 + [1] * 3
    assert learned == [(0, False)] * 3 + [(1, True)] * 3


def test_a_stage_that_begins_anew_is_taught_by_the_net_before(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which plays till the stage ends, also after a stop; the new net may be a smaller one."""
    players: list[bytes] = []

    def watched_play(order: Order, net: bytes) -> Games:
        if order.games == 10:  # else a sample to round by
            players.append(net)
        if len(players) == 4:
            run._stopping = True
        return play_games(order, net)

    monkeypatch.setattr(run_module, "play_games", watched_play)
    common = {"decay": 0.0, "rate": 1e-3, "round": 10, "games": 30, "gate_pairs": 0}
    stages = [{**common, "widths": [64], "anew": True}, {**common, "widths": [64, 64]}]
    plan = recipe.read({"options": [], "checks": 0, "stages": stages}, "x.toml")
    teacher = trained / "hypergammon.net"

    def new_run() -> Run:
        return Run(sb.variant("hypergammon"), plan, tmp_path, crew=Crew(1))

    run = new_run()
    with pytest.raises(TrainingError, match="--init"):
        run.train()
    run.begin_from(teacher)
    assert run.learner.widths == (64,) != quantised.parse(teacher.read_bytes()).widths
    with pytest.raises(run_module.Stopped):
        run.train()
    assert players[:3] == [teacher.read_bytes()] * 3 != players[1:]
    assert run.teacher is None

    stages[:] = [{**common, "widths": [64, 16]}, {**common, "widths": [64], "anew": True}]
    plan = recipe.read({"options": [], "checks": 0, "stages": stages}, "x.toml")
    shutil.rmtree(tmp_path)
    players.clear()
    run = new_run()
    with pytest.raises(run_module.Stopped):
        run.train()
    steps = run.learner.steps
    run = new_run()
    assert run.resume()
    assert run.teacher is not None
    assert run.learner.steps == steps > 0
    taught_by = run.teacher
    assert quantised.parse(taught_by).widths == (64, 16)
    assert quantised.parse(run.train()).widths == (64,)
    assert set(players[3:]) == {taught_by}


def test_what_is_measured_at_the_end_of_a_stage_is_its_net_not_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = {"decay": 0.0, "rate": 1e-3, "round": 10, "games": 20, "gate_pairs": 0, "widths": [64]}
    stages = [common, {**common, "anew": True}]
    plan = recipe.read({"options": [], "checks": 4, "check_pairs": 2, "stages": stages}, "x.toml")
    run = Run(sb.variant("hypergammon"), plan, tmp_path, crew=Crew(1))
    measured: list[bytes] = []
    monkeypatch.setattr(run.gates, "check", lambda make_net: measured.append(make_net()))
    ended: list[bytes] = []
    begin = run._begin_anew

    def noted(net: bytes) -> None:
        ended.append(net)
        begin(net)

    monkeypatch.setattr(run, "_begin_anew", noted)
    run.train()
    assert len(measured) == 4
    assert ended == [measured[1]]


def test_a_run_bounded_by_time_gives_each_stage_its_share_of_it() -> None:
    common = {"widths": [64], "decay": 0.0, "rate": 1e-3}
    # Of the same cost, by what playing and learning a game are said to take.
    stages = [{"games": 8500, **common}, {"games": 1500, "plies": 1, **common}]
    plan = recipe.read({"stages": stages}, "x.toml")
    pace, progress = Pace(plan, 100.0), Progress()
    ended = []
    while progress.stage < 2:
        games, seconds = ((300, 1.0), (40, 1.5))[progress.stage]  # as if looking ahead were ten times slower
        progress.seconds += seconds
        if pace.left(progress, games, seconds) <= games:
            ended.append(progress.seconds)
            progress.stage += 1
    assert ended == [pytest.approx(50, abs=2), pytest.approx(100, abs=3)]


@pytest.mark.parametrize("minutes", [None, 0.02, 0.5])
@pytest.mark.parametrize("sizes", [(140, 60, 37), (333, 100, 101)])
def test_no_round_is_much_smaller_than_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...], minutes: float | None
) -> None:
    """By the last one of a stage its net is rounded, and the next stage's pace guessed."""
    common = {"widths": [64], "decay": 0.0, "rate": 1e-3, "round": 30, "gate_pairs": 0}
    plan = recipe.read({"checks": 0, "stages": [{"games": n, **common} for n in sizes]}, "x.toml")
    made = Run(sb.variant("hypergammon"), plan, tmp_path, crew=Crew(1), minutes=minutes)
    played: list[list[int]] = [[] for _ in sizes]
    clock = iter(np.linspace(0.0, 1000.0, 100_000) ** 1.1)  # a machine that becomes slower

    def counted(games: list[Games]) -> None:
        played[made.progress.stage].append(sum(part.games for part in games))
        count(games)

    count = made._count
    monkeypatch.setattr(made, "_count", counted)
    monkeypatch.setattr(made, "_learn", lambda *_: 0.0)
    monkeypatch.setattr(
        run_module, "time", types.SimpleNamespace(monotonic=lambda: next(clock), process_time=lambda: 0.0)
    )
    made.train()
    assert made.progress.stage_games == [sum(stage) for stage in played]
    assert all(stage and min(stage) >= 15 for stage in played), played
    assert made.progress.share == 1.0
    if minutes is None:
        assert made.progress.stage_games == list(sizes)


def test_polishing_sees_the_net_as_it_will_be_rounded() -> None:
    model, inputs, covered = model_of("backgammon", (64, 32))
    sample = some_positions(covered)
    units = inputs.expand(sample.slots, sample.numbers)
    model.ranges = [torch.from_numpy(r).float() for r in export.polish_ranges(model, inputs, sample)]
    hidden = model.activations(units)
    for layer, steps in enumerate((127, 127 * 128)):
        counted = hidden[layer] / model.ranges[layer] * steps
        torch.testing.assert_close(counted, counted.round(), atol=1e-2, rtol=0)
        assert len(set(counted.round().flatten().tolist())) > (64 if layer == 0 else 1000)
    targets = torch.full((len(units), covered.class_count), 1 / covered.class_count)
    loss_of(model(units), targets).backward()  # type: ignore[no-untyped-call]
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in model.parameters())


def test_one_net_serves_the_options_that_keep_the_ways_a_game_can_end() -> None:
    covered = coverage.cover(sb.variant("long_nardy"), "auto", 0.2)
    assert len(covered.variants) > 3
    assert len({coverage.classes_of(variant) for variant in covered.variants}) == 1
    assert covered.shares(0, 100) == [(0, 80), (1, 20)]
    assert len(covered.fingerprints()) == len(covered.variants)


def test_an_option_that_adds_a_result_needs_a_net_of_its_own() -> None:
    with pytest.raises(TrainingError, match="mother"):
        coverage.cover(sb.variant("tapa"), [{"mother": True}], 0.2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"round": 0}, "round"),
        ({"decay": [0.1, 2]}, "decay"),
        ({"widths": [100]}, "multiple of 64"),
        ({"speed": 3}, "speed"),
        ({"plies": 2}, "decay must be 0"),
        ({"plies": 9}, "plies"),
        ({"widths": 64}, "widths"),
        ({"widths": "64"}, "widths"),
        ({"keep": 0}, "keep"),
        ({"keep": 2.0}, "keep"),
        ({"passes": "x"}, "passes"),
        ({"passes": -1}, "passes"),
        ({"passes": float("inf")}, "passes"),
        ({"polish": "no"}, "polish"),
        ({"anew": 1}, "anew"),
        ({"decay": True}, "decay"),
        ({"rate": float("nan")}, "rate"),
        ({"batch": 10**11}, "batch"),
        ({"gate_pairs": 1}, "gate_pairs"),
    ],
)
def test_a_recipe_that_does_not_hold_names_stage_and_entry(change: dict[str, Any], message: str) -> None:
    stage = {"games": 10, "widths": [64], "decay": 1.0, "rate": 1e-3}
    assert recipe.read({"stages": [stage]}, "x.toml").games == 10
    with pytest.raises(TrainingError, match=rf"recipe x\.toml, stage 2: .*{message}"):
        recipe.read({"stages": [stage, stage | change]}, "x.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stages = [1, 2]", "stage 1 is a table"),
        ("stages = 5", "no stages"),
        ("stage = 5", "stage is a table"),
        ("options = 5", "options is"),
        ('options = "none"', "options is"),
        ('options = ["a"]', "options is"),
        ('seed = "a"', "seed is a whole number"),
        ("seed = -1", "seed is a whole number"),
        ("seed = 4294967296", "seed is a whole number"),
        ("average = 2.0", "average is a number"),
        ('option_share = "x"', "option_share is a number"),
        ("checks = -1", "checks is a whole number"),
        ("check_pairs = 0", "check_pairs is from 2 up"),
        ("speed = 3", "unknown entries speed"),
        ("= =", "line 1"),
        ("# \udcff", "UTF-8"),
    ],
)
def test_a_recipe_file_that_does_not_hold_names_file_and_entry(
    text: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(TrainingError, match=rf"recipe .*x\.toml: .*{message}"):
        recipe.load("tapa", file)


def test_a_recipe_without_checks_needs_no_pairs_for_them(tmp_path: Path) -> None:
    plan = recipe.load("tapa", small_recipe(tmp_path, "checks = 0\ncheck_pairs = 0"))
    assert (plan.checks, plan.check_pairs) == (0, 0)


def test_a_net_never_shrinks_in_a_recipe() -> None:
    stage = {"games": 10, "widths": [128], "decay": 1.0, "rate": 1e-3}
    for smaller in ([64], [128, 64]):
        with pytest.raises(TrainingError, match="only grows"):
            recipe.read({"stages": [stage, stage | {"widths": smaller}]}, "x.toml")
    anew = stage | {"widths": [64], "anew": True}
    assert recipe.read({"stages": [stage, anew]}, "x.toml").stages[1].widths == (64,)


def test_a_polished_net_is_only_polished_further() -> None:
    stage = {"games": 10, "widths": [64], "decay": 1.0, "rate": 1e-3, "polish": True}
    for change in ({"polish": False}, {"widths": [128]}):
        with pytest.raises(TrainingError, match="after a stage that polishes"):
            recipe.read({"stages": [stage, stage | change]}, "x.toml")
        recipe.read({"stages": [stage, stage | change | {"anew": True, "polish": False}]}, "x.toml")
    with pytest.raises(TrainingError, match="stage 2: a net that begins anew"):
        recipe.read({"stages": [stage, stage | {"anew": True}]}, "x.toml")


def test_a_run_goes_on_from_what_another_had_before_it_was_polished(trained: Path, tmp_path: Path) -> None:
    plan = recipe.load("hypergammon", trained / "small.toml")
    larger = replace(plan.stages[1], widths=(128, 32, 32), polish=False)
    for stage in (larger, replace(larger, polish=True)):
        run = Run(sb.variant("hypergammon"), replace(plan, stages=(stage,)), tmp_path, crew=Crew(1))
        run.begin_from(trained / CHECKPOINT)
        assert run.learner.model.ranges is None
        origin = origins.load(trained / CHECKPOINT, run.learner.inputs, torch.Generator())
        assert origin.plain is not None
        slots = some_positions(run.coverage).slots
        units = run.learner.inputs.expand(slots, np.zeros(len(slots), np.uint8))
        there, here = (model.activations(units)[-1] for model in (origin.plain, run.learner.mean))
        torch.testing.assert_close(here, there)
        with pytest.raises(TrainingError, match="was polished with widths"):
            run.begin_from(trained / "hypergammon.net")


def test_what_a_run_delivered_is_the_one_to_beat_for_whoever_goes_on(trained: Path, tmp_path: Path) -> None:
    """Not the net that it had before it was polished; and that is handed on."""
    plan = recipe.load("hypergammon", trained / "small.toml")
    delivered = (trained / "hypergammon.net").read_bytes()
    for stage in (replace(plan.stages[0], anew=True), plan.stages[1]):
        run = Run(sb.variant("hypergammon"), replace(plan, stages=(stage,)), tmp_path, crew=Crew(1))
        run.begin_from(trained / CHECKPOINT)
        assert run.gates.begun_with == delivered
        assert run.teacher == (delivered if stage.anew else None)
        assert (run.learner.plain is not None) == stage.polish


def test_a_new_net_is_followed_quickly_by_its_mean(trained: Path, tmp_path: Path) -> None:
    plan = recipe.load("hypergammon", trained / "small.toml")
    learner = learner_module.Learner(coverage.cover(sb.variant("hypergammon"), (), 0.0), plan)

    def follows() -> float:
        with torch.no_grad():
            learner.model.linear[0].bias.add_(1.0)
        before = learner.mean.linear[0].bias.clone()
        learner._average()
        moved = (learner.mean.linear[0].bias - before).mean() / (learner.model.linear[0].bias - before).mean()
        return float(moved.detach())

    weights = [follows() for _ in range(300)]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > 0.8 and weights[-1] < 0.1
    learner.begin_anew((64,))
    assert follows() == pytest.approx(weights[0])


def test_all_shipped_recipes_hold() -> None:
    for game in sb.variants():
        assert recipe.load(game).games > 1000
        further = recipe.load(game, Path(recipe.FURTHER))
        assert {stage.widths for stage in further.stages} == {recipe.load(game).stages[-1].widths}
        assert further.stages[0].anew, "so any net can teach it, polished or not"
        assert further.stages[-1].gate_pairs >= 10_000


def test_a_file_named_like_a_shipped_recipe_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / recipe.FURTHER).write_text("seed = 77")
    monkeypatch.chdir(tmp_path)
    assert recipe.load("tapa", Path(recipe.FURTHER)).seed == 77
    with pytest.raises(TrainingError, match="recipe nearer: No such file"):
        recipe.load("tapa", Path("nearer"))


def test_stages_follow_the_games_played() -> None:
    plan = recipe.load("backgammon").scaled(1000)
    assert plan.share(0, 0.0) == 0.0
    assert plan.share(0, 1.0) == pytest.approx(plan.share(1, 0.0))
    assert plan.share(len(plan.stages), 0.0) == 1.0
    assert plan.games == pytest.approx(1000, abs=2)


def test_no_two_parts_of_a_run_have_the_same_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games under the rules of an option are no repetition of the main game's."""
    asked: list[Order] = []

    def noted(order: Order, net: bytes) -> Games:
        asked.append(order)
        return play_games(order, net)

    for module in (run_module, learner_module):
        monkeypatch.setattr(module, "play_games", noted)
    plan = recipe.load("tavla", small_recipe(tmp_path, ONE_ROUND)).scaled(200)
    Run(sb.variant("tavla"), plan, tmp_path / "run", crew=Crew(1)).train()
    played = [order for order in asked if order.seed % 1024 != 1023]  # the others show what rounding costs
    assert {order.number for order in played} >= {0, 1}
    assert len({order.seed for order in played}) == len(played)
    assert seeds.of_games(7, 3, 1022) < seeds.of_sample(7, 3) < seeds.of_games(7, 4, 0)
    with pytest.raises(TrainingError, match="parts"):
        seeds.of_games(7, 3, 1023)
