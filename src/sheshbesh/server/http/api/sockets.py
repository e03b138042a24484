"""What all sockets of the page share: recognising the visitor, notifications, refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from starlette.websockets import WebSocket

from sheshbesh.i18n import choose, translate
from sheshbesh.server.http.identity import find_person
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.matches.line import FLOODED
from sheshbesh.server.matches.messages import Note
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import Site, site_of

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
    """Accept a socket and see who comes; None for one that was told why not, and closed."""
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
    """Say why not, and close. `code` is that of the socket, `name` is for programs."""
    said = {"code": name, "text": translate(text, _language(socket))}
    await socket.send_text(Note("error", said).to_text())
    await socket.close(code)


def _language(socket: WebSocket) -> str:
    return choose(socket.query_params.get("lang") or socket.headers.get("accept-language", ""))


@contextmanager
def notified(
    site: Site,
    person: Person | None,
    tell: Callable[[str], None],
    end: Callable[[], None],
    *,
    match: str | None = None,
) -> Iterator[None]:
    """While this lasts a person counts as connected, and is sent what concerns them.

    `end` is called when they are signed out or their account is deleted; `match` is the one they are at.

    Sent are `match`, when one of theirs begins, and `challenges`: all that wait for their answer or that of
    others, at first and whenever that changes; `turn`, when a match by correspondence waits for them. A page
    that is being left, or whose connection was cut, misses messages, so matches that wait for this person are
    named at first too, as `late`.
    """
    if person is None:
        yield
        return
    user = person.id

    async def show() -> None:
        tell(Note("challenges", await site.lobby.challenges.of(user)).to_text())

    async def catch_up() -> None:
        for begun in await site.lobby.waiting_for(user):
            if begun != match:
                tell(_begun(begun, late=True))
        await show()

    def concerned(news: Mapping[str, Any]) -> None:
        if news["what"] == "match":
            tell(_begun(news["id"]))
        elif news["what"] == "turn" and news["id"] != match:
            tell(
                Note("turn", {"id": news["id"], "url": f"/m/{news['id']}", "title": news["title"]}).to_text()
            )
        elif news["what"] == "challenge":
            site.play.registry.spawn(show())

    leave = site.lobby.attend(user, concerned)
    try:
        with site.people.connections.open(person, end), site.presence.here(user):
            site.play.registry.spawn(catch_up())
            yield
    finally:
        leave()


def _begun(match: str, **more: Any) -> str:
    """The message that one of a user's matches has begun."""
    return Note("match", {"id": match, "url": f"/m/{match}", **more}).to_text()
