"""Tournaments that repeat at a fixed local hour: the next one is announced when the last one has begun.

Where too few have entered that one, it is announced when the last one is over, since others may come late.
Each time zone of a site has a set of its own: a daily arena, a weekly tournament of each game, and a medley
in which the games take turns that too few play. One event a local date, whatever the clocks do, and whichever
process makes it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, Literal

from sheshbesh.i18n import JoinedText, Text
from sheshbesh.server.storage import Conflict
from sheshbesh.server.tournaments.store import TournamentStore
from sheshbesh.server.tournaments.tournaments import Tournaments
from sheshbesh.tournaments import SERVER, Series, Status, read_settings
from sheshbesh.tournaments.actions import AnnounceAction
from sheshbesh.tournaments.settings import ENOUGH, card_of, stays_weekly

log = logging.getLogger(__name__)

Kind = Literal["daily", "weekly", "medley"]

_LOOK = 60.0
"""Seconds between two looks at what is to be announced."""

GAMES = ("tavla", "long_nardy", "takhte", "portes", "backgammon")
"""The games that have series."""
_CLOCK = "clock-d12-60"
_PAST = 12 * len(GAMES)
"""Tournaments of a set that are looked back on: each game was played at least once in its turn among them."""


_OPEN = {each.value for each in (Status.ANNOUNCED, Status.OPEN, Status.CHECK_IN, Status.RUNNING)}
"""The states in which somebody may still enter."""


@dataclass(frozen=True, slots=True)
class Programme:
    """A kind of series: when it takes place, by how many points, and its settings but for card and start."""

    kind: Kind
    title: str
    hour: int
    length: int
    settings: Mapping[str, Any]


_ARENA = MappingProxyType({"system": "arena", "minutes": 60, "who": "guests", "bots": "with"})
_SWISS = MappingProxyType({"system": "swiss", "bots": "no"})
PROGRAMMES = {
    each.kind: each
    for each in (
        Programme("daily", "Daily arena", 21, 1, _ARENA),
        Programme("weekly", "Weekly tournament", 20, 3, _SWISS),
        Programme("medley", "Games in turn", 20, 3, _SWISS),
    )
}
_MEDLEY_DAY = len(GAMES)
"""The day of the week of the medley (Monday 0), after those of the games."""


@dataclass(frozen=True, slots=True)
class Past:
    """A weekly tournament, or one of a medley, that has begun or was to begin, and how many had entered.

    While it `is_open` others may still come late.
    """

    kind: Kind
    game: str
    entrants: int
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """The next tournament of a series: `id` is that of the series, `starts` in ms."""

    id: str
    programme: Programme
    game: str
    day: date
    starts: int


def quiet_games(past: Iterable[Past]) -> list[str]:
    """Return the games without an evening of their own, first the one that was played longest ago.

    A game loses it by fewer than 8 entrants in the mean of its last four weeks, and has it again once as many
    enter when it is its turn in the medley. `past` in the order of dates.
    """
    own: dict[str, tuple[int, ...]] = {}
    quiet: dict[str, None] = {}
    for each in past:
        quiet.pop(each.game, None)
        if each.kind == "medley":
            own[each.game] = ()
            stays = each.entrants >= ENOUGH
        else:
            own[each.game] = (*own.get(each.game, ()), each.entrants)
            stays = stays_weekly(own[each.game])
        if not stays:
            quiet[each.game] = None
    return [game for game in quiet if game in GAMES]


def plan(zone: str, past: Iterable[Past], now: int) -> list[Planned]:
    """Return the next tournament of each series of a time zone (by its IANA name) after `now`.

    For a game that too few have entered so far there is none yet: who comes late counts.
    """
    past = list(past)
    quiet = quiet_games(past)
    undecided = {each.game for each in past if each.is_open}
    turns = [game for game in quiet if game not in undecided]
    series: list[tuple[Kind, tuple[int, ...], str | None]] = [("daily", (), None)]
    series += [("weekly", (number,), game) for number, game in enumerate(GAMES) if game not in quiet]
    series += [("medley", (_MEDLEY_DAY,), turns[0])] if turns else []
    found = []
    for kind, days, own in series:
        programme = PROGRAMMES[kind]
        schedule = Series(zone=zone, hour=programme.hour, days=days)
        day = schedule.next_date(now)
        game = own or GAMES[day.toordinal() % len(GAMES)]
        name = _weekly(game, zone) if kind == "weekly" else f"{kind} {zone}"
        found.append(Planned(name, programme, game, day, schedule.start_on(day)))
    return found


def _weekly(game: str, zone: str) -> str:
    return f"weekly {game} {zone}"


def card(game: str, length: int) -> str:
    """Return the card by which a game is played in a series."""
    code = f"p{length}.{_CLOCK}"
    agreed = card_of(f"{game}.{code}").allows_agreements
    return f"{game}.agreements=false.{code}" if agreed else f"{game}.{code}"


class SeriesKeeper:
    """Announces the next tournament of each series, in the hours of these time zones (IANA names)."""

    def __init__(self, tournaments: Tournaments, zones: Sequence[str]) -> None:
        self._tournaments, self._zones = tournaments, tuple(zones)

    async def run(self) -> None:
        """Look what is to be announced, until cancelled."""
        while self._zones:
            try:
                await self.poll()
            except Exception:
                log.exception("the next tournament of a series could not be announced")
            await self._tournaments.clock.sleep(_LOOK)

    async def poll(self) -> None:
        """Announce what is not announced yet."""
        now = self._tournaments.now()
        for zone in self._zones:
            for planned in plan(zone, await past(self._tournaments.store, zone, now), now):
                await self._announce(planned, zone)

    async def _announce(self, planned: Planned, zone: str) -> None:
        day, programme = planned.day.isoformat(), planned.programme
        known = await self._tournaments.store.of_series(planned.id, day)
        if known is None:
            settings = {
                "title": f"{programme.title}, {city(zone)}",
                "card": card(planned.game, programme.length),
                "starts": planned.starts,
                "zone": zone,
                **programme.settings,
            }
            try:
                made = await self._tournaments.create(
                    read_settings(settings), None, series_id=planned.id, series_date=day
                )
            except Conflict:
                return  # another process was quicker
            known = (made.id, made.status.value)
        identity, status = known
        if status == "draft":
            await self._tournaments.act(identity, SERVER, AnnounceAction(), ref="announce")


async def past(store: TournamentStore, zone: str, now: int) -> list[Past]:
    """Return the last weekly tournaments of a time zone, and those of its medley, in the order of dates."""
    medley = f"medley {zone}"
    rows = await store.past_of_series([medley, *(_weekly(game, zone) for game in GAMES)], now, _PAST)
    return [
        Past("medley" if row.series_id == medley else "weekly", row.game, row.entrants, row.status in _OPEN)
        for row in rows
    ]


def title_of(title: str, series: str | None) -> Text:
    """Return the title of a tournament as a text, by the id of the series that it belongs to.

    What a series is called is translated, as on the page; a title that somebody gave stays as it is.
    """
    kind, *_, zone = (series or " ").split(" ")
    programme = next((each for each in PROGRAMMES.values() if each.kind == kind), None)
    if programme is None:
        return JoinedText(title)
    return JoinedText(Text(programme.title), Text(city(zone)), separator=" · ")


def city(zone: str) -> str:
    """Return the name of the city after which a time zone is called."""
    return zone.rpartition("/")[2].replace("_", " ")
