"""Tournaments: their events, entrants and matches, and the series that they belong to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_due", sa.BigInteger(), nullable=True),
        sa.Column("starts", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("entrants", sa.Integer(), server_default="0", nullable=False),
        sa.Column("public", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("down", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("series_id", sa.Text(), nullable=True),
        sa.Column("series_date", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "status IN ('draft', 'announced', 'open', 'check_in', 'running', 'confirming',"
            " 'over', 'cancelled')",
            name=op.f("ck_tournaments_status"),
        ),
        sa.ForeignKeyConstraint(
            ["owner"], ["users.id"], name=op.f("fk_tournaments_owner"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("series_id", "series_date", name=op.f("uq_tournaments_series_id_series_date")),
    )
    op.create_index(op.f("ix_tournaments_next_due"), "tournaments", ["next_due"], unique=False)
    op.create_index(op.f("ix_tournaments_owner"), "tournaments", ["owner"], unique=False)
    op.create_index(
        op.f("ix_tournaments_public_status_starts"),
        "tournaments",
        ["public", "status", "starts"],
        unique=False,
    )
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.JSON(), nullable=False),
        sa.Column("then", sa.JSON(), nullable=False),
        sa.Column("ref", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_events_tournament_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "n", name=op.f("pk_tournament_events")),
        sa.UniqueConstraint(
            "tournament_id", "actor", "ref", name=op.f("uq_tournament_events_tournament_id_actor_ref")
        ),
    )
    op.create_table(
        "tournament_snapshots",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_snapshots_tournament_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_tournament_snapshots")),
    )
    op.create_table(
        "tournament_pairings",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("settled", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_tournament_pairings_match_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_pairings_tournament_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_tournament_pairings")),
        sa.UniqueConstraint(
            "tournament_id", "number", name=op.f("uq_tournament_pairings_tournament_id_number")
        ),
    )
    op.create_index(
        op.f("ix_tournament_pairings_settled_tournament_id"),
        "tournament_pairings",
        ["settled", "tournament_id"],
        unique=False,
    )
    op.create_table(
        "tournament_entrants",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_entrants_tournament_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_tournament_entrants_user_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_entrants")),
    )
    op.create_index(op.f("ix_tournament_entrants_user_id"), "tournament_entrants", ["user_id"], unique=False)
