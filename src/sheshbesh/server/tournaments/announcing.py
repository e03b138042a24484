"""Announcements of a tournament to those who have entered: its start and check-in, pairings and calls to the
board, walkovers and rulings, changed terms, messages of the director, its end.

Nobody else is told anything. Push messages go only to browsers that asked for them, at any hour.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable
from typing import Any

from sheshbesh.i18n import Text
from sheshbesh.rules import Side
from sheshbesh.server.lobby.lobby import Lobby
from sheshbesh.server.people.push import Push
from sheshbesh.server.storage.tournament_tables import title_data
from sheshbesh.server.tables.presence import Presence
from sheshbesh.server.tournaments.series import title_of
from sheshbesh.server.tournaments.tournaments import SOON, begun_pairs
from sheshbesh.tournaments import SERVER, Entrant, Event, Status, Tournament
from sheshbesh.tournaments.actions import (
    Action,
    CorrectAction,
    DisqualifyAction,
    ExtendAction,
    PenaltyAction,
    RulingAction,
    TickAction,
    WalkoverAction,
)

_AT_ONCE = 16
"""People whose browsers are looked up and written to at a time."""
_ENDS = (Status.OVER, Status.CANCELLED)

_STARTS = Text("{title} starts in a quarter of an hour.", title="")
_CHECK_IN = Text("Check in for {title}: who does not is left out.", title="")
_PAIRED = Text("You are awaited at the board in {title}.", title="")
_AWAITED = Text("Your board in {title} still waits: half of the time to come is over.", title="")
_RULED = Text("Your match in {title} has been ruled on.", title="")
_WON = Text("You won your match in {title} by walkover: your opponent did not come.", title="")
_MISSED = Text("You lost your match in {title} by walkover: you did not come in time.", title="")
_AMENDED = Text("The terms or times of {title} have changed.", title="")
_WRITTEN = Text("There is a message of the director of {title}.", title="")
_CHANGED = "tournamentAmended", _AMENDED


class Announcer:
    """Tells people of their tournaments, wherever they are: on the pages of the site, and by push elsewhere.

    `series` gives the id of the series of a tournament by its own, `spawn` runs what takes time.
    """

    def __init__(
        self,
        lobby: Lobby,
        push: Push,
        presence: Presence,
        series: Callable[[str], str | None],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._lobby, self._push, self._presence, self._spawn = lobby, push, presence, spawn
        self._series = series

    def told(self, before: Tournament, after: Tournament, event: Event) -> None:
        """Tell of an event that was stored in this process."""
        action = event.action
        if before.status is not after.status:
            kind = "tournamentStart" if after.status is Status.RUNNING else None
            if after.status in _ENDS:
                kind = "tournamentEnd"
            if kind is not None:
                self._notify(after, (entrant.id for entrant in _people(after)), kind)
            if after.status is Status.CHECK_IN:
                self._call(after, _entered(after), _CHECK_IN, "tournamentCheckIn")
        if event.actor == SERVER and (event.ref or "").startswith(SOON):
            self._call(after, _entered(after), _STARTS, "tournamentSoon")
        if action.type in ("pair", "playoff"):
            self._tell_pairs(begun_pairs(before, after), after)
        if isinstance(action, TickAction) and action.called:
            self._tell_missing(after, action.called)
        if _concerns_all(before, action):
            kind, text = ("tournamentMessage", _WRITTEN) if action.type == "message" else _CHANGED
            self._call(after, [entrant.id for entrant in _people(after)], text, kind)
        if isinstance(action, ExtendAction) and action.pairing is not None:
            kind, text = _CHANGED
            both = [after.entrant(each).id for each in after.pairing(action.pairing).both if each]
            self._call(after, both, text, kind)
        if isinstance(action, WalkoverAction):
            self._tell_walkover(after, action)
        if ruled := _ruled(before, after, action):
            self._call(after, [after.entrant(each).id for each in ruled if each], _RULED, "tournamentRuling")

    def _tell_pairs(self, pairs: Collection[tuple[str, str]], state: Tournament) -> None:
        for user, match in pairs:
            self._lobby.notify(user, what="match", id=match)
            self._notify(state, [user], "tournamentPairing", match=match)
        if pairs and state.settings.pairs_absent:
            self._spawn(self._push_to_absent([user for user, _ in pairs], _PAIRED, state))

    def _tell_missing(self, state: Tournament, pairings: Iterable[int]) -> None:
        for pairing in map(state.pairing, pairings):
            if pairing.status != "made":
                continue
            there = self._presence.at(pairing.match)
            both = zip(Side, pairing.both, strict=True)
            missing = [state.entrant(number).id for side, number in both if side not in there]
            self._call(state, missing, _AWAITED, "tournamentAwaited", match=pairing.match)

    def _tell_walkover(self, state: Tournament, action: WalkoverAction) -> None:
        for number in filter(None, state.pairing(action.pairing).both):
            is_winner = number == action.winner
            kind, text = ("tournamentWalkover", _WON) if is_winner else ("tournamentMissed", _MISSED)
            self._call(state, [state.entrant(number).id], text, kind)

    def _notify(self, state: Tournament, people: Iterable[str], event: str, **more: Any) -> None:
        about = title_data(state.settings.title, self._series(state.id))
        for user in people:
            self._lobby.notify(user, what="tournament", id=state.id, **about, event=event, **more)

    def _call(self, state: Tournament, people: Collection[str], text: Text, event: str, **more: Any) -> None:
        self._notify(state, people, event, **more)
        self._spawn(self._push_to_absent(people, text, state))

    async def _push_to_absent(self, people: Collection[str], text: Text, state: Tournament) -> None:
        here = await self._presence.everybody()
        said = Text(text.template, title=title_of(state.settings.title, self._series(state.id)))
        away = [user for user in people if user not in here]
        for first in range(0, len(away), _AT_ONCE):
            some = away[first : first + _AT_ONCE]
            await asyncio.gather(*(self._push.tell(user, said, f"/t/{state.id}") for user in some))


def _people(state: Tournament) -> Iterable[Entrant]:
    """Return those who are in and have a page to be told on."""
    return (each for each in state.entrants if each.kind != "name" and (each.status != "out" or each.seed))


def _entered(state: Tournament) -> Collection[str]:
    """Return the ids of those who have a place and have not checked in."""
    return [entrant.id for entrant in _people(state) if entrant.status == "entered"]


def _concerns_all(before: Tournament, action: Action) -> bool:
    """Return whether a director has changed or written what everybody who has entered is to know."""
    if isinstance(action, ExtendAction):
        return action.pairing is None
    return action.type == "message" or (action.type == "amend" and before.status is not Status.DRAFT)


def _ruled(before: Tournament, after: Tournament, action: Action) -> Collection[int]:
    """Return those on whose match or score somebody has ruled, by number."""
    match action:
        case CorrectAction():
            both = before.pairing(action.pairing).both
            # Those of later matches too, which it annuls.
            annulled = {
                number
                for each, was in zip(after.pairings, before.pairings, strict=False)
                if each.status == "annulled" != was.status
                for number in each.both
            }
            return both + tuple(sorted(annulled - {*both}))
        case RulingAction() if action.winner is not None:
            return before.pairing(action.pairing).both
        case DisqualifyAction():
            return (action.entrant,)
        case PenaltyAction():
            return (action.entrant,) if action.pairing is None else before.pairing(action.pairing).both
    return ()
