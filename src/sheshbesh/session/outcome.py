"""What a handler of an action gives back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sheshbesh.session.state import Session


class Outcome(NamedTuple):
    """The state after an action, and what its event tells about the consequences."""

    state: Session
    then: Mapping[str, Any] = {}


def add(outcome: Outcome, **more: Any) -> Outcome:
    """The outcome with more to tell; entries without content are left out."""
    return Outcome(outcome.state, {**outcome.then, **{key: value for key, value in more.items() if value}})
