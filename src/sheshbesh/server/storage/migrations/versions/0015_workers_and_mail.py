"""Engine work on other hosts, and mail addresses of accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    # What is asked lives for seconds: after a crash of the database nobody needs it.
    prefixes = ["UNLOGGED"] if op.get_context().dialect.name == "postgresql" else []
    op.create_table(
        "engine_jobs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("urgency", sa.Integer(), nullable=False),
        sa.Column("ask", sa.JSON(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("taken", sa.BigInteger(), nullable=True),
        sa.Column("lease", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('waiting', 'taken', 'done')", name=op.f("ck_engine_jobs_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_engine_jobs")),
        prefixes=prefixes,
    )
    op.create_index(op.f("ix_engine_jobs_state_urgency_turn"), "engine_jobs", ["state", "urgency", "turn"])
    op.create_index(op.f("ix_engine_jobs_process"), "engine_jobs", ["process"])
    op.create_index(op.f("ix_engine_jobs_worker"), "engine_jobs", ["worker"])
    op.create_table(
        "engine_workers",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("processes", sa.Integer(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_engine_workers")),
        prefixes=prefixes,
    )
    op.create_table(
        "mail_addresses",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("wanted", sa.Text(), nullable=True),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_mail_addresses_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_mail_addresses")),
    )
    op.create_index(op.f("ix_mail_addresses_address"), "mail_addresses", ["address"])
