"""Who is connected and who plays at which match, over all processes: each process stores its own part, which
counts while the process sends heartbeats."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, Select, Update, delete, insert, select, update

from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import processes, seeks
from sheshbesh.server.tables.seat_presence import SeatPresence

_BEAT = 2.0
"""Seconds between two heartbeats."""
_SETTLE = 0.2
"""Seconds for which those who come and leave are gathered, the more of them there are the longer."""
_MANY = 200
"""Boards from which on it takes longer: what is stored names all of them."""
_DEAD = 15_000
"""Milliseconds without one after which a process, its people and its seeks are gone."""

BOARDS = "presence.boards"
"""News that other people sit at the boards of a `process`."""

_log = logging.getLogger(__name__)


class ProcessPresence:
    """The people connected to this process, and those that other processes have stored."""

    def __init__(
        self,
        database: Database,
        bus: Bus,
        process: str,
        seats: SeatPresence,
        clock: Clock = CLOCK,
        *,
        address: str = "",
    ) -> None:
        self.clock, self._address = clock, address
        self._database, self._bus, self._process, self._seats = database, bus, process, seats
        self._here: Counter[str] = Counter()
        self._left: dict[str, float] = {}
        self._people: frozenset[str] = frozenset()
        self._stored_boards: dict[str, list[str]] = {}

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
        """How many people are connected to this process."""
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
        row = {"id": self._process, "started": now, "seen": now, "people": [], "boards": {}}
        row["address"] = address
        await self._database.write(insert(processes).values(**row))
        self._people, self._stored_boards = frozenset(), {}

    def listen(self) -> None:
        """Subscribe to changes of who sits at boards in other processes, and read them where it matters."""
        if not self._bus.reaches_others:
            return
        self._seats.ask = self._read_boards
        self._bus.subscribe(BOARDS, self._boards_changed)
        self._bus.subscribe(GAP, lambda _: self._seats.changed.set())

    def _boards_changed(self, news: Mapping[str, Any]) -> None:
        if news["process"] != self._process:
            self._seats.changed.set()

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
        """Wait until somebody has sat down or got up, here or elsewhere; False if a heartbeat is due."""
        left = due - self.clock.monotonic()
        try:
            async with self.clock.timeout(max(left, 0.0)):
                await self._seats.changed.wait()
                await self.clock.sleep(_SETTLE * max(1.0, self._seats.count / _MANY))
        except TimeoutError:
            return False
        self._seats.changed.clear()
        return True

    async def _store_boards(self) -> None:
        """Store who sits here, if that has changed, and read who sits elsewhere."""
        if not self._bus.reaches_others:
            return
        boards = self._seats.to_data()
        if boards != self._stored_boards:
            await self._database.write(self._row(boards=boards))
            self._stored_boards = boards
            self._bus.publish(BOARDS, process=self._process)
        await self._read_boards()

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

    async def addresses(self) -> list[str | None]:
        """By what addresses other hosts reach the processes of the site; None for each without one."""
        others = await self._database.all(self._others(processes.c.address))
        return [self._address or None, *(row.address for row in others)]

    async def everybody(self) -> frozenset[str]:
        """The ids of all who are connected anywhere."""
        rows = await self._database.all(self._others(processes.c.people))
        return frozenset(self._here).union(*(row.people for row in rows))

    async def _read_boards(self) -> None:
        self._seats.merge(row.boards for row in await self._database.all(self._others(processes.c.boards)))

    def _others(self, column: ColumnElement[Any]) -> Select[Any]:
        """Read who sits at boards in the other processes that are alive."""
        return select(column).where(
            processes.c.seen >= self.clock.now_ms() - _DEAD, processes.c.id != self._process
        )
