"""What is withheld of a table while it lasts: the seed of seeded dice, from which coming throws follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from sheshbesh.session import ChouetteHeader, Event, Header

HeaderT = TypeVar("HeaderT", Header, ChouetteHeader)


def shown_header(header: HeaderT, *, over: bool) -> HeaderT:
    """The first line of a record as others may have it."""
    return header if over else replace(header, seed=None)


def shown_events(events: Iterable[Event], *, over: bool) -> Sequence[Event]:
    """The events of a record as others may have them."""
    return tuple(events) if over else tuple(map(shown_event, events))


def shown_event(event: Event) -> Event:
    """An event as those are sent it who look at a table in progress."""
    transcript = event.then.get("transcript", ())
    kept = [entry for entry in transcript if not _is_seed(entry)]
    return event if len(kept) == len(transcript) else replace(event, then={**event.then, "transcript": kept})


def _is_seed(entry: Mapping[str, Any]) -> bool:
    return entry.get("type") == "seed"
