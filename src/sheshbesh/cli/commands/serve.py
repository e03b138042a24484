"""`sheshbesh serve`: the site."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.terminal.console import UserError
from sheshbesh.cli.terminal.record_files import data_folder
from sheshbesh.cli.terminal.server_output import errors_in_the_log, say

if TYPE_CHECKING:
    from sheshbesh.server.settings import Settings

_BACKLOG = 2048
_SOCKETS = 65_536
"""Files and sockets that one process asks the system for."""
_COLLECT_EVERY = 0.25
"""Seconds between two collections of young objects."""
GENERATIONS = 5_000, 2, int(24 * 3600 / _COLLECT_EVERY)
"""Thresholds of the garbage collector. A game makes hardly any garbage that is not freed at once, so that
collections can be rare. The last number is how many collections of young objects go before one of all: with
15,000 it came after an hour, and held up every game for 0.75 s where there were 5 million objects."""
SWITCH = 0.0001
"""Seconds after which a busy event loop lets the thread that writes go on, at each of its steps."""
_NO_PROXY = (
    "No proxy is trusted: behind one all visitors count as one address and share its limits.\n"
    "If there is one, name it by --trusted-proxies or SHESHBESH_TRUSTED_PROXIES, such as 127.0.0.1."
)


@click.command("serve")
@click.option("--host", metavar="ADDRESS", help="Where to listen.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="0 takes a free one.  [default: 8000]")
@click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
@click.option("--secret", help="Signs cookies; better in the environment, where other users cannot read it.")
@click.option("--origin", metavar="URL", help="How browsers reach the site: https://play.example")
@click.option(
    "--trusted-proxies",
    metavar="ADDRESSES",
    help="Proxies whose X-Forwarded-For is believed, separated by commas.",
)
@click.option("--free-chat/--no-free-chat", default=None, help="Free text, or preset phrases only.")
@click.option("--engine-workers", type=click.IntRange(0), help="Engine processes.  [default: by the machine]")
@click.option(
    "--own-engines/--no-own-engines",
    default=None,
    help="Engine processes beside this one, or only workers on other hosts: sheshbesh site worker.",
)
@click.option(
    "--log-format", type=click.Choice(["text", "json"]), help="Sentences, or lines of JSON.  [default: text]"
)
@click.option("--security-log", metavar="FILE", help="Sign-ins, failures, limits and bans as lines of JSON.")
@click.option("--limits/--no-limits", default=None, help="Rate limits; off for measurements.")
def command(**given: object) -> None:
    """Serve the site: every game in the browser, against the engine, a friend or a stranger.

    Without --database everything is kept in one file in your data folder. Each option can be set in
    the environment too: SHESHBESH_HOST, SHESHBESH_DATABASE, SHESHBESH_SECRET and so on.
    """
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise UserError("the site needs some more packages: pip install 'sheshbesh[site]'")
    from sheshbesh.server.settings import PREFIX

    with errors_in_the_log(given["log_format"] or os.environ.get(f"{PREFIX}LOG_FORMAT")):
        _serve(given)


def _serve(given: dict[str, object]) -> None:
    from sheshbesh.server.monitoring.logs import configure
    from sheshbesh.server.storage.check import alone, check

    settings, listener = _listen(given)
    configure(settings.log_format, settings.security_log)
    with listener:
        # An error is a sentence here, and would be a traceback once the server runs.
        asyncio.run(check(settings.database))
        with alone(settings.database):
            _run(settings, listener)


def _listen(given: dict[str, object]) -> tuple[Settings, socket.socket]:
    """The settings and the socket they ask for; a free port is in the settings by its number."""
    from sheshbesh.server.settings import Settings

    settings = Settings.from_environment(given, default_database=own_database)
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (while")[0]
        raise UserError(f"cannot listen on {settings.host} port {settings.port}: {reason}") from error
    return settings.model_copy(update={"port": listener.getsockname()[1]}), listener


def _allow_many_sockets() -> None:
    """Raise the limit of open sockets to what the system allows; the default is often 1,024."""
    with suppress(ImportError, OSError, ValueError):  # there is no such limit on Windows
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _SOCKETS if hard == resource.RLIM_INFINITY else min(hard, _SOCKETS)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def own_database() -> str:
    """The address of the database in the data folder, which is made."""
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'site.db'}"


def _run(settings: Settings, listener: socket.socket) -> None:
    from sheshbesh.server.app import make_app
    from sheshbesh.server.http import serving

    class Server(serving.Server):
        """Says where it is when it is ready, and not before."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            self.collecting = asyncio.create_task(collect_young())
            if self.started:
                _welcome(settings)

    # First, for as many connections are taken as there may be sockets.
    _allow_many_sockets()
    server = Server(serving.make_config(make_app(settings), settings))
    # What lives as long as the process need not be scanned for garbage, and the objects of matches
    # rarely become any: a full collection would pause every game for a moment.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GENERATIONS)
    sys.setswitchinterval(SWITCH)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        say("Goodbye.", settings.log_format)
    if not server.started:
        raise UserError("the site did not start, see above")


async def collect_young() -> None:
    """Collect garbage among young objects a few times a second, until cancelled.

    The thresholds count objects that are made less those that are freed, of whatever age: where new states
    take the place of old ones, hundreds of thousands are young when the next collection begins, which holds
    up every game for 60 ms and more.
    """
    while True:
        await asyncio.sleep(_COLLECT_EVERY)
        gc.collect(1)


def _welcome(settings: Settings) -> None:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    where = settings.origin or f"http://{host}:{settings.port}"
    say(
        f"Sheshbesh is at {where} (Ctrl-C ends it)\nIn the terminal instead: sheshbesh play",
        settings.log_format,
    )
    if not settings.is_local and not settings.trusted_proxies:
        say(_NO_PROXY, settings.log_format)
