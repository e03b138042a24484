"""Days off in matches by correspondence."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field

from sheshbesh.server.http.api.bodies import Body
from sheshbesh.server.http.identity import Owner
from sheshbesh.server.people.vacations import MOST_A_YEAR, MOST_AT_ONCE, Vacation
from sheshbesh.server.site import site_of

router = APIRouter(tags=["me"])


class DaysOff(Body):
    """For how many days one is away, from now on."""

    days: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)]


@router.get("/me/vacation")
async def vacation(request: Request, person: Owner) -> dict[str, Any]:
    """Until when I am away (ms since 1970, null where I am here), and how many days I have left this year."""
    return _data(await site_of(request).people.vacations.of(person.id))


@router.post("/me/vacation")
async def go_away(request: Request, person: Owner, body: DaysOff) -> dict[str, Any]:
    """Be away from now on, or for longer: no time runs for me in matches by correspondence meanwhile.

    I may play all the same. A vacation that has begun is not shortened.
    """
    site = site_of(request)
    taken = await site.people.vacations.take(person, body.days)
    await site.absences.hold_all(person.id)
    return _data(taken)


def _data(found: Vacation) -> dict[str, Any]:
    return {"until": found.until, "left": found.left, "most": MOST_AT_ONCE, "a_year": MOST_A_YEAR}
