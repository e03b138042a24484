"""A larger net that computes what a smaller one does, after Chen and others, Net2Net (2016)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from sheshbesh.training.model import Model

_UNLIKELY = -4.0
"""The logit of a class that no net before knew."""


@torch.no_grad()
def grown(model: Model, widths: Sequence[int], generator: torch.Generator) -> Model:
    """A model with these widths and the same outputs.

    New layers before the last old one pass everything on; a wider layer repeats neurons, and what reads them
    shares their weights out unevenly, so that the copies part ways when learning goes on.
    """
    weights = [layer.weight.clone() for layer in model.linear]
    biases = [layer.bias.clone() for layer in model.linear]
    while len(weights) - 1 < len(widths):
        size = len(biases[-2])
        weights.insert(-1, torch.eye(size))
        biases.insert(-1, torch.zeros(size))
    for number, width in enumerate(widths):
        weights[number], biases[number], weights[number + 1] = _widened(
            weights[number], biases[number], weights[number + 1], width, generator
        )
    larger = Model(weights[0].shape[1], widths, len(biases[-1]), generator)
    for layer, weight, bias in zip(larger.linear, weights, biases, strict=True):
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    larger.seen.copy_(model.seen)
    return larger


@torch.no_grad()
def with_outputs(model: Model, before: Sequence[str], after: Sequence[str]) -> Model:
    """The model with an output for each class of `after`, those known from `before` as they were.

    Where the points alone differ the kind decides; an unknown class begins as unlikely, and unmoved.
    """
    old = model.linear[-1]
    kinds = [word.partition(":")[0] for word in before]
    weight, bias = torch.zeros(len(after), old.weight.shape[1]), torch.full((len(after),), _UNLIKELY)
    for number, word in enumerate(after):
        kind = word.partition(":")[0]
        if word in before or kind in kinds:
            source = before.index(word) if word in before else kinds.index(kind)
            weight[number], bias[number] = old.weight[source], old.bias[source]
    other = Model(model.linear[0].weight.shape[1], model.widths, len(after), torch.Generator().manual_seed(0))
    for copy, layer in zip(other.linear[:-1], model.linear[:-1], strict=True):
        copy.load_state_dict(layer.state_dict())
    other.linear[-1].weight.copy_(weight)
    other.linear[-1].bias.copy_(bias)
    other.seen.copy_(model.seen)
    return other


def _widened(
    weight: Tensor, bias: Tensor, reader: Tensor, width: int, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    old = len(bias)
    if width <= old:
        return weight, bias, reader
    copied = torch.cat([torch.arange(old), torch.randint(old, (width - old,), generator=generator)])
    parts = torch.rand(width, generator=generator) * 0.5 + 0.75
    total = torch.zeros(old).index_add_(0, copied, parts)
    return weight[copied], bias[copied], reader[:, copied] * (parts / total[copied])
