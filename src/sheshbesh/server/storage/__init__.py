"""The memory of the site: SQLite by default, PostgreSQL by URL."""

# Both fill the schema, which is then whole wherever it is imported.
from sheshbesh.server.storage import review_tables, tables, tournament_tables
from sheshbesh.server.storage.database import Conflict, Database, Rows, Step, Written
from sheshbesh.server.storage.together import Together

__all__ = [
    "Conflict",
    "Database",
    "Rows",
    "Step",
    "Together",
    "Written",
    "review_tables",
    "tables",
    "tournament_tables",
]
