"""What leaving a game costs, by the position and never in the favour of who leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

import pytest

import sheshbesh as sb
from sheshbesh.cli.terminal.match_loop import start_at
from sheshbesh.engines import Classes, Outcome
from sheshbesh.match.card import Card
from sheshbesh.players.settlement import Settlement, settle
from sheshbesh.rules import Position, Side
from sheshbesh.session import Session

WHITE, BLACK = Side.WHITE, Side.BLACK


class Knowing:
    """A judge to whom the game is a plain, a gammon and a backgammon lost by these shares."""

    def __init__(self, *lost: float) -> None:
        self.lost = lost

    def evaluate(
        self, position: Position, match: sb.MatchState | None = None, *, plies: int | None = None
    ) -> Outcome:
        table = Classes.of(position.variant)
        return Outcome.weigh(table, (1 - sum(self.lost), 0.0, 0.0, *self.lost))

    def rank(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("only the value of the position counts")

    def cubeful_equity(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("only the value of the position counts")

    def cube(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("only the value of the position counts")

    def explain(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("only the value of the position counts")


def at(position: Position, code: str = "backgammon.m.nojacoby") -> Session:
    card = Card.from_code(f"{code}.dice-seeded")
    return start_at(Session.new(card, match_id="test", seed="1"), position, None)


START = sb.variant("backgammon").start()


def test_the_price_is_the_lowest_that_costs_no_less_than_playing_on() -> None:
    state = at(START)
    for lost, kind, expected in (
        ((0.4, 0.1, 0.0), "single", 0.1),
        ((0.4, 0.6, 0.0), "gammon", 1.6),
        ((0.0, 0.6, 0.4), "backgammon", 2.4),
    ):
        found = settle(state, WHITE, Knowing(*lost))
        assert found is not None
        assert found.kind == kind
        assert found.expected == pytest.approx(expected)


def test_it_is_the_other_sides_gain_when_that_side_is_on_roll() -> None:
    state = at(START)
    found = settle(state, BLACK, Knowing(1.0, 0.0, 0.0))
    assert found == Settlement(BLACK, "single", 1, -1.0), (
        "a player who leaves a won game loses it all the same"
    )


def test_without_a_judge_what_is_nearly_certain_counts() -> None:
    board = {"white": {"23": 2, "13": 13}, "black": {"24": 2}, "black_off": 13}
    lost = sb.variant("backgammon").position(board, BLACK)
    found = settle(at(lost), WHITE)
    assert found is not None
    assert (found.kind, found.expected) == ("gammon", None)
    assert settle(at(START), WHITE) == Settlement(WHITE, "single", 1)


def test_where_the_table_pays_no_gammons_the_price_is_a_plain_game() -> None:
    board = {"white": {"23": 2, "13": 13}, "black": {"24": 2}, "black_off": 13}
    lost = sb.variant("backgammon").position(board)
    under_jacoby, without = at(lost, "backgammon.m"), at(lost)
    for judge in (None, Knowing(0.1, 0.9, 0.0)):
        found, dearer = settle(under_jacoby, WHITE, judge), settle(without, WHITE, judge)
        assert found is not None and dearer is not None
        assert (found.kind, dearer.kind) == ("single", "gammon")
    turned = replace(under_jacoby.score, cube=2, owner=BLACK)
    found = settle(under_jacoby.but(score=turned), WHITE, Knowing(0.1, 0.9, 0.0))
    assert found is not None and found.kind == "gammon", "a turned cube makes gammons count"


def test_where_checkers_are_counted_all_that_are_left_are_paid() -> None:
    state = at(sb.variant("tawla31").start(), "tawla31.p1")
    found = settle(state, BLACK)
    assert found is not None
    assert found.points == 15


def test_between_games_there_is_nothing_to_lose() -> None:
    assert settle(Session.new(Card.from_code("backgammon.p1")), WHITE) is None
