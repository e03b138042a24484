"""Series by time zone: those of earlier versions go on as the daily arena and the medley of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_RENAMED = {"daily": "daily", "weekly": "medley"}


def upgrade() -> None:
    """Add the zone to the id of a series; the weekly one was that in which the games take turns."""
    tournaments = sa.table(
        "tournaments",
        *(sa.column(name, sa.Text()) for name in ("id", "series_id")),
        sa.column("settings", sa.JSON()),
    )
    connection = op.get_bind()
    query = sa.select(tournaments).where(tournaments.c.series_id.in_(_RENAMED))
    for row in connection.execute(query).all():
        series = f"{_RENAMED[row.series_id]} {_zone(row.settings)}"
        this = tournaments.c.id == row.id
        connection.execute(sa.update(tournaments).where(this).values(series_id=series))


def _zone(settings: Any) -> str:
    return str(settings.get("zone", "UTC")) if isinstance(settings, Mapping) else "UTC"
