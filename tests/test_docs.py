"""The documentation is true: its examples run, its generated pages are current, what it links to exists."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from pathlib import Path

import pytest
from click.testing import CliRunner
from numpydoc.validate import validate

import sheshbesh as sb
from sheshbesh.cli.main import cli

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, kind: str) -> Iterator[tuple[int, str]]:
    """The fenced blocks of a kind, each with its line."""
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        if found["kind"] == kind:
            yield text.count("\n", 0, found.start("text")), found["text"]


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


WITH_EXAMPLES = [page for page in PAGES if any(blocks(page, "pycon"))]


def test_the_readme_and_the_guide_have_examples() -> None:
    names = {named(page) for page in WITH_EXAMPLES}
    assert {"README.md", "docs/guide/python.md", "docs/guide/notation.md", "docs/guide/own-game.md"} <= names


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=named)
def test_examples_give_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All examples of a page form one session; a whole variant file on the page lies beside it."""
    monkeypatch.chdir(tmp_path)
    for _, text in blocks(page, "toml"):
        if text.startswith("name ="):
            Path(f"{tomllib.loads(text)['name']}.toml").write_text(text, "utf-8")
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names: dict[str, object] = {}
    for line, text in blocks(page, "pycon"):
        test = doctest.DocTestParser().get_doctest(text, names, named(page), str(page), line)
        runner.run(test, out=report.append, clear_globs=False)
        names = test.globs
    assert runner.tries > 0
    assert not runner.failures, "".join(report)


WITH_PROGRAMS = [page for page in PAGES if page.parent.name == "guide" and any(blocks(page, "python"))]


@pytest.mark.parametrize("page", WITH_PROGRAMS, ids=named)
def test_programs_of_the_guide_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of a page are one program; the files that they name lie beside it."""
    monkeypatch.chdir(tmp_path)
    played = sb.Game("hypergammon", dice=[(2, 1)], white="Ana", black="Bo")
    played.roll()
    played.play(played.legal[0])
    played.resign("single")
    sb.write_match(played, "game.txt")
    shutil.copy(ROOT / "tests/data/review/analysed.sgf", "game.sgf")
    Path("nets").mkdir()
    for end in (".net", ".json"):
        net = shutil.copy(ROOT / f"src/sheshbesh/engines/nets/tapa{end}", f"my_tapa{end}")
        shutil.copy(net, "nets")
    names: dict[str, object] = {}
    for line, text in blocks(page, "python"):
        exec(compile("\n" * line + text, str(page), "exec"), names)


def commands(page: Path) -> Iterator[list[str]]:
    """The commands of `sheshbesh` on a page, in blocks and in sentences."""
    texts = [text.replace("\\\n", "") for kind in ("sh", "console") for _, text in blocks(page, kind)]
    lines = [line for line in "".join(texts).splitlines() if "sheshbesh " in line]
    for line in (*lines, *re.findall(r"`(sheshbesh [^`]*)`", page.read_text("utf-8"))):
        words = shlex.split(re.split(r" [|>&#]", line.removeprefix("$ "))[0], comments=True)
        while words and "=" in words[0]:
            words = words[1:]
        if words[:1] == ["sheshbesh"]:
            yield words[1:]


def test_commands_of_the_pages_have_the_options_that_they_name() -> None:
    today = [page for page in PAGES if page.name != "before-1.0.md"]
    asked = [(named(page), words) for page in today for words in commands(page)]
    assert len(asked) > 150
    # Help comes before anything is read or begun, and after an option that is not there.
    answers = [CliRunner().invoke(cli, [*words, "--help"]) for _, words in asked]
    wrong = [(*each, answer.output) for each, answer in zip(asked, answers, strict=True) if answer.exit_code]
    assert not wrong


PUBLIC = ("sheshbesh", "sheshbesh.formats", "sheshbesh.testing")
SECTIONS = {
    *("GL03", "GL05", "GL06", "GL07", "GL08"),  # form, order and names of sections
    *("SS02", "SS03", "SS05", "SS06"),  # a summary of one line, with an infinitive
    *("PR01", "PR02", "PR03", "PR04", "PR05", "PR06", "PR07", "PR08", "PR09", "PR10"),  # every parameter
    *("RT01", "RT02", "RT03", "RT04", "RT05", "YD01"),  # what is returned
    "EX01",
}
"""What numpydoc checks, by its codes; it asks for examples and sections "See Also" of methods too."""


def public_names() -> Iterator[tuple[str, object]]:
    """Everything that the modules export, with the methods and properties of its classes."""
    for module in map(importlib.import_module, PUBLIC):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isroutine(thing) or inspect.isclass(thing):
                yield f"{module.__name__}.{name}", thing
            for part, member in vars(thing).items() if inspect.isclass(thing) else ():
                is_code = inspect.isroutine(member) or isinstance(member, (property, cached_property))
                if is_code and not part.startswith("_"):
                    yield f"{module.__name__}.{name}.{part}", member


def test_no_public_signature_leaves_a_type_open() -> None:
    shown = {
        name: str(inspect.signature(code))
        for name, thing in public_names()
        for code in (getattr(thing, "__func__", getattr(thing, "fget", getattr(thing, "func", thing))),)
        if inspect.isfunction(code)
    }
    assert len(shown) > 200
    assert not {name: signature for name, signature in shown.items() if re.search(r"\bAny\b", signature)}


def wanted_of(thing: object) -> set[str]:
    """The codes that count for a thing: methods go without examples, errors without those of their base."""
    if not inspect.isclass(thing):
        return (
            SECTIONS if inspect.isfunction(thing) and "." not in thing.__qualname__ else SECTIONS - {"EX01"}
        )
    inherited = issubclass(thing, (Exception, Enum)) and "__init__" not in vars(thing)
    return (
        SECTIONS - ({"PR01"} if inherited else set()) - ({"EX01"} if issubclass(thing, Exception) else set())
    )


def test_docstrings_of_everything_public_have_their_sections() -> None:
    faults = [
        f"{name}: {code} {what}"
        for name, thing in public_names()
        for code, what in validate(name)["errors"]
        if code in wanted_of(thing)
    ]
    assert not faults


def test_generated_pages_are_current() -> None:
    generator = [sys.executable, str(ROOT / "tools" / "generate_docs.py"), "--check"]
    outcome = subprocess.run(generator, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr


def test_the_menu_of_the_docs_lists_every_page_once() -> None:
    """`mkdocs --strict` checks this as well, but only when the pages are built."""
    menu = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]
    listed = re.findall(r"(\S+\.md)$", menu, re.MULTILINE)
    assert sorted(listed) == sorted(
        page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")
    )


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=named)
def test_links_of_the_pages_in_the_root_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text("utf-8"))
    lost = []
    for target, fragment in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)", text):
        there = ROOT / target if target else page
        headings = (
            re.findall(r"^#+ (.*)$", there.read_text("utf-8"), re.MULTILINE)
            if fragment and there.is_file()
            else []
        )
        if not there.is_file() or (fragment and fragment not in map(anchor, headings)):
            lost.append(f"{target}#{fragment}")
    assert not lost


PLACES = ("", "src/sheshbesh", "cpp", "cpp/include/sheshbesh", "cpp/src", "tests/reference")


@pytest.mark.parametrize("page", [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"], ids=named)
def test_files_that_these_pages_name_exist(page: Path) -> None:
    text = re.sub(r"^```[\s\S]*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE)
    names = set(re.findall(r"`([\w.*/-]+/[\w.*-]*|[\w*-]+\.(?:py|cpp|h|toml|json|po))`", text)) - NOT_IN_GIT
    assert len(names) > 20
    assert not sorted(name for name in names if not any(any((ROOT / place).glob(name)) for place in PLACES))


NOT_IN_GIT = {"site/", "hyper_tapa.toml", "checkpoints/"}
"""What pages name though it is only there once somebody has made it."""


def test_pictures_are_small_and_shown_somewhere() -> None:
    pictures = sorted((ROOT / "docs" / "images").iterdir())
    assert pictures
    shown = "".join(page.read_text("utf-8") for page in PAGES)
    for picture in pictures:
        assert picture.stat().st_size <= 150_000, picture
        assert f"images/{picture.name}" in shown, picture


SHEETS = ROOT / "docs" / "rules"
CITING = [
    *sorted((ROOT / "src").rglob("*.py")),
    *sorted((ROOT / "src").rglob("*.toml")),
    *sorted(path for path in (ROOT / "cpp").rglob("*") if path.suffix in (".h", ".cpp")),
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
]


def test_every_sheet_that_is_cited_exists() -> None:
    sheets = (SHEETS / "rules.md").read_text("utf-8") + (SHEETS / "kin.md").read_text("utf-8")
    known = set(re.findall(r"^### ([AD]\d+)\. ", sheets, re.MULTILINE))
    known |= set(re.findall(r"^### (D0)\b", sheets, re.MULTILINE))
    known |= set(re.findall(r"^\| (B \d+[a-d]?) \|", sheets, re.MULTILINE))
    assert len(known) > 60
    cited = {
        (sheet, named(path))
        for path in CITING
        for sheet in re.findall(
            r"\b(B \d+[a-d]?|[AD]\d+)\b(?=[,;:.)\]\"' ]|$)", path.read_text("utf-8"), re.MULTILINE
        )
    }
    assert len(cited) > 40
    assert not sorted((sheet, path) for sheet, path in cited if sheet not in known)
