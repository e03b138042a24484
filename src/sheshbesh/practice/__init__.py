"""Practice from one's own mistakes: cards made of a reviewed match, asked again when they are due.

Cards are made of decisions that are known to be wrong: looked at two plies deep or rolled out, and
dearer than twice the engine's own error (`Judged.verdict`). When a card comes again follows from its
answers by FSRS.
"""

from sheshbesh.practice.anki import write_anki
from sheshbesh.practice.cards import Answer, PracticeCard, cards_of
from sheshbesh.practice.deck import Deck

__all__ = ["Answer", "Deck", "PracticeCard", "cards_of", "write_anki"]
