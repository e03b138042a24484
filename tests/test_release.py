"""What is published contains what it must, and one version number."""

from __future__ import annotations

import importlib.metadata
import re
import sys
import tomllib
import zipfile
from itertools import chain, pairwise
from pathlib import Path

import pytest

import sheshbesh as sb

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import pins  # noqa: E402
import release  # noqa: E402
import setup_venv  # noqa: E402


@pytest.fixture(scope="module")
def in_package() -> list[str]:
    """A wheel's files as they should be."""
    package = ROOT / "src" / "sheshbesh"
    files = [file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    names = [file.relative_to(package.parent).as_posix() for file in files]
    return [
        *names,
        "sheshbesh/_core.cpython-311-x86_64-linux-gnu.so",
        "sheshbesh-1.dist-info/licenses/LICENSE",
    ]


def test_a_wheel_needs_every_net_game_language_page_and_the_compiled_module(in_package: list[str]) -> None:
    assert release.missing_in_wheel(in_package) == []
    for needed in (
        "sheshbesh/engines/nets/backgammon.net",
        "sheshbesh/engines/nets/backgammon.json",
        "sheshbesh/rules/variants/tapa.toml",
        "sheshbesh/i18n/catalogues/fa.po",
        "sheshbesh/web/index.html",
        "sheshbesh/training/recipes/continue.toml",
        "sheshbesh/server/storage/migrations/env.py",
        "sheshbesh/py.typed",
    ):
        assert release.missing_in_wheel(name for name in in_package if name != needed) == [needed]
    plain = [name for name in in_package if "/_core." not in name or name.endswith(".pyi")]
    assert release.missing_in_wheel(plain) == ["the compiled module sheshbesh/_core"]


def source_archive(folder: Path) -> Path:
    """Make the archive in a folder, with one time for all its files."""
    backend = pytest.importorskip("scikit_build_core.build")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        return folder / str(backend.build_sdist(str(folder)))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return source_archive(tmp_path_factory.mktemp("archive"))


def test_the_source_archive_has_all_that_builds_the_package(archive: Path) -> None:
    names = release.names_in(archive)
    assert release.missing_in_sdist(names) == []
    without = [name for name in names if not name.endswith("CMakeLists.txt")]
    assert release.missing_in_sdist(without) == ["CMakeLists.txt"]
    assert archive.name == f"sheshbesh-{sb.__version__}.tar.gz"
    assert not [name for name in names if "/checkpoints/" in name or "/build/" in name or "/.venv/" in name]


@pytest.mark.soak
def test_the_same_sources_give_the_same_archive(archive: Path, tmp_path: Path) -> None:
    assert source_archive(tmp_path).read_bytes() == archive.read_bytes()


def test_the_files_in_which_two_wheels_differ_are_named(tmp_path: Path) -> None:
    def wheel(name: str, **files: str) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w") as made:
            for file, text in files.items():
                made.writestr(zipfile.ZipInfo(file), text)
        return tmp_path / name

    one = wheel("one", core="7", page="x")
    assert release.differences(one, wheel("same", core="7", page="x")) == []
    assert release.differences(one, wheel("other", core="8", page="x")) == ["core"]
    assert release.differences(one, wheel("less", core="7")) == ["page"]
    assert release.differences(one, wheel("order", page="x", core="7")) == [
        "the order, the times or the modes of files"
    ]


@pytest.mark.parametrize("group", pins.GROUPS)
def test_every_pin_has_its_hashes_and_no_address(group: str) -> None:
    lines = pins.read(group).splitlines()
    packages = [line for line in lines if not line.startswith(" ")]
    assert packages and all(re.fullmatch(r"[\w.-]+==[\w.!+-]+( ; .+)? \\", line) for line in packages)
    for before, line in pairwise(["", *lines]):
        assert line in packages or re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line)
        assert not before.endswith("\\") or line not in packages
    assert "://" not in pins.FILE.read_text("utf-8") + pins.HASHES.read_text("utf-8")


def test_the_pins_are_those_of_the_project() -> None:
    """A requirement that `make constraints` has not seen yet would be missing where things are installed."""
    pinned = {line.partition("==")[0] for group in pins.GROUPS for line in pins.read(group).splitlines()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    names = {
        re.split(r"[\[<>=;! ]", line)[0].replace("_", "-") for line in wanted if line not in pins.unpinned()
    }
    assert names <= pinned


def test_the_core_can_be_built_before_other_packages_are_installed() -> None:
    needed = importlib.metadata.requires("scikit-build-core") or []
    names = {
        re.split(r"[<>=;! ]", line)[0]
        for line in needed
        if "extra ==" not in line and "python_version <" not in line
    }
    assert {"packaging", "pathspec"} <= names <= set(pins.TO_BUILD)
    assert pins.read("play", only=pins.TO_BUILD).count("==") == len(pins.TO_BUILD)


def test_the_changelog_begins_with_the_version() -> None:
    assert release.version() == sb.__version__


def test_a_version_that_the_changelog_does_not_know_is_no_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 9.9.9\n")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match=r"first section of CHANGELOG\.md is 9\.9\.9"):
        release.version()


@pytest.mark.parametrize(
    ("wanted", "built", "is_ci", "form"),
    [
        ("play", "", False, "now unity"),
        ("play", "before", False, "now unity"),
        ("play", "before unity", False, "now unity"),
        ("play", "now unity", False, ""),
        ("play", "now", False, ""),
        ("dev", "", False, "now"),
        ("dev", "now unity", False, "now"),
        ("dev", "now", False, ""),
        ("dev", "before", True, "now unity"),
        ("train", "now unity", True, ""),
        ("peers", "now", True, ""),
    ],
)
def test_who_plays_and_ci_have_the_core_built_in_few_units(
    wanted: str,
    built: str,
    is_ci: bool,  # noqa: FBT001
    form: str,
) -> None:
    assert setup_venv.core_to_build(wanted, "now", built, is_ci=is_ci) == form
