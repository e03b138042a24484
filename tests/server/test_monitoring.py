"""Figures for those who have the token, and logs that programs read."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from sheshbesh.errors import SettingsError
from sheshbesh.server.monitoring.logs import FIELDS, SECURITY, JsonLines, configure
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.failures import log_failure
from tests.server.visitors import Browser, Visitors, visited_site

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
        assert found["sheshbesh_connections",] >= 1


def test_a_database_that_is_away_is_one_line_in_the_log_and_a_fault_of_ours_is_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for error in (ConnectionRefusedError("nobody listens"), KeyError("ours")):
        try:
            raise error
        except (OSError, KeyError) as caught:
            log_failure(logging.getLogger("sheshbesh.test"), caught, "%d lines could not be looked up", 3)
    away, ours = caplog.records
    assert (away.getMessage(), away.exc_info) == ("3 lines could not be looked up: nobody listens", None)
    assert ours.getMessage() == "3 lines could not be looked up" and ours.exc_info is not None


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
        visitors.site.limits.exports._burst = 0.5
        visitors.site.limits.exports._rate = 1e-9
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
