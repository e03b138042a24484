"""A match in progress as one immutable value: the turn, permissions, score and time.

It prints nothing, opens nothing and never looks at a clock. `sheshbesh.session.apply` changes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2s
from itertools import combinations_with_replacement
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, structs

from sheshbesh.errors import MatchError
from sheshbesh.i18n import Text
from sheshbesh.match.card import Card, Contest, DiceSource
from sheshbesh.match.state import MatchState
from sheshbesh.rules import GameResult, Position, Roll, Side
from sheshbesh.rules.side import SIDE_NAMES, SIDES
from sheshbesh.session import permissions
from sheshbesh.session.actions import Action, CallAction, ClaimAction
from sheshbesh.session.clock import Clock
from sheshbesh.session.dice import Dice, new_dice
from sheshbesh.session.phases import BOARDLESS, CUBE_PHASES, Phase, Value
from sheshbesh.session.table_state import TableState
from sheshbesh.session.turn import Turn

Forbidden = Literal["agreements", "pauses", "tutor", "hints", "analysis", "rematch", "chat"]
"""The things that an event may forbid: draws and settlements, pauses, the tutor, hints of the engine,
analysis of the position while the match lasts, a rematch, chat of spectators among themselves."""


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer to lose at `kind`, made in `phase`; `points` before the cube."""

    by: Side
    kind: str
    points: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class Proposal:
    """A draw, settlement or pause, which needs consent; play goes on meanwhile."""

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


@dataclass(frozen=True, slots=True)
class Played:
    """The play, by event `n`, that ended a side's turn, and the match `before` it, to which it may be taken
    back."""

    side: Side
    play: str
    n: int
    before: Session = field(repr=False)


class EventTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """The event that a match is part of, a tournament say, and what that forbids.

    `id` names the event, `pairing` is the number of the match in it. `between_games` is after how many
    seconds the players are called to the next game, `delay` by how many those who watch see it later.
    """

    id: str
    pairing: Annotated[int, Meta(ge=1)]
    between_games: Annotated[int, Meta(ge=0, le=3600)]
    forbids: tuple[Forbidden, ...] = ()
    delay: Annotated[int, Meta(ge=0, le=3600)] = 0

    def to_data(self) -> dict[str, Any]:
        """Return the terms as plain data."""
        data = {**structs.asdict(self), "forbids": list(self.forbids)}
        if not self.delay:
            del data["delay"]
        return data


@dataclass(frozen=True)
class Session(Value, TableState):
    """A match at one moment. `events` counts the actions accepted so far, `at` is when the last was.

    `turn` is set in the phase MOVE, `position` from the opening on; between games it is the last
    one. `rolled` says that the player on roll has thrown in this turn already and may not
    double. `draws` are the throws of this game's opening draw, White's die and Black's, ties first;
    `starter` begins it; during the draw it is the starter of the game before. `stake` is the cube before
    the offers now open. In an event the players may be called to the next game from `call_at` on. `start` is
    where the first game begins, if not where the rules say. `played` is the last play, where it may be taken
    back; `tried` the one that was taken back in this turn, in which that is done once.
    """

    card: Card
    score: MatchState
    clock: Clock
    throwing: Dice
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
    event: EventTerms | None = None
    call_at: int | None = None
    start: Position | None = None
    played: Played | None = None
    tried: str | None = None

    @classmethod
    def new(
        cls,
        card: Card,
        *,
        match_id: str = "local",
        seed: str | None = None,
        event: EventTerms | None = None,
        start: str | None = None,
    ) -> Session:
        """A match by this card, before its first game.

        `match_id` is part of what the dice are computed from; `seed` is for seeded dice alone. `start` is the
        id of the position in which the first game begins; MatchError if the game is over in it.
        """
        return cls(
            start=None if start is None else _begun(card.rules.position_from_id(start)),
            card=card,
            score=card.opening_state(),
            clock=Clock.fresh(card.clock, card.length),
            throwing=new_dice(card.dice, match_id=match_id, seed=seed),
            event=event,
        )

    # The table of a match

    @property
    def board(self) -> Session:
        """The match itself."""
        return self

    @property
    def is_over(self) -> bool:
        """True if the match has ended."""
        return self.phase is Phase.OVER

    @property
    def key(self) -> str:
        """A digest of what a player decides upon, not changed by links of the dice and by readiness.

        After the `.` stands the open proposal, which blocks no other action but matters to the answer.
        """
        position, turn, score = self.position, self.turn, self.score
        resigned, proposal = self.resignation, self.proposal
        seen = (
            self.phase.value,
            self.game_no,
            self.paused,
            position.id if position is not None else "",
            (*turn.dice, turn.done, turn.touched) if turn is not None else (),
            (score.white, score.black, score.cube, score.owner),
            (self.stake, self.doubler),
            (resigned.by, resigned.kind) if resigned is not None else (),
            *(() if self.tried is None else (self.tried,)),
        )
        key = _digest(seen, 4)
        if proposal is None:
            return key
        return f"{key}.{_digest((proposal.by, proposal.what, proposal.points), 2)}"

    def side_of(self, actor: str) -> Side | None:
        """Return the side that this actor is."""
        return Side(actor) if actor in SIDE_NAMES else None

    def player_for(self, side: Side) -> str:
        """Return the name of the side, by which its player acts."""
        return side.value

    # Sides, clocks and permissions

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
        if self.position is None or self.phase in BOARDLESS:
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
            return self.throwing.awaited()
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
        """True if the next throw cannot be begun before there are new chains."""
        return self.throwing.delayed and self.phase is Phase.ROLL

    @property
    def passes_unthrown(self) -> bool:
        """True if the side on roll ends its turn without a throw: at a real board, where it is closed out.

        Dice of the program are thrown and shown all the same (rule sheet B 46).
        """
        position = self.position
        if self.throwing.source is not DiceSource.TYPED or self.phase not in (Phase.ROLL, Phase.THROWING):
            return False
        if position is None or position.pending is not None:
            return False
        throws = combinations_with_replacement(range(1, 7), 2)
        return all(_changes_nothing(position, Roll.of(throw)) for throw in throws)

    @property
    def due(self) -> int | None:
        """The time at which the server has to act if nobody does, in ms: to claim the time, or to call to a
        game."""
        expiry = self.clock.expiry()
        return self.call_at if expiry is None else expiry

    @property
    def overdue(self) -> Action:
        """The action that the server takes once `due` has passed."""
        return CallAction() if self.clock.expiry() is None else ClaimAction()

    @property
    def is_unbegun(self) -> bool:
        """True if nobody has thrown yet."""
        return not self.games and self.position is None and not self.draws

    def forbids(self, what: Forbidden) -> bool:
        """Tell whether the event that the match is part of forbids this."""
        return self.event is not None and what in self.event.forbids

    @property
    def retriable(self) -> Side | None:
        """The side whose play may be taken back, since nothing has happened after it."""
        played = self.played
        return played.side if played is not None and played.n == self.events and not self.paused else None

    @property
    def dice(self) -> Roll | None:
        """The dice being played, in the order in which they are shown."""
        return self.turn.dice if self.turn is not None else None

    def breaks_left(self, side: Side) -> int:
        """Breaks that a player may still take."""
        taken = self.breaks[SIDES.index(side)]
        return self.card.clock.breaks_allowed(self.card.length) - taken

    def allowed(self, actor: Side | str) -> tuple[str, ...]:
        """The types of action this actor may take now; for steps and plays, see `turn`."""
        return permissions.allowed(self, actor)

    def may(self, actor: Side | str, kind: str) -> bool:
        """Return True if this type of action is among the allowed ones."""
        return permissions.may(self, actor, kind)

    @property
    def plays_beavers(self) -> bool:
        """True if the open offer may be answered by turning the cube back, its value aside."""
        card = self.card
        if card.contest is not Contest.MONEY:
            return False
        return (card.beavers and self.phase is Phase.DOUBLED) or (
            card.raccoons and self.phase is Phase.BEAVERED
        )


def _begun(position: Position) -> Position:
    if position.result is not None:
        raise MatchError(Text("the game is over in this position: {id}", id=position.id))
    return position


def _changes_nothing(position: Position, throw: Roll) -> bool:
    """Return True if nothing can be played with a throw, and none of it goes to the opponent."""
    play = position.legal_plays(throw)[0]
    return play.is_pass and play.result.pending is None


def _digest(value: object, size: int) -> str:
    return blake2s(repr(value).encode(), digest_size=size).hexdigest()
