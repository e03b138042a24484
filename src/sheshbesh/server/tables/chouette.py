"""The kind of table that is a chouette: what the server owes it, and its bots.

What is owed needs no decision: shares of the dice that the server keeps, new chains for a bot that has
taken over the team's dice, the opening throws of bots, and their votes on ending the chouette, which follow
those of the people. Bots play, turn and answer cubes, advise, and wait for people to do the same.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from sheshbesh.rules import Refused, Side
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.tables import chouette_view
from sheshbesh.server.tables.kind import Asked, Kind, Speaker
from sheshbesh.server.tables.presence import Patience, Presence
from sheshbesh.server.tables.programs import TurnTaking
from sheshbesh.server.tables.seats import ChouetteAgreement
from sheshbesh.server.tables.store import ChouetteStore
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.wire import Do, dump
from sheshbesh.session import (
    SERVER,
    Action,
    AdviseAction,
    AgreeAction,
    AnswerAction,
    Chouette,
    ClaimAction,
    ConfirmAction,
    CreditAction,
    DeclineAction,
    DiceAction,
    DiceKeeper,
    DoubleAction,
    DoubleOneAction,
    Event,
    HandOverAction,
    Member,
    Phase,
    PlayAction,
    ReadyAction,
    RollAction,
    Session,
    StepAction,
    StopAction,
    WithholdAction,
    alone,
    proposed,
)
from sheshbesh.session.board_data import choices_data
from sheshbesh.session.chouette.state import BOX, TEAM
from sheshbesh.session.table_state import Outcome

log = logging.getLogger(__name__)

_DECIDES = frozenset({Phase.ROLL, Phase.CHOOSE, Phase.MOVE, Phase.RESIGNED})

_PLAY, _CUBES, _GAMES, _TERMS = 0.8, 4.0, 4.0, 15.0
"""Seconds that a bot takes at least: for its own action, for people to turn their cubes before it throws,
between two games, and for people to answer settlements, which lapse with its throw."""


class _Turn(NamedTuple):
    """A bot that has something to do, at its member's cube or at the board."""

    name: str
    kind: str
    pause: float
    member: Member | None = None


class BotTurns(TurnTaking[_Turn]):
    """The bots of one chouette; `pace` scales the time that they take at least."""

    __slots__ = ("_considered", "_engines", "_pace")

    _table: ChouetteInPlay

    def __init__(self, table: ChouetteInPlay, engines: Questions, pace: float) -> None:
        super().__init__(table)
        self._engines, self._pace = engines, pace
        self._considered: tuple[str, frozenset[str]] = ("", frozenset())
        """The cubes that were considered in the present position, with its key."""

    # What is to be done

    def due(self) -> _Turn | None:
        """The first thing that a bot has to do; while no person is here, only where a clock runs."""
        table = self._table
        state, bots = table.state, table.agreement.bots
        if state.is_over or not (table.viewers.presence.sitting or state.board.clock.running is not None):
            return None
        for name in state.seats.people:
            if name in bots and (asked := state.to_answer(name)):
                return _Turn(name, "answer", _PLAY, state.member(asked[0]))
        if state.is_asking:
            return None
        for name, member, own in self._terms(state):
            if not own and name in bots:
                return _Turn(name, "terms", _PLAY, member)
        return self._ready(state) or self._double(state) or self._play(state) or self._advice(state)

    def _terms(self, state: Chouette) -> list[tuple[str, Member, bool]]:
        """The people of open settlements: their names, whose game it is, whether they have offered."""
        return [
            (name, member, member.terms is not None and member.terms.by is state.side_of(name))
            for name in state.seats.people
            for member in state.settlements(name)
        ]

    def _waits_for_terms(self, state: Chouette) -> bool:
        """Return True if a person who is here has a settlement to answer."""
        people, presence = self._table.agreement.persons, self._table.viewers.presence
        return any(
            not own and name in people and presence.is_here(name) for name, _, own in self._terms(state)
        )

    def _ready(self, state: Chouette) -> _Turn | None:
        for side in (BOX, TEAM):
            name = state.player_for(side)
            if name in self._table.agreement.bots and state.board.may(side, "ready"):
                return _Turn(name, "ready", _GAMES if state.board.game_no else _PLAY)
        return None

    def _double(self, state: Chouette) -> _Turn | None:
        key, done = self._considered
        done = done if key == self._table.key else frozenset()
        people = (state.seats.box, *(member.name for member in state.playing))
        for name in people:
            if name not in self._table.agreement.bots:
                continue
            for cube in state.may_double(name):
                if f"{name} {cube}" not in done:
                    return _Turn(name, "double", 0.0, state.member(cube))
        return None

    def _play(self, state: Chouette) -> _Turn | None:
        board = state.board
        if board.phase not in _DECIDES or board.awaits_chains:
            return None
        side = board.to_act[0]
        name = state.player_for(side)
        if name not in self._table.agreement.bots:
            return None
        waits = board.phase is Phase.ROLL and any(
            state.may_double(member.name)
            for member in state.playing
            if member.name not in self._table.agreement.bots
            and self._table.viewers.presence.is_here(member.name)
        )
        if board.phase is Phase.ROLL and self._waits_for_terms(state):
            return _Turn(name, "play", _TERMS)
        return _Turn(name, "play", _CUBES if waits else _PLAY)

    def _advice(self, state: Chouette) -> _Turn | None:
        board = state.board
        if (
            board.phase is not Phase.MOVE
            or board.on_roll is not TEAM
            or state.captain in self._table.agreement.bots
        ):
            return None
        for member in state.playing:
            bot = member.name in self._table.agreement.bots and state.may_advise(member.name)
            if bot and member.name not in self._table.viewers.advice:
                return _Turn(member.name, "advise", _PLAY)
        return None

    # Doing it

    async def _take(self, turn: _Turn) -> bool:
        table = self._table
        state, key, began = table.state, table.key, table.kind.clock.monotonic()
        action, guessed = await self.decide(state, turn)
        pause = self.pause(turn) * self._pace - (table.kind.clock.monotonic() - began)
        if pause > 0 and not await self._paused(pause, turn):
            return True
        if action is None or table.key != key:
            return True
        try:
            await table.act(turn.name, action, key=key, guessed=guessed)
        except Refused as refused:
            # Late is not wrong: a person or another process may have been quicker.
            if table.state is state:
                log.error("chouette %s: the bot's %s was refused: %s", table.id, action, refused)
                return False
        return True

    def pause(self, turn: _Turn) -> float:
        """Return the seconds that a bot takes at least: at most a tenth of what its side has left."""
        clock = self._table.state.board.clock
        deadline, side = clock.deadline(), self._table.state.side_of(turn.name)
        if deadline is None or side is not clock.running:
            return turn.pause
        return min(turn.pause, max(deadline - self._table.now(), 0) / 10_000)

    async def _paused(self, seconds: float, turn: _Turn) -> bool:
        """Wait, but no longer than there is something to wait for; whether it is that bot's turn still."""
        clock = self._table.kind.clock
        end = clock.monotonic() + seconds
        while (left := end - clock.monotonic()) > 0:
            await clock.sleep(min(left, 0.25))
            now = self.due()
            if now is None or (now.name, now.kind) != (turn.name, turn.kind):
                return False
            if now.pause < turn.pause:
                break
        return True

    async def decide(self, state: Chouette, turn: _Turn) -> tuple[Action | None, bool]:
        """Return the action of a bot, None for what it leaves alone, and whether no engine answered in
        time."""
        side = state.side_of(turn.name)
        assert side is not None
        if turn.kind == "ready":
            return ReadyAction(), False
        if turn.kind == "answer":
            assert turn.member is not None
            action, guessed = await self._asked(alone(state, turn.member), side, turn.name)
            answer = action.type if action.type in ("take", "drop", "beaver") else "take"
            return AnswerAction(turn.member.name, answer), guessed
        if turn.kind == "terms":
            assert turn.member is not None and turn.member.terms is not None
            action, guessed = await self._asked(proposed(state, turn.member), side, turn.name)
            member, points = turn.member.name, turn.member.terms.points
            agrees = action.type == "accept"
            return AgreeAction(member, points) if agrees else DeclineAction(member), guessed
        if turn.kind == "double":
            return await self._doubled(state, side, turn)
        if turn.kind == "advise":
            action, _ = await self._asked(state.board, side, turn.name)
            return (AdviseAction(action.play), False) if isinstance(action, PlayAction) else (None, False)
        return await self._played(state.board, side, turn.name)

    async def _doubled(self, state: Chouette, side: Side, turn: _Turn) -> tuple[Action | None, bool]:
        """A member's own cube; the box turns all that it may, or where it may choose, this one."""
        assert turn.member is not None
        cubes = state.may_double(turn.name)
        asked = (
            [turn.member] if side is TEAM or state.chosen_members else [state.member(name) for name in cubes]
        )
        wants, guessed = True, False
        for member in asked:
            assert member is not None
            action, by_hand = await self._asked(alone(state, member), side, turn.name)
            guessed |= by_hand
            wants = wants and action.type == "double"
            if not wants:
                break
        key, done = self._considered
        done = done if key == self._table.key else frozenset()
        self._considered = (
            self._table.key,
            done | {f"{turn.name} {member.name}" for member in asked if member is not None},
        )
        if not wants:
            return None, False
        chosen = side is BOX and state.chosen_members
        return (DoubleOneAction(turn.member.name) if chosen else DoubleAction()), guessed

    async def _played(self, board: Session, side: Side, name: str) -> tuple[Action, bool]:
        turn = board.turn
        if board.phase is Phase.ROLL:
            return RollAction(), False
        if turn is not None and turn.touch_move and (turn.done or turn.touched is not None):
            # The person before has moved already, and what was moved with touch-move stays.
            steps = choices_data(turn)
            here = steps[0]
            for done in turn.done:
                made = [done.origin, done.target, done.die]
                here = steps[next(way[4] for way in here["next"] if way[:3] == made)]
            open_ways = [way for way in here["next"] if turn.touched in (None, way[0])]
            return (StepAction(*open_ways[0][:3]) if open_ways else ConfirmAction()), True
        return await self._asked(board, side, name)

    async def _asked(self, board: Session, side: Side, name: str) -> tuple[Action, bool]:
        sitter = self._table.agreement.sitter(name)
        assert sitter is not None
        made = await self._engines.decide(board, side, sitter.strength, who=self._table.id)
        return made.action, made.guessed


class ChouetteKind(Kind[Chouette, ChouetteAgreement]):
    """The chouettes of one process, of which `bus` notifies other processes; the rest as for `Kind`."""

    news = "chouette"
    free = frozenset(
        {
            *("link", "anchor", "ready", "join", "leave", "stop"),
            *("hand_over", "advise", "agree", "decline", "time"),
        }
    )
    seating = frozenset({"join"})
    patience = Patience(goodbye=30.0, silence=30.0)
    store: ChouetteStore

    def __init__(
        self,
        store: ChouetteStore,
        engines: Questions,
        presence: Presence,
        bus: Bus,
        *,
        pace: float = 1.0,
        down: Callable[[], int] = lambda: 0,
        clock: Clock = CLOCK,
    ) -> None:
        super().__init__(store, engines, presence, pace=pace, down=down, clock=clock)
        self._bus = bus

    # What people ask for

    async def actor_for(self, table: ChouetteInPlay, names: Sequence[str], asked: Do) -> Asked:
        """Return who takes an action for the person of these names: the one that is given, or the only one.

        The server takes the dice from a captain who is away for long, and those that are typed for a bot.
        Refused where nobody may.
        """
        name = names[0] if asked.side is None and len(names) == 1 else asked.side
        if name is None or name not in names:
            raise Refused.of("wire.side" if names and name is None else "wire.seat")
        action, state, bots = asked.action, table.state, table.agreement.bots
        self.check_renewal(table, name, action)
        key = self.key_of(asked)
        if isinstance(action, WithholdAction | CreditAction):
            return Asked(name, action, asked.ref, None)
        if isinstance(action, ClaimAction) and not table.is_up:
            raise Refused.of("clock.running")
        if isinstance(action, HandOverAction) and name != state.captain:
            if action.member != name or state.captain not in table.viewers.presence.away():
                raise Refused.of("claim.early")
            return Asked(SERVER, action, f"{name}:{asked.ref}", None)
        if isinstance(action, DiceAction) and "dice" not in state.allowed(name):
            # The person at the real board also types the dice of a bot.
            side = state.board.on_roll
            if state.seats.box in bots or (side is not None and state.player_for(side) in bots):
                return Asked(SERVER, action, f"{name}:{asked.ref}", key)
        if name in bots and action.type != "stop":
            raise Refused.of("chouette.stands_in")
        return Asked(name, action, asked.ref, key)

    def speaker(self, table: ChouetteInPlay, user: str | None) -> Speaker:
        """Return the name of somebody who sits at the table; Refused for others."""
        agreed = table.agreement
        names = [name for name in agreed.names_of(user) if name in table.state.seats.people]
        if user is None or not names:
            raise Refused.of("chat.players")
        others = {sitter.user for sitter in agreed.people if sitter.user is not None} - {user}
        return Speaker(table.id, user, names[0], others)

    async def hint(self, *_asked: object) -> dict[str, Any]:
        """Refuse: people advise each other."""
        raise Refused.of("tutor.off")

    async def finish(self, *_asked: object) -> str:
        """Refuse: the tutor is off."""
        raise Refused.of("tutor.off")

    # What happens

    def is_stale(self, present: str, action: Action, key: str) -> bool:  # noqa: ARG002 -- for matches
        """Tell whether the position has changed."""
        return key != present

    def kept_sides(self, state: Chouette, agreement: ChouetteAgreement) -> tuple[Side, ...]:
        """Return the sides that bots play now."""
        bots = agreement.bots
        return tuple(side for side in Side if state.player_for(side) in bots)

    def owed(
        self, state: Chouette, keeper: DiceKeeper, agreement: ChouetteAgreement
    ) -> tuple[str, Action] | None:
        """Return the next action that needs no decision, and who takes it."""
        if state.is_over:
            return None
        board, kept = state.board, self.kept_sides(state, agreement)
        table_of_dice = board.throwing.table
        for side in kept:
            # New chains that have been asked for already are waited for.
            is_renewing = table_of_dice is not None and table_of_dice.renewal is not None
            if not is_renewing and keeper.lacks(board, side) and board.may(side, "anchor"):
                return state.player_for(side), keeper.renewed(side)
        due = next(iter(keeper.due_actions(board)), None)
        if due is not None:
            party, action = due
            return (SERVER if party == SERVER else state.player_for(Side.of(party))), action
        for side in kept:
            if board.phase is Phase.OPENING and board.may(side, "roll"):
                return state.player_for(side), keeper.with_share(board, side, RollAction())
        return _vote_to_end(state, agreement)

    def programs(self, table: ChouetteInPlay) -> BotTurns:
        """Make the task in which bots play."""
        return BotTurns(table, self.engines, self._pace)

    def told(self, table: ChouetteInPlay, before: Chouette, outcomes: Sequence[Outcome[Chouette]]) -> None:  # noqa: ARG002 -- for matches
        """Notify other processes that a chouette has new events."""
        self._bus.publish(self.news, id=table.id, v=table.version)

    # What viewers are sent

    def awaited(self, state: Chouette) -> Collection[str]:
        """Return the names of those for whom the table waits, at the board or for an answer to a cube."""
        people = (state.seats.box, *(member.name for member in state.playing))
        return [*super().awaited(state), *filter(state.to_answer, people)]

    def note(
        self, table: ChouetteInPlay, before: Chouette, event: Event, after: Chouette
    ) -> tuple[str, str | None]:
        """Return an event by its side, and the play that it is; keep advice until its decision is made."""
        advice = table.viewers.advice
        if isinstance(event.action, AdviseAction):
            advice[event.actor] = event.action.advice
        elif advice and before.key != after.key:
            advice.clear()
        turn = chouette_view.turn_of(before, event)
        return dump(chouette_view.event_data(before, event)), None if turn is None else dump(turn)

    def shared(self, table: ChouetteInPlay) -> str:
        """Return what everybody sees; the object `chouette` stays open."""
        return chouette_view.shared(table)

    def personal(self, table: ChouetteInPlay, names: Sequence[str], *, known: bool) -> tuple[str, str]:
        """Return what these people may do, how their side's turn may continue, and the end of `chouette`."""
        return chouette_view.personal(table, names, known=known)


def _vote_to_end(state: Chouette, table: ChouetteAgreement) -> tuple[str, Action] | None:
    """A bot votes for ending the chouette when more than half of the people are, or nobody is left."""
    seated, bots = state.seats.people, table.bots
    present = [name for name in seated if name not in bots]
    votes = not any(name in table.persons for name in seated)
    votes |= 2 * sum(name in state.stopping for name in present) > len(present) > 0
    for name in seated:
        if name in bots and votes != (name in state.stopping):
            return name, StopAction(on=votes)
    return None


ChouetteInPlay = Table[ChouetteKind, Chouette, ChouetteAgreement]
"""A chouette that has begun, in this process."""
