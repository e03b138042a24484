"""A viewer's socket: reads requests, writes frames, and leaves the room when it closes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from starlette.websockets import WebSocket

from sheshbesh.rules import Refused
from sheshbesh.server.limits import Bucket
from sheshbesh.server.tables import wire
from sheshbesh.server.tables.connection import Restlessness, SocketConnection, as_often_as_wanted
from sheshbesh.server.tables.line import Viewer
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.requests import act_for, why_refused
from sheshbesh.server.tables.wire import Because, Note

ChatHandler = Callable[[Match, Viewer, wire.Say], Awaitable[None]]


async def no_chat(_room: Match, _viewer: Viewer, _message: wire.Say) -> None:
    """A match without chat."""
    raise Refused.of("chat.off")


class MatchConnection(SocketConnection):
    """One viewer at one room, from connecting to leaving."""

    def __init__(
        self,
        socket: WebSocket,
        room: Match,
        viewer: Viewer,
        bucket: Bucket,
        chat: ChatHandler = no_chat,
        is_restless: Restlessness = as_often_as_wanted,
    ) -> None:
        super().__init__(socket, viewer, bucket)
        self._room = room
        self._chat = chat
        self._is_restless = is_restless

    async def run(self, v: int | None, first_frames: Callable[[], Awaitable[Sequence[str]]]) -> None:
        """Serve an accepted socket until either side leaves.

        `v` is the last event the viewer saw, `first_frames` gives further frames to be sent.
        """
        room, viewer = self._room, self._viewer
        await room.enter(viewer, v)
        # Asked for after entering: a message stored meanwhile is sent twice rather than never.
        try:
            frames = await first_frames()
        except BaseException:
            self._leave()
            raise
        for frame in frames:
            viewer.send(frame)
        await self._serve()

    def _leave(self) -> None:
        self._room.viewers.leave(self._viewer, goodbye=self._goodbye)

    async def _take(self, message: wire.FromClient) -> None:
        viewer = self._viewer
        match message:
            case wire.Ping():
                await self._pong(measures=bool(viewer.sides))
            case wire.Pong(number):
                viewer.latency.answered(number)
            case wire.Do(ref, action) if self._is_restless(viewer.user or "", action.type):
                raise Refused.of("wire.often")
            case wire.Do(ref, action, key, side):
                lag = viewer.latency.ms or 0
                acting = act_for(self._room, viewer.sides, action, ref=ref, key=key, named=side, lag=lag)
                await self._stored(acting, self._room.id)
                self._answer(ref, None)
            case wire.Why(ref):
                viewer.send(
                    Because(ref, self._spoken(why_refused(self._room.session, message.steps))).to_text()
                )
            case wire.AskHint(ref):
                self._room.spawn(self._refusing(ref, self._hint(ref)))
            case wire.AskFinish(ref):
                self._room.spawn(self._refusing(ref, self._finish(ref)))
            case wire.Say(ref):
                await self._chat(self._room, viewer, message)
                self._answer(ref, None)

    async def _finish(self, ref: str) -> None:
        play = await self._room.kind.finish(self._room, self._viewer.sides)
        self._viewer.send(Note("finish", {"play": play}, ref).to_text())

    async def _hint(self, ref: str) -> None:
        viewer = self._viewer

        def on_place(place: int) -> None:
            viewer.send(Note("queued", {"place": place}, ref).to_text())

        advice = await self._room.kind.hint(self._room, viewer.sides, viewer.lang, on_place)
        viewer.send(Note("hint", advice, ref).to_text())
