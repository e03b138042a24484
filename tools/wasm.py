"""Build the core as WebAssembly: the two modules, and the rules of the games as they read them.

    .venv/bin/python tools/wasm.py [--check | --rules] [--to FOLDER]

Modules and rules are committed, with the digest of what the modules are made of. `--check` compares
digests alone, `--rules` writes the rules alone (after a change of a game or a net), `--to` writes
elsewhere. Modules need the compiler of the extra `wasm`; its cache is `build/wasm`. The same sources and
the same compiler give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pins

ROOT = pins.ROOT
FOLDER = ROOT / "src" / "sheshbesh" / "web" / "engine"
CACHE = ROOT / "build" / "wasm"

SOURCES = (
    "src/description.cpp",
    "src/explain.cpp",
    "src/movegen.cpp",
    "src/playout.cpp",
    "src/position_id.cpp",
    "src/rows.cpp",
    "src/ruleset.cpp",
    "src/score.cpp",
    "src/state.cpp",
    "src/turn.cpp",
    "src/turn_graph.cpp",
    "src/engine/cache.cpp",
    "src/engine/classes.cpp",
    "src/engine/cube_model.cpp",
    "src/engine/cubeful_utility.cpp",
    "src/engine/evaluator.cpp",
    "src/engine/features.cpp",
    "src/engine/inputs.cpp",
    "src/engine/kernels.cpp",
    "src/engine/move_filter.cpp",
    "src/engine/net.cpp",
    "src/engine/reasons.cpp",
    "src/engine/rollout.cpp",
    "src/engine/search.cpp",
    "src/engine/static_evaluator.cpp",
    "src/engine/threats.cpp",
    "src/engine/weakness.cpp",
    "wasm/api.cpp",
    "wasm/exceptions.cpp",
    "wasm/score_laws.cpp",
)
"""What the modules need of the core, in `cpp/`; the linker names whatever is missing."""

SEARCHING = frozenset(
    {
        "src/movegen.cpp",
        "src/turn.cpp",
        "src/turn_graph.cpp",
        "src/engine/evaluator.cpp",
        "src/engine/inputs.cpp",
        "src/engine/search.cpp",
        "src/engine/static_evaluator.cpp",
    }
)
"""The sources in which a search spends its time; the others are compiled to be small."""

KERNELS = "src/engine/kernels_wasm.cpp"
BUILDS = {"simd": (), "relaxed": ("-mrelaxed-simd",)}
"""The modules, with what their kernels are compiled with besides."""

TARGET = ("-target", "wasm32-wasi")
LANGUAGE = ("-std=c++20", "-DNDEBUG", "-ffp-contract=off", "-fno-rtti")
COMPILED = (*TARGET, *LANGUAGE, "-msimd128", "-Icpp/include")
QUICK, SMALL = "-O3", "-Oz"
LINKED = (*TARGET, "-mexec-model=reactor", "-O3", "-msimd128", "-s")

_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def _files() -> list[Path]:
    """The sources with every header that they include, by name."""
    found: set[Path] = set()
    waiting = [ROOT / "cpp" / name for name in (*SOURCES, KERNELS)]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        for name in _INCLUDE.findall(file.read_text(encoding="utf-8")):
            beside = (file.parent / name).resolve()
            waiting.append(beside if beside.is_file() else ROOT / "cpp" / "include" / name)
    return sorted(found)


def sources() -> str:
    """The digest of all that the modules are made of: sources, compiler and what it is told."""
    digest = hashlib.sha256(
        repr((SOURCES, sorted(SEARCHING), KERNELS, BUILDS, COMPILED, QUICK, SMALL, LINKED)).encode()
    )
    digest.update(pins.read("wasm").encode())
    for file in _files():
        digest.update(f"\n{file.relative_to(ROOT).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def rules() -> dict[str, Any]:
    """The rules of the shipped games as the core reads them, the net of each, and what is measured of it.

    `weights` are those of the features for reasons, `errors` the engine's error of a difference by plies;
    `levels` say how deep each looks and what it lacks, `limits` below which loss a play has which grade.
    """
    from sheshbesh.engines import LEVELS, registry
    from sheshbesh.engines.explain.features import weights
    from sheshbesh.engines.explain.verdict import LIMITS
    from sheshbesh.engines.strength.levels import candidate_errors
    from sheshbesh.rules import variant, variants
    from sheshbesh.rules.variant import compiled

    games: dict[str, Any] = {}
    names: list[str] = []
    for name in variants():
        game = variant(name)
        found = registry.find(game)
        answers, setup = compiled(game.axes)
        names = names or list(answers)
        games[name] = {
            "answers": [answers[axis] for axis in names],
            "setup": [setup.get(point, 0) for point in range(1, 25)],
            "net": found.manifest.sha256,
            "classMap": list(found.class_map),
            "approximate": found.approximate,
            "weights": weights(game),
            "errors": candidate_errors(game),
        }
    levels = {
        level.name: {"plies": level.plies, "settles": level.settles, "weakness": level.weakness.numbers}
        for level in LEVELS
    }
    return {"axes": names, "levels": levels, "limits": dict(LIMITS), "games": games}


def games() -> dict[str, Any]:
    """What a match without a server is played by: of each game its table, its board and how it ends.

    The rest are numbers that are the same for all; chances to win a match stand in `equities`.
    """
    from dataclasses import asdict

    from sheshbesh.cube.decision import EVEN, NEARLY
    from sheshbesh.cube.values import MOST_DOUBLES, NOTHING, shipped_efficiency
    from sheshbesh.engines.explain.verdict import LIMITS
    from sheshbesh.engines.outcome import Classes
    from sheshbesh.engines.rollout.subjects import CUT_SHORT, MARGIN
    from sheshbesh.engines.utility import EVEN_AT_SCORE, turned_share
    from sheshbesh.match import Card, Contest
    from sheshbesh.players.data import question_data
    from sheshbesh.rules import variant, variants
    from sheshbesh.session.board_data import layout_data

    found: dict[str, Any] = {}
    for name in variants():
        game = variant(name)
        card = Card(game=name, contest=Contest.MONEY, length=None)
        classes, start = Classes.of(game), game.start()
        found[name] = {
            "title": game.title,
            "fingerprint": game.fingerprint,
            "classes": [list(each) for each in classes.all],
            "counted": classes.counted,
            "cube": card.has_cube,
            "limit": game.axes["cube"]["limit"],
            "table": dict(game.axes["table"]),
            "opening": dict(game.axes["opening"]),
            "losses": game.losses(start, start.turn),
            "left": game.axes["score"]["left"],
            "double": game.axes["throw"]["double_steps"],
            "layout": layout_data(game),
        }
    limits = question_data({"limits": [["best", EVEN], *(list(each) for each in LIMITS)]})
    efficiency = shipped_efficiency()
    shared = {"efficiency": asdict(efficiency), "even": EVEN, "nearly": NEARLY, **limits}
    shared |= {"turned": turned_share(efficiency.contact), "evenAtScore": EVEN_AT_SCORE}
    shared |= {"mostDoubles": MOST_DOUBLES, "nothing": NOTHING, "margin": MARGIN}
    kept = ("trials", "minimum", "lead", "truncate")
    shared["cutShort"] = {name: value for name, value in asdict(CUT_SHORT).items() if name in kept}
    return {"shared": shared, "games": found}


LONGEST = 25
"""The longest match that is played without a server."""


def equities() -> dict[str, Any]:
    """The chances to win a match of each game, to six places: before the Crawford game, and after it."""
    from sheshbesh.cube.match_utility import table_for
    from sheshbesh.engines import registry
    from sheshbesh.engines.outcome import Classes
    from sheshbesh.rules import variant, variants

    found: dict[str, Any] = {}
    for name in variants():
        game = variant(name)
        classes, net = Classes.of(game), registry.find(game)
        table = table_for(game, classes.all, lambda: net.evaluate(game.start()), length=LONGEST)  # noqa: B023
        found[name] = {
            "pre": [[round(chance, 6) for chance in row[:LONGEST]] for row in table.pre_crawford[:LONGEST]],
            "post": [round(chance, 6) for chance in table.post_crawford[:LONGEST]],
        }
    return found


def check() -> None:
    """Compare the committed modules with their sources; SystemExit says what to run."""
    known = json.loads((FOLDER / "core.json").read_text(encoding="utf-8"))
    builds = {build: _digest(FOLDER / f"core-{build}.wasm") for build in BUILDS}
    if known != {"sources": sources(), "builds": builds}:
        raise SystemExit(f"{FOLDER.relative_to(ROOT)} was built from other sources: make wasm")


def _compiler(*arguments: str) -> None:
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(CACHE), "ZIG_LOCAL_CACHE_DIR": str(CACHE)}
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", "c++", *arguments], cwd=ROOT, env=environment, check=False
    )
    if done.returncode:
        raise SystemExit("The core could not be compiled, see above.")


def _object(name: str, source: str, *flags: str) -> str:
    """Compile a source; the object's path."""
    made = CACHE / "objects" / f"{name}.o"
    made.parent.mkdir(parents=True, exist_ok=True)
    _compiler(*COMPILED, *flags, "-c", f"cpp/{source}", "-o", str(made))
    return str(made)


def build(folder: Path) -> None:
    """Write both modules, their digests and the rules into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    objects = [
        _object(Path(source).stem, source, QUICK if source in SEARCHING else SMALL) for source in SOURCES
    ]
    for name, flags in BUILDS.items():
        kernels = _object(f"kernels-{name}", KERNELS, QUICK, *flags)
        _compiler(*LINKED, *objects, kernels, "-o", str(folder / f"core-{name}.wasm"))
    known = {
        "sources": sources(),
        "builds": {name: _digest(folder / f"core-{name}.wasm") for name in BUILDS},
    }
    (folder / "core.json").write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    write_rules(folder)


def write_rules(folder: Path) -> None:
    """Write the rules of the shipped games into a folder, and what matches without a server are played by."""
    (folder / "rules.json").write_text(written(rules()), encoding="utf-8")
    (folder / "games.json").write_text(written(games()), encoding="utf-8")
    (folder / "equities.json").write_text(written({"games": equities()}), encoding="utf-8")


def written(content: dict[str, Any]) -> str:
    """The text of rules.json: a game a line, so that a change shows which."""
    games = ",\n".join(
        f"    {json.dumps(name)}: {json.dumps(game)}" for name, game in content["games"].items()
    )
    shared = "".join(
        f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in content.items() if name != "games"
    )
    return f'{{\n{shared}  "games": {{\n{games}\n  }}\n}}\n'


def main() -> None:
    """Build, or check what is there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--check", action="store_true", help="compare the digests of what is committed")
    only.add_argument("--rules", action="store_true", help="write the rules without building the modules")
    parser.add_argument("--to", type=Path, default=FOLDER, metavar="FOLDER", help="where to write")
    arguments = parser.parse_args()
    if arguments.check:
        check()
    elif arguments.rules:
        write_rules(arguments.to)
    else:
        build(arguments.to)


if __name__ == "__main__":
    main()
