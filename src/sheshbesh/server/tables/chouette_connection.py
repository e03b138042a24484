"""The socket of a chouette: what its page asks for, and who may ask for what."""

from __future__ import annotations

from functools import partial

from starlette.websockets import WebSocket

from sheshbesh.rules import Refused
from sheshbesh.server.limits import Bucket
from sheshbesh.server.tables import wire
from sheshbesh.server.tables.chat import Chat, Speaker
from sheshbesh.server.tables.chouette import FREE, ChouetteInPlay
from sheshbesh.server.tables.connection import Restlessness, SocketConnection, as_often_as_wanted
from sheshbesh.server.tables.line import Viewer
from sheshbesh.server.tables.requests import why_refused
from sheshbesh.server.tables.wire import Because
from sheshbesh.session import (
    SERVER,
    Action,
    AnchorAction,
    ClaimAction,
    CreditAction,
    DiceAction,
    HandOverAction,
    WithholdAction,
)
from sheshbesh.session.chouette.apply import CHOUETTE_ACTIONS


class ChouetteConnection(SocketConnection):
    """One viewer at one chouette."""

    parse = staticmethod(partial(wire.parse, kinds=CHOUETTE_ACTIONS, seats=None))

    def __init__(
        self,
        socket: WebSocket,
        room: ChouetteInPlay,
        viewer: Viewer,
        bucket: Bucket,
        chat: Chat,
        is_restless: Restlessness = as_often_as_wanted,
    ) -> None:
        super().__init__(socket, viewer, bucket)
        self._room, self._chat, self._is_restless = room, chat, is_restless

    async def run(self, v: int | None) -> None:
        """Serve an accepted socket until either side leaves; `v` is the last event its page has seen."""
        await self._room.enter(self._viewer, v)
        try:
            frames = await self._chat.recent(self._room.id)
        except BaseException:
            self._leave()
            raise
        for frame in frames:
            self._viewer.send(frame)
        await self._serve()

    def _leave(self) -> None:
        self._room.viewers.leave(self._viewer, goodbye=self._goodbye)

    async def _take(self, message: wire.FromClient) -> None:
        match message:
            case wire.Ping():
                await self._pong(measures=bool(self._room.agreement.names_of(self._viewer.user)))
            case wire.Pong(number):
                self._viewer.latency.answered(number)
            case wire.Do(ref, action) if self._is_restless(self._viewer.user or "", action.type):
                raise Refused.of("wire.often")
            case wire.Do(ref, action, key, name):
                await self._stored(self._act(action, ref, key, name), self._room.id)
                self._answer(ref, None)
            case wire.Why(ref):
                self._viewer.send(
                    Because(ref, self._spoken(why_refused(self._room.session, message.steps))).to_text()
                )
            case wire.AskHint() | wire.AskFinish():
                raise Refused.of("tutor.off")
            case wire.Say(ref):
                await self._say(message)
                self._answer(ref, None)

    async def _act(self, action: Action, ref: str, key: str | None, name: str | None) -> None:
        """Let the person act by one of their names: the one given, or the only one."""
        room, names = self._room, self._room.agreement.names_of(self._viewer.user)
        if name is None and len(names) == 1:
            name = names[0]
        if name is None or name not in names:
            raise Refused.of("wire.side" if names and name is None else "wire.seat")
        if isinstance(action, WithholdAction | CreditAction):
            return await room.act(name, action, ref=ref)  # refused by the session, in its words
        lost = isinstance(action, AnchorAction) and action.lost
        if lost and not room.kind.may_renew_chain(f"{room.id} {name}"):
            raise Refused.of("dice.renewals")
        if action.type not in FREE and key is None:
            raise Refused.of("wire.stale")
        if isinstance(action, ClaimAction) and not room.is_up:
            raise Refused.of("clock.running")
        key = None if action.type in FREE else key
        state = room.state
        if isinstance(action, HandOverAction) and name != state.captain:
            if action.member != name or state.captain not in room.viewers.presence.away():
                raise Refused.of("claim.early")
            return await room.act(SERVER, action, ref=f"{name}:{ref}")
        if isinstance(action, DiceAction) and "dice" not in state.allowed(name):
            # The person at the real board also types the dice of a bot.
            bot = (
                state.board.on_roll is not None
                and state.player_for(state.board.on_roll) in room.agreement.bots
            )
            if bot or state.seats.box in room.agreement.bots:
                return await room.act(SERVER, action, ref=f"{name}:{ref}", key=key)
        if name in room.agreement.bots and action.type != "stop":
            raise Refused.of("chouette.stands_in")
        return await room.act(name, action, ref=ref, key=key, lag=self._viewer.latency.ms or 0)

    async def _say(self, message: wire.Say) -> None:
        """Let somebody who sits at the table speak to everybody who is there."""
        room, user = self._room, self._viewer.user
        names = [name for name in room.agreement.names_of(user) if name in room.state.seats.people]
        if user is None or not names:
            raise Refused.of("chat.players")
        others = {sitter.user for sitter in room.agreement.people if sitter.user is not None} - {user}
        return await self._chat.say(Speaker(room.id, user, names[0], others), message)
