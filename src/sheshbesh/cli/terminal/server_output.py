"""Output of a server process: sentences on a terminal, lines of JSON from first to last for programs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

from sheshbesh.cli.terminal.console import UserError
from sheshbesh.errors import SheshbeshError

log = logging.getLogger(__name__)


def say(text: str, form: str) -> None:
    """Print a text, or log it as one line where the `form` of logs is `json`."""
    if form == "json":
        log.info(text.replace("\n", " "))
        return
    # The reader of this output may be gone, which is no reason to end.
    with suppress(OSError):
        click.echo(text)


@contextmanager
def errors_in_the_log(form: object) -> Iterator[None]:
    """Log an error that ends the process as a line where the `form` of logs is `json`; the exit code is 2."""
    try:
        yield
    except (UserError, SheshbeshError) as error:
        if form != "json":
            raise
        from sheshbesh.server.monitoring.logs import configure

        configure("json", "")
        text = error.format_message() if isinstance(error, UserError) else str(error)
        log.error(text.replace("\n", " "))
        raise SystemExit(UserError.exit_code) from error
