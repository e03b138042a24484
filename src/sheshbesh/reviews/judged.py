"""A judged decision as a value with a JSON form: what a review keeps, and what a stopped run goes on from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NotRequired, TypedDict, get_args

from sheshbesh.engines.explain.reasons import Reason
from sheshbesh.engines.explain.verdict import Grade
from sheshbesh.engines.explain.wording import because
from sheshbesh.notebook import brief
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
    tried: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision with its judgement.

    Parameters
    ----------
    decision : Decision
        What statistics are computed from.
    number : int
        The number of the roll or the cube action in its game, from 1.
    position : str
        The text id of the file: XGID where the game has one.
    board : str
        The id in the game's own notation, which every game has.
    dice : tuple[int, int] or None
        The throw; None for a cube decision.
    played, best : str
        Plays in notation, or cube actions.
    loss : float
        What was lost, in EMG, 0 or more.
    verdict : Grade or None
        The grade; None where it is too close to call.
    plies : int
        How deep the decision was looked at.
    reasons : tuple[Reason, ...]
        What the best play has against the one that was made.
    tried : bool
        Whether the play was taken back for another try, which is the next decision; no sum counts it.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> match = sb.Game("hypergammon", dice=[(6, 5)])
    >>> match.play(match.legal[-1]) if match.roll() else None
    >>> [judged.decision.kind for judged in sb.review(match.to_match(), plies=0, workers=1).decisions]
    ['play']
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
    tried: bool = False

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
        """Make the judgement of a question.

        Parameters
        ----------
        question : Question
            The decision that was asked about.
        decision : Decision
            What statistics are computed from.
        best : str
            The best play or cube action.
        verdict : Grade or None
            The grade; None where it is too close to call.
        plies : int
            How deep it was looked at.
        loss : float
            What was lost, in EMG.
        played : str, optional
            What was played, if not as the question has it.
        reasons : tuple[Reason, ...]
            What the best play has against the one that was made.

        Returns
        -------
        Judged
            The judgement.
        """
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
            question.tried,
        )

    def __repr__(self) -> str:
        dice = "" if self.dice is None else f"{self.dice[0]}-{self.dice[1]} "
        where = f"game {self.game} no. {self.number}, {self.side.value} {dice}{self.played}"
        lost = f", lost {self.loss:.3f}: best {self.best}" if self.loss > 0 else ""
        return brief("Judged", f"{where}{lost}{f' ({self.verdict})' if self.verdict else ''}")

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
        """Say what would have been better and why, in a language.

        Parameters
        ----------
        lang : str
            The code of the language, such as "fa".

        Returns
        -------
        str
            A sentence; "" where nothing was lost.
        """
        if self.loss <= 0:
            return ""
        return sentence(self.decision, self.best, self.loss, because(self.reasons, self.loss, lang), lang)

    def counted_loss(self, rule: Rule = "gnubg") -> float | None:
        """Return the loss as a rule of statistics counts it.

        Parameters
        ----------
        rule : Rule
            "gnubg", "xg" or "snowie".

        Returns
        -------
        float or None
            EMG, 0 or more; None where the rule does not count the decision.
        """
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
        """Give the decision as `sheshbesh review --json` prints it.

        Parameters
        ----------
        rule : Rule
            By whose rule losses count.
        lang : str
            The language of the reason.

        Returns
        -------
        JudgedData
            Plain data.
        """
        loss = self.counted_loss(rule)
        data: JudgedData = {
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
        return data | {"tried": True} if self.tried else data

    def kept(self) -> dict[str, object]:
        """Give everything of it as plain data, exactly: floats come back to the bit.

        Returns
        -------
        dict[str, object]
            What `from_kept` reads.
        """
        return asdict(self) | {"decision": self.decision.to_data()}

    @classmethod
    def from_kept(cls, data: Mapping[str, object]) -> Judged:
        """Read what `kept` gave.

        Parameters
        ----------
        data : Mapping[str, object]
            The plain data.

        Returns
        -------
        Judged
            The judgement.

        Raises
        ------
        KeyError
            A part is missing.
        TypeError
            A part is of another kind.
        """
        kept: Mapping[str, Any] = data
        reasons = tuple(
            Reason(**{**each, "gained": tuple(each["gained"]), "lost": tuple(each["lost"])})
            for each in kept["reasons"]
        )
        if kept["verdict"] not in (None, *get_args(Grade)):
            raise TypeError(f"{kept['verdict']!r} is no grade")
        dice = kept["dice"]
        rest = {
            name: kept[name]
            for name in ("number", "position", "board", "played", "best", "loss", "verdict", "plies")
        }
        return cls(
            Decision.from_data(kept["decision"]),
            dice=None if dice is None else (dice[0], dice[1]),
            reasons=reasons,
            tried=bool(kept.get("tried", False)),
            **rest,
        )
