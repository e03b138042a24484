"""One game of a file while its entries are applied: board, cube, and what was found so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from sheshbesh.i18n import Text
from sheshbesh.match.state import HIGHEST_CUBE
from sheshbesh.records import model
from sheshbesh.records.board import turned, xgid
from sheshbesh.records.decision import Decision
from sheshbesh.records.entry import Entry, RawGame, RawMatch
from sheshbesh.rules import GameResult, Position, Side, Variant

_WHOLE = frozenset({"gammon", "backgammon", "home_mars", "koks"})


@dataclass(frozen=True, slots=True)
class Ending:
    """A game that is over by the rules alone: by a bear-off or a drop. `points` include the cube."""

    winner: Side | None
    points: int
    also: int | None = None


@dataclass(slots=True)
class GameReplay:
    """The state of one game between two entries.

    `lost` says that the board is not known: a play was not shown, or could not be made. `position` is then
    the last one that was known. `gains` is who won what by the score before the next game. `tail` says that
    the entry at hand is the last deed of the game.
    """

    raw: RawMatch
    game: RawGame
    rules: Variant
    crawford: bool
    gains: tuple[Side, int] | None = None
    position: Position | None = None
    cube: int = 1
    owner: Side | None = None
    offered: int | None = None
    doubler: Side | None = None
    events: list[model.Event] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    ending: Ending | None = None
    lost: bool = False
    tail: bool = False

    def repair(self, entry: Entry, reason: str, done: str) -> None:
        """Note a repair in this game."""
        self.raw.repair(entry.line, entry.found or entry.text or entry.kind, reason, done)

    def set_cube(self, entry: Entry) -> None:
        """Take over the cube that an entry shows, where there is such a cube."""
        value = entry.value
        if value is None:
            return
        if not 1 <= value <= HIGHEST_CUBE or value & (value - 1):
            self.repair(
                entry, Text("a cube at {value}: expected a power of two", value=value), Text("left out")
            )
            return
        self.cube, self.owner = value, entry.owner

    @property
    def answering(self) -> Side:
        """The side that an open double, beaver or raccoon waits for."""
        assert self.doubler is not None
        turns = 0
        while isinstance(self.events[-1 - turns], model.BeaverEvent):
            turns += 1
        return self.doubler if turns % 2 else self.doubler.other

    @property
    def asked(self) -> str:
        """The id of the position of an open double: nothing can be missing between it and its answer."""
        known = model.DECISIONS | model.SetPositionEvent
        return next(each.position for each in reversed(self.events) if isinstance(each, known))

    def board_for(self, side: Side) -> Position:
        """The board with `side` on turn; the start if nothing was played yet."""
        if self.position is None:
            self.position = self.rules.start(side)
        return turned(self.position, side)

    def id_of(self, position: Position, dice: tuple[int, int] | None = None) -> str:
        """The id of a position at this score and cube; "" while the board is not known."""
        if self.lost:
            return ""
        raw, game = self.raw, self.game
        money = raw.length is None
        flags = bool(raw.jacoby) + 2 * raw.beavers if money else int(self.crawford)
        return xgid(
            position,
            length=raw.length,
            white=game.white,
            black=game.black,
            cube=self.cube,
            owner=self.owner,
            flags=flags,
            dice=dice,
        )

    def ending_of(self, result: GameResult) -> Ending:
        """The end that the board shows. `also` has its points where Jacoby's rule is not known."""
        points = result.points * self.cube
        unturned = self.owner is None and result.kind in _WHOLE
        if self.raw.length is None and unturned:
            low, high = self.cube, points
            return Ending(result.winner, low, high) if self.raw.jacoby else Ending(result.winner, high, low)
        return Ending(result.winner, points)
