"""How work that goes on in the background says that it failed."""

from __future__ import annotations

import logging

from sheshbesh.server.storage.database import is_unavailable


def log_failure(log: logging.Logger, error: Exception, text: str, *values: object) -> None:
    """Log that something failed: with where it did, or in one line where the database is away.

    That is met again at each attempt, and a traceback each time would fill what is left of a disk.
    """
    if is_unavailable(error):
        log.error(f"{text}: %s", *values, str(error).partition("\n")[0] or type(error).__name__)
    else:
        log.error(text, *values, exc_info=error)
