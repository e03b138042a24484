"""The core for browsers gives the same bits as the native one: plays, values, ranks, cube, refusals."""

from __future__ import annotations

import base64
import json
import random
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.engines import registry
from tests.node import ask_node
from tests.sizes import sampled_games
from tests.test_perft import LINES, position_of

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import wasm

FILTERS = ((8, 0.16), (4, 0.08), (2, 0.02))

Sizes = tuple[int, int, int]
"""Positions valued, ranked at 1 ply and ranked at 2 plies."""

USUAL, AT_LENGTH = (50, 5, 2), (1200, 60, 12)


@cache
def shipped() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((wasm.FOLDER / "rules.json").read_text("utf-8"))
    return found


def rules_of(game: str) -> dict[str, Any]:
    """The rules as the page reads them."""
    entry = shipped()["games"][game]
    return {"axes": dict(zip(shipped()["axes"], entry["answers"], strict=True)), "setup": entry["setup"]}


def in_checkout(path: Path) -> str:
    return path.relative_to(wasm.ROOT).as_posix()


def net_of(digest: str) -> Path:
    return next(one.path for one in registry.manifests(registry.shipped_folder) if one.sha256 == digest)


def ask(build: str, where: Callable[[dict[str, Any]], Any] = ask_node, **asked: Any) -> dict[str, Any]:
    """What a build answers, in node or elsewhere."""
    module = in_checkout(wasm.FOLDER / f"core-{build}.wasm")
    answers: dict[str, Any] = where(
        {"games": [], "cube": [], "faults": [], "judged": [], "module": module} | asked
    )
    return answers


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def decisions(game: sb.Variant, count: int) -> Iterator[tuple[_core.State, tuple[int, int]]]:
    """Positions of random games with what was thrown there; none in which a double is still to be named."""
    chance = random.Random(35)
    played = _core.Game(game._core, 35)
    while count:
        high, low, steps = played.dice
        if steps:
            yield played.state, (high, low)
            count -= 1
        if not played.step(chance.randrange(played.actions)):
            played.reset()


def wild_steps(chance: random.Random, dice: tuple[int, int]) -> list[list[int]]:
    """Steps as they are shown, with and without their dice."""
    found = []
    for _ in range(chance.randint(1, 2)):
        origin, die = chance.randint(1, 24), chance.choice((*dice, 6))
        found.append([origin, max(origin - die, 0), chance.choice((die, 0))])
    return found


class Native:
    """One game's questions, and what the native core answers."""

    def __init__(self, name: str, sizes: Sizes) -> None:
        game = sb.variant(name)
        entry = shipped()["games"][name]
        valued, shallow, deep = sizes
        self.asked_at = list(decisions(game, valued))
        states = [state for state, _ in self.asked_at]
        rules = game._core
        self.name = name
        searcher = self.searcher()
        wins, has_tie = _core.class_table(rules)
        points = [float(paid) for _, paid in wins]
        utility = [*points, *(-paid for paid in points), *[0.0] * has_tie]
        chance = random.Random(name)
        ranks = [(i, 1) for i in range(shallow)] + [(i, 2) for i in range(shallow, shallow + deep)]
        refusals = [
            {"index": i, "dice": dice, "steps": wild_steps(chance, dice), "whole": i % 2 == 0}
            for i, (_, dice) in enumerate(self.asked_at[:50])
        ]
        perft = [line for line in LINES if (line.game, line.option) == (name, "") and line.positions < 20_000]
        rows = _core.to_rows(states)
        self.question = {
            "rules": rules_of(name),
            "net": in_checkout(net_of(entry["net"])),
            "classMap": entry["classMap"],
            "rows": text(rows.tobytes()),
            "dice": [dice for _, dice in self.asked_at],
            "ranks": ranks,
            "filters": [{"width": width, "margin": margin} for width, margin in FILTERS],
            "stages": 5,
            "values": [(0, 1), (1, 1)],
            "refusals": refusals,
            "perft": [
                (text(_core.to_rows([position_of(line)._core]).tobytes()), line.depth) for line in perft
            ],
        }
        levels = [self._level(searcher, utility, i, deep) for i in range(min(valued, 25))]
        reasons = [self._reasons(searcher, utility, i) for i in range(min(valued, 12))]
        self.question |= {
            "weights": entry["weights"],
            "utility": utility,
            "levels": [asked for asked, _ in levels],
            "reasons": [asked for asked, _ in reasons],
        }
        lists = [_core.legal_plays(rules, state, *dice) for state, dice in self.asked_at]
        after = [plays.after(i) for plays in lists for i in range(len(plays))]
        self.answer = {
            "values": text(searcher.evaluate_rows(rows).tobytes()),
            "plays": [len(plays) for plays in lists],
            "after": text(_core.to_rows(after).tobytes()),
            "steps": [
                [[[*map(int, step)] for step in plays.steps(i)] for i in range(len(plays))] for plays in lists
            ],
            "stages": [
                [
                    [whole, [[list(step), stage] for step, stage in onward]]
                    for whole, onward in _core.stages(rules, state, *dice)
                ]
                for state, dice in self.asked_at[:5]
            ],
            "results": [list(_core.result(rules, state)) for state in states],
            "start": [text(_core.to_rows([_core.start(rules, black)]).tobytes()) for black in (False, True)],
            "value": [
                text(np.array(searcher.value(states[i], utility, plies), np.float32).tobytes())
                for i, plies in ((0, 1), (1, 1))
            ],
            "refusals": [self._refusal(rules, one) for one in refusals],
            "ids": [_core.write_id(rules, state) for state in states],
            "reread": text(rows.tobytes()),
            "perft": [line.positions for line in perft],
            "levels": [answer for _, answer in levels],
            "reasons": [answer for _, answer in reasons],
        }
        self.ranked: list[list[list[Any]]] = [
            [
                [index, plies, equity, text(np.array(probabilities, np.float32).tobytes())]
                for index, plies, equity, probabilities in searcher.rank(
                    states[at], *self.asked_at[at][1], utility, depth, FILTERS
                )
            ]
            for at, depth in ranks
        ]

    def _level(
        self, searcher: _core.Searcher, utility: list[float], at: int, seed: int
    ) -> tuple[dict[str, Any], list[Any]]:
        """What a level chooses at a decision: the place of its play, and about the cube."""
        state, dice = self.asked_at[at]
        weakness = list(shipped()["levels"].values())[at % 4]["weakness"]
        ranked = searcher.rank(state, *dice, utility, 0)
        rules, shares = sb.variant(self.name)._core, ranked[0][3]
        drawn = (1 << 63) + 1000 * seed + at
        gain, take = 0.02 * (at % 7 - 2), 0.9 + 0.05 * (at % 5)
        candidates = [(*dice, index, row) for index, _, _, row in ranked]
        asked = {
            "index": at,
            "weakness": weakness,
            "seed": str(drawn),
            "gain": gain,
            "take": take,
            "beaver": at % 2,
        }
        answer = [
            _core.pick(rules, state, candidates, utility, weakness, drawn),
            _core.doubles(rules, state, gain, shares, utility, weakness, drawn),
            _core.answer(rules, state, take, 1.0, at % 2 == 1, shares, utility, weakness, drawn),
        ]
        return asked, answer

    def _reasons(
        self, searcher: _core.Searcher, utility: list[float], at: int
    ) -> tuple[dict[str, Any], list[list[Any]]]:
        """In what the best play of a throw differs from the last."""
        state, dice = self.asked_at[at]
        plays = _core.legal_plays(sb.variant(self.name)._core, state, *dice)
        ranked = searcher.rank(state, *dice, utility, 0)
        (first, _, _, mine), (last, _, _, other) = ranked[0], ranked[-1]
        black = bool(_core.to_rows([state])[0, 102])
        found = searcher.reasons(
            black,
            plays.after(first),
            mine,
            plays.after(last),
            other,
            utility,
            shipped()["games"][self.name]["weights"],
        )
        asked = {"index": at, "mine": first, "other": last, "shares": [mine, other], "black": black}
        return asked, [list(row) for row in found]

    def searcher(self) -> _core.Searcher:
        """A searcher of the same net that remembers nothing."""
        entry = shipped()["games"][self.name]
        net = _core.Net(net_of(entry["net"]).read_bytes())
        return _core.Searcher(net, sb.variant(self.name)._core, entry["classMap"], cache_entries=0)

    def _refusal(self, rules: _core.Ruleset, one: dict[str, Any]) -> list[int]:
        state = self.asked_at[one["index"]][0]
        steps = [(origin, target, die) for origin, target, die in one["steps"]]
        first, second = one["dice"]
        verdict, rule = _core.judge(rules, state, first, second, steps, whole=one["whole"])
        return [verdict.value, rule.value]


def compare(
    build: str, name: str, sizes: Sizes, where: Callable[[dict[str, Any]], Any] = ask_node
) -> dict[str, Any]:
    """Compare a build's answers in one game with the native core's; what it answered."""
    native = Native(name, sizes)
    answers = ask(build, where, games=[native.question])
    (answer,) = answers["games"]
    ranked = answer.pop("ranked")
    assert answer == native.answer
    assert [one["last"] for one in ranked] == native.ranked
    for one, wanted in zip(ranked, native.ranked, strict=True):
        # One piece with static values, then one for each candidate and each ply that it was looked at deeper.
        assert one["first"]
        assert one["pieces"] == 1 + sum(plies for _, plies, _, _ in wanted)
    return answers


@pytest.mark.parametrize("name", sampled_games(6))
def test_the_browser_s_core_gives_the_same_bits_in_every_game(name: str) -> None:
    compare("simd", name, USUAL)


@pytest.mark.soak
@pytest.mark.parametrize("name", sb.variants())
def test_the_browser_s_core_gives_the_same_bits_at_length(name: str) -> None:
    compare("simd", name, AT_LENGTH)


def compare_cubes(build: str, where: Callable[[dict[str, Any]], Any] = ask_node) -> None:
    """Have a build prove its kernel in all sizes, and compare its model of the cube with the native one."""
    chance = random.Random(2)
    asked, wanted = [], []
    for _ in range(200):
        heights, model_heights = [], []
        for _ in range(chance.randint(1, 5)):
            values: dict[str, Any] = {
                key: chance.uniform(*ends)
                for key, ends in (
                    ("win", (0.5, 2)),
                    ("lose", (-2, -0.5)),
                    ("cash", (0.5, 1)),
                    ("drop", (-1, -0.5)),
                )
            }
            flags: dict[str, Any] = {
                key: chance.random() < 0.7 for key in ("mine", "theirs", "mine_free", "theirs_free")
            }
            heights.append(
                values
                | {"mine": flags["mine"], "theirs": flags["theirs"]}
                | {"mineFree": flags["mine_free"], "theirsFree": flags["theirs_free"]}
            )
            model_heights.append(_core.CubeHeight(**values, **flags))
        efficiency = chance.random()
        places = [
            (chance.random(), owner, height) for owner in range(3) for height in range(len(model_heights))
        ]
        model = _core.CubeModel(model_heights, efficiency)
        owners = (_core.CubeOwner.nobody, _core.CubeOwner.mine, _core.CubeOwner.theirs)
        asked.append({"heights": heights, "efficiency": efficiency, "places": places})
        wanted.append(
            [
                *model.take_points,
                *model.cash_points,
                *(
                    value
                    for at, owner, height in places
                    for value in (
                        model.dead(at, height),
                        model.live(at, owners[owner], height),
                        model.value(at, owners[owner], height),
                    )
                ),
            ]
        )
    answers = ask(build, where, cube=asked, prove=True)
    assert (answers["isa"], answers["proved"]) == (f"wasm_{build}", True)
    assert answers["cube"] == wanted


def test_the_whole_proof_of_the_kernel_holds_and_the_cube_is_worth_the_same() -> None:
    compare_cubes("simd")


def test_a_fault_is_named_and_a_fresh_core_answers_the_next_question() -> None:
    game = rules_of("backgammon")
    net = bytearray(net_of(shipped()["games"]["backgammon"]["net"]).read_bytes())
    net[5000] ^= 1
    row = _core.to_rows([sb.variant("backgammon").start()._core])
    stacked = row.copy()
    stacked[0, 24] = 16
    missing = row.copy()
    missing[0, 24] = 1
    faults = ask(
        "simd",
        faults=[
            {"game": game, "net": text(bytes(net))},
            {"game": game, "row": text(stacked.tobytes()), "dice": [3, 1]},
            {"game": game, "row": text(missing.tobytes()), "dice": [3, 1]},
            {"game": game, "row": text(row.tobytes()), "dice": [7, 1]},
            {"game": game, "row": text(row.tobytes()[:50]), "dice": [3, 1]},
        ],
    )["faults"]
    said = [fault["message"] for fault in faults]
    assert said[0].startswith("net: the checksum does not match")
    assert said[1] == "place 24 of a row holds 16: a count is 0 to 15"
    assert said[2] == "places 0 to 26 of a row hold 14 checkers, and the game has 15"
    assert said[3] == "a die shows 1 to 6"
    assert said[4] == "the input has 50 bytes and ends at 0 of 116"
    for fault in faults:
        assert fault["dead"]
        assert fault["again"] == "this core has failed before: a fresh one is needed"
        assert fault["next"] == 16


def test_the_rules_that_the_page_reads_are_those_of_the_games() -> None:
    assert (wasm.FOLDER / "rules.json").read_text("utf-8") == wasm.written(wasm.rules())


def test_the_modules_are_those_of_their_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    wasm.check()
    monkeypatch.setattr(wasm, "COMPILED", (*wasm.COMPILED, "-O1"))
    with pytest.raises(SystemExit, match="make wasm"):
        wasm.check()


@pytest.mark.soak
def test_the_modules_are_built_anew_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wasm, "CACHE", tmp_path / "cache")
    wasm.build(tmp_path)
    for name in (
        "core-simd.wasm",
        "core-relaxed.wasm",
        "core.json",
        "rules.json",
        "games.json",
        "equities.json",
    ):
        assert (tmp_path / name).read_bytes() == (wasm.FOLDER / name).read_bytes()
