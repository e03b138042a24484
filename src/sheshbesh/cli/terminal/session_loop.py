"""What a match and a chouette have in common at the table: actions, what may be taken back, the record.

It keeps no rule of its own: what may be done, whose turn it is and what follows is the session's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from sheshbesh.cli.terminal.clock import Watch
from sheshbesh.cli.terminal.commands import Desk
from sheshbesh.cli.terminal.console import TimeUpError
from sheshbesh.cli.terminal.record_files import Book
from sheshbesh.cli.terminal.verbs import is_word, speak
from sheshbesh.cli.terminal.wording import DICE_TEXT
from sheshbesh.errors import DiceError, RecordError
from sheshbesh.match.card import DiceSource
from sheshbesh.rules import GameResult, Refusal, Roll, Side
from sheshbesh.session import DiceKeeper, Event, Session, actions

Whole = TypeVar("Whole")


class Tabletop(ABC, Generic[Whole]):
    """One board at which something is being played; `whole` is all of it at this moment.

    `book` is the record, if one is kept; `keeper` holds the chains of the dice.
    """

    def __init__(
        self, desk: Desk, whole: Whole, *, watch: Watch, keeper: DiceKeeper, book: Book | None = None
    ) -> None:
        self.desk = desk
        self.whole = whole
        self._watch = watch
        self._keeper = keeper
        self._book = book
        # Accepted, but not recorded before the play is confirmed: what a person may still correct.
        self._held: list[tuple[Whole, Event]] = []

    @property
    @abstractmethod
    def state(self) -> Session:
        """The match on the board."""

    @abstractmethod
    def look(self) -> None:
        """Show the desk what there is now."""

    @abstractmethod
    def _apply(
        self, actor: Side | str, action: actions.Action, now: int
    ) -> tuple[Whole, tuple[Event, ...]] | Refusal:
        """The door by which `whole` changes."""

    @abstractmethod
    def _tell(self, before: Whole, event: Event) -> None:
        """Say what an accepted action has brought."""

    def paid(self, result: GameResult) -> str:  # noqa: ARG002 -- for the tables that have one score
        """What a game that ended so would pay, as the end of a question; empty where that differs."""
        return ""

    # Actions

    def do(self, actor: Side | str, action: actions.Action, *, hold: bool = False) -> Refusal | None:
        """Let someone act; the refusal if that may not be.

        With `hold` the action can be taken back by `retract` until the next one without it. TimeUpError
        if the running clock has run out.
        """
        if isinstance(actor, Side):
            action = self._keeper.dress(self.state, actor, action)
        self._keep()
        applied = self._apply(actor, action, self._watch.now())
        if isinstance(applied, Refusal):
            if applied.rule == "clock.expired":
                raise TimeUpError
            return applied
        before = self.whole
        self.whole, events = applied
        if hold:
            self._held += [(before, event) for event in events]
        else:
            self._write(*events)
        self._tell(before, events[0])
        return None

    def must(self, actor: Side | str, action: actions.Action, *, hold: bool = False) -> None:
        """Do what cannot be refused."""
        refusal = self.do(actor, action, hold=hold)
        if refusal is not None:
            raise AssertionError(f"{action} was refused: {refusal}")

    @property
    def is_holding(self) -> bool:
        """Whether there is something that can be taken back by `retract`."""
        return bool(self._held)

    def retract(self) -> None:
        """Go back to before the first action held."""
        self.whole = self._held[0][0]
        self._held.clear()
        self.look()

    # The record

    def _write(self, *events: Event) -> None:
        held, self._held = self._held, []
        if self._book is None:
            return
        try:
            for event in (*(event for _, event in held), *events):
                self._book.append(event)
        except OSError as error:
            raise self._unwritten(error) from error

    def _keep(self) -> None:
        """Store the secrets of the dice before anything they promise is recorded."""
        if self._book is None:
            return
        try:
            self._book.keep(self._keeper.tips())
        except OSError as error:
            raise self._unwritten(error) from error

    def _unwritten(self, error: OSError) -> RecordError:
        assert self._book is not None
        why = error.strerror or str(error)
        return RecordError(f"{self._book.path} cannot be written, so the match stops here: {why}")

    # Throws

    def lay(self, side: Side, dice: tuple[int, int]) -> None:
        """The dice that were typed; they can be typed anew until the play is confirmed."""
        self.must(side, actions.Dice(*dice), hold=True)

    def throw(self, side: Side) -> None:
        """Throw the dice, or pick them up to be thrown on the real board."""
        self.must(side, actions.Throw(), hold=self.state.card.dice is DiceSource.TYPED)

    def _lay_typed(self, side: Side, prompt: str) -> None:
        """Ask for the dice of a real board, until they are typed or something else has been done."""
        while True:
            text = self.desk.ask(prompt)
            dice = read_dice(text)
            if dice is not None:
                self.lay(side, dice)
                return
            if is_word(text):
                self._speak_before_dice(side, text)
                return
            self.desk.say(f"Type {DICE_TEXT}; or double, resign; ? for help, q to leave.")

    def _speak_before_dice(self, side: Side, text: str) -> None:
        """Do what a word says where dice are awaited: with it they were not yet picked up."""
        if self.is_holding:
            self.retract()
        speak(self, side, text)


def read_dice(text: str) -> tuple[int, int] | None:
    """Two numbers 1 to 6 as people type them, such as 6-5 or 65; None for anything else."""
    try:
        first, second = Roll.parse(text)
    except DiceError:
        return None
    return first, second
