"""The dialogue of one turn, from the board to the confirmed play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sheshbesh.cli.terminal import wording
from sheshbesh.cli.terminal.move_input import MoveInput
from sheshbesh.cli.terminal.session_loop import SessionLoop
from sheshbesh.cli.terminal.verbs import act_on_word, is_action_word
from sheshbesh.errors import IllegalPlayError, NotationError
from sheshbesh.i18n import PluralText, Text
from sheshbesh.match.card import DiceSource
from sheshbesh.rules import Play, Refusal, Side, Step
from sheshbesh.session import Action, ConfirmAction, PlayAction, StepAction, UndoAction

_PAGE = 15
_TYPED = re.compile(r"([1-6])[-\s,:]?([1-6])")
_DICE = re.compile(r"(?:d(?:ice)?\s+)([1-6])[-\s,:]?([1-6])|([1-6])-([1-6])", re.IGNORECASE)


class MovePrompt:
    """Builds a play with a person: typed, chosen from the list, or step by step.

    Every step goes to the match at once; what the match refuses is not done.
    """

    def __init__(self, loop: SessionLoop[Any], side: Side) -> None:
        self._loop = loop
        self._screen = loop.screen
        self._side = side
        self._touch_move = loop.state.card.touch_move
        self._input = self._fresh()
        self._asked: Play | Step | None = None
        """The play that a number picked where nothing is taken back; Enter plays it."""
        self._forget_list()

    def _fresh(self) -> MoveInput:
        assert self._loop.state.turn is not None
        return MoveInput(self._loop.state.turn)

    def _forget_list(self) -> None:
        """The numbers shown belong to a list that is no more."""
        self._listed = 0
        self._screen.listed = ()

    def run(self) -> None:
        """Ask until the turn is over, or something else is to be answered first."""
        owed = self._input.position.pending
        if owed is not None and self._screen.is_fresh:
            self._screen.say(wording.pending_text(owed, who=self._screen.who))
        if self._input.steps or not self._screen.is_drawn:
            self._screen.draw()
        self._announce()
        while True:
            listed = self._screen.listed
            text = self._screen.ask(self._prompt())
            if self._screen.listed is not listed:
                self._asked = None  # a hint has been shown since, with numbers of its own
            if self._answer(text):
                return
            self._input = self._fresh()

    def _announce(self) -> None:
        move_input, side = self._input, self._screen.who(self._side)
        if move_input.is_dance:
            self._screen.say(
                Text("{who} cannot move with {dice}. Enter continues.", who=side, dice=self._dice())
            )
        elif move_input.is_forced and not move_input.steps:
            self._screen.say(
                Text(
                    "The only play with {dice} is {play}. Enter plays it.",
                    dice=self._dice(),
                    play=move_input.plays[0].notation,
                )
            )

    def _dice(self) -> str:
        owed = self._input.position.pending
        if owed is not None and owed.steps:
            return wording.numbers(owed.steps)
        return wording.dice_text(self._input.roll)

    def _prompt(self) -> Text:
        who, dice, so_far = self._screen.who(self._side), self._dice(), self._input.text
        if so_far:
            return Text("{who} {dice} ({play})> ", who=who, dice=dice, play=so_far)
        return Text("{who} {dice}> ", who=who, dice=dice)

    def _answer(self, text: str) -> bool:
        """Do what was typed; True when this dialogue is over."""
        word = text.casefold()
        asked, self._asked = self._asked, None
        meant = None if asked is None else self._loop.screen.answer(text)
        if asked is not None and (meant or word in ("", "done", "ok")):
            return self._take(asked)
        if asked is not None and (meant is False or word in ("u", "undo")):
            self._screen.say(Text("It is not played."))
        elif word in ("", "done", "ok"):
            return self._confirm()
        elif word in ("l", "list", "m", "more", "n", "next"):
            self._list()
        elif word in ("u", "undo", "u all", "undo all"):
            return self._undo(everything=word.endswith("all"))
        elif (match := self._dice_in(text)) is not None:
            return self._throw_again(match)
        elif is_action_word(text):
            return act_on_word(self._loop, self._side, text)
        elif text.isdecimal():
            return self._choose(text)
        else:
            return self._read(text)
        return False

    def _dice_in(self, text: str) -> re.Match[str] | None:
        """Dice that were typed; two digits are dice on a real board, but for a number of the list shown."""
        picks = 1 <= _number(text) <= len(self._screen.listed)
        if self._loop.state.card.dice is DiceSource.TYPED and not picks:
            return _TYPED.fullmatch(text) or _DICE.fullmatch(text)
        return _DICE.fullmatch(text)

    # What goes to the match

    def _do(self, action: Action, *, hold: bool = False) -> Refusal | None:
        refusal = self._loop.do(self._side, action, hold=hold)
        if refusal is not None:
            self._screen.say(wording.refusal_text(refusal))
        return refusal

    def _play(self) -> bool:
        """Make the provisional steps that are not yet made; True if they confirm themselves."""
        done, wanted = self._fresh().steps, self._input.steps
        # What is typed on a real board, or named, may be corrected until a touched checker binds.
        hold = self._loop.is_holding and not self._touch_move
        if wanted[: len(done)] != done:
            if self._do(UndoAction(all=True), hold=hold) is not None:
                return False
            done = ()
        for step in wanted[len(done) :]:
            if self._do(StepAction(step.origin, step.target, step.die), hold=hold) is not None:
                return False
        return self._show()

    def _confirm(self) -> bool:
        move_input = self._input
        if not move_input.steps and move_input.is_forced:
            return self._whole(move_input.plays[0].notation)
        refusal = self._loop.do(self._side, ConfirmAction())
        if refusal is None:
            return True
        if not move_input.steps:
            self._screen.say(Text("Nothing is played yet; l lists the plays."))
            return False
        self._screen.say(Text("The play is not complete."))
        self._screen.say(wording.refusal_text(refusal))
        return False

    def _whole(self, notation: str) -> bool:
        return self._do(PlayAction(notation)) is None

    def _show(self) -> bool:
        """Show the provisional steps; a whole play is made where nothing is taken back anyway."""
        move_input = self._input
        following = move_input.next_steps()
        whole = move_input.is_whole
        if whole and self._touch_move and not following:
            return self._do(ConfirmAction()) is None
        self._screen.draw_again()
        if whole and not following:
            self._screen.say(Text("{play}: Enter confirms, u takes back.", play=move_input.text))
        elif following:
            steps = ", ".join(step.notation for step in following)
            self._screen.say(
                Text("Next or Enter to stop here: {steps}", steps=steps)
                if whole
                else Text("Next: {steps}", steps=steps)
            )
        return False

    # The list

    def _menu(self) -> Sequence[Play] | Sequence[Step]:
        """The steps that may follow the first ones; else all plays, one of which replaces a whole one."""
        move_input = self._input
        return (move_input.next_steps() if move_input.steps else ()) or move_input.plays

    def _list(self) -> None:
        """Show the menu a page at a time, and from the beginning after the last."""
        items = self._menu()
        if self._listed >= len(items):
            self._listed = 0
        start, end = self._listed, min(self._listed + _PAGE, len(items))
        span: dict[str, object] = {"first": start + 1, "last": end, "all": len(items)}
        self._screen.say(
            Text("Next steps {first} to {last} of {all}:", **span)
            if isinstance(items[0], Step)
            else Text("Plays {first} to {last} of {all}:", **span)
        )
        for number in range(start, end):
            self._screen.say(f"{number + 1:>4}  {items[number].notation}")
        self._listed, self._screen.listed = end, items[:end]
        self._screen.say(Text("Type a number, l for more.") if end < len(items) else Text("Type a number."))

    def _choose(self, text: str) -> bool:
        """Take the item of the list shown last, but only after a question where that is final."""
        items = self._screen.listed
        if not items:
            self._screen.say(
                Text("A number picks from a list, and none has been shown for this board. Here it is:")
            )
            self._list()
            return False
        number = _number(text)
        if not 1 <= number <= len(items):
            self._screen.say(
                PluralText(
                    "There is no {number} in the list shown last: it has {n} line.",
                    "There is no {number} in the list shown last: it goes from 1 to {n}.",
                    len(items),
                    number=text[:20],
                )
            )
            return False
        item = items[number - 1]
        if not self._touch_move:
            return self._take(item)
        self._asked = item
        self._screen.say(
            Text("{play}: nothing is taken back here. Enter plays it, n does not.", play=item.notation)
        )
        return False

    def _take(self, item: Play | Step) -> bool:
        """Make a step or a whole play from the list; whole plays can still be exchanged by number."""
        if isinstance(item, Step):
            self._input.add(item)
            self._forget_list()
        elif item.is_pass:
            return self._whole(item.notation)
        else:
            self._input.choose(item)
        return self._play()

    # Steps

    def _read(self, text: str) -> bool:
        if self._input.is_dance:
            return self._read_pass(text)
        try:
            self._input.read(text, may_replace=not self._touch_move)
        except NotationError:
            return self._unread(text)
        except IllegalPlayError as error:
            self._screen.say(wording.refusal_text(error))
            return False
        self._forget_list()
        return self._play()

    def _read_pass(self, text: str) -> bool:
        try:
            return self._whole(text)
        except NotationError:
            return self._unread(text)

    def _unread(self, text: str) -> bool:
        self._screen.say(
            Text("Cannot read {text}: a play looks like 8/5 6/5 or bar/22; ? for help.", text=repr(text[:40]))
        )
        return False

    def _undo(self, *, everything: bool) -> bool:
        owed = self._input.position.pending
        if not self._input.steps and owed is not None and owed.choose and self._loop.is_holding:
            self._loop.retract()
            return True
        if not self._input.steps:
            self._screen.say(Text("Nothing has been played yet, so there is nothing to take back."))
            return False
        hold = self._loop.is_holding and not self._touch_move
        if self._do(UndoAction(all=everything), hold=hold) is None:
            self._forget_list()
            self._screen.draw_again()
        return False

    def _throw_again(self, match: re.Match[str]) -> bool:
        if self._input.position.pending is not None:
            self._screen.say(Text("No dice are thrown for what is owed."))
        elif self._loop.state.card.dice is not DiceSource.TYPED:
            self._screen.say(Text("The dice are thrown by the computer; use --dice typed to type your own."))
        elif self._input.steps and self._touch_move:
            self._screen.say(Text("A checker has been touched: the dice stay."))
        elif not self._loop.is_holding:
            self._screen.say(Text("These dice are in the record already: they stay."))
        else:
            first, second = (int(number) for number in match.groups() if number)
            self._loop.retract()
            self._loop.throw(self._side)
            self._loop.enter_dice(self._side, (first, second))
            return True
        return False


def _number(text: str) -> int:
    """A short number as typed; 0 for anything else."""
    return int(text) if text.isdecimal() and len(text) < 6 else 0
