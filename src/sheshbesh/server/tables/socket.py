"""The socket of a table: frames that wait are written, messages are read, and what is no message ends it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sheshbesh.errors import NotationError, ProtocolError
from sheshbesh.i18n import translate
from sheshbesh.rules import Refusal, Refused
from sheshbesh.rules.citing import cited
from sheshbesh.server.limits import Bucket
from sheshbesh.server.tables import wire
from sheshbesh.server.tables.chat import Chat
from sheshbesh.server.tables.line import Line
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.wire import Ack, Because, Note
from sheshbesh.session import SERVER, Session

log = logging.getLogger(__name__)

UNREADABLE, FLOODED, GONE = 4400, 4429, 4404
"""Codes with which a socket is closed: bad messages, too many of them, no such table."""

RateCheck = Callable[[str, str], bool]
"""True if somebody takes this type of action more often than people do; see `Limits.exceeds_rate`."""


CONNECTION = "sheshbesh.connection"
"""The name in the `extensions` of a scope of the connection itself: of its `write`, and its `heartbeat`."""


class TableSocket:
    """One viewer's socket at a table, from entering to leaving; `bucket` bounds its messages."""

    def __init__(
        self,
        socket: WebSocket,
        table: Table[Any, Any, Any],
        line: Line,
        bucket: Bucket,
        chat: Chat,
        exceeds_rate: RateCheck,
    ) -> None:
        self._socket, self._table, self._line = socket, table, line
        self._bucket, self._chat, self._exceeds_rate = bucket, chat, exceeds_rate
        self._parse = partial(wire.parse, kinds=table.kind.store.kinds, seats=table.kind.seat_names)
        self._goodbye = False

    async def run(self, v: int | None, first_frames: Callable[[], Awaitable[Sequence[str]]]) -> None:
        """Serve an accepted socket until either side leaves.

        `v` is the last event the viewer saw, `first_frames` gives further frames to be sent.
        """
        writer = None
        connection = self._socket.scope.get("extensions", {}).get(CONNECTION)
        try:
            await self._table.enter(self._line, v)
            # Asked for after entering: a message stored meanwhile is sent twice rather than never.
            for frame in await first_frames():
                self._line.send(frame)
            writer = asyncio.create_task(self._write())
            if connection is not None:
                self._line.write, connection.heartbeat = connection.write, self._beat
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # closed while it was waited for
                while await self.received(await self._socket.receive_text()):
                    pass
        finally:
            self._table.viewers.leave(self._line, goodbye=self._goodbye)
            self._line.cut()
            if connection is not None:
                connection.heartbeat = None
            if writer is not None:
                with contextlib.suppress(asyncio.CancelledError):
                    await writer

    async def received(self, text: str) -> bool:
        """Do what a message asks for, and answer it; tell whether further ones are to be read."""
        message = await self._read(text)
        if message is None:
            return False
        line, table = self._line, self._table
        try:
            match message:
                case wire.Ping():
                    # Overtakes what waits in the outbox, and spares the writer: most messages are pings.
                    await self._socket.send_text(self._ponged())
                case wire.Pong(number):
                    line.latency.answered(number)
                case wire.Do():
                    if self._exceeds_rate(line.user or "", message.action.type):
                        raise Refused.of("wire.often")
                    try:
                        actor, action, ref, key = await table.kind.actor_for(table, line.names, message)
                        lag = 0 if actor == SERVER else line.latency.ms or 0
                        await table.act(actor, action, ref=ref, key=key, lag=lag)
                    except Refused:
                        raise
                    except Exception:
                        log.exception("table %s: an action could not be stored", table.id)
                        raise Refused.of("wire.busy") from None
                    line.send(Ack(message.ref).to_text())
                case wire.Why(ref):
                    why = why_refused(table.shown_to(line.names).session, message.steps)
                    line.send(Because(ref, None if why is None else self._spoken(why)).to_text())
                case wire.AskHint() | wire.AskFinish():
                    table.spawn(self._advise(message))
                case wire.AskVerdict():
                    judge = line.judging.pop(message.n or max(line.judging, default=0), None)
                    if judge is not None:
                        judge()
                case wire.GoOn():
                    if line.names:
                        table.programs.release()
                case wire.Say(ref):
                    await self._chat.say(table.kind.speaker(table, line.user), message.d)
                    line.send(Ack(ref).to_text())
                case wire.Bye():
                    self._goodbye = True
                    return False
        except Refused as refused:
            self._refuse(message, refused.refusal)
        return True

    def _ponged(self) -> str:
        line = self._line
        return wire.pong(line.latency.next_ping() if line.names else None)

    def _beat(self, data: bytes) -> bool:
        """Answer a heartbeat, or take an echo; False where it is to be read as other messages are."""
        line = self._line
        try:
            message = self._parse(data.decode())
        except (UnicodeDecodeError, ProtocolError):
            return False
        if not isinstance(message, wire.Ping | wire.Pong) or line.is_cut or self._bucket.take():
            return False
        line.mark_alive()
        if isinstance(message, wire.Ping):
            return line.write(self._ponged())
        line.latency.answered(message.n)
        return True

    async def _read(self, text: str) -> wire.FromClient | None:
        """Return a message; None where nothing more is read from this line, which it has been told."""
        if self._line.is_cut:
            return None
        self._line.mark_alive()
        if self._bucket.take():
            await self._fail(FLOODED, "flood", "too many messages")
        elif len(text.encode()) > wire.LONGEST:
            await self._fail(UNREADABLE, "size", f"a message has at most {wire.LONGEST} bytes")
        else:
            try:
                return self._parse(text)
            except ProtocolError as error:
                await self._fail(UNREADABLE, "message", str(error))
        return None

    async def _advise(self, message: wire.AskHint | wire.AskFinish) -> None:
        """Answer by a hint, or by the play of a bear-off, as soon as the engine has one."""
        line, table, ref = self._line, self._table, message.ref

        def on_place(place: int) -> None:
            line.send(Note("queued", {"place": place}, ref).to_text())

        try:
            if isinstance(message, wire.AskFinish):
                play = await table.kind.finish(table, line.names)
                line.send(Note("finish", {"play": play}, ref).to_text())
                return
            asks = line.has_core and message.here
            asked = await table.kind.question(table, line.names) if asks else None
            if asked is not None:
                line.send(Note("ask", asked, ref).to_text())
            else:
                advice = await table.kind.hint(table, line.names, line.lang, on_place)
                line.send(Note("hint", advice, ref).to_text())
        except Refused as refused:
            self._refuse(message, refused.refusal)

    # Answers

    async def _write(self) -> None:
        while (frame := await self._line.outbox.get()) is not None:
            try:
                await self._socket.send_text(frame)
            except (WebSocketDisconnect, RuntimeError):
                return
            self._line.sent()
        await self._close(1000)

    async def _close(self, code: int) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self._socket.close(code)

    async def _fail(self, code: int, name: str, text: str) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.send_text(Note("error", {"code": name, "text": text}).to_text())
        await self._close(code)

    def _refuse(self, message: wire.FromClient, refusal: Refusal) -> None:
        self._line.send(wire.Refused(getattr(message, "ref", ""), self._spoken(refusal)).to_text())

    def _spoken(self, refusal: Refusal) -> Refusal:
        """Return a refusal in the viewer's language."""
        lang = self._line.lang
        source = translate(cited(refusal.source), lang) if refusal.source else None
        return Refusal(refusal.rule, source, translate(refusal.text, lang))


def why_refused(session: Session, steps: tuple[tuple[int, int], ...]) -> Refusal | None:
    """Return why the turn in progress cannot go on by these steps (origin, target); None if it can.

    Refused where there is no turn, and for what are no steps.
    """
    turn = session.turn
    if turn is None:
        raise Refused.of("tutor.not_now")
    try:
        return turn.position.refusal((*turn.done, *steps), turn.dice)
    except NotationError:
        raise Refused.of("wire.text") from None
