"""`/metrics`: the figures of this process, for clients with the token; 404 for all others."""

from __future__ import annotations

import math

from sqlalchemy import func, select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sheshbesh.server.http.request_limits import check_page
from sheshbesh.server.monitoring import growth as growing
from sheshbesh.server.monitoring.metrics import CONTENT_TYPE, Standing, may_look
from sheshbesh.server.site import site_of
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.failures import is_unavailable
from sheshbesh.server.storage.review_tables import reviews
from sheshbesh.server.storage.tables import matches
from sheshbesh.server.tables.seats import LIVE

_UNFINISHED = ("waiting", "running")


async def metrics(request: Request) -> Response:
    """All figures, in Prometheus's text format."""
    check_page(request)
    site = site_of(request)
    if not may_look(site.settings.metrics_token, request.headers.get("authorization", "")):
        raise HTTPException(404, "there is no such page")
    connections = getattr(request.app.state, "caps", None)
    try:
        live, reviewing = await _stored(site.database)
        growth = await growing.look(site.database, site.settings.backup_folder)
        database_up = True
    except Exception as error:
        if not is_unavailable(error):
            raise
        # It is now that somebody wants to look; what is not known is no number.
        live, reviewing, database_up = math.nan, dict.fromkeys(_UNFINISHED, math.nan), False
        growth = growing.Growth(backup_age=growing.age_of_newest(site.settings.backup_folder))
    tables = list(site.matches.loaded.values())
    standing = Standing(
        database_up=database_up,
        live=live,
        reviews=reviewing,
        rooms=len(tables),
        tournaments=len(site.tournaments),
        viewers=sum(len(table.viewers) for table in tables),
        lobby=site.lobby.viewers,
        people=site.presence.people_here,
        connections=0 if connections is None else connections.count,
        waiting=site.engines.queue.waiting(),
        oldest=site.engines.queue.oldest,
        engines_up=site.engines.are_up,
        elsewhere=site.engines.queue.elsewhere() if site.settings.worker_key else None,
        growth=growth,
    )
    return Response(site.metrics.text(standing), media_type=CONTENT_TYPE)


async def _stored(database: Database) -> tuple[float, dict[str, float]]:
    """Return what is counted in the database: live matches, and unfinished reviews by their state."""
    live = select(func.count()).select_from(matches).where(matches.c.state == LIVE)
    row = await database.first(live)
    query = select(reviews.c.state, func.count().label("n")).where(reviews.c.state.in_(_UNFINISHED))
    states = {found.state: int(found.n) for found in await database.all(query.group_by(reviews.c.state))}
    return int(row[0]) if row is not None else 0, {state: states.get(state, 0) for state in _UNFINISHED}


ROUTES = [Route("/metrics", metrics)]
