"""Runs a match in the terminal: asks the player to act, applies the action, writes the record.

It contains no rule: permissions, turns and consequences are the session's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from sheshbesh.cli.terminal import narration, score_text
from sheshbesh.cli.terminal.commands import Screen
from sheshbesh.cli.terminal.record_files import LockedRecord
from sheshbesh.cli.terminal.session_loop import SessionLoop, Stopwatch
from sheshbesh.cli.terminal.verbs import act_on_word, ask_dice, is_action_word
from sheshbesh.cli.terminal.wording import name
from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.match.card import Contest, DiceSource
from sheshbesh.players.opponent import is_opponent
from sheshbesh.rules import GameResult, Position, Roll, Side
from sheshbesh.session import (
    SERVER,
    AcceptAction,
    Action,
    DiceAction,
    DiceKeeper,
    Event,
    Outcome,
    Phase,
    ProposeAction,
    ReadyAction,
    ResumeAction,
    RetryAction,
    RollAction,
    Session,
    WithholdAction,
    apply,
)
from sheshbesh.session.game_course import after_play, game_points, show_dice
from sheshbesh.session.phases import OFFERED


class Player(Protocol):
    """A player of one side."""

    def act(self, loop: MatchLoop, side: Side) -> None:
        """Act for `side`, which the match waits for."""

    def answer(self, loop: MatchLoop, side: Side) -> None:
        """Agree or disagree to the open proposal of the other side."""


class MatchLoop(SessionLoop[Session]):
    """Plays a match between two players until it is over."""

    def __init__(
        self,
        screen: Screen,
        state: Session,
        players: Mapping[Side, Player],
        *,
        stopwatch: Stopwatch,
        keeper: DiceKeeper,
        record_file: LockedRecord | None = None,
        has_tutor: bool = False,
    ) -> None:
        super().__init__(screen, state, stopwatch=stopwatch, keeper=keeper, record_file=record_file)
        self._players = players
        self._has_tutor = has_tutor
        # The verdict on a play that may still be taken back.
        self._untold: list[str] = []
        screen.note = lambda side: score_text.side_note(self.state, side, self._stopwatch.now())
        self.look()

    @property
    def state(self) -> Session:
        """The match."""
        return self.whole

    def _apply(self, actor: Side | str, action: Action, now: int) -> Outcome[Session]:
        return apply(self.state, actor, action, now)

    def paid(self, result: GameResult) -> str:
        """The winner and the points."""
        assert result.winner is not None
        state = self.state
        if state.phase in OFFERED:
            cube = state.stake * OFFERED[state.phase] // 2
            if cube != state.score.cube and state.on_roll is not None:
                # The double that is answered by a beaver: its cube lies with the side that was doubled.
                state = state.but(score=replace(state.score, cube=cube, owner=state.on_roll.other))
        return score_text.won_text(result.winner, game_points(state, result), state.card.contest)

    # What is seen

    def viewer(self, side: Side) -> Side:
        """From whose side the board is seen: the person's, or the acting side's."""
        people = [seat for seat in Side if not is_opponent(self.screen.names[seat])]
        return side if side in people else people[0]

    def look(self) -> None:
        """Redraw."""
        side = self.state.on_roll or self.screen.viewer
        self.screen.see(self.state, self.viewer(side))

    def _announce(self, before: Session, event: Event) -> None:
        after = self.state
        mover = Side.of(event.actor) if event.actor != SERVER else self.screen.viewer
        turn = after.on_roll or mover
        others = self.viewer(turn)
        viewer = mover if others is mover or self.screen.names[mover] == "you" else others
        sentences = narration.sentences_of(before, event, after, viewer=viewer)
        if "play" in event.then:
            self.screen.report(mover, *sentences)
        else:
            for sentence in sentences:
                self.screen.say(sentence)
        self.look()
        ended = narration.ending(before, after)
        if ended:
            self.screen.see(after, self.screen.viewer)
            if after.games[-1].reason == "played":
                self.screen.draw(final=True)
            self.screen.clear_report()
        for sentence in (*self._tutored(before, event), *ended, *self._verdict()):
            self.screen.say(sentence)

    def _tutored(self, before: Session, event: Event) -> list[str]:
        """Return what the tutor says to a person about their decision."""
        coach = self.screen.coach
        if not self._has_tutor or coach is None or event.actor == SERVER:
            return []
        side = Side.of(event.actor)
        if is_opponent(self.screen.names[side]):
            return []
        said = coach.verdict(before, event)
        answers = self.screen.console.is_interactive and is_opponent(self.screen.names[side.other])
        if not (said.cost and answers and self.state.retriable is side):
            return said.lines
        self._untold = said.lines
        return said.cost

    def _offer_retry(self, side: Side) -> None:
        """Ask a person whether they try again, before they are told what was best."""
        while (answer := self.screen.ask(Text("Enter goes on, t tries again> ")).casefold()) not in ("", "t"):
            self.screen.say(Text("Press Enter to go on, or type t to take the play back and try again."))
        lines, self._untold = self._untold, []
        if answer == "t":
            self.must(SERVER, RetryAction(side.value))
            return
        for line in lines:
            self.screen.say(line)

    def _verdict(self) -> list[str]:
        return [score_text.verdict(self.state)] if self.state.phase is Phase.OVER else []

    # The course of the match

    def recover(self, missing: tuple[str, ...]) -> None:
        """Continue although chains are lost; RecordError if the dice cannot be continued."""
        for party in missing:
            if party == SERVER:
                raise RecordError(
                    Text(
                        "the secrets of the dice are gone, and what the program has promised with them "
                        "cannot be kept: this match cannot be resumed, only read"
                    )
                )
            side = Side.of(party)
            action = self._keeper.renewed(side)
            if (refusal := self.do(side, action)) is not None:
                raise RecordError(
                    Text(
                        "the dice of {party} are lost and cannot be renewed here: {refusal}",
                        party=party,
                        refusal=refusal,
                    )
                )

    def run(self) -> None:
        """Play until the match is over. LeaveError ends it at any moment."""
        while self.state.phase is not Phase.OVER:
            self._step_in_time()

    def _step(self) -> None:
        """One action of any player or the server."""
        state = self.state
        if self._untold and state.retriable is not None:
            self._offer_retry(state.retriable)
            return
        for actor, action in self._keeper.due_actions(state):
            self.must(actor, action)
            return
        if "withhold" in state.allowed(SERVER):
            for side in Side:
                if self._keeper.lacks(state, side):
                    self.must(SERVER, WithholdAction(side.value))
                    return
        if state.paused:
            self.screen.ask(Text("The clocks are stopped. Enter resumes> "))
            self.must(self.screen.viewer, ResumeAction())
        elif state.proposal is not None:
            side = state.proposal.by.other
            self._players[side].answer(self, side)
        elif state.phase is Phase.READY:
            self._between()
        else:
            self._turn(state.to_act[0])

    def _turn(self, side: Side) -> None:
        """One action in the course of a game, by `side` if it has to decide."""
        typed = self.state.card.dice is DiceSource.TYPED
        if self.state.phase is Phase.OPENING and typed:
            dice = [
                self.screen.ask_die(Text("Opening die of {who}: ", who=name(seat)))
                for seat in (Side.WHITE, Side.BLACK)
            ]
            self.must(side, DiceAction(*dice))
        elif self.state.phase is Phase.OPENING:
            self.must(side, RollAction())
        elif self.state.phase is Phase.THROWING and typed:
            ask_dice(self, side, Text("Dice of {who}: ", who=name(side)))
        else:
            self._players[side].act(self, side)

    # Between games

    def _between(self) -> None:
        if self.state.game_no and not self.state.ready and not self._wants_more():
            return
        if self.state.phase is Phase.READY and self.state.to_act:
            self.must(self.state.to_act[0], ReadyAction())

    def _wants_more(self) -> bool:
        """Return True if another game begins at once; else something else has happened."""
        money = self.state.card.contest is Contest.MONEY
        question = Text("Another game? (y or n) ") if money else Text("Enter starts the next game> ")
        side = self.screen.viewer
        text = self.screen.ask(question)
        answer = self.screen.answer(text)
        if answer or (not text and not money):
            return True
        if money and answer is False:
            self.must(side, ProposeAction("draw"))
            self.must(side.other, AcceptAction())
        elif is_action_word(text):
            act_on_word(self, side, text)
        else:
            self.screen.say(
                Text("Type y for another game or n to end here; ? for help.")
                if money
                else Text("Press Enter to start the next game; q leaves, ? for help.")
            )
        return False


def start_at(state: Session, position: Position, dice: Roll | None) -> Session:
    """A new match in which `position` has just been reached, with `dice` thrown if given."""
    arrived = state.but(game_no=1, position=position, starter=position.turn)
    begun = after_play(arrived, position.turn.other, None, 0).state
    return begun if dice is None else show_dice(begun, dice)
