"""Refusals: which rule forbids a play, in words, with its source.

The core finds the rule; here are its public id, the axis whose source is cited, and its wording.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

from sheshbesh import _core
from sheshbesh.errors import PlayError
from sheshbesh.i18n import Text, translate
from sheshbesh.rules.citing import cited


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rule that forbids something, with its source and a sentence.

    Parameters
    ----------
    rule : str
        The id of the rule, of a closed list.
    source : str or None
        Where it is written; None for what needs no source, such as numbers that were not thrown.
    text : str
        The sentence for the player.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> refusal = sb.MatchState(length=7, cube=2, owner="black").double_refusal("white")
    >>> refusal.rule, refusal.text
    ('cube.owner', 'only the owner of the cube may turn it')
    """

    rule: str
    source: str | None
    text: str

    def say(self, lang: str) -> str:
        """Say the sentence in a language.

        Parameters
        ----------
        lang : str
            The code of the language, such as "fa".

        Returns
        -------
        str
            The sentence.
        """
        return translate(self.text, lang)

    @property
    def message(self) -> str:
        """The sentence with its source as it is cited to players."""
        if not self.source:
            return self.text
        return Text("{why} ({source})", why=self.text, source=cited(self.source))

    def __str__(self) -> str:
        return f"{self.text} ({self.source})" if self.source else self.text


_DECLARED: dict[str, Refusal] = {}


def declare_rules(rules: Mapping[str, tuple[str, str | None]]) -> None:
    """Make a closed list of rule ids, each with its sentence and source, known to `Refused.of`."""
    _DECLARED.update({rule: Refusal(rule, source, text) for rule, (text, source) in rules.items()})


class Refused(PlayError):  # noqa: N818 -- what a player may not do is no error of the program
    """Raised by a state machine that is asked for what its rules do not allow.

    Parameters
    ----------
    refusal : Refusal
        The rule, where it is written, and a sentence.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    @property
    def message(self) -> str:
        """The sentence of the refusal with its source."""
        return self.refusal.message

    @classmethod
    def of(cls, rule: str) -> Self:
        """Return the refusal with an id of a closed list.

        Parameters
        ----------
        rule : str
            The id.

        Returns
        -------
        Self
            The error, to be raised.

        Raises
        ------
        KeyError
            No list has the id.
        """
        return cls(_DECLARED[rule])


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule id: the axis that decides it, and the wording by the value of that axis.

    `wording` has one sentence under "" or one for each value of the axis; `{value}` stands for it.
    """

    axis: tuple[str, str] | None
    wording: Mapping[str, str]
    stricter: Stricter | None = None


@dataclass(frozen=True, slots=True)
class Stricter:
    """Another wording, where a second axis says something other than no."""

    axis: tuple[str, str]
    wording: Mapping[str, str]


def _wording(text: str, by_value: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType({"": text} if text else dict(by_value))


def _rule(axis: str | None, text: str = "", *, stricter: Stricter | None = None, **by_value: str) -> RuleText:
    return RuleText(None if axis is None else _split(axis), _wording(text, by_value), stricter)


def _where(axis: str, text: str = "", **by_value: str) -> Stricter:
    return Stricter(_split(axis), _wording(text, by_value))


def _split(axis: str) -> tuple[str, str]:
    table, _, key = axis.partition(".")
    return table, key


RULES: Mapping[str, RuleText] = MappingProxyType(
    {
        "dice.not_thrown": _rule(None, "the dice do not show these numbers"),
        "dice.double": _rule("throw.double_steps", "a double is played {value} times in this game"),
        "checker.none": _rule(None, "there is no checker of yours to move there"),
        "take.none": _rule(None, "there is no enemy checker to take there, leave out the *"),
        "game.over": _rule(None, "the game is over"),
        "enter.bar_first": _rule(
            "contact.kind", "your checkers on the bar must enter before anything else moves"
        ),
        "point.closed": _rule(
            "contact.kind",
            hit="two or more enemy checkers close this point",
            pin="two or more enemy checkers, or one that holds a checker of yours, close this point",
            block="even one enemy checker closes a point",
        ),
        "pin.captive": _rule("contact.kind", "an imprisoned checker cannot move"),
        "stack.cap": _rule("occupancy.stack_cap", "no more than {value} checkers may stand on a point"),
        "head.limit": _rule(
            "head.limit",
            "only {value} checker may leave the head in a turn",
            stricter=_where(
                "head.exception",
                "only {value} checker may leave the head in a turn, but for the first turn's exceptions",
            ),
        ),
        "runner.first": _rule(
            "runner.to",
            home="until your first checker has reached your home, no other may move",
            past_opponent_start="until your first checker has passed the opponent's start, no other may move",
        ),
        "prime.six": _rule(
            "prime.allowed",
            ahead_of_block="six points in a row need an enemy checker ahead of them",
            in_home="six points in a row need an enemy checker in its own home",
            may_move="six points in a row must leave an enemy checker a number to move with",
            stricter=_where(
                "prime.transit",
                ahead_of_block="six points in a row need an enemy checker ahead of them, even in passing",
                in_home="six points in a row need an enemy checker in its own home, even in passing",
                may_move="six points in a row must leave an enemy checker a number to move with, even in "
                "passing",
            ),
        ),
        "quarter.own": _rule(
            "occupancy.own_quarter", "no more than {value} points of your starting quarter may be held"
        ),
        "quarter.opponent": _rule(
            "occupancy.opponent_quarter",
            "no more than {value} points of the opponent's starting quarter may be held",
        ),
        "hit_and_run": _rule(
            "hit_run.ban",
            hard="you may not hit in your home and run on with the same checker",
            soft="a checker that hit in your home may not run on to your own checkers or be borne off",
        ),
        "bear_off.all_home": _rule(
            "bearoff.overshoot", "checkers are borne off only when all of yours are home"
        ),
        "bear_off.pinned": _rule(
            "bearoff.pinned_blocks", "nothing is borne off while a checker of yours is imprisoned"
        ),
        "bear_off.number": _rule(
            "bearoff.overshoot",
            from_highest="a larger number bears off only from the highest point that holds a checker",
            loose="another number bears off only when its own point is empty",
            exact="a checker is borne off only with its exact number",
        ),
        "bear_off.no_inside_moves": _rule(
            "bearoff.inside", "once all are home checkers no longer move inside it"
        ),
        "dice.larger": _rule("duty.tie", "when only one of two numbers can be played, it must be the larger"),
        "dice.most_pips": _rule("duty.tie", "of equally many dice the play with the most pips must be made"),
        "dice.all": _rule(
            "duty.dice",
            all="as many of the numbers as possible must be played",
            voluntary="at least one number must be played if one can be",
            blocking="a number must be played as long as it can be",
        ),
        "bear_off.forced": _rule("bearoff.forced", "a checker that can be borne off must be borne off"),
        "prime.must_open": _rule(
            "duty.must_open", "the enemy is locked in: a point of the prime must be opened"
        ),
    }
)
"""The closed list of rule ids for plays."""

_CORE_RULES: Mapping[str, str] = MappingProxyType(
    {
        "enter_first": "enter.bar_first",
        "point_closed": "point.closed",
        "captive": "pin.captive",
        "stack_cap": "stack.cap",
        "head": "head.limit",
        "runner": "runner.first",
        "prime": "prime.six",
        "own_quarter": "quarter.own",
        "opponent_quarter": "quarter.opponent",
        "hit_and_run": "hit_and_run",
        "bear_off_all_home": "bear_off.all_home",
        "bear_off_pinned": "bear_off.pinned",
        "bear_off_number": "bear_off.number",
        "bear_off_no_inside": "bear_off.no_inside_moves",
        "dice_tie": "dice.larger",
        "dice_all": "dice.all",
        "bear_off_forced": "bear_off.forced",
        "must_open": "prime.must_open",
    }
)

_VERDICTS = {
    _core.Verdict.game_over: "game.over",
    _core.Verdict.not_thrown: "dice.not_thrown",
    _core.Verdict.no_checker: "checker.none",
}


def rule_id(verdict: _core.Verdict, rule: _core.Rule, axes: Mapping[str, Mapping[str, object]]) -> str:
    """The public id of what the core found."""
    if verdict in _VERDICTS:
        return _VERDICTS[verdict]
    name = _CORE_RULES[rule.name]
    if name == "dice.larger" and axes["duty"]["tie"] == "pips":
        return "dice.most_pips"
    return name


def rule_ids(axes: Mapping[str, Mapping[str, object]]) -> dict[int, str]:
    """The public ids of all that the core finds, by its numbers: of rules, and below 0 of other verdicts."""
    found = {-int(verdict.value): name for verdict, name in _VERDICTS.items()}
    for name in _CORE_RULES:
        rule = _core.Rule[name]
        found[int(rule.value)] = rule_id(_core.Verdict.broken_rule, rule, axes)
    return found


def word(rule: str, axes: Mapping[str, Mapping[str, object]]) -> Text:
    """The sentence for a rule id under these axes."""
    text = RULES[rule]
    if text.axis is None:
        return Text(text.wording[""])
    value = axes[text.axis[0]][text.axis[1]]
    wording = text.wording
    if text.stricter is not None:
        table, key = text.stricter.axis
        if axes[table][key] not in (False, "none"):
            wording = text.stricter.wording
    sentence = wording.get(str(value)) or wording.get("") or next(iter(wording.values()))
    return Text(sentence, value=value)
