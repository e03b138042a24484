"""Every test vector of the rule sheets, through the public API.

The format is described in docs/rules/vectors.md. Plays are compared by their final positions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb

Vector = dict[str, Any]

NAMES = {"standard": "backgammon", "iran_traditional": "takhte"}


def load(name: str) -> list[Vector]:
    """The vectors of one file in `tests/data`."""
    path = Path(__file__).parent / "data" / name
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


VECTORS = load("vectors.jsonl") + load("kin_vectors.jsonl")


def of_type(kind: str) -> list[Any]:
    chosen = [vector for vector in VECTORS if vector["type"] == kind]
    assert chosen
    return [pytest.param(vector, id=vector["id"]) for vector in chosen]


def game_of(vector: Vector) -> sb.Variant:
    name = NAMES.get(vector["variant"]) or str(vector["variant"])
    return sb.variant(name, **vector.get("options", {}))


def position_of(vector: Vector) -> sb.Position:
    return game_of(vector).position(vector["board"], turn=vector["turn"], **vector.get("context", {}))


def as_claim(result: sb.GameResult | None) -> Vector | None:
    return None if result is None else {"winner": result.winner, "points": result.points, "kind": result.kind}


@pytest.mark.parametrize("vector", of_type("plays"))
def test_legal_plays(vector: Vector) -> None:
    pos, dice, claims = position_of(vector), tuple(vector["dice"]), vector["claims"]
    finals = {play.result for play in pos.legal_plays(dice)}
    for text in claims.get("legal", []) + claims.get("only_legal", []):
        assert pos.parse_play(text, dice).result in finals, text
        assert pos.refusal(text, dice) is None
    if "only_legal" in claims:
        assert {pos.parse_play(text, dice).result for text in claims["only_legal"]} == finals
    derived = vector.get("derived", {})
    if "n_legal_positions" in derived:
        assert len(finals) == derived["n_legal_positions"]
        assert len(pos.legal_plays(dice)) == derived["n_legal_positions"]
    if "max_dice_used" in derived:
        assert max(len(play.steps) for play in pos.legal_plays(dice)) == derived["max_dice_used"]
    for text in derived.get("finals", {}):
        assert pos.parse_play(text, dice).result in finals, text


@pytest.mark.parametrize("vector", of_type("plays"))
def test_illegal_plays_are_refused_with_a_rule(vector: Vector) -> None:
    pos, dice = position_of(vector), tuple(vector["dice"])
    for text in vector["claims"].get("illegal", []):
        with pytest.raises(sb.IllegalPlayError) as caught:
            pos.parse_play(text, dice)
        refusal = pos.refusal(text, dice)
        assert refusal is not None
        assert caught.value.rule == refusal.rule
        assert refusal.rule in sb.RULES
        assert refusal.source or refusal.rule in ("dice.not_thrown", "checker.none", "take.none", "game.over")


@pytest.mark.parametrize("vector", of_type("plays"))
def test_step_prefixes(vector: Vector) -> None:
    pos, dice, claims = position_of(vector), tuple(vector["dice"]), vector["claims"]
    for path in claims.get("legal_paths", []):
        assert pos.refusal(path, dice) is None, path
        for done in range(len(path)):
            assert path[done] in {str(step) for step in pos.legal_steps(dice, path[:done])}
    for path in claims.get("illegal_paths", []):
        assert pos.refusal(path, dice) is not None, path
        assert not pos.legal_steps(dice, path)


@pytest.mark.parametrize("vector", of_type("plays"))
def test_results_after_plays_and_what_follows(vector: Vector) -> None:
    pos, dice, claims = position_of(vector), tuple(vector["dice"]), vector["claims"]
    for text, claim in claims.get("after", {}).items():
        assert as_claim(pos.parse_play(text, dice).result.result) == claim
    for text, claim in claims.get("continue", {}).items():
        after = pos.parse_play(text, dice).result
        if claim is None:
            assert after.pending is None
            assert after.turn == pos.turn.other
        elif claim.get("throw"):
            assert after.pending is None
            assert after.turn == claim["by"]
        else:
            assert after.pending is not None
            assert dict(after.pending) == claim
            assert after.turn == claim["by"]


@pytest.mark.parametrize("vector", of_type("result"))
def test_results(vector: Vector) -> None:
    assert as_claim(position_of(vector).result) == vector["claims"]["result"]


@pytest.mark.parametrize("vector", of_type("opening"))
def test_openings(vector: Vector) -> None:
    opening = game_of(vector).opening(**vector["opening"])
    claim = vector["claims"]["opening"]
    dice = list(opening.dice) if isinstance(opening.dice, tuple) else opening.dice
    assert {"starter": opening.starter, "dice": dice} == claim


@pytest.mark.parametrize("vector", of_type("cube"))
def test_cube(vector: Vector) -> None:
    cube = vector["cube"]
    state = sb.MatchState(
        length=cube["match_length"],
        white=cube["white"],
        black=cube["black"],
        cube=cube["value"],
        owner=cube["owner"],
        crawford=cube["crawford_game"],
    )
    may = state.may_double(cube["turn"], rolled=cube["rolled"])
    assert may == vector["claims"]["may_double"]
    assert (state.double_refusal(cube["turn"], rolled=cube["rolled"]) is None) == may


@pytest.mark.parametrize("vector", of_type("score"))
def test_scores(vector: Vector) -> None:
    score = vector["score"]
    state = sb.MatchState(
        length=None if score["money"] else 25, cube=score["cube"], owner="white" if score["turned"] else None
    )
    kind = "drop" if score["kind"] == "pass" else score["kind"]
    assert state.points(kind) == vector["claims"]["points"]


@pytest.mark.parametrize("vector", of_type("plays") + of_type("result"))
def test_board_mapping_and_id_come_back(vector: Vector) -> None:
    pos = position_of(vector)
    assert pos.variant.position_from_id(pos.id) == pos
    board = {key: value for key, value in pos.board().items() if "hand" not in key}
    given = {key: value for key, value in vector["board"].items() if board.get(key, []) or value}
    assert {key: board[key] for key in given} == {
        key: sorted(value, reverse=True) if isinstance(value, list) else value for key, value in given.items()
    }
