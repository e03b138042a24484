"""`/metrics`: the figures of this process, for whom has the token; for everybody else there is nothing."""

from __future__ import annotations

from sqlalchemy import func, select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sheshbesh.server.http.request_limits import check_page
from sheshbesh.server.monitoring.metrics import CONTENT_TYPE, Standing, may_look
from sheshbesh.server.site import Site, site_of
from sheshbesh.server.storage.review_tables import reviews
from sheshbesh.server.storage.tables import matches


async def metrics(request: Request) -> Response:
    """All figures, in Prometheus's text format."""
    check_page(request)
    site = site_of(request)
    if not may_look(site.settings.metrics_token, request.headers.get("authorization", "")):
        raise HTTPException(404, "there is no such page")
    connections = getattr(request.app.state, "caps", None)
    standing = await _standing(site, 0 if connections is None else connections.count)
    return Response(site.metrics.text(standing), media_type=CONTENT_TYPE)


async def _standing(site: Site, connections: int) -> Standing:
    live = select(func.count()).select_from(matches).where(matches.c.state == "live")
    row = await site.database.first(live)
    working = ("waiting", "running")
    query = select(reviews.c.state, func.count().label("n")).where(reviews.c.state.in_(working))
    states = {state.state: state.n for state in await site.database.all(query.group_by(reviews.c.state))}
    rooms = list(site.play.registry.rooms.values())
    return Standing(
        live=int(row[0]) if row is not None else 0,
        reviews={state: int(states.get(state, 0)) for state in working},
        rooms=len(rooms),
        viewers=sum(len(room.spectators.viewers) for room in rooms),
        lobby=site.lobby.viewers,
        people=site.presence.people_here,
        connections=connections,
        waiting=site.engines.waiting(),
        engines_up=site.engines.are_up,
        elsewhere=site.elsewhere.standing if site.elsewhere is not None else None,
    )


ROUTES = [Route("/metrics", metrics)]
