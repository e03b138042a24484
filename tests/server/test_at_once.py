"""Two requests at once about one account, perhaps at two processes: neither takes the other's ground away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from threading import Event
from typing import Any, NamedTuple, TypeAlias

import pytest
from sqlalchemy import Connection, func, insert, select, text, update

from sheshbesh.server.ids import now_ms
from sheshbesh.server.people import leaving
from sheshbesh.server.people.accounts import Accounts
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.names import retired
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.programs import Programs
from sheshbesh.server.people.social import Social
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database, Step
from sheshbesh.server.storage.tables import passkeys, retired_names, users
from tests.server.postgres import Postgres
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

Write: TypeAlias = Callable[..., Awaitable[list[Any]]]


class Process(NamedTuple):
    """What one process has of people."""

    database: Database
    people: Directory
    accounts: Accounts

    async def user(self, name: str) -> Person:
        """An account of this name."""
        person, _ = await self.people.new_guest("")
        await self.accounts.become(person, name, {})
        found = await self.people.by_id(person.id)
        assert found is not None
        return found


async def opened(stack: AsyncExitStack, url: str) -> Process:
    database = Database(url)
    await database.open()
    stack.push_async_callback(database.close)
    people = Directory(database)
    return Process(database, people, Accounts(database, people))


@pytest.fixture
async def two(database_url: str) -> AsyncIterator[tuple[Process, Process]]:
    """Two processes behind one database, of either kind."""
    async with AsyncExitStack() as stack:
        yield await opened(stack, database_url), await opened(stack, database_url)


def after(barrier: asyncio.Barrier, write: Write) -> Write:
    """Write when everybody has come as far as this."""

    async def waiting(*steps: Step) -> list[Any]:
        await barrier.wait()
        return await write(*steps)

    return waiting


async def is_held_up(database: Database) -> bool:
    """Tell whether a transaction at PostgreSQL waits for another one."""
    waits = text(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    row = await database.first(waits)
    return row is not None and bool(row[0])


async def test_the_last_two_passkeys_are_not_removed_at_once(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    nava = await two[0].user("Nava")
    for key in (b"a", b"b"):
        row = {"id": key, "user_id": nava.id, "public_key": b"", "sign_count": 0, "name": "k", "created": 0}
        await two[0].database.write(insert(passkeys).values(**row))
    keys = [key["id"] for key in await two[0].accounts.keys(nava)]
    both_ask = asyncio.Barrier(len(two))
    for process in two:
        monkeypatch.setattr(process.database, "write", after(both_ask, process.database.write))
    answers = await asyncio.gather(
        *(process.accounts.remove_key(nava, key) for process, key in zip(two, keys, strict=True)),
        return_exceptions=True,
    )
    (refused,) = [answer for answer in answers if answer is not None]
    assert isinstance(refused, Failure) and refused.code == "last_key"
    assert len(await two[0].accounts.keys(nava)) == 1


async def test_a_guest_becomes_one_account(two: tuple[Process, Process]) -> None:
    guest, _ = await two[0].people.new_guest("")
    names = ("Nava", "Omer")
    answers = await asyncio.gather(
        *(process.accounts.become(guest, name, {}) for process, name in zip(two, names, strict=True)),
        return_exceptions=True,
    )
    (refused,) = [answer for answer in answers if answer is not None]
    assert isinstance(refused, Failure) and refused.code == "claimed"


@pytest.mark.parametrize("kind", ["user", "bot"])
async def test_nobody_takes_a_name_while_its_account_is_deleted(postgres: Postgres, kind: str) -> None:
    async with AsyncExitStack() as stack:
        url = postgres.url()
        here, there = await opened(stack, url), await opened(stack, url)
        nava, owner = await here.user("Nava"), await there.user("Owner")
        guest, _ = await there.people.new_guest("")
        is_deleted, may_commit = Event(), Event()

        def leave_slowly(connection: Connection) -> None:
            leaving.delete_account(connection, nava)
            is_deleted.set()
            may_commit.wait()

        going = asyncio.create_task(here.database.write(leave_slowly))
        await asyncio.to_thread(is_deleted.wait)
        take = (
            there.accounts.become(guest, "Nava", {})
            if kind == "user"
            else Programs(there.database, there.people).new_bot(owner, "Nava")
        )
        coming = asyncio.create_task(take)
        await eventually(lambda: is_held_up(here.database))
        may_commit.set()
        await going
        with pytest.raises(Failure) as refused:
            await coming
        assert refused.value.code == "taken"


async def test_nobody_follows_who_blocks_them_at_the_same_time(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        url = postgres.url()
        here, there = await opened(stack, url), await opened(stack, url)
        nava, omer = await here.user("Nava"), await there.user("Omer")
        is_blocked, may_commit = Event(), Event()
        stack.callback(may_commit.set)
        write = here.database.write

        def hold(_connection: Connection) -> None:
            is_blocked.set()
            may_commit.wait()

        async def slowly(*steps: Step) -> list[Any]:
            return await write(*steps, hold)

        monkeypatch.setattr(here.database, "write", slowly)
        blocking = asyncio.create_task(Social(here.database).block(nava, omer.id))
        await asyncio.to_thread(is_blocked.wait)
        following = asyncio.create_task(Social(there.database).follow(omer, nava.id))
        await eventually(lambda: is_held_up(there.database))
        may_commit.set()
        await blocking
        with pytest.raises(Failure) as refused:
            await following
        assert refused.value.code == "apart"


async def test_a_name_that_rests_already_rests_on(two: tuple[Process, Process]) -> None:
    nava = await two[0].user("Nava")
    rests = [{"hash": kept, "until": now_ms() + 60_000} for kept in retired("Nava")]
    await two[0].database.write(insert(retired_names).values(rests))
    await leaving.AccountDeletion(two[0].database).delete(nava)
    rows = await two[0].database.all(select(retired_names.c.until))
    assert len(rows) == 2 and all(row.until > now_ms() + 24 * 3600 * 1000 for row in rows)
    found = await two[0].database.first(select(func.count()).select_from(users))
    assert found is not None and found[0] == 0


async def test_a_name_is_free_again_when_it_has_rested(two: tuple[Process, Process]) -> None:
    await leaving.AccountDeletion(two[0].database).delete(await two[0].user("Nava"))
    with pytest.raises(Failure):
        await two[1].user("Nava")
    await two[0].database.write(update(retired_names).values(until=now_ms() - 1))
    assert (await two[1].user("Nava")).name == "Nava"
