"""Make what is published, and stop before publishing: `make release`.

    python tools/release.py [--dirty] [--out FOLDER]

The steps: one version everywhere, with its section in the changelog; the source archive; a wheel built from
that archive, and a second one in another folder, which must have the same bytes; the name that auditwheel
finds for it where this is Linux; a look at what archive and wheel contain; the documentation. Wheels for
other systems are made by cibuildwheel (see pyproject.toml).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "sheshbesh"
LARGEST = 40 * 1024 * 1024
"""Bytes of a wheel."""

_GENERATED = {"__pycache__"}
_BUILT = re.compile(r"sheshbesh/_core\.[^/]*(so|pyd)$")
_NEEDED_TO_BUILD = (
    "CMakeLists.txt",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "docs/index.md",
)


def version() -> str:
    """The one place that states it; SystemExit where the changelog has no section for it."""
    text = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"{PACKAGE / '__init__.py'} states no version")
    own = found.group(1)
    sections = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    sections = [section for section in sections if section != "Unreleased"]
    if not sections or sections[0] != own:
        first = sections[0] if sections else "none"
        raise SystemExit(f"the version is {own}, the first section of CHANGELOG.md is {first}")
    if f"\nversion: {own}\n" not in (ROOT / "CITATION.cff").read_text("utf-8"):
        raise SystemExit(f"the version is {own}, and CITATION.cff says another")
    return own


def _files(folder: Path) -> Iterable[Path]:
    return (
        file
        for file in folder.rglob("*")
        if file.is_file() and not _GENERATED & set(file.parts) and file.suffix not in (".so", ".pyd")
    )


def missing_in_wheel(names: Iterable[str]) -> list[str]:
    """What a wheel with these files lacks: any file of the package, the compiled module, the licence."""
    have = set(names)
    wanted = [file.relative_to(PACKAGE.parent).as_posix() for file in _files(PACKAGE)]
    lacking = [name for name in wanted if name not in have]
    if not any(_BUILT.match(name) for name in have):
        lacking.append("the compiled module sheshbesh/_core")
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in have):
        lacking.append("LICENSE")
    return sorted(lacking)


def missing_in_sdist(names: Iterable[str]) -> list[str]:
    """What a source archive with these files lacks: package, core with its tests, what builds them."""
    have = {name.partition("/")[2] for name in names}
    wanted = [
        file.relative_to(ROOT).as_posix() for folder in (PACKAGE, ROOT / "cpp") for file in _files(folder)
    ]
    return sorted(name for name in (*wanted, *_NEEDED_TO_BUILD) if name not in have)


def names_in(archive: Path) -> list[str]:
    """The files of a wheel or of a source archive."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.namelist()
    with tarfile.open(archive) as source:
        return source.getnames()


def _epoch() -> str:
    """Return the time of the last commit, which archives give to all that they hold."""
    command = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _run(*command: str) -> None:
    print("$", " ".join(command), flush=True)
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise SystemExit(f"{command[0]} failed, see above")


def _refuse_changes() -> None:
    changed = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    if changed.stdout.strip():
        raise SystemExit(f"the checkout has changes that are not committed:\n{changed.stdout}")


def _tagged(wheel: Path, out: Path) -> Path:
    """The wheel under the name of the oldest Linux that it runs on, as auditwheel finds it.

    It holds one module that needs nothing but the system's own libraries, so a name is all there is to
    repair; SystemExit where auditwheel finds otherwise.
    """
    from auditwheel.wheeltools import InWheelCtx, add_platforms

    shown = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", "--json", str(wheel)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    tag = json.loads(shown.stdout)["overall_tag"]
    if not tag.startswith(("manylinux", "musllinux")):
        raise SystemExit(f"{wheel.name} needs libraries that other machines lack: auditwheel repair {wheel}")
    plain = wheel.stem.rpartition("-")[2]
    with InWheelCtx(wheel, out / wheel.name) as inside:
        fit = add_platforms(inside, [tag], [plain])
    return Path(fit)


def _built_again(sdist: Path, folder: Path) -> Path:
    """A second wheel of the same source, compiled anew in another folder."""
    with tarfile.open(sdist) as source:
        source.extractall(folder, filter="data")
    (tree,) = folder.iterdir()
    _run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(tree))
    (wheel,) = folder.glob("*.whl")
    return wheel


def differences(wheel: Path, other: Path) -> list[str]:
    """The files in which two wheels differ, or what else does; empty where they have the same bytes."""
    if wheel.read_bytes() == other.read_bytes():
        return []
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(other) as second:
        crcs = [{each.filename: each.CRC for each in archive.infolist()} for archive in (first, second)]
    names = sorted({name for name, _ in crcs[0].items() ^ crcs[1].items()})
    return names or ["the order, the times or the modes of files"]


def _refuse_differences(wheel: Path, other: Path) -> None:
    found = differences(wheel, other)
    if found:
        raise SystemExit(f"two builds of {wheel.name} differ in {', '.join(found[:10])}")


def _built(out: Path, own: str) -> list[Path]:
    """The source archive and a wheel made from it, the latter fit for other machines where that is known."""
    draft = out / "draft"
    shutil.rmtree(draft, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(draft))
    (sdist,) = draft.glob(f"sheshbesh-{own}.tar.gz")
    (wheel,) = draft.glob(f"sheshbesh-{own}-*.whl")
    _refuse_differences(wheel, _built_again(sdist, draft / "again"))
    fit = _tagged(wheel, out) if sys.platform == "linux" else wheel.replace(out / wheel.name)
    kept = sdist.replace(out / sdist.name)
    shutil.rmtree(draft)
    return [kept, fit]


def main() -> None:
    """All steps; ends at the first that fails."""
    parser = argparse.ArgumentParser(description="Make what is published, and stop before publishing.")
    parser.add_argument("--dirty", action="store_true", help="also with changes that are not committed")
    parser.add_argument("--no-docs", action="store_true", help="leave the documentation out")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder for it (dist)")
    options = parser.parse_args()
    own = version()
    if not options.dirty:
        _refuse_changes()
    os.environ.setdefault("SOURCE_DATE_EPOCH", _epoch())
    os.environ["CCACHE_DISABLE"] = "1"  # what is published is compiled, each time
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    for archive in _built(options.out, own):
        is_wheel = archive.suffix == ".whl"
        missing = (missing_in_wheel if is_wheel else missing_in_sdist)(names_in(archive))
        if missing:
            raise SystemExit(f"{archive.name} lacks {len(missing)} files: {', '.join(missing[:10])}")
        size = archive.stat().st_size
        if size > LARGEST:
            raise SystemExit(f"{archive.name} has {size / 1024**2:.1f} MB, more than {LARGEST // 1024**2}")
        print(f"{archive.name}: {size / 1024**2:.1f} MB")
    if not options.no_docs:
        _run(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(ROOT / "site"))
    print(f"Version {own} is in {options.out}. To publish: git tag v{own}, then upload both files.")


if __name__ == "__main__":
    main()
