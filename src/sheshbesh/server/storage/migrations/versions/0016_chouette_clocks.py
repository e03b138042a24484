"""Clocks of chouettes: what no server was up before one was made, and when somebody's time runs out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; the chouettes that are there have no clock, and keep the time of the world."""
    op.add_column("chouettes", sa.Column("down", sa.BigInteger()))
    op.add_column("chouettes", sa.Column("due", sa.BigInteger()))
    op.create_index(op.f("ix_chouettes_state_due"), "chouettes", ["state", "due"], unique=False)
