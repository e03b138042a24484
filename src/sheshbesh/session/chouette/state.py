"""The chouette: one board, three to ten people, a cube for each member of the team.

The box (White) plays alone against the team (Black), whose captain throws and moves. Every member
has a cube of their own against the box. Rules: docs/rules/rules.md, section E, which follows common
practice; Khalili (004), p. 12, names the game. It is money play of a game with or without cube.

The board is a match like any other, whose two players are the box and the captain; seats, cubes and
the sheet surround it. `sheshbesh.session.apply_chouette` changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import blake2s
from types import MappingProxyType

from sheshbesh.errors import MatchError
from sheshbesh.i18n import Text
from sheshbesh.match.card import Card, Contest
from sheshbesh.match.state import MatchState
from sheshbesh.rules import GameResult, Side
from sheshbesh.session.chouette.seats import FEWEST, MOST, Seats
from sheshbesh.session.clock import Clock
from sheshbesh.session.game_course import end_game, end_match, game_points
from sheshbesh.session.phases import PLAYING, SERVER, Phase, Value
from sheshbesh.session.state import Proposal, Session
from sheshbesh.session.table_state import TableState

BOX, TEAM = Side.WHITE, Side.BLACK

BOARD_KINDS = frozenset(
    {"ready", "roll", "link", "withhold", "anchor", "dice", "choose", "resign", "accept", "refuse"}
    | {"step", "touch", "swap", "play", "confirm", "undo", "time"}
)
"""The actions of a match that a side's player takes on the board of a chouette."""

SHARES = frozenset({"link", "withhold", "anchor"})
"""Shares of the dice, which may come at any time."""

WHILE_ASKING = SHARES | {"time"}
"""Actions that a side's player may take on the board while turned cubes wait for their answers."""


class Consultation(StrEnum):
    """The times at which the team may talk about its plays."""

    FREE = "free"
    AFTER_CUBE = "after_cube"
    """A member may advise once their own cube has been turned."""
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Terms:
    """A settlement that a side has offered: `points` are for that side, negative ones for the other."""

    by: Side
    points: int


@dataclass(frozen=True)
class Member(Value):
    """A member of the team in the present game: the cube against the box, and whether the member still plays.

    `offered` is the side that has turned the cube and awaits the answer, `beavered` says that the answer is
    to a beaver. `terms` are what one of the two would end their game at.
    """

    name: str
    score: MatchState
    playing: bool = True
    offered: Side | None = None
    beavered: bool = False
    terms: Terms | None = None


@dataclass(frozen=True)
class Chouette(Value, TableState):
    """A chouette at one moment. `events` counts the actions accepted so far, `at` is when the last was.

    `members` are those of the present game, the captain it began with first; `captain` throws and
    moves for the team now. `sheet` has everybody's points so far, those who left included.
    `captain_beat_box` is decided as soon as one of the two has won against the other. `rows` are the
    gains of each finished game. `coming` sit down and `going` stand up when this game is over;
    `stopping` are for ending the chouette then.
    """

    board: Session
    seats: Seats
    captain: str
    consultation: Consultation = Consultation.FREE
    chosen_members: bool = False
    events: int = 0
    at: int = 0
    members: tuple[Member, ...] = ()
    captain_beat_box: bool | None = None
    sheet: Mapping[str, int] = field(default_factory=dict)
    rows: tuple[Mapping[str, int], ...] = ()
    coming: tuple[str, ...] = ()
    going: tuple[str, ...] = ()
    stopping: tuple[str, ...] = ()

    @classmethod
    def new(
        cls,
        card: Card,
        seats: Seats,
        *,
        match_id: str = "local",
        seed: str | None = None,
        consultation: Consultation | str = Consultation.FREE,
        chosen_members: bool = False,
    ) -> Chouette:
        """A chouette before its first game; MatchError unless the card is one of money play, in one sitting.

        `chosen_members` lets the box double some members only; otherwise it doubles all it may.
        """
        if card.contest is not Contest.MONEY:
            raise MatchError(Text("a chouette is played for money, not {card}", card=repr(card.code)))
        if card.clock.is_correspondence:
            raise MatchError(
                Text("a chouette is played in one sitting, not by {clock}", clock=repr(card.clock.code))
            )
        return cls(
            board=Session.new(card, match_id=match_id, seed=seed),
            seats=seats,
            captain=seats.captain,
            consultation=Consultation(consultation),
            chosen_members=chosen_members,
            sheet=MappingProxyType(dict.fromkeys(seats.people, 0)),
        )

    # People

    def side_of(self, actor: str) -> Side | None:
        """The side a person plays on, None for a stranger."""
        if actor == self.seats.box:
            return BOX
        return TEAM if actor in self.seats.queue else None

    def player_for(self, side: Side) -> str:
        """The person who throws and moves for a side."""
        return self.seats.box if side is BOX else self.captain

    def member(self, name: str) -> Member | None:
        """The member of the present game with this name."""
        return next((member for member in self.members if member.name == name), None)

    @property
    def playing(self) -> tuple[Member, ...]:
        """The members who have not left the game."""
        return tuple(member for member in self.members if member.playing)

    def has_left(self, name: str) -> bool:
        """Return True if this member has dropped, or was dropped, in the present game."""
        member = self.member(name)
        return member is not None and not member.playing

    @property
    def is_over(self) -> bool:
        """True if the chouette has ended."""
        return self.board.phase is Phase.OVER

    @property
    def key(self) -> str:
        """A digest of what is decided upon: the board, and who plays on for the team."""
        seen = (self.board.key, self.captain, self.seats.box)
        return blake2s(repr(seen).encode(), digest_size=5).hexdigest()

    @property
    def is_between_games(self) -> bool:
        """True if no game is played: before the first one, and after each."""
        return self.board.phase is Phase.READY

    @property
    def is_asking(self) -> bool:
        """True if turned cubes wait for their answers."""
        return any(member.offered is not None for member in self.members)

    # Permissions

    def may_double(self, name: str) -> tuple[str, ...]:
        """Whose cubes this person may turn now: their own, or for the box all those it may turn.

        A member may turn theirs while the cubes of others wait for the box.
        """
        board, side = self.board, self.side_of(name)
        if side is None or not board.card.has_cube or board.phase is not Phase.ROLL or board.awaits_chains:
            return ()
        if side is not board.on_roll or any(m.offered is side.other for m in self.members):
            return ()
        own = self.playing if side is BOX else tuple(m for m in self.playing if m.name == name)
        return tuple(
            m.name for m in own if m.offered is None and m.score.may_double(side, rolled=board.rolled)
        )

    def to_answer(self, name: str) -> tuple[str, ...]:
        """Whose turned cubes this person has to answer: their own, or for the box each one."""
        side = self.side_of(name)
        asked = (m for m in self.playing if m.offered is not None and m.offered is not side)
        return tuple(m.name for m in asked if side is BOX or m.name == name)

    def may_settle(self, name: str) -> tuple[str, ...]:
        """Whose games this person may offer to settle: their own, or for the box those of all members."""
        board, side = self.board, self.side_of(name)
        if side is None or self.is_asking or board.phase not in PLAYING or board.awaits_chains:
            return ()
        return tuple(member.name for member in self.playing if side is BOX or member.name == name)

    def most_settled(self, member: Member) -> int:
        """The points of the largest settlement with a member: of the largest result, at their cube."""
        position = self.board.position
        assert position is not None
        card = self.board.card
        if card.settles_by_checker:
            return member.score.cube * max(sum(position.counts(side)) for side in Side)
        losses = (position.variant.losses(position, side).values() for side in Side)
        return member.score.cube * max(max(points) for points in losses)

    def settlements(self, name: str) -> tuple[Member, ...]:
        """The members with an open settlement that this person has offered or has to answer."""
        side = self.side_of(name)
        own = (member for member in self.playing if side is BOX or member.name == name)
        return tuple(member for member in own if member.terms is not None and side is not None)

    def may_advise(self, name: str) -> bool:
        """Return True if a member of the team may speak about the play now."""
        member = self.member(name)
        if member is None or not member.playing or name == self.captain:
            return False
        if self.consultation is Consultation.AFTER_CUBE:
            return member.score.owner is not None
        return self.consultation is Consultation.FREE

    def may_hand_over(self, actor: str) -> bool:
        """Return True if this person, or "server", may let another member play for the team."""
        in_game = bool(self.members) and not self.is_between_games and not self.is_over
        return in_game and actor in (self.captain, SERVER) and len(self.playing) > 1

    def allowed(self, actor: str) -> tuple[str, ...]:
        """The types of action this person, or "server", may take now."""
        if actor == SERVER:
            handing = ("hand_over",) if self.may_hand_over(SERVER) else ()
            return (*self.board.allowed(SERVER), *handing)
        if self.is_over or not actor:
            return ()
        side = self.side_of(actor)
        if side is None:
            return self._seating(actor)
        kinds: list[str] = []
        if not self.has_left(actor):
            kinds += self._playing(actor, side)
        return (*kinds, *self._seating(actor), "stop")

    def _playing(self, actor: str, side: Side) -> list[str]:
        """Return what may be done on the board, to the cubes and about the play."""
        kinds: list[str] = []
        if self.to_answer(actor):
            kinds.append("answer")
        if self.may_settle(actor):
            kinds.append("settle")
        if terms := [member.terms for member in self.settlements(actor)]:
            asked = any(each is not None and each.by is not side for each in terms)
            kinds += ["agree", "decline"] if asked else ["decline"]
        if self.may_double(actor):
            kinds += ["double", "double_one"] if side is BOX and self.chosen_members else ["double"]
        if actor == self.player_for(side):
            open_now = WHILE_ASKING if self.is_asking else BOARD_KINDS
            kinds += [kind for kind in self.board.allowed(side) if kind in open_now]
        if self.may_advise(actor):
            kinds.append("advise")
        if self.may_hand_over(actor):
            kinds.append("hand_over")
        return kinds

    def _seating(self, actor: str) -> tuple[str, ...]:
        """Return how a person may sit down or stand up."""
        sits, expected = actor in self.seats.people, len(self.seats.people) + len(self.coming)
        if not sits and actor not in self.coming:
            return ("join",) if expected < MOST else ()
        if actor in self.going:
            return ("join",)
        return ("leave",) if not sits or expected - len(self.going) > FEWEST else ()

    # Settlement

    def dealt(self) -> Chouette:
        """With a cube for each member, at what the opening draw has made of it."""
        score = replace(self.board.score, white=0, black=0)
        return self.but(members=tuple(Member(name, score) for name in self.seats.queue))

    def with_member(self, member: Member) -> Chouette:
        """The same table with one member changed."""
        return self.but(members=tuple(member if m.name == member.name else m for m in self.members))

    def pay(self, member: Member, points: int, winner: Side | None) -> Chouette:
        """Settle between the box and one member."""
        if winner is None:
            return self
        gain = points if winner is BOX else -points
        sheet = dict(self.sheet)
        sheet[self.seats.box] += gain
        sheet[member.name] -= gain
        decided = self.captain_beat_box
        if decided is None and member.name == self.seats.captain:
            decided = winner is TEAM
        return self.but(sheet=MappingProxyType(sheet), captain_beat_box=decided)

    def drop(self, member: Member, winner: Side, now: int) -> Chouette:
        """One cube is dropped."""
        return self._out(member, winner, member.score.points("drop"), "drop", now)

    def agree(self, member: Member, terms: Terms, now: int) -> Chouette:
        """The box and one member have settled."""
        winner = terms.by if terms.points > 0 else terms.by.other if terms.points else None
        return self._out(member, winner, abs(terms.points), "settlement", now)

    def _out(self, member: Member, winner: Side | None, price: int, reason: str, now: int) -> Chouette:
        """A member and the box are done with this game, before its end; `winner` None: they are quits."""
        left = member.but(playing=False, offered=None, terms=None)
        out = self.pay(member, price, winner).with_member(left)
        if not out.playing:
            result = GameResult(winner, price, "single" if winner else "tie")
            over = end_game(out.board, result, now, points=price, cube=price, reason=reason)
            return out.but(board=over.state).game_over(now)
        if out.captain == member.name:
            return out.but(captain=out.playing[0].name)
        return out

    def settle(self, result: GameResult, now: int) -> Chouette:
        """The game was played out: the box settles with each member at that member's cube."""
        state = self
        for member in self.playing:
            points = game_points(self.board.but(score=member.score), result)
            state = state.pay(member, points, result.winner)
        return state.game_over(now)

    def game_over(self, now: int) -> Chouette:
        """Move the seats. After a tie the seats stay, otherwise the winner is the next box.

        Then those who wanted to sit down or stand up do, and the chouette ends where it was to.
        """
        beat = self.captain_beat_box
        seats = self.seats if beat is None else self.seats.rotated(box_won=not beat)
        for name in self.coming:
            seats = seats.joined(name)
        for name in self.going:
            if len(seats.people) > FEWEST:
                seats = seats.left(name)
        row = dict(self.sheet)
        for earlier in self.rows:
            for name, gain in earlier.items():
                row[name] -= gain
        winner = self.board.previous_winner if beat is None else BOX
        over = self.but(
            board=self.board.but(previous_winner=winner, clock=_fresh(self.board.card)),
            seats=seats,
            captain=seats.captain,
            members=(),
            captain_beat_box=None,
            sheet=MappingProxyType({**dict.fromkeys(seats.people, 0), **self.sheet}),
            rows=(*self.rows, MappingProxyType(row)),
            coming=(),
            going=(),
            stopping=tuple(name for name in self.stopping if name in seats.people),
        )
        return over.stopped(now)

    def stopped(self, now: int) -> Chouette:
        """The chouette ended, where no game is played and more than half of the people are for it."""
        if not self.is_between_games or 2 * len(self.stopping) <= len(self.seats.people):
            return self
        return self.but(board=end_match(self.board, None, "stopped", now))


def _fresh(card: Card) -> Clock:
    """Both sides' time before a game: the bank of money play."""
    return Clock.fresh(card.clock, None)


def alone(table: Chouette, member: Member) -> Session:
    """The game between the box and one member, as a match of two, for programs to evaluate."""
    board = table.board.but(score=member.score, stake=member.score.cube)
    if member.offered is None:
        return board
    phase = Phase.BEAVERED if member.beavered else Phase.DOUBLED
    return board.but(phase=phase, doubler=member.offered.other if member.beavered else member.offered)


def proposed(table: Chouette, member: Member) -> Session:
    """The game between the box and one member, with the settlement that is offered, as a match."""
    assert member.terms is not None
    return alone(table, member).but(proposal=Proposal(member.terms.by, "settle", member.terms.points))
