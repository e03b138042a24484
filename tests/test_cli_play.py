"""`sheshbesh play` as a script sees it: whole games, every way to make a play, leaving and going on."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.rules.citing import cited
from tests.sizes import sampled, sampled_games

pytestmark = pytest.mark.usefixtures("archive")

GAMES = sb.variants()


def play(*words: str, lines: Iterable[str] = ()) -> Result:
    """Play with these lines typed; the end of the input follows."""
    result = CliRunner().invoke(cli, ["play", *words], input="".join(f"{line}\n" for line in lines))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def said(result: Result) -> str:
    """The output as running text, whatever the line breaks."""
    return " ".join(result.output.split())


def widest(result: Result) -> int:
    """The longest line, but for paths, which belong to the user."""
    return max(len(line) for line in result.output.splitlines() if not line.startswith(("    /", "Record: ")))


def left_at(result: Result) -> str:
    return result.output.split("Left at position: ")[1].split()[0]


# --- whole games ------------------------------------------------------------------------------------

FIRST_OF_THE_LIST = ("l", "1", "")


@pytest.mark.parametrize(
    ("name", "side"),
    sampled(
        [(name, side) for name in GAMES for side in ("white", "black")],
        # Every seventh game, the sides in turns; others are played by two below.
        lambda case: (
            GAMES.index(case[0]) % 7 == 1 and case[1] == ("white", "black")[GAMES.index(case[0]) % 2]
        ),
    ),
)
def test_every_game_can_be_played_to_the_end_by_choosing_from_the_list(name: str, side: str) -> None:
    result = play(name, "--seed", "5", "--side", side, "--no-tutor", lines=FIRST_OF_THE_LIST * 200)
    assert result.exit_code == 0
    assert widest(result) <= 80
    assert "The game is over: " in result.output
    assert "Score after 1 game: White " in result.output


@pytest.mark.parametrize("name", sampled_games(7, 3))
def test_every_game_can_be_played_by_two_with_typed_dice(name: str) -> None:
    """Whatever is asked for gets an answer from this cycle: dice, a play from the list, a double."""
    cycle = ("3", "5", "6-5", "l", "1", "", "2-1", "l", "1", "", "4 4", "l", "1", "")
    result = play(name, "--opponent", "human", "--dice", "manual", "--no-tutor", lines=cycle * 100)
    assert result.exit_code == 0
    assert widest(result) <= 80
    assert "The game is over: " in result.output


def test_nonsense_is_answered_and_nothing_breaks() -> None:
    junk = [
        "",
        "0",
        "99999999999999999999",
        "-1",
        "8/",
        "/",
        "24/25",
        "bar/26",
        "8/5(9)",
        "x" * 500,
        "é/ü",
        "((",
        "1/2/3",
    ]
    junk += [
        "13/7(2) 8/2(2)",
        "off",
        "pass",
        "done",
        "u",
        "u all",
        "d",
        "d 7-7",
        "d 6-5",
        "7-7",
        "\t",
        "8/5 " * 50,
    ]
    for name in GAMES[::5]:
        result = play(name, "--seed", "2", lines=junk * 2)
        assert result.exit_code == 0
        assert "Left at position: " in result.output
        assert widest(result) <= 80


def test_an_interrupted_sitting_ends_without_a_word_of_python() -> None:
    assert "Traceback" not in play("tapa", "--seed", "1").output


# --- the opening and several games ------------------------------------------------------------------


def test_a_tied_draw_is_thrown_again() -> None:
    result = play("backgammon", "--dice", "manual", lines=["3", "3", "5", "2"])
    assert "Opening draw: White 3, Black 3. A tie: both throw again." in said(result)
    assert "White starts and plays 5-2." in said(result)
    assert "White 5-2> " in result.output


def test_where_the_dice_are_thrown_anew_the_starter_throws() -> None:
    result = play("tavla", "--dice", "manual", "--opponent", "human", lines=["3", "5", "6-6"])
    assert "Black starts and throws both dice." in said(result)
    assert "Dice of Black: 6-6" in result.output
    assert "Black 6-6> " in result.output


NEARLY_WON = "a22A:w"


def test_the_winner_starts_the_next_game_where_the_rules_say_so() -> None:
    words = ("--opponent", "human", "--position", NEARLY_WON, "--roll", "6-5")
    result = play("portes", *words, lines=["", "y"])
    assert "The game is over: White wins 1 point (single)." in said(result)
    assert "White starts and throws both dice." in said(result)
    assert "Opening draw" not in result.output
    redrawn = play("tavla", *words, lines=["", "y"])
    assert "Opening draw" in redrawn.output


def test_points_are_kept_over_several_games() -> None:
    words = ("portes", "--opponent", "human", "--position", NEARLY_WON, "--roll", "6-5", "--seed", "4")
    result = play(*words, lines=["", "y", *FIRST_OF_THE_LIST * 100])
    scores = re.findall(r"Score after (\d) games?: White (\d), Black (\d)", result.output)
    assert scores[0] == ("1", "1", "0")
    assert scores[1][0] == "2"
    assert int(scores[1][1]) + int(scores[1][2]) >= 2


# --- making a play ----------------------------------------------------------------------------------

START = sb.variant("backgammon").start().id


def from_start(*lines: str, roll: str = "6-5", game: str = "backgammon") -> Result:
    return play(game, "--seed", "1", "--position", sb.variant(game).start().id, "--roll", roll, lines=lines)


@pytest.mark.parametrize(
    "lines",
    [
        ["24/13", ""],
        ["24/18 18/13", "done"],
        ["24/18", "18/13", ""],
        ["24/18/13", "ok"],
        ["13/7", "u", "24/18", "18/13", ""],
        ["8/2", "24/13", ""],
        ["13/7 13/8", "u all", "24/13", ""],
        ["13/7", "13/8", "u", "u", "u", "24/13", ""],
        ["l", "1", ""],
        ["3", "1", ""],
        ["13/7", "l", "1", "u all", "24/13", ""],
    ],
)
def test_the_same_play_in_many_ways(lines: list[str]) -> None:
    assert "White threw 6-5 and played 24/13." in from_start(*lines).output


def test_an_unfinished_play_is_not_confirmed_and_the_rule_is_named() -> None:
    for lines in (["13/7", ""], ["13/7", "done"], ["pass"]):
        result = from_start(*lines)
        assert "[dice.all; Backgammon rules (000)" in said(result)
        assert "White threw" not in result.output


@pytest.mark.parametrize(
    ("game", "position", "roll", "text", "rule"),
    [
        ("backgammon", START, "6-5", "24/20", "dice.not_thrown"),
        ("backgammon", START, "5-1", "24/19", "point.closed"),
        ("backgammon", START, "6-5", "23/17", "checker.none"),
        ("backgammon", START, "6-5", "24/18* 24/19", "point.closed"),
        ("backgammon", "A4e1c3Ee3C1E4b:w:x1.0", "4-3", "24/20", "enter.bar_first"),
        ("long_nardy", "O11o11:w", "6-5", "24/18 24/19", "head.limit"),
        ("tapa", "2(aA)11N8n:w", "4-3", "22/18", "pin.captive"),
    ],
)
def test_a_refusal_names_the_rule_and_its_source(
    game: str, position: str, roll: str, text: str, rule: str
) -> None:
    result = play(game, "--position", position, "--roll", roll, lines=[text])
    found = sb.variant(game).refusal(rule)
    source = f"; {cited(found.source)}" if found.source else ""
    assert f"Not allowed: {found.text}. [{rule}{source}]" in said(result)
    assert left_at(result) == position


def test_the_list_comes_in_pages_and_begins_again() -> None:
    result = from_start("l", "l", "l", "l", roll="1-1")
    total = len(sb.variant("backgammon").start().legal_plays((1, 1)))
    ends = [int(end) for end in re.findall(rf"Plays \d+ to (\d+) of {total}", result.output)]
    assert ends == [15, 30, total, 15]


def test_a_forced_play_and_a_dance_are_announced_and_made_on_enter() -> None:
    forced = play("long_nardy", "--position", "O11o11:w", "--roll", "6-4", lines=[""])
    assert "The only play with 6-4 is 24/14. Enter plays it." in said(forced)
    assert "White threw 6-4 and played 24/14." in said(forced)
    board = {"white": {"13": 14}, "white_bar": 1, "black": {str(p): 2 for p in range(19, 25)} | {"1": 3}}
    position = sb.variant("backgammon").position(board)
    dance = play("backgammon", "--position", position.id, "--roll", "6-4", lines=[""])
    assert "White cannot move with 6-4. Enter continues." in said(dance)
    assert "White threw 6-4 and cannot move." in said(dance)


def test_typed_dice_can_be_typed_again_until_the_play_is_confirmed() -> None:
    words = ("backgammon", "--dice", "manual", "--position", START)
    result = play(*words, lines=["6-5", "13/7", "3-1", "8/5 6/5", ""])
    assert "White threw 3-1 and played 8/5 6/5." in said(result)
    thrown = from_start("3-1")
    assert "The dice are thrown by the computer" in said(thrown)


def test_a_part_of_the_throw_may_be_all_where_the_rules_allow_it() -> None:
    result = from_start("13/7", "", game="old_english")
    assert "Next or Enter to stop here: " in result.output
    assert "White threw 6-5 and played 13/7." in result.output


# --- touch-move -------------------------------------------------------------------------------------


def test_a_touched_checker_is_not_taken_back_unless_the_table_allows_it() -> None:
    result = from_start("13/7", "u", "24/13", game="takhte")
    assert "Not allowed: a touched checker is played, nothing is taken back. [turn.touch_move;" in said(
        result
    )
    assert "White threw" not in result.output
    played = from_start("13/7", "13/8", game="takhte")
    assert "White threw 6-5 and played 13/8 13/7." in played.output
    words = ("takhte", "--option", "touch_move=false", "--position", START, "--roll", "6-5")
    allowed = play(*words, lines=["13/7", "u", "24/13", ""])
    assert "White threw 6-5 and played 24/13." in allowed.output


# --- chains -----------------------------------------------------------------------------------------


def test_a_double_that_runs_on_is_played_element_by_element() -> None:
    result = play(
        "gul_bara", "--position", "O11o11:w:t3.3", "--roll", "3-3", lines=["24/21(4)", "", "24/20(4)", ""]
    )
    text = said(result)
    assert "White is to play 4 4 4 4, then 5 5 5 5, 6 6 6 6." in text
    assert "White, owing 4 4 4 4, played 24/20(4)." in text
    assert "White is to play 5 5 5 5, then 6 6 6 6." in text
    assert ":p5555+" in left_at(result)
    again = play("gul_bara", "--position", left_at(result))
    assert "White is to play 5 5 5 5, then 6 6 6 6." in said(again)


def test_what_is_left_of_a_chain_goes_to_the_opponent() -> None:
    words = ("gioul", "--opponent", "human", "--position", "C1a3AA3aBaABcb3ADg:b", "--roll", "2-2")
    result = play(*words, lines=["14/10 12/10", ""])
    text = said(result)
    assert "Black threw 2-2 and played 14/10 12/10 (in your numbers 13/15 11/15)." in text
    assert "White is to play 2, then 3 3 3 3, 4 4 4 4, 5 5 5 5, 6 6 6 6; after that White throws." in text
    assert left_at(result).endswith(":w:p2+!")


def test_a_double_is_named_after_one_and_two() -> None:
    words = ("acey_deucey", "--position", "24:w:h15.15", "--roll", "2-1")
    lines = ["hand/24 hand/23", "", "l", "7", "5", "u", "6", "hand/19(4)", ""]
    text = said(play(*words, lines=lines))
    assert "now names a double." in text
    assert "6-6 24 plays" in text
    assert "Type one number 1 to 6" in text
    assert "White named 6-6 and played hand/19(4). White throws again." in text
    assert "White 5-5> u" in text


# --- looking, leaving, going on ---------------------------------------------------------------------


def test_what_always_works() -> None:
    result = from_start("?", "p", "id", "b", "q", "what", "n", "q", "y")
    assert "Your play, in your own numbers:" in result.output
    assert "One enemy checker alone on a point may be hit" in said(result)
    assert "Pips to go: White 167, Black 167." in result.output
    assert f"Position: {START}" in result.output
    assert result.output.count("Leave the game?") == 3
    assert result.output.count("-13--14-") == 2
    assert left_at(result) == START


def left_for(result: Result) -> list[str]:
    """The words of the command that goes on from where it was left."""
    return shlex.split(result.output.split("To resume:")[1].replace("\\\n", " "))


@pytest.mark.parametrize("name", sampled_games(10, 2))
def test_a_game_that_was_left_goes_on_where_it_was(name: str) -> None:
    for words in (("--seed", "7"), ("--seed", "7", "--no-record"), ()):
        result = play(name, *words, lines=FIRST_OF_THE_LIST * 4)
        command = left_for(result)
        assert command[:2] == ["sheshbesh", "play"]
        again = CliRunner().invoke(cli, command[1:], input="")
        assert left_at(again) == left_at(result)
        assert left_for(again) == command


def test_the_record_of_a_game_against_the_program_says_its_level(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    words = ("tapa", "--level", "club", "--side", "white", "--seed", "7", "--record", str(path))
    play(*words, lines=FIRST_OF_THE_LIST * 4)
    assert json.loads(path.read_text("utf-8").split("\n")[0])["tags"] == {"BlackLevel": "club"}


def test_a_seed_is_named_on_the_screen_and_repeats_the_game() -> None:
    words = ("tapa", "--seed", "8", "--no-record")
    first, second = (play(*words, lines=FIRST_OF_THE_LIST * 5).output for _ in range(2))
    assert "seed 8: for study" in first
    assert first == second
    assert "seed" not in play("tapa", "--no-record").output


def test_without_a_terminal_and_a_name_the_game_is_backgammon() -> None:
    assert play().output.startswith("Backgammon.")


def test_a_game_of_the_users_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'name = "mine"\ntitle = "Mine"\nregion = "here"\ndescription = "Tapa."\nbase = "tapa"\n'
        '[board]\nsetup = { 24 = 15 }\nsource = "here"\n',
        encoding="utf-8",
    )
    result = play(str(file), lines=FIRST_OF_THE_LIST * 5)
    assert result.output.startswith("Mine. Tapa.")
    assert f"sheshbesh play {file}" in result.output


def test_the_board_is_seen_from_the_players_side() -> None:
    white, black = (play("long_nardy", "--side", side, "--seed", "3").output for side in ("white", "black"))
    assert "          White's head\n" in white
    assert "          Black's head\n" in black
    two = play("tapa", "--opponent", "human", "--seed", "3", lines=FIRST_OF_THE_LIST).output
    trays = re.findall(r"^([OX]) (?:White|Black) +pips", two, re.MULTILINE)
    assert {trays[1], trays[-1]} == {"O", "X"}


def test_a_position_by_any_id_has_its_dice_and_its_score() -> None:
    board = "-b----E-C---eE---c-e----B-"
    for text in (
        f"XGID={board}:0:0:1:52:2:3:0:7:10",
        f"{board}:0:0:1:52:2:3:0:7:10",
        "11jjjjjhhhccccc:ooddddd88866666:N0N:52:B:R:2:3:7:0",
    ):
        result = play("--opponent", "human", "--position", text, lines=[])
        assert "Match to 7, game 1: White 2, Black 3." in result.output
        assert "White 5-2>" in result.output
        assert left_at(result) == START
    result = play("--opponent", "human", "--position", f"{board[:-2]}:0:0:1:52:2:3:0:7:10", lines=[])
    assert "the board of an XGID has 26 characters" in result.output
