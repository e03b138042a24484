"""The stages of a run: who plays, what is learned, how long each lasts."""

from __future__ import annotations

import shutil
import types
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.errors import TrainingError

np = pytest.importorskip("numpy", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

from sheshbesh.training import coverage, quantised, quiet, recipe  # noqa: E402
from sheshbesh.training import learner as learner_module  # noqa: E402
from sheshbesh.training import run as run_module  # noqa: E402
from sheshbesh.training.play import (  # noqa: E402
    Games,
    Order,
    play_games,
    seed_of_games,
    seed_of_sample,
)
from sheshbesh.training.progress import Pace, Progress  # noqa: E402
from sheshbesh.training.run import TrainingRun  # noqa: E402
from sheshbesh.work import Here  # noqa: E402
from tests.training.small import ONE_ROUND, small_recipe  # noqa: E402


def played_at_once(order: Order, net: bytes) -> Games:
    """The number of games that were ordered, of which nothing is kept."""
    none = np.zeros((0, 1))
    return Games(order.number, none, none, order.games, order.games, (order.games,))


def without_nets(monkeypatch: pytest.MonkeyPatch, run: TrainingRun) -> bytes:
    """Have a run make one net that knows nothing, again and again; how long a round is depends on no net."""
    learner = run.learner
    blank = quantised.blank(learner.inputs.units, learner.widths, run.coverage.class_count)
    net = quantised.write(blank)
    monkeypatch.setattr(learner, "net", lambda _round: net)
    monkeypatch.setattr(learner, "final_net", lambda _round: (net, 0.0))
    return net


@pytest.mark.parametrize("play_seconds", [3.0, 8.0])
def test_minutes_count_the_time_that_self_play_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, play_seconds: float
) -> None:
    clock = types.SimpleNamespace(now=0.0)
    ticking = types.SimpleNamespace(monotonic=lambda: clock.now, process_time=lambda: clock.now)
    monkeypatch.setattr(run_module, "time", ticking)

    def slow_play(order: Order, net: bytes) -> Games:
        clock.now += play_seconds / 2  # two orders a round: the game, and one of its options
        return played_at_once(order, net)

    def slow_learn(*_: object) -> float:
        clock.now += 2.0
        return 0.0

    slower = ONE_ROUND.replace("round = 100", "round = 50")
    plan = recipe.load(small_recipe(tmp_path, slower)).scaled(5000)
    run = TrainingRun(sb.variant("tavla"), plan, tmp_path, work=Here(), minutes=2)
    net = without_nets(monkeypatch, run)
    measuring = play_seconds / 2  # games played at the very end, to see what rounding costs

    def slow_final_net(_round: int) -> tuple[bytes, float]:
        clock.now += measuring
        return net, 0.0

    monkeypatch.setattr(run_module, "play_games", slow_play)
    monkeypatch.setattr(run, "learn", slow_learn)
    monkeypatch.setattr(run.learner, "final_net", slow_final_net)
    run.train()
    assert run.progress.seconds == clock.now - measuring
    assert 100 < clock.now < 140


def test_what_a_stage_played_is_learned_as_that_stage_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the last round of a stage, whose net goes to the gate."""
    played: list[int] = []
    learned: list[tuple[int, bool]] = []
    learn = TrainingRun.learn

    def watched_play(order: Order, net: bytes) -> Games:
        played.append(order.plies)
        return play_games(order, net)

    def watched_learn(run: TrainingRun, games: list[Games], stage: recipe.Stage, share: float) -> float:
        learned.append((stage.plies, stage.polish))
        assert share < 1
        return learn(run, games, stage, share)

    monkeypatch.setattr(run_module, "play_games", watched_play)
    monkeypatch.setattr(TrainingRun, "learn", watched_learn)
    common = {"widths": [64], "decay": 0.0, "rate": 1e-3, "round": 10, "games": 20, "gate_pairs": 0}
    stages = [common, {**common, "plies": 1, "polish": True}]
    plan = recipe.read({"options": [], "checks": 0, "stages": stages}, "x.toml")
    run = TrainingRun(sb.variant("hypergammon"), plan, tmp_path, work=Here())
    run.train()
    assert played == [0] * 2 + [1] * 2
    assert learned == [(0, False)] * 2 + [(1, True)] * 2


def test_a_stage_that_begins_anew_is_trained_by_the_net_before(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which plays till the stage ends, also after a stop; the new net may be a smaller one."""
    players: list[bytes] = []

    def watched_play(order: Order, net: bytes) -> Games:
        if order.games == 10:  # else a sample to round by
            players.append(net)
        if len(players) == 4:
            run.stop()
        return play_games(order, net)

    monkeypatch.setattr(run_module, "play_games", watched_play)
    common = {"decay": 0.0, "rate": 1e-3, "round": 10, "games": 30, "gate_pairs": 0}
    stages = [{**common, "widths": [64], "anew": True}, {**common, "widths": [64, 64]}]
    plan = recipe.read({"options": [], "checks": 0, "stages": stages}, "x.toml")
    teacher = trained / "hypergammon.net"

    def new_run() -> TrainingRun:
        return TrainingRun(sb.variant("hypergammon"), plan, tmp_path, work=Here())

    run = new_run()
    with pytest.raises(TrainingError, match="--init"):
        run.train()
    run.begin_from(teacher)
    assert run.learner.widths == (64,) != quantised.parse(teacher.read_bytes()).widths
    with pytest.raises(run_module.Stopped):
        run.train()
    assert players[:3] == [teacher.read_bytes()] * 3 != players[1:]
    assert run.label_net is None

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
    assert run.label_net is not None
    assert run.learner.steps == steps > 0
    playing_net = run.label_net
    assert quantised.parse(playing_net).widths == (64, 16)
    assert quantised.parse(run.train()).widths == (64,)
    assert set(players[3:]) == {playing_net}


def test_what_is_measured_at_the_end_of_a_stage_is_its_net_not_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = {"decay": 0.0, "rate": 1e-3, "round": 10, "games": 20, "gate_pairs": 0, "widths": [64]}
    stages = [common, {**common, "anew": True}]
    plan = recipe.read({"options": [], "checks": 4, "check_pairs": 2, "stages": stages}, "x.toml")
    run = TrainingRun(sb.variant("hypergammon"), plan, tmp_path, work=Here())
    measured: list[bytes] = []
    monkeypatch.setattr(run.gates, "check", lambda make_net: measured.append(make_net()))
    ended: list[bytes] = []
    begin = run.begin_anew

    def noted(net: bytes) -> None:
        ended.append(net)
        begin(net)

    monkeypatch.setattr(run, "begin_anew", noted)
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
    made = TrainingRun(sb.variant("hypergammon"), plan, tmp_path, work=Here(), minutes=minutes)
    played: list[list[int]] = [[] for _ in sizes]
    clock = iter(np.linspace(0.0, 1000.0, 100_000) ** 1.1)  # a machine that becomes slower

    def counted(games: list[Games]) -> None:
        played[made.progress.stage].append(sum(part.games for part in games))
        count(games)

    count = made.count
    without_nets(monkeypatch, made)
    monkeypatch.setattr(run_module, "play_games", played_at_once)
    monkeypatch.setattr(made, "count", counted)
    monkeypatch.setattr(made, "learn", lambda *_: 0.0)
    monkeypatch.setattr(
        run_module, "time", types.SimpleNamespace(monotonic=lambda: next(clock), process_time=lambda: 0.0)
    )
    made.train()
    assert made.progress.stage_games == [sum(stage) for stage in played]
    assert all(stage and min(stage) >= 15 for stage in played), played
    assert made.progress.share == 1.0
    if minutes is None:
        assert made.progress.stage_games == list(sizes)


class _Crowd(Here):
    """A place with more workers than a round has parts for."""

    beside = True
    window = 9

    def __init__(self) -> None:
        self.games: list[int] = []

    def map(self, function, parts, *shared, **how):  # type: ignore[no-untyped-def]
        parts = list(parts)
        self.games.append(sum(order.games for order in parts))
        return super().map(function, parts, *shared, **how)


def _run_of_a_crowd(folder: Path, monkeypatch: pytest.MonkeyPatch, *games: int) -> tuple[TrainingRun, _Crowd]:
    """A run whose rounds of 100 games are played at once; nothing is learned from them."""
    common = {"widths": [64], "decay": 0.0, "rate": 1e-3, "round": 100, "gate_pairs": 0}
    plan = recipe.read({"checks": 0, "stages": [{"games": n, **common} for n in games]}, "x.toml")
    crowd = _Crowd()
    run = TrainingRun(sb.variant("hypergammon"), plan, folder, work=crowd)
    without_nets(monkeypatch, run)
    monkeypatch.setattr(run_module, "play_games", played_at_once)
    monkeypatch.setattr(run, "learn", lambda *_: 0.0)
    return run, crowd


def test_many_workers_play_rounds_ahead_but_none_beyond_a_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, crowd = _run_of_a_crowd(tmp_path, monkeypatch, 700, 300)
    ahead: list[int] = []

    def learned(*_: object) -> float:
        ahead.append(sum(crowd.games) - run.progress.games)
        return 0.0

    monkeypatch.setattr(run, "learn", learned)
    run.train()
    assert crowd.games == [100] * 10
    assert run.progress.stage_games == [700, 300]
    assert ahead == [500, 500, 400, 300, 200, 100, 300, 200, 100, 0]


def test_nothing_is_played_while_somebody_needs_a_quiet_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, crowd = _run_of_a_crowd(tmp_path, monkeypatch, 500)
    asked = iter([False, True])
    monkeypatch.setattr(quiet, "asked_for", lambda: next(asked, False))
    monkeypatch.setattr(quiet, "wait", lambda until: crowd.games.append(0))
    run.train()
    assert crowd.games == [*[100] * 5, 0, *[100] * 3], "the three rounds that were ahead are played anew"
    assert run.progress.games == 500


def test_a_new_net_is_followed_quickly_by_its_mean(trained: Path, tmp_path: Path) -> None:
    plan = recipe.load(trained / "small.toml")
    learner = learner_module.Learner(coverage.cover(sb.variant("hypergammon"), (), 0.0), plan)
    weights = [learner.next_weight() for _ in range(300)]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > 0.8 and weights[-1] < 0.1
    with torch.no_grad():
        learner.model.linear[0].bias.add_(1.0)
    before = learner.mean.linear[0].bias.clone()
    learner.average(torch.tensor(weights[-1]))
    assert torch.allclose(learner.mean.linear[0].bias - before, torch.tensor(weights[-1]))
    learner.begin_anew((64,))
    assert learner.next_weight() == weights[0]


def test_no_two_parts_of_a_run_have_the_same_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games under the rules of an option are no repetition of the main game's."""
    asked: list[Order] = []

    def noted(order: Order, net: bytes) -> Games:
        asked.append(order)
        return play_games(order, net)

    for module in (run_module, learner_module):
        monkeypatch.setattr(module, "play_games", noted)
    plan = recipe.load(small_recipe(tmp_path, ONE_ROUND.replace("round = 100", "round = 30"))).scaled(60)
    TrainingRun(sb.variant("tavla"), plan, tmp_path / "run", work=Here()).train()
    played = [order for order in asked if order.seed % 1024 != 1023]  # the others show what rounding costs
    assert {order.number for order in played} >= {0, 1}
    assert len({order.seed for order in played}) == len(played)
    assert seed_of_games(7, 3, 1022) < seed_of_sample(7, 3) < seed_of_games(7, 4, 0)
    with pytest.raises(TrainingError, match="parts"):
        seed_of_games(7, 3, 1023)
