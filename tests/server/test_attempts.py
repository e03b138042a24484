"""Wrong passwords: few may be tried for a name, and nobody is locked out of their own account by others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from itertools import count

import httpx
import pytest
from fastapi import FastAPI

from sheshbesh.server.http.failure import Failure
from sheshbesh.server.people import attempts
from sheshbesh.server.people.attempts import MOST, Attempts
from sheshbesh.server.storage import Database
from tests.server.authenticator import Authenticator
from tests.server.conftest import ORIGIN
from tests.server.test_accounts import NAMED, PASSWORD, claim, enter, log_in, register

pytestmark = pytest.mark.anyio

HOUR = 3600 * 1000


class Clock:
    """The time of the attempts, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000 * HOUR
        monkeypatch.setattr(attempts, "now_ms", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def test_twenty_wrong_passwords_are_all_in_any_hour(database: Database, clock: Clock) -> None:
    tried = Attempts(database)
    for _ in range(MOST):
        await tried.begin("Nava")
        clock.now += 60_000
    with pytest.raises(Failure, match="try again in 40 min") as caught:
        await tried.begin("nava")
    assert caught.value.status_code == 429 and caught.value.headers == {"Retry-After": "2400"}
    await tried.begin("Mani")
    await tried.begin("Nava", "a known browser")
    clock.now += 40 * 60_000
    await tried.begin("Nava")
    with pytest.raises(Failure):
        await tried.begin("Nava")


async def test_attempts_at_the_same_time_all_count(database: Database, clock: Clock) -> None:
    # Two processes, one database.
    tries = [Attempts(database).begin("Nava") for _ in range(MOST + 12)]
    found = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(each, attempts.Attempt) for each in found) == MOST


async def test_a_right_password_costs_nothing(database: Database, clock: Clock) -> None:
    tried = Attempts(database)
    for _ in range(MOST + 5):
        await tried.forgive(await tried.begin("Nava"))


async def test_a_clock_that_was_ahead_locks_nobody_out(database: Database, clock: Clock) -> None:
    tried = Attempts(database)
    clock.now += 1_000 * HOUR
    for _ in range(MOST):
        await tried.begin("Nava")
    clock.now -= 1_000 * HOUR
    await tried.begin("Nava")


Somewhere = Callable[[], httpx.AsyncClient]


@pytest.fixture
async def somewhere(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Somewhere]:
    """Makes browsers, each at an address of its own; passwords are checked without argon2's slowness."""

    async def verify(kept: str | None, password: str) -> bool:
        return kept is not None and password == PASSWORD

    monkeypatch.setattr(app.state.site.accounts.passwords, "verify", verify)
    numbers = count(1)
    async with AsyncExitStack() as stack:

        def make() -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app, client=(f"10.0.0.{next(numbers)}", 1))
            client = httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers={"Origin": ORIGIN})
            stack.push_async_callback(client.aclose)
            return client

        yield make


async def guess(somewhere: Somewhere, name: str, times: int) -> list[int]:
    """Wrong passwords for a name from many addresses, five from each; the answers' codes."""
    found = []
    for part in range(0, times, 5):
        client = somewhere()
        for _ in range(min(5, times - part)):
            found.append((await log_in(client, name, "wrong password")).status_code)
    return found


async def test_many_spellings_and_addresses_are_one_name(somewhere: Somewhere) -> None:
    await claim(somewhere(), "O'Hara Ali")
    spellings = ["O'Hara Ali", "o’hara ali", "Ｏ'hara Ali", "O'HARA ALI"]
    found = []
    for spelling in spellings:
        found += await guess(somewhere, spelling, 10)
    assert found == [401] * MOST + [429] * (len(found) - MOST)


async def test_guesses_of_strangers_do_not_lock_out_a_known_browser(somewhere: Somewhere) -> None:
    mine, elsewhere = somewhere(), somewhere()
    await claim(mine, "Nava")
    assert (await log_in(elsewhere, "Nava")).status_code == 200
    for client in (mine, elsewhere):
        await client.post("/api/v1/logout", json={})
    assert (await guess(somewhere, "Nava", MOST + 1))[-1] == 429
    for client in (mine, elsewhere):
        assert (await log_in(client, "Nava", "wrong password")).status_code == 401
        assert (await log_in(client, "Nava")).status_code == 200
    stranger = somewhere()
    answer = await log_in(stranger, "Nava")
    assert answer.status_code == 429 and answer.json()["error"]["code"] == "too_many_passwords"


async def test_a_known_browser_has_an_allowance_and_no_more(somewhere: Somewhere) -> None:
    mine = somewhere()
    await claim(mine, "Nava")
    found = [(await log_in(mine, "Nava", "wrong password")).status_code for _ in range(MOST + 1)]
    assert found == [401] * MOST + [429]


async def test_a_browser_known_to_one_is_a_stranger_to_others(somewhere: Somewhere) -> None:
    mine = somewhere()
    await claim(mine, "Mallory")
    await claim(somewhere(), "Nava")
    await guess(somewhere, "Nava", MOST)
    assert (await log_in(mine, "Nava")).status_code == 429
    forged = somewhere()
    forged.cookies.set("sheshbesh-known", "x.y.z")
    assert (await log_in(forged, "Nava")).status_code == 429


async def test_a_passkey_opens_what_passwords_no_longer_do(somewhere: Somewhere) -> None:
    key, mine = Authenticator(NAMED["Origin"]), somewhere()
    await register(await guest(mine), key, "Nava")
    stranger = somewhere()
    found = [(await log_in(stranger, "Nava", "wrong password")).status_code for _ in range(12)]
    assert found[-1] == 429
    await guess(somewhere, "Nava", MOST)
    answer, _ = await enter(stranger, key)
    assert answer.status_code == 200


async def guest(client: httpx.AsyncClient) -> httpx.AsyncClient:
    await client.post("/api/v1/guest", json={})
    return client
