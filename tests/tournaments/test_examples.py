"""The worked examples of the contract, each with its exact values; a lower number is a higher seed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sheshbesh.tournaments import Refused, Series, Status, late_points, standings
from sheshbesh.tournaments.actions import LeaveAction
from sheshbesh.tournaments.standings import overall
from sheshbesh.tournaments.state import Pairing, Result, Tournament
from sheshbesh.tournaments.systems import arena
from tests.tournament_help import MINUTE, SECOND, Course, settings_of

Pairs = list[tuple[int, int]]


def slots(state: Tournament) -> dict[str, tuple[int, int]]:
    return {each.slot: each.both for each in state.pairings if each.status != "annulled"}


def byes(state: Tournament) -> list[int]:
    return [each.first for each in state.of_round(state.rounds) if not each.second]


def places(state: Tournament, bracket: str = "") -> list[tuple[int, int, int]]:
    rows = standings(state)
    return [(row.place, row.last, row.entrant) for row in rows if not bracket or row.bracket == bracket]


def test_1_a_bracket_of_six_and_a_late_seventh() -> None:
    course = Course(settings_of("knockout", draw="seeded", consolation="none")).open(6).start()
    assert course.pair() == [(4, 5), (3, 6)]
    course.enter("p7")
    course.step()
    assert slots(course.state) == {"M2": (4, 5), "M4": (3, 6), "M3": (2, 7)}
    course.play()
    assert course.pair() == [(1, 4), (2, 3)]


def test_2_double_elimination_of_four_with_a_second_final() -> None:
    course = Course(settings_of("double", draw="seeded")).open(4).start()
    for pairs, winners in (
        ([(1, 4), (2, 3)], (1, 3)),
        ([(1, 3), (4, 2)], (3, 2)),
        ([(2, 1)], (1,)),
        ([(3, 1)], (1,)),
        ([(3, 1)], (3,)),
    ):
        assert course.pair() == pairs
        course.play(*winners)
    course.finish()
    assert [row.entrant for row in standings(course.state)] == [3, 1, 2, 4]
    assert [*slots(course.state)] == ["M1", "M2", "M3", "L1", "L2", "F1", "F2"]
    assert len(course.state.pairings) == 2 * 4 - 1


def test_3_consolation_of_eight_repeats_no_pairing_of_the_main_bracket() -> None:
    course = Course(settings_of("knockout", draw="seeded")).open(8).start().finish()
    made = slots(course.state)
    assert {name: made[name] for name in ("C1", "C2", "C3", "C4", "C5")} == {
        "C1": (8, 5),
        "C2": (7, 6),
        "C3": (5, 3),
        "C4": (6, 4),
        "C5": (3, 4),
    }
    assert places(course.state, "consolation")[0] == (1, 1, 3)
    # Of the tournament as a whole everybody has one place, and its winner the first.
    whole = [row.entrant for row in overall(standings(course.state))]
    assert whole[0] == 1 and sorted(whole) == list(range(1, 9))
    main = {frozenset(both) for name, both in made.items() if name.startswith("M")}
    assert not [name for name, both in made.items() if name.startswith("C") and frozenset(both) in main]


def test_4_swiss_of_six() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(6).start()
    for pairs, winners in (
        ([(1, 4), (2, 5), (3, 6)], (1, 5, 3)),
        ([(1, 3), (5, 4), (2, 6)], (1, 5, 2)),
        ([(1, 5), (2, 3), (4, 6)], (1, 3, 6)),
    ):
        assert course.pair() == pairs
        course.play(*winners)
    course.finish()
    rows = {row.entrant: row for row in standings(course.state)}
    assert [(number, row.score) for number, row in rows.items()] == [
        (1, 3),
        (3, 2),
        (5, 2),
        (2, 1),
        (6, 1),
        (4, 0),
    ]
    assert (rows[3].ties["buchholz_cut1"], rows[3].ties["buchholz"]) == (4, 5)
    assert (rows[5].ties["buchholz_cut1"], rows[5].ties["buchholz"]) == (4, 4)
    assert (rows[2].ties["head_to_head"], rows[6].ties["head_to_head"]) == (1, 0)
    with pytest.raises(Refused) as refused:
        Course(settings_of("swiss", rounds=4)).open(6).start()
    assert refused.value.refusal.rule == "rounds.too_many"
    assert "at most 3 rounds" in refused.value.refusal.text


def test_5_swiss_of_five() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(5).start()
    for bye, pairs, winners in (
        (5, [(1, 3), (2, 4)], (1, 4)),
        (3, [(1, 4), (5, 2)], (1, 2)),
        (4, [(1, 2), (3, 5)], (1, 3)),
    ):
        assert course.pair() == pairs
        assert byes(course.state) == [bye]
        course.play(*winners)


def test_6_until_two_losses() -> None:
    a, b, c, d, e = range(1, 6)
    course = Course(settings_of("losses", losses=2, inside="halves")).open(5).start()
    rounds: list[tuple[list[int], Pairs, tuple[int, ...]]] = [
        ([e], [(a, c), (b, d)], (a, b)),
        ([d], [(a, b), (e, c)], (a, c)),
        ([c], [(a, d), (b, e)], (d, b)),
        ([], [(a, b), (c, d)], ()),
    ]
    for number, (bye, pairs, winners) in enumerate(rounds, start=1):
        assert course.pair() == pairs
        assert byes(course.state) == bye
        assert number < 4 or places(course.state)[-1] == (5, 5, e)
        course.play(*winners)


@pytest.mark.parametrize(
    ("count", "rounds"),
    [
        (4, ["1-4 2-3", "2-4 3-1", "3-4 1-2"]),
        (6, ["1-6 2-5 3-4", "2-6 3-1 4-5", "3-6 4-2 5-1", "4-6 5-3 1-2", "5-6 1-4 2-3"]),
    ],
)
def test_7_round_robin(count: int, rounds: list[str]) -> None:
    course = Course(settings_of("round_robin")).open(count).start()
    for expected in rounds:
        assert " ".join(f"{first}-{second}" for first, second in course.pair()) == expected
        course.play()
    course.finish()
    assert course.state.status is Status.CONFIRMING


def test_8_arena_pairing_after_the_first_two_have_met() -> None:
    course = Course(settings_of("arena")).open(6).start()
    course.now += MINUTE
    wins = [(1, 5), (1, 6), (1, 5), (2, 6), (2, 5), (3, 6)]
    both = [*wins, (1, 2)]
    pairings = tuple(
        Pairing(
            number=number,
            round=number,
            first=first,
            second=second,
            length=5,
            status="decided",
            result=Result(winner=first, score=(5, 0)),
        )
        for number, (first, second) in enumerate(both, start=1)
    )
    state = course.state.but(pairings=pairings, rounds=7, closed=7)
    assert [row.entrant for row in standings(state)][:4] == [1, 2, 3, 4]
    pairs = arena.wanted(state, [1, 2, 3, 4], state.seed, course.now)
    assert {frozenset(pair[:2]) for pair in pairs} == {frozenset({1, 3}), frozenset({2, 4})}


@pytest.mark.parametrize(
    ("length", "results", "points"),
    [
        (5, "WWWLW", 27),
        (5, "WoWW", 27),
        (1, "WWWLW", 9),
        (7, "WWWW", 8 + 8 + 12 + 12),
        (11, "W", 12),
        (2, "W", 2),
    ],
)
def test_9_arena_points(length: int, results: str, points: int) -> None:
    state = Course(settings_of("arena")).open(2).start().state
    own = [
        Pairing(
            number=number,
            round=number,
            first=1,
            second=2,
            length=length,
            status="decided",
            result=Result(winner=2 if kind == "L" else 1, how="walkover" if kind == "o" else "played"),
        )
        for number, kind in enumerate(results, start=1)
    ]
    assert sum(arena.points(state, 1, own)) == points


@pytest.mark.parametrize("system", ["round_robin", "swiss"])
def test_10_a_cycle_is_shared(system: str) -> None:
    ties = ("head_to_head", "buchholz_cut1", "buchholz", "sonneborn_berger", "shared")
    beats = {(1, 2): 1, (2, 3): 2, (1, 3): 3, (1, 4): 1, (2, 4): 2, (3, 4): 3}
    changes = {"rounds": 2} if system == "swiss" else {}
    course = Course(
        settings_of(system, tie_breaks=ties, **changes),
        lambda one, other: beats[min(one, other), max(one, other)],
    )
    course.open(4).start()
    if system == "swiss":
        # Three rounds among four are a round robin, which a Swiss refuses to promise.
        course.state = course.state.but(planned=3)
    course.finish()
    rows = standings(course.state)
    assert sorted(row.entrant for row in rows[:3]) == [1, 2, 3]
    assert [(row.place, row.last) for row in rows] == [(1, 3), (1, 3), (1, 3), (4, 4)]
    assert [row.ties["sonneborn_berger"] for row in rows] == [2, 2, 2, 0]
    assert len({row.ties["buchholz"] for row in rows[:3]}) == 1


def test_11_leaving_a_round_robin_before_half_of_it_makes_all_void() -> None:
    course = Course(settings_of("round_robin")).open(4).start()
    course.pair()
    course.play()
    assert course.state.pairing(1).both == (1, 4)
    course.do("p4", LeaveAction())
    scores = {row.entrant: row.score for row in standings(course.state)}
    assert scores[1] == 0 and scores[2] == 1
    course.finish()
    assert {row.entrant: row.score for row in standings(course.state)} == {1: 2, 2: 1, 3: 0, 4: 0}


def test_11_leaving_it_later_gives_the_rest_away() -> None:
    course = Course(settings_of("round_robin")).open(4).start()
    for _ in range(2):
        course.pair()
        course.play()
    course.do("p4", LeaveAction())
    course.finish()
    assert {row.entrant: row.score for row in standings(course.state)} == {1: 3, 2: 2, 3: 1, 4: 0}


@pytest.mark.parametrize(("length", "minutes"), [(1, 5), (3, 10), (5, 15), (7, 20), (9, 25)])
def test_12_late_at_a_real_board(length: int, minutes: int) -> None:
    assert late_points(minutes * MINUTE, length) == (minutes // 5, True)
    assert late_points(minutes * MINUTE - SECOND, length) == (minutes // 5 - 1, False)


def utc(at: int) -> str:
    return datetime.fromtimestamp(at / SECOND, tz=UTC).strftime("%Y-%m-%d %H:%MZ")


def test_14_a_series_keeps_its_local_hour_and_has_one_event_a_date() -> None:
    evenings = Series(zone="Europe/Berlin", hour=20)
    assert utc(evenings.start_on(date(2026, 10, 24))) == "2026-10-24 18:00Z"
    assert utc(evenings.start_on(date(2026, 10, 25))) == "2026-10-25 19:00Z"
    at = evenings.start_on(date(2026, 10, 23))
    found = []
    for _ in range(4):
        day = evenings.next_date(at)
        found.append(day)
        at = evenings.start_on(day)
    assert found == [date(2026, 10, day) for day in (24, 25, 26, 27)]
    nights = Series(zone="Europe/Berlin", hour=2, minute=30)
    assert utc(nights.start_on(date(2026, 3, 29))) == "2026-03-29 01:30Z"
    # The hour that comes twice is held once.
    at = nights.start_on(date(2026, 10, 25))
    assert utc(at) == "2026-10-25 00:30Z"
    assert nights.next_date(at) == date(2026, 10, 26)


def test_14_a_weekly_series_starts_on_its_day() -> None:
    fridays = Series(zone="Asia/Tehran", hour=21, days=(4,))
    day = fridays.next_date(fridays.start_on(date(2026, 3, 20)))
    assert (day, day.weekday()) == (date(2026, 3, 27), 4)
