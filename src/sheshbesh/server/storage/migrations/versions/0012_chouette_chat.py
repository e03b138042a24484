"""The talk at chouettes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "chouette_chat",
        sa.Column("chouette_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text()),
        sa.Column("phrase", sa.Text()),
        sa.CheckConstraint("(text IS NULL) <> (phrase IS NULL)", name=op.f("ck_chouette_chat_one")),
        sa.ForeignKeyConstraint(
            ["chouette_id"],
            ["chouettes.id"],
            name=op.f("fk_chouette_chat_chouette_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_chouette_chat_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("chouette_id", "n", name=op.f("pk_chouette_chat")),
    )
