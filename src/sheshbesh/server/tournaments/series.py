"""Tournaments that repeat at a fixed local hour: the next one is announced when the last one has begun.

One event a local date, whatever the clocks do, and whichever process makes it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sheshbesh.server.storage import Conflict
from sheshbesh.server.tournaments.tournaments import Tournaments
from sheshbesh.tournaments import SERVER, Series, read_settings
from sheshbesh.tournaments.actions import AnnounceAction
from sheshbesh.tournaments.settings import card_of

log = logging.getLogger(__name__)

_LOOK = 60.0
"""Seconds between two looks at what is to be announced."""

GAMES = ("tavla", "long_nardy", "takhte", "portes", "backgammon")
"""The games that take turns in a series, one a date."""
_CLOCK = "clock-d12-60"


@dataclass(frozen=True, slots=True)
class Programme:
    """A series: when it takes place, by how many points, and its settings but for card and start."""

    id: str
    title: str
    hour: int
    length: int
    days: tuple[int, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    def schedule(self, zone: str) -> Series:
        """Return when it takes place, in a time zone by its IANA name."""
        return Series(zone=zone, hour=self.hour, days=self.days)

    def card(self, day: date) -> str:
        """Return the card that is played on a date."""
        weeks = day.toordinal() // 7 if len(self.days) == 1 else day.toordinal()
        game = GAMES[weeks % len(GAMES)]
        code = f"p{self.length}.{_CLOCK}"
        agreed = card_of(f"{game}.{code}").allows_agreements
        return f"{game}.agreements=false.{code}" if agreed else f"{game}.{code}"


PROGRAMMES = (
    Programme(
        "daily", "Daily arena", 21, 1, (), {"system": "arena", "minutes": 60, "who": "guests", "bots": "with"}
    ),
    Programme("weekly", "Weekly tournament", 20, 3, (5,), {"system": "swiss", "bots": "no"}),
)
"""The series of a site."""


class SeriesKeeper:
    """Announces the next tournament of each series, in the hours of a `zone`; of none where that is empty."""

    def __init__(self, tournaments: Tournaments, zone: str) -> None:
        self._tournaments, self._zone = tournaments, zone

    async def run(self) -> None:
        """Look what is to be announced, until cancelled."""
        while self._zone:
            try:
                await self.poll()
            except Exception:
                log.exception("the next tournament of a series could not be announced")
            await self._tournaments.clock.sleep(_LOOK)

    async def poll(self) -> None:
        """Announce what is not announced yet."""
        for programme in PROGRAMMES if self._zone else ():
            await self._announce(programme)

    async def _announce(self, programme: Programme) -> None:
        schedule = programme.schedule(self._zone)
        day = schedule.next_date(self._tournaments.now())
        known = await self._tournaments.store.of_series(programme.id, day.isoformat())
        if known is None:
            settings = {
                "title": programme.title,
                "card": programme.card(day),
                "starts": schedule.start_on(day),
                "zone": self._zone,
                **programme.settings,
            }
            try:
                made = await self._tournaments.create(
                    read_settings(settings), None, series_id=programme.id, series_date=day.isoformat()
                )
            except Conflict:
                return  # another process was quicker
            known = (made.id, made.status.value)
        identity, status = known
        if status == "draft":
            await self._tournaments.act(identity, SERVER, AnnounceAction(), ref="announce")
