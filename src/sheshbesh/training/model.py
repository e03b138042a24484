"""The net as it learns: floats in PyTorch, multiplied as bfloat16 until it is polished."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
FINE_STEPS = 128 * STEPS
"""Those that the output reads, if they are not the first layer's, come in this number of steps."""


_HALF = 0.5 + 2.0**-12
"""Halves are rounded up, as in the core, whose sums of the first layer often are halves; the rest is for
floats that fall short of one."""


class Inputs:
    """From slots to the units that the first layer sees.

    Amounts are divided by a power of two, so that bfloat16 holds every one exactly. Units of rules that
    are the same in all rule sets of the net are left at zero: as further biases they would only make
    learning wild.
    """

    def __init__(self, coverage: Coverage) -> None:
        largest = np.array(_core.unit_scale())
        self.divisors = np.exp2(np.ceil(np.log2(largest))).astype(np.float32)
        self.rules = np.stack([_rule_slots(variant._core) for variant in coverage.variants])
        factors = 1 / self.divisors
        for index in _idle_rule_units(self.rules):
            factors[index] = 0
        self._factors = [float(factor) for factor in factors]

    @property
    def units(self) -> int:
        """The height of the first layer."""
        return len(self._factors)

    @property
    def idle(self) -> NDArray[np.bool_]:
        """The units that are left at zero."""
        idle: NDArray[np.bool_] = np.array(self._factors) == 0
        return idle

    def expand(self, slots: NDArray[np.uint8], numbers: NDArray[np.uint8]) -> Tensor:
        """Rows of units, in bfloat16, for positions and the numbers of their rule sets."""
        bits = _core.expand_slots(np.ascontiguousarray(slots), self.rules[numbers], self._factors)
        return torch.from_numpy(bits).view(torch.bfloat16)

    def expand_on(self, device: torch.device) -> Callable[[Tensor, Tensor], Tensor]:
        """Return `expand` for slots and numbers in the memory of a device, by a table that lies there.

        A processor is faster by the core.
        """
        slot_of, values = self._table()
        rules, slot_of, values = (each.to(device) for each in (torch.from_numpy(self.rules), slot_of, values))
        columns = torch.arange(self.units, device=device)

        def expand(slots: Tensor, numbers: Tensor) -> Tensor:
            rows = torch.cat([slots, rules[numbers.long()]], dim=1)
            return values[rows[:, slot_of].long(), columns]

        return expand

    def _table(self) -> tuple[Tensor, Tensor]:
        """The slot that each unit depends on, and what the unit is for each of its values."""
        slots = _core.slot_units()
        slot_of = torch.zeros(self.units, dtype=torch.long)
        values = torch.zeros((max(map(len, slots)), self.units))
        for slot, entries in enumerate(slots):
            for value, units in enumerate(entries):
                for unit, amount in units:
                    slot_of[unit] = slot
                    values[value, unit] = amount * self._factors[unit]
        return slot_of, values.bfloat16()


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


def usual_weight(layer: int, height: int) -> float:
    """The spread of the weights of a hidden layer that reads `height` inputs, so that sums neither fade nor
    grow from layer to layer."""
    # About thirty units are active at a time, whatever their number.
    return float((2 / (60 if layer == 0 else height)) ** 0.5)


class Model(nn.Module):
    """Units, hidden layers with ReLU, one logit a class."""

    seen: Tensor

    def __init__(self, units: int, widths: Sequence[int], classes: int, generator: torch.Generator) -> None:
        super().__init__()
        self.widths = tuple(widths)
        sizes = [units, *widths, classes]
        self.layers = nn.ModuleList(nn.Linear(above, below) for above, below in pairwise(sizes))
        with torch.no_grad():
            for number, layer in enumerate(self.linear):
                spread = usual_weight(number, sizes[number]) * (0.1 if number == len(widths) else 1.0)
                layer.weight.normal_(0, spread, generator=generator)
                layer.bias.zero_()
        self.register_buffer("seen", torch.zeros(units, dtype=torch.bool))
        self.ranges: list[Tensor] | None = None
        """While polishing: the largest activation of each neuron; the net is then computed as it will be
        rounded, weights of the inner layers to eight bits and activations to `STEPS` or `FINE_STEPS`."""
        self.first_error: tuple[Tensor, Tensor] | None = None
        """While polishing: what rounding adds to the weights and the biases of the first layer."""

    @property
    def linear(self) -> list[nn.Linear]:
        """The layers, output last."""
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    def forward(self, units: Tensor) -> Tensor:
        """Logits of units in bfloat16. While polishing in full floats: what bfloat16 makes of a net would be
        learned around too, which the shipped one does not have."""
        hidden = units
        if self.ranges is not None:
            for _, after in self._hidden(units):
                hidden = after
            return self._logits(hidden)
        for layer in self.linear[:-1]:
            hidden = functional.relu(
                functional.linear(hidden, layer.weight.bfloat16(), layer.bias.bfloat16())
            )
        return self._logits(hidden.float())

    @torch.no_grad()
    def activations(self, units: Tensor) -> list[Tensor]:
        """The hidden layers in full floats, and the logits last."""
        found = [after for _, after in self._hidden(units)]
        return [*found, self._logits(found[-1])]

    @torch.no_grad()
    def reached(self, units: Tensor) -> list[Tensor]:
        """The hidden layers before their own activations are rounded and cut off, those above being so.

        Without any rounding a net that was polished computes something else, which nobody has trained.
        """
        return [before for before, _ in self._hidden(units)]

    def _hidden(self, units: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
        """Each hidden layer in full floats, before and after rounding."""
        hidden = units.float()
        for number in range(len(self.widths)):
            before = functional.relu(functional.linear(hidden, self.weight(number), self._bias(number)))
            hidden = before
            if self.ranges is not None:
                hidden = _rounded(before, self.ranges[number], self._steps(number))
            yield before, hidden

    def _logits(self, hidden: Tensor) -> Tensor:
        output = self.linear[-1]
        return functional.linear(hidden, output.weight, output.bias)

    def _steps(self, number: int) -> int:
        return FINE_STEPS if 0 < number == len(self.widths) - 1 else STEPS

    def weight(self, number: int) -> Tensor:
        """The weights of a layer as it computes with them: while polishing, as they will be rounded."""
        weight: Tensor = self.linear[number].weight
        if number == 0:
            return weight if self.first_error is None else weight + self.first_error[0]
        if self.ranges is None:
            return weight
        with torch.no_grad():
            folded = self.ranges[number - 1]
            scale = (weight * folded).abs().amax(dim=1, keepdim=True).clamp_min(1e-9) / STEPS
            error = torch.round(weight * folded / scale) * scale / folded - weight
        return weight + error

    def _bias(self, number: int) -> Tensor:
        bias: Tensor = self.linear[number].bias
        return bias if number > 0 or self.first_error is None else bias + self.first_error[1]


def _rounded(hidden: Tensor, largest: Tensor, steps: int) -> Tensor:
    rounded: Tensor = _Rounded.apply(hidden, largest, steps)
    return rounded


class _Rounded(torch.autograd.Function):
    """Activations as the shipped net will have them; the gradient passes where they are not cut off."""

    @staticmethod
    def forward(
        ctx: torch.autograd.function.FunctionCtx, hidden: Tensor, largest: Tensor, steps: int
    ) -> Tensor:
        ctx.save_for_backward(hidden <= largest.to(hidden.dtype))
        step = largest / steps
        return (torch.floor(hidden / step + _HALF).clamp_(0, steps) * step).to(hidden.dtype)

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, *gradient: Tensor) -> tuple[Tensor, None, None]:
        (inside,) = ctx.saved_tensors
        return gradient[0] * inside, None, None


_NEXT_TO_NEVER = -7.0
"""The logarithm of a chance of one in a thousand."""


def loss_of(logits: Tensor, targets: Tensor) -> Tensor:
    """Cross-entropy against probabilities.

    Returns with the luck taken out are chances only on average; one alone may be below 0 for a class. What
    pushes a chance down for that ends at one in a thousand: else the loss has no bottom, and a net that
    learns the same positions often enough falls for ever.
    """
    likely = functional.log_softmax(logits, dim=1)
    held = torch.where(targets < 0, likely.clamp_min(_NEXT_TO_NEVER), likely)
    return -(targets * held).sum(dim=1).mean()
