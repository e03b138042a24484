"""Files that were cut off, stirred or made to hurt: a match or one clear error, within bounds."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from sheshbesh.errors import RecordError
from sheshbesh.records import read_match
from tests.records.fuzz import endure, stirred
from tests.records.help import DATA

NAMES = ["galaxy_xg_style.txt", "four_ways.txt", "analysed.sgf", "four_ways.xg", "bgblitz_cube.txt"]


@pytest.mark.parametrize("name", NAMES)
def test_a_stirred_file_is_a_match_or_one_clear_error(name: str) -> None:
    rng = random.Random(name)
    data = (DATA / name).read_bytes()
    for _ in range(3):
        endure(stirred(data, rng))


def test_a_text_that_is_cut_off_anywhere_is_a_match_or_one_clear_error() -> None:
    data = (DATA / "galaxy_xg_style.txt").read_bytes()
    for size in range(0, len(data), 307):
        endure(data[:size])


def test_a_tree_that_is_cut_off_is_an_error_that_names_the_line() -> None:
    data = (DATA / "analysed.sgf").read_bytes()
    for size in range(200, len(data) - 2, 29_989):
        with pytest.raises(RecordError, match="line"):
            read_match(data[:size])


@pytest.mark.parametrize(
    "data",
    [
        b"5 point match\n Game 1\n" + b"a" * 3_000_000,
        b"(;GM[6]" + b"A[" * 1_000_000,
        b"(" * 3_000_000,
        b'{"format":"sheshbesh-record",' + b"[" * 1_000_000,
        b"5 point match\n Game 1\n a : 0   b : 0\n" + b"  1) 31: 8/5 6/5   62: 24/18 13/11\n" * 60_000,
        b"(;GM[6]MI[length:5]" + b";W[31hefe]" * 19_000 + b")",
        b"\xff" * 3_000_000,
    ],
    ids=["long row", "open values", "nesting", "json", "rows", "illegal plays", "noise"],
)
def test_a_file_made_to_hurt_is_refused_soon(data: bytes) -> None:
    begun = time.process_time()
    with pytest.raises(RecordError):
        read_match(data)
    assert time.process_time() - begun < 20


@pytest.mark.parametrize("said", ["@0", "@99", "@\u0663", "@illegal"])
def test_a_mark_of_the_reader_that_stands_in_the_file_is_no_play(said: str) -> None:
    text = f"1 point match\n\n Game 1\n Anna : 0          Ben : 0\n  1) 31: {said}     64: 24/14\n"
    endure(text.encode())


def test_a_file_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.mat"
    with path.open("wb") as file:
        file.truncate(100 * 2**20)
    with pytest.raises(RecordError, match="at most"):
        read_match(path)
