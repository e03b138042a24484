"""How many matches one person may have at once: what is stored counts, however a match begins."""

from __future__ import annotations

from typing import Any

import pytest

from sheshbesh.server.tables import begin as beginnings
from tests.server.test_users import play
from tests.server.visitors import Browser, Visitors

pytestmark = pytest.mark.anyio

CARD = "tapa.p1"


@pytest.fixture(autouse=True)
def one_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beginnings, "MOST_MATCHES", 1)


async def begin(visitors: Visitors, browser: Browser) -> None:
    """A match of one's own that nobody looks at, so that no process keeps it loaded."""
    await browser.post("matches", {"card": CARD, "opponent": {"kind": "hotseat"}})
    registry = visitors.site.matches
    for room in list(registry.loaded.values()):
        registry.drop(room)
    assert not registry.loaded


async def refused(browser: Browser, path: str, body: dict[str, Any] | None = None) -> tuple[int, str]:
    answer = await browser.ask("POST", path, body or {})
    return answer.status_code, answer.json()["error"]["text"]


MINE = (429, "you can play at most 1 matches at once")


@pytest.mark.parametrize("kind", ["engine", "hotseat", "friend"])
async def test_who_has_enough_begins_no_other(visitors: Visitors, kind: str) -> None:
    async with visitors.guest() as guest:
        await begin(visitors, guest)
        assert await refused(guest, "matches", {"card": CARD, "opponent": {"kind": kind}}) == MINE


async def test_an_invitation_counts_as_a_match_of_its_maker(visitors: Visitors) -> None:
    async with visitors.guest() as guest, visitors.guest() as friend:
        made = await guest.post("matches", {"card": CARD, "opponent": {"kind": "friend"}})
        assert await refused(guest, "matches", {"card": CARD}) == MINE
        assert (await friend.post(made["invite"].replace("/j/", "invites/")))["id"] == made["id"]


async def test_who_has_enough_takes_no_invitation(visitors: Visitors) -> None:
    async with visitors.guest() as guest, visitors.guest() as friend:
        made = await guest.post("matches", {"card": CARD, "opponent": {"kind": "friend"}})
        await begin(visitors, friend)
        path = made["invite"].replace("/j/", "invites/")
        assert await refused(friend, path) == MINE
        assert (await friend.get(path))["own"] is False, "it still waits"


async def test_neither_side_of_a_seek_or_a_challenge_has_too_many(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        seek = (await nava.post("seeks", {"card": CARD}))["id"]
        challenge = (await nava.post("challenges", {"card": CARD, "to": "Omer"}))["id"]
        paths = (f"seeks/{seek}/accept", f"challenges/{challenge}/accept")
        await begin(visitors, nava)
        for path in paths:
            assert await refused(omer, path) == (409, "Nava plays 1 matches already")
        await begin(visitors, omer)
        for path in paths:
            assert await refused(omer, path) == MINE
        assert len((await omer.get("lobby"))["seeks"]) == 1, "what was refused still waits"
        assert len((await omer.get("challenges"))["to"]) == 1


async def test_a_rematch_counts_when_it_begins(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        match, _ = await play(nava, omer, rated=False)
        await begin(visitors, nava)
        assert (await nava.post(f"matches/{match}/rematch"))["id"] is None
        assert await refused(omer, f"matches/{match}/rematch") == (409, "Nava plays 1 matches already")
        await begin(visitors, omer)
        assert await refused(omer, f"matches/{match}/rematch") == MINE
