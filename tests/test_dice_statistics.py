"""Fair dice are fair: 72,000 rolls from chains with fixed tips; `make soak` looks at more."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import pytest

from sheshbesh.fairdice import dice_from_seed
from tests.soak_dice import ROLLS, report, rolls_from_chains

# Quantiles of chance at one in a thousand on either side: chi-square with 35 degrees of freedom, and
# the normal distribution. The tips are fixed, so the outcome never changes by itself.
CHI_SQUARE_LOW, CHI_SQUARE_HIGH = 14.69, 66.62
DEVIATIONS = 3.1


@pytest.fixture(scope="module", params=[ROLLS // 5, pytest.param(ROLLS, marks=pytest.mark.soak)])
def rolls(request: pytest.FixtureRequest) -> Sequence[tuple[int, int]]:
    found = rolls_from_chains(request.param)
    assert len(found) == request.param
    return found


def test_all_36_pairs_are_equally_likely(rolls: Sequence[tuple[int, int]]) -> None:
    found = report(rolls)
    assert CHI_SQUARE_LOW < found.chi_square < CHI_SQUARE_HIGH
    assert abs(found.doubles) < DEVIATIONS


def test_a_die_says_nothing_about_the_next(rolls: Sequence[tuple[int, int]]) -> None:
    found = report(rolls)
    assert all(abs(value) < DEVIATIONS for value in (*found.serial, found.within))


def test_the_measures_see_what_they_are_for(rolls: Sequence[tuple[int, int]]) -> None:
    """Repeated dice and coupled dice are found out."""
    few = rolls[:36_000]
    sticky = [few[index - index % 20 // 19] for index in range(len(few))]
    assert max(report(sticky).serial) > DEVIATIONS
    coupled = [(first, first if index % 20 == 0 else second) for index, (first, second) in enumerate(few)]
    assert report(coupled).within > DEVIATIONS


def test_bytes_without_rejection_are_found_out() -> None:
    """Why 252 is the limit: with all 256 values four numbers come up a little too often."""
    stream = b"".join(sha256(number.to_bytes(4, "big")).digest() for number in range(ROLLS // 16))
    dice = [byte % 6 + 1 for byte in stream]
    assert report(list(zip(dice[::2], dice[1::2], strict=True))).chi_square > CHI_SQUARE_HIGH


def test_seeded_dice_are_fair_too() -> None:
    found = report(
        [dice_from_seed(b"statistics", game="study/1", number=number) for number in range(1, 36_001)]
    )
    assert CHI_SQUARE_LOW < found.chi_square < CHI_SQUARE_HIGH
