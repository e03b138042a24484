"""Chouettes: tables of three to ten people, who sits at them, and what happened at each."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def _of(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_chouette_id")
    return sa.ForeignKeyConstraint(["chouette_id"], ["chouettes.id"], name=name, ondelete="CASCADE")


def upgrade() -> None:
    """Add the four tables."""
    op.create_table(
        "chouettes",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("header", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("throws", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("card", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("consultation", sa.Text(), nullable=False),
        sa.Column("chosen_members", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("private", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state IN ('open', 'live', 'over')", name=op.f("ck_chouettes_state")),
        sa.ForeignKeyConstraint(
            ["owner"], ["users.id"], name=op.f("fk_chouettes_owner"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chouettes")),
    )
    op.create_index(op.f("ix_chouettes_state_created"), "chouettes", ["state", "created"])
    op.create_table(
        "chouette_people",
        sa.Column("chouette_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("level", sa.Text(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        _of("chouette_people"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_chouette_people_user_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("chouette_id", "name", name=op.f("pk_chouette_people")),
    )
    op.create_index(op.f("ix_chouette_people_user_id"), "chouette_people", ["user_id"])
    op.create_table(
        "chouette_events",
        sa.Column("chouette_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.JSON(), nullable=False),
        sa.Column("then", sa.JSON(), nullable=False),
        sa.Column("ref", sa.Text(), nullable=True),
        _of("chouette_events"),
        sa.PrimaryKeyConstraint("chouette_id", "n", name=op.f("pk_chouette_events")),
        sa.UniqueConstraint(
            "chouette_id", "actor", "ref", name=op.f("uq_chouette_events_chouette_id_actor_ref")
        ),
    )
    op.create_table(
        "chouette_secrets",
        sa.Column("chouette_id", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        _of("chouette_secrets"),
        sa.PrimaryKeyConstraint("chouette_id", "secret", name=op.f("pk_chouette_secrets")),
    )
