"""Moderators, reports, sanctions and the log of what was done; recovery codes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, and to accounts whether they moderate."""
    op.add_column("users", sa.Column("moderator", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "recovery_codes",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_recovery_codes_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "letter", name=op.f("pk_recovery_codes")),
    )
    _reports()
    op.create_table(
        "sanctions",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('ban', 'mute')", name=op.f("ck_sanctions_kind")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sanctions_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "kind", name=op.f("pk_sanctions")),
    )
    op.create_table(
        "moderation_log",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.JSON(), server_default="{}", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moderation_log")),
    )
    op.create_index(op.f("ix_moderation_log_at"), "moderation_log", ["at"])
    op.create_index(op.f("ix_moderation_log_target"), "moderation_log", ["target"])


def _reports() -> None:
    op.create_table(
        "reports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("reported", sa.Text(), nullable=False),
        sa.Column("reporter", sa.Text(), nullable=True),
        sa.Column("match_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("resolved", sa.BigInteger(), nullable=True),
        sa.Column("resolved_by", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('talk', 'cheating', 'leaving', 'name', 'other')", name=op.f("ck_reports_kind")
        ),
        sa.ForeignKeyConstraint(
            ["reported"], ["users.id"], name=op.f("fk_reports_reported"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["reporter"], ["users.id"], name=op.f("fk_reports_reporter"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_reports_match_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    op.create_index(op.f("ix_reports_reported"), "reports", ["reported"])
    op.create_index(op.f("ix_reports_resolved_at"), "reports", ["resolved", "at"])
    op.create_index(op.f("ix_reports_reporter"), "reports", ["reporter"])
    op.create_index(op.f("ix_reports_match_id"), "reports", ["match_id"])
