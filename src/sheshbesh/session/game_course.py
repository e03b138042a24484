"""The course of a match: readiness, the opening draw, throws, the end of games and of the match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sheshbesh.fairdice import Change
from sheshbesh.match.card import Contest
from sheshbesh.match.state import MatchState
from sheshbesh.match.timing import SECOND, ClockKind
from sheshbesh.rules import GameResult, Refused, Roll, Side
from sheshbesh.rules.side import SIDES, name_or_none
from sheshbesh.session.actions import (
    FORFEITS,
    AbandonAction,
    AnchorAction,
    BreakAction,
    CallAction,
    ClaimAction,
    CreditAction,
    DiceAction,
    ForfeitAction,
    LinkAction,
    ReadyAction,
    RollAction,
    WithholdAction,
)
from sheshbesh.session.clock import Clock
from sheshbesh.session.dice import Dice
from sheshbesh.session.phases import CUBE_PHASES, OFFERED, SERVER, Phase
from sheshbesh.session.refusals import not_now
from sheshbesh.session.state import FinishedGame, Session
from sheshbesh.session.table_state import Outcome
from sheshbesh.session.turn import Turn

# Between games


def ready(state: Session, actor: str, action: ReadyAction, now: int) -> Outcome[Session]:
    """A player (or the server's dice) is ready; the last one starts the game."""
    dice, entries, _ = state.throwing.commit(actor, action.anchor)
    present = state.ready if actor == SERVER else state.ready | {Side.of(actor)}
    waiting = state.but(throwing=dice, ready=present)
    if len(present) == len(SIDES) and not dice.needs_anchor(SERVER):
        return _begin_game(waiting, now).noting(transcript=[*entries, *dice.announced()])
    missing = [side for side in SIDES if side not in present]
    if state.card.clock.is_correspondence and len(missing) == 1:
        # Who keeps the other waiting for days loses time between games, too.
        waiting = waiting.but(clock=state.clock.start_turn(missing[0], now))
    elif state.event is not None and missing and state.clock.running not in (None, missing[0]):
        # Both were called; the one who came is waited for no longer.
        waiting = waiting.but(clock=state.clock.stop(now).start_turn(missing[0], now))
    return Outcome(waiting).noting(transcript=list(entries))


def call(state: Session, _actor: str, _action: CallAction, now: int) -> Outcome[Session]:
    """The time between two games is over: the game begins, or the clock runs of a player whom it lacks."""
    if state.call_at is not None and now < state.call_at:
        raise Refused.of("event.early")
    dice = state.throwing
    lacking = [side for side in SIDES if side not in state.ready and dice.needs_anchor(side)]
    called = state.but(ready=frozenset(SIDES) - set(lacking), call_at=None)
    if not lacking and not dice.needs_anchor(SERVER):
        return _begin_game(called, now).noting(transcript=list(dice.announced()))
    if lacking and state.clock.running is None:
        called = called.but(clock=state.clock.start_turn(lacking[0], now))
    return Outcome(called)


def _begin_game(state: Session, now: int) -> Outcome[Session]:
    begun = state.but(
        game_no=state.game_no + 1,
        draws=(),
        ready=frozenset(),
        break_until=None,
        call_at=None,
        proposal=None,
        score=_next_score(state),
        clock=state.clock.stop(now),
        crawford_played=state.crawford_played or _is_crawford_next(state),
    )
    if begun.start is not None and begun.game_no == 1:
        placed = _placed(begun, begun.start.turn, now).but(position=begun.start)
        return after_play(placed, begun.start.turn, None, now).noting(starter=begun.start.turn.value)
    opening = begun.card.rules.axes["opening"]
    later = opening["later"] if begun.game_no > 1 else "roll"
    known = {"winner": state.previous_winner, "alternate": state.starter}.get(str(later))
    if known is None:
        return Outcome(timed(_throw_opened(begun.but(phase=Phase.OPENING), None), now))
    draw = begun.card.rules.opening(
        game_no=begun.game_no, previous_winner=state.previous_winner, previous_starter=state.starter
    )
    assert draw.starter is not None
    return _started(begun, draw.starter, now)


def _next_score(state: Session) -> MatchState:
    return replace(state.score, cube=1, owner=None, crawford=_is_crawford_next(state), automatic_doubles=0)


def _is_crawford_next(state: Session) -> bool:
    """Return True if the next game is the Crawford game: the first after a side came within one point."""
    card = state.card
    if not (card.crawford and card.has_cube and card.contest is Contest.POINTS) or state.crawford_played:
        return False
    # In a match to one point no side comes within one point: both begin there.
    return card.length != 1 and any(state.score.away(side) == 1 for side in SIDES)


def take_break(state: Session, actor: str, _action: BreakAction, now: int) -> Outcome[Session]:
    """Take a break between games; `break_until` says when it is over."""
    index = SIDES.index(Side.of(actor))
    taken = tuple(count + (i == index) for i, count in enumerate(state.breaks))
    until = max(now, state.break_until or 0) + state.card.clock.break_length
    call_at = None if state.call_at is None else max(state.call_at, until)
    after = state.but(breaks=(taken[0], taken[1]), break_until=until, call_at=call_at)
    return Outcome(after, {"until": until})


# Throws


def throw(state: Session, actor: str, action: RollAction, now: int) -> Outcome[Session]:
    """A player throws, in the opening draw or in a turn."""
    phase = Phase.OPENING if state.phase is Phase.OPENING else Phase.THROWING
    return _rolled(state, state.throwing.ask(Side.of(actor), action.link), now, phase=phase)


def link(state: Session, actor: str, action: LinkAction, now: int) -> Outcome[Session]:
    """A missing link of the dice arrives."""
    return _rolled(state, state.throwing.give(actor, action.link), now)


def withhold(state: Session, _actor: str, action: WithholdAction, now: int) -> Outcome[Session]:
    """The throw is completed without a silent player's link."""
    return _rolled(state, state.throwing.withhold(action.side), now)


def typed_dice(state: Session, _actor: str, action: DiceAction, now: int) -> Outcome[Session]:
    """The dice of a real board."""
    return _rolled(state, state.throwing.typed(action.first, action.second), now)


def anchor(state: Session, actor: str, action: AnchorAction, now: int) -> Outcome[Session]:
    """New chains in the middle of a game."""
    dice = state.throwing
    if action.lost:
        if actor == SERVER:
            raise not_now(state.phase)
        dice = dice.renew(lost=Side.of(actor))
    return _rolled(state, dice.commit(actor, action.anchor), now)


def _rolled(
    state: Session, change: Change[Dice], now: int, *, phase: Phase | None = None
) -> Outcome[Session]:
    """Continue after a step of the dice: wait for links, or use the dice."""
    after = state.but(throwing=change.table, phase=phase or state.phase)
    if change.dice is None:
        return Outcome(timed(after, now)).noting(transcript=list(change.entries))
    if after.phase is Phase.OPENING:
        outcome = _opening_dice(after, change.dice, now)
    else:
        outcome = Outcome(show_dice(after, Roll.of(change.dice), clock=_resumed(after, now)))
    return outcome.noting(dice=list(change.dice), transcript=list(change.entries))


def timed(state: Session, now: int) -> Session:
    """Return the state with the clock running of the side whose link is missing, not the roller's."""
    if state.phase is Phase.OPENING and state.event is not None:
        return _timed_opening(state, now)
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


def _timed_opening(state: Session, now: int) -> Session:
    """In an event nobody waits for a throw without a clock; where both are awaited, White's runs."""
    awaited, clock = state.throwing.awaited(), state.clock
    if not awaited:
        return state.but(clock=clock.stop(now))
    return (
        state if clock.running is awaited[0] else state.but(clock=clock.stop(now).start_turn(awaited[0], now))
    )


def _resumed(state: Session, now: int) -> Clock:
    assert state.on_roll is not None
    return state.clock.dice_shown(state.on_roll, now)


def _opening_dice(state: Session, dice: tuple[int, int], now: int) -> Outcome[Session]:
    draw = state.card.rules.opening(*dice)
    state = state.but(draws=(*state.draws, dice))
    if draw.starter is None:
        again = _throw_opened(_doubled_automatically(state), None)
        return Outcome(again if state.event is None else timed(again, now))
    if isinstance(draw.dice, Roll):
        started = show_dice(_placed(state, draw.starter, now), draw.dice)
        return Outcome(started, {"starter": draw.starter.value})
    return _started(state, draw.starter, now)


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


def _started(state: Session, starter: Side, now: int) -> Outcome[Session]:
    """The game begins with `starter` on roll, who may still double."""
    placed = _placed(state, starter, now).but(phase=Phase.ROLL)
    return Outcome(_throw_opened(placed, starter), {"starter": starter.value})


def _throw_opened(state: Session, roller: Side | None) -> Session:
    """The next throw can be asked for."""
    return state.but(throwing=state.throwing.begin(roller))


def show_dice(state: Session, dice: Roll, *, clock: Clock | None = None) -> Session:
    """Put the dice on the board, the larger number first."""
    assert state.position is not None
    turn = Turn(state.position, dice, touch_move=state.card.touch_move)
    return state.but(phase=Phase.MOVE, turn=turn, rolled=True, clock=clock or state.clock)


def _next_throw(state: Session, mover: Side, link: str | None, now: int) -> Outcome[Session]:
    """Open the next throw; the mover's link for it may have come with the play if the other side throws.

    The mover cannot know that, for a play may earn another throw: a link that is not due is ignored, and
    asked for when it is.
    """
    assert state.position is not None
    dice = state.throwing.begin(state.position.turn)
    entries: tuple[dict[str, Any], ...] = ()
    # A mover who throws again, or before new chains, has given a link that is not needed yet.
    if link is not None and state.position.turn is not mover and not dice.delayed:
        dice, entries, _ = dice.give(mover, link)
    return Outcome(timed(state.but(throwing=dice), now)).noting(transcript=list(entries))


# After a play


def after_play(
    state: Session, mover: Side, link: str | None, now: int, *, passed: bool = False
) -> Outcome[Session]:
    """Go on with the position after a confirmed play: what is owed, the next player, or the end.

    Where somebody has passed and nobody can ever move again, the game ends without a winner.
    """
    position = state.position
    assert position is not None
    result = position.result
    if result is not None:
        return end_game(state, result, now)
    if passed and position.is_locked:
        return end_game(state, GameResult(None, 0, "tie"), now, reason="locked")
    goes_on = position.turn is mover
    after = state.but(
        phase=Phase.ROLL,
        turn=None,
        rolled=state.rolled and goes_on,
        clock=state.clock if goes_on else state.clock.start_turn(position.turn, now),
    )
    owed = position.pending
    if owed is None:
        return _next_throw(after, mover, link, now)
    if owed.choose is not None:
        return Outcome(after.but(phase=Phase.CHOOSE))
    return Outcome(show_dice(after, Roll(owed.steps[0], owed.steps[-1])))


# Ends


def end_game(
    state: Session,
    result: GameResult,
    now: int,
    *,
    points: int | None = None,
    cube: int | None = None,
    reason: str = "played",
) -> Outcome[Session]:
    """Write the game on the score sheet and see whether it decides the match.

    `points` are what the game pays if it is not for the result and the cube to say.
    """
    paid = game_points(state, result) if points is None else points
    if state.card.contest is Contest.GAMES:
        paid = 1 if result.winner is not None else 0
    game = FinishedGame(result, cube or state.score.cube, paid, reason)
    # Score and cube change at once: the score after the Crawford game is not one of a Crawford game.
    centred = replace(state.score, cube=1, owner=None, automatic_doubles=0, crawford=False)
    won = {side.value: centred.score(side) + paid * (side is result.winner) for side in Side}
    over = state.but(
        phase=Phase.READY,
        score=replace(centred, white=won["white"], black=won["black"]),
        clock=state.clock.stop(now),
        throwing=state.throwing.next_game(state.game_no + 1),
        turn=None,
        rolled=False,
        doubler=None,
        resignation=None,
        proposal=None,
        tried=None,
        # Who won last begins, also after a game without a winner (rule sheet B 45).
        previous_winner=result.winner or state.previous_winner,
        games=(*state.games, game),
        call_at=None if state.event is None else now + state.event.between_games * SECOND,
    )
    then = {
        "game": {"winner": name_or_none(result.winner), "kind": result.kind, "points": paid, "reason": reason}
    }
    winner = over.score.winner
    if winner is None:
        return Outcome(over, then)
    return Outcome(end_match(over, winner, "points", now), then | match_ending(winner, "points"))


def match_ending(winner: Side | None, reason: str) -> dict[str, object]:
    """Return what an event records about the end of the match."""
    return {"match": {"winner": name_or_none(winner), "reason": reason}}


def game_points(state: Session, result: GameResult) -> int:
    """Return what a game that was played out or resigned pays at the cube of `state`."""
    if state.card.settles_by_checker and result.winner is not None and state.position is not None:
        return state.card.units(state.position, result.winner.other) * state.score.cube
    return state.score.points(result)


def largest_loss(state: Session) -> int:
    """The points of the greatest loss at the present cube, 0 without a board: no position costs more.

    A higher cube does not change that, as its offer can be dropped at the present one. Jacoby's rule is left
    aside: the cube may still be turned.
    """
    position = state.position
    if position is None:
        return 0
    free = state.but(score=replace(state.score, jacoby=False))
    return max(
        game_points(free, GameResult(side.other, points, kind))
        for side in Side
        for kind, points in position.variant.losses(position, side).items()
    )


def end_match(state: Session, winner: Side | None, reason: str, now: int) -> Session:
    """End the match; no action is allowed any more."""
    clock = state.clock.stop(now)
    return state.but(phase=Phase.OVER, winner=winner, ending=reason, clock=clock, turn=None, call_at=None)


def claim_time(state: Session, _actor: str, _action: ClaimAction, now: int) -> Outcome[Session]:
    """The running clock has run out: its player loses the match, whatever the score.

    In an event both lose it where neither came to a game: the one clock then runs for both.
    """
    loser = state.clock.fallen(now)
    assert loser is not None
    neither = (
        state.event is not None
        and state.phase in (Phase.READY, Phase.OPENING)
        and len(state.to_act) == len(SIDES)
    )
    winner = None if neither else loser.other
    return Outcome(end_match(state, winner, "time", now), match_ending(winner, "time"))


def forfeit(state: Session, _actor: str, action: ForfeitAction, now: int) -> Outcome[Session]:
    """A player, or both, lose the match for what happened beside the board; the score stays."""
    if action.side not in (*(side.value for side in SIDES), "both"):
        raise Refused.of("actor.unknown")
    if action.reason not in FORFEITS:
        raise Refused.of("forfeit.reason")
    winner = None if action.side == "both" else Side.of(action.side).other
    return Outcome(end_match(state, winner, "forfeit", now), match_ending(winner, "forfeit"))


def credit(state: Session, _actor: str, action: CreditAction, now: int) -> Outcome[Session]:
    """Time in which nothing could be stored, or in which its player is away, is not on the running clock."""
    if action.until is not None:
        if action.ms or action.until <= max(now, state.clock.since):
            raise Refused.of("clock.credit")
        return Outcome(state.but(clock=state.clock.hold(action.until, now)))
    if not 0 < action.ms <= state.clock.elapsed(now):
        raise Refused.of("clock.credit")
    return Outcome(state.but(clock=state.clock.credit(action.ms)))


def abandon(state: Session, _actor: str, action: AbandonAction, now: int) -> Outcome[Session]:
    """A player has left and loses the match, in money play the game in progress.

    An open offer counts as refused.
    """
    if action.side not in (side.value for side in SIDES):
        raise Refused.of("actor.unknown")
    loser = Side.of(action.side)
    ending = match_ending(loser.other, "abandoned")
    if state.card.contest is not Contest.MONEY or state.phase in (Phase.READY, Phase.OPENING):
        return Outcome(end_match(state, loser.other, "abandoned", now), ending)
    assert state.position is not None
    losses = state.position.variant.resignations(state.position, loser)
    if action.kind not in losses:
        raise Refused.of("resign.kind")
    score = state.score
    if state.phase in CUBE_PHASES:
        cube = state.stake * OFFERED[state.phase] // 2
        score = replace(score, cube=cube, owner=loser if cube > score.cube else score.owner)
    at_stake = state.but(score=score)
    result = GameResult(loser.other, losses[action.kind], action.kind)
    ended = end_game(at_stake, result, now, reason="abandoned")
    return Outcome(end_match(ended.state, loser.other, "abandoned", now), {**ended.then, **ending})
