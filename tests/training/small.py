"""Small trainings and positions to look at."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheshbesh as sb

np = pytest.importorskip("numpy", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

from sheshbesh.training import coverage, export, quantised  # noqa: E402
from sheshbesh.training.model import Inputs, Model  # noqa: E402
from sheshbesh.training.play import Order, play_games  # noqa: E402

SMALL = """
check_pairs = 50
checks = 2
[stage]
widths = [64, 32]
batch = 512
round = 200
passes = 3.0
rate = 6e-3
decay = [1.0, 0.6]
gate_pairs = 0
[[stages]]
games = 600
[[stages]]
games = 600
widths = [64, 32, 32]
rate = [6e-3, 5e-4]
polish = true
gate_pairs = 300
"""

ONE_ROUND = """
checks = 0
[stage]
widths = [64, 32, 32]
batch = 512
round = 100
rate = 1e-4
decay = 0.6
polish = true
gate_pairs = 0
[[stages]]
games = 100
"""

SHORT_RUN = """
checks = 0
[stage]
widths = [64, 32]
batch = 512
passes = 2.0
rate = 6e-3
decay = 0.6
replay = 3
gate_pairs = 0
[[stages]]
games = {games}
round = {round}
"""
"""A recipe of one stage that learns from its last three rounds; `games` in rounds of `round`."""

NETS = Path(sb.__file__).parent / "engines" / "nets"


def small_recipe(folder: Path, text: str = SMALL) -> Path:
    file = folder / "small.toml"
    file.write_text(text, encoding="utf-8")
    return file


def model_of(game: str, widths: tuple[int, ...]) -> tuple[Model, Inputs, coverage.Coverage]:
    covered = coverage.cover(sb.variant(game), "auto", 0.2)
    inputs = Inputs(covered)
    model = Model(inputs.units, widths, covered.class_count, torch.Generator().manual_seed(3))
    model.seen[:] = True
    return model, inputs, covered


def some_positions(covered: coverage.Coverage, count: int = 300, seed: int = 1) -> export.Sample:
    blank = quantised.write(quantised.blank(len(_units()), (64,), covered.class_count))
    played = play_games(Order(covered.main, 0, 20, seed, 0.0, 1.0, 0, 400, 1.0), blank)
    return export.Sample(played.slots[:count], np.zeros(count, np.uint8))


def _units() -> list[int]:
    from sheshbesh import _core

    return _core.unit_scale()
