"""A chouette at one keyboard: its state, its screen, and what is printed about each action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sheshbesh.cli.terminal import chouette_narration, score_text, wording
from sheshbesh.cli.terminal.commands import Screen
from sheshbesh.cli.terminal.console import Console
from sheshbesh.cli.terminal.record_files import LockedRecord
from sheshbesh.cli.terminal.session_loop import SessionLoop, Stopwatch
from sheshbesh.i18n import JoinedText
from sheshbesh.players.opponent import Opponent
from sheshbesh.rules import Side
from sheshbesh.session import (
    Action,
    Chouette,
    DiceKeeper,
    Event,
    Outcome,
    Session,
    apply_chouette,
)
from sheshbesh.session.chouette.state import BOX


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
        self.names = {side: chouette_narration.label(table, table.player_for(side)) for side in Side}

    def begin_game(self, sheet: Mapping[str, int]) -> None:
        """A game has begun with this sheet."""
        self._earlier = sheet

    def headline(self) -> str:
        """The cubes."""
        return chouette_narration.headline(self._chouette)

    def score_sheet(self) -> Iterable[str]:
        """Everybody's points."""
        return chouette_narration.sheet_lines(self._chouette, self._earlier)


class ChouetteAgreement(SessionLoop[Chouette]):
    """Applies actions to a chouette and shows it; `bots` are the seats without a person."""

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

    def _apply(self, actor: Side | str, action: Action, now: int) -> Outcome[Chouette]:
        name = self.whole.player_for(actor) if isinstance(actor, Side) else actor
        return apply_chouette(self.whole, name, action, now)

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

    def _announce(self, before: Chouette, event: Event) -> None:
        after = self.whole
        mover = before.side_of(event.actor) or self.screen.viewer
        viewer = self.viewer(after.board.on_roll or mover)
        sentences = chouette_narration.sentences_of(before, event, after, viewer=viewer)
        if after.board.game_no > before.board.game_no:
            self.screen.begin_game(before.sheet)
        if "play" in event.then:
            self.screen.report(mover, *sentences)
        else:
            for sentence in sentences:
                self.screen.say(sentence)
        self.look()
        if len(after.board.games) > len(before.board.games):
            self._announce_ending(before)

    def _announce_ending(self, before: Chouette) -> None:
        self._begins = False
        if self.state.games[-1].reason == "played":
            self.screen.draw(final=True)
        self.screen.clear_report()
        over, seats = chouette_narration.ending(before, self.whole)
        self.screen.say(over)
        self.screen.console.show(["", *self.screen.score_sheet(), ""])
        self.screen.say(seats)

    def attempt(self, name: str, action: Action) -> bool:
        """Return True if a person's action was accepted; a refusal is printed with their name."""
        refusal = self.do(name, action)
        if refusal is not None:
            self.screen.say(JoinedText(f"{name}:", wording.refusal_text(refusal)))
        return refusal is None
