"""`sheshbesh engine`: the engine for other programs, by lines on standard input and output."""

from __future__ import annotations

import click


@click.command("engine")
def command() -> None:
    """Answer other programs: a line protocol on standard input and output.

    It follows the public draft of the Universal Backgammon Interface (UBGI), in every game; see
    docs/dev/engine-protocol.md. Send `ubgi` to begin and `quit` to end.
    """
    from sheshbesh.engines import make_engine
    from sheshbesh.ubgi.dialogue import Dialogue
    from sheshbesh.ubgi.runner import talk

    talk(Dialogue(make_engine))
