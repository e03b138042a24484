"""The files of a run: which ones they are, where they can be, how to be rid of them; and its log."""

from __future__ import annotations

import contextlib
import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sheshbesh.errors import TrainingError

CHECKPOINT = "checkpoint.bin"
LOG = "log.jsonl"
TABLE = "strength.csv"
PICTURE = "strength.png"
POSITIONS = "positions"
"""The folder in that of a run with one file for each round that is still learned from."""


def of_run(folder: Path, game: str) -> list[Path]:
    """The files in `folder` that a run of a game wrote, those it was still writing included."""
    names = (CHECKPOINT, LOG, TABLE, PICTURE, f"{game}.net", f"{game}.json")
    found = [folder / f"{name}{ending}" for name in names for ending in ("", ".new")]
    found += of_rounds(folder / POSITIONS)
    return [file for file in found if file.is_file() or file.is_symlink()]


def of_round(positions: Path, round_: int) -> Path:
    """The file with the positions of a round."""
    return positions / f"{round_:06d}.bin"


def of_rounds(positions: Path) -> list[Path]:
    """The files of all rounds in a run's folder of positions, those it was still writing included."""
    return sorted([*positions.glob("[0-9]*[0-9].bin"), *positions.glob("[0-9]*[0-9].bin.new")])


def make_folder(folder: Path) -> None:
    """Make a folder for a run if there is none; TrainingError if nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise TrainingError(f"{folder} cannot be written to: {error.strerror or error}") from error


def clear(folder: Path, game: str) -> None:
    """Remove what a run of a game wrote, and nothing else; TrainingError names what stays."""
    for file in of_run(folder, game):
        try:
            file.unlink()
        except OSError as error:
            raise TrainingError(f"{file} cannot be removed: {error.strerror or error}") from error
    with contextlib.suppress(OSError):  # something else may be in it, or it was never made
        (folder / POSITIONS).rmdir()


class Log:
    """Appends to a file; what is no event, such as a line torn off by a crash, is left out when reading."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def write(self, event: str, **values: Any) -> None:
        """Add one event with the time."""
        line = {"event": event, "time": datetime.now(UTC).isoformat(timespec="seconds"), **values}
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")

    def read(self) -> list[dict[str, Any]]:
        """All events, oldest first."""
        if not self.file.is_file():
            return []
        events = []
        for line in self.file.read_bytes().splitlines():
            try:
                event = json.loads(line.decode("utf-8"))
            except ValueError:  # no JSON, or no text at all
                continue
            if isinstance(event, dict) and isinstance(event.get("event"), str):
                events.append(event)
        return events
