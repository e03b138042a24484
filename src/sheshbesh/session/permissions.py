"""The permissions of a match: for every type of action its guards, each with the refusal it leads to.

One table for players, one for the server. `may` and `allowed` ask whether a guard stands in the way;
`check` refuses by the first that does, so that an action is refused exactly when it is not allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from graphlib import TopologicalSorter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sheshbesh.match.card import Contest, DiceSource
from sheshbesh.match.timing import ClockKind
from sheshbesh.rules import Refused, Side
from sheshbesh.session.phases import (
    ANSWERING,
    CUBE_PHASES,
    OFFERED,
    PLAYING,
    PROPOSING,
    SERVER,
    SHOWN,
    Phase,
)
from sheshbesh.session.refusals import not_now

if TYPE_CHECKING:
    from sheshbesh.session.state import Proposal, Resignation, Session

Guard = Callable[["Session", Any], bool | str | None]
"""Given the state and the actor (a Side, or "server"): truthy while it stands in the way."""

Rule = tuple[Guard, str | None]
"""A guard and the id of its refusal; with None the guard returns the id itself."""

_SIDE_OF = {side.value: side for side in Side}


class _In:
    """The guard that stands in the way in some phases, whatever else the state is."""

    __slots__ = ("phases",)

    def __init__(self, phases: Iterable[Phase]) -> None:
        self.phases = frozenset(phases)

    def __call__(self, state: Session, _actor: Side | str) -> bool:
        return state.phase in self.phases


# The state of the match

_PHASES = frozenset(Phase)
_always = _In(_PHASES)
_is_answering = _In(ANSWERING)
_is_between_games = _In({Phase.READY})
_is_in_game = _In(_PHASES - {Phase.READY})
_is_not_choosing = _In(_PHASES - {Phase.CHOOSE})
_is_not_doubled = _In(_PHASES - CUBE_PHASES)
_is_resigned = _In({Phase.RESIGNED})


def _is_paused(state: Session, _side: Side) -> bool:
    return state.paused


def _is_not_paused(state: Session, _side: Side) -> bool:
    return not state.paused


def _is_not_playing(state: Session, _side: Side) -> bool:
    return state.phase not in PLAYING or state.awaits_chains


def _is_other_turn(state: Session, side: Side) -> bool:
    return state.phase in PLAYING and side is not state.on_roll


def _is_ready(state: Session, side: Side) -> bool:
    return state.phase is Phase.READY and side in state.ready


def _has_had_no_game(state: Session, _side: Side) -> bool:
    return not state.game_no


def _has_no_break(state: Session, side: Side) -> bool:
    return state.breaks_left(side) < 1


# Dice


def _awaits_chains(state: Session, _side: Side) -> bool:
    return state.awaits_chains


def _cannot_throw(state: Session, side: Side) -> bool:
    if state.phase is Phase.OPENING:
        return not state.throwing.is_thrown_by(side)
    return state.phase is not Phase.ROLL


def _is_not_typed(state: Session, _side: Side) -> bool:
    return state.throwing.source is not DiceSource.TYPED


def _has_no_chains(state: Session, _side: Side) -> bool:
    return state.throwing.table is None


def _is_strict(state: Session, _side: Side) -> bool:
    return state.throwing.source is DiceSource.STRICT


def _no_dice_due(state: Session, actor: Side | str) -> bool:
    return state.phase not in SHOWN or not state.throwing.takes_dice(actor)


def _no_link_due(state: Session, actor: Side | str) -> str | None:
    return None if state.throwing.takes_link(actor) else _not_due(state)


def _no_anchor_due(state: Session, actor: Side | str) -> str | None:
    return None if state.throwing.takes_anchor(actor) else _not_due(state)


def _not_due(state: Session) -> str:
    """Shares of the dice are given in any phase, where they are due; only else an offer comes first."""
    return "offer.open" if state.phase in ANSWERING else "turn.not_now"


def _nothing_to_withhold(state: Session, _side: Side) -> bool:
    return state.phase not in SHOWN or not state.throwing.may_withhold


# The board


def _has_no_turn(state: Session, _side: Side) -> bool:
    return state.turn is None


def _has_nothing_to_end(state: Session, side: Side) -> bool:
    return state.turn is None and not (side is state.on_roll and state.passes_unthrown)


def _has_touched(state: Session, _side: Side) -> bool:
    return state.turn is not None and state.turn.touched is not None


def _is_touch_move(state: Session, _side: Side) -> bool:
    return state.turn is not None and state.turn.touch_move


def _is_touch_move_begun(state: Session, _side: Side) -> bool:
    return state.turn is not None and state.turn.touch_move and bool(state.turn.done)


def _has_nothing_to_retry(state: Session, _side: Side) -> bool:
    return state.retriable is None


def _has_done_nothing(state: Session, _side: Side) -> bool:
    return state.turn is None or not state.turn.done


# Cube


def _has_no_cube(state: Session, _side: Side) -> bool:
    return not state.card.has_cube


def _cube_law(state: Session, side: Side) -> str | None:
    """The law of the cube against a double, by its id."""
    return state.score.double_rule(side, rolled=state.rolled or state.phase is not Phase.ROLL)


def _is_not_asked(state: Session, side: Side) -> bool:
    return side not in state.to_act


def _plays_no_beavers(state: Session, _side: Side) -> str | None:
    if state.plays_beavers:
        return None
    if state.phase is Phase.RACCOONED:
        return "cube.raccooned"
    # In a match neither is played; that there are no beavers says both.
    both = state.phase is Phase.BEAVERED and state.card.contest is Contest.MONEY
    return "cube.raccoons" if both else "cube.beavers"


def _is_beyond_limit(state: Session, _side: Side) -> bool:
    # Each answer doubles once more.
    return not state.score.allows_cube(state.stake * OFFERED[state.phase] * 2)


# Offers


def _offer(state: Session) -> Resignation | Proposal | None:
    return state.resignation or state.proposal


def _has_no_offer(state: Session, _side: Side) -> bool:
    return _offer(state) is None


def _is_own_offer(state: Session, side: Side) -> bool:
    offer = _offer(state)
    return offer is not None and offer.by is side


def _cannot_withdraw(state: Session, side: Side) -> bool:
    """A resignation stands; a proposal is withdrawn while proposals are made."""
    return _is_own_offer(state, side) and (state.resignation is not None or _cannot_propose(state, side))


def _cannot_answer(state: Session, side: Side) -> bool:
    return state.resignation is None and _cannot_propose(state, side)


def _cannot_propose(state: Session, _side: Side) -> bool:
    return state.phase not in PROPOSING or state.awaits_chains


def _has_proposed(state: Session, side: Side) -> bool:
    return state.proposal is not None and state.proposal.by is side


# Time


def _no_clock_runs(state: Session, _side: Side) -> bool:
    return state.clock.deadline() is None


def _is_own_clock(state: Session, side: Side) -> bool:
    return state.clock.running is side


def _is_timed_or_unbegun(state: Session, _side: Side) -> bool:
    # Where time is measured, it ends the match of a player who has left.
    return state.card.clock.kind is not ClockKind.NONE or not state.game_no


def _is_no_event(state: Session, _side: Side) -> bool:
    return state.event is None


def _is_called(state: Session, _side: Side) -> bool:
    return state.call_at is None and (state.game_no > 0 or state.clock.running is not None)


def _forbids_proposals(state: Session, _side: Side) -> bool:
    return state.forbids("agreements") and state.forbids("pauses")


def _needs_no_anchor(state: Session, actor: Side | str) -> bool:
    return state.phase is not Phase.READY or not state.throwing.needs_anchor(actor)


# The tables. `allowed` lists types of action in their order.

_PAUSED: Rule = (_is_paused, "match.paused")
_OFFER_OPEN: Rule = (_is_answering, "offer.open")
_TOUCHED: Rule = (_has_touched, "turn.touched")
_SERVER_ONLY: tuple[Rule, ...] = ((_always, "actor.server"),)
_TURN: tuple[Rule, ...] = (_PAUSED, _OFFER_OPEN, (_is_other_turn, "turn.other"))
_MOVE: tuple[Rule, ...] = (*_TURN, (_has_no_turn, "turn.not_now"))
_END: tuple[Rule, ...] = (*_TURN, (_has_nothing_to_end, "turn.not_now"))
_ANSWER: tuple[Rule, ...] = (
    _PAUSED,
    (_is_resigned, "offer.open"),
    (_is_not_doubled, "turn.not_now"),
    (_is_not_asked, "turn.other"),
)


PLAYER: Mapping[str, tuple[Rule, ...]] = MappingProxyType(
    {
        "ready": (_PAUSED, (_is_ready, "ready.already"), _OFFER_OPEN, (_is_in_game, "turn.not_now")),
        "break": (
            _PAUSED,
            (_is_in_game, "break.between_games"),
            (_has_had_no_game, "break.between_games"),
            (_has_no_break, "break.none_left"),
        ),
        "roll": (
            _PAUSED,
            (_awaits_chains, "dice.chain_used_up"),
            *_TURN[1:],
            (_cannot_throw, "turn.not_now"),
        ),
        "double": (
            _PAUSED,
            (_is_between_games, "turn.not_now"),
            *_TURN[1:],
            (_has_no_cube, "cube.none"),
            (_is_not_playing, "turn.not_now"),
            (_cube_law, None),
        ),
        "choose": (*_TURN, (_is_not_choosing, "turn.not_now")),
        "step": _MOVE,
        "touch": (*_MOVE, _TOUCHED),
        "swap": _MOVE,
        "play": (*_END, _TOUCHED, (_is_touch_move_begun, "turn.touch_move")),
        "confirm": (*_END, _TOUCHED),
        "undo": (*_MOVE, (_is_touch_move, "turn.touch_move"), (_has_done_nothing, "turn.nothing_done")),
        "take": _ANSWER,
        "drop": _ANSWER,
        "beaver": (*_ANSWER, (_plays_no_beavers, None), (_is_beyond_limit, "cube.limit")),
        "dice": (_PAUSED, (_is_not_typed, "dice.other_source"), _OFFER_OPEN, (_no_dice_due, "turn.not_now")),
        "link": (_PAUSED, (_has_no_chains, "dice.other_source"), (_no_link_due, None)),
        "anchor": (_PAUSED, (_has_no_chains, "dice.other_source"), (_no_anchor_due, None)),
        "withhold": _SERVER_ONLY,
        "retry": _SERVER_ONLY,
        "resign": (_PAUSED, _OFFER_OPEN, (_is_not_playing, "turn.not_now")),
        "accept": (
            _PAUSED,
            (_has_no_offer, "offer.none"),
            (_is_own_offer, "offer.own"),
            (_cannot_answer, "offer.none"),
        ),
        "refuse": (
            _PAUSED,
            (_has_no_offer, "offer.none"),
            (_cannot_withdraw, "offer.own"),
            (_cannot_answer, "offer.none"),
        ),
        "propose": (
            (_forbids_proposals, "event.agreements"),
            _PAUSED,
            _OFFER_OPEN,
            (_cannot_propose, "turn.not_now"),
            (_has_proposed, "turn.not_now"),
        ),
        "time": ((_no_clock_runs, "clock.none"), (_is_own_clock, "clock.own")),
        "abandon": _SERVER_ONLY,
        "credit": _SERVER_ONLY,
        "call": _SERVER_ONLY,
        "forfeit": _SERVER_ONLY,
        "resume": (_OFFER_OPEN, (_is_not_paused, "turn.not_now")),
    }
)
"""The guards in the way of a player, by type of action; the first guard that does says why."""

_SERVERS: dict[str, tuple[Rule, ...]] = {
    "dice": ((_is_not_typed, "dice.other_source"), (_no_dice_due, "turn.not_now")),
    "link": ((_has_no_chains, "dice.other_source"), (_no_link_due, None)),
    "anchor": ((_has_no_chains, "dice.other_source"), (_no_anchor_due, None)),
    "withhold": (
        (_has_no_chains, "dice.other_source"),
        (_is_strict, "dice.link_required"),
        (_nothing_to_withhold, "turn.not_now"),
    ),
    "ready": ((_needs_no_anchor, "turn.not_now"),),
    "time": ((_no_clock_runs, "clock.none"),),
    "credit": ((_no_clock_runs, "turn.not_now"),),
    "abandon": ((_is_timed_or_unbegun, "turn.not_now"),),
    "call": (
        (_is_no_event, "turn.not_now"),
        (_is_in_game, "turn.not_now"),
        (_is_called, "turn.not_now"),
    ),
    "forfeit": (),
    "retry": ((_has_nothing_to_retry, "turn.no_retry"),),
}
_PLAYER_ONLY: tuple[Rule, ...] = ((_always, "actor.player"),)

SERVERS: Mapping[str, tuple[Rule, ...]] = MappingProxyType(
    _SERVERS | {kind: _PLAYER_ONLY for kind in PLAYER if kind not in _SERVERS}
)
"""The same for the server."""


class _Sieve:
    """The types of action of a table, and its guards with a bit for each type in whose way they stand.

    For each phase there are the types that are left in it, and the guards that are to be asked of these. One
    comes after those that stand before it for any type, so that what it relies on has been asked.
    """

    __slots__ = ("_kinds", "_named", "_of")

    def __init__(self, table: Mapping[str, tuple[Rule, ...]]) -> None:
        order: TopologicalSorter[Guard] = TopologicalSorter()
        bits: dict[Guard, int] = {}
        for number, rules in enumerate(table.values()):
            for guard, _ in rules:
                bits[guard] = bits.get(guard, 0) | 1 << number
            guards = [guard for guard, _ in rules if not isinstance(guard, _In)]
            for guard, before in zip(guards, [None, *guards], strict=False):
                order.add(guard, *([] if before is None else [before]))
        asked = [(guard, bits[guard]) for guard in order.static_order()]
        self._of: dict[Phase, tuple[int, list[tuple[Guard, int]]]] = {}
        for phase in Phase:
            left = (1 << len(table)) - 1
            for guard, kinds in bits.items():
                if isinstance(guard, _In) and phase in guard.phases:
                    left &= ~kinds
            self._of[phase] = left, [(guard, kinds) for guard, kinds in asked if left & kinds]
        self._kinds = tuple(table)
        self._named = lru_cache(1024)(self._names)

    def _names(self, left: int) -> tuple[str, ...]:
        return tuple(kind for number, kind in enumerate(self._kinds) if left >> number & 1)

    def allowed(self, state: Session, actor: Side | str) -> tuple[str, ...]:
        """Return the types in whose way nothing stands; each guard is asked once at most."""
        left, guards = self._of[state.phase]
        for guard, kinds in guards:
            if left & kinds and guard(state, actor):
                left &= ~kinds
        return self._named(left)


_PLAYERS_SIEVE, _SERVERS_SIEVE = _Sieve(PLAYER), _Sieve(SERVERS)


def may(state: Session, actor: Side | str, kind: str) -> bool:
    """Return True if the actor may take this type of action now, if there is time left for it."""
    if state.phase is Phase.OVER:
        return False
    if actor == SERVER:
        return _refused(state, actor, SERVERS.get(kind, _PLAYER_ONLY)) is None
    side = actor if isinstance(actor, Side) else _SIDE_OF.get(actor)
    return side is not None and _refused(state, side, PLAYER.get(kind, _SERVER_ONLY)) is None


def allowed(state: Session, actor: Side | str) -> tuple[str, ...]:
    """The types of action the actor may take now, if there is time left."""
    if state.phase is Phase.OVER:
        return ()
    who = SERVER if actor == SERVER else actor if isinstance(actor, Side) else _SIDE_OF.get(actor)
    if who is None:
        return ()
    return (_SERVERS_SIEVE if who == SERVER else _PLAYERS_SIEVE).allowed(state, who)


def check(state: Session, actor: str, kind: str, now: int) -> None:
    """Raise Refused if the actor (a side by its name, or "server") may not take this type of action now."""
    side = _SIDE_OF.get(actor)
    if side is None and actor != SERVER:
        raise Refused.of("actor.unknown")
    if state.phase is Phase.OVER:
        raise Refused.of("match.over")
    expired = state.clock.fallen(now) is not None
    if expired and kind not in ("time", "credit", "forfeit"):
        raise Refused.of("clock.expired")
    if kind == "time" and not expired and state.clock.deadline() is not None:
        raise Refused.of("clock.running")
    rules = SERVERS[kind] if side is None else PLAYER[kind]
    rule = _refused(state, side or SERVER, rules)
    if rule is not None:
        raise not_now(state.phase) if rule == "turn.not_now" else Refused.of(rule)


def _refused(state: Session, actor: Side | str, rules: tuple[Rule, ...]) -> str | None:
    """The id of the first rule that stands in the way."""
    for guard, rule in rules:
        found = guard(state, actor)
        if found:
            return rule or str(found)
    return None
