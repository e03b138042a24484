"""Questions by which the core in a browser judges a position: numbers alone, which are made here.

The core values rows, and knows what a net says. What a result pays at the score, where the cube may go, which
net plays these rules and how exact it is are laws of the library; a page is given their numbers, so that they
have no second place. `web/engine/analysis.js` reads them and answers as `sheshbesh.players.analysis` does.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final

from sheshbesh.cube.decision import EVEN
from sheshbesh.cube.match_utility import owner_for, values_at
from sheshbesh.cube.values import HeightValues, shipped_efficiency
from sheshbesh.engines import registry
from sheshbesh.engines.explain.features import weights
from sheshbesh.engines.explain.verdict import LIMITS
from sheshbesh.engines.outcome import Classes, by_double
from sheshbesh.engines.strength.levels import candidate_error
from sheshbesh.engines.utility import Scores, utility
from sheshbesh.errors import NetError
from sheshbesh.match import MatchState
from sheshbesh.rules import Plays, Position, Roll, Side, Variant
from sheshbesh.rules.variant import compiled

DEEPEST: Final = 2
"""Plies that a page looks ahead."""


def core_question(
    position: Position,
    dice: Roll | None,
    match: MatchState,
    *,
    in_turn: bool,
    has_cube: bool,
    may_double: bool,
) -> dict[str, Any] | None:
    """The numbers of a position at a score, as JSON: those of the side on roll are `mine`.

    `in_turn`: plays are to be compared, those of the dice or of what is owed; else there is the cube decision
    of a side that may double, or the value of the position before the throw. None where the game is over, and
    where no net plays the rules.
    """
    rules = position.variant
    known = _known(rules, bool(rules.axes["cube"]["use"]))
    if position.result is not None or known is None:
        return None
    found, classes, scores = known
    throws = _throws(position, dice) if in_turn else []
    answers, setup = compiled(rules.axes)
    return {
        "row": b64encode(position._core.row()).decode(),
        "rules": {"axes": dict(answers), "setup": [setup.get(point, 0) for point in range(1, 25)]},
        "net": {"name": found.manifest.name, "sha256": found.manifest.sha256},
        "classMap": list(found.class_map),
        "approximate": found.approximate,
        "classes": [list(each) for each in classes.all],
        "counted": classes.counted,
        "throws": throws,
        "mine": _paid(scores, classes, rules, match, position.turn),
        "theirs": _paid(scores, classes, rules, match, position.turn.other),
        "doubles": may_double,
        "cubeful": has_cube and not throws,
        "efficiency": asdict(shipped_efficiency()),
        "even": EVEN,
        "errors": [candidate_error(rules, plies) for plies in range(DEEPEST + 1)],
        "limits": [["best", EVEN], *(list(each) for each in LIMITS)],
        "weights": weights(rules),
    }


@lru_cache(maxsize=64)
def _known(rules: Variant, _has_cube: bool) -> tuple[registry.Found, Classes, Scores] | None:  # noqa: FBT001 -- a key
    """The net of a game, how it ends, and what that is worth.

    Rules that differ in their cube alone are equal, and worth something else: so it is part of the key.
    """
    try:
        found = registry.find(rules)
    except NetError:
        return None
    classes = Classes.of(rules)

    return found, classes, Scores(rules, classes, lambda: found.evaluate(rules.start()))


def _throws(position: Position, dice: Roll | None) -> list[list[int]]:
    """The throws whose plays are to be compared: one, or where a double is to be named all that can be."""
    plays = position.legal_plays(dice)
    groups = [plays] if isinstance(plays, Plays) else by_double(plays)
    return [list(group[0].dice) for group in groups]


def _paid(scores: Scores, classes: Classes, rules: Variant, match: MatchState, side: Side) -> dict[str, Any]:
    """Return what each class is worth to a side on roll, and the cube as that side sees it, None without one.

    `paid` is what it pays now, `values` with the cube to come; plays are chosen by `choosing`, in a rollout
    by `rolled`.
    """
    table = scores.table(match)
    has_cube = bool(rules.axes["cube"]["use"])
    paid = utility(classes, match, side, table, has_cube=has_cube)
    values = scores.equities(match, side)
    data: dict[str, Any] = {
        "paid": paid,
        "values": values,
        "choosing": scores.choosing(match, values),
        "rolled": scores.choosing(match, paid),
        "cube": None,
    }
    if has_cube:
        game = values_at(classes.all, match, side, table)
        data["cube"] = {
            "heights": [_height(each) for each in game.heights],
            "tie": game.tie,
            "even": game.even,
            "unit": game.unit,
            "owner": owner_for(match, side),
            "may": match.double_refusal(side) is None,
            "beavers": match.is_money and match.beavers and len(game.heights) > 2,
            "redouble": match.owner is not None,
        }
    return data


def _height(at: HeightValues) -> dict[str, Any]:
    """The values of a height of the cube, by the names of `web/engine/core.js`."""
    return {
        "wins": at.wins,
        "losses": at.losses,
        "cash": at.cash,
        "drop": at.drop,
        "mine": at.mine,
        "theirs": at.theirs,
        "mineFree": at.mine_free,
        "theirsFree": at.theirs_free,
    }
