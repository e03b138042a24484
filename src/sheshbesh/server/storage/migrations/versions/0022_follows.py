"""People follow others, and may hide that they are here."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table: nobody is hidden or followed yet."""
    op.add_column("users", sa.Column("hidden", sa.Boolean(), server_default=sa.false(), nullable=False))
    people = ("owner", "followed")
    op.create_table(
        "follows",
        *(sa.Column(name, sa.Text(), nullable=False) for name in people),
        sa.Column("at", sa.BigInteger(), nullable=False),
        *(
            sa.ForeignKeyConstraint([name], ["users.id"], name=op.f(f"fk_follows_{name}"), ondelete="CASCADE")
            for name in people
        ),
        sa.PrimaryKeyConstraint(*people, name=op.f("pk_follows")),
    )
    op.create_index(op.f("ix_follows_followed"), "follows", ["followed"])
