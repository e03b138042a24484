"""Match files of other programs, read and written; statistics from the analysis that stands in them."""

from sheshbesh.records.model import Game, Match, Repair
from sheshbesh.records.read import read_match

__all__ = ["Game", "Match", "Repair", "read_match"]
