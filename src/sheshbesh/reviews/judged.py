"""A judged decision as a value with a JSON form: what a review keeps, and what a stopped run goes on from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

from sheshbesh.engines.explain.reasons import Reason
from sheshbesh.engines.explain.verdict import Grade
from sheshbesh.engines.explain.wording import because
from sheshbesh.records import Decision
from sheshbesh.records.statistics import Rule, xg_loss
from sheshbesh.reviews.questions import Question
from sheshbesh.reviews.wording import sentence
from sheshbesh.rules import Side

_CLOSE = 0.16
"""A cube that was not turned counts, for GNU Backgammon, when it is at most this far from right."""


class JudgedData(TypedDict):
    """A judged decision as `sheshbesh review --json` prints it; see `Judged`."""

    game: int
    number: int
    side: str
    type: str
    dice: list[int] | None
    position: str
    played: str
    best: str
    loss: float | None
    verdict: str | None
    reason: str
    luck: float | None
    counted: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision with its judgement.

    `decision` is what statistics are computed from; `number` counts the rolls and cube actions of the game
    from 1. `position` is the text id of the file (XGID where the game has one), `board` the id in the game's
    own notation, which every game has; `dice` are those thrown, None for a cube decision. `played` and `best`
    are plays in notation or cube actions. `loss` is in EMG, 0 or more. `verdict` is None where it is too
    close to call. `reasons` say what the best play has against the one that was made; `plies` is how deep
    the decision was looked at.
    """

    decision: Decision
    number: int
    position: str
    board: str
    dice: tuple[int, int] | None
    played: str
    best: str
    loss: float
    verdict: Grade | None
    plies: int
    reasons: tuple[Reason, ...] = ()

    @classmethod
    def of(
        cls,
        question: Question,
        decision: Decision,
        best: str,
        verdict: Grade | None,
        plies: int,
        *,
        loss: float = 0.0,
        played: str | None = None,
        reasons: tuple[Reason, ...] = (),
    ) -> Judged:
        """The judgement of a question; `played` is what the question says unless given."""
        return cls(
            decision,
            question.number,
            question.text,
            question.position.id,
            question.shown if question.kind == "play" else None,
            question.played if played is None else played,
            best,
            loss,
            verdict,
            plies,
            reasons,
        )

    @property
    def game(self) -> int:
        """The number of the game."""
        return self.decision.game

    @property
    def side(self) -> Side:
        """The side that decided."""
        return self.decision.side

    @property
    def luck(self) -> float | None:
        """The luck of the roll (EMG); None for cube decisions and where it is not known."""
        return self.decision.luck

    @property
    def reason(self) -> str:
        """The better decision and its reason, as a sentence in English; "" where nothing was lost."""
        return self.say()

    def say(self, lang: str = "en") -> str:
        """The same in a language."""
        if self.loss <= 0:
            return ""
        return sentence(self.decision, self.best, self.loss, because(self.reasons, self.loss, lang), lang)

    def counted_loss(self, rule: Rule = "gnubg") -> float | None:
        """The loss as this rule counts it; None where the rule does not count the decision."""
        decision = self.decision
        if not decision.counted:
            return None
        if rule == "xg":
            return xg_loss(decision)
        if decision.kind == "play":
            return self.loss if decision.unforced else None
        cube = decision.cube
        if decision.kind == "no_double" and cube is not None:
            return self.loss if cube.best - min(cube.double_take, 1.0) < _CLOSE else None
        return self.loss

    def to_data(self, rule: Rule = "gnubg", lang: str = "en") -> JudgedData:
        """The decision as `sheshbesh review --json` prints it."""
        loss = self.counted_loss(rule)
        return {
            "game": self.game,
            "number": self.number,
            "side": self.side.value,
            "type": self.decision.kind,
            "dice": None if self.dice is None else list(self.dice),
            "position": self.position,
            "played": self.played,
            "best": self.best,
            "loss": loss,
            "verdict": self.verdict,
            "reason": self.say(lang),
            "luck": self.luck,
            "counted": loss is not None,
        }

    def kept(self) -> dict[str, object]:
        """Everything of it as plain data, exactly: floats come back to the bit."""
        return asdict(self) | {"decision": self.decision.to_data()}

    @classmethod
    def from_kept(cls, data: Mapping[str, Any]) -> Judged:
        """The way back from `kept`; KeyError or TypeError for anything else."""
        reasons = tuple(
            Reason(**{**each, "gained": tuple(each["gained"]), "lost": tuple(each["lost"])})
            for each in data["reasons"]
        )
        dice = data["dice"]
        rest = {
            name: data[name]
            for name in ("number", "position", "board", "played", "best", "loss", "verdict", "plies")
        }
        return cls(
            Decision.from_data(data["decision"]),
            dice=None if dice is None else (dice[0], dice[1]),
            reasons=reasons,
            **rest,
        )
