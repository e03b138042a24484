"""The tables of one kind in this process: opened on demand, looked after, dropped when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

from sqlalchemy import select

from sheshbesh.i18n import Text
from sheshbesh.rules import Refused
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.people.vacations import Vacations
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches, seats
from sheshbesh.server.tables.chouette import ChouetteKind
from sheshbesh.server.tables.kind import KindT
from sheshbesh.server.tables.match import MatchKind
from sheshbesh.server.tables.presence import PARTED
from sheshbesh.server.tables.seats import LIVE, Agreed, ChouetteAgreement, MatchAgreement
from sheshbesh.server.tables.store import damaged
from sheshbesh.server.tables.table import OutdatedError, Table
from sheshbesh.session import SERVER, Chouette, CreditAction, Session
from sheshbesh.session.table_state import State

log = logging.getLogger(__name__)

_TICK = 1.0
"""Seconds between two updates of presence."""

_TOGETHER = 100
"""Tables that are looked after in one go: all of thousands would hold up every game for a moment."""

_IDLE_TICKS, _CROWDED_TICKS = 30, 2
"""Looks after which a table that nobody needs is dropped; the second where there are many such tables."""

MOST_IDLE = 200
"""Tables that nobody needs and that stay all the same, for those who come back soon."""

_POLL = 5.0
"""Seconds between two polls: a game that nobody has open may end by this much later than its time."""

_AT_ONCE = 50
"""Tables that one poll loads at most; the others wait for the next one."""

_PACKED = 4
"""Tables that are over and whose events one poll packs at most: each holds up other
writes for some 10 ms."""

MOST_OF_ONE, MOST = 16, 5_000
"""Sockets at which one person, or one stranger's address, and at which all together may wait."""

Result = TypeVar("Result")


class Tables(Generic[KindT, State, Agreed]):
    """The tables of one kind in this process by their ids, those that are `loaded`."""

    def __init__(self, kind: KindT, bus: Bus) -> None:
        self.kind, self.clock = kind, kind.clock
        self.loaded: dict[str, Table[KindT, State, Agreed]] = {}
        self.waiting = Waiting()
        self._bus = bus
        self._opening: dict[str, asyncio.Lock] = {}
        self._behind: set[str] = set()
        """Tables that have gone on while they were opened."""
        self._idle: dict[str, int] = {}
        self._damaged: set[str] = set()
        """Tables that are due and cannot be read, which the log has once each."""
        self._tasks: set[asyncio.Task[Any]] = set()

    async def get(self, table: str, known: Agreed | None = None) -> Table[KindT, State, Agreed] | None:
        """Return a table that has begun, loaded if it must be; None if there is none.

        `known` is how it was agreed on, where that was read just now. Failure 410 for one that cannot be
        read.
        """
        if (found := self.loaded.get(table)) is not None:
            # The caller is about to enter.
            self._idle[table] = 0
            return found
        lock = self._opening.setdefault(table, asyncio.Lock())
        try:
            async with lock:
                while (found := self.loaded.get(table)) is None:
                    if not await self._open(table, known):
                        return None
                    known = None
                return found
        finally:
            if not lock.locked():
                self._opening.pop(table, None)
                self._behind.discard(table)

    async def _open(self, table: str, known: Agreed | None) -> bool:
        """Load a table, which is not to stay if it is outdated by then; False if there is none."""
        self._behind.discard(table)
        found = await self._load(table, known)
        if found is None:
            return False
        await found.perform()
        if table in self.loaded:
            found.stop()  # loaded under another lock, while this one was handed on
            return True
        self.loaded[table] = found
        if self._bus.reaches_others or table in self._behind:
            # While it was read, no news could reach it: of another process, or of one that was dropped here
            # in the midst of storing.
            await self._follow(found)
        if not found.is_stopped:
            await found.reseat()
        return True

    async def _load(self, table: str, known: Agreed | None) -> Table[KindT, State, Agreed] | None:
        stored = await self.kind.store.load(table, known)
        if stored is None:
            return None

        def make() -> Table[KindT, State, Agreed]:
            return Table(self.kind, stored.table, stored.events, stored.tips, self.spawn)

        try:
            # To replay a long match takes a while.
            found = await asyncio.to_thread(make) if stored.events else make()
        except Exception:  # whatever its events say, no other table suffers for it
            raise damaged(table) from None
        if not stored.has_standing:
            await self.kind.store.stand(found.agreement, found.state)
        return found

    async def agreement(self, table: str) -> Agreed | None:
        """Return how a table was agreed on, without loading it; None if there is none. Failure as above."""
        found = self.loaded.get(table)
        return found.agreement if found is not None else await self.kind.store.table(table)

    def show(self, table: str, frame: str) -> None:
        """Send a frame to those who are at a table in this process."""
        if (found := self.loaded.get(table)) is not None:
            found.viewers.send_all(frame)

    # Looking after them

    async def run(self) -> None:
        """Look after the tables until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._tick())
            tasks.create_task(self._wait_for_due())

    async def _tick(self) -> None:
        while True:
            loaded = list(self.loaded.values())
            # To wake from a sleep costs more than to look after a few tables.
            parts = 1 + len(loaded) // _TOGETHER
            for part in range(parts):
                await self.clock.sleep(_TICK / parts)
                self.tick(loaded[part::parts])

    def tick(self, tables: Iterable[Table[KindT, State, Agreed]]) -> None:
        """See who is at each of these tables, let clocks and programs go on that failed, drop idle ones."""
        # Opening one match after the other must not fill the memory.
        crowded = sum(idle > 0 for idle in self._idle.values()) > MOST_IDLE
        for table in tables:
            if self.loaded.get(table.id) is not table:
                continue  # dropped since
            try:
                self._look_after(table, crowded=crowded)
            except Exception:
                log.exception("looking after table %s", table.id)

    def _look_after(self, table: Table[KindT, State, Agreed], *, crowded: bool) -> None:
        if not table.viewers.are_quiet:
            table.viewers.look()
        if not table.is_scheduled:
            table.schedule()
        idle = self._idle.get(table.id, 0) + 1 if table.is_idle else 0
        if idle < (_CROWDED_TICKS if crowded else _IDLE_TICKS):
            self._idle[table.id] = idle
        else:
            self.drop(table)

    def drop(self, table: Table[KindT, State, Agreed]) -> None:
        """Forget a table, which is loaded again when somebody comes or its time is up."""
        table.stop()
        self._idle.pop(table.id, None)
        self.loaded.pop(table.id, None)
        self.kind.presence.sit(table.id, frozenset())

    def _clear(self, table: Table[KindT, State, Agreed]) -> None:
        """Drop a table whose viewers come again and are sent it anew."""
        for line in table.viewers:
            line.cut()
        self.drop(table)

    def forget(self, user: str) -> None:
        """Let nobody act for a deleted account any more, and show its name, or an old one, no longer."""
        for table in list(self.loaded.values()):
            if table.agreement.names_of(user):
                self._clear(table)

    async def _wait_for_due(self) -> None:
        while True:
            try:
                await self.poll()
            except Exception:
                log.exception("%s that are due could not be looked for", self.kind.store.rows)
            try:
                await self.kind.store.pack(self.clock.now_ms(), _PACKED)
            except Exception:
                log.exception("events of %s could not be packed", self.kind.store.rows)
            await self.clock.sleep(_POLL)

    async def poll(self) -> int:
        """Load the tables at which time has run out while nobody had them open; return how many."""
        loaded = 0
        for table in await self.kind.store.due(self.clock.steady_ms() - self.kind.down(), _AT_ONCE):
            if table not in self._damaged and table not in self.loaded:
                try:
                    loaded += await self.get(table) is not None
                except Failure:
                    self._damaged.add(table)
                except Exception:  # the others are due, too
                    log.exception("table %s is due and cannot be opened", table)
        return loaded

    def spawn(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Run something on the side; what goes wrong with it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the tables failed", exc_info=error)

    async def close(self) -> None:
        """Stop all clocks and programs; everything that was announced is stored."""
        for table in list(self.loaded.values()):
            self._clear(table)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What other processes say

    def listen(self) -> None:
        """Subscribe to the news of other processes, until the bus is closed."""
        news = self.kind.news
        self._bus.subscribe(news, self._gone_on)
        self._bus.subscribe(f"{news}.begun", lambda told: self.waiting.begun(str(told["id"])))
        self._bus.subscribe(f"{news}.people", self._reseat)
        self._bus.subscribe(PARTED, self._parted)
        self._bus.subscribe(GAP, lambda _told: self._missed())

    def begun(self, table: str) -> None:
        """Tell every process that a table which waited for its people has begun, or was withdrawn."""
        self._bus.publish(f"{self.kind.news}.begun", id=table)

    def reseated(self, table: str) -> None:
        """Tell every process that others sit at a table than before."""
        self._bus.publish(f"{self.kind.news}.people", id=table)

    def _gone_on(self, told: Mapping[str, Any]) -> None:
        name, v = str(told["id"]), int(told["v"])
        if name in self._opening:
            self._behind.add(name)
        table = self.loaded.get(name)
        if table is not None and (table.version < v or table.state.is_over):
            self.spawn(self._follow(table, v))

    async def _follow(self, table: Table[KindT, State, Agreed], v: int | None = None) -> None:
        """Let a table catch up; drop one whose names have changed, which is sent anew under the new ones.

        In a chouette they change with its end.
        """
        try:
            await table.catch_up(v)
            over, agreement = table.state.is_over, table.agreement
            is_outdated = over and await self.kind.store.reread(agreement) != agreement
        except OutdatedError:
            is_outdated = True
        if is_outdated and self.loaded.get(table.id) is table:
            self._clear(table)

    def _reseat(self, told: Mapping[str, Any]) -> None:
        if (table := self.loaded.get(str(told["id"]))) is not None:
            self.spawn(table.reseat())

    def _parted(self, told: Mapping[str, Any]) -> None:
        table, name = self.loaded.get(str(told["id"])), str(told["name"])
        if table is not None and name not in table.viewers.presence.sitting:
            table.viewers.presence.goodbye(name)

    def _missed(self) -> None:
        """Look at every table again: news may have been lost."""
        for table in list(self.loaded.values()):
            self.spawn(self._follow(table))
            self.spawn(table.reseat())
        self.waiting.wake()


MatchTables = Tables[MatchKind, Session, MatchAgreement]
ChouetteTables = Tables[ChouetteKind, Chouette, ChouetteAgreement]


class Absences:
    """Holds clocks of matches by correspondence whose player is away; they go on when the vacation is over.

    All matches of somebody who goes away, and each turn that begins meanwhile.
    """

    def __init__(self, database: Database, tables: MatchTables, vacations: Vacations) -> None:
        self._database, self._tables, self._vacations = database, tables, vacations

    async def hold_all(self, person: str) -> None:
        """Hold the clocks that run for a person now."""
        query = (
            select(matches.c.id)
            .join(seats, seats.c.match_id == matches.c.id)
            .where(seats.c.user_id == person, matches.c.state == LIVE, matches.c.due.is_not(None))
        )
        for row in await self._database.all(query):
            await self.hold(row.id)

    async def hold(self, match: str) -> None:
        """Hold the clock of a match whose running player is away; nothing where it is held already."""
        table = await self._tables.get(match)
        if table is None or not table.agreement.card.clock.is_correspondence:
            return
        clock = table.session.clock
        user = table.agreement.seats[clock.running].user if clock.running is not None else None
        until = await self._vacations.until(user) if user is not None else None
        # Vacations are in the time of the world, clocks in that of the match.
        ahead = table.now() - self._tables.clock.steady_ms()
        if until is not None and clock.since < (there := until + ahead):
            with suppress(Refused):
                await table.act(SERVER, CreditAction(0, until=there))


class Waiting:
    """The matches of this process that are waited for."""

    def __init__(self) -> None:
        self._begun: dict[str, asyncio.Event] = {}
        self._at: Counter[str] = Counter()
        self._by: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._at.total()

    @contextmanager
    def at(self, match: str, who: str) -> Iterator[asyncio.Event]:
        """Wait at a match; what is given is set when it has begun, or never will.

        Failure 429 where `who`, or everybody together, waits at as many as may be.
        """
        if self._by[who] >= MOST_OF_ONE:
            text = Text("you can wait for an opponent in at most {most} matches at once", most=MOST_OF_ONE)
            raise Failure(429, text, wait=60)
        if len(self) >= MOST:
            raise Failure(429, "too many wait for a match here just now: try again later", wait=60)
        self._at[match] += 1
        self._by[who] += 1
        begun = self._begun.setdefault(match, asyncio.Event())
        try:
            yield begun
        finally:
            for counter, key in ((self._at, match), (self._by, who)):
                counter[key] -= 1
                if not counter[key]:
                    del counter[key]
            if match not in self._at:
                self._begun.pop(match, None)

    def begun(self, match: str) -> None:
        """A match that waited for its second player has begun, or was withdrawn."""
        if (event := self._begun.pop(match, None)) is not None:
            event.set()

    def wake(self) -> None:
        """News may have been lost: let every connection look again."""
        for match in list(self._begun):
            self.begun(match)
