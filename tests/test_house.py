"""The project's rules that no linter checks: sizes, names of games, users of the core, the version."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import sheshbesh as sb

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "sheshbesh"
VARIANTS = PACKAGE / "rules" / "variants"

MAY_USE_CORE = {"work", "rules", "cube", "match", "engines", "training", "envs"}
"""Parts of the package that may import the compiled module; everybody else goes through them."""

RESULT_KINDS = {"single", "gammon", "backgammon"}
"""Words that name a class of result as well; they count as a game only beside a word from below."""

NAMES_A_GAME = re.compile(r"name|variant|game|alias", re.IGNORECASE)


def variant_names() -> frozenset[str]:
    """Every name and alias of a shipped game."""
    names: set[str] = set()
    for file in VARIANTS.glob("*.toml"):
        aliases = tomllib.loads(file.read_text(encoding="utf-8")).get("aliases", [])
        names |= {file.stem, *aliases}
    return frozenset(names)


def literals(node: ast.expr) -> set[str]:
    """The strings that an operand spells out, alone or in a tuple, list or set."""
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return set().union(*(literals(item) for item in node.elts))
    return set()


def is_about_a_game(word: str, others: str, names: frozenset[str]) -> bool:
    return word in names and (word not in RESULT_KINDS or NAMES_A_GAME.search(others) is not None)


def compared_names(source: str, names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield line and name of every comparison or match of something with a game's name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            others = " ".join(ast.unparse(item) for item in operands if not literals(item))
            words = set().union(*(literals(item) for item in operands))
        elif isinstance(node, ast.Match):
            others = ast.unparse(node.subject)
            patterns = [sub for case in node.cases for sub in ast.walk(case.pattern)]
            words = set().union(*(literals(sub.value) for sub in patterns if isinstance(sub, ast.MatchValue)))
        else:
            continue
        yield from ((node.lineno, word) for word in sorted(words) if is_about_a_game(word, others, names))


def uses_core(source: str) -> bool:
    """Whether a module of the package imports the compiled module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [f"{node.module or ''}.{alias.name}" for alias in node.names]
        else:
            continue
        if any("_core" in name.split(".") for name in found):
            return True
    return False


def python_files() -> list[Path]:
    return sorted(file for file in PACKAGE.rglob("*.py") if VARIANTS not in file.parents)


def test_the_package_has_the_version_that_the_code_states() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project, "it is stated in src/sheshbesh/__init__.py alone"
    assert project["dynamic"] == ["version"]
    assert version("sheshbesh") == sb.__version__


def test_no_code_compares_the_name_of_a_game() -> None:
    names = variant_names()
    assert list(compared_names('match game:\n    case "tapa" | "x": pass', names)) == [(1, "tapa")]
    compared = 'if "tapa" != g.name or k in ("tavla", "x"): pass'
    assert [name for _, name in compared_names(compared, names)] == ["tapa", "tavla"]
    quoted = re.compile("|".join(f"[\"']{name}[\"']" for name in names))
    found = [
        f"{file.relative_to(ROOT)}:{line}: {name}"
        for file in python_files()
        if quoted.search(source := file.read_text(encoding="utf-8"))
        for line, name in compared_names(source, names)
    ]
    assert not found


def test_the_core_knows_no_game_by_name() -> None:
    sources = [path for path in (ROOT / "cpp" / "src").rglob("*") if path.is_file()]
    files = [*sources, *(ROOT / "cpp" / "include").rglob("*.h")]
    assert files
    quoted = re.compile("|".join(f'"{name}"' for name in variant_names() - RESULT_KINDS))
    assert not [file.name for file in files if quoted.search(file.read_text(encoding="utf-8"))]


def test_only_the_lower_layers_use_the_compiled_module() -> None:
    users = {
        file.relative_to(PACKAGE).parts[0]
        for file in python_files()
        if "_core" in (source := file.read_text(encoding="utf-8")) and uses_core(source)
    }
    assert "rules" in users
    assert users <= MAY_USE_CORE
