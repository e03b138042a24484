"""What is published contains what it must, and one version number."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import sheshbesh as sb

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import release  # noqa: E402


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


def test_the_source_archive_has_all_that_builds_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = pytest.importorskip("scikit_build_core.build")
    monkeypatch.chdir(ROOT)
    archive = tmp_path / backend.build_sdist(str(tmp_path))
    names = release.names_in(archive)
    assert release.missing_in_sdist(names) == []
    without = [name for name in names if not name.endswith("CMakeLists.txt")]
    assert release.missing_in_sdist(without) == ["CMakeLists.txt"]
    assert archive.name == f"sheshbesh-{sb.__version__}.tar.gz"
    assert not [name for name in names if "/checkpoints/" in name or "/build/" in name or "/.venv/" in name]


def test_the_changelog_begins_with_the_version() -> None:
    assert release.version() == sb.__version__


def test_a_version_that_the_changelog_does_not_know_is_no_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 9.9.9\n")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match=r"first section of CHANGELOG\.md is 9\.9\.9"):
        release.version()
