"""Columns of JSON: what is written into one can be read again, and what cannot be read is the default.

The parser reads JSON that is nested up to 200 deep, and writes it to any depth. So depth and size are bound
before anything is stored; and a value that cannot be read all the same, left by an earlier version or by
hand, is logged and read as empty: one bad row breaks no page.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pydantic_core import from_json, to_json
from sqlalchemy import JSON, Dialect
from sqlalchemy.types import TypeDecorator

from sheshbesh.i18n import Text
from sheshbesh.server.refusals import Failure

DEEPEST = 16
"""Objects and lists within one another that a stored value may have."""
LARGEST = 64 * 1024
"""Bytes of a stored value, where a column says no other number."""

_log = logging.getLogger(__name__)


class Unreadable(NamedTuple):
    """Stands for a stored text that is no JSON, or too deep to be read."""

    error: str


def read(text: str | bytes) -> Any:
    """A stored text as a value; `Unreadable` where it is none."""
    try:
        return from_json(text)
    except ValueError as error:
        return Unreadable(str(error))


def write(value: object) -> str:
    """A value as it is stored."""
    return to_json(value).decode()


def is_deeper(value: object, most: int = DEEPEST) -> bool:
    """Return True if objects and lists are nested more than `most` deep; looks no further than that."""
    level: Iterable[object] = [value]
    for _ in range(most + 1):
        level = [part for each in level if isinstance(each, dict | list | tuple) for part in _parts(each)]
        if not level:
            return False
    return True


def _parts(value: Mapping[str, object] | Iterable[object]) -> Iterable[object]:
    return value.values() if isinstance(value, Mapping) else value


class JsonColumn(TypeDecorator[Any]):
    """A column of objects (`dict`) or of lists (`list`)."""

    impl = JSON
    cache_ok = True

    def __init__(self, kind: type[dict[str, Any]] | type[list[Any]], largest: int = LARGEST) -> None:
        super().__init__()
        self.kind, self.largest = kind, largest

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002
        """The same value, checked."""
        return self.check(value)

    def check(self, value: Any) -> Any:
        """The same value; Failure 422 for what could not be read again, or is too large."""
        if is_deeper(value):
            raise Failure(422, Text("this is nested more than {most} deep", most=DEEPEST), code="too_deep")
        if len(to_json(value)) > self.largest:
            raise Failure(413, Text("this has more than {most} bytes", most=self.largest))
        return value

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002
        """The stored value; an empty one, and a line in the log, for what is not of this column's kind."""
        if isinstance(value, self.kind):
            return value
        _log.error("a stored value is read as empty, for it is no %s: %.200r", self.kind.__name__, value)
        return self.kind()
