"""Being somebody: guests, who am I, settings, leaving."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from sqlalchemy import update

from sheshbesh.i18n import Text
from sheshbesh.server.http.api.bodies import Shallow
from sheshbesh.server.http.failure import Failure
from sheshbesh.server.http.limits import address
from sheshbesh.server.matches import view
from sheshbesh.server.matches.room import Room
from sheshbesh.server.people.attempts import Browser
from sheshbesh.server.people.history import History
from sheshbesh.server.people.identity import MaybePerson, Owner, Reader, clear_cookie, set_cookie
from sheshbesh.server.people.person import Person
from sheshbesh.server.site import site_of
from sheshbesh.server.storage.tables import users

router = APIRouter(tags=["me"])

_LARGEST_SETTINGS = 8 * 1024


@router.post("/guest")
async def be_guest(request: Request, response: Response, person: MaybePerson) -> dict[str, Any]:
    """Become a guest; whoever is somebody already stays who he is."""
    site = site_of(request)
    if person is None:
        site.limits.guests.check(address(request))
        person, secret = await site.people.new_guest(request.headers.get("user-agent", ""))
        set_cookie(response, site.settings, secret)
    return {"user": me_data(person)}


@router.get("/me")
async def me(person: Reader) -> dict[str, Any]:
    """Who I am."""
    return {"user": me_data(person)}


@router.get("/me/matches")
async def my_matches(request: Request, person: Reader) -> list[dict[str, Any]]:
    """The matches I have going on, to go back to: how each stands, whose turn it is, and the clocks."""
    site = site_of(request)
    found = await History(site.database).going_on(person.id)
    listed = []
    for entry in found:
        with suppress(Failure):  # one that is damaged is left out
            if room := await site.hall.room(entry["id"]):
                listed.append(entry | _standing(room, person))
    return listed


_SHOWN = ("phase", "score", "to_act", "clock", "paused")


def _standing(room: Room, person: Person) -> dict[str, Any]:
    now = room.now()
    common = view.common(room.session, now)
    you = [side.value for side in room.table.sides_of(person.id)]
    return {name: common[name] for name in _SHOWN} | {"now": now, "you": you}


@router.put("/me/settings")
async def put_settings(
    request: Request, person: Owner, settings: Annotated[dict[str, Any], Shallow]
) -> dict[str, Any]:
    """Keep the page's settings with the person. `free_chat: false` takes preset phrases only."""
    if len(json.dumps(settings, ensure_ascii=False).encode()) > _LARGEST_SETTINGS:
        raise Failure(413, Text("settings have at most {n} bytes", n=_LARGEST_SETTINGS))
    row = update(users).where(users.c.id == person.id).values(settings=settings)
    await site_of(request).database.write(row)
    return {"settings": settings}


@router.post("/logout")
async def log_out(request: Request, response: Response, person: MaybePerson) -> dict[str, Any]:
    """End this browser's sign-in. A guest who has claimed nothing is gone for good."""
    site = site_of(request)
    if person is not None and person.sign_in is not None:
        await site.people.sign_out(person.sign_in)
        if person.kind == "user":
            Browser.of(request, site.settings).remember(response, site.settings, person.id)
        site.signed_out(person.id)
    clear_cookie(response, site.settings)
    return {}


def me_data(person: Person) -> dict[str, Any]:
    """What a person may know of himself."""
    return {**person.to_data(), "settings": dict(person.settings)}
