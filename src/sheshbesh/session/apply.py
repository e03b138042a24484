"""The one door through which a match changes: an action in, the new state and its event out.

`apply` is pure: no time but `now`, no randomness, nothing printed. An action that may not happen
gives a Refusal and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from sheshbesh.fairdice.refusals import refuse as refuse_dice
from sheshbesh.match.card import DiceSource
from sheshbesh.match.state import CUBE_RULES
from sheshbesh.rules import Refusal, Side
from sheshbesh.session import actions as act
from sheshbesh.session import cube, game_course, moves, offers, throws
from sheshbesh.session.events import Event
from sheshbesh.session.outcome import Outcome
from sheshbesh.session.refusals import refuse
from sheshbesh.session.state import CUBE_PHASES, PLAYING, SERVER, Phase, Session

Handler = Callable[[Session, str, Any, int], Outcome | Refusal]

_HANDLERS: Mapping[type[act.Action], Handler] = MappingProxyType(
    {
        act.Ready: game_course.ready,
        act.Break: game_course.take_break,
        act.Throw: throws.throw,
        act.Link: throws.link,
        act.Withhold: throws.withhold,
        act.Anchor: throws.anchor,
        act.Dice: throws.typed_dice,
        act.ClaimTime: game_course.claim_time,
        act.Abandon: game_course.abandon,
        act.Credit: game_course.credit,
        act.Choose: moves.choose,
        act.Touch: moves.touch,
        act.Move: moves.step,
        act.Undo: moves.undo,
        act.Swap: moves.swap,
        act.Confirm: moves.confirm,
        act.MakePlay: moves.play,
        act.Double: cube.double,
        act.Take: cube.take,
        act.Drop: cube.drop,
        act.Beaver: cube.beaver,
        act.Resign: offers.resign,
        act.Propose: offers.propose,
        act.Accept: offers.accept,
        act.Refuse: offers.refuse_offer,
        act.Resume: offers.resume,
    }
)


_ACTORS = frozenset({SERVER, *(side.value for side in Side)})
_SERVERS = frozenset({"ready", "link", "withhold", "anchor", "dice", "time", "abandon", "credit"})
_TURNS = frozenset({"roll", "choose", "touch", "step", "undo", "swap", "confirm", "play", "double"})
_ANSWERS = frozenset({"take", "drop", "beaver"})


_TIMED = frozenset({"play", "confirm", "double", "take", "drop", "beaver"})
"""What ends a turn or answers: with it the time that it was under way is given back."""


class Applied(NamedTuple):
    """An accepted action: the state after it, and its event."""

    state: Session
    events: tuple[Event, ...]


def apply(
    state: Session, actor: Side | str, action: act.Action, now: int, *, lag: int = 0
) -> Applied | Refusal:
    """Let `actor` (a side or "server") take `action` at `now`, in milliseconds.

    `lag` is how long it was under way, there and back, by the server's own measure; the event tells what
    of it was given back to his clock.

    NotationError if the text of a play cannot be read; everything else that is wrong with an action
    is a Refusal.
    """
    name = actor.value if isinstance(actor, Side) else actor
    # A clock that was set back must not date an event before the one it follows.
    now, given = max(now, state.at), 0
    running = state.clock.running
    if action.type in _TIMED and running is not None and running.value == name:
        clock = state.clock.give_back(lag, now)
        state, given = state.but(clock=clock), clock.quota(running).given
    if (refusal := _not_allowed(state, name, action, now)) is not None:
        return refusal
    outcome = _HANDLERS[type(action)](state, name, action, now)
    if isinstance(outcome, Refusal):
        return outcome
    number = state.events + 1
    event = Event(number, now, name, action, outcome.then, given)
    return Applied(outcome.state.but(events=number, at=now), (event,))


def follow(state: Session, event: Event) -> Applied | Refusal:
    """Let happen once more what an event tells; NotationError if its play cannot be read."""
    return apply(state, event.actor, event.action, event.at, lag=event.lag)


def _not_allowed(state: Session, actor: str, action: act.Action, now: int) -> Refusal | None:
    """Why the actor may not take this type of action now; None if he may."""
    if actor not in _ACTORS:
        return refuse("actor.unknown")
    if state.phase is Phase.OVER:
        return refuse("match.over")
    kind = action.type
    expired = state.clock.fallen(now) is not None
    if expired and kind not in ("time", "credit"):
        return refuse("clock.expired")
    if state.may(actor, kind):
        return refuse("clock.running") if kind == "time" and not expired else None
    if kind == "time":
        return refuse(
            "clock.none" if state.clock.deadline() is None else "clock.own" if expired else "clock.running"
        )
    return _server_reason(state, kind) if actor == SERVER else _player_reason(state, Side.of(actor), kind)


def _server_reason(state: Session, kind: str) -> Refusal:
    """Why the server may not do what is not among its allowed types of action."""
    if kind not in _SERVERS:
        return refuse("actor.player")
    return _dice_reason(state, kind) or refuse("turn.not_now")


def _player_reason(state: Session, side: Side, kind: str) -> Refusal:
    """Why a player may not do what is not among his allowed types of action."""
    if kind in ("withhold", "abandon", "credit"):
        return refuse("actor.server")
    if state.paused:
        return refuse("match.paused")
    if (refusal := _dice_reason(state, kind)) is not None:
        return refusal
    if state.phase is Phase.READY:
        return _between_games_reason(state, kind)
    if kind == "break":
        return refuse("break.between_games")
    if kind in ("accept", "refuse"):
        offer = state.resignation or state.proposal
        return refuse("offer.own" if offer is not None and offer.by is side else "offer.none")
    if state.phase in CUBE_PHASES or state.phase is Phase.RESIGNED:
        return _answer_reason(state, side, kind)
    if kind in _TURNS and state.phase in PLAYING and side is not state.on_roll:
        return refuse("turn.other")
    if kind == "double":
        return _double_reason(state, side)
    if kind in ("undo", "touch", "play", "confirm") and (turn := state.turn) is not None:
        binding = "turn.touched" if turn.touched is not None and kind != "undo" else "turn.touch_move"
        return refuse(binding if turn.touch_move else "turn.nothing_done")
    return refuse("turn.not_now")


def _dice_reason(state: Session, kind: str) -> Refusal | None:
    """What is wrong with giving dice or shares of them; None for other types of action."""
    throwing = state.throwing
    if kind == "roll" and state.awaits_chains:
        return refuse_dice("dice.chain_used_up")
    if kind == "dice" and throwing.source is not DiceSource.TYPED:
        return refuse("dice.other_source")
    if kind in ("link", "anchor", "withhold") and throwing.table is None:
        return refuse("dice.other_source")
    if kind == "withhold" and throwing.source is DiceSource.STRICT:
        return refuse_dice("dice.link_required")
    return None


def _between_games_reason(state: Session, kind: str) -> Refusal:
    if kind == "ready":
        return refuse("ready.already")
    if kind == "break":
        return refuse("break.none_left" if state.game_no else "break.between_games")
    if kind in ("accept", "refuse"):
        return refuse("offer.none" if state.proposal is None else "offer.own")
    return refuse("turn.not_now")


def _answer_reason(state: Session, side: Side, kind: str) -> Refusal:
    """An offer is open: it is answered before anything else."""
    if kind == "beaver" and side in state.to_act:
        if not state.plays_beavers:
            return refuse("cube.beavers")
        text, source = CUBE_RULES["cube.limit"]
        return Refusal("cube.limit", source, text)
    return refuse("turn.other" if kind in _ANSWERS and state.phase in CUBE_PHASES else "offer.open")


def _double_reason(state: Session, side: Side) -> Refusal:
    if not state.card.has_cube:
        return refuse("cube.none")
    if state.phase not in PLAYING or state.awaits_chains:
        return refuse("turn.not_now")
    rolled = state.rolled or state.phase is not Phase.ROLL
    return state.score.double_refusal(side, rolled=rolled) or refuse("turn.not_now")
