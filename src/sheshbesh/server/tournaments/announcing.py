"""Who is told what of a tournament: that it starts, with whom they are paired, that it is over."""

from __future__ import annotations

from sheshbesh.server.lobby.lobby import Lobby
from sheshbesh.server.tournaments.tournaments import Told, begun_pairs
from sheshbesh.tournaments import Event, Status, Tournament

_ENDS = (Status.OVER, Status.CANCELLED)


def announce_to(lobby: Lobby) -> Told:
    """Return the listener that tells people of the events of their tournaments, wherever they are."""

    def told(before: Tournament, after: Tournament, event: Event) -> None:
        about = {"what": "tournament", "id": after.id, "title": after.settings.title}
        if before.status is not after.status:
            kind = "tournamentStart" if after.status is Status.RUNNING else None
            if after.status in _ENDS:
                kind = "tournamentEnd"
            for entrant in after.entrants if kind is not None else ():
                if entrant.kind != "name" and (entrant.status != "out" or entrant.seed):
                    lobby.notify(entrant.id, **about, event=kind)
        for user, match in begun_pairs(before, after) if event.action.type in ("pair", "playoff") else ():
            lobby.notify(user, what="match", id=match)
            lobby.notify(user, **about, event="tournamentPairing", match=match)

    return told
