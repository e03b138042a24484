"""Backups: made while a site runs, checked before they replace anything, good for either kind of database."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from click.testing import CliRunner
from sqlalchemy import Connection, NullPool, create_engine, func, insert, select, text

from sheshbesh.cli.main import cli
from sheshbesh.errors import SettingsError
from sheshbesh.server.ids import now_ms
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.backup import BackupError, backup, inspect
from sheshbesh.server.storage.check import alone, check
from sheshbesh.server.storage.database import make_engine
from sheshbesh.server.storage.restore import restore
from sheshbesh.server.storage.schema import configuration, known_revisions
from sheshbesh.server.storage.tables import events, matches, metadata, processes, users
from tests.server.postgres import Postgres
from tests.server.rows import fill

pytestmark = pytest.mark.anyio

Table = dict[str, list[tuple[Any, ...]]]


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    await database.open()
    yield database
    await database.close()


async def filled(url: str) -> None:
    """A database with a row in every table, and a bot whose id comes before its owner's."""

    def put(connection: Connection) -> None:
        fill(connection)
        owner = connection.execute(select(users.c.id)).scalar()
        bot = {"id": " bot", "name": "bot", "folded": "bot", "skeleton": "bot", "kind": "bot", "owner": owner}
        connection.execute(insert(users).values(**bot, settings={"ü": [1, "א"]}, created=1, seen=1))

    async with opened(url) as database:
        await database.write(put)


async def content(url: str) -> Table:
    async with opened(url) as database:
        return {
            table.name: sorted(map(tuple, await database.all(select(table))), key=repr)
            for table in metadata.sorted_tables
            if table is not processes
        }


@pytest.fixture
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """An empty database of each kind, to restore into."""
    server: Postgres = request.getfixturevalue("postgres")
    return {"sqlite": f"sqlite:///{tmp_path}/other.db", "postgres": server.url(template="template1")}


@pytest.mark.parametrize("into", ["sqlite", "postgres"])
async def test_every_row_comes_back_in_either_kind_of_database(
    database_url: str, tmp_path: Path, empty: dict[str, str], into: str
) -> None:
    await filled(database_url)
    before = await content(database_url)
    assert all(before.values()), "every table has a row"
    file = tmp_path / "backup"
    made = await backup(database_url, file)
    assert made.rows["users"] == len(before["users"]) == 2
    assert file.stat().st_mode & 0o077 == 0, "nobody else reads it"
    restored = await restore(file, empty[into])
    assert restored.before is None
    assert await content(empty[into]) == before


async def test_a_backup_of_a_site_that_writes_is_of_one_moment(database_url: str, tmp_path: Path) -> None:
    """Each match and its event are written together: a backup never has one without the other."""
    async with opened(database_url) as database:
        done = asyncio.Event()

        async def play() -> None:
            n = 0
            while not done.is_set():
                await database.write(*_match(f"m{n}"))
                n += 1

        await database.write(*_match("first"))
        playing = asyncio.create_task(play())
        for turn in range(2):
            file = tmp_path / f"backup{turn}"
            made = await backup(database_url, file)
            assert made.rows["matches"] == made.rows["events"]
        assert made.rows["matches"] > 0
        done.set()
        await playing


def _match(name: str) -> tuple[Any, Any]:
    row = dict.fromkeys(("card", "game", "rules", "time_class"), "x")
    match = insert(matches).values(id=name, header={}, state="live", kind="engine", created=0, **row)
    event = insert(events).values(match_id=name, n=1, at=0, actor="server", action={"a": 1}, then={})
    return match, event


async def test_nothing_is_replaced_unasked_and_what_was_there_is_kept(tmp_path: Path) -> None:
    here, there = f"sqlite:///{tmp_path}/here.db", f"sqlite:///{tmp_path}/there.db"
    await filled(here)
    file = tmp_path / "backup"
    await backup(here, file)
    with pytest.raises(BackupError, match="exists"):
        await backup(here, file)
    async with opened(there) as database:
        await database.write(*_match("mine"))
    with pytest.raises(BackupError, match="--force"):
        await restore(file, there)
    restored = await restore(file, there, replace=True)
    assert await content(there) == await content(here)
    assert restored.before is not None
    assert [row[0] for row in (await content(f"sqlite:///{restored.before}"))["matches"]] == ["mine"]


async def test_a_failed_restore_leaves_postgresql_as_it_was(postgres: Postgres, tmp_path: Path) -> None:
    source, target = f"sqlite:///{tmp_path}/site.db", postgres.url()
    await filled(source)
    file = tmp_path / "backup"
    await backup(source, file)
    async with opened(target) as database:
        await database.write(*_match("mine"))
    with pytest.raises(BackupError, match="--force"):
        await restore(file, target)
    with closing(sqlite3.connect(file)) as changed:
        changed.execute("UPDATE events SET actor = 'a' || char(0) || 'b'")  # no text of PostgreSQL
        changed.commit()
    with pytest.raises(BackupError, match="does not fit"):
        await restore(file, target, replace=True)
    assert [row[0] for row in (await content(target))["matches"]] == ["mine"]


async def test_no_server_may_run_on_what_is_restored(database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    async with opened(database_url) as database:
        row = {"id": "p", "started": now_ms(), "seen": now_ms(), "people": [], "boards": {}}
        await database.write(insert(processes).values(**row))
        await backup(database_url, file)
    if database_url.startswith("postgres"):
        with pytest.raises(BackupError, match="a server runs"):
            await restore(file, database_url)
    else:
        with alone(database_url), pytest.raises(SettingsError, match="another server"):
            await restore(file, database_url)
    # Servers of the time of the backup are not taken for running ones.
    other = f"sqlite:///{tmp_path}/other.db"
    await restore(file, other)
    async with opened(other) as database:
        assert await database.first(select(func.count()).select_from(processes)) == (0,)


async def test_tables_that_an_older_server_uses_are_not_changed_by_a_restore_that_is_refused(
    postgres: Postgres, tmp_path: Path
) -> None:
    file, url = tmp_path / "backup", postgres.url(template="template1")
    async with opened(f"sqlite:///{tmp_path}/site.db"):
        await backup(f"sqlite:///{tmp_path}/site.db", file)
    engine = make_engine(Database(url).address, poolclass=NullPool)
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0015")
        row = {"id": "p", "started": now_ms(), "seen": now_ms(), "people": [], "boards": {}}
        connection.execute(insert(processes).values(**row))
    with pytest.raises(BackupError, match="a server runs"):
        await restore(file, url, replace=True)
    with engine.begin() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version"))
        assert found.scalar() == "0015"
        connection.execute(text("DELETE FROM processes"))
    await restore(file, url)


def _damaged(file: Path) -> None:
    with file.open("r+b") as damaged:
        damaged.seek(file.stat().st_size // 2)
        damaged.write(os.urandom(8192))


def _newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as changed:
        changed.execute("UPDATE alembic_version SET version_num = '9999'")
        changed.commit()


def _orphaned(file: Path) -> None:
    with closing(sqlite3.connect(file)) as changed:
        changed.execute("DELETE FROM matches")
        changed.commit()


def _foreign(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE users (id)")


NO_BACKUPS: list[tuple[Callable[[Path], object], str]] = [
    (_damaged, "damaged"),
    (_newer, "newer version"),
    (_orphaned, "refers to nothing"),
    (_foreign, "no backup"),
    (lambda file: file.write_text("hello"), "no backup"),
    (lambda file: os.truncate(file, 5000), "damaged"),
    (Path.unlink, "there is no file"),
]


async def test_what_is_no_backup_replaces_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/site.db"
    await filled(url)
    made, file = tmp_path / "made", tmp_path / "backup"
    await backup(url, made)
    before = (tmp_path / "site.db").read_bytes()
    for change, said in NO_BACKUPS:
        shutil.copy(made, file)
        change(file)
        with pytest.raises(BackupError, match=said):
            await restore(file, url, replace=True)
        assert (tmp_path / "site.db").read_bytes() == before, said
        assert not list(tmp_path.glob(".*")), "nothing is left behind"


async def test_a_backup_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    old = tmp_path / "old"
    engine = create_engine(f"sqlite:///{old}")
    with engine.begin() as connection:
        command.upgrade(configuration(connection), min(known_revisions()))
        fill(connection)
    engine.dispose()
    kept = shutil.copy(old, tmp_path / "copy")
    target = f"sqlite:///{tmp_path}/site.db"
    restored = await restore(old, target)
    assert restored.content.revision == max(known_revisions())
    assert len((await content(target))["users"]) == 1
    assert inspect(Path(kept)) == inspect(old), "the backup itself stays as it was"


def test_the_command_says_what_it_did_and_why_it_did_not(tmp_path: Path) -> None:
    asyncio.run(filled(f"sqlite:///{tmp_path}/site.db"))
    run = CliRunner(env={"SHESHBESH_DATABASE": f"sqlite:///{tmp_path}/site.db"})
    made = run.invoke(cli, ["site", "backup", f"{tmp_path}/backup"])
    assert made.exit_code == 0 and "2 accounts, 1 matches; " in made.output
    again = run.invoke(cli, ["site", "backup", f"{tmp_path}/backup"])
    assert again.exit_code == 2 and "exists" in again.output
    refused = run.invoke(cli, ["site", "restore", f"{tmp_path}/backup"])
    assert refused.exit_code == 2 and "--force" in refused.output
    done = run.invoke(cli, ["site", "restore", f"{tmp_path}/backup", "--force"])
    assert done.exit_code == 0 and "What was there before is now" in done.output
    nowhere = run.invoke(
        cli, ["site", "--database", f"sqlite:///{tmp_path}/none.db", "backup", f"{tmp_path}/b"]
    )
    assert nowhere.exit_code == 2 and "there is no database" in nowhere.output
    unwritable = run.invoke(cli, ["site", "backup", f"{tmp_path}/no/folder"])
    assert unwritable.exit_code == 2 and "cannot be written" in unwritable.output


def test_commands_make_no_database_of_a_mistyped_address(tmp_path: Path) -> None:
    run = CliRunner(env={"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)})
    for words in (["reports"], ["log"], ["mute", "somebody", "--reason", "because"]):
        done = run.invoke(cli, ["site", "--database", f"sqlite:///{tmp_path}/typo.db", "admin", *words])
        assert done.exit_code == 2 and "there is no database" in done.output
    for words in (["admin", "reports"], ["backup", f"{tmp_path}/b"], ["restore", f"{tmp_path}/b", "--force"]):
        # As of --database "$UNSET": the database in the data folder is not the one that was meant.
        done = run.invoke(cli, ["site", "--database", "", *words])
        assert done.exit_code == 2 and "a database is sqlite:///FILE" in " ".join(done.output.split())
    assert not list(tmp_path.iterdir())


def test_an_error_of_the_operators_names_the_account_and_the_database(tmp_path: Path) -> None:
    asyncio.run(filled(f"sqlite:///{tmp_path}/site.db"))
    run = CliRunner(env={"SHESHBESH_DATABASE": f"sqlite:///{tmp_path}/site.db"})
    for words in (["ban", "nobody", "--reason", "x"], ["sign-out", "nobody", "--reason", "x"]):
        done = run.invoke(cli, ["site", "admin", *words])
        assert done.exit_code == 2 and "nobody: there is no user of this name" in done.output
    assert "nobody: nothing is logged." in run.invoke(cli, ["site", "admin", "log", "nobody"]).output
    _newer(tmp_path / "site.db")
    for words in (["admin", "reports"], ["backup", f"{tmp_path}/b"]):
        said = " ".join(run.invoke(cli, ["site", *words]).output.split())
        assert "site.db" in said and "9999" in said
    (tmp_path / "site.db").write_text("hello")
    said = " ".join(run.invoke(cli, ["site", "backup", f"{tmp_path}/b"]).output.split())
    assert "the database" in said and "site.db is damaged, or none" in said
    assert not (tmp_path / "b").exists()


async def test_a_database_of_another_version_is_not_changed_by_a_command(bare_database_url: str) -> None:
    # The server that runs on it would not know its tables any more.
    database = Database(bare_database_url)
    with make_engine(database.address, poolclass=NullPool).begin() as connection:
        command.upgrade(configuration(connection), "0015")
    with pytest.raises(SettingsError, match="its tables have version 0015, this program needs"):
        await check(bare_database_url, as_it_is=True)
    if database.is_postgres:
        with pytest.raises(SettingsError, match="its tables have version 0015, this program needs"):
            await backup(bare_database_url, Path("never"))


async def test_a_role_that_may_not_read_and_a_wrong_option_are_sentences(
    postgres: Postgres, tmp_path: Path
) -> None:
    url = postgres.url(template="template1")
    await filled(url)
    async with opened(url) as database:
        await database.write(
            text("CREATE ROLE reader LOGIN"), text("GRANT SELECT ON alembic_version TO reader")
        )
    theirs = url.replace("sheshbesh@", "reader@")
    with pytest.raises(SettingsError, match=r"the database .* cannot be read: permission denied for table"):
        await backup(theirs, tmp_path / "backup")
    done = await asyncio.to_thread(
        CliRunner().invoke, cli, ["site", "--database", theirs, "admin", "reports"]
    )
    assert done.exit_code == 2 and "cannot be used: permission denied" in " ".join(done.output.split())
    with pytest.raises(SettingsError, match=r"has no option ssl; for encryption write \?sslmode=require"):
        await check(f"{url}?ssl=require")
    with pytest.raises(SettingsError, match="cannot be opened: server does not support SSL"):
        await check(f"{url}?sslmode=require")
    with pytest.raises(SettingsError, match=r'cannot be opened: database "nowhere" does not exist'):
        await check(url.rpartition("/")[0] + "/nowhere")


async def test_tables_of_a_newer_version_are_named_at_the_start(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/site.db"
    await filled(url)
    _newer(tmp_path / "site.db")
    with pytest.raises(
        SettingsError, match=r"cannot be opened: its tables are of a newer version .* \(9999\)"
    ):
        await check(url)


async def test_a_backup_goes_into_a_file_and_comes_back_into_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/site.db"
    await filled(url)
    file, folder = tmp_path / "backup", tmp_path / "folder"
    await backup(url, file)
    folder.mkdir()
    with pytest.raises(BackupError, match="folder is a folder: name a file"):
        await backup(url, folder, replace=True)
    with pytest.raises(BackupError, match="folder is no file: nothing was replaced"):
        await restore(file, f"sqlite:///{folder}", replace=True)
    assert folder.is_dir()
    with pytest.raises(BackupError, match=r"below\.db cannot be written"):
        await restore(file, f"sqlite:///{file}/below.db")
    for address in ("mysql://x/y", "nonsense"):
        with pytest.raises(SettingsError, match="a database is sqlite:///FILE or postgresql://"):
            await restore(file, address)
