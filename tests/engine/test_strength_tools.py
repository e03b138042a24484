"""The tools that measure strength: their sums, their states, and what they say of missing numbers."""

from __future__ import annotations

import argparse
import json
import random
import shutil
from dataclasses import replace
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from benchmarks.strength import duels, gnubg, levels, page, regret, store

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.engines import Classes, registry, written
from sheshbesh.engines.measure.score import Score
from sheshbesh.engines.measure.speed import processor
from sheshbesh.engines.strength import levels as known_levels
from sheshbesh.engines.utility import utility
from tests.engine.nets import write_net


def score_of(pairs: list[tuple[int, int]]) -> Score:
    """The sums of pairs (points, staked)."""
    return sum((Score(1, x, x * x, s, s * s, x * s) for x, s in pairs), start=Score())


def test_a_score_has_the_errors_of_its_pairs() -> None:
    chance = random.Random(1)
    pairs = [(s * chance.choice((-1, 0, 1)), s) for s in (chance.choice((2, 3, 4)) for _ in range(400))]
    score = score_of(pairs)
    halves = [x / 2 for x, _ in pairs]
    assert score.per_game == pytest.approx(fmean(halves))
    assert score.error == pytest.approx(stdev(halves) / sqrt(len(pairs)))
    won = sum((x + s) / 2 for x, s in pairs)
    assert score.share == pytest.approx(won / sum(s for _, s in pairs))
    # The error of a ratio, held against what chance does to it.
    shares = [score_of(chance.choices(pairs, k=len(pairs))).share for _ in range(300)]
    assert score.share_error == pytest.approx(stdev(shares), rel=0.15)


def test_a_duel_goes_on_where_it_was_stopped(nets: Path, tmp_path: Path) -> None:
    def shares(pairs: int, folder: str) -> object:
        out = tmp_path / folder / "out"
        arguments = ["--games", "tapa", "--against", "random", "careful", "--pairs", str(pairs)]
        arguments += ["--nets", str(nets), "--state", str(tmp_path / folder), "--out", str(out)]
        assert duels.main(arguments) == 0
        entry = store.read(out / "duels.json")["tapa"]
        assert entry["net"] == registry.find(sb.variant("tapa"), [nets]).manifest.sha256
        return entry["against"]

    shares(20, "parts")
    assert shares(45, "parts") == shares(45, "whole")


def test_opponents_played_one_by_one_come_together(nets: Path, tmp_path: Path) -> None:
    def entry(folder: str, *against: str, seed: int = 1) -> dict[str, Any]:
        arguments = ["--games", "hypergammon", "--pairs", "3", "--seed", str(seed), "--nets", str(nets)]
        arguments += ["--state", str(tmp_path / "state"), "--out", str(tmp_path / folder)]
        assert duels.main([*arguments, "--against", *against]) == 0
        return store.entered("duels", "hypergammon", tmp_path / folder)

    assert entry("parts", "racer", "random")["best"] is None
    assert "(None)" not in page.page(tmp_path / "parts")
    for name in ("careful", "builder"):
        found = entry("parts", name)
    assert found == entry("whole", "random", *written.PLAYERS)
    assert found["best"] in written.PLAYERS
    # Dice of another seed are another measurement.
    assert list(entry("parts", "racer", seed=2)["against"]) == ["racer"]


def test_a_duel_that_looks_ahead_is_kept_apart(nets: Path, tmp_path: Path) -> None:
    arguments = ["--games", "hypergammon", "--pairs", "3", "--nets", str(nets), "--state", str(tmp_path)]
    for plies in ("0", "2"):
        assert duels.main([*arguments, "--plies", plies, "--out", str(tmp_path)]) == 0
    raw, deep = (store.read(tmp_path / f"{kind}.json")["hypergammon"] for kind in ("duels", "duels-2-ply"))
    assert raw["against"] != deep["against"]
    shown = page.page(tmp_path)
    share = 100 * deep["against"]["random"]["share"]
    assert f"{share:.2f} ±" in shown.partition("looking two plies ahead")[2]


def test_another_key_begins_anew(tmp_path: Path) -> None:
    state = store.State(tmp_path, "a", {"net": "x"})
    state.done = {"pairs": 3}
    state.save()
    assert store.State(tmp_path, "a", {"net": "x"}).done == {"pairs": 3}
    assert store.State(tmp_path, "a", {"net": "y"}).done == {}


def test_luck_is_nothing_on_average(nets: Path) -> None:
    """Over all throws, whatever the net; else games adjusted by it would be shifted."""
    game = sb.variant("backgammon")
    search = _core.Searcher(registry.find(game, [nets]).load(), game._core)
    money = utility(Classes.of(game), None, sb.Side.WHITE, None)
    position = game.start()
    for dice in ((3, 1), (6, 4), (5, 2), (1, 1), (6, 5)):
        throws = [(first, second) for first in range(1, 7) for second in range(1, 7)]
        found = [gnubg.luck(search, money, position._core, throw) for throw in throws]
        assert abs(fmean(found)) < 1e-5 < max(found)
        position = position.legal_plays(dice)[0].result


def test_regret_judges_where_choices_differ(nets: Path, tmp_path: Path) -> None:
    arguments = ["tavla", "--decisions", "3", "--trials", "72", "--truncate", "2", "--luck", "none"]
    arguments += [
        "--near",
        "9",
        "--settled",
        "--nets",
        str(nets),
        "--state",
        str(tmp_path),
        "--out",
        str(tmp_path),
    ]
    assert regret.main(arguments) == 0
    entry = store.read(tmp_path / "regret.json")["tavla"]
    assert entry["decisions"] == 3
    assert regret.SETTLED in entry["choosers"]
    assert regret.SETTLED in " ".join(page.regret({"tavla": entry}))
    records = store.read(tmp_path / "regret" / "tavla.json")["done"]["records"]
    judged = [record for record in records if "losses" in record]
    assert len(judged) == entry["rolled_out"] > 0
    for record in judged:
        halves = list(zip(*record["equities"].values(), strict=True))
        names = list(record["equities"])
        for chooser, notation in record["choices"].items():
            at = names.index(notation)
            losses = [
                measure[judge.index(max(judge))] - measure[at]
                for judge, measure in (halves, reversed(halves))
            ]
            assert record["losses"][chooser] == pytest.approx(fmean(losses), abs=1e-4)


def test_what_a_choice_lost_lies_between_two_numbers() -> None:
    """In truth one chooser loses nothing and the other four points; the rest is noise of the rollouts."""
    chance, choices = random.Random(1), {"good": "a", "bad": "c"}
    records = []
    for _ in range(4000):
        halves = {
            play: [true + chance.gauss(0, 3) for _ in (0, 1)] for play, true in (("a", 4), ("b", 4), ("c", 0))
        }
        losses = dict.fromkeys(choices, 0.0)
        for judge, measure in ((0, 1), (1, 0)):
            best = max(halves, key=lambda play: halves[play][judge])
            for chooser, play in choices.items():
                losses[chooser] += (halves[best][measure] - halves[play][measure]) / 2
        records.append({"choices": choices, "equities": halves, "losses": losses})
    found = regret.summary(records)
    for chooser, true in (("good", 0), ("bad", 4000)):
        row = found[chooser]
        assert row["loss"] + 3 * row["error"] < true < row["most"]
    # Where all choose alike nothing is lost, whichever way it is counted.
    alike = {"choices": {"good": "a", "bad": "a"}}
    half = regret.summary([*records, *[alike] * len(records)])
    for chooser, row in found.items():
        assert half[chooser]["most"] == pytest.approx(row["most"] / 2, abs=1e-3)


def test_a_finished_state_is_entered_again_without_rollouts(
    nets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["tavla", "--decisions", "3", "--trials", "72", "--truncate", "2", "--luck", "none"]
    arguments += ["--near", "9", "--nets", str(nets), "--state", str(tmp_path), "--out", str(tmp_path)]
    assert regret.main(arguments) == 0
    file = tmp_path / "regret.json"
    first = store.read(file)
    old: dict[str, Any] = json.loads(file.read_text())
    old["tavla"]["date"] = "2001-02-03"
    for row in old["tavla"]["choosers"].values():
        del row["most"], row["most_error"]
    store.write(file, old)
    monkeypatch.setattr(regret.PlyComparison, "record", lambda *_: pytest.fail("it was measured anew"))
    assert regret.main([*arguments, "--minutes", "0"]) == 0
    first["tavla"]["date"] = "2001-02-03"
    assert store.read(file) == first
    # With other settings nothing is known, and neither the result nor the state is lost.
    assert regret.main([*arguments, "--minutes", "0", "--seed", "2"]) == 0
    assert store.read(file) == first
    assert regret.main([*arguments, "--minutes", "0"]) == 0


def test_the_deepest_levels_have_what_rollouts_say_they_lose(tmp_path: Path) -> None:
    net = registry.find(sb.variant("tapa")).manifest.sha256
    row = {"loss": 1.0, "error": 0.5, "most": 2.5, "most_error": 0.4, "decisions": 200}
    choosers = dict.fromkeys(("0-ply", "1-ply", "2-ply"), row)
    entry = {"choosers": choosers, "net": net, "machine": "m", "date": "2001-02-03"}
    file = tmp_path / "levels.json"
    levels.enter_rolled_out(file, {"tapa": entry, "tavla": {**entry, "net": "0" * 64}}, 2)
    (found,) = store.read(file).values()
    assert found["game"] == "tapa", "that of an older net is left out"
    assert {name: each["loss"] for name, each in found["levels"].items()} == {"strongest": 0.00175}


def measured_levels(nets: Path, folder: Path, *more: str) -> dict[str, Any]:
    """One level measured quickly: what was entered for it."""
    out = folder / "levels.json"
    arguments = ["--games", "hypergammon", "--levels", "expert", "--decisions", "1", "--judge", "1"]
    arguments += ["--nets", str(nets), "--state", str(folder), "--out", str(out), *more]
    assert levels.main(arguments) == 0
    found: dict[str, Any] = store.read(out)[sb.variant("hypergammon").fingerprint]["levels"]["expert"]
    return found


def test_what_a_level_loses_is_entered_with_net_and_day(
    nets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = measured_levels(nets, tmp_path)
    net = registry.find(sb.variant("hypergammon"), [nets]).manifest
    assert entry["net"] == net.sha256
    assert entry["date"] == store.today() and entry["machine"] == processor()
    # And the program reads it.
    monkeypatch.setattr(known_levels, "measured_file", tmp_path / "levels.json")
    known_levels.measurements.cache_clear()
    try:
        rate = known_levels.find("expert").error_rate("hypergammon", net)
    finally:
        monkeypatch.undo()
        known_levels.measurements.cache_clear()
    assert rate is not None and (rate.loss, rate.judge_plies) == (entry["loss"], 1)


def test_a_level_is_measured_anew_with_another_net_or_other_weaknesses(nets: Path, tmp_path: Path) -> None:
    game = sb.variant("hypergammon")
    asked: list[tuple[object, ...]] = []
    options = argparse.Namespace(judge=1, seed=0, decisions=1, nets=[nets], state=tmp_path)
    level = known_levels.find("expert")
    player = sb.engine(game, level=level, folders=[nets])

    def measured(player: sb.Engine, level: sb.Level) -> int:
        """How many games were played for it."""
        asked.clear()
        levels.measure(player, level, options)
        return len(asked)

    def one_game(*about: object) -> tuple[float, int]:
        asked.append(about)
        return 0.1, 5

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "measure_game", one_game)
        assert measured(player, level) == levels.GAMES
        assert measured(player, level) == 0
        weaker = replace(level, weakness=replace(level.weakness, noise=0.01))
        assert measured(player, weaker) == levels.GAMES
        assert measured(player, replace(level, plies=1)) == levels.GAMES
        other = tmp_path / "other"
        other.mkdir()
        write_net(other, game, seed=77)
        another = sb.engine(game, level=level, folders=[other])
        assert another.net.sha256 != player.net.sha256
        assert measured(player, level) == measured(another, level) == levels.GAMES


def test_page_and_levels_say_what_the_results_say(tmp_path: Path) -> None:
    assert page.page(store.RESULTS) == page.PAGE.read_text(encoding="utf-8"), "write it anew"
    out = tmp_path / "levels.json"
    shutil.copy(known_levels.measured_file, out)
    assert levels.main(["--rolled-out", "--out", str(out)]) == 0
    entered, shipped = out.read_text(encoding="utf-8"), known_levels.measured_file.read_text(encoding="utf-8")
    assert entered == shipped, "regret was measured anew: enter it with levels --rolled-out"
