"""Who sits at the table: a person who types, or an opponent that the program plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sheshbesh.cli.terminal.session_loop import read_dice
from sheshbesh.cli.terminal.turn_prompt import MovePrompt
from sheshbesh.cli.terminal.verbs import is_word, options, own_words, read_answer, speak
from sheshbesh.cli.terminal.wording import DICE_TEXT
from sheshbesh.match.card import DiceSource
from sheshbesh.players.opponent import Opponent, answer_proposal, decide
from sheshbesh.rules import GameResult, Side
from sheshbesh.session import Phase, actions

if TYPE_CHECKING:
    from sheshbesh.cli.terminal.session_loop import Tabletop

_ANSWERS = ("take", "drop", "beaver")


class Bot:
    """Acts at once; the table announces what. It never resigns and proposes nothing."""

    def __init__(self, opponent: Opponent) -> None:
        self._opponent = opponent

    def act(self, table: Tabletop[Any], side: Side) -> None:
        """Do what the opponent decides."""
        action = decide(self._opponent, table.state, side)
        if isinstance(action, actions.Throw):
            table.throw(side)  # with the share of the dice that the table keeps for him
        else:
            table.must(side, action)

    def answer(self, table: Tabletop[Any], side: Side) -> None:
        """Agree to what the game is worth."""
        table.must(side, answer_proposal(self._opponent, table.state, side))


class Human:
    """Asks at the prompt for every decision that is one."""

    def act(self, table: Tabletop[Any], side: Side) -> None:
        """Ask what the match waits for."""
        state = table.state
        if state.phase is Phase.ROLL:
            self._roll(table, side)
        elif state.phase is Phase.CHOOSE:
            self._name_double(table, side)
        elif state.phase is Phase.MOVE:
            MovePrompt(table, side).run()
        else:
            words = ("accept", "refuse") if state.phase is Phase.RESIGNED else state.allowed(side)
            self._choose(table, side, [word for word in words if word in (*_ANSWERS, "accept", "refuse")])

    def answer(self, table: Tabletop[Any], side: Side) -> None:
        """Ask whether they agree."""
        self._choose(table, side, ["accept", "refuse"])

    def _roll(self, table: Tabletop[Any], side: Side) -> None:
        """Throw at once where there is nothing to decide."""
        if "double" not in table.state.allowed(side):
            table.throw(side)
            return
        desk, typed = table.desk, table.state.card.dice is DiceSource.TYPED
        if not desk.is_drawn:
            desk.draw()
        rolls = "type your dice" if typed else "Enter rolls"
        while True:
            text = desk.ask(f"{desk.who(side)}: {rolls}, double offers the cube> ")
            if text.casefold() in ("", "roll", "r"):
                table.throw(side)
                return
            if typed and (dice := read_dice(text)) is not None:
                table.throw(side)
                table.lay(side, dice)
                return
            text = "double" if text.casefold() == "d" else text
            if speak(table, side, text):
                return
            if not is_word(text):
                first = f"Type {DICE_TEXT}," if typed else "Press Enter to throw the dice,"
                desk.say(f"{first} or type double; ? for help.")

    def _choose(self, table: Tabletop[Any], side: Side, words: list[str]) -> None:
        """Ask for one of these words."""
        desk, listed = table.desk, options(words)
        if not desk.is_drawn:
            desk.draw()
        while True:
            text = desk.ask(f"{desk.who(side)}: {listed}> ", own=own_words(words))
            answer = read_answer(table, text, words, cost=_cost_of_dropping(table, side))
            if answer is None and is_word(text):
                if speak(table, side, text):
                    return
                desk.say(f"Type {listed}; ? for help.")
            elif answer is None:
                desk.say(f"Type {listed}; ? for help.")
            elif answer and speak(table, side, answer):
                return

    def _name_double(self, table: Tabletop[Any], side: Side) -> None:
        desk, position = table.desk, table.state.position
        assert position is not None
        desk.draw()
        desk.say("Name a double: type 1 to 6. It counts even if it cannot be played.")
        while True:
            text = desk.ask(f"{desk.who(side)} names> ")
            digits = text.replace("-", "")
            if digits[:1] in set("123456") and digits in (digits[:1], digits[:1] * 2):
                table.must(side, actions.Choose(int(digits[0])), hold=True)
                return
            if text.casefold() in ("l", "list"):
                for number in range(6, 0, -1):
                    plays = position.legal_plays((number, number))
                    what = "cannot be played" if plays[0].is_pass else f"{len(plays)} plays"
                    desk.say(f"  {number}-{number}  {what}")
            elif speak(table, side, text):
                return
            elif not is_word(text):
                desk.say("Type one number 1 to 6, such as 6 for 6-6; l shows what can be played.")


def _cost_of_dropping(table: Tabletop[Any], side: Side) -> str:
    """What a drop would pay, before it is said that a letter meant it."""
    return table.paid(GameResult(side.other, 1, "single"))
