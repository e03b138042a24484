"""Tournaments as calendar files (ICS): one event each, by which a calendar knows it again when it changes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row

from sheshbesh.i18n import Text, translate
from sheshbesh.match.timing import MINUTE, SECOND
from sheshbesh.server.tournaments.series import title_of
from sheshbesh.tournaments.settings import card_of, read_settings

_LIKELY = 120 * MINUTE
"""The duration that a tournament is said to have, where its settings do not say."""


def calendar(rows: Iterable[Row[Any]], origin: str, now: int, lang: str) -> bytes:
    """Return those that have a start as a calendar in a language; `origin` is the address of the site."""
    # It is asked for seldom, and takes a tenth of a second to import.
    from icalendar import Calendar, Event

    found = Calendar()
    found.add("prodid", "-//Sheshbesh//Tournaments//EN")
    found.add("version", "2.0")
    for row in rows:
        if row.starts is None:
            continue
        settings = read_settings(row.amended or row.settings)
        span = _LIKELY if settings.playing_minutes is None else settings.playing_minutes * MINUTE
        event = Event()
        event.add("uid", f"{row.id}@{origin.split('://')[-1]}")
        event.add("sequence", row.n)
        event.add("dtstamp", _time(now))
        event.add("dtstart", _time(row.starts))
        event.add("dtend", _time(row.starts + span))
        event.add("summary", translate(title_of(row.title, row.series_id), lang))
        game = translate(Text(card_of(settings.card).rules.title), lang)
        event.add("description", " · ".join(filter(None, (game, settings.text))))
        event.add("url", f"{origin}/t/{row.id}")
        event.add("status", "CANCELLED" if row.status == "cancelled" else "CONFIRMED")
        found.add_component(event)
    return bytes(found.to_ical())


def _time(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / SECOND, tz=UTC)
