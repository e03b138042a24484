"""Float checkpoints: what of a run is small enough to commit, and enough to go on from on any machine.

A file holds the running mean of the weights in halves (fp16), about a megabyte; while the run is not
finished, the running weights too. Beside them stand the recipe with its seed, the runs before, and how far
the run has come. What is gathered again within a few dozen steps (the optimiser's momentum) or made by any
machine (positions) is left out, and so are rounded nets: the one that is shipped teaches and is the one to
beat. A polished net is kept as it was before, since it goes on from that.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from sheshbesh.errors import TrainingError
from sheshbesh.training import checkpoint
from sheshbesh.training.recipe import Recipe, read

_SAME = (
    "game",
    "fingerprint",
    "recipe",
    "left",
    "progress",
    "classes",
    "strength",
    "began_from",
    "widths",
    "steps",
    "generator",
)
"""The fields that are kept as the checkpoint of a run has it."""


def file_of(folder: Path, game: str) -> Path:
    """The one float checkpoint of a game; a later one replaces it."""
    return folder / f"{game}.bin"


def save(file: Path, state: dict[str, Any]) -> bool:
    """Write what `state`, the content of a run's checkpoint, has to keep; False if it has no float net.

    TrainingError, and the file stays as it was, if a weight is not finite.
    """
    polished = state["ranges"] is not None
    mean = state["plain"] if polished else state["mean"]
    if mean is None:
        return False
    finished = state["progress"]["stage"] >= len(json.loads(state["recipe"])["stages"])
    kept: dict[str, Any] = {key: state[key] for key in _SAME}
    kept["taught"] = state["teacher"] is not None
    kept["mean"] = _halves(file, mean)
    kept["model"] = None if finished or polished else _halves(file, state["model"])
    checkpoint.save(file, kept)
    return True


def _halves(file: Path, weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    halves = {name: value.half() if value.is_floating_point() else value for name, value in weights.items()}
    for name, value in halves.items():
        if value.is_floating_point() and not value.isfinite().all():
            raise TrainingError(f"{file} is not replaced: {name} has weights that are not finite")
    return halves


def _floats(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: value.float() if value.is_floating_point() else value for name, value in weights.items()}


def is_one(state: dict[str, Any]) -> bool:
    """Return True if what a checkpoint holds is a float checkpoint, not all of a run."""
    return "taught" in state


def load(file: Path) -> dict[str, Any]:
    """Return what `save` wrote, as the checkpoint of a run would have it; TrainingError if the file is
    damaged.

    `model` is the mean where the running weights were not kept.
    """
    state = checkpoint.load(file, remedy="remove it, or take it from the repository again")
    if not is_one(state):
        raise TrainingError(f"{file} is all of a run, not a float checkpoint; begin with it by --init")
    state["mean"] = _floats(state["mean"])
    state["model"] = _floats(state["model"] or state["mean"])
    return {**state, "ranges": None, "plain": None, "product": None, "teacher": None, "optimiser": {}}


def recipe_of(file: Path, *, finished: bool = False) -> Recipe | None:
    """The recipe of the run in a checkpoint of either kind.

    None if that run is over, unless `finished` asks for it then too.
    """
    state = checkpoint.load(file)
    recipe = read(json.loads(state["recipe"]), str(file))
    return recipe if finished or state["progress"]["stage"] < len(recipe.stages) else None
