"""The site in this process: an app, its clients, and both kinds of database."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI
from sqlalchemy import URL, Engine, event

from sheshbesh.server.app import make_app
from sheshbesh.server.engine import workers
from sheshbesh.server.monitoring.logs import Failures, Recent, Sentences
from sheshbesh.server.people import passwords
from sheshbesh.server.settings import Settings
from sheshbesh.server.site import Site, opened
from sheshbesh.server.storage import Database
from sheshbesh.server.storage import database as database_module
from sheshbesh.server.tables import table
from sheshbesh.server.tournaments import tournaments
from tests.engines import engines_at_hand
from tests.lots import lots_from
from tests.server.live import engine_settings
from tests.server.postgres import Postgres, shared_postgres
from tests.server.visitors import Visitors, visited_site

ORIGIN = "http://127.0.0.1:8000"

NewClient: TypeAlias = Callable[[], httpx.AsyncClient]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@contextmanager
def site_lots(seed: str) -> Iterator[None]:
    """Let what a site of this process draws by lot, as ids and dice, follow from a text."""
    with lots_from(seed) as lots, pytest.MonkeyPatch.context() as patch:
        for module in (table, tournaments):  # which have it by name
            patch.setattr(module, "token_bytes", lots.token_bytes)
        yield


@pytest.fixture(autouse=True)
def _lots(request: pytest.FixtureRequest) -> Iterator[None]:
    """Draw lots from the name of the test."""
    with site_lots(request.node.nodeid):
        yield


@pytest.fixture(scope="package", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """Hashes that cost next to nothing: many tests make accounts, and none is about what a guess costs."""
    kept = passwords.hasher
    passwords.hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    yield
    passwords.hasher = kept


@pytest.fixture(scope="package", autouse=True)
def _tables_are_made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A new file of SQLite begins as a copy of one that has its tables, and no write waits for the disk.

    All migrations for each test cost a tenth of a second. Tests of the migrations run them themselves, and
    what a disk has after a power cut is tested with processes of their own.
    """
    original, template = Database.open, tmp_path_factory.mktemp("tables") / "site.db"
    make_engine = database_module.make_engine

    def unsynced(url: URL, **more: Any) -> Engine:
        engine = make_engine(url, **more)
        if engine.name == "sqlite":
            event.listen(engine, "connect", lambda made, _record: made.execute("PRAGMA synchronous=OFF"))
        return engine

    async def make() -> None:
        made = Database(f"sqlite:///{template}")
        await original(made)
        await made.close()

    async def begin_with_tables(self: Database, *, as_it_is: bool = False) -> None:
        _, separator, name = self.url.partition("sqlite:///")
        if separator and Path(name).parent.is_dir() and not Path(name).exists():
            shutil.copy(template, name)
        await original(self, as_it_is=as_it_is)

    asyncio.run(make())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "open", begin_with_tables)
        patch.setattr(database_module, "make_engine", unsynced)
        yield


@pytest.fixture(scope="package", autouse=True)
def _engines_start_in_no_time() -> Iterator[None]:
    """To start an engine costs half a second of a processor, and several where the machine is busy."""
    with engines_at_hand() as command, pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "COMMAND", command)
        yield


@pytest.fixture(scope="session")
def _postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A server whose new databases have their tables: all migrations for each cost a third of a second."""

    async def make(url: str) -> None:
        made = Database(url)
        await made.open()
        await made.close()

    folder = tmp_path_factory.getbasetemp()
    run = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    with shared_postgres(run, lambda url: asyncio.run(make(url))) as server:
        yield server


@pytest.fixture
def postgres(_postgres: Postgres) -> Iterator[Postgres]:
    """The server of all tests; what it lends to this one is taken back at its end."""
    yield _postgres
    _postgres.take_back()


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of either kind in which nobody is yet; its tables may stand in it already."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/site.db"
    server: Postgres = request.getfixturevalue("postgres")
    return server.url()


@pytest.fixture(params=["sqlite", "postgres"])
def bare_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of either kind without tables, for what is about making them."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/site.db"
    server: Postgres = request.getfixturevalue("postgres")
    return server.url(template="template1")


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    found = Database(database_url)
    await found.open()
    yield found
    await found.close()


@pytest.fixture
async def on_postgres(postgres: Postgres) -> AsyncIterator[Database]:
    """An empty database on PostgreSQL."""
    found = Database(postgres.url())
    await found.open()
    yield found
    await found.close()


@asynccontextmanager
async def running_app(*, engines: int = 0, **settings: Any) -> AsyncIterator[FastAPI]:
    """An app that is open, with this many engine processes.

    A process costs half a second of a processor, more than most requests, so there are none unless asked for.
    """
    app = make_app(Settings(**engine_settings(engines), **settings))
    site: Site = app.state.site
    async with opened(site):
        yield app


@pytest.fixture
def engine_processes() -> int:
    """How many engine processes `app` has; a test whose requests ask an engine is parametrised with 1."""
    return 0


@pytest.fixture
async def app(tmp_path: Path, engine_processes: int) -> AsyncIterator[FastAPI]:
    async with running_app(engines=engine_processes, database=f"sqlite:///{tmp_path}/site.db") as running:
        yield running


@pytest.fixture
async def new_client(app: FastAPI) -> AsyncIterator[NewClient]:
    """Makes browsers: each has its own cookies and sends our origin."""
    async with AsyncExitStack() as stack:

        def make() -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app)
            client = httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers={"Origin": ORIGIN})
            stack.push_async_callback(client.aclose)
            return client

        yield make


@pytest.fixture
async def client(new_client: NewClient) -> httpx.AsyncClient:
    """A stranger's browser."""
    return new_client()


@pytest.fixture
async def guest(new_client: NewClient) -> httpx.AsyncClient:
    """A guest's browser."""
    client = new_client()
    answer = await client.post("/api/v1/guest", json={})
    assert answer.status_code == 200, answer.text
    return client


class Shown(logging.Handler):
    """Keeps the lines of the log as they would be written, by a clock that a test sets."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.now = 1000.0
        self.setFormatter(Sentences("%(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.lines.append(self.format(record))

    def fail(self, error: Exception, text: str, *values: object) -> None:
        """Log that something has failed."""
        try:
            raise error
        except Exception:
            logging.getLogger("sheshbesh.test").exception(text, *values)


@pytest.fixture
def shown() -> Iterator[Shown]:
    """What a site writes into its log."""
    handler = Shown()
    failures = Failures(handler, Recent(lambda: handler.now))
    logging.getLogger().addHandler(failures)
    yield handler
    logging.getLogger().removeHandler(failures)


@pytest.fixture
async def visitors(tmp_path: Path) -> AsyncIterator[Visitors]:
    """A site on a real socket."""
    async with visited_site(f"sqlite:///{tmp_path}/site.db") as running:
        yield running


@pytest.fixture
async def anywhere(database_url: str) -> AsyncIterator[Visitors]:
    """A site on a real socket, on either kind of database."""
    async with visited_site(database_url) as running:
        yield running
