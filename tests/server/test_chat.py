"""Chat at a match."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sheshbesh.server.tables.chat import clean_text
from tests.server.visitors import Browser, Socket, Visitors, visited_site

pytestmark = pytest.mark.anyio


class Two(NamedTuple):
    nava: Browser
    omer: Browser
    mine: Socket
    theirs: Socket
    match: str


@pytest.fixture
async def two(visitors: Visitors) -> AsyncIterator[Two]:
    async with AsyncExitStack() as stack:
        nava = await stack.enter_async_context(visitors.user("Nava"))
        omer = await stack.enter_async_context(visitors.user("Omer"))
        match, mine, theirs = await sit_down(stack, nava, omer)
        yield Two(nava, omer, mine, theirs, match)


async def sit_down(stack: AsyncExitStack, nava: Browser, omer: Browser) -> tuple[str, Socket, Socket]:
    made = await nava.post("matches", {"card": "tavla.p1", "opponent": {"kind": "friend"}})
    match = (await omer.post(f"invites/{made['invite'].removeprefix('/j/')}"))["id"]
    mine = await stack.enter_async_context(nava.socket(f"/ws/match/{match}"))
    theirs = await stack.enter_async_context(omer.socket(f"/ws/match/{match}"))
    for line in (mine, theirs):
        await line.until("state")
    return match, mine, theirs


async def say(line: Socket, **said: str) -> dict[str, Any] | None:
    """What is said by a line; the refusal if it was refused."""
    await line.send({"t": "say", "ref": "r", "d": said})
    async for text in line.line:
        message = json.loads(text)
        if message.get("ref") == "r":
            return None if message["t"] == "ack" else dict(message["d"])
    raise AssertionError("the line was closed")


async def test_players_hear_each_other_and_those_who_come_later_read_it(two: Two) -> None:
    assert await say(two.mine, text="  <b>selam\u202e!\n ") is None
    heard = (await two.theirs.until("chat"))["d"]
    assert (heard["by"], heard["text"], heard["n"]) == ("Nava", "<b>selam !", 1)
    async with two.omer.socket(f"/ws/match/{two.match}") as again:
        assert (await again.until("chat"))["d"] == heard


async def test_unknown_phrases_and_long_texts_are_refused(two: Two) -> None:
    for said in ({"phrase": "nonsense"}, {"text": "x" * 201}, {"text": "\u202e"}):
        refusal = await say(two.mine, **said)
        assert refusal is not None and refusal["rule"].startswith("chat.")


async def test_watchers_read_and_do_not_talk(two: Two, visitors: Visitors) -> None:
    async with visitors.guest() as other, other.socket(f"/ws/match/{two.match}") as line:
        await line.until("state")
        refusal = await say(line, phrase="hello")
        assert refusal is not None and refusal["rule"] == "chat.players"
        await say(two.mine, phrase="hello")
        assert (await line.until("chat"))["d"]["phrase"] == "hello"


async def test_who_takes_phrases_only_is_told_phrases_only(two: Two) -> None:
    await two.omer.ask("PUT", "me/settings", {"free_chat": False})
    refusal = await say(two.mine, text="selam")
    assert refusal is not None and refusal["rule"] == "chat.phrases"
    assert await say(two.mine, phrase="hello") is None


async def test_who_is_blocked_is_not_heard(two: Two) -> None:
    await two.omer.post("users/nava/block")
    refusal = await say(two.mine, phrase="hello")
    assert refusal is not None and refusal["rule"] == "chat.apart"


async def test_nobody_talks_without_a_pause(tmp_path: Path) -> None:
    async with visited_site(f"sqlite:///{tmp_path}/s.db", limits=True) as visitors, AsyncExitStack() as stack:
        nava = await stack.enter_async_context(visitors.guest())
        omer = await stack.enter_async_context(visitors.guest())
        _, mine, _ = await sit_down(stack, nava, omer)
        said = [await say(mine, phrase="hello") for _ in range(9)]
    assert said[0] is None and said[-1] is not None and said[-1]["rule"] == "chat.slow"


async def test_free_text_can_be_off_for_the_whole_site(tmp_path: Path) -> None:
    async with (
        visited_site(f"sqlite:///{tmp_path}/s.db", free_chat=False) as visitors,
        AsyncExitStack() as stack,
    ):
        nava = await stack.enter_async_context(visitors.guest())
        omer = await stack.enter_async_context(visitors.guest())
        _, mine, _ = await sit_down(stack, nava, omer)
        refusal = await say(mine, text="selam")
        assert refusal is not None and refusal["rule"] == "chat.phrases"
        assert await say(mine, phrase="hello") is None


def test_text_is_one_line_and_persian_stays_persian() -> None:
    assert clean_text("می\u200cخواهم\x00 \u2066بیا\u2069\r\n") == "می\u200cخواهم بیا"
