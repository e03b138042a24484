"""The security log: what an operator looks through when something is wrong. It holds addresses of visitors.

Each entry has `event`, and where they are known `address`, `user` (an id) and `name`. Passwords, codes and
tokens are in none.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from typing import Any, Final, Protocol

from starlette.requests import HTTPConnection

from sheshbesh.server.monitoring.logs import FIELDS, SECURITY

_log = logging.getLogger(SECURITY)

_MOST_KEYS: Final = 10_000
_QUIET: Final = 60.0
"""Seconds in which the same limit, reached by the same address, is logged once."""


class Named(Protocol):
    """The user that an entry is about."""

    @property
    def id(self) -> str:
        """The account."""

    @property
    def name(self) -> str:
        """What it is called."""


class _Recent:
    """What was logged lately, bounded in number."""

    def __init__(self) -> None:
        self._at: OrderedDict[tuple[str, ...], float] = OrderedDict()

    def is_new(self, *key: str) -> bool:
        """Whether nothing of this key was logged in the last minute; from now on something was."""
        now = time.monotonic()
        last = self._at.get(key)
        if last is not None and now - last < _QUIET:
            return False
        self._at[key] = now
        self._at.move_to_end(key)
        if len(self._at) > _MOST_KEYS:
            self._at.popitem(last=False)
        return True


_recent = _Recent()


def note(
    event: str,
    connection: HTTPConnection | None = None,
    *,
    user: Named | None = None,
    **more: Any,
) -> None:
    """Log an event of security."""
    fields: dict[str, Any] = {"event": event}
    if connection is not None and connection.client is not None:
        fields["address"] = connection.client.host
    if user is not None:
        fields |= {"user": user.id, "name": user.name}
    _log.info("security: %s", event, extra={FIELDS: fields | more})


def limit_reached(connection: HTTPConnection, code: str) -> None:
    """Log that somebody was refused for the number of what they asked; once a minute for each address."""
    host = connection.client.host if connection.client is not None else ""
    if _recent.is_new(code, host):
        note("limit", connection, code=code, path=connection.scope["path"])


def sign_in_failed(connection: HTTPConnection, code: str) -> None:
    """Log that somebody could not prove who they are, and why."""
    note("sign_in_failed", connection, code=code, path=connection.scope["path"])
