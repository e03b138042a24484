"""The permissions of a tournament: for every type of action its roles and the states in which it is taken.

What depends on more than that, such as whose pairing it is, is checked where the action is applied.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from sheshbesh.match.timing import MINUTE
from sheshbesh.rules import Refused
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.state import BEFORE_START, ENDED, MODERATOR, SERVER, Status, Tournament

ANYONE, ENTRANT, REFEREE, DIRECTOR = "anyone", "entrant", "referee", "director"
PATIENCE = 15 * MINUTE
"""The time for which a held decision waits for a director before a moderator may take it."""

_ENTRIES = (Status.OPEN, Status.CHECK_IN)
_KNOWN = (Status.ANNOUNCED, *_ENTRIES)
_PLAYED = (Status.RUNNING,)
_RESULTS = (Status.RUNNING, Status.CONFIRMING)
_ALIVE = (*BEFORE_START, Status.RUNNING, Status.CONFIRMING)


_PAUSED_IN = ("arena", "swiss", "losses")
"""The systems in which somebody can be left out of the pairing for a while; elsewhere opponents are fixed."""


class Rule(NamedTuple):
    """The roles that may, and the states; a `reason` is asked for where somebody loses by it."""

    roles: tuple[str, ...]
    states: tuple[Status, ...]
    reason: bool = False


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "enter": Rule((ANYONE,), (*_ENTRIES, *_PLAYED)),
        "leave": Rule((ENTRANT,), (*_ENTRIES, *_PLAYED)),
        "check_in": Rule((ENTRANT,), (Status.CHECK_IN,)),
        "pause": Rule((ENTRANT,), _PLAYED),
        "resume": Rule((ENTRANT,), _PLAYED),
        "start": Rule((SERVER, DIRECTOR), _ENTRIES),
        "pair": Rule((SERVER,), _PLAYED),
        "result": Rule((SERVER,), _RESULTS),
        "walkover": Rule((SERVER,), _RESULTS),
        "close_round": Rule((SERVER,), _PLAYED),
        "finish": Rule((SERVER,), _PLAYED),
        "tick": Rule((SERVER,), _ALIVE),
        "announce": Rule((DIRECTOR, SERVER), (Status.DRAFT,)),
        "amend": Rule((DIRECTOR,), _ALIVE),
        "add": Rule((DIRECTOR,), (*BEFORE_START, *_PLAYED)),
        "remove": Rule((DIRECTOR,), (*BEFORE_START, *_PLAYED), reason=True),
        "seed": Rule((DIRECTOR,), BEFORE_START),
        "repair": Rule((DIRECTOR,), _PLAYED, reason=True),
        "enter_result": Rule((DIRECTOR, REFEREE), _RESULTS),
        "correct": Rule((DIRECTOR,), _RESULTS, reason=True),
        "penalty": Rule((DIRECTOR, REFEREE), _RESULTS, reason=True),
        "ruling": Rule((DIRECTOR, REFEREE), _RESULTS, reason=True),
        "extend": Rule((DIRECTOR,), (*_KNOWN, *_PLAYED)),
        "hold": Rule((DIRECTOR, SERVER), _PLAYED),
        "disqualify": Rule((DIRECTOR, MODERATOR), _RESULTS, reason=True),
        "reinstate": Rule((DIRECTOR, MODERATOR), _RESULTS, reason=True),
        "forbid": Rule((DIRECTOR,), (*BEFORE_START, *_PLAYED), reason=True),
        "message": Rule((DIRECTOR,), _ALIVE),
        "mute": Rule((DIRECTOR, MODERATOR), _ALIVE, reason=True),
        "playoff": Rule((DIRECTOR,), (Status.CONFIRMING,)),
        "confirm": Rule((DIRECTOR, MODERATOR, SERVER), (Status.CONFIRMING,)),
        "cancel": Rule((DIRECTOR, MODERATOR, SERVER), _ALIVE, reason=True),
    }
)
"""Every type of action. A moderator takes those of a director too once something has been held for long."""

_MISSING = {
    SERVER: "actor.server_only",
    DIRECTOR: "actor.director",
    REFEREE: "actor.referee",
    ENTRANT: "entry.none",
    ANYONE: "tournament.not_now",
}


def roles(state: Tournament, actor: str, now: int) -> set[str]:
    """Return what an actor is in this tournament."""
    if actor == SERVER:
        return {SERVER}
    found = {ANYONE}
    if actor == MODERATOR:
        found.add(MODERATOR)
        if state.held is not None and now - state.held >= PATIENCE:
            found.add(DIRECTOR)
        return found
    if actor in state.settings.directors:
        found.add(DIRECTOR)
    if actor in state.settings.referees:
        found.add(REFEREE)
    entrant = state.by_id.get(actor)
    if entrant is not None and entrant.status != "out":
        found.add(ENTRANT)
    return found


def check(state: Tournament, actor: str, kind: str, now: int) -> None:
    """Raise Refused if this actor may not take this type of action now."""
    rule = RULES[kind]
    if not roles(state, actor, now) & set(rule.roles):
        # What a person could be: of a server they need not know.
        named = next(each for each in (REFEREE, DIRECTOR, *rule.roles) if each in rule.roles)
        raise refused(_MISSING[named])
    if state.status in ENDED:
        raise refused("tournament.over")
    if state.status not in rule.states:
        raise refused("entry.closed" if kind == "enter" else "tournament.not_now")
    if kind == "pause" and state.settings.system not in _PAUSED_IN:
        raise refused("tournament.not_now")


def may(state: Tournament, actor: str, kind: str, now: int) -> bool:
    """Return whether `check` lets this actor take this type of action now.

    In systems without pauses `resume` is only for entrants whom the site has paused. `check` accepts it from
    the others too, since records hold it; it changes nothing.
    """
    try:
        check(state, actor, kind, now)
    except Refused:
        return False
    entrant = state.by_id.get(actor)
    resumes = state.settings.system in _PAUSED_IN or (entrant is not None and entrant.paused)
    return kind != "resume" or resumes


def allowed(state: Tournament, actor: str, now: int) -> tuple[str, ...]:
    """Return the types of action that this actor may take now."""
    return tuple(kind for kind in RULES if may(state, actor, kind, now))


def check_not_own(state: Tournament, actor: str, numbers: tuple[int, ...]) -> None:
    """Raise Refused where an official would rule on a pairing of their own."""
    entrant = state.by_id.get(actor)
    if entrant is not None and entrant.number in numbers:
        raise refused("director.own")
