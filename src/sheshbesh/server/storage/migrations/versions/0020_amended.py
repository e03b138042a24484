"""Tournaments say in lists how their settings are by now."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("tournaments", sa.Column("amended", sa.JSON(), server_default="{}", nullable=False))
