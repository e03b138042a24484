"""Being somebody: guests, who am I, leaving."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from sheshbesh.server.people.identity import MaybePerson, Reader, clear_cookie, set_cookie
from sheshbesh.server.people.person import Person
from sheshbesh.server.site import site_of

router = APIRouter(tags=["me"])


@router.post("/guest")
async def be_guest(request: Request, response: Response, person: MaybePerson) -> dict[str, Any]:
    """Become a guest; whoever is somebody already stays who he is."""
    site = site_of(request)
    if person is None:
        person, secret = await site.people.new_guest(request.headers.get("user-agent", ""))
        set_cookie(response, site.settings, secret)
    return {"user": _me(person)}


@router.get("/me")
async def me(person: Reader) -> dict[str, Any]:
    """Who I am."""
    return {"user": _me(person)}


@router.post("/logout")
async def log_out(request: Request, response: Response, person: MaybePerson) -> dict[str, Any]:
    """End this browser's sign-in. A guest who has claimed nothing is gone for good."""
    site = site_of(request)
    if person is not None and person.sign_in is not None:
        await site.people.sign_out(person.sign_in)
    clear_cookie(response, site.settings)
    return {}


def _me(person: Person) -> dict[str, Any]:
    return {**person.to_data(), "settings": dict(person.settings)}
