"""Offers and their answers: doubles, resignations, and what needs the consent of both.

A double or its answer cannot be taken back. The doubler's clock starts the other player's; a take starts
the doubler's; a drop stops the clock until the next game. Source: Khalili (004), p. 11 and 12.
"""

from __future__ import annotations

from dataclasses import replace

from sheshbesh.rules import GameResult, Refused, Side
from sheshbesh.session import game_course
from sheshbesh.session.actions import (
    AcceptAction,
    BeaverAction,
    DoubleAction,
    DropAction,
    ProposeAction,
    RefuseAction,
    ResignAction,
    ResumeAction,
    TakeAction,
)
from sheshbesh.session.phases import OFFERED, Phase
from sheshbesh.session.refusals import not_now
from sheshbesh.session.state import Forbidden, Proposal, Resignation, Session
from sheshbesh.session.table_state import Outcome


def double(state: Session, actor: str, _action: DoubleAction, now: int) -> Outcome[Session]:
    """Offer to play on for twice the stake."""
    side = Side.of(actor)
    return Outcome(
        state.but(
            phase=Phase.DOUBLED,
            doubler=side,
            stake=state.score.cube,
            proposal=None,
            clock=state.clock.ask(side.other, now),
        ),
        {"cube": 2 * state.score.cube},
    )


def _doubler(state: Session) -> Side:
    assert state.doubler is not None
    return state.doubler


def take(state: Session, _actor: str, _action: TakeAction, now: int) -> Outcome[Session]:
    """Accept the stake offered. The cube goes to the taker of the double; a beaver keeps it there."""
    doubler = _doubler(state)
    cube = state.stake * OFFERED[state.phase]
    score = replace(state.score, cube=cube, owner=doubler.other)
    taken = state.but(phase=Phase.ROLL, score=score, doubler=None, clock=state.clock.answered(doubler, now))
    return Outcome(taken, {"cube": cube})


def drop(state: Session, actor: str, _action: DropAction, now: int) -> Outcome[Session]:
    """Give the game up for the stake before the open offer."""
    price = state.stake * OFFERED[state.phase] // 2
    result = GameResult(Side.of(actor).other, price, "single")
    return game_course.end_game(state, result, now, points=price, cube=price, reason="drop")


def beaver(state: Session, actor: str, _action: BeaverAction, now: int) -> Outcome[Session]:
    """Take and turn the cube at once: a beaver, or against it a raccoon."""
    phase = Phase.BEAVERED if state.phase is Phase.DOUBLED else Phase.RACCOONED
    answering = state.but(phase=phase, clock=state.clock.ask_back(Side.of(actor).other, now))
    return Outcome(answering, {"cube": state.stake * OFFERED[phase]})


PROPOSALS = ("draw", "settle", "pause")


def resign(state: Session, actor: str, action: ResignAction, now: int) -> Outcome[Session]:
    """Offer to lose the game at a value."""
    assert state.position is not None
    side = Side.of(actor)
    worth = state.position.variant.resignations(state.position, side)
    if action.kind not in worth:
        known = action.kind in state.position.variant.losses(state.position, side)
        raise Refused.of("resign.borne_off" if known else "resign.kind")
    offer = Resignation(side, action.kind, worth[action.kind], state.phase)
    clock = state.clock.ask(side.other, now) if state.clock.running is side else state.clock
    return Outcome(state.but(phase=Phase.RESIGNED, resignation=offer, proposal=None, clock=clock))


def propose(state: Session, actor: str, action: ProposeAction, _now: int) -> Outcome[Session]:
    """Propose something; it lapses when a game ends or another proposal takes its place."""
    if action.what not in PROPOSALS:
        raise Refused.of("offer.unknown")
    kind: Forbidden = "pauses" if action.what == "pause" else "agreements"
    if state.forbids(kind):
        raise Refused.of(f"event.{kind}")
    if action.what in ("draw", "settle") and not state.card.allows_agreements:
        raise Refused.of("offer.money_only")
    if action.what == "settle" and state.phase is Phase.READY:
        raise not_now(state.phase)
    return Outcome(state.but(proposal=Proposal(Side.of(actor), action.what, action.points)))


def accept(state: Session, _actor: str, _action: AcceptAction, now: int) -> Outcome[Session]:
    """Agree to a resignation or a proposal."""
    if state.phase is Phase.RESIGNED:
        offer = state.resignation
        assert offer is not None
        result = GameResult(offer.by.other, offer.points, offer.kind)
        return game_course.end_game(state, result, now, reason="resignation")
    proposal = state.proposal
    assert proposal is not None
    agreed = state.but(proposal=None)
    if proposal.what == "pause":
        return Outcome(agreed.but(paused=True, clock=state.clock.stop(now)))
    if proposal.what == "draw":
        return Outcome(
            game_course.end_match(agreed, None, "draw", now), game_course.match_ending(None, "draw")
        )
    winner = proposal.by if proposal.points > 0 else proposal.by.other
    points = abs(proposal.points)
    result = GameResult(winner if points else None, points, "single" if points else "tie")
    return game_course.end_game(agreed, result, now, points=points, reason="settlement")


def refuse_offer(state: Session, _actor: str, _action: RefuseAction, now: int) -> Outcome[Session]:
    """Decline; after a refused resignation the game goes on where it was."""
    if state.phase is not Phase.RESIGNED:
        return Outcome(state.but(proposal=None))
    offer = state.resignation
    assert offer is not None
    clock = state.clock
    if clock.waiting is not None:
        clock = clock.answered(offer.by, now)
    return Outcome(state.but(phase=offer.phase, resignation=None, clock=clock))


def resume(state: Session, _actor: str, _action: ResumeAction, now: int) -> Outcome[Session]:
    """End a pause: the clock of the player whose turn it is runs again."""
    running = state.on_roll
    clock = state.clock.resume(running, now) if running is not None else state.clock
    return Outcome(state.but(paused=False, clock=clock))
