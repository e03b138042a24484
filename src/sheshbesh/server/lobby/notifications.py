"""Notifications to the pages of a person, wherever they are open: matches that begin, turns, challenges."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sheshbesh.server.lobby.lobby import Lobby
from sheshbesh.server.people.open_connections import OpenConnections
from sheshbesh.server.people.person import Person
from sheshbesh.server.tables.presence import Presence
from sheshbesh.server.tables.wire import Note


class Notifications:
    """Sends them to the sockets of this process; `spawn` runs what takes time."""

    def __init__(
        self,
        lobby: Lobby,
        presence: Presence,
        connections: OpenConnections,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._lobby, self._presence, self._connections = lobby, presence, connections
        self._spawn = spawn

    @contextmanager
    def sent(
        self,
        person: Person | None,
        send: Callable[[str], None],
        end: Callable[[], None],
        *,
        match: str | None = None,
    ) -> Iterator[None]:
        """While this lasts a person counts as connected, and `send` gets what concerns them, as JSON.

        `end` is called when they are signed out or their account is deleted; `match` is the one they are at.
        Nothing is sent to a stranger (None).

        Sent are `match`, when one of theirs begins, and `challenges`: all that wait for their answer or that
        of others, at first and whenever that changes; `turn`, when a match by correspondence waits for them;
        `rematch_asked`, when the opponent of a match that is over wants a rematch;
        `tournament`, when one of theirs starts, pairs them, awaits or decides something about them, or ends.
        A page that is being left, or whose connection was cut, misses messages, so matches that wait for this
        person are named at first too, as `late`.
        """
        if person is None:
            yield
            return
        user = person.id

        async def show() -> None:
            send(Note("challenges", await self._lobby.challenges.of(user)).to_text())

        async def catch_up() -> None:
            for begun in await self._lobby.waiting_for(user):
                if begun != match:
                    send(_begun(begun, late=True))
            await show()

        def concerned(news: Mapping[str, Any]) -> None:
            if news["what"] == "match":
                about = {"rematch_of": news["rematch_of"]} if "rematch_of" in news else {}
                send(_begun(news["id"], **about))
            elif news["what"] == "turn" and news["id"] != match:
                about = {"id": news["id"], "url": f"/m/{news['id']}", "title": news["title"]}
                send(Note("turn", about).to_text())
            elif news["what"] == "rematch" and news["id"] != match:
                about = {"id": news["id"], "url": f"/m/{news['id']}", "by": news["by"]}
                send(Note("rematch_asked", about).to_text())
            elif news["what"] == "challenge":
                self._spawn(show())
            elif news["what"] == "tournament":
                about = {"id": news["id"], "url": f"/t/{news['id']}", "event": news["event"]}
                named = {name: news[name] for name in ("title", "series", "zone")}
                send(Note("tournament", about | named).to_text())

        leave = self._lobby.attend(user, concerned)
        try:
            with self._connections.open(person, end), self._presence.here(user):
                self._spawn(catch_up())
                yield
        finally:
            leave()


def _begun(match: str, **more: Any) -> str:
    """The message that one of a user's matches has begun."""
    return Note("match", {"id": match, "url": f"/m/{match}", **more}).to_text()
