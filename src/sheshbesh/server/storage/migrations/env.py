"""Run by Alembic, with the connection that `migrate` hands over."""

import logging
from typing import Any

from alembic import context

from sheshbesh.server.storage.tables import metadata

_log = logging.getLogger("sheshbesh.server.storage")


def _tell(_context: Any = None, step: Any = None, *_: Any, **__: Any) -> None:
    _log.info("Database: brought up to %s (%s)", step.up_revision_id, step.up_revision.doc)


connection = context.config.attributes["connection"]
context.configure(
    connection=connection, target_metadata=metadata, render_as_batch=True, on_version_apply=_tell
)
context.run_migrations()
