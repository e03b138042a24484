"""Prompts of a chouette beyond the board: doubles before a throw, and the answers to them."""

from __future__ import annotations

import re

from sheshbesh.cli.terminal import wording
from sheshbesh.cli.terminal.chouette_narration import label, listed, offered_value
from sheshbesh.cli.terminal.chouette_table import ChouetteAgreement
from sheshbesh.cli.terminal.console import plain_digits
from sheshbesh.cli.terminal.verbs import (
    act_on_word,
    is_action_word,
    options,
    own_words,
    read_answer,
    read_dice,
)
from sheshbesh.i18n import Text
from sheshbesh.match.card import DiceSource
from sheshbesh.rules import Side
from sheshbesh.session import (
    AnswerAction,
    Chouette,
    DoubleAction,
    DoubleOneAction,
    Member,
    alone,
)
from sheshbesh.session.chouette.state import BOX, TEAM

_ROOM = 70
"""A longer prompt leaves no room for an answer on its line."""


# Before a throw


def before_throw(loop: ChouetteAgreement, side: Side) -> None:
    """Let everybody decide whose cube allows it, then let the player of this side throw."""
    if _bots_double(loop, side):
        return
    doublers = [name for name in _doublers(loop.whole, side) if name not in loop.bots]
    if doublers:
        _ask(loop, side, doublers)
    else:
        loop.throw(side)


def _doublers(whole: Chouette, side: Side) -> list[str]:
    people = [whole.seats.box] if side is BOX else [member.name for member in whole.playing]
    return [name for name in people if whole.may_double(name)]


def _bots_double(loop: ChouetteAgreement, side: Side) -> bool:
    """Return True if a bot has doubled; ask again afterwards."""
    whole = loop.whole
    for name in _doublers(whole, side):
        if name not in loop.bots:
            continue
        members = [member for member in whole.playing if member.name in whole.may_double(name)]
        wanted = [member for member in members if loop.bots[name].doubles(alone(whole, member), side)]
        if wanted and wanted == members:
            loop.must(name, DoubleAction())
            return True
        if wanted and whole.chosen_members:
            loop.must(name, DoubleOneAction(wanted[0].name))
            return True
    return False


def _ask(loop: ChouetteAgreement, side: Side, doublers: list[str]) -> None:
    screen, player = loop.screen, loop.whole.player_for(side)
    typed = loop.state.card.dice is DiceSource.TYPED
    if not screen.is_drawn:
        screen.draw()
    prompt = _prompt(loop, side, doublers)
    if len(prompt) > _ROOM:
        screen.say(Text("May double: {names}.", names=listed(doublers)))
        who = label(loop.whole, player) if player not in loop.bots else Text("Team")
        prompt = Text("{who}: Enter throws, d NAME> ", who=who)
    while True:
        text = screen.ask(prompt)
        word, _, names = text.partition(" ")
        if word.casefold() in ("", "roll"):
            loop.throw(side)
            return
        if typed and (laid := read_dice(text)) is not None:
            loop.throw(side)
            loop.enter_dice(side, laid)
            return
        if word.casefold() in ("d", "double"):
            if _double(loop, side, doublers, names):
                return
        elif is_action_word(text) and (player not in loop.bots or word.casefold() == "settle"):
            if act_on_word(loop, side, text):
                return
        else:
            screen.say(
                Text("Type {dice}, or type d to double; ? for help.", dice=wording.DICE_TEXT)
                if typed
                else Text("Press Enter to throw the dice, or type d to double; ? for help.")
            )


def _prompt(loop: ChouetteAgreement, side: Side, doublers: list[str]) -> Text:
    whole, player = loop.whole, loop.whole.player_for(side)
    if player in loop.bots:
        names = ", ".join(doublers)
        if len(doublers) == 1:
            return Text("{names}: Enter lets {hand} throw, d doubles> ", names=names, hand=player)
        return Text("{names}: Enter lets {hand} throw, d NAME doubles> ", names=names, hand=player)
    who = label(whole, player)
    if side is BOX and whole.chosen_members:
        return Text("{who}: Enter throws, d doubles (d NAME: one)> ", who=who)
    others = [] if side is BOX else [f"d {name}" for name in doublers if name != player]
    if others and player in doublers:
        return Text("{who}: Enter throws, d doubles ({others})> ", who=who, others=", ".join(others))
    if others:
        return Text("{who}: Enter throws, {others} doubles> ", who=who, others=options(others))
    return Text("{who}: Enter throws, d doubles> ", who=who)


def _double(loop: ChouetteAgreement, side: Side, doublers: list[str], text: str) -> bool:
    """Double as it was typed; False, with the reason printed, where that is not possible."""
    whole = loop.whole
    if side is BOX:
        return _box_doubles(loop, text)
    names = _named(loop, text)
    if names is None:
        return False
    if not names:
        player = whole.player_for(TEAM)
        names = [player] if player in doublers else doublers
        if len(names) > 1:
            loop.screen.say(
                Text("Whose cube? Type d and one or more of {names}, or d all.", names=", ".join(doublers))
            )
            return False
    done = False
    for name in doublers if names == ["all"] else names:
        if name in loop.bots:
            loop.screen.say(Text("{name} decides for itself.", name=name))
        else:
            done |= loop.attempt(name, DoubleAction())
    return done


def _box_doubles(loop: ChouetteAgreement, text: str) -> bool:
    box = loop.whole.seats.box
    names = _named(loop, text)
    if names is None:
        return False
    if names in ([], ["all"]):
        return loop.attempt(box, DoubleAction())
    done = False
    for name in names:
        done |= loop.attempt(box, DoubleOneAction(name))
    return done


def _named(loop: ChouetteAgreement, text: str) -> list[str] | None:
    """The people a text names, as they write themselves; None if there is no such person here."""
    known = {folded(name): name for name in loop.whole.seats.people} | {"all": "all"}
    names = []
    for word in re.split(r"[,\s]+", text.strip()) if text.strip() else []:
        if folded(word) not in known:
            loop.screen.say(Text("There is no {name} at this table.", name=repr(word[:20])))
            return None
        names.append(known[folded(word)])
    return list(dict.fromkeys(names))


# Answers


def answer(loop: ChouetteAgreement) -> None:
    """Ask the first of those who have a turned cube to answer."""
    whole = loop.whole
    name, which = next((name, cubes[0]) for name in whole.seats.people if (cubes := whole.to_answer(name)))
    member = whole.member(which)
    assert member is not None
    words = ["take", "drop"]
    if whole.board.card.beavers and not member.beavered:
        words.append("beaver")
    if name in loop.bots:
        side = whole.side_of(name)
        assert side is not None
        choice = loop.bots[name].answers(alone(whole, member), side)
        # An opponent may know raccoons, which are not played here.
        loop.must(name, AnswerAction(which, choice if choice in words else "take"))
        return
    _ask_answer(loop, name, member, words)


def _ask_answer(loop: ChouetteAgreement, name: str, member: Member, words: list[str]) -> None:
    screen = loop.screen
    if not screen.is_drawn:
        screen.draw()
    cube = Text("your cube") if member.name == name else Text("{name}'s cube", name=member.name)
    choice = options(words)
    prompt = Text(
        "{who}: {cube} at {value}: {choice}> ",
        who=label(loop.whole, name),
        cube=cube,
        value=offered_value(member),
        choice=choice,
    )
    while True:
        text = screen.ask(prompt, own=own_words(words))
        answer = read_answer(loop, text, words)
        if answer is None:
            if text.casefold() == "beaver":
                loop.attempt(name, AnswerAction(member.name, "beaver"))  # says why it is not possible
            screen.say(Text("Type {words}; ? for help.", words=choice))
        elif answer and loop.attempt(name, AnswerAction(member.name, answer)):
            return


# People


def folded(name: str) -> str:
    """The name for comparisons: typed at a prompt it has the digits 0 to 9, in letters of either case."""
    return plain_digits(name).casefold()


def read_name(text: str) -> str:
    """A name that can be typed at a prompt; ValueError says what is wrong with it."""
    if not re.fullmatch(r"\w[\w.'-]{0,11}", text):
        raise ValueError(
            Text("a name here is one word of at most 12 letters, not {name}", name=repr(text[:40]))
        )
    if text.casefold() in ("all", "server"):
        raise ValueError(Text("nobody can be called {name} here", name=repr(text)))
    return text
