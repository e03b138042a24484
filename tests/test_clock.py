"""The clock, case by case: what each tick costs and whom. Times in seconds for reading, `S` to the ms.

Source of the cases: Khalili (004), p. 6 (12 seconds a turn, 2 minutes a point) and p. 12 (who starts
whose clock around a double).
"""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh.match import ClockKind, ClockSettings
from sheshbesh.rules import Side
from sheshbesh.session import Clock

S = 1000
WHITE, BLACK = Side.WHITE, Side.BLACK


def fresh(kind: str, *, delay: int = 12, bank: int = 60, length: int | None = 1) -> Clock:
    settings = ClockSettings(kind=ClockKind(kind), delay=delay * S, bank_per_point=bank * S)
    return Clock.fresh(settings, length)


def test_the_bank_is_two_minutes_for_each_point() -> None:
    clock = Clock.fresh(ClockSettings(kind=ClockKind.DELAY), 5)
    assert clock.bank(WHITE, 0) == clock.bank(BLACK, 0) == 10 * 60 * S


@pytest.mark.parametrize(
    ("kind", "used", "during", "after"),
    [
        # simple delay: twelve seconds are free, then the bank runs
        ("delay", 5, 60, 60),
        ("delay", 12, 60, 60),
        ("delay", 13, 59, 59),
        ("delay", 40, 32, 32),
        # Bronstein: the bank runs at once, up to twelve seconds come back after the turn
        ("bronstein", 5, 55, 60),
        ("bronstein", 12, 48, 60),
        ("bronstein", 40, 20, 32),
        # Fischer: the bank runs at once, twelve seconds are added after the turn
        ("fischer", 5, 55, 67),
        ("fischer", 40, 20, 32),
        # seconds per turn: what is left of the turn, and a whole one for the next
        ("per_turn", 5, 7, 12),
        # no clock at all
        ("none", 500, 0, 0),
    ],
)
def test_one_turn(kind: str, used: int, during: int, after: int) -> None:
    clock = fresh(kind).start_turn(WHITE, 0)
    assert clock.bank(WHITE, used * S) == during * S
    ended = clock.start_turn(BLACK, used * S)
    assert ended.bank(WHITE, used * S) == after * S


def test_the_delay_does_not_accumulate() -> None:
    clock = fresh("delay").start_turn(WHITE, 0)  # White plays at once ...
    clock = clock.start_turn(BLACK, 1 * S)
    clock = clock.start_turn(WHITE, 2 * S)  # ... and still has twelve free seconds, not more
    assert clock.bank(WHITE, 2 * S + 13 * S) == 59 * S


def test_around_a_double_that_is_taken() -> None:
    clock = fresh("delay").start_turn(WHITE, 0)
    clock = clock.ask(BLACK, 10 * S)  # 10 of White's 12 free seconds are gone; Black's answer has its own 12
    assert clock.running is BLACK
    assert clock.bank(BLACK, 10 * S + 12 * S) == 60 * S
    clock = clock.answered(WHITE, 10 * S + 20 * S)  # 8 seconds of Black's bank went
    assert clock.running is WHITE
    assert clock.bank(BLACK, 40 * S) == 52 * S
    assert clock.bank(WHITE, 32 * S) == 60 * S  # White's last 2 free seconds ...
    assert clock.bank(WHITE, 35 * S) == 57 * S  # ... then White's bank


def test_around_a_double_that_is_dropped_the_clock_stops() -> None:
    clock = fresh("delay").start_turn(WHITE, 0).ask(BLACK, 1 * S).stop(20 * S)
    assert clock.running is None
    assert clock.deadline() is None
    assert clock.bank(BLACK, 10**9) == 53 * S  # 19 seconds used, 12 of them free


def test_bronstein_gives_back_no_more_than_one_delay_for_a_turn_with_a_double() -> None:
    clock = fresh("bronstein").start_turn(WHITE, 0).ask(BLACK, 8 * S).answered(WHITE, 10 * S)
    clock = clock.start_turn(BLACK, 20 * S)
    assert clock.bank(WHITE, 20 * S) == (60 - 18 + 12) * S


def test_fischer_adds_once_for_a_turn_with_a_double() -> None:
    clock = fresh("fischer").start_turn(WHITE, 0).ask(BLACK, 8 * S).answered(WHITE, 10 * S)
    clock = clock.start_turn(BLACK, 20 * S)
    assert clock.bank(WHITE, 20 * S) == (60 - 18 + 12) * S
    assert clock.bank(BLACK, 20 * S) == (60 - 2 + 12) * S  # Black's answer to the cube was a move of its own


@pytest.mark.parametrize(
    ("kind", "falls"), [("delay", 72), ("bronstein", 60), ("fischer", 60), ("per_turn", 12)]
)
def test_the_flag_falls_when_the_bank_is_empty(kind: str, falls: int) -> None:
    clock = fresh(kind).start_turn(WHITE, 0)
    assert clock.deadline() == falls * S
    assert clock.fallen(falls * S - 1) is None
    assert clock.fallen(falls * S) is WHITE
    assert clock.bank(WHITE, falls * S) == 0


def test_without_a_clock_no_flag_falls() -> None:
    assert fresh("none").start_turn(WHITE, 0).fallen(10**12) is None


def test_a_pause_costs_nothing() -> None:
    clock = fresh("delay").start_turn(WHITE, 0).stop(20 * S)
    clock = clock.resume(WHITE, 1000 * S)
    assert clock.bank(WHITE, 1000 * S) == 52 * S
    assert clock.bank(WHITE, 1001 * S) == 51 * S  # the free seconds of this turn were used before


def test_time_does_not_run_backwards() -> None:
    clock = fresh("delay").start_turn(WHITE, 100 * S)
    assert clock.bank(WHITE, 50 * S) == 60 * S
    assert clock.start_turn(BLACK, 50 * S).bank(WHITE, 50 * S) == 60 * S


@pytest.mark.parametrize(
    "code", ["n", "d12-120", "b12-120", "f10-60", "t30", "d12.5-120-b2x300", "d12-120-bx60"]
)
def test_codes_come_back(code: str) -> None:
    assert ClockSettings.from_code(code).code == code


@pytest.mark.parametrize("code", ["", "x", "d-5", "t0", "d0-0", "d12-120-", "12", "d1e3-5"])
def test_bad_codes_are_refused(code: str) -> None:
    with pytest.raises(sb.MatchError):
        ClockSettings.from_code(code)


@pytest.mark.parametrize(("length", "breaks"), [(None, 0), (1, 0), (5, 0), (7, 1), (11, 1), (13, 2), (25, 2)])
def test_breaks_by_the_length_of_the_match(length: int | None, breaks: int) -> None:
    assert ClockSettings(kind=ClockKind.DELAY).breaks_allowed(length) == breaks
    assert ClockSettings(kind=ClockKind.DELAY, breaks=3).breaks_allowed(length) == 3
