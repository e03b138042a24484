"""No two names look alike, and wrong passwords are counted."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import sqlalchemy as sa
from alembic import op
from confusable_homoglyphs.confusables import confusables_data

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_log = logging.getLogger(__name__)

_IGNORABLE = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3)),
    *((0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
"""The code points with the property Default_Ignorable_Code_Point, first and last of each range, as in
DerivedCoreProperties.txt of Unicode 16. Python's own tables do not have the property."""

_MARK = "\u200e"
"""Stands around letters that are written from the right in the library's table."""


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
        shape = _shape(row.name)
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


# The skeleton of a name as it was when this revision was made.


def _shape(name: str) -> str:
    """Return what is left of a name when nothing is kept that the eye does not see: equal for names that look
    alike.

    Case counts for nothing either, after the shapes were compared: `l` is like `I`, and both like `i` in
    another case. The skeleton is for comparing, not for showing.
    """
    text = _visible(unicodedata.normalize("NFKC", name.replace("'", "’")))
    return _visible(text.casefold())


def _visible(text: str) -> str:
    seen = (
        c
        for c in unicodedata.normalize("NFD", text)
        if not any(first <= ord(c) <= last for first, last in _IGNORABLE)
    )
    return unicodedata.normalize("NFD", "".join(map(_prototype, seen)))


def _prototype(character: str) -> str:
    """The characters that stand for all that look like this one."""
    found = _table().get(character, character)
    # The table gives a pair of characters without saying which of the two stands for both.
    return "".join(_table().get(part, part) for part in found)


@cache
def _table() -> Mapping[str, str]:
    """Each character with the prototype that stands for it.

    The library lists each character with its prototype, and each prototype with all its characters. A
    prototype of several letters is no character; between two single ones that know only each other the
    smaller code point is chosen.
    """
    listed = {
        key.replace(_MARK, ""): [str(entry["c"]).replace(_MARK, "") for entry in entries]
        for key, entries in confusables_data.items()
    }
    table = {}
    for character, others in listed.items():
        if len(character) > 1 or len(others) > 1:
            continue
        (other,) = others
        is_pair = len(other) == 1 and len(listed[other]) == 1
        table[character] = min(character, other) if is_pair else other
    return MappingProxyType(table)
