"""Challenges: a match offered to one person by name."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from sheshbesh.server.http.api.bodies import Body, Words
from sheshbesh.server.http.api.lobby import NewSeek, take
from sheshbesh.server.http.identity import Challenger, Reader
from sheshbesh.server.lobby.challenges import ChallengeParties
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of

router = APIRouter(tags=["challenges"])

_LONGEST_NAME = 100


class NewChallenge(NewSeek):
    """A match that one would play, and the opponent."""

    to: Words


class Answer(Body):
    """Why one would rather not."""

    reason: Words = "later"


@router.get("/challenges")
async def waiting(request: Request, person: Reader) -> dict[str, Any]:
    """Challenges `to` me that I can answer, and those `by` me, with the `reason` if one was declined."""
    return await site_of(request).lobby.challenges.of(person.id)


@router.post("/challenges")
async def challenge(request: Request, person: Challenger, body: NewChallenge) -> dict[str, Any]:
    """Challenge `to`, a person or a program by name. It can be answered for a quarter of an hour.

    They are notified at once on any page of the site; `online` says whether they are connected, null where
    they do not show it.
    """
    site = site_of(request)
    site.limits.seeks.check(person.id)
    row = await site.people.directory.by_name(body.to[:_LONGEST_NAME])
    to = await site.people.directory.by_id(row.id) if row is not None else None
    if to is None:
        raise Failure(404, "there is no user of this name", where="to")
    made = await site.lobby.challenges.make(person, to, body.wish)
    site.lobby.notify_both(ChallengeParties(made["id"], person.id, to.id))
    shown = await site.people.social.visible(person.id, [to.id])
    return made | {"online": to.id in await site.presence.everybody() if shown else None}


@router.post("/challenges/{challenge_id}/accept")
async def accept(request: Request, person: Challenger, challenge_id: str) -> dict[str, Any]:
    """Play; the match begins and its maker is sent there."""
    site = site_of(request)
    found = await site.lobby.challenges.find(challenge_id)
    if found is None or found["to"]["id"] != person.id:
        raise Failure(404, "there is no such challenge", code="challenge_gone")
    site.limits.seeks.check(person.id)
    begun = await take(site.lobby, site.matches, person, challenge_id, down=site.uptime.down)
    site.lobby.notify_both(ChallengeParties(challenge_id, found["by"]["id"], person.id))
    return begun


@router.post("/challenges/{challenge_id}/decline")
async def decline(request: Request, person: Challenger, challenge_id: str, body: Answer) -> dict[str, Any]:
    """Say no. A reason is later, game, length, clock, rated, casual, or people (who play no programs)."""
    site = site_of(request)
    site.lobby.notify_both(await site.lobby.challenges.decline(person, challenge_id, body.reason))
    return {}


@router.delete("/challenges/{challenge_id}")
async def withdraw(request: Request, person: Challenger, challenge_id: str) -> dict[str, Any]:
    """Take a challenge of one's own back, or forget one that was declined."""
    site = site_of(request)
    site.lobby.notify_both(await site.lobby.challenges.withdraw(person, challenge_id))
    return {}
