"""`sheshbesh static`: a copy of the page for a host of files."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from sheshbesh.cli.terminal.console import UserError
from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text


@click.command("static")
@click.argument("folder", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write a copy of the page for the root of a host of files: play, lessons, rules, puzzles, analysis.

    The engine runs in the visitor's browser; nothing that needs a server is shown. Addresses in the copy are
    absolute: in a folder below the root it does not work. To try it: python -m http.server
    --directory FOLDER.
    """
    if find_spec("fastapi") is None:
        raise UserError("the site needs some more packages: pip install 'sheshbesh[site]'")
    from sheshbesh.server.http.static_copy import write_copy

    try:
        count = write_copy(folder)
    except (OSError, SheshbeshError) as error:
        raise UserError(Text("{folder} was not written: {why}", folder=str(folder), why=error)) from None
    click.echo(Text("{folder}: {count} files", folder=str(folder), count=count))
