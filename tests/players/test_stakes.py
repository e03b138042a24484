"""The simple bot's heuristics for the cube, resignations and proposals."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh.cli.terminal.match_loop import start_at
from sheshbesh.match.card import Card
from sheshbesh.players import heuristic_bot
from sheshbesh.rules import Side
from sheshbesh.session import Action, DoubleAction, ProposeAction, ResignAction, Session, apply
from sheshbesh.session.state import Proposal

WHITE, BLACK = Side.WHITE, Side.BLACK


def race(own: int, other: int, *, code: str = "backgammon.m", turn: Side = WHITE) -> Session:
    """A match with a race in which the side on roll has `own` pips to go, the other `other`."""
    card = Card.from_code(f"{code}.dice-seeded")
    mine, theirs = (_row(pips) for pips in (own, other))
    white, black = (mine, theirs) if turn is WHITE else (theirs, mine)
    board = {
        "white": {str(point): count for point, count in white.items()},
        "black": {str(25 - point): count for point, count in black.items()},
    }
    position = card.rules.position(board, turn)
    assert (position.pips(turn), position.pips(turn.other)) == (own, other)
    return start_at(Session.new(card, match_id="test", seed="1"), position, None)


def _row(pips: int) -> dict[int, int]:
    """Fifteen checkers at home that have this number of pips to go, 15 to 90."""
    low, more = divmod(pips, 15)
    return {point: count for point, count in ((low, 15 - more), (low + 1, more)) if count}


def test_where_each_checker_is_paid_only_the_favourite_plays_on_for_more() -> None:
    code = "backgammon.settle=per_checker.m"
    state = race(50, 58, code=code)
    assert not heuristic_bot.doubles(state, WHITE)
    assert heuristic_bot.doubles(race(50, 58), WHITE)
    assert heuristic_bot.answers(then(race(50, 53, code=code), WHITE, DoubleAction()), BLACK) == "drop"
    assert heuristic_bot.answers(then(race(53, 50, code=code), WHITE, DoubleAction()), BLACK) == "take"


def then(state: Session, actor: Side, action: Action) -> Session:
    return apply(state, actor, action, 0).state


@pytest.mark.parametrize(
    ("own", "other", "doubles", "takes"),
    [
        (50, 50, False, True),
        (50, 53, False, True),
        (50, 54, True, True),
        (50, 56, True, True),
        (50, 57, True, False),
    ],
)
def test_doubles_at_eight_and_takes_to_twelve(own: int, other: int, *, doubles: bool, takes: bool) -> None:
    state = race(own, other)
    assert heuristic_bot.doubles(state, WHITE) is doubles
    offered = then(state, WHITE, DoubleAction())
    assert heuristic_bot.answers(offered, BLACK) == ("take" if takes else "drop")


def test_a_redouble_needs_nine() -> None:
    state = race(75, 81)
    assert heuristic_bot.doubles(state, WHITE)
    owned = state.but(score=sb.MatchState(cube=2, owner=WHITE))
    assert not heuristic_bot.doubles(owned, WHITE)
    assert heuristic_bot.doubles(race(75, 82).but(score=owned.score), WHITE)


def test_a_drop_that_loses_the_match_is_a_take_and_the_trailer_doubles() -> None:
    state = race(40, 60, code="backgammon.p3")
    assert heuristic_bot.answers(then(state, WHITE, DoubleAction()), BLACK) == "drop"
    last = state.but(score=sb.MatchState(length=3, white=2, black=0))
    behind = race(60, 40, code="backgammon.p3", turn=BLACK).but(score=last.score)
    assert heuristic_bot.doubles(behind, BLACK)
    ahead = state.but(score=sb.MatchState(length=3, white=2, black=0, allow_dead_double=True))
    assert heuristic_bot.answers(then(ahead, WHITE, DoubleAction()), BLACK) == "take"


def test_a_beaver_for_a_double_from_behind() -> None:
    state = race(60, 50, code="backgammon.m.beavers")
    assert heuristic_bot.answers(then(state, WHITE, DoubleAction()), BLACK) == "beaver"
    assert heuristic_bot.answers(then(race(60, 50), WHITE, DoubleAction()), BLACK) == "take"


def test_a_single_is_not_enough_where_a_gammon_is_nearly_certain() -> None:
    card = Card.from_code("backgammon.m.nojacoby.dice-seeded")
    board = {"white": {"13": 15}, "black": {"23": 2}, "black_off": 13}
    position = card.rules.position(board, WHITE)
    state = start_at(Session.new(card, match_id="test", seed="1"), position, None)
    single, gammon = (then(state, WHITE, ResignAction(kind)) for kind in ("single", "backgammon"))
    assert not heuristic_bot.accepts_resignation(single)
    assert heuristic_bot.accepts_resignation(gammon)
    assert heuristic_bot.accepts_resignation(then(race(50, 20), WHITE, ResignAction("single")))
    # Under Jacoby's rule a gammon is none before the cube was turned.
    assert heuristic_bot.accepts_resignation(single.but(score=sb.MatchState()))


@pytest.mark.parametrize(
    ("own", "other", "what", "points", "agrees"),
    [
        (50, 50, "settle", 0, True),
        (50, 50, "settle", 1, False),
        (50, 80, "settle", 1, True),
        (80, 50, "settle", 0, False),
        (80, 50, "settle", -1, True),
        (80, 50, "draw", 0, False),
        (80, 50, "pause", 0, True),
    ],
)
def test_a_proposal_is_weighed_by_the_race(
    own: int, other: int, what: str, points: int, *, agrees: bool
) -> None:
    state = then(race(own, other), WHITE, ProposeAction(what, points))
    assert heuristic_bot.accepts_proposal(state, BLACK) is agrees


@pytest.mark.parametrize(("white", "black", "agrees"), [(0, 0, True), (2, 1, True), (1, 2, False)])
def test_a_match_is_not_drawn_by_the_side_that_leads_it(white: int, black: int, *, agrees: bool) -> None:
    state = race(50, 50)
    score = sb.MatchState(length=5, white=white, black=black)
    proposed = state.but(score=score, proposal=Proposal(Side.WHITE, "draw"))
    assert heuristic_bot.accepts_proposal(proposed, Side.BLACK) is agrees
