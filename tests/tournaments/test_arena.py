"""Arenas that are played to their end, small ones and large ones."""

from __future__ import annotations

import random

import pytest

from sheshbesh.tournaments import SERVER, Status, Tournament, standings, verify
from sheshbesh.tournaments import actions as do
from sheshbesh.tournaments.systems import arena
from tests.tournament_help import MINUTE, SECOND, Course, by_strength, settings_of, there

ARENA_CARD = "tavla.p3.clock-d6-20"


def arena_of(entrants: int, minutes: int, seed: int, *, odd_ones: bool = True) -> Course:
    """An arena in which matches take two to five minutes, somebody leaves, comes late, or does not come."""
    rng = random.Random(seed)
    settings = settings_of("arena", card=ARENA_CARD, minutes=minutes, directors=[])
    course = Course(settings, by_strength(seed))
    course.do(SERVER, do.AnnounceAction("60bf07c488aad18fda339df07e4fbc47b4f00be71711936f18d04d352ad01890"))
    for number in range(1, entrants + 1):
        course.enter(f"p{number}", rating=2000 - number, matches=50)
    course.start()
    ends: dict[int, int] = {}
    sleepers = {3} if odd_ones else set()
    while course.state.status is Status.RUNNING:
        course.now += 2 * SECOND
        for pairing in course.state.open_pairings:
            if pairing.number not in ends:
                ends[pairing.number] = course.now + rng.randrange(120, 300) * SECOND
        sleeping = [each for each in course.state.open_pairings if sleepers & set(each.both)]
        over = [
            course.result_of(each)
            for each in course.state.open_pairings
            if ends[each.number] <= course.now and each not in sleeping
        ]
        course.step(there(course, *sleepers), results=over)
        if odd_ones and course.now == 600 * SECOND:
            course.do("p5", do.LeaveAction())
            course.enter("late")
    return course


def test_an_arena_of_forty_is_played_to_its_end() -> None:
    course = arena_of(40, 30, 40)
    state = course.state
    assert state.status is Status.CONFIRMING
    rows = standings(state)
    assert len(rows) == 41
    assert sum(row.score for row in rows) > 0
    played = [row.played for row in rows if row.entrant not in (3, 5, 41)]
    assert min(played) >= 4
    assert not [each for each in state.pairings if each.at > arena.last_pairing(state)]
    assert_no_pair_twice_in_a_row(state)
    # Who never comes is paused after the second time; who left was paired no more.
    assert state.entrant(3).paused or rows[-1].entrant == 3
    assert not [each for each in state.pairings if 5 in each.both and each.at > 600 * SECOND]
    assert verify(course.record()).ok


def assert_no_pair_twice_in_a_row(state: Tournament) -> None:
    last: dict[int, int] = {}
    for each in state.pairings:
        first, second = each.both
        assert not (last.get(first) == second and last.get(second) == first), each
        last[first], last[second] = second, first


def test_a_thousand_ready_entrants_are_paired_at_once() -> None:
    course = Course(settings_of("arena", card=ARENA_CARD, minutes=30)).open(1000).start()
    course.now += MINUTE
    course.step()
    assert len(course.state.open_pairings) == 500
    assert [each.round for each in course.state.pairings[::64]] == [1, 2, 3, 4, 5, 6, 7, 8]
    seeds = [abs(each.first - each.second) for each in course.state.pairings]
    assert set(seeds) == {1}
    course.now += 3 * MINUTE
    course.play()
    course.now += 10 * SECOND
    course.step()
    assert len(course.state.open_pairings) == 500
    assert_no_pair_twice_in_a_row(course.state)


def test_in_a_small_arena_two_meet_again_after_a_minute() -> None:
    course = Course(settings_of("arena", card=ARENA_CARD, minutes=30)).open(3).start()
    for _ in range(4):
        for _ in range(60):
            course.now += 2 * SECOND
            course.step()
        assert len(course.state.open_pairings) == 1
        course.play()
    alone = Course(settings_of("arena", card=ARENA_CARD, minutes=30)).open(2).start()
    for _ in range(3):
        alone.now += 30 * SECOND
        alone.step()
        assert alone.state.playing == {1, 2}
        alone.play()


def test_what_is_over_too_late_counts_nothing() -> None:
    course = Course(settings_of("arena", card=ARENA_CARD, minutes=30)).open(4).start()
    course.now += MINUTE
    course.step()
    assert len(course.state.open_pairings) == 2
    course.now = 30 * MINUTE + arena.grace(course.state)
    course.step(results=[course.result_of(course.state.open_pairings[0])])
    course.step()
    assert course.state.status is Status.CONFIRMING
    assert [each.status for each in course.state.pairings] == ["decided", "annulled"]
    assert sorted(row.score for row in standings(course.state)) == [0, 0, 0, 4]


@pytest.mark.parametrize("way", ["no-shows", "resignations"])
def test_an_arena_pauses_those_who_do_not_play(way: str) -> None:
    course = Course(settings_of("arena", card=ARENA_CARD, minutes=30)).open(4).start()
    for expected in (False, True):
        course.now += 2 * MINUTE
        course.step()
        own = next(each for each in course.state.open_pairings if 1 in each.both)
        if way == "no-shows":
            course.do(SERVER, do.WalkoverAction(pairing=own.number, winner=own.other(1)))
        else:
            action = do.ResultAction(
                pairing=own.number, winner=own.other(1), how="forfeit", resigned=True, turns=3
            )
            course.do(SERVER, action)
        course.play()
        assert course.state.entrant(1).paused is expected
    course.do("p1", do.ResumeAction())
    assert not course.state.entrant(1).paused


def test_the_order_of_results_changes_no_standings_of_an_arena() -> None:
    found = set()
    for seed in range(4):
        course = Course(settings_of("arena", card=ARENA_CARD, minutes=30), by_strength(2)).open(12).start()
        for _ in range(5):
            course.now += MINUTE
            course.step()
            still = list(course.state.open_pairings)
            random.Random(seed).shuffle(still)
            for pairing in still:
                course.step(results=[course.result_of(pairing)])
        found.add(tuple((row.place, row.entrant, row.score) for row in standings(course.state)))
    assert len(found) == 1
