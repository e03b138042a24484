"""A match in progress as one immutable value: whose move it is, what may be done, the score, the time.

It prints nothing, opens nothing and never looks at a clock. `sheshbesh.session.apply` changes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from sheshbesh.match.card import Card, Contest
from sheshbesh.match.state import CUBE_LIMIT, MatchState
from sheshbesh.match.timing import ClockKind
from sheshbesh.rules import GameResult, Position, Roll, Side
from sheshbesh.session.clock import Clock
from sheshbesh.session.throwing import Throwing
from sheshbesh.session.turn import Turn
from sheshbesh.session.value import Value

SERVER = "server"
SIDES = (Side.WHITE, Side.BLACK)


class Phase(StrEnum):
    """What the match waits for."""

    READY = "ready"
    """Both players, between games."""
    OPENING = "opening"
    """The draw for the first move."""
    ROLL = "roll"
    """The player on roll: to throw, or to double."""
    THROWING = "throwing"
    """The shares of the dice that are still missing, or the dice typed from a real board."""
    CHOOSE = "choose"
    """The player on roll, to name a double."""
    MOVE = "move"
    """The player on roll, to play his dice."""
    DOUBLED = "doubled"
    """The other player, to take or drop."""
    BEAVERED = "beavered"
    """The doubler, to answer a beaver."""
    RACCOONED = "raccooned"
    """The beaverer, to answer a raccoon."""
    RESIGNED = "resigned"
    """The other player, to accept or refuse a resignation."""
    OVER = "over"
    """Nobody."""


CUBE_PHASES = frozenset({Phase.DOUBLED, Phase.BEAVERED, Phase.RACCOONED})
PLAYING = frozenset({Phase.ROLL, Phase.CHOOSE, Phase.MOVE})
OFFERED = {Phase.DOUBLED: 2, Phase.BEAVERED: 4, Phase.RACCOONED: 8}
"""The stake of the open offer, in multiples of the cube before the double."""

_THROWN = frozenset({Phase.OPENING, Phase.THROWING})
_SIDE_OF = {side.value: side for side in Side}
_MOVES = ("step", "touch", "swap", "play", "confirm")
_MOVES_AND_UNDO = (*_MOVES, "undo")
_BOARDLESS = frozenset({Phase.READY, Phase.OPENING, Phase.OVER})


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer to lose at `kind`, made in `phase`; `points` before the cube."""

    by: Side
    kind: str
    points: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that needs consent and hinders nobody meanwhile: draw, settle or pause."""

    by: Side
    what: str
    points: int = 0


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """One game on the score sheet: how it ended and what it paid at its cube."""

    result: GameResult
    cube: int
    points: int
    reason: str


@dataclass(frozen=True)
class Session(Value):
    """A match at one moment. `events` counts the actions accepted so far, `at` is when the last was.

    `turn` is set in the phase MOVE, `position` from the opening on; between games it is the last
    one. `rolled` says that the player on roll has thrown in this turn already, so that he may not
    double. `draws` are the throws of this game's opening draw, White's die and Black's, ties first;
    `starter` is who begins it, during the draw who began the one before. `stake` is the cube before
    the offers now open.
    """

    card: Card
    score: MatchState
    clock: Clock
    throwing: Throwing
    phase: Phase = Phase.READY
    events: int = 0
    at: int = 0
    game_no: int = 0
    ready: frozenset[Side] = frozenset()
    position: Position | None = None
    turn: Turn | None = None
    rolled: bool = False
    draws: tuple[tuple[int, int], ...] = ()
    starter: Side | None = None
    doubler: Side | None = None
    stake: int = 1
    resignation: Resignation | None = None
    proposal: Proposal | None = None
    paused: bool = False
    breaks: tuple[int, int] = (0, 0)
    break_until: int | None = None
    previous_winner: Side | None = None
    crawford_played: bool = False
    games: tuple[FinishedGame, ...] = field(default=())
    winner: Side | None = None
    ending: str | None = None

    @classmethod
    def new(cls, card: Card, *, match_id: str = "local", seed: str | None = None) -> Session:
        """A match by this card, before its first game.

        `match_id` is part of what the dice are computed from; `seed` is for seeded dice alone.
        """
        return cls(
            card=card,
            score=card.opening_state(),
            clock=Clock.fresh(card.clock, card.length),
            throwing=Throwing.new(card.dice, match_id=match_id, seed=seed),
        )

    # Who and what

    @property
    def judged_at(self) -> MatchState:
        """The score and cube at which a decision is to be judged; the score sheet is `score`.

        In a match of games a game is won or lost, by however much: the same at every score, and what
        decides a match to one point.
        """
        return MatchState(length=1) if self.card.contest is Contest.GAMES else self.score

    @property
    def on_roll(self) -> Side | None:
        """The side on roll, from the opening to the end of a game."""
        if self.position is None or self.phase in _BOARDLESS:
            return None
        return self.position.turn

    @property
    def to_act(self) -> tuple[Side, ...]:
        """The players the match waits for; nobody while the server's share of the dice is missing."""
        if self.phase is Phase.OVER:
            return ()
        if self.paused:
            return SIDES
        if self.phase is Phase.READY:
            return tuple(side for side in SIDES if side not in self.ready)
        if self.phase in (Phase.OPENING, Phase.THROWING) or self.awaits_chains:
            return self.throwing.owing()
        if self.phase is Phase.RESIGNED:
            assert self.resignation is not None
            return (self.resignation.by.other,)
        if self.phase in CUBE_PHASES:
            assert self.doubler is not None
            return (self.doubler if self.phase is Phase.BEAVERED else self.doubler.other,)
        assert self.on_roll is not None
        return (self.on_roll,)

    @property
    def awaits_chains(self) -> bool:
        """Whether the next throw cannot be begun before there are new chains."""
        return self.throwing.delayed and self.phase is Phase.ROLL

    @property
    def dice(self) -> Roll | None:
        """The dice being played, in the order in which they lie."""
        return self.turn.dice if self.turn is not None else None

    def breaks_left(self, side: Side) -> int:
        """Breaks that a player may still take."""
        taken = self.breaks[SIDES.index(side)]
        return self.card.clock.breaks_allowed(self.card.length) - taken

    def allowed(self, actor: Side | str) -> tuple[str, ...]:
        """The types of action this actor may take now; for steps and plays, see `turn`."""
        return tuple(kind for group in self._allowed(actor) for kind in group)

    def may(self, actor: Side | str, kind: str) -> bool:
        """Whether this type of action is among the allowed ones."""
        for group in self._allowed(actor):  # noqa: SIM110 - `any` takes twice the time
            if kind in group:
                return True
        return False

    def _allowed(self, actor: Side | str) -> Iterator[tuple[str, ...]]:
        """The allowed types in groups; those asked for most come first, so that `may` ends early."""
        if self.phase is Phase.OVER:
            return
        if actor == SERVER:
            yield from self._allowed_server()
            return
        side = actor if isinstance(actor, Side) else _SIDE_OF.get(actor)
        if side is None:
            return
        if self.paused:
            yield ("resume",)
            return
        yield self._allowed_in_phase(side)
        yield self.throwing.allowed(side, shown=self.phase in _THROWN)
        if self.phase in PLAYING and not self.awaits_chains:
            yield ("resign",)
            yield self._allowed_proposals(side)
        elif self.phase is Phase.READY:
            yield self._allowed_proposals(side)
        if self.clock.running not in (None, side) and self.clock.deadline() is not None:
            yield ("time",)

    def _allowed_server(self) -> Iterator[tuple[str, ...]]:
        yield self.throwing.allowed(SERVER, shown=self.phase in _THROWN)
        if self.phase is Phase.READY and self.throwing.needs_anchor(SERVER):
            yield ("ready",)
        if self.clock.deadline() is not None:
            yield "time", "credit"
        # Where time is measured, it ends the match of whoever has left.
        if self.card.clock.kind is ClockKind.NONE and self.game_no:
            yield ("abandon",)

    def _allowed_in_phase(self, side: Side) -> tuple[str, ...]:
        if self.phase is Phase.MOVE:
            return self._allowed_moves() if side is self.on_roll else ()
        if self.phase is Phase.READY:
            return self._allowed_between_games(side)
        if self.phase in PLAYING:
            if side is not self.on_roll or self.awaits_chains:
                return ()
        elif side not in self.to_act:
            return ()
        match self.phase:
            case Phase.OPENING:
                return ("roll",) if self.throwing.is_thrown_by(side) else ()
            case Phase.ROLL:
                doubles = self.card.has_cube and self.score.may_double(side, rolled=self.rolled)
                return ("roll", "double") if doubles else ("roll",)
            case Phase.CHOOSE:
                return ("choose",)
            case Phase.DOUBLED | Phase.BEAVERED | Phase.RACCOONED:
                return ("take", "drop", "beaver") if self.may_beaver else ("take", "drop")
            case Phase.RESIGNED:
                return ("accept", "refuse")
            case _:
                return ()

    def _allowed_between_games(self, side: Side) -> tuple[str, ...]:
        ready = ("ready",) if side not in self.ready else ()
        timed = self.card.clock.kind is not ClockKind.NONE
        return (*ready, "break") if timed and self.game_no and self.breaks_left(side) > 0 else ready

    def _allowed_moves(self) -> tuple[str, ...]:
        turn = self.turn
        assert turn is not None
        if not turn.touch_move:
            return _MOVES_AND_UNDO if turn.done else _MOVES
        if turn.touched is not None:
            return ("step", "swap")
        return ("step", "touch", "swap", "confirm") if turn.done else _MOVES

    @property
    def plays_beavers(self) -> bool:
        """Whether the open offer may be answered by turning the cube back, its value aside."""
        card = self.card
        if card.contest is not Contest.MONEY:
            return False
        return (card.beavers and self.phase is Phase.DOUBLED) or (
            card.raccoons and self.phase is Phase.BEAVERED
        )

    @property
    def may_beaver(self) -> bool:
        """Whether the open offer may be answered with a beaver, or a beaver with a raccoon."""
        # Each answer doubles once more.
        return self.plays_beavers and self.stake * OFFERED[self.phase] * 2 <= CUBE_LIMIT

    def _allowed_proposals(self, side: Side) -> tuple[str, ...]:
        if self.proposal is None:
            return ("propose",)
        return ("refuse",) if self.proposal.by is side else ("accept", "refuse", "propose")
