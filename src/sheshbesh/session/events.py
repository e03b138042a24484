"""What happened in a match: one event for each accepted action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sheshbesh.errors import RecordError
from sheshbesh.session.actions import ACTIONS, Action, parse_action

_OWN = ("n", "at", "actor", "then", "lag", "guessed")


@dataclass(frozen=True, slots=True)
class Event:
    """Action number `n` (from 1), taken by `actor` at `at` milliseconds.

    `then` holds what followed from it, for readers: dice, the play in notation, the result of a
    game. It can always be worked out again, and is checked when a record is replayed. `lag` are the
    milliseconds given back to the actor's clock because of a slow connection. `guessed` says that an
    engine's seat could not think in time, and played by heuristics.
    """

    n: int
    at: int
    actor: str
    action: Action
    then: Mapping[str, Any] = field(default_factory=dict)
    lag: int = 0
    guessed: bool = False

    def to_data(self) -> dict[str, Any]:
        """The event as plain data."""
        data: dict[str, Any] = {"n": self.n, "at": self.at, "actor": self.actor, **self.action.to_data()}
        if self.lag:
            data["lag"] = self.lag
        if self.guessed:
            data["guessed"] = True
        if self.then:
            data["then"] = dict(self.then)
        return data

    @classmethod
    def from_data(cls, data: object, kinds: Mapping[str, type[Action]] = ACTIONS) -> Event:
        """Read an event of these kinds of action; RecordError or ProtocolError says what is wrong."""
        if not isinstance(data, Mapping):
            raise RecordError(f"an event is an object, not {data!r}")
        data = {"lag": 0, "guessed": False, **data}
        for name, kind in (("n", int), ("at", int), ("actor", str), ("lag", int), ("guessed", bool)):
            if type(data.get(name)) is not kind:
                raise RecordError(
                    f"event {data.get('n')!r}: {name} must be {kind.__name__}, not {data.get(name)!r}"
                )
        then = data.get("then", {})
        if not isinstance(then, Mapping):
            raise RecordError(f"event {data['n']}: then must be an object, not {then!r}")
        action = parse_action({key: value for key, value in data.items() if key not in _OWN}, kinds)
        return cls(data["n"], data["at"], data["actor"], action, dict(then), data["lag"], data["guessed"])
