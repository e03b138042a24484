"""The course of a match: readiness, opening draws, throws, the end of games and of the match."""

from __future__ import annotations

from dataclasses import replace

from sheshbesh.match.card import Contest
from sheshbesh.match.state import MatchState
from sheshbesh.rules import GameResult, Refusal, Roll, Side
from sheshbesh.rules.side import SIDES, name_or_none
from sheshbesh.session import throws
from sheshbesh.session.actions import AbandonAction, BreakAction, ClaimAction, CreditAction, ReadyAction
from sheshbesh.session.phases import CUBE_PHASES, OFFERED, SERVER, Phase
from sheshbesh.session.refusals import refuse
from sheshbesh.session.state import FinishedGame, Session, Transition, add

# Between games


def ready(state: Session, actor: str, action: ReadyAction, now: int) -> Transition | Refusal:
    """A player (or the server's dice) is ready; the last one starts the game."""
    step = state.throwing.commit(actor, action.anchor)
    if isinstance(step, Refusal):
        return step
    present = state.ready if actor == SERVER else state.ready | {Side.of(actor)}
    waiting = state.but(throwing=step.throwing, ready=present)
    if len(present) < len(SIDES) or step.throwing.needs_anchor(SERVER):
        missing = [side for side in SIDES if side not in present]
        if state.card.clock.is_correspondence and len(missing) == 1:
            # Who keeps the other waiting for days loses time between games, too.
            waiting = waiting.but(clock=state.clock.start_turn(missing[0], now))
        return add(Transition(waiting), transcript=list(step.transcript))
    transition = _begin_game(waiting, now)
    if isinstance(transition, Refusal):
        return transition
    transcript = [*step.transcript, *waiting.throwing.announced()]
    return add(transition, transcript=[*transcript, *transition.then.get("transcript", ())])


def _begin_game(state: Session, now: int) -> Transition | Refusal:
    begun = state.but(
        game_no=state.game_no + 1,
        draws=(),
        ready=frozenset(),
        break_until=None,
        proposal=None,
        score=_next_score(state),
        clock=state.clock.stop(now),
        crawford_played=state.crawford_played or _is_crawford_next(state),
    )
    opening = begun.card.rules.axes["opening"]
    later = opening["later"] if begun.game_no > 1 else "roll"
    known = {"winner": state.previous_winner, "alternate": state.starter}.get(str(later))
    if known is None:
        return throws.opened(begun.but(phase=Phase.OPENING), begun.throwing.begin(None))
    draw = begun.card.rules.opening(
        game_no=begun.game_no, previous_winner=state.previous_winner, previous_starter=state.starter
    )
    assert draw.starter is not None
    return throws.start(begun, draw.starter, now)


def _next_score(state: Session) -> MatchState:
    return replace(state.score, cube=1, owner=None, crawford=_is_crawford_next(state), automatic_doubles=0)


def _is_crawford_next(state: Session) -> bool:
    """Whether the next game is the Crawford game: the first after a side came within one point."""
    card = state.card
    if not (card.crawford and card.has_cube and card.contest is Contest.POINTS) or state.crawford_played:
        return False
    # In a match to one point no side comes within one point: both begin there.
    return card.length != 1 and any(state.score.away(side) == 1 for side in SIDES)


def take_break(state: Session, actor: str, _action: BreakAction, now: int) -> Transition | Refusal:
    """Take a break between games; `break_until` says when it is over."""
    index = SIDES.index(Side.of(actor))
    taken = tuple(count + (i == index) for i, count in enumerate(state.breaks))
    until = max(now, state.break_until or 0) + state.card.clock.break_length
    return Transition(state.but(breaks=(taken[0], taken[1]), break_until=until), {"until": until})


# After a play


def after_play(state: Session, mover: Side, link: str | None, now: int) -> Transition | Refusal:
    """Go on with the position after a confirmed play: what is owed, the next player, or the end."""
    position = state.position
    assert position is not None
    result = position.result
    if result is not None:
        return end_game(state, result, now)
    goes_on = position.turn is mover
    after = state.but(
        phase=Phase.ROLL,
        turn=None,
        rolled=state.rolled and goes_on,
        clock=state.clock if goes_on else state.clock.start_turn(position.turn, now),
    )
    owed = position.pending
    if owed is None:
        return throws.next_throw(after, mover, link, now)
    if owed.choose is not None:
        return Transition(after.but(phase=Phase.CHOOSE))
    return Transition(throws.show_dice(after, Roll(owed.steps[0], owed.steps[-1])))


# Ends


def end_game(
    state: Session,
    result: GameResult,
    now: int,
    *,
    points: int | None = None,
    cube: int | None = None,
    reason: str = "played",
) -> Transition:
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
        # Who won last begins, also after a game without a winner (rule sheet B 45).
        previous_winner=result.winner or state.previous_winner,
        games=(*state.games, game),
    )
    then = {
        "game": {"winner": name_or_none(result.winner), "kind": result.kind, "points": paid, "reason": reason}
    }
    winner = over.score.winner
    if winner is None:
        return Transition(over, then)
    return Transition(end_match(over, winner, "points", now), then | match_ending(winner, "points"))


def match_ending(winner: Side | None, reason: str) -> dict[str, object]:
    """What an event records about the end of the match."""
    return {"match": {"winner": name_or_none(winner), "reason": reason}}


def game_points(state: Session, result: GameResult) -> int:
    """What a game that was played out or resigned pays at the cube of `state`."""
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
    return state.but(phase=Phase.OVER, winner=winner, ending=reason, clock=state.clock.stop(now), turn=None)


def claim_time(state: Session, _actor: str, _action: ClaimAction, now: int) -> Transition | Refusal:
    """The running clock has run out: its player loses the match, whatever the score."""
    loser = state.clock.fallen(now)
    assert loser is not None
    return Transition(end_match(state, loser.other, "time", now), match_ending(loser.other, "time"))


def credit(state: Session, _actor: str, action: CreditAction, now: int) -> Transition | Refusal:
    """Time in which nothing could be stored, or in which its player is away, is not on the running clock."""
    if action.until is not None:
        if action.ms or action.until <= max(now, state.clock.since):
            return refuse("clock.credit")
        return Transition(state.but(clock=state.clock.hold(action.until, now)))
    if not 0 < action.ms <= state.clock.elapsed(now):
        return refuse("clock.credit")
    return Transition(state.but(clock=state.clock.credit(action.ms)))


def abandon(state: Session, _actor: str, action: AbandonAction, now: int) -> Transition | Refusal:
    """A player has left and loses the match, in money play the game in progress.

    An open offer counts as refused.
    """
    if action.side not in (side.value for side in SIDES):
        return refuse("actor.unknown")
    loser = Side.of(action.side)
    ending = match_ending(loser.other, "abandoned")
    if state.card.contest is not Contest.MONEY or state.phase in (Phase.READY, Phase.OPENING):
        return Transition(end_match(state, loser.other, "abandoned", now), ending)
    assert state.position is not None
    losses = state.position.variant.resignations(state.position, loser)
    if action.kind not in losses:
        return refuse("resign.kind")
    score = state.score
    if state.phase in CUBE_PHASES:
        cube = state.stake * OFFERED[state.phase] // 2
        score = replace(score, cube=cube, owner=loser if cube > score.cube else score.owner)
    at_stake = state.but(score=score)
    result = GameResult(loser.other, losses[action.kind], action.kind)
    ended = end_game(at_stake, result, now, reason="abandoned")
    return Transition(end_match(ended.state, loser.other, "abandoned", now), {**ended.then, **ending})
