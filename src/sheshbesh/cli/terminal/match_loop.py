"""A match at the table: asks whoever is to act, lets the session judge, and writes the record.

It keeps no rule of its own: what may be done, whose turn it is and what follows is the session's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from sheshbesh.cli.terminal import narration, score_sheet
from sheshbesh.cli.terminal.clock import Watch
from sheshbesh.cli.terminal.commands import Desk
from sheshbesh.cli.terminal.console import TimeUpError
from sheshbesh.cli.terminal.record_files import Book
from sheshbesh.cli.terminal.session_loop import Tabletop
from sheshbesh.cli.terminal.verbs import is_word, speak
from sheshbesh.cli.terminal.wording import name
from sheshbesh.errors import RecordError
from sheshbesh.match.card import Contest, DiceSource
from sheshbesh.players.opponent import is_opponent
from sheshbesh.rules import GameResult, Refusal, Side
from sheshbesh.session import SERVER, DiceKeeper, Event, Phase, Session, actions, apply
from sheshbesh.session.game_course import game_points
from sheshbesh.session.state import OFFERED


class Player(Protocol):
    """One side of the table."""

    def act(self, table: Table, side: Side) -> None:
        """Do something for `side`, whom the match waits for."""

    def answer(self, table: Table, side: Side) -> None:
        """Agree or disagree to the open proposal of the other side."""


class Table(Tabletop[Session]):
    """Plays a match between two players until it is over."""

    def __init__(
        self,
        desk: Desk,
        state: Session,
        players: Mapping[Side, Player],
        *,
        watch: Watch,
        keeper: DiceKeeper,
        book: Book | None = None,
        has_tutor: bool = False,
    ) -> None:
        super().__init__(desk, state, watch=watch, keeper=keeper, book=book)
        self._players = players
        self._has_tutor = has_tutor
        desk.time_left = self._time_left
        desk.note = lambda side: score_sheet.side_note(self.state, side, self._watch.now())
        self.look()

    @property
    def state(self) -> Session:
        """The match."""
        return self.whole

    def _apply(
        self, actor: Side | str, action: actions.Action, now: int
    ) -> tuple[Session, tuple[Event, ...]] | Refusal:
        return apply(self.state, actor, action, now)

    def paid(self, result: GameResult) -> str:
        """Who would win what."""
        assert result.winner is not None
        winner = name(result.winner)
        if self.state.card.contest is Contest.GAMES:
            return f": {winner} wins the game"
        state = self.state
        if state.phase in OFFERED:
            cube = state.stake * OFFERED[state.phase] // 2
            state = state.but(score=replace(state.score, cube=cube))
        points = game_points(state, result)
        return f": {winner} wins {points} point{'s' * (points != 1)}"

    # What is seen

    def viewer(self, side: Side) -> Side:
        """From whose side the board is seen: the person's, or that of whoever acts."""
        people = [seat for seat in Side if not is_opponent(self.desk.names[seat])]
        return side if side in people else people[0]

    def look(self) -> None:
        """Show the desk what there is now."""
        side = self.state.on_roll or self.desk.viewer
        self.desk.see(self.state, self.viewer(side))

    def _tell(self, before: Session, event: Event) -> None:
        after = self.state
        mover = Side.of(event.actor) if event.actor != SERVER else self.desk.viewer
        turn = after.on_roll or mover
        others = self.viewer(turn)
        viewer = mover if others is mover or self.desk.names[mover] == "you" else others
        said = narration.tell(before, event, after, viewer=viewer)
        if "play" in event.then:
            self.desk.report(mover, *said)
        else:
            for sentence in said:
                self.desk.say(sentence)
        self.look()
        ended = narration.ending(before, after)
        if ended:
            self.desk.see(after, self.desk.viewer)
            if after.games[-1].reason == "played":
                self.desk.draw(final=True)
            self.desk.clear_news()
        for sentence in (*self._tutored(before, event), *ended, *self._verdict()):
            self.desk.say(sentence)

    def _tutored(self, before: Session, event: Event) -> list[str]:
        """What the tutor says to a person about their decision."""
        coach = self.desk.coach
        if not self._has_tutor or coach is None or event.actor == SERVER:
            return []
        by_person = not is_opponent(self.desk.names[Side.of(event.actor)])
        return coach.verdict(before, event) if by_person else []

    def _verdict(self) -> list[str]:
        return [score_sheet.verdict(self.state)] if self.state.phase is Phase.OVER else []

    def _time_left(self) -> float | None:
        """Seconds until the running clock has run out."""
        deadline = self.state.clock.deadline()
        return None if deadline is None else (deadline - self._watch.now()) / 1000

    # The course of the match

    def recover(self, missing: tuple[str, ...]) -> None:
        """Go on although the chains of some are lost; RecordError if the dice cannot go on so."""
        for party in missing:
            if party == SERVER:
                raise RecordError(
                    "the secrets of the dice are gone, and what the program has promised with them "
                    "cannot be kept: this match cannot go on, only be read"
                )
            side = Side.of(party)
            action = self._keeper.renewed(side)
            if (refusal := self.do(side, action)) is not None:
                raise RecordError(f"the dice of {party} are lost and cannot be renewed here: {refusal}")

    def sit(self) -> None:
        """Play until the match is over. LeaveError ends it at any moment."""
        while self.state.phase is not Phase.OVER:
            try:
                self._step()
            except TimeUpError:
                self._write()
                self.do(SERVER, actions.ClaimTime())

    def _step(self) -> None:
        """One action, whoever's it is."""
        state = self.state
        for actor, action in self._keeper.duties(state):
            self.must(actor, action)
            return
        if "withhold" in state.allowed(SERVER):
            for side in Side:
                if self._keeper.lacks(state, side):
                    self.must(SERVER, actions.Withhold(side.value))
                    return
        if state.paused:
            self.desk.ask("The clocks stand. Enter goes on> ")
            self.must(self.desk.viewer, actions.Resume())
        elif state.proposal is not None:
            side = state.proposal.by.other
            self._players[side].answer(self, side)
        elif state.phase is Phase.READY:
            self._between()
        else:
            self._turn(state.to_act[0])

    def _turn(self, side: Side) -> None:
        """One action in the course of a game, by `side` if it is his to choose."""
        typed = self.state.card.dice is DiceSource.TYPED
        if self.state.phase is Phase.OPENING and typed:
            dice = [self.desk.ask_die(f"Opening die of {name(seat)}: ") for seat in (Side.WHITE, Side.BLACK)]
            self.must(side, actions.Dice(*dice))
        elif self.state.phase is Phase.OPENING:
            self.must(side, actions.Throw())
        elif self.state.phase is Phase.THROWING and typed:
            self._lay_typed(side, f"Dice of {name(side)}: ")
        else:
            self._players[side].act(self, side)

    # Between games

    def _between(self) -> None:
        if self.state.game_no and not self.state.ready and not self._wants_more():
            return
        if self.state.phase is Phase.READY and self.state.to_act:
            self.must(self.state.to_act[0], actions.Ready())

    def _wants_more(self) -> bool:
        """Whether another game begins at once; else something else has happened."""
        money = self.state.card.contest is Contest.MONEY
        question = "Another game? (y or n) " if money else "Enter starts the next game> "
        side = self.desk.viewer
        text = self.desk.ask(question).casefold()
        if text in (("y", "yes") if money else ("", "y", "yes")):
            return True
        if money and text in ("n", "no"):
            self.must(side, actions.Propose("draw"))
            self.must(side.other, actions.Accept())
        elif is_word(text):
            speak(self, side, text)
        else:
            self.desk.say(
                "Type y for another game or n to end here; ? for help."
                if money
                else "Press Enter to start the next game; q leaves, ? for help."
            )
        return False
