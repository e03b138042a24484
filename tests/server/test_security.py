"""What somebody with bad intent would try."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from sheshbesh.server.http.cookies import sign, unsign
from sheshbesh.server.http.security import LARGEST_BODY
from sheshbesh.server.limits import Limiter
from tests.server.conftest import ORIGIN, running_app
from tests.server.visitors import Socket, Visitors, visited_site

pytestmark = pytest.mark.anyio

HOTSEAT = {"card": "tavla.p1.dice-typed", "opponent": {"kind": "hotseat"}}


async def send_all(line: Socket, messages: Sequence[object]) -> None:
    """Send messages and wait for ever."""
    for message in messages:
        await line.send(message)
    await line.until("never")


async def test_nobody_acts_in_the_match_of_another(visitors: Visitors) -> None:
    async with visitors.guest() as nava, visitors.guest() as other:
        match = (await nava.post("matches", HOTSEAT))["id"]
        async with other.socket(f"/ws/match/{match}") as line:
            state = await line.until("state")
            assert state["d"]["you"] == [] and "choices" not in state["d"]
            for extra in ({}, {"as": "white"}, {"as": "black"}):
                do = {"t": "do", "ref": "a", "key": state["key"], "d": {"type": "ready"}, **extra}
                await line.send(do)
                assert (await line.until("refused"))["d"]["rule"] == "wire.seat"
        assert (await other.ask("POST", f"matches/{match}/rematch", {})).status_code == 403


async def test_a_cookie_opens_no_socket_of_its_own_after_logout(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        match = (await nava.post("matches", HOTSEAT))["id"]
        kept = dict(nava.client.cookies)
        await nava.post("logout")
        nava.client.cookies.update(kept)
        async with nava.socket(f"/ws/match/{match}") as line:
            assert (await line.until("state"))["d"]["you"] == []


async def test_no_page_of_another_site_opens_a_socket(visitors: Visitors) -> None:
    others = ("https://evil.example", visitors.origin.replace("http", "https"), visitors.origin + "0", "null")
    async with visitors.guest() as nava:
        for path in ("/ws/lobby", "/ws/match/x"):
            for origin in others:
                with pytest.raises(InvalidStatus):
                    async with nava.socket(path, Origin=origin):
                        pass


async def test_a_socket_that_floods_is_closed(tmp_path: Path) -> None:
    async with visited_site(f"sqlite:///{tmp_path}/s.db", limits=True) as visitors, visitors.guest() as nava:
        match = (await nava.post("matches", HOTSEAT))["id"]
        async with nava.socket(f"/ws/match/{match}") as line:
            with pytest.raises(ConnectionClosed) as caught:
                await send_all(line, [{"t": "ping"}] * 1000)
        assert caught.value.rcvd is not None and caught.value.rcvd.code == 4429
        async with nava.socket(f"/ws/match/{match}") as line:  # the match itself is well
            assert (await line.until("state"))["d"]["you"] == ["white", "black"]


async def test_frames_that_are_too_long_or_no_messages_close_the_socket(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        match = (await nava.post("matches", HOTSEAT))["id"]
        fly = {"t": "do", "ref": "x", "d": {"type": "fly"}}
        bad = ["x" * 100_000, "[" * 5_000, "{", "null", '{"t":"do"}', {"t": "do", "ref": "r" * 100}, fly]
        for text in bad:
            async with nava.socket(f"/ws/match/{match}") as line:
                with pytest.raises(ConnectionClosed):
                    await send_all(line, [text])


@pytest.mark.parametrize("path", ["/ws/match/{match}", "/ws/lobby"])
async def test_frames_of_bytes_are_no_messages_and_nothing_breaks(
    visitors: Visitors, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with visitors.guest() as nava:
        match = (await nava.post("matches", HOTSEAT))["id"]
        async with nava.socket(path.format(match=match)) as line:
            with suppress(ConnectionClosed):
                await line.line.send(b"\x00\xff")
                await line.send({"t": "ping"})
                await line.until("pong")
    assert "Traceback" not in caplog.text


async def test_requests_and_guests_are_limited_and_told_when_to_come_back(tmp_path: Path) -> None:
    async with running_app(database=f"sqlite:///{tmp_path}/s.db") as app:
        origin = {"Origin": "http://127.0.0.1:8000"}
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=origin["Origin"]) as client:
            made = []
            for _ in range(40):
                client.cookies.clear()
                made.append(await client.post("/api/v1/guest", json={}, headers=origin))
            assert made[0].status_code == 200 and made[-1].status_code == 429
            app.state.site.limits.requests = Limiter(0.01, 5, what="requests")
            answers = [await client.get("/api/v1/me") for _ in range(6)]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert answers[-1].json()["error"]["text"]


async def test_a_site_on_every_address_takes_the_one_it_was_reached_by(tmp_path: Path) -> None:
    database, here = f"sqlite:///{tmp_path}/s.db", "http://192.168.1.5:8000"
    async with (
        running_app(host="0.0.0.0", secret="s" * 32, database=database) as app,
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=here) as client,
    ):
        for origin, status in ((here, 200), ("http://evil.example", 403), ("http://192.168.1.5:8001", 403)):
            answer = await client.post("/api/v1/guest", json={}, headers={"Origin": origin})
            assert answer.status_code == status, origin


async def test_a_body_that_does_not_say_how_long_it_is_is_counted(client: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(LARGEST_BODY // 1024 + 2):
            yield b"x" * 1024

    answer = await client.post(
        "/api/v1/login", content=endless(), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413


async def test_the_page_comes_with_a_policy_that_forbids_what_it_does_not_need(
    client: httpx.AsyncClient,
) -> None:
    for path in ("/", "/m/abc", "/lobby"):
        answer = await client.get(path)
        assert answer.status_code == 200 and "<html" in answer.text
        policy = answer.headers["content-security-policy"]
        # WebAssembly alone is compiled: the engine of the analysis board.
        assert "unsafe" not in policy.replace("script-src 'self' 'wasm-unsafe-eval';", "")
        assert "frame-ancestors 'none'" in policy


def test_a_signature_is_good_for_its_purpose_and_its_text_alone() -> None:
    signed = sign("secret", "cookie", "abc")
    assert unsign("secret", "cookie", signed) == "abc"
    assert unsign("secret", "link", signed) is None
    assert unsign("another", "cookie", signed) is None
    assert unsign("secret", "cookie", signed.replace("abc", "abd")) is None
    assert unsign("secret", "cookie", "abc") is None
    assert unsign("secret", "cookie", "") is None


async def test_characters_that_no_text_has_are_bad_input_and_no_fault(database_url: str) -> None:
    async with running_app(database=database_url) as app:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        headers = {"Origin": ORIGIN, "Content-Type": "application/json"}
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as client:
            await client.post("/api/v1/guest", json={})
            for text in ("\x00", "a\x00b", "\ud800"):
                sent = quote(text, errors="replace")
                for method, path, body in (
                    ("PUT", "me/settings", {"a": text}),
                    ("POST", "login", {"name": text, "password": text}),
                    ("POST", "account/claim", {"name": text, "password": "long enough"}),
                    ("POST", "passkeys/register/finish", {"state": text, "credential": {}, "name": text}),
                    ("POST", "seeks", {"card": text}),
                    ("POST", f"seeks/{sent}/accept", {}),
                    *(("GET", f"{what}/{sent}", None) for what in ("users", "matches", "invites")),
                ):
                    content = None if body is None else json.dumps(body)
                    answer = await client.request(method, f"/api/v1/{path}", content=content)
                    assert answer.status_code < 500, (method, path, answer.text)
            assert (await client.get("/api/v1/me")).status_code == 200
