"""The sender of a request or a socket: the signed cookie of a browser, the token of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from sheshbesh.i18n import Text
from sheshbesh.server.http.cookies import signed_in_secret
from sheshbesh.server.http.request_limits import check_person
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of


async def find_person(connection: HTTPConnection) -> Person | None:
    """Return who it is, None for a stranger. A bad token is refused, a bad cookie is none; Failure 429 where
    the person has asked for too much, from whatever address."""
    person = await _recognized(connection)
    if person is not None:
        check_person(connection, person.id)
    return person


async def _recognized(connection: HTTPConnection) -> Person | None:
    site = site_of(connection)
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    if kind:
        found = await site.people.directory.by_token(token.strip()) if kind.lower() == "bearer" else None
        if found is None:
            raise Failure(401, "this token is not known", code="bad_token")
        return found
    secret = signed_in_secret(connection, site.settings)
    return await site.people.directory.by_sign_in(secret) if secret else None


async def current_person(connection: HTTPConnection) -> Person:
    """Return who it is; Failure 401 for a stranger. The page then asks for a guest: POST /api/v1/guest."""
    person = await find_person(connection)
    if person is None:
        raise Failure(401, "you are not signed in")
    return person


def with_scope(scope: str) -> Callable[[HTTPConnection], object]:
    """A dependency: the person, where their token allows `scope`."""

    async def allowed(connection: HTTPConnection) -> Person:
        person = await current_person(connection)
        if scope not in person.scopes:
            raise Failure(403, Text("this token has no scope {scope}", scope=scope), code="scope")
        return person

    return allowed


async def browser_person(connection: HTTPConnection) -> Person:
    """Return who it is, in a browser: no token may change the account it belongs to."""
    person = await current_person(connection)
    if person.sign_in is None:
        raise Failure(403, "this can be done in a browser only", code="scope")
    return person


MaybePerson = Annotated[Person | None, Depends(find_person)]
"""The person who asks; None for a stranger."""
Reader = Annotated[Person, Depends(with_scope("read"))]
"""The person who asks, 401 for a stranger."""
Player = Annotated[Person, Depends(with_scope("play"))]
"""The person who acts, 401 for a stranger; a token needs the scope `play`."""
Challenger = Annotated[Person, Depends(with_scope("challenge"))]
"""The person who makes or answers a challenge."""
Entrant = Annotated[Person, Depends(with_scope("tournament:enter"))]
"""The person who enters a tournament or leaves it."""
Director = Annotated[Person, Depends(with_scope("tournament:direct"))]
"""The person who makes or directs a tournament."""
Owner = Annotated[Person, Depends(browser_person)]
"""The person whose account is changed, in a browser."""
