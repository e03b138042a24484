"""Ids of other programs: what they mean, exact round trips, and clear errors for the rest."""

from __future__ import annotations

import string
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sheshbesh as sb
from sheshbesh.engines import Classes
from sheshbesh.errors import VariantError
from sheshbesh.formats import (
    format_position_id,
    format_xgid,
    format_xgid_board,
    parse_any_id,
    parse_gnubg_id,
    parse_ogid,
    parse_position_id,
    parse_xgid,
    parse_xgid_board,
)
from sheshbesh.formats.plain_board import obstacles
from sheshbesh.rules.setup import Geometry
from sheshbesh.testing import check_variant, random_position

PLAIN_GAMES = tuple(name for name in sb.variants() if not obstacles(sb.variant(name)))
OTHER_GAMES = tuple(name for name in sb.variants() if name not in PLAIN_GAMES)
BASE64 = string.ascii_letters + string.digits + "+/"

GNUBG_DIAGRAMS: dict[str, dict[str, object]] = {
    # Diagrams printed by GNU Backgammon with the id above them, X (white here) on roll.
    "sOfgEwDg8+AIBg": {
        "white": {"6": 5, "8": 4, "13": 3, "16": 1, "21": 2},
        "black": {"20": 2, "19": 4, "17": 3, "12": 5, "10": 1},
    },
    "AgAAPBcAAAAAAA": {
        "white": {"1": 4, "3": 3, "4": 1},
        "white_off": 7,
        "black": {"23": 1},
        "black_off": 14,
    },
    "4HPwATDgc/ABMA": {
        "white": {"24": 2, "13": 5, "8": 3, "6": 5},
        "black": {"1": 2, "12": 5, "17": 3, "19": 5},
    },
}

XG_DIAGRAM = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"
"""An export of eXtreme Gammon: 2-1, 3:6 to 7, cube at 2 owned by the upper side."""


@st.composite
def positions(draw: st.DrawFn, names: tuple[str, ...] = PLAIN_GAMES) -> sb.Position:
    """Any possible position of one of the games, reachable or not."""
    game = sb.variant(draw(st.sampled_from(names)))
    most, cap = (
        Geometry.of(game.axes).checkers,
        Geometry.of(game.axes).stack_cap or Geometry.of(game.axes).checkers,
    )
    board: dict[str, object] = {}
    left = {"white": most, "black": most}
    for side in left:
        bar = draw(st.integers(0, most))
        board[f"{side}_bar"] = bar
        left[side] -= bar
    points: dict[str, dict[str, int]] = {"white": {}, "black": {}}
    for point in range(1, 25):
        owner = draw(st.sampled_from(("white", "black", None)))
        if owner and (count := draw(st.integers(0, min(left[owner], cap)))):
            points[owner][str(point)] = count
            left[owner] -= count
    for side, unplaced in left.items():
        board[side] = points[side]
        board[f"{side}_off"] = unplaced
    return game.position(board, turn=draw(st.sampled_from(("white", "black"))))


@st.composite
def matches(draw: st.DrawFn) -> sb.MatchState:
    """Any score and cube that has force: no house rules where they mean nothing."""
    white, black = draw(st.integers(0, 30)), draw(st.integers(0, 30))
    cube = 2 ** draw(st.integers(0, 6))
    owner = draw(st.sampled_from(("white", "black"))) if cube > 1 else None
    kind = draw(st.sampled_from(("money", "Crawford", "match")))
    if kind == "money":
        house = {"jacoby": draw(st.booleans()), "beavers": draw(st.booleans())}
        turns = cube.bit_length() - 1 if draw(st.booleans()) else 0
        owner = None if turns else owner
        return sb.MatchState(
            white=white, black=black, cube=cube, owner=owner, automatic_doubles=turns, **house
        )
    if kind == "Crawford":
        return sb.MatchState(length=max(white, black) + 1, white=white, black=black, crawford=True)
    length = draw(st.integers(min(white, black) + 1, 31))
    return sb.MatchState(length=length, white=white, black=black, cube=cube, owner=owner)


# Which games


def test_the_games_that_fit_are_found_by_their_rules() -> None:
    assert {"backgammon", "nackgammon", "hypergammon", "portes", "tavla"} <= set(PLAIN_GAMES)
    assert {"tapa", "long_nardy", "fevga", "gioul", "acey_deucey"} <= set(OTHER_GAMES)


@pytest.mark.parametrize("name", OTHER_GAMES)
def test_a_game_that_does_not_fit_is_refused_with_the_reason(name: str) -> None:
    game = sb.variant(name)
    for act in (
        lambda: format_position_id(game.start()),
        lambda: parse_position_id("4HPwATDgc/ABMA", game, "white"),
        lambda: format_xgid(game.start()),
        lambda: parse_xgid(XG_DIAGRAM, game),
        lambda: format_xgid_board(game.start()),
        lambda: parse_xgid_board("-b----E-C---eE---c-e----B-", game, "white"),
    ):
        with pytest.raises(sb.NotationError, match=f"cannot carry a position of {name}: .+"):
            act()


# GNU Backgammon's Position ID


@pytest.mark.parametrize("text", GNUBG_DIAGRAMS)
def test_position_id_means_what_gnubg_draws(text: str) -> None:
    game = sb.variant("backgammon")
    expected = game.position(GNUBG_DIAGRAMS[text], turn="white")
    assert parse_position_id(text, game, "white") == expected
    assert format_position_id(expected) == text


@given(positions())
def test_position_id_returns_the_same_position(position: sb.Position) -> None:
    text = format_position_id(position)
    assert len(text) == 14
    assert parse_position_id(text, position.variant, position.turn) == position


@given(
    st.text(BASE64, min_size=14, max_size=14),
    st.sampled_from(PLAIN_GAMES),
    st.sampled_from(("white", "black")),
)
def test_a_text_is_the_only_id_of_its_position(text: str, name: str, turn: str) -> None:
    try:
        position = parse_position_id(text, sb.variant(name), turn)
    except (sb.NotationError, sb.PositionError):
        return
    assert format_position_id(position) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "14 characters"),
        ("4HPwATDgc/ABM", "14 characters"),
        ("4HPwATDgc/ABMA==", "14 characters"),
        ("4HPwATDg_/ABMA", "column 9: '_'"),
        ("4HPwATDgc/ABMB", "column 14: 'B' has bits beyond"),
        ("//////////////", "column 14: ./. has bits beyond"),
        ("/////////////w", "ends after 0 of the 50 places"),
        ("AAAAAAAAAAAAAQ", "a checker beyond the last"),
        (None, "14 characters"),
    ],
)
def test_an_unreadable_position_id_says_where(text: str, said: str) -> None:
    with pytest.raises(sb.NotationError, match=said):
        parse_position_id(text, sb.variant("backgammon"), "white")


def test_an_impossible_position_id_lists_every_problem() -> None:
    with pytest.raises(sb.PositionError) as caught:
        parse_position_id("4HPwATDgc/ABMA", sb.variant("hypergammon"), "white")
    assert len(caught.value.problems) == 2


# XGID


def test_xgid_means_what_extreme_gammon_draws() -> None:
    game = sb.variant("backgammon")
    found = parse_xgid(XG_DIAGRAM, game)
    board = {
        "white": {"1": 2, "3": 3, "4": 2, "5": 2, "6": 2, "14": 1, "18": 1, "19": 2},
        "black": {"10": 1, "20": 3, "21": 2, "22": 2, "23": 2, "24": 4},
        "black_off": 1,
    }
    assert found.position == game.position(board, turn="white")
    assert found.match == sb.MatchState(length=7, white=3, black=6, cube=2, owner="black")
    assert (found.dice, found.offer, found.max_cube) == (sb.Roll(2, 1), None, 10)


@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("backgammon", "-b----E-C---eE---c-e----B-"),
        ("nackgammon", "-bb---D-C---dD---c-d---BB-"),
        ("hypergammon", "-aaa------------------AAA-"),
    ],
)
def test_the_starts_are_written_as_everyone_writes_them(name: str, board: str) -> None:
    start = sb.variant(name).start()
    assert format_xgid_board(start) == board
    assert format_xgid(start) == f"XGID={board}:0:0:1:00:0:0:1:0:10"


def test_checkers_on_the_bar_stand_at_the_ends() -> None:
    position = parse_xgid_board("cA-----------------------B", sb.variant("backgammon"), "black")
    assert (position.board()["white_bar"], position.board()["black_bar"]) == (2, 3)
    assert position.turn == "black"


def test_what_old_texts_leave_out_is_filled_in() -> None:
    game = sb.variant("backgammon")
    assert parse_xgid(XG_DIAGRAM.removeprefix("XGID=").removesuffix(":10"), game) == parse_xgid(
        XG_DIAGRAM, game
    )


@pytest.mark.parametrize(
    ("flag", "length", "said"),
    [
        (1, 7, {"crawford": True, "jacoby": False, "beavers": False}),
        (0, 7, {"crawford": False, "jacoby": False, "beavers": False}),
        (0, 0, {"crawford": False, "jacoby": False, "beavers": False}),
        (1, 0, {"crawford": False, "jacoby": True, "beavers": False}),
        (2, 0, {"crawford": False, "jacoby": False, "beavers": True}),
        (3, 0, {"crawford": False, "jacoby": True, "beavers": True}),
    ],
)
def test_the_eighth_field_is_crawford_in_a_match_and_house_rules_for_money(
    flag: int, length: int, said: dict[str, bool]
) -> None:
    text = f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:0:{flag}:{length}:10"
    match = parse_xgid(text, sb.variant("backgammon")).match
    assert {key: getattr(match, key) for key in said} == said
    assert match.length == (length or None)


dice = st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6))


@given(positions(), matches(), dice, st.integers(0, 20))
def test_xgid_returns_the_same_values(
    position: sb.Position, match: sb.MatchState, dice: tuple[int, int] | None, max_cube: int
) -> None:
    text = format_xgid(position, match, dice, max_cube=max_cube)
    found = parse_xgid(text, position.variant)
    assert (found.position, found.match, found.dice, found.offer, found.max_cube) == (
        position,
        match,
        dice,
        None,
        max_cube,
    )
    assert format_xgid(found.position, found.match, found.dice, max_cube=found.max_cube) == text


@pytest.mark.parametrize(("letter", "offer"), [("D", "double"), ("B", "beaver"), ("R", "raccoon")])
def test_an_offered_cube_stands_in_the_place_of_the_dice(letter: str, offer: str) -> None:
    text = f"XGID=aa--BBBB----dE---d-e----B-:0:0:1:{letter}:0:0:3:0:10"
    found = parse_xgid(text, sb.variant("backgammon"))
    assert (found.dice, found.offer) == (None, offer)
    assert format_xgid(found.position, found.match, offer=found.offer) == text


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        (0, "-b----E-C---eE---c-e----B", "26 characters"),
        (0, "-b----E-C---eE---c-e----B?", r"column 26: '\?'"),
        (0, "-b----E-C---eE---c-e----P-", "column 25: 'P'"),
        (0, "Ab----D-C---eE---c-e----B-", "column 1: 'A'"),
        (0, "-a----E-C---eE---c-e----Ba", "column 26: 'a'"),
        (0, "-b----É-C---eE---c-e----B-", "column 7: 'É'"),
        (1, "x", r"field 2 \(cube\): 'x'"),
        (1, "-1", r"field 2 \(cube\): -1 is below 0"),
        (1, "999", r"field 2 \(cube\): 2 to the power"),
        (2, "2", r"field 3 \(cube owner\): expected"),
        (3, "0", r"field 4 \(turn\): expected 1 or -1"),
        (4, "07", r"field 5 \(dice\): '07'"),
        (4, "٣١", r"field 5 \(dice\)"),
        (5, "-3", r"field 6 \(lower score\): -3 is below 0"),
        (6, "1.5", r"field 7 \(upper score\)"),
        (7, "2", r"field 8 \(Crawford/Jacoby\): expected 0 or 1 in a match"),
        (8, "", r"field 9 \(match length\)"),
        (9, "ten", r"field 10 \(largest cube\)"),
    ],
)
def test_an_unreadable_xgid_says_which_field(field: int, text: str, said: str) -> None:
    fields = ["-b----E-C---eE---c-e----B-", "0", "0", "1", "31", "2", "4", "0", "7", "10"]
    fields[field] = text
    with pytest.raises(sb.NotationError, match=said):
        parse_xgid("XGID=" + ":".join(fields), sb.variant("backgammon"))


def test_an_impossible_xgid_is_refused_as_what_it_is() -> None:
    game = sb.variant("backgammon")
    with pytest.raises(sb.PositionError, match="white has 16 checkers"):
        parse_xgid("-b----F-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10", game)
    with pytest.raises(sb.MatchError, match="was not turned yet"):
        parse_xgid("-b----E-C---eE---c-e----B-:0:1:1:31:2:4:0:7:10", game)


@pytest.mark.parametrize(
    ("cube", "limit", "end"), [(128, None, ":7:1:1:00:0:0:1:0:10"), (2**14, None, ":14:1:1:00:0:0:1:0:14")]
)
def test_a_cube_above_64_is_written_and_read(cube: int, limit: int | None, end: str) -> None:
    game = sb.variant("backgammon")
    match = sb.MatchState(cube=cube, owner="white", cube_limit=limit)
    text = format_xgid(game.start(), match)
    assert text.endswith(end)
    assert parse_xgid(text, game).match == match


def test_the_largest_cube_of_an_xgid_is_what_the_table_has_agreed_on() -> None:
    text = format_xgid(sb.variant("backgammon").start(), sb.MatchState(cube_limit=64))
    assert text.endswith(":0:0:1:00:0:0:1:0:6")


def test_what_cannot_be_written_is_refused() -> None:
    start = sb.variant("backgammon").start()
    with pytest.raises(sb.NotationError, match="an offer is one of"):
        format_xgid(start, offer="redouble")
    with pytest.raises(sb.NotationError, match="an offer is one of"):
        format_xgid(start, dice=(3, 1), offer="double")
    with pytest.raises(sb.NotationError, match="largest cube"):
        format_xgid(start, max_cube=-1)
    with pytest.raises(sb.DiceError):
        format_xgid(start, dice=(7, 1))


@given(
    st.text(max_size=140) | st.from_regex(r"(XGID=)?[-A-Pa-p]{24,27}(:-?[0-9DBR]{0,3}){6,11}", fullmatch=True)
)
def test_no_text_breaks_the_readers(text: str) -> None:
    game = sb.variant("backgammon")
    for read in (parse_xgid, parse_xgid_board, parse_position_id):
        try:
            read(text, game)
        except (sb.NotationError, sb.PositionError, sb.MatchError) as error:
            assert str(error)


@pytest.mark.parametrize(
    "made",
    [
        lambda game: parse_xgid(XG_DIAGRAM, game),
        lambda game: parse_xgid_board("-b----E-C---eE---c-e----B-", game, "white"),
        lambda game: parse_position_id("4HPwATDgc/ABMA", game),
        lambda game: parse_gnubg_id("4HPwATDgc/ABMA", game),
        lambda game: parse_ogid("11jjjjjhhhccccc:ooddddd88866666:N0N:::W:", game),
        lambda game: parse_any_id("4HPwATDgc/ABMA", game),
        lambda game: sb.from_rows(game, sb.to_rows([sb.variant("backgammon").start()])),
        lambda game: Classes.of(game).all,
        lambda game: random_position(game, Random(1)),
        lambda game: check_variant(game, games=1, constructed=0),
    ],
    ids=("xgid", "xgid board", "position id", "gnubg", "ogid", "any", "rows", "classes", "random", "check"),
)
def test_a_function_that_takes_a_game_takes_its_name(made: Callable[[sb.Variant | str], object]) -> None:
    assert made("backgammon") == made(sb.variant("backgammon"))
    with pytest.raises(VariantError, match="bakgammon"):
        made("bakgammon")


@pytest.mark.parametrize("between", [" ", "\n", ", "])
@pytest.mark.parametrize("colon", [": ", "   : ", " "])
def test_what_gnubg_prints_beside_a_board_is_its_id(between: str, colon: str) -> None:
    read = parse_any_id("4HPwATDgc/ABMA:QYkqASAAIAAA", "backgammon")
    printed = f"Position ID{colon}4HPwATDgc/ABMA{between}Match ID{colon}QYkqASAAIAAA"
    assert parse_any_id(printed, "backgammon") == read
    alone = parse_any_id(f"Position ID{colon}4HPwATDgc/ABMA", "backgammon")
    assert (alone.position, alone.match) == (sb.variant("backgammon").start(), None)


def test_a_text_that_is_too_long_for_an_id_is_told_how_long_one_may_be() -> None:
    with pytest.raises(sb.NotationError, match="at most 2048 characters: 'xxx"):
        parse_any_id("x" * 2049, "backgammon")
