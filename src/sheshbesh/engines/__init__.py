"""The engine: it evaluates positions and plays, at any strength, under every rule set.

>>> import sheshbesh as sb
>>> engine = sb.engine("tapa", level="club")

What probabilities and equities mean is documented in `sheshbesh.engines.outcome` alone. The parts are
loaded when first used, so that importing `sheshbesh` stays quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sheshbesh.cube.decision import CubeDecision
    from sheshbesh.engines.engine import Engine
    from sheshbesh.engines.outcome import Candidate, Candidates, Classes, Outcome, ResultClass
    from sheshbesh.engines.rollout.rollout import (
        Estimate,
        RolledOutCube,
        RolledOutPlay,
        Rollout,
        RolloutOptions,
    )
    from sheshbesh.engines.strength.levels import LEVELS, ErrorRate, Level
    from sheshbesh.rules import Variant

_PLACES = MappingProxyType(
    {
        "LEVELS": "sheshbesh.engines.strength.levels",
        "Candidate": "sheshbesh.engines.outcome",
        "Candidates": "sheshbesh.engines.outcome",
        "Classes": "sheshbesh.engines.outcome",
        "CubeDecision": "sheshbesh.cube.decision",
        "Engine": "sheshbesh.engines.engine",
        "ErrorRate": "sheshbesh.engines.strength.levels",
        "Estimate": "sheshbesh.engines.rollout.rollout",
        "Level": "sheshbesh.engines.strength.levels",
        "Outcome": "sheshbesh.engines.outcome",
        "ResultClass": "sheshbesh.engines.outcome",
        "RolledOutCube": "sheshbesh.engines.rollout.rollout",
        "RolledOutPlay": "sheshbesh.engines.rollout.rollout",
        "Rollout": "sheshbesh.engines.rollout.rollout",
        "RolloutOptions": "sheshbesh.engines.rollout.rollout",
    }
)
"""Name -> its module."""

__all__ = [
    "LEVELS",
    "Candidate",
    "Candidates",
    "Classes",
    "CubeDecision",
    "Engine",
    "ErrorRate",
    "Estimate",
    "Level",
    "Outcome",
    "ResultClass",
    "RolledOutCube",
    "RolledOutPlay",
    "Rollout",
    "RolloutOptions",
    "make_engine",
]


def make_engine(
    game: Variant | str,
    plies: int | None = None,
    seed: int = 0,
    *,
    level: str | Level | None = None,
    net: str | PathLike[str] | None = None,
    folders: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    bearoff: bool = True,
    progress: Callable[[str, float], None] | None = None,
) -> Engine:
    """The engine for a game, by name or as a Variant (options, a game of one's own).

    `plies` is how far it looks, 0 (the raw net, the default) to 3, counted as gnubg counts. `level`
    names a strength instead ("beginner" to "analyst", see `LEVELS`), and `seed` is what the errors
    of a weak level are drawn from. `net` is the file of a net to be used; else the one made for these
    rules is found by their fingerprint, first in `folders` (several, or a single path), then among the
    shipped ones. Where there is none, the nearest one stands in and everything is marked approximate.
    Positions of the last bear-off are looked up in exact databases, unless `bearoff` is false; on first use
    they are made in a second or two, and `progress` is called with what is made and the share done.

    VariantError for an unknown game, NetError for a net that cannot be used, ValueError for an unknown
    level or depth.
    """
    from sheshbesh.engines import bearoff_databases, registry
    from sheshbesh.engines.engine import Engine
    from sheshbesh.engines.strength import levels
    from sheshbesh.rules import as_variant

    rules = as_variant(game)
    chosen = None if level is None else levels.find(level)
    depth = plies if plies is not None else chosen.plies if chosen is not None else 0
    found = registry.find(rules, folders) if net is None else registry.use(net, rules)
    exact = bearoff_databases.for_variant(rules, progress) if bearoff else ()
    return Engine(rules, found, plies=depth, level=chosen, seed=seed, exact=exact)


def __getattr__(name: str) -> object:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
