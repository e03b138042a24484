"""The ASGI application: puts the parts together, opens them at the start, closes them at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from fastapi import APIRouter, FastAPI

from sheshbesh import __version__
from sheshbesh.server import failure
from sheshbesh.server.api import account, health, invites, match_socket, matches, me, variants
from sheshbesh.server.security import Guard
from sheshbesh.server.settings import Settings
from sheshbesh.server.site import Site, make_site
from sheshbesh.server.static import page_routes

API = "/api/v1"

ROUTERS: tuple[APIRouter, ...] = (
    health.router,
    me.router,
    account.router,
    variants.router,
    matches.router,
    invites.router,
)
"""The HTTP interface; each part adds its routers here."""


def make_app(settings: Settings) -> FastAPI:
    """The whole site as one ASGI application."""
    app = FastAPI(
        title="Sheshbesh",
        version=__version__,
        openapi_url=f"{API}/openapi.json",
        # Its pages of documentation load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.site = make_site(settings)
    app.add_middleware(Guard, settings=settings)
    failure.install(app)
    for router in ROUTERS:
        app.include_router(router, prefix=API)
    app.router.routes.extend(match_socket.ROUTES)
    app.router.routes.extend(page_routes())
    return app


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with opened(app.state.site):
        yield


@asynccontextmanager
async def opened(site: Site) -> AsyncIterator[None]:
    """Open the parts of a site in their order; close them in the opposite one."""
    async with AsyncExitStack() as stack:
        await site.database.open()
        stack.push_async_callback(site.database.close)
        await site.bus.open()
        stack.push_async_callback(site.bus.close)
        await site.uptime.start()
        await stack.enter_async_context(site.engines)
        stack.push_async_callback(site.hall.close)
        site.hall.listen(site.bus)
        for work in (site.uptime.run(), site.hall.run()):
            stack.push_async_callback(_stop, asyncio.create_task(work))
        yield
