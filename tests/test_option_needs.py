"""Options that change the game only beside certain values of others: found from the axes, said as data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.errors import VariantError
from sheshbesh.match import Card
from sheshbesh.rules import loader
from sheshbesh.rules.card import card_lines
from sheshbesh.rules.coherence import DEPENDS, matters, same_game
from sheshbesh.rules.data import VariantData
from sheshbesh.rules.options import OptionValue

Setting = dict[str, OptionValue]

MOST = 20
"""Combinations of options that are looked at in a game that has more: gul_bara has 1,920."""


def settings_of(data: VariantData) -> Iterator[Setting]:
    """Every combination of the options in a game's file, and of the cube."""
    specs = {name: spec for name, spec in data.offered.items() if name in data.own_options or name == "cube"}
    for values in product(*(spec.values for spec in specs.values())):
        yield dict(zip(specs, values, strict=True))


def bears(data: VariantData, name: str, setting: Setting) -> bool:
    """Whether everything that an option needs is set."""
    return all(setting.get(other) in values for other, values in data.needs[name].items())


def played(data: VariantData, setting: Setting) -> VariantData:
    """The game of a setting, without the options that do not bear on it."""
    return data.with_options(**{name: value for name, value in setting.items() if bears(data, name, setting)})


@pytest.mark.parametrize("name", sb.variants())
def test_an_option_bears_on_the_game_exactly_where_another_value_makes_another_game(name: str) -> None:
    data = loader.load(name)
    settings = list(settings_of(data))
    for setting in settings[:: max(len(settings) // MOST, 1)]:
        before = played(data, setting)
        for option in setting:
            values = data.offered[option].values
            if len(values) > 1:
                others = (played(data, setting | {option: value}) for value in values)
                differs = any(not same_game(before.axes, other.axes) for other in others)
                assert differs is bears(data, option, setting), (option, setting)


@pytest.mark.parametrize(
    ("game", "needs"),
    [
        ("plakoto", {"mother_points": {"mother": (True,)}}),
        ("mahbusa", {"mother_points": {"mother": (True,)}, "mother_ends": {"mother": (True,)}}),
        ("long_nardy", {"block_transit": {"block_rule": ("ahead_of_block", "in_home", "may_move")}}),
        ("gul_bara", {"progression_count": {"progression_from": (4,)}}),
        ("irish", {"opening": {"opening_dice": ("reroll",)}}),
        ("takhte", {"allow_dead_double": {"cube": (True,)}}),
    ],
)
def test_what_an_option_needs(game: str, needs: dict[str, dict[str, tuple[OptionValue, ...]]]) -> None:
    found = loader.load(game).needs
    assert {name: found[name] for name in needs} == needs
    assert found["touch_move"] == {}


def test_an_axis_does_not_matter_where_one_that_it_depends_on_does_not() -> None:
    tavla, tapa = loader.load("tavla").axes, loader.load("tapa").axes
    assert matters(tavla, ("hit_run", "priority")) and not matters(tapa, ("hit_run", "priority"))
    assert not matters(tapa, ("ending", "mother_points"))
    assert all(axis != leading and answers for axis, (leading, answers) in DEPENDS.items())


def test_the_rule_card_lists_an_option_only_where_it_bears_on_the_game() -> None:
    def listed(**options: object) -> list[str]:
        lines = card_lines(loader.load("mahbusa").with_options(**options))
        return [id for line in lines for id in line.ids if id.startswith("options.mother")]

    assert listed() == ["options.mother", "options.mother_points", "options.mother_ends"]
    assert listed(mother=False) == ["options.mother"]


def test_a_card_takes_options_that_another_one_brings_along() -> None:
    card = Card.from_code("takhte.cube=true.allow_dead_double=true.p5")
    assert card.rules.axes["table"]["allow_dead_double"] is True
    assert Card.from_code(card.code) == card
    assert Card.from_code("irish.opening_dice=reroll.opening=lower.p3").options["opening"] == "lower"
    with pytest.raises(sb.SheshbeshError, match="allow_dead_double can be set only with cube = true"):
        Card.from_code("takhte.allow_dead_double=true.p5")


OWN = """
name = "tapa_of_our_club"
title = "Tapa of our club"
base = "tapa"

[options.mother_points]
doc = "points for the mother"
source = "our club"
level = "rule"
[options.mother_points.values]
2 = { ending = { mother_points = 2 } }
1 = { ending = { mother_points = 1 } }
"""


MOTHER = """
[options.mother]
doc = "whether the mother counts"
source = "our club"
level = "rule"
[options.mother.values]
false = { ending = { mother = "off" } }
true = { ending = { mother = "at_once" } }
"""


def test_a_file_with_an_option_that_can_never_matter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    with pytest.raises(VariantError, match=r"options\.mother_points: .*all values make the same game"):
        loader.load_file(path)
    path.write_text(OWN + MOTHER, encoding="utf-8")
    assert loader.load_file(path).needs["mother_points"] == {"mother": (True,)}
