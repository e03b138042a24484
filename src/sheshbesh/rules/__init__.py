"""The games: rules as data, positions, plays, and the referee.

Knows nothing of matches, engines, files of foreign formats, terminals or networks.
"""

from sheshbesh.rules.history import History
from sheshbesh.rules.lookup import as_variant, variant, variant_from_file, variants
from sheshbesh.rules.pending import Pending
from sheshbesh.rules.play import Play, Plays, Stage, Step
from sheshbesh.rules.position import Position
from sheshbesh.rules.refusal import RULES, Refusal, Refused
from sheshbesh.rules.roll import Opening, Roll
from sheshbesh.rules.side import GameResult, Side
from sheshbesh.rules.variant import Variant

__all__ = [
    "RULES",
    "GameResult",
    "History",
    "Opening",
    "Pending",
    "Play",
    "Plays",
    "Position",
    "Refusal",
    "Refused",
    "Roll",
    "Side",
    "Stage",
    "Step",
    "Variant",
    "as_variant",
    "variant",
    "variant_from_file",
    "variants",
]
