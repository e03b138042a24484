"""What the site remembers: SQLite by default, PostgreSQL by URL."""

# All fill the schema, which is then whole wherever it is imported.
from sheshbesh.server.storage import engine_tables, review_tables, tables
from sheshbesh.server.storage.database import Conflict, Database, Step, Written

__all__ = ["Conflict", "Database", "Step", "Written", "engine_tables", "review_tables", "tables"]
