"""`sheshbesh engine`: the engine for other programs, by lines on standard input and output."""

from __future__ import annotations

import sys

import click

from sheshbesh.cli.terminal.console import UserError


@click.command("engine")
@click.option("--memory", type=click.IntRange(64), metavar="MIB", help="Memory that this process may have.")
@click.option("--cpu-seconds", type=click.IntRange(1), metavar="N", help="Processor time that it may take.")
def command(memory: int | None, cpu_seconds: int | None) -> None:
    """Answer other programs: a line protocol on standard input and output.

    It follows the public draft of the Universal Backgammon Interface (UBGI), in every game; see
    docs/dev/engine-protocol.md. Send `ubgi` to begin and `quit` to end. A process that exceeds its bounds is
    ended by the system.
    """
    if memory is not None or cpu_seconds is not None:
        _bound(memory, cpu_seconds)
    from sheshbesh.engines import make_engine
    from sheshbesh.ubgi.dialogue import Dialogue
    from sheshbesh.ubgi.runner import talk

    talk(Dialogue(make_engine))


def _bound(memory: int | None, cpu_seconds: int | None) -> None:
    if sys.platform == "win32":
        raise UserError("this system bounds no process: --memory and --cpu-seconds are not known here")
    import resource

    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))
    if cpu_seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
