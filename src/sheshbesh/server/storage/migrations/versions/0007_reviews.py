"""Reviews of matches, and the match files that were uploaded for them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both tables."""
    op.create_table(
        "uploads",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name=op.f("fk_uploads_owner"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
    )
    op.create_index(op.f("ix_uploads_owner_created"), "uploads", ["owner", "created"])
    op.create_table(
        "reviews",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("progress", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("net", sa.Text(), server_default="", nullable=False),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("about", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("report", sa.LargeBinary(), nullable=True),
        sa.Column("partial", sa.LargeBinary(), nullable=True),
        sa.Column("summary", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("process", sa.Text(), nullable=True),
        sa.Column("share", sa.Text(), nullable=True),
        sa.Column("names", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("source IN ('match', 'upload')", name=op.f("ck_reviews_source")),
        sa.CheckConstraint(
            "state IN ('waiting', 'running', 'done', 'failed')", name=op.f("ck_reviews_state")
        ),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name=op.f("fk_reviews_owner"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviews")),
        sa.UniqueConstraint("owner", "source", "source_id", name=op.f("uq_reviews_owner_source_source_id")),
        sa.UniqueConstraint("share", name=op.f("uq_reviews_share")),
    )
    op.create_index(op.f("ix_reviews_state_created"), "reviews", ["state", "created"])
    op.create_index(op.f("ix_reviews_source_source_id"), "reviews", ["source", "source_id"])
