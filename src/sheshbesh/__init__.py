"""Sheshbesh: every game of the backgammon family by its exact rules.

>>> import sheshbesh as sb
>>> game = sb.variant("tavla")
>>> pos = game.start()
>>> [play.notation for play in pos.legal_plays((6, 5))][:2]
['24/13', '24/18 13/8']
"""

from sheshbesh.errors import (
    CubeError,
    DiceError,
    IllegalPlayError,
    MatchError,
    NotationError,
    PlayError,
    PositionError,
    ProtocolError,
    RecordError,
    SheshbeshError,
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
    Step,
    Variant,
    variant,
    variant_from_file,
    variants,
)

__version__ = "0.1.0"

__all__ = [
    "RULES",
    "Card",
    "CubeError",
    "DiceError",
    "GameResult",
    "IllegalPlayError",
    "MatchError",
    "MatchState",
    "NotationError",
    "Opening",
    "Pending",
    "Play",
    "PlayError",
    "Plays",
    "Position",
    "PositionError",
    "ProtocolError",
    "RecordError",
    "Refusal",
    "Roll",
    "SheshbeshError",
    "Side",
    "Step",
    "Variant",
    "VariantError",
    "variant",
    "variant_from_file",
    "variants",
]
