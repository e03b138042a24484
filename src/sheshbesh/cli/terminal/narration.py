"""Sentences about the actions of a match."""

from __future__ import annotations

from typing import Any

from sheshbesh.cli.terminal import score_text, wording
from sheshbesh.cli.terminal.wording import Namer, name
from sheshbesh.rules import Play, Side
from sheshbesh.session import (
    AcceptAction,
    Action,
    AnchorAction,
    BeaverAction,
    BreakAction,
    ConfirmAction,
    DoubleAction,
    DropAction,
    Event,
    Phase,
    PlayAction,
    ProposeAction,
    RefuseAction,
    ResignAction,
    ResumeAction,
    Session,
    TakeAction,
    WithholdAction,
)
from sheshbesh.session.state import Proposal


def tell(before: Session, event: Event, after: Session, *, viewer: Side, who: Namer = name) -> list[str]:
    """The sentences about an accepted action of a side or the server; none where the board shows it."""
    action, actor = event.action, event.actor
    if isinstance(action, ConfirmAction | PlayAction):
        return _play(before, after, action, viewer, who)
    if isinstance(action, WithholdAction):
        return [
            f"The dice go on without {action.side.capitalize()}'s share, which the record marks as missing."
        ]
    said = _dice(before, event, after, who)
    if actor == "server":
        return said
    side = Side.of(actor)
    match action:
        case DoubleAction() | TakeAction() | DropAction() | BeaverAction():
            said += _cube(before, after, action, side)
        case ResignAction():
            said.append(f"{who(side)} offers to resign {wording.loss_text(action.kind)}.")
        case ProposeAction():
            assert after.proposal is not None
            said.append(_proposal(after.proposal))
        case AcceptAction():
            said.append(f"{who(side)} agrees.")
        case RefuseAction():
            said.append(f"{who(side)} declines.")
        case BreakAction():
            said.append(f"{name(side)} takes a break; it lasts at most {_length(after)} minutes.")
        case ResumeAction():
            said.append("The clocks are running again.")
        case AnchorAction(lost=True):
            said.append(f"{name(side)}'s dice continue with new chains, because the old ones are lost.")
    return said


def ending(before: Session, after: Session) -> list[str]:
    """The sentences about the end of a game, if it has just come."""
    if len(after.games) == len(before.games):
        return []
    games = "1 game" if len(after.games) == 1 else f"{len(after.games)} games"
    return [
        f"The game is over: {score_text.outcome(after.games[-1], after)}.",
        f"Score after {games}: {score_text.score(after)}.",
    ]


def _play(before: Session, after: Session, action: Any, viewer: Side, who: Namer) -> list[str]:
    assert before.turn is not None and after.position is not None
    made = before.turn.written(action.play) if isinstance(action, PlayAction) else before.turn.finish()
    assert isinstance(made, Play)
    following = wording.next_text(made.position, made.result, who=who)
    return [text for text in (wording.play_text(made, viewer=viewer, who=who), following) if text]


def _dice(before: Session, event: Event, after: Session, who: Namer) -> list[str]:
    """The opening draw and the starter."""
    said, starter = [], event.then.get("starter")
    if before.phase is Phase.OPENING and (dice := event.then.get("dice")):
        tie = "" if starter else " A tie: both throw again."
        said.append(f"Opening draw: {who(Side.WHITE)} {dice[0]}, {who(Side.BLACK)} {dice[1]}.{tie}")
        if after.score.cube != before.score.cube:
            said.append(f"The cube is turned to {after.score.cube}.")
    if starter:
        plays = f"plays {after.dice}" if after.phase is Phase.MOVE else "throws both dice"
        said.append(f"{who(Side.of(starter))} starts and {plays}.")
    return said


def _cube(before: Session, after: Session, action: Action, side: Side) -> list[str]:
    if isinstance(action, DoubleAction):
        return [f"{name(side)} doubles: the cube would be at {2 * after.stake}."]
    if isinstance(action, TakeAction):
        assert after.score.owner is not None
        owner, cube = Side.of(after.score.owner), after.score.cube
        if owner is side:
            return [f"{name(side)} takes and owns the cube at {cube}."]
        return [f"{name(side)} takes. {name(owner)} owns the cube at {cube}."]
    if isinstance(action, DropAction):
        return [f"{name(side)} drops."]
    word, times = ("beavers", 4) if after.phase is Phase.BEAVERED else ("raccoons", 8)
    return [f"{name(side)} {word}: the cube would be at {times * before.stake}."]


def _length(state: Session) -> int:
    return -(-state.card.clock.break_length // 60_000)


def _proposal(proposal: Proposal) -> str:
    who = name(proposal.by)
    if proposal.what == "settle":
        points = abs(proposal.points)
        winner = proposal.by if proposal.points > 0 else proposal.by.other
        return (
            f"{who} proposes to settle the game: {points} point{'s' * (points != 1)} for {name(winner)}."
            if points
            else f"{who} proposes to call the game off."
        )
    what = "to stop the clocks" if proposal.what == "pause" else "to end it here, at the present score"
    return f"{who} proposes {what}."
