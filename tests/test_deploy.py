"""What `deploy/` says is true of the program, and its files can be read by those they are for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from sheshbesh.server.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
MOST_EXPOSED = 18
"""Ten times what `systemd-analyze security` gives a unit at most; it gives these 1.7."""


def test_every_setting_that_is_named_exists() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields} | {f"{PREFIX}SITE"}  # a worker's
    files = [file for file in DEPLOY.iterdir() if file.is_file()]
    named = {found for file in files for found in re.findall(rf"\b{PREFIX}[A-Z_]+", file.read_text("utf-8"))}
    assert {f"{PREFIX}SECRET", f"{PREFIX}DATABASE", f"{PREFIX}ORIGIN"} <= named
    assert named <= known


@pytest.mark.skipif(sys.platform != "linux", reason="the linter is a program for Linux")
def test_the_dockerfile_has_no_fault_that_the_linter_knows() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    outcome = subprocess.run([linter, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout


def test_what_the_build_needs_is_sent_to_it_and_no_more() -> None:
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").split() if line[0] == "!"]
    assert all((ROOT / name).exists() for name in kept)
    assert {
        "pyproject.toml",
        "constraints.txt",
        "hashes.txt",
        "tools/pins.py",
        "CMakeLists.txt",
        "cpp",
        "src",
    } <= set(kept)


def test_the_core_can_be_built_of_what_is_sent(tmp_path: Path) -> None:
    for line in (ROOT / ".dockerignore").read_text("utf-8").split():
        if line[0] == "!":
            sent = tmp_path / "source" / line[1:]
            sent.parent.mkdir(parents=True, exist_ok=True)
            sent.symlink_to(ROOT / line[1:])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    defined = project["tool"]["scikit-build"]["cmake"]["define"] | {"Python_EXECUTABLE": sys.executable}
    tools = Path(sys.executable).parent
    outcome = subprocess.run(
        [
            *(tools / "cmake", "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}"),
            *(f"-D{name}={value}" for name, value in defined.items()),
            *("-S", tmp_path / "source", "-B", tmp_path / "build"),
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 0, outcome.stderr


def test_compose_starts_the_site_after_its_database_and_opens_no_port_to_others() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    site, database = services["site"], services["database"]
    assert (
        DEPLOY / site["build"]["context"] / site["build"]["dockerfile"]
    ).resolve() == DEPLOY / "Dockerfile"
    assert "BASE" in site["build"]["args"]
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
    for name, each in (("site", first), ("site-2", second)):
        assert each["environment"]["SHESHBESH_OWN_ENGINES"] == "no"
        assert each["environment"]["SHESHBESH_INTERNAL_URL"] == f"http://{name}:8000"
    (port,) = second["ports"]
    assert port.startswith("127.0.0.1:") and port != "127.0.0.1:8000:8000", "beside the first one"
    assert set(worker["environment"]) == {"SHESHBESH_SITE", "SHESHBESH_WORKER_KEY"}, "no secret of the site"
    assert worker["command"][:2] == ["site", "worker"] and worker["read_only"] and "ports" not in worker
    assert worker["deploy"]["replicas"] == 2


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a machine on which the units are installed, with the programs that they start."""
    root = tmp_path_factory.mktemp("machine")
    shutil.copytree("/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    installed = root / "etc/systemd/system"
    installed.mkdir(parents=True)
    for file in UNITS:
        shutil.copy(file, installed)
    for program in ("opt/sheshbesh/bin/sheshbesh", "bin/sh", "usr/bin/find"):
        place = root / program
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch(mode=0o755)
    return root


def asked(machine: Path, *question: str) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", question[0], f"--root={machine}", "--no-pager", *question[1:]]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.soak
@pytest.mark.parametrize("file", UNITS, ids=lambda file: str(file.name))
def test_systemd_itself_has_nothing_against_the_units(machine: Path, file: Path) -> None:
    name = file.name.replace("@.", "@8000.")
    outcome = asked(machine, "verify", "--man=no", name)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    if file.suffix == ".service":
        outcome = asked(machine, "security", "--offline=true", f"--threshold={MOST_EXPOSED}", name)
        assert outcome.returncode == 0, outcome.stdout


@pytest.mark.soak
def test_systemd_would_say_what_is_wrong_with_a_unit(machine: Path) -> None:
    text = (DEPLOY / "sheshbesh.service").read_text("utf-8")
    wrong = machine / "etc/systemd/system/wrong.service"
    wrong.write_text(text.replace("RestartSec=", "RestartSex=").replace("RestrictNamespaces=yes\n", ""))
    assert "RestartSex" in asked(machine, "verify", "--man=no", wrong.name).stderr
    outcome = asked(machine, "security", "--offline=true", f"--threshold={MOST_EXPOSED}", wrong.name)
    assert outcome.returncode != 0, "one protection less"
