"""Matches of an event: what it forbids, forfeits, and that nobody waits without a clock."""

from __future__ import annotations

import pytest

from sheshbesh.errors import RecordError
from sheshbesh.rules import Side
from sheshbesh.session import (
    AcceptAction,
    BreakAction,
    CallAction,
    ClaimAction,
    EventTerms,
    ForfeitAction,
    Header,
    Phase,
    ProposeAction,
    ReadyAction,
    Record,
    ResignAction,
    RollAction,
)
from sheshbesh.session.state import Forbidden
from tests.session_help import BLACK, OTHER, SERVER, WHITE, S, Table

EVERYTHING: tuple[Forbidden, ...] = ("agreements", "pauses", "tutor", "hints", "analysis", "rematch", "chat")
EVENT = EventTerms("friday", 7, 30, EVERYTHING)
STRICT = "tavla.p3.clock-d12-60.dice-strict"


def at_table(code: str = STRICT, *, event: EventTerms | None = EVENT) -> Table:
    return Table(code, event=event)


def between_games(table: Table) -> Table:
    """The same table after a game that somebody has resigned, which leaves the match open."""
    table.ready()
    while table.phase is Phase.OPENING:
        for side in table.state.to_act:
            table.do(side.value, table.dressed(RollAction(), side.value))
        table.due_actions()
    loser = table.on_roll
    table.do(loser, ResignAction())
    table.do(OTHER[loser], AcceptAction())
    assert table.phase is Phase.READY
    return table


@pytest.mark.parametrize("what", ["draw", "settle", "pause"])
def test_nothing_is_agreed_on_where_the_event_forbids_it(what: str) -> None:
    table = at_table("backgammon.p3.dice-typed.clock-d12-60").begin()
    assert table.rule(WHITE, ProposeAction(what)) == "event.agreements"
    assert "propose" not in table.state.allowed(WHITE)


@pytest.mark.parametrize(
    ("forbidden", "refused", "left"), [("agreements", "draw", "pause"), ("pauses", "pause", "draw")]
)
def test_an_event_forbids_what_it_names_and_no_more(forbidden: str, refused: str, left: str) -> None:
    event = EventTerms("friday", 7, 30, (forbidden,))  # type: ignore[arg-type]
    table = at_table("backgammon.m.clock-d12-60", event=event).begin()
    assert table.rule(WHITE, ProposeAction(refused)) == f"event.{forbidden}"
    table.do(WHITE, ProposeAction(left))


def _unbegun(table: Table) -> None:
    table.do(WHITE, ReadyAction())


def _opening(table: Table) -> None:
    table.ready()


def _expired(table: Table) -> None:
    table.begin()
    table.now += 10_000 * S


def _resigned(table: Table) -> None:
    table.begin().do(WHITE, ResignAction())


@pytest.mark.parametrize("code", ["tavla.p3", "tavla.p3.clock-d12-60", "backgammon.m"])
@pytest.mark.parametrize("reach", [_unbegun, _opening, _expired, _resigned])
@pytest.mark.parametrize(("side", "winner"), [(WHITE, Side.BLACK), (BLACK, Side.WHITE), ("both", None)])
def test_the_server_forfeits_a_match_in_every_phase(
    code: str, reach: object, side: str, winner: Side | None
) -> None:
    table = at_table(code, event=None)
    reach(table)  # type: ignore[operator]
    assert table.rule(WHITE, ForfeitAction(side, "ruling")) in ("actor.server", "clock.expired")
    score = table.state.score
    then = table.do(SERVER, ForfeitAction(side, "absent")).then
    assert (table.phase, table.state.winner, table.state.ending) == (Phase.OVER, winner, "forfeit")
    assert then == {"match": {"winner": winner and winner.value, "reason": "forfeit"}}
    assert table.state.score == score
    assert table.record().replay() == table.state


@pytest.mark.parametrize(
    ("action", "rule"),
    [(ForfeitAction("nobody", "ruling"), "actor.unknown"), (ForfeitAction("both", "late"), "forfeit.reason")],
)
def test_a_forfeit_names_a_side_and_a_known_reason(action: ForfeitAction, rule: str) -> None:
    assert at_table().rule(SERVER, action) == rule


def test_a_forfeited_match_is_not_forfeited_again() -> None:
    table = at_table()
    table.do(SERVER, ForfeitAction(WHITE, "no_show"))
    assert table.rule(SERVER, ForfeitAction(BLACK, "no_show")) == "match.over"


def test_players_are_called_after_the_time_between_two_games_and_then_lose_time() -> None:
    table = between_games(at_table())
    over = table.now
    assert table.state.due == over + 30 * S
    assert table.rule(SERVER, CallAction(), after=29 * S) == "event.early"
    assert table.rule(WHITE, CallAction(), after=31 * S) == "actor.server"
    table.do(BLACK, table.dressed(ReadyAction(), BLACK))
    assert table.state.clock.running is None
    table.now = over
    table.do(SERVER, CallAction(), after=30 * S)
    # With new chains for each game White has to come, and has the delay and the bank for it.
    assert table.state.clock.running is Side.WHITE
    assert table.state.due is not None
    table.now = table.state.due
    table.do(SERVER, ClaimAction())
    assert (table.state.winner, table.state.ending) == (Side.BLACK, "time")


def test_the_clock_of_one_who_comes_passes_to_the_other() -> None:
    table = between_games(at_table())
    bank = table.state.clock.bank(Side.WHITE, table.now)
    table.do(SERVER, CallAction(), after=30 * S)
    assert (table.phase, table.state.clock.running) == (Phase.READY, Side.WHITE)
    table.do(WHITE, table.dressed(ReadyAction(), WHITE), after=20 * S)
    assert (table.phase, table.state.clock.running) == (Phase.READY, Side.BLACK)
    assert table.state.clock.bank(Side.WHITE, table.now) == bank - 8 * S  # beyond the delay of 12
    table.do(BLACK, table.dressed(ReadyAction(), BLACK), after=1 * S)
    table.due_actions()
    assert (table.phase, table.state.clock.running) == (Phase.OPENING, Side.WHITE)


def test_a_called_game_begins_at_once_where_nobody_owes_an_anchor() -> None:
    table = at_table("tavla.p3.clock-d12-60").begin()
    table.do(WHITE, ResignAction())
    table.do(BLACK, AcceptAction())
    table.do(SERVER, CallAction(), after=30 * S)
    assert (table.phase, table.state.game_no) == (Phase.OPENING, 2)


@pytest.mark.parametrize("phase", [Phase.READY, Phase.OPENING])
def test_where_neither_comes_to_a_game_both_lose(phase: Phase) -> None:
    table = between_games(at_table("backgammon.p3.clock-d12-60.dice-strict"))
    if phase is Phase.OPENING:
        table.ready()
    else:
        table.do(SERVER, CallAction(), after=30 * S)
    assert table.phase is phase
    assert table.state.due is not None
    table.now = table.state.due
    table.do(SERVER, ClaimAction())
    assert (table.phase, table.state.winner) == (Phase.OVER, None)
    assert table.record().replay() == table.state


def test_a_break_puts_off_the_call() -> None:
    table = between_games(at_table("backgammon.p21.clock-d12-60.dice-strict"))
    until = table.do(WHITE, BreakAction()).then["until"]
    assert table.state.due == until
    assert table.rule(SERVER, CallAction(), after=31 * S) == "event.early"


def test_in_the_opening_draw_of_an_event_the_side_that_is_awaited_loses_time() -> None:
    table = at_table().ready()
    assert (table.phase, table.state.clock.running) == (Phase.OPENING, Side.WHITE)
    table.do(WHITE, table.dressed(RollAction(), WHITE), after=5 * S)
    assert table.state.clock.running is Side.BLACK
    table.now = table.state.due or 0
    table.do(SERVER, ClaimAction())
    assert table.state.winner is Side.WHITE


def test_without_an_event_there_is_no_clock_between_games_and_no_call() -> None:
    table = between_games(at_table(event=None))
    assert table.state.due is None
    assert table.rule(SERVER, CallAction(), after=60 * S) == "turn.not_now"
    table.ready()
    assert table.state.clock.running is None


def test_the_first_line_of_a_record_has_the_event_only_where_there_is_one() -> None:
    data = at_table().header.to_data()
    assert data["event"] == {"id": "friday", "pairing": 7, "between_games": 30, "forbids": list(EVERYTHING)}
    assert Header.from_data(data).event == EVENT
    assert "event" not in at_table(event=None).header.to_data()


@pytest.mark.parametrize(
    "event",
    [
        "friday",
        {"id": "friday", "pairing": 0, "between_games": 30},
        {"id": "friday", "pairing": 1},
        {"id": "friday", "pairing": 1, "between_games": 30, "forbids": ["winning"]},
        {"id": "friday", "pairing": 1, "between_games": 30, "more": 1},
    ],
)
def test_an_event_that_cannot_be_read_is_said(event: object) -> None:
    data = at_table().header.to_data() | {"event": event}
    with pytest.raises(RecordError, match="event"):
        Header.from_data(data)


def test_a_record_of_an_event_is_replayed_with_its_calls() -> None:
    table = between_games(at_table())
    table.do(SERVER, CallAction(), after=30 * S)
    table.ready()
    assert Record.from_text(table.record().to_text()).replay() == table.state
