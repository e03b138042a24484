"""Names that users could have used and that are private now: they stay for one release, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Mapping


def renamed(value: object, name: str, private: Mapping[str, str]) -> object:
    """The attribute that was called `name`, with a DeprecationWarning; AttributeError if there was none.

    `private` maps each old name to the private one. For the `__getattr__` of a class.
    """
    if name not in private:
        raise AttributeError(f"{type(value).__name__!r} object has no attribute {name!r}")
    warnings.warn(
        f"{type(value).__name__}.{name} is private and will be removed", DeprecationWarning, stacklevel=3
    )
    return getattr(value, private[name])
