"""Engine work on other hosts goes by lines to each process, which has an address; not by the database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the tables of questions and workers, which hold nothing that lasts, and add the column."""
    op.drop_table("engine_jobs")
    op.drop_table("engine_workers")
    op.add_column("processes", sa.Column("address", sa.Text()))
