"""Cube decisions where the two-sided bear-off table knows them: no model, no net."""

from __future__ import annotations

from collections.abc import Sequence

from sheshbesh import _core
from sheshbesh.cube.decision import CubeDecision
from sheshbesh.match import MatchState
from sheshbesh.match.state import CUBE_LIMIT
from sheshbesh.rules import Position, Variant
from sheshbesh.rules.axes import number_of
from sheshbesh.rules.notation import OFF
from sheshbesh.rules.setup import SIDES


def tables_hold(variant: Variant, match: MatchState, *, level: int = 0, gammons: bool) -> bool:
    """Whether the cube of the two-sided tables is that of this match after `level` more doubles.

    Theirs is that of a money game in which a win pays its points at once: Jacoby's rule must not reduce
    any win that is still possible (`gammons`: whether one above the single is). That the table's cube
    has no last value is neglected while that is three doubles away.
    """
    if not match.is_money or (match.cube << level) * 8 > CUBE_LIMIT:
        return False
    if number_of(variant.axes, "score", "single") != 1:
        return False  # what a pass pays is then another unit
    return not (match.jacoby and match.owner is None and level == 0 and gammons)


def exact_decision(
    tables: Sequence[_core.Table], position: Position, match: MatchState
) -> CubeDecision | None:
    """The decision of the side on roll, which may double, as `cube_decision` has it; None where no
    table knows it.

    Beavers change nothing in what comes later: without that rule whoever doubles for the most points
    has more than half of them.
    """
    gammons = not all(position.counts(side)[OFF] for side in SIDES)
    if not tables_hold(position.variant, match, gammons=gammons):
        return None
    for table in tables:
        if not isinstance(table, _core.BearoffTable):
            continue
        if (found := table.cubeful(position.core)) is not None:
            centred, owned, theirs = found
            return CubeDecision(
                no_double=centred if match.owner is None else owned,
                double_take=2 * theirs,
                double_pass=1.0,
                double_beaver=4 * theirs if match.beavers else None,
                redouble=match.owner is not None,
            )
    return None
