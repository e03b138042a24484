"""Names that users could have used and that are private now: they stay for one release, with a warning."""

from __future__ import annotations

import warnings


class Renamed:
    """An attribute of a class under its old name: reading it warns and gives the one called `private`.

    A descriptor and no `__getattr__` of the class, which would slow every other attribute down.
    """

    def __init__(self, private: str) -> None:
        self._private = private
        self._name = private

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, value: object, owner: type | None = None) -> object:
        if value is None:
            return self
        warnings.warn(
            f"{type(value).__name__}.{self._name} is private and will be removed",
            DeprecationWarning,
            stacklevel=2,
        )
        return getattr(value, self._private)
