"""What all sockets of the page share: recognising the visitor, and refusal."""

from __future__ import annotations

from typing import NamedTuple

from starlette.websockets import WebSocket

from sheshbesh.i18n import choose, translate
from sheshbesh.server.http.identity import find_person
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.matches.connection import FLOODED
from sheshbesh.server.matches.messages import Note
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of

_STRANGER = 4401
"""The code with which a socket is closed whose token is not known."""


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
        code = FLOODED if failure.status_code == 429 else _STRANGER
        await send_away(socket, code, failure.code, failure.detail)
        return None
    return Visitor(person, _language(socket))


async def send_away(socket: WebSocket, code: int, name: str, text: str) -> None:
    """Send the reason for a refusal, and close. `code` is that of the socket, `name` is for programs."""
    error = {"code": name, "text": translate(text, _language(socket))}
    await socket.send_text(Note("error", error).to_text())
    await socket.close(code)


def _language(socket: WebSocket) -> str:
    return choose(socket.query_params.get("lang") or socket.headers.get("accept-language", ""))
