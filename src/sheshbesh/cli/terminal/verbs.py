"""Words that are read at any prompt: those that offer or answer something, such as double and take, and
dice."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sheshbesh.cli.terminal import wording
from sheshbesh.cli.terminal.session_loop import SessionLoop
from sheshbesh.errors import DiceError
from sheshbesh.i18n import Text
from sheshbesh.match.card import Contest
from sheshbesh.match.timing import ClockKind
from sheshbesh.rules import GameResult, Roll, Side
from sheshbesh.session import (
    AcceptAction,
    Action,
    BeaverAction,
    BreakAction,
    DoubleAction,
    DropAction,
    Phase,
    ProposeAction,
    RefuseAction,
    ResignAction,
    ResumeAction,
    TakeAction,
)
from sheshbesh.session.game_course import largest_loss

_PLAIN: dict[str, Action] = {
    "double": DoubleAction(),
    "take": TakeAction(),
    "drop": DropAction(),
    "beaver": BeaverAction(),
    "raccoon": BeaverAction(),
    "accept": AcceptAction(),
    "refuse": RefuseAction(),
    "draw": ProposeAction("draw"),
    "pause": ProposeAction("pause"),
    "resume": ResumeAction(),
    "break": BreakAction(),
}

_TO_A_CUBE = {
    **dict.fromkeys(("t", "accept"), "take"),
    **dict.fromkeys(("pass", "p", "d", "refuse", "decline", "reject"), "drop"),
    **dict.fromkeys(("b", "redouble"), "beaver"),
}
"""Other words that people type at an offered cube."""

_TO_AN_OFFER = {
    **dict.fromkeys(("a", "y", "yes", "ok", "agree"), "accept"),
    **dict.fromkeys(("r", "n", "no", "decline", "reject"), "refuse"),
}
"""Other words that people type at a resignation or a proposal, beside yes and no in their language."""

_POSSIBLE = {
    Phase.THROWING: Text("Now the dice are typed, such as 6-5."),
    Phase.MOVE: Text("Now a play is typed, such as 8/5 6/5; l lists the plays, ? helps."),
    Phase.CHOOSE: Text("Now a double is named: type 1 to 6."),
}
"""How to type what can be done where a word cannot."""

_DOUBTFUL = ("p", "d")
"""Short for dropping at an offered cube, but elsewhere they count pips and double."""


# Answers


def own_words(words: Collection[str]) -> Mapping[str, str]:
    """Return what else is understood at a prompt for one of `words`, and which of them it means."""
    known = _TO_A_CUBE if "take" in words else _TO_AN_OFFER
    return {other: word for other, word in known.items() if word in words}


def read_answer(loop: SessionLoop[Any], text: str, words: Collection[str], *, cost: str = "") -> str | None:
    """The one of `words` that the text means; None where it means none, or where the player says no.

    `cost` is what dropping costs, for the question that a doubtful letter gets.
    """
    word = text.casefold()
    meant = own_words(words).get(word, word)
    agrees = loop.screen.answer(text) if "accept" in words else None
    if agrees is not None:
        meant = "accept" if agrees else "refuse"
    if meant not in words:
        return None
    if (
        meant == "drop"
        and word in _DOUBTFUL
        and not loop.screen.confirms(Text("Drop: {cost}?", cost=cost) if cost else Text("Drop?"))
    ):
        loop.screen.say(
            Text("Nothing is answered yet. Type {words}; pips counts the pips.", words=options(words))
        )
        return ""
    return meant


def options(words: Collection[str]) -> str:
    """Words as a choice: "take, drop or beaver"."""
    *first, last = words
    return Text("{first} or {last}", first=", ".join(first), last=last) if first else last


# Offers


def act_on_word(loop: SessionLoop[Any], side: Side, text: str) -> bool:
    """Return True if the text was such a word and has been done; a refusal is printed, and nothing is done.

    A word that is refused, or taken back when asked, was understood, but nothing has happened: that
    is False, too.
    """
    own = loop.own_command(side, text)
    if own is not None:
        return own
    action = _read(loop, side, text)
    if action is None or not _is_meant(loop, side, action):
        return False
    refusal = loop.do(side, action)
    if refusal is not None:
        loop.screen.say(wording.refusal_text(refusal))
        if refusal.rule == "turn.not_now" and loop.state.phase in _POSSIBLE:
            loop.screen.say(_POSSIBLE[loop.state.phase])
        if isinstance(action, ResignAction) and refusal.rule == "resign.kind":
            loop.screen.say(
                Text("This game can be resigned at: {kinds}.", kinds=", ".join(_losses(loop, side)))
            )
        return False
    return True


def is_action_word(text: str) -> bool:
    """Return True if the text is one of the words, allowed now or not."""
    first = text.casefold().split()[:1]
    return bool(first) and (first[0] in _PLAIN or first[0] in ("resign", "settle"))


def _read(loop: SessionLoop[Any], side: Side, text: str) -> Action | None:
    word, *rest = text.casefold().split() or [""]
    if word in _PLAIN and not rest:
        return _PLAIN[word]
    if word == "resign" and len(rest) < 2:
        kinds = _losses(loop, side)
        default = "single" if "single" in kinds or not kinds else next(iter(kinds))
        return ResignAction(rest[0] if rest else default)
    if word == "settle" and len(rest) == 1 and rest[0].lstrip("-+").isdecimal() and len(rest[0]) < 6:
        return ProposeAction("settle", int(rest[0]))
    if word in ("resign", "settle"):
        loop.screen.say(
            Text(
                "Cannot read {text}: say resign, resign gammon, settle 1 or settle -1.", text=repr(text[:40])
            )
        )
    elif is_action_word(text):
        loop.screen.say(Text("Cannot read {text}: {word} stands alone.", text=repr(text[:40]), word=word))
    return None


def _is_meant(loop: SessionLoop[Any], side: Side, action: Action) -> bool:
    """Ask whether the player stands by what cannot be taken back; what is refused anyway is not asked
    about."""
    if isinstance(action, ResignAction):
        kinds = _losses(loop, side)
        if not loop.state.may(side, "resign") or action.kind not in kinds:
            return True
        paid = loop.paid(GameResult(side.other, kinds[action.kind], action.kind))
        loss = wording.loss_text(action.kind)
        question = (
            Text("Resign {loss}: {cost}?", loss=loss, cost=paid)
            if paid
            else Text("Resign {loss}?", loss=loss)
        )
    elif isinstance(action, ProposeAction):
        return _is_proposal_meant(loop, side, action)
    else:
        return True
    return _asked(loop, question)


def _is_proposal_meant(loop: SessionLoop[Any], side: Side, action: ProposeAction) -> bool:
    state = loop.state
    card = state.card
    if action.what == "pause" and card.clock.kind is ClockKind.NONE:
        loop.screen.say(Text("No clock runs at this table, so there is none to stop."))
        return False
    if action.what == "pause" or not card.allows_agreements or not state.may(side, "propose"):
        return True
    if action.what == "draw":
        if card.contest is Contest.MONEY:
            return _asked(loop, Text("Propose to end it here, at the present score?"))
        return _asked(loop, Text("Propose to end the match here, drawn?"))
    if state.phase is Phase.READY:
        return True
    most = largest_loss(state)
    if abs(action.points) > most:
        loop.screen.say(
            Text(
                "Nobody can lose more than {points} in this game: settle at most {most}.",
                points=wording.points_text(most),
                most=most,
            )
        )
        return False
    if not action.points:
        return _asked(loop, Text("Propose to call this game off, for nothing?"))
    points = wording.points_text(abs(action.points))
    if action.points > 0:
        return _asked(loop, Text("Propose to settle this game: you win {points}?", points=points))
    return _asked(loop, Text("Propose to settle this game: you pay {points}?", points=points))


def _asked(loop: SessionLoop[Any], question: str) -> bool:
    if loop.screen.confirms(question):
        return True
    loop.screen.say(Text("Nothing is offered; the game goes on."))
    return False


def _losses(loop: SessionLoop[Any], side: Side) -> dict[str, int]:
    """The kinds of loss the side may resign at, with their points before the cube."""
    position = loop.state.position
    return {} if position is None else position.variant.resignations(position, side)


# Dice of a real board


def ask_dice(loop: SessionLoop[Any], side: Side, prompt: str) -> None:
    """Ask for the dice until they are typed or something else has been done."""
    while True:
        text = loop.screen.ask(prompt)
        dice = read_dice(text)
        if dice is not None:
            loop.enter_dice(side, dice)
            return
        if is_action_word(text):
            # A double or a resignation comes before the throw, so the dice were not yet picked up.
            if loop.is_holding:
                loop.retract()
            act_on_word(loop, side, text)
            return
        loop.screen.say(
            Text("Type {dice}; or double, resign; ? for help, q to leave.", dice=wording.DICE_TEXT)
        )


def read_dice(text: str) -> tuple[int, int] | None:
    """Two numbers 1 to 6 as people type them, such as 6-5 or 65; None for anything else."""
    try:
        first, second = Roll.parse(text)
    except DiceError:
        return None
    return first, second
