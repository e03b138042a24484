"""Run by Alembic, with the connection that `migrate` hands over."""

from alembic import context

from sheshbesh.server.storage.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
