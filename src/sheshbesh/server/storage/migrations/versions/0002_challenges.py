"""Challenges: seeks for one person."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let a seek name whom it is for."""
    with op.batch_alter_table("seeks") as seeks:
        seeks.add_column(sa.Column("invited", sa.Text(), nullable=True))
        seeks.add_column(sa.Column("expires", sa.BigInteger(), nullable=True))
        seeks.add_column(sa.Column("declined", sa.Text(), nullable=True))
        seeks.create_foreign_key(op.f("fk_seeks_invited"), "users", ["invited"], ["id"], ondelete="CASCADE")
        seeks.create_index(op.f("ix_seeks_invited"), ["invited"], unique=False)
