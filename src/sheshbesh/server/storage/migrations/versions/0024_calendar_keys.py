"""Addresses of calendars that can be withdrawn; doubtful places in tournaments are forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, and take out places that may be those of a consolation bracket.

    They were stored over the places of the tournament as a whole, and cannot be told from those.
    """
    op.add_column("users", sa.Column("calendar", sa.Integer(), server_default="0", nullable=False))
    tournaments = sa.table(
        "tournaments",
        *(sa.column(name, sa.Text()) for name in ("id", "system")),
        *(sa.column(name, sa.JSON()) for name in ("settings", "amended")),
    )
    entrants = sa.table("tournament_entrants", sa.column("tournament_id"), sa.column("place"))
    connection = op.get_bind()
    query = sa.select(tournaments).where(tournaments.c.system == "knockout")
    doubtful = [row.id for row in connection.execute(query).all() if _has_consolation(row)]
    for identity in doubtful:
        of_it = entrants.c.tournament_id == identity, entrants.c.place.is_not(None)
        connection.execute(sa.update(entrants).where(*of_it).values(place=None))


def _has_consolation(row: sa.Row[Any]) -> bool:
    """Return True if a knockout has a consolation bracket; one whose settings cannot be read may have one."""
    settings = row.amended or row.settings
    return not isinstance(settings, Mapping) or settings.get("consolation") != "none"
