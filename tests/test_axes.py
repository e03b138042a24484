"""The table of axes in the core is that of `rules/axes.py`, number for number."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.rules.axes import AXES, TABLE_ONLY, Axis

CORE = _core.Ruleset.axes()
NUMBERS: dict[str, Axis] = {
    f"{table}.{key}": axis
    for table, keys in AXES.items()
    if table not in TABLE_ONLY
    for key, axis in keys.items()
    if axis.kind != "setup"
}
OUTSIDE_THE_NET = {
    "ending.closed_area_wins",
    "ending.mother_points",
    "score.single",
    "score.backgammon",
    "score.home_mars",
    "score.koks",
}
"""What a class pays, when the classes themselves say whether there is one."""


KNOWN_TO_NETS = {"prime.allowed": 3}
"""Axes with answers that the nets do not know: how many they know. Another answer stands in for the rest."""


def values_of(axis: Axis) -> int:
    """How many numbers the core needs for the answers, from 0 up."""
    return {"str": len(axis.words), "bool": 2, "int": axis.high + 1}[axis.kind]


def test_the_core_has_every_axis_that_can_change_a_play_or_a_result() -> None:
    assert CORE.keys() == NUMBERS.keys()


@pytest.mark.parametrize("name", sorted(NUMBERS))
def test_an_axis_has_as_many_values_in_the_core_as_in_the_table(name: str) -> None:
    values, net_values = CORE[name]
    assert values == values_of(NUMBERS[name])
    assert (net_values == 0) == (name in OUTSIDE_THE_NET)
    assert net_values in (0, KNOWN_TO_NETS.get(name, values)), (
        "an answer no net knows: name it here, and say so in CONTRIBUTING.md"
    )


def numbers_of(game: str) -> dict[str, int]:
    """A game's answers as the core takes them."""
    axes = sb.variant(game).axes
    answers = {}
    for name, axis in NUMBERS.items():
        table, key = name.split(".")
        value = axes[table][key]
        assert not isinstance(value, Mapping)
        answers[name] = axis.words.index(str(value)) if axis.kind == "str" else int(value)
    return answers


@pytest.mark.parametrize("name", sorted(NUMBERS))
def test_an_answer_beyond_the_table_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"out of range: {name}"):
        _core.Ruleset({**numbers_of("backgammon"), name: CORE[name][0]}, {24: 15})
