"""The people who have asked for a rematch."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let a seat remember that its player would play once more."""
    op.add_column("seats", sa.Column("again", sa.Boolean(), server_default=sa.false(), nullable=False))
