"""The answers of people to the puzzles of the day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    name = "daily_answers"
    op.create_table(
        name,
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("answered", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner"], ["users.id"], name=op.f("fk_daily_answers_owner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("owner", "day", name=op.f("pk_daily_answers")),
    )
