"""Logs: sentences for a terminal or lines of JSON for programs, and a file of its own for security.

A line of JSON has `at` (RFC 3339, UTC), `level`, `logger`, `message`, with an exception its `traceback`, and
the fields that a record brings along.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

from sheshbesh.errors import SettingsError

SECURITY = "sheshbesh.security"
"""The logger of who signs in, who fails to, what is refused for its number, and what moderators do."""

FIELDS = "fields"
"""The attribute of a record that holds what it brings along."""


class JsonLines(logging.Formatter):
    """Each record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "at": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields = getattr(record, FIELDS, None)
        if isinstance(fields, Mapping):
            line |= {name: value for name, value in fields.items() if name not in line}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class Sentences(logging.Formatter):
    """Each record as a sentence, with what it brings along behind it."""

    def format(self, record: logging.LogRecord) -> str:
        """The sentence; text by strangers cannot begin a line of its own."""
        text = super().format(record)
        fields = getattr(record, FIELDS, None)
        if isinstance(fields, Mapping):
            text += "".join(f" {name}={value!r}" for name, value in fields.items())
        return text


def configure(form: str, security_file: str) -> list[logging.Handler]:
    """Send the site's logs to standard error as `text` or `json`; security to a file too, unless it is "".

    The file is opened anew where it was moved away, as logrotate does. Returns the handlers, to be closed.
    SettingsError where the file cannot be written.
    """
    stream = logging.StreamHandler()
    stream.setFormatter(JsonLines() if form == "json" else Sentences("%(message)s"))
    handlers: list[logging.Handler] = [stream]
    logging.basicConfig(handlers=[stream])
    logging.getLogger("sheshbesh").setLevel(logging.INFO)
    security = logging.getLogger(SECURITY)
    # In a terminal sign-ins are of no interest; programs and the file get them all.
    security.setLevel(logging.INFO if form == "json" or security_file else logging.WARNING)
    if security_file:
        try:
            kept = WatchedFileHandler(Path(security_file), encoding="utf-8")
        except OSError as error:
            reason = error.strerror or error
            raise SettingsError(f"the security log {security_file} cannot be written: {reason}") from error
        kept.setFormatter(JsonLines())
        security.addHandler(kept)
        security.propagate = form == "json"
        handlers.append(kept)
    return handlers
