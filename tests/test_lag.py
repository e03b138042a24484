"""What slow lines cost: the quota from which their time is given back."""

from __future__ import annotations

import pytest

from sheshbesh.errors import RecordError
from sheshbesh.match import ClockSettings
from sheshbesh.rules import Side
from sheshbesh.session import (
    Clock,
    DoubleAction,
    LagQuota,
    Outcome,
    PlayAction,
    Record,
    RollAction,
    Session,
    apply,
)
from tests.session_help import WHITE, S, Table

KHALILI = ClockSettings.from_code("d12-120")


def bank_lost(lag: int, *, thinking: int = 12 * S, turns: int = 60) -> int:
    """What `turns` of one player cost their bank, where each message takes `lag` there and back."""
    clock = Clock.fresh(KHALILI, 5)
    bank, now = clock.bank(Side.WHITE, 0), 0
    for _ in range(turns):
        clock = clock.start_turn(Side.WHITE, now)
        now += thinking + lag
        clock = clock.give_back(lag, now).start_turn(Side.BLACK, now)
        now += S
    return bank - clock.bank(Side.WHITE, now)


@pytest.mark.parametrize("lag", [0, 50, 100, 200, 400, 800])
def test_an_ordinary_line_costs_no_bank_even_if_every_turn_takes_the_whole_delay(lag: int) -> None:
    assert bank_lost(lag) == 0


def test_a_bad_line_costs_what_the_quota_does_not_hold() -> None:
    assert bank_lost(1500) == 28 * S
    assert bank_lost(3000) == 118 * S
    # The delay takes it, where the turns are not all so long.
    assert bank_lost(1500, thinking=10 * S) == 0


@pytest.mark.parametrize(
    ("code", "length", "gain"),
    [("d12-120", 5, 1000), ("t30", None, 1000), ("f0-30", 1, 270), ("b1-10", 1, 350), ("t0.1", None, 166)],
)
def test_the_quota_follows_the_time_of_the_match(code: str, length: int | None, gain: int) -> None:
    quota = LagQuota.fresh(ClockSettings.from_code(code), length)
    assert (quota.gain, quota.left) == (gain, 3 * gain)


def test_a_line_that_is_bad_all_of_a_sudden_has_little_in_its_quota() -> None:
    quota = LagQuota.fresh(KHALILI, 5)
    for _ in range(20):
        quota = quota.after(30, 5 * S)
    assert quota.left == 7 * 170
    given = []
    for _ in range(4):
        quota = quota.after(5 * S, 8 * S)
        given.append(quota.given)
    assert given == [1190, 1000, 1000, 1000]
    assert quota.total == 20 * 30 + sum(given)


def test_no_more_is_given_back_than_was_used() -> None:
    quota = LagQuota.fresh(KHALILI, 5).after(800, 300)
    assert quota.given == 300
    assert LagQuota.fresh(KHALILI, 5).after(-5, 300).given == 0


def at_white_move(code: str) -> Table:
    table = Table(code).begin(5, 3)
    assert table.on_roll == WHITE
    return table


def play(table: Table, *, after: int, lag: int) -> Outcome[Session]:
    assert table.state.turn is not None
    table.now += after
    action = PlayAction(table.state.turn.plays()[0].notation)
    done = apply(table.state, WHITE, action, table.now, lag=lag)
    table.state = done.state
    table.events.append(done.event)
    return done


def test_what_was_given_back_stands_in_the_event_and_replay_gives_the_same_clocks() -> None:
    table = at_white_move("backgammon.p1.clock-f0-30")
    done = play(table, after=2 * S, lag=200)
    assert done.event.lag == 200
    assert done.state.clock.bank(Side.WHITE, table.now) == 30 * S - (2 * S - 200)
    text = table.record().to_text()
    assert '"lag":200' in text
    assert Record.from_text(text).replay() == table.state
    # More than the quota held, or than the turn took, cannot have been given back.
    for told in (900, 2001, -3):
        with pytest.raises(RecordError, match="does not tell the truth about lag"):
            Record.from_text(text.replace('"lag":200', f'"lag":{told}')).replay()


def test_a_move_that_was_under_way_when_time_ran_out_counts() -> None:
    table = at_white_move("backgammon.p1.clock-t1")
    early = table.fork()
    assert early.rule(WHITE, PlayAction("8/3 6/3"), after=S + 150) == "clock.expired"
    assert play(table, after=S + 150, lag=200).event.lag == 200
    # A player who is in time is not asked how long it took.
    assert play(at_white_move("backgammon.p1.clock-t1"), after=10, lag=0).event.lag == 0


def test_only_the_end_of_a_turn_is_compensated_and_only_for_whose_clock_runs() -> None:
    table = Table("backgammon.m.clock-d12-120").begin(5, 3).play()
    side = table.on_roll
    thrown = apply(table.state, side, RollAction(), table.now + 500, lag=300)
    assert thrown.event.lag == 0
    doubled = apply(table.state, side, DoubleAction(), table.now + 500, lag=300)
    assert doubled.event.lag == 300
