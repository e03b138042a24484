"""Whether the site is well, for whoever watches over it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import text

from sheshbesh import __version__
from sheshbesh.server.site import site_of

router = APIRouter(tags=["site"])


@router.get("/health")
async def health(request: Request) -> dict[str, Any]:
    """200 where the database answers."""
    site = site_of(request)
    await site.database.first(text("SELECT 1"))
    return {"ok": True, "version": __version__, "process": site.process}
