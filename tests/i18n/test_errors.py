"""Errors about files, positions and records are told in the reader's language; none is English alone."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

import sheshbesh as sb
from sheshbesh import errors
from sheshbesh.cli.main import cli
from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.formats import parse_any_id
from sheshbesh.i18n import JoinedText, PluralText, Text, languages, translate
from sheshbesh.i18n.catalogue import SOURCE, messages
from sheshbesh.match import Card
from sheshbesh.records import Repair, read_match
from sheshbesh.session import Record
from tests.records.fuzz import stirred
from tests.records.help import DATA

PACKAGE = Path(sb.__file__).parent
SPOKEN = [each.code for each in languages() if each.code != SOURCE]

# What players, operators of a terminal and visitors of a site can meet by what they type or hand in.
MET = ("formats", "match", "players", "records", "reviews", "rules", "session", "work")
COMMANDS = [
    path
    for path in sorted((PACKAGE / "cli").rglob("*.py"))
    if path.parent.name == "terminal" or "language_option" in path.read_text("utf-8")
]
RAISED = {name for name in vars(errors) if name.endswith("Error")} | {
    "UserError",
    "UsageError",
    "BadParameter",
}
TOLD = {"repair", "Repair", "_lost", "_unreadable", "_error", "at_line"}
"""Functions that make a sentence of theirs from the last of their arguments; the first two take two."""

FOR_PROGRAMS = re.compile(
    "first_turn is|a phase is|finished turns are|.* is a list of numbers|.* has no points of its own"
    "|no rule .* for statistics|no dialect|no form|this place of work is closed|this is no state of a match"
    "|positions are an array|arrays need the extra|a review looks"
)
"""Sentences that only somebody who writes a program can meet."""


def sentences(path: Path) -> Iterator[tuple[int, ast.expr]]:
    """The sentences that errors and repairs of a module are made with, with their lines."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in RAISED or (
            name == "append" and getattr(getattr(node.func, "value", None), "id", "") == "problems"
        ):
            yield node.lineno, node.args[0]
        elif name in TOLD:
            yield from ((node.lineno, each) for each in node.args[-2 if "epair" in name else -1 :])


def plain(sentence: ast.expr) -> str | None:
    """A sentence that is a str of its own; None for one that is a text, or was made elsewhere."""
    if isinstance(sentence, ast.Constant):
        return sentence.value if isinstance(sentence.value, str) else None
    if isinstance(sentence, ast.JoinedStr | ast.BinOp):
        return ast.unparse(sentence).removeprefix("f").strip("'\"")
    if isinstance(sentence, ast.IfExp):
        return plain(sentence.body) or plain(sentence.orelse)
    if isinstance(sentence, ast.Call) and getattr(sentence.func, "attr", "") in ("join", "format"):
        return ast.unparse(sentence)
    return None


@pytest.mark.parametrize(
    "path",
    [*(path for name in MET for path in sorted((PACKAGE / name).rglob("*.py"))), *COMMANDS],
    ids=lambda path: path.relative_to(PACKAGE).as_posix(),
)
def test_no_error_that_players_meet_is_english_alone(path: Path) -> None:
    found = [(line, said) for line, each in sentences(path) if (said := plain(each)) is not None]
    assert [(line, said) for line, said in found if not FOR_PROGRAMS.match(said)] == []


def test_a_sentence_of_its_own_is_found(tmp_path: Path) -> None:
    file = tmp_path / "new.py"
    file.write_text(
        'def f(x):\n    raise RecordError(f"line {x}: none")\n'
        'def g(x, y):\n    x.repair(1, "x", Text("known"), "left out")\n'
        'def h(x):\n    raise RecordError(Text("line {n}", n=x) if x else "; ".join(x))\n'
    )
    found = [(line, said) for line, each in sentences(file) if (said := plain(each)) is not None]
    assert found == [(2, "line {x}: none"), (4, "left out"), (6, "'; '.join(x)")]


# What is said of inputs


def untranslated(text: str, lang: str) -> list[str]:
    """The templates of a text, and of the texts within it, that a language lacks."""
    if not isinstance(text, Text):
        return [str(text)] if re.search(r"[a-z]{3,} [a-z]{2,} ", text) and "'" not in text else []
    if isinstance(text, JoinedText):
        return [each for part in text.parts for each in untranslated(part, lang)]
    key = text.one if isinstance(text, PluralText) else text.template
    own = messages(lang)
    lacks = re.search("[a-z]{2}", re.sub(r"\{\w+\}", "", key)) and not (own.find(key) or own.plurals.get(key))
    return [key] * bool(lacks) + [
        each
        for value in text.values.values()
        if isinstance(value, Text)
        for each in untranslated(value, lang)
    ]


XGID = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10"
OGID = "11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:7:0:15"
HEADER = '{"format":"sheshbesh-record","version":1,"card":"backgammon.p5","match":"m"}\n'


def read(text: str) -> Callable[[], object]:
    return lambda: read_match(text.encode("utf-8", "surrogatepass"))


def id_of(text: str, game: str = "backgammon") -> Callable[[], object]:
    return lambda: parse_any_id(text, game)


def play_of(text: str) -> Callable[[], object]:
    return lambda: sb.variant("backgammon").start().parse_play(text, (3, 1))


def mat(row: str) -> str:
    return f"5 point match\n\n Game 1\n Anna : 0          Ben : 0\n{row}\n"


BAD: dict[str, Callable[[], object]] = {
    "empty": read(""),
    "unknown": read("hello\n"),
    "null": read("5 point match\n\0"),
    "no game": read("5 point match\n"),
    "no row": read(mat("")),
    "long row": read(mat("a" * 100_000)),
    "many rows": read("\n" * 300_000 + mat("")),
    "score": read(mat("").replace("Anna : 0", "Anna : 9") + "  1) 31: 8/5 6/5\n"),
    "utf-16": lambda: read_match(b"\xff\xfe5"),
    "tree": read("(;GM[6]"),
    "tree of another game": read("(;GM[1]AP[x])"),
    "tree of nothing": read("(;GM[6]A)"),
    "tree value": read("(;GM[6]A[b"),
    "tree end": read("(;GM[6]))"),
    "tree length": read("(;GM[6]MI[length:-5];B[31hefe])"),
    "json": read('{"a": '),
    "json list": read('{"games": 1}'),
    "json without": read("{}"),
    "xg": lambda: read_match(b"RGMH" + b"\0" * 60),
    "record empty": lambda: Record.from_text(""),
    "record cut": lambda: Record.from_text(HEADER[:30]),
    "record json": lambda: Record.from_text("none\n"),
    "record line": lambda: Record.from_text(HEADER + "none\n"),
    "record format": lambda: Record.from_text('{"format":"x"}\n'),
    "record version": lambda: Record.from_text(HEADER.replace('"version":1', '"version":9')),
    "record card": lambda: Record.from_text(HEADER.replace("p5", "q5")),
    "id": id_of("hello"),
    "id twice": id_of(f"XGID={XGID} XGID={XGID[:-1]}1"),
    "id turn": id_of("B4e1c3Ee3C1E4b:x"),
    "id short": id_of("B4e1c3Ee3C1E3b:w"),
    "id field": id_of("B4e1c3Ee3C1E4b:w:z3"),
    "id long": id_of("B" * 300 + ":w"),
    "id impossible": id_of("C4e1c3Ee3C1E4b:w"),
    "id of another game": id_of(f"XGID={XGID}", "tapa"),
    "xgid board": id_of("XGID=" + XGID[1:]),
    "xgid letter": id_of("XGID=-z" + XGID[2:]),
    "xgid fields": id_of("XGID=" + XGID.replace(":0:0:0", "")),
    "xgid number": id_of("XGID=" + XGID.replace(":5:10", ":x:10")),
    "xgid dice": id_of("XGID=" + XGID.replace(":31:", ":77:")),
    "xgid turn": id_of("XGID=" + XGID.replace(":0:0:1:", ":0:0:3:")),
    "xgid owner": id_of("XGID=" + XGID.replace(":0:0:1:", ":0:7:1:")),
    "xgid score": id_of("XGID=" + XGID.replace(":31:0:0:", ":31:9:0:")),
    "xgid cube": id_of("XGID=" + XGID.replace(":0:0:1:", ":40:0:1:")),
    "xgid flag": id_of("XGID=" + XGID.replace(":0:0:0:5", ":0:0:8:5")),
    "xgid empty": id_of("XGID=" + "-" * 26 + ":0:0:1:31:0:0:0:5:10"),
    "gnubg length": id_of("GNUBGID=4HPwATDgc/"),
    "gnubg letter": id_of("GNUBGID=4HPwATDgc/AB*A"),
    "gnubg no match": id_of("4HPwATDgc/ABMA:"),
    "gnubg match": id_of("4HPwATDgc/ABMA:cAkA", "backgammon"),
    "gnubg places": id_of("GNUBGID=//////////////"),
    "ogid cube": id_of("OGID=" + OGID.replace("N0N", "Q0N")),
    "ogid turn": id_of("OGID=" + OGID.replace(":W:IW", ":Q:IW")),
    "ogid dice": id_of("OGID=" + OGID.replace("N0N::", "N0N:99:")),
    "ogid place": id_of("OGID=" + OGID.replace("11jj", "1*jj")),
    "ogid number": id_of("OGID=" + OGID.replace(":0:0:7", ":z:0:7")),
    "play": play_of("hello"),
    "play point": play_of("99/3"),
    "play up": play_of("3/9"),
    "play times": play_of("8/5(9)"),
    "play long": play_of("8/5 " * 12),
    "play hit": play_of("8/off*"),
    "play illegal": play_of("24/10"),
    "dice": lambda: sb.variant("backgammon").start().parse_play("8/5", (7, 1)),
    "card": lambda: Card.from_code("backgammon.q7"),
    "card length": lambda: Card.from_code("backgammon.g4"),
    "card option": lambda: Card.from_code("backgammon.p5.none=1"),
    "card clock": lambda: Card.from_code("backgammon.p5.clock-x"),
    "card clock 0": lambda: Card.from_code("backgammon.p5.clock-t0"),
    "score beyond": lambda: sb.MatchState(length=5, white=-1, cube=3),
    "board": lambda: sb.variant("backgammon").position({"white": {"25": 2}, "x": 1}, "white"),
}
"""Bad inputs of every kind that is read."""


@pytest.mark.parametrize("lang", SPOKEN)
@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_with_an_input_is_told_in_the_language(name: str, lang: str) -> None:
    with pytest.raises(SheshbeshError) as caught:
        BAD[name]()
    message = caught.value.message
    assert message == str(caught.value)
    assert isinstance(message, Text)
    assert untranslated(message, lang) == []
    for problem in getattr(caught.value, "problems", ()):
        assert untranslated(problem, lang) == []
    assert translate(message, lang) != message


def test_repairs_of_a_file_are_told_in_every_language() -> None:
    rng = random.Random(1)
    repairs: list[Repair] = []
    for name in ("galaxy_xg_style.txt", "four_ways.txt", "analysed.sgf", "four_ways.xg", "bgblitz_cube.txt"):
        for _ in range(12):
            with suppress(RecordError):
                repairs += read_match(stirred((DATA / name).read_bytes(), rng)).repairs
    assert len({getattr(each.reason, "template", None) for each in repairs}) >= 20
    for lang in SPOKEN:
        assert [each for repair in repairs for each in untranslated(repair.text, lang)] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["convert", "--to", "json", "bad.mat", "--lang", "fa"], "پس از طول مسابقه دستی نمی‌آید"),
        (["review", "bad.mat", "--lang", "ru"], "за длиной матча нет ни одной партии"),
        (["play", "--position", "XGID=1", "--lang", "tr"], "XGID'de iki nokta arasında"),
        (["play", "--match", "5", "--money", "--lang", "ar"], "ثلاث طرق للعب"),
        (["convert", "missing.mat", "--to", "json", "--lang", "tr"], "böyle bir dosya ya da klasör yok"),
        (["convert", "folder", "--to", "json", "--lang", "ru"], "это папка"),
        (["play", "--resume", "folder", "--lang", "fa"], "این یک پوشه است"),
        (["verify-dice", "folder", "--lang", "ar"], "هذا مجلد"),
        (["verify-dice", "bad.mat", "--envelope", "missing.mat", "--lang", "tr"], "klasör yok"),
        (["verify-tournament", "/dev/zero", "--lang", "tr"], "64 MiB sınırından büyük"),
        (["verify-tournament", "missing.mat", "--lang", "ru"], "нет такого файла"),
        (["rules", "missing.toml", "--lang", "fa"], "چنین پرونده"),
        (["records", "show", "bad.mat", "--lang", "tr"], "JSON değil"),
    ],
)
def test_a_command_tells_it_in_its_language(words: list[str], said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.mat"
    file.write_text("5 point match\n")
    (tmp_path / "folder").mkdir()
    here = [str(tmp_path / word) if re.fullmatch(r"folder|\w+\.(mat|toml)", word) else word for word in words]
    done = CliRunner().invoke(cli, here)
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert "\\u20" not in done.output, "what keeps the order of the words is not written out"
