"""The people whom one follows: who is here, what they have done, and whether others see that one is here."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from sheshbesh.server.http.api.bodies import Body
from sheshbesh.server.http.api.users import find_user
from sheshbesh.server.http.identity import Owner, Reader
from sheshbesh.server.http.request_limits import costs
from sheshbesh.server.practice.daily import today
from sheshbesh.server.site import site_of

router = APIRouter(tags=["users"])


class Shown(Body):
    """A switch: true if others may see that one is here."""

    shown: bool


@router.post("/users/{name}/follow")
async def follow(request: Request, name: str, person: Owner) -> dict[str, Any]:
    """Follow a user. Failure 403 (`apart`) where one of the two has blocked the other."""
    site = site_of(request)
    await site.people.social.follow(person, (await find_user(site.people.directory, name)).id)
    return {}


@router.delete("/users/{name}/follow")
async def unfollow(request: Request, name: str, person: Owner) -> dict[str, Any]:
    """Follow a user no longer."""
    site = site_of(request)
    await site.people.social.unfollow(person, (await find_user(site.people.directory, name)).id)
    return {}


@router.get("/me/friends", dependencies=[costs(2)])
async def friends(request: Request, person: Reader) -> dict[str, Any]:
    """The people whom I follow (`people`), and whether others see that I am here (`shown`).

    Of each `here`, null where they do not show it, and `playing`, the id of a match that may be watched.
    """
    site = site_of(request)
    shown = not await site.people.social.hides(person.id)
    return {"shown": shown, "people": await site.friends.listed(person.id)}


@router.get("/me/friends/activities", dependencies=[costs(5)])
async def activities(request: Request, person: Reader) -> list[dict[str, Any]]:
    """Return what they have done in thirty days, the newest first: matches, tournaments won, streaks."""
    return await site_of(request).friends.activities(person.id, today())


@router.put("/me/presence")
async def show(request: Request, person: Owner, body: Shown) -> dict[str, Any]:
    """Show others whether I am here, or not: on lists, on my page and where I am challenged."""
    site = site_of(request)
    await site.people.social.hide(person, hidden=not body.shown)
    site.lobby.changed()
    return {"shown": body.shown}
