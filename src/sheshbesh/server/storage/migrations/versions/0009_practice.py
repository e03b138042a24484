"""Cards to practise with, and the positions of reviews by which they are found."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_OUTLINE = (
    "loss",
    "kind",
    "themes",
    "own",
    "made",
    "their",
    "their_made",
    "back",
    "their_back",
    "pins",
    "pinned",
    "head",
    "lead",
)


def upgrade() -> None:
    """Add both tables, and say that nothing has been made of any review yet."""
    op.add_column("reviews", sa.Column("public", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("reviews", sa.Column("indexed", sa.Integer(), server_default="0", nullable=False))
    op.create_index(op.f("ix_reviews_state_indexed"), "reviews", ["state", "indexed"])
    _cards()
    _positions()


def _cards() -> None:
    name = "practice_cards"
    op.create_table(
        name,
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("review_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("loss", sa.Float(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("memory", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("asked", sa.Integer(), server_default="0", nullable=False),
        sa.Column("correct", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state IN ('active', 'suspended', 'removed')", name=op.f("ck_practice_cards_state")
        ),
        sa.ForeignKeyConstraint(
            ["owner"], ["users.id"], name=op.f("fk_practice_cards_owner"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["review_id"], ["reviews.id"], name=op.f("fk_practice_cards_review_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_practice_cards")),
        sa.UniqueConstraint("owner", "question", name=op.f("uq_practice_cards_owner_question")),
    )
    op.create_index(op.f("ix_practice_cards_owner_state_due"), name, ["owner", "state", "due"])
    op.create_index(op.f("ix_practice_cards_review_id"), name, ["review_id"])


def _positions() -> None:
    op.create_table(
        "positions",
        sa.Column("review_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("dice", sa.Integer(), nullable=False),
        *(sa.Column(each, sa.Integer(), nullable=False) for each in _OUTLINE),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name=op.f("fk_positions_owner"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["review_id"], ["reviews.id"], name=op.f("fk_positions_review_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("review_id", "n", name=op.f("pk_positions")),
    )
    op.create_index("ix_positions_own", "positions", ["owner", "variant", *_OUTLINE])
    op.create_index(
        "ix_positions_public",
        "positions",
        ["variant", *_OUTLINE],
        sqlite_where=sa.text("public = 1"),
        postgresql_where=sa.text("public"),
    )
