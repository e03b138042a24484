"""Cubeful equities and cube decisions.

Estimates are arithmetic over the probabilities of the result classes: no position, no net. Where a
bear-off database has the position, `known_decision` needs neither a model nor a net. The
model is that of the core (`cube_model.h`), the same for money (with and without Jacoby's rule, with
beavers) and for every score of a match. Equities are normalised to the present cube, for the side
that asks, before it rolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import Literal, NamedTuple

from sheshbesh import _core
from sheshbesh.cube import MatchEquityTable
from sheshbesh.cube.match_utility import Class, owner_for, values_at
from sheshbesh.cube.values import OWNERS, GameValues, Owner
from sheshbesh.errors import CubeError
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.notebook import html_table
from sheshbesh.rules import Position, Side, Variant
from sheshbesh.rules.axes import number_of
from sheshbesh.rules.notation import OFF
from sheshbesh.rules.side import SIDES

Action = Literal["no_double", "double", "too_good"]

Answer = Literal["take", "drop", "beaver"]
"""The answers to a double."""

EVEN = _core.EVEN
"""Equities that differ by less than this are equal: a double that loses less is right."""

NEARLY = 0.02
"""A gain of equity below this is within the error of an engine's estimate: no reason to play on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeDecision:
    """A decision about the cube: whether to double and whether to take, with the equity of each way.

    All equities are those of the side on roll, normalised to the present cube. `action` is "double" where
    that is best against the best answer, "too_good" where playing on for more is better than the drop, else
    "no_double".

    Parameters
    ----------
    no_double : float
        The equity of playing on without a double.
    double_take : float
        The equity after a double that is taken.
    double_pass : float
        The equity after a double that is dropped: 1.
    double_beaver : float or None
        The equity after a beaver; None where none is allowed.
    redouble : bool
        Whether the cube has an owner.
    approximate : bool
        Whether the net was made for other rules.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> decision = sb.engine("backgammon").cube(sb.variant("backgammon").start())
    >>> decision.action, decision.take
    ('no_double', True)
    """

    no_double: float
    double_take: float
    double_pass: float
    double_beaver: float | None
    redouble: bool
    approximate: bool = False

    @property
    def answered(self) -> float:
        """The equity of doubling against the best answer."""
        beaver = self.double_take if self.double_beaver is None else self.double_beaver
        return min(self.double_take, beaver, self.double_pass)

    @property
    def action(self) -> Action:
        """The action that the side on roll should take."""
        if self.answered >= self.no_double - EVEN:
            return "double"
        return "too_good" if self.no_double >= self.double_pass else "no_double"

    @property
    def should_double(self) -> bool:
        """True if the side on roll should double: not where it is too good to double."""
        return self.action == "double"

    @property
    def should_take(self) -> bool:
        """True if the other side should take if doubled; the same as `take`."""
        return self.take

    @property
    def take(self) -> bool:
        """True if the other side should take."""
        return self.double_take <= self.double_pass + EVEN

    @property
    def beaver(self) -> bool:
        """True if the other side should take and turn the cube again."""
        return self.double_beaver is not None and self.double_beaver < min(self.double_take, self.double_pass)

    @property
    def equity(self) -> float:
        """The equity with the best action of both sides."""
        return max(self.no_double, self.answered)

    def __str__(self) -> str:
        turn = "redouble" if self.redouble else "double"
        answer = "beaver" if self.beaver else "take" if self.take else "pass"
        words = {"no_double": f"no {turn}", "double": turn, "too_good": f"too good to {turn}"}
        return (
            f"{words[self.action]}, {answer} (no {turn} {self.no_double:+.3f}, "
            f"{turn} and take {self.double_take:+.3f}, {turn} and pass {self.double_pass:+.3f})"
        )

    def _repr_html_(self) -> str:
        """The equity of each way, and what is right, as a notebook shows them."""
        turn = "redouble" if self.redouble else "double"
        ways = [
            (f"no {turn}", self.no_double),
            (f"{turn}, take", self.double_take),
            (f"{turn}, drop", self.double_pass),
        ]
        if self.double_beaver is not None:
            ways.append((f"{turn}, beaver", self.double_beaver))
        caption = str(self).partition(" (")[0]
        return html_table(caption, ("", "equity"), [(way, f"{value:+.3f}") for way, value in ways])


def cube_decision(
    classes: Sequence[Class],
    probabilities: Sequence[float],
    match: MatchState,
    side: Side | str,
    *,
    efficiency: float,
    table: MatchEquityTable | None = None,
) -> CubeDecision:
    """The decision of `side`, which is about to roll.

    `classes` are the ways the game can end as that side sees them, `probabilities` theirs,
    `efficiency` that of the cube (`CubeEfficiency`), `table` the match equities (default:
    Kazaross-XG2). CubeError, with the reason, where the side may not double.
    """
    side = Side.of(side)
    check_double(match, side)
    game = _Game.at(classes, probabilities, match, side, efficiency, table)
    above = len(game.values.heights) > 2
    return CubeDecision(
        no_double=game.equity(game.owner, 0),
        double_take=game.equity("theirs", 1),
        double_pass=game.values.normalised(game.values.heights[0].cash),
        double_beaver=game.equity("theirs", 2) if match.is_money and match.beavers and above else None,
        redouble=match.owner is not None,
    )


def check_double(match: MatchState, side: Side | str) -> None:
    """CubeError, with the reason and its rule, where `side`, about to roll, may not double."""
    if refusal := match.double_refusal(side):
        raise CubeError(
            Text("there is no double to decide on: {why} ({rule})", why=refusal.text, rule=refusal.rule)
        )


def cubeful_equity(
    classes: Sequence[Class],
    probabilities: Sequence[float],
    match: MatchState,
    side: Side | str,
    *,
    efficiency: float,
    table: MatchEquityTable | None = None,
) -> float:
    """The equity of `side` with the cube where it lies, not turned at this moment.

    Arguments as in `cube_decision`; every state has one, also where neither side may double.
    """
    game = _Game.at(classes, probabilities, match, Side.of(side), efficiency, table)
    return game.equity(game.owner, 0)


class _Game(NamedTuple):
    """A game with its probabilities: the chance of its first side among the games with a winner."""

    values: GameValues
    model: _core.CubeModel
    owner: Owner
    chance: float
    tie: float

    @classmethod
    def at(
        cls,
        classes: Sequence[Class],
        probabilities: Sequence[float],
        match: MatchState,
        side: Side,
        efficiency: float,
        table: MatchEquityTable | None,
    ) -> _Game:
        classes = classes if isinstance(classes, tuple) else tuple(classes)
        if len(probabilities) != len(classes):
            raise ValueError(
                f"expected {len(classes)} probabilities, one for each class, not {probabilities!r}"
            )
        wins_at, losses_at = _places(classes)
        wins = [probabilities[i] for i in wins_at]
        losses = [probabilities[i] for i in losses_at]
        values = values_at(classes, match, side, table)
        won, decided = fsum(wins), fsum(wins) + fsum(losses)
        return cls(
            values,
            values.model(wins, losses, efficiency),
            owner_for(match, side),
            won / decided if decided > 0 else 0.5,
            fsum(probabilities) - decided if len(wins) + len(losses) < len(classes) else 0.0,
        )

    def equity(self, owner: Owner, height: int) -> float:
        """Normalised equity with the cube at a height and an owner, ties included."""
        decided = self.model.value(self.chance, OWNERS[owner], height)
        return self.values.normalised(decided + self.tie * (self.values.tie - decided))


@lru_cache(maxsize=256)
def _places(classes: tuple[Class, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The indices of the wins and of the losses."""
    wins = tuple(i for i, (ending, _, _) in enumerate(classes) if ending == "win")
    losses = tuple(i for i, (ending, _, _) in enumerate(classes) if ending == "lose")
    return wins, losses


def databases_apply(variant: Variant, match: MatchState, *, height: int = 0, gammons: bool) -> bool:
    """Return True if the cube of the two-sided databases is that of this match after `height` more doubles.

    Theirs is that of a money game in which a win pays its points at once: Jacoby's rule must not reduce
    any win that is still possible (`gammons`: whether one above the single is). A last value that
    the table has agreed on for its cube is neglected while it is three doubles away.
    """
    if not match.is_money or not match.allows_cube((match.cube << height) * 8):
        return False
    if number_of(variant.axes, "score", "single") != 1:
        return False  # what a pass pays is then another unit
    return not (match.jacoby and match.owner is None and height == 0 and gammons)


def known_decision(
    databases: Sequence[_core.ExactValues],
    classes: Sequence[Class],
    position: Position,
    match: MatchState,
    table: MatchEquityTable | None = None,
) -> CubeDecision | None:
    """The decision of the side on roll, which may double, from the bear-off databases; None where none
    has it.

    Arguments as in `cube_decision`. In money play the two-sided database has the equities. At a score,
    and with more checkers, they follow from all throws that lie ahead of both sides
    (`BearoffDatabase.cube_values`): exact where each side has at most six checkers. Beavers change nothing
    in what comes later: without that rule a side that doubles for the most points has more than half of
    them.
    """
    gammons = not all(position.counts(side)[OFF] for side in SIDES)
    known = databases_apply(position.variant, match, gammons=gammons)
    for database in databases:
        if not isinstance(database, _core.BearoffDatabase):
            continue
        if known and (money := database.cubeful(position._core)) is not None:
            centred, owned, theirs = money
            return CubeDecision(
                no_double=centred if match.owner is None else owned,
                double_take=2 * theirs,
                double_pass=1.0,
                double_beaver=4 * theirs if match.beavers else None,
                redouble=match.owner is not None,
            )
        game = values_at(tuple(classes), match, position.turn, table)
        ties = any(ending == "tie" for ending, _, _ in classes)
        heights = [(*game.core_height(n, ties=ties), False) for n in range(len(game.heights))]
        beavers = match.is_money and match.beavers and len(heights) > 2
        owner = OWNERS[owner_for(match, position.turn)]
        places = [(0, owner), (1, OWNERS["theirs"]), *([(2, OWNERS["theirs"])] if beavers else ())]
        found = database.cube_values(position.variant._core, position._core, heights, places)
        if found is not None:
            return CubeDecision(
                no_double=found[0],
                double_take=found[1],
                double_pass=game.normalised(game.heights[0].cash),
                double_beaver=found[2] if beavers else None,
                redouble=match.owner is not None,
            )
    return None
