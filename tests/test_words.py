"""The names of the code, and the files, that documents give are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_names_that_the_glossary_gives_exist() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    last = re.findall(r"^\|.*\|.*\| (.*) \|$", glossary, re.MULTILINE)
    given = [
        found[1] for row in last for name in row.split(", ") if (found := re.fullmatch(r"`([\w./-]+)`", name))
    ]
    names = {name.rstrip("/").split("/")[-1].split(".")[-1] for name in given}
    assert len(names) > 50
    files = [
        file
        for folder in ("src", "cpp", "benchmarks")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in {".py", ".h", ".cpp", ".js", ".toml", ".json"} and "packed" not in file.parts
    ]
    known = {part for file in files for part in (*file.relative_to(ROOT).parts, file.stem)}
    known |= {word for file in files for word in re.findall(r"\w+", file.read_text("utf-8"))}
    known |= {path.name for path in (ROOT / "tests").iterdir()}
    assert not sorted(names - known)


def test_the_files_that_documents_for_developers_name_exist() -> None:
    documents = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs" / "dev").glob("*.md")]
    files = {
        f"/{file.relative_to(ROOT).as_posix()}"
        for folder in ("src", "cpp", "tests", "docs", "tools", "benchmarks", "examples", "deploy")
        for file in (ROOT / folder).rglob("*.*")
    }
    for document in documents:
        if document.stem != "before-1.0":
            named = re.findall(
                r"`([\w.-]+(?:/[\w.-]+)+\.(?:py|js|mjs|cpp|h|toml|md))`", document.read_text("utf-8")
            )
            assert not [name for name in named if not any(file.endswith(f"/{name}") for file in files)], (
                document
            )
