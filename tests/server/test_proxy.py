"""The proxy that is recommended: a real nginx before two processes of the site."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import websockets

from sheshbesh.server.http.security import LARGEST_UPLOAD
from tests.server import proxy
from tests.server.crashes import Served
from tests.server.live import free_port
from tests.server.postgres import Postgres
from tests.waiting import PATIENCE, eventually

pytestmark = [pytest.mark.anyio, pytest.mark.soak]

_VISITORS = 8


@dataclass(slots=True)
class Behind:
    """Two servers behind a proxy at `base`; `security` is the file of their security log."""

    base: str
    servers: list[Served]
    trust: ssl.SSLContext
    security: Path

    def client(self) -> httpx.AsyncClient:
        """A browser."""
        return httpx.AsyncClient(
            base_url=self.base, headers={"Origin": self.base}, verify=self.trust, timeout=PATIENCE
        )


@asynccontextmanager
async def behind_nginx(folder: Path, database: str) -> AsyncIterator[Behind]:
    http, https = free_port(), free_port()
    base = f"https://localhost:{https}"
    security = folder / "security.jsonl"
    settings = {
        "SHESHBESH_ORIGIN": base,
        "SHESHBESH_SECRET": "a secret of the test alone, and long",
        "SHESHBESH_TRUSTED_PROXIES": "127.0.0.1",
        "SHESHBESH_SECURITY_LOG": str(security),
        "SHESHBESH_METRICS_TOKEN": "a token of the figures",
    }
    servers = [Served(database, settings=settings) for _ in range(2)]
    text = proxy.CONFIGURATION.read_text("utf-8")
    configuration = proxy.configure(
        folder, text, http=http, https=https, servers=[server.port for server in servers]
    )
    trust = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
    try:
        for server in servers:
            await server.start(until="ready")
        with proxy.running(configuration):
            behind = Behind(base, servers, trust, security)
            async with behind.client() as client:

                async def is_there() -> bool:
                    with suppress(httpx.TransportError):
                        await client.get("/api/v1/health")
                        return True
                    return False

                await eventually(is_there)
            yield behind
    finally:
        for server in servers:
            server.kill()


async def test_nginx_itself_has_nothing_against_its_configuration(tmp_path: Path) -> None:
    text = proxy.CONFIGURATION.read_text("utf-8")
    http, https = free_port(), free_port()

    def complaint(text: str) -> str:
        return proxy.complaint(proxy.configure(tmp_path, text, http=http, https=https, servers=(8000, 8001)))

    assert not complaint(text)
    assert "proxy_bufering" in complaint(text.replace("proxy_buffering off;", "proxy_bufering off;"))


async def test_nobody_is_sent_a_502_while_the_processes_are_restarted_in_turn(
    postgres: Postgres, tmp_path: Path
) -> None:
    answers: Counter[int] = Counter()
    async with behind_nginx(tmp_path, postgres.url()) as behind:

        async def visit() -> None:
            async with behind.client() as client:
                while True:
                    answers[(await client.get("/api/v1/health")).status_code] += 1
                    answers[(await client.post("/api/v1/guest", json={})).status_code] += 1

        visiting = [asyncio.create_task(visit()) for _ in range(_VISITORS)]
        for server in behind.servers:
            await server.stop()
            await server.start(until="ready")
        enough = answers.total() + 40 * _VISITORS
        await eventually(lambda: answers.total() >= enough or any(task.done() for task in visiting))
        for task in visiting:
            task.cancel()
        failed = [each for each in await asyncio.gather(*visiting, return_exceptions=True) if each]
    assert not [each for each in failed if not isinstance(each, asyncio.CancelledError)]
    print(dict(answers))
    assert set(answers) == {200} and answers.total() > 100


async def test_the_proxy_passes_on_sockets_uploads_and_the_address_alone(
    postgres: Postgres, tmp_path: Path
) -> None:
    async with behind_nginx(tmp_path, postgres.url()) as behind, behind.client() as client:
        figures = await client.get("/metrics", headers={"Authorization": "Bearer a token of the figures"})
        assert figures.status_code == 404 and "nginx" in figures.text, "not even with the token"
        await client.post("/api/v1/guest", json={})
        # What a visitor says of their address is not believed.
        wrong = {"name": "Nobody", "password": "no password of anybody"}
        answer = await client.post("/api/v1/login", json=wrong, headers={"X-Forwarded-For": "192.0.2.7"})
        assert answer.status_code == 401
        (failure,) = [
            line for line in map(json.loads, behind.security.read_text().splitlines())
            if line["event"] == "sign_in_failed"
        ]  # fmt: skip
        assert failure["address"] in ("127.0.0.1", "::1")
        # As much as the site takes comes through, and the site answers.
        answer = await client.post("/api/v1/uploads", content=b"x" * LARGEST_UPLOAD)
        assert answer.headers["content-type"].startswith("application/json"), answer.text
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        async with websockets.connect(
            f"{behind.base.replace('https', 'wss')}/ws/lobby",
            ssl=behind.trust,
            additional_headers={"Origin": behind.base, "Cookie": cookie},
        ) as line:
            await line.send('{"t":"ping"}')
            async with asyncio.timeout(PATIENCE):
                while '"pong"' not in str(await line.recv()):
                    pass
