"""The terminal asks before what cannot be undone, and says in one sentence what it did not understand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.cli.terminal.commands import Screen
from sheshbesh.cli.terminal.console import Console
from sheshbesh.match.card import Card
from tests.sizes import sampled

pytestmark = pytest.mark.usefixtures("archive")

START = sb.variant("backgammon").start().id


def run(*words: str, lines: Iterable[str] = (), columns: int = 80) -> str:
    """All that the command shows when these lines are typed; the end of the input follows."""
    typed = "".join(f"{line}\n" for line in lines)
    result = CliRunner().invoke(cli, words, input=typed, env={"COLUMNS": str(columns)})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output


def play(*words: str, lines: Iterable[str] = ()) -> str:
    """The same for `play`, as running text, whatever the line breaks."""
    return " ".join(run("play", *words, lines=lines).split())


def from_start(*lines: str, game: str = "backgammon", roll: str = "6-5") -> str:
    return play(game, "--position", sb.variant(game).start().id, "--roll", roll, lines=lines)


# --- numbers ----------------------------------------------------------------------------------------


def hinted(text: str, number: int) -> str:
    """The play that a hint numbers so."""
    found = re.search(rf"\b{number} ((?:\S+/\S+ )+) *[+-]\d\.\d{{3}}", text)
    assert found is not None, text
    return found[1].strip()


def test_a_number_after_a_hint_plays_the_play_of_the_hint() -> None:
    shown = from_start("hint", roll="3-1")
    for number in (1, 2):
        text = from_start("hint", str(number), "", roll="3-1")
        assert f"White threw 3-1 and played {hinted(shown, number)}." in text


def test_a_number_after_the_list_plays_the_play_of_the_list_even_after_a_hint() -> None:
    listed = from_start("l", roll="3-1")
    first = re.search(r" 1 (.+?) 2 ", listed.split("Plays 1 to")[1])
    assert first is not None
    assert f"played {first[1]}." in from_start("hint", "l", "1", "", roll="3-1")


def test_a_number_without_a_list_plays_nothing_and_shows_the_list() -> None:
    text = from_start("2")
    assert "none has been shown for this board. Here it is:" in text
    assert "Plays 1 to" in text
    assert "u takes back" not in text


def test_a_number_that_is_not_in_the_list_shown_is_told_how_far_it_goes() -> None:
    assert "There is no 12 in the list shown last: it goes from 1 to 5." in from_start("hint", "12")
    assert "There is no 16 in the list shown last: it goes from 1 to 15." in from_start("l", "16", roll="2-1")


def test_by_number_nothing_final_is_played_without_a_question() -> None:
    asked = from_start("l", "1", game="takhte")
    assert "nothing is taken back here. Enter plays it, n does not." in asked
    assert "White threw" not in asked
    assert "White threw 6-5 and played" in from_start("l", "1", "", game="takhte")
    for answer in ("n", "no", "u", "p", "what"):
        assert "White threw" not in from_start("l", "1", answer, game="takhte")
    assert "White threw" not in from_start("l", "1", "hint", "", game="takhte")
    step = from_start("13/7", "l", "1", game="takhte")
    assert "Enter plays it" in step
    assert "White threw" not in step


def test_where_a_number_names_a_double_a_hint_numbers_nothing() -> None:
    words = ("acey_deucey", "--position", "24:w:h15.15", "--roll", "2-1")
    text = play(*words, lines=["hand/24 hand/23", "", "hint", "q", "y"])
    hint = text.split("names> hint")[1].split("names>")[0]
    assert "6-6: hand" in hint
    assert not re.search(r"\b[1-5] [1-6]-[1-6]:", hint)


# --- offers -----------------------------------------------------------------------------------------

MONEY = ("--card", "backgammon.m.beavers.dice-typed", "--opponent", "human")
TO_DOUBLE = ["6", "5", "24/13", ""]
"""White has won the draw and played; Black may double."""


def test_a_resignation_is_asked_about_with_its_cost() -> None:
    words = ("backgammon", "--money", "--opponent", "human", "--dice", "typed")
    start = ["6", "5"]
    asked = play(*words, lines=[*start, "resign", "n"])
    assert "Resign a single game: Black wins 1 point? (y or n) n" in asked
    assert "offers to resign" not in asked
    assert "White offers to resign a single game." in play(*words, lines=[*start, "resign", "y"])
    gammon = play("backgammon", "--match", "5", *words[2:], lines=[*start, "resign gammon", "n"])
    assert "Resign a gammon: Black wins 2 points? (y or n)" in gammon


def test_a_settlement_is_asked_about_and_never_dearer_than_the_game() -> None:
    start = [*TO_DOUBLE, "double", "take", "6-4", "24/14", ""]
    asked = play(*MONEY, lines=[*start, "settle -9", "settle 6", "n"])
    assert "Nobody can lose more than 6 points in this game: settle at most 6." in asked
    assert "Propose to settle this game: you win 6 points? (y or n) n" in asked
    assert "proposes" not in asked
    paid = play(*MONEY, lines=[*start, "settle -6", "y"])
    assert "White proposes to settle the game: 6 points for Black." in paid


def test_the_end_of_a_session_is_asked_about() -> None:
    text = play(*MONEY, lines=["6", "5", "draw", "n"])
    assert "Propose to end it here, at the present score? (y or n) n" in text
    assert "proposes" not in text


@pytest.mark.parametrize("word", ["drop", "pass", "refuse", "decline", "reject", "Refuse"])
def test_an_offered_cube_is_dropped_by_whatever_means_that(word: str) -> None:
    assert "White drops." in play(*MONEY, lines=[*TO_DOUBLE, "double", word])


@pytest.mark.parametrize("letter", ["p", "d"])
def test_a_letter_that_means_something_else_elsewhere_drops_after_a_question(letter: str) -> None:
    kept = play(*MONEY, lines=[*TO_DOUBLE, "double", letter, "n", "take"])
    assert "Drop: Black wins 1 point? (y or n) n" in kept
    assert "Type take, drop or beaver; pips counts the pips." in kept
    assert "White takes and owns the cube at 2." in kept
    assert "White drops." in play(*MONEY, lines=[*TO_DOUBLE, "double", letter, "y"])


@pytest.mark.parametrize("word", ["take", "t", "T", "accept"])
def test_an_offered_cube_is_taken_by_whatever_means_that(word: str) -> None:
    assert "White takes and owns the cube at 2." in play(*MONEY, lines=[*TO_DOUBLE, "double", word])


@pytest.mark.parametrize("word", ["what", "resign", "7", "", "yes", "13/7"])
def test_whatever_else_is_said_at_an_offered_cube_is_told_what_is_possible(word: str) -> None:
    text = play(*MONEY, lines=[*TO_DOUBLE, "double", word])
    assert "Type take, drop or beaver; ? for help." in text
    assert "drops" not in text


@pytest.mark.parametrize(("word", "said"), [("y", "agrees"), ("n", "declines"), ("no", "declines")])
def test_a_resignation_is_answered_in_plain_words(word: str, said: str) -> None:
    text = play(*MONEY, lines=["6", "5", "resign", "y", word])
    assert f"Black {said}." in text


def test_words_are_heard_where_dice_are_typed() -> None:
    before_dice = [*TO_DOUBLE, ""]
    doubled = play(*MONEY, lines=[*before_dice, "double", "take"])
    assert "Dice of Black: double Black doubles: the cube would be at 2." in doubled
    assert "White takes and owns the cube at 2." in doubled
    resigned = play(*MONEY, lines=[*before_dice, "resign", "y", "accept"])
    assert "Black offers to resign a single game. White: accept or refuse> accept White agrees." in resigned
    declined = play(*MONEY, lines=[*before_dice, "resign", "n", "", "6-4"])
    assert "Black 6-4>" in declined
    assert "Type two numbers 1 to 6, such as 6-5; or double, resign;" in play(
        *MONEY, lines=[*before_dice, "what"]
    )


def test_dice_may_be_typed_where_the_cube_may_be_offered() -> None:
    text = play(*MONEY, lines=[*TO_DOUBLE, "64"])
    assert "Black: type your dice, double offers the cube> 64" in text
    assert "Black 6-4>" in text


# --- misunderstood ----------------------------------------------------------------------------------


def test_two_digits_are_dice_where_dice_are_typed() -> None:
    typed = play("backgammon", "--dice", "typed", "--position", START, lines=["6-5", "33", "41"])
    assert "White 3-3> 41" in typed
    assert "White 4-1>" in typed
    assert "There is no" not in typed
    spaced = play("backgammon", "--dice", "typed", "--position", START, lines=["6-5", "4 4", "6,3", "6/3"])
    assert "White 4-4> 6,3" in spaced
    assert "White 6-3> 6/3 Not allowed" not in spaced
    assert "White 6-3 (6/3)>" in spaced
    listed = play("backgammon", "--dice", "typed", "--position", START, lines=["2-1", "l", "11", ""])
    assert "White threw 2-1 and played" in listed


@pytest.mark.parametrize("game", ["takhte", "backgammon"])
@pytest.mark.parametrize("word", ["u", "u all"])
def test_before_anything_is_played_there_is_nothing_to_take_back(game: str, word: str) -> None:
    text = from_start(word, game=game)
    assert "Nothing has been played yet, so there is nothing to take back." in text
    assert "turn.touch_move" not in text


def test_enter_with_nothing_played_says_one_thing() -> None:
    text = from_start("")
    assert text.count("Nothing is played yet; l lists the plays.") == 1
    assert "not complete" not in text and "Not allowed" not in text


def test_a_question_that_was_not_answered_says_what_it_wants() -> None:
    lines = [*TO_DOUBLE, "double", "drop", "maybe", "n"]
    assert "Type y for another game or n to end here; ? for help." in play(*MONEY, lines=lines)
    left = from_start("q", "maybe", "n")
    assert "Type y for yes or n for no." in left
    match = ("backgammon", "--match", "3", "--opponent", "human", "--dice", "typed")
    text = play(*match, lines=[*TO_DOUBLE, "double", "drop", "maybe", ""])
    assert "Press Enter to start the next game; q leaves, ? for help." in text


def test_the_score_stands_once_at_the_end_of_a_game() -> None:
    board = {"white": {"1": 1}, "white_off": 14, "black": {"3": 15}}
    position = sb.variant("backgammon").position(board).id
    text = run("play", "backgammon", "--position", position, "--roll", "2-1", lines=[""])
    assert "Score after 1 game: White " in text
    assert "Score: White" not in text
    assert text.count("+-13-") == 2


@pytest.mark.parametrize("word", ["take", "drop", "beaver"])
def test_a_word_that_has_no_place_is_told_what_has(word: str) -> None:
    assert "Now a play is typed, such as 8/5 6/5; l lists the plays" in from_start(word)


@pytest.mark.parametrize("digits", ["۰۱۲۳۴۵۶", "٠١٢٣٤٥٦", "０１２３４５６"])
def test_dice_and_numbers_of_lists_may_be_typed_in_the_digits_of_other_scripts(digits: str) -> None:
    six, four, three, one = (digits[number] for number in (6, 4, 3, 1))
    words = ("chouette", "Ann", "Bob", "Cem", "--dice", "typed")
    text = run(*words, lines=[six, digits[5], four, three, one, "l", one, "", f"{six}{four}"])
    assert "Type one number" not in text
    assert "Bob (captain) 6-4>" in text


def test_dice_may_be_typed_where_a_member_of_a_chouette_may_double() -> None:
    words = ("chouette", "Ann", "Bob", "Cem", "--dice", "typed")
    opened = ["6", "5", "4", "3", "1", "8/5 6/5", ""]
    text = " ".join(run(*words, lines=[*opened, "what", "64"]).split())
    assert "Type two numbers 1 to 6, such as 6-5, or type d to double;" in text
    assert "Bob (captain) 6-4>" in text


def test_a_cube_of_a_chouette_is_answered_by_whatever_means_that() -> None:
    words = ("chouette", "Ann", "Bob", "Cem", "--dice", "typed")
    opened = ["6", "5", "4", "3", "1", "8/5 6/5", "", "d"]
    for line, said in (("t", "Ann takes and owns"), ("pass", "Ann drops"), ("refuse", "Ann drops")):
        assert said in " ".join(run(*words, lines=[*opened, line]).split())
    asked = " ".join(run(*words, lines=[*opened, "p", "n", "take"]).split())
    assert "Drop? (y or n) n" in asked
    assert "Ann takes and owns" in asked


def test_the_clock_runs_on_while_a_question_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float | None] = []

    def ask(_: Console, prompt: str, *, seconds: float | None = None) -> str:
        given.append(seconds)
        return "y"

    monkeypatch.setattr(Console, "ask", ask)
    card = Card.from_code("tapa.p3.clock-d12-60")
    desk = Screen(Console(), card, names=dict.fromkeys(sb.Side, ""), viewer=sb.Side.WHITE)
    desk.time_left = lambda: 7.0
    assert desk.confirms("Leave the game?")
    assert given == [7.0]


# --- widths -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "columns"),
    sampled(
        product(["backgammon", "long_nardy", "acey_deucey", "tapa"], [40, 57, 60, 80, 200]),
        # Every width once, and every game.
        lambda case: (
            case in (("backgammon", 40), ("tapa", 57), ("long_nardy", 60), ("acey_deucey", 80), ("tapa", 200))
        ),
    ),
)
def test_the_board_fits_the_window(game: str, columns: int) -> None:
    text = run("play", game, "--seed", "3", "--no-record", lines=["l", "1", ""] * 4, columns=columns)
    rows = [line for line in text.splitlines() if re.search(r"^\+?-?-?13-|^[|OX .:\d\[\]ox]{30,}$", line)]
    assert rows
    assert max(map(len, rows)) <= columns
    trays = [line for line in text.splitlines() if re.match("[OX] (White|Black) ", line)]
    assert max(map(len, trays)) <= columns


def test_a_long_prompt_is_broken_between_words() -> None:
    words = ("play", "backgammon", "--money", "--opponent", "human", "--seed", "3", "--no-record")
    text = run(*words, lines=["l", "1", "", "what"], columns=40)
    assert "Enter rolls, double offers the\n  cube> what" in text
    assert "Enter rolls, double offers the cube> what" in run(*words, lines=["l", "1", "", "what"])


def test_a_window_too_narrow_for_the_board_is_told_so_once() -> None:
    text = run("play", "backgammon", "--seed", "3", "--no-record", lines=["b", "b"], columns=30)
    assert " ".join(text.split()).count("This window has 30 columns and the board needs 39") == 1


# --- what cannot be read ----------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("card", "foo.bar"), ("play", "--card", "foo.p5"), ("card", "foo.p5.x")])
def test_a_card_of_an_unknown_game_is_told_that_the_game_is_unknown(words: tuple[str, ...]) -> None:
    text = " ".join(run(*words).split())
    assert "'foo'" in text
    assert "cannot read" not in text


@pytest.mark.parametrize("words", [("play", "./nofile.toml"), ("rules", "./nofile.toml")])
def test_a_file_that_is_not_there_is_told_in_words(words: tuple[str, ...]) -> None:
    text = run(*words)
    assert "nofile.toml: cannot be read: No such file or directory" in " ".join(text.split())
    assert "Errno" not in text


@pytest.mark.parametrize("content", [b"hello\n", b"\xff\xfe\x00\n", b"[1, 2\n{}\n"])
def test_a_file_that_is_no_record_is_told_so_in_words(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    text = " ".join(run("play", "--resume", str(path)).split())
    assert "no match record" in text
    for word in ("Expecting", "codec", "delimiter", "char"):
        assert word not in text
