"""Invitations: a secret link to a free seat, as text and as a picture that a telephone reads."""

from __future__ import annotations

import io
from typing import Any

import segno
from fastapi import APIRouter, Request, Response

from sheshbesh.i18n import Text
from sheshbesh.server.http.identity import MaybePerson, Player, Reader
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import may_be_rated
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import notify_players, site_of
from sheshbesh.server.storage import Database
from sheshbesh.server.tables import begin, view
from sheshbesh.server.tables.begin import check_dice, seat_of

router = APIRouter(tags=["invites"])

_GONE = Text("this invitation has been taken or withdrawn")


async def _begun(database: Database, token: str, person: Person | None) -> dict[str, Any]:
    """Return where the match that began by a link is, to its players: who invited and who has accepted.

    Failure 404 for others, and for a link that leads nowhere.
    """
    match = None if person is None else await begin.find_taken(database, token, person.id)
    if match is None:
        raise Failure(404, _GONE, code="invite_gone")
    return {"id": match, "url": f"/m/{match}"}


@router.get("/invites/{token}")
async def look(request: Request, token: str, person: MaybePerson) -> dict[str, Any]:
    """Return what one is invited to; to the players of the match that has begun, `id` and `url` of it."""
    database = site_of(request).database
    if (found := await begin.find(database, token)) is None:
        return await _begun(database, token, person)
    _, table = found
    own = person is not None and bool(table.names_of(person.id))
    return view.fixed(table) | {"own": own}


@router.post("/invites/{token}")
async def accept(request: Request, token: str, person: Player) -> dict[str, Any]:
    """Sit down; the match begins."""
    site = site_of(request)
    if (found := await begin.find(site.database, token)) is None:
        return await _begun(site.database, token, person)
    _, table = found
    if table.names_of(person.id):
        raise Failure(409, "this is your own invitation: send it to a friend", code="own_invite")
    check_dice(table)
    if table.rated:
        may_be_rated(person)
    for seat in table.seats.values():
        if seat.user is not None and await site.people.social.are_apart(seat.user, person.id):
            raise Failure(403, "you two do not play with each other", code="apart")
    try:
        full = await begin.take(site.database, token, table, seat_of(person))
    except begin.TooLateError:
        # Of two acceptances at once that are one person's, the other one has sat them down.
        return await _begun(site.database, token, person)
    site.matches.begun(full.id)
    notify_players(site.lobby, full, "match")
    return {"id": full.id, "url": f"/m/{full.id}"}


@router.delete("/invites/{token}")
async def withdraw(request: Request, token: str, person: Player) -> dict[str, Any]:
    """Take one's own invitation back."""
    site = site_of(request)
    match = await begin.withdraw(site.database, token, person.id)
    if match is None:
        raise Failure(404, _GONE, code="invite_gone")
    site.matches.begun(match)
    return {}


@router.get("/me/invites")
async def mine(request: Request, person: Reader) -> list[dict[str, Any]]:
    """One's own invitations that nobody has taken yet, the newest first."""
    return [
        {
            "id": row.id,
            "url": f"/j/{row.invite}",
            "game": row.game,
            "card": row.card,
            "rated": row.rated,
            "created": row.created,
        }
        for row in await begin.open_of(site_of(request).database, person.id)
    ]


@router.get("/invites/{token}/qr.svg", response_class=Response)
async def picture(request: Request, token: str) -> Response:
    """The link as a QR code."""
    if await begin.find(site_of(request).database, token) is None:
        raise Failure(404, _GONE, code="invite_gone")
    return link_picture(request, f"/j/{token}")


def link_picture(request: Request, path: str) -> Response:
    """The address of a page of this site as a QR code."""
    base = site_of(request).settings.origin or str(request.base_url).rstrip("/")
    drawn = io.BytesIO()
    segno.make(f"{base}{path}", error="m").save(
        drawn, kind="svg", scale=6, border=2, dark="#000", light="#fff", xmldecl=False
    )
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})
