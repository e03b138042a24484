"""Holes, impossible plays, wrong scores and doubled ids, put into files by rule: nothing is invented."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import cache

import pytest

from sheshbesh.errors import NotationError, RecordError
from sheshbesh.formats.any_id import parse_any_id
from sheshbesh.formats.gnubg_id import format_gnubg_id, parse_gnubg_id
from sheshbesh.match import MatchState
from sheshbesh.records import Match, PlayEvent, format_match, match_statistics, read_match, uncounted
from sheshbesh.records.model import DECISIONS, DoubleEvent, DropEvent, TakeEvent
from sheshbesh.reviews.questions import questions
from sheshbesh.rules import Side, variant
from tests.records.help import AGAIN, DATA, FILES, games, kinds, plays, read, sample
from tests.sizes import sampled

FORMS = (("mat", "xg"), ("mat", "gnubg"), ("sgf", "xg"), ("record", "xg"), ("json", "xg"))
MATCHES = [name for name in FILES if not name.startswith("bgblitz")]
"""The files of whole games: those by BGBlitz are of one position."""
ROLL = re.compile(r"(?<=[1-6][1-6]:) (\S.*?)(?= {2,}|$)", re.MULTILINE)
HEAD = "7 point match\n\n Game 1\n anna : 0                        boris : 0\n"
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"


def first_game(name: str) -> Match:
    """The first game of a file."""
    match = sample(name)
    return replace(match, games=match.games[:1], analysis=())


def damaged(match: Match, at: int, play: str) -> Match:
    """The match with another text in the place of one of its plays."""
    text = format_match(match, "mat").decode()
    cell = list(ROLL.finditer(text))[at]
    return read(text[: cell.start()] + f" {play:<{len(cell[0]) - 1}}" + text[cell.end() :])


def comes_back(match: Match) -> None:
    """Every form is read back as the same games, comments aside where a form has no place for them."""
    for form, dialect in FORMS:
        back = read_match(format_match(match, form, dialect=dialect))
        assert games(back) == games(match), (form, dialect)


def is_unknown_from(match: Match, at: int) -> None:
    """Whether all that was decided after this roll has no position, no verdict and no part in a sum."""
    events = match.games[0].events
    index = [i for i, event in enumerate(events) if isinstance(event, PlayEvent)][at]
    after = [event for event in events[index + 1 :] if isinstance(event, DECISIONS)]
    assert after
    assert match.games[0].unknown == tuple(after)
    assert max((each.event for each in questions(match)), default=0) <= index
    assert sum(uncounted(match)) == len(after) + 1


@pytest.mark.parametrize("name", sampled(MATCHES, lambda name: name not in AGAIN))
def test_from_a_play_that_is_not_shown_nothing_is_known(name: str) -> None:
    match = damaged(first_game(name), 2, "????")
    assert plays(match)[2][1:] == (None, True)
    is_unknown_from(match, 2)
    assert any("not shown" in repair.reason for repair in match.repairs)
    comes_back(match)


@pytest.mark.parametrize("name", sampled(MATCHES, lambda name: name not in AGAIN))
def test_from_a_play_that_cannot_be_made_nothing_is_known(name: str) -> None:
    whole = first_game(name)
    rolls = [event for event in whole.games[0].events if isinstance(event, PlayEvent)]
    mine = rolls[3].before.counts(rolls[3].side)
    empty = next(point for point in range(20, 6, -1) if not mine[point])
    match = damaged(whole, 3, f"{empty}/{empty - 1}")
    assert plays(match)[3][1:] == (f"{empty}/{empty - 1}", False)
    is_unknown_from(match, 3)
    comes_back(match)


def test_a_position_that_is_given_is_known_again() -> None:
    rows = "  1) 31: 8/5 6/5                    62: ????\n"
    board = "; Set Pos=-b---BD-B---bE---f-e----B-/0\n"
    match = read(HEAD + rows + board + "  2) 42: 8/4 6/4                    61: 13/7 8/7\n")
    assert plays(match) == [
        ("31", "8/5 6/5", True), ("62", None, False), ("42", "8/4 6/4", True), ("61", "13/7 8/7", True),
    ]  # fmt: skip
    assert kinds(match) == ["play", "play", "setposition", "play", "play"]
    assert match.games[0].unknown == ()
    assert uncounted(match) == (0, 1)
    comes_back(match)


def test_a_position_that_one_play_leads_to_says_what_was_played() -> None:
    match = read(HEAD + "  1) 31: ????\n; Set Pos=-b---BD-B---eE---c-e----B-/0\n")
    assert plays(match) == [("31", "8/5 6/5", True)]


def test_a_board_that_no_play_leads_to_is_set_up_and_the_result_stands() -> None:
    places = "0;1;1;2;2;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;-1;0;0;-2;0"
    dump = f"Illegal play (11;0;1;0;0;boris;anna;0;9;10;1;0;{places};6;6;)"
    text = (
        " 11 point match\n\n Game 13\n anna : 10                       boris : 9\n"
        f"  1) 52: {dump}  Doubles => 2\n  2)  Takes                     66: 4/0 4/0 3/0 3/0 \n"
        "                                 Wins 2 points and the match\n"
    )
    match = read(text)
    assert kinds(match) == ["play", "setposition", "double", "take", "play", "resign", "result"]
    assert plays(match) == [("52", None, False), ("66", "4/off(2) 3/off(2)", True)]
    comes_back(match)


@pytest.mark.parametrize("padding", ["0/0", "off/off", "0/-3", "1/off", "25/25", "--"])
def test_padding_for_a_die_with_nothing_to_move_is_no_step(padding: str) -> None:
    position = f"; Set Pos={'-A' + '-' * 17 + 'a' + '-' * 6}/0\n"
    match = read(HEAD + position + f"  1) 65: 1/off {padding}\n      Wins 1 point\n")
    assert plays(match) == [("65", "1/off", True)]
    assert kinds(match) == ["setposition", "play", "result"]


def test_a_game_that_ends_on_an_unknown_board_has_a_result_and_no_resignation() -> None:
    rows = "  1) 31: 8/5 6/5                    66: 22/16 22/16\n"
    rows += "  2) 42: 8/4 6/4                    31: 8/5 6/5\n"
    match = read(HEAD + rows + "      Wins 1 point\n")
    assert kinds(match)[-2:] == ["play", "result"]
    assert uncounted(match) == (1, 2)
    comes_back(match)


def test_a_score_past_the_length_is_what_was_reached() -> None:
    several = [match for match in map(sample, MATCHES) if len(match.games) > 1]
    assert len(several) > 5
    for match in several:
        second = match.games[1]
        text = format_match(match, "mat").decode()
        at = text.index(" Game 2\n") if " Game 2\n" in text else text.index(f" Game {second.number}\n")
        wrong = re.sub(r": \d+", ": 99", text[at:], count=1)
        back = read(text[:at] + wrong)
        assert (back.games[1].white, back.games[1].black) == (second.white, second.black)
        assert any("score" in repair.reason for repair in back.repairs)


def test_a_score_past_the_length_that_nothing_mends_is_refused_with_its_line() -> None:
    with pytest.raises(RecordError, match="line 3: the score is 9-0 in a match to 7 points"):
        read(HEAD.replace("anna : 0", "anna : 9") + "  1) 31: 8/5 6/5\n")


def test_games_after_the_end_of_a_match_are_left_out_and_named() -> None:
    text = HEAD.replace("7 point", "1 point") + "  1) 31: 8/5 6/5\n      Wins 1 point\n\n Game 2\n"
    match = read(text + " anna : 1                        boris : 0\n  1) 42: 8/4 6/4\n")
    assert len(match.games) == 1
    assert "which was over" in match.repairs[-1].reason


@pytest.mark.parametrize(("said", "points"), [(4, 3), (8, 3), (3, 3), (2, 2), (2008, 1), (-1, 1), (0, 1)])
def test_no_resigned_game_pays_more_than_its_rules_allow(said: int, points: int) -> None:
    match = read(HEAD + f"  1) 31: 8/5 6/5                    65: 24/13\n      Wins {said} points\n")
    assert kinds(match)[-2:] == ["resign", "result"]
    assert match.games[0].result is not None
    assert match.games[0].result.points == points
    assert bool(match.repairs) is (said != points)


@pytest.mark.parametrize("answer", ["take", "drop"])
def test_an_answer_of_the_side_that_doubled_is_the_other_sides_and_named(answer: str) -> None:
    match = read(f"(;GM[6]MI[length:5];B[31fbdb];W[double];W[{answer}])")
    events = match.games[0].to_data()["events"][1:3]
    assert [(each["type"], each["side"]) for each in events] == [("double", "white"), (answer, "black")]
    assert [repair.done for repair in match.repairs if "answers a double" in repair.reason] == [
        "read as the answer of black"
    ]


@pytest.mark.parametrize(("letters", "found"), [
    ("D", ["double"]), ("DD", ["double"]), ("B", ["double", "beaver"]), ("BB", ["double", "beaver"]),
    ("R", ["double", "beaver", "beaver"]), ("RR", ["double", "beaver", "beaver"]),
])  # fmt: skip
def test_the_dice_letters_of_an_xgid_are_what_waits_for_an_answer(letters: str, found: list[str]) -> None:
    match = read(START.replace(":00:", f":{letters}:").replace(":5:10", ":0:10") + "\n")
    assert kinds(match) == ["setposition", *found]
    comes_back(match)


def test_every_position_of_a_text_is_kept() -> None:
    match = read(f"{START}\n{START.replace(':00:', ':31:')}\n4HPwATDgc/ABMA:cAmgAAAAAAAE\n")
    assert [game.number for game in match.games] == [1, 2, 3]
    assert not match.repairs
    match = read(f"{START}\n{START.replace(':5:10', ':7:10')}\n")
    assert len(match.games) == 1
    assert "another match length" in match.repairs[0].reason


def test_what_a_position_text_says_is_kept() -> None:
    text = (
        f"{START.replace(':00:', ':31:')}\nX:anna O:boris\nScore is X:0 O:0 5 pt.(s) match.\n\n"
        "1. XG Roller++ 8/5 6/5 eq:+0.1650\n   Player: 55.31% (G:17.51% B:0.76%)\n"
        "   Opponent: 44.69% (G:11.82% B:0.53%)\n\n2. 3-ply 24/23 13/10 eq:-0.0100 (-0.1750)\n\n"
        "A note of one's own.\n\neXtreme Gammon Version: 2.10\n"
    )
    match = read(text)
    assert match.players == {"white": "anna", "black": "boris"}
    assert kinds(match) == ["setposition", "play", "comment"]
    assert games(match)[0]["events"][-1]["text"] == "A note of one's own."
    decision = match.analysis[0]
    assert [(each.play, each.equity, each.depth) for each in decision.candidates] == [
        ("8/5 6/5", 0.165, "XG Roller++"),
        ("24/23 13/10", -0.01, "3-ply"),
    ]
    assert read_match(format_match(match, "json")).analysis == match.analysis


def test_gnubgs_text_has_the_games_and_the_statistics_of_its_sgf() -> None:
    """gnubg writes luck with three digits there."""
    text, tree = sample("gnubg_text.txt"), sample("analysed.sgf")
    assert (text.format, text.dialect, text.repairs) == ("text", "gnubg", ())
    assert [game.events for game in text.games] == [game.events for game in tree.games]
    for mine, theirs in zip(match_statistics(text).players, match_statistics(tree).players, strict=True):
        for part, numbers in (("moves", theirs["moves"]), ("cube", theirs["cube"])):
            counts = {name: value for name, value in numbers.items() if isinstance(value, int | float)}
            assert {name: mine[part][name] for name in counts} == pytest.approx(counts, abs=1e-4), part
        assert mine["luck"]["emg"] == pytest.approx(theirs["luck"]["emg"], abs=3e-3)


def test_behind_a_dance_that_is_missing_the_board_that_is_shown_is_set_up() -> None:
    text = (DATA / "gnubg_text.txt").read_text(encoding="utf-8")
    match = read(text[: text.index("Move number 43:")] + text[text.index("Move number 44:") :])
    whole, told = sample("gnubg_text.txt").games[0].events, match.games[0].events
    assert kinds(match)[42] == "setposition"
    assert (told[:42], told[43:]) == (whole[:42], whole[43:])
    comes_back(match)


def test_fibs_counts_points_as_the_mover_or_as_one_player() -> None:
    match = sample("fibs.txt")
    assert (match.format, match.players, match.length) == ("fibs", {"white": "anna", "black": "boris"}, 5)
    assert [game.result and game.result.points for game in match.games] == [2, 1]
    text = (DATA / "fibs.txt").read_text(encoding="utf-8")
    absolute = re.sub(
        r"^(O: \(.*?\)) (.*)$",
        lambda row: row[1] + " " + re.sub(r"\d+", lambda point: str(25 - int(point[0])), row[2]),
        text,
        flags=re.MULTILINE,
    )
    assert absolute != text
    assert games(read(absolute)) == games(match)


def test_json_with_values_that_no_match_has_is_refused() -> None:
    text = format_match(read(HEAD + "  1) 31: 8/5 6/5\n      Wins 1 point\n"), "json").decode()
    for was, wrong in (
        ('"white": 0', '"white": 7'),
        ('"points": 1', '"points": -1'),
        ('"points": 1', '"points": 99999999999'),
    ):
        with pytest.raises(RecordError, match="game 1"):
            read(text.replace(was, wrong))


ROWS = (
    "  1) 31: 8/5 6/5                    42: 8/4 6/4",
    "  2) 61: 13/7 8/7                   65: 24/13",
    "  3) 21: 13/11 6/5                  53: 8/3 6/3",
    "  4) 52: 13/8 13/11                 31: 6/5 13/10",
)


@pytest.mark.parametrize(("row", "there", "unknown"), [
    (2, (), 4),
    (2, ("  2)",), 4),
    (2, ("  2) 6/5 13/7",), 4),
    (2, ("  2)                                65: 24/13",), 5),
    (2, ("  2) 61: 13/7 8/7",), 4),
    (2, ("  2) 71: 13/7 8/7                   65: 24/13",), 5),
    (2, ("  2) 00: 13/7 8/7                   65: 24/13",), 5),
    (2, ("  2) xx 61: 13/7 8/7                65: 24/13",), 6),
    (1, ("  1) 00: 8/5 6/5                    42: 8/4 6/4",), 7),
    (2, (ROWS[1], ROWS[1]), 0),
    (2, (ROWS[2], ROWS[1]), 8),
    (4, ("  6)  Doubles => 2                   Takes", "  7) 31: 8/5 6/5"), 3),
    (2, ("  2)  Doubles => 2", "  4) 31: 24/23 13/10"), 5),
    (2, ("  2)  Doubles => 2                   00: 8/5 6/5",), 4),
    (2, ("  2)  Doubles => 2", "  5)                                Doubles => 4"), 6),
    (2, ("  2)  Doubles => 2                   Doubles => 4",), 6),
    (2, ("  2)  Doubles => 2                   Beavers => 4", "  3)  Takes"), 4),
])  # fmt: skip
def test_from_a_roll_that_is_missing_nothing_is_known(row: int, there: tuple[str, ...], unknown: int) -> None:
    match = read(HEAD + "\n".join((*ROWS[: row - 1], *there, *ROWS[row:])) + "\n")
    (game,) = match.games
    assert len(game.unknown) == unknown
    assert all(event in game.unknown for event in game.events[len(game.events) - unknown :])
    assert match.repairs
    comes_back(match)


def test_a_side_that_can_move_with_no_roll_may_be_left_out() -> None:
    shut = "; Set Pos=aBBBBBB---C------c--------/0:0:0:1\n"
    match = read(HEAD + shut + "  1) 61: 10/4 10/9\n  2) 31: 10/7 9/8\n")
    assert match.games[0].unknown == ()
    comes_back(match)


@pytest.mark.parametrize(
    "tree", [";W[31hefe];B[42lgge];MN[5]W[61]", ";W[31hefe];B[zz];W[61mg]", ";DI[71];W[61mg]"]
)
def test_from_a_node_that_is_missing_nothing_is_known(tree: str) -> None:
    match = read(f"(;GM[6]MI[length:7]{tree})")
    assert match.games[0].unknown == match.games[0].events[-1:]
    comes_back(match)


@pytest.mark.parametrize(("text", "told"), [
    ("Doubles => 2 or so                 Takes", "'or so' cannot be read"),
    ("Doubles => 2                       Takes it, of course", "'it, of course' cannot be read"),
    ("Doubles => 2             Drops\n      Wins 1 point, says anna", "', says anna' cannot be read"),
    ("     Wins 1 point\n      Wins 3 points", "another result stands below"),
    ("     Wins 1 point\n  3) 42: 8/4 6/4", "the game goes on after this"),
    ("\n; [Event \"Open\"]\n; [Event \"Closed\"]", "this tag has another value above"),
    ("\n; Crawford game: yes", "a Crawford game at 0-0, where none is due"),
    ("   Wins 1 point\n\n Game 2\n zeno : 1   boris : 0\n  1) 31: 8/5 6/5", "names are others than before"),
    ("     Wins 1 point\n\n Game 4\n anna : 1     boris : 0\n  1) 31: 8/5 6/5", "games 2 to 3 are missing"),
])  # fmt: skip
def test_what_is_odd_in_a_text_is_named(text: str, told: str) -> None:
    match = read(HEAD + "\n".join(ROWS[:1]) + f"\n  2) {text}\n")
    assert [repair.reason for repair in match.repairs if told in repair.reason]
    comes_back(match)


def test_players_who_change_their_columns_keep_their_sides() -> None:
    second = ["     Wins 1 point", "", " Game 2", " boris : 0                        anna : 1", *ROWS[:2]]
    match = read(HEAD + "\n".join((*ROWS, *second)) + "\n")
    assert [(game.white, game.black) for game in match.games] == [(0, 0), (1, 0)]
    assert [event["side"] for event in games(match)[1]["events"]] == ["black", "white"] * 2
    comes_back(match)


@pytest.mark.parametrize(("more", "told"), [
    ("(;B[61sm])(;B[52])", ["a variation beside the game"]),
    (";B[42lgge]N[a name]V[2];W[61mg]N[another]", ["this property is not known"] * 2),
    (")(;GM[6]MI[length:5]PW[zeno]PB[boris];W[31hefe]", ["another match begins in the same file"]),
    (")(;GM[6]MI[length:7][game:1]PW[anna]PB[boris];W[31hefe]", ["another match begins in the same file"]),
])  # fmt: skip
def test_what_is_left_out_of_a_tree_is_named(more: str, told: list[str]) -> None:
    match = read(f"(;GM[6]MI[length:5]PW[anna]PB[boris];W[31hefe]{more})")
    assert [repair.reason for repair in match.repairs][: len(told)] == told
    comes_back(match)


def test_a_play_that_cannot_be_read_is_told_by_the_board_behind_it() -> None:
    board = "; Set Pos=-b---BD-B---eE---c-e----B-/0\n"
    match = read(HEAD + "  1) 31: 8/55/3\n" + board)
    assert plays(match) == [("31", "8/5 6/5", True)]
    comes_back(match)


def test_a_double_that_is_not_answered_is_dropped_by_the_next_score() -> None:
    text = HEAD + ROWS[0] + "\n  2)  Doubles => 2\n\n Game 2\n anna : 1              boris : 0\n" + ROWS[0]
    match = read(text + "\n")
    assert kinds(match)[-3:] == ["double", "drop", "result"]
    comes_back(match)


NEXT = "\n Game 2\n anna : {white}              boris : {black}\n" + ROWS[0]
WINS = "      Wins {points} point"
WINS_RIGHT = " " * 40 + WINS
NO_BOARD = "; Set Pos=-P---BD-B---bE---f-e----B-/0"
NO_DUMP = "Illegal play (7;0;1;0;0;boris;anna;0;0;0;1;0;" + "15;" * 26 + "6;6;)"


@pytest.mark.parametrize(("rows", "ends", "points"), [
    (("  2) what is this", WINS), ["play", "result"], 1),
    (("  2) what is this", WINS_RIGHT), ["play", "result"], 1),
    (("  2) 61: ????", "  3) what is this", WINS), ["play", "result"], 1),
    (("  2) what is this", NEXT.format(white=1, black=0)), ["play", "result"], 1),
    (("  2) what is this                Drops", WINS), ["play", "resign", "result"], 1),
    (("  2) 61: 13/7 8/7                 Drops", WINS), ["play", "resign", "result"], 1),
    (("  2)  Doubles => 2", "  3) what is this", WINS), ["double", "drop", "result"], 1),
    (("  2)  Doubles => 2", "  3) what is this", WINS), ["double", "take", "result"], 4),
    (("  2)  Doubles => 2", "  3) what is this", WINS_RIGHT), ["double", "take", "result"], 2),
    (("  2)  Doubles => 2", WINS_RIGHT, NEXT.format(white=1, black=0)), ["double", "drop", "result"], 1),
    (("  2)  Doubles => 2                Concedes",), ["double", "drop", "result"], 1),
    (("  2)  Drops", WINS_RIGHT, "  3) 61: 20/13"), ["play", "resign", "result"], 1),
    (("  2) 61: 20/13", NEXT.format(white=1, black=0)), ["play", "resign", "result"], 1),
    (("  2) 61: 20/13                    Takes", WINS), ["play", "resign", "result"], 1),
    (("  2) 61: 20/13                    00:", WINS), ["play", "resign", "result"], 1),
    (("  2) 61: ????", NO_BOARD, WINS), ["play", "resign", "result"], 1),
    (("  2) what is this", NO_BOARD, WINS), ["play", "result"], 1),
    ((f"  2) 61: {NO_DUMP}             65: 24/13",), ["play", "play"], None),
])  # fmt: skip
def test_an_end_is_read_back_with_what_is_missing_before_it(
    rows: tuple[str, ...], ends: list[str], points: int | None
) -> None:
    match = read(HEAD + "\n".join((ROWS[0], *rows)).replace("{points}", str(points)) + "\n")
    game = match.games[0]
    assert kinds(match)[-len(ends) :] == ends
    assert (game.result and game.result.points) == points
    answers = [event for event in game.events if isinstance(event, DoubleEvent | TakeEvent | DropEvent)]
    assert all(event.position for event in answers)
    comes_back(match)


@pytest.mark.parametrize(("tree", "ends"), [
    ("RE[W+1];W[31hefe];B[zz]", ["play", "result"]),
    ("RE[W+1];W[31hefe];MN[5]", ["play", "result"]),
    ("RE[W+1R];W[31hefe];B[zz]", ["play", "resign", "result"]),
    ("RE[W+1R];W[double]", ["double", "drop", "result"]),
    ("RE[B+1R];W[double]", ["double", "resign", "result"]),
])  # fmt: skip
def test_the_end_of_a_tree_is_read_back_with_what_is_missing_before_it(tree: str, ends: list[str]) -> None:
    match = read(f"(;GM[6]MI[length:7]{tree})")
    assert kinds(match) == ends
    comes_back(match)


@pytest.mark.parametrize("name", ["anna", ""])
def test_an_illegal_play_is_read_back_where_both_players_have_one_name(name: str) -> None:
    head = HEAD.replace("anna", name).replace("boris", name)
    match = read(head + "  1) 31: 6/5                         62: 24/18 13/11\n")
    assert plays(match) == [("31", "6/5", False), ("62", "24/18 13/11", True)]
    comes_back(match)


def test_a_position_that_is_set_up_twice_is_kept_twice() -> None:
    match = read(HEAD + "; Set Pos=-b---BD-B---bE---f-e----B-/0\n" * 2 + ROWS[0] + "\n")
    assert kinds(match) == ["setposition", "setposition", "play", "play"]
    comes_back(match)


def test_a_turned_cube_of_a_position_is_kept_in_a_record() -> None:
    match = read(START.replace(":0:0:1:00", ":1:1:1:31") + "\n")
    comes_back(replace(match, format="mat"))


@pytest.mark.parametrize("head", ["MI[length:1000000]", "MI[length:0][ws:1000000]"])
def test_points_that_no_form_holds_are_refused(head: str) -> None:
    with pytest.raises(RecordError, match="1000000 points"):
        read(f"(;GM[6]{head};W[31hefe])")


ONE_ROLL = HEAD + "  1) 31: 8/5 6/5\n"


@pytest.mark.parametrize(("was", "wrong"), [
    ('"position": "XGID=-b', '"position": "XGID='),
    (":0:0:1:31:", ":1:31:"),
    (":0:0:1:31:", ":0:0:x:31:"),
    ('"position": "XGID=', '"position": "B4e1c3Ee3C1E4b:w", "was": "'),
    ('"line"', '"lines"'),
    ('"number": 1', '"number": 1e400'),
    ('"number": 1', '"number": 1.5'),
    ('"number": 1', '"number": "1"'),
    ('"crawford": false', '"crawford": "no"'),
    ('"legal": true', '"legal": 1'),
    ('"white": "anna"', '"white": null'),
    (":31:0:0:0:7:", ":31:1:0:0:7:"),
    (":31:0:0:0:7:", ":42:0:0:0:7:"),
    (":0:0:1:31:", ":0:0:-1:31:"),
    (":31:0:0:0:7:", ":31:0:0:0:5:"),
    (":31:0:0:0:7:", ":31:0:0:1:7:"),
    (":31:0:0:0:7:10", ":31:0:0:0:7:18"),
    (":0:0:1:31:", ":999:0:1:31:"),
    ('"play": "8/5 6/5"', '"play": "55/4", "legal": false, "was": "8/5 6/5"'),
])  # fmt: skip
def test_json_of_another_form_is_one_clear_error(was: str, wrong: str) -> None:
    text = format_match(read(ONE_ROLL + "what is this\n"), "json").decode()
    assert was in text
    with pytest.raises(RecordError, match="line 1"):
        read(text.replace(was, wrong, 1))


def test_json_holds_an_answer_to_the_position_of_its_double() -> None:
    match = read(HEAD + ROWS[0] + "\n  2)  Doubles => 2                   Takes\n" + ROWS[1] + "\n")
    text = format_match(match, "json").decode()
    take = next(event for event in match.games[0].events if isinstance(event, TakeEvent))
    where = f'"position": "{take.position}"'
    head, told = text.rsplit(where, 1)
    assert games(read(head + '"position": null' + told)) == games(match)
    for was, wrong in ((":0:0:1:", ":3:0:1:"), (":0:0:1:", ":0:1:1:"), ("E", "D")):
        with pytest.raises(RecordError, match="this position is of another score"):
            read(head + where.replace(was, wrong) + told)


@cache
def analysed(form: str) -> str:
    """An analysed game in a form of ours, with no blanks between its fields."""
    whole = sample("analysed.sgf")
    game = replace(
        whole, games=whole.games[:1], analysis=tuple(each for each in whole.analysis if each.game == 1)
    )
    text = format_match(game, form).decode()
    return re.sub(r'(?<=[":,\w]): |(?<=,) (?=")', lambda gap: gap[0].strip(), text)


@pytest.mark.parametrize("form", ["json", "record"])
@pytest.mark.parametrize(("was", "wrong"), [
    ('"played":0', '"played":99'), ('"played":0', '"played":"0"'), ('"played":0', '"played":-1'),
    ('"equity":', '"equity":[],"depth":'), ('"game":1', '"game":77'), ('"event":0', '"event":99999'),
])  # fmt: skip
def test_analysis_of_another_form_is_one_clear_error(form: str, was: str, wrong: str) -> None:
    text = analysed(form)
    at = text.index('"analysis":')
    assert was in text[at:]
    with pytest.raises(RecordError, match="line 1"):
        read(text[:at] + text[at:].replace(was, wrong, 1))


def test_json_takes_the_lengths_that_texts_take() -> None:
    match = read(ONE_ROLL.replace("7 point", "999999 point"))
    assert read_match(format_match(match, "json")).length == 999_999


@pytest.mark.parametrize("cube", ["3", "0", str(2**31)])
def test_a_cube_that_is_none_is_left_out(cube: str) -> None:
    setup = "AE[a:y]AW" + "".join(f"[{each}]" for each in "xxmmmmmhhhfffff")
    setup += "AB" + "".join(f"[{each}]" for each in "aalllllqqqsssss")
    match = read(f"(;GM[6]MI[length:7]\n;{setup}PL[W]CV[{cube}]CP[w]\n;W[31hefe])")
    assert any("expected a power of two" in repair.reason for repair in match.repairs)
    comes_back(match)


def test_a_cube_is_not_doubled_without_end() -> None:
    text = "(;GM[6]MI[length:0]" + ";W[double];B[take];B[double];W[take]" * 20 + ")"
    with pytest.raises(RecordError, match="no cube is above"):
        read(text)


def test_a_last_roll_that_was_not_played_is_kept() -> None:
    match = read(HEAD + "  1) 31: 8/5 6/5                    62: ????\n")
    assert games(read_match(format_match(match, "record"))) == games(match)


@pytest.mark.parametrize("second", ["X is carla - O is boris", "X is anna - O is dan"])
def test_matches_of_other_players_are_not_joined(second: str) -> None:
    text = (DATA / "fibs.txt").read_text(encoding="utf-8")
    line = len(text.splitlines()) + 2
    more = text.replace("X is anna - O is boris", second)
    with pytest.raises(RecordError, match=f"line {line}: another match begins"):
        read(text + more)


def gnubg_blocks(length: int, score: int) -> str:
    """The first game of gnubg's text without its heading, at this length and score of White."""
    text = (DATA / "gnubg_text.txt").read_text(encoding="utf-8")
    text = re.sub(r"^The score .*\n", "", text, flags=re.MULTILINE)
    start, kept = variant("backgammon").start("white"), []
    for row in text.splitlines(keepends=True):
        if found := re.search(r"Match ID +: (\S{12})", row):
            said = parse_gnubg_id(f"4HPwATDgc/ABMA:{found[1]}", "backgammon")
            match = MatchState(length=length, white=score, crawford=score == length - 1)
            position = start if said.position.turn is Side.WHITE else variant("backgammon").start("black")
            row = row.replace(found[1], format_gnubg_id(position, match, said.dice).split(":")[1])
        kept.append(row)
    return "".join(kept)


def test_blocks_without_headings_are_parted_by_their_scores() -> None:
    match = read(gnubg_blocks(5, 0) + gnubg_blocks(5, 4))
    assert [(each.number, each.white, each.black, each.crawford) for each in match.games] == [
        (1, 0, 0, False),
        (2, 4, 0, True),
    ]
    with pytest.raises(RecordError, match="another match begins"):
        read(gnubg_blocks(5, 0) + gnubg_blocks(7, 0))


def test_only_the_resignation_at_the_end_is_one() -> None:
    text = (DATA / "fibs.txt").read_text(encoding="utf-8")
    match = read(text.replace("X: (5 3)", "X: resigns\nX: (5 3)"))
    assert games(match) == games(read(text))
    assert [repair.reason for repair in match.repairs if "goes on" in repair.reason] == [
        "the game goes on after this"
    ]
    bare = read(HEAD + "  1) 31: 8/5 6/5                    62: 24/18 13/11\n      Wins\n")
    assert not any("None" in repair.reason for repair in bare.repairs)


def test_blank_rows_before_a_position_cost_little() -> None:
    begun = time.process_time()
    match = read("\n" * 60_000 + START + "\n" * 30_000)
    assert len(match.games) == 1
    assert time.process_time() - begun < 20


def test_a_row_that_no_reader_takes_is_not_written() -> None:
    match = replace(read(ONE_ROLL), players={"white": "a" * 4001, "black": "boris"})
    with pytest.raises(RecordError, match="a row of 40"):
        format_match(match, "mat")


@pytest.mark.parametrize("text", [
    "XGID=" + "-" * 26 + ":0:0:1:00:0:0:0:5:10", "OGID=::N0N",
    "4HPw=ATDgc/ABMA", "4HPwATDgc=/ABMA:cAkAAAAAAAAA",
    f"{START} {START.replace(':00:', ':31:')}",
])  # fmt: skip
def test_an_id_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_any_id(text, "backgammon", kind="gnubgid")
