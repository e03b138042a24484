"""The project's rules that no linter checks: sizes, names of games, users of the core, the version."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

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


def page_modules() -> list[Path]:
    """The page's own modules, without what others wrote and what `make pack` made."""
    return sorted(
        file for file in (PACKAGE / "web").rglob("*.js") if not {"vendor", "packed"} & set(file.parts)
    )


def test_the_package_has_the_version_that_the_code_states() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project, "it is stated in src/sheshbesh/__init__.py alone"
    assert project["dynamic"] == ["version"]
    assert version("sheshbesh") == sb.__version__


def test_no_code_compares_the_name_of_a_game() -> None:
    names = variant_names()
    assert names
    found = [
        f"{file.relative_to(ROOT)}:{line}: {name}"
        for file in python_files()
        for line, name in compared_names(file.read_text(encoding="utf-8"), names)
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
        if uses_core(file.read_text(encoding="utf-8"))
    }
    assert "rules" in users
    assert users <= MAY_USE_CORE


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('if name == "tapa": pass', {"tapa"}),
        ('if "tavla" != game.name: pass', {"tavla"}),
        ('if key in ("tapa", "other"): pass', {"tapa"}),
        ('match key:\n    case "tapa" | "tavla": pass', {"tapa", "tavla"}),
        ('if game.name == "backgammon": pass', {"backgammon"}),
        ('if result.kind == "backgammon": pass', set()),
        ('game = "tapa"', set()),
        ('if contact == "pin": pass', set()),
    ],
)
def test_the_search_for_compared_names_itself(source: str, expected: set[str]) -> None:
    names = frozenset({"tapa", "tavla", "backgammon"})
    assert {word for _, word in compared_names(source, names)} == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import sheshbesh._core", True),
        ("from sheshbesh import _core", True),
        ("from sheshbesh._core import Ruleset", True),
        ("from .._core import Ruleset", True),
        ("from sheshbesh.rules import Position", False),
    ],
)
def test_the_search_for_users_of_the_core_itself(*, source: str, expected: bool) -> None:
    assert uses_core(source) is expected


def runtime_imports(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import that runs, in functions too; those under TYPE_CHECKING do not."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from runtime_imports(node.orelse)
        else:
            for part in ("body", "orelse", "finalbody", "handlers", "cases"):
                yield from runtime_imports(getattr(node, part, []))


def import_graph(sources: dict[str, str]) -> dict[str, set[str]]:
    """Module -> the modules that it imports, of those given by name and source."""
    graph: dict[str, set[str]] = {}
    for module, source in sources.items():
        found: set[str] = set()
        for node in runtime_imports(ast.parse(source).body):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif node.module == PACKAGE.name:
                # The compiled module and the package's own names look alike here; only modules count.
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
            else:
                whole = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= {name if name in sources else str(node.module) for name in whole}
        graph[module] = {name for name in found if name in sources} - {module}
    return graph


def import_rings(graph: dict[str, set[str]]) -> list[set[str]]:
    """The groups of modules that import each other, directly or by way of others."""
    reached = {module: set(imports) for module, imports in graph.items()}
    changed = True
    while changed:
        changed = False
        for found in reached.values():
            size = len(found)
            found.update(*(reached[module] for module in tuple(found)))
            changed |= len(found) > size
    rings: list[set[str]] = []
    for module, found in sorted(reached.items()):
        if module in found and not any(module in ring for ring in rings):
            rings.append({other for other in found if module in reached[other]})
    return rings


def test_at_most_two_modules_import_each_other() -> None:
    sources = {}
    for file in python_files():
        name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        sources[name] = file.read_text(encoding="utf-8")
    graph = import_graph(sources)
    assert "sheshbesh.rules.position" in graph["sheshbesh.rules.variant"]
    assert not [sorted(ring) for ring in import_rings(graph) if len(ring) > 2]


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ({"a": "import b", "b": "from c import C", "c": "def f():\n    from a import A"}, [{"a", "b", "c"}]),
        ({"a": "import b", "b": "import a", "c": "import a"}, [{"a", "b"}]),
        ({"a": "import b", "b": "if TYPE_CHECKING:\n    import a"}, []),
        ({"p.a": "from p import b", "p.b": "from p.a import A"}, [{"p.a", "p.b"}]),
    ],
)
def test_the_search_for_import_rings_itself(sources: dict[str, str], expected: list[set[str]]) -> None:
    assert import_rings(import_graph(sources)) == expected
