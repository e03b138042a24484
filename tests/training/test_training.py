"""A whole training in small: it learns, survives, refuses, and says what it made."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.errors import TrainingError

np = pytest.importorskip("numpy", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

from sheshbesh.training import checkpoint, export, quantised, recipe  # noqa: E402
from sheshbesh.training.files import (  # noqa: E402
    CHECKPOINT,
    LOG,
    Log,
)
from sheshbesh.training.model import loss_of  # noqa: E402
from sheshbesh.training.play import Order, play_duel, play_games  # noqa: E402
from sheshbesh.training.plot import draw  # noqa: E402
from sheshbesh.training.run import TrainingRun  # noqa: E402
from sheshbesh.work import Here  # noqa: E402
from tests.training.small import SMALL, model_of, small_recipe, some_positions  # noqa: E402
from tests.waiting import until  # noqa: E402


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
    run = TrainingRun(sb.variant("hypergammon"), recipe.load(trained / "small.toml"), trained, work=Here())
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
    assert last["per_game"] == 0  # it is the same net


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
    def rounds() -> list[dict[str, Any]]:
        found = [event for event in log.read() if event["event"] == "round"]
        return found if len(found) >= count else []

    return list(until(rounds, seconds=300))


def test_a_run_of_another_optimiser_is_taken_up_without_what_that_remembered(
    trained: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "hypergammon"
    shutil.copytree(trained, folder)
    state = checkpoint.load(folder / CHECKPOINT)
    (weight,) = state["optimiser"]["hidden"]["param_groups"][0]["params"][:1]
    assert state["optimiser"]["hidden"]["state"][weight]["momentum_buffer"].abs().sum() > 0
    checkpoint.save(folder / CHECKPOINT, state | {"optimiser": {"state": {}, "param_groups": []}})
    run = TrainingRun(sb.variant("hypergammon"), recipe.load(trained / "small.toml"), folder, work=Here())
    assert run.resume()
    assert run.delivered
    assert not run.learner.optimiser.state()["hidden"]["state"]


@pytest.mark.soak
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    file = small_recipe(tmp_path, SMALL.replace("round = 200", "round = 100"))
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
    assert resumed["games"] >= 100
    rounds = [event["games"] for event in events if event["event"] == "round"]
    assert rounds[-1] >= 1200
    assert resumed["games"] + 100 in rounds
    assert (folder / "hypergammon.net").is_file()


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_an_interrupted_run_leaves_a_good_checkpoint(tmp_path: Path) -> None:
    plan = small_recipe(tmp_path, SMALL.replace("round = 200", "round = 20"))
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
    plan = recipe.load(trained / "small.toml")
    state = checkpoint.load(trained / CHECKPOINT)
    state["mean"]["seen"] = state["mean"]["seen"][:-60]
    checkpoint.save(tmp_path / CHECKPOINT, state)
    run = TrainingRun(sb.variant("hypergammon"), plan, tmp_path, work=Here())
    with pytest.raises(TrainingError, match=r"checkpoint\.bin was made for \d+ inputs, not"):
        run.resume()
    with pytest.raises(TrainingError, match=r"checkpoint\.bin was made for \d+ inputs, not"):
        run.begin_from(tmp_path / CHECKPOINT)


def test_a_checkpoint_of_another_recipe_or_game_is_refused(trained: Path) -> None:
    plan = recipe.load(trained / "small.toml")
    with pytest.raises(TrainingError, match="another recipe"):
        TrainingRun(sb.variant("hypergammon"), replace(plan, seed=1), trained, work=Here()).resume()
    with pytest.raises(TrainingError, match="other rules"):
        TrainingRun(sb.variant("tapa"), plan, trained, work=Here()).resume()


@pytest.mark.soak
def test_helpers_beside_the_trainer_play_the_same_kind_of_run(tmp_path: Path) -> None:
    file = small_recipe(tmp_path, SMALL.replace("games = 600", "games = 400"))
    process = start_training(tmp_path, "--recipe", str(file), "--workers", "2")
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0, out
    assert json.loads((tmp_path / "hypergammon" / "hypergammon.json").read_text())["games"] >= 800


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


@pytest.mark.parametrize("bias", [-3.0, 0.0, 2.0])
def test_neurons_that_hear_nothing_any_more_are_rounded_too(bias: float) -> None:
    """Weights that nothing teaches fade away, and the bias alone is left."""
    model, inputs, covered = model_of("backgammon", (128, 64, 32))
    with torch.no_grad():
        for layer in model.linear[:-1]:
            layer.weight[5] *= 1e-12
            layer.bias[5] = bias
    sample = some_positions(covered)
    net = export.quantise(model, inputs, sample)
    assert export.equity_error(model, net, inputs, sample, covered.money()) < 0.05
    played = play_games(Order(covered.main, 0, 1, 1, 0.0, 0.0, 0, 400, 1.0), quantised.write(net))
    assert len(played.slots)  # the core takes the net


def test_a_rounded_net_does_not_lean(monkeypatch: pytest.MonkeyPatch) -> None:
    """What teaches the next net may err here and there, but not always to the same side."""
    model, inputs, covered = model_of("backgammon", (128, 64, 32))
    with torch.no_grad():
        model.linear[-1].weight *= 20  # much is decided, as in a game
    sample = some_positions(covered, 900)
    real = model.activations(inputs.expand(sample.slots, sample.numbers))[-1].softmax(dim=1).numpy()

    def lean() -> float:
        net = export.quantise(model, inputs, sample)
        rounded = net.probabilities(sample.slots, inputs.rules[sample.numbers])
        return float(np.abs(rounded.mean(axis=0) - real.mean(axis=0)).max())

    upright = lean()
    monkeypatch.setattr(export, "_output_bias", lambda rounded, real: (real - rounded).mean(axis=0))
    assert upright < 0.0005
    assert lean() > 10 * upright


def test_a_return_below_nothing_pushes_no_chance_down_for_ever() -> None:
    targets = torch.tensor([[1.2, 0.1, -0.3]])
    for held, pushed in ((-5.0, True), (-20.0, False)):
        logits = torch.tensor([[0.0, 0.0, held]], requires_grad=True)
        loss_of(logits, targets).backward()
        assert logits.grad is not None
        assert (float(logits.grad[0, 2]) > 0.2) is pushed
    # A chance above 0 is never let go of, however unlikely the net thinks it.
    logits = torch.tensor([[0.0, 0.0, -20.0]], requires_grad=True)
    loss_of(logits, torch.tensor([[0.5, 0.4, 0.1]])).backward()
    assert logits.grad is not None
    assert float(logits.grad[0, 2]) < -0.09


def test_weights_take_up_the_rounding_of_others() -> None:
    chance = np.random.default_rng(1)
    hidden = np.maximum(chance.normal(size=(2000, 8)) @ chance.normal(size=(8, 64)), 0) * 10
    weight = chance.normal(size=(16, 64)) * 3
    rounded = export.round_around(hidden)(weight)
    assert (rounded == np.rint(rounded)).all()

    def error(whole: quantised.Wide) -> float:
        return float(np.std((hidden - hidden.mean(axis=0)) @ (whole - weight).T))

    assert error(rounded) < 0.7 * error(np.rint(weight))


def test_polishing_sees_the_first_layer_as_the_core_will_sum_it(trained: Path) -> None:
    plan = recipe.load(trained / "small.toml")
    run = TrainingRun(sb.variant("hypergammon"), plan, trained, work=Here())
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
    loss_of(model(units), targets).backward()
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in model.parameters())
