"""The changes of a tournament: an action in, a new state and its event out, or a refusal.

There is no clock and no randomness here: time is passed in, and the secret behind the draw comes with the
action that starts the tournament.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from sheshbesh.match.timing import MINUTE
from sheshbesh.rules.safe_text import unfit_character
from sheshbesh.tournaments import directing
from sheshbesh.tournaments.actions import (
    Action,
    CheckInAction,
    CloseRoundAction,
    EnterAction,
    Event,
    FinishAction,
    LeaveAction,
    PauseAction,
    ResultAction,
    ResumeAction,
    StartAction,
    TickAction,
    WalkoverAction,
)
from sheshbesh.tournaments.course import (
    Outcome,
    annul,
    check_result,
    close_round,
    decide,
    known_pairing,
    pair,
    put_out,
)
from sheshbesh.tournaments.draw import commitment, draw_seed
from sheshbesh.tournaments.entry import add_entrant, check_entry, first_waiting, is_settled
from sheshbesh.tournaments.permissions import RULES, check
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.settings import Settings
from sheshbesh.tournaments.standings import row_data
from sheshbesh.tournaments.state import SERVER, Entrant, Result, Status, Tournament
from sheshbesh.tournaments.systems import standings, system_of

GRACE_AFTER_DOWN = 2 * MINUTE
"""A start that was missed while no server was up happens so long after the return."""
_NO_SECRET = "00" * 32


def new(settings: Settings, identity: str = "", now: int = 0) -> Tournament:
    """Return a draft."""
    return Tournament(settings=settings, id=identity, at=now, starts=settings.starts)


def apply(state: Tournament, actor: str, action: Action, now: int, *, ref: str | None = None) -> Outcome:
    """Let an actor act: "server", "moderator", or the id of a person.

    Raises Refused, whose `refusal` says why not. `now` is in ms and never before `state.at`.
    """
    now = max(now, state.at)
    kind = action.type
    check(state, actor, kind, now)
    if RULES[kind].reason and actor != SERVER and not getattr(action, "reason", "").strip():
        raise refused("reason.missing")
    _check_texts(action)
    outcome = _HANDLERS[kind](state.but(at=now), actor, action, now)
    if outcome.state.but(at=state.at) == state and kind in ("result", "enter_result", "hold", "mute"):
        return Outcome(state)
    after = outcome.state.but(n=state.n + 1)
    event = Event(n=after.n, at=now, actor=actor, action=action, ref=ref, then=outcome.then)
    return Outcome(after, outcome.then, event)


def _check_texts(action: Action) -> None:
    """Raise Refused where a text that others read could trick them."""
    for field in ("name", "club", "reason", "text"):
        text = getattr(action, field, None) or ""
        character = unfit_character(text, lines=field in ("reason", "text"))
        if character is not None:
            raise refused("text.characters", character=character)


# Entrants


def _own(state: Tournament, actor: str) -> Entrant:
    return state.by_id[actor]


def _enter(state: Tournament, actor: str, action: EnterAction, now: int) -> Outcome:
    before = state.by_id.get(actor)
    is_back = state.status is Status.RUNNING and state.settings.system == "arena"
    if is_back and before is not None and before.plays and before.paused:
        after = state.with_entrants(replace(before, paused=False, ready_at=now))
        return Outcome(after, {"number": before.number})
    check_entry(state, actor, action)
    after = add_entrant(
        state,
        actor,
        action.name,
        now,
        waiting=action.waiting,
        kind=action.kind,
        rating=action.rating if is_settled(action) else None,
        club=action.club,
        share=action.share,
    )
    return Outcome(after, {"number": after.entrants[-1].number})


def _leave(state: Tournament, actor: str, _action: LeaveAction, now: int) -> Outcome:
    entrant = _own(state, actor)
    if state.status is not Status.RUNNING:
        return Outcome(first_waiting(state.with_entrants(replace(entrant, status="out", why="withdrawn"))))
    if state.settings.system == "arena":
        return Outcome(state.with_entrants(replace(entrant, paused=True)))
    return Outcome(put_out(state, entrant.number, "withdrawn", now))


def _check_in(state: Tournament, actor: str, _action: CheckInAction, _now: int) -> Outcome:
    entrant = _own(state, actor)
    if entrant.status == "checked_in":
        return Outcome(state)
    if entrant.status != "entered":
        raise refused("tournament.not_now")
    return Outcome(state.with_entrants(replace(entrant, status="checked_in")))


def _pause(state: Tournament, actor: str, _action: PauseAction, _now: int) -> Outcome:
    own = replace(_own(state, actor), paused=True)
    unpaired = tuple(number for number in state.unpaired if number != own.number)
    return Outcome(state.with_entrants(own).but(unpaired=unpaired))


def _resume(state: Tournament, actor: str, _action: ResumeAction, now: int) -> Outcome:
    entrant = replace(_own(state, actor), paused=False, ready_at=now)
    return Outcome(state.with_entrants(entrant))


# The server


def _start(state: Tournament, _actor: str, action: StartAction, now: int) -> Outcome:
    if state.commitment and commitment(action.secret or _NO_SECRET) != state.commitment:
        raise refused("draw.secret")
    needs_check_in = state.settings.check_in_time > 0
    there = [
        each
        for each in state.entrants
        if each.status == "checked_in" or (each.status == "entered" and not needs_check_in)
    ]
    if len(there) < state.settings.fewest_entrants:
        raise refused("start.few", least=state.settings.fewest_entrants)
    if len(there) > state.settings.most_entrants:
        raise refused("start.many", most=state.settings.most_entrants)
    numbers = {each.number for each in there}
    absent = [
        replace(each, status="out", why="full" if each.status == "waiting" else "not_checked_in")
        for each in state.entrants
        if each.number not in numbers and each.status != "out"
    ]
    ordered = sorted(there, key=lambda each: _rank(state, each))
    seeded = [
        replace(each, status="in", seed=seed, ready_at=now) for seed, each in enumerate(ordered, start=1)
    ]
    state = state.with_entrants(*absent, *seeded)
    entrants = [each for each in state.entrants if each.seed]
    seed = draw_seed(action.secret or _NO_SECRET, entrants)
    state = state.but(status=Status.RUNNING, began=now, seed=seed)
    state = system_of(state).plan(state)
    return Outcome(state, {"seed": seed, "seeds": [each.number for each in ordered]})


def _rank(state: Tournament, entrant: Entrant) -> tuple[int, int, int]:
    """Return a key that sorts by the director's order, then by rating, then by when they entered."""
    if entrant.number in state.order:
        return 0, state.order.index(entrant.number), 0
    return (1, -entrant.rating, entrant.number) if entrant.rating is not None else (2, 0, entrant.number)


def _pair(state: Tournament, _actor: str, action: Any, now: int) -> Outcome:
    return pair(state, action, now)


def _result(state: Tournament, _actor: str, action: ResultAction, now: int) -> Outcome:
    pairing = known_pairing(state, action.pairing)
    result = Result(
        winner=action.winner,
        score=action.score,
        games=action.games,
        how=action.how,
        turns=action.turns,
        resigned=action.resigned,
        kind=action.kind,
    )
    if directing.same_again(pairing, result):
        return Outcome(state)
    check_result(state, pairing, result)
    return Outcome(decide(state, pairing, result, now))


def _walkover(state: Tournament, actor: str, action: WalkoverAction, now: int) -> Outcome:
    pairing = known_pairing(state, action.pairing)
    if not pairing.is_open:
        raise refused("pairing.over")
    result = Result(winner=action.winner, how="walkover")
    check_result(state, pairing, result)
    absent = tuple(each for each in pairing.both if each != action.winner)
    return Outcome(
        decide(state, pairing, result, now, absent=True).note(actor, "walkover", absent, action.reason)
    )


def _close_round(state: Tournament, _actor: str, action: CloseRoundAction, now: int) -> Outcome:
    return close_round(state, action.round, now)


def _finish(state: Tournament, _actor: str, _action: FinishAction, now: int) -> Outcome:
    if not system_of(state).is_over(state):
        raise refused("round.open")
    for pairing in state.open_pairings:
        if not pairing.playoff:
            state = annul(state, pairing)
    state = state.but(status=Status.CONFIRMING, finished=now, unpaired=())
    return Outcome(state, {"standings": row_data(standings(state))})


def _tick(state: Tournament, _actor: str, action: TickAction, now: int) -> Outcome:
    settings = state.settings
    for number in action.began:
        pairing = known_pairing(state, number)
        if pairing.status == "made":
            state = state.with_pairings(replace(pairing, status="live", deadline=None))
    for number in action.called:
        pairing = known_pairing(state, number)
        if pairing.status == "made":
            state = state.with_pairings(replace(pairing, called=True))
    if action.down:
        state = directing.put_off(state, action.down)
        if (
            state.starts is not None
            and state.status is not Status.RUNNING
            and now - state.starts > GRACE_AFTER_DOWN
        ):
            state = state.but(starts=now + GRACE_AFTER_DOWN).note(SERVER, "put_off")
    if state.status is Status.ANNOUNCED and now >= (settings.opens or 0):
        state = state.but(status=Status.OPEN)
    has_check_in = state.status is Status.OPEN and settings.check_in_time > 0
    if has_check_in and state.starts is not None and now >= state.starts - settings.check_in_time:
        state = state.but(status=Status.CHECK_IN)
    return Outcome(state)


_HANDLERS: Mapping[str, Callable[[Tournament, str, Any, int], Outcome]] = MappingProxyType(
    {
        "enter": _enter,
        "leave": _leave,
        "check_in": _check_in,
        "pause": _pause,
        "resume": _resume,
        "start": _start,
        "pair": _pair,
        "result": _result,
        "walkover": _walkover,
        "close_round": _close_round,
        "finish": _finish,
        "tick": _tick,
        "announce": directing.announce,
        "amend": directing.amend,
        "add": directing.add,
        "remove": directing.remove,
        "seed": directing.seed,
        "repair": directing.repair,
        "enter_result": directing.enter_result,
        "correct": directing.correct,
        "penalty": directing.penalty,
        "ruling": directing.ruling,
        "extend": directing.extend,
        "hold": directing.hold,
        "disqualify": directing.disqualify,
        "reinstate": directing.reinstate,
        "forbid": directing.forbid,
        "message": directing.message,
        "mute": directing.mute,
        "playoff": directing.playoff,
        "confirm": directing.confirm,
        "cancel": directing.cancel,
    }
)
