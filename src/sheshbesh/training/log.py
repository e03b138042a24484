"""The diary of a run: one JSON object a line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


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
