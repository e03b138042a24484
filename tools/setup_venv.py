"""Make or refresh `.venv`: pinned packages and an editable install of this checkout.

    python tools/setup_venv.py play|dev|train|peers|wasm

A stamp per group holds the hash of everything the group depends on, so a second run does nothing.
Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import pins

ROOT = pins.ROOT
VENV = ROOT / ".venv"
OLDEST = (3, 11)
UNITY = " unity"
"""What the stamp of a core ends with whose sources were compiled several as one."""


def _fingerprint(*files: str) -> str:
    """Hash of some files of ours, of the place of the checkout and of the interpreter.

    Inside `.venv`, activated, it is the interpreter that `.venv` was made with.
    """
    digest = hashlib.sha256(f"{ROOT}\n{sys.version}\n{os.path.realpath(sys.base_prefix)}".encode())
    for name in files:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def _layout() -> str:
    """Hash of the names of the package's modules: an editable install knows each by its file."""
    names = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / "src").rglob("*.py"))
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


def _stamp(step: str) -> Path:
    return VENV / f"stamp-{step}"


def _is_done(step: str, fingerprint: str) -> bool:
    stamp = _stamp(step)
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == fingerprint


def _pip(*arguments: str, unity: bool = False) -> subprocess.Popen[bytes]:
    # A CI run must not pass with a warning that the compiler gave about the bindings.
    werror = "ON" if os.environ.get("CI") else "OFF"
    define = f"SHESHBESH_WERROR={werror};CMAKE_UNITY_BUILD={'ON' if unity else 'OFF'}"
    environment = {**os.environ, "SKBUILD_CMAKE_DEFINE": define}
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    # Python compiles what is imported, which is a small part of what is installed.
    return subprocess.Popen([*command, "--no-compile", *arguments], env=environment, stdin=subprocess.DEVNULL)


def _finish(*running: subprocess.Popen[bytes]) -> None:
    codes = [each.wait() for each in running]
    if any(codes):
        raise SystemExit("Setting up .venv failed, see above.")


def _install(group: str, *, only: Collection[str] = ()) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder, f"{group}.txt")
        pinned.write_text(pins.read(group, only=only), encoding="utf-8")
        # Wheels only, the same on every machine; all dependencies are in the file.
        _finish(_pip("--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", str(pinned)))
    if group == "train":
        _finish(_pip("--only-binary", ":all:", *pins.unpinned()))


def _install_project(*, unity: bool) -> subprocess.Popen[bytes]:
    # Without isolation, or the rebuild at import would look for build tools that are gone.
    return _pip("--no-build-isolation", "--no-deps", "--editable", str(ROOT), unity=unity)


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other call makes `.venv`: `make --jobs` begins several at once."""
    checkout = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(checkout, fcntl.LOCK_EX)
        yield
    finally:
        os.close(checkout)


def _has_build() -> bool:
    return any((ROOT / "build").glob("cp*/CMakeCache.txt"))


def core_to_build(wanted: str, project: str, built: str, *, is_ci: bool) -> str:
    """Return how the core is to be built for `wanted`, as its stamp says; "" where it is there.

    Who only plays, and CI, which compiles once, have several sources compiled as one, which takes less time.
    Who develops has each by itself, so that a change compiles one of them; that is as good to play with.
    """
    if built == project:
        return ""
    form = project + UNITY if wanted == "play" or is_ci else project
    return "" if built == form else form


def main(wanted: str) -> None:
    """Bring `.venv` up to `wanted`, doing only what is not done; the core is built while packages come."""
    if sys.version_info < OLDEST:
        raise SystemExit(f"Sheshbesh needs Python 3.11 or newer, this is {sys.version.split()[0]}")
    pinned = _fingerprint("constraints.txt", "hashes.txt")
    if not _is_done("play", pinned):  # other pins mean a new `.venv`
        print("Making .venv", flush=True)
        venv.create(VENV, clear=True, with_pip=True)
        # That of an old Python takes half as long again, most of it over the indexes of large packages.
        _install("play", only=["pip"])
        _install("play", only=pins.TO_BUILD)
    # The package's first file states the version, which the installed metadata repeats.
    stated = ("constraints.txt", "hashes.txt", "pyproject.toml", "src/sheshbesh/__init__.py")
    project = _fingerprint(*stated) + _layout()
    stamp = _stamp("project")
    built = stamp.read_text(encoding="utf-8") if stamp.is_file() and _has_build() else ""
    wanted_build = core_to_build(wanted, project, built, is_ci=bool(os.environ.get("CI")))
    building: list[subprocess.Popen[bytes]] = []
    if wanted_build:
        print("Building the core", flush=True)
        building.append(_install_project(unity=wanted_build.endswith(UNITY)))
    try:
        for group in pins.installed_for(wanted):
            if not _is_done(group, pinned):
                print(f"Installing packages: {group}", flush=True)
                _install(group)
                # Stamped when done: a step that was cut short is taken again.
                _stamp(group).write_text(pinned, encoding="utf-8")
    finally:
        _finish(*building)
    if wanted_build:
        stamp.write_text(wanted_build, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in pins.GROUPS:
        raise SystemExit(f"usage: setup_venv.py {'|'.join(pins.GROUPS)}")
    with _alone():
        main(sys.argv[1])
