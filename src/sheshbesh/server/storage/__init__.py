"""What the site remembers: SQLite by default, PostgreSQL by URL."""

from sheshbesh.server.storage.database import Conflict, Database, Step, Written

__all__ = ["Conflict", "Database", "Step", "Written"]
