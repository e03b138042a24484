"""What is missing is told, and said in JSON where it hurts."""

from __future__ import annotations

from pathlib import Path

import httpx
import psycopg
import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from sheshbesh.i18n import translate
from sheshbesh.server.engine import workers
from sheshbesh.server.storage import uptime
from tests.server.conftest import Shown, running_app
from tests.server.live import Live, client, live_site
from tests.server.visitors import Visitors
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


async def fill_up(live: Live) -> None:
    """From now on the database's file cannot grow: what a full disk does to it."""

    def limit(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    await live.site.database.write(limit)


async def away(*_: object) -> None:
    """Stands for a query of a database that is away."""
    raise ConnectionRefusedError("nobody listens")


async def ready(live: Live) -> httpx.Response:
    async with client(live.base) as stranger:
        assert (await stranger.get("/api/v1/health")).json()["ok"], "the process itself is alive"
        return await stranger.get("/api/v1/ready")


async def test_a_site_without_an_engine_is_alive_and_says_what_it_lacks(tmp_path: Path) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db") as live:  # which has no engine's processes
        answer = await ready(live)
    assert answer.status_code == 503 and answer.json() == {
        "ok": False,
        "missing": ["engine"],
        "engines": {"here": 0, "elsewhere": 0, "oldest_seconds": 0.0},
    }


async def test_a_site_with_all_it_needs_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(workers, "COMMAND", ("-c", "import sys; sys.stdin.read()"))  # never gets ready
        async with live_site(f"sqlite:///{tmp_path}/s.db", engines=True, engine_workers=1) as live:
            first = await ready(live)
    assert first.json()["missing"] == ["engine"], "its process is being started"
    async with live_site(f"sqlite:///{tmp_path}/s.db", engines=True, engine_workers=1) as live:

        async def complete() -> httpx.Response | None:
            answer = await ready(live)
            return answer if answer.status_code == 200 else None

        answer = await eventually(complete)
    assert (answer.status_code, answer.json()["ok"], answer.json()["missing"]) == (200, True, [])


async def test_a_database_that_is_gone_and_one_that_takes_nothing_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db") as live:
        monkeypatch.setattr(uptime, "_SILENCE", 0)
        with monkeypatch.context() as patch:
            patch.setattr(live.site.database, "first", away)
            answer = await ready(live)
    assert answer.json()["missing"] == ["database", "storage", "engine"]


async def test_on_a_full_disk_requests_are_answered_in_json_and_nothing_breaks(
    tmp_path: Path, shown: Shown
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/s.db") as live:
        browser = await live.browser()
        match = await browser.match("tavla.p1.dice-typed", {"kind": "hotseat"})
        await fill_up(live)
        answers = []
        for _ in range(400):
            body = {"card": "tavla.p1", "opponent": {"kind": "hotseat"}}
            answers.append(await browser.http.post("/api/v1/matches", json=body))
            if answers[-1].status_code != 200:
                break
        assert answers[-1].status_code == 503, answers[-1].text
        for _ in range(20):
            await browser.http.post("/api/v1/matches", json=body)
        assert answers[-1].json()["error"]["code"] == "unavailable"
        assert int(answers[-1].headers["retry-after"]) > 0
        assert (await browser.get(f"/matches/{match}"))["state"] == "live"
    full = [line for line in shown.lines if line != "the database stores again"]
    assert [line.partition(" cause=")[2] for line in full] == ["'database or disk is full'"]
    assert len(shown.lines) - len(full) <= 1, "small writes are stored in between"


AWAY = [
    ConnectionRefusedError("nobody listens"),
    OSError("Multiple exceptions: nobody listens"),
    psycopg.errors.CannotConnectNow("the database system is starting up"),
    psycopg.errors.TooManyConnections("sorry, too many clients already"),
    psycopg.InterfaceError("connection is closed"),
    PoolTimeoutError("QueuePool limit of size 8 overflow 0 reached"),
]
"""What reading raises while a database is away."""


@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__name__)
async def test_a_database_that_cannot_be_opened_just_now_is_503_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async with running_app(database=f"sqlite:///{tmp_path}/s.db") as app:

        async def away(*_: object) -> None:
            raise error

        monkeypatch.setattr(app.state.site.database, "first", away)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            answer = await client.get("/api/v1/matches/abc", headers={"Accept-Language": "tr"})
    assert answer.status_code == 503 and answer.json()["error"]["code"] == "unavailable"


@pytest.mark.parametrize("path", ["/ws/match/abc", "/ws/chouette/abc", "/ws/lobby"])
async def test_a_socket_that_is_opened_meanwhile_is_closed_with_a_code_and_a_sentence(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch, shown: Shown, path: str
) -> None:
    async def away(*_: object) -> None:
        raise ConnectionRefusedError("nobody listens")

    async with visitors.guest() as guest:
        for method in ("first", "all"):
            monkeypatch.setattr(visitors.site.database, method, away)
        async with guest.socket(f"{path}?lang=tr") as line:
            said = await line.until("error", code="unavailable")
            await line.until_closed(4503)
    assert said["d"]["text"] == translate(
        "the server can store nothing just now: try again in a moment", "tr"
    )
    assert [line.partition(" cause=")[2] for line in shown.lines] == ["'nobody listens'"]
