"""The clock of a chouette: one for each side, fresh in each game, and what a game that is lost on time costs.

It is the clock of the board, which runs as in a match; what is different are the cubes, of which several
may wait at once. While any waits, the clock of the side runs that has to answer, as after a double in a
match. Where both sides have (one cube was beavered, another is not answered yet), it is that of the side
which is not on roll: it was asked first, and the other one cannot be held up by what it owes itself. Every
answer has an allowance of its own; with the last one the turn goes on with what was left of its allowance.

A side whose time has run out has lost the game, and no more than that: the chouette goes on. Every member
still playing settles with the box at their cube for the least that this game can be lost at. Cubes that this
side has not answered count as refused.
"""

from __future__ import annotations

from sheshbesh.rules import GameResult, Side
from sheshbesh.session.chouette.state import Chouette
from sheshbesh.session.clock import Clock
from sheshbesh.session.game_course import end_game, game_points, timed
from sheshbesh.session.table_state import Outcome


def answering(table: Chouette) -> Side | None:
    """The side whose clock runs because it has cubes to answer; None while none waits."""
    owing = {member.offered.other for member in table.playing if member.offered is not None}
    on_roll = table.board.on_roll
    if not owing or on_roll is None:
        return None
    return on_roll.other if on_roll.other in owing else on_roll


def asked(before: Chouette, after: Chouette, now: int) -> Chouette:
    """Cubes were turned: the turn waits for the other side's clock, unless it does already."""
    side = answering(after)
    if before.is_asking or side is None:
        return after
    return _with_clock(after, after.board.clock.ask(side, now))


def answered(before: Chouette, after: Chouette, by: Side, now: int) -> Chouette:
    """A cube was answered by a person of `by`: the next answer is waited for, or the turn goes on.

    `before` and `after` are the tables around it. The answer of a side whose clock does not run changes none.
    """
    board = after.board
    if not before.is_asking or board.on_roll is None:
        return after
    clock, side = board.clock, answering(after)
    if side is None:
        resumed = board.but(clock=clock.answered(board.on_roll, now))
        # A captain who has none of the dice's chains may have come in meanwhile.
        return after.but(board=timed(resumed, now))
    if side is clock.running and by is not side:
        return after
    return _with_clock(after, clock.ask_back(side, now))


def _with_clock(table: Chouette, clock: Clock) -> Chouette:
    return table.but(board=table.board.but(clock=clock))


def lost_on_time(table: Chouette, loser: Side, now: int) -> Outcome[Chouette]:
    """`loser`'s time has run out: the game is settled with each member who still plays, the seats move."""
    board = table.board
    assert board.position is not None
    losses = board.position.variant.losses(board.position, loser)
    kind = min(losses, key=losses.__getitem__)
    result = GameResult(loser.other, losses[kind], kind)
    ended = end_game(board, result, now, reason="time")
    over = table.but(board=ended.state)
    for member in table.playing:
        refused = member.offered is loser.other
        at_cube = board.but(score=member.score)
        points = member.score.points("drop") if refused else game_points(at_cube, result)
        over = over.pay(member, points, loser.other)
    return Outcome(over.game_over(now), ended.then)
