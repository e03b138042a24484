"""The site behind a port: how uvicorn is to serve it, and an end that comes in good time."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from sheshbesh.server.http.connections import Caps, bounded
from sheshbesh.server.settings import Settings

log = logging.getLogger(__name__)

_LARGEST_FRAME = 8 * 1024
"""Bytes of a message by a socket."""
_REST = 75
"""Seconds that a connection may rest between two requests: longer than those of a proxy, which is nginx's 60.

Where the server ends it first, a request that the proxy has just begun to send over it is lost.
"""
_GOODBYE = 3
"""Seconds in which connections may end by themselves."""
_END = 9.0
"""Seconds after which a process that got a signal to end does, whatever it still waits for."""
_RESERVED = 256
"""Files and sockets that are not visitors': databases, pipes, the page's files."""


def make_config(app: FastAPI, settings: Settings, caps: Caps | None = None) -> uvicorn.Config:
    """Return how uvicorn serves an app; `caps` bounds connections otherwise than as the settings say."""
    app.state.caps = caps or caps_of(app, settings)
    http, ws = bounded(app.state.caps)
    return uvicorn.Config(
        app,
        http=http,
        ws=ws,
        ws_max_size=_LARGEST_FRAME,
        log_level="warning",
        access_log=False,
        # What uvicorn logs goes the way of all that is logged.
        log_config=None,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_keep_alive=_REST,
        timeout_graceful_shutdown=_GOODBYE,
    )


def caps_of(app: FastAPI, settings: Settings) -> Caps:
    """The bounds of a site: without limits those of time alone, else no more connections than files."""
    if not settings.limits:
        return Caps(of_one=0, of_all=0)
    caps = Caps(is_proxy=_proxies(app, settings.trusted_proxies))
    with contextlib.suppress(ImportError, OSError):  # there is no such limit on Windows
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most != resource.RLIM_INFINITY:
            caps.of_all = max(min(caps.of_all, most - _RESERVED), 1)
    return caps


def _proxies(app: FastAPI, listed: str) -> Callable[[str], bool]:
    """Return True if an address is that of a trusted proxy, as uvicorn reads the setting."""
    return ProxyHeadersMiddleware(app, listed).trusted_hosts.__contains__  # type: ignore[arg-type]


class Server(uvicorn.Server):
    """A server that ends when it gets a signal: politely if it can, and in any case within ten seconds."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The signal to end has come."""
        if not self.should_exit:
            watch = threading.Timer(_END, _give_up, (sig,))
            watch.daemon = True
            watch.start()
        super().handle_exit(sig, frame)


def _give_up(sig: int) -> None:
    """End at once. All that was announced is stored; what still waits has had its time."""
    log.error("the site did not end within %.0f s and is ended", _END)
    logging.shutdown()
    os._exit(128 + sig)
