"""Events of tables that are over are packed, and nothing that is read of them changes."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import to_json
from sqlalchemy import Engine, NullPool, event, insert, select, text, update

from sheshbesh.fairdice import Chain, verify_transcript
from sheshbesh.rules import Side
from sheshbesh.server.people.played_names import leave_chouettes, rename_everywhere, renamed_step
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.backup import backup
from sheshbesh.server.storage.database import make_engine
from sheshbesh.server.storage.json_column import Unreadable
from sheshbesh.server.storage.packed import StoredEvent, pack, unpack
from sheshbesh.server.storage.restore import restore
from sheshbesh.server.storage.tables import (
    chouette_events,
    chouette_people,
    chouettes,
    events,
    matches,
    moderation_log,
    packed_chouette_events,
    packed_events,
    users,
)
from sheshbesh.server.tables.store import ChouetteStore
from sheshbesh.session import (
    AdviseAction,
    DeclineAction,
    HandOverAction,
    LeaveAction,
    SettleAction,
)
from tests.chouette_help import Table
from tests.server.live import Browser, Live, SocketLine, live_site
from tests.server.player import Player, play
from tests.server.postgres import Postgres
from tests.server.test_at_once import is_held_up
from tests.sizes import sampled
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

LATER = 10**15
"""A time at which everything that is over has rested for long enough."""

FACES = ("record", "dice", "frames")


UNREADABLE: Any = Unreadable("?")


def chained(throws: int) -> list[StoredEvent]:
    """Events of two chains, of which the second one skips a link."""
    chains = [Chain(bytes([number]) * 32) for number in range(2)]
    rows = [
        StoredEvent(1, 5, "white", {"type": "ready", "anchor": chains[0].anchor.hex()}, {}, "a"),
        StoredEvent(2, 5, "black", {"type": "ready", "anchor": chains[1].anchor.hex()}, {}, None),
    ]
    for throw in range(1, throws + 1):
        links = [chains[0].link(throw).hex(), chains[1].link(throw + (throw > 3)).hex()]
        then = {"transcript": [{"dice": [6, 5], "white": links[0], "black": links[1], "rest": 0.5}]}
        rows.append(
            StoredEvent(throw + 2, 5 + 31 * throw * throw, "ü", {"link": links[1]}, then, f"r{throw}")
        )
    return rows


STRANGE = {
    "none": [],
    "chains": chained(12),
    "first of many": chained(12)[4:],
    "signs": [StoredEvent(1, 1, "~0+", {"type": "say", "text": "~0"}, {"~1:2": "~0"}, "~0")],
    "signs and links": [*chained(3), StoredEvent(6, 10**15, "x", {"text": "~0+"}, {}, None)],
    "no links": [StoredEvent(1, -3, "x", {"a": "0" * 64, "b": "f" * 63}, {"c": ["F" * 64, None, 1.5]}, None)],
}


@pytest.mark.parametrize("rows", STRANGE.values(), ids=STRANGE)
def test_events_come_back_as_they_were_packed(rows: Sequence[StoredEvent]) -> None:
    again = unpack(pack(rows))
    assert again == rows
    assert [list(row.then) for row in again] == [list(row.then) for row in rows]


def test_links_of_a_chain_take_no_room() -> None:
    assert len(pack(chained(300))) < 6_000 < 300 * 32


@pytest.mark.parametrize(
    "rows",
    [
        chained(3)[::2],
        chained(3)[::-1],
        [StoredEvent(1, 1, "x", UNREADABLE, {}, None)],
        [StoredEvent(1, 1, "x", {}, UNREADABLE, None)],
    ],
    ids=["a gap", "backwards", "an action that cannot be read", "an outcome that cannot be read"],
)
def test_events_that_would_not_come_back_are_not_packed(rows: Sequence[StoredEvent]) -> None:
    with pytest.raises(ValueError, match="cannot be packed"):
        pack(rows)


@pytest.mark.parametrize("damage", [lambda _: b"", lambda p: b"\x09" + p[1:], lambda p: p[:40]])
def test_what_is_damaged_is_no_list_of_events(damage: Any) -> None:
    with pytest.raises(ValueError, match="packed events"):
        unpack(damage(pack(chained(12))))


async def finished(live: Live) -> tuple[str, Browser]:
    """A match between two people that is over, with dice that they have typed."""
    match, white, _ = await live.friends("backgammon.p1.dice-typed")
    await live.over(match)
    return match, white


async def played(live: Live) -> tuple[str, Browser]:
    """The same with fair dice."""
    match, white, black = await live.friends("hypergammon.p1")

    async def sit(browser: Browser, seed: int) -> None:
        async with browser.socket(match) as socket:
            await play(SocketLine(socket), Player(random.Random(seed), resigns=0.1))

    await asyncio.gather(sit(white, 1), sit(black, 2))
    return match, white


async def shown(browser: Browser, match: str) -> dict[str, str]:
    """All that may be read of a match that is over."""
    answers = {face: await browser.http.get(f"/api/v1/matches/{match}/{face}") for face in FACES}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {face: answer.text for face, answer in answers.items()}


async def rows_of(live: Live, match: str) -> tuple[int, int]:
    """How many rows a match has, and how many in which all its events are packed."""
    counted = [
        await live.site.database.all(select(table.c.match_id).where(table.c.match_id == match))
        for table in (events, packed_events)
    ]
    return len(counted[0]), len(counted[1])


@pytest.mark.parametrize("database_url", sampled(["sqlite", "postgres"], "postgres".__eq__), indirect=True)
async def test_a_match_that_is_packed_shows_and_answers_the_same(
    database_url: str, tmp_path: Path, postgres: Postgres
) -> None:
    async with live_site(database_url) as live:
        match, white = await played(live)
        other, _ = await finished(live)
        before, others = await shown(white, match), await shown(white, other)
        assert verify_transcript(before["record"]).ok
        database, store = live.site.database, live.site.matches.kind.store
        query = select(events).where(events.c.match_id == match, events.c.ref.is_not(None))
        acted = await database.first(query)
        row = await database.first(select(matches.c.due, matches.c.ended).where(matches.c.id == match))
        assert acted is not None and row is not None and row.due - row.ended == 24 * 3600 * 1000
        tail = await store.tail(match, 5)
        assert await store.pack(row.due - 1, 1) == 0
        assert await store.pack(row.due, 1) == 1
        assert await rows_of(live, match) == (0, 1)
        assert (await rows_of(live, other))[1] == 0
        assert await store.tail(match, 5) == tail
        assert await store.has_action(match, acted.actor, acted.ref, is_over=True)
        assert not await store.has_action(match, acted.actor, "another", is_over=True)
        assert await store.pack(row.due, 1) == 0
    file = tmp_path / "backup"
    await backup(database_url, file)
    for url in (database_url, f"sqlite:///{tmp_path}/restored.db", postgres.url(template="template1")):
        if url != database_url:
            await restore(file, url)
        async with live_site(url) as again:
            # A process that has none of it in its memory.
            browser = await again.browser()
            assert await shown(browser, match) == before
            assert await shown(browser, other) == others


@pytest.mark.parametrize(
    "damage",
    [
        # As where another process has packed it at the same moment: the transaction fails half-way.
        "INSERT INTO packed_events SELECT id, x'01' FROM matches",
        "UPDATE events SET action = '{' WHERE n = 3",
        "UPDATE events SET actor = CAST(x'ff' AS TEXT) WHERE n = 3",
    ],
)
async def test_a_match_is_packed_as_a_whole_or_not_at_all(damage: str, tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        match, _ = await finished(live)
        store, database = live.site.matches.kind.store, live.site.database
        await database.write(text(damage))
        before = await rows_of(live, match)
        assert await store.pack(LATER, 1) == 1
        assert await rows_of(live, match) == before and before[0] > 0
        # Others get their turn.
        assert await store.pack(LATER, 1) == 0 and database.failure is None


async def test_damaged_packed_events_are_a_sentence(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        match, _ = await finished(live)
        store = live.site.matches.kind.store
        await store.pack(LATER, 1)
        await live.site.database.write(packed_events.update().values(events=b"\x01damaged"))
        with pytest.raises(Failure, match="damaged"):
            await store.tail(match, 0)
        with pytest.raises(Failure, match="damaged"):
            await store.has_action(match, "white", "x", is_over=True)
        assert not await store.has_action(match, "white", "x"), "a live table has nothing packed"


ROWS = [
    StoredEvent(1, 1, "Nava", {"type": "stop", "on": True}, {"seats": ["Omer", "Nava"]}, "Nava"),
    StoredEvent(2, 5, "Omer", {"type": "double", "member": "Nava"}, {"sheet": {"Nava": 2}}, None),
]
NAMED = {"chouette_id": "c"}


async def chouette_of_nava(
    database: Database,
    *,
    name: str = "Nava",
    rows: Sequence[StoredEvent] = ROWS,
    packed: bytes | None = None,
    state: str = "over",
    **more: Any,
) -> None:
    """A chouette in which somebody sits or sat who has an account, and its events, packed or not."""
    stored = (
        [insert(chouette_events).values(**NAMED, **row._asdict()) for row in rows]
        if packed is None
        else [insert(packed_chouette_events).values(**NAMED, events=packed)]
    )
    account = {"id": "u", "name": name, "folded": "nava", "skeleton": "nava", "kind": "user"}
    table = {"id": "c", "card": "x", "game": "x", "consultation": "x", "state": state, "created": 1, **more}
    await database.write(
        insert(users).values(**account, settings={}, created=1, seen=1),
        insert(chouettes).values(**table, due=1),
        insert(chouette_people).values(**NAMED, name=name, user_id="u", place=0),
        *stored,
    )


async def packed_of(database: Database) -> bytes:
    """The packed events of the one chouette."""
    (found,) = await database.all(select(packed_chouette_events.c.events))
    return bytes(found.events)


async def chouette_rows(database: Database) -> Sequence[StoredEvent]:
    """The events of the one chouette, packed or not."""
    columns = [chouette_events.c[name] for name in StoredEvent._fields]
    rows = await database.all(select(*columns).order_by(chouette_events.c.n))
    return [StoredEvent._make(row) for row in rows] or unpack(await packed_of(database))


@pytest.mark.parametrize("is_packed", [False, True])
async def test_the_name_of_who_leaves_goes_from_the_events_of_a_chouette(
    database: Database, *, is_packed: bool
) -> None:
    await chouette_of_nava(database, packed=pack(ROWS) if is_packed else None)
    await database.write(lambda connection: leave_chouettes(connection, ["u"]))
    assert await chouette_rows(database) == [
        StoredEvent(1, 1, "?1", {"type": "stop", "on": True}, {"seats": ["Omer", "?1"]}, "Nava"),
        StoredEvent(2, 5, "Omer", {"type": "double", "member": "?1"}, {"sheet": {"?1": 2}}, None),
    ]


def course(name: str) -> tuple[dict[str, Any], list[StoredEvent]]:
    """The header and the events of a chouette in which somebody does all in which a name is recorded."""
    table = Table(["Ali", name, "Cem", "Dara"], chosen=True).begin()
    table.do("Ali", SettleAction(1))
    table.do(name, DeclineAction(name))
    table.to_roll(Side.BLACK).do("Cem", AdviseAction("roll"))
    table.do(name, HandOverAction("Dara"))
    table.do("Dara", HandOverAction(name))
    table.doubles("Ali", name).answers(name, "drop")
    table.doubles("Ali").answers("Cem", "drop").answers("Dara", "drop")
    table.do(name, LeaveAction())
    rows = [StoredEvent(e.n, e.at, e.actor, e.action_data(), dict(e.then), None) for e in table.events]
    # In somebody's stead the server acts.
    rows[-1] = rows[-1]._replace(actor="server", ref=f"{name}:1")
    return table.header.to_data(), rows


@pytest.mark.parametrize(("name", "is_packed"), [("roll", False), ("drop", True), ("seats", False)])
async def test_a_name_that_is_a_word_of_the_record_is_another_only_where_it_is_a_name(
    database: Database, name: str, *, is_packed: bool
) -> None:
    header, rows = course(name)
    packed = pack(rows) if is_packed else None
    throws = {name: [4, 2], "Ali": [6]}
    await chouette_of_nava(database, name=name, rows=rows, packed=packed, header=header, throws=throws)
    await database.write(lambda connection: rename_everywhere(connection, "u", name, "Nava"))
    header, rows = course("Nava")
    assert await chouette_rows(database) == rows
    table = await database.first(select(chouettes.c.header, chouettes.c.throws))
    assert table == (header, {"Nava": [4, 2], "Ali": [6]})


async def test_a_new_name_stands_in_a_chouette_from_its_end_on(database: Database) -> None:
    await chouette_of_nava(database, state="live")
    bot = insert(chouette_people).values(**NAMED, name="Sima", level="expert", place=1)
    entry = {"id": "m", "at": 2, "actor": "Omer", "action": "rename", "target": "u", "name": "Nava"}
    await database.write(
        bot,
        update(users).values(name="Sima", folded="sima", skeleton="sima"),
        insert(moderation_log).values(**entry, reason="x", detail={}),
        lambda connection: rename_everywhere(connection, "u", "Nava", "Sima"),
    )
    people = select(chouette_people.c.name, chouette_people.c.user_id).order_by(chouette_people.c.place)
    # Who is at the board acts by the old name until it is over.
    assert [tuple(row) for row in await database.all(people)] == [("Nava", "u"), ("Sima", None)]
    await database.write(renamed_step("c", [("u", "Nava")]))
    assert [tuple(row) for row in await database.all(people)] == [("Sima 2", "u"), ("Sima", None)]
    then = select(chouette_events.c.then).order_by(chouette_events.c.n)
    assert [row.then for row in await database.all(then)] == [
        {"seats": ["Omer", "Sima 2"]},
        {"sheet": {"Sima 2": 2}},
    ]


@pytest.mark.parametrize("state", ["open", "over"])
async def test_a_new_name_stands_at_once_in_a_chouette_that_is_not_played(
    database: Database, state: str
) -> None:
    await chouette_of_nava(database, state=state)
    await database.write(lambda connection: rename_everywhere(connection, "u", "Nava", "Sima"))
    people = await database.all(select(chouette_people.c.name, chouette_people.c.user_id))
    assert [tuple(row) for row in people] == [("Sima", "u")]


async def test_a_process_that_is_killed_while_it_packs_leaves_the_rows(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/site.db")
    await database.open()
    await chouette_of_nava(database)
    killed = tmp_path / "killed"
    killed.mkdir()

    def be_killed(_connection: Any, _cursor: Any, statement: str, *_: object) -> None:
        if statement.startswith("DELETE FROM chouette_events"):
            for file in tmp_path.glob("site.db*"):
                shutil.copy(file, killed)

    event.listen(Engine, "before_cursor_execute", be_killed)
    try:
        assert await ChouetteStore(database).pack(LATER, 1) == 1
    finally:
        event.remove(Engine, "before_cursor_execute", be_killed)
        await database.close()
    left = Database(f"sqlite:///{killed}/site.db")
    await left.open()
    try:
        assert [row.n for row in await left.all(select(chouette_events.c.n))] == [1, 2]
        assert not await left.all(select(packed_chouette_events.c.chouette_id))
        assert await ChouetteStore(left).pack(LATER, 1) == 1
        assert unpack(await packed_of(left)) == ROWS
    finally:
        await left.close()


async def test_damaged_events_keep_nobody_from_leaving(database: Database) -> None:
    await chouette_of_nava(database, packed=pack(ROWS)[:40])
    await database.write(lambda connection: leave_chouettes(connection, ["u"]))
    assert await packed_of(database) == b""
    with pytest.raises(Failure, match="damaged"):
        await ChouetteStore(database).tail("c", 0)


async def test_who_leaves_while_another_process_packs_is_named_no_more(on_postgres: Database) -> None:
    await chouette_of_nava(on_postgres)
    store = ChouetteStore(on_postgres)
    with make_engine(on_postgres.address, poolclass=NullPool).connect() as another:
        leave_chouettes(another, ["u"])
        packing = asyncio.create_task(store.pack(LATER, 1))

        async def has_come_as_far() -> bool:
            return packing.done() or await is_held_up(on_postgres)

        await eventually(has_come_as_far)
        another.commit()
    await packing
    await store.pack(LATER, 1)
    assert b"Nava" not in to_json([row[2:5] for row in unpack(await packed_of(on_postgres))])
