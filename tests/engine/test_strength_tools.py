"""The tools that measure strength: their sums, their states, and what they say of missing numbers."""

from __future__ import annotations

import random
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest
from benchmarks.strength import duels, gnubg, page, regret, store
from benchmarks.strength.score import Score

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.engine import Classes, registry
from sheshbesh.engine.utility import utility


def score_of(pairs: list[tuple[int, int]]) -> Score:
    """The sums of pairs (points, staked)."""
    return sum(
        (Score(1, x, x * x, s, s * s, x * s) for x, s in pairs),
        start=Score(),
    )


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
    search = _core.Searcher(registry.find(game, [nets]).load(), game.core)
    money = utility(Classes.of(game), None, sb.Side.WHITE, None)
    position = game.start()
    for dice in ((3, 1), (6, 4), (5, 2), (1, 1), (6, 5)):
        throws = [(first, second) for first in range(1, 7) for second in range(1, 7)]
        found = [gnubg.luck(search, money, position.core, throw) for throw in throws]
        assert abs(fmean(found)) < 1e-5 < max(found)
        position = position.legal_plays(dice)[0].result


def test_regret_judges_where_choices_differ(nets: Path, tmp_path: Path) -> None:
    arguments = ["tavla", "--decisions", "3", "--trials", "72", "--truncate", "2", "--luck", "none"]
    arguments += ["--near", "9", "--nets", str(nets), "--state", str(tmp_path), "--out", str(tmp_path)]
    assert regret.main(arguments) == 0
    entry = store.read(tmp_path / "regret.json")["tavla"]
    assert entry["decisions"] == 3
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


def test_the_page_says_what_is_missing(tmp_path: Path) -> None:
    assert page.page(tmp_path).count("Not measured yet.") >= 4
    content = {"against": {}, "net": "0" * 64, "widths": [64]}
    score = {"share": 0.98, "share_error": 0.001, "games": 4000, "per_game": 1.0, "error": 0.01, "ties": 0}
    against = {"random": score, "racer": {**score, "share": 0.6}}
    store.enter("duels", "tapa", {**content, "against": against, "best": "racer"}, tmp_path)
    line = next(line for line in page.page(tmp_path).splitlines() if line.startswith("| tapa"))
    assert "98.00 ± 0.10 % reached" in line
    assert "60.00 ± 0.10 % **missed** (racer)" in line
