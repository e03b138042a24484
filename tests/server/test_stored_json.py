"""What is stored as JSON can be read again; what cannot be read all the same breaks no page."""

from __future__ import annotations

import logging
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import insert, select, text
from sqlalchemy.exc import StatementError

from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.person import name_values
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.json_column import DEEPEST, LARGEST, is_deeper
from sheshbesh.server.storage.tables import processes, users
from sheshbesh.session import ReadyAction
from tests.server.conftest import NewClient

pytestmark = pytest.mark.anyio

JSON = {"Content-Type": "application/json"}
TOO_DEEP = "[" * 300 + "]" * 300


def nested(depth: int) -> Any:
    """Lists within one another."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_depth_counts_objects_and_lists() -> None:
    assert not is_deeper(1, 0) and not is_deeper([], 1) and not is_deeper({"a": [1]}, 2)
    assert is_deeper([1], 0) and is_deeper({"a": [1]}, 1) and is_deeper([[[1]]], 2)
    assert is_deeper(nested(100_000))


async def test_settings_nested_too_deep_are_refused_with_a_sentence(guest: httpx.AsyncClient) -> None:
    kept = await guest.put("/api/v1/me/settings", json={"a": nested(DEEPEST - 1)})
    assert kept.status_code == 200
    for depth in (DEEPEST, 201, 900):
        body = f'{{"a": {"[" * depth}1{"]" * depth}}}'
        answer = await guest.put("/api/v1/me/settings", content=body, headers=JSON)
        error = answer.json()["error"]
        assert (answer.status_code, error["rule"]) == (422, "body.deep") and str(DEEPEST) in error["text"]
    assert (await guest.get("/api/v1/me")).json()["user"]["settings"] == {"a": nested(DEEPEST - 1)}


async def test_what_no_parser_reads_or_is_nested_too_deep_is_refused_with_its_field(
    guest: httpx.AsyncClient,
) -> None:
    for method, path in (("PUT", "me/settings"), ("POST", "matches"), ("POST", "login")):
        for body in ("[" * 30_000, '{"a":' * 10_000):
            answer = await guest.request(method, f"/api/v1/{path}", content=body, headers=JSON)
            assert answer.status_code in (400, 422) and answer.json()["error"]["text"], path
    cards: list[tuple[str, dict[str, Any], str]] = [
        ("matches", {"card": {"game": "tavla", "options": {"a": nested(201)}}}, "card"),
        ("seeks", {"card": nested(201)}, "card"),
        ("challenges", {"to": "Nava", "card": nested(201)}, "card"),
        ("login", {"passkey": {"state": "s", "credential": {"a": nested(201)}}}, "passkey.credential"),
    ]
    for path, card, where in cards:
        answer = await guest.post(f"/api/v1/{path}", json=card)
        error = answer.json()["error"]
        assert (answer.status_code, error["rule"], error["where"]) == (422, "field.deep", where)


async def test_nothing_too_deep_or_too_large_is_stored_by_any_way(database: Database) -> None:
    for settings in ({"a": nested(201)}, {"a": "x" * LARGEST}):
        row = {"id": "a", "kind": "user", "settings": settings, "created": 0, "seen": 0}
        with pytest.raises(StatementError, match=r"this (is nested|has) more than"):
            await database.write(insert(users).values(**row, **name_values("Nava")))
    assert await database.all(select(users.c.id)) == []


@pytest.mark.parametrize("stored", [TOO_DEEP, "[]", "null", '"text"', "7"])
async def test_bad_settings_are_read_as_none(
    database: Database, stored: str, caplog: pytest.LogCaptureFixture
) -> None:
    people = Directory(database)
    person, secret = await people.new_guest("")
    await database.write(text(f"UPDATE users SET settings = '{stored}'"))
    with caplog.at_level(logging.ERROR):
        found = await people.by_sign_in(secret)
    assert found is not None and found.id == person.id and found.settings == {}
    assert "read as empty" in caplog.text


async def test_bad_lists_of_a_process_are_read_as_empty(database: Database) -> None:
    row = {"id": "p", "started": now_ms(), "seen": now_ms(), "people": [], "boards": {}}
    await database.write(insert(processes).values(**row))
    await database.write(text(f"UPDATE processes SET people = '{TOO_DEEP}', boards = '[]'"))
    found = await database.first(select(processes.c.people, processes.c.boards))
    assert found is not None and tuple(found) == ([], {})


async def test_an_account_with_bad_settings_is_there_and_can_be_blocked_and_mended(
    app: FastAPI, guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    user = (await guest.get("/api/v1/me")).json()["user"]
    await app.state.site.database.write(text(f"UPDATE users SET settings = '{TOO_DEEP}'"))
    assert (await guest.get("/api/v1/me")).json()["user"]["settings"] == {}
    other = new_client()
    await other.post("/api/v1/guest", json={})
    answer = await other.post(f"/api/v1/users/{user['name']}/block", json={})
    assert answer.status_code == 200, answer.text
    assert (await guest.put("/api/v1/me/settings", json={"a": 1})).status_code == 200
    assert (await guest.get("/api/v1/me")).json()["user"]["settings"] == {"a": 1}


DAMAGE = {
    "header": f"UPDATE matches SET header = '{TOO_DEEP}' WHERE id = :id",
    "action": f"UPDATE events SET action = '{TOO_DEEP}' WHERE match_id = :id",
    "then": f"UPDATE events SET \"then\" = '{TOO_DEEP}' WHERE match_id = :id",
    "meaning": 'UPDATE events SET action = \'{"type": "undo"}\' WHERE match_id = :id',
}


@pytest.mark.parametrize("what", DAMAGE)
async def test_a_damaged_match_says_so_and_hides_no_other(
    app: FastAPI, guest: httpx.AsyncClient, what: str
) -> None:
    site = app.state.site
    body = {"card": "tavla.p1.dice-typed", "opponent": {"kind": "hotseat"}}
    bad, good = [(await guest.post("/api/v1/matches", json=body)).json()["id"] for _ in range(2)]
    room = await site.matches.get(bad)
    assert await room.act("white", ReadyAction()) is None
    site.matches.loaded.clear()
    await site.database.write(text(DAMAGE[what]).bindparams(id=bad))
    # The list reads no match, so the damaged one stands in it, unless its own row is what cannot be read.
    listed = [entry["id"] for entry in (await guest.get("/api/v1/me/matches")).json()]
    assert good in listed and set(listed) <= {good, bad}
    answer = await guest.get(f"/api/v1/matches/{bad}")
    assert answer.status_code == 410 and answer.json()["error"]["code"] == "damaged"
