"""No two names look alike, and wrong passwords are counted."""

from __future__ import annotations

import logging

import sqlalchemy as sa
from alembic import op

from sheshbesh.server.people.lookalikes import skeleton

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_log = logging.getLogger(__name__)


def upgrade() -> None:
    """Give each name its skeleton, and make the table of wrong passwords.

    Of accounts whose names look alike already all keep their names. The skeleton itself is that of the one
    with a password before bots and guests, and of the oldest; to those of the others their ids are added.
    """
    op.add_column("users", sa.Column("skeleton", sa.Text(), server_default="", nullable=False))
    users = sa.table("users", *(sa.column(name) for name in ("id", "name", "kind", "created", "skeleton")))
    rank = sa.case({"user": 0, "bot": 1}, value=users.c.kind, else_=2)
    query = sa.select(users.c.id, users.c.name).order_by(rank, users.c.created, users.c.id)
    connection, owners = op.get_bind(), dict[str, str]()
    for row in connection.execute(query).all():
        shape = skeleton(row.name)
        if shape in owners:
            _log.warning("the names %r and %r look alike; both stay", owners[shape], row.name)
            shape += f"#{row.id}"  # no name has a #
        else:
            owners[shape] = row.name
        connection.execute(users.update().where(users.c.id == row.id).values(skeleton=shape))
    op.create_index(op.f("ix_users_skeleton"), "users", ["skeleton"], unique=True)
    op.create_table(
        "wrong_passwords",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("slot", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", "slot", name=op.f("pk_wrong_passwords")),
    )
    op.create_index(op.f("ix_wrong_passwords_at"), "wrong_passwords", ["at"], unique=False)
