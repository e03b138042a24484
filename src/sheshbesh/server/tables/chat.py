"""Chat at a match or a chouette: preset phrases that are shown in each reader's language, and free text.

Text is kept as it was written but for what could disturb others' screens; the page shows it as text
and never as anything else.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Container, Coroutine, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table, bindparam, func, insert, select

from sheshbesh.rules import Refused
from sheshbesh.server.ids import now_ms
from sheshbesh.server.limits import Limiter
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.people.sanctions import date, muted
from sheshbesh.server.people.social import Social
from sheshbesh.server.refusals import refuse
from sheshbesh.server.storage import Conflict, Database, Together
from sheshbesh.server.storage.tables import chat, users
from sheshbesh.server.tables.kind import Speaker
from sheshbesh.server.tables.wire import Note, Words

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
"""News that message `n` was stored at a match, or at a chouette."""

_KEPT_IN_VIEW = 50
_TRIES = 5


class Chat:
    """The chat of the tables of one kind, or of tournaments, in this process: messages are in `lines`,
    announced as `news`."""

    def __init__(
        self,
        database: Database,
        bus: Bus,
        social: Social,
        limiter: Limiter,
        *,
        lines: Table = chat,
        news: str = NEWS,
        free_text: bool,
    ) -> None:
        self._database, self._bus, self._social = database, bus, social
        self._limiter, self._free_text = limiter, free_text
        self._lines, self._news = lines, news
        self._of = next(iter(lines.columns))
        self._any = select(self._of).where(self._of.in_(bindparam("tables", expanding=True))).distinct()
        self._has_some = Together(self._spoken_at)

    async def say(self, who: Speaker, words: Words) -> None:
        """Store and announce a message to everybody at the table; Refused if it is not accepted."""
        if self._limiter.take(who.user):
            raise Refused.of("chat.slow")
        if (mute := await muted(self._database, who.user)) is not None:
            if mute.until is None:
                raise Refused(refuse("chat.muted_for_ever", reason=mute.reason))
            raise Refused(refuse("chat.muted", until=date(mute.until), reason=mute.reason))
        text = None if words.text is None else clean_text(words.text)
        if words.phrase is not None and words.phrase not in PHRASES:
            raise Refused.of("chat.unknown")
        if text is not None and not 1 <= len(text) <= LONGEST:
            raise Refused.of("chat.long")
        for other in who.others:
            if await self._social.are_apart(who.user, other):
                raise Refused.of("chat.apart")
            if text is not None and not await self._takes_text(other):
                raise Refused.of("chat.phrases")
        if text is not None and not self._free_text:
            raise Refused.of("chat.phrases")
        await self._say(who, text, words.phrase)

    async def recent(self, table: str) -> list[str]:
        """The latest messages, as frames, oldest first."""
        lines = self._lines
        if not await self._has_some.get(table):
            return []
        query = select(lines).where(self._of == table).order_by(lines.c.n.desc()).limit(_KEPT_IN_VIEW)
        return [_frame(row) for row in reversed(await self._database.all(query))]

    async def _spoken_at(self, tables: Sequence[str]) -> Mapping[str, bool]:
        """Tell at which of these tables there are messages: at most tables there are none."""
        return {row[0]: True for row in await self._database.all(self._any, {"tables": tables})}

    def listen(
        self,
        here: Container[str],
        show: Callable[[str, str], None],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        """Show messages that any process has stored at those tables that are `here`, as frames."""

        async def read(table: str, n: int) -> None:
            query = select(self._lines).where(self._of == table, self._lines.c.n == n)
            row = await self._database.first(query)
            if row is not None:
                show(table, _frame(row))

        def on_news(news: Mapping[str, Any]) -> None:
            if news["id"] in here:
                spawn(read(news["id"], news["n"]))

        self._bus.subscribe(self._news, on_news)

    async def _takes_text(self, user: str) -> bool:
        row = await self._database.first(select(users.c.settings).where(users.c.id == user))
        return row is None or row.settings.get("free_chat") is not False

    async def _say(self, who: Speaker, text: str | None, phrase: str | None) -> None:
        def put(connection: Connection) -> int:
            here = self._of == who.table
            last = connection.execute(select(func.max(self._lines.c.n)).where(here))
            n = int(last.scalar() or 0) + 1
            row = {self._of.name: who.table, "n": n, "at": now_ms(), "user_id": who.user, "name": who.name}
            connection.execute(insert(self._lines).values(**row, text=text, phrase=phrase))
            return n

        for tries in range(_TRIES):
            try:
                (n,) = await self._database.write(put)
            except Conflict:  # another process had this number
                if tries == _TRIES - 1:
                    raise
            else:
                self._bus.publish(self._news, id=who.table, n=n)
                return


def clean_text(text: str) -> str:
    """Free text on one line, without controls and without marks that turn the line's direction."""
    kept = (c if unicodedata.category(c)[0] != "C" or c in "\u200c\u200d" else " " for c in text)
    return " ".join("".join(kept).split())


def _frame(row: Row[Any]) -> str:
    message = {"text": row.text} if row.text is not None else {"phrase": row.phrase}
    return Note("chat", {"n": row.n, "at": row.at, "by": row.name, "id": row.user_id, **message}).to_text()
