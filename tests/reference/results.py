"""Results, read from the position alone."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.position import COLOURS, MIRROR, Colour, Position, Side, mother_is_lost, other
from tests.reference.rules import Axes, Rules, read_axes


class Result(NamedTuple):
    """How a game ended: points are those of the winner, before any cube."""

    winner: Colour | None
    points: int
    kind: str


TIE = Result(None, 0, "tie")


def result(axes: Axes | Rules, pos: Position) -> Result | None:
    """Return how the game has ended, or None while it goes on."""
    rules = read_axes(axes)
    return _by_mother(rules, pos) or _by_bearing_off(rules, pos) or _by_closed_area(rules, pos)


def ends_play(rules: Rules, mine: Side, theirs: Side) -> bool:
    """Whether a step that led here ends the play: the mover has borne off or a mother decides."""
    if mine.off == rules.checkers:
        return True
    if rules.mother == "off" or not (mine.pinned or theirs.pinned):
        return False
    if 24 in mine.pinned and 24 in theirs.pinned:
        return True
    decided = mother_is_lost(mine, theirs) or mother_is_lost(theirs, mine)
    return decided and rules.mother == "at_once"


def _by_mother(rules: Rules, pos: Position) -> Result | None:
    if rules.mother == "off":
        return None
    if 24 in pos.white.pinned and 24 in pos.black.pinned:
        return TIE
    if rules.mother != "at_once":
        return None
    if mother_is_lost(pos.white, pos.black):
        return Result("black", rules.mother_points, "mother")
    if mother_is_lost(pos.black, pos.white):
        return Result("white", rules.mother_points, "mother")
    return None


def _by_bearing_off(rules: Rules, pos: Position) -> Result | None:
    done = [colour for colour in COLOURS if pos.side(colour).off == rules.checkers]
    if not done:
        return None
    if len(done) == 2:
        if rules.last_roll_tie:
            return TIE
        winner = other(pos.turn)
    else:
        winner = done[0]
        if rules.last_roll_tie and winner == pos.starter and pos.turn != winner:
            return None  # the second player still has a last turn
    lost = [colour for colour in COLOURS if pos.side(colour).lost]
    if len(lost) == 1:
        return Result(other(lost[0]), rules.mother_points, "mother")
    return _classified(rules, pos, winner)


def _by_closed_area(rules: Rules, pos: Position) -> Result | None:
    if not rules.closed_area:
        return None
    for closer in (other(pos.turn), pos.turn):
        mine, theirs = pos.side(closer), pos.side(other(closer))
        closed = all(mine.points[19:25])
        arrived = any(theirs.points[1:7]) or theirs.off > 0
        if closed and not arrived and not rules.closed_area_wins:
            return TIE
        if closed and not arrived:
            return _classified(rules, pos, closer)._replace(kind="closed_area")
    return None


def _classified(rules: Rules, pos: Position, winner: Colour) -> Result:
    """Return the winner's points by the state of the loser's checkers."""
    loser = pos.side(other(winner))
    if rules.left != "off":
        return Result(winner, rules.checkers - loser.off, rules.left)
    if loser.off == 0:
        all_home = loser.bar == 0 and loser.hand == 0 and not any(loser.points[7:25])
        winners_home = [MIRROR[rules.movement][point] for point in range(1, 7)]
        behind = loser.bar > 0 or any(loser.points[point] for point in winners_home)
        if rules.koks and loser.points[24]:
            return Result(winner, rules.koks, "koks")
        if rules.home_mars and all_home:
            return Result(winner, rules.home_mars, "home_mars")
        if rules.backgammon and behind:
            return Result(winner, rules.backgammon, "backgammon")
        if rules.gammon:
            return Result(winner, rules.gammon, "gammon")
    return Result(winner, rules.single, "single")
