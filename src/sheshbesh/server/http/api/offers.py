"""What a player may offer now: asked for when he thinks of it, for no state has to carry it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Query, Request

from sheshbesh.server.http.failure import Failure
from sheshbesh.server.matches.offers import offers_data
from sheshbesh.server.people.identity import Player
from sheshbesh.server.site import site_of

router = APIRouter(tags=["matches"])


@router.get("/matches/{match}/offers")
async def offers(
    request: Request, match: str, person: Player, lang: str = Query("en", max_length=20)
) -> dict[str, Any]:
    """How a player may end the game now: resign at which price, settle how, or why not.

    `resign` has for each of his sides the classes with what they pay, `propose` what needs consent:
    `points` to him, or from him if negative. `refused` is the reason, in `lang`, or null.
    """
    room = await site_of(request).hall.room(match)
    sides = room.table.sides_of(person.id) if room is not None else ()
    if room is None or not sides:
        raise Failure(404, "you do not play in this match")
    return offers_data(room.session, sides, lang, room.now())
