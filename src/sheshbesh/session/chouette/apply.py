"""Applies an action to a chouette: actions on the board, cubes of members, advice, joining and leaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from sheshbesh.rules import Refused, Side
from sheshbesh.session.actions import ACTIONS, Action, ClaimAction, DoubleAction, Event
from sheshbesh.session.apply import TIMED, apply
from sheshbesh.session.chouette import timing
from sheshbesh.session.chouette.actions import (
    AdviseAction,
    AgreeAction,
    AnswerAction,
    DeclineAction,
    DoubleOneAction,
    HandOverAction,
    JoinAction,
    LeaveAction,
    SettleAction,
    StopAction,
    check_advice,
)
from sheshbesh.session.chouette.seats import Seats
from sheshbesh.session.chouette.state import BOARD_KINDS, BOX, SHARES, WHILE_ASKING, Chouette, Member, Terms
from sheshbesh.session.phases import SERVER, Phase
from sheshbesh.session.refusals import not_now
from sheshbesh.session.table_state import Outcome

_OWN = (
    *(DoubleOneAction, AnswerAction, AdviseAction, SettleAction, AgreeAction, DeclineAction),
    *(HandOverAction, JoinAction, LeaveAction, StopAction),
)

CHOUETTE_ACTIONS: Mapping[str, type[Action]] = MappingProxyType(
    {kind: ACTIONS[kind] for kind in (*sorted(BOARD_KINDS), "double", "credit")}
    | {kind.type: kind for kind in _OWN}
)
"""Every kind of action at a chouette by its word; "double" turns one's own cube, or for the box all."""

_CUBES = frozenset({"double", "double_one", "answer"})
"""Actions on the cubes of members: they end a turn's allowance or answer, as plays on the board do."""

_PEOPLES = frozenset({"join", "leave", "stop"})
"""Actions that concern the chouette as a whole; they are allowed after the time has run out, too."""

_LAPSE = frozenset({"roll", "resign"})
"""With these on the board the settlements that are offered lapse: the position they were about is gone."""


_Handler = Callable[[Chouette, str, Any, int], Outcome[Chouette]]


def apply_chouette(
    state: Chouette, actor: str, action: Action, now: int, *, lag: int = 0
) -> Outcome[Chouette]:
    """Let a person (by name) or "server" take an action at `now`, in milliseconds.

    `lag` is how long it was under way, there and back, as for `apply`; the event records what of it was given
    back. NotationError if the text of a play cannot be read; Refused for everything else that is wrong.
    """
    now = max(now, state.at)
    if action.type not in state.allowed(actor):
        raise _reason(state, actor, action, now)
    handler = _HANDLERS.get(type(action))
    if handler is None:
        after, then, event = _on_board(state, actor, action, now, lag if action.type in TIMED else 0)
        given = event.lag
    else:
        timed, given = _in_time(state, actor, action, now, lag)
        after, then, _ = handler(timed, actor, action, now)
    then = dict(then)
    if after.sheet != state.sheet:
        then["sheet"] = dict(after.sheet)
    if after.seats != state.seats:
        then["seats"] = list(after.seats.people)
    if after.is_over:
        then["match"] = {"winner": None, "reason": after.board.ending}
    number = state.events + 1
    return Outcome(after.but(events=number, at=now), then, Event(number, now, actor, action, then, given))


def _in_time(state: Chouette, actor: str, action: Action, now: int, lag: int) -> tuple[Chouette, int]:
    """The table with the lag given back to its clock, and how much: refused if the time has run out."""
    side, clock, given = state.side_of(actor), state.board.clock, 0
    if action.type in _CUBES and side is not None and clock.running is side:
        clock = clock.give_back(lag, now)
        given = clock.quota(side).given
        state = state.but(board=state.board.but(clock=clock))
    if action.type not in _PEOPLES and action.type != "time" and clock.fallen(now) is not None:
        raise Refused.of("clock.expired")
    return state, given


def _on_board(state: Chouette, actor: str, action: Action, now: int, lag: int) -> Outcome[Chouette]:
    """A side's player, or the server, acts on the board; the sheet is written when that ends the game."""
    before = state.board
    board, then, event = apply(before, state.side_of(actor) or actor, action, now, lag=lag)
    after = state.but(board=board)
    if state.is_asking and action.type in SHARES:
        # For the board it is the roller's turn; the clock is that of the answers.
        after = after.but(board=board.but(clock=before.clock))
    if action.type in _LAPSE:
        after = after.but(members=tuple(member.but(terms=None) for member in after.members))
    if board.game_no > before.game_no or before.phase is Phase.OPENING:
        after = after.dealt()
    if len(board.games) > len(before.games):
        after = after.settle(board.games[-1].result, now)
    return Outcome(after, then, event)


def _claim(state: Chouette, actor: str, action: ClaimAction, now: int) -> Outcome[Chouette]:
    """The running clock has run out: its side loses the game."""
    board = state.board
    # Who may claim, and when, is for the board to say; that the match were over is not.
    apply(board, state.side_of(actor) or actor, action, now)
    loser = board.clock.fallen(now)
    assert loser is not None
    return timing.lost_on_time(state, loser, now)


# Cubes


def _double(state: Chouette, actor: str, _action: DoubleAction, now: int) -> Outcome[Chouette]:
    return _offered(state, actor, state.may_double(actor), now)


def _double_one(state: Chouette, actor: str, action: DoubleOneAction, now: int) -> Outcome[Chouette]:
    if action.member in state.may_double(actor):
        return _offered(state, actor, (action.member,), now)
    member = state.member(action.member)
    if member is None:
        raise Refused.of("actor.unknown")
    if not member.playing:
        raise Refused.of("chouette.left")
    raise Refused.of(member.score.double_rule(BOX, rolled=state.board.rolled) or "offer.open")


def _offered(state: Chouette, actor: str, names: tuple[str, ...], now: int) -> Outcome[Chouette]:
    side = state.side_of(actor)
    members = tuple(m.but(offered=side, terms=None) if m.name in names else m for m in state.members)
    return Outcome(timing.asked(state, state.but(members=members), now), {"doubled": list(names)})


def _answer(state: Chouette, actor: str, action: AnswerAction, now: int) -> Outcome[Chouette]:
    after = _after_answer(state, actor, action, now)
    side = state.side_of(actor)
    if side is None or after.is_between_games:
        return Outcome(after)
    return Outcome(timing.answered(state, after, side, now))


def _after_answer(state: Chouette, actor: str, action: AnswerAction, now: int) -> Chouette:
    if action.member not in state.to_answer(actor):
        raise Refused.of("offer.none")
    member = state.member(action.member)
    assert member is not None and member.offered is not None
    offered = member.offered
    if action.answer == "take":
        # The cube goes to the taker; a beaver that is taken leaves it with the one who beavered.
        owner = offered if member.beavered else offered.other
        return state.with_member(_turned(member, owner).but(offered=None, beavered=False))
    if action.answer == "drop":
        return state.drop(member, offered, now)
    if action.answer != "beaver":
        raise Refused.of("chouette.answer")
    if not state.board.card.beavers:
        raise Refused.of("cube.beavers")
    if member.beavered:
        raise Refused.of("cube.raccoons")
    if not member.score.allows_cube(member.score.cube * 4):
        raise Refused.of("cube.limit")
    taken = _turned(member, offered.other)
    return state.with_member(taken.but(offered=offered.other, beavered=True))


def _turned(member: Member, owner: Side) -> Member:
    return member.but(score=replace(member.score, cube=2 * member.score.cube, owner=owner))


# Settlements


def _settle(state: Chouette, actor: str, action: SettleAction, _now: int) -> Outcome[Chouette]:
    open_to, side = state.may_settle(actor), state.side_of(actor)
    assert side is not None
    names = (action.member,) if action.member else open_to
    if action.member and action.member not in open_to:
        raise Refused.of("chouette.settle")
    offered = [member for member in state.members if member.name in names]
    if any(abs(action.points) > state.most_settled(member) for member in offered):
        raise Refused.of("settle.points")
    for member in offered:
        state = state.with_member(member.but(terms=Terms(side, action.points)))
    return Outcome(state, {"offered": [member.name for member in offered]})


def _agree(state: Chouette, actor: str, action: AgreeAction, now: int) -> Outcome[Chouette]:
    member = _asked(state, actor, action.member)
    terms = member.terms
    assert terms is not None
    if terms.by is state.side_of(actor):
        raise Refused.of("offer.own")
    if terms.points != action.points:
        raise Refused.of("settle.changed")
    return Outcome(state.agree(member, terms, now))


def _decline(state: Chouette, actor: str, action: DeclineAction, _now: int) -> Outcome[Chouette]:
    return Outcome(state.with_member(_asked(state, actor, action.member).but(terms=None)))


def _asked(state: Chouette, actor: str, name: str) -> Member:
    """The member whose settlement is open."""
    for member in state.settlements(actor):
        if member.name == name:
            return member
    raise Refused.of("offer.none")


# People


def _advise(state: Chouette, actor: str, action: AdviseAction, _now: int) -> Outcome[Chouette]:
    side = state.side_of(actor)
    assert side is not None
    turn = state.board.turn if state.board.on_roll is side else None
    check_advice(turn, state.allowed(state.player_for(side)), action.advice)
    return Outcome(state)


def _join(state: Chouette, actor: str, _action: JoinAction, _now: int) -> Outcome[Chouette]:
    if actor in state.going:
        return Outcome(state.but(going=_without(state.going, actor)))
    if not state.is_between_games:
        return Outcome(state.but(coming=(*state.coming, actor)))
    sheet = {actor: 0, **state.sheet}
    return Outcome(state.but(seats=state.seats.joined(actor), sheet=MappingProxyType(sheet)))


def _leave(state: Chouette, actor: str, _action: LeaveAction, now: int) -> Outcome[Chouette]:
    if actor in state.coming:
        return Outcome(state.but(coming=_without(state.coming, actor)))
    if not state.is_between_games:
        return Outcome(state.but(going=(*state.going, actor)))
    left = _reseated(state, state.seats.left(actor))
    return Outcome(left.but(stopping=_without(left.stopping, actor)).stopped(now))


def _stop(state: Chouette, actor: str, action: StopAction, now: int) -> Outcome[Chouette]:
    others = _without(state.stopping, actor)
    return Outcome(state.but(stopping=(*others, actor) if action.on else others).stopped(now))


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(each for each in names if each != name)


def _hand_over(state: Chouette, _actor: str, action: HandOverAction, _now: int) -> Outcome[Chouette]:
    if action.member not in [member.name for member in state.playing if member.name != state.captain]:
        raise Refused.of("chouette.hand_over")
    return Outcome(state.but(captain=action.member))


def _reseated(state: Chouette, seats: Seats) -> Chouette:
    board = state.board
    if (seats.box, seats.captain) != (state.seats.box, state.seats.captain):
        # Other players: they get ready themselves, and commit to dice of their own.
        board = board.but(ready=frozenset(), throwing=board.throwing.next_game(board.game_no + 1))
    return state.but(board=board, seats=seats, captain=seats.captain)


# Reasons


def _reason(state: Chouette, actor: str, action: Action, now: int) -> Refused:
    """Why a type of action is not among the allowed ones."""
    side, kind = state.side_of(actor), action.type
    if state.is_over:
        return Refused.of("match.over")
    if kind == "join":
        return Refused.of("chouette.seats")
    if side is None and actor != SERVER:
        return Refused.of("actor.unknown")
    if kind == "leave":
        return Refused.of("actor.player" if side is None else "chouette.seats")
    if state.has_left(actor):
        return Refused.of("chouette.left")
    if kind in ("double", "double_one"):
        return _double_reason(state, actor, side, kind)
    if kind in ("agree", "decline"):
        return Refused.of("offer.own" if state.settlements(actor) else "offer.none")
    if kind == "settle":
        return Refused.of("offer.open") if state.is_asking else not_now(state.board.phase)
    if kind == "answer":
        return Refused.of("offer.none")
    if kind == "advise":
        return Refused.of("advice.silent")
    if kind == "hand_over":
        return Refused.of("chouette.hand_over")
    if kind == "stop":
        return Refused.of("actor.player")
    if kind == "credit" and actor != SERVER:
        return Refused.of("actor.server")
    if kind not in BOARD_KINDS:
        return not_now(state.board.phase)
    if side is not None and actor != state.player_for(side):
        return Refused.of("actor.hand")
    if state.is_asking and kind not in WHILE_ASKING:
        return Refused.of("offer.open")
    try:
        apply(state.board, side or actor, action, now)
    except Refused as refused:
        return refused
    return not_now(state.board.phase)


def _double_reason(state: Chouette, actor: str, side: Side | None, kind: str) -> Refused:
    board = state.board
    if side is None:
        return Refused.of("actor.player")
    if not board.card.has_cube:
        return Refused.of("cube.none")
    if kind == "double_one" and not (side is BOX and state.chosen_members):
        return Refused.of("chouette.named")
    if state.is_asking:
        return Refused.of("offer.open")
    if board.phase not in (Phase.ROLL, Phase.THROWING, Phase.CHOOSE, Phase.MOVE) or board.awaits_chains:
        return not_now(board.phase)
    if side is not board.on_roll:
        return Refused.of("turn.other")
    # The event of the box names the first member's cube.
    member = state.member(actor) or state.playing[0]
    rolled = board.rolled or board.phase is not Phase.ROLL
    rule = member.score.double_rule(side, rolled=rolled)
    return Refused.of(rule) if rule else not_now(board.phase)


_HANDLERS: Mapping[type[Action], _Handler] = MappingProxyType(
    {
        ClaimAction: _claim,
        DoubleAction: _double,
        DoubleOneAction: _double_one,
        AnswerAction: _answer,
        SettleAction: _settle,
        AgreeAction: _agree,
        DeclineAction: _decline,
        AdviseAction: _advise,
        HandOverAction: _hand_over,
        JoinAction: _join,
        LeaveAction: _leave,
        StopAction: _stop,
    }
)
