"""The time at which somebody's time in a match runs out, and the state of the match: known without the match
being loaded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; of the matches that are there the first look of a process fills them in."""
    op.add_column("matches", sa.Column("due", sa.BigInteger()))
    op.add_column("matches", sa.Column("standing", sa.JSON()))
    op.create_index(op.f("ix_matches_state_due"), "matches", ["state", "due"], unique=False)
