"""A lesson: a position, what is asked in it, and how an answer is judged by the rules themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias, get_args

from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.rules import GameResult, Play, Position, Refusal, Roll, Side, Step, Variant
from sheshbesh.rules.notation import BAR, HAND, parse_moves
from sheshbesh.session.board_data import BareStage

Asks: TypeAlias = Literal["play", "refused", "points", "double", "goes_on", "over", "rule"]
"""The question of a lesson: a play on the board; which of some plays is refused; what a result pays; whether
one may double; whether the turn goes on, or the game is over, after a play; what the rule is."""

ASKS: tuple[Asks, ...] = get_args(Asks)
PASS = "pass"
"""The answer where nothing can be played."""

_YES_NO = (True, False)
_TERM = re.compile("_([^_]+)_")


@dataclass(frozen=True, slots=True)
class Option:
    """One of the answers to choose from: what is shown, and what it stands for.

    `value` is a play, a number of points, True or False, or the value of an axis. `shown` is a Text to be
    translated, except of a play.
    """

    value: str | int | bool
    shown: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer of the referee. `refusal` is the rule that forbids it, None for what is allowed."""

    is_right: bool
    said: str
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A play that is refused here and allowed in another game."""

    game: Variant
    play: str

    @property
    def text(self) -> Text:
        """The sentence that says it."""
        return Text("In {game}, {play} is allowed.", game=Text(self.game.title), play=self.play)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One step of a course.

    `text` says what is to be learned and what to do, `why` is said once it is answered; both are English
    keys. `answers` are the plays that are right, all legal ones where it is empty. `refused` gives plays that
    the rules forbid with the id of the rule. `play` is the one whose consequences are asked, `match` the
    score and cube at which they are. A right answer other than a play is `answer`, the value of an option.

    With `is_one_die` the throw is a single die, the first of the two equal `dice`: a play is one step. With
    `has_arrow` the answer is shown from the start, to be followed. With `is_plain` the task names no
    play, for readers who do not know how plays are written.
    """

    id: str
    asks: Asks
    text: str
    why: str
    source: str
    position: Position
    dice: Roll | None = None
    is_one_die: bool = False
    has_arrow: bool = False
    is_plain: bool = False
    answers: tuple[str, ...] = ()
    refused: Mapping[str, str]
    elsewhere: tuple[Elsewhere, ...] = ()
    play: str | None = None
    match: MatchState | None = None
    options: tuple[Option, ...] = ()
    answer: str | int | bool | None = None
    axis: tuple[str, str] | None = None

    @property
    def rules(self) -> Variant:
        """The game it is about."""
        return self.position.variant

    @property
    def side(self) -> Side:
        """The side that the reader plays."""
        return self.position.turn

    @property
    def shown_refused(self) -> tuple[str, ...]:
        """The refused plays that are explained after the answer; a plain lesson keeps to its own words."""
        return () if self.is_plain else tuple(self.refused)

    @property
    def task(self) -> Text:
        """The question, in a sentence; empty where the lesson's text asks it."""
        shown: dict[str, object] = {"play": self.play}
        match self.asks:
            case "refused":
                return Text("Which of these plays is refused?")
            case "points" if self.play and not self.is_plain:
                return Text("{play} ends the game. How many points does it pay?", **shown)
            case "points":
                return Text("How many points does this pay?")
            case "double":
                return Text("May you double now?")
            case "goes_on" if self.is_plain:
                return Text("Does your turn go on?")
            case "goes_on":
                return Text("You have played {play}. Does your turn go on?", **shown)
            case "over":
                return Text("You have played {play}. Is the game over?", **shown)
            case _:
                return Text("")

    @property
    def solution(self) -> Play | None:
        """A whole play that is right, if one is asked; the empty one where nothing can be played."""
        if self.asks != "play" or self.is_one_die:
            return None
        if self.answers:
            return self.position.parse_play(self.answers[0], self.dice)
        return self.position.legal_plays(self.dice)[0]

    @property
    def shown_steps(self) -> tuple[Step, ...] | None:
        """The steps of a right answer, if a play is asked; none where nothing can be played."""
        if self.asks == "play" and self.is_one_die:
            return next(iter(self._right_steps), ())
        return None if self.solution is None else self.solution.steps

    @property
    def shown_play(self) -> str | None:
        """A right answer as it is written, if a play is asked."""
        if self.answers:
            return self.answers[0]
        if self.is_one_die and self.shown_steps is not None:
            return " ".join(step.notation for step in self.shown_steps) or PASS
        return None if self.solution is None else self.solution.notation

    @property
    def stages(self) -> list[BareStage]:
        """The graph of the turn as `Position.bare_stages` gives it; of a single die the first step alone."""
        stages = list(self.position.bare_stages(self.dice))
        if not self.is_one_die:
            return stages
        steps = [(step, 1) for step, _ in stages[0][1]]
        return [(False, steps), (True, ())] if steps else [(True, ())]

    @property
    def _right_steps(self) -> list[tuple[Step, ...]]:
        """The right ones among the steps of a single die."""
        legal = self.position.legal_steps(self.dice)
        return [(step,) for step in legal if not self.answers or step.notation in self.answers]

    @property
    def right_stages(self) -> list[int] | None:
        """The stages at which a right play ends, by their places in `stages`.

        None where every play is right, and where none or a single die is asked for.
        """
        if self.asks != "play" or self.is_one_die or not self.answers:
            return None
        right = {self.position.parse_play(answer, self.dice).result for answer in self.answers}
        plays = self.position.legal_plays(self.dice)
        ends = {self._stage_after(play.steps) for play in plays if play.result in right}
        return sorted(ends)

    def _stage_after(self, steps: Sequence[Step]) -> int:
        stages, at = self.stages, 0
        for step in steps:
            at = next(after for onward, after in stages[at][1] if onward[:3] == step[:3])
        return at

    @property
    def right_steps(self) -> list[Step]:
        """The right ones among the steps of a single die; none where another answer is asked for."""
        if self.asks != "play" or not self.is_one_die:
            return []
        return [step for (step,) in self._right_steps]

    # Judging

    def refusal(self, text: str) -> Refusal | None:
        """Why a play as written is refused, None if it is not; NotationError if it cannot be read."""
        return self.position.refusal(_pairs(text) if self.is_one_die else text, self.dice)

    def judge(self, text: str) -> Judgement:
        """The judgement on a play as written; NotationError if it cannot be read."""
        if self.is_one_die:
            return self._judge_one_die(_pairs(text))
        refusal = self.refusal(text)
        if refusal is not None:
            return _refused(text, refusal)
        return self._judge_play(self.position.parse_play(text, self.dice))

    def judge_steps(self, steps: Sequence[tuple[int, int]], *, whole: bool) -> Judgement:
        """The judgement on steps, (origin, target) in own numbers: a whole play, or the beginning of one.

        A beginning that is allowed is neither right nor wrong yet, and says so. NotationError for steps that
        are none.
        """
        if self.is_one_die:
            return self._judge_one_die(steps)
        tried = _written(steps)
        if whole:
            found = self.position.play_of(steps, self.dice)
            return _refused(tried, found) if isinstance(found, Refusal) else self._judge_play(found)
        refusal = self.position.refusal(steps, self.dice)
        if refusal is not None:
            return _refused(tried, refusal)
        return Judgement(
            is_right=False, said=Text("{play} is allowed; the turn is not over yet.", play=tried)
        )

    def _judge_play(self, play: Play) -> Judgement:
        if not self.answers or play.result in {
            self.position.parse_play(answer, self.dice).result for answer in self.answers
        }:
            return Judgement(is_right=True, said=Text("Right."))
        if not play.steps:
            return Judgement(is_right=False, said=Text("There is a play."))
        said = Text("{play} is allowed, but it is not what was asked for.", play=play.notation)
        return Judgement(is_right=False, said=said)

    def _judge_one_die(self, steps: Sequence[tuple[int, int]]) -> Judgement:
        """The judgement on what was done with a single die: one step, or none where there is none."""
        tried, legal = _written(steps), self.position.legal_steps(self.dice)
        if len(steps) > 1:
            return Judgement(is_right=False, said=Text("A single die moves one checker, once."))
        if not steps:
            return Judgement(is_right=not legal, said=Text("There is a play.") if legal else Text("Right."))
        refusal = self.position.refusal(list(steps), self.dice)
        if refusal is not None:
            return _refused(tried, refusal)
        if any(_ends(step) == _ends(steps[0]) for (step,) in self._right_steps):
            return Judgement(is_right=True, said=Text("Right."))
        said = Text("{play} is allowed, but it is not what was asked for.", play=tried)
        return Judgement(is_right=False, said=said)

    def judge_option(self, index: int) -> Judgement:
        """The judgement on one of the `options`; IndexError if there is no such one."""
        if index < 0:
            raise IndexError(index)
        option = self.options[index]
        is_right = option.value == self.answer
        said = Text("Right.") if is_right else Text("That is not so.")
        if self.asks == "refused":
            play = str(option.value)
            if not is_right:
                return Judgement(is_right=False, said=Text("{play} is allowed.", play=play))
            return Judgement(is_right=True, said=said, refusal=self.position.refusal(play, self.dice))
        refusal = None
        if self.asks == "double" and self.match is not None:
            refusal = self.match.double_refusal(self.side)
        return Judgement(is_right=is_right, said=said, refusal=refusal)

    # What the rules say: compared with the data by the tests

    @property
    def truth(self) -> str | int | bool | None:
        """The right one among the options' values, by the rules; None where a play is asked."""
        match self.asks:
            case "play":
                return None
            case "refused":
                plays = [str(option.value) for option in self.options]
                wrong = [play for play in plays if self.position.refusal(play, self.dice) is not None]
                return wrong[0] if len(wrong) == 1 else None
            case "double":
                assert self.match is not None
                return self.match.may_double(self.side)
            case "goes_on":
                return self._after.turn is self.side and self._after.result is None
            case "over":
                return self._after.result is not None
            case "points":
                return self._points
            case "rule":
                assert self.axis is not None
                value = self.rules.axes[self.axis[0]][self.axis[1]]
                assert isinstance(value, str | int)
                return value

    @property
    def _after(self) -> Position:
        if self.play is None:
            return self.position
        return self.position.parse_play(self.play, self.dice).result

    @property
    def _points(self) -> int | None:
        result: GameResult | None = self._after.result
        if result is None:
            return None
        return self.match.points(result) if self.match is not None else result.points


def without_marks(text: str, say: Callable[[str], str] = str) -> tuple[str, tuple[str, ...]]:
    """A lesson's text in any language without the marks of the terms that it introduces, and these terms.

    `say` words each term in the text.
    """
    return _TERM.sub(lambda found: say(found[1]), text), tuple(_TERM.findall(text))


def options_of(asks: Asks, given: Sequence[str | int | Mapping[str, object]]) -> tuple[Option, ...]:
    """The options that a file names: plays, points, values of an axis with their texts; or yes and no."""
    if asks in ("double", "goes_on", "over"):
        words = {True: Text("Yes"), False: Text("No")}
        return tuple(Option(value, words[value]) for value in _YES_NO)
    found = []
    for each in given:
        if isinstance(each, Mapping):
            value = each["value"]
            assert isinstance(value, str | int)
            found.append(Option(value, Text(str(each["text"]))))
        else:
            found.append(Option(each, str(each)))
    return tuple(found)


def _pairs(text: str) -> list[tuple[int, int]]:
    """The steps that a text names, as (origin, target)."""
    return [pair for move in parse_moves(text) for pair in pairwise(move.points) for _ in range(move.times)]


def _ends(step: Sequence[int]) -> tuple[int, int]:
    """Origin and target. A checker in hand and one on the bar are both outside of the board."""
    return HAND if step[0] == BAR else step[0], step[1]


def _refused(tried: str, refusal: Refusal) -> Judgement:
    return Judgement(is_right=False, said=Text("{play} is refused.", play=tried), refusal=refusal)


def _written(steps: Sequence[tuple[int, int]]) -> str:
    """Steps as notation, those of one checker joined; whether they hit is not known."""
    ways: list[list[int]] = []
    for origin, target in steps:
        if ways and ways[-1][-1] == origin:
            ways[-1].append(target)
        else:
            ways.append([origin, target])
    return " ".join("/".join(_named(number) for number in way) for way in ways) or PASS


def _named(number: int) -> str:
    return {26: "bar", 25: "hand", 0: "off"}.get(number, str(number))
