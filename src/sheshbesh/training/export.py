"""From floats to the whole numbers of the shipped net."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sheshbesh import _core
from sheshbesh.training import quantised
from sheshbesh.training.model import Inputs, Model
from sheshbesh.training.quantised import TOP, Dense, Quantised, Wide

_LARGEST_SUM = 32_767 - 128
"""Of sixteen bits; the rest is for the half that is added before the shift."""
_LARGEST_BIAS = 2**24
"""Of a hidden layer, whose sums have 32 bits: the rest is for its weights."""
_SHIFTS = range(8, 2, -1)
_SIDE_SLOTS = 27
_BIAS_STEPS = 20
_RAREST = 1e-9
_CHECKERS = 15


@dataclass(frozen=True, slots=True)
class Sample:
    """Positions to calibrate with: slots, and the number of the rule set of each."""

    slots: NDArray[np.uint8]
    numbers: NDArray[np.uint8]


def quantise(model: Model, inputs: Inputs, sample: Sample) -> Quantised:
    """The model in whole numbers, its ranges those of the sample.

    The range of each neuron is folded into the weights before and after it, so that 127 stands for its
    largest activation in the sample. Weights of inner layers compensate for the rounding of those before them
    (after Frantar and others, "GPTQ", 2022); biases take out the mean error of the sums, and those of the
    output make each class as likely in the sample as it was: the targets of the next net must be unbiased. A
    polished model was trained with its rounding, and keeps it.
    """
    weights, biases = _arrays(model)
    real = [
        layer.double().numpy() for layer in model.activations(inputs.expand(sample.slots, sample.numbers))
    ]
    ranges = _ranges(model, real)
    units = quantised.units_of(sample.slots, inputs.rules[sample.numbers])

    rows = _first_rows(model, inputs)
    shift, ranges[0] = _fit_first(rows, biases[0], ranges[0], _influence(model))
    first_weight, first_bias = _round_first(rows, biases[0], ranges[0], shift)
    hidden = quantised.first_activations(
        units @ first_weight.astype(np.float64) + first_bias.astype(np.float64), shift
    )
    dense = []
    for number in range(1, len(weights) - 1):
        before = real[number - 1] @ model.weight(number).detach().double().numpy().T + biases[number]
        folded = weights[number] * (ranges[number - 1] / TOP)
        rounding = round_around(hidden) if model.ranges is None else np.rint
        layer = _round_dense(folded, biases[number], ranges[number], hidden, before, rounding)
        dense.append(layer)
        sums = hidden @ layer.weight.T.astype(np.float64) + layer.bias
        hidden = quantised.activations(sums, layer.scale, fine=number == len(weights) - 2)

    folded = weights[-1] * (ranges[-1] / TOP)
    largest = min(32_767, (2**31 - 1) // (TOP * folded.shape[1]))
    scale = np.maximum(np.abs(folded).max(axis=1), 1e-9) / largest
    output = np.rint(folded / scale[:, None])
    return Quantised(
        shift,
        first_weight,
        first_bias,
        tuple(dense),
        output.astype(np.int16),
        _output_bias((hidden @ output.T) * scale, real[-1]).astype(np.float32),
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
    weights = [layer.weight.detach().double().numpy() for layer in model.linear]
    return weights, [layer.bias.detach().double().numpy() for layer in model.linear]


def _ranges(model: Model, real: list[Wide]) -> list[Wide]:
    if model.ranges is not None:
        return [largest.double().numpy() for largest in model.ranges]
    return [_largest(layer) for layer in real[:-1]]


def polish_ranges(model: Model, inputs: Inputs, sample: Sample) -> list[Wide]:
    """Ranges to polish with: the largest activations in the sample.

    Narrower ones have finer steps, but clipping costs more at first than a short polish regains.
    """
    reached = model.reached(inputs.expand(sample.slots, sample.numbers))
    return [_largest(layer.double().numpy()) for layer in reached]


def first_rounding(model: Model, inputs: Inputs, ranges: Wide) -> tuple[Wide, Wide, Wide]:
    """Return how the first layer will be rounded if its ranges are these: the ranges it gets, which sums that
    could overflow make wider, and what is added to its weights and biases."""
    rows, bias = _first_rows(model, inputs), _arrays(model)[1][0]
    shift, fitting = _fit_first(rows, bias, ranges, _influence(model))
    rounded, rounded_bias = _round_first(rows, bias, fitting, shift)
    factor = (TOP << shift) / fitting
    error = rounded / factor - rows
    return fitting, (error * inputs.divisors[:, None]).T, rounded_bias / factor - bias


def _first_rows(model: Model, inputs: Inputs) -> Wide:
    """Return what each unit adds to the sums of the first layer, those never seen nothing."""
    weight = model.linear[0].weight.detach().double().numpy()
    rows: Wide = np.where(model.seen.numpy()[:, None], weight.T, 0.0) / inputs.divisors[:, None]
    return rows


def _largest(layer: Wide) -> Wide:
    """The largest activation of each neuron; an inactive neuron gets a small one."""
    largest: Wide = layer.max(axis=0)
    return np.maximum(largest, max(0.05 * float(np.median(largest)), 1e-3))


def _influence(model: Model) -> Wide:
    """Return how much the next layer amplifies an error in each neuron of the first: the norm of its
    weights."""
    norms: Wide = model.linear[1].weight.detach().double().norm(dim=0).numpy()
    return norms


def _fit_first(rows: Wide, bias: Wide, ranges: Wide, influence: Wide) -> tuple[int, Wide]:
    """The shift that costs least, and ranges at which no sum overflows.

    A large shift rounds the weights finely, but neurons whose sums could then overflow need wider ranges,
    which makes their activations coarse. In squared steps of activation, rounding costs 1/12; the rounded
    rows of some thirty slots cost about 8 in the finer steps of the sum, as measured.
    """
    reach = np.maximum(*(np.abs(end) for end in sum_bounds(rows, bias)))
    choices = []
    for shift in _SHIFTS:
        fitting = np.maximum(ranges, reach * (TOP << shift) / _LARGEST_SUM)
        cost = float(np.sum((fitting * influence) ** 2)) * (1 / 12 + 8 / 4**shift)
        choices.append((cost, shift, fitting))
    _, shift, fitting = min(choices, key=lambda choice: choice[0])
    return shift, fitting


def _round_first(
    rows: Wide, bias: Wide, ranges: Wide, shift: int
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    factor = (TOP << shift) / ranges
    while True:
        weight, rounded_bias = _round_rows(rows * factor), np.rint(bias * factor)
        reach = np.maximum(*(np.abs(end) for end in sum_bounds(weight, rounded_bias)))
        if np.all(reach <= _LARGEST_SUM):
            return weight.astype(np.int16), rounded_bias.astype(np.int16)
        factor = np.where(reach > _LARGEST_SUM, factor * 0.99, factor)


def _round_rows(rows: Wide) -> Wide:
    """Weights of the first layer in whole numbers, so that each slot's summed rows stay near the true ones.

    Each unit of a slot compensates for the error that those before it have left; a unit that counts many
    times (pips) would otherwise carry its own error as often.
    """
    rounded = np.zeros_like(rows)
    for unit, times, earlier in _rounding_order():
        error = sum((often * (rows[u] - rounded[u]) for u, often in earlier), np.zeros(rows.shape[1]))
        rounded[unit] = np.rint(rows[unit] + error / times)
    return rounded


def _round_dense(
    folded: Wide, bias: Wide, below: Wide, hidden: Wide, before: Wide, rounding: Callable[[Wide], Wide]
) -> Dense:
    """`folded`: weights for rounded activations; `below`: ranges; `hidden`: the rounded activations of the
    sample above this layer; `before`: its true sums."""
    # The activation of a neuron with nearly no input is its bias, which has to fit as well.
    least = np.maximum(np.abs(before).max(axis=0), 1e-9) / _LARGEST_BIAS
    scale = np.maximum(np.abs(folded).max(axis=1) / TOP, least)
    rounded = np.clip(rounding(folded / scale[:, None]), -TOP, TOP)
    error = (before - (hidden @ rounded.T) * scale - bias).mean(axis=0)
    return Dense(
        rounded.astype(np.int8),
        np.rint((bias + error) / scale).astype(np.int32),
        (scale * TOP / below).astype(np.float32),
    )


def round_around(hidden: Wide) -> Callable[[Wide], Wide]:
    """Rounding of weights [out, in] that moves the sums over these activations least.

    The weights of one input after the other are rounded, those that matter most first, and all that are not
    yet rounded compensate for the error as far as their activations correlate with that one.
    """
    apart = hidden - hidden.mean(axis=0)
    together = apart.T @ apart / len(hidden)
    together[np.diag_indices_from(together)] += 0.01 * np.trace(together) / len(together) + 1e-9
    order = np.argsort(-np.diag(together))
    taken_up = np.linalg.cholesky(np.linalg.inv(together[np.ix_(order, order)])).T

    def rounding(weight: Wide) -> Wide:
        left = weight[:, order].copy()
        for place in range(len(order)):
            whole = np.clip(np.rint(left[:, place]), -TOP, TOP)
            error = (left[:, place] - whole) / taken_up[place, place]
            left[:, place] = whole
            left[:, place + 1 :] -= error[:, None] * taken_up[place, place + 1 :]
        rounded = np.empty_like(left)
        rounded[:, order] = left
        return rounded

    return rounding


def _output_bias(rounded: Wide, real: Wide) -> Wide:
    """Biases with which the classes are on average as likely by the rounded logits as by the real ones.

    Equal means of the logits would not do: most of their error lies where nothing is left to decide.
    """
    bias: Wide = (real - rounded).mean(axis=0)
    likely = _softmax(real).mean(axis=0)
    for _ in range(_BIAS_STEPS):
        found = _softmax(rounded + bias).mean(axis=0)
        bias += np.log(np.maximum(likely, _RAREST) / np.maximum(found, _RAREST))
    return bias


def _softmax(logits: Wide) -> Wide:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Wide = powers / powers.sum(axis=1, keepdims=True)
    return shares


def sum_bounds(weight: Wide, bias: Wide) -> tuple[Wide, Wide]:
    """The least and the greatest sum of each neuron of the first layer, over all positions.

    A side has up to fifteen checkers on its places; all other slots take any value.
    """
    low, high = bias.copy(), bias.copy()
    times, first = _value_rows()
    sums = times @ weight
    rows = [sums[begin:end] for begin, end in pairwise(first)]
    for side in range(2):
        least = np.zeros((_CHECKERS + 1, len(bias)))
        most = least.copy()
        for values in rows[side * _SIDE_SLOTS : (side + 1) * _SIDE_SLOTS]:
            for checkers in range(_CHECKERS, 0, -1):
                # With 1, 2 ... checkers here, those elsewhere are one, two ... fewer.
                here = values[1 : checkers + 1]
                others = slice(checkers - len(here), checkers)
                lowest, highest = (least[others][::-1] + here).min(0), (most[others][::-1] + here).max(0)
                np.minimum(least[checkers], lowest, out=least[checkers])
                np.maximum(most[checkers], highest, out=most[checkers])
        low += least[-1]
        high += most[-1]
    for values in rows[2 * _SIDE_SLOTS :]:
        low += values.min(axis=0)
        high += values.max(axis=0)
    return low, high


@cache
def _value_rows() -> tuple[Wide, list[int]]:
    """Return how often each value of each slot adds each unit, and where the values of each slot begin."""
    table = _core.slot_units()
    times = np.zeros((sum(map(len, table)), len(_core.unit_scale())))
    first = [0]
    for values in table:
        for value, entry in enumerate(values):
            for unit, often in entry:
                times[first[-1] + value, unit] = often
        first.append(first[-1] + len(values))
    return times, first


@cache
def _rounding_order() -> list[tuple[int, int, list[tuple[int, int]]]]:
    """The units in the order in which they are rounded: (unit, times, earlier units of the same value).

    Each is judged at a value in the middle of those where it is the last that was added.
    """
    found = []
    for values in _core.slot_units():
        entries = [dict(entry) for entry in values]
        begins = {unit: value for value, entry in reversed(list(enumerate(entries))) for unit in entry}
        order = sorted(begins, key=lambda unit: (begins[unit], -entries[-1].get(unit, 0)))
        for place, unit in enumerate(order):
            end = begins[order[place + 1]] if place + 1 < len(order) else len(entries)
            entry = entries[(begins[unit] + max(end - 1, begins[unit])) // 2]
            earlier = [(other, times) for other, times in entry.items() if other in order[:place]]
            found.append((unit, entry[unit], earlier))
    return found
