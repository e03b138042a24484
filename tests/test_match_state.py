"""Score and cube as one value: every refusal, dead cubes at every score, what a result pays."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.errors import MatchError
from sheshbesh.match import CUBE_RULES, MatchState
from sheshbesh.match.state import CLASS_POINTS, HIGHEST_CUBE
from sheshbesh.rules import Side

CUBES = (1, 2, 4, 8, 16, 32, 64)


def rule_of(refusal: sb.Refusal | None) -> str | None:
    return refusal.rule if refusal is not None else None


@pytest.mark.parametrize(
    ("state", "side", "rolled", "rule"),
    [
        ({}, "white", True, "cube.after_roll"),
        ({}, "white", False, None),
        ({"cube": 2, "owner": "black"}, "white", False, "cube.owner"),
        ({"cube": 2, "owner": "black"}, "black", False, None),
        ({"cube": 64, "owner": "white"}, "white", False, None),
        ({"cube": 4096, "owner": "white"}, "white", False, None),
        ({"cube": 64, "owner": "white", "cube_limit": 64}, "white", False, "cube.limit"),
        ({"cube": 32, "owner": "white", "cube_limit": 64}, "white", False, None),
        ({"length": 99, "cube": 64, "owner": "white"}, "white", False, None),
        ({"cube": 64, "owner": "white"}, "black", False, "cube.owner"),
        ({"cube": 2, "automatic_doubles": 1}, "black", False, None),
        ({"length": 5, "white": 4, "crawford": True}, "black", False, "cube.crawford"),
        ({"length": 5, "white": 4, "crawford": True}, "white", False, "cube.crawford"),
        ({"length": 5, "white": 4, "crawford": True}, "white", True, "cube.after_roll"),
        ({"length": 5, "white": 4}, "white", False, "cube.dead"),
        ({"length": 5, "white": 4}, "black", False, None),
        ({"length": 5, "white": 4, "allow_dead_double": True}, "white", False, None),
        ({"length": 1}, "white", False, "cube.dead"),
        ({"length": 7, "white": 4, "black": 3, "cube": 4, "owner": "black"}, "black", False, "cube.dead"),
        ({"length": 7, "white": 4, "black": 3, "cube": 4, "owner": "white"}, "white", False, "cube.dead"),
        ({"length": 7, "white": 4, "black": 3, "cube": 2, "owner": "black"}, "black", False, None),
    ],
)
def test_the_rule_against_a_double(state: dict[str, Any], side: str, rolled: bool, rule: str | None) -> None:  # noqa: FBT001
    match = sb.MatchState(**state)
    refusal = match.double_refusal(side, rolled=rolled)
    assert rule_of(refusal) == rule
    assert match.may_double(side, rolled=rolled) == (rule is None)
    if refusal is not None:
        assert (refusal.text, refusal.source) == CUBE_RULES[refusal.rule]
        assert refusal.source is not None
        assert "(004)" in refusal.source or refusal.source == "rule sheet B 44"
        assert str(refusal) == f"{refusal.text} ({refusal.source})"


PLACES = [(1, None), *((cube, owner) for cube in CUBES if cube > 1 for owner in ("white", "black"))]
"""Every value of the cube with those who may own it."""


def expected_rule(
    length: int, scores: dict[str, int], cube: int, owner: str | None, *, crawford: bool, side: str
) -> str | None:
    """The law, told once more: first who may ever turn the cube, then whether it is live for that player."""
    if crawford:
        return "cube.crawford"
    if owner is not None and owner != side:
        return "cube.owner"
    wins_already = scores[side] + cube >= length
    return "cube.dead" if wins_already else None


@pytest.mark.parametrize("length", range(1, 8))
def test_dead_cubes_at_every_score_of_matches_to_seven(length: int) -> None:
    seen = set()
    for white, black in product(range(length), repeat=2):
        scores = {"white": white, "black": black}
        for (cube, owner), side in product(PLACES, ("white", "black")):
            state = sb.MatchState(length=length, white=white, black=black, cube=cube, owner=owner)
            expected = expected_rule(length, scores, cube, owner, crawford=False, side=side)
            assert rule_of(state.double_refusal(side)) == expected
            assert rule_of(state.double_refusal(side, rolled=True)) == "cube.after_roll"
            tolerant = sb.MatchState(
                length=length, white=white, black=black, cube=cube, owner=owner, allow_dead_double=True
            )
            living = expected if expected != "cube.dead" else None
            assert rule_of(tolerant.double_refusal(side)) == living
            seen.add(expected)
        if max(white, black) == length - 1:
            state = sb.MatchState(length=length, white=white, black=black, crawford=True)
            for side in ("white", "black"):
                assert rule_of(state.double_refusal(side)) == "cube.crawford"
                assert not state.may_double(side)
    assert "cube.dead" in seen
    assert (None in seen) == (length > 1)


def test_after_the_crawford_game_the_trailer_may_double_and_the_leader_may_not() -> None:
    for length in range(2, 8):
        for trailer in range(length - 1):
            state = sb.MatchState(length=length, white=length - 1, black=trailer)
            assert state.may_double("black")
            assert rule_of(state.double_refusal("white")) == "cube.dead"


def test_every_cube_rule_is_exercised() -> None:
    states = [
        (sb.MatchState(), True),
        (sb.MatchState(cube=2, owner="black"), False),
        (sb.MatchState(length=3, black=2, crawford=True), False),
        (sb.MatchState(length=1), False),
        (sb.MatchState(cube=64, owner="white", cube_limit=64), False),
        (sb.MatchState(length=3, black=3), False),
    ]
    found = {rule_of(state.double_refusal("white", rolled=rolled)) for state, rolled in states}
    assert found == set(CUBE_RULES)


@pytest.mark.parametrize("cube", CUBES)
@pytest.mark.parametrize(
    ("kind", "base"), [("single", 1), ("gammon", 2), ("backgammon", 3), ("tie", 0), ("mother", 2)]
)
def test_a_result_is_multiplied_by_the_cube(kind: str, base: int, cube: int) -> None:
    owner = None if cube == 1 else "white"
    assert sb.MatchState(length=25, cube=cube, owner=owner).points(kind) == base * cube
    assert sb.MatchState(jacoby=False, cube=cube, owner=owner).points(kind) == base * cube


@pytest.mark.parametrize("cube", CUBES)
def test_a_drop_pays_the_present_value(cube: int) -> None:
    owner = None if cube == 1 else "black"
    for state in (sb.MatchState(cube=cube, owner=owner), sb.MatchState(length=7, cube=cube, owner=owner)):
        assert state.points("drop") == cube
        assert state.points("pass") == cube


def test_jacoby_lowers_gammons_on_an_unturned_cube_in_money_play_only() -> None:
    money, turned, match = (
        sb.MatchState(),
        sb.MatchState(cube=2, owner="white"),
        sb.MatchState(length=5, jacoby=True),
    )
    for kind in ("gammon", "backgammon", "home_mars", "koks"):
        assert money.points(kind) == 1
        assert turned.points(kind) == match.points(kind) * 2
        assert match.points(kind) > 1
        assert sb.MatchState(jacoby=False).points(kind) == match.points(kind)
    assert money.jacoby is True
    assert sb.MatchState(length=5).jacoby is False


def test_a_game_with_a_count_of_its_own_pays_its_own_points() -> None:
    result = sb.GameResult(sb.Side.WHITE, 13, "count")
    assert sb.MatchState(length=31).points(result) == 13
    assert sb.MatchState(cube=2, owner="white").points(result) == 26
    with pytest.raises(sb.MatchError, match="count"):
        sb.MatchState().points("count")


@pytest.mark.parametrize(
    ("fields", "problems"),
    [
        ({"length": 0}, 1),
        ({"length": -3, "white": -1}, 2),
        ({"length": 2.0}, 1),
        ({"length": True}, 1),
        ({"cube": 3}, 1),
        ({"cube": 128}, 1),
        ({"cube": 0, "owner": "green"}, 2),
        ({"crawford": True}, 1),
        ({"length": 5, "white": 4, "crawford": True, "crawford_rule": False}, 1),
        ({"length": 5, "crawford_rule": None}, 1),
        ({"length": 7, "cube": 2}, 1),
        ({"cube": 4, "automatic_doubles": 1}, 1),
        ({"owner": "white"}, 1),
        ({"automatic_doubles": 7}, 1),
        ({"automatic_doubles": -1}, 1),
        ({"automatic_doubles": True}, 1),
        ({"cube": 2, "automatic_doubles": 1, "owner": "white"}, 1),
        ({"length": 5, "cube": 2, "automatic_doubles": 1}, 1),
        ({"length": 7, "white": 3, "black": 2, "crawford": True}, 1),
        ({"length": 7, "white": 7, "black": 2, "crawford": True}, 1),
        ({"length": 7, "white": 3, "cube": 2, "owner": "black", "crawford": True}, 2),
        ({"length": 0, "white": "x", "black": None, "cube": "2", "owner": 5}, 5),
        ({"cube": 3, "crawford": True}, 2),
        ({"length": 5, "cube": 3, "white": 5, "black": 5, "crawford": True, "crawford_rule": False}, 3),
        ({"cube": 8, "cube_limit": 4, "owner": "green"}, 2),
        ({"length": -1, "white": 2**70, "black": 2**70, "crawford": True}, 1),
    ],
)
def test_an_impossible_state_lists_every_problem(fields: dict[str, Any], problems: int) -> None:
    with pytest.raises(sb.MatchError) as caught:
        sb.MatchState(**fields)
    assert len(caught.value.problems) == problems
    assert all(problem in str(caught.value) for problem in caught.value.problems)


def test_the_highest_cube_may_be_all_automatic_doubles_and_an_owner_is_a_side() -> None:
    assert sb.MatchState(cube=64, automatic_doubles=6, cube_limit=64).cube == 64
    assert sb.MatchState(length=5, cube=2, owner="white").owner is sb.Side.WHITE


def test_the_cube_has_no_last_value_but_what_a_table_agrees_on_and_a_program_can_hold() -> None:
    highest = sb.MatchState(cube=HIGHEST_CUBE, owner="white")
    assert rule_of(highest.double_refusal("white")) == "cube.limit"
    assert highest.points("backgammon") == 3 * 2**30
    for impossible in (
        {"cube": 2 * HIGHEST_CUBE, "owner": "white"},
        {"cube": 128, "owner": "white", "cube_limit": 64},
        {"cube_limit": 48},
    ):
        with pytest.raises(sb.MatchError):
            sb.MatchState(**impossible)


def test_a_state_says_itself_in_words() -> None:
    state = sb.MatchState(length=7, white=3, black=4, cube=2, owner="black")
    assert str(state) == "match at 3-4 to 7, cube 2 with black"
    assert str(sb.MatchState(length=3, black=2, crawford=True)) == "match at 0-2 to 3, cube 1, Crawford game"
    assert str(sb.MatchState()) == "money at 0-0, cube 1"


def test_a_match_is_won_at_its_length() -> None:
    assert sb.MatchState(length=5, white=5).winner == "white"
    assert sb.MatchState(length=5, black=7).winner == "black"
    assert sb.MatchState(length=5, white=4, black=4).winner is None
    assert sb.MatchState(white=500).winner is None
    assert sb.MatchState(length=5, white=3).away("white") == 2
    assert sb.MatchState(length=5, white=3).away("black") == 5
    assert sb.MatchState().away("white") is None


def test_a_state_is_a_value() -> None:
    state = sb.MatchState(length=7, white=3, black=4, cube=2, owner="black")
    assert state == sb.MatchState(length=7, white=3, black=4, cube=2, owner=sb.Side.BLACK)
    assert hash(state) == hash(sb.MatchState(length=7, white=3, black=4, cube=2, owner=sb.Side.BLACK))
    assert state != sb.MatchState(length=7, white=3, black=4, cube=2, owner="white")
    with pytest.raises(AttributeError):
        state.cube = 4  # type: ignore[misc]


def law_of(match: MatchState, side: Side, *, rolled: bool) -> str | None:
    """The law against a double, by the words of Khalili (004), p. 11 and 12, and rule sheet B 21 and B 44."""
    scores = {Side.WHITE: match.white, Side.BLACK: match.black}
    if match.length is not None and max(scores.values()) >= match.length:
        return "cube.match_over"
    refusals = [
        ("cube.after_roll", rolled),
        ("cube.crawford", match.crawford),
        ("cube.owner", match.owner not in (None, side)),
        ("cube.limit", match.cube * 2 > (match.cube_limit or 2**30)),
    ]
    if match.length is not None and not match.allow_dead_double:
        refusals.append(("cube.dead", scores[side] + match.cube >= match.length))
    return next((law for law, stands in refusals if stands), None)


def test_the_laws_of_the_core_are_those_of_the_sources() -> None:
    chance = random.Random(35)
    seen = set()
    for _ in range(4000):
        length = chance.choice([None, 1, 3, 7, 25])
        try:
            match = MatchState(
                length=length,
                white=chance.randint(0, 8),
                black=chance.randint(0, 8),
                cube=2 ** chance.choice([0, 0, 1, 2, 5, 29, 30]),
                owner=chance.choice([None, None, "white", "black"]),
                crawford=chance.random() < 0.2,
                jacoby=chance.choice([None, True, False]),
                allow_dead_double=chance.random() < 0.3,
                automatic_doubles=chance.choice([0, 0, 1, 2]),
                cube_limit=chance.choice([None, None, 1, 64, 2**30]),
            )
        except MatchError:
            continue
        turned = match.owner is not None
        for side in Side:
            rolled = chance.random() < 0.3
            law = law_of(match, side, rolled=rolled)
            seen.add(law)
            assert match.double_rule(side, rolled=rolled) == law, match
            assert match.away(side) == (None if length is None else max(length - match.score(side), 0))
        for kind, points in CLASS_POINTS.items():
            lowered = length is None and match.jacoby and not turned
            worth = min(points, 1) if lowered and kind not in ("mother", "tie", "single") else points
            assert match.points(kind) == worth * match.cube, (match, kind)
    assert seen == {None, *CUBE_RULES}
