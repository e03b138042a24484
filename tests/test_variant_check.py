"""`check_file`: every problem of a variant file at once, with line and allowed values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

import sheshbesh as sb
from sheshbesh.rules import loader
from sheshbesh.rules.check import Problem, check_file, locate

Check = Callable[[str], list[Problem]]

GOOD = """\
name = "club_game"
title = "Club game"
base = "backgammon"
"""


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Check a text as if it were a file."""

    def run(text: str) -> list[Problem]:
        path = tmp_path / "game.toml"
        path.write_text(text, encoding="utf-8")
        return check_file(path)

    return run


def test_shipped_games_have_no_problem() -> None:
    for name in loader.names():
        assert check_file(loader.variants_folder / f"{name}.toml") == []


def test_a_game_that_only_names_its_base_is_one(check: Check) -> None:
    assert check(GOOD) == []


def test_a_copy_of_a_shipped_game_needs_another_name(check: Check) -> None:
    text = (loader.variants_folder / "tapa.toml").read_text(encoding="utf-8")
    assert [problem.key for problem in check(text)] == ["name"]
    assert check(text.replace('name = "tapa"', 'name = "my_tapa"', 1)) == []


def test_all_problems_at_once(check: Check) -> None:
    problems = check(
        'name = "Tapa 2"\n'
        'tilte = "X"\n'
        'base = "tapas"\n'
        "[board]\n"
        "setup = { 24 = 14, 30 = 1 }\n"
        "hand = 1\n"
        "[contact]\n"
        'kind = "hitt"\n'
        'source = "x"\n'
        "[hitrun]\n"
        'ban = "soft"\n'
        "[head]\n"
        "limit = true\n"
        'source = ""\n'
    )
    assert [(problem.line, problem.key) for problem in problems] == [
        (1, ""),
        (1, "name"),
        (2, "tilte"),
        (3, "base"),
        (4, "board"),
        (5, "board.setup"),
        (8, "contact.kind"),
        (10, "hitrun"),
        (13, "head.limit"),
        (14, "head.source"),
    ]
    messages = [problem.message for problem in problems]
    assert messages[0] == "title is missing"
    assert "did you mean 'title'?" in messages[2]
    assert "did you mean 'tapa'?" in messages[3]
    assert "khachapuri" in messages[3]
    assert messages[4] == "source is missing"
    assert messages[6] == '\'hitt\' is not allowed; allowed: "hit", "pin", "block"'
    assert "did you mean 'hit_run'?" in messages[7]
    assert messages[8] == "True is not allowed; allowed: whole numbers 0 to 15"
    assert str(problems[6]).startswith("line 8: contact.kind: ")


def own(table: str, **answers: str) -> str:
    """One axis table with a source."""
    lines = [f"{key} = {value}" for key, value in answers.items()]
    return f'[{table}]\nsource = "club"\n' + "\n".join(lines) + "\n"


BLOCKING = own("contact", kind='"block"')
PINNING = own("contact", kind='"pin"')


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        (own("board", checkers="14"), "board.checkers", "do not make 14"),
        (own("board", hand="1"), "board.hand", "15 checkers in the setup and 1 in hand do not make 15"),
        (own("board", setup="{ 24 = 7, 1 = 8 }"), "board.setup", "both sides would start"),
        (own("occupancy", stack_cap="4"), "occupancy.stack_cap", "a stack of 5"),
        (own("occupancy", quarter_until='"enemy_home"'), "occupancy.quarter_until", "limits nothing"),
        (PINNING + own("hit_run", ban='"soft"'), "hit_run.ban", "nothing is hit"),
        (own("bearoff", pinned_blocks="true"), "bearoff.pinned_blocks", "nothing is imprisoned"),
        (own("ending", mother='"at_once"'), "ending.mother", "nothing is imprisoned"),
        (own("prime", allowed='"in_home"'), "prime.allowed", "one checker closes no point"),
        (own("head", exception='"any_double"'), "head.exception", "nothing to except"),
        (own("head", limit="1") + own("board", setup="{ 23 = 15 }"), "head.limit", "no checker starts on 24"),
        (own("runner", to='"home"'), "runner.to", "can be hit"),
        (BLOCKING + own("runner", to='"home"'), "runner.to", "at the runner's goal"),
        (own("duty", dice='"voluntary"'), "duty.dice", "tie must be"),
        (own("throw", progression_from="1", double_steps="2"), "throw.double_steps", "four steps each"),
        (
            own("throw", progression_from="1", one_two_bonus='"always"'),
            "throw.one_two_bonus",
            "cannot both follow",
        ),
        (own("throw", unused_to_opponent="true"), "throw.unused_to_opponent", "no effect"),
        (own("ending", closed_area="true"), "ending.closed_area", "only where one checker closes a point"),
        (own("score", gammon="0"), "score.gammon", "a kind of gammon"),
        (own("score", left='"count"'), "score.left", "must be 0"),
        (own("score", single="3"), "score.single", "must not be worth less"),
        (own("score", backgammon="1"), "score.backgammon", "must not be worth less"),
    ],
)
def test_contradictions_between_axes(check: Check, text: str, key: str, words: str) -> None:
    problems = check(GOOD + text)
    found = [problem for problem in problems if problem.key == key and words in problem.message]
    assert found, problems
    assert (GOOD + text).splitlines()[found[0].line - 1].startswith(key.split(".")[1])


OPTION = """\
[options.soft]
doc = "d"
source = "s"
level = "rule"
[options.soft.values]
false = { hit_run = { ban = "none" } }
true = { hit_run = { ban = "soft" } }
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "words"),
    [
        ('level = "rule"', 'level = "house"', 7, "options.soft.level", '"rule" or "card"'),
        ('doc = "d"\n', "", 4, "options.soft", "doc is missing"),
        ('ban = "none"', 'ban = "soft"', 9, "options.soft.values.false", "first value is the game itself"),
        ("true = { hit", "true = { hi", 10, "options.soft.values.true.hi_run", "did you mean 'hit_run'"),
        ("ban", "bann", 9, "options.soft.values.false.hit_run.bann", "did you mean 'ban'"),
        ('"soft" }', '"softer" }', 10, "options.soft.values.true.hit_run.ban", '"none", "soft", "hard"'),
        ('{ ban = "soft" }', "3", 10, "options.soft.values.true.hit_run", "must be a table"),
        (
            'hit_run = { ban = "soft"',
            'head = { exception = "any_double"',
            10,
            "options.soft.values.true",
            "makes no game",
        ),
        ("options.soft", "options.cube", 4, "options.cube", "belongs to every table"),
        ("options.soft", "options.Soft", 4, "options.Soft", "small letters"),
    ],
)
def test_problems_of_options(check: Check, old: str, new: str, line: int, key: str, words: str) -> None:
    assert check(GOOD + OPTION) == []
    problems = check(GOOD + OPTION.replace(old, new))
    assert any((p.line, p.key) == (line, key) and words in p.message for p in problems), problems


def test_options_kept_from_the_base(check: Check) -> None:
    nardy = GOOD.replace("backgammon", "long_nardy")
    assert check(nardy + 'keep_options = ["koks"]\n') == []
    (problem,) = check(nardy + 'keep_options = ["koks", "mother"]\n')
    assert problem.line == 4
    assert "no option 'mother'" in problem.message
    assert "koks" in problem.message
    (problem,) = check(nardy + 'keep_options = ["home_mars"]\n' + own("score", home_mars="2"))
    assert problem.line == 4
    assert "differs in score.home_mars" in problem.message


def test_without_a_base_every_axis_must_be_answered(check: Check) -> None:
    (problem,) = check('name = "a"\ntitle = "A"\n')
    assert "no axis is answered" in problem.message
    problems = check('name = "a"\ntitle = "A"\n' + own("cube", use="false"))
    assert any("head.limit is missing" in problem.message for problem in problems)
    text = (loader.variants_folder / "backgammon.toml").read_text(encoding="utf-8")
    whole = text.replace('name = "backgammon"', 'name = "whole"').replace('"short_nardy"', "")
    assert check(whole) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('name = "a"\ntitle = \n', 2),
        ('name = "a"\n[board\n', 2),
        ('name = "a"\nname = "b"\n', 2),
        ('name = "a"\n\ntitle = "b', 3),
        ("x = " + "9" * 5000, 1),
        ("x = " + "[" * 20000, 1),
    ],
)
def test_what_is_not_toml_has_one_problem_with_its_line(check: Check, text: str, line: int) -> None:
    (problem,) = check(text)
    assert problem.line == line
    assert "not a TOML file" in problem.message


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * 20_000) + " = 1",
        "[" + ".".join(['"x,"'] * 20_000) + "]",
        "x = { " + " . ".join(["b"] * 5_000) + " = 1 }",
    ],
)
def test_a_key_of_thousands_of_parts_is_one_problem_at_once(check: Check, text: str) -> None:
    begun = process_time()
    (problem,) = check(f'# {"a." * 99}\nname = """{"b.c." * 99}"""\n{text}')
    assert problem.line == 3
    assert "more than 8 parts between dots" in problem.message
    assert process_time() - begun < 2


def test_no_message_repeats_a_key_of_ten_thousand_letters(check: Check) -> None:
    assert max(len(str(problem)) for problem in check(f"{'k' * 10_000} = 1")) < 1_000
    with pytest.raises(sb.VariantError) as raised:
        sb.variant("g" * 10_000)
    assert len(str(raised.value)) < 1_000


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "cannot be read" in check_file(tmp_path / "missing.toml")[0].message
    assert check_file("/dev/zero")[0].message == "/dev/zero: cannot be read: it has more than 256 KiB"
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    assert "cannot be read" in check_file(tmp_path / "latin.toml")[0].message


@pytest.mark.parametrize("value", ["1", '"x"', "[]", "[1, 2]", "{ a = 1 }", "true", "1979-05-27", "nan"])
@pytest.mark.parametrize(
    "key",
    ["name", "title", "aliases", "native", "base", "keep_options", "options", "board", "score", "region"],
)
def test_no_wrong_type_is_more_than_a_problem(check: Check, key: str, value: str) -> None:
    lines = [line for line in GOOD.splitlines() if not line.startswith(key)]
    assert all(1 <= problem.line <= 4 for problem in check("\n".join([f"{key} = {value}", *lines])))


def test_lines_of_keys() -> None:
    text = (
        "# [not.a.table]\n"
        'a = """\n'
        "b = 1\n"
        '[c]"""\n'
        "d.e = [\n"
        "  [1, 2], # ]\n"
        "  { f = 1 },\n"
        "]\n"
        '[g."h.i"]\n'
        "j = { k = { l = 'm = 1' }, n.o = 2 }\n"
        "[[p]]\n"
        "q = 1\n"
        "[g]\n"
        "r = 2"
    )
    lines = locate(text)
    assert lines == {
        ("a",): 2,
        ("d",): 5,
        ("d", "e"): 5,
        ("g",): 9,
        ("g", "h.i"): 9,
        ("g", "h.i", "j"): 10,
        ("g", "h.i", "j", "k"): 10,
        ("g", "h.i", "j", "k", "l"): 10,
        ("g", "h.i", "j", "n"): 10,
        ("g", "h.i", "j", "n", "o"): 10,
        ("p",): 11,
        ("p", "q"): 12,
        ("g", "r"): 14,
    }


TRICKS = {
    "escape": ("\\u001b[31m", "U+001B"),
    "bell": ("\\u0007", "U+0007"),
    "window title": ("\\u001b]0;owned\\u0007", "U+001B"),
    "delete": ("\\u007f", "U+007F"),
    "C1 introducer": ("\\u009b31m", "U+009B"),
    "right-to-left override": ("\\u202e", "U+202E"),
    "isolate": ("\\u2066", "U+2066"),
    "invisible filler": ("\\u3164", "U+3164"),
    "invisible tag": ("\\U000E0041", "U+E0041"),
    "line end in a title": ("\\n", "U+000A"),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_a_text_that_could_trick_a_terminal_is_refused_with_its_line(check: Check, trick: str) -> None:
    written, named = TRICKS[trick]
    for key in ("title", "region"):
        lines = [f'{key} = "Evil {written}"' if line.startswith(key) else line for line in GOOD.splitlines()]
        text = "\n".join(lines if key == "title" else [*lines, f'region = "Evil {written}"'])
        (problem,) = check(text)
        assert problem.key == key
        assert problem.line == (2 if key == "title" else 4)
        assert named in problem.message


def test_keys_options_and_lists_are_looked_at_as_well(check: Check) -> None:
    found = check(GOOD + 'aliases = ["a\\u001b"]\n"evil\\u202ekey" = 1\n[native]\nfa = "\\u0007"\n')
    assert {"aliases", "native.fa"} <= {problem.key for problem in found}
    assert any("U+202E" in problem.message for problem in found)
    told = "\n".join(map(str, found))
    assert not any(character in told for character in "\u001b\u0007\u202e")


def test_joiners_are_ordinary_in_persian_and_lines_in_prose(check: Check) -> None:
    assert check(GOOD + 'description = "one\\ntwo"\n[native]\nfa = "می\\u200cروم"\n') == []
