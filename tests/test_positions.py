"""Impossible positions are refused with every problem at once; odd but possible ones are accepted."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.rules.setup import Geometry

Board = dict[str, Any]


def board(white: dict[Any, Any], black: dict[Any, Any], **more: Any) -> Board:
    return {"white": white, "black": black, **more}


# game, board, and words for every problem: as many problems as entries, each found once
BROKEN: dict[str, tuple[str, Board, list[str]]] = {
    "too few": ("backgammon", board({"6": 5}, {"1": 15}), ["white has 5 checkers, not 15"]),
    "too many": ("backgammon", board({"6": 15, "5": 1}, {"1": 15}), ["white has 16 checkers, not 15"]),
    "too many off": (
        "hypergammon",
        board({"6": 3}, {"1": 1}, white_off=1, black_off=3),
        ["white has 4 checkers, not 3", "black has 4 checkers, not 3"],
    ),
    "both colours on a point": (
        "backgammon",
        board({"6": 10, "5": 5}, {"6": 10, "1": 5}),
        ["both colours on White's point 6"],
    ),
    "both colours on two points": (
        "long_nardy",
        board({"24": 10, "13": 5}, {"24": 5, "13": 10}),
        ["both colours on White's point 13", "both colours on White's point 24"],
    ),
    "a bar without hitting": (
        "tapa",
        board({"24": 14}, {"1": 14}, white_bar=1, black_bar=1),
        [
            "white has 1 on the bar in a game without hitting",
            "black has 1 on the bar in a game without hitting",
        ],
    ),
    "a hand without entering": (
        "backgammon",
        board({"6": 14}, {"1": 15}, white_hand=1),
        ["white has 1 in hand in a game without entering"],
    ),
    "pins without pinning": (
        "tavla",
        board({"6": 15}, {"1": 15}, pinned_white=[6]),
        ["white has pinned checkers in a game without pinning"],
    ),
    "above the cap": (
        "old_english",
        board({"6": 6, "5": 5, "4": 4}, {"1": 5, "2": 7, "3": 3}),
        ["white has 6 checkers on White's point 6, the most is 5", "black has 7 checkers on White's point 2"],
    ),
    "pinned under nobody": (
        "tapa",
        board({"24": 14, "20": 1}, {"1": 15}, pinned_white=[20]),
        ["white is not under an enemy on White's point 20"],
    ),
    "two prisoners on a point": (
        "tapa",
        board({"24": 13, "20": 2}, {"1": 13, "20": 2}, pinned_white=[20]),
        ["2 checkers pinned on White's point 20, only one can be"],
    ),
    "both pinned on a point": (
        "plakoto",
        board({"24": 14, "20": 1}, {"1": 14, "20": 1}, pinned_white=[20], pinned_black=[20]),
        ["both colours on White's point 20: name the one pinned checker"],
    ),
    "a shared point without a prisoner": (
        "mahbusa",
        board({"24": 14, "20": 1}, {"1": 14, "20": 1}),
        ["both colours on White's point 20: name the one pinned checker"],
    ),
    "unknown keys": (
        "backgammon",
        board({"6": 15}, {"1": 15}, green={"3": 1}, whitebar=2),
        ["unknown key 'green'", "unknown key 'whitebar'"],
    ),
    "no points": (
        "backgammon",
        board({"0": 1, "25": 1, "x": 1, "-3": 1}, {"1": 15}),
        [
            "white: '0' is not a point",
            "white: '25' is not a point",
            "white: 'x' is not",
            "white: '-3' is not",
        ],
    ),
    "no counts": (
        "backgammon",
        board({"6": "many", "5": True, "4": -1, "3": 16}, {"1": 15}, black_off=1.0),
        ["white on 6", "white on 5", "white on 4", "white on 3", "black_off"],
    ),
    "no mappings": (
        "backgammon",
        {"white": [24, 13], "black": 7, "pinned_white": 3},
        ["white must map points", "black must map points", "pinned_white must list points"],
    ),
    "numbers that are no points": (
        "backgammon",
        board({"0240": 1, "02400000": 1, "006" + "0" * 5000: 1, "24": 15}, {"1": 15}),
        ["'0240' is not", "'02400000' is not", "'0060000"],
    ),
    "everything at once": (
        "tapa",
        board({"24": 10, "9": 2}, {"1": 10, "9": 3}, white_bar=1, black_hand=2, pinned_black=[9, 4]),
        [
            "white has 13 checkers, not 15",
            "white has 1 on the bar",
            "black has 2 in hand",
            "black is not under an enemy on White's point 4",
            "3 checkers pinned on White's point 9",
        ],
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_impossible_position_is_refused_with_every_problem(name: str) -> None:
    game, given, expected = BROKEN[name]
    with pytest.raises(sb.PositionError) as caught:
        sb.variant(game).position(given)
    problems = list(caught.value.problems)
    for words in expected:
        found = [problem for problem in problems if words in problem]
        assert len(found) == 1, f"{words!r} in {problems}"
        problems.remove(found[0])
    assert not problems, "more problems than there are"
    assert all(problem in str(caught.value) for problem in caught.value.problems)
    assert isinstance(caught.value, ValueError)
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        ("backgammon", "B4e1c3Ee3C1E4c:w", ["black has 16 checkers"]),
        ("backgammon", "A4e1c3Ee3C1E4b:w:x2.0", ["white has 16 checkers"]),
        ("tapa", "O22o:w:x1.0", ["white has 16", "white has 1 on the bar"]),
        ("tapa", "N22(Bb):w", ["white has 16 checkers", "checkers pinned"]),
        ("old_english", "F17I5:b", ["point 24", "point 6"]),
        ("backgammon", "O22o1:w:h0.0:sw", ["who started is not asked in this game"]),
        ("tapa", "O22o:w:mb", ["no mother is played on in this game"]),
        ("tavla", "B4e1c3Ee3C1E4b:w:p55", ["nothing can be owed in this game"]),
    ],
)
def test_an_id_of_an_impossible_position_is_refused(game: str, text: str, words: list[str]) -> None:
    board_part = text.split(":")[0]
    with pytest.raises((sb.PositionError, sb.NotationError)) as caught:
        sb.variant(game).position_from_id(text)
    if isinstance(caught.value, sb.PositionError):
        assert [word for word in words if not any(word in p for p in caught.value.problems)] == []
    assert board_part in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "B4e1c3Ee3C1E4b",
        "B4e1c3Ee3C1E4b:",
        "B4e1c3Ee3C1E4b:W",
        "B4e1c3Ee3C1E4b:w:",
        "B4e1c3Ee3C1E4b:w:x1",
        "B4e1c3Ee3C1E4b:w:x1.0:x1.0",
        "B4e1c3Ee3C1E4b:w:t0.1:x1.0",
        "B4e1c3Ee3C1E4b:w:t1.0",
        "B4e1c3Ee3C1E4b:w:p7",
        "B4e1c3Ee3C1E4b:w:p55555",
        "B4e1c3Ee3C1E4:w",
        "B4e1c3Ee3C1E5b:w",
        "B4e1c3Ee3C1E04b:w",
        "P23:w",
        "(BB)23:w",
        "(Ba23:w",
        "B4e1c3Ee3C1E4b:w extra",
        "B4e1c3Ee3C1E4b:w:p123",
        "B4e1c3Ee3C1E4b:w:p\ud800",
    ],
)
def test_text_that_is_no_id_is_a_notation_error(text: str) -> None:
    with pytest.raises(sb.NotationError) as caught:
        sb.variant("backgammon").position_from_id(text)
    assert repr(text)[1:-1] in str(caught.value)


@pytest.mark.parametrize("letter", ["A", "é", "😀"])
def test_an_id_has_at_most_two_hundred_characters(letter: str) -> None:
    game = sb.variant("backgammon")
    start = "B4e1c3Ee3C1E4b:w"
    with pytest.raises(sb.NotationError, match="at most 200 characters") as caught:
        game.position_from_id(f"{start}:{letter * (200 - len(start))}")
    assert len(str(caught.value)) < 120
    with pytest.raises(sb.NotationError, match="cannot read the field"):
        game.position_from_id(f"{start}:{letter * (199 - len(start))}")
    assert game.position_from_id(f"{start:<201}") == game.position_from_id(start)


@pytest.mark.parametrize(
    ("game", "context", "words"),
    [
        ("gioul", {"steps": (5, 5, 5, 5, 5), "then": "own_throw"}, "1 to 4 steps"),
        ("gioul", {"steps": (5, 7), "then": "own_throw"}, "steps of 1 to 6"),
        ("gioul", {"steps": (5, 5, 4), "then": "own_throw"}, "equal"),
        ("gioul", {"steps": (5, 5), "rest": (4,)}, "goes on"),
        ("gioul", {"steps": (5, 5), "then": "tomorrow"}, "own_throw"),
        ("gioul", {"steps": (5, 5), "element": 4, "then": "own_throw"}, "element"),
        ("acey_deucey", {"phase": "second"}, "chosen_double"),
        ("gul_bara", {"turns_played": {"white": -1}}, "counted from 0"),
        ("gul_bara", {"turns_played": {"white": True}}, "counted from 0"),
        ("takhte", {"first_turn": "x"}, "first_turn is true, false or None, not 'x'"),
        ("takhte", {"first_turn": 1}, "first_turn is true, false or None, not 1"),
        ("gioul", {"steps": 5}, "steps is a list of numbers, not 5"),
        ("gioul", {"steps": "55", "then": "own_throw"}, "steps is a list of numbers, not '55'"),
        ("tapa", {"rest": 5}, "rest is a list of numbers, not 5"),
        ("tapa", {"head": "x"}, "left the head, not 'x'"),
        ("gul_bara", {"head": -1, "steps": (3, 3, 3, 3)}, "left the head, not -1"),
        ("gul_bara", {"head": 1.5, "steps": (3, 3, 3, 3)}, "left the head, not 1.5"),
    ],
)
def test_an_impossible_history_is_refused(game: str, context: dict[str, Any], words: str) -> None:
    with pytest.raises(sb.PositionError, match=words):
        sb.variant(game).position(sb.variant(game).start().board(), **context)


@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("backgammon", board({}, {}, white_off=15, black_off=15)),
        ("backgammon", board({}, {}, white_bar=15, black_bar=15)),
        ("backgammon", board({"24": 15}, {"1": 15})),
        ("long_nardy", board({str(p): 1 for p in range(1, 7)} | {"24": 9}, {"12": 15})),
        ("tapa", board({"24": 13, "20": 2}, {"1": 14, "20": 1})),
        ("tapa", board({6: 14, 3: 1}, {3: 1, 24: 14}, pinned_black=["3"])),
        ("acey_deucey", board({}, {"1": 15}, white_hand=15)),
        ("old_english", board({str(p): 5 for p in (24, 23, 22)}, {str(p): 5 for p in (1, 2, 3)})),
    ],
)
def test_positions_that_no_game_would_reach_are_accepted(game: str, given: Board) -> None:
    position = sb.variant(game).position(given)
    assert sb.variant(game).position_from_id(position.id) == position
    for dice in ((6, 5), (1, 1)):
        assert (len(position.legal_plays(dice)) > 0) == (position.result is None)


def test_a_prisoner_without_a_choice_need_not_be_named() -> None:
    given = board({"24": 13, "20": 2}, {"1": 14, "20": 1})
    named = sb.variant("tapa").position({**given, "pinned_black": [20]})
    assert sb.variant("tapa").position(given) == named
    assert named.pinned("black") == {5}


def test_history_that_the_rules_never_ask_makes_no_difference() -> None:
    game = sb.variant("backgammon")
    start = game.start()
    again = game.position(start.board(), first_turn=False, turns_played={"white": 7, "black": 3})
    assert again == start
    assert again.id == start.id


def test_first_turns_matter_where_the_rules_ask_for_them() -> None:
    game = sb.variant("long_nardy")
    fresh = game.position(game.start().board())
    later = game.position(game.start().board(), first_turn=False)
    assert fresh == game.start()
    assert fresh.is_first_turn
    assert not later.is_first_turn
    assert fresh != later
    assert later.id.endswith(":t1.0")
    assert len(fresh.legal_plays((6, 6))[0].steps) == 2
    assert len(later.legal_plays((6, 6))[0].steps) == 1


def test_positions_of_different_games_are_never_equal() -> None:
    starts = {sb.variant(name).start() for name in ("backgammon", "takhte", "tavla", "portes")}
    assert len(starts) == 4
    assert sb.variant("backgammon", cube=False).start() == sb.variant("backgammon").start()


def reachable(position: sb.Position, side: sb.Side) -> set[int]:
    """The points, in White's numbers, that a side stands on or has yet to pass."""
    farthest = max(
        (number for number, count in enumerate(position.counts(side)) if number and count), default=0
    )
    return {
        Geometry.of(position.variant.axes).own(side, number) for number in range(1, min(farthest, 24) + 1)
    }


@pytest.mark.parametrize("game", sb.variants())
def test_there_is_contact_while_a_point_lies_before_both_sides(game: str) -> None:
    position, chance = sb.variant(game).start(), random.Random(7)
    assert position.has_contact
    met: set[bool] = set()
    while position.result is None:
        assert position.has_contact == bool(
            reachable(position, sb.Side.WHITE) & reachable(position, sb.Side.BLACK)
        )
        met.add(position.has_contact)
        roll = None if position.pending else (chance.randint(1, 6), chance.randint(1, 6))
        position = chance.choice(position.legal_plays(roll)).result
    assert True in met


@pytest.mark.parametrize("game", sb.variants())
def test_a_mirrored_position_is_the_same_game_with_the_colours_exchanged(game: str) -> None:
    position, chance = sb.variant(game).start(), random.Random(3)
    for _ in range(30):
        if position.result is not None:
            break
        other = position.mirror()
        assert other.turn is position.turn.other
        assert other.mirror() == position != other
        for side in sb.Side:
            assert other.counts(side) == position.counts(side.other)
            assert other.pinned(side) == position.pinned(side.other)
        assert sb.variant(game).position_from_id(other.id) == other
        roll = None if position.pending else (chance.randint(1, 6), chance.randint(1, 6))
        plays = position.legal_plays(roll)
        assert [play.notation for play in plays] == [play.notation for play in other.legal_plays(roll)]
        position = chance.choice(plays).result


def test_a_history_is_a_value_and_its_keywords_go_before_it() -> None:
    game = sb.variant("gul_bara", progression_from=1)
    board_ = game.start().legal_plays((3, 3))[0].result.board()
    history = sb.History(steps=(4, 4, 4, 4), rest=(5, 6), turns_played={"white": 0, "black": 0})
    position = game.position(board_, "white", history)
    assert position == game.position(
        board_, steps=(4, 4, 4, 4), rest=(5, 6), turns_played={"white": 0, "black": 0}
    )
    assert dict(position.pending or {}) == {"by": "white", "steps": [4, 4, 4, 4], "rest": [5, 6]}
    shorter = game.position(board_, "white", history, steps=(5, 5, 5, 5), rest=(6,))
    assert dict(shorter.pending or {}) == {"by": "white", "steps": [5, 5, 5, 5], "rest": [6]}
    with pytest.raises(TypeError, match="weather"):
        game.position(board_, weather="fine")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("game", "white", "black", "contact"),
    [
        # Contrary movement: a white checker on point 10 has yet to pass a black one on White's 9.
        ("backgammon", {"10": 15}, {"9": 15}, True),
        ("backgammon", {"9": 15}, {"10": 15}, False),
        ("backgammon", {"24": 15}, {"1": 15}, True),
        # Parallel movement: the way of each ends in the half in which the other begins.
        ("moultezim", {"12": 15}, {"24": 15}, False),
        ("moultezim", {"13": 15}, {"24": 15}, True),
    ],
)
def test_there_is_contact_while_a_checker_may_still_meet_one_of_the_other_side(
    game: str, white: dict[str, int], black: dict[str, int], *, contact: bool
) -> None:
    rules = sb.variant(game)
    board = {"white": white, "black": black}
    for turn in ("white", "black"):
        assert rules.position(board, turn=turn).has_contact is contact
