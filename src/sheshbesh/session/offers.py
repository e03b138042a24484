"""Resignations, and what needs the consent of both: draws, settlements, pauses."""

from __future__ import annotations

from sheshbesh.match.card import Contest
from sheshbesh.rules import GameResult, Refusal, Side
from sheshbesh.session import actions as act
from sheshbesh.session import game_course
from sheshbesh.session.outcome import Outcome
from sheshbesh.session.refusals import refuse
from sheshbesh.session.state import Phase, Proposal, Resignation, Session

PROPOSALS = ("draw", "settle", "pause")


def resign(state: Session, actor: str, action: act.Resign, now: int) -> Outcome | Refusal:
    """Offer to lose the game at a value."""
    assert state.position is not None
    side = Side.of(actor)
    worth = state.position.variant.resignations(state.position, side)
    if action.kind not in worth:
        known = action.kind in state.position.variant.losses(state.position, side)
        return refuse("resign.borne_off" if known else "resign.kind")
    offer = Resignation(side, action.kind, worth[action.kind], state.phase)
    clock = state.clock.ask(side.other, now) if state.clock.running is side else state.clock
    return Outcome(state.but(phase=Phase.RESIGNED, resignation=offer, proposal=None, clock=clock))


def propose(state: Session, actor: str, action: act.Propose, _now: int) -> Outcome | Refusal:
    """Propose something; it lapses when a game ends or another proposal takes its place."""
    if action.what not in PROPOSALS:
        return refuse("offer.unknown")
    if action.what in ("draw", "settle") and state.card.contest is not Contest.MONEY:
        return refuse("offer.money_only")
    if action.what == "settle" and state.phase is Phase.READY:
        return refuse("turn.not_now")
    return Outcome(state.but(proposal=Proposal(Side.of(actor), action.what, action.points)))


def accept(state: Session, _actor: str, _action: act.Accept, now: int) -> Outcome | Refusal:
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
            game_course.end_match(agreed, None, "draw", now), game_course.told_of_match(None, "draw")
        )
    winner = proposal.by if proposal.points > 0 else proposal.by.other
    points = abs(proposal.points)
    result = GameResult(winner if points else None, points, "single" if points else "tie")
    return game_course.end_game(agreed, result, now, points=points, reason="settlement")


def refuse_offer(state: Session, _actor: str, _action: act.Refuse, now: int) -> Outcome | Refusal:
    """Decline; after a refused resignation the game goes on where it was."""
    if state.phase is not Phase.RESIGNED:
        return Outcome(state.but(proposal=None))
    offer = state.resignation
    assert offer is not None
    clock = state.clock
    if clock.waiting is not None:
        clock = clock.answered(offer.by, now)
    return Outcome(state.but(phase=offer.phase, resignation=None, clock=clock))


def resume(state: Session, _actor: str, _action: act.Resume, now: int) -> Outcome | Refusal:
    """End a pause: the clock of the player whose turn it is runs again."""
    running = state.on_roll
    clock = state.clock.resume(running, now) if running is not None else state.clock
    return Outcome(state.but(paused=False, clock=clock))
