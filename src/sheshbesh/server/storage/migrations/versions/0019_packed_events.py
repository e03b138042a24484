"""Events of tables that are over are packed, each table's into one row."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; what is over already is to be packed at the next occasion."""
    for kind, rows in (("match", "matches"), ("chouette", "chouettes")):
        name = {"match": "packed_events", "chouette": "packed_chouette_events"}[kind]
        op.create_table(
            name,
            sa.Column(f"{kind}_id", sa.Text(), nullable=False),
            sa.Column("events", sa.LargeBinary(), nullable=False),
            sa.ForeignKeyConstraint(
                [f"{kind}_id"], [f"{rows}.id"], name=op.f(f"fk_{name}_{kind}_id"), ondelete="CASCADE"
            ),
            sa.PrimaryKeyConstraint(f"{kind}_id", name=op.f(f"pk_{name}")),
        )
        over = sa.table(rows, sa.column("state"), sa.column("due"), sa.column("ended"))
        op.execute(
            sa.update(over)
            .where(over.c.state == "over", over.c.due.is_(None))
            .values(due=sa.func.coalesce(over.c.ended, 0))
        )
