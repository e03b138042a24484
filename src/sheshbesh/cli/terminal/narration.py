"""Sentences about the actions of a match."""

from __future__ import annotations

from typing import Any

from sheshbesh.cli.terminal import score_text, wording
from sheshbesh.cli.terminal.wording import Namer, name, points_text
from sheshbesh.i18n import JoinedText, PluralText, Text
from sheshbesh.rules import Side
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
    RetryAction,
    Session,
    TakeAction,
    WithholdAction,
)
from sheshbesh.session.state import Proposal


def sentences_of(
    before: Session, event: Event, after: Session, *, viewer: Side, who: Namer = name
) -> list[str]:
    """The sentences about an accepted action of a side or the server; none where the board shows it."""
    action, actor = event.action, event.actor
    if isinstance(action, ConfirmAction | PlayAction):
        return _play(before, after, action, viewer, who)
    if isinstance(action, WithholdAction):
        return [
            Text(
                "The dice go on without {who}'s share, which the record marks as missing.",
                who=name(Side.of(action.side)),
            )
        ]
    if isinstance(action, RetryAction):
        took = Text("{who} takes {play} back.", who=who(Side.of(action.side)), play=event.then["taken_back"])
        return [took]
    sentences = _dice(before, event, after, who)
    if actor == "server":
        return sentences
    side = Side.of(actor)
    match action:
        case DoubleAction() | TakeAction() | DropAction() | BeaverAction():
            sentences += _cube(before, after, action, side)
        case ResignAction():
            sentences.append(
                Text("{who} offers to resign {loss}.", who=who(side), loss=wording.loss_text(action.kind))
            )
        case ProposeAction():
            assert after.proposal is not None
            sentences.append(_proposal(after.proposal, drawn=not after.score.is_money))
        case AcceptAction():
            sentences.append(Text("{who} agrees.", who=who(side)))
        case RefuseAction():
            sentences.append(Text("{who} declines.", who=who(side)))
        case BreakAction():
            sentences.append(_break(side, _length(after)))
        case ResumeAction():
            sentences.append(Text("The clocks are running again."))
        case AnchorAction(lost=True):
            sentences.append(
                Text("{who}'s dice continue with new chains, because the old ones are lost.", who=name(side))
            )
    return sentences


def ending(before: Session, after: Session) -> list[str]:
    """The sentences about the end of a game, if it has just come."""
    if len(after.games) == len(before.games):
        return []
    return [
        Text("The game is over: {how}.", how=score_text.outcome(after.games[-1], after)),
        PluralText(
            "Score after {n} game: {score}.",
            "Score after {n} games: {score}.",
            len(after.games),
            score=score_text.score(after),
        ),
    ]


def _play(before: Session, after: Session, action: Any, viewer: Side, who: Namer) -> list[str]:
    assert before.position is not None and after.position is not None
    if before.turn is None:
        passed = wording.closed_out_text(before.position.turn, who=who)
        return [passed, *filter(None, [wording.next_text(before.position, after.position, who=who)])]
    made = before.turn.written(action.play) if isinstance(action, PlayAction) else before.turn.finish()
    following = wording.next_text(made.position, made.result, who=who)
    return [text for text in (wording.play_text(made, viewer=viewer, who=who), following) if text]


def _dice(before: Session, event: Event, after: Session, who: Namer) -> list[str]:
    """The opening draw and the starter."""
    sentences: list[str] = []
    starter = event.then.get("starter")
    if before.phase is Phase.OPENING and (dice := event.then.get("dice")):
        draw = Text(
            "Opening draw: {white} {first}, {black} {second}.",
            white=who(Side.WHITE),
            black=who(Side.BLACK),
            first=dice[0],
            second=dice[1],
        )
        sentences.append(JoinedText(draw, "" if starter else Text("A tie: both throw again.")))
        if after.score.cube != before.score.cube:
            sentences.append(Text("The cube is turned to {cube}.", cube=after.score.cube))
    if starter:
        first = who(Side.of(starter))
        sentences.append(
            Text("{who} starts and plays {dice}.", who=first, dice=wording.dice_text(after.dice))
            if after.phase is Phase.MOVE and after.dice is not None
            else Text("{who} starts and throws both dice.", who=first)
        )
    return sentences


def _cube(before: Session, after: Session, action: Action, side: Side) -> list[str]:
    if isinstance(action, DoubleAction):
        return [Text("{who} doubles: the cube would be at {cube}.", who=name(side), cube=2 * after.stake)]
    if isinstance(action, TakeAction):
        assert after.score.owner is not None
        owner, cube = Side.of(after.score.owner), after.score.cube
        if owner is side:
            return [Text("{who} takes and owns the cube at {cube}.", who=name(side), cube=cube)]
        return [
            Text(
                "{who} takes. {owner} owns the cube at {cube}.", who=name(side), owner=name(owner), cube=cube
            )
        ]
    if isinstance(action, DropAction):
        return [Text("{who} drops.", who=name(side))]
    if after.phase is Phase.BEAVERED:
        return [Text("{who} beavers: the cube would be at {cube}.", who=name(side), cube=4 * before.stake)]
    return [Text("{who} raccoons: the cube would be at {cube}.", who=name(side), cube=8 * before.stake)]


def _break(side: Side, length: int) -> Text:
    return PluralText(
        "{who} takes a break; it lasts at most {n} minute.",
        "{who} takes a break; it lasts at most {n} minutes.",
        length,
        who=name(side),
    )


def _length(state: Session) -> int:
    return -(-state.card.clock.break_length // 60_000)


def _proposal(proposal: Proposal, *, drawn: bool) -> Text:
    """Return what is proposed; `drawn` says that to end it here leaves a match without a winner."""
    who = name(proposal.by)
    if proposal.what == "settle":
        points = abs(proposal.points)
        winner = proposal.by if proposal.points > 0 else proposal.by.other
        if not points:
            return Text("{who} proposes to call the game off.", who=who)
        return Text(
            "{who} proposes to settle the game: {points} for {winner}.",
            who=who,
            points=points_text(points),
            winner=name(winner),
        )
    if proposal.what == "pause":
        return Text("{who} proposes to stop the clocks.", who=who)
    if drawn:
        return Text("{who} proposes to end the match here, drawn.", who=who)
    return Text("{who} proposes to end it here, at the present score.", who=who)
