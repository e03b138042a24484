"""The signature of the engine: equal where only the way to the values differs, another with another value."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from itertools import pairwise
from math import fsum
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.engines import registry
from sheshbesh.engines.engine import Engine
from sheshbesh.engines.measure import speed
from sheshbesh.engines.measure.signature import joint, signature, throws
from tests.engine.nets import write_net

# A cube and match scores, pins, checkers counted, chains.
GAMES = ("backgammon", "tapa", "tawla31", "gul_bara")


def fresh(nets: Path, name: str, *, cache: int = 1 << 12) -> Engine:
    game = sb.variant(name)
    return Engine(game, registry.find(game, [nets]), cache=cache)


def signed(nets: Path, *, cache: int = 1 << 12, threads: int = 1) -> list[str]:
    return [signature(fresh(nets, name, cache=cache), threads=threads) for name in GAMES]


@pytest.fixture(scope="module")
def usual(nets: Path) -> list[str]:
    with speed.running_on("baseline"):
        return signed(nets)


@pytest.mark.parametrize("isa", speed.isas())
def test_every_instruction_set_signs_the_same(nets: Path, usual: list[str], isa: str) -> None:
    with speed.running_on(isa):
        assert speed.active_isa() == isa
        assert signed(nets) == usual


def test_threads_cache_and_the_run_make_no_difference(nets: Path, usual: list[str]) -> None:
    assert signed(nets, threads=3) == usual
    assert signed(nets, cache=0) == usual
    assert signed(nets, cache=1 << 4) == usual


def test_how_python_adds_makes_no_difference(
    nets: Path, usual: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # From 3.12 on `sum` of floats carries the rounding errors along.
    plain = builtins.sum

    def carrying(values: Iterable[float], start: float = 0) -> float:
        kept = list(values)
        return fsum([start, *kept]) if any(isinstance(each, float) for each in kept) else plain(kept, start)

    monkeypatch.setattr(builtins, "sum", carrying)
    assert sum([1e16, 1.0, -1e16]) == 1.0
    assert signed(nets) == usual


def test_another_net_of_one_game_changes_its_signature_alone(
    nets: Path, usual: list[str], tmp_path: Path
) -> None:
    for name in GAMES:
        write_net(tmp_path, sb.variant(name), seed=1 if name == "tapa" else 0)
    found = signed(tmp_path)
    assert [one == other for one, other in zip(found, usual, strict=True)] == [
        name != "tapa" for name in GAMES
    ]
    assert joint(found) != joint(usual)


def test_games_sign_differently(usual: list[str]) -> None:
    assert len(set(usual)) == len(GAMES)
    assert all(len(each) == 16 and int(each, 16) >= 0 for each in usual)


def test_a_value_that_is_an_ulp_off_is_another_signature(
    nets: Path, usual: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    worth: Any = Engine.evaluate_many

    def nudged(self: Engine, *words: object, **keys: object) -> list[sb.Outcome]:
        first, *others = worth(self, *words, **keys)
        object.__setattr__(first, "equity", first.equity * (1 + 2**-52))
        return [first, *others]

    monkeypatch.setattr(Engine, "evaluate_many", nudged)
    assert signature(fresh(nets, GAMES[0])) != usual[0]


def test_nodes_count_what_was_valued_whatever_is_remembered(nets: Path) -> None:
    counts = set()
    for cache in (0, 1 << 12):
        engine = fresh(nets, "backgammon", cache=cache)
        assert engine.nodes == 0
        for _ in range(2):
            engine.rank(engine.variant.start(), (6, 1), plies=1)
        counts.add(engine.nodes)
    assert len(counts) == 1 and counts.pop() > 500


@pytest.mark.parametrize("cache", [-1, 1 << 40, 1.5, True])
def test_a_cache_that_cannot_be_is_refused(nets: Path, cache: object) -> None:
    with pytest.raises(ValueError, match="remembers 0 to"):
        Engine(sb.variant("tapa"), registry.find(sb.variant("tapa"), [nets]), cache=cache)  # type: ignore[arg-type]


def test_an_instruction_set_that_is_not_there_is_refused_and_the_old_one_stays() -> None:
    before = speed.active_isa()
    with pytest.raises(ValueError, match="no instruction set 'abacus'; it has baseline"):  # noqa: SIM117
        with speed.running_on("abacus"):
            pass
    assert speed.active_isa() == before


def test_the_old_instruction_set_comes_back_after_an_error() -> None:
    before = speed.active_isa()
    with pytest.raises(KeyError), speed.running_on("baseline"):
        raise KeyError
    assert speed.active_isa() == before


@pytest.mark.parametrize("name", ["backgammon", "gul_bara", "acey_deucey"])
def test_sampled_throws_can_be_played_and_are_the_same_again(name: str) -> None:
    game = sb.variant(name)
    asked = throws(game, 40, seed=3)
    assert asked == throws(game, 40, seed=3) != throws(game, 40, seed=4)
    assert asked[::5] == throws(game, 8, seed=3, every=5)
    assert all(position.legal_plays(dice) for position, dice in asked)
    assert all((dice is None) == (position.pending is not None) for position, dice in asked)


def test_throws_of_an_engine_are_mostly_its_own_plays(nets: Path) -> None:
    engine = fresh(nets, "tapa")
    asked = throws(engine.variant, 60, seed=1, engine=engine)
    own = sum(engine.choose(*one).result == other.position for one, other in pairwise(asked))
    assert 40 <= own < 59


def test_evaluations_a_second_need_something_to_value(nets: Path) -> None:
    game = sb.variant("tapa")
    found = registry.find(game, [nets])
    positions = speed.candidates(throws(game, 5))
    assert speed.evaluations_per_s(game, found, positions, 0.01) > 1000
    with pytest.raises(ValueError, match="nothing to value"):
        speed.evaluations_per_s(game, found, [], 0.01)
