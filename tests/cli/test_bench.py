"""`sheshbesh bench`: what it reports, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.engines.measure import bench_work, speed
from sheshbesh.engines.measure.signature import joint
from tests.engine.nets import write_net

QUICK = ("--seconds", "0.01")


OWN_GAME = """
name = "hyper_tapa"
title = "Hyper tapa"
region = "our club"
description = "Tapa with three checkers a side."
base = "tapa"

[board]
checkers = 3
setup = { 24 = 1, 23 = 1, 22 = 1 }
source = "rules of our club, 2026"
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a game of one's own, for which there is no net."""
    file = tmp_path_factory.mktemp("own") / "hyper_tapa.toml"
    file.write_text(OWN_GAME)
    return str(file)


def bench(*words: str) -> Result:
    return CliRunner().invoke(cli, ["bench", *QUICK, *words])


def report(*words: str) -> dict[str, Any]:
    result = bench(*words, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def plain(nets: Path, own: str) -> dict[str, Any]:
    return report("tapa", own, "--nets", str(nets))


def test_the_report_names_what_was_measured_and_how(plain: dict[str, Any]) -> None:
    assert list(plain) == [
        "version",
        "isa",
        "isas",
        "threads",
        "positions_per_s",
        "evals_per_s",
        "decisions_per_s",
        "nets",
        "signature",
        "signatures",
    ]
    assert plain["version"] == sb.__version__
    assert plain["isa"] == speed.active_isa() and plain["isas"] == list(speed.isas())
    assert plain["threads"] == 1
    for rates in (plain[name] for name in plain if name.endswith("_per_s")):
        assert rates.keys() == {"tapa", "hyper_tapa"}
        assert all(type(rate) is int and rate > 0 for rate in rates.values())


def test_a_net_of_other_rules_is_named_as_such(plain: dict[str, Any]) -> None:
    own, other = plain["nets"]["tapa"], plain["nets"]["hyper_tapa"]
    assert own["name"] == "tapa" and not own["approximate"] and own["parameters"] > 30_000
    assert other["name"] != "hyper_tapa" and other["approximate"]


def test_the_signature_is_of_all_games_and_tells_its_parts(plain: dict[str, Any]) -> None:
    parts = plain["signatures"]
    assert parts.keys() == {"rules", "engine", "games"}
    assert parts["games"].keys() == set(sb.variants())
    signs = [plain["signature"], parts["rules"], parts["engine"], *parts["games"].values()]
    assert all(len(sign) == 16 and int(sign, 16) >= 0 for sign in signs)
    assert len({plain["signature"], parts["rules"], parts["engine"]}) == 3


def test_the_table_for_people_says_the_same_on_any_instruction_set_with_threads_and_less_cache(
    plain: dict[str, Any], nets: Path, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_games = ("acey_deucey", "backgammon", "tapa")  # `test_signature.py` has the engine's laws
    monkeypatch.setattr(bench_work, "variants", lambda: signed_games)
    before = speed.active_isa()
    games = ("tapa", own, "short_nardy")
    words = (*games, "--isa", "baseline", "--threads", "3", "--cache", "100")
    result = bench(*words, "--nets", str(nets))
    assert speed.active_isa() == before
    heading, *table, legend, how, signed = result.output.splitlines()
    assert heading.split() == ["game", "positions/s", "evals/s", "decisions/s", "net"]
    assert [line.split()[0] for line in table] == ["tapa", "hyper_tapa", "backgammon"]
    stands_in = plain["nets"]["hyper_tapa"]["name"]
    assert [line.split()[-1] for line in table] == ["tapa", f"~{stands_in}", "backgammon"]
    assert legend.startswith("~") and how == "instruction set baseline, threads 3"
    engine = joint([f"{name} {plain['signatures']['games'][name]}" for name in signed_games])
    rules = bench_work.rules_signature()
    assert signed == f"signature {joint((rules, engine))} (rules {rules}, engine {engine})"
    assert max(map(len, result.output.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--isa", "abacus"], "no instruction set 'abacus'; it has baseline"),
        (["--threads", "0"], "not in the range"),
        (["--cache", "-1"], "not in the range"),
        (["--nets", "no/such/folder"], "does not exist"),
        (["--seconds", "0"], "not in the range"),
        (["nonsense"], "no game is called"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(words: list[str], said: str) -> None:
    result = bench(*words)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_a_damaged_net_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = write_net(tmp_path, sb.variant("tapa"))
    path.write_bytes(path.read_bytes()[:-9])
    result = bench("tapa", "--nets", str(tmp_path))
    assert result.exit_code == 2
    assert "tapa.net" in "".join(result.output.split()) and "Traceback" not in result.output
