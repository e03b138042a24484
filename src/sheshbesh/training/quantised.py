"""The shipped net in whole numbers, plainly: what a file says and what follows from it.

The same sums as the core makes, for measuring what rounding costs and for proving that the core makes
them. The format is that of `cpp/include/sheshbesh/engine/net.h`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheshbesh import _core
from sheshbesh.errors import TrainingError

MAGIC = b"SSHNET01"
INPUT_SET = _core.INPUT_SET
TOP = 127
"""The largest activation."""
FINE = 128
"""The parts of a step in which the last of several hidden layers counts its activations."""

Floats = NDArray[np.float32]
Wide = NDArray[np.float64]
"""Whole numbers far below 2^53 in floats: exact, and multiplied much faster than integers."""


@dataclass(frozen=True, slots=True)
class Dense:
    """A hidden layer after the first: weights [out, in] of 8 bits, biases of 32, a scale for each output."""

    weight: NDArray[np.int8]
    bias: NDArray[np.int32]
    scale: Floats


@dataclass(frozen=True, slots=True)
class Quantised:
    """A net as the file holds it. `first_weight` is [units, width], `output_weight` [classes, in]."""

    shift: int
    first_weight: NDArray[np.int16]
    first_bias: NDArray[np.int16]
    dense: tuple[Dense, ...]
    output_weight: NDArray[np.int16]
    output_bias: Floats
    output_scale: Floats

    @property
    def widths(self) -> tuple[int, ...]:
        """The hidden layers."""
        return (len(self.first_bias), *(len(layer.bias) for layer in self.dense))

    @property
    def parameters(self) -> int:
        """All weights and biases."""
        arrays: list[NDArray[Any]] = [
            self.first_weight,
            self.first_bias,
            self.output_weight,
            self.output_bias,
        ]
        arrays += [array for layer in self.dense for array in (layer.weight, layer.bias)]
        return sum(array.size for array in arrays)

    def logits(self, slots: NDArray[np.uint8], rules: NDArray[np.uint8]) -> Floats:
        """The output before softmax for rows of slots and rows of rule slots."""
        hidden = first_activations(self.first_sums(units_of(slots, rules)), self.shift)
        for number, layer in enumerate(self.dense, 1):
            sums = hidden @ layer.weight.T.astype(np.float64) + layer.bias
            hidden = activations(sums, layer.scale, fine=number == len(self.dense))
        whole = (hidden @ self.output_weight.T.astype(np.float64)).astype(np.float32)
        return whole * self.output_scale + self.output_bias

    def probabilities(self, slots: NDArray[np.uint8], rules: NDArray[np.uint8]) -> Floats:
        """The probability of each class, to the bit as the core gives it."""
        return softmax(self.logits(slots, rules))

    def first_sums(self, units: Wide) -> Wide:
        """The sums of the first layer for rows of units."""
        sums: Wide = units @ self.first_weight.astype(np.float64) + self.first_bias
        return sums


def units_of(slots: NDArray[np.uint8], rules: NDArray[np.uint8]) -> Wide:
    """Rows of units as whole numbers."""
    bits = _core.expand_slots(np.ascontiguousarray(slots), np.ascontiguousarray(rules), [1.0] * _UNITS)
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


_UNITS = len(_core.unit_scale())


def first_activations(sums: Wide, shift: int) -> Wide:
    """Sums of the first layer -> activations."""
    half = (1 << shift) >> 1
    steps: Wide = np.clip(np.floor((sums + half) / (1 << shift)), 0, TOP)
    return steps


def activations(sums: Wide, scale: Floats, *, fine: bool) -> Wide:
    """Sums of another hidden layer -> activations, `fine` for the last one.

    The product is one of 32-bit floats, as in the core.
    """
    parts = FINE if fine else 1
    steps = sums.astype(np.float32) * scale * np.float32(parts)
    counted: Wide = np.clip(np.rint(steps), 0, TOP * parts).astype(np.float64)
    return counted / parts


def softmax(logits: Floats) -> Floats:
    """Probabilities; the core's own exponential, operation by operation."""
    powers = _exp_negative(logits - logits.max(axis=1, keepdims=True))
    total = np.zeros(len(logits), np.float64)
    for column in powers.T:
        total += column
    share: Floats = (1.0 / total).astype(np.float32)
    return powers * share[:, None]


def _exp_negative(x: Floats) -> Floats:
    f = np.float32
    inside = np.maximum(x, f(-87))
    shifted = inside * f(1.44269504) + f(12582912.0)
    whole = shifted - f(12582912.0)
    rest = (inside - whole * f(0.693359375)) - whole * f(-2.12194440e-4)
    power = np.full_like(x, f(1) / f(5040))
    for term in (f(1) / f(720), f(1) / f(120), f(1) / f(24), f(1) / f(6), f(0.5), f(1), f(1)):
        power = power * rest + term
    exponent = (shifted.view(np.uint32) << np.uint32(23)) + np.uint32(127 << 23)
    return np.where(x < f(-87), f(0), power * exponent.view(np.float32))


def fnv1a(data: bytes) -> int:
    """The 64-bit hash at the end of a file."""
    return int(_core.fnv1a(data))


def write(net: Quantised) -> bytes:
    """The file of a net."""
    widths = net.widths
    head = [INPUT_SET, len(net.first_weight), len(widths), len(net.output_bias), *widths, net.shift]
    parts = [MAGIC, struct.pack(f"<{len(head)}I", *head), _bytes(net.first_weight), _bytes(net.first_bias)]
    for layer in net.dense:
        parts += [_bytes(layer.weight), _bytes(layer.bias), _bytes(layer.scale)]
    parts += [_bytes(net.output_weight), _bytes(net.output_bias), _bytes(net.output_scale)]
    content = b"".join(parts)
    return content + struct.pack("<Q", fnv1a(content))


def _bytes(array: NDArray[np.generic]) -> bytes:
    return array.astype(array.dtype.newbyteorder("<")).tobytes()


def parse(data: bytes) -> Quantised:
    """The net in a file; TrainingError if it is damaged or made for other inputs."""
    if data[:8] != MAGIC or struct.unpack("<Q", data[-8:])[0] != fnv1a(data[:-8]):
        raise TrainingError("this is no net, or a damaged one")
    at = 8

    def take(dtype: str, *shape: int) -> NDArray[np.generic]:
        nonlocal at
        size = int(np.prod(shape))
        array = np.frombuffer(data, dtype, size, at).reshape(shape)
        at += array.nbytes
        return array

    input_set, units, layers, classes = (int(x) for x in take("<u4", 4))
    if input_set != INPUT_SET or units != _UNITS:
        raise TrainingError(f"this net was made for input set {input_set}, not {INPUT_SET}")
    widths = [int(x) for x in take("<u4", layers)]
    shift = int(take("<u4", 1)[0])
    first_weight, first_bias = take("<i2", units, widths[0]), take("<i2", widths[0])
    dense = tuple(
        Dense(take("i1", out, into), take("<i4", out), take("<f4", out))  # type: ignore[arg-type]
        for into, out in pairwise(widths)
    )
    output = take("<i2", classes, widths[-1]), take("<f4", classes), take("<f4", classes)
    return Quantised(shift, first_weight, first_bias, dense, *output)  # type: ignore[arg-type]


def blank(units: int, widths: tuple[int, ...], classes: int) -> Quantised:
    """An untrained net: every class is as likely as the others."""
    dense = tuple(
        Dense(np.zeros((out, into), np.int8), np.zeros(out, np.int32), np.ones(out, np.float32))
        for into, out in pairwise(widths)
    )
    return Quantised(
        6,
        np.zeros((units, widths[0]), np.int16),
        np.zeros(widths[0], np.int16),
        dense,
        np.zeros((classes, widths[-1]), np.int16),
        np.zeros(classes, np.float32),
        np.ones(classes, np.float32),
    )
