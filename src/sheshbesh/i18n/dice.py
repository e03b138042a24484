"""The calls of the dice: what players say instead of the numbers, larger number first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sheshbesh.i18n.catalogue import DICE, SOURCE, closest, messages

_NUMBERS = ("one", "two", "three", "four", "five", "six")
_DOUBLES = ("aces", "deuces", "threes", "fours", "fives", "sixes")

CALLS: Mapping[tuple[int, int], str] = MappingProxyType(
    {
        (high, low): f"double {_DOUBLES[low - 1]}"
        if high == low
        else f"{_NUMBERS[high - 1]}-{_NUMBERS[low - 1]}"
        for high in range(6, 0, -1)
        for low in range(high, 0, -1)
    }
)
"""What each throw is called in English, the key in the catalogues."""


def dice_call(dice: Iterable[int], lang: str) -> str:
    """What players call a throw: `six-five`, `şeş beş`; ValueError unless it is two dice."""
    throw = tuple(sorted(dice, reverse=True))
    call = CALLS.get((throw[0], throw[1])) if len(throw) == 2 else None
    if call is None:
        raise ValueError(f"two dice from 1 to 6 have a call, not {throw}")
    code = closest(lang)
    return call if code == SOURCE else messages(code).find(call, DICE) or call
