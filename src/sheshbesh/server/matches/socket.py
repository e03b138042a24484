"""A viewer's socket: reads what he wants, writes what he is sent, and tells the room when he leaves."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sheshbesh.errors import NotationError, ProtocolError
from sheshbesh.i18n import translate
from sheshbesh.rules import Refusal
from sheshbesh.server.http.limits import Bucket
from sheshbesh.server.matches import messages
from sheshbesh.server.matches.messages import Ack, Because, Note, Refused
from sheshbesh.server.matches.requests import act_for
from sheshbesh.server.matches.room import Room
from sheshbesh.server.matches.viewer import Viewer
from sheshbesh.server.refusals import refuse

log = logging.getLogger(__name__)

UNREADABLE, FLOODED, GONE = 4400, 4429, 4404
"""Codes with which a socket is closed: bad messages, too many of them, no such match."""

PROVISIONAL = frozenset({"swap", "touch", "step", "undo"})
"""Actions that are stored and decide nothing yet."""

Chat = Callable[[Room, Viewer, messages.Say], Awaitable[Refusal | None]]


async def no_chat(_room: Room, _viewer: Viewer, _said: messages.Say) -> Refusal | None:
    """A match where nobody speaks."""
    return refuse("chat.off")


def as_often_as_wanted(_who: str, _kind: str) -> bool:
    """Nobody takes provisional actions too often."""
    return False


class Connection:
    """One viewer at one room, from his coming to his leaving."""

    def __init__(
        self,
        socket: WebSocket,
        room: Room,
        viewer: Viewer,
        bucket: Bucket,
        chat: Chat = no_chat,
        is_restless: Callable[[str, str], bool] = as_often_as_wanted,
    ) -> None:
        self._socket = socket
        self._room = room
        self._viewer = viewer
        self._bucket = bucket
        self._chat = chat
        self._is_restless = is_restless
        self._goodbye = False

    async def run(self, v: int | None, told: Callable[[], Awaitable[Sequence[str]]]) -> None:
        """Serve an accepted socket until either side leaves.

        `v` is the last event the viewer saw, `told` gives what else he is to know, as frames.
        """
        room, viewer = self._room, self._viewer
        if v is not None and v > room.version:
            # He has seen at another process what this one has not heard of yet.
            await room.catch_up(v)
        version = -1
        while version != room.version:
            # Reading takes a moment in which the game may go on.
            version = room.version
            events = await room.gallery.missed(v)
        room.gallery.enter(viewer, events)
        # Asked for after he has come in: what is said meanwhile he hears twice rather than never.
        for frame in await told():
            viewer.send(frame)
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
        except (WebSocketDisconnect, RuntimeError):  # RuntimeError: closed while it was waited for
            pass
        finally:
            room.gallery.leave(viewer, goodbye=self._goodbye)
            viewer.cut()
            with contextlib.suppress(asyncio.CancelledError):
                await writer

    async def _write(self) -> None:
        while (frame := await self._viewer.outbox.get()) is not None:
            try:
                await self._socket.send_text(frame)
            except (WebSocketDisconnect, RuntimeError):
                return
        await self._close(1000)

    async def _close(self, code: int) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self._socket.close(code)

    async def _read(self) -> None:
        while True:
            text = await self._socket.receive_text()
            if self._viewer.is_cut:
                return None
            self._viewer.heard()
            if self._bucket.take():
                return await self._fail(FLOODED, "flood", "too many messages")
            if len(text.encode()) > messages.LONGEST:
                return await self._fail(UNREADABLE, "size", f"a message has at most {messages.LONGEST} bytes")
            try:
                message = messages.parse(text)
            except ProtocolError as error:
                return await self._fail(UNREADABLE, "message", str(error))
            if isinstance(message, messages.Bye):
                self._goodbye = True
                return None
            await self._take(message)

    async def _fail(self, code: int, name: str, text: str) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.send_text(Note("error", {"code": name, "text": text}).to_text())
        await self._close(code)

    async def _take(self, message: messages.FromClient) -> None:
        viewer = self._viewer
        match message:
            case messages.Ping():
                # Overtakes what waits in the outbox, and spares the writer: of all messages these are most.
                echo = viewer.trip.ask() if viewer.sides else None
                await self._socket.send_text(messages.pong(echo))
            case messages.Pong(number):
                viewer.trip.heard(number)
            case messages.Do(ref, action) if action.type in PROVISIONAL and self._is_restless(
                viewer.user or "", action.type
            ):
                self._answer(ref, refuse("wire.often"))
            case messages.Do(ref, action, key, side):
                try:
                    lag = viewer.trip.ms or 0
                    outcome = await act_for(
                        self._room, viewer.sides, action, ref=ref, key=key, named=side, lag=lag
                    )
                except Exception:
                    log.exception("match %s: an action could not be stored", self._room.id)
                    outcome = refuse("wire.busy")
                self._answer(ref, outcome)
            case messages.Why(ref, steps):
                viewer.send(Because(ref, self._spoken(self._why(steps))).to_text())
            case messages.AskHint(ref):
                self._room.hall.spawn(self._hint(ref))
            case messages.AskFinish(ref):
                self._room.hall.spawn(self._finish(ref))
            case messages.Say(ref):
                self._answer(ref, await self._chat(self._room, viewer, message))

    def _answer(self, ref: str, outcome: Refusal | None) -> None:
        spoken = self._spoken(outcome)
        self._viewer.send((Ack(ref) if spoken is None else Refused(ref, spoken)).to_text())

    def _spoken(self, refusal: Refusal | None) -> Refusal | None:
        """A refusal in the viewer's language."""
        if refusal is None:
            return None
        return Refusal(refusal.rule, refusal.source, translate(refusal.text, self._viewer.lang))

    def _why(self, steps: tuple[tuple[int, int], ...]) -> Refusal | None:
        turn = self._room.session.turn
        if turn is None:
            return refuse("tutor.not_now")
        try:
            return turn.position.refusal((*turn.done, *steps), turn.dice)
        except NotationError:
            return refuse("wire.text")

    async def _finish(self, ref: str) -> None:
        play = await self._room.thinking.finish(self._viewer.sides)
        if isinstance(play, Refusal):
            self._answer(ref, play)
        else:
            self._viewer.send(Note("finish", {"play": play}, ref).to_text())

    async def _hint(self, ref: str) -> None:
        viewer = self._viewer

        def tell(place: int) -> None:
            viewer.send(Note("queued", {"place": place}, ref).to_text())

        advice = await self._room.thinking.hint(viewer.sides, viewer.lang, tell)
        if isinstance(advice, Refusal):
            self._answer(ref, advice)
        else:
            viewer.send(Note("hint", advice, ref).to_text())
