"""The first tables."""

from __future__ import annotations

from alembic import op

from sheshbesh.server.storage.tables import metadata

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    metadata.create_all(op.get_bind())
