"""One position to be decided again, and whether an answer is right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from sheshbesh.engines.explain.verdict import Grade, grade
from sheshbesh.errors import NotationError, RecordError, SheshbeshError
from sheshbesh.i18n import Text
from sheshbesh.reviews.judged import Judged
from sheshbesh.reviews.questions import rules_of
from sheshbesh.rules import Play, Position, Side, Variant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sheshbesh.reviews import Report

Question = Literal["play", "double", "take"]
"""The question of a card: a play, whether to double, whether to take."""

TOLERANCE = 0.02
"""Points of equity within which of the best an answer is right, in a game for a point."""

_QUESTIONS: dict[str, Question] = {
    "play": "play",
    "double": "double",
    "no_double": "double",
    "take": "take",
    "drop": "take",
}
_WORDS = {
    "double": {"d": "double", "double": "double", "r": "no_double", "roll": "no_double", "no": "no_double"},
    "take": {"t": "take", "take": "take", "p": "drop", "pass": "drop", "d": "drop", "drop": "drop"},
}
LEAST_PLIES = 2


@lru_cache(maxsize=64)
def _position(rules: Variant, board: str) -> Position:
    """A position by its id; a card is asked for it again and again."""
    return rules.position_from_id(board)


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict on an answer: `loss` in equity; `text` as it is written; whether it counts as right."""

    text: str
    loss: float
    right: bool


@dataclass(frozen=True, slots=True)
class PracticeCard:
    """A decision of one side that cost something.

    `judged` is the decision with its candidates or cube equities. `variant` and `card` are the codes of
    the game and of the house-rule card it was played by, `file` and `players` say where it comes from.
    """

    judged: Judged
    variant: str
    card: str | None
    file: str
    players: tuple[str, str]

    @property
    def id(self) -> str:
        """The same for the same question, wherever it comes from: twelve hexadecimal digits."""
        parts = (
            self.rules.fingerprint,
            self.judged.position,
            self.judged.board,
            self.judged.dice,
            self.question,
        )
        return sha256(repr(parts).encode()).hexdigest()[:12]

    @property
    def rules(self) -> Variant:
        """The rule set that was played."""
        return rules_of(self)

    @property
    def question(self) -> Question:
        """The question."""
        return _QUESTIONS[self.judged.decision.kind]

    @property
    def side(self) -> Side:
        """The side that decides."""
        return self.judged.side

    @property
    def position(self) -> Position:
        """The position; for a double that is to be answered, the doubler is on roll."""
        return _position(self.rules, self.judged.board)

    @property
    def tolerance(self) -> float:
        """The distance from the best that an answer may have, in equity: more where the checkers left are
        counted.

        There a game is about more points, at least as many as the equity itself says.
        """
        if self.rules.axes["score"]["left"] == "off":
            return TOLERANCE
        equities = [abs(each.equity) for each in self.judged.decision.candidates]
        return TOLERANCE * max(1.0, *equities)

    @property
    def loss(self) -> float:
        """The cost of the decision."""
        return self.judged.loss

    def answer(self, text: str) -> Answer:
        """Judge an answer: a play in notation, or double, roll, take, drop.

        NotationError where it cannot be read, IllegalPlayError where the rules forbid it.
        """
        if self.question != "play":
            word = _WORDS[self.question].get(text.strip().casefold())
            if word is None:
                wanted = Text("double or roll") if self.question == "double" else Text("take or drop")
                raise NotationError(
                    Text("expected {wanted}, not {found}", wanted=wanted, found=repr(text[:40]))
                )
            return self._cube_answer(word)
        play = self.position.parse_play(text, self.dice)
        return self._play_answer(play)

    @property
    def dice(self) -> tuple[int, int] | None:
        """The dice to be played; None where what is owed is played instead."""
        owed = self.position.pending
        return self.judged.dice if owed is None or owed.choose else None

    def grade(self, answer: Answer) -> Grade:
        """Return what an answer is called; one that counts as right is no error."""
        word = grade(answer.loss * TOLERANCE / self.tolerance)
        return "fine" if answer.right and word != "best" else word

    def _cube_answer(self, word: str) -> Answer:
        loss = 0.0 if word == self.judged.best else self.judged.loss
        return Answer(word, loss, loss <= self.tolerance)

    def _play_answer(self, play: Play) -> Answer:
        position, dice = self.position, self.dice
        for each in self.known_answers:
            if each.text and position.parse_play(each.text, dice) == play:
                return Answer(play.notation, each.loss, each.right)
        return self.other_answer(play.notation)

    @property
    def known_answers(self) -> list[Answer]:
        """The answers that name a candidate, in the order of the candidates."""
        candidates, tolerance = self.judged.decision.candidates, self.tolerance
        best = max(each.equity for each in candidates)
        losses = [(each.play or "", best - each.equity) for each in candidates]
        return [Answer(play, loss, loss <= tolerance) for play, loss in losses]

    def other_answer(self, text: str) -> Answer:
        """Judge a play that is none of the candidates: it is no better than the last of them."""
        return Answer(text, max(each.loss for each in self.known_answers), right=False)

    # As data

    def kept(self) -> dict[str, Any]:
        """The card as plain data."""
        return {
            "judged": self.judged.kept(),
            "variant": self.variant,
            "card": self.card,
            "file": self.file,
            "players": list(self.players),
        }

    @classmethod
    def from_kept(cls, data: Mapping[str, Any]) -> PracticeCard:
        """The way back from `kept`; RecordError for anything else."""
        try:
            white, black = data["players"]
            card = cls(
                Judged.from_kept(data["judged"]), data["variant"], data["card"], data["file"], (white, black)
            )
            card.position  # noqa: B018 -- a card whose position cannot be read is none
        except (KeyError, TypeError, ValueError, SheshbeshError) as error:
            raise RecordError(Text("a card cannot be read: {why}", why=error)) from error
        return card


def cards_of(report: Report, side: Side | str) -> Iterator[PracticeCard]:
    """The cards of what a side got wrong in a reviewed match, in the order of the match.

    Only confirmed decisions: at least two plies deep, with a verdict, and dearer than the tolerance.
    """
    side = Side.of(side)
    for judged in report.decisions:
        if (
            judged.side is not side
            or judged.plies < LEAST_PLIES
            or not (judged.decision.counted or judged.tried)
            or judged.loss <= 0
        ):
            continue
        if judged.verdict in (None, "best", "fine"):
            continue
        card = PracticeCard(judged, report.variant, report.card, report.file, report.players)
        if judged.loss > card.tolerance:
            yield card
