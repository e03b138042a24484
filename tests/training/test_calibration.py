"""The measurement of what nets expect."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy")

from benchmarks.strength import calibration, page, store

import sheshbesh as sb
from tests.engine.nets import write_net


def measured(folder: Path, games: int, state: str) -> dict[str, float]:
    arguments = ["hypergammon", "--games", str(games), "--nets", str(folder)]
    arguments += ["--state", str(folder / state), "--out", str(folder / state)]
    assert calibration.main(arguments) == 0
    return store.entered("calibration", "hypergammon", folder / state)


def test_a_net_that_knows_nothing_is_told_what_came(tmp_path: Path) -> None:
    write_net(tmp_path, sb.variant("hypergammon"))
    first = measured(tmp_path, 40, "parts")
    # It goes on where it was, and ends where a run in one piece does.
    assert first["games"] == 40
    assert measured(tmp_path, 200, "parts") == measured(tmp_path, 200, "whole") != first
    found = store.entered("calibration", "hypergammon", tmp_path / "whole")
    # Who is on roll in the middle of a game has better chances than an even one, and games have a worth.
    assert 1 <= found["mean_worth"] <= 3
    assert abs(found["worth"]) > 2 * found["worth_error"]
    assert "hypergammon" in page.page(tmp_path / "whole")


def test_a_shipped_net_expects_about_what_comes(tmp_path: Path) -> None:
    arguments = ["hypergammon", "--games", "200", "--state", str(tmp_path), "--out", str(tmp_path)]
    assert calibration.main(arguments) == 0
    found = store.entered("calibration", "hypergammon", tmp_path)
    assert abs(found["wins"]) < 0.02
    assert abs(found["equity"]) < 0.02
    assert abs(found["worth"]) < 0.05
    assert abs(found["start"]) < 0.1
    assert found["equity_error"] < 0.01


def test_too_few_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        calibration.main(["tapa", "--games", "20"])
    assert "at least 40" in capsys.readouterr().err
