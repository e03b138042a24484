"""Guests, cookies, and what every request goes through."""

from __future__ import annotations

import httpx
import pytest

from sheshbesh.server.http.security import LARGEST_BODY
from tests.server.conftest import NewClient

pytestmark = pytest.mark.anyio


async def test_a_stranger_is_nobody_until_they_are_a_guest(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/v1/me")
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "unknown"
    made = (await client.post("/api/v1/guest", json={})).json()["user"]
    assert made["kind"] == "guest"
    assert (await client.get("/api/v1/me")).json()["user"] == made


async def test_a_guest_stays_the_same_guest(guest: httpx.AsyncClient) -> None:
    before = (await guest.get("/api/v1/me")).json()
    assert (await guest.post("/api/v1/guest", json={})).json() == before


async def test_a_cookie_is_worth_nothing_after_logout(guest: httpx.AsyncClient) -> None:
    kept = dict(guest.cookies)
    assert (await guest.post("/api/v1/logout", json={})).status_code == 200
    guest.cookies.update(kept)
    assert (await guest.get("/api/v1/me")).status_code == 401


async def test_a_cookie_is_not_readable_by_scripts_and_stays_on_this_site(client: httpx.AsyncClient) -> None:
    cookie = (await client.post("/api/v1/guest", json={})).headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie


async def test_a_forged_cookie_is_none(guest: httpx.AsyncClient, new_client: NewClient) -> None:
    cookie = guest.cookies["sheshbesh"]
    for forged in (cookie[:-1], "x" + cookie, "", "."):
        client = new_client()
        client.cookies.set("sheshbesh", forged)
        assert (await client.get("/api/v1/me")).status_code == 401, forged


async def test_a_page_of_another_site_cannot_act(guest: httpx.AsyncClient) -> None:
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "", "Sec-Fetch-Site": "cross-site"},
    ):
        answer = await guest.post("/api/v1/logout", json={}, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin"), headers
        assert (await guest.get("/api/v1/me")).status_code == 200


async def test_a_form_cannot_act(guest: httpx.AsyncClient) -> None:
    answer = await guest.post("/api/v1/logout", data={"a": "b"})
    assert answer.status_code == 415
    assert (await guest.post("/api/v1/logout")).status_code == 415


async def test_a_body_that_is_too_large_is_refused(guest: httpx.AsyncClient) -> None:
    body = b'{"a":"' + b"x" * LARGEST_BODY + b'"}'
    headers = {"Content-Type": "application/json"}
    assert (await guest.post("/api/v1/guest", content=body, headers=headers)).status_code == 413


async def test_every_answer_binds_the_browser(client: httpx.AsyncClient) -> None:
    for path in ("/api/v1/me", "/api/v1/health", "/nowhere"):
        headers = (await client.get(path)).headers
        policy = headers["content-security-policy"].split("; ")
        assert policy[:2] == ["default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"]
        assert headers["x-content-type-options"] == "nosniff"


async def test_the_site_is_well(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/v1/health")
    assert answer.status_code == 200 and answer.json()["ok"] is True


async def test_no_file_outside_the_page_is_served(client: httpx.AsyncClient) -> None:
    for path in ("/../errors.py", "/..%2ferrors.py", "/%2e%2e/errors.py", "/app/../../errors.py"):
        assert (await client.get(path)).status_code == 404
