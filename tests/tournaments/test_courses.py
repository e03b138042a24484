"""Swiss, until N losses and round robins, with what happens in them; playoffs and real boards."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from sheshbesh.tournaments import SERVER, Refused, Status, due, next_due, standings, verify
from sheshbesh.tournaments import actions as do
from tests.tournament_help import DIRECTOR, MINUTE, Course, by_strength, settings_of, swiss_of_nine, there

# Swiss


def test_a_swiss_of_nine_is_over_after_its_rounds() -> None:
    course = swiss_of_nine()
    state = course.state
    assert (state.status, state.planned, state.closed) == (Status.CONFIRMING, 5, 5)
    byes = [each.first for each in state.pairings if not each.second]
    assert len(byes) == len(set(byes)) == 5
    assert sum(row.score for row in standings(state)) == 5 * 5
    course.now += 24 * 60 * MINUTE
    assert next_due(state) == course.now
    course.step()
    assert course.state.status is Status.OVER
    assert next_due(course.state) is None


def test_too_few_for_its_rounds_wait_for_the_director() -> None:
    course = Course(settings_of("swiss", rounds=4, starts=30 * MINUTE, check_in=0)).open(6)
    course.now = 30 * MINUTE
    assert course.step() == 0
    course.now += MINUTE
    with pytest.raises(Refused, match="can no longer be changed"):
        course.do(DIRECTOR, do.AmendAction({"rounds": 5}))
    course.do(DIRECTOR, do.AmendAction({"rounds": 3}))
    course.step()
    assert (course.state.status, course.state.planned) == (Status.RUNNING, 3)
    with pytest.raises(Refused, match="can no longer be changed"):
        course.do(DIRECTOR, do.AmendAction({"rounds": 2}))
    alone = Course(settings_of("swiss", rounds=4, starts=30 * MINUTE, check_in=0)).open(6)
    alone.now = 45 * MINUTE
    alone.step()
    assert alone.state.status is Status.CANCELLED


def test_who_misses_a_round_is_not_paired_until_they_are_back() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(8).start()
    course.pair()
    course.now += 5 * MINUTE
    assert next_due(course.state, calls=False) == course.now
    course.step(there(course, 5))
    lost = next(each for each in course.state.pairings if 5 in each.both)
    assert lost.result is not None
    assert (lost.result.winner, lost.result.how, course.state.entrant(5).paused) == (1, "walkover", True)
    course.play()
    assert all(5 not in pair for pair in course.pair())
    bye = [each.first for each in course.state.of_round(2) if not each.second]
    assert len(bye) == 1
    course.do("p5", do.ResumeAction())
    course.play()
    assert any(5 in pair for pair in course.pair())


def test_who_is_missing_at_half_of_the_time_is_called_once_more() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(8).start()
    course.pair()
    half = 5 * MINUTE // 2
    assert next_due(course.state) == half
    course.now = half - 1
    assert due(course.state, course.now, there(course, 1)) == ()
    course.now = half
    assert due(course.state, course.now, there(course)) == ()
    assert course.step(there(course, 1)) == 1
    called = [each.number for each in course.state.open_pairings if each.called]
    assert called == [each.number for each in course.state.open_pairings if 1 in each.both]
    assert not course.step(there(course, 1))
    assert course.step(there(course, 1, 2)) == 1  # who has gone away meanwhile is called, too
    assert next_due(course.state) == half  # two boards are complete, of which somebody may still go
    course.do(SERVER, do.TickAction(began=tuple(each.number for each in course.state.open_pairings)))
    assert next_due(course.state) is None
    assert verify(course.record()).ok


def test_neither_comes_and_both_lose() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(8).start()
    course.pair()
    course.now += 5 * MINUTE
    course.step(there(course, 1, 5))
    course.play()
    course.step()
    scores = {row.entrant: row.score for row in standings(course.state)}
    assert (scores[1], scores[5]) == (0, 0)


def test_a_late_entrant_gets_half_a_point_for_each_of_two_missed_rounds() -> None:
    course = Course(settings_of("swiss")).open(16).start()
    for _ in range(2):
        course.pair()
        course.play()
    course.enter("p17")
    assert {row.entrant: row.score for row in standings(course.state)}[17] == 1
    assert course.state.entrant(17).seed == 17
    assert any(17 in pair for pair in course.pair()) or course.state.pairings[-1].first == 17
    course.play()
    with pytest.raises(Refused, match="entries are closed"):
        course.enter("p18")


def test_who_leaves_a_swiss_gives_the_match_away_and_keeps_what_was_played() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(6).start()
    course.pair()
    course.play()
    course.pair()
    opponent = next(each.other(1) for each in course.state.open_pairings if 1 in each.both)
    course.do("p1", do.LeaveAction())
    assert next(each for each in course.state.of_round(2) if 1 in each.both).result is not None
    course.finish()
    rows = {row.entrant: row for row in standings(course.state)}
    assert (rows[1].score, rows[1].wins, rows[1].losses) == (1, 1, 1)
    assert rows[opponent].score >= 1
    assert verify(course.record()).ok


def test_the_opponents_of_somebody_disqualified_get_their_losses_back() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(6).start()
    course.pair()
    course.play()
    course.step()
    before = {row.entrant: row.score for row in standings(course.state)}
    course.do(DIRECTOR, do.DisqualifyAction(entrant=1, reason="played by an engine"))
    after = {row.entrant: row.score for row in standings(course.state)}
    assert (before[4], after[4]) == (0, 1)
    course.do(DIRECTOR, do.ReinstateAction(entrant=1, reason="it was somebody else"))
    assert {row.entrant: row.score for row in standings(course.state)} == before


def test_a_repaired_round_is_paired_anew_around_the_forbidden() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(6).start()
    assert course.pair() == [(1, 4), (2, 5), (3, 6)]
    course.do(DIRECTOR, do.ForbidAction(pairs=((4, 1),), reason="brothers"))
    course.do(DIRECTOR, do.RepairAction("the brothers were forgotten"))
    pairs = course.pair()
    assert (1, 4) not in pairs and len(pairs) == 3
    assert [line.what for line in course.state.log] == ["announce", "forbid", "repair"]
    course.finish()
    assert verify(course.record()).ok


def test_those_kept_apart_meet_where_nothing_else_is_left() -> None:
    course = Course(settings_of("swiss", clubs_apart=1)).open(4, club="moda").start()
    assert len(course.pair()) == 2
    assert sum(1 for line in course.state.log if line.what == "together") == 2
    assert verify(course.record()).ok


def test_clubs_meet_late() -> None:
    course = Course(settings_of("swiss", clubs_apart=2, inside="halves"))
    course.do(DIRECTOR, do.AnnounceAction("60bf07c488aad18fda339df07e4fbc47b4f00be71711936f18d04d352ad01890"))
    clubs = ["moda", "moda", "kars", "kars", "moda", "kars", "moda", "kars"]
    for number, club in enumerate(clubs, start=1):
        course.enter(f"p{number}", club=club)
    course.start()
    for _ in range(2):
        assert all(clubs[first - 1] != clubs[second - 1] for first, second in course.pair())
        course.play()


def test_a_large_round_comes_in_waves_that_are_one_pairing() -> None:
    course = Course(settings_of("swiss", inside="halves"), by_strength(1)).open(151).start()
    course.pair()
    waves = [each.action for each in course.events if isinstance(each.action, do.PairAction)]
    assert [len(wave.pairs) for wave in waves] == [64, 11]
    assert [wave.bye for wave in waves] == [None, 151]
    assert {wave.round for wave in waves} == {1}
    # The process dies after the first wave, and another one works out the rest.
    again = Course(settings_of("swiss", inside="halves")).open(151).start()
    again.do(SERVER, waves[0])
    assert len(again.state.unpaired) == 151 - 128
    again.do("p151", do.LeaveAction())
    again.pair()
    paired = [number for each in again.state.of_round(1) for number in each.both if number]
    assert sorted(paired) == list(range(1, 151))
    assert verify(course.record()).ok and verify(again.record()).ok


# Those who are away


def test_one_who_is_alone_has_the_bye_after_a_while() -> None:
    course = Course(settings_of("losses", losses=2)).open(4).start()
    course.pair()
    course.play()
    for number in (1, 2, 3):
        course.do(f"p{number}", do.PauseAction())
    course.step()
    assert course.step() == 0
    course.now += 5 * MINUTE
    assert next_due(course.state) == course.now
    course.step()
    assert [(each.first, each.second) for each in course.state.of_round(2)] == [(4, 0)]
    for _ in range(3):
        course.step()
        course.now += 5 * MINUTE
    assert course.finish().state.status is Status.CONFIRMING
    assert [each.number for each in course.state.entrants if each.plays] == [4]
    assert verify(course.record()).ok


def test_a_swiss_that_everybody_has_left_alone_comes_to_its_end() -> None:
    course = Course(settings_of("swiss")).open(4).start()
    for number in range(1, 5):
        course.do(f"p{number}", do.PauseAction())
    for _ in range(8):
        course.now += 5 * MINUTE
        course.step()
    assert (course.state.status, course.state.closed) == (Status.CONFIRMING, 2)
    assert verify(course.record()).ok


def test_who_pauses_in_the_middle_of_a_large_round_is_not_paired_in_it() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(150).start()
    waves = due(course.state, 0, there(course))
    course.do(SERVER, course.completed(waves[0]))
    rest = course.state.unpaired
    course.do(f"p{rest[0]}", do.PauseAction())
    course.pair()
    assert course.state.unpaired == ()
    assert rest[0] not in course.state.playing
    assert sum(1 for each in course.state.of_round(1) if not each.second) == 1


def test_an_annulled_match_is_no_loss() -> None:
    course = Course(settings_of("losses", losses=2, inside="halves")).open(6).start()
    course.pair()
    course.play()
    course.do(DIRECTOR, do.CorrectAction(pairing=1, annul=True, reason="the wrong two sat down"))
    course.step()
    losses = {row.entrant: row.losses for row in standings(course.state)}
    assert (losses[1], losses[4], losses[5]) == (0, 0, 1)


# Round robin


def test_what_is_not_played_at_the_deadline_is_lost_by_both() -> None:
    course = Course(settings_of("round_robin", round_limit=30 * MINUTE)).open(4).start()
    course.pair()
    course.step(results=[course.result_of(course.state.open_pairings[0])])
    course.do(SERVER, do.TickAction(began=(2,)))
    course.now = 30 * MINUTE
    assert next_due(course.state) == 30 * MINUTE
    course.step()
    assert course.state.closed == 1
    result = course.state.pairing(2).result
    assert result is not None and (result.winner, result.how) == (0, "forfeit")


def test_by_correspondence_all_rounds_are_played_at_once() -> None:
    course = Course(settings_of("round_robin", card="tavla.p5.clock-t86400")).open(5).start()
    while course.step():
        pass
    assert len(course.state.open_pairings) == 10
    assert course.state.rounds == 5
    course.finish(random.Random(4))
    assert course.state.status is Status.CONFIRMING
    assert [row.entrant for row in standings(course.state)] == [1, 2, 3, 4, 5]
    assert verify(course.record()).ok


def numbers(rows: Iterable[tuple[int, int]]) -> set[int]:
    return {number for row in rows for number in row}


def test_real_boards_need_neither_accounts_nor_clocks() -> None:
    course = Course(settings_of("knockout", boards="real", card="tavla.p7", draw="manual"))
    course.do(DIRECTOR, do.AnnounceAction())
    for name in ("Ayşe", "Babak", "Cem", "Darya"):
        course.do(DIRECTOR, do.AddAction(name=name))
    course.do(DIRECTOR, do.SeedAction(order=(4, 3)))
    course.do(DIRECTOR, do.StartAction())
    assert course.pair() == [(4, 2), (3, 1)]
    assert all(each.deadline is None for each in course.state.open_pairings)
    course.do(DIRECTOR, do.PenaltyAction(entrant=2, pairing=1, points=2, reason="ten minutes late"))
    assert course.state.pairing(1).points == (2, 0)
    course.do(DIRECTOR, do.EnterResultAction(pairing=1, winner=4, score=(7, 5)))
    course.do(DIRECTOR, do.EnterResultAction(pairing=2, winner=1, score=(3, 7)))
    assert numbers(course.pair()) == {1, 2, 3, 4}
    verdict = verify(course.record())
    assert verdict.ok
    assert any("no commitment" in sentence for sentence in verdict.unchecked)


def test_a_playoff_separates_who_shares_a_place() -> None:
    beats = {(1, 2): 1, (2, 3): 2, (1, 3): 3}
    ties = ("head_to_head", "playoff", "shared")
    course = Course(settings_of("round_robin", tie_breaks=ties), lambda a, b: beats[min(a, b), max(a, b)])
    course.open(3).start().finish()
    assert {row.place for row in standings(course.state)} == {1}
    course.do(DIRECTOR, do.PlayoffAction(pair=(1, 2)))
    playoff = course.state.pairings[-1]
    with pytest.raises(Refused, match="still open"):
        course.do(DIRECTOR, do.ConfirmAction())
    course.step(results=[course.result_of(playoff, 2)])
    assert standings(course.state)[0].entrant == 2
    course.do(DIRECTOR, do.PlayoffAction(pair=(1, 3)))
    course.now += 5 * MINUTE
    assert next_due(course.state, calls=False) == course.now
    course.step(there(course, 1))
    assert [row.entrant for row in standings(course.state)] == [2, 3, 1]
    course.do(DIRECTOR, do.ConfirmAction())
    assert course.events[-1].then == {"standings": [[1, 2, 1], [1, 3, 1], [3, 1, 1]]}
    assert verify(course.record()).ok


def test_a_round_in_which_all_pairs_lack_somebody_passes() -> None:
    course = Course(settings_of("round_robin")).open(4).start()
    course.pair()
    course.play()
    course.do("p3", do.LeaveAction())
    course.do("p4", do.LeaveAction())
    course.finish()
    assert (course.state.status, course.state.closed) == (Status.CONFIRMING, 3)
    assert verify(course.record()).ok


@pytest.mark.parametrize("card", ["tavla.p5.clock-d12-60", "tavla.p5.clock-t86400"])
def test_an_annulled_match_of_a_round_robin_is_played_again(card: str) -> None:
    course = Course(settings_of("round_robin", card=card)).open(4).start()
    while course.step():
        pass
    course.do(DIRECTOR, do.CorrectAction(pairing=1, annul=True, reason="the dice were loaded"))
    course.finish()
    assert course.state.status is Status.CONFIRMING
    assert len([each for each in course.state.pairings if each.status == "decided"]) == 6
    assert [row.entrant for row in standings(course.state)] == [1, 2, 3, 4]
    assert verify(course.record()).ok


def test_one_who_has_left_a_group_does_not_go_on() -> None:
    course = Course(settings_of("knockout", groups=2, advance=2, consolation="none")).open(8).start()
    for _ in range(2):
        course.pair()
        course.play()
    course.do("p1", do.LeaveAction())
    course.finish()
    first_round = {
        number for each in course.state.pairings if each.slot in ("M1", "M2") for number in each.both
    }
    assert 1 not in first_round and len(first_round) == 4
    assert verify(course.record()).ok


@pytest.mark.parametrize("system", ["swiss", "losses", "round_robin", "arena"])
def test_somebody_disqualified_after_winning_everything_stands_last(system: str) -> None:
    course = Course(settings_of(system, **({"card": "tavla.p3.clock-d6-20"} if system == "arena" else {})))
    course.open(4).start()
    for _ in range(2):
        course.now += MINUTE
        course.pair()
        course.play()
        course.step()
    assert standings(course.state)[0].entrant == 1
    course.do(DIRECTOR, do.DisqualifyAction(entrant=1, reason="an engine"))
    rows = standings(course.state)
    assert rows[-1].entrant == 1 and rows[0].entrant != 1
