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
        RolledOutPlays,
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
        "RolledOutPlays": "sheshbesh.engines.rollout.rollout",
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
    "RolledOutPlays",
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
    progress: Callable[[str, float], None] | bool | None = None,
) -> Engine:
    """Make the engine of a game.

    The net is the one made for these rules, found by their fingerprint; where there is none, the nearest one
    stands in and everything is marked approximate. Positions of the last bear-off are looked up in exact
    databases, which are made on first use in a second or two.

    Parameters
    ----------
    game : Variant or str
        The game, or its name.
    plies : int, optional
        How far it looks, 0 (the raw net, the default) to 3, counted as gnubg counts.
    seed : int
        What the errors of a weak level are drawn from.
    level : str or Level, optional
        A strength instead, "beginner" to "analyst"; see `LEVELS`.
    net : str or PathLike[str], optional
        The file of a net to be used.
    folders : str or PathLike[str] or Iterable[str | PathLike[str]]
        Where nets are looked for, before the shipped ones.
    bearoff : bool
        Whether the databases are used.
    progress : Callable[[str, float], None] or bool, optional
        True shows a bar, in a terminal or a notebook. A function is called with what is made and the share
        done, 0 to 1, while databases are made.

    Returns
    -------
    Engine
        The engine.

    Raises
    ------
    VariantError
        The game is unknown.
    NetError
        The net cannot be used.
    ValueError
        The level or the depth is unknown.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.engine("backgammon", plies=1).rank(sb.variant("backgammon").start(), (3, 1))[0].play.notation
    '8/5 6/5'
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
