"""The state of a run on disk: whole or not at all."""

from __future__ import annotations

import io
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from sheshbesh.bounded import read_bytes
from sheshbesh.errors import TrainingError

_MAGIC = b"SSHTRAIN1\n"

_MOST = 1 << 33
"""Bytes of the largest checkpoint: the samples of a run are kept with it."""


def write_atomically(file: Path, data: bytes) -> None:
    """Replace a file so that a crash leaves the old one or the new one."""
    beside = file.with_name(file.name + ".new")
    with beside.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def save(file: Path, state: dict[str, Any]) -> None:
    """Write tensors and plain values, with a checksum before them."""
    stream = io.BytesIO()
    torch.save(state, stream)
    payload = stream.getvalue()
    write_atomically(file, _MAGIC + sha256(payload).digest() + payload)


def load(file: Path, *, remedy: str = "--fresh begins anew") -> dict[str, Any]:
    """Return what `save` wrote; TrainingError, with what helps, if the file is damaged or something else."""
    data = read_bytes(file, _MOST)
    if not data.startswith(_MAGIC):
        raise TrainingError(f"{file} is no checkpoint of a training; {remedy}")
    digest, payload = data[len(_MAGIC) : len(_MAGIC) + 32], data[len(_MAGIC) + 32 :]
    if sha256(payload).digest() != digest:
        raise TrainingError(f"{file} is damaged: its checksum does not match; {remedy}")
    state: dict[str, Any] = torch.load(io.BytesIO(payload), weights_only=True)
    return state
