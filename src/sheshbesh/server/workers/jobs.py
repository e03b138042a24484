"""The queue of engine work in PostgreSQL: questions wait, are taken by one worker, and answered by it once.

A question that a worker has taken is its own for `LEASE` and is renewed while the worker lives; after that
another worker may take it. Only the worker that holds a question may answer it, so an answer that comes too
late is dropped. All times are the database's own. Rows are locked without waiting for anybody (SKIP
LOCKED), but for a worker's own, so that no two transactions wait for each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Row,
    Select,
    cast,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from sheshbesh.server.engines.queue import BOUNDS, EngineRequest, Urgency
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.review_tables import engine_jobs, engine_workers

ASKED, ANSWERED = "engine.asked", "engine.answered"
"""Topics: a question waits, and that one of a server process (`process`) is answered."""

LEASE: Final = 2_000
"""Milliseconds for which a question is its worker's, counted from the worker's last heartbeat."""
BEAT: Final = 0.5
"""Seconds between two heartbeats of a worker."""
TRIES: Final = 3
"""Workers that may take a question, one after the other; it may be what ends them."""

_SILENT: Final = 3_000
"""Milliseconds without a heartbeat after which a worker counts no more."""
_FORGOTTEN: Final = 60_000
"""Milliseconds after which what nobody waits for is deleted: its server process has ended."""

WAITING, TAKEN, DONE = "waiting", "taken", "done"

_TAKING: Final = 0x5E5BE6
"""PostgreSQL's advisory lock of the worker that takes a question."""

_NOW: Final[ColumnElement[int]] = cast(func.extract("epoch", func.clock_timestamp()) * 1000, BigInteger)


@dataclass(frozen=True, slots=True)
class Standing:
    """How the queue stands, for the whole site: workers that live, their engine processes that are ready,
    questions that wait by urgency, questions that are being answered, and for how many seconds the oldest one
    has waited."""

    workers: int = 0
    processes: int = 0
    waiting: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    taken: int = 0
    oldest: float = 0.0


class Jobs:
    """Reads and writes the queue."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Who asks

    async def put(self, job: str, process: str, request: EngineRequest, *, waits: float) -> bool:
        """Let a question wait, for `waits` seconds; False where the queue holds as many as it may."""
        bounds, now = BOUNDS[request.urgency], _NOW
        there = select(
            func.count().label("all"), func.count().filter(engine_jobs.c.who == request.who).label("own")
        ).where(engine_jobs.c.state == WAITING, engine_jobs.c.urgency == request.urgency)
        row = insert(engine_jobs).values(
            id=job,
            process=process,
            who=request.who,
            urgency=int(request.urgency),
            ask=dict(request.ask),
            seconds=request.seconds,
            until=now + int(1000 * waits),
            asked=_after_all("asked"),
            turn=_after_all("turn"),
            state=WAITING,
        )

        def put(connection: Connection) -> bool:
            found = connection.execute(there).one()
            if found.all >= bounds.of_all or found.own >= bounds.of_one:
                return False
            connection.execute(row)
            return True

        (done,) = await self._database.write(put)
        return bool(done)

    async def collect(self, process: str) -> Sequence[Row[Any]]:
        """What is answered of a process's questions, and what was taken too often; each is returned once."""
        lost = (engine_jobs.c.state == TAKEN) & (engine_jobs.c.tries >= TRIES) & (engine_jobs.c.lease < _NOW)
        mine = engine_jobs.c.process == process, or_(engine_jobs.c.state == DONE, lost)
        columns = (
            engine_jobs.c[name] for name in ("id", "state", "urgency", "answer", "error", "asked", "taken")
        )
        (done,) = await self._database.write(_delete(*mine).returning(*columns))
        rows: Sequence[Row[Any]] = done.rows
        return rows

    async def drop(self, jobs: Sequence[str]) -> None:
        """Nobody waits for these any more; one that is being answered just now is collected instead."""
        await self._database.write(_delete(engine_jobs.c.id.in_(jobs)))

    async def places(self, process: str) -> Mapping[str, int]:
        """The places of a process's questions in the queue of the whole site; 1 is the next one."""
        by_person = func.row_number().over(
            partition_by=(engine_jobs.c.urgency, engine_jobs.c.who),
            order_by=(engine_jobs.c.asked, engine_jobs.c.id),
        )
        turn = func.min(engine_jobs.c.turn).over(partition_by=(engine_jobs.c.urgency, engine_jobs.c.who))
        columns = (engine_jobs.c[name] for name in ("id", "process", "urgency", "asked"))
        waiting = (
            select(*columns, by_person.label("round"), turn.label("turn"))
            .where(engine_jobs.c.state == WAITING)
            .subquery()
        )
        order = (waiting.c.urgency, waiting.c.round, waiting.c.turn, waiting.c.asked, waiting.c.id)
        all_ = select(
            waiting.c.id, waiting.c.process, func.row_number().over(order_by=order).label("place")
        ).subquery()
        rows = await self._database.all(select(all_.c.id, all_.c.place).where(all_.c.process == process))
        return {row.id: row.place for row in rows}

    async def standing(self) -> Standing:
        """How the queue stands."""
        count = func.count().label("n")
        waited = func.max(_NOW - engine_jobs.c.asked).label("waited")
        query = select(engine_jobs.c.state, engine_jobs.c.urgency, count, waited)
        there = engine_jobs.c.state.in_((WAITING, TAKEN))
        rows = await self._database.all(
            query.where(there).group_by(engine_jobs.c.state, engine_jobs.c.urgency)
        )
        alive = select(count, func.coalesce(func.sum(engine_workers.c.processes), 0).label("processes"))
        workers = await self._database.first(alive.where(engine_workers.c.seen > _NOW - _SILENT))
        waiting = {Urgency(row.urgency): row for row in rows if row.state == WAITING}
        return Standing(
            workers=workers.n if workers is not None else 0,
            processes=int(workers.processes) if workers is not None else 0,
            waiting={
                urgency.name.lower(): waiting[urgency].n if urgency in waiting else 0 for urgency in Urgency
            },
            taken=sum(row.n for row in rows if row.state == TAKEN),
            oldest=max((row.waited / 1000 for row in waiting.values()), default=0.0),
        )

    async def clean(self) -> None:
        """Delete questions of server processes that have ended, and workers that are gone."""
        await self._database.write(
            _delete(engine_jobs.c.until < _NOW - _FORGOTTEN),
            delete(engine_workers).where(engine_workers.c.seen < _NOW - _FORGOTTEN),
        )

    # Who answers

    async def take(self, worker: str, *, last: Urgency) -> Row[Any] | None:
        """The question to be answered next, none less urgent than `last`; it is this worker's now.

        `left` has the seconds for which somebody waits for it. Of the same urgency everybody's next question
        comes before anybody's one after that, and one person's in the order in which they were asked.
        """

        def take(connection: Connection) -> Row[Any] | None:
            connection.execute(select(func.pg_advisory_xact_lock(_TAKING)))
            jobs = engine_jobs.c
            in_turn = _open(jobs.urgency <= last).order_by(jobs.urgency, jobs.turn, jobs.asked, jobs.id)
            found = connection.execute(in_turn).first()
            if found is None:
                return None
            # What its person asked while a question of theirs was taken may have kept an earlier turn.
            theirs = _open(jobs.urgency == found.urgency, jobs.who == found.who)
            row: Row[Any] = connection.execute(theirs.order_by(jobs.asked, jobs.id)).one()
            mine = update(engine_jobs).where(engine_jobs.c.id == row.id)
            values = {
                "state": TAKEN,
                "worker": worker,
                "taken": _NOW,
                "lease": _NOW + LEASE,
                "tries": row.tries + 1,
            }
            connection.execute(mine.values(**values))
            others = select(engine_jobs.c.id).where(
                engine_jobs.c.who == row.who,
                engine_jobs.c.urgency == row.urgency,
                engine_jobs.c.state == WAITING,
            )
            free = others.with_for_update(skip_locked=True)
            behind = update(engine_jobs).where(engine_jobs.c.id.in_(free)).values(turn=_after_all("turn"))
            connection.execute(behind)
            return row

        (found,) = await self._database.write(take)
        return found if isinstance(found, Row) else None

    async def answer(
        self, worker: str, job: Row[Any], *, answer: object = None, error: str | None = None
    ) -> bool:
        """Answer a question that this worker has taken; False where it is no longer its own, or nobody
        waits."""
        mine = engine_jobs.c.worker == worker, engine_jobs.c.tries == job.tries + 1
        change = update(engine_jobs).where(engine_jobs.c.id == job.id, engine_jobs.c.state == TAKEN, *mine)
        (done,) = await self._database.write(change.values(state=DONE, answer=answer, error=error))
        return bool(done.count)

    async def beat(self, worker: str, name: str, processes: int) -> frozenset[str]:
        """A worker's heartbeat, which renews what it has taken; the ids of that."""
        row = upsert(engine_workers).values(
            id=worker, name=name, processes=processes, started=_NOW, seen=_NOW
        )
        alive = row.on_conflict_do_update(
            index_elements=[engine_workers.c.id], set_={"processes": processes, "seen": _NOW}
        )
        mine = update(engine_jobs).where(engine_jobs.c.worker == worker, engine_jobs.c.state == TAKEN)
        _, kept = await self._database.write(
            alive, mine.values(lease=_NOW + LEASE).returning(engine_jobs.c.id)
        )
        return frozenset(row.id for row in kept.rows)

    async def leave(self, worker: str) -> None:
        """A worker ends: what it has taken waits again, as if nobody had."""
        mine = update(engine_jobs).where(engine_jobs.c.worker == worker, engine_jobs.c.state == TAKEN)
        again = mine.values(state=WAITING, worker=None, lease=None, tries=engine_jobs.c.tries - 1)
        await self._database.write(again, delete(engine_workers).where(engine_workers.c.id == worker))


def _after_all(column: str) -> ColumnElement[int]:
    """The time now, or one that is later than all in a column: questions of one millisecond have an order,
    and a clock that is set back changes none. One statement gives all its rows the same."""
    there = engine_jobs.alias().c[column]
    return select(func.greatest(_NOW, func.coalesce(func.max(there) + 1, 0))).scalar_subquery()


def _open(*which: ColumnElement[bool]) -> Select[Any]:
    """One question that waits, locked; one whose worker has not renewed it counts as waiting."""
    lost = (engine_jobs.c.state == TAKEN) & (engine_jobs.c.lease < _NOW) & (engine_jobs.c.tries < TRIES)
    names = ("id", "process", "who", "urgency", "ask", "seconds", "tries")
    left = ((engine_jobs.c.until - _NOW) / 1000.0).label("left")
    return (
        select(*(engine_jobs.c[name] for name in names), left)
        .where(or_(engine_jobs.c.state == WAITING, lost), *which)
        .limit(1)
        .with_for_update(skip_locked=True)
    )


def _delete(*which: ColumnElement[bool]) -> Any:
    free = select(engine_jobs.c.id).where(*which).with_for_update(skip_locked=True)
    return delete(engine_jobs).where(engine_jobs.c.id.in_(free))
