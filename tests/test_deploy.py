"""What `deploy/` says is true of the program, and its files can be read by those they are for."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from fastapi import FastAPI

from sheshbesh.server.http.security import LARGEST_UPLOAD
from sheshbesh.server.http.serving import make_config
from sheshbesh.server.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")


def unit(file: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(file.read_text("utf-8"))
    return parser


def test_every_setting_that_is_named_exists() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    files = [file for file in DEPLOY.iterdir() if file.is_file()]
    named = {found for file in files for found in re.findall(rf"\b{PREFIX}[A-Z_]+", file.read_text("utf-8"))}
    assert {f"{PREFIX}SECRET", f"{PREFIX}DATABASE", f"{PREFIX}ORIGIN"} <= named
    assert named <= known


@pytest.mark.skipif(sys.platform != "linux", reason="the linter is a program for Linux")
def test_the_dockerfile_has_no_fault_that_the_linter_knows() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    outcome = subprocess.run([linter, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout


def test_the_image_is_built_in_stages_and_does_not_run_as_root() -> None:
    stages = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert stages == ["${BASE}", "${BASE}"]
    assert re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE) == ["10001"]
    last = DOCKERFILE.rpartition("FROM ${BASE}")[2]
    assert "apt-get" not in last and "COPY --from=build" in last


def test_what_the_build_needs_is_sent_to_it_and_no_more() -> None:
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").split() if line[0] == "!"]
    assert all((ROOT / name).exists() for name in kept)
    assert {"pyproject.toml", "constraints.txt", "CMakeLists.txt", "cpp", "src"} <= set(kept)


def test_compose_starts_the_site_after_its_database_and_opens_no_port_to_others() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    site, database = services["site"], services["database"]
    assert (
        DEPLOY / site["build"]["context"] / site["build"]["dockerfile"]
    ).resolve() == DEPLOY / "Dockerfile"
    assert "BASE" in site["build"]["args"] and "ARG BASE" in DOCKERFILE
    assert site["depends_on"]["database"]["condition"] == "service_healthy" and database["healthcheck"]
    assert all(port.startswith("127.0.0.1:") for port in site["ports"]) and "ports" not in database
    assert site["read_only"] and site["cap_drop"] == ["ALL"]
    example = (DEPLOY / "site.env.example").read_text("utf-8")
    needed = re.findall(r"\$\{(\w+):\?\}", (DEPLOY / "compose.yaml").read_text("utf-8"))
    assert needed and all(re.search(rf"^{name}=", example, re.MULTILINE) for name in needed)


def test_the_second_server_and_the_workers_get_no_more_than_they_need() -> None:
    text = (DEPLOY / "compose.cluster.yaml").read_text("utf-8")
    services = yaml.safe_load(text.replace("!override ", ""))["services"]
    first, second, worker = services["site"], services["site-2"], services["worker"]
    assert first["environment"] == second["environment"] == {"SHESHBESH_OWN_ENGINES": "no"}
    (port,) = second["ports"]
    assert port.startswith("127.0.0.1:") and port != "127.0.0.1:8000:8000", "beside the first one"
    assert set(worker["environment"]) == {"SHESHBESH_DATABASE"}, "no secret of the site"
    assert worker["command"][:2] == ["site", "worker"] and worker["read_only"] and "ports" not in worker
    assert worker["deploy"]["replicas"] == 2


@pytest.mark.parametrize("file", UNITS, ids=lambda file: str(file.name))
def test_units_can_be_read_and_name_commands_that_exist(file: Path) -> None:
    found = unit(file)
    if file.suffix == ".timer":
        assert file.with_suffix(".service").exists() and found["Timer"]["OnCalendar"]
        return
    service = found["Service"]
    assert service["User"] == "sheshbesh" and service["NoNewPrivileges"] == "yes"
    (command,) = re.findall(r"bin/sheshbesh ((?:serve|site backup|site worker)\b)", service["ExecStart"])
    assert command


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
@pytest.mark.parametrize("file", UNITS, ids=lambda file: str(file.name))
def test_systemd_itself_has_nothing_to_say_but_that_it_is_not_installed(file: Path) -> None:
    outcome = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, check=False)
    said = [line for line in outcome.stderr.splitlines() if file.name in line]
    assert not [line for line in said if "Unknown" in line or "Failed to parse" in line or "Invalid" in line]


def test_the_proxy_passes_on_sockets_uploads_and_the_address_alone() -> None:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    assert text.count("{") == text.count("}")
    (size,) = re.findall(r"client_max_body_size (\d+)m;", text)
    assert int(size) * 1024 * 1024 > LARGEST_UPLOAD
    assert "proxy_set_header Upgrade $http_upgrade;" in text
    assert "X-Forwarded-For $remote_addr;" in text, "not what the visitor sends"
    assert re.search(r"location = /metrics \{\s+return 404;", text)


def test_the_proxy_ends_a_resting_connection_before_the_site_does() -> None:
    (rest,) = re.findall(r"keepalive_timeout (\d+)s;", (DEPLOY / "nginx.conf").read_text("utf-8"))
    assert int(rest) + 10 <= make_config(FastAPI(), Settings()).timeout_keep_alive
