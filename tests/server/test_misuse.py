"""What a visitor might do again and again, or behind another's back, and what does not come of it."""

from __future__ import annotations

import time
from contextlib import nullcontext
from secrets import token_hex
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, insert, select, update

from sheshbesh.cli.commands.serve import _welcome
from sheshbesh.i18n.catalogue import closest, digits_of, language, wants_latin
from sheshbesh.match import Card
from sheshbesh.rules import Side
from sheshbesh.server.http.api import variants
from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.history import History
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import dice_secrets, events, rated_matches, uptime
from sheshbesh.server.storage.uptime import GRACE, Uptime
from sheshbesh.server.tables import match as match_module
from sheshbesh.server.tables import tables as tables_module
from sheshbesh.server.tables.begin import insert_match
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.seats import MatchAgreement, Seat
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.wire import Do
from sheshbesh.session import AnchorAction, ClaimAction, DiceAction, ReadyAction
from tests.dice_help import refused

pytestmark = pytest.mark.anyio

BOTH = (Side.WHITE, Side.BLACK)


async def begun(app: FastAPI, guest: httpx.AsyncClient, card: str, opponent: str) -> Match:
    """The room of a new match."""
    body = {"card": card, "opponent": {"kind": opponent}, "side": "white"}
    made = (await guest.post("/api/v1/matches", json=body)).json()
    room = await app.state.site.matches.get(made["id"])
    assert isinstance(room, Table)
    return room


async def test_a_chain_that_is_lost_again_and_again_makes_no_more_new_ones(
    app: FastAPI, guest: httpx.AsyncClient
) -> None:
    room = await begun(app, guest, "tavla.p1", "engine")
    await room.act(Side.WHITE, ReadyAction(token_hex(32)), ref="r")
    for n in range(12):
        action = AnchorAction(token_hex(32), lost=True)
        with refused("dice.renewals") if n >= 5 else nullcontext():
            await room.act(*(await room.kind.actor_for(room, (Side.WHITE,), Do(str(n), action)))[:2])
    database = app.state.site.database
    kept = await database.first(select(func.count()).where(dice_secrets.c.match_id == room.id))
    assert kept is not None and kept[0] <= 12


async def test_what_the_server_does_for_a_player_bears_that_players_name(
    app: FastAPI, guest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str | None] = []

    async def kind(*_given: Any) -> str:
        return "single"

    people = await begun(app, guest, "tavla.p1", "hotseat")
    monkeypatch.setattr(match_module, "claimable", lambda _table: BOTH)
    monkeypatch.setattr(type(people.kind.engines), "level_of_loss", kind)
    for side in BOTH:
        names.append(
            (await people.kind.actor_for(people, BOTH, Do("1", ClaimAction(), None, side.value))).ref
        )
    assert names == ["white:1", "black:1"]


async def test_dice_typed_for_the_engine_have_the_name_of_who_typed_them(
    app: FastAPI, guest: httpx.AsyncClient
) -> None:
    room = await begun(app, guest, "tavla.p1.dice-typed", "engine")
    await room.act(Side.WHITE, ReadyAction(), ref="0")
    asked = Do("1", DiceAction(1, 6), room.key)
    actor, action, ref, key = await room.kind.actor_for(room, (Side.WHITE,), asked)
    await room.act(actor, action, ref=ref, key=key)
    row = await app.state.site.database.first(
        select(events.c.actor, events.c.ref).where(events.c.match_id == room.id, events.c.ref.like("%1"))
    )
    assert row is not None and tuple(row) in {("server", "white:1"), ("white", "1")}


async def test_rooms_that_are_only_asked_for_are_dropped_soon_where_there_are_many(
    app: FastAPI, guest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "MOST_IDLE", 3)
    monkeypatch.setattr(tables_module, "_TICK", 3600.0)  # the ticks are made here
    registry = app.state.site.matches
    ids = [(await begun(app, guest, "tavla.p1", "hotseat")).id for _ in range(3)]
    for _ in range(3):
        registry.tick(list(registry.loaded.values()))
    assert set(ids) <= set(registry.loaded)
    for _ in range(5):
        ids.append((await begun(app, guest, "tavla.p1", "hotseat")).id)
    for match in ids:
        assert (await guest.get(f"/api/v1/matches/{match}")).status_code == 200
    registry.tick(list(registry.loaded.values()))
    assert len(registry.loaded) == len(ids)
    await registry.get(ids[0])
    registry.tick(list(registry.loaded.values()))
    assert list(registry.loaded) == [ids[0]]


async def test_a_jump_of_the_systems_clock_is_no_time_of_a_match(
    app: FastAPI, guest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await begun(app, guest, "tavla.p1.clock-d12-120", "hotseat")
    before, real = room.now(), time.time_ns
    for hours in (1, -1):
        monkeypatch.setattr(time, "time_ns", lambda hours=hours: real() + hours * 3600 * 10**9)
        assert 0 <= room.now() - before < 600_000


@pytest.mark.parametrize("hours", [1, -1])
async def test_a_clock_set_while_no_server_was_up_is_nobodys_time(database: Database, hours: int) -> None:
    await Uptime(database).start()
    await database.write(update(uptime).values(alive=uptime.c.alive - hours * 3_600_000))
    after = Uptime(database)
    await after.start()
    assert abs(after.down - hours * 3_600_000 - GRACE) < 60_000


async def test_private_rated_matches_are_named_to_their_players_alone(database: Database) -> None:
    people = Directory(database)
    (one, _), (other, _) = await people.new_guest(""), await people.new_guest("")
    seats = {Side.WHITE: Seat("user", "a", one.id), Side.BLACK: Seat("user", "b", other.id)}
    for match, private in (("secret", True), ("open", False)):
        table = MatchAgreement(match, Card.from_code("tavla.p1"), seats, rated=True, private=private)
        await database.write(*insert_match(table))
        row = {"match_id": match, "user_id": one.id, "before": 1500.0, "after": 1510.0, "at": now_ms()}
        await database.write(insert(rated_matches).values(row))
    history = History(database)
    for with_private, ids in ((False, {None, "open"}), (True, {"secret", "open"})):
        changes = await history.rating_changes(one.id, with_private=with_private)
        assert {change["match"] for change in changes} == ids


async def test_languages_that_nobody_speaks_fill_no_cache(client: httpx.AsyncClient) -> None:
    await client.get("/api/v1/variants", params={"lang": "fa"})
    before = variants.summary.cache_info().currsize
    for n in range(5):
        answer = await client.get("/api/v1/variants/tavla", params={"lang": f"xx-{n}"})
        assert answer.status_code == 200
    assert variants.summary.cache_info().currsize <= before + 1
    for known in (closest, wants_latin, digits_of, language):
        assert known.cache_info().maxsize is not None


SECRET = {"secret": "x" * 40}


@pytest.mark.parametrize(
    ("settings", "is_said"),
    [
        ({}, False),
        ({"host": "0.0.0.0", **SECRET}, True),
        ({"origin": "https://play.example", **SECRET}, True),
        ({"origin": "https://play.example", "trusted_proxies": "127.0.0.1", **SECRET}, False),
    ],
)
def test_the_start_says_that_no_proxy_is_trusted(
    settings: dict[str, Any], *, is_said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    _welcome(Settings(**settings))
    assert ("SHESHBESH_TRUSTED_PROXIES" in capsys.readouterr().out) is is_said
