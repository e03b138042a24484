"""Talk at a match: preset phrases that everybody reads in his own language, and free text.

Text is kept as it was written but for what could disturb others' screens; the page shows it as text
and never as anything else.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from sheshbesh.rules import Refusal
from sheshbesh.server.http.limits import Limiter
from sheshbesh.server.ids import now_ms
from sheshbesh.server.matches.messages import Note, Say
from sheshbesh.server.matches.room import Room
from sheshbesh.server.matches.viewer import Viewer
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.people.social import Social
from sheshbesh.server.refusals import refuse
from sheshbesh.server.storage import Conflict, Database
from sheshbesh.server.storage.tables import chat, users

if TYPE_CHECKING:
    from sheshbesh.server.matches.registry import Hall

PHRASES = (
    "hello",
    "good_luck",
    "have_fun",
    "nice_roll",
    "well_played",
    "lucky",
    "unlucky",
    "oops",
    "sorry",
    "thanks",
    "one_moment",
    "back_again",
    "good_game",
    "once_more",
    "bye",
)
"""Ids of the preset phrases; the page has their words."""

LONGEST = 200
"""Characters of free text."""

NEWS = "chat"
_KEPT_IN_VIEW = 50
_TRIES = 5


class Talk:
    """What is said at the matches of this process."""

    def __init__(
        self, database: Database, bus: Bus, social: Social, limiter: Limiter, *, free_text: bool
    ) -> None:
        self._database, self._bus, self._social = database, bus, social
        self._limiter, self._free_text = limiter, free_text

    async def __call__(self, room: Room, viewer: Viewer, said: Say) -> Refusal | None:
        """Let a viewer say something to everybody at the match; None if it was said."""
        if viewer.user is None or not viewer.sides:
            return refuse("chat.players")
        if self._limiter.take(viewer.user):
            return refuse("chat.slow")
        text = None if said.text is None else clean_text(said.text)
        if said.phrase is not None and said.phrase not in PHRASES:
            return refuse("chat.unknown")
        if text is not None and not 1 <= len(text) <= LONGEST:
            return refuse("chat.long")
        others = {seat.user for seat in room.table.seats.values() if seat.user} - {viewer.user}
        for other in others:
            if await self._social.are_apart(viewer.user, other):
                return refuse("chat.apart")
            if text is not None and not await self._takes_text(other):
                return refuse("chat.phrases")
        if text is not None and not self._free_text:
            return refuse("chat.phrases")
        name = room.table.seats[viewer.sides[0]].name
        await self._say(room, viewer.user, name, text, said.phrase)
        return None

    async def recent(self, match: str) -> list[str]:
        """What has been said lately, as frames, oldest first."""
        query = select(chat).where(chat.c.match_id == match).order_by(chat.c.n.desc()).limit(_KEPT_IN_VIEW)
        return [_frame(row) for row in reversed(await self._database.all(query))]

    def listen(self, hall: Hall) -> None:
        """Show what is said, by whichever process, in the rooms of this one."""

        async def show(match: str, n: int) -> None:
            row = await self._database.first(select(chat).where(chat.c.match_id == match, chat.c.n == n))
            room = hall.rooms.get(match)
            if row is not None and room is not None:
                room.gallery.send_all(_frame(row))

        def heard(news: Mapping[str, Any]) -> None:
            if news["id"] in hall.rooms:
                hall.spawn(show(news["id"], news["n"]))

        self._bus.subscribe(NEWS, heard)

    async def _takes_text(self, user: str) -> bool:
        row = await self._database.first(select(users.c.settings).where(users.c.id == user))
        return row is None or row.settings.get("free_chat") is not False

    async def _say(self, room: Room, user: str, name: str, text: str | None, phrase: str | None) -> None:
        async def put(connection: AsyncConnection) -> int:
            last = await connection.execute(select(func.max(chat.c.n)).where(chat.c.match_id == room.id))
            n = int(last.scalar() or 0) + 1
            row = {"match_id": room.id, "n": n, "at": now_ms(), "user_id": user, "name": name}
            await connection.execute(insert(chat).values(**row, text=text, phrase=phrase))
            return n

        for tries in range(_TRIES):
            try:
                (n,) = await self._database.write(put)
            except Conflict:  # another process had this number
                if tries == _TRIES - 1:
                    raise
            else:
                self._bus.publish(NEWS, id=room.id, n=n)
                return


def clean_text(text: str) -> str:
    """Free text on one line, without controls and without marks that turn the line's direction."""
    kept = (c if unicodedata.category(c)[0] != "C" or c in "\u200c\u200d" else " " for c in text)
    return " ".join("".join(kept).split())


def _frame(row: Row[Any]) -> str:
    said = {"text": row.text} if row.text is not None else {"phrase": row.phrase}
    return Note("chat", {"n": row.n, "at": row.at, "by": row.name, "id": row.user_id, **said}).to_text()
