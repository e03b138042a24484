"""Names of deleted accounts rest for a while; a rated match remembers its pool."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table and the column; matches against bots so far are told by who sits there."""
    op.create_table(
        "retired_names",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_retired_names")),
    )
    op.add_column("rated_matches", sa.Column("pool", sa.Text(), server_default="people", nullable=False))
    op.execute(
        "UPDATE rated_matches SET pool = 'bots' WHERE match_id IN ("
        "SELECT seats.match_id FROM seats JOIN users ON users.id = seats.user_id WHERE users.kind = 'bot')"
    )
