"""Runs a chouette at one keyboard: asks the person to act, applies the action, writes the record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sheshbesh.cli.terminal import chouette_narration, score_text, wording
from sheshbesh.cli.terminal.chouette_prompts import answer, before_throw, read_name
from sheshbesh.cli.terminal.chouette_settling import settle
from sheshbesh.cli.terminal.commands import Screen
from sheshbesh.cli.terminal.console import Console
from sheshbesh.cli.terminal.players import Bot, Human
from sheshbesh.cli.terminal.record_files import LockedRecord
from sheshbesh.cli.terminal.session_loop import SessionLoop, Stopwatch
from sheshbesh.i18n import Text
from sheshbesh.match.card import DiceSource
from sheshbesh.players.opponent import Opponent
from sheshbesh.rules import Refusal, Side
from sheshbesh.session import (
    SERVER,
    Action,
    Chouette,
    DiceAction,
    DiceKeeper,
    Event,
    JoinAction,
    LeaveAction,
    Phase,
    ReadyAction,
    RollAction,
    Session,
    apply_chouette,
)
from sheshbesh.session.chouette.state import BOX, TEAM


class ChouetteScreen(Screen):
    """The screen of a chouette: cubes over the board, people at the trays, everybody on the sheet."""

    def __init__(self, console: Console, table: Chouette) -> None:
        super().__init__(console, table.board.card, names=dict.fromkeys(Side, ""), viewer=BOX)
        self.help = chouette_narration.HELP
        self.who = lambda side: self.names[side]
        self._earlier: Mapping[str, int] = {}
        self.seat(table)

    def seat(self, table: Chouette) -> None:
        """Update the seats; a game that begins keeps the sheet from before it."""
        self._chouette = table
        self.names = {side: chouette_narration.label(table, table.hand(side)) for side in Side}

    def begin_game(self, sheet: Mapping[str, int]) -> None:
        """A game has begun with this sheet."""
        self._earlier = sheet

    def headline(self) -> str:
        """The cubes."""
        return chouette_narration.headline(self._chouette)

    def score_sheet(self) -> Iterable[str]:
        """Everybody's points."""
        return chouette_narration.sheet_lines(self._chouette, self._earlier)


class ChouetteLoop(SessionLoop[Chouette]):
    """Plays a chouette, game after game, until somebody ends it; `bots` are the seats without a person."""

    screen: ChouetteScreen

    def __init__(
        self,
        screen: ChouetteScreen,
        whole: Chouette,
        bots: Mapping[str, Opponent],
        *,
        keeper: DiceKeeper,
        record_file: LockedRecord | None = None,
    ) -> None:
        super().__init__(screen, whole, stopwatch=Stopwatch(), keeper=keeper, record_file=record_file)
        screen.note = lambda side: score_text.time_note(self.state, side, self._stopwatch.now())
        self.bots = dict(bots)
        self._begins = True
        self.look()

    @property
    def state(self) -> Session:
        """The board."""
        return self.whole.board

    def _apply(
        self, actor: Side | str, action: Action, now: int
    ) -> tuple[Chouette, tuple[Event, ...]] | Refusal:
        name = self.whole.hand(actor) if isinstance(actor, Side) else actor
        return apply_chouette(self.whole, name, action, now)

    def own_word(self, side: Side, text: str) -> bool | None:
        """Settle, by the rules of this table."""
        return settle(self, side, text)

    # What is seen

    def viewer(self, side: Side) -> Side:
        """From whose side the board is seen: the one on roll, or that of the people against bots."""
        members = tuple(m.name for m in self.whole.playing) or self.whole.seats.queue
        people = (self.whole.seats.box,) if side is BOX else members
        return side.other if all(name in self.bots for name in people) else side

    def look(self) -> None:
        """Show the screen what there is now."""
        self.screen.seat(self.whole)
        self.screen.see(self.state, self.viewer(self.state.on_roll or self.screen.viewer))

    def _tell(self, before: Chouette, event: Event) -> None:
        after = self.whole
        mover = before.side_of(event.actor) or self.screen.viewer
        viewer = self.viewer(after.board.on_roll or mover)
        said = chouette_narration.tell(before, event, after, viewer=viewer)
        if after.board.game_no > before.board.game_no:
            self.screen.begin_game(before.sheet)
        if "play" in event.then:
            self.screen.report(mover, *said)
        else:
            for sentence in said:
                self.screen.say(sentence)
        self.look()
        if len(after.board.games) > len(before.board.games):
            self._tell_ending(before)

    def _tell_ending(self, before: Chouette) -> None:
        self._begins = False
        if self.state.games[-1].reason == "played":
            self.screen.draw(final=True)
        self.screen.clear_report()
        over, seats = chouette_narration.ending(before, self.whole)
        self.screen.say(over)
        self.screen.console.show(["", *self.screen.score_sheet(), ""])
        self.screen.say(seats)

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
        """One action on the board by the hand of a side, or before it by its members."""
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
            self._lay_typed(side, Text("{who}, dice: ", who=self.screen.who(side)))
        elif phase is Phase.ROLL:
            before_throw(self, side)
        else:
            bot = self.bots.get(self.whole.hand(side))
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
        here = {person.casefold(): person for person in self.whole.seats.people}
        try:
            name = read_name(name)
        except ValueError as error:
            self.screen.say(f"{str(error)[0].upper()}{str(error)[1:]}.")
            return
        if name.casefold() in here:
            self.screen.say(Text("{name} sits here already.", name=here[name.casefold()]))
            return
        # A person who comes back keeps their points.
        gone = {person.casefold(): person for person in self.whole.sheet}
        self._seat(gone.get(name.casefold(), name), JoinAction())

    def _leave(self, name: str) -> None:
        here = {person.casefold(): person for person in self.whole.seats.people}
        if name.casefold() not in here:
            self.screen.say(Text("There is no {name} at this table.", name=repr(name[:20])))
            return
        self._seat(here[name.casefold()], LeaveAction())

    def _seat(self, name: str, action: Action) -> None:
        refusal = self.do(name, action)
        if refusal is not None:
            self.screen.say(wording.refusal_text(refusal))
