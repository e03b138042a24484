"""What the modules of tables share: the schema that they belong to, and columns that name an account."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, MetaData, Text

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def of_person(name: str, *, primary_key: bool = False, nullable: bool = False) -> Column[str]:
    """A column that names an account, and goes with it."""
    key = ForeignKey("users.id", ondelete="CASCADE")
    return Column(name, Text, key, primary_key=primary_key, nullable=nullable)
