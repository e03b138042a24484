"""Which people of a chouette are connected: to this process, or to another that announced them."""

from __future__ import annotations

from collections.abc import Collection

from sheshbesh.server.ids import CLOCK, Clock

AWAY = 30.0
"""Seconds of absence after which others may let the program, or another member, play on."""

_REPEAT = 4.0
"""Seconds after which this process announces again who is here."""
_LASTS = 10.0
"""Seconds for which an announcement of another process counts."""


class ChouettePresence:
    """The people who are connected, by name."""

    def __init__(self, clock: Clock = CLOCK) -> None:
        self._clock = clock
        self._missing: dict[str, float] = {}
        self._elsewhere: dict[str, float] = {}
        self._here: frozenset[str] = frozenset()
        self._seen: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self._announced: tuple[frozenset[str], float] = (frozenset(), 0.0)

    def look(self, here: frozenset[str], people: Collection[str]) -> bool:
        """Update who is there; whether that has changed, or somebody has now been away for long."""
        now = self._clock.monotonic()
        self._here = here
        for name in people:
            if name in here or now - self._elsewhere.get(name, -_LASTS) < _LASTS:
                self._missing.pop(name, None)
            else:
                self._missing.setdefault(name, now)
        seen = frozenset(self._missing), self.away()
        changed, self._seen = seen != self._seen, seen
        return changed

    def is_here(self, name: str) -> bool:
        """Whether a person is there."""
        return name not in self._missing

    @property
    def are_any_here(self) -> bool:
        """Whether anybody is connected to this process."""
        return bool(self._here)

    def away(self) -> frozenset[str]:
        """Those who have been away for so long that others may act."""
        now = self._clock.monotonic()
        return frozenset(name for name, since in self._missing.items() if now - since >= AWAY)

    def is_to_be_announced(self) -> bool:
        """Whether other processes must be notified now of who is here; if so, it counts as done."""
        announced, at = self._announced
        due = self._here != announced or (bool(self._here) and self._clock.monotonic() - at >= _REPEAT)
        if due:
            self._announced = (self._here, self._clock.monotonic())
        return due

    def note_elsewhere(self, names: Collection[str]) -> None:
        """Note that these people are connected to another process."""
        self._elsewhere.update(dict.fromkeys(names, self._clock.monotonic()))
