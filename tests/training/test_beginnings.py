"""Runs that begin with a net: of a relative, shipped, or of another run."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.errors import TrainingError

np = pytest.importorskip("numpy", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

from sheshbesh.training import coverage, export, learner, origins, quantised, recipe  # noqa: E402
from sheshbesh.training.files import (  # noqa: E402
    CHECKPOINT,
    LOG,
    Log,
)
from sheshbesh.training.growth import grown  # noqa: E402
from sheshbesh.training.model import Inputs  # noqa: E402
from sheshbesh.training.play import Order, play_duel, play_games  # noqa: E402
from sheshbesh.training.run import TrainingRun  # noqa: E402
from sheshbesh.work import Here  # noqa: E402
from tests.training.small import NETS, ONE_ROUND, model_of, small_recipe, some_positions  # noqa: E402


def test_a_larger_net_begins_as_the_smaller_one_was() -> None:
    model, inputs, covered = model_of("backgammon", (64, 32))
    sample = some_positions(covered)
    units = inputs.expand(sample.slots, sample.numbers)
    larger = grown(model, (128, 64, 64), torch.Generator().manual_seed(1))
    assert larger.widths == (128, 64, 64)
    torch.testing.assert_close(larger.activations(units)[-1], model.activations(units)[-1])


def test_a_run_can_begin_with_the_net_of_a_relative(trained: Path, tmp_path: Path) -> None:
    plan = recipe.load(trained / "small.toml")
    wider = replace(plan, stages=tuple(replace(stage, widths=(128, 32, 32)) for stage in plan.stages))
    run = TrainingRun(sb.variant("backgammon"), wider, tmp_path / "new", work=Here())
    run.begin_from(trained / CHECKPOINT)
    assert run.learner.mean.widths == (128, 32, 32)
    sample = some_positions(run.coverage)
    old = TrainingRun(sb.variant("hypergammon"), plan, trained, work=Here())
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
    score = play_duel(sb.variant("hypergammon"), new, net.read_bytes(), 200, seed=12)
    assert score.per_game > -0.1 - 3 * score.error
    foreign = folder / "diary.txt"
    foreign.touch()
    done = CliRunner().invoke(cli, [*command, "--fresh"])
    assert done.exit_code == 0, done.output
    assert [event["event"] for event in Log(folder / LOG).read()][:2] == ["init", "begin"]
    assert foreign.is_file()


@pytest.mark.soak
def test_a_net_that_plays_already_goes_on_by_a_recipe_of_its_own(
    trained: Path, tmp_path: Path, short_gates: int
) -> None:
    begun = ["train", "hypergammon", "--runs", str(tmp_path), "--init", str(trained / "hypergammon.net")]
    done = CliRunner().invoke(cli, [*begun, "--games", "64"])
    assert done.exit_code == 0, done.output
    about = json.loads((tmp_path / "hypergammon" / "hypergammon.json").read_text())
    rates = [stage["rate"] for stage in about["recipe"]["stages"]]
    further = recipe.load(Path(recipe.FURTHER))
    assert rates == [list(stage.rate) for stage in further.stages]
    (gate,) = (about["strength"][word] for word in ("gate", "refused") if word in about["strength"])
    assert gate["against"] == f"net {sha256((trained / 'hypergammon.net').read_bytes()).hexdigest()[:12]}"
    assert further.stages[-1].gate_pairs > gate["pairs"] == short_gates
    again = ["train", "hypergammon", "--runs", str(tmp_path), "--recipe", recipe.FURTHER, "--games", "64"]
    done = CliRunner().invoke(cli, again)
    assert done.exit_code == 0, done.output
    assert "is trained" in done.output
    kept = contents(tmp_path / "hypergammon")
    done = CliRunner().invoke(cli, [*again, "--fresh"])
    assert done.exit_code == 2 and "--init" in done.output
    assert contents(tmp_path / "hypergammon") == kept


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_net_that_knows_other_ends_of_the_game_is_not_the_one_to_beat(tmp_path: Path) -> None:
    """It could not be played against: a tie, say, has no place among its results."""
    plan = recipe.load(Path(recipe.FURTHER))
    for rules, beaten_first in ((sb.variant("tapa"), True), (sb.variant("tapa", mother=True), False)):
        run = TrainingRun(rules, replace(plan, options=()), tmp_path, work=Here())
        run.begin_from(NETS / "tapa.net")
        assert (run.gates.begun_with == (NETS / "tapa.net").read_bytes()) == beaten_first


def test_with_the_weights_of_another_game_the_shipped_net_is_the_one_to_beat(
    trained: Path, tmp_path: Path
) -> None:
    plan = recipe.load(trained / "small.toml")
    run = TrainingRun(sb.variant("portes"), replace(plan, stages=plan.stages[1:]), tmp_path, work=Here())
    run.begin_from(trained / CHECKPOINT)
    assert run.gates.begun_with == (NETS / "portes.net").read_bytes()


@pytest.mark.soak
@pytest.mark.parametrize("game", ["hypergammon", "backgammon"])
def test_rounds_of_polish_that_teach_nothing_leave_a_polished_net_as_it_is(
    game: str, trained: Path, tmp_path: Path
) -> None:
    text = ONE_ROUND.replace("round = 100", "round = 20")
    text = text.replace("rate = 1e-4", "rate = 0.0").replace("games = 100", "games = 240")
    shipped = trained / "hypergammon.net"
    if game == "backgammon":
        text, shipped = text.replace("[64, 32, 32]", "[512, 256, 256]"), NETS / "backgammon.net"
    run = TrainingRun(sb.variant(game), recipe.load(small_recipe(tmp_path, text)), tmp_path, work=Here())
    run.begin_from(shipped)
    new = quantised.parse(run.train())
    assert run.progress.round > 10
    sample = some_positions(run.coverage)
    old = quantised.parse(shipped.read_bytes())
    moved = [net.probabilities(sample.slots, run.learner.inputs.rules[sample.numbers]) for net in (old, new)]
    equities = (moved[1] - moved[0]) @ np.array(run.coverage.money())
    assert float(np.sqrt(np.mean(equities**2))) < 0.02


def test_a_polished_net_that_is_the_same_without_its_rounding_goes_on_in_floats(tmp_path: Path) -> None:
    plan = replace(recipe.load(Path(recipe.CONTINUE)), options=())
    run = TrainingRun(sb.variant("backgammon"), plan, tmp_path, work=Here())
    run.begin_from(NETS / "backgammon.net")
    assert run.learner.model.ranges is None
    assert run.gates.begun_with == (NETS / "backgammon.net").read_bytes()
    shipped = (NETS / "backgammon.net").read_bytes()
    rounded, old = quantised.parse(run.learner.net(0)), quantised.parse(shipped)
    own = play_games(Order(run.coverage.main, 0, 10, 1, 0.0, 0.02, 4, 1000, 1.0), shipped).slots
    rules = run.learner.inputs.rules[np.zeros(len(own), np.uint8)]
    moved = rounded.probabilities(own, rules) - old.probabilities(own, rules)
    assert float(np.sqrt(np.mean((moved @ np.array(run.coverage.money())) ** 2))) < 0.012


def test_a_head_learns_alone(trained: Path, tmp_path: Path) -> None:
    text = ONE_ROUND.replace("rate = 1e-4", "rate = 1e-3")
    text = text.replace("polish = true", "polish = true\nhead = true")
    run = TrainingRun(
        sb.variant("hypergammon"), recipe.load(small_recipe(tmp_path, text)), tmp_path, work=Here()
    )
    run.begin_from(trained / "hypergammon.net")
    before = [weight.clone() for weight in run.learner.mean.state_dict().values()]
    run.train()
    after = run.learner.mean.state_dict()
    moved = {
        name for old, (name, new) in zip(before, after.items(), strict=True) if not torch.equal(old, new)
    }
    assert moved == {"layers.3.weight", "layers.3.bias"}


def test_a_net_to_begin_with_that_is_damaged_or_alone_is_refused(trained: Path, tmp_path: Path) -> None:
    plan = recipe.load(trained / "small.toml")
    larger = replace(plan, stages=plan.stages[1:])
    net = tmp_path / "hypergammon.net"
    shutil.copy(trained / "hypergammon.net", net)
    run = TrainingRun(sb.variant("hypergammon"), larger, tmp_path / "run", work=Here())
    with pytest.raises(TrainingError, match=r"manifest .*hypergammon\.json: No such file"):
        run.begin_from(net)
    shutil.copy(trained / "hypergammon.json", tmp_path)
    run.begin_from(net)
    assert run.learner.model.ranges is not None
    with pytest.raises(TrainingError, match="cannot grow"):
        TrainingRun(sb.variant("hypergammon"), plan, tmp_path / "run", work=Here()).begin_from(net)
    net.write_bytes(net.read_bytes()[:-1])
    with pytest.raises(TrainingError, match=r"hypergammon\.net: .*damaged"):
        run.begin_from(net)


def test_a_run_goes_on_from_what_another_had_before_it_was_polished(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A net of this size moves by less than real ones are allowed to.
    monkeypatch.setattr(learner, "_SAME_FUNCTION", 1e-6)
    plan = recipe.load(trained / "small.toml")
    larger = replace(plan.stages[1], widths=(128, 32, 32), polish=False)
    for stage in (larger, replace(larger, polish=True)):
        run = TrainingRun(sb.variant("hypergammon"), replace(plan, stages=(stage,)), tmp_path, work=Here())
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


def test_what_a_run_delivered_is_the_one_to_beat_for_the_run_that_goes_on(
    trained: Path, tmp_path: Path
) -> None:
    """Not the net that it had before it was polished; and that is handed on."""
    plan = recipe.load(trained / "small.toml")
    delivered = (trained / "hypergammon.net").read_bytes()
    for stage in (replace(plan.stages[0], anew=True), plan.stages[1]):
        run = TrainingRun(sb.variant("hypergammon"), replace(plan, stages=(stage,)), tmp_path, work=Here())
        run.begin_from(trained / CHECKPOINT)
        assert run.gates.begun_with == delivered
        assert run.label_net == (delivered if stage.anew else None)
        assert (run.learner.plain is not None) == stage.polish
