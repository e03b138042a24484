"""Ratings of puzzles and of those who answer them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables: nothing has been rated yet."""
    op.create_table(
        "solver_ratings",
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        *_rating(),
        _of_a_person("solver_ratings"),
        sa.PrimaryKeyConstraint("owner", "game", name=op.f("pk_solver_ratings")),
    )
    op.create_index(op.f("ix_solver_ratings_game_rating"), "solver_ratings", ["game", "rating"])
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.Text(), nullable=False),
        *_rating(),
        sa.PrimaryKeyConstraint("puzzle", name=op.f("pk_puzzle_ratings")),
    )
    op.create_table(
        "puzzle_answers",
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("correct", sa.Boolean(), nullable=False),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("before", "after", "deviation")),
        sa.Column("at", sa.BigInteger(), nullable=False),
        _of_a_person("puzzle_answers"),
        sa.PrimaryKeyConstraint("owner", "puzzle", name=op.f("pk_puzzle_answers")),
    )
    op.create_index(op.f("ix_puzzle_answers_owner_at"), "puzzle_answers", ["owner", "at"])


def _rating() -> list[sa.Column[Any]]:
    return [
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("rating", "deviation", "volatility")),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    ]


def _of_a_person(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["owner"], ["users.id"], name=op.f(f"fk_{table}_owner"), ondelete="CASCADE"
    )
