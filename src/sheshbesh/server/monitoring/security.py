"""The security log: what an operator looks through when something is wrong. It holds addresses of visitors.

Each entry has `event`, and where they are known `address`, `user` (an id) and `name`. Passwords, codes and
tokens are in none.
"""

from __future__ import annotations

import logging
from typing import Any

from starlette.requests import HTTPConnection

from sheshbesh.server.monitoring.logs import FIELDS, SECURITY, Recent

_log = logging.getLogger(SECURITY)


def note(
    event: str,
    connection: HTTPConnection | None = None,
    **more: Any,
) -> None:
    """Log an event of security, with the address of a connection and `more` fields."""
    fields: dict[str, Any] = {"event": event}
    if connection is not None and connection.client is not None:
        fields["address"] = connection.client.host
    _log.info("security: %s", event, extra={FIELDS: fields | more})


def limit_reached(connection: HTTPConnection, code: str, recent: Recent) -> None:
    """Log that somebody was refused for the number of what they asked; not while `recent` has it."""
    host = connection.client.host if connection.client is not None else ""
    if recent.repeats(code, host) is not None:
        note("limit", connection, code=code, path=connection.scope["path"])


def sign_in_failed(connection: HTTPConnection, code: str) -> None:
    """Log that somebody could not prove who they are, and why."""
    note("sign_in_failed", connection, code=code, path=connection.scope["path"])
