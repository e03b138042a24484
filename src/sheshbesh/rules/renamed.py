"""Names that users could have used and that are others now: they stay for one release, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Mapping


class Renamed:
    """An attribute of a class under its old name: reading it warns and gives the one called `current`.

    A descriptor and no `__getattr__` of the class, which would slow every other attribute down.
    """

    def __init__(self, current: str) -> None:
        self._current = current
        self._name = current

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, value: object, owner: type | None = None) -> object:
        if value is None:
            return self
        fate = "private and will be removed" if self._current.startswith("_") else f"now {self._current}"
        # The warning names the line that reads the attribute.
        warnings.warn(f"{type(value).__name__}.{self._name} is {fate}", DeprecationWarning, stacklevel=2)
        return getattr(value, self._current)


def class_once_named(name: str, former: Mapping[str, type], module: str) -> type:
    """The class that a module once had under `name`, with a warning; for the `__getattr__` of that module.

    `former` has the classes by their old names. AttributeError for a name that the module never had.
    """
    if name not in former:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    current = former[name]
    # One frame is this function and one the module's `__getattr__`: the third reads the name.
    warnings.warn(f"{module}.{name} is now {current.__name__}", DeprecationWarning, stacklevel=3)
    return current
