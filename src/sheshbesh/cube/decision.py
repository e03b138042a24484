"""The cube: what it is worth where it lies, and whether to turn it.

Everything here is arithmetic over the probabilities of the result classes: no position, no net. The
model is `sheshbesh.cube.model`, the same for money (with and without Jacoby's rule, with
beavers) and for every score of a match. Equities are normalised to the present cube, for the side
that asks, before it rolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import Literal, NamedTuple

from sheshbesh.cube import MatchEquityTable
from sheshbesh.cube.match_utility import Class, owner_for, stakes_at
from sheshbesh.cube.model import CubeModel, Owner
from sheshbesh.cube.stakes import Stakes
from sheshbesh.errors import CubeError
from sheshbesh.match import MatchState
from sheshbesh.rules import Side

Action = Literal["no_double", "double", "too_good"]

_EVEN = 1e-9
"""Differences of equity below this are none: turning a cube that costs nothing is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeDecision:
    """Whether to double, and whether to take, with the equity of each way.

    All equities are those of the side on roll, normalised to the present cube: `double_pass` is +1.
    `action` is "double" where that is best against the best answer, "too_good" where playing on
    for more is better than the pass, else "no_double". `take` says whether the other side should
    take if doubled, `beaver` whether it should even redouble at once, where the money game allows
    it; `double_beaver` is the equity after that, None where it is not allowed. `redouble` marks a
    cube that has an owner, `approximate` a net that was made for other rules.
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
        """What the side on roll should do."""
        if self.answered >= self.no_double - _EVEN:
            return "double"
        return "too_good" if self.no_double >= self.double_pass else "no_double"

    @property
    def take(self) -> bool:
        """Whether the other side should take."""
        return self.double_take <= self.double_pass + _EVEN

    @property
    def beaver(self) -> bool:
        """Whether the other side should take and turn the cube again."""
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
    above = len(game.model.heights) > 2
    return CubeDecision(
        no_double=game.equity(game.owner, 0),
        double_take=game.equity("theirs", 1),
        double_pass=game.stakes.normalised(game.stakes.levels[0].cash),
        double_beaver=game.equity("theirs", 2) if match.is_money and match.beavers and above else None,
        redouble=match.owner is not None,
    )


def check_double(match: MatchState, side: Side | str) -> None:
    """CubeError, with the reason and its rule, where `side`, about to roll, may not double."""
    if refusal := match.double_refusal(side):
        raise CubeError(f"there is no double to decide on: {refusal.text} ({refusal.rule})")


def cubeful_equity(
    classes: Sequence[Class],
    probabilities: Sequence[float],
    match: MatchState,
    side: Side | str,
    *,
    efficiency: float,
    table: MatchEquityTable | None = None,
) -> float:
    """The equity of `side` with the cube where it lies, nobody turning it at this moment.

    Arguments as in `cube_decision`; every state has one, also where nobody may double.
    """
    game = _Game.at(classes, probabilities, match, Side.of(side), efficiency, table)
    return game.equity(game.owner, 0)


class _Game(NamedTuple):
    """A game with its probabilities: the chance of its first side among the games with a winner."""

    stakes: Stakes
    model: CubeModel
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
        stakes = stakes_at(classes, match, side, table)
        won, decided = fsum(wins), fsum(wins) + fsum(losses)
        return cls(
            stakes,
            stakes.model(wins, losses, efficiency),
            owner_for(match, side),
            won / decided if decided > 0 else 0.5,
            fsum(probabilities) - decided if len(wins) + len(losses) < len(classes) else 0.0,
        )

    def equity(self, owner: Owner, height: int) -> float:
        """Normalised equity with the cube at a height and an owner, ties included."""
        worth = self.model.worth(self.chance, owner, height)
        return self.stakes.normalised(worth + self.tie * (self.stakes.tie - worth))


@lru_cache(maxsize=256)
def _places(classes: tuple[Class, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where the wins and the losses stand."""
    wins = tuple(i for i, (ending, _, _) in enumerate(classes) if ending == "win")
    losses = tuple(i for i, (ending, _, _) in enumerate(classes) if ending == "lose")
    return wins, losses
