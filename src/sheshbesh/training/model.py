"""The net as it learns: floats in PyTorch, products in bfloat16, weights kept in full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from sheshbesh import _core
from sheshbesh.training.coverage import Coverage

STEPS = 127
"""The activations of the shipped net are whole numbers from 0 to this."""


class Inputs:
    """From slots to the units that the first layer sees.

    Amounts are divided by a power of two, so that bfloat16 holds every one exactly. Units of rules that
    are the same in all rule sets of the net are left at zero: as so many biases they would only make
    learning wild.
    """

    def __init__(self, coverage: Coverage) -> None:
        largest = np.array(_core.unit_scale())
        self.divisors = np.exp2(np.ceil(np.log2(largest))).astype(np.float32)
        self.rules = np.stack([_rule_slots(variant.core) for variant in coverage.variants])
        factors = 1 / self.divisors
        for index in _idle_rule_units(self.rules):
            factors[index] = 0
        self._factors = [float(factor) for factor in factors]

    @property
    def units(self) -> int:
        """The height of the first layer."""
        return len(self._factors)

    def expand(self, slots: NDArray[np.uint8], numbers: NDArray[np.uint8]) -> Tensor:
        """Rows of units, in bfloat16, for positions and the numbers of their rule sets."""
        bits = _core.expand_slots(np.ascontiguousarray(slots), self.rules[numbers], self._factors)
        return torch.from_numpy(bits).view(torch.bfloat16)


def _rule_slots(rules: _core.Ruleset) -> NDArray[np.uint8]:
    return np.frombuffer(_core.rule_slots(rules), np.uint8)


def _idle_rule_units(rules: NDArray[np.uint8]) -> set[int]:
    table = _core.slot_units()[_core.POSITION_SLOTS :]
    idle = set()
    for slot, values in enumerate(table):
        for unit in {unit for entry in values for unit, _ in entry}:
            amounts = {dict(values[value]).get(unit, 0) for value in rules[:, slot]}
            if len(amounts) == 1:
                idle.add(unit)
    return idle


class Model(nn.Module):
    """Units, hidden layers with ReLU, one logit a class."""

    def __init__(self, units: int, widths: Sequence[int], classes: int, generator: torch.Generator) -> None:
        super().__init__()
        self.widths = tuple(widths)
        sizes = [units, *widths, classes]
        self.layers = nn.ModuleList(nn.Linear(above, below) for above, below in pairwise(sizes))
        with torch.no_grad():
            for number, layer in enumerate(self.layers):
                # About thirty units are active at a time, whatever their number.
                fan_in = 60 if number == 0 else sizes[number]
                spread = (2 / fan_in) ** 0.5 * (0.1 if number == len(widths) else 1.0)
                layer.weight.normal_(0, spread, generator=generator)
                layer.bias.zero_()
        self.register_buffer("seen", torch.zeros(units, dtype=torch.bool))
        self.ranges: list[Tensor] | None = None
        """While polishing: the largest activation of each neuron, to round activations to `STEPS`."""

    def forward(self, units: Tensor) -> Tensor:
        """Logits of units in bfloat16."""
        hidden = units
        for number, layer in enumerate(self.layers[:-1]):
            weight, bias = layer.weight.bfloat16(), layer.bias.bfloat16()
            hidden = functional.relu(functional.linear(hidden, weight, bias))
            if self.ranges is not None:
                hidden = _Rounded.apply(hidden, self.ranges[number])
        return self.layers[-1](hidden.float())

    @torch.no_grad()
    def activations(self, units: Tensor) -> list[Tensor]:
        """The hidden layers in full floats, and the logits last."""
        found = []
        hidden = units.float()
        for layer in self.layers[:-1]:
            hidden = functional.relu(layer(hidden))
            found.append(hidden)
        found.append(self.layers[-1](hidden))
        return found


class _Rounded(torch.autograd.Function):
    """Activations as the shipped net will have them; the gradient passes where they are not cut off."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, hidden: Tensor, largest: Tensor) -> Tensor:
        top = largest.bfloat16()
        ctx.save_for_backward(hidden <= top)
        step = largest / STEPS
        return (torch.clamp(torch.round(hidden.float() / step), 0, STEPS) * step).bfloat16()

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, *gradient: Tensor) -> tuple[Tensor, None]:
        (inside,) = ctx.saved_tensors  # type: ignore[attr-defined]
        return gradient[0] * inside, None


def loss_of(logits: Tensor, targets: Tensor) -> Tensor:
    """Cross-entropy against probabilities."""
    return -(targets * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()
