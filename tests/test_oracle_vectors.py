"""The oracle agrees with every test vector about plays, results and openings."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheshbesh.rules import loader
from tests.reference.oracle import Oracle
from tests.reference.rules import Axes
from tests.reference.vectors import Fields, check_vector, read_vectors

DATA = Path(__file__).parent / "data"
VECTORS = read_vectors(DATA / "vectors.jsonl", DATA / "kin_vectors.jsonl")
WITHOUT_THE_TABLE = [vector for vector in VECTORS if vector["type"] in ("plays", "result", "opening")]
"""Cube and match score are no business of the oracle."""


def axes_of(game: str, options: Fields) -> Axes:
    """Return the axes of a shipped game."""
    return loader.load(game).with_options(**options).axes


@pytest.mark.parametrize("vector", WITHOUT_THE_TABLE, ids=lambda vector: str(vector["id"]))
def test_the_oracle_confirms_every_claim(vector: Fields) -> None:
    assert check_vector(vector, Oracle(axes_of)) == []


def test_a_false_claim_is_noticed() -> None:
    """The helper compares: turning a claim round makes it fail."""
    for vector in WITHOUT_THE_TABLE:
        claims = dict(vector["claims"])  # type: ignore[call-overload]
        if claims.get("legal"):
            swapped = {**vector, "claims": {"illegal": claims["legal"]}}
            assert check_vector(swapped, Oracle(axes_of)), vector["id"]


def test_most_vectors_are_covered() -> None:
    kinds = {str(vector["type"]) for vector in VECTORS}
    assert kinds == {"plays", "result", "opening", "cube", "score"}
    assert len(WITHOUT_THE_TABLE) == 197
