"""What the commands ask of an engine; `sheshbesh.engines.Engine` is one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, Unpack

from sheshbesh.match import MatchState
from sheshbesh.players import engine_port as players
from sheshbesh.rules import Play, Position

if TYPE_CHECKING:
    from sheshbesh.engines.rollout.rollout import Rollout, RolloutOptions
    from sheshbesh.engines.rollout.subjects import Way
    from sheshbesh.engines.strength.levels import Level


class Judge(players.Judge, Protocol):
    """An engine for one rule set that also plays at a level and rolls positions out."""

    def choose(
        self, position: Position, dice: Iterable[int] | None = None, match: MatchState | None = None
    ) -> Play:
        """The play it makes at its level."""

    def doubles(self, position: Position, match: MatchState | None = None) -> bool:
        """Whether it turns the cube at its level."""

    def answer(self, position: Position, match: MatchState | None = None) -> str:
        """What it says at its level to a double of the side on roll."""

    def cancel(self) -> None:
        """End the running search, and every later one, as soon as possible; from any thread."""

    def resume(self) -> None:
        """Let searches run again."""

    def at_level(self, level: Level, seed: int = 0, *, plies: int | None = None) -> Judge:
        """The same engine at a level, with the memory of its search."""

    def rollout(
        self,
        position: Position,
        match: MatchState | None = None,
        *,
        options: RolloutOptions | None = None,
        **way: Unpack[Way],
    ) -> Rollout:
        """The position played out many times."""
