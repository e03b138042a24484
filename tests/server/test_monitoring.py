"""Figures for those who have the token, and logs that programs read."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.exc import DBAPIError

from sheshbesh import __version__
from sheshbesh.errors import SettingsError
from sheshbesh.server.http.static import build
from sheshbesh.server.limits import Limiter
from sheshbesh.server.monitoring import metrics
from sheshbesh.server.monitoring.logs import (
    FIELDS,
    SECURITY,
    JsonLines,
    configure,
)
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.schema import known_revisions
from sheshbesh.server.tables.store import UnavailableError
from tests.server.clock import ManualClock
from tests.server.conftest import Shown
from tests.server.live import free_port
from tests.server.visitors import Browser, Visitors, visited_site
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

TOKEN = "a token of the figures"


async def figures(browser: Browser) -> dict[tuple[str, ...], float]:
    """The samples by name and values of labels."""
    answer = await browser.client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def test_figures_count_what_happens(tmp_path: Path) -> None:
    async with (
        visited_site(f"sqlite:///{tmp_path}/site.db", metrics_token=TOKEN) as site,
        site.user("Nava") as nava,
    ):
        made = await nava.post("matches", {"card": "tapa.p1", "opponent": {"kind": "hotseat"}})
        async with nava.socket(f"/ws/match/{made['id']}") as line:
            await line.until("state")
            await line.send({"t": "do", "ref": "r", "key": "stale", "as": "white", "d": {"type": "roll"}})
            await line.until("refused")
            logging.getLogger("sheshbesh.test").warning("a warning")
            assert (await nava.ask("GET", "matches/none")).status_code == 404
            found = await figures(nava)
        assert found["sheshbesh_matches_live",] == found["sheshbesh_rooms",] == 1
        assert found["sheshbesh_match_sockets",] == found["sheshbesh_people",] == 1
        assert found["sheshbesh_connections",] >= 1
        assert found["sheshbesh_refusals_total", "wire.stale"] == 1
        assert found["sheshbesh_action_seconds_count", "refused"] == 1
        assert found["sheshbesh_failures_total", "not_found"] == 1
        assert found["sheshbesh_logged_total", "warning", "sheshbesh.test"] == 1
        assert found["sheshbesh_http_request_seconds_count", "/matches/{match}", "404"] == 1
        assert found["sheshbesh_engine_waiting", "advice"] == 0


async def test_figures_say_how_a_site_grows(database_url: str, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    backups.mkdir()
    for name, age in (("old.db", 9000), ("new.db", 3000), ("none.txt", 0)):
        (backups / name).touch()
        os.utime(backups / name, (time.time() - age, time.time() - age))
    on_file = database_url.startswith("sqlite")
    clock = ManualClock()
    given = {"metrics_token": TOKEN, "backup_folder": str(backups), "clock": clock}
    nowhere = {"mail_host": "127.0.0.1", "mail_port": free_port(), "mail_from": "site@play.example"}
    async with visited_site(database_url, **given, **nowhere) as site, site.user("Nava") as nava:
        found = await figures(nava)
        site.site.people.mailer.send("nava@a.example", "Subject", "Text")
        for seconds in (10.0, 60.0, 300.0):
            await clock.until_waiting(seconds)
            clock.advance(seconds)

        async def is_given_up() -> bool:
            found = await figures(nava)
            return [found["sheshbesh_mail_total", outcome] for outcome in ("again", "failed")] == [3, 1]

        await eventually(is_given_up)
    file = tmp_path / "site.db"
    assert found["sheshbesh_database_bytes",] > 0 and found["sheshbesh_database_journal_bytes",] > 0
    assert found["sheshbesh_database_bytes",] + found["sheshbesh_database_journal_bytes",] > 100_000
    left = found["sheshbesh_database_free_bytes",]
    assert (0 < left <= shutil.disk_usage(file).total) if on_file else math.isnan(left)
    assert 3000 <= found["sheshbesh_backup_age_seconds",] < 3600
    assert found["sheshbesh_schema_version",] == float(max(known_revisions()))
    assert found["sheshbesh_build", build(), __version__] == 1
    # A guest, and what makes them an account; the heartbeats come besides.
    assert found["sheshbesh_commit_seconds_count",] >= 2
    for kind, outcomes in {"mail": ("sent", "again", "failed"), "push": ("sent", "failed", "gone")}.items():
        assert [found[f"sheshbesh_{kind}_total", outcome] for outcome in outcomes] == [0, 0, 0]


async def test_the_lag_of_the_event_loop_is_that_of_a_timer() -> None:
    clock = ManualClock()
    metrics_of_site = metrics.Metrics("1", "page", clock)
    watching = asyncio.create_task(metrics_of_site.watch_loop())
    for late in (0.25, 0.0, 0.5):
        await clock.until_waiting(0.5)
        clock.advance(0.5 + late)
    await clock.until_waiting(0.5)
    watching.cancel()
    (family,) = [each for each in metrics_of_site.lag.collect() if each.name == "sheshbesh_loop_lag_seconds"]
    total = next(sample.value for sample in family.samples if sample.name.endswith("_sum"))
    assert total == 0.75


async def test_figures_are_there_while_the_database_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        visited_site(f"sqlite:///{tmp_path}/site.db", metrics_token=TOKEN) as site,
        site.guest() as guest,
    ):
        assert (await figures(guest))["sheshbesh_database_up",] == 1

        async def away(*_: object) -> None:
            raise ConnectionRefusedError("nobody listens")

        with monkeypatch.context() as gone:
            gone.setattr(Database, "first", away)
            found = await figures(guest)
        assert found["sheshbesh_database_up",] == 0 and math.isnan(found["sheshbesh_matches_live",])
        assert math.isnan(found["sheshbesh_database_bytes",]) and math.isnan(
            found["sheshbesh_schema_version",]
        )
        assert found["sheshbesh_connections",] >= 1


def wrapped(error: Exception) -> Exception:
    """An error as the log of events raises it."""
    raised = UnavailableError(str(error))
    raised.__cause__ = error
    return raised


def test_a_cause_outside_is_one_line_a_minute_whatever_was_about_to_be_done(shown: Shown) -> None:
    away = "nobody listens"
    shown.fail(ConnectionRefusedError(away), "match %s: an action could not be stored", "m1")
    for number in range(600):
        shown.fail(wrapped(ConnectionRefusedError(away)), "match %s: an action could not be stored", number)
    shown.fail(DBAPIError("SELECT 1", {}, OSError("another"), connection_invalidated=True), "the heartbeat")
    shown.now += 61
    shown.fail(psycopg.InterfaceError(away), "the heartbeat could not be stored")
    assert shown.lines == [
        f"match m1: an action could not be stored cause={away!r}",
        "the heartbeat cause='another'",
        f"the heartbeat could not be stored cause={away!r} repeats=600",
    ]


def test_a_fault_of_ours_has_its_traceback_once_a_minute_and_another_one_its_own(shown: Shown) -> None:
    for _ in range(3):
        shown.fail(KeyError("ours"), "a task failed")
    shown.fail(KeyError("another"), "a task failed")
    for _ in range(2):
        logging.getLogger("sheshbesh.test").error("without an exception")
    first, second, *plain = shown.lines
    assert "Traceback" in first and first.endswith("KeyError: 'ours'")
    assert "Traceback" in second and plain == ["without an exception"] * 2
    shown.now += 61
    shown.fail(KeyError("ours"), "a task failed")
    assert "Traceback" in shown.lines[-1] and "repeats=2" in shown.lines[-1]


async def test_without_the_token_there_is_no_such_page(visitors: Visitors, tmp_path: Path) -> None:
    async with visitors.stranger() as stranger:
        for given in ("", "Bearer", f"Bearer {TOKEN}"):
            answer = await stranger.client.get("/metrics", headers={"Authorization": given})
            assert answer.status_code == 404, "no token is set"
    other = visited_site(f"sqlite:///{tmp_path}/other.db", metrics_token=TOKEN)
    async with other as site, site.stranger() as stranger:
        for given in ("", "Bearer", "Bearer wrong", TOKEN):
            answer = await stranger.client.get("/metrics", headers={"Authorization": given})
            assert answer.status_code == 404
    with pytest.raises(SettingsError, match="METRICS_TOKEN"):
        Settings(metrics_token="short")


@pytest.fixture
def logs() -> Iterator[Path | None]:
    """Puts the loggers back as they were."""
    loggers = [logging.getLogger(name) for name in (None, "sheshbesh", SECURITY)]
    before = [(logger.level, logger.propagate, list(logger.handlers)) for logger in loggers]
    yield None
    for logger, (level, propagate, handlers) in zip(loggers, before, strict=True):
        for handler in set(logger.handlers) - set(handlers):
            logger.removeHandler(handler)
            handler.close()
        logger.setLevel(level)
        logger.propagate = propagate


@pytest.mark.usefixtures("logs")
async def test_the_security_log_has_sign_ins_failures_limits_and_bans(
    visitors: Visitors, tmp_path: Path
) -> None:
    file = tmp_path / "security.jsonl"
    configure("text", str(file))
    async with visitors.guest() as nava:
        await nava.post("account/claim", {"name": "Nava", "password": "correct horse"})
        await nava.ask("POST", "login", {"name": "Nava", "password": "wrong horse"})
        await nava.post("login", {"name": "Nava", "password": "correct horse"})
        visitors.site.limits.exports = Limiter(1e-9, 0.5, what="exports")
        await nava.ask("GET", "account/export")
        for _ in range(3):
            assert (await nava.ask("GET", "account/export")).status_code == 429
        await nava.post("logout")
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["event"] for line in lines] == [
        "account_claimed", "sign_in_failed", "sign_in", "export", "limit", "sign_out",
    ]  # fmt: skip
    assert all(line["address"] == "127.0.0.1" for line in lines)
    assert lines[1]["code"] == "wrong_password" and lines[2]["name"] == "Nava"
    assert "horse" not in file.read_text("utf-8")


def test_a_record_is_one_line_of_json_whatever_is_in_it() -> None:
    record = logging.makeLogRecord(
        {"name": "a", "levelname": "ERROR", "msg": "two\nlines %s", "args": ("ü",), FIELDS: {"event": "x"}}
    )
    text = JsonLines().format(record)
    assert "\n" not in text
    read = json.loads(text)
    assert (read["level"], read["message"], read["event"]) == ("error", "two\nlines ü", "x")


@pytest.mark.usefixtures("logs")
def test_a_security_log_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be written"):
        configure("text", f"{tmp_path}/none/log")
