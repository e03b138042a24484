"""Rollouts that are kept in files: they go on where they stopped, and damaged files are refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.engines import Engine, Rollout, RolloutOptions, make_engine
from sheshbesh.engines.rollout import run
from tests.engine.rollout_help import bearing_off, numbers


@pytest.fixture(scope="module")
def engine(nets: Path) -> Engine:
    """One that plays on where a table would know."""
    return make_engine("backgammon", folders=[nets], bearoff=False)


def test_a_killed_rollout_goes_on_with_the_same_numbers(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = bearing_off(engine)
    options = RolloutOptions(trials=360, seed=3)
    whole = engine.rollout(position, options=options)
    file = tmp_path / "rollout.json"
    monkeypatch.setattr(run, "SAVE_EVERY", 0.0)

    class KilledError(BaseException):
        pass

    kept: list[bytes] = []

    def kill(found: tuple[Rollout, ...]) -> None:
        kept.append(file.read_bytes())
        if found[0].trials == 108:
            raise KilledError

    with pytest.raises(KilledError):
        engine.rollout(position, options=options, file=file, progress=kill)
    file.write_bytes(kept[-2])  # as if the machine had stopped one chunk earlier
    resumed = engine.rollout(position, options=options, file=file, threads=2)
    assert numbers(resumed) == numbers(whole)
    assert numbers(engine.rollout(position, options=options, file=file)) == numbers(whole)
    longer = engine.rollout(position, options=RolloutOptions(trials=720, seed=3), file=file)
    assert longer.trials == 720
    assert numbers(longer) == numbers(engine.rollout(position, options=RolloutOptions(trials=720, seed=3)))


def test_a_file_of_another_rollout_is_refused(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "rollout.json"
    position = bearing_off(engine)
    engine.rollout(position, trials=36, file=file)
    with pytest.raises(sb.RolloutError, match="seed"):
        engine.rollout(position, options=RolloutOptions(trials=36, seed=1), file=file)
    with pytest.raises(sb.RolloutError, match="positions"):
        engine.rollout(engine.variant.start(), trials=36, file=file)
    with pytest.raises(sb.RolloutError, match="another rollout"):
        engine.rollout_plays(position.legal_plays((3, 1)), trials=36, file=file)
    content = file.read_text()
    for broken in ("{", "[]", json.dumps({"format": 1}), content.replace('"format": 3', '"format": 9')):
        file.write_text(broken)
        with pytest.raises(sb.RolloutError, match=r"rollout\.json"):
            engine.rollout(position, trials=36, file=file)
        assert file.read_text() == broken


@pytest.mark.parametrize("chunks", [10**9, 0, -5, 1.5, True, None, "2"])
def test_a_file_with_a_wrong_number_of_chunks_is_damaged(
    chunks: object, engine: Engine, tmp_path: Path
) -> None:
    with pytest.raises(sb.RolloutError, match=r"rollout\.json is damaged"):
        _after_damage(engine, tmp_path, lambda tally: tally.update(chunks=chunks))


@pytest.mark.parametrize("name", ["sums", "squares"])
@pytest.mark.parametrize("value", [math.nan, math.inf, 10**400, None, [1]])
def test_a_file_with_sums_that_are_no_numbers_is_damaged(
    name: str, value: object, engine: Engine, tmp_path: Path
) -> None:
    with pytest.raises(sb.RolloutError, match=r"rollout\.json is damaged"):
        _after_damage(engine, tmp_path, lambda tally: tally[name][3].__setitem__(1, value))
    with pytest.raises(sb.RolloutError, match=r"rollout\.json is damaged"):
        _after_damage(engine, tmp_path, lambda tally: tally[name].pop())


def _after_damage(engine: Engine, folder: Path, damage: Callable[[dict[str, Any]], object]) -> None:
    """Go on with a file whose tally was damaged."""
    file, position = folder / "rollout.json", bearing_off(engine)
    file.unlink(missing_ok=True)
    engine.rollout(position, trials=72, file=file)
    content = json.loads(file.read_text())
    damage(content["tally"])
    file.write_text(json.dumps(content))
    engine.rollout(position, trials=72, file=file)


def test_a_place_that_takes_no_file_is_refused_before_anything_is_played(
    engine: Engine, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    played: list[object] = []
    for place in ("nowhere/x.json", "file/x.json", "", "x" * 300):
        with pytest.raises(sb.RolloutError, match=r"cannot be (written|read)"):
            engine.rollout(bearing_off(engine), trials=36, file=tmp_path / place, progress=played.append)
    assert not played
