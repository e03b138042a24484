"""The levels of play: the same names in every game, each with a measured error rate.

A level is a depth of search and a weakness. What players of a weakness overlook and misjudge is drawn by the
core (`weakness.h`), the same here, in a browser and on the line protocol. The four strongest have none: they
are the raw net, its search, and rollouts of what the search leaves open. How much a level loses in a game is
measured, not promised: `benchmarks/strength/levels.py` lets it play and writes what it lost into
`levels.json`. How sure the engine is of a difference between two plays is measured too, for each game and
depth.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from sheshbesh.engines import registry
from sheshbesh.engines.registry import Manifest
from sheshbesh.engines.strength.styles import STYLES, Style
from sheshbesh.rules import Variant, variant

measured_file = Path(__file__).with_name("levels.json")
"""The losses of the levels, by rule fingerprint and level; written by the tool that measures it."""


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """The average loss of a level at a decision, in points of equity; 0.010 is ten mEq.

    Measured over `decisions` with more than one legal play, in games of the level against itself, as
    an engine searching `judge_plies` deep sees it. A judge cannot show less than its own error; of a level
    that looks as deep as the judge, rollouts, a stricter judge, say what it loses (`judge_plies` None).
    """

    loss: float
    standard_error: float
    decisions: int
    judge_plies: int | None

    def __str__(self) -> str:
        return f"{1000 * self.loss:.1f} ± {1000 * self.standard_error:.1f} mEq"


@dataclass(frozen=True, slots=True)
class Weakness:
    """The limits of a level. The defaults lack nothing.

    `sight` is the chance to think of a play for every further group of checkers it moves, `gammons`
    the share of their equity at the score at which wins beyond a plain one are counted. The others are
    shares of the standard deviation of the equity there: `mood`, how far a lone checker that is sure to
    be hit is misjudged to either side; `noise`, the roughness of a comparison; `reluctance`, by how much
    a double must look right.
    """

    sight: float = 1.0
    gammons: float = 1.0
    mood: float = 0.0
    noise: float = 0.0
    reluctance: float = 0.0

    @property
    def is_none(self) -> bool:
        """True if nothing is lacking: the best play is found as far as the search goes."""
        return self == Weakness()

    @property
    def numbers(self) -> tuple[float, float, float, float, float]:
        """The same in the order of the core."""
        return self.sight, self.gammons, self.mood, self.noise, self.reluctance


_NONE = Weakness()


@dataclass(frozen=True, slots=True)
class Level:
    """A strength that a person can choose.

    Parameters
    ----------
    name : str
        Its name.
    description : str
        A sentence for people.
    plies : int
        How far it looks, as gnubg counts: 0 is the raw net.
    weakness : Weakness
        What its errors are like.
    settles : bool
        Whether it rolls out the plays that its search leaves open; see `Engine.settle`.
    style : Style, optional
        What it prefers among plays that it thinks about equally good.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> [level.name for level in sb.LEVELS][:3]
    ['beginner', 'casual', 'club']
    """

    name: str
    description: str
    plies: int
    weakness: Weakness = _NONE
    settles: bool = False
    style: Style | None = None

    def __repr__(self) -> str:
        return f"<Level {self.name}>"

    def error_rate(self, game: Variant | str, net: Manifest | None = None) -> ErrorRate | None:
        """Return what the level loses by a decision of a game, on average.

        Parameters
        ----------
        game : Variant or str
            The game, or its name.
        net : Manifest, optional
            The net; the shipped one without it.

        Returns
        -------
        ErrorRate or None
            The error rate with its standard error; None where it has not been measured with that net, and
            for a level with a style, which loses a little more than the level without.
        """
        rules = variant(game) if isinstance(game, str) else game
        entry = measurements().get(rules.fingerprint, {}).get("levels", {}).get(self.name)
        if entry is None or entry.get("net") != (net or registry.find(rules).manifest).sha256:
            return None
        return ErrorRate(
            entry["loss"], entry["standard_error"], entry["decisions"], entry.get("judge_plies", 2)
        )

    def __str__(self) -> str:
        return self.name


LEVELS: tuple[Level, ...] = (
    Level(
        "beginner",
        "knows the rules and moves what comes to mind",
        0,
        Weakness(sight=0.45, gammons=0.2, mood=0.15, noise=0.03, reluctance=0.25),
    ),
    Level(
        "casual",
        "plays now and then",
        0,
        Weakness(sight=0.65, gammons=0.5, mood=0.1, noise=0.014, reluctance=0.15),
    ),
    Level(
        "club",
        "plays every week",
        0,
        Weakness(sight=0.82, gammons=0.8, mood=0.05, noise=0.007, reluctance=0.08),
    ),
    Level("advanced", "wins at the club", 0, Weakness(sight=0.9, gammons=0.9, mood=0.03, noise=0.004)),
    Level("expert", "the net alone, without errors of its own making", 0),
    Level("master", "looks at every answer to its plays", 1),
    Level("strongest", "looks at the answers and at its own next plays", 2),
    Level("analyst", "the same, and rolls out the plays that this leaves open", 2, settles=True),
)
"""All levels, the weakest first."""

DEFAULT = "club"
"""The level of an opponent for whom none was named."""


def names() -> tuple[str, ...]:
    """The names of the levels, the weakest first."""
    return tuple(level.name for level in LEVELS)


def is_level(name: str) -> bool:
    """Return True if a level has this name, with a style or without."""
    return name in names() or any(name == each.name for level in LEVELS for each in with_styles(level))


def with_styles(level: Level) -> tuple[Level, ...]:
    """The level in each style ("club-bold"); in none where it rolls out what its search leaves open."""
    if level.settles:
        return ()
    return tuple(replace(level, name=f"{level.name}-{style.name}", style=style) for style in STYLES)


def find(name: str | Level) -> Level:
    """The level of a name, which may have a style behind it ("club-bold"); ValueError for a name that none
    has."""
    if isinstance(name, Level):
        return name
    for level in LEVELS:
        for each in (level, *with_styles(level)):
            if each.name == name:
                return each
    close = get_close_matches(str(name), names(), n=1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    raise ValueError(f"no level {name!r}{hint}; levels: {', '.join(names())}")


@cache
def measurements() -> Mapping[str, Any]:
    """Return what was measured of the levels, by the fingerprint of a game; read once."""
    if not measured_file.exists():
        return {}
    found: Mapping[str, Any] = json.loads(measured_file.read_text(encoding="utf-8"))
    return found


precision_file = Path(__file__).with_name("precision.json")
"""The errors of differences by rule fingerprint, as `benchmarks/strength/precision.py` measures and writes
them; "any" stands for rule sets that were not measured."""


def candidate_error(game: Variant, plies: int) -> float:
    """The standard error of the difference between two candidates, in equity per point at stake.

    Depths beyond those measured count as the deepest that was; a rule set that was not measured has the
    largest error of any game. It is the root mean square of the change of the difference between the two
    best candidates of a decision when both are looked at deeper: errors that all candidates share change no
    decision and do not count.
    """
    errors = candidate_errors(game)
    return errors[min(plies, len(errors) - 1)]


@cache
def candidate_errors(game: Variant) -> tuple[float, ...]:
    """The same at every depth that was measured, from 0 plies on."""
    measured = _measured_errors()
    errors = (measured.get(game.fingerprint) or measured["any"])["errors"]
    return tuple(float(errors[str(plies)]) for plies in range(len(errors)))


@cache
def _measured_errors() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(precision_file.read_text(encoding="utf-8"))
    return found
