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
        self._listed = 0
        self._draft = self._fresh()

    def _fresh(self) -> Draft:
        assert self._table.state.turn is not None
        return Draft(self._table.state.turn)

    def run(self) -> None:
        """Ask until the turn is over, or something else is to be answered first."""
        owed = self._draft.position.pending
        if owed is not None and self._desk.is_fresh:
            self._desk.say(wording.pending_text(owed, who=self._desk.who))
        if self._draft.steps or not self._desk.is_drawn:
            self._desk.draw()
        self._announce()
        while not self._answer(self._desk.ask(self._prompt())):
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
        if word in ("", "done", "ok"):
            return self._confirm()
        if word in ("l", "list", "m", "more", "n", "next"):
            self._list()
        elif word in ("u", "undo", "u all", "undo all"):
            return self._undo(everything=word.endswith("all"))
        elif (match := _DICE.fullmatch(text)) is not None:
            return self._throw_again(match)
        elif is_word(text):
            return speak(self._table, self._side, text)
        elif text.isdecimal():
            return self._choose(text)
        else:
            return self._read(text)
        return False

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
        self._listed = 0
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
        self._listed = end
        self._desk.say(f"Type a number{', l for more' if end < len(items) else ''}.")

    def _choose(self, text: str) -> bool:
        items = self._menu()
        number = int(text) if len(text) < 6 else 0
        if not 1 <= number <= len(items):
            self._desk.say(f"There is no {text[:20]}: the list goes from 1 to {len(items)}.")
            return False
        item = items[number - 1]
        if isinstance(item, Step):
            self._draft.add(item)
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
        hold = self._table.is_holding and not self._touch_move
        if self._do(actions.Undo(all=everything), hold=hold) is None:
            self._listed = 0
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
