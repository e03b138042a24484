"""Immutable values that change often."""

from __future__ import annotations

from typing import Any, Self


class Value:
    """A frozen dataclass with a quick way to a changed copy.

    `dataclasses.replace` calls the constructor with every field, which for the state of a match
    costs more than the rest of an action; here the fields are copied at once. Only for classes that
    check nothing when they are made.
    """

    def but(self, **changes: Any) -> Self:
        """The same value with some fields changed."""
        copy = object.__new__(type(self))
        fields = self.__dict__ | changes
        assert len(fields) == len(self.__dict__), f"no such field among {sorted(changes)}"
        object.__setattr__(copy, "__dict__", fields)
        return copy
