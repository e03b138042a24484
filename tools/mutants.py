"""Faults are put into the code one by one, and the tests have to notice them.

    python tools/mutants.py [--seed 1] [--count 200] [--source DIRECTORY...] [TESTS...]

No file is changed: this file is also a plugin of pytest, which compiles one module with one fault while that
is imported. First the tests are run once to learn which of them call which function; each fault is then shown
to the cheapest of those that call its function. Says which faults nobody noticed, the first time and, for
those, by the tests that are left to `make soak`; leaves with 1 if the tests fail without any fault.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [f"src/sheshbesh/{name}" for name in ("rules", "match", "session")]
KEPT = ROOT / "build" / "mutants"

# What a run with a fault is told, through its environment.
_FAULT, _NOTES = "SHESHBESH_MUTANT", "SHESHBESH_CALLS"

_OF_A_KIND = 6
"""Cases of one test that a fault is shown to."""
_ENOUGH = 40.0
"""Seconds of the processor's time that the tests take which a fault is shown to."""

_COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COMPUTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Add,
}


# --- the faults ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """The change number `number` of those that a file has room for."""

    file: str
    number: int
    line: int
    function: int
    """The line in which the function begins, 0 outside of one."""
    what: str

    @property
    def place(self) -> str:
        """As editors know it."""
        return f"{self.file}:{self.line}"


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What can be put in the place of a node, with words for it."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARED:
        changed = copy.deepcopy(node)
        changed.ops[0] = _COMPARED[type(node.ops[0])]()
        yield f"{ast.unparse(node)} -> {ast.unparse(changed)}", changed
    elif isinstance(node, ast.BoolOp):
        other = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        yield f"{ast.unparse(node)} with {type(other).__name__}", ast.BoolOp(other, node.values)
    elif isinstance(node, ast.BinOp) and type(node.op) in _COMPUTED:
        new = ast.BinOp(node.left, _COMPUTED[type(node.op)](), node.right)
        yield f"{ast.unparse(node)} -> {ast.unparse(new)}", new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield f"{ast.unparse(node)} without not", node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield f"{ast.unparse(node)} -> {value}", ast.Constant(value)
    elif isinstance(node, ast.If | ast.IfExp):
        test = ast.UnaryOp(ast.Not(), node.test)
        changed_if = copy.copy(node)
        changed_if.test = test
        yield f"if not ({ast.unparse(node.test)})", changed_if
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield f"without {ast.unparse(node)}", ast.Pass()


class _Walker(ast.NodeTransformer):
    """Counts the places in which a module can be changed; makes the change that is `wanted`."""

    def __init__(self, file: str, wanted: int | None = None) -> None:
        self.file, self.wanted = file, wanted
        self.found: list[Fault] = []
        self._functions = [0]

    def visit(self, node: ast.AST) -> Any:
        """Look at a node and what is in it, but not at annotations, which nothing runs."""
        outside = len(self._functions)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            # The decorators belong to it, as the interpreter counts.
            lines = [each.lineno for each in getattr(node, "decorator_list", [])]
            self._functions.append(min([node.lineno, *lines]))
        chosen = None
        for what, changed in _changes(node):
            line = getattr(node, "lineno", 0)
            fault = Fault(self.file, len(self.found), line, self._functions[-1], what)
            if fault.number == self.wanted:
                chosen = ast.copy_location(changed, node)
            self.found.append(fault)
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_params"):
                continue
            if isinstance(value, list):
                value[:] = [self.visit(each) if isinstance(each, ast.AST) else each for each in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        del self._functions[outside:]
        return node if chosen is None else chosen


def faults_of(file: Path) -> list[Fault]:
    """All that can be put into a file, in the order of its text."""
    walker = _Walker(file.relative_to(ROOT).as_posix())
    walker.visit(ast.parse(file.read_text(encoding="utf-8")))
    return walker.found


def chosen(sources: list[str], seed: int, count: int) -> list[Fault]:
    """So many of them all, the same for the same seed and code."""
    files = sorted(file for source in sources for file in (ROOT / source).rglob("*.py"))
    every = [fault for file in files for fault in faults_of(file) if fault.function]
    return sorted(random.Random(seed).sample(every, min(count, len(every))), key=lambda each: each.place)


# --- the plugin ---------------------------------------------------------------------------------------

_called: set[tuple[str, int]] = set()


def _note(frame: FrameType, event: str, argument: object) -> None:
    if event == "call":
        _called.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))


def pytest_configure(config: pytest.Config) -> None:
    """Have the module with the fault compiled with it. No part of it may have been imported before."""
    if _FAULT not in os.environ:
        return
    file, number = os.environ[_FAULT].rsplit(":", 1)
    path, usual = str(ROOT / file), SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        if loader.path != path:
            return usual(loader, name)
        tree = _Walker(file, int(number)).visit(ast.parse(Path(path).read_text(encoding="utf-8")))
        code: CodeType = compile(ast.fix_missing_locations(tree), path, "exec")
        return code

    assert not any(getattr(module, "__file__", None) == path for module in sys.modules.values())
    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note which functions of ours a test calls, and what it takes."""
    if _NOTES not in os.environ:
        return (yield)
    _called.clear()
    began = time.process_time()
    sys.setprofile(_note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        ours = f"{ROOT}/src/"
        calls = [
            [name.removeprefix(f"{ROOT}/"), line] for name, line in sorted(_called) if name.startswith(ours)
        ]
        line = json.dumps([item.nodeid, round(time.process_time() - began, 3), calls])
        with Path(os.environ[_NOTES], f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as notes:
            notes.write(line + "\n")


# --- the runs -----------------------------------------------------------------------------------------


def _pytest(*words: str, environment: dict[str, str], limit: float | None = None) -> int:
    """Run tests quietly; their exit status, 1 too where they take longer than `limit` seconds."""
    path = os.pathsep.join(filter(None, [str(ROOT / "tools"), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "mutants", "-p", "no:cacheprovider", *words]
    try:
        return subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=limit,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        return 1


Calls = dict[tuple[str, int], list[tuple[float, str]]]


def learn(tests: list[str], marker: str) -> Calls:
    """Run the tests once: for each function the tests that call it, with what they take."""
    folder = KEPT / marker.replace(" ", "_")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*"):
        old.unlink()
    if _pytest("-n", "auto", "-m", marker, *tests, environment={_NOTES: str(folder)}) not in (0, 5):
        raise SystemExit(f"The tests ({marker}) fail without any fault.")
    calls: Calls = {}
    for file in folder.glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            test, cost, called = json.loads(line)
            for name, number in called:
                calls.setdefault((name, number), []).append((cost, test))
    return calls


def tests_for(fault: Fault, calls: Calls) -> list[str]:
    """The cheapest tests that call the function, few of a kind."""
    taken, kinds, cost = [], dict[str, int](), 0.0
    for seconds, test in sorted(calls.get((fault.file, fault.function), [])):
        kind = test.partition("[")[0]
        if kinds.get(kind, 0) < _OF_A_KIND and cost < _ENOUGH:
            kinds[kind] = kinds.get(kind, 0) + 1
            taken.append(test)
            cost += seconds
    return taken


def noticed(fault: Fault, tests: list[str], marker: str) -> bool:
    """Whether one of these tests fails with the fault."""
    if not tests:
        return False
    arguments = KEPT / f"{fault.file.replace('/', '.')}.{fault.number}.txt"
    arguments.write_text("\n".join(tests), encoding="utf-8")
    environment = {_FAULT: f"{fault.file}:{fault.number}"}
    status = _pytest("-n", "0", "-x", "-m", marker, f"@{arguments}", environment=environment, limit=600)
    arguments.unlink()
    return status != 0


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tests", nargs="*", default=["tests"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="faults, of all that there are")
    parser.add_argument("--source", nargs="*", default=SOURCES, help="folders of the code")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    faults = chosen(given.source, given.seed, given.count)
    left, markers = faults, ("not soak", "soak")
    for marker in markers:
        calls = learn(given.tests, marker)

        def is_noticed(fault: Fault, calls: Calls = calls, marker: str = marker) -> bool:
            return noticed(fault, tests_for(fault, calls), marker)

        with ThreadPoolExecutor(given.jobs) as pool:
            answers = list(pool.map(is_noticed, left))
        unseen = [fault for fault, seen in zip(left, answers, strict=True) if not seen]
        print(f"{marker}: {len(left) - len(unseen)} of {len(left)} faults noticed", flush=True)
        left = unseen
    for fault in left:
        print(f"nobody noticed {fault.place}: {fault.what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
