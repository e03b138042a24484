"""The people who are connected to this process, and to others as they have stored it, and their tables.

Each process stores its own part in its row of `processes`, which counts while the process sends heartbeats.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, Update, delete, insert, select, update

from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import processes, seeks
from sheshbesh.server.tables.line import Line

_BEAT = 2.0
"""Seconds between two heartbeats."""
_SETTLE = 0.2
"""Seconds for which those who come and leave are gathered, the more of them there are the longer."""
_MANY = 200
"""Tables from which on it takes longer: what is stored names all of them."""
_DEAD = 15_000
"""Milliseconds without one after which a process, its people and its seeks are gone."""

_PARTING = 15.0
"""Seconds for which a goodbye explains that somebody is missing: another process may notice that late."""

_RETURNED = 4.0
"""Seconds after a goodbye from which on a connected player has come back: all processes know it by then."""

BOARDS, PARTED = "presence.boards", "parted"
"""News that other people sit at the tables of a `process`, and that somebody (`name`) has said goodbye at one
(`id`)."""

_log = logging.getLogger(__name__)


class Patience(NamedTuple):
    """Seconds after which others may act in place of somebody who has left, or whose line broke."""

    goodbye: float
    silence: float


class TablePresence:
    """The people of one table, by the names by which they act there."""

    __slots__ = (
        "_clock",
        "_elsewhere",
        "_goodbye",
        "_lags",
        "_missing",
        "_shown_lags",
        "patience",
        "sitting",
    )

    def __init__(self, patience: Patience, clock: Clock = CLOCK) -> None:
        self._clock = clock
        self.patience = patience
        self._missing: dict[str, float] = {}
        self._goodbye: dict[str, float] = {}
        self._elsewhere: dict[str, float] = {}
        self._lags: dict[str, int] = {}
        self._shown_lags: dict[str, int | None] = {}
        self.sitting: frozenset[str] = frozenset()
        """Those who are there in this process."""

    def look(self, lines: Iterable[Line], people: Iterable[str], elsewhere: Collection[str] = ()) -> bool:
        """Update who of the `people` is there; tell whether somebody has come or gone.

        `elsewhere` are those who are at the table in another process.
        """
        now = self._clock.monotonic()
        self._elsewhere.update(dict.fromkeys(elsewhere, now))
        last: dict[str, float] = {}
        here: set[str] = set()
        self._lags = {}
        for line in lines:
            ms = line.latency.ms
            for name in line.names:
                last[name] = max(line.seen, last.get(name, 0.0))
                if line.is_here:
                    here.add(name)
                if ms is not None:  # the best line of somebody's pages counts
                    self._lags[name] = min(ms, self._lags.get(name, ms))
        self.sitting = frozenset(name for name in people if name in here)
        changed = False
        for name in people:
            is_here = name in self.sitting or name in elsewhere
            if is_here and now - self._goodbye.get(name, now) > _RETURNED:
                del self._goodbye[name]  # they have long come back, by a page that was never missed
            if is_here and name in self._missing:
                del self._missing[name]
                self._goodbye.pop(name, None)
                changed = True
            elif not is_here and name not in self._missing:
                # Who never comes counts as one whose line broke. A silent page in this process says nothing
                # of when somebody left another one.
                self._missing[name] = max(last.get(name, now), self._elsewhere.get(name, 0.0))
                changed = True
        return changed

    def goodbye(self, name: str) -> None:
        """Note that somebody has closed the page."""
        self._goodbye[name] = self._clock.monotonic()

    def is_here(self, name: str) -> bool:
        """Tell whether somebody counts as connected."""
        return name not in self._missing

    def away_in(self, name: str) -> float | None:
        """Return the seconds until others may act in place of somebody; None while they are there."""
        if name not in self._missing:
            return None
        missing = self._missing[name]
        parted = name in self._goodbye and missing - self._goodbye[name] < _PARTING
        patience = self.patience.goodbye if parted else self.patience.silence
        return max(missing + patience - self._clock.monotonic(), 0.0)

    def away(self) -> frozenset[str]:
        """Return those who have been away for so long that others may act in their place."""
        return frozenset(name for name in self._missing if self.away_in(name) == 0.0)

    @property
    def is_complete(self) -> bool:
        """True if nobody was missing at the last look."""
        return not self._missing

    @property
    def has_lag_changed(self) -> bool:
        """True if somebody's line is now so much better or worse than shown that others would see it."""
        return any(_differs(self._shown_lags.get(name), ms) for name, ms in self._lags.items())

    def shown_lag(self, name: str) -> int | None:
        """Return somebody's round trip in ms, None while nothing is known, and take it as shown to others."""
        self._shown_lags[name] = self._lags.get(name)
        return self._shown_lags[name]


def _differs(shown: int | None, now: int) -> bool:
    return shown is None or abs(now - shown) > max(20, shown // 4)


class Presence:
    """The people connected to this process, the tables they are at, and what other processes have stored."""

    def __init__(
        self, database: Database, bus: Bus, process: str, clock: Clock = CLOCK, *, address: str = ""
    ) -> None:
        self.clock, self._address = clock, address
        self._database, self._bus, self._process = database, bus, process
        self._here: Counter[str] = Counter()
        self._left: dict[str, float] = {}
        self._people: frozenset[str] = frozenset()
        self._changed = asyncio.Event()
        """Set when others are at tables than before, here, or elsewhere, so that they are to be read."""
        self._tables: dict[str, frozenset[str]] = {}
        self._elsewhere: Mapping[str, Collection[str]] = {}
        self._stored: dict[str, list[str]] = {}

    # Tables

    def sit(self, table: str, names: frozenset[str]) -> None:
        """Note that these people are at a table in this process, and nobody else."""
        if names == self._tables.get(table, frozenset()):
            return
        if names:
            self._tables[table] = names
        else:
            del self._tables[table]
        self._changed.set()

    def elsewhere(self, table: str) -> Collection[str]:
        """Return the names of those who are at a table in other processes."""
        return self._elsewhere.get(table, ())

    def at(self, table: str) -> frozenset[str]:
        """Return the names of those who are at a table in any process."""
        return self._tables.get(table, frozenset()).union(self.elsewhere(table))

    def parted(self, table: str, name: str) -> None:
        """Tell every process that somebody has said goodbye at a table."""
        self._bus.publish(PARTED, id=table, name=name)

    async def read(self) -> None:
        """Read what other processes have stored at this moment, in place of what they had before."""
        if not self._bus.reaches_others:
            return
        found: dict[str, set[str]] = defaultdict(set)
        for row in await self._database.all(self._others(processes.c.boards)):
            for table, names in row.boards.items():
                found[table].update(names)
        self._elsewhere = dict(found)

    # People

    @contextmanager
    def here(self, user: str | None) -> Iterator[None]:
        """Somebody is connected to this process for as long as this lasts."""
        if user is None:
            yield
            return
        self._here[user] += 1
        try:
            yield
        finally:
            self._here[user] -= 1
            if not self._here[user]:
                del self._here[user]
                self._left[user] = self.clock.monotonic()

    @property
    def people_here(self) -> int:
        """The number of people connected to this process."""
        return len(self._here)

    def gone_for(self, user: str) -> float:
        """Seconds since somebody was connected to this process; infinite if they never were."""
        if user in self._here:
            return 0.0
        left = self._left.get(user)
        return float("inf") if left is None else self.clock.monotonic() - left

    async def start(self) -> None:
        """Enter this process in the list."""
        now, address = self.clock.now_ms(), self._address or None
        row: dict[str, Any] = {"id": self._process, "started": now, "seen": now, "people": [], "boards": {}}
        row["address"] = address
        await self._database.write(insert(processes).values(**row))
        self._people, self._stored = frozenset(), {}

    def listen(self) -> None:
        """Subscribe to changes of who is at tables in other processes."""
        if self._bus.reaches_others:
            self._bus.subscribe(BOARDS, self._boards_changed)
            self._bus.subscribe(GAP, lambda _: self._changed.set())

    def _boards_changed(self, news: Mapping[str, Any]) -> None:
        if news["process"] != self._process:
            self._changed.set()

    async def stop(self) -> None:
        """Strike it from the list, with its seeks."""
        await self._database.write(
            delete(seeks).where(seeks.c.process == self._process),
            delete(processes).where(processes.c.id == self._process),
        )

    async def run(self) -> None:
        """Say who is here until cancelled, and clear away what dead processes have left."""
        due = self.clock.monotonic() + _BEAT
        while True:
            try:
                if await self._stirred_before(due):
                    await self._store_boards()
                else:
                    due = self.clock.monotonic() + _BEAT
                    await self.beat()
            except Exception:
                _log.exception("the heartbeat could not be stored")

    async def _stirred_before(self, due: float) -> bool:
        """Wait until somebody has come to a table or left one, anywhere; False if a heartbeat is due."""
        left = due - self.clock.monotonic()
        try:
            async with self.clock.timeout(max(left, 0.0)):
                await self._changed.wait()
                await self.clock.sleep(_SETTLE * max(1.0, len(self._tables) / _MANY))
        except TimeoutError:
            return False
        self._changed.clear()
        return True

    async def _store_boards(self) -> None:
        """Store who is at tables here, if that has changed, and read who is elsewhere."""
        if not self._bus.reaches_others:
            return
        boards = {table: sorted(names) for table, names in self._tables.items()}
        if boards != self._stored:
            await self._database.write(self._row(boards=boards))
            self._stored = boards
            self._bus.publish(BOARDS, process=self._process)
        await self.read()

    async def beat(self) -> None:
        """One heartbeat."""
        people = frozenset(self._here)
        changed = {} if people == self._people else {"people": sorted(people)}
        dead = select(processes.c.id).where(processes.c.seen < self.clock.now_ms() - _DEAD)
        written, *_ = await self._database.write(
            self._row(seen=self.clock.now_ms(), **changed),
            delete(seeks).where(seeks.c.process.in_(dead)),
            delete(processes).where(processes.c.id.in_(dead)),
        )
        if not written.count:  # it was silent for so long that another took it for dead
            await self.start()  # and says all of it anew
        else:
            self._people = people
        await self._store_boards()
        for user, left in list(self._left.items()):
            if self.clock.monotonic() - left > _DEAD / 1000:
                del self._left[user]

    def _row(self, **values: Any) -> Update:
        return update(processes).where(processes.c.id == self._process).values(**values)

    async def everybody(self) -> frozenset[str]:
        """The ids of all who are connected anywhere."""
        rows = await self._database.all(self._others(processes.c.people))
        return frozenset(self._here).union(*(row.people for row in rows))

    async def addresses(self) -> list[str | None]:
        """Return by what addresses other hosts reach the processes of the site; None for each without one."""
        others = await self._database.all(self._others(processes.c.address))
        return [self._address or None, *(row.address for row in others)]

    def _others(self, column: ColumnElement[Any]) -> Select[Any]:
        """Select a column of the other processes that are alive."""
        return select(column).where(
            processes.c.seen >= self.clock.now_ms() - _DEAD, processes.c.id != self._process
        )
