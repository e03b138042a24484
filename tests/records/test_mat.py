"""Reading the text of matches: every dialect, and what is not plain in it."""

from __future__ import annotations

import pytest

from sheshbesh.errors import RecordError
from sheshbesh.records import read_match
from tests.records.help import DATA, games, kinds, plays, read, sample
from tests.records.soak import round_trips

HEAD = "5 point match\n\n Game 1\n anna : 0                        boris : 0\n"


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("galaxy.txt", "galaxy"),
        ("galaxy_xg_style.txt", "galaxy"),
        ("choue.txt", "choue"),
        ("studio.txt", "studio"),
        ("xg.txt", "xg"),
        ("four_ways.mat", "gnubg"),
        ("four_ways.txt", "xg"),
    ],
)
def test_every_dialect_is_known_and_read_without_illegal_plays(name: str, dialect: str) -> None:
    match = sample(name)
    assert (match.format, match.dialect) == ("mat", dialect)
    assert all(legal for game in range(len(match.games)) for _, _, legal in plays(match, game))


def test_each_game_begins_at_the_score_to_which_the_one_before_led() -> None:
    for path in sorted(DATA.glob("*.txt")):
        match = read_match(path)
        for game, following in zip(match.games, match.games[1:], strict=False):
            result = game.result
            assert result is not None
            assert result.winner is not None
            white = result.points if result.winner == "white" else 0
            assert (following.white, following.black) == (
                game.white + white,
                game.black + result.points - white,
            )


def test_one_match_gives_the_same_games_from_three_programs() -> None:
    first, *others = (games(sample(f"four_ways.{kind}")) for kind in ("mat", "txt", "xg"))
    assert all(other == first for other in others)


@pytest.mark.parametrize("dance", ["", "Cannot Move", "Can't move"])
@pytest.mark.parametrize("bar", ["25", "bar", "Bar"])
def test_bar_and_dance_are_read_in_every_spelling(dance: str, bar: str) -> None:
    rows = (
        "  1)                               53: 8/3 6/3\n"
        "  2) 44: 24/20(2) 13/9(2)          32: 24/21 6/4\n"
        "  3) 53: 8/3 6/3                   52: 13/8 6/4\n"
        f"  4) 65: 13/7 6/1*                 31: {bar}/24* 21/18*\n"
        f"  5) 66: {dance:<25} 63: 24/15\n"
    )
    read_plays = plays(read(HEAD + rows))
    assert read_plays[-3:] == [("31", "bar/24* 21/18*", True), ("66", "", True), ("63", "24/15", True)]


@pytest.mark.parametrize("off", ["0", "off", "Off"])
def test_off_is_read_in_every_spelling(off: str) -> None:
    position = f"; Set Pos={'-AA' + '-' * 16 + 'a' + '-' * 6}/0\n"
    match = read(HEAD + position + f"  1) 21: 2/{off} 1/{off}\n      Wins 1 point\n")
    assert plays(match) == [("21", "2/off 1/off", True)]
    assert kinds(match)[-1] == "result"


def test_dice_in_either_order_have_the_larger_first() -> None:
    assert plays(read(HEAD + "  1) 13: 8/5 6/5                   26: 24/18 13/11\n"))[0][0] == "31"


def test_a_rating_behind_the_name_is_no_part_of_it() -> None:
    text = "5 point match\n\n Game 1\n zoonk,1666 : 0                  nori,1500 : 0\n  1) 31: 8/5 6/5\n"
    match = read(text)
    assert match.players == {"white": "zoonk", "black": "nori"}
    assert match.tags["White rating"] == "1666"
    assert match.dialect == "gridgammon"


def test_an_arrow_of_two_strokes_and_no_space_before_the_colon_are_read() -> None:
    text = (
        "7 point match\n\nGame 1\n anna: 0                         boris: 0\n"
        "  1) 31: 8/5 6/5                   Doubles ==> 2\n  2) Takes                         62: 24/16\n"
    )
    assert kinds(read(text)) == ["play", "double", "take", "play"]


def test_a_redouble_is_read_with_its_value() -> None:
    rows = (
        "  1) 31: 8/5 6/5                    Doubles => 2\n"
        "  2)  Takes                        62: 24/18 13/11\n"
        "  3)  Doubles => 4                  Drops\n"
        "      Wins 2 points\n"
    )
    events = games(read(HEAD + rows))[0]["events"]
    assert [event.get("cube") for event in events] == [None, 2, 2, None, 4, 2, None]
    assert events[-1] == {"type": "result", "winner": "white", "points": 2}


@pytest.mark.parametrize(
    "row",
    [
        "  2) 43: ????                       Wins 1 point\n",
        "  2) 43: Concedes                   Wins 1 point\n",
        "  2) 43: 24/5 1/0                   Wins 1 point\n",
        "  2) 43:                            Wins 1 point\n",
    ],
)
def test_the_last_roll_of_a_resigned_game_is_a_roll_that_was_not_played(row: str) -> None:
    match = read(HEAD + "  1) 31: 8/5 6/5                   62: 24/18 13/11\n" + row)
    assert plays(match)[-1] == ("43", None, True)
    assert kinds(match)[-2:] == ["resign", "result"]
    assert games(match)[0]["events"][-2] == {"type": "resign", "side": "white", "points": 1}


@pytest.mark.parametrize(
    "row",
    [
        "  2)  Losses 1 point                 Wins 1 point\n",
        "  2)  Concedes                       Wins 1 point\n",
        "  2)  Concedes\n",
        "                                     Wins 1 point\n",
        "  2)                                 Wins 1 points\n",
        "  2) 00: ????                        Wins 1 point\n",
    ],
)
def test_a_resignation_is_told_in_many_ways_and_read_as_one(row: str) -> None:
    match = read(HEAD + "  1) 31: 8/5 6/5                   62: 24/18 13/11\n" + row)
    assert kinds(match) == ["play", "play", "resign", "result"]
    assert games(match)[0]["result"] == {"winner": "black", "points": 1}


BEARING_OFF = "; Set Pos=-BB-------------------bb--/0"
"""Each side bears off its last four checkers with 66."""


@pytest.mark.parametrize("roll", ["66: ????", "66:"])
@pytest.mark.parametrize(
    ("turn", "rows"),
    [
        ("1", "  1) {roll}                           Concedes\n      Wins 1 point\n"),
        (
            "-1",
            "  1)                               {roll}\n  2)  Concedes                      Wins 1 point\n",
        ),
    ],
)
def test_who_rolled_the_last_bear_off_is_resigned_to_and_it_comes_back(
    roll: str, turn: str, rows: str
) -> None:
    match = read(f"{HEAD}{BEARING_OFF}:0:0:{turn}\n{rows.format(roll=roll)}")
    assert plays(match) == [("66", None, True)] and match.repairs == ()
    assert kinds(match) == ["setposition", "play", "resign", "result"]
    assert round_trips(match) == []


def test_the_last_bear_off_is_read_where_nobody_resigned() -> None:
    match = read(f"{HEAD}{BEARING_OFF}\n  1) 66: ????\n      Wins 1 point\n")
    assert plays(match) == [("66", "2/off(2) 1/off(2)", True)]
    assert round_trips(match) == []


def test_a_result_that_no_cube_explains_is_repaired_and_says_so() -> None:
    match = read(HEAD + "  1) 31: 8/5 6/5\n      Wins 2008 point and the match\n")
    assert games(match)[0]["result"] == {"winner": "white", "points": 1}
    assert "result" in match.repairs[-1].reason


def test_points_that_no_game_pays_at_this_cube_are_what_it_pays_at_most_and_named() -> None:
    match = sample("choue.txt")
    assert [game.result and game.result.points for game in match.games] == [2, 3]
    assert "result" in match.repairs[-1].reason


def test_a_result_capped_at_the_points_needed_is_what_the_board_shows() -> None:
    match = sample("galaxy.txt")
    assert match.games[-1].result is not None
    assert match.games[-1].result.points == 6
    assert [repair.found for repair in match.repairs] == ["Wins 5 point and the match"]


def test_a_score_that_does_not_follow_is_named() -> None:
    text = (
        HEAD + "  1) 31: 8/5 6/5\n      Wins 1 point\n\n Game 2\n"
        " anna : 3                        boris : 1\n  1) 31: 8/5 6/5\n"
    )
    assert any("score" in repair.reason for repair in read(text).repairs)


def test_an_illegal_play_that_stood_is_kept_and_marked() -> None:
    rows = "  1) 31: 8/5 6/4                   62: 24/18 13/11\n  2) 42: 8/4 5/3\n"
    match = read(HEAD + rows)
    assert plays(match) == [("31", "8/5 6/4", False), ("62", "24/18 13/11", True), ("42", "8/4 5/3", True)]
    (repair,) = match.repairs
    assert (repair.line, repair.found) == (5, "31: 8/5 6/4")


def test_a_position_in_place_of_a_play_is_what_the_play_led_to() -> None:
    board = "0;-2;0;0;0;1;4;0;4;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;1;0"
    dump = f"Illegal play (5;0;1;0;0;anna;boris;0;0;0;1;0;{board};6;2;)"
    match = read(HEAD + f"  1) 31: {dump} 62: 24/18 13/11\n")
    assert [legal for _, _, legal in plays(match)] == [False, True]
    board = "0;-2;0;0;0;2;4;0;2;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"
    dump = f"Illegal play (5;0;1;0;0;anna;boris;0;0;0;1;0;{board};6;2;)"
    assert plays(read(HEAD + f"  1) 31: {dump} 62: 24/18 13/11\n"))[0] == ("31", "8/5 6/5", True)


def test_a_forced_play_that_was_left_blank_is_filled_in() -> None:
    position = f"; Set Pos={'-A' + '-' * 17 + 'a' + '-' * 6}/0\n"
    match = read(HEAD + position + "  1) 65:                            66: 6/0\n")
    assert plays(match)[0] == ("65", "1/off", True)
    assert "only legal play" in match.repairs[0].done


def test_a_position_that_was_set_up_begins_the_game() -> None:
    text = HEAD.replace("5 point", "11 point") + "; Set Pos=----cBD-D-B--A--Abcdc---A-/0\n"
    match = read(text + "  1) 21: 16/15 15/13             61: 7/1 6/5\n")
    assert kinds(match)[0] == "setposition"
    assert [legal for _, _, legal in plays(match)] == [True, True]


@pytest.mark.parametrize(
    ("data", "reason"),
    [("Müller".encode("cp1252"), "Windows-1252"), ("日本カ".encode("shift_jis"), "Shift-JIS")],
)
def test_old_encodings_are_guessed_and_named(data: bytes, reason: str) -> None:
    match = read_match((HEAD + "  1) 31: 8/5 6/5\n").encode().replace(b"anna", data))
    assert reason in match.repairs[0].done
    assert match.players["white"] in ("Müller", "日本カ")


def test_a_byte_order_mark_and_carriage_returns_change_nothing() -> None:
    plain = HEAD + "  1) 31: 8/5 6/5                   62: 24/18 13/11\n"
    marked = read_match(b"\xef\xbb\xbf" + plain.replace("\n", "\r\n").encode())
    assert games(marked) == games(read(plain))


def test_the_crawford_game_follows_from_the_score() -> None:
    rows = "  1) 31: 8/5 6/5\n      Wins 1 point\n\n"
    text = (
        "3 point match\n\n Game 1\n anna : 0                        boris : 2\n" + rows + " Game 2\n"
        " anna : 1                        boris : 2\n" + rows + " Game 3\n"
        " anna : 2                        boris : 2\n" + rows
    )
    assert [game.crawford for game in read(text).games] == [True, False, False]


@pytest.mark.parametrize(
    "data", [b"", b"   \n", b"no match at all", b"5 point match\n", b"\0" * 100, b"Game 1\n"]
)
def test_what_is_no_match_is_one_clear_error(data: bytes) -> None:
    with pytest.raises(RecordError):
        read_match(data)
