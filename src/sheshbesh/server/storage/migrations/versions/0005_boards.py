"""Processes say who sits at which board."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; a process of an earlier version says nothing."""
    op.add_column("processes", sa.Column("boards", sa.JSON(), server_default="{}", nullable=False))
