"""Tournaments in which anybody does anything at any time: nothing breaks, and all comes to an end."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from sheshbesh.tournaments import (
    SERVER,
    Action,
    Presence,
    Refused,
    Settings,
    Status,
    TournamentRecord,
    standings,
    verify,
)
from sheshbesh.tournaments import actions as do
from sheshbesh.tournaments.state import ENDED
from sheshbesh.tournaments.systems import bracket
from tests.sizes import sampled
from tests.tournament_help import DIRECTOR, MINUTE, SECOND, Course, by_strength, settings_of

SHORT = {"card": "tavla.p3.clock-d6-20"}
SYSTEMS: dict[str, Settings] = {
    "knockout": settings_of("knockout", last_chance=True, **SHORT),
    "double": settings_of("double", **SHORT),
    "groups": settings_of("knockout", groups=2, consolation="none", **SHORT),
    "swiss": settings_of("swiss", clubs_apart=1, **SHORT),
    "losses": settings_of("losses", inside="close", **SHORT),
    "round robin": settings_of("round_robin", round_limit=40 * MINUTE, **SHORT),
    "correspondence": settings_of("round_robin", card="tavla.p3.clock-t86400", unplayed="void"),
    "arena": settings_of("arena", minutes=30, **SHORT),
}


def number(course: Course, rng: random.Random) -> int:
    return rng.randrange(1, len(course.state.entrants) + 2)


def pairing(course: Course, rng: random.Random) -> int:
    return rng.randrange(1, len(course.state.pairings) + 2)


WHIMS: dict[str, Callable[[Course, random.Random], Action]] = {
    "leave": lambda course, rng: do.LeaveAction(),
    "pause": lambda course, rng: do.PauseAction(),
    "resume": lambda course, rng: do.ResumeAction(),
    "enter": lambda course, rng: do.EnterAction(name="Someone"),
    "remove": lambda course, rng: do.RemoveAction(entrant=number(course, rng), reason="x"),
    "repair": lambda course, rng: do.RepairAction("x"),
    "enter_result": lambda course, rng: do.EnterResultAction(
        pairing=pairing(course, rng), winner=number(course, rng)
    ),
    "correct": lambda course, rng: do.CorrectAction(
        pairing=pairing(course, rng), winner=number(course, rng), annul=rng.random() < 0.3, reason="x"
    ),
    "penalty": lambda course, rng: do.PenaltyAction(entrant=number(course, rng), points=1, reason="x"),
    "ruling": lambda course, rng: do.RulingAction(
        pairing=pairing(course, rng), winner=rng.choice((0, number(course, rng))), reason="x"
    ),
    "hold": lambda course, rng: do.HoldAction(on=rng.random() < 0.5),
    "disqualify": lambda course, rng: do.DisqualifyAction(entrant=number(course, rng), reason="x"),
    "reinstate": lambda course, rng: do.ReinstateAction(entrant=number(course, rng), reason="x"),
    "forbid": lambda course, rng: do.ForbidAction(
        pairs=((number(course, rng), number(course, rng)),), reason="x"
    ),
    "extend": lambda course, rng: do.ExtendAction(by=MINUTE),
    "tick": lambda course, rng: do.TickAction(
        began=tuple(each.number for each in course.state.open_pairings if rng.random() < 0.3), down=SECOND
    ),
}
OF_ENTRANTS = ("leave", "pause", "resume", "enter")


def whim(course: Course, rng: random.Random) -> None:
    """Let somebody do something, which may be refused; nothing else may happen to it."""
    kind = rng.choice(list(WHIMS))
    actor = f"p{number(course, rng)}" if kind in OF_ENTRANTS else SERVER if kind == "tick" else DIRECTOR
    before = course.state
    try:
        course.do(actor, WHIMS[kind](course, rng))
    except Refused as error:
        assert error.refusal.text
        assert course.state is before


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seed", sampled(range(40), lambda seed: seed < 4))
def test_it_comes_to_its_end_after_anything(name: str, seed: int) -> None:
    rng = random.Random(f"{name} {seed}")
    course = Course(SYSTEMS[name], by_strength(seed)).open(rng.randrange(6, 14)).start()
    for _ in range(rng.randrange(10, 60)):
        course.now += rng.randrange(MINUTE)
        if rng.random() < 0.5:
            whim(course, rng)
        everybody = frozenset(range(1, len(course.state.entrants) + 1))
        there = frozenset(each for each in everybody if rng.random() < 0.9)
        still = course.state.open_pairings
        over = [course.result_of(each) for each in still if rng.random() < 0.3]
        course.step(Presence(everybody, {each.number: there for each in still}), over)
        standings(course.state)
        assert bracket.conflicts(course.state) == []
        assert name == "correspondence" or len(course.state.playing) == 2 * len(course.state.open_pairings)
    if course.state.held is not None:
        course.do(DIRECTOR, do.HoldAction(on=False))
    for _ in range(2000):
        quick = course.settings.system == "arena" and course.state.status is Status.RUNNING
        course.now += 2 * SECOND if quick else 6 * MINUTE
        if not course.step():
            course.step(results=[course.result_of(each) for each in course.state.open_pairings])
        if course.state.status in ENDED:
            break
    assert course.state.status is Status.OVER, course.state.status
    assert verify(course.record()).problems == ()
    assert TournamentRecord.from_text(course.record()).replay() == course.state
