"""Every refusal of a tournament, by what leads to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sheshbesh import tournaments
from sheshbesh.errors import ProtocolError
from sheshbesh.match.timing import DAY
from sheshbesh.tournaments import (
    MODERATOR,
    SERVER,
    TOURNAMENT_RULES,
    Refused,
    Series,
    Status,
    allowed,
    check_settings,
    may,
    read_action,
    read_settings,
)
from sheshbesh.tournaments import actions as do
from sheshbesh.tournaments.draw import commitment
from sheshbesh.tournaments.permissions import PATIENCE, RULES
from tests.tournament_help import CARD, DIRECTOR, MINUTE, SECRET, Course, settings_of


def refusal_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.refusal.rule


def running(system: str = "swiss", entrants: int = 8, **changes: Any) -> Course:
    course = Course(settings_of(system, **changes)).open(entrants).start()
    course.pair()
    return course


def opened(entrants: int = 0, system: str = "swiss", **changes: Any) -> Course:
    return Course(settings_of(system, **changes)).open(entrants)


SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("settings.system", {"system": "arena", "rounds": 3}),
    ("settings.system", {"system": "swiss", "consolation": "none"}),
    ("settings.system", {"system": "knockout", "third_place": True}),
    ("settings.system", {"system": "knockout", "consolation": "none", "last_chance": True}),
    ("settings.system", {"system": "arena", "bonus": True}),
    ("settings.limit", {"system": "round_robin", "limit": 17}),
    ("settings.limit", {"system": "knockout", "limit": 1025}),
    ("settings.limit", {"system": "knockout", "start": "when_full"}),
    ("settings.card", {"card": "tavla.p0"}),
    ("settings.card", {"card": "nothing.p5"}),
    ("settings.tie_break", {"tie_breaks": ["shared", "wins"]}),
    ("settings.tie_break", {"tie_breaks": ["wins", "wins"]}),
    ("card.event", {"card": "takhte.p5.clock-d12-60"}),
    ("card.event", {"card": "tavla.m.clock-d12-60"}),
    ("card.event", {"card": "tavla.p5.clock-d12-60.dice-seeded"}),
    ("card.event", {"card": "tavla.p5.clock-d12-60.dice-typed"}),
    ("card.event", {"card": "tavla.p5"}),
    ("card.event", {"card": "tavla.p5.clock-t86400", "system": "arena"}),
    ("card.event", {"card": "tavla.g5.clock-d12-60", "system": "knockout", "lengths": {"main": [4]}}),
    ("settings.rated", {"rated": True, "who": "guests"}),
    ("settings.rated", {"rated": True, "boards": "real"}),
    ("settings.club", {"who": "club"}),
    ("settings.club", {"who": "club", "club": " "}),
    ("zone", {"zone": "Mars/Olympus"}),
    ("zone", {"zone": "../etc/passwd"}),
    ("starts", {"starts": 999}),
    ("starts", {"starts": 1001 + 400 * DAY}),
    ("opens", {"starts": 2000, "opens": 3000}),
    ("rounds.too_many", {"rounds": 4, "limit": 6}),
    ("director.last", {"directors": [f"d{number}" for number in range(9)]}),
    ("text.characters", {"title": "a\u202eb"}),
    ("text.characters", {"title": "two\nlines"}),
    ("text.characters", {"text": "a\x00b"}),
]


@pytest.mark.parametrize(("rule", "changes"), SETTINGS)
def test_settings_by_which_nothing_can_be_played(rule: str, changes: dict[str, Any]) -> None:
    data = {"title": "Test", "card": CARD, "system": "swiss", **changes}
    assert refusal_of(lambda: check_settings(read_settings(data), 1000)) == rule


@pytest.mark.parametrize(
    "changes",
    [
        {"card": "tavla.p5", "boards": "real"},
        {"card": "takhte.agreements=false.p5.clock-d12-60"},
        {"system": "arena", "card": "hypergammon.p1.clock-d6-30", "bonus": False},
        {"system": "knockout", "start": "when_full", "limit": 16, "consolation": "none"},
        {"starts": 1000 + 400 * DAY, "zone": "Asia/Tehran", "text": "two\nlines"},
        {"system": "knockout", "lengths": {"main": [7, 7, 9, 11], "consolation": [5]}},
    ],
)
def test_settings_that_are_fine(changes: dict[str, Any]) -> None:
    check_settings(read_settings({"title": "Test", "card": CARD, "system": "swiss", **changes}), 1000)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"title": "T", "card": CARD, "system": "chess"}, "$.system"),
        ({"title": "", "card": CARD, "system": "swiss"}, "$.title"),
        ({"title": "T", "card": CARD, "system": "swiss", "fee": 5}, "fee"),
        ({"title": "T", "card": CARD, "system": "swiss", "rounds": 31}, "$.rounds"),
        ({"title": "T", "card": CARD, "system": "swiss", "text": "x" * 2001}, "$.text"),
        ({"title": "T", "card": CARD, "system": "knockout", "lengths": {"main": []}}, "$.lengths"),
        ({"title": "T", "card": CARD, "system": "knockout", "lengths": {"mian": [5]}}, "$.lengths"),
        ({"title": "T", "card": CARD, "system": "swiss", "directors": "nora"}, "$.directors"),
        ([], "object"),
    ],
)
def test_settings_of_an_unknown_form_say_where(data: object, where: str) -> None:
    with pytest.raises(ProtocolError, match="settings of a tournament: ") as error:
        read_settings(data)
    assert where in str(error.value)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"type": "win"}, "no action 'win'"),
        ({}, "no action None"),
        ("pair", "no action None"),
        ({"type": "pair", "round": 0, "pairs": []}, "$.round"),
        ({"type": "pair", "round": 1, "pairs": [[1, 2, 3]]}, "$.pairs[0]"),
        ({"type": "result", "pairing": 1, "winner": 1, "score": [5, "x"]}, "$.score[1]"),
        ({"type": "result", "pairing": 1, "winner": 1, "score": [1000, 0]}, "$.score[0]"),
        ({"type": "enter", "name": "Ayşe", "share": "zz"}, "$.share"),
        ({"type": "enter", "name": "Ayşe", "money": 1}, "money"),
        ({"type": "message", "text": ""}, "$.text"),
        ({"type": "penalty", "entrant": 1, "points": 0}, "$.points"),
    ],
)
def test_actions_of_an_unknown_form_say_where(data: object, where: str) -> None:
    with pytest.raises(ProtocolError) as error:
        read_action(data)
    assert where in str(error.value)


ENTRIES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("entry.guest", {}, {"kind": "guest"}),
    ("entry.bot", {}, {"kind": "bot"}),
    ("entry.only_bots", {"bots": "only"}, {}),
    ("entry.club", {"who": "club", "club": "kadıköy"}, {"club": "moda"}),
    ("entry.invited", {"who": "invited", "invited": ["leyla"]}, {}),
    ("entry.unrated", {"highest": 1600}, {}),
    ("entry.unrated", {"highest": 1600}, {"rating": 1500, "matches": 19}),
    ("entry.unrated", {"highest": 1600}, {"rating": 1500, "matches": 50, "deviation": 111.0}),
    ("entry.rating", {"highest": 1600}, {"rating": 1500, "peak": 1650, "matches": 50, "deviation": 60.0}),
    ("entry.rating", {"lowest": 1600}, {"rating": 1500, "matches": 50}),
    ("entry.matches", {"card": "tavla.p5.clock-t86400"}, {"open": 40}),
    ("entry.matches", {"card": "tavla.p5.clock-t86400", "system": "round_robin"}, {"open": 26}),
    ("text.characters", {}, {"name": "evil\u200e"}),
]


@pytest.mark.parametrize(("rule", "changes", "fields"), ENTRIES)
def test_entries_that_are_refused(rule: str, changes: dict[str, Any], fields: dict[str, Any]) -> None:
    course = opened(**changes)
    assert refusal_of(lambda: course.do("ayşe", do.EnterAction(**{"name": "Ayşe", **fields}))) == rule
    assert course.state.entrants == ()


def test_a_full_tournament_has_a_waiting_list() -> None:
    course = opened(4, limit=4)
    assert refusal_of(lambda: course.enter("p5")) == "entry.full"
    assert refusal_of(lambda: course.enter("p1")) == "entry.twice"
    course.enter("p6", waiting=True)
    assert [each.id for each in course.state.entrants if each.status == "waiting"] == ["p6"]
    course.do("p2", do.LeaveAction())
    assert course.state.by_id["p6"].status == "entered"
    course.enter("p2", waiting=True)
    course.start()
    assert course.state.by_id["p2"].why == "full"
    assert course.state.by_id["p6"].seed == 4


def test_more_places_are_for_those_who_wait() -> None:
    course = opened(4, limit=4)
    for number in (5, 6, 7):
        course.enter(f"p{number}", waiting=True)
    course.do(DIRECTOR, do.AmendAction({"limit": 6}))
    assert [each.status for each in course.state.entrants[4:]] == ["entered", "entered", "waiting"]


def test_check_in_decides_who_starts() -> None:
    course = opened(5, starts=60 * MINUTE)
    course.now = 44 * MINUTE
    assert course.step() == 0
    assert refusal_of(lambda: course.do("p1", do.CheckInAction())) == "tournament.not_now"
    course.now = 45 * MINUTE
    course.step()
    assert course.state.status is Status.CHECK_IN
    for number in range(1, 5):
        course.do(f"p{number}", do.CheckInAction())
    course.now = 60 * MINUTE
    course.step()
    assert course.state.by_id["p5"].why == "not_checked_in"
    assert [each.number for each in course.state.players()] == [1, 2, 3, 4]
    for _ in range(2):
        course.pair()
        course.play()
    assert refusal_of(lambda: course.enter("p5")) == "entry.check_in"
    assert refusal_of(lambda: course.enter("p9")) == "entry.closed"
    assert refusal_of(lambda: course.do("p5", do.LeaveAction())) == "entry.none"


def test_texts_that_others_read_hold_no_tricks() -> None:
    course = running()
    for action in (
        do.MessageAction("ring\x07"),
        do.HoldAction(reason="\u202etxet"),
        do.RemoveAction(entrant=1, reason="a\x00"),
        do.AddAction(name="two\nlines"),
        do.AddAction(name="Cem", club="mo\u2066da"),
    ):
        assert refusal_of(partial(course.do, DIRECTOR, action)) == "text.characters"
    course.do(DIRECTOR, do.MessageAction("Round 2 begins at 15:00.\nبفرمایید"))


def test_roles() -> None:
    course = running(referees=["omid"])
    assert refusal_of(lambda: course.do("omid", do.HoldAction())) == "actor.director"
    assert refusal_of(lambda: course.do("p1", do.RulingAction(pairing=1, reason="x"))) == "actor.referee"
    assert refusal_of(lambda: course.do(DIRECTOR, do.CloseRoundAction(1))) == "actor.server_only"
    # What the server does by itself, and a director may do too.
    assert refusal_of(lambda: course.do("p1", do.StartAction())) == "actor.director"
    assert refusal_of(lambda: course.do(SERVER, do.MessageAction("hello"))) == "actor.director"
    assert may(course.state, "omid", "enter_result", 0)
    assert not may(course.state, "omid", "correct", 0)
    assert allowed(course.state, "p1", 0) == ("enter", "leave", "pause", "resume")
    bracket = running("knockout", 4).state
    assert allowed(bracket, "p1", 0) == ("enter", "leave")
    left_out = bracket.with_entrants(replace(bracket.by_id["p1"], paused=True))
    assert allowed(left_out, "p1", 0) == ("enter", "leave", "resume")
    assert set(allowed(course.state, SERVER, 0)) >= {
        "pair",
        "result",
        "walkover",
        "close_round",
        "finish",
        "tick",
    }


def test_a_moderator_acts_once_a_decision_was_held_for_long() -> None:
    course = running()
    assert refusal_of(lambda: course.do(MODERATOR, do.MessageAction("hello"))) == "actor.director"
    course.do(DIRECTOR, do.HoldAction(reason="a quarrel"))
    course.now += PATIENCE - 1
    assert not may(course.state, MODERATOR, "ruling", course.now)
    course.now += 1
    course.do(MODERATOR, do.RulingAction(pairing=1, winner=1, reason="the dice were cocked"))
    assert course.state.pairing(1).result is not None
    course.do(MODERATOR, do.DisqualifyAction(entrant=2, reason="an engine"))


@pytest.mark.parametrize("kind", [kind for kind, rule in RULES.items() if rule.reason])
def test_what_somebody_loses_by_needs_a_reason(kind: str) -> None:
    fields: dict[str, dict[str, Any]] = {
        "remove": {"entrant": 1},
        "correct": {"pairing": 1},
        "penalty": {"entrant": 1, "points": 1},
        "ruling": {"pairing": 1},
        "disqualify": {"entrant": 1},
        "reinstate": {"entrant": 1},
        "forbid": {"pairs": [[1, 2]]},
        "mute": {"id": "p1"},
    }
    course = running()
    action = read_action({"type": kind, **fields.get(kind, {}), "reason": "  "})
    assert refusal_of(lambda: course.do(DIRECTOR, action)) == "reason.missing"


def test_start() -> None:
    assert refusal_of(lambda: opened(3).start()) == "start.few"
    assert refusal_of(lambda: opened(1, "arena").start()) == "start.few"
    course = opened(4)
    assert refusal_of(lambda: course.do(SERVER, do.StartAction("00" * 32))) == "draw.secret"
    assert (
        refusal_of(lambda: Course(settings_of("swiss")).do(DIRECTOR, do.AnnounceAction()))
        == "draw.commitment"
    )
    assert refusal_of(lambda: opened(6, rounds=4).start()) == "rounds.too_many"
    course.state = course.state.but(settings=settings_of("swiss", limit=4), entrants=opened(5).state.entrants)
    assert refusal_of(course.start) == "start.many"
    done = running("knockout", 2).finish()
    assert refusal_of(lambda: done.do(SERVER, do.StartAction(SECRET))) == "tournament.not_now"
    done.do(DIRECTOR, do.ConfirmAction())
    assert refusal_of(lambda: done.do(DIRECTOR, do.MessageAction("hello"))) == "tournament.over"


def pair(course: Course, number: int, *pairs: tuple[int, int], bye: int | None = None) -> str:
    ids = tuple(f"x{place}" for place in range(len(pairs)))
    return refusal_of(
        lambda: course.do(SERVER, do.PairAction(round=number, pairs=pairs, bye=bye, matches=ids))
    )


def test_pairs_of_a_swiss() -> None:
    course = Course(settings_of("swiss")).open(5).start()
    assert pair(course, 2, (1, 2), (3, 4), bye=5) == "pair.round"
    assert pair(course, 1, (1, 2), (2, 4), bye=5) == "pair.twice"
    assert pair(course, 1, (1, 2), (3, 9), bye=5) == "entrant.unknown"
    missing = do.PairAction(round=1, pairs=((1, 2), (3, 4)), bye=5, matches=("x1",))
    assert refusal_of(lambda: course.do(SERVER, missing)) == "pair.matches"
    course.pair()
    bye = next(each.first for each in course.state.pairings if not each.second)
    met = course.state.open_pairings[0].both
    course.play()
    course.step()
    rest = [number for number in range(1, 6) if number not in (*met, bye)]
    assert pair(course, 2, (met[0], rest[0]), (met[1], rest[1]), bye=bye) == "pair.bye"
    assert pair(course, 2, met, (rest[0], bye), bye=rest[1]) == "pair.again"
    course.do(f"p{rest[0]}", do.PauseAction())
    assert pair(course, 2, (rest[0], met[0])) == "pair.entrant"
    course.do(DIRECTOR, do.HoldAction())
    assert pair(course, 2, (met[0], rest[1])) == "tournament.held"


def test_pairs_of_brackets_round_robins_and_arenas() -> None:
    bracket = Course(settings_of("knockout", draw="seeded")).open(4).start()
    assert pair(bracket, 1, (1, 2)) == "pair.slot"
    assert pair(bracket, 2, (1, 4)) == "pair.round"
    table = Course(settings_of("round_robin")).open(4).start()
    assert pair(table, 1, (1, 2)) == "pair.slot"
    assert pair(table, 2, (2, 4)) == "pair.round"
    arena = Course(settings_of("arena")).open(4).start()
    arena.do("p1", do.LeaveAction())
    assert pair(arena, 1, (1, 2)) == "pair.entrant"
    arena.now = 59 * MINUTE
    assert pair(arena, 1, (3, 2)) == "tournament.not_now"


@pytest.mark.parametrize(
    ("winner", "score", "rule"),
    [
        (1, (5, 5), "result.score"),
        (1, (4, 3), "result.score"),
        (1, (-1, 5), "result.score"),
        (1, (1000, 0), "result.score"),
        (1, (0, 5), "result.winner"),
        (9, None, "result.winner"),
    ],
)
def test_scores_that_cannot_be(winner: int, score: tuple[int, int] | None, rule: str) -> None:
    course = running("knockout", 2, boards="real", card="tavla.p5", draw="seeded")
    action = do.EnterResultAction(pairing=1, winner=winner, score=score)
    assert refusal_of(lambda: course.do(DIRECTOR, action)) == rule
    assert course.state.pairing(1).is_open


def test_a_match_of_games_is_won_by_most_of_them() -> None:
    course = running("knockout", 2, boards="real", card="tavla.g5", draw="seeded")
    two_of_five = do.EnterResultAction(pairing=1, winner=1, score=(2, 1))
    assert refusal_of(lambda: course.do(DIRECTOR, two_of_five)) == "result.score"
    course.do(DIRECTOR, do.EnterResultAction(pairing=1, winner=1, score=(3, 1)))
    assert course.state.pairing(1).result is not None


def test_a_result_twice() -> None:
    course = running("swiss", 8, boards="real", card="tavla.p5")
    pairing = course.state.pairing(1)
    action = do.EnterResultAction(pairing=1, winner=pairing.first, score=(5, 2))
    course.do(DIRECTOR, action)
    count = len(course.events)
    course.do(DIRECTOR, action)
    assert len(course.events) == count
    other = do.EnterResultAction(pairing=1, winner=pairing.second, score=(2, 5))
    assert refusal_of(lambda: course.do(DIRECTOR, other)) == "result.known"
    assert (
        refusal_of(lambda: course.do(DIRECTOR, do.EnterResultAction(pairing=99, winner=1)))
        == "pairing.unknown"
    )
    early = do.CorrectAction(pairing=2, winner=1, reason="typo")
    assert refusal_of(lambda: course.do(DIRECTOR, early)) == "result.none"
    assert refusal_of(lambda: course.do(DIRECTOR, do.RepairAction("again"))) == "pairing.begun"
    ruling = do.RulingAction(pairing=1, winner=pairing.first, reason="late")
    assert refusal_of(lambda: course.do(DIRECTOR, ruling)) == "pairing.over"
    assert refusal_of(lambda: course.do(SERVER, do.CloseRoundAction(1))) == "round.open"
    assert refusal_of(lambda: course.do(SERVER, do.FinishAction())) == "round.open"


def test_nobody_rules_on_a_pairing_of_their_own() -> None:
    course = running(directors=["p1", DIRECTOR], referees=["p2"])
    own = next(each for each in course.state.open_pairings if 1 in each.both)
    other = own.other(1)
    for action in (
        do.EnterResultAction(pairing=own.number, winner=1),
        do.RulingAction(pairing=own.number, reason="x"),
        do.PenaltyAction(entrant=other, points=1, reason="x"),
        do.DisqualifyAction(entrant=other, reason="x"),
        do.RemoveAction(entrant=other, reason="x"),
        do.ExtendAction(pairing=own.number, by=MINUTE),
    ):
        assert refusal_of(partial(course.do, "p1", action)) == "director.own"
    refereed = next(each for each in course.state.open_pairings if 2 in each.both)
    result = do.EnterResultAction(pairing=refereed.number, winner=2)
    assert refusal_of(lambda: course.do("p2", result)) == "director.own"


def test_people_who_are_out_or_in() -> None:
    course = running("knockout", 4)
    course.do(DIRECTOR, do.RemoveAction(entrant=1, reason="ill", ban=True))
    assert refusal_of(lambda: course.do(DIRECTOR, do.RemoveAction(entrant=1, reason="ill"))) == "entrant.out"
    assert refusal_of(lambda: course.do(DIRECTOR, do.ReinstateAction(entrant=2, reason="x"))) == "entrant.in"
    banned = Course(settings_of("swiss")).open(1)
    banned.do(DIRECTOR, do.RemoveAction(entrant=1, reason="rude", ban=True))
    assert refusal_of(lambda: banned.enter("p1")) == "entry.banned"


def test_what_entrants_relied_on_is_frozen() -> None:
    course = opened(4, starts=100 * MINUTE, limit=8)
    for changes in (
        {"card": "tavla.p7.clock-d12-60"},
        {"limit": 6},
        {"starts": 90 * MINUTE},
        {"directors": ["x"]},
        {"public": False},
    ):
        amendment = do.AmendAction(changes)
        assert refusal_of(partial(course.do, DIRECTOR, amendment)) == "amend.frozen"
    course.do(DIRECTOR, do.AmendAction({"limit": 16, "starts": 110 * MINUTE, "text": "more room"}))
    assert (course.state.settings.limit, course.state.starts) == (16, 110 * MINUTE)
    with pytest.raises(ProtocolError, match=r"\$\.limit"):
        course.do(DIRECTOR, do.AmendAction({"limit": "many"}))
    course.do(DIRECTOR, do.ExtendAction(by=5 * MINUTE))
    course.do(DIRECTOR, do.AmendAction({"text": "the extended start stays"}))
    assert course.state.starts == 115 * MINUTE
    draft = Course(settings_of("swiss"))
    draft.do(DIRECTOR, do.AmendAction({"card": "tavla.p7.clock-d12-60"}))
    assert draft.state.settings.card == "tavla.p7.clock-d12-60"


def test_a_playoff_is_for_a_shared_place() -> None:
    course = Course(settings_of("swiss", tie_breaks=["playoff", "shared"])).open(4).start().finish()
    assert refusal_of(lambda: course.do(DIRECTOR, do.PlayoffAction(pair=(1, 4)))) == "playoff.tie"


def test_a_zone_of_a_series() -> None:
    assert refusal_of(lambda: Series(zone="Nowhere", hour=8).next_date(0)) == "zone"


def test_a_late_correction_of_a_bracket() -> None:
    course = running("knockout", 4, consolation="none", draw="seeded", directors=["p1", DIRECTOR])
    course.play()
    course.pair()
    fix = do.CorrectAction(pairing=2, winner=3, score=(0, 5), reason="the sheet was read wrongly")
    assert refusal_of(lambda: course.do(DIRECTOR, fix)) == "director.too_late"
    assert refusal_of(lambda: course.do("p1", replace(fix, anew=True))) == "director.own"  # of their final
    course.do(DIRECTOR, replace(fix, anew=True))
    assert course.state.log[-1].about == (2, 3, 1)
    assert course.pair() == [(1, 3)]  # the final had not begun
    course.play()
    fix = do.CorrectAction(pairing=1, winner=4, score=(0, 5), reason="the sheet was read wrongly")
    assert refusal_of(lambda: course.do(DIRECTOR, replace(fix, anew=True))) == "director.too_late"
    course.do(DIRECTOR, do.CorrectAction(pairing=4, annul=True, reason="the one before was wrong"))
    assert (
        refusal_of(lambda: course.do(DIRECTOR, do.CorrectAction(pairing=4, annul=True, reason="x")))
        == "pairing.over"
    )
    course.do(DIRECTOR, fix)
    assert course.pair() == [(4, 3)]


def test_every_refusal_is_raised_somewhere() -> None:
    files = [file for file in Path(tournaments.__file__).parent.rglob("*.py") if file.name != "refusals.py"]
    code = "".join(file.read_text(encoding="utf-8") for file in files)
    assert [rule for rule in TOURNAMENT_RULES if f'"{rule}"' not in code] == []


def test_a_commitment_is_a_hash() -> None:
    assert commitment("00" * 32) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
