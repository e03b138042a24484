"""The terminal in all languages: what is printed, in which order, and what a file cannot do to it."""

from __future__ import annotations

import re
from functools import cache

import pytest
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.cli.terminal import wording
from sheshbesh.cli.terminal.console import Console
from sheshbesh.fairdice import dump_transcript
from sheshbesh.i18n import DiceText, JoinedText, PluralText, Text, languages, translate
from tests.dice_help import EVENTS, changed
from tests.records.help import DATA
from tests.tournament_help import swiss_of_nine

FOREIGN = [language.code for language in languages() if language.code != "en"]
RTL = [language.code for language in languages() if language.direction == "rtl"]
WORDS = re.compile(r"[a-z]{3,}", re.IGNORECASE)

pytestmark = pytest.mark.usefixtures("archive")


@cache
def play(*arguments: str, typed: str, lang: str) -> str:
    result = CliRunner().invoke(cli, ["play", *arguments, "--no-record", "--lang", lang], input=typed)
    assert result.exit_code == 0, result.output
    return str(result.output)


@pytest.mark.parametrize("lang", FOREIGN)
def test_a_game_speaks_the_language_asked_for(lang: str) -> None:
    text = play("takhte", "--seed", "4", typed="l\n1\n\nhint\nx\nscore\np\nresign\nn\nq\ny\n", lang=lang)
    english = play("takhte", "--seed", "4", typed="l\n1\n\nhint\nx\nscore\np\nresign\nn\nq\ny\n", lang="en")
    assert translate(sb.variant("takhte").title, lang).split()[0] in text
    shared = set(text.splitlines()) & set(english.splitlines())
    # What both have is the board, rows of plays, and the command that resumes the game.
    assert [line for line in shared if len(WORDS.findall(line)) > 2] == [
        "  sheshbesh play takhte --seed 4 --side white \\"
    ]


@pytest.mark.parametrize("lang", FOREIGN)
def test_the_cube_and_the_score_of_a_match_are_told_in_the_language(lang: str) -> None:
    text = play("backgammon", "--match", "3", "--seed", "4", typed="1\nl\n1\n\nscore\nq\ny\n", lang=lang)
    cube = Text("Cube {cube}, centred.", cube=1)
    assert translate(cube, lang) in " ".join(text.split())
    assert str(cube) not in text


@pytest.mark.parametrize("lang", RTL)
def test_notation_is_isolated_in_what_is_read_from_right_to_left(lang: str) -> None:
    text = play("takhte", "--seed", "4", typed="l\n1\n\nq\ny\n", lang=lang)
    assert "\u206824/23 24/22\u2069" in text
    for line in text.splitlines():
        assert line.count("\u2069") <= line.count("\u2066") + line.count("\u2068") + 1


@pytest.mark.parametrize("lang", FOREIGN)
def test_a_question_takes_the_letters_of_the_language_that_it_names(lang: str) -> None:
    yes, no = (translate(Text(word), lang) for word in ("yes", "no"))
    text = play("tavla", "--seed", "4", typed=f"q\n{no.upper()}\nq\n{yes[0]}\n", lang=lang)
    asked = translate(Text("Leave the game?"), lang)
    assert text.count(asked) == 2
    after = text.split(asked)[1].splitlines()[0]
    assert all(re.search(rf"\b{word[0]}\b", after) for word in (yes, no))
    # What cannot be taken back, and an offer of the other side, are such questions too.
    text = play("takhte", "--seed", "4", typed=f"l\n1\n{no[0]}\nl\n1\n{yes[0]}\nq\n{yes}\n", lang=lang)
    assert translate(Text("It is not played."), lang) in text
    assert text.count(translate(Text("Leave the game?"), lang)) == 1
    typed_dice = ("--card", "backgammon.m.dice-typed", "--opponent", "human")
    for word, said in ((yes, "{who} agrees."), (no, "{who} declines.")):
        text = play(*typed_dice, typed=f"6\n5\nresign\n{yes}\n{word[0]}\nq\n{yes}\n", lang=lang)
        assert translate(Text(said, who=Text("Black")), lang) in text


def test_a_throw_has_the_call_that_players_of_the_language_use() -> None:
    six_five = DiceText(5, 6)
    assert str(six_five) == "6-5" == translate(six_five, "en")
    assert translate(six_five, "tr") == "6-5 (şeş beş)"
    assert translate(six_five, "fa") == "\u20666-5\u2069 (شش و بش)"


def test_the_locale_chooses_the_language_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "tr_TR.UTF-8")
    result = CliRunner().invoke(cli, ["play", "tavla", "--seed", "1", "--no-record"], input="q\ny\n")
    assert translate("White", "tr") in result.output and "White" not in result.output


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    result = CliRunner().invoke(cli, ["play", "--lang", "xx"])
    assert result.exit_code == 2
    assert "'xx' is not one of en, ar, fa, ru, tr" in result.output


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_value_from_a_file_cannot_trick_the_terminal_in_any_language(
    lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "Eve\u202e\x1b[31m"
    said = Text("{name} is the captain now.", name=evil)
    Console(lang).say(JoinedText(said, Text("{what}", what=(Text("{x}", x=evil), evil)), evil))
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\u202e" not in out
    assert out.count("\\x1b[31m") == 4


def test_texts_that_count_and_texts_joined_are_values_like_any_text() -> None:
    import pickle

    points = PluralText("{n} point", "{n} points", 4)
    both = JoinedText(points, "", Text("Score: {score}.", score=points), separator=" / ")
    assert str(points) == "4 points" and str(both) == "4 points / Score: 4 points."
    assert translate(points, "ru") == "4 очка"
    again = pickle.loads(pickle.dumps(both))
    assert translate(again, "tr") == translate(both, "tr") == "4 puan / Skor: 4 puan."
    assert pickle.loads(pickle.dumps(DiceText(3, 1))) == "3-1"


def test_opponents_of_the_program_are_named_in_the_language_and_people_as_they_are() -> None:
    assert translate(wording.player_text("you"), "fa") == "شما"
    assert "bot" in translate(wording.player_text("club bot"), "tr")
    assert wording.player_text("Ann") == "Ann"


REVIEWED = DATA / "analysed.sgf"
GAME = """
name = "ours"
title = "Ours"
region = "here"
description = "Ours."
base = "tapa"
[board]
checkers = 3
setup = { 24 = 3 }
source = "us"
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Paths of a dice transcript, a record of a tournament, the same with a fault, and a game."""
    record, folder = swiss_of_nine().record(), tmp_path_factory.mktemp("files")
    texts = {
        "dice": dump_transcript(EVENTS),
        "forged": dump_transcript(changed(EVENTS, 9, dice=[1, 1])),
        "tournament": record,
        "tampered": record.replace('"cost":"0', '"cost":"1', 1),
        "game": GAME,
    }
    for name, text in texts.items():
        (folder / f"{name}.toml").write_text(text)
    return {name: str(folder / f"{name}.toml") for name in texts}


@cache
def asked_in(lang: str, words: tuple[str, ...]) -> Result:
    return CliRunner().invoke(cli, [*words, "--lang", lang])


@pytest.mark.parametrize("lang", FOREIGN)
@pytest.mark.parametrize(
    ("words", "code", "kept"),
    [
        (["rollout", "tavla", "--trials", "36", "--truncate", "4"], 0, ["tavla B4e1c3Ee3C1E4b:w"]),
        (["rollout", "tavla", "--dice", "x"], 2, []),
        (["rollout", "tavla", "--money"], 2, []),
        (["statistics", str(REVIEWED), "--bars"], 0, []),
        (["statistics", str(REVIEWED), "--rule", "xg"], 0, []),
        (["verify-dice", "{dice}", "--rolls"], 0, []),
        (["verify-dice", "{forged}"], 1, []),
        (["verify-tournament", "{tournament}", "--table"], 0, []),
        (["verify-tournament", "{tampered}"], 1, []),
        (["variant", "check", "{game}"], 0, []),
        (["variant", "new", "tavla"], 2, []),
    ],
)
def test_what_a_player_asks_for_is_told_in_the_language(
    words: list[str], code: int, kept: list[str], lang: str, files: dict[str, str]
) -> None:
    asked = tuple(word.format_map(files) for word in words)
    told = [asked_in(each, asked) for each in (lang, "en")]
    assert [each.exit_code for each in told] == [code, code], told[0].output
    own, english = (set(each.output.splitlines()) - set(kept) for each in told)
    assert own
    shared = [line for line in own & english if len(WORDS.findall(line)) > 2]
    assert not shared, shared
