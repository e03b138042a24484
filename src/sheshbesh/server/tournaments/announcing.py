"""Announcements of a tournament: that it starts soon, with whom they are paired, that it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from sheshbesh.i18n import Text
from sheshbesh.server.lobby.lobby import Lobby
from sheshbesh.server.people.push import Push
from sheshbesh.server.tables.presence import Presence
from sheshbesh.server.tournaments.tournaments import SOON, begun_pairs
from sheshbesh.tournaments import SERVER, Entrant, Event, Status, Tournament

_AT_ONCE = 16
"""People whose browsers are looked up and written to at a time."""
_ENDS = (Status.OVER, Status.CANCELLED)

_STARTS = Text("{title} starts in a quarter of an hour.", title="")
_CHECK_IN = Text("Check in for {title}: who does not is left out.", title="")
_PAIRED = Text("You are awaited at the board in {title}.", title="")


class Announcer:
    """Tells people of their tournaments, wherever they are: on the pages of the site, and by push elsewhere.

    `spawn` runs what takes time.
    """

    def __init__(
        self,
        lobby: Lobby,
        push: Push,
        presence: Presence,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._lobby, self._push, self._presence, self._spawn = lobby, push, presence, spawn

    def told(self, before: Tournament, after: Tournament, event: Event) -> None:
        """Tell of an event that was stored in this process."""
        about = {"what": "tournament", "id": after.id, "title": after.settings.title}
        if before.status is not after.status:
            kind = "tournamentStart" if after.status is Status.RUNNING else None
            if after.status in _ENDS:
                kind = "tournamentEnd"
            for entrant in _people(after) if kind is not None else ():
                self._lobby.notify(entrant.id, **about, event=kind)
            if after.status is Status.CHECK_IN:
                self._call(after, _CHECK_IN, "tournamentCheckIn")
        if event.actor == SERVER and (event.ref or "").startswith(SOON):
            self._call(after, _STARTS, "tournamentSoon")
        pairs = begun_pairs(before, after) if event.action.type in ("pair", "playoff") else ()
        for user, match in pairs:
            self._lobby.notify(user, what="match", id=match)
            self._lobby.notify(user, **about, event="tournamentPairing", match=match)
        if pairs and after.settings.system != "arena":  # in an arena nobody is paired who is away
            self._spawn(self._push_to_absent((user for user, _ in pairs), _PAIRED, after))

    def _call(self, state: Tournament, text: Text, event: str) -> None:
        about = {"what": "tournament", "id": state.id, "title": state.settings.title}
        people = [entrant.id for entrant in _people(state) if entrant.status == "entered"]
        for user in people:
            self._lobby.notify(user, **about, event=event)
        self._spawn(self._push_to_absent(people, text, state))

    async def _push_to_absent(self, people: Iterable[str], text: Text, state: Tournament) -> None:
        here = await self._presence.everybody()
        said = Text(text.template, title=state.settings.title)
        away = [user for user in people if user not in here]
        for first in range(0, len(away), _AT_ONCE):
            some = away[first : first + _AT_ONCE]
            await asyncio.gather(*(self._push.tell(user, said, f"/t/{state.id}") for user in some))


def _people(state: Tournament) -> Iterable[Entrant]:
    """Return those who are in and have a page to be told on."""
    return (each for each in state.entrants if each.kind != "name" and (each.status != "out" or each.seed))
