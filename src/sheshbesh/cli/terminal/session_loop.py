"""The parts shared by the loops of matches and chouettes: applying actions, taking them back, writing the
record.

It contains no rule: permissions, turns and consequences are the session's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from time import monotonic
from typing import Generic

from sheshbesh.cli.terminal.commands import Screen
from sheshbesh.cli.terminal.console import TimeUpError
from sheshbesh.cli.terminal.record_files import LockedRecord
from sheshbesh.errors import RecordError, system_reason
from sheshbesh.i18n import Text
from sheshbesh.match.card import DiceSource
from sheshbesh.rules import GameResult, Refusal, Refused, Side
from sheshbesh.session import (
    SERVER,
    Action,
    ClaimAction,
    DiceAction,
    DiceKeeper,
    Event,
    Outcome,
    RollAction,
    Session,
)
from sheshbesh.session.table_state import State


class Stopwatch:
    """Milliseconds that pass while a match is being played.

    `start` is the time of the match when it was left; the time in between does not count.
    """

    def __init__(self, start: int = 0) -> None:
        self._start = start
        self._zero = monotonic()

    def now(self) -> int:
        """Milliseconds since the match began."""
        return self._start + int(1000 * (monotonic() - self._zero))


class SessionLoop(ABC, Generic[State]):
    """Runs a match or a chouette on one board; `whole` is its present state.

    `record_file` is the record, if one is kept; `keeper` holds the chains of the dice.
    """

    def __init__(
        self,
        screen: Screen,
        whole: State,
        *,
        stopwatch: Stopwatch,
        keeper: DiceKeeper,
        record_file: LockedRecord | None = None,
    ) -> None:
        self.screen = screen
        self.whole = whole
        self._stopwatch = stopwatch
        self._keeper = keeper
        self._record_file = record_file
        screen.time_left = self._time_left
        # Accepted, but not recorded before the play is confirmed: what a person may still correct.
        self._held: list[tuple[State, Event]] = []

    @property
    @abstractmethod
    def state(self) -> Session:
        """The match on the board."""

    @abstractmethod
    def look(self) -> None:
        """Redraw."""

    @abstractmethod
    def _apply(self, actor: Side | str, action: Action, now: int) -> Outcome[State]:
        """Take an action; Refused if it is not allowed."""

    @abstractmethod
    def _announce(self, before: State, event: Event) -> None:
        """Print the sentences about an accepted action."""

    @abstractmethod
    def _step(self) -> None:
        """One action of a player or of the server."""

    def own_command(self, side: Side, text: str) -> bool | None:  # noqa: ARG002 -- for matches
        """Handle a command of this kind of session alone: whether it is done; None for any other text."""
        return None

    def paid(self, result: GameResult) -> str:  # noqa: ARG002 -- for matches, with one score
        """The points that a game with this result would pay, for a question; empty where they differ."""
        return ""

    # Time

    def _time_left(self) -> float | None:
        """Seconds until the running clock has run out."""
        deadline = self.state.clock.deadline()
        return None if deadline is None else (deadline - self._stopwatch.now()) / 1000

    def _step_in_time(self) -> None:
        """A step, or its end where the time runs out meanwhile."""
        try:
            self._step()
        except TimeUpError:
            self._write()
            self.do(SERVER, ClaimAction())

    # Actions

    def do(self, actor: Side | str, action: Action, *, hold: bool = False) -> Refusal | None:
        """Apply an action; the refusal if it is not allowed.

        With `hold` the action can be taken back by `retract` until the next one without it. TimeUpError
        if the running clock has run out.
        """
        if isinstance(actor, Side):
            action = self._keeper.with_share(self.state, actor, action)
        self._keep()
        before = self.whole
        try:
            self.whole, _, event = self._apply(actor, action, self._stopwatch.now())
        except Refused as refused:
            if refused.refusal.rule == "clock.expired":
                raise TimeUpError from None
            return refused.refusal
        if hold:
            self._held.append((before, event))
        else:
            self._write(event)
        self._announce(before, event)
        return None

    def must(self, actor: Side | str, action: Action, *, hold: bool = False) -> None:
        """Apply an action that cannot be refused."""
        refusal = self.do(actor, action, hold=hold)
        if refusal is not None:
            raise AssertionError(f"{action} was refused: {refusal}")

    @property
    def is_holding(self) -> bool:
        """True if there is something that can be taken back by `retract`."""
        return bool(self._held)

    def retract(self) -> None:
        """Go back to before the first action held."""
        self.whole = self._held[0][0]
        self._held.clear()
        self.look()

    # The record

    def _write(self, *events: Event) -> None:
        held, self._held = self._held, []
        if self._record_file is None:
            return
        try:
            for event in (*(event for _, event in held), *events):
                self._record_file.append(event)
        except OSError as error:
            raise self._unwritten(error) from error

    def _keep(self) -> None:
        """Store the secrets of the dice before anything they promise is recorded."""
        if self._record_file is None:
            return
        try:
            self._record_file.keep(self._keeper.tips())
        except OSError as error:
            raise self._unwritten(error) from error

    def _unwritten(self, error: OSError) -> RecordError:
        assert self._record_file is not None
        why = system_reason(error)
        return RecordError(
            Text(
                "{file} cannot be written, so the match stops here: {why}",
                file=self._record_file.path,
                why=why,
            )
        )

    # Throws

    def enter_dice(self, side: Side, dice: tuple[int, int]) -> None:
        """Take the dice that were typed; they can be typed again until the play is confirmed."""
        self.must(side, DiceAction(*dice), hold=True)

    def throw(self, side: Side) -> None:
        """Throw the dice, or pick them up to be thrown on the real board."""
        self.must(side, RollAction(), hold=self.state.card.dice is DiceSource.TYPED)
