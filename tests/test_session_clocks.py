"""Clocks of matches in progress, kinds of contest."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh.rules import Side
from sheshbesh.session import (
    AcceptAction,
    BeaverAction,
    BreakAction,
    ClaimAction,
    DiceAction,
    DoubleAction,
    DropAction,
    Phase,
    ReadyAction,
    RefuseAction,
    ResignAction,
    RollAction,
    TakeAction,
)
from tests.session_help import BLACK, OTHER, WHITE, S, Table, play_one

# Clocks


def test_whose_clock_runs() -> None:
    table = Table("backgammon.m.beavers.clock-d12-120").begin()

    def running() -> Side | None:
        return table.state.clock.running

    assert running() is Side.WHITE
    table.play()
    assert running() is Side.BLACK
    table.do(BLACK, DoubleAction(), after=5 * S)
    assert running() is Side.WHITE  # the doubler starts the other's clock
    table.do(WHITE, BeaverAction())
    assert running() is Side.BLACK
    table.do(BLACK, TakeAction())
    assert running() is Side.BLACK
    assert table.state.clock.allowance == 7 * S  # what was left of Black's turn
    table.do(BLACK, ResignAction())
    assert running() is Side.WHITE  # who is asked thinks on their own time
    table.do(WHITE, RefuseAction())
    assert running() is Side.BLACK
    table.do(WHITE, ResignAction())  # in Black's turn: Black's clock goes on
    assert running() is Side.BLACK
    table.do(BLACK, AcceptAction())
    assert running() is None


def test_a_drop_stops_the_clocks_until_the_next_game() -> None:
    table = Table("backgammon.p7.clock-d12-120").begin().doubles(BLACK, DropAction())
    assert table.state.clock.running is None
    table.ready()
    assert table.state.clock.running is None
    table.do(WHITE, DiceAction(6, 5), after=10_000 * S)
    assert table.state.clock.running is Side.WHITE


@pytest.mark.parametrize("claimer", [BLACK, "server"])
def test_a_bank_at_zero_loses_the_match_even_when_ahead(claimer: str) -> None:
    table = Table("backgammon.p3.clock-d12-10")
    play_one(table, WHITE, 2, cube=False)
    table.begin()
    table.do(claimer, ClaimAction(), after=42 * S)
    assert (table.state.winner, table.state.ending, table.score) == (Side.BLACK, "time", (2, 0))


def test_the_silent_side_loses_time_not_the_roller() -> None:
    """Strict dice: after the roll the waiting player's share is missing, and that player's clock runs."""
    table = Table("backgammon.p5.clock-d12-120.dice-strict").ready().draw()
    roller, silent = Side.of(table.on_roll), Side.of(table.on_roll).other
    table.do(roller.value, table.dressed(RollAction()), after=5 * S)
    assert (table.phase, table.state.to_act) == (Phase.THROWING, (silent,))
    assert table.state.clock.running is silent
    assert table.state.clock.bank(silent, table.now + 13 * S) == 599 * S
    actor, link = next(iter(table.keeper.due_actions(table.state)))
    assert actor == silent
    table.do(actor, link, after=20 * S)
    assert table.state.clock.running is None  # the server's share is nobody's time
    table.now += 1000 * S
    table.due_actions()
    assert (table.phase, table.state.clock.running) == (Phase.MOVE, roller)
    assert table.state.clock.allowance == 7 * S
    assert table.state.clock.bank(silent, table.now) == 592 * S


def test_with_days_a_turn_who_is_not_ready_or_has_not_thrown_loses_time_too() -> None:
    table = Table("backgammon.p3.clock-t86400.dice-strict")
    table.do(WHITE, table.keeper.with_share(table.state, Side.WHITE, ReadyAction()))
    assert table.state.clock.running is Side.BLACK
    quick = Table("backgammon.p3.clock-t3600.dice-strict")
    quick.do(WHITE, quick.keeper.with_share(quick.state, Side.WHITE, ReadyAction()))
    assert quick.state.clock.running is None
    table.now += 86_400 * S
    table.do(WHITE, ClaimAction())
    assert (table.state.winner, table.state.ending) == (Side.WHITE, "time")


def test_a_clock_that_was_set_back_dates_no_event_before_the_last() -> None:
    table = Table("backgammon.p5.clock-d12-120").begin()
    table.now = 5 * S
    assert table.play().events[-1].at == 5010
    table.now = 0
    assert table.throw().events[-1].at == 5010
    assert table.record().replay() == table.state


@pytest.mark.parametrize("card", ["backgammon.p7.clock-d12-120", "backgammon.p7"])
def test_breaks(card: str) -> None:
    """One in matches to 7 to 11, with a clock or without (B 47)."""
    table = Table(card).begin().resigns(WHITE)
    assert table.state.breaks_left(Side.WHITE) == 1
    event = table.do(WHITE, BreakAction())
    assert event.then["until"] == table.now + 300 * S
    assert table.rule(WHITE, BreakAction()) == "break.none_left"
    table.do(BLACK, BreakAction())
    assert table.state.break_until == event.then["until"] + 300 * S
    table.begin()
    assert table.state.break_until is None


# Kinds of contest


def test_the_most_of_five_hands() -> None:
    table = Table("tavla.g5")
    for winner, kind in ((WHITE, "gammon"), (BLACK, "single"), (WHITE, "single"), (WHITE, "gammon")):
        assert table.phase is not Phase.OVER
        table.begin().resigns(OTHER[winner], kind)
    assert (table.score, table.state.winner) == ((3, 1), Side.WHITE)


def test_a_match_of_games_has_no_cube() -> None:
    table = Table("backgammon.g3").begin().to_roll(BLACK)
    assert table.rule(BLACK, DoubleAction()) == "cube.none"


def test_thirty_one_by_counting_checkers() -> None:
    table = Table("tawla31.p31", seed="31")
    while table.phase is not Phase.OVER:
        if table.phase is Phase.READY:
            table.ready()
        elif table.phase is Phase.MOVE:
            table.play()
        else:
            table.do(table.state.to_act[0].value, RollAction())
    sums = dict.fromkeys(Side, 0)
    for game in table.state.games:
        assert game.result.winner is not None
        assert max(sums.values()) < 31
        sums[game.result.winner] += game.points
        assert game.result.kind in ("count", "closed_area") and 1 <= game.points <= 15
    assert max(sums.values()) >= 31
    assert table.score == (sums[Side.WHITE], sums[Side.BLACK])


def test_money_settled_by_the_checkers_left() -> None:
    table = Table("backgammon.settle=per_checker.m").begin().doubles(BLACK).resigns(WHITE)
    assert table.score == (0, 30)


def test_money_settled_by_the_checkers_at_home_pays_for_one_at_least() -> None:
    at_home = Table("backgammon.settle=per_checker_home.m").begin().doubles(BLACK).resigns(WHITE)
    assert at_home.score == (0, 10)
    none_home = Table("tapa.settle=per_checker_home.m").begin()
    loser = OTHER[none_home.on_roll]
    assert sum(none_home.resigns(loser).score) == 1


@pytest.mark.parametrize("game", sb.variants())
def test_every_value_a_game_can_be_resigned_at(game: str) -> None:
    start = Table(f"{game}.p99").begin()
    assert start.state.position is not None
    loser = OTHER[start.on_roll]
    for kind, points in start.state.position.variant.resignations(start.state.position, loser).items():
        table = start.fork()
        table.resigns(loser, kind)
        assert sum(table.score) == points
