"""The ASGI application: puts the parts together, opens them at the start, closes them at the end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, Depends, FastAPI

from sheshbesh import __version__
from sheshbesh.server.assembly import make_site
from sheshbesh.server.http import errors
from sheshbesh.server.http.api import (
    account,
    analysis,
    bots,
    challenges,
    chouettes,
    customs,
    devices,
    engine,
    health,
    invites,
    learn,
    lobby,
    mail,
    me,
    metrics,
    moderation,
    practice,
    programs,
    puzzles,
    reviews,
    sockets,
    tables,
    tournaments,
    users,
    variants,
)
from sheshbesh.server.http.pictures import picture_routes
from sheshbesh.server.http.request_limits import check_requests
from sheshbesh.server.http.security import Guard
from sheshbesh.server.http.static import page_routes
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.monitoring.metrics import Measured
from sheshbesh.server.settings import Settings
from sheshbesh.server.site import opened

API = "/api/v1"

_API = APIRouter()
# They are looked through in this order: those that are asked most by many at once come first.
for _router in (
    tournaments.router,
    tables.router,
    health.router,
    me.router,
    account.router,
    devices.router,
    mail.router,
    programs.router,
    variants.router,
    customs.router,
    learn.router,
    invites.router,
    lobby.router,
    challenges.router,
    chouettes.router,
    tables.chouettes,
    users.router,
    moderation.router,
    reviews.router,
    analysis.router,
    practice.router,
    puzzles.router,
    bots.router,
    engine.router,
):
    _API.include_router(_router, prefix=API, dependencies=[Depends(check_requests)])


def make_app(settings: Settings, clock: Clock = CLOCK) -> FastAPI:
    """Make the whole site as one ASGI application, which waits by `clock`."""
    app = FastAPI(
        title="Sheshbesh",
        version=__version__,
        openapi_url=f"{API}/openapi.json",
        # Its pages of documentation load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    site = app.state.site = make_site(settings, clock)
    app.add_middleware(Guard, settings=settings)
    # Added last, it is outermost, and measures what the guard refuses too.
    app.add_middleware(Measured, metrics=site.metrics)
    errors.install(app)
    app.router.routes.extend([*sockets.ROUTES, *tournaments.ROUTES, *lobby.ROUTES])
    # The routers are included once, not by each app: what FastAPI works out of a route at its first request,
    # a tenth of a second for all, is kept with the inclusion.
    app.router.routes.extend(_API.routes)
    app.router.routes.extend([*metrics.ROUTES, *engine.ROUTES])
    app.router.routes.extend([*picture_routes(), *page_routes()])
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with opened(app.state.site):
        yield
