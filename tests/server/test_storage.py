"""The database: both kinds, many writers, migrations."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, bindparam, event, func, insert, select, text, update
from sqlalchemy.exc import OperationalError

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage import Conflict, Database, Step, Together, Written
from sheshbesh.server.storage import database as database_module
from sheshbesh.server.storage.database import Rows, by_statement, make_engine
from sheshbesh.server.storage.failures import is_unavailable, reason_of
from sheshbesh.server.storage.tables import metadata, passkeys, retired_names, users
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


PEOPLE = insert(users)


def values(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "name": name,
        "folded": name,
        "skeleton": name,
        "kind": "guest",
        "password": None,
        "moderator": False,
        "owner": None,
        "settings": {"a": name},
        "created": 0,
        "seen": 0,
    }


def person(name: str) -> Any:
    return insert(users).values(**values(name))


async def count(database: Database) -> int:
    row = await database.first(select(func.count()).select_from(users))
    assert row is not None
    return int(row[0])


async def test_writes_of_many_are_committed_and_a_conflict_fails_its_caller_alone(database: Database) -> None:
    names = [f"p{n % 40}" for n in range(50)]
    answers = await asyncio.gather(*(database.write(person(name)) for name in names), return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, Conflict)]
    assert len(refused) == 10 and all(isinstance(a, Conflict | list) for a in answers)
    assert await count(database) == 40


async def test_one_conflict_costs_the_others_few_transactions_more(
    database_url: str,
) -> None:
    commits: list[float] = []
    database = Database(database_url, committed=commits.append)
    await database.open()
    await database.write(person("p7"))
    answers = await asyncio.gather(
        *(database.write(person(f"p{n}")) for n in range(64)), return_exceptions=True
    )
    assert [n for n, answer in enumerate(answers) if isinstance(answer, Conflict)] == [7]
    assert await count(database) == 64
    await database.close()
    assert len(commits) == 1 + 6  # of 63 writes: at each halving the half without the conflict


async def test_rows_and_statements_share_a_transaction_and_a_conflict_fails_its_caller_alone(
    database: Database,
) -> None:
    writes: list[tuple[Step, ...]] = [
        (Rows(PEOPLE, [values("a"), values("b")]),),
        (Rows(PEOPLE, [values("c")]), update(users).where(users.c.id == "c").values(name="C"), person("d")),
        (Rows(PEOPLE, [values("e"), values("b")]),),
        (Rows(PEOPLE, [values("f")]), person("a")),
        (update(users).where(users.c.id == "a").values(seen=7),),
        (Rows(PEOPLE, [values("g")]),),
    ]
    answers = await asyncio.gather(*(database.write(*steps) for steps in writes), return_exceptions=True)
    assert [isinstance(answer, Conflict) for answer in answers] == [False, False, True, True, False, False]
    rows = await database.all(select(users.c.id, users.c.name, users.c.settings).order_by(users.c.id))
    assert [tuple(row) for row in rows] == [
        (name, "C" if name == "c" else name, {"a": name}) for name in ("a", "b", "c", "d", "g")
    ]
    assert answers[1] == [None, Written(1, ()), Written(1, ())]


async def test_rows_of_updates_and_insertions_are_written_together(database: Database) -> None:
    see = update(users).where(users.c.id == bindparam("who"))

    def seen(name: str, when: int) -> Rows:
        return Rows(see, [{"who": name, "seen": when, "settings": {"at": when}}])

    await database.write(Rows(PEOPLE, [values("a"), values("b")]))
    writes = [
        (seen("a", 1),),
        (Rows(PEOPLE, [values("c")]), seen("c", 2)),
        (seen("b", 3), Rows(PEOPLE, [values("d")]), seen("d", 4)),
        (Rows(PEOPLE, [values("e"), values("a")]), seen("b", 9)),
        (seen("a", 5), seen("nobody", 6)),
    ]
    answers = await asyncio.gather(*(database.write(*steps) for steps in writes), return_exceptions=True)
    assert [isinstance(answer, Conflict) for answer in answers] == [False, False, False, True, False]
    rows = await database.all(select(users.c.id, users.c.seen, users.c.settings).order_by(users.c.id))
    expected = [("a", 5), ("b", 3), ("c", 2), ("d", 4)]
    assert [tuple(row) for row in rows] == [(name, when, {"at": when}) for name, when in expected]


def test_rows_of_many_writes_keep_the_order_of_each_write() -> None:
    first, second = insert(users), update(users).where(users.c.id == bindparam("who"))
    jobs = [
        [Rows(first, [{"n": 1}]), Rows(second, [{"n": 2}])],
        [Rows(first, [{"n": 3}])],
        [Rows(second, [{"n": 4}]), Rows(first, [{"n": 5}]), Rows(second, [{"n": 6}])],
    ]
    found = by_statement(jobs)
    assert [(each.statement, [row["n"] for row in each.rows]) for each in found] == [
        (first, [1, 3]),
        (second, [2, 4]),
        (first, [5]),
        (second, [6]),
    ]


async def test_rows_of_several_tables_are_one_statement(on_postgres: Database) -> None:
    keep, forget = insert(retired_names), update(users).where(users.c.id == bindparam("who"))
    sent: list[str] = []

    def noted(_connection: Any, _cursor: Any, statement: str, *_: object) -> None:
        sent.append(statement)

    await on_postgres.write(Rows(PEOPLE, [values("a"), values("b")]))
    event.listen(Engine, "before_cursor_execute", noted)
    try:
        await asyncio.gather(
            on_postgres.write(
                Rows(keep, [{"hash": "x", "until": 1}]), Rows(forget, [{"who": "a", "password": None}])
            ),
            on_postgres.write(
                Rows(keep, [{"hash": "y", "until": 2}]), Rows(forget, [{"who": "a", "password": "p"}])
            ),
        )
    finally:
        event.remove(Engine, "before_cursor_execute", noted)
    assert len(sent) == 1 and sent[0].startswith("WITH")
    rows = await on_postgres.all(select(users.c.id, users.c.password).order_by(users.c.id))
    assert [tuple(row) for row in rows] == [("a", "p"), ("b", None)]
    assert len(await on_postgres.all(select(retired_names.c.hash))) == 2


async def test_rows_keep_values_of_every_type(database: Database) -> None:
    passkey = {
        "id": b"k\x00",
        "user_id": "a",
        "public_key": bytes(range(256)),
        "sign_count": 2**40,
        "name": "\\x00 'quoted' \"twice\" ü א 🎲\n",
        "created": 0,
    }
    person = values("a") | {
        "settings": {"n": [1, 2.5, None, True, "\\u0000"], "text": "אב\t"},
        "moderator": True,
    }
    await database.write(Rows(PEOPLE, [person]), Rows(insert(passkeys), [passkey]))
    found = await database.first(select(passkeys))
    assert found is not None and passkey.items() <= dict(found._mapping).items()
    found = await database.first(select(users))
    assert found is not None and person.items() <= dict(found._mapping).items()


async def test_a_statement_of_rows_that_names_them_otherwise_is_refused(on_postgres: Database) -> None:
    several = update(users).where(users.c.id == bindparam("who"), users.c.seen == bindparam("when"))
    with pytest.raises(TypeError, match="names them by a column and a value"):
        await on_postgres.write(Rows(several, [{"who": "a", "when": 1, "name": "A"}]))


async def test_rows_are_written_after_the_database_has_cut_its_connections(on_postgres: Database) -> None:
    await on_postgres.write(Rows(PEOPLE, [values("a")]))
    cut = "SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity"
    others = " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    assert (await on_postgres.all(text(cut + others)))[0][0] > 0
    await on_postgres.write(Rows(PEOPLE, [values("b")]))
    assert await count(on_postgres) == 2


async def test_a_database_that_is_away_is_told_from_a_write_that_is_refused(on_postgres: Database) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        away = make_engine(on_postgres.address.set(port=nobody.getsockname()[1]))
        with pytest.raises(OperationalError) as error:
            away.connect()
    assert is_unavailable(error.value) and "connection" in reason_of(error.value).lower()

    def wait_for_another(connection: Connection) -> None:
        """As two transactions do that wait for each other."""
        connection.exec_driver_sql("DO $$ BEGIN RAISE deadlock_detected; END $$")

    with pytest.raises(OperationalError) as error:
        await on_postgres.write(wait_for_another)
    assert not is_unavailable(error.value) and on_postgres.failure is None


async def test_a_write_does_all_its_steps_or_none(database: Database) -> None:
    await database.write(person("a"))
    with pytest.raises(Conflict):
        await database.write(person("b"), person("a"))
    assert await count(database) == 1


async def test_a_write_returns_after_it_can_be_read(database: Database) -> None:
    for n in range(20):
        await database.write(person(f"p{n}"))
        assert await count(database) == n + 1


async def test_a_step_may_be_a_function_of_the_transaction(database: Database) -> None:
    def add_up(connection: Connection) -> int:
        (found,) = connection.execute(select(users.c.seen).where(users.c.id == "a").with_for_update()).one()
        connection.execute(update(users).where(users.c.id == "a").values(seen=found + 1))
        return int(found)

    await database.write(person("a"))
    answers = await asyncio.gather(*(database.write(add_up) for _ in range(30)))
    assert sorted(answer[0] for answer in answers) == list(range(30))


async def test_a_statement_answers_with_its_count_and_rows(database: Database) -> None:
    await database.write(person("a"))
    answers = await database.write(
        update(users).where(users.c.id == "a").values(seen=5).returning(users.c.seen),
        update(users).where(users.c.id == "z").values(seen=5),
    )
    assert [tuple(row) for row in answers[0].rows] == [(5,)]
    assert answers[1] == Written(0, ())


async def handed_in(database: Database) -> list[asyncio.Task[Any]]:
    """Three people whom the writer has been given, and who may not be written yet."""
    begun = asyncio.Semaphore(0)

    async def write(number: int) -> list[Written]:
        begun.release()
        return await database.write(person(f"p{number}"))

    tasks = [asyncio.create_task(write(n)) for n in range(3)]
    for _ in tasks:
        await begun.acquire()
    return tasks


async def test_what_was_handed_in_is_written_before_the_database_is_closed(database_url: str) -> None:
    database = Database(database_url)
    await database.open()
    waiting = await handed_in(database)
    waiting[0].cancel()  # its caller does not know, but it is written
    await database.close()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(answers[0], asyncio.CancelledError)
    assert answers[1:] == [[Written(1, ())]] * 2
    for late in (database.write(person("late")), database.first(select(users))):
        with pytest.raises(RuntimeError, match="not open"):
            await late
    await database.open()
    assert await count(database) == 3
    await database.close()


async def test_a_loop_that_ends_leaves_nothing_behind_that_waits(database_url: str) -> None:
    """A loop that ends cancels all tasks; what they handed in is written, though nobody hears of it."""
    tasks: list[asyncio.Task[Any]] = []

    async def begin() -> Database:
        database = Database(database_url)
        await database.open()
        tasks.extend(await handed_in(database))
        return database

    database = await asyncio.to_thread(asyncio.run, begin())
    assert all(task.cancelled() for task in tasks)
    await database.close()
    await database.open()
    assert await count(database) == 3
    await database.close()


async def test_a_lock_that_another_program_holds_fails_a_write_and_keeps_nobody_from_closing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT", 0.05)
    found = Database(f"sqlite:///{tmp_path}/site.db")
    await found.open()
    with closing(sqlite3.connect(tmp_path / "site.db", isolation_level=None)) as lock:
        lock.execute("BEGIN IMMEDIATE")
        with pytest.raises(OperationalError, match="locked"):
            await found.write(person("a"))
        assert found.failure is not None
        waiting = await handed_in(found)
        await found.close()
    assert {type(each) for each in await asyncio.gather(*waiting, return_exceptions=True)} == {
        OperationalError
    }


async def test_a_database_in_memory_is_read_and_written() -> None:
    database = Database("sqlite://")
    await database.open()
    await asyncio.gather(*(database.write(person(f"p{n}")) for n in range(10)))
    assert await count(database) == 10
    await database.close()


async def test_two_processes_open_the_same_database_at_once(bare_database_url: str) -> None:
    both = [Database(bare_database_url), Database(bare_database_url)]
    await asyncio.gather(*(one.open() for one in both))
    await asyncio.gather(*(both[n % 2].write(person(f"p{n}")) for n in range(20)))
    assert await count(both[0]) == 20
    for one in both:
        await one.close()


async def test_the_migrations_make_the_tables_that_the_code_knows(database: Database) -> None:
    def differences(connection: Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    assert await database.write(differences) == [[]]


def test_an_unknown_kind_of_database_is_refused() -> None:
    with pytest.raises(SettingsError, match="mysql"):
        Database("mysql://somewhere/db")


async def test_reads_that_come_during_one_are_done_as_one() -> None:
    """Those who ask while a read is under way share the next one, and none is answered by an older one."""
    asked: list[Sequence[str]] = []
    gate = asyncio.Event()

    async def read(keys: Sequence[str]) -> dict[str, int]:
        asked.append(keys)
        await gate.wait()
        return {key: len(asked) for key in keys if key != "nobody"}

    together: Together[str, int] = Together(read)
    first = asyncio.create_task(together.get("a"))
    await eventually(lambda: asked == [("a",)])
    others = [asyncio.create_task(together.get(key)) for key in ("a", "b", "nobody", "b")]
    await asyncio.sleep(0)
    gate.set()
    assert await first == 1
    assert await asyncio.gather(*others) == [2, 2, None, 2]
    assert asked == [("a",), ("a", "b", "nobody")]


async def test_a_read_that_fails_fails_for_those_who_share_it_alone() -> None:
    """The next read is made anew."""
    outcomes: list[dict[str, int] | Exception] = [OSError("away"), {"a": 1}]

    async def read(_keys: Sequence[str]) -> dict[str, int]:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    together: Together[str, int] = Together(read)
    failed = await asyncio.gather(together.get("a"), together.get("a"), return_exceptions=True)
    assert [str(each) for each in failed] == ["away", "away"]
    assert await together.get("a") == 1
