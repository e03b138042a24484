"""Nets to begin a run with: of another run's checkpoint, or shipped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from sheshbesh import _core
from sheshbesh.bounded import read_bytes, read_text
from sheshbesh.errors import TrainingError
from sheshbesh.training import checkpoint, coverage, manifest, quantised
from sheshbesh.training import weights as float_checkpoint
from sheshbesh.training.model import STEPS, Inputs, Model, usual_weight
from sheshbesh.training.quantised import Quantised, Wide


@dataclass(frozen=True, slots=True)
class Origin:
    """A net in floats; `classes` names its outputs.

    `runs` are those that made it, the last one last, each with its recipe: plain data for the manifest of
    what grows from it. `net` is the file: the shipped one, or what the run of a checkpoint promoted or
    delivered, None if it had got to neither. `plain` is the net of a checkpoint as it was before it was
    polished. `kept` says that it comes from a float checkpoint, which holds no file of a net.
    """

    model: Model
    classes: list[str]
    runs: list[dict[str, Any]]
    net: bytes | None = None
    plain: Model | None = None
    kept: bool = False

    @property
    def game(self) -> str:
        """The game it was made for."""
        return str(self.runs[-1]["game"])

    @property
    def games(self) -> int:
        """The games of the last run."""
        return int(self.runs[-1]["games"])


def load(file: Path, inputs: Inputs, generator: torch.Generator) -> Origin:
    """The net of a checkpoint, or of a `.net` with its manifest beside it.

    TrainingError if the file is damaged, something else, or made for other inputs.
    """
    with file.open("rb") as stream:
        shipped = stream.read(len(quantised.MAGIC)) == quantised.MAGIC
    return _shipped(file, inputs, generator) if shipped else _checkpoint(file, inputs, generator)


def _checkpoint(file: Path, inputs: Inputs, generator: torch.Generator) -> Origin:
    state = checkpoint.load(file)
    kept = float_checkpoint.is_one(state)
    if kept:
        state = float_checkpoint.load(file)
    mean = state["mean"]
    if (units := len(mean["seen"])) != inputs.units:
        raise TrainingError(f"{file} was made for {units} inputs, not {inputs.units}")
    outputs = len(mean[f"layers.{len(state['widths'])}.bias"])
    model = Model(units, state["widths"], outputs, generator)
    model.load_state_dict(mean)
    model.ranges = state["ranges"]
    recipe = json.loads(state["recipe"])
    own = {
        "game": state["game"],
        "games": state["progress"]["games"],
        "seed": recipe["seed"],
        "recipe": recipe,
    }
    plain = None
    if state.get("plain") is not None:
        plain = Model(units, state["widths"], outputs, generator)
        plain.load_state_dict(state["plain"])
    runs = [*json.loads(state.get("began_from", "[]")), own]
    return Origin(model, state["classes"], runs, state["product"], plain, kept)


def _shipped(file: Path, inputs: Inputs, generator: torch.Generator) -> Origin:
    try:
        net = quantised.parse(read_bytes(file))
    except TrainingError as error:
        raise TrainingError(f"{file}: {error}") from error
    beside = file.with_suffix(".json")
    classes = coverage.class_words(manifest.classes_in(beside))
    if len(classes) != len(net.output_bias):
        raise TrainingError(f"{beside} names {len(classes)} classes, the net has {len(net.output_bias)}")
    data = json.loads(read_text(beside))
    recipe = dict(data.get("recipe", {}))
    earlier = recipe.pop("began_from", [])
    own = {
        "game": data.get("game", file.stem),
        "games": data.get("games", 0),
        "seed": data.get("seed"),
        "recipe": recipe,
    }
    model = dequantised(net, inputs, generator)
    return Origin(model, classes, [*earlier, own], file.read_bytes())


@torch.no_grad()
def dequantised(net: Quantised, inputs: Inputs, generator: torch.Generator) -> Model:
    """A model that computes in floats what the net does, its rounding included.

    A file does not say how large a neuron's activations were while it learned, and a factor there can be
    undone in the next layer. Each gets the range that gives the weights before it the usual spread.
    """
    first, bias, seen = _first_layer(net, inputs)
    weights: list[Wide] = [first]
    biases: list[Wide] = [bias]
    for layer in net.dense:
        weights.append(layer.weight.astype(np.float64) * layer.scale[:, None])
        biases.append(layer.bias.astype(np.float64) * layer.scale)
    weights.append(net.output_weight.astype(np.float64) * net.output_scale[:, None])
    biases.append(net.output_bias.astype(np.float64))

    # So far everything counts in steps of activation. `step`: how large one is, before and after a layer.
    model = Model(inputs.units, net.widths, len(net.output_bias), generator)
    model.ranges = []
    before: Wide = np.ones(weights[0].shape[1])
    for number, (weight, in_steps) in enumerate(zip(weights, biases, strict=True)):
        weight /= before
        step: Wide = np.ones(len(weight))
        if number < len(net.widths):
            read = weight[:, seen] if number == 0 else weight
            spread = np.sqrt((read**2).mean(axis=1))
            step = np.where(spread > 0, usual_weight(number, read.shape[1]) / np.maximum(spread, 1e-30), 1.0)
            model.ranges.append(torch.from_numpy(step * STEPS).float())
        model.linear[number].weight.copy_(torch.from_numpy(weight * step[:, None]))
        model.linear[number].bias.copy_(torch.from_numpy(in_steps * step))
        before = step
    model.seen.copy_(torch.from_numpy(seen))
    return model


def _first_layer(net: Quantised, inputs: Inputs) -> tuple[Wide, Wide, NDArray[np.bool_]]:
    """Weights and biases in steps of activation, and which units the net has met.

    What it says to rules that are the same in all rule sets of this run belongs to the bias now.
    """
    weight = net.first_weight.astype(np.float64)
    bias = net.first_bias.astype(np.float64)
    blank = np.zeros((1, _core.POSITION_SLOTS), np.uint8)
    constant = np.where(inputs.idle, quantised.units_of(blank, inputs.rules[:1])[0], 0.0)
    bias += constant @ weight
    weight[inputs.idle] = 0
    seen: NDArray[np.bool_] = (weight != 0).any(axis=1)
    return (weight * inputs.divisors[:, None]).T / (1 << net.shift), bias / (1 << net.shift), seen
