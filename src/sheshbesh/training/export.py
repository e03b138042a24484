"""From floats to the whole numbers of the shipped net."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheshbesh import _core
from sheshbesh.training import quantised
from sheshbesh.training.model import Inputs, Model
from sheshbesh.training.quantised import TOP, Dense, Quantised, Wide

_PERCENTILE = 99.99
_LARGEST_SUM = 32_767 - 128
"""Of sixteen bits; the rest is for the half that is added before the shift."""
_SHIFTS = range(8, 2, -1)
_SIDE_SLOTS = 27
_CHECKERS = 15


@dataclass(frozen=True, slots=True)
class Sample:
    """Positions to calibrate with: slots, and the number of the rule set of each."""

    slots: NDArray[np.uint8]
    numbers: NDArray[np.uint8]


def quantise(model: Model, inputs: Inputs, sample: Sample) -> Quantised:
    """The model in whole numbers, its ranges those of the sample.

    The range of each neuron is folded into the weights before and after it, so that 127 stands for its
    largest usual activation; biases take out the mean error that rounding the weights makes.
    """
    weights, biases = _arrays(model)
    real = [
        layer.double().numpy() for layer in model.activations(inputs.expand(sample.slots, sample.numbers))
    ]
    ranges = _ranges(model, real)
    units = quantised.units_of(sample.slots, inputs.rules[sample.numbers])

    rows = np.where(model.seen.numpy()[:, None], weights[0].T, 0.0) / inputs.divisors[:, None]
    shift, ranges[0] = _fit_first(rows, biases[0], ranges[0])
    first_weight, first_bias = _round_first(rows, biases[0], ranges[0], shift)
    hidden = quantised.first_activations(
        units @ first_weight.astype(np.float64) + first_bias.astype(np.float64), shift
    )
    dense = []
    for number in range(1, len(weights) - 1):
        before = real[number - 1] @ weights[number].T + biases[number]
        layer = _round_dense(
            weights[number], biases[number], ranges[number - 1], ranges[number], hidden, before
        )
        dense.append(layer)
        sums = hidden @ layer.weight.T.astype(np.float64) + layer.bias
        hidden = quantised.activations(sums, layer.scale)

    folded = weights[-1] * (ranges[-1] / TOP)
    largest = min(32_767, (2**31 - 1) // (TOP * folded.shape[1]))
    scale = np.maximum(np.abs(folded).max(axis=1), 1e-9) / largest
    output = np.rint(folded / scale[:, None])
    error = (real[-1] - (hidden @ output.T) * scale).mean(axis=0)
    return Quantised(
        shift,
        first_weight,
        first_bias,
        tuple(dense),
        output.astype(np.int16),
        error.astype(np.float32),
        scale.astype(np.float32),
    )


def equity_error(
    model: Model, net: Quantised, inputs: Inputs, sample: Sample, money: Sequence[float]
) -> float:
    """The root mean square, in points, of what rounding changes in the equity of the sample's positions."""
    logits = model.activations(inputs.expand(sample.slots, sample.numbers))[-1]
    real = logits.softmax(dim=1).numpy()
    rounded = net.probabilities(sample.slots, inputs.rules[sample.numbers])
    return float(np.sqrt(np.mean(((real - rounded) @ np.array(money)) ** 2)))


def _arrays(model: Model) -> tuple[list[Wide], list[Wide]]:
    weights = [layer.weight.detach().double().numpy() for layer in model.layers]
    return weights, [layer.bias.detach().double().numpy() for layer in model.layers]


def _ranges(model: Model, real: list[Wide]) -> list[Wide]:
    if model.ranges is not None:
        return [largest.double().numpy() for largest in model.ranges]
    return [usual_range(layer) for layer in real[:-1]]


def usual_range(layer: Wide) -> Wide:
    """The largest usual activation of each neuron; a neuron that sleeps gets a small one."""
    largest: Wide = np.percentile(layer, _PERCENTILE, axis=0, method="lower")
    return np.maximum(largest, max(0.05 * float(np.median(largest)), 1e-3))


def _fit_first(rows: Wide, bias: Wide, ranges: Wide) -> tuple[int, Wide]:
    """The finest shift that nine in ten neurons can have, and ranges at which no sum overflows."""
    reach = np.maximum(*(np.abs(end) for end in sum_bounds(rows, bias)))
    for shift in _SHIFTS:
        needed = reach * (TOP << shift) / _LARGEST_SUM
        if np.mean(needed <= ranges) >= 0.9:
            break
    return shift, np.maximum(ranges, needed)


def _round_first(
    rows: Wide, bias: Wide, ranges: Wide, shift: int
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    factor = (TOP << shift) / ranges
    while True:
        weight, rounded_bias = np.rint(rows * factor), np.rint(bias * factor)
        reach = np.maximum(*(np.abs(end) for end in sum_bounds(weight, rounded_bias)))
        if np.all(reach <= _LARGEST_SUM):
            return weight.astype(np.int16), rounded_bias.astype(np.int16)
        factor = np.where(reach > _LARGEST_SUM, factor * 0.99, factor)


def _round_dense(weight: Wide, bias: Wide, above: Wide, below: Wide, hidden: Wide, before: Wide) -> Dense:
    """`above` and `below`: ranges; `hidden`: rounded activations; `before`: the true sums of the sample."""
    folded = weight * (above / TOP)
    scale = np.maximum(np.abs(folded).max(axis=1), 1e-9) / TOP
    rounded = np.rint(folded / scale[:, None])
    error = (before - (hidden @ rounded.T) * scale - bias).mean(axis=0)
    return Dense(
        rounded.astype(np.int8),
        np.rint((bias + error) / scale).astype(np.int32),
        (scale * TOP / below).astype(np.float32),
    )


def sum_bounds(weight: Wide, bias: Wide) -> tuple[Wide, Wide]:
    """The least and the greatest sum of each neuron of the first layer, over all positions.

    A side has up to fifteen checkers on its places; all other slots take any value.
    """
    low, high = bias.copy(), bias.copy()
    table = _core.slot_units()
    rows = [
        np.stack(
            [sum((times * weight[unit] for unit, times in entry), np.zeros_like(bias)) for entry in values]
        )
        for values in table
    ]
    for side in range(2):
        least = np.zeros((_CHECKERS + 1, len(bias)))
        most = least.copy()
        for values in rows[side * _SIDE_SLOTS : (side + 1) * _SIDE_SLOTS]:
            for checkers in range(_CHECKERS, 0, -1):
                here = values[1 : checkers + 1]
                least[checkers] = np.minimum(
                    least[checkers], (least[checkers - len(here) : checkers][::-1] + here).min(0)
                )
                most[checkers] = np.maximum(
                    most[checkers], (most[checkers - len(here) : checkers][::-1] + here).max(0)
                )
        low += least[-1]
        high += most[-1]
    for values in rows[2 * _SIDE_SLOTS :]:
        low += values.min(axis=0)
        high += values.max(axis=0)
    return low, high
