"""Runs a chouette at one keyboard: asks the person to act, applies the action, writes the record."""

from __future__ import annotations

from sheshbesh.cli.terminal import wording
from sheshbesh.cli.terminal.chouette_prompts import answer, before_throw, folded, read_name
from sheshbesh.cli.terminal.chouette_settling import settle
from sheshbesh.cli.terminal.chouette_table import ChouetteAgreement
from sheshbesh.cli.terminal.players import Bot, Human
from sheshbesh.cli.terminal.verbs import ask_dice
from sheshbesh.i18n import Text
from sheshbesh.match.card import DiceSource
from sheshbesh.rules import Side
from sheshbesh.session import (
    SERVER,
    Action,
    DiceAction,
    JoinAction,
    LeaveAction,
    Phase,
    ReadyAction,
    RollAction,
)
from sheshbesh.session.chouette.state import BOX, TEAM


class ChouetteLoop(ChouetteAgreement):
    """Plays a chouette, game after game, until somebody ends it."""

    def own_command(self, side: Side, text: str) -> bool | None:
        """Settle, by the rules of this table."""
        return settle(self, side, text)

    # The course of the chouette

    def run(self) -> None:
        """Play until somebody ends it by LeaveError."""
        while True:
            self._step_in_time()

    def _step(self) -> None:
        """One action of any person or the server."""
        board = self.state
        if board.phase is Phase.READY and not self._begins:
            self._between()
            return
        for party, action in self._keeper.due_actions(board):
            self.must(party if party == SERVER else Side.of(party), action)
            return
        if self.whole.is_asking:
            answer(self)
        else:
            self._turn(board.to_act[0])

    def _turn(self, side: Side) -> None:
        """One action on the board by the player of a side, or before it by its members."""
        phase, typed = self.state.phase, self.state.card.dice is DiceSource.TYPED
        if phase is Phase.READY:
            self.must(side, ReadyAction())
        elif phase is Phase.OPENING and typed:
            dice = [
                self.screen.ask_die(Text("{who}, opening die: ", who=self.screen.who(seat)))
                for seat in (BOX, TEAM)
            ]
            self.must(side, DiceAction(*dice))
        elif phase is Phase.OPENING:
            self.must(side, RollAction())
        elif phase is Phase.THROWING and typed:
            ask_dice(self, side, Text("{who}, dice: ", who=self.screen.who(side)))
        elif phase is Phase.ROLL:
            before_throw(self, side)
        else:
            bot = self.bots.get(self.whole.player_for(side))
            player = Human() if bot is None else Bot(bot)
            player.act(self, side)

    # Between games

    def _between(self) -> None:
        number = self.state.game_no + 1
        text = self.screen.ask(
            Text("Everybody: Enter starts game {n}; join NAME, leave NAME, q ends> ", n=number)
        )
        word, _, name = text.partition(" ")
        if not text:
            self._begins = True
        elif word.casefold() == "join":
            self._join(name.strip())
        elif word.casefold() == "leave":
            self._leave(name.strip())
        else:
            self.screen.say(
                Text("Press Enter for the next game, or type join or leave with a name; ? for help.")
            )

    def _join(self, name: str) -> None:
        here = {folded(person): person for person in self.whole.seats.people}
        try:
            name = read_name(name)
        except ValueError as error:
            self.screen.say(Text("Nobody has sat down: {why}.", why=error.args[0]))
            return
        if folded(name) in here:
            self.screen.say(Text("{name} sits here already.", name=here[folded(name)]))
            return
        # A person who comes back keeps their points.
        gone = {folded(person): person for person in self.whole.sheet}
        self._seat(gone.get(folded(name), name), JoinAction())

    def _leave(self, name: str) -> None:
        here = {folded(person): person for person in self.whole.seats.people}
        if folded(name) not in here:
            self.screen.say(Text("There is no {name} at this table.", name=repr(name[:20])))
            return
        self._seat(here[folded(name)], LeaveAction())

    def _seat(self, name: str, action: Action) -> None:
        refusal = self.do(name, action)
        if refusal is not None:
            self.screen.say(wording.refusal_text(refusal))
