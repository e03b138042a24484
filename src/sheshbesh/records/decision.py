"""An analysed decision: what statistics are computed from, no matter who analysed it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, TypeAlias

from sheshbesh.rules import Side

Kind: TypeAlias = Literal["play", "no_double", "double", "take", "drop"]

Chances: TypeAlias = tuple[float, float, float, float, float]
"""Win, gammon won, backgammon won, gammon lost, backgammon lost; each of the first two includes the next."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play that was weighed.

    `equity` is cubeful and normalised to the present cube (EMG; points at cube 1 in money play), for the
    mover. `depth` is the analyser's own word for how deep it looked.
    """

    play: str
    equity: float
    chances: Chances | None = None
    depth: str = ""


@dataclass(frozen=True, slots=True)
class CubeEquities:
    """Cubeful equities of a cube decision (EMG), for the side that may double; after a drop it has 1."""

    no_double: float
    double_take: float
    double_drop: float = 1.0
    chances: Chances | None = None
    chances_take: Chances | None = None
    cubeless: float | None = None
    cubeless_take: float | None = None
    depth: str = ""

    @property
    def best_double(self) -> float:
        """The equity after doubling, against the better answer."""
        return min(self.double_take, self.double_drop)

    @property
    def best(self) -> float:
        """The equity of the best action."""
        return max(self.no_double, self.best_double)


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of `side` in game `game` (from 1), made at event `event` (index in the game).

    `kind` "play" is a roll with a play recorded, dances and forced plays included; `legal_plays` is the
    number of distinct legal results (0: not known, because the play that stood was illegal). `played` is
    an index into `candidates`, best first; None if the play was not among them. Cube decisions carry
    `cube`, from the doubler's view also for "take" and "drop".

    `stake` turns a loss of equity into what it costs: match-winning chances (a fraction) in a match,
    points in money play. `luck` is that of the roll (EMG), None if not known. `loss` is what the analyser
    itself says was lost (EMG, positive), where its file says so. `counted` is false for what a sum
    excludes by name: a play that was illegal and stood.
    """

    game: int
    event: int
    side: Side
    kind: Kind
    stake: float = 1.0
    candidates: tuple[Candidate, ...] = ()
    played: int | None = None
    legal_plays: int = 0
    cube: CubeEquities | None = None
    luck: float | None = None
    loss: float | None = None
    counted: bool = True

    def to_data(self) -> dict[str, object]:
        """The decision as plain data; `from_data` is the way back, to the bit."""
        return asdict(self) | {"side": self.side.value}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The decision in plain data; KeyError, TypeError or ValueError for anything else."""
        cube = data["cube"]
        candidates = tuple(
            Candidate(**{**each, "equity": float(each["equity"]), "chances": _chances(each["chances"])})
            for each in data["candidates"]
        )
        played = data["played"]
        if played is not None and (type(played) is not int or not 0 <= played < len(candidates)):
            raise ValueError(f"play {played!r} of {len(candidates)} candidates")
        if cube is not None:
            chances = {name: _chances(cube[name]) for name in ("chances", "chances_take")}
            cube = CubeEquities(**{**cube, **chances})
        return cls(**{**data, "side": Side.of(data["side"]), "candidates": candidates, "cube": cube})

    @property
    def unforced(self) -> bool:
        """True if a play had an alternative."""
        return self.kind == "play" and self.legal_plays > 1

    @property
    def play_loss(self) -> float | None:
        """The equity that the play made gave up against the best (EMG, not negative); None if not known."""
        if self.kind != "play" or self.played is None or not self.candidates:
            return self.loss if self.kind == "play" else None
        return max(self.candidates[0].equity - self.candidates[self.played].equity, 0.0)


def _chances(values: Any) -> Chances | None:
    if values is None:
        return None
    win, gammon, backgammon, lost_gammon, lost_backgammon = map(float, values)
    return win, gammon, backgammon, lost_gammon, lost_backgammon


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """A finished game: points White gained (negative: Black) and what that did to White's chances.

    `mwc` is the change of White's match-winning chances; in money play the points.
    """

    game: int
    points: int
    mwc: float
