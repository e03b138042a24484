"""Entry to a tournament: by whom, when, and as what; also of those who come late."""

from __future__ import annotations

from math import ceil, log2
from typing import Any

from msgspec.structs import replace

from sheshbesh.tournaments.actions import EnterAction
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.settings import MOST_IN_ROUND_ROBIN
from sheshbesh.tournaments.state import Entrant, Status, Tournament
from sheshbesh.tournaments.systems import arena, bracket

MOST_OPEN_MATCHES = 40
RATED_MATCHES = 20
MOST_DEVIATION = 110.0
"""A rating counts for limits and seeds up to this deviation, and from `RATED_MATCHES` on."""


def check_entry(state: Tournament, actor: str, action: EnterAction) -> None:
    """Raise Refused unless this person may enter."""
    settings = state.settings
    if actor in state.banned:
        raise refused("entry.banned")
    guest_is_let = settings.who == "guests" or (settings.who == "invited" and not settings.rated)
    if action.kind == "guest" and not guest_is_let:
        raise refused("entry.guest")
    if action.kind == "bot" and settings.bots == "no":
        raise refused("entry.bot")
    if action.kind != "bot" and settings.bots == "only":
        raise refused("entry.only_bots")
    if settings.who == "club" and action.club != settings.club:
        raise refused("entry.club")
    if settings.who == "invited" and actor not in (*settings.invited, *settings.directors):
        raise refused("entry.invited")
    _check_rating(state, action)
    if not settings.is_live and action.open + _own_matches(state) > MOST_OPEN_MATCHES:
        raise refused("entry.matches", most=MOST_OPEN_MATCHES)


def is_settled(action: EnterAction) -> bool:
    """Return whether a rating comes from enough matches to count for limits and seeds."""
    if action.rating is None or action.matches < RATED_MATCHES:
        return False
    return action.deviation is None or action.deviation <= MOST_DEVIATION


def _check_rating(state: Tournament, action: EnterAction) -> None:
    lowest, highest = state.settings.lowest, state.settings.highest
    if lowest is None and highest is None:
        return
    if not is_settled(action):
        raise refused("entry.unrated")
    # The highest of the last 90 days: nobody loses on purpose in order to enter.
    peak = max(action.peak or 0, action.rating or 0)
    if (highest is not None and peak > highest) or (lowest is not None and peak < lowest):
        raise refused("entry.rating")


def _own_matches(state: Tournament) -> int:
    """Return how many matches one entrant may have open at once in a tournament by correspondence."""
    if state.settings.system == "round_robin" or state.settings.groups:
        return (MOST_IN_ROUND_ROBIN - 1) * (1 + state.settings.twice)
    return 1


def add_entrant(
    state: Tournament,
    identity: str,
    name: str,
    now: int,
    *,
    waiting: bool = False,
    status: str = "entered",
    **fields: Any,
) -> Tournament:
    """Return the tournament with one entrant more; while it runs they come late, where that is possible."""
    before = state.by_id.get(identity)
    if before is not None and (before.status != "out" or before.seed):
        raise refused("entry.twice")
    is_late = state.status is Status.RUNNING
    if is_late and not may_come_late(state, now):
        missed = before is not None and before.why == "not_checked_in"
        raise refused("entry.check_in" if missed else "entry.closed")
    full = (
        sum(1 for each in state.entrants if each.status != "out" or each.seed) >= state.settings.most_entrants
    )
    if full and (is_late or not waiting):
        raise refused("entry.full")
    number = len(state.entrants) + 1
    entrant = Entrant(
        number=number,
        id=identity,
        name=name,
        status="waiting" if full else status,  # type: ignore[arg-type]
        ready_at=now,
        **fields,
    )
    state = state.but(entrants=(*_without_former(state, identity), entrant))
    return _late(state, entrant) if is_late else state


def _without_former(state: Tournament, identity: str) -> tuple[Entrant, ...]:
    """Return the entrants; a former entry of the same person keeps its number and loses its id."""
    return tuple(
        replace(each, id=f"former-{each.number}") if each.id == identity else each for each in state.entrants
    )


def _late(state: Tournament, entrant: Entrant) -> Tournament:
    seed = 1 + max((each.seed for each in state.entrants), default=0)
    missed = state.rounds
    state = state.with_entrants(replace(entrant, status="in", seed=seed, late=missed))
    slot = bracket.late_slot(state) if state.stage == "bracket" else None
    if slot is not None:
        state = bracket.take_bye(
            state.with_entrants(replace(state.entrants[-1], late=0)), entrant.number, slot
        )
    return state


def may_come_late(state: Tournament, now: int) -> bool:
    """Return whether somebody can still enter a tournament that runs."""
    if state.settings.system == "arena":
        return now <= arena.last_pairing(state)
    if state.settings.system == "swiss":
        return 2 * state.rounds < state.planned
    if state.settings.system == "losses":
        # A round that was missed is a loss, and half of the likely rounds must be ahead.
        likely = ceil(log2(max(2, len(state.entrants)))) + state.settings.losses
        return state.rounds < state.settings.losses and 2 * state.rounds < likely
    return state.stage == "bracket" and not state.settings.groups and bracket.late_slot(state) is not None


def first_waiting(state: Tournament) -> Tournament:
    """Return the tournament with the first of the waiting list entered, as far as there are places."""
    waiting = [each for each in state.entrants if each.status == "waiting"]
    taken = sum(1 for each in state.entrants if each.status in ("entered", "checked_in"))
    places = max(0, state.settings.most_entrants - taken)
    return state.with_entrants(*(replace(each, status="entered") for each in waiting[:places]))
