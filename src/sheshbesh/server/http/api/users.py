"""Public data of users; private notes, blocks, reports to the moderators; the people whom one follows."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import StringConstraints
from sqlalchemy import Row

from sheshbesh.server.http.api.bodies import Body, Words
from sheshbesh.server.http.identity import MaybePerson, Owner, Reader
from sheshbesh.server.http.request_limits import costs
from sheshbesh.server.monitoring import security
from sheshbesh.server.people.access import check_look
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.history import History
from sheshbesh.server.people.ratings import ratings_of
from sheshbesh.server.people.reports import LONGEST_REPORT
from sheshbesh.server.practice.daily import today
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of

router = APIRouter(tags=["users"])

_LONGEST_NOTE = 2_000
LATEST = 2**53
"""Milliseconds at most: what every database and every page can represent."""

_HISTORY_COST = 5
"""In requests: everything that somebody has ever finished is gone through, of a bot many thousand matches."""


class Note(Body):
    """A private note."""

    text: Annotated[str, StringConstraints(max_length=_LONGEST_NOTE)]


class NewReport(Body):
    """A report of a user: `kind` is talk, cheating, leaving, name or other; `match` is the id of
    one in which they played."""

    kind: Words
    text: Annotated[str, StringConstraints(max_length=LONGEST_REPORT)] = ""
    match: Words | None = None


async def find_user(directory: Directory, name: str) -> Row[Any]:
    """The user of this name; Failure 404 where there is none."""
    row = await directory.by_name(name[:100])
    if row is None:
        raise Failure(404, "there is no user of this name")
    return row


async def _id_of(request: Request, name: str) -> str:
    """The id of the user of this name; Failure 404 where there is none."""
    return str((await find_user(site_of(request).people.directory, name)).id)


@router.get("/users/{name}", dependencies=[costs(_HISTORY_COST)])
async def profile(request: Request, name: str, person: MaybePerson) -> dict[str, Any]:
    """A profile: name, record, ratings, trophies, and the results between the two of you.

    Whether they are `online`, since when not (`seen`) and what they play are null, or empty, where that is
    not for the visitor to see.
    """
    site = site_of(request)
    row = await find_user(site.people.directory, name)
    history = History(site.database)
    shown = bool(await site.people.social.visible(person.id if person is not None else None, [row.id]))
    found: dict[str, Any] = {
        "user": {
            "id": row.id,
            "name": row.name,
            "kind": row.kind,
            "created": row.created,
            "seen": row.seen if shown else None,
        },
        "online": row.id in await site.presence.everybody() if shown else None,
        "record": await history.record(row.id),
        "games": await history.games(row.id),
        "ratings": await ratings_of(site.database, row.id),
        "trophies": await history.trophies(row.id),
        "playing": await history.playing(row.id) if shown else [],
    }
    if row.owner is not None and (owner := await site.people.directory.by_id(row.owner)) is not None:
        found["owner"] = owner.to_data()
    if person is not None and person.id != row.id:
        found["head_to_head"] = await history.between(person.id, row.id)
        found["blocked"] = row.id in {entry["id"] for entry in await site.people.social.blocked(person)}
        followed = await site.people.social.followed(person.id)
        found["followed"] = row.id in {entry["id"] for entry in followed}
    return found


@router.get("/users/{name}/matches", dependencies=[costs(_HISTORY_COST)])
async def history(
    request: Request,
    name: str,
    person: MaybePerson,
    before: int | None = Query(None, ge=0, le=LATEST),
    game: str | None = Query(None, max_length=100),
    limit: int = Query(30, ge=1, le=100),
) -> list[dict[str, Any]]:
    """The finished matches of a user, the newest first, of all games or of one.

    `before` is the `ended` of the last one seen.
    """
    site = site_of(request)
    row = await find_user(site.people.directory, name)
    own = person is not None and person.id == row.id
    return await History(site.database).matches(
        row.id, before=before, game=game, limit=limit, with_private=own
    )


@router.get("/users/{name}/ratings")
async def ratings(request: Request, name: str, person: MaybePerson) -> dict[str, Any]:
    """The ratings of a user, and how each rated match has changed them.

    `match` is null for private matches of others.
    """
    site = site_of(request)
    row = await find_user(site.people.directory, name)
    own = person is not None and person.id == row.id
    changes = await History(site.database).rating_changes(row.id, with_private=own)
    return {"ratings": await ratings_of(site.database, row.id), "history": changes}


@router.get("/users/{name}/notes")
async def note(request: Request, name: str, person: Reader) -> dict[str, Any]:
    """One's private note about a user."""
    site = site_of(request)
    return {"text": await site.people.social.note(person, await _id_of(request, name))}


@router.put("/users/{name}/notes")
async def write_note(request: Request, name: str, person: Owner, body: Note) -> dict[str, Any]:
    """Replace the note; an empty text deletes it."""
    site = site_of(request)
    await site.people.social.write_note(person, await _id_of(request, name), body.text)
    return {"text": body.text}


@router.post("/users/{name}/block")
async def block(request: Request, name: str, person: Owner) -> dict[str, Any]:
    """Block a user: neither sees the seeks of the other, and they cannot challenge, invite or chat."""
    site = site_of(request)
    row = await find_user(site.people.directory, name)
    if row.id == person.id:
        raise Failure(409, "you cannot block yourself", code="self")
    await site.people.social.block(person, row.id)
    return {}


@router.delete("/users/{name}/block")
async def unblock(request: Request, name: str, person: Owner) -> dict[str, Any]:
    """Remove a block."""
    site = site_of(request)
    await site.people.social.unblock(person, await _id_of(request, name))
    return {}


@router.post("/users/{name}/report")
async def report(request: Request, name: str, person: Owner, body: NewReport) -> dict[str, Any]:
    """Report a user to the moderators. One report of the same player is open at a time."""
    site = site_of(request)
    site.limits.reports.check(person.id)
    row = await find_user(site.people.directory, name)
    if row.id == person.id:
        raise Failure(409, "you cannot report yourself", code="self")
    if body.match is not None:
        # A report does not tell who plays in a match that is not the reporter's to see.
        check_look(await site.matches.agreement(body.match), person)
    made = await site.people.reports.make(person, row.id, body.kind, body.text, body.match)
    security.note("report", request, user=person.id, name=person.name, reported=row.id, kind=body.kind)
    return {"id": made}


@router.get("/me/blocks")
async def blocked(request: Request, person: Owner) -> list[dict[str, Any]]:
    """The users that one has blocked."""
    return await site_of(request).people.social.blocked(person)


@router.get("/me/notes")
async def notes(request: Request, person: Owner) -> list[dict[str, Any]]:
    """One's private notes about users, the newest first."""
    return await site_of(request).people.social.notes(person)


# Friends


class Shown(Body):
    """A switch: true if others may see that one is here."""

    shown: bool


@router.post("/users/{name}/follow")
async def follow(request: Request, name: str, person: Owner) -> dict[str, Any]:
    """Follow a user. Failure 403 (`apart`) where one of the two has blocked the other."""
    site = site_of(request)
    await site.people.social.follow(person, await _id_of(request, name))
    return {}


@router.delete("/users/{name}/follow")
async def unfollow(request: Request, name: str, person: Owner) -> dict[str, Any]:
    """Follow a user no longer."""
    site = site_of(request)
    await site.people.social.unfollow(person, await _id_of(request, name))
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
