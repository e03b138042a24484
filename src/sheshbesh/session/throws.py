"""Throws: the opening draw, a player's dice from asking to showing, and whose clock runs meanwhile."""

from __future__ import annotations

from dataclasses import replace

from sheshbesh.match.card import Contest
from sheshbesh.match.timing import ClockKind
from sheshbesh.rules import Refusal, Roll, Side
from sheshbesh.session.actions import AnchorAction, DiceAction, LinkAction, RollAction, WithholdAction
from sheshbesh.session.clock import Clock
from sheshbesh.session.phases import SERVER, Phase
from sheshbesh.session.refusals import refuse
from sheshbesh.session.state import Session, Transition, add
from sheshbesh.session.throwing import DiceStep
from sheshbesh.session.turn import Turn


def throw(state: Session, actor: str, action: RollAction, now: int) -> Transition | Refusal:
    """A player throws, in the opening draw or in a turn."""
    step = state.throwing.ask(Side.of(actor), action.link)
    phase = Phase.OPENING if state.phase is Phase.OPENING else Phase.THROWING
    return _with_dice(state, step, now, phase=phase)


def link(state: Session, actor: str, action: LinkAction, now: int) -> Transition | Refusal:
    """A missing link of the dice arrives."""
    return _with_dice(state, state.throwing.give(actor, action.link), now)


def withhold(state: Session, _actor: str, action: WithholdAction, now: int) -> Transition | Refusal:
    """The throw is completed without a silent player's link."""
    return _with_dice(state, state.throwing.withhold(action.side), now)


def typed_dice(state: Session, _actor: str, action: DiceAction, now: int) -> Transition | Refusal:
    """The dice of a real board."""
    return _with_dice(state, state.throwing.typed(action.first, action.second), now)


def anchor(state: Session, actor: str, action: AnchorAction, now: int) -> Transition | Refusal:
    """New chains in the middle of a game."""
    throwing = state.throwing
    transcript: tuple[object, ...] = ()
    if action.lost:
        if actor == SERVER:
            return refuse("turn.not_now")
        lost = throwing.lost(Side.of(actor))
        if isinstance(lost, Refusal):
            return lost
        throwing, transcript = lost.throwing, lost.transcript
    step = throwing.commit(actor, action.anchor)
    if isinstance(step, Refusal):
        return step
    transition = _with_dice(state, step, now)
    if isinstance(transition, Refusal) or not transcript:
        return transition
    return Transition(
        transition.state,
        {**transition.then, "transcript": [*transcript, *transition.then.get("transcript", ())]},
    )


def opened(state: Session, step: DiceStep | Refusal) -> Transition | Refusal:
    """The state in which a throw is open, if the dice allow it."""
    if isinstance(step, Refusal):
        return step
    return add(Transition(state.but(throwing=step.throwing)), transcript=list(step.transcript))


def _with_dice(
    state: Session, step: DiceStep | Refusal, now: int, *, phase: Phase | None = None
) -> Transition | Refusal:
    """Continue after a step of the dice: wait for links, or use the dice."""
    if isinstance(step, Refusal):
        return step
    after = state.but(throwing=step.throwing, phase=phase or state.phase)
    if step.dice is None:
        return add(Transition(timed(after, now)), transcript=list(step.transcript))
    if after.phase is Phase.OPENING:
        transition = _opening_dice(after, step.dice, now)
    else:
        transition = Transition(show_dice(after, Roll.of(step.dice), clock=_resumed(after, now)))
    if isinstance(transition, Refusal):
        return transition
    transcript = [*step.transcript, *transition.then.get("transcript", ())]
    return add(Transition(transition.state, transition.then), dice=list(step.dice), transcript=transcript)


def timed(state: Session, now: int) -> Session:
    """With the clock running of the side whose link is missing, not the roller's."""
    if state.phase is Phase.OPENING and state.card.clock.is_correspondence:
        awaited = state.throwing.awaited()
        late = awaited[0] if len(awaited) == 1 else None
        return state.but(clock=state.clock.start_turn(late, now) if late else state.clock.stop(now))
    if state.card.clock.kind is ClockKind.NONE or state.phase not in (Phase.ROLL, Phase.THROWING):
        return state
    roller = state.on_roll
    assert roller is not None
    if state.phase is Phase.ROLL and not state.throwing.delayed:
        return state.but(clock=_resumed(state, now))
    awaited = state.throwing.awaited()
    silent = roller if roller in awaited else awaited[0] if awaited else None
    return state.but(clock=state.clock.await_dice(silent, now))


def _resumed(state: Session, now: int) -> Clock:
    assert state.on_roll is not None
    return state.clock.dice_shown(state.on_roll, now)


def _opening_dice(state: Session, dice: tuple[int, int], now: int) -> Transition | Refusal:
    draw = state.card.rules.opening(*dice)
    state = state.but(draws=(*state.draws, dice))
    if draw.starter is None:
        return opened(_doubled_automatically(state), state.throwing.begin(None))
    if isinstance(draw.dice, Roll):
        started = _placed(state, draw.starter, now)
        return Transition(show_dice(started, draw.dice), {"starter": draw.starter.value})
    return start(state, draw.starter, now)


def _doubled_automatically(state: Session) -> Session:
    """In money play equal opening dice may double the cube, which stays in the middle."""
    done = state.score.automatic_doubles
    money = state.card.contest is Contest.MONEY and state.card.has_cube
    cube = 2 * state.score.cube
    if not money or done >= state.card.automatic_doubles or not state.score.allows_cube(cube):
        return state
    return state.but(score=replace(state.score, cube=cube, automatic_doubles=done + 1))


def _placed(state: Session, starter: Side, now: int) -> Session:
    """The starting position, with the starter's clock running."""
    return state.but(
        starter=starter,
        position=state.card.rules.start(starter),
        turn=None,
        rolled=False,
        clock=state.clock.start_turn(starter, now),
    )


def start(state: Session, starter: Side, now: int) -> Transition | Refusal:
    """The game begins with `starter` on roll, who may still double."""
    placed = _placed(state, starter, now).but(phase=Phase.ROLL)
    transition = opened(placed, placed.throwing.begin(starter))
    return transition if isinstance(transition, Refusal) else add(transition, starter=starter.value)


def show_dice(state: Session, dice: Roll, *, clock: Clock | None = None) -> Session:
    """Put the dice on the board, the larger number first."""
    assert state.position is not None
    turn = Turn(state.position, dice, touch_move=state.card.touch_move)
    return state.but(phase=Phase.MOVE, turn=turn, rolled=True, clock=clock or state.clock)


def next_throw(state: Session, mover: Side, link: str | None, now: int) -> Transition | Refusal:
    """Open the next throw; the mover's link for it may have come with the play if the other side throws.

    The mover cannot know that, for a play may earn another throw: a link that is not due is ignored, and
    asked for when it is.
    """
    assert state.position is not None
    step = state.throwing.begin(state.position.turn)
    if isinstance(step, Refusal):
        return step
    transcript = list(step.transcript)
    # A mover who throws again, or before new chains, has given a link that is not needed yet.
    if link is not None and state.position.turn is not mover and not step.throwing.delayed:
        given = step.throwing.give(mover, link)
        if isinstance(given, Refusal):
            return given
        step = given
        transcript += given.transcript
    return add(Transition(timed(state.but(throwing=step.throwing), now)), transcript=transcript)
