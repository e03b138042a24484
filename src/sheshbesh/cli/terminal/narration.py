"""What has happened in a match, as sentences for the players."""

from __future__ import annotations

from typing import Any

from sheshbesh.cli.terminal import score_sheet, wording
from sheshbesh.cli.terminal.wording import Namer, name
from sheshbesh.rules import Play, Side
from sheshbesh.session import Event, Phase, Session, actions
from sheshbesh.session.state import Proposal


def tell(before: Session, event: Event, after: Session, *, viewer: Side, who: Namer = name) -> list[str]:
    """The sentences about an accepted action of a side or the server; none where the board shows it."""
    action, actor = event.action, event.actor
    if isinstance(action, actions.Confirm | actions.MakePlay):
        return _play(before, after, action, viewer, who)
    if isinstance(action, actions.Withhold):
        return [f"The dice go on without {action.side.capitalize()}'s share, which is marked for good."]
    said = _dice(before, event, after, who)
    if actor == "server":
        return said
    side = Side.of(actor)
    match action:
        case actions.Double() | actions.Take() | actions.Drop() | actions.Beaver():
            said += _cube(before, after, action, side)
        case actions.Resign():
            said.append(f"{who(side)} offers to lose the game: {_kind(action.kind)}.")
        case actions.Propose():
            assert after.proposal is not None
            said.append(_proposal(after.proposal))
        case actions.Accept():
            said.append(f"{who(side)} agrees.")
        case actions.Refuse():
            said.append(f"{who(side)} declines.")
        case actions.Break():
            said.append(f"{name(side)} takes a break; it lasts at most {_length(after)} minutes.")
        case actions.Resume():
            said.append("The clocks run again.")
        case actions.Anchor(lost=True):
            said.append(f"{name(side)}'s dice go on with new chains, as the old ones are lost.")
    return said


def ending(before: Session, after: Session) -> list[str]:
    """The sentences about the end of a game, if it has just come."""
    if len(after.games) == len(before.games):
        return []
    games = "1 game" if len(after.games) == 1 else f"{len(after.games)} games"
    return [
        f"The game is over: {score_sheet.outcome(after.games[-1], after)}.",
        f"Score after {games}: {score_sheet.score(after)}.",
    ]


def _play(before: Session, after: Session, action: Any, viewer: Side, who: Namer) -> list[str]:
    assert before.turn is not None and after.position is not None
    made = before.turn.written(action.play) if isinstance(action, actions.MakePlay) else before.turn.finish()
    assert isinstance(made, Play)
    following = wording.next_text(made.position, made.result, who=who)
    return [text for text in (wording.play_text(made, viewer=viewer, who=who), following) if text]


def _dice(before: Session, event: Event, after: Session, who: Namer) -> list[str]:
    """The opening draw, and who starts."""
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


def _cube(before: Session, after: Session, action: actions.Action, side: Side) -> list[str]:
    if isinstance(action, actions.Double):
        return [f"{name(side)} doubles: the cube would be at {2 * after.stake}."]
    if isinstance(action, actions.Take):
        assert after.score.owner is not None
        owner = Side.of(after.score.owner)
        return [f"{name(side)} takes. The cube is at {after.score.cube} and {name(owner)}'s."]
    if isinstance(action, actions.Drop):
        return [f"{name(side)} drops."]
    word, times = ("beavers", 4) if after.phase is Phase.BEAVERED else ("raccoons", 8)
    return [f"{name(side)} {word}: the cube would be at {times * before.stake}."]


def _kind(kind: str) -> str:
    return kind.replace("_", " ")


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
