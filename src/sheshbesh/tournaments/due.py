"""The tasks of the server for a tournament now, and the time of its next look.

`due` is asked again and again, until it has nothing more to say; every answer is a list of actions that
the server takes in this order. Two things it cannot know are filled in by the server: the secret of `start`
and the ids of the matches of `pair`. Pairing may take long in a large field: `to_pair` says who is to be
paired, `pair_actions` computes it, in another process if the caller likes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sheshbesh.match.timing import DAY, MINUTE
from sheshbesh.tournaments.actions import (
    Action,
    CancelAction,
    CloseRoundAction,
    ConfirmAction,
    FinishAction,
    PairAction,
    ResultAction,
    StartAction,
    TickAction,
    WalkoverAction,
)
from sheshbesh.tournaments.course import in_waves
from sheshbesh.tournaments.state import BEFORE_START, NOBODY, Pairing, Status, Tournament
from sheshbesh.tournaments.systems import arena, round_robin, swiss, system_of

WAVE = 64
"""The most pairings of one `pair` action, which are made in one transaction."""
CONFIRMED_AFTER = DAY
WAIT_FOR_MORE = 15 * MINUTE
"""The time for which a start with too few entrants waits for the director, where there is one."""


@dataclass(frozen=True)
class Presence:
    """The numbers of the entrants who are there: with the site open, and at the board of each pairing."""

    site: frozenset[int] = frozenset()
    boards: Mapping[int, frozenset[int]] = field(default_factory=lambda: MappingProxyType({}))


def due(
    state: Tournament, now: int, presence: Presence, results: Iterable[ResultAction] = ()
) -> tuple[Action, ...]:
    """Return all that the server has to do now; `results` are of matches that have ended."""
    actions = without_pairing(state, now, presence, tuple(results))
    if actions:
        return actions
    return pair_actions(state, to_pair(state, now, presence), now)


def without_pairing(
    state: Tournament, now: int, presence: Presence, results: Collection[ResultAction]
) -> tuple[Action, ...]:
    """Return everything but the pairing, none of which takes long."""
    if state.status in BEFORE_START:
        return _before_start(state, now)
    if state.status not in (Status.RUNNING, Status.CONFIRMING):
        return ()
    known = {each.number: each for each in state.open_pairings}
    decided: list[Action] = [each for each in results if each.pairing in known]
    told = {each.pairing for each in results}
    if state.held is None:
        decided += [
            walkover
            for each in state.open_pairings
            if each.number not in told and (walkover := _no_show(each, now, presence)) is not None
        ]
        called = tuple(
            each.number
            for each in state.open_pairings
            if each.number not in told and _calls(state, each, now, presence)
        )
        if called:
            decided.append(TickAction(called=called))
    if decided or state.held is not None:
        return tuple(decided)
    return _next_stage(state, now)


def _before_start(state: Tournament, now: int) -> tuple[Action, ...]:
    settings = state.settings
    if state.status is Status.ANNOUNCED:
        return (TickAction(),) if now >= (settings.opens or 0) else ()
    if state.status is Status.DRAFT:
        return ()
    entered = sum(1 for each in state.entrants if each.status in ("entered", "checked_in"))
    if settings.start == "when_full":
        return (StartAction(),) if entered >= settings.most_entrants else ()
    if state.starts is None:
        return ()
    if (
        state.status is Status.OPEN
        and settings.check_in_time
        and now >= state.starts - settings.check_in_time
    ):
        return (TickAction(),)
    if now < state.starts:
        return ()
    there = sum(1 for each in state.entrants if each.status == "checked_in")
    # Each round needs another opponent for everybody, the bye among them.
    needed = max(settings.fewest_entrants, 2 * (settings.rounds or 0) - 1)
    if (there if settings.check_in_time else entered) >= needed:
        return (StartAction(),)
    wait = WAIT_FOR_MORE if settings.directors else 0
    return (CancelAction("too few entrants"),) if now >= state.starts + wait else ()


def _no_show(pairing: Pairing, now: int, presence: Presence) -> WalkoverAction | None:
    """Return the walkover of a match for which somebody has not come in time."""
    if pairing.status != "made" or pairing.deadline is None or now < pairing.deadline:
        return None
    there = _there(pairing, presence)
    if len(there) == 2:
        return None
    return WalkoverAction(pairing=pairing.number, winner=there[0] if there else NOBODY)


def _call_at(state: Tournament, pairing: Pairing) -> int | None:
    """Return when to call missing players again: half of `arrival` before the deadline; None if not due."""
    if pairing.status != "made" or pairing.called or pairing.deadline is None:
        return None
    return pairing.deadline - state.settings.arrival // 2


def _calls(state: Tournament, pairing: Pairing, now: int, presence: Presence) -> bool:
    at = _call_at(state, pairing)
    is_time = at is not None and pairing.deadline is not None and at <= now < pairing.deadline
    return is_time and len(_there(pairing, presence)) < 2


def _there(pairing: Pairing, presence: Presence) -> list[int]:
    return [number for number in pairing.both if number in presence.boards.get(pairing.number, ())]


def _next_stage(state: Tournament, now: int) -> tuple[Action, ...]:
    if state.status is Status.CONFIRMING:
        late = state.finished is not None and now >= state.finished + CONFIRMED_AFTER
        return (ConfirmAction(),) if late and not state.open_pairings else ()
    system = system_of(state)
    if not in_waves(state) and state.closed < state.rounds:
        number = state.closed + 1
        still = [each for each in state.open_pairings if not each.playoff and each.round <= number]
        if state.unpaired or (system is round_robin and round_robin.missing(state, number)):
            return ()
        past = state.due_by is not None and now >= state.due_by and system is round_robin
        if not still or (past and state.settings.unplayed != "ruling"):
            return (CloseRoundAction(number),)
        if state.settings.is_live or number < state.rounds:
            return ()
    if system.is_over(state.but(at=now)):
        return (FinishAction(),)
    return () if in_waves(state) else _empty_round(state, now)


def _empty_round(state: Tournament, now: int) -> tuple[Action, ...]:
    """Pass a round in which nobody can meet, after a time in which somebody might come back."""
    number = state.rounds + 1
    if system_of(state) is round_robin:
        is_empty = round_robin.due_round(state) == number and not round_robin.missing(state, number)
        return (PairAction(round=number, pairs=()),) if is_empty else ()
    ready = swiss.ready_for_round(state)
    if state.closed < state.rounds or len(ready) > 1 or now < state.at + state.settings.arrival:
        return ()
    return (PairAction(round=number, pairs=(), bye=next(iter(ready), None)),)


def to_pair(state: Tournament, now: int, presence: Presence) -> tuple[int, ...]:
    """Return who is to be paired now, by number; nobody where it is not yet time. Takes no time itself."""
    if state.status is not Status.RUNNING or state.held is not None:
        return ()
    if state.settings.system == "arena":
        ready = arena.ready_for_wave(state, presence.site, now)
        return tuple(ready) if arena.is_time(state, ready, arena.active(state, presence.site), now) else ()
    system = system_of(state)
    if system is swiss:
        waits = state.closed < state.rounds and not state.unpaired
        return () if waits else tuple(sorted(swiss.ready_for_round(state)))
    return tuple(each.number for each in state.entrants if each.plays)


def pair_actions(state: Tournament, ready: Collection[int], now: int) -> tuple[PairAction, ...]:
    """Return the pairing of those who are ready, in waves of at most 64; () if nobody is to be paired."""
    if not ready:
        return ()
    system = system_of(state)
    wanted = system.wanted(state, ready, state.seed, now)
    bye = next((each.first for each in wanted if each.second == NOBODY), None)
    pairs = [each[:2] for each in wanted if each.second != NOBODY]
    if not wanted:
        return ()
    number = _round_of(state)
    waves = [pairs[start : start + WAVE] for start in range(0, len(pairs), WAVE)] or [[]]
    actions = []
    for index, wave in enumerate(waves):
        last = index == len(waves) - 1
        at = number + index if in_waves(state) else number
        actions.append(PairAction(round=at, pairs=tuple(wave), bye=bye if last else None))
    return tuple(actions)


def _round_of(state: Tournament) -> int:
    """Return the number of the round that is paired now: the present one, if it has come only in part."""
    if system_of(state) is swiss:
        return state.rounds if state.unpaired else state.rounds + 1
    number = None if in_waves(state) else round_robin.due_round(state)
    return state.rounds + 1 if number is None else number


def next_due(state: Tournament, *, calls: bool = True) -> int | None:
    """Return when to ask `due` again if nothing happens before, in ms; None if time alone changes nothing.

    Without `calls` of the deadlines alone, not when those are called once more who have not come.
    """
    settings = state.settings
    times: list[int | None] = []
    if state.status is Status.ANNOUNCED:
        times = [settings.opens]
    elif state.status in BEFORE_START and state.status is not Status.DRAFT and state.starts is not None:
        at = state.starts
        if state.status is Status.OPEN and settings.check_in_time:
            at = state.starts - settings.check_in_time
        elif state.at >= state.starts and settings.directors:
            at = state.starts + WAIT_FOR_MORE
        times = [at]
    elif state.status is Status.CONFIRMING and state.finished is not None:
        times = [state.finished + CONFIRMED_AFTER, *_arrivals(state, calls=calls)]
    elif state.status is Status.RUNNING and state.held is None:
        times = [state.due_by, *_arrivals(state, calls=calls)]
        if system_of(state) is swiss and not state.open_pairings:
            times.append(state.at + settings.arrival)
        if state.ends is not None:
            times += [state.at + arena.EVERY, state.ends, state.ends + arena.grace(state)]
    return min((each for each in times if each is not None), default=None)


def _arrivals(state: Tournament, *, calls: bool) -> Iterable[int | None]:
    """Return when those who have not come to their boards are called once more, and when they lose."""
    for each in state.open_pairings:
        yield each.deadline
        if calls:
            yield _call_at(state, each)


# At a real board

LATE_POINT = 5 * MINUTE
"""Each so much time costs somebody who is late a point (UK Open)."""


def late_points(late: int, length: int) -> tuple[int, bool]:
    """Return what being `late` ms costs in a match to `length`: points given, and whether it is lost.

    It is lost once that is more than half the length.
    """
    given = late // LATE_POINT
    return given, 2 * given > length
