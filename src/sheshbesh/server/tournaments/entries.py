"""The facts that the server knows of somebody who enters a tournament."""

from __future__ import annotations

from sqlalchemy import func, select

from sheshbesh.match.timing import DAY
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import Pool, experience_of
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches, seats
from sheshbesh.tournaments import Settings
from sheshbesh.tournaments.actions import EnterAction
from sheshbesh.tournaments.settings import card_of

_LATELY = 90 * DAY
"""The time for which the highest rating counts."""
_KINDS = {"user": "account", "guest": "guest", "bot": "bot"}


async def entry_of(
    database: Database, settings: Settings, person: Person, *, share: str, waiting: bool, now: int
) -> EnterAction:
    """Return the action by which a person enters; `share` are 32 bytes of their page, in hex."""
    pool = Pool.of(card_of(settings.card), with_bot=person.kind == "bot")
    known = await experience_of(database, person.id, pool, since=now - _LATELY)
    playing = (
        select(func.count())
        .select_from(seats)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.user_id == person.id, matches.c.state != "over")
    )
    row = await database.first(playing)
    return EnterAction(
        name=person.name,
        kind=_KINDS[person.kind],  # type: ignore[arg-type]
        share=share,
        rating=known.rating,
        peak=known.peak,
        deviation=known.deviation,
        matches=known.matches,
        open=0 if row is None else int(row[0]),
        waiting=waiting,
    )
