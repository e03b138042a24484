"""Brackets with what happens in them: no-shows, late entries, withdrawals, corrections, groups."""

from __future__ import annotations

import pytest

from sheshbesh.tournaments import SERVER, Refused, Status, next_due, standings, verify
from sheshbesh.tournaments import actions as do
from sheshbesh.tournaments.systems import bracket
from tests.tournament_help import DIRECTOR, MINUTE, Course, settings_of, slots, there


def test_a_knockout_of_eleven_with_everything_that_goes_wrong() -> None:
    course = Course(settings_of("knockout", draw="seeded", last_chance=True)).open(11).start()
    # 4 and 5 both have a bye, so that they can play at once.
    assert course.pair() == [(8, 9), (7, 10), (6, 11), (4, 5)]
    # 9 does not come: 8 goes on without a match.
    course.now += 5 * MINUTE
    course.step(
        there(course, 9), results=[course.result_of(each) for each in course.state.open_pairings[1:3]]
    )
    by_slot = {each.slot: each for each in course.state.pairings}
    assert by_slot["M2"].result is not None and by_slot["M2"].result.how == "walkover"
    # A twelfth comes and takes the bye of the lowest seed who has one, 5; nobody has begun there.
    course.enter("p12")
    course.pair()
    assert slots(course.state)["M4"] == (5, 12)
    # 3 leaves before the match with 6: 6 goes on.
    course.do("p3", do.LeaveAction())
    course.play(12)
    # That was read wrongly from the sheet: 5 has won, and goes on in the place of 12.
    wrong = next(each for each in course.state.pairings if each.slot == "M4")
    fix = do.CorrectAction(pairing=wrong.number, winner=5, score=(5, 3), reason="the sheet was read wrongly")
    course.do(DIRECTOR, fix)
    course.finish()
    state = course.state
    assert state.status is Status.CONFIRMING
    made = slots(state)
    assert made["M4"] == (5, 12) and 5 in made["M10"]
    main = [(row.place, row.last, row.entrant) for row in standings(state) if row.bracket == "main"]
    assert main[:2] == [(1, 1, 1), (2, 2, 2)]
    assert len(main) == 12
    assert state.by_id["p3"].why == "withdrawn"
    assert [line.what for line in state.log] == ["announce", "walkover", "correct"]
    assert verify(course.record()).ok


def test_a_place_in_a_bracket_is_open_until_nobody_can_come_before_or_behind() -> None:
    course = Course(settings_of("knockout", draw="seeded")).open(8).start()

    def places(bracket: str) -> list[tuple[int, int, int]]:
        return [
            (row.entrant, row.place, row.last) for row in standings(course.state) if row.bracket == bracket
        ]

    course.pair()
    assert places("main") == [(number, 1, 8) for number in range(1, 9)]
    course.step(results=[course.result_of(each) for each in course.state.open_pairings[:1]])
    # One has lost; the five who are to follow may all come before or behind.
    assert places("consolation") == [(8, 1, 6)]
    course.play()
    course.pair()
    assert places("main")[4:] == [(number, 5, 8) for number in range(5, 9)]
    assert places("consolation") == [(number, 1, 6) for number in range(5, 9)]
    both = [each for each in course.state.open_pairings if each.slot.startswith("C")]
    course.step(results=[course.result_of(each) for each in both])
    assert places("consolation") == [(5, 1, 4), (6, 1, 4), (7, 3, 6), (8, 3, 6)]
    course.finish()
    assert places("consolation") == [(3, 1, 1), (4, 2, 2), (5, 3, 4), (6, 3, 4), (7, 5, 6), (8, 5, 6)]


def test_who_does_not_come_at_all_on_both_sides_is_out_of_a_bracket() -> None:
    course = Course(settings_of("knockout", draw="seeded")).open(4).start()
    course.pair()
    course.now += 5 * MINUTE
    course.step(there(course, 2, 3))
    assert [course.state.entrant(number).why for number in (2, 3)] == ["absent", "absent"]
    course.finish()
    assert standings(course.state)[0].entrant == 1
    assert course.state.status is Status.CONFIRMING


def test_one_who_leaves_after_winning_without_play_has_won_all_the_same() -> None:
    course = Course(settings_of("knockout", draw="seeded", consolation="none")).open(8).start()
    course.pair()
    course.play()
    course.step()
    for number in (4, 1):
        course.do(f"p{number}", do.LeaveAction())
    course.finish()
    assert [row.entrant for row in standings(course.state)][:3] == [2, 1, 3]
    early = Course(settings_of("knockout", draw="seeded", consolation="none")).open(8).start()
    early.pair()
    early.do("p4", do.LeaveAction())
    early.do("p5", do.LeaveAction())
    early.finish()
    assert slots(early.state)["M6"] == (2, 3)
    assert "M5" not in slots(early.state) and standings(early.state)[0].entrant == 1
    early.do(DIRECTOR, do.DisqualifyAction(entrant=4, reason="an engine, too"))
    assert bracket.conflicts(early.state) == []


def test_a_held_bracket_waits_for_its_director() -> None:
    course = Course(settings_of("knockout", draw="seeded")).open(4).start()
    course.pair()
    course.do(DIRECTOR, do.HoldAction(reason="the light went out"))
    course.now += 60 * MINUTE
    assert course.step(there(course, 1, 2, 3, 4)) == 0
    assert next_due(course.state) is None
    course.do(DIRECTOR, do.HoldAction(on=False))
    assert course.step(there(course, 1, 2, 3, 4)) == 0
    course.now += 5 * MINUTE
    assert course.step(there(course, 1)) == 1


def test_a_deadline_is_put_off_by_the_director_and_by_time_without_a_server() -> None:
    course = Course(settings_of("knockout", draw="seeded")).open(4).start()
    course.pair()
    course.do(DIRECTOR, do.ExtendAction(by=10 * MINUTE, pairing=1))
    course.do(SERVER, do.TickAction(down=3 * MINUTE))
    deadlines = [each.deadline for each in course.state.open_pairings]
    assert deadlines == [18 * MINUTE, 8 * MINUTE]
    course.do(SERVER, do.TickAction(began=(2,)))
    course.now = 17 * MINUTE
    course.step(there(course, 1, 2, 3, 4))  # they are called once more
    assert course.step(there(course, 1, 2, 3, 4)) == 0


def test_a_start_that_no_server_saw_happens_two_minutes_after_the_return() -> None:
    course = Course(settings_of("swiss", starts=30 * MINUTE, check_in=0)).open(4)
    course.now = 45 * MINUTE
    course.do(SERVER, do.TickAction(down=20 * MINUTE))
    assert (course.state.starts, course.step()) == (47 * MINUTE, 0)
    course.now = 47 * MINUTE
    course.step()
    assert course.state.status is Status.RUNNING


def test_the_last_one_somebody_disqualified_has_beaten_goes_on() -> None:
    course = Course(settings_of("knockout", draw="seeded", consolation="none")).open(8).start()
    course.pair()
    course.play()
    assert course.pair() == [(1, 4), (2, 3)]
    course.do(DIRECTOR, do.DisqualifyAction(entrant=1, reason="two accounts"))
    assert course.state.entrant(8).plays
    course.step()
    assert (8, 4) in [each.both for each in course.state.open_pairings]
    course.do(SERVER, do.TickAction(began=tuple(each.number for each in course.state.open_pairings)))
    # Once the next match has begun, that one is simply given to the opponent.
    course.do(DIRECTOR, do.DisqualifyAction(entrant=2, reason="two accounts"))
    assert not course.state.entrant(7).plays
    course.finish()
    assert [row.entrant for row in standings(course.state)][:2] == [3, 4]
    assert verify(course.record()).ok


def test_a_sit_and_go_starts_when_it_is_full() -> None:
    course = Course(settings_of("knockout", start="when_full", limit=8, consolation="none"))
    course.open(7)
    assert course.step() == 0
    course.enter("p8")
    assert course.step() == 1
    assert course.state.status is Status.RUNNING
    with pytest.raises(Refused, match="entries are closed"):
        course.enter("p9")


@pytest.mark.parametrize("entrants", [6, 8, 11])
def test_groups_go_on_to_a_bracket(entrants: int) -> None:
    settings = settings_of("knockout", groups=2, advance=2, consolation="none")
    course = Course(settings).open(entrants).start()
    assert course.state.stage == "groups"
    course.finish()
    state = course.state
    groups = {each.number: each.group for each in state.entrants}
    semis = [each.both for each in state.pairings if each.slot in ("M1", "M2")]
    assert len(semis) == 2
    assert all(groups[first] != groups[second] for first, second in semis)
    rows = [row for row in standings(state) if row.bracket == "main"]
    assert len(rows) == entrants and rows[0].entrant == 1
    assert verify(course.record()).ok


def test_lengths_by_bracket_and_round() -> None:
    lengths = {"main": [5, 7, 9], "consolation": [3]}
    course = Course(settings_of("knockout", lengths=lengths, last_chance=True)).open(16).start().finish()
    rounds = {slot.name: slot for slot in course.state.plan}
    for each in course.state.pairings:
        slot = rounds[each.slot]
        main = (5, 7, 9, 9)[slot.round - 1] if slot.bracket == "main" else 0
        expected = {"main": main, "consolation": 3, "last_chance": 1}[slot.bracket]
        assert each.length == expected


def test_a_plan_of_a_thousand_is_read_at_once() -> None:
    course = Course(settings_of("double", draw="seeded")).open(1024).start()
    assert len(bracket.places(course.state)) == 1023 + 1022 + 2
    assert len(course.pair()) == 512


def test_a_bye_that_was_followed_by_a_win_without_play_is_taken_no_more() -> None:
    course = Course(settings_of("knockout", draw="seeded", consolation="none")).open(6).start()
    course.pair()
    course.play(4)
    course.do("p4", do.LeaveAction())
    course.step()
    # 1 has gone on past the place of 4; 2 has a bye still, and the seventh takes it.
    course.enter("p7")
    course.step()
    assert slots(course.state)["M3"] == (2, 7)
    with pytest.raises(Refused, match="entries are closed"):
        course.enter("p8")
    course.finish()
    assert bracket.conflicts(course.state) == []
    assert verify(course.record()).ok


@pytest.mark.parametrize("size", range(3, 10))
def test_ranges_of_a_consolation_count_those_alone_who_will_come(size: int) -> None:
    course = Course(settings_of("knockout", draw="seeded")).open(size).start()
    ends = set()
    while True:
        course.pair()
        ends |= {
            row.last for row in standings(course.state) if row.bracket == "consolation" and row.place == 1
        }
        if not course.state.open_pairings:
            break
        course.step(results=[course.result_of(course.state.open_pairings[0])])
    entrants = sum(1 for row in standings(course.state) if row.bracket == "consolation")
    assert max(ends) == entrants == size - 2
