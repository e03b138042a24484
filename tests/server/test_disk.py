"""What was acknowledged is on the disk, and a disk that fails is told."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select

from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import events
from sheshbesh.server.tables.store import MatchStore
from sheshbesh.session import replay
from tests.server.disk import Disk, compiled
from tests.waiting import PATIENCE

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="preloads into a process as Linux does"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("library"))


@pytest.fixture
def disk(tmp_path: Path, library: Path) -> Disk:
    return Disk.below(tmp_path, library)


async def test_a_power_cut_takes_nothing_that_was_acknowledged(disk: Disk) -> None:
    """The file as of its last sync has every action; with synchronous=NORMAL it has none."""
    command = [sys.executable, "-m", "tests.server.disk", f"sqlite:///{disk.folder}/site.db"]
    played = subprocess.run(
        command, env=disk.environment, check=True, capture_output=True, text=True, timeout=PATIENCE
    )
    acknowledged = {tuple(line.split()) for line in played.stdout.splitlines()}
    assert len(acknowledged) >= 150
    database = Database(f"sqlite:///{disk.kept}/site.db")
    await database.open()
    try:
        rows = await database.all(select(events.c.match_id, events.c.ref).where(events.c.ref.is_not(None)))
        lost = acknowledged - {tuple(row) for row in rows}
        assert not lost, f"{len(lost)} of {len(acknowledged)} acknowledged actions are lost"
        for match in {match for match, _ in acknowledged}:
            stored = await MatchStore(database).load(match)
            assert stored is not None
            replay(stored.table.header, stored.events)
    finally:
        await database.close()


def _command(disk: Disk) -> list[str]:
    program = str(Path(sys.executable).with_name("sheshbesh"))
    database = f"sqlite:///{disk.folder}/site.db"
    return [program, "serve", "--port", "0", "--database", database]


@contextmanager
def serving(disk: Disk, log: Path) -> Iterator[httpx.Client]:
    """A site on a watched disk; its errors go to `log`."""
    with (
        log.open("w") as errors,
        subprocess.Popen(
            _command(disk), env=disk.environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as server,
    ):
        try:
            assert server.stdout is not None
            base = server.stdout.readline().split()[3]
            with httpx.Client(
                base_url=f"{base}/api/v1", headers={"Origin": base}, timeout=PATIENCE, verify=False
            ) as client:
                yield client
        finally:
            server.kill()


def test_a_disk_that_fails_is_told_and_the_site_is_not_ready(disk: Disk, tmp_path: Path) -> None:
    faults = {"sync": "disk I/O error (the disk", "full": "disk is full"}
    with serving(disk, tmp_path / "log") as client:
        for how in faults:
            disk.fail(how)
            # A disk that is full takes what fits into the journal as it stands.
            while (refused := client.post("/guest", json={})).status_code == 200:
                client.cookies.clear()
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "unavailable"), how
            answer = client.get("/ready")
            assert answer.status_code == 503 and "storage" in answer.json()["missing"], how
            disk.fail(None)
            assert client.post("/guest", json={}).status_code == 200, how
            client.cookies.clear()
            assert "storage" not in client.get("/ready").json()["missing"], how
    told = (tmp_path / "log").read_text()
    assert "the database stores nothing" in told and "the database stores again" in told
    assert all(said in told for said in faults.values())
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("how", "exists"), [("full", False), pytest.param("full", True, marks=pytest.mark.soak), ("sync", True)]
)
async def test_a_site_does_not_start_on_a_disk_that_fails_and_says_why(
    disk: Disk, how: str, *, exists: bool
) -> None:
    if exists:
        database = Database(f"sqlite:///{disk.folder}/site.db")
        await database.open()
        await database.close()
    disk.fail(how)
    failed = subprocess.run(
        _command(disk), check=False, env=disk.environment, capture_output=True, text=True, timeout=PATIENCE
    )
    told = " ".join(failed.stderr.split())
    assert failed.returncode == 2 and not failed.stdout
    assert "Error: the database" in told and ("cannot be written" in told or "cannot be opened" in told)
    assert "disk" in told and "Traceback" not in told
