"""What directors and moderators are shown of tournaments, and the talk at them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, and add the column."""
    op.add_column("tournament_pairings", sa.Column("sign", sa.Text()))
    op.create_table(
        "tournament_addresses",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_addresses_tournament_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_tournament_addresses_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "user_id", name=op.f("pk_tournament_addresses")),
    )
    op.create_table(
        "tournament_chat",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text()),
        sa.Column("phrase", sa.Text()),
        sa.CheckConstraint("(text IS NULL) <> (phrase IS NULL)", name=op.f("ck_tournament_chat_one")),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_chat_tournament_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_tournament_chat_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "n", name=op.f("pk_tournament_chat")),
    )
