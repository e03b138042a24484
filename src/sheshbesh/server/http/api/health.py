"""Health checks for monitoring."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from sqlalchemy import text

from sheshbesh import __version__
from sheshbesh.server.site import site_of

router = APIRouter(tags=["site"])

log = logging.getLogger(__name__)

_TIMEOUT = 3.0
"""Seconds in which a database answers."""


@router.get("/health")
async def health(request: Request) -> dict[str, Any]:
    """200 where the process is alive; whether it has all it needs says GET /ready."""
    return {"ok": True, "version": __version__, "process": site_of(request).process}


@router.get("/ready")
async def ready(request: Request) -> JSONResponse:
    """200 where matches can be played here; else 503, and `missing` has what is not there.

    These are `database`, which does not answer; `storage`, which takes nothing (a disk that is full or
    fails); `engine`, of which no process is ready (yet), so that its decisions are guesses and there is no
    tutor. `engines` has the engine processes that are ready `here` and `elsewhere`, on other hosts, where
    these are let in, and for how many seconds the oldest question has waited that people wait for.
    """
    site = site_of(request)
    missing = []
    try:
        async with asyncio.timeout(_TIMEOUT):
            await site.database.first(text("SELECT 1"))
    except Exception:
        log.warning("the database does not answer", exc_info=True)
        missing.append("database")
    if site.database.failure is not None or not site.uptime.is_kept:
        missing.append("storage")
    queue, here = site.engines.queue, site.engines.ready
    there = queue.elsewhere().processes
    if not here + there:
        missing.append("engine")
    engines: dict[str, Any] = {"here": here}
    if site.settings.worker_key:
        engines |= {"elsewhere": there, "oldest_seconds": round(queue.oldest, 1)}
    body = {"ok": not missing, "missing": missing, "engines": engines}
    return JSONResponse(body, 503 if missing else 200)
