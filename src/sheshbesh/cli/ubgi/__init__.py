"""`sheshbesh engine`: the engine for other programs, by lines on standard input and output."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from sheshbesh.cli.ubgi.dialogue import Dialogue
    from sheshbesh.cli.ubgi.port import Judge
    from sheshbesh.rules import Variant


@click.command("engine")
def command() -> None:
    """Answer other programs: a line protocol on standard input and output.

    It follows the public draft of the Universal Backgammon Interface (UBGI), in every game; see
    docs/dev/engine-protocol.md. Send `ubgi` to begin and `quit` to end.
    """
    from sheshbesh.cli.ubgi.dialogue import Dialogue

    talk(Dialogue(_make))


def talk(dialogue: Dialogue) -> NoReturn:
    """Hold a conversation on standard input and output, and end the process with it."""
    from sheshbesh.cli.ubgi.runner import Runner

    if isinstance(sys.stdin, TextIOWrapper):
        # A stray byte is answered with an error like any other nonsense.
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    with suppress(KeyboardInterrupt):
        Runner(dialogue, sys.stdin, sys.stdout).serve()
    with suppress(OSError):
        sys.stdout.flush()
    # The interpreter would wait for a search that nobody wants any more, and would complain of what
    # is still to be said to a reader who has gone.
    os._exit(0)


def _make(game: Variant) -> Judge:
    from sheshbesh.engine import make_engine

    return make_engine(game)
