"""The work of moderators: they read reports, answer them, and take from accounts what was misused."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field, StringConstraints

from sheshbesh.server.http.api.bodies import Body, Words
from sheshbesh.server.http.identity import Owner
from sheshbesh.server.monitoring import security
from sheshbesh.server.people.moderation import LONGEST_REASON, Actor, Done
from sheshbesh.server.people.sanctions import BAN, MUTE
from sheshbesh.server.site import site_of

router = APIRouter(tags=["moderation"])

_LONGEST_HOURS = 100 * 366 * 24

Reason = Annotated[str, StringConstraints(max_length=LONGEST_REASON)]


async def _moderator(person: Owner) -> Actor:
    return Actor.of(person)


Moderator = Annotated[Actor, Depends(_moderator)]
"""The moderator who acts, in a browser; 403 for anybody else."""


class Why(Body):
    """Why something is done; the account's owner is shown it."""

    reason: Reason


class Sanctioned(Why):
    """For how many hours, for ever where it is null."""

    hours: Annotated[int, Field(ge=1, le=_LONGEST_HOURS)] | None = None


class Renamed(Why):
    """The name that an account is to have."""

    name: Words


class Answer(Body):
    """The outcome of a report."""

    answer: Reason


@router.get("/moderation/reports")
async def reports(
    request: Request,
    _: Moderator,
    resolved: bool = Query(False),  # noqa: FBT001, FBT003 -- a parameter of the address
) -> list[dict[str, Any]]:
    """The open reports, the oldest first; with `resolved=true` those answered last."""
    found = site_of(request).people.reports
    return await (found.resolved() if resolved else found.open())


@router.post("/moderation/reports/{report}/resolve")
async def resolve(request: Request, actor: Moderator, report: str, body: Answer) -> dict[str, Any]:
    """Answer a report; it is open no longer."""
    return _announced(
        request, actor, await site_of(request).people.moderation.resolve(actor, report, body.answer)
    )


@router.get("/moderation/log")
async def log(
    request: Request, _: Moderator, name: str | None = Query(None, max_length=100)
) -> list[dict[str, Any]]:
    """Return what was done, the newest first; to one account where it is named."""
    return await site_of(request).people.moderation.log(name)


@router.get("/moderation/users/{name}")
async def in_force(request: Request, _: Moderator, name: str) -> list[dict[str, Any]]:
    """Return what holds of an account now: bans and mutes, each with `until`, null for ever."""
    return await site_of(request).people.moderation.in_force(name)


def _sanction(kind: str, says: str, undone: str) -> None:
    """The two routes of a sanction: one that puts it on an account, one that lifts it."""

    async def put(request: Request, actor: Moderator, name: str, body: Sanctioned) -> dict[str, Any]:
        work = site_of(request).people.moderation.sanction(actor, name, kind, body.reason, body.hours)
        return _announced(request, actor, await work)

    async def lift(request: Request, actor: Moderator, name: str, body: Why) -> dict[str, Any]:
        work = site_of(request).people.moderation.lift(actor, name, kind, body.reason)
        return _announced(request, actor, await work)

    path = "/moderation/users/{name}/"
    router.post(f"{path}{kind}", name=kind, description=says)(put)
    router.post(f"{path}un{kind}", name=f"un{kind}", description=undone)(lift)


_sanction(MUTE, "Let somebody say nothing at matches.", "Let them speak again.")
_sanction(
    BAN,
    "Let somebody not sign in, nor their bots; they are signed out at once.",
    "Let them sign in again.",
)


@router.post("/moderation/users/{name}/rename")
async def rename(request: Request, actor: Moderator, name: str, body: Renamed) -> dict[str, Any]:
    """Give an account another name, in its matches too; nobody takes the old one for half a year."""
    work = site_of(request).people.moderation.rename(actor, name, body.name, body.reason)
    return _announced(request, actor, await work)


@router.post("/moderation/users/{name}/sign-out")
async def sign_out(request: Request, actor: Moderator, name: str, body: Why) -> dict[str, Any]:
    """End all sign-ins of somebody, and the tokens of them and their bots."""
    work = site_of(request).people.moderation.sign_out(actor, name, body.reason)
    return _announced(request, actor, await work)


def _announced(request: Request, actor: Actor, done: Done) -> dict[str, Any]:
    """Let every process know what was done, and the security log."""
    site_of(request).people.moderated(done)
    security.note("moderation", request, by=actor.name, action=done.action, target=done.target)
    return {"id": done.id}
