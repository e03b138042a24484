"""Three players that people wrote: yardsticks for nets, and opponents where there is no net.

Each is a file of weights beside this one: the value of one more of a feature, in pips. The features
are those of `cpp/include/sheshbesh/engine/written_evaluation.h`. A table named after the contact of a game
(`hit`, `pin`, `block`; see the axes) replaces weights for all games of that contact. No player depends on a
game by name, so a user's own game is played too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sheshbesh import _core
from sheshbesh.rules import Variant
from sheshbesh.rules.axes import AXES

_FOLDER = Path(__file__).parent

PLAYERS = ("racer", "builder", "careful")
"""The players, by name."""


def weights(name: str, rules: Variant) -> tuple[float, ...]:
    """The weights of a player for a game, in the order of the core's features.

    ValueError for a name that is none of `PLAYERS`.
    """
    found = _read(name)
    common = {key: value for key, value in found.items() if not isinstance(value, Mapping)}
    contact = str(rules.axes["contact"]["kind"])
    merged: dict[str, float] = {**common, **found.get(contact, {})}
    return tuple(float(merged.get(feature, 0.0)) for feature in _core.WRITTEN_FEATURES)


def values(name: str, rules: Variant) -> _core.WrittenEvaluation:
    """Return what a player values positions of a game by; ValueError for a name that is none of `PLAYERS`."""
    return _core.WrittenEvaluation(rules._core, weights(name, rules))


def player(name: str, rules: Variant) -> _core.Player:
    """A player for a game; ValueError for a name that is none of `PLAYERS`."""
    return _core.Player.written(rules._core, weights(name, rules))


@cache
def _read(name: str) -> Mapping[str, Any]:
    if name not in PLAYERS:
        raise ValueError(f"there is no hand-written player {name!r}; there are {', '.join(PLAYERS)}")
    found = tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    contacts = {key: value for key, value in found.items() if isinstance(value, Mapping)}
    named = [key for table in (found, *contacts.values()) for key in table if key not in contacts]
    unknown = [key for key in named if key not in _core.WRITTEN_FEATURES]
    unknown += [key for key in contacts if key not in AXES["contact"]["kind"].words]
    if unknown:
        raise ValueError(f"{name}.toml: there is no feature or contact {', '.join(unknown)}")
    return found
