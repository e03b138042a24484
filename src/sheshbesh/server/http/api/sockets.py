"""What all sockets of the page share: recognising the visitor, and refusal."""

from __future__ import annotations

from typing import NamedTuple

from starlette.websockets import WebSocket

from sheshbesh.i18n import translate
from sheshbesh.server.http.errors import STRANGER, end, language
from sheshbesh.server.http.identity import find_person
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of
from sheshbesh.server.tables.connection import FLOODED


class Visitor(NamedTuple):
    """Who has connected (None for a stranger), and the language of their messages."""

    person: Person | None
    lang: str

    @property
    def user(self) -> str | None:
        """Their id."""
        return self.person.id if self.person is not None else None


async def greet(socket: WebSocket) -> Visitor | None:
    """Accept a socket and see who comes; None for one that was sent the reason for a refusal, and closed."""
    site = site_of(socket)
    await socket.accept()
    try:
        site.limits.sockets.check(address(socket))
        person = await find_person(socket)
    except Failure as failure:
        code = FLOODED if failure.status_code == 429 else STRANGER
        await send_away(socket, code, failure.code, failure.detail)
        return None
    return Visitor(person, language(socket))


async def send_away(socket: WebSocket, code: int, name: str, text: str) -> None:
    """Send the reason for a refusal, and close. `code` is that of the socket, `name` is for programs."""
    await end(socket, code, {"code": name, "text": translate(text, language(socket))})
