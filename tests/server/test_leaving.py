"""Deleting an account: what goes, what stays for the others, and what must be done before."""

from __future__ import annotations

import pytest
from sqlalchemy import Table, func, select, update

from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.names import NOBODY
from sheshbesh.server.storage import tables
from tests.server.authenticator import Authenticator
from tests.server.test_users import play
from tests.server.visitors import Browser, Visitors

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse battery"


async def rows(visitors: Visitors, table: Table) -> int:
    found = await visitors.site.database.first(select(func.count()).select_from(table))
    assert found is not None
    return int(found[0])


async def invited(host: Browser, friend: Browser, card: str = "tavla.p1") -> str:
    made = await host.post("matches", {"card": card, "opponent": {"kind": "friend"}})
    return str((await friend.post(f"invites/{made['invite'].removeprefix('/j/')}"))["id"])


async def test_what_was_mine_goes_and_the_match_stays_for_the_other(anywhere: Visitors) -> None:
    async with anywhere.user("Nava") as nava, anywhere.user("Omer") as omer:
        match, winner = await play(nava, omer, rated=True)
        for other, path in ((nava, "omer"), (omer, "nava")):
            await other.ask("PUT", f"users/{path}/notes", {"text": "plays slowly"})
            await other.post(f"users/{path}/block")
        await nava.post("tokens", {"name": "t", "scopes": ["read"]})
        await nava.post("bots", {"name": "Navabot"})
        await nava.post("matches", {"card": "tapa.p1", "opponent": {"kind": "hotseat"}})
        await nava.post("matches", {"card": "tapa.p1", "opponent": {"kind": "friend"}})
        await nava.post("seeks", {"card": "tapa.p1"})
        async with nava.socket(f"/ws/match/{match}") as line, omer.socket(f"/ws/match/{match}") as theirs:
            await line.until("state")
            await theirs.until("state")
            await nava.post("account/delete")
            await line.until_closed()
            await theirs.until_closed()
        assert (await nava.ask("GET", "me")).status_code == 401
        assert (await omer.ask("GET", "users/nava")).status_code == 404
        for table in (tables.tokens, tables.notes, tables.blocks, tables.seeks, tables.passkeys):
            assert await rows(anywhere, table) == 0, table.name
        for table in (tables.users, tables.sign_ins, tables.matches, tables.ratings, tables.rated_matches):
            assert await rows(anywhere, table) == 1, table.name

        (entry,) = await omer.get("users/omer/matches")
        assert (entry["id"], entry["winner"]) == (match, winner)
        assert entry["players"]["white"] == {"name": NOBODY, "level": None}
        assert (await omer.get(f"matches/{match}"))["players"]["white"] == {
            "name": NOBODY, "kind": "guest", "level": None, "id": None, "rating": None,
        }  # fmt: skip
        record = (await omer.ask("GET", f"matches/{match}/record")).text
        assert "Nava" not in record and NOBODY in record
        assert (await omer.get("users/omer"))["ratings"][0]["matches"] == 1
        async with omer.socket(f"/ws/match/{match}") as theirs:
            state = (await theirs.until("state"))["d"]
            assert state["phase"] == "over" and state["players"]["white"]["name"] == NOBODY
        again = await omer.ask("POST", f"matches/{match}/rematch", {})
        assert again.status_code == 409


async def test_a_match_with_somebody_must_be_ended_first(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        match = await invited(nava, omer)
        refused = await nava.ask("POST", "account/delete", {})
        error = refused.json()["error"]
        assert (refused.status_code, error["code"], error["where"]) == (409, "still_playing", match)
        assert (await nava.get("users/nava"))["playing"] == [match]


async def test_nobody_takes_the_name_for_half_a_year(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.guest() as other:
        await nava.post("account/delete")
        wish = {"name": "NAVA", "password": PASSWORD}
        taken = await other.ask("POST", "account/claim", wish)
        assert taken.status_code == 409 and taken.json()["error"]["code"] == "taken"
        await visitors.site.database.write(update(tables.retired_names).values(until=now_ms() - 1))
        assert (await other.post("account/claim", wish))["user"]["name"] == "NAVA"


async def test_a_user_with_a_password_gives_it_again(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        await nava.post("account/claim", {"name": "Nava", "password": PASSWORD})
        for body in ({}, {"password": "wrong password"}):
            refused = await nava.ask("POST", "account/delete", body)
            assert refused.status_code == 401
        assert (await nava.post("account/delete", {"password": PASSWORD})) == {}
        assert (await nava.ask("GET", "me")).status_code == 401


async def test_a_passkey_proves_it_too_but_not_that_of_another(visitors: Visitors) -> None:
    named = visitors.origin.replace("127.0.0.1", "localhost")

    async def register(browser: Browser, key: Authenticator) -> None:
        browser.client.headers["Origin"] = named
        begun = await browser.post("passkeys/register/begin", {})
        body = {"state": begun["state"], "credential": key.create(begun["options"])}
        await browser.post("passkeys/register/finish", body)

    async def proof(browser: Browser, key: Authenticator) -> dict[str, object]:
        begun = await browser.post("passkeys/login/begin", {})
        return {"passkey": {"state": begun["state"], "credential": key.get(begun["options"])}}

    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        mine, theirs = Authenticator(named), Authenticator(named)
        await register(nava, mine)
        await register(omer, theirs)
        refused = await nava.ask("POST", "account/delete", await proof(nava, theirs))
        assert refused.status_code == 401 and refused.json()["error"]["code"] == "other_account"
        assert (await nava.ask("POST", "account/delete", {})).status_code == 401
        assert (await nava.post("account/delete", await proof(nava, mine))) == {}


async def test_a_bot_is_deleted_by_its_owner_alone(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        await nava.post("bots", {"name": "Navabot"})
        assert (await omer.ask("DELETE", "bots/Navabot")).status_code == 404
        assert (await nava.ask("DELETE", "bots/Navabot")).status_code == 200
        assert await nava.get("bots") == []
        assert (await nava.get("me"))["user"]["name"] == "Nava"


async def test_nobody_takes_the_name_of_those_who_left(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        answer = await nava.ask("POST", "account/claim", {"name": NOBODY, "password": PASSWORD})
        assert answer.status_code == 422
