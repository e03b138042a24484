"""The players of a match in the terminal: a person at the keyboard, or an opponent of the program."""

from __future__ import annotations

from typing import Any

from sheshbesh.cli.terminal.session_loop import SessionLoop
from sheshbesh.cli.terminal.turn_prompt import MovePrompt
from sheshbesh.cli.terminal.verbs import (
    act_on_word,
    is_action_word,
    options,
    own_words,
    read_answer,
    read_dice,
)
from sheshbesh.cli.terminal.wording import DICE_TEXT
from sheshbesh.i18n import JoinedText, PluralText, Text
from sheshbesh.match.card import DiceSource
from sheshbesh.players.opponent import Opponent, answer_proposal, decide
from sheshbesh.rules import GameResult, Side
from sheshbesh.session import ChooseAction, ConfirmAction, Phase, RollAction

_ANSWERS = ("take", "drop", "beaver")


class Bot:
    """Acts at once; the loop announces it. It never resigns and proposes nothing."""

    def __init__(self, opponent: Opponent) -> None:
        self._opponent = opponent

    def act(self, loop: SessionLoop[Any], side: Side) -> None:
        """Do what the opponent decides."""
        action = decide(self._opponent, loop.state, side)
        if isinstance(action, RollAction):
            loop.throw(side)  # with the opponent's share of the dice
        else:
            loop.must(side, action)

    def answer(self, loop: SessionLoop[Any], side: Side) -> None:
        """Agree to a fair settlement."""
        loop.must(side, answer_proposal(self._opponent, loop.state, side))


class Human:
    """Asks at the prompt for every decision that is one."""

    def act(self, loop: SessionLoop[Any], side: Side) -> None:
        """Ask what the match waits for."""
        state = loop.state
        if state.phase is Phase.ROLL:
            self._roll(loop, side)
        elif state.phase is Phase.CHOOSE:
            self._name_double(loop, side)
        elif state.phase is Phase.MOVE:
            MovePrompt(loop, side).run()
        else:
            words = ("accept", "refuse") if state.phase is Phase.RESIGNED else state.allowed(side)
            self._choose(loop, side, [word for word in words if word in (*_ANSWERS, "accept", "refuse")])

    def answer(self, loop: SessionLoop[Any], side: Side) -> None:
        """Ask whether they agree."""
        self._choose(loop, side, ["accept", "refuse"])

    def _roll(self, loop: SessionLoop[Any], side: Side) -> None:
        """Throw at once where there is nothing to decide."""
        if loop.state.passes_unthrown:
            self._pass(loop, side)
            return
        if "double" not in loop.state.allowed(side):
            loop.throw(side)
            return
        screen, typed = loop.screen, loop.state.card.dice is DiceSource.TYPED
        if not screen.is_drawn:
            screen.draw()
        who = screen.who(side)
        prompt = (
            Text("{who}: type your dice, double offers the cube> ", who=who)
            if typed
            else Text("{who}: Enter rolls, double offers the cube> ", who=who)
        )
        while True:
            text = screen.ask(prompt)
            if text.casefold() in ("", "roll", "r"):
                loop.throw(side)
                return
            if typed and (dice := read_dice(text)) is not None:
                loop.throw(side)
                loop.enter_dice(side, dice)
                return
            text = "double" if text.casefold() == "d" else text
            if act_on_word(loop, side, text):
                return
            if not is_action_word(text):
                screen.say(
                    Text("Type {dice}, or type double; ? for help.", dice=DICE_TEXT)
                    if typed
                    else Text("Press Enter to throw the dice, or type double; ? for help.")
                )

    def _pass(self, loop: SessionLoop[Any], side: Side) -> None:
        """Ask a side that no throw could move to end its turn; it may still double or resign."""
        screen = loop.screen
        if not screen.is_drawn:
            screen.draw()
        screen.say(Text("No throw lets {who} move, so none is made. Enter passes.", who=screen.who(side)))
        while True:
            text = screen.ask(Text("{who}: pass> ", who=screen.who(side)))
            if text.casefold() in ("", "pass", "done", "ok"):
                loop.must(side, ConfirmAction())
                return
            text = "double" if text.casefold() == "d" else text
            if act_on_word(loop, side, text):
                return
            if not is_action_word(text):
                screen.say(Text("Press Enter or type pass; double and resign are possible; ? for help."))

    def _choose(self, loop: SessionLoop[Any], side: Side, words: list[str]) -> None:
        """Ask for one of these words."""
        screen, listed = loop.screen, options(words)
        prompt = Text("{who}: {words}> ", who=screen.who(side), words=listed)
        if not screen.is_drawn:
            screen.draw()
        while True:
            text = screen.ask(prompt, own=own_words(words))
            answer = read_answer(loop, text, words, cost=_cost_of_dropping(loop, side))
            if answer is None and is_action_word(text):
                if act_on_word(loop, side, text):
                    return
                screen.say(Text("Type {words}; ? for help.", words=listed))
            elif answer is None:
                screen.say(Text("Type {words}; ? for help.", words=listed))
            elif answer and act_on_word(loop, side, answer):
                return

    def _name_double(self, loop: SessionLoop[Any], side: Side) -> None:
        screen, position = loop.screen, loop.state.position
        assert position is not None
        screen.draw()
        screen.say(Text("Name a double: type 1 to 6. It counts even if it cannot be played."))
        while True:
            text = screen.ask(Text("{who} names> ", who=screen.who(side)))
            digits = text.replace("-", "")
            if digits[:1] in set("123456") and digits in (digits[:1], digits[:1] * 2):
                loop.must(side, ChooseAction(int(digits[0])), hold=True)
                return
            if text.casefold() in ("l", "list"):
                for number in range(6, 0, -1):
                    plays = position.legal_plays((number, number))
                    what = Text("cannot be played") if plays[0].is_pass else _plays_text(len(plays))
                    screen.say(JoinedText(f"  {number}-{number} ", what))
            elif act_on_word(loop, side, text):
                return
            elif not is_action_word(text):
                screen.say(Text("Type one number 1 to 6, such as 6 for 6-6; l shows what can be played."))


def _plays_text(count: int) -> Text:
    return PluralText("{n} play", "{n} plays", count)


def _cost_of_dropping(loop: SessionLoop[Any], side: Side) -> str:
    """Return what a drop would pay, before it is said that a letter meant it."""
    return loop.paid(GameResult(side.other, 1, "single"))
