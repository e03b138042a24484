"""Recovery codes: shown once, used once, and guessed no faster than passwords."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from sheshbesh.server.people.passwords import MOST, SHORTEST
from sheshbesh.server.people.recovery import NUMBER, typed_code
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage.tables import recovery_codes, tokens
from tests.server.visitors import Visitors, visited_site

pytestmark = pytest.mark.anyio


OLD, NEW = "correct horse battery", "staple of the stable"


async def test_a_lost_password_is_replaced_by_a_code_that_is_good_once(visitors: Visitors) -> None:
    async with visitors.guest() as nava, visitors.guest() as elsewhere:
        assert (await nava.ask("POST", "account/codes", {})).status_code == 409
        await nava.post("account/claim", {"name": "Nava", "password": OLD})
        assert (await nava.ask("POST", "account/codes", {"password": "not mine"})).status_code == 401
        codes = (await nava.post("account/codes", {"password": OLD}))["codes"]
        assert len(set(codes)) == NUMBER == (await nava.get("account"))["codes"]
        kept = await visitors.site.database.all(select(recovery_codes))
        assert all(row.hash.startswith("$argon2id$") for row in kept)
        assert not any(typed_code(code)[1:] in row.hash for code in codes for row in kept)
        await nava.post("tokens", {"name": "t", "scopes": ["read"]})
        calendar = (await nava.get("me/calendar"))["url"]
        assert (await elsewhere.client.get(calendar)).status_code == 200

        lost = {"name": "nava", "code": codes[0].lower().replace("-", " "), "password": NEW}
        short = await elsewhere.ask("POST", "account/recover", lost | {"password": "x" * (SHORTEST - 1)})
        assert short.status_code == 422 and short.json()["error"]["where"] == "password"
        assert (await elsewhere.post("account/recover", lost))["user"]["name"] == "Nava"
        assert (await elsewhere.get("account"))["codes"] == NUMBER - 1
        assert (await nava.ask("GET", "me")).status_code == 401, "other browsers are signed out"
        assert await visitors.site.database.all(select(tokens)) == []
        assert (await elsewhere.client.get(calendar)).status_code == 404
        again = await nava.ask("POST", "account/recover", lost)
        assert again.status_code == 401 and again.json()["error"]["code"] == "wrong_code"
        await nava.post("login", {"name": "Nava", "password": NEW})
        assert (await nava.ask("POST", "login", {"name": "Nava", "password": OLD})).status_code == 401


async def test_new_codes_end_the_old_ones(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava:
        first = (await nava.post("account/codes", {}))["codes"]
        second = (await nava.post("account/codes", {}))["codes"]
        lost = {"name": "Nava", "password": NEW}
        assert (await nava.ask("POST", "account/recover", lost | {"code": first[0]})).status_code == 401
        await nava.post("account/recover", lost | {"code": second[0]})


async def test_codes_are_guessed_no_oftener_than_passwords(tmp_path: Path) -> None:
    site = visited_site(f"sqlite:///{tmp_path}/site.db", limits=True)
    async with site as visitors, visitors.user("Nava") as nava:
        people = visitors.site.people
        codes = (await nava.post("account/codes", {}))["codes"]
        for n in range(MOST):
            wrong = (
                people.accounts.log_in("Nava", "x") if n % 2 else people.recovery.use("nava", "A" * 12, NEW)
            )
            with pytest.raises(Failure) as caught:
                await wrong
            assert caught.value.status_code == 401
        with pytest.raises(Failure) as caught:
            await people.recovery.use("Nava", codes[0], NEW)
        assert caught.value.status_code == 429


@pytest.mark.parametrize("name", ["Nava", "Nobody here"])
async def test_a_code_that_is_none_says_no_more_than_that(visitors: Visitors, name: str) -> None:
    async with visitors.user("Nava") as nava:
        for code in ("", "-", "K7QF-2M9D-XW4H", "ـ" * 90):
            body = {"name": name, "code": code, "password": NEW}
            answer = await nava.ask("POST", "account/recover", body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "wrong_code")
