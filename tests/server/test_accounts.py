"""Accounts: names, passwords, passkeys, sign-ins, tokens, bots."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from webauthn.helpers import encode_cbor

from sheshbesh.server.people.person import clean_name, folded
from sheshbesh.server.refusals import Failure
from tests.server.authenticator import Authenticator
from tests.server.conftest import NewClient

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse battery"
NAMED = {"Origin": "http://localhost:8000"}


async def claim(client: httpx.AsyncClient, name: str, password: str = PASSWORD) -> httpx.Response:
    await client.post("/api/v1/guest", json={})
    return await client.post("/api/v1/account/claim", json={"name": name, "password": password})


async def log_in(client: httpx.AsyncClient, name: str, password: str = PASSWORD) -> httpx.Response:
    return await client.post("/api/v1/login", json={"name": name, "password": password})


def code(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["code"])


@pytest.mark.parametrize("name", ["Nava", "نوا", "می\u200cخواهم", "Чёрный", "Ömer K.", "O-Ren", "ali_7", "a"])
def test_names_of_all_scripts_are_names(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " a",
        "a  b",
        "x" * 21,
        "a\nSet-Cookie: b",
        "a\r",
        "a\u202eb",
        "\u2066a",
        "a\u200bb",
        "a\u200c",
        "\ufeffa",
        "<b>",
        "a/b",
        "...",
        "e\u0301\u0302\u0303\u0304",
        "\ue000",
        "😀",
    ],
)
def test_names_that_could_deceive_are_none(name: str) -> None:
    with pytest.raises(Failure):
        clean_name(name)


def test_an_apostrophe_may_be_typed() -> None:
    assert clean_name("O'Hara") == clean_name("O’Hara") == "O’Hara"
    assert folded("O'Hara") == folded("O’Hara")


def test_names_that_look_alike_are_the_same() -> None:
    assert folded("NAVA") == folded("nava") == folded("ｎａｖａ")


async def test_a_guest_claims_a_name_and_signs_in_elsewhere(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    before = (await guest.get("/api/v1/me")).json()["user"]
    answer = await claim(guest, "Nava")
    assert answer.json()["user"] == {**before, "name": "Nava", "kind": "user"}
    other = new_client()
    assert (await log_in(other, "nava")).json()["user"]["id"] == before["id"]
    assert (await other.get("/api/v1/me")).json()["user"]["name"] == "Nava"


async def test_a_name_is_claimed_once(new_client: NewClient) -> None:
    assert (await claim(new_client(), "Nava")).status_code == 200
    taken = await claim(new_client(), "NAVA")
    assert taken.status_code == 409 and code(taken) == "taken"


async def test_what_cannot_be_claimed(guest: httpx.AsyncClient) -> None:
    for name, password in (("server", PASSWORD), ("Guest 1", PASSWORD), ("Nava", "short")):
        assert (await claim(guest, name, password)).status_code == 422, name


async def test_a_wrong_password_says_nothing_about_the_name(
    guest: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    await claim(guest, "Nava")
    wrong, nobody = await log_in(client, "Nava", "wrong password"), await log_in(client, "Nobody")
    assert wrong.status_code == nobody.status_code == 401
    assert wrong.json() == nobody.json()


async def test_passwords_cannot_be_tried_for_long(client: httpx.AsyncClient) -> None:
    answers = [await log_in(client, "Nava", "wrong password") for _ in range(12)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0


async def test_signing_in_ends_the_guest_and_gives_a_new_cookie(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    await claim(guest, "Nava")
    other = new_client()
    await other.post("/api/v1/guest", json={})
    before = other.cookies["sheshbesh"]
    await log_in(other, "Nava")
    assert other.cookies["sheshbesh"] != before
    stale = new_client()
    stale.cookies.set("sheshbesh", before)
    assert (await stale.get("/api/v1/me")).status_code == 401


@pytest.mark.parametrize("step", ["claim", "password"])
async def test_another_person_who_knew_the_cookie_does_not_come_in_with_the_account(
    guest: httpx.AsyncClient, new_client: NewClient, step: str
) -> None:
    if step == "password":
        await claim(guest, "Nava")
    other = new_client()
    other.cookies.set("sheshbesh", guest.cookies["sheshbesh"])
    assert (await other.get("/api/v1/me")).status_code == 200
    if step == "claim":
        await claim(guest, "Nava")
    else:
        body = {"old": PASSWORD, "new": "another long password"}
        assert (await guest.post("/api/v1/account/password", json=body)).status_code == 200
    assert (await guest.get("/api/v1/me")).json()["user"]["name"] == "Nava"
    assert (await other.get("/api/v1/me")).status_code == 401
    assert len((await guest.get("/api/v1/me/sign-ins")).json()) == 1


async def calendar_of(client: httpx.AsyncClient) -> str:
    """The address of the calendar of somebody who is signed in, which can be read."""
    address = str((await client.get("/api/v1/me/calendar")).json()["url"])
    assert (await client.get(address)).status_code == 200
    return address


async def is_withdrawn(address: str, client: httpx.AsyncClient) -> bool:
    """Return True if a calendar has another address by now, and this one is worth nothing."""
    return (await client.get(address)).status_code == 404 and await calendar_of(client) != address


async def test_sign_ins_are_listed_and_can_be_ended(guest: httpx.AsyncClient, new_client: NewClient) -> None:
    await claim(guest, "Nava")
    other = new_client()
    await log_in(other, "Nava")
    listed = (await guest.get("/api/v1/me/sign-ins")).json()
    assert len(listed) == 2 and sum(entry["this"] for entry in listed) == 1
    (there,) = (entry for entry in listed if not entry["this"])
    calendar = await calendar_of(guest)
    assert await calendar_of(other) == calendar
    await guest.request("DELETE", f"/api/v1/me/sign-ins/{there['id']}", headers=JSON)
    assert await is_withdrawn(calendar, guest)
    assert (await other.get("/api/v1/me")).status_code == 401
    assert (await guest.get("/api/v1/me")).status_code == 200


async def test_all_other_browsers_are_signed_out_at_once(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    await claim(guest, "Nava")
    others = [new_client(), new_client()]
    for other in others:
        await log_in(other, "Nava")
    calendar = await calendar_of(guest)
    ended = await guest.request("DELETE", "/api/v1/me/sign-ins", headers=JSON)
    assert ended.json() == {"ended": 2}
    assert await is_withdrawn(calendar, guest)
    assert [(await other.get("/api/v1/me")).status_code for other in others] == [401, 401]
    assert (await guest.get("/api/v1/me")).status_code == 200


async def test_nobody_ends_the_sign_in_of_another(guest: httpx.AsyncClient, new_client: NewClient) -> None:
    (mine,) = (await guest.get("/api/v1/me/sign-ins")).json()
    other = new_client()
    await other.post("/api/v1/guest", json={})
    answer = await other.request("DELETE", f"/api/v1/me/sign-ins/{mine['id']}", headers=JSON)
    assert answer.status_code == 404
    assert (await guest.get("/api/v1/me")).status_code == 200


async def test_a_new_password_signs_out_everywhere_else(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    await claim(guest, "Nava")
    other = new_client()
    await log_in(other, "Nava")
    wrong = await guest.post("/api/v1/account/password", json={"old": "no", "new": "another password"})
    assert wrong.status_code == 401
    calendar = await calendar_of(guest)
    await guest.post("/api/v1/account/password", json={"old": PASSWORD, "new": "another password"})
    assert await is_withdrawn(calendar, guest)
    assert (await other.get("/api/v1/me")).status_code == 401
    assert (await log_in(other, "Nava")).status_code == 401
    assert (await log_in(other, "Nava", "another password")).status_code == 200


async def test_a_new_password_cuts_ones_sockets_after_the_new_cookie_is_given(
    guest: httpx.AsyncClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    await claim(guest, "Nava")
    me = (await guest.get("/api/v1/me")).json()["user"]["id"]
    people, ended = app.state.site.people, []

    def signed_out(_: object, user: str) -> None:
        asyncio.get_running_loop()  # where those who hear of it spawn what ends the sockets
        ended.append(user)

    monkeypatch.setattr(type(people), "signed_out", signed_out)
    await guest.post("/api/v1/account/password", json={"old": PASSWORD, "new": "another password"})
    assert ended == [me]


JSON = {"Content-Type": "application/json"}


# Passkeys


async def register(client: httpx.AsyncClient, key: Authenticator, name: str = "") -> httpx.Response:
    begun = await client.post("/api/v1/passkeys/register/begin", json={"name": name}, headers=NAMED)
    if begun.status_code != 200:
        return begun
    made = {"state": begun.json()["state"], "credential": key.create(begun.json()["options"])}
    body = {**made, "name": name, "label": "my phone"}
    return await client.post("/api/v1/passkeys/register/finish", json=body, headers=NAMED)


async def enter(client: httpx.AsyncClient, key: Authenticator) -> tuple[httpx.Response, dict[str, Any]]:
    begun = (await client.post("/api/v1/passkeys/login/begin", json={}, headers=NAMED)).json()
    body = {"passkey": {"state": begun["state"], "credential": key.get(begun["options"])}}
    return await client.post("/api/v1/login", json=body, headers=NAMED), body


async def test_a_guest_claims_a_name_by_a_passkey_and_signs_in_with_it(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    key = Authenticator(NAMED["Origin"])
    made = await register(guest, key, "Nava")
    assert made.json()["user"]["kind"] == "user", made.text
    other = new_client()
    answer, body = await enter(other, key)
    assert answer.json()["user"]["name"] == "Nava"
    again = await other.post("/api/v1/login", json=body, headers=NAMED)
    assert again.status_code == 409  # an answer is good for one time


async def test_a_passkey_of_another_origin_does_not_hold(guest: httpx.AsyncClient) -> None:
    answer = await register(guest, Authenticator("https://evil.example"), "Nava")
    assert answer.status_code == 422


async def test_a_passkey_whose_key_is_no_map_does_not_hold(
    guest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key that is a list in CBOR."""
    listed = "tests.server.authenticator.encode_cbor"
    monkeypatch.setattr(listed, lambda it: encode_cbor([] if 3 in it else it))
    answer = await register(guest, Authenticator(NAMED["Origin"]), "Nava")
    assert answer.status_code == 422


async def test_an_unknown_passkey_is_nobody(client: httpx.AsyncClient) -> None:
    answer, _ = await enter(client, Authenticator(NAMED["Origin"]))
    assert answer.status_code == 401 and code(answer) == "unknown_key"


async def test_the_last_way_to_sign_in_stays(guest: httpx.AsyncClient) -> None:
    await register(guest, Authenticator(NAMED["Origin"]), "Nava")
    (key,) = (await guest.get("/api/v1/me/passkeys")).json()
    path = f"/api/v1/me/passkeys/{key['id']}"
    assert (await guest.request("DELETE", path, headers=JSON)).status_code == 409
    await guest.post("/api/v1/account/password", json={"new": PASSWORD})
    assert (await guest.request("DELETE", path, headers=JSON)).status_code == 200


async def test_a_passkey_has_a_name_that_its_owner_changes(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    await register(guest, Authenticator(NAMED["Origin"]), "Nava")
    (key,) = (await guest.get("/api/v1/me/passkeys")).json()
    assert key["name"] == "my phone"
    path = f"/api/v1/me/passkeys/{key['id']}"
    assert (await guest.put(path, json={"name": " blue  key "})).status_code == 200
    assert (await guest.get("/api/v1/me/passkeys")).json() == [{**key, "name": "blue key"}]
    for name in ("", " ", "a\nb\x00", "x" * 61):
        assert (await guest.put(path, json={"name": name})).status_code == 422
    other = new_client()
    await claim(other, "Omer")
    assert (await other.put(path, json={"name": "mine"})).status_code == 404


async def test_an_account_tells_whether_it_has_a_password(guest: httpx.AsyncClient) -> None:
    await register(guest, Authenticator(NAMED["Origin"]), "Nava")
    assert (await guest.get("/api/v1/account")).json()["password"] is False
    await guest.post("/api/v1/account/password", json={"new": PASSWORD})
    assert (await guest.get("/api/v1/account")).json()["password"] is True


async def test_an_address_of_numbers_says_that_it_takes_no_passkeys(guest: httpx.AsyncClient) -> None:
    answer = await guest.post("/api/v1/passkeys/register/begin", json={"name": "Nava"})
    assert answer.status_code == 409 and "localhost" in answer.json()["error"]["text"]


# Programs


async def bot_token(client: httpx.AsyncClient, name: str, scopes: list[str]) -> str:
    assert (await client.post("/api/v1/bots", json={"name": name})).status_code == 200
    body = {"name": "at home", "scopes": scopes, "bot": name}
    return str((await client.post("/api/v1/tokens", json=body)).json()["token"])


async def test_a_bot_is_marked_and_comes_with_its_token(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    await claim(guest, "Nava")
    token = await bot_token(guest, "Navabot", ["read", "play"])
    program = new_client()
    del program.headers["Origin"]
    program.headers["Authorization"] = f"Bearer {token}"
    assert (await program.get("/api/v1/me")).json()["user"]["kind"] == "bot"
    # Its address could be handed on, and would hold longer than the token.
    assert code(await program.get("/api/v1/me/calendar")) == "scope"
    (bot,) = (await guest.get("/api/v1/bots")).json()
    assert (bot["name"], bot["kind"]) == ("Navabot", "bot")
    (listed,) = (await guest.get("/api/v1/tokens")).json()
    assert listed["user"] == "Navabot" and "hash" not in listed and token not in str(listed)
    await guest.request("DELETE", f"/api/v1/tokens/{listed['id']}", headers=JSON)
    assert (await program.get("/api/v1/me")).status_code == 401


async def test_a_token_does_what_its_scopes_say_and_never_changes_the_account(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    await claim(guest, "Nava")
    answer = await guest.post("/api/v1/tokens", json={"name": "t", "scopes": ["chat"]})
    program = new_client()
    program.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    assert code(await program.get("/api/v1/me")) == "scope"
    change = await program.post("/api/v1/account/password", json={"old": PASSWORD, "new": "another password"})
    assert change.status_code == 403
    assert (await program.get("/api/v1/tokens")).status_code == 403


async def test_people_get_no_token_that_plays_and_guests_none_at_all(guest: httpx.AsyncClient) -> None:
    assert (await guest.post("/api/v1/tokens", json={"name": "t", "scopes": ["read"]})).status_code == 409
    await claim(guest, "Nava")
    assert (await guest.post("/api/v1/tokens", json={"name": "t", "scopes": ["play"]})).status_code == 422
    assert (await guest.post("/api/v1/tokens", json={"name": "t", "scopes": ["x"]})).status_code == 422


async def test_nobody_makes_a_token_for_the_bot_of_another(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    await claim(guest, "Nava")
    await bot_token(guest, "Navabot", ["play"])
    other = new_client()
    await claim(other, "Omer")
    answer = await other.post("/api/v1/tokens", json={"name": "t", "scopes": ["play"], "bot": "Navabot"})
    assert answer.status_code == 404


async def test_a_bad_token_is_refused_no_matter_whom_the_cookie_names(guest: httpx.AsyncClient) -> None:
    answer = await guest.get("/api/v1/me", headers={"Authorization": "Bearer ssb_nothing"})
    assert answer.status_code == 401 and code(answer) == "bad_token"


async def test_settings_are_kept_with_the_person(guest: httpx.AsyncClient) -> None:
    await guest.put("/api/v1/me/settings", json={"material": "felt"})
    assert (await guest.get("/api/v1/me")).json()["user"]["settings"] == {"material": "felt"}
    assert (await guest.put("/api/v1/me/settings", json={"x": "y" * 9000})).status_code == 413
    # What other pages have chosen stays.
    change = {"speed": 0, "seats": {"tapa": {"home": "left"}}}
    assert (await guest.patch("/api/v1/me/settings", json=change)).status_code == 200
    change = {"material": None, "seats": {"tavla": {"home": "right"}, "tapa": {"mine": "top"}}}
    answer = await guest.patch("/api/v1/me/settings", json=change)
    seats = {"tapa": {"home": "left", "mine": "top"}, "tavla": {"home": "right"}}
    assert answer.json() == {"settings": {"speed": 0, "seats": seats}}
    assert (await guest.get("/api/v1/me")).json()["user"]["settings"] == answer.json()["settings"]
    assert (await guest.patch("/api/v1/me/settings", json={"x": "y" * 9000})).status_code == 413
    assert (await guest.get("/api/v1/me")).json()["user"]["settings"] == answer.json()["settings"]
