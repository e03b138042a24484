"""People as others see them: profile, history, ratings; and what one thinks of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import StringConstraints
from sqlalchemy import Row

from sheshbesh.server.http.api.bodies import Body
from sheshbesh.server.http.failure import Failure
from sheshbesh.server.people.history import History
from sheshbesh.server.people.identity import MaybePerson, Owner, Reader
from sheshbesh.server.people.ratings import ratings_of
from sheshbesh.server.site import Site, site_of

router = APIRouter(tags=["users"])

_LONGEST_NOTE = 2_000
_LATEST = 2**53
"""Milliseconds that every database and every page can count."""


class Note(Body):
    """A private note."""

    text: Annotated[str, StringConstraints(max_length=_LONGEST_NOTE)]


async def _find(site: Site, name: str) -> Row[Any]:
    row = await site.people.by_name(name[:100])
    if row is None:
        raise Failure(404, "there is nobody of this name")
    return row


@router.get("/users/{name}")
async def profile(request: Request, name: str, person: MaybePerson) -> dict[str, Any]:
    """Who somebody is, how he plays, and how the two of you stand."""
    site = site_of(request)
    row = await _find(site, name)
    history = History(site.database)
    found: dict[str, Any] = {
        "user": {"id": row.id, "name": row.name, "kind": row.kind, "created": row.created, "seen": row.seen},
        "online": row.id in await site.presence.everybody(),
        "record": await history.record(row.id),
        "games": await history.games(row.id),
        "ratings": await ratings_of(site.database, row.id),
        "playing": await history.playing(row.id),
    }
    if row.owner is not None and (owner := await site.people.by_id(row.owner)) is not None:
        found["owner"] = owner.to_data()
    if person is not None and person.id != row.id:
        found["head_to_head"] = await history.between(person.id, row.id)
        found["blocked"] = row.id in {entry["id"] for entry in await site.social.blocked(person)}
    return found


@router.get("/users/{name}/matches")
async def history(
    request: Request,
    name: str,
    person: MaybePerson,
    before: int | None = Query(None, ge=0, le=_LATEST),
    game: str | None = Query(None, max_length=100),
    limit: int = Query(30, ge=1, le=100),
) -> list[dict[str, Any]]:
    """The finished matches of somebody, newest first, perhaps of one game only.

    `before` is the `ended` of the last one seen.
    """
    site = site_of(request)
    row = await _find(site, name)
    own = person is not None and person.id == row.id
    return await History(site.database).matches(
        row.id, before=before, game=game, limit=limit, with_private=own
    )


@router.get("/users/{name}/ratings")
async def ratings(request: Request, name: str, person: MaybePerson) -> dict[str, Any]:
    """The ratings of somebody, and how each rated match has changed them.

    `match` is null for private matches of others.
    """
    site = site_of(request)
    row = await _find(site, name)
    own = person is not None and person.id == row.id
    changes = await History(site.database).rating_changes(row.id, with_private=own)
    return {"ratings": await ratings_of(site.database, row.id), "history": changes}


@router.get("/users/{name}/notes")
async def note(request: Request, name: str, person: Reader) -> dict[str, Any]:
    """What one has written about somebody; nobody else sees it."""
    site = site_of(request)
    return {"text": await site.social.note(person, (await _find(site, name)).id)}


@router.put("/users/{name}/notes")
async def write_note(request: Request, name: str, person: Owner, body: Note) -> dict[str, Any]:
    """Write it anew; an empty text removes it."""
    site = site_of(request)
    await site.social.write_note(person, (await _find(site, name)).id, body.text)
    return {"text": body.text}


@router.post("/users/{name}/block")
async def block(request: Request, name: str, person: Owner) -> dict[str, Any]:
    """Meet somebody no more: no seeks, no invitations, no talk."""
    site = site_of(request)
    row = await _find(site, name)
    if row.id == person.id:
        raise Failure(409, "nobody can block himself", code="self")
    await site.social.block(person, row.id)
    return {}


@router.delete("/users/{name}/block")
async def unblock(request: Request, name: str, person: Owner) -> dict[str, Any]:
    """Take it back."""
    site = site_of(request)
    await site.social.unblock(person, (await _find(site, name)).id)
    return {}


@router.get("/me/blocks")
async def blocked(request: Request, person: Owner) -> list[dict[str, Any]]:
    """Whom one has blocked."""
    return await site_of(request).social.blocked(person)


@router.get("/me/notes")
async def notes(request: Request, person: Owner) -> list[dict[str, Any]]:
    """What one has written about others, the newest first."""
    return await site_of(request).social.notes(person)
