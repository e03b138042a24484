"""Which rule a referee names: illegal plays for every rule id, through the public API.

The cases stand in data/refusals.toml; each is also judged with the colours exchanged.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.rules.setup import Geometry
from sheshbesh.testing import colours_swapped

Case = dict[str, Any]

FILE = Path(__file__).parent / "data" / "refusals.toml"
DATA = tomllib.loads(FILE.read_text("utf-8"))


def cases() -> list[Any]:
    """Every case with its rule; the id tells where to look."""
    return [
        pytest.param(rule, case, id=f"{rule}-{number}-{case['game']}")
        for rule, listed in DATA["refused"].items()
        for number, case in enumerate(listed, start=1)
    ]


def position_of(case: Case) -> sb.Position:
    game = sb.variant(case["game"], **case.get("options", {}))
    if "white" not in case:
        return game.start()
    board: dict[str, Any] = {}
    for side in ("white", "black"):
        stacks = dict(stack.split(":") for stack in case[side].split())
        numbers = {name: int(count) for name, count in stacks.items()}
        board[f"{side}_off"] = Geometry.of(game.axes).checkers - sum(numbers.values())
        board |= {f"{side}_{part}": numbers.pop(part) for part in ("bar", "hand") if part in numbers}
        board[side] = numbers
    if "pinned" in case:
        board["pinned_white"] = case["pinned"]
    owed = {"steps": case["owed"], "then": "own_throw"} if "owed" in case else {}
    return game.position(board, first_turn=False, **owed)


def dice_of(case: Case) -> sb.Roll:
    return sb.Roll.parse(case["dice"])


def refusal_of(position: sb.Position, case: Case) -> sb.Refusal | None:
    return position.refusal(case["play"] if "play" in case else case["steps"], dice_of(case))


@pytest.mark.parametrize(("rule", "case"), cases())
def test_the_referee_names(rule: str, case: Case) -> None:
    position = position_of(case)
    for seen in (position, colours_swapped(position)):
        refusal = refusal_of(seen, case)
        assert refusal is not None, f"legal, but {case['why']}"
        assert refusal.rule == rule, f"{refusal} but {case['why']}"


@pytest.mark.parametrize(("rule", "case"), cases())
def test_the_sentence_and_the_source_are_those_of_the_game(rule: str, case: Case) -> None:
    game = sb.variant(case["game"], **case.get("options", {}))
    refusal = game.refusal(rule)
    assert refusal.text == case.get("says", DATA["says"].get(rule))
    if sb.RULES[rule].axis is None:
        assert refusal.source is None
        assert str(refusal) == refusal.text
    else:
        assert refusal.source is not None
        missing = [word for word in case["cites"].split() if word not in refusal.source]
        assert case["cites"], "a rule with a source needs the words that cite it"
        assert not missing, f"{refusal.source} does not cite {missing}"
        assert str(refusal) == f"{refusal.text} ({refusal.source})"


@pytest.mark.parametrize(("rule", "case"), cases())
def test_reading_an_illegal_play_raises_with_the_same_rule(rule: str, case: Case) -> None:
    position = position_of(case)
    if "play" not in case:
        assert case["steps"] == [] or position.legal_steps(dice_of(case), case["steps"]) == ()
        return
    with pytest.raises(sb.IllegalPlayError) as caught:
        position.parse_play(case["play"], dice_of(case))
    assert caught.value.rule == rule
    assert caught.value.text in str(caught.value)
    assert position.id in str(caught.value)


@pytest.mark.parametrize(("rule", "case"), [case for case in cases() if "steps" in case.values[1]])
def test_a_refused_beginning_cannot_be_repaired_by_going_on(rule: str, case: Case) -> None:
    position, dice = position_of(case), dice_of(case)
    if position.result is not None:
        return
    for play in position.legal_plays(dice):
        words = [str(step) for step in play.steps]
        assert words[: len(case["steps"])] != case["steps"]


def test_every_rule_of_the_closed_list_is_exercised() -> None:
    counted = Counter({rule: len(listed) for rule, listed in DATA["refused"].items()})
    assert set(counted) == set(sb.RULES)
    assert min(counted.values()) >= 3
    assert counted.total() >= 100
    assert len({case.values[1]["game"] for case in cases()}) >= 18
