"""Positions as arrays, and the engine on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sheshbesh as sb
from sheshbesh import envs


def positions_of(name: str, seed: int = 1, plays: int = 40) -> list[sb.Position]:
    env = envs.vector(name, 16)
    env.reset(seed=seed)
    for _ in range(plays):
        seen, *_ = env.step(env.random_actions())
    return sb.from_rows(sb.variant(name), seen["observation"][:, :116])


@pytest.mark.parametrize("name", sb.variants())
def test_positions_of_every_game_become_rows_and_come_back(name: str) -> None:
    game = sb.variant(name)
    positions = [game.start(), *positions_of(name), *positions_of(name, seed=2, plays=15)]
    rows = sb.to_rows(positions)
    assert rows.dtype == np.uint8 and rows.shape == (len(positions), 116)
    assert sb.from_rows(game, rows) == positions


def broken(change: dict[int, int]) -> NDArray[np.uint8]:
    rows = sb.to_rows([sb.variant("tavla").start()] * 3)
    for place, value in change.items():
        rows[1, place] = value
    return rows


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({3: 1}, "row 1: places 0 to 26 of a row hold 16 checkers, and the game has 15"),
        ({30: 99}, "row 1: place 30 of a row holds 99: a count is 0 to 15"),
        ({102: 2}, "row 1: place 102 of a row holds 2: a flag is 0 or 1"),
        ({109: 7}, "row 1: place 109 of a row holds 7: a die shows at most 6"),
        ({111: 9}, "row 1: place 111 of a row holds 9: at most 4 steps are owed"),
    ],
)
def test_a_row_that_is_no_position_is_named_with_its_place(change: dict[int, int], message: str) -> None:
    with pytest.raises(sb.PositionError, match=message):
        sb.from_rows(sb.variant("tavla"), broken(change))
    with pytest.raises(ValueError, match=message):
        sb.engine("tavla").evaluate_many(broken(change))


def test_an_array_of_another_shape_is_refused() -> None:
    with pytest.raises(sb.PositionError, match=r"uint8 of shape \(n, 116\), not int64 of \(2, 116\)"):
        sb.from_rows(sb.variant("tavla"), np.zeros((2, 116), np.int64))


@pytest.mark.parametrize("name", ["backgammon", "tapa", "long_nardy", "gul_bara", "khachapuri"])
@pytest.mark.parametrize("match", [None, sb.MatchState(length=3, white=1, black=2)])
def test_values_of_rows_are_those_of_the_positions(name: str, match: sb.MatchState | None) -> None:
    engine = sb.engine(name)
    positions = positions_of(name)
    found = engine.evaluate_many(sb.to_rows(positions), match)
    for row, equity, outcome in zip(
        found.probabilities, found.equities, engine.evaluate_many(positions, match), strict=True
    ):
        assert row == pytest.approx(outcome.probabilities, abs=1e-6)
        assert equity == pytest.approx(outcome.equity, abs=1e-5)


@pytest.mark.parametrize("match", [None, sb.MatchState(length=3, white=1, black=2)])
def test_plays_of_rows_are_ranked_as_those_of_the_positions(match: sb.MatchState | None) -> None:
    engine = sb.engine("backgammon")
    positions = [position for position in positions_of("backgammon") if position.result is None]
    dice = np.array([[6 - index % 6, 1 + index % 5] for index in range(len(positions))], np.uint8)
    found = engine.rank_many(sb.to_rows(positions), dice, match)
    pairs = [(int(first), int(second)) for first, second in dice]
    for index, ranked in enumerate(engine.rank_many(positions, pairs, match)):
        first, last = found.offsets[index : index + 2]
        assert last - first == len(ranked)
        plays = positions[index].legal_plays(pairs[index])
        assert plays[int(found.best[index])] == ranked[0].play
        assert found.equities[first:last] == pytest.approx([each.equity for each in ranked], abs=1e-5)


def test_what_cannot_be_ranked_is_named() -> None:
    engine = sb.engine("backgammon")
    rows = sb.to_rows([sb.variant("backgammon").start()] * 2)
    with pytest.raises(ValueError, match="row 1: a die shows 1 to 6"):
        engine.rank_many(rows, np.array([[1, 2], [0, 3]], np.uint8))
    with pytest.raises(ValueError, match="as many dice as positions"):
        engine.rank_many(rows, np.array([[1, 2]], np.uint8))
    with pytest.raises(ValueError, match="plies must be 0, not 2"):
        engine.evaluate_many(rows, plies=2)
    with pytest.raises(ValueError, match="as many dice as positions are needed, and there are 1 for 2"):
        engine.rank_many([sb.variant("backgammon").start()] * 2, [(1, 2)])
    assert len(engine.evaluate_many(rows[:0]).equities) == 0
    assert len(engine.rank_many(rows[:0], np.zeros((0, 2), np.uint8)).best) == 0


@pytest.mark.parametrize("kind", [np.float64, np.int8, np.int64, np.bool_])
def test_rows_of_other_numbers_are_not_made_bytes_behind_ones_back(kind: type[np.generic]) -> None:
    engine = sb.engine("backgammon")
    rows = sb.to_rows([sb.variant("backgammon").start()] * 2).astype(kind)
    dice = np.array([[1, 2], [3, 4]], np.uint8)
    message = rf"positions are an array of uint8 of shape \(n, 116\), not {np.dtype(kind)} of \(2, 116\)"
    with pytest.raises(sb.PositionError, match=message):
        engine.evaluate_many(rows)
    with pytest.raises(sb.PositionError, match=message):
        engine.rank_many(rows, dice)
    with pytest.raises(sb.PositionError, match=r"not uint8 of \(116,\)"):
        engine.evaluate_many(sb.to_rows([sb.variant("backgammon").start()])[0])


def test_dice_are_not_cut_to_a_byte_or_rounded() -> None:
    engine = sb.engine("backgammon")
    rows = sb.to_rows([sb.variant("backgammon").start()] * 2)
    for wrong in (257, -253, 7, 0):
        with pytest.raises(ValueError, match="row 1: a die shows 1 to 6"):
            engine.rank_many(rows, np.array([[1, 2], [3, wrong]]))
    wrong_kinds: list[Any] = [[[1.0, 2.0]] * 2, [[True, True]] * 2, [1, 2], [[1, 2, 3]] * 2, None]
    for dice in wrong_kinds:
        with pytest.raises(sb.DiceError, match=r"dice are whole numbers of shape \(n, 2\), not"):
            engine.rank_many(rows, dice)
    assert engine.rank_many(rows, np.array([[3, 1], [6, 6]])).best.tolist() == [
        engine.rank_many(rows[:1], np.array([dice], np.uint8)).best[0] for dice in ((3, 1), (6, 6))
    ]


def test_arrays_that_are_read_only_or_have_gaps_are_read() -> None:
    engine = sb.engine("backgammon")
    rows = sb.to_rows([sb.variant("backgammon").start(turn=side) for side in ("white", "black", "white")])
    gaps = np.repeat(rows, 2, axis=0)[::2]
    rows.setflags(write=False)
    assert (engine.evaluate_many(rows).equities == engine.evaluate_many(gaps).equities).all()


@pytest.mark.parametrize("wrong", [[1, 2], "ab", [None]])
def test_what_is_no_position_is_named(wrong: object) -> None:
    with pytest.raises(TypeError, match="a position is expected, not"):
        sb.to_rows(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"several positions are expected: for one, to_rows\(\[position\]\)"):
        sb.to_rows(sb.variant("tapa").start())  # type: ignore[arg-type]
