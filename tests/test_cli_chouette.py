"""`sheshbesh chouette` as a script sees it: seats, cubes, captains, sheets, people who come and go."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import Result

import sheshbesh as sb
from sheshbesh.cli.terminal import session_loop
from sheshbesh.session import Chouette, ChouetteRecord, RecordFile
from tests.cli_help import FakeTime, run
from tests.sizes import sampled_games

pytestmark = pytest.mark.usefixtures("archive")

GAMES = sb.variants()

FORWARD = ("", "l", "1", "", "take")
"""Whatever is asked at a chouette, one of these answers it."""

REAL_BOARD = ("Ann", "Bob", "Cem", "Dan", "--dice", "typed")
SEATED = ("6", "5", "4", "3")
"""Ann is the box, Bob the captain."""

OPENED = (*SEATED, "3", "1", "8/5 6/5", "")
"""The box has begun with 3-1, and the team is on roll."""


def chouette(*words: str, lines: Iterable[str] = ()) -> Result:
    result = run("chouette", *words, lines=lines)
    for line in result.output.splitlines() if result.exit_code == 0 else ():
        assert len(line) <= 80 or line.startswith(("    /", "Record: ")), line
    return result


def said(result: Result) -> str:
    """The output as running text, whatever the line breaks."""
    return " ".join(result.output.split())


def sheets(result: Result) -> list[dict[str, int]]:
    """The totals of every sheet shown."""
    found = []
    for block in result.output.split("Person ")[1:]:
        rows = re.findall(r"^(\w\S*) +(?:box|captain|crew|left) +(?:[-+]?\d+ +)?([-+]?\d+)$", block, re.M)
        found.append({name: int(points) for name, points in rows})
    return found


def replayed(path: Path) -> Chouette:
    record = RecordFile(path).load_as(ChouetteRecord)
    assert record.damage is None
    return record.replay()


# --- the clock --------------------------------------------------------------------------------------


def test_a_flag_ends_the_game_and_not_the_chouette(monkeypatch: pytest.MonkeyPatch, archive: Path) -> None:
    monkeypatch.setattr(session_loop, "monotonic", FakeTime(0.5))
    card = "backgammon.m.dice-typed.clock-t5"
    lines = (*SEATED, "3", "1", *("l",) * 12, "8/5 6/5")
    result = chouette("Ann", "Bob", "Cem", "Dan", "--card", card, lines=lines)
    assert "The game is over: the time of the box Ann has run out." in said(result)
    assert sheets(result)[-1] == {"Ann": -3, "Bob": 1, "Cem": 1, "Dan": 1}
    (path,) = archive.iterdir()
    state = replayed(path)
    assert state.board.games[-1].reason == "time" and not state.is_over


def test_the_clocks_are_shown_and_whose_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_loop, "monotonic", FakeTime(0.001))
    result = chouette(*REAL_BOARD, "--clock", "d12-60", lines=OPENED)
    assert re.search(r"runs 1:00 \+12 s", result.output) and "time 1:00" in result.output


# --- whole games ------------------------------------------------------------------------------------


def test_bots_play_several_games_and_the_record_and_its_dice_hold(archive: Path) -> None:
    result = chouette("Ann", "Bob", "Cem", "--bots", "Ann,bob,Cem", "--game", "hypergammon", lines=[""] * 4)
    totals = sheets(result)
    # One after each game, and one at the end of the input.
    assert len(totals) == 6
    assert all(sum(total.values()) == 0 and set(total) == {"Ann", "Bob", "Cem"} for total in totals)
    assert totals[-1] == totals[-2]
    (path,) = archive.iterdir()
    state = replayed(path)
    assert dict(state.sheet) == totals[-1]
    assert len(state.board.games) == 5
    checked = run("verify-dice", str(path))
    assert checked.exit_code == 0, checked.output
    assert "Nothing is wrong with the dice of this file" in checked.output


@pytest.mark.parametrize("bots", ["", "Bob,Cem"])
def test_people_play_to_the_end_by_choosing_from_the_list(bots: str) -> None:
    words = ("Ann", "Bob", "Cem", "--bots", bots, "--game", "hypergammon", "--seed", "4", "--no-record")
    result = chouette(*words, lines=FORWARD * 60)
    totals = sheets(result)
    assert len(totals) > 2
    assert all(sum(total.values()) == 0 for total in totals)
    assert re.search(r"^Ann \((box|captain)\) \d-\d> ", result.output, re.M)
    assert result.output == chouette(*words, lines=FORWARD * 60).output


@pytest.mark.parametrize("game", sampled_games(4, 2))
def test_every_game_can_be_played(game: str) -> None:
    words = ("Ann", "Bob", "Cem", "--bots", "Ann,Bob,Cem", "--game", game, "--seed", "2", "--no-record")
    result = chouette(*words)
    total, last = sheets(result)
    assert sum(total.values()) == 0
    assert any(total.values()) or "The game is over: a tie." in result.output
    assert last == total


def test_the_box_and_the_captain_change_as_the_rules_say() -> None:
    words = ("Ann", "Bob", "Cem", "--bots", "Ann,Bob,Cem", "--game", "hypergammon", "--seed", "3")
    result = chouette(*words, lines=[""] * 6)
    seats = re.findall(r"(\w+) is the box, (\w+) the captain; the crew: (\w+)\.", result.output)
    assert len(seats) == 8
    for (box, captain, crew), after in pairwise(seats):
        assert after in ((box, crew, captain), (captain, crew, box))


# --- settlements ------------------------------------------------------------------------------------


def test_a_settlement_is_offered_and_answered_at_the_prompts(archive: Path) -> None:
    offers = (
        "settle",
        "settle Zoe 1",
        "settle Dan 9",
        "y",
        "settle Dan 1",
        "n",
        "settle Dan 1",
        "y",
        "perhaps",
        "n",
    )
    agreed = ("settle Cem 1", "y", "yes", "settle -1", "y", "accept", "settle Dan 0", "y", "a", "q")
    result = chouette(*REAL_BOARD, lines=(*OPENED, *offers, *agreed))
    text = said(result)
    for sentence in (
        "Cannot read 'settle': say settle 1, settle -1, or settle NAME 1.",
        "There is no 'Zoe' at this table.",
        "Dan: Not allowed: a settlement pays no more than the largest result would at this cube.",
        "Offer to settle: 1 point from Ann to Dan? (y or n) n Nothing is offered; the game goes on.",
        "Dan offers to settle: 1 point from Ann to Dan.",
        "Type accept or refuse; ? for help.",
        "Ann declines.",
        "Ann agrees: 1 point from Ann to Cem.",
        "Ann agrees: 1 point from Bob to Ann. Dan is the captain now.",
        "The game is over: all that was left is settled.",
        "Ann is the box, Cem the captain; the crew: Dan and Bob.",
    ):
        assert sentence in text, sentence
    assert sheets(result)[-1] == {"Ann": 0, "Bob": -1, "Cem": 1, "Dan": 0}
    (path,) = archive.iterdir()
    assert dict(replayed(path).sheet) == sheets(result)[-1]


def test_a_bot_answers_a_settlement_at_once() -> None:
    lines = ("", "settle -3", "y")
    result = chouette("Ann", "Bob", "Cem", "--bots", "Bob,Cem", "--seed", "11", "--no-record", lines=lines)
    assert re.search(r"(Bob|Cem) agrees: 3 points from Ann to (Bob|Cem)", said(result)), result.output


# --- seats ------------------------------------------------------------------------------------------


def test_tied_throws_for_the_seats_are_thrown_again_and_shown() -> None:
    words = ("Ann", "Bob", "Cem", "Dan", "--dice", "typed")
    text = said(chouette(*words, lines=["4", "7", "6", "4", "4", "2", "2", "5", "1", "3"]))
    assert "Bob, a die for the seats: 7 Type one number 1 to 6; q to leave. Bob, a die" in text
    assert "Throws for the seats: Ann 4, Bob 6, Cem 4, Dan 4." in text
    assert "Throws for the seats, after a tie: Ann 2, Cem 2, Dan 5." in text
    assert "Throws for the seats, after a tie: Ann 1, Cem 3." in text
    assert "Bob is the box, Dan the captain; the crew: Cem and Ann." in text


def test_seats_with_a_seed_are_always_the_same() -> None:
    first, second = (chouette("Ann", "Bob", "Cem", "--seed", "1", "--no-record").output for _ in range(2))
    assert first == second
    assert "Throws for the seats: " in first
    assert "follow seed 1: for study" in said(chouette("Ann", "Bob", "Cem", "--seed", "1"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Error: a chouette has 3 to 10 people, not 0"),
        (("Ann", "Bob"), "a chouette has 3 to 10 people, not 2"),
        (tuple("ABCDEFGHIJK"), "a chouette has 3 to 10 people, not 11"),
        (("Ann", "Bob", "ann"), "everybody needs a different name: 'ann' is given twice"),
        (("Ann", "Bob", "Cem Dan"), "a name here is one word of at most 12 letters, not 'Cem Dan'"),
        (("Ann", "Bob", ""), "a name here is one word of at most 12 letters, not ''"),
        (("Ann", "Bob", "C" * 13), "a name here is one word of at most 12 letters"),
        (("Ann", "Bob", "Server"), "nobody can be called 'Server' here"),
        (("Ann", "Bob", "All"), "nobody can be called 'All' here"),
        (("Ann", "Bob", "Cem", "--bots", "Dan"), "there is no 'Dan' among Ann, Bob, Cem"),
        (("Ann", "Bob", "Cem", "--card", "backgammon.p5"), "a chouette is played for money"),
        (("Ann", "Bob", "Cem", "--card", "backgammon.m", "--beavers"), "says what is played"),
        (("Ann", "Bob", "Cem", "--game", "bakgammon"), "backgammon"),
        (("Ann", "Bob", "Cem", "--record", "x", "--no-record"), "contradict each other"),
        (("Ann", "Bob", "Cem", "--dice", "typed", "--seed", "1"), "choose one"),
    ],
)
def test_what_is_no_table_is_refused_in_a_sentence(words: tuple[str, ...], message: str) -> None:
    result = chouette(*words)
    assert result.exit_code == 2
    assert message in said(result)
    assert "Throws" not in result.output


# --- cubes ------------------------------------------------------------------------------------------


def test_cubes_are_turned_by_name_and_each_is_answered_alone() -> None:
    lines = [*OPENED, "d eve", "d cem,Bob", "what", "take", "drop", "d dan", "take", ""]
    result = chouette(*REAL_BOARD, lines=lines)
    text = said(result)
    assert "Bob (captain): Enter throws, d doubles (d Cem, d Dan)> d eve There is no 'eve'" in text
    assert "Cem doubles: the cube would be at 2. Bob doubles: the cube would be at 2." in text
    assert "Ann (box): Bob's cube at 2: take or drop> what Type take or drop" in text
    assert "Ann takes and owns Bob's cube at 2." in text
    assert "Ann drops Cem's cube and pays Cem 1." in text
    assert "Bob (captain): Enter throws, d Dan doubles> d dan" in text
    assert "Game 1. Cubes: Bob 2 (Ann's); Cem out; Dan 1." in text
    # Nobody is left who may double: the dice are asked for at once.
    assert text.count("Enter throws") == 3
    assert "Bob (captain), dice:" in text
    assert sheets(result)[-1] == {"Ann": -1, "Bob": 0, "Cem": 1, "Dan": 0}


def test_when_the_captain_drops_the_next_member_is_captain(archive: Path) -> None:
    lines = [*OPENED, "", "6-5", "24/13", "", "d", "drop", "take", "drop", "5-2", "13/8 13/11", ""]
    result = chouette(*REAL_BOARD, lines=lines)
    text = said(result)
    assert "Ann (box): Enter throws, d doubles> d Ann doubles: Bob to 2, Cem to 2, Dan to 2." in text
    assert "Bob (captain): your cube at 2: take or drop> drop" in text
    assert "Bob drops the cube and pays Ann 1. Cem is the captain now." in text
    assert "Cem takes and owns the cube at 2." in text
    assert "Dan drops the cube and pays Ann 1." in text
    assert "Cubes: Bob out; Cem 2 (Cem's); Dan out." in text
    assert "Cem (captain): Enter throws, d doubles>" in text
    assert sheets(result)[-1] == {"Ann": 2, "Bob": -1, "Cem": 0, "Dan": -1}
    (path,) = archive.iterdir()
    assert replayed(path).captain == "Cem"


def test_when_every_cube_is_dropped_the_game_is_over_and_the_seats_turn() -> None:
    result = chouette(*REAL_BOARD, lines=[*OPENED, "d all", "drop", "drop", "drop", "s"])
    text = said(result)
    assert "The game is over: every cube was dropped." in text
    assert "Bob is the box, Cem the captain; the crew: Dan and Ann." in text
    assert sheets(result)[0] == {"Ann": -3, "Bob": 1, "Cem": 1, "Dan": 1}


def test_a_beaver_is_answered_too() -> None:
    lines = [*OPENED, "d", "beaver", "take", "d all", "drop", "drop"]
    text = said(chouette(*REAL_BOARD, "--beavers", lines=lines))
    assert "Ann (box): Bob's cube at 2: take, drop or beaver> beaver" in text
    assert "Ann beavers: Bob's cube would be at 4." in text
    assert "Bob (captain): your cube at 4: take or drop> take" in text
    assert "Bob takes. Ann owns Bob's cube at 4." in text
    assert "Not allowed: beavers are not played" in said(
        chouette(*REAL_BOARD, lines=[*OPENED, "d", "beaver"])
    )


def test_the_box_may_choose_whom_it_doubles_where_that_is_agreed() -> None:
    lines = [*OPENED, "", "6-5", "24/13", "", "d cem", "take", "d dan,bob"]
    text = said(chouette(*REAL_BOARD, "--box-chooses", lines=lines))
    assert "Ann (box): Enter throws, d doubles (d NAME: one)> d cem Ann doubles: Cem to 2." in text
    assert "Ann doubles: Dan to 2. Ann doubles: Bob to 2." in text
    refused = said(chouette(*REAL_BOARD, lines=[*OPENED, "", "6-5", "24/13", "", "d cem"]))
    assert "Not allowed: the box doubles the whole team at this table. [chouette.named]" in refused


def test_who_has_no_cube_to_turn_is_told_why() -> None:
    lines = [*OPENED, "d", "take", "d", "d", "d bob", "d ann"]
    text = said(chouette(*REAL_BOARD, lines=lines))
    assert "Whose cube? Type d and one or more of Cem, Dan, or d all." in text
    assert "Bob: Not allowed: " in text
    assert "Ann: Not allowed: " in text


def test_a_long_team_is_listed_before_the_prompt() -> None:
    names = [f"Longname{letter}" for letter in "ABCDEFGHIJ"]
    dice = ["6", "5", "4", "3", "2", "1", "1", "1", "1", "1", "6", "5", "4", "3", "2"]
    lines = [*dice, "3", "1", "8/5 6/5", "", "d LongnameD"]
    text = said(chouette(*names, "--dice", "typed", lines=lines))
    assert "May double: LongnameB, LongnameC" in text
    assert "LongnameB (captain): Enter throws, d NAME> d LongnameD LongnameD doubles" in text


# --- bots -------------------------------------------------------------------------------------------


def test_a_person_of_the_crew_may_double_before_a_bot_throws() -> None:
    words = (*REAL_BOARD, "--bots", "Bob,Ann")
    text = said(chouette(*words, lines=[*SEATED, "3", "1", "d", "d cem", "d bob"]))
    assert "bot plays for Bob and Ann." in text
    assert "Cem, Dan: Enter lets Bob throw, d NAME doubles> d Whose cube?" in text
    assert "Cem doubles: the cube would be at 2." in text
    assert re.search(r"Ann (takes|drops)", text)
    assert "Bob decides for itself." in text


# --- the board --------------------------------------------------------------------------------------


def test_the_board_is_seen_from_the_side_on_roll() -> None:
    output = chouette(*REAL_BOARD, lines=[*OPENED, "", "6-5", "24/13", ""]).output
    trays = re.findall(r"^[OX] (?:White|Black).*  (\w+ \(\w+\))$", output, re.M)
    assert trays[:2] == ["Bob (captain)", "Ann (box)"]
    assert "Bob (captain)" in trays[2:]
    assert "Bob threw 6-5 and played 24/13 (in your numbers 1/12)." in said(
        chouette(*REAL_BOARD, lines=[*OPENED, "", "6-5", "24/13", ""])
    )


def test_typed_dice_can_be_typed_again_until_the_play_is_confirmed() -> None:
    text = said(chouette(*REAL_BOARD, lines=[*OPENED, "", "6-5", "24/18", "3-1", "8/5 6/5", ""]))
    assert "Bob threw 3-1 and played 8/5 6/5" in text


def test_the_hand_resigns_and_the_other_hand_answers() -> None:
    lines = [*OPENED, "resign gammon", "y", "refuse", "resign", "y", "accept"]
    result = chouette(*REAL_BOARD, lines=lines)
    text = said(result)
    assert "Bob offers to resign a gammon." in text
    assert "Ann (box): accept or refuse> refuse Ann declines." in text
    assert "The game is over: the box Ann wins (single, resigned)." in text
    assert "Ann is the box, Cem the captain; the crew: Dan and Bob." in text
    assert sheets(result)[-1] == {"Ann": 3, "Bob": -1, "Cem": -1, "Dan": -1}


def test_what_always_works() -> None:
    result = chouette(*REAL_BOARD, lines=[*OPENED, "?", "p", "b", "s", "id", "q", "n", "q", "y"])
    text = said(result)
    assert "every prompt names the person it asks" in text
    assert "Pips to go: White 163, Black 167." in text
    assert "Position: " in text
    assert "The chouette ends in the middle of a game; members still playing gain and lose nothing." in text
    assert sheets(result) == [dict.fromkeys(("Ann", "Bob", "Cem", "Dan"), 0)] * 2


# --- between games ----------------------------------------------------------------------------------

LOST = ("resign", "y", "accept")


def test_people_come_and_go_between_games() -> None:
    comings = ["join Eve", "join eve", "join Fay Gil", "leave Hal", "leave ann", "leave Cem", "what"]
    goings = ["leave bob", "leave Eve", "join CEM", ""]
    result = chouette(*REAL_BOARD, lines=[*OPENED, *LOST, *comings, *goings, "q", "y"])
    text = said(result)
    assert "Everybody: Enter starts game 2; join NAME, leave NAME, q ends> join Eve" in text
    assert "Eve sits down at the end of the queue." in text
    assert "Eve sits here already." in text
    assert "Nobody has sat down: a name here is one word of at most 12 letters, not 'Fay Gil'." in text
    assert "There is no 'Hal' at this table." in text
    assert "Ann stands up. Cem is the box, Dan the captain; the crew: Bob and Eve." in text
    assert "Cem stands up. Dan is the box, Bob the captain; the crew: Eve." in text
    assert "Not allowed: a chouette has three to ten people" in text
    # Who comes back goes on with their points, who has left stays on the sheet.
    assert "Cem sits down at the end of the queue." in text
    assert sheets(result)[-1] == {"Dan": -1, "Bob": -1, "Eve": 0, "Cem": -1, "Ann": 3}


def test_a_name_with_digits_of_another_script_is_found_again() -> None:
    names = ("Ann", "Bob", "علی۲", "Dan")
    result = chouette(*names, "--dice", "typed", lines=[*OPENED, *LOST, "leave علی۲", "join علی۲", "q", "y"])
    text = said(result)
    assert "علی۲ stands up." in text
    assert "علی۲ sits down at the end of the queue." in text
    assert set(sheets(result)[-1]) == set(names)


def test_the_dice_hold_although_people_came_and_went(archive: Path) -> None:
    words = ("Ann", "Bob", "Cem", "--bots", "Ann,Bob,Cem", "--game", "hypergammon")
    lines = ["join Dan", "leave Ann", "", *FORWARD * 60]
    assert len(sheets(chouette(*words, lines=lines))) > 2
    (path,) = archive.iterdir()
    assert run("verify-dice", str(path)).exit_code == 0
    assert "Ann" not in replayed(path).seats.people


# --- the record -------------------------------------------------------------------------------------


def test_the_record_goes_where_it_is_told(tmp_path: Path, archive: Path) -> None:
    path = tmp_path / "ours.jsonl"
    result = chouette(*REAL_BOARD, "--record", str(path), lines=[*OPENED, *LOST])
    assert f"Record: {path}" in result.output
    assert dict(replayed(path).sheet) == sheets(result)[-1]
    assert not archive.exists()
    again = chouette(*REAL_BOARD, "--record", str(path), lines=OPENED)
    assert again.exit_code == 2
    assert str(path) in said(again).replace(" ", "")


def test_no_record_and_nothing_secret_is_left_behind(tmp_path: Path, archive: Path) -> None:
    chouette("Ann", "Bob", "Cem", "--no-record")
    assert not archive.exists()
    chouette("Ann", "Bob", "Cem", lines=FORWARD * 2)
    assert [path.suffix for path in archive.iterdir()] == [".jsonl"]
    # A chouette is no match that `play` could go on with.
    assert "there is no unfinished match" in said(run("play", "--resume"))
    file = tmp_path / "mine.toml"
    file.write_text(
        'name = "mine"\ntitle = "Mine"\nregion = "here"\ndescription = "Tapa."\nbase = "tapa"\n'
        '[board]\nsetup = { 24 = 15 }\nsource = "here"\n',
        encoding="utf-8",
    )
    own = ("Ann", "Bob", "Cem", "--game", str(file))
    assert "Record: " not in chouette(*own).output
    assert chouette(*own, "--record", str(tmp_path / "x")).exit_code == 2
