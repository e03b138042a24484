"""The simple bot for every game: plays by a one-ply heuristic, decides the stake by heuristics.

It takes the play that the careful one of the hand-written players likes best, so a user's own game has
an opponent too, whether there is a net that could play it or not.

The heuristics count a race, in every game and position alike: double when ahead by 8 in a hundred of
one's own pips, redouble at 9, take when behind by no more than 12. A checker that is held fast, on the bar
or under an enemy, counts for a throw more. Where a game pays one unit for each checker left, a drop costs
one and a lost game some seven: a side that is behind at all drops, so a double only ends games that would
have brought more. It is not made.
"""

from __future__ import annotations

import random

from sheshbesh.engines import written
from sheshbesh.match.card import Contest
from sheshbesh.rules import GameResult, Play, Position, Roll, Side
from sheshbesh.rules.notation import BAR, OFF
from sheshbesh.session import Phase, Session
from sheshbesh.session.game_course import game_points

_PLAYER = "careful"


def choose(position: Position, dice: Roll | None, chance: random.Random) -> Play:
    """Choose a play of `dice`; of what is owed, a double to be named included, without dice."""
    plays = position.legal_plays(dice)
    if len(plays) == 1:
        return plays[0]
    judge = written.values(_PLAYER, position.variant)
    reached = [play.result for play in plays]
    values = [judge.value(each._core) for each in reached]
    # A little chance decides between equal plays; otherwise the first one listed would always be made.
    values = [
        (value if each.turn is position.turn else -value) + chance.random() * 1e-3
        for value, each in zip(values, reached, strict=True)
    ]
    return plays[values.index(max(values))]


_DOUBLE, _REDOUBLE, _TAKE = 8, 9, 12
_THROW = 8
"""The pips of an average throw, about."""


def race(position: Position, side: Side) -> int:
    """The pips a side has to go, with a throw more for each of its checkers that is held fast."""
    held = position.counts(side)[BAR] + len(position.pinned(side))
    return position.pips(side) + _THROW * held


def lead(position: Position, side: Side) -> float:
    """Return how far a side is ahead, in hundredths of its own way; negative if it is behind."""
    own = max(race(position, side), 1)
    return 100 * (race(position, side.other) - own) / own


def doubles(state: Session, side: Side) -> bool:
    """Decide whether to turn the cube, if that is allowed."""
    assert state.position is not None
    if state.card.settles_by_checker:
        return False
    if state.score.away(side.other) == 1:
        return True  # a lost game loses the match whatever the stake
    return lead(state.position, side) >= (_DOUBLE if state.score.owner is None else _REDOUBLE)


def answers(state: Session, side: Side) -> str:
    """Decide what to say to an open double or beaver: "take", "drop" or "beaver"."""
    assert state.position is not None
    ahead = lead(state.position, side.other)
    away = state.score.away(side.other)
    if away is not None and state.stake >= away:
        return "take"  # a drop would lose the match
    if state.card.settles_by_checker:
        return answer_by_checker(ahead=ahead < 0)
    if "beaver" in state.allowed(side) and ahead < 0:
        return "beaver"
    # With the cube turned back by the other side there is no heuristic: as for a first double.
    on_roll = state.on_roll is side
    return "take" if on_roll or ahead <= _TAKE else "drop"


def answer_by_checker(*, ahead: bool) -> str:
    """Decide what to say to a double where each checker left is paid; `ahead`: whether one is the
    favourite."""
    return "take" if ahead else "drop"


def accepts_resignation(state: Session) -> bool:
    """Decide whether to take the points: unless more of them are nearly certain."""
    offer, position = state.resignation, state.position
    assert offer is not None and position is not None
    return pays_the_most(state) or not is_far_behind(position, offer.by)


def pays_the_most(state: Session) -> bool:
    """Return True if a resignation gives all that can still be won at the present cube.

    So does a plain game with which the match is won, in a match that counts games, and where Jacoby's
    rule lowers all results to it.
    """
    offer, position = state.resignation, state.position
    assert offer is not None and position is not None
    if state.card.contest is Contest.GAMES:
        return True
    winner = offer.by.other
    away = state.score.away(winner)

    def paid(kind: str, points: int) -> int:
        gained = game_points(state, GameResult(winner, points, kind))
        return gained if away is None else min(gained, away)

    largest = max(paid(*each) for each in position.variant.resignations(position, offer.by).items())
    return paid(offer.kind, offer.points) >= largest


def is_far_behind(position: Position, side: Side) -> bool:
    """Return True if a side will hardly bear off a checker before the other has borne off all."""
    own = position.counts(side)
    if own[OFF]:
        return False
    # The way into the home board, where the last six points are, and one checker off.
    needed = sum(count * (point - 6) for point, count in enumerate(own[: BAR + 1]) if point > 6) + 1
    return needed > position.pips(side.other) + _THROW


def gives_up_lead(state: Session, side: Side) -> bool:
    """Return True if the draw that is proposed takes a match away from a side that leads it."""
    proposal, score = state.proposal, state.score
    is_draw = proposal is not None and proposal.what == "draw"
    return is_draw and not score.is_money and score.score(side) > score.score(side.other)


def accepts_proposal(state: Session, side: Side) -> bool:
    """Decide whether to agree: to every pause, to an end between games, and to a fair settlement of a race.

    A match is not drawn by a side that is ahead in it.
    """
    proposal, position = state.proposal, state.position
    assert proposal is not None
    if gives_up_lead(state, side):
        return False
    if proposal.what == "pause" or state.phase is Phase.READY:
        return True
    assert position is not None
    ahead = lead(position, side)
    chance = min(max(0.5 + ahead / 40, 0.0), 1.0)
    value = (2 * chance - 1) * state.score.cube
    offered = -proposal.points if proposal.what == "settle" else 0
    return offered >= value
