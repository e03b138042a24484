"""What is decided at a chouette beyond the board: doubles before a throw, and the answers to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sheshbesh.cli.terminal import wording
from sheshbesh.cli.terminal.chouette_narration import label, listed, offered_value
from sheshbesh.cli.terminal.session_loop import read_dice
from sheshbesh.cli.terminal.verbs import is_word, options, own_words, read_answer, speak
from sheshbesh.match.card import DiceSource
from sheshbesh.rules import Side
from sheshbesh.session import AnswerCube, Chouette, DoubleOne, Member, Phase, Session, actions
from sheshbesh.session.chouette.state import BOX, TEAM

if TYPE_CHECKING:
    from sheshbesh.cli.terminal.chouette_loop import ChouetteTable

_ROOM = 70
"""A longer prompt leaves no room for an answer on its line."""


def alone(table: Chouette, member: Member) -> Session:
    """The game between the box and one member, as if nobody else played: for the bots to judge by."""
    board = table.board.but(score=member.score, stake=member.score.cube)
    if member.offered is None:
        return board
    phase = Phase.BEAVERED if member.beavered else Phase.DOUBLED
    return board.but(phase=phase, doubler=member.offered.other if member.beavered else member.offered)


# Before a throw


def before_throw(table: ChouetteTable, side: Side) -> None:
    """Let everybody decide whose cube allows it, then let the hand of this side throw."""
    if _bots_double(table, side):
        return
    doublers = [name for name in _doublers(table.whole, side) if name not in table.bots]
    if doublers:
        _ask(table, side, doublers)
    else:
        table.throw(side)


def _doublers(whole: Chouette, side: Side) -> list[str]:
    people = [whole.seats.box] if side is BOX else [member.name for member in whole.playing]
    return [name for name in people if whole.may_double(name)]


def _bots_double(table: ChouetteTable, side: Side) -> bool:
    """Whether a bot has doubled; ask again afterwards."""
    whole = table.whole
    for name in _doublers(whole, side):
        if name not in table.bots:
            continue
        members = [member for member in whole.playing if member.name in whole.may_double(name)]
        wanted = [member for member in members if table.bots[name].doubles(alone(whole, member), side)]
        if wanted and wanted == members:
            table.must(name, actions.Double())
            return True
        if wanted and whole.chosen_members:
            table.must(name, DoubleOne(wanted[0].name))
            return True
    return False


def _ask(table: ChouetteTable, side: Side, doublers: list[str]) -> None:
    desk, hand = table.desk, table.whole.hand(side)
    typed = table.state.card.dice is DiceSource.TYPED
    if not desk.is_drawn:
        desk.draw()
    prompt = _prompt(table, side, doublers)
    if len(prompt) > _ROOM:
        desk.say(f"May double: {listed(doublers)}.")
        prompt = f"{label(table.whole, hand) if hand not in table.bots else 'Team'}: Enter throws, d NAME> "
    while True:
        text = desk.ask(prompt)
        word, _, names = text.partition(" ")
        if word.casefold() in ("", "roll"):
            table.throw(side)
            return
        if typed and (laid := read_dice(text)) is not None:
            table.throw(side)
            table.lay(side, laid)
            return
        if word.casefold() in ("d", "double"):
            if _double(table, side, doublers, names):
                return
        elif is_word(text) and hand not in table.bots:
            if speak(table, side, text):
                return
        else:
            first = f"Type {wording.DICE_TEXT}," if typed else "Press Enter to throw the dice,"
            desk.say(f"{first} or type d to double; ? for help.")


def _prompt(table: ChouetteTable, side: Side, doublers: list[str]) -> str:
    whole, hand = table.whole, table.whole.hand(side)
    if hand in table.bots:
        double = "d doubles" if len(doublers) == 1 else "d NAME doubles"
        return f"{', '.join(doublers)}: Enter lets {hand} throw, {double}> "
    who = label(whole, hand)
    if side is BOX:
        return f"{who}: Enter throws, d doubles{' (d NAME: one)' if whole.chosen_members else ''}> "
    others = [f"d {name}" for name in doublers if name != hand]
    if hand in doublers:
        crew = f" ({', '.join(others)})" if others else ""
        return f"{who}: Enter throws, d doubles{crew}> "
    return f"{who}: Enter throws, {' or '.join(others)} doubles> "


def _double(table: ChouetteTable, side: Side, doublers: list[str], text: str) -> bool:
    """Double as it was typed; False, with the reason told, where that is not possible."""
    whole = table.whole
    if side is BOX:
        return _box_doubles(table, text)
    names = _named(table, text)
    if names is None:
        return False
    if not names:
        hand = whole.hand(TEAM)
        names = [hand] if hand in doublers else doublers
        if len(names) > 1:
            table.desk.say(f"Whose cube? Type d and one or more of {', '.join(doublers)}, or d all.")
            return False
    done = False
    for name in doublers if names == ["all"] else names:
        if name in table.bots:
            table.desk.say(f"{name} decides for itself.")
        else:
            done |= _do(table, name, actions.Double())
    return done


def _box_doubles(table: ChouetteTable, text: str) -> bool:
    box = table.whole.seats.box
    names = _named(table, text)
    if names is None:
        return False
    if names in ([], ["all"]):
        return _do(table, box, actions.Double())
    done = False
    for name in names:
        done |= _do(table, box, DoubleOne(name))
    return done


def _named(table: ChouetteTable, text: str) -> list[str] | None:
    """The people a text names, as they write themselves; None if there is no such person here."""
    known = {name.casefold(): name for name in table.whole.seats.people} | {"all": "all"}
    names = []
    for word in re.split(r"[,\s]+", text.strip()) if text.strip() else []:
        if word.casefold() not in known:
            table.desk.say(f"There is no {word[:20]!r} at this table.")
            return None
        names.append(known[word.casefold()])
    return list(dict.fromkeys(names))


def _do(table: ChouetteTable, name: str, action: actions.Action) -> bool:
    refusal = table.do(name, action)
    if refusal is not None:
        table.desk.say(f"{name}: {wording.refusal_text(refusal)}")
    return refusal is None


# Answers


def answer(table: ChouetteTable) -> None:
    """Ask the first of those who have a turned cube to answer."""
    whole = table.whole
    name, which = next((name, cubes[0]) for name in whole.seats.people if (cubes := whole.to_answer(name)))
    member = whole.member(which)
    assert member is not None
    words = ["take", "drop"]
    if whole.board.card.beavers and not member.beavered:
        words.append("beaver")
    if name in table.bots:
        side = whole.side_of(name)
        assert side is not None
        said = table.bots[name].answers(alone(whole, member), side)
        # An opponent may know raccoons, which are not played here.
        table.must(name, AnswerCube(which, said if said in words else "take"))
        return
    _ask_answer(table, name, member, words)


def _ask_answer(table: ChouetteTable, name: str, member: Member, words: list[str]) -> None:
    desk = table.desk
    if not desk.is_drawn:
        desk.draw()
    cube = "your cube" if member.name == name else f"{member.name}'s cube"
    choice = options(words)
    prompt = f"{label(table.whole, name)}: {cube} at {offered_value(member)}: {choice}> "
    while True:
        text = desk.ask(prompt, own=own_words(words))
        answer = read_answer(table, text, words)
        if answer is None:
            if text.casefold() == "beaver":
                _do(table, name, AnswerCube(member.name, "beaver"))  # says why it is not possible
            desk.say(f"Type {choice}; ? for help.")
        elif answer and _do(table, name, AnswerCube(member.name, answer)):
            return


# People


def read_name(text: str) -> str:
    """A name that can be typed at a prompt; ValueError says what is wrong with it."""
    if not re.fullmatch(r"\w[\w.'-]{0,11}", text):
        raise ValueError(f"a name here is one word of at most 12 letters, not {text[:40]!r}")
    if text.casefold() in ("all", "server"):
        raise ValueError(f"nobody can be called {text!r} here")
    return text
