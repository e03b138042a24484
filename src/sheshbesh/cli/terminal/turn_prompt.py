"""The dialogue of one turn, from the board to the confirmed play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sheshbesh.cli.terminal import wording
from sheshbesh.cli.terminal.move_input import Draft
from sheshbesh.cli.terminal.verbs import is_word, speak
from sheshbesh.errors import IllegalPlayError, NotationError
from sheshbesh.match.card import DiceSource
from sheshbesh.rules import Play, Refusal, Side, Step
from sheshbesh.session import actions

if TYPE_CHECKING:
    from sheshbesh.cli.terminal.session_loop import Tabletop

_PAGE = 15
_TYPED = re.compile(r"([1-6])[-\s,:]?([1-6])")
_DICE = re.compile(r"(?:d(?:ice)?\s+)([1-6])[-\s,:]?([1-6])|([1-6])-([1-6])", re.IGNORECASE)


class MovePrompt:
    """Builds a play with a person: typed, chosen from the list, or step by step.

    Every step goes to the match at once; what the match refuses is not done.
    """

    def __init__(self, table: Tabletop[Any], side: Side) -> None:
        self._table = table
        self._desk = table.desk
        self._side = side
        self._touch_move = table.state.card.touch_move
        self._draft = self._fresh()
        self._asked: Play | Step | None = None
        """What a number picked where nothing is taken back; Enter plays it."""
        self._forget_list()

    def _fresh(self) -> Draft:
        assert self._table.state.turn is not None
        return Draft(self._table.state.turn)

    def _forget_list(self) -> None:
        """The numbers shown belong to a list that is no more."""
        self._listed = 0
        self._desk.listed = ()

    def run(self) -> None:
        """Ask until the turn is over, or something else is to be answered first."""
        owed = self._draft.position.pending
        if owed is not None and self._desk.is_fresh:
            self._desk.say(wording.pending_text(owed, who=self._desk.who))
        if self._draft.steps or not self._desk.is_drawn:
            self._desk.draw()
        self._announce()
        while True:
            listed = self._desk.listed
            text = self._desk.ask(self._prompt())
            if self._desk.listed is not listed:
                self._asked = None  # a hint has been shown since, with numbers of its own
            if self._answer(text):
                return
            self._draft = self._fresh()

    def _announce(self) -> None:
        draft, side = self._draft, self._desk.who(self._side)
        if draft.is_dance:
            self._desk.say(f"{side} cannot move with {self._dice()}. Enter goes on.")
        elif draft.is_forced and not draft.steps:
            self._desk.say(f"The only play with {self._dice()} is {draft.plays[0].notation}. Enter plays it.")

    def _dice(self) -> str:
        owed = self._draft.position.pending
        if owed is not None and owed.steps:
            return wording.numbers(owed.steps)
        return str(self._draft.roll)

    def _prompt(self) -> str:
        so_far = f" ({self._draft.text})" if self._draft.text else ""
        return f"{self._desk.who(self._side)} {self._dice()}{so_far}> "

    def _answer(self, text: str) -> bool:
        """Do what was typed; True when this dialogue is over."""
        word = text.casefold()
        asked, self._asked = self._asked, None
        if asked is not None and word in ("", "done", "ok", "y", "yes"):
            return self._take(asked)
        if asked is not None and word in ("n", "no", "u", "undo"):
            self._desk.say("It is not played.")
        elif word in ("", "done", "ok"):
            return self._confirm()
        elif word in ("l", "list", "m", "more", "n", "next"):
            self._list()
        elif word in ("u", "undo", "u all", "undo all"):
            return self._undo(everything=word.endswith("all"))
        elif (match := self._dice_in(text)) is not None:
            return self._throw_again(match)
        elif is_word(text):
            return speak(self._table, self._side, text)
        elif text.isdecimal():
            return self._choose(text)
        else:
            return self._read(text)
        return False

    def _dice_in(self, text: str) -> re.Match[str] | None:
        """Dice that were typed; two digits are dice on a real board, but for a number of the list shown."""
        picks = 1 <= _number(text) <= len(self._desk.listed)
        if self._table.state.card.dice is DiceSource.TYPED and not picks:
            return _TYPED.fullmatch(text) or _DICE.fullmatch(text)
        return _DICE.fullmatch(text)

    # What goes to the match

    def _do(self, action: actions.Action, *, hold: bool = False) -> Refusal | None:
        refusal = self._table.do(self._side, action, hold=hold)
        if refusal is not None:
            self._desk.say(wording.refusal_text(refusal))
        return refusal

    def _play(self) -> bool:
        """Make the steps of the draft that are not yet made; True if they confirm themselves."""
        done, wanted = self._fresh().steps, self._draft.steps
        # What is typed on a real board, or named, may be corrected until a touched checker binds.
        hold = self._table.is_holding and not self._touch_move
        if wanted[: len(done)] != done:
            if self._do(actions.Undo(all=True), hold=hold) is not None:
                return False
            done = ()
        for step in wanted[len(done) :]:
            if self._do(actions.Move(step.origin, step.target, step.die), hold=hold) is not None:
                return False
        return self._show()

    def _confirm(self) -> bool:
        draft = self._draft
        if not draft.steps and draft.is_forced:
            return self._whole(draft.plays[0].notation)
        refusal = self._table.do(self._side, actions.Confirm())
        if refusal is None:
            return True
        self._desk.say(
            "The play is not complete." if draft.steps else "Nothing is played yet; l lists the plays."
        )
        self._desk.say(wording.refusal_text(refusal))
        return False

    def _whole(self, notation: str) -> bool:
        return self._do(actions.MakePlay(notation)) is None

    def _show(self) -> bool:
        """Show the provisional steps; a whole play is made where nothing is taken back anyway."""
        draft = self._draft
        following = draft.next_steps()
        whole = draft.is_whole
        if whole and self._touch_move and not following:
            return self._do(actions.Confirm()) is None
        self._desk.draw_again()
        if whole and not following:
            self._desk.say(f"{draft.text}: Enter confirms, u takes back.")
        elif following:
            steps = ", ".join(step.notation for step in following)
            ends = " or Enter to stop here" if whole else ""
            self._desk.say(f"Next{ends}: {steps}")
        return False

    # The list

    def _menu(self) -> Sequence[Play] | Sequence[Step]:
        """The steps that may follow the first ones; else all plays, one of which replaces a whole one."""
        draft = self._draft
        return (draft.next_steps() if draft.steps else ()) or draft.plays

    def _list(self) -> None:
        """Show the menu a page at a time, and from the beginning after the last."""
        items = self._menu()
        if self._listed >= len(items):
            self._listed = 0
        start, end = self._listed, min(self._listed + _PAGE, len(items))
        what = "Next steps" if isinstance(items[0], Step) else "Plays"
        self._desk.say(f"{what} {start + 1} to {end} of {len(items)}:")
        for number in range(start, end):
            self._desk.say(f"{number + 1:>4}  {items[number].notation}")
        self._listed, self._desk.listed = end, items[:end]
        self._desk.say(f"Type a number{', l for more' if end < len(items) else ''}.")

    def _choose(self, text: str) -> bool:
        """Take the item of the list shown last, but only after a question where that is final."""
        items = self._desk.listed
        if not items:
            self._desk.say("A number picks from a list, and none has been shown for this board. Here it is:")
            self._list()
            return False
        number = _number(text)
        if not 1 <= number <= len(items):
            self._desk.say(f"There is no {text[:20]} in the list shown last: it goes from 1 to {len(items)}.")
            return False
        item = items[number - 1]
        if not self._touch_move:
            return self._take(item)
        self._asked = item
        self._desk.say(f"{item.notation}: nothing is taken back here. Enter plays it, n does not.")
        return False

    def _take(self, item: Play | Step) -> bool:
        """Make a step or a whole play from the list; whole plays can still be exchanged by number."""
        if isinstance(item, Step):
            self._draft.add(item)
            self._forget_list()
        elif item.is_pass:
            return self._whole(item.notation)
        else:
            self._draft.choose(item)
        return self._play()

    # Steps

    def _read(self, text: str) -> bool:
        if self._draft.is_dance:
            return self._read_pass(text)
        try:
            self._draft.read(text, may_replace=not self._touch_move)
        except NotationError:
            return self._unread(text)
        except IllegalPlayError as error:
            self._desk.say(wording.refusal_text(error))
            return False
        self._forget_list()
        return self._play()

    def _read_pass(self, text: str) -> bool:
        try:
            return self._whole(text)
        except NotationError:
            return self._unread(text)

    def _unread(self, text: str) -> bool:
        self._desk.say(f"Cannot read {text[:40]!r}: a play looks like 8/5 6/5 or bar/22; ? for help.")
        return False

    def _undo(self, *, everything: bool) -> bool:
        owed = self._draft.position.pending
        if not self._draft.steps and owed is not None and owed.choose and self._table.is_holding:
            self._table.retract()
            return True
        if not self._draft.steps:
            self._desk.say("Nothing has been played yet, so there is nothing to take back.")
            return False
        hold = self._table.is_holding and not self._touch_move
        if self._do(actions.Undo(all=everything), hold=hold) is None:
            self._forget_list()
            self._desk.draw_again()
        return False

    def _throw_again(self, match: re.Match[str]) -> bool:
        if self._draft.position.pending is not None:
            self._desk.say("No dice are thrown for what is owed.")
        elif self._table.state.card.dice is not DiceSource.TYPED:
            self._desk.say("The dice are thrown by the computer; use --dice typed to type your own.")
        elif self._draft.steps and self._touch_move:
            self._desk.say("A checker has been touched: the dice stay.")
        elif not self._table.is_holding:
            self._desk.say("These dice are in the record already: they stay.")
        else:
            first, second = (int(number) for number in match.groups() if number)
            self._table.retract()
            self._table.throw(self._side)
            self._table.lay(self._side, (first, second))
            return True
        return False


def _number(text: str) -> int:
    """A short number as typed; 0 for anything else."""
    return int(text) if text.isdecimal() and len(text) < 6 else 0
