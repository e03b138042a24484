"""Logs: sentences for a terminal or lines of JSON for programs, and a file of its own for security.

A line of JSON has `at` (RFC 3339, UTC), `level`, `logger`, `message`, with an exception its `traceback`, and
the fields that a record brings along. What fails again and again is one line a minute: a database that is
away is met by every action, and a traceback each would fill what is left of a disk.
"""

from __future__ import annotations

import copy
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from sqlalchemy.exc import DBAPIError

from sheshbesh.errors import SettingsError
from sheshbesh.server.storage.failures import is_unavailable

SECURITY = "sheshbesh.security"
"""The logger of who signs in, who fails to, what is refused for its number, and what moderators do."""

FIELDS = "fields"
"""The attribute of a record that holds what it brings along."""

_QUIET: Final = 60.0
"""Seconds in which what happens again is not logged again."""
_MOST_KEYS: Final = 10_000


class Recent:
    """The lines logged in the last minute, bounded in number; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: OrderedDict[tuple[object, ...], tuple[float, int]] = OrderedDict()

    def repeats(self, *key: object) -> int | None:
        """Return how often this was left out since it was logged last; None where it is to be left out
        now."""
        now = self._clock()
        at, left_out = self._seen.get(key, (now - _QUIET, 0))
        if now - at < _QUIET:
            self._seen[key] = at, left_out + 1
            return None
        self._seen[key] = now, 0
        self._seen.move_to_end(key)
        if len(self._seen) > _MOST_KEYS:
            self._seen.popitem(last=False)
        return left_out


class Failures(logging.Handler):
    """Passes records on to another handler, of each failure one a minute with the number left out.

    A failure is a record with an exception. Where the database or a service is away its cause is one line,
    whatever was about to be done, with `cause` in its fields; any other has its traceback, and is the same
    where the same was raised at the same place.
    """

    def __init__(self, to: logging.Handler, recent: Recent | None = None) -> None:
        super().__init__()
        self._to, self._recent = to, recent or Recent()

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record on, or leave it out."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            self._to.handle(record)
            return
        away = _outage(error)
        cause = None if away is None else _first_line(away)
        place = _place(error.__traceback__)
        key = (cause,) if cause is not None else (record.name, record.msg, type(error), str(error), place)
        repeats = self._recent.repeats(*key)
        if repeats is None:
            return
        shown, fields = copy.copy(record), getattr(record, FIELDS, None)
        more: dict[str, Any] = dict(fields) if isinstance(fields, Mapping) else {}
        if cause is not None:
            more["cause"] = cause
            shown.exc_info = shown.exc_text = None
        if repeats:
            more["repeats"] = repeats
        setattr(shown, FIELDS, more)
        self._to.handle(shown)

    def close(self) -> None:
        """Close both."""
        self._to.close()
        super().close()


def _outage(error: BaseException) -> BaseException | None:
    """The error among an error's causes that says that something outside of this process is away."""
    seen: BaseException | None = error
    while seen is not None and not is_unavailable(seen):
        seen = seen.__cause__
    return seen


def _first_line(error: BaseException) -> str:
    """The first line of an error, without what SQLAlchemy puts around it."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        error = error.orig.__cause__ or error.orig
    return str(error).partition("\n")[0] or type(error).__name__


def _place(traceback: TracebackType | None) -> tuple[str, int] | None:
    """The file and the line where an error was raised."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return None if traceback is None else (traceback.tb_frame.f_code.co_filename, traceback.tb_lineno)


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

    Everything comes this way, what uvicorn logs and the warnings of Python too.
    The file is opened anew where it was moved away, as logrotate does. Returns the handlers, to be closed.
    SettingsError where the file cannot be written.
    """
    stream = logging.StreamHandler()
    stream.setFormatter(JsonLines() if form == "json" else Sentences("%(message)s"))
    failures = Failures(stream)
    handlers: list[logging.Handler] = [failures]
    logging.basicConfig(handlers=handlers)
    logging.captureWarnings(capture=True)
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
