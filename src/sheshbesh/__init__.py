"""Sheshbesh: every game of the backgammon family by its exact rules.

>>> import sheshbesh as sb
>>> game = sb.variant("tavla")
>>> pos = game.start()
>>> [play.notation for play in pos.legal_plays((6, 5))][:2]
['24/13', '24/18 13/8']
"""

from typing import TYPE_CHECKING

from sheshbesh.engines import make_engine as engine
from sheshbesh.errors import (
    CubeError,
    DiceError,
    IllegalPlayError,
    MatchError,
    NetError,
    NotationError,
    PlayError,
    PositionError,
    ProtocolError,
    RecordError,
    RolloutError,
    SheshbeshError,
    StoppedError,
    VariantError,
)
from sheshbesh.match import Card, MatchState
from sheshbesh.rules import (
    RULES,
    GameResult,
    Opening,
    Pending,
    Play,
    Plays,
    Position,
    Refusal,
    Roll,
    Side,
    Stage,
    Step,
    Variant,
    variant,
    variant_from_file,
    variants,
)

if TYPE_CHECKING:
    from sheshbesh.engines import (
        Candidate,
        CubeDecision,
        Engine,
        Level,
        Outcome,
        ResultClass,
        Rollout,
        RolloutOptions,
    )

__version__ = "0.1.0"

__all__ = [
    "RULES",
    "Candidate",
    "Card",
    "CubeDecision",
    "CubeError",
    "DiceError",
    "Engine",
    "GameResult",
    "IllegalPlayError",
    "Level",
    "MatchError",
    "MatchState",
    "NetError",
    "NotationError",
    "Opening",
    "Outcome",
    "Pending",
    "Play",
    "PlayError",
    "Plays",
    "Position",
    "PositionError",
    "ProtocolError",
    "RecordError",
    "Refusal",
    "ResultClass",
    "Roll",
    "Rollout",
    "RolloutError",
    "RolloutOptions",
    "SheshbeshError",
    "Side",
    "Stage",
    "Step",
    "StoppedError",
    "Variant",
    "VariantError",
    "engine",
    "variant",
    "variant_from_file",
    "variants",
]


def __getattr__(name: str) -> object:
    # The parts of the engine are loaded when they are asked for, so that the import stays quick.
    if name in __all__:
        from importlib import import_module

        return getattr(import_module("sheshbesh.engines"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
