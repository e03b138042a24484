"""`sheshbesh serve` as its user runs it."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import weakref
from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from sheshbesh.cli.commands.serve import GENERATIONS, collect_young
from sheshbesh.cli.main import cli
from sheshbesh.errors import SettingsError
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage.check import alone, check
from tests.server.live import WITHOUT_ENGINES, free_port
from tests.waiting import PATIENCE, eventually, until

COMMAND = [str(Path(sys.executable).with_name("sheshbesh")), "serve"]
ENVIRONMENT = os.environ | WITHOUT_ENGINES
_HARD = resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def _few_sockets() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, _HARD))


def test_it_says_where_it_is_answers_there_and_ends_politely(tmp_path: Path) -> None:
    environment = ENVIRONMENT | {"XDG_DATA_HOME": str(tmp_path)}
    with subprocess.Popen(
        [*COMMAND, "--port", "0"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_few_sockets,
    ) as server:
        try:
            assert server.stdout is not None
            first = server.stdout.readline()
            address = first.split()[3]
            assert httpx.get(f"{address}/api/v1/health", verify=False).json()["ok"] is True
            # Thousands of players are more sockets than most systems give by default.
            if sys.platform == "linux":
                most = 65_536 if _HARD == resource.RLIM_INFINITY else min(_HARD, 65_536)
                assert resource.prlimit(server.pid, resource.RLIMIT_NOFILE)[0] == most
            server.send_signal(signal.SIGINT)
            _, errors = server.communicate(timeout=PATIENCE)
        finally:
            server.kill()
    assert "Database: brought up to 0001" in errors
    assert "Traceback" not in errors
    assert (tmp_path / "sheshbesh" / "site.db").exists()


def test_a_file_has_one_server_at_a_time_and_logs_for_programs_are_json_to_the_error_that_ends_it(
    tmp_path: Path,
) -> None:
    options = ["--port", "0", "--database", f"sqlite:///{tmp_path}/site.db"]
    in_json = [*options, "--log-format", "json"]
    with subprocess.Popen(
        [*COMMAND, *in_json], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stderr is not None and server.stdout is not None
            said = [json.loads(server.stderr.readline())]
            while "Sheshbesh is at" not in said[-1]["message"]:
                said.append(json.loads(server.stderr.readline()))
            second = run(*in_json)
            server.send_signal(signal.SIGINT)
            server.wait(PATIENCE)
            assert server.stdout.read() == ""
            for line in server.stderr.read().splitlines():
                json.loads(line)
        finally:
            server.kill()
    (error,) = map(json.loads, second.stderr.splitlines())
    assert second.returncode == 2 and error["level"] == "error" and "another server uses" in error["message"]


def test_a_file_is_free_again_when_its_server_was_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/site.db"
    holder = f"from sheshbesh.server.storage.check import alone\nwith alone({url!r}): print(); input()"
    with subprocess.Popen(
        [sys.executable, "-c", holder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        with pytest.raises(SettingsError, match="another server uses"), alone(url):
            pass
        server.kill()
    with alone(url):
        pass


def test_it_serves_on_when_nobody_reads_what_it_says(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    port = free_port()
    health = f"http://127.0.0.1:{port}/api/v1/health"
    options = ["--port", str(port), "--database", f"sqlite:///{tmp_path}/site.db"]
    with subprocess.Popen([*COMMAND, *options], env=ENVIRONMENT, stdout=writer) as server:
        os.close(writer)
        try:

            def answers() -> bool:
                assert server.poll() is None
                with suppress(httpx.TransportError):
                    return bool(httpx.get(health, verify=False).json()["ok"])
                return False

            until(answers)
            server.send_signal(signal.SIGINT)
            server.wait(PATIENCE)
        finally:
            server.kill()


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], check=False, capture_output=True, text=True, timeout=PATIENCE
    )


def test_it_refuses_to_serve_the_world_with_the_default_secret() -> None:
    done = CliRunner().invoke(cli, ["serve", "--host", "0.0.0.0"])
    assert done.exit_code == 2 and "SHESHBESH_SECRET" in done.stderr


def test_a_port_in_use_is_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        options = ["--port", str(port), "--database", f"sqlite:///{tmp_path}/site.db"]
        done = CliRunner().invoke(cli, ["serve", *options])
    assert done.exit_code == 2 and f"port {port}" in done.stderr


def test_a_database_that_cannot_be_opened_ends_it_with_a_sentence(tmp_path: Path) -> None:
    options = ["--port", "0", "--database", f"sqlite:///{tmp_path}/missing/site.db"]
    done = CliRunner().invoke(cli, ["serve", *options])
    assert done.exit_code == 2 and "cannot be opened" in " ".join(done.stderr.split())


@pytest.mark.parametrize("kind", ["no_database", "nobody"])
def test_a_database_that_cannot_be_opened_is_a_sentence(tmp_path: Path, kind: str) -> None:
    (tmp_path / "text").write_text("not a database at all, but long enough to be asked" * 40)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    url = {
        "no_database": f"sqlite:///{tmp_path}/text",
        "nobody": f"postgresql://me:word@127.0.0.1:{port}/site",
    }[kind]
    with pytest.raises(SettingsError, match="cannot be opened") as error:
        asyncio.run(check(url))
    assert "word" not in str(error.value)


def test_settings_come_from_the_environment_and_the_command_line_goes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"PORT": "9000", "FREE_CHAT": "no", "HOST": "::1"}.items():
        monkeypatch.setenv(f"SHESHBESH_{name}", value)
    settings = Settings.from_environment({"port": 9001, "secret": None}, default_database=lambda: "sqlite://")
    assert settings.database == "sqlite://"
    assert (settings.port, settings.free_chat, settings.host) == (9001, False, "::1")
    assert settings.origins == {"http://[::1]:9001", "http://localhost:9001", "http://127.0.0.1:9001"}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "http", "SHESHBESH_PORT is a number, not 'http'"),
        ("PORT", "70000", "a port is 0 to 65535, not 70000"),
        ("FREE_CHAT", "maybe", "SHESHBESH_FREE_CHAT is yes or no, not 'maybe'"),
        ("ENGINE_PACE", "fast", "SHESHBESH_ENGINE_PACE is a number, not 'fast'"),
        ("ORIGIN", "play.example", "an origin looks like https://play.example, not 'play.example'"),
        ("HOST", "", "a host is an address to listen on, such as 127.0.0.1, and not empty"),
        ("TRUSTED_PROXIES", "127.0.0.1;10.0.0.1", "trusted_proxies are addresses or networks separated by"),
        ("TRUSTED_PROXIES", "127.0.0.1, localhost", "trusted_proxies are addresses or networks separated by"),
        ("TRUSTED_PROXIES", "10.1.0.0/8", "trusted_proxies are addresses or networks separated by"),
        ("METRICS_TOKEN", "short", "SHESHBESH_METRICS_TOKEN has at least 16 characters"),
        ("MAIL_PORT", "0", "SHESHBESH_MAIL_PORT is 1 to 65535, not 0"),
        ("SERIES_ZONE", "Asia/Tehran,Europe/Atlantis", "series_zone has names of time zones"),
        ("HOST", "0.0.0.0", "to listen on 0.0.0.0 needs a secret of your own"),
    ],
)
def test_an_impossible_setting_is_named_with_its_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"SHESHBESH_{name}", value)
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment()
    assert caught.value.problems[0].startswith(said)


@pytest.mark.parametrize("listed", ["", "*", "127.0.0.1", "10.0.0.0/8, ::1,", "172.16.0.0/12"])
def test_proxies_are_addresses_and_networks(listed: str) -> None:
    assert Settings(trusted_proxies=listed).trusted_proxies == listed


def test_each_time_zone_that_is_named_has_its_series_once() -> None:
    settings = Settings(series_zone=" Asia/Tehran,Europe/Istanbul, ,Asia/Tehran")
    assert settings.series_zones == ("Asia/Tehran", "Europe/Istanbul")
    assert Settings().series_zones == ()


def test_all_impossible_settings_are_named_at_once_and_no_secret_is_printed() -> None:
    with pytest.raises(SettingsError) as caught:
        Settings(port=70_000, engine_pace=11)
    assert len(caught.value.problems) == 2
    with pytest.raises(SettingsError, match="there is no setting colour"):
        Settings(colour="green")
    assert "x" * 32 not in repr(Settings(secret="x" * 32))


def test_a_public_origin_needs_a_secret_even_behind_a_proxy_on_this_machine() -> None:
    with pytest.raises(SettingsError, match="secret"):
        Settings(origin="https://play.example")
    assert Settings(origin="https://play.example", secret="x" * 32).is_secure


class _Ring:
    """An object that nothing but a garbage collection frees."""

    def __init__(self) -> None:
        self.own = self


def _is_gone(left: weakref.ref[_Ring]) -> bool:
    return left() is None


def test_young_garbage_is_collected_again_and_again() -> None:
    async def collected() -> None:
        collecting = asyncio.create_task(collect_young())
        for _ in range(2):
            left = weakref.ref(_Ring())
            await eventually(partial(_is_gone, left))
        collecting.cancel()

    gc.disable()
    try:
        asyncio.run(collected())
    finally:
        gc.enable()


def test_all_objects_are_looked_through_no_more_than_once_a_day() -> None:
    # Each collection of young objects, of which there are four a second, counts towards one of all.
    assert GENERATIONS[2] >= 4 * 24 * 3600
