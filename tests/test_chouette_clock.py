"""The clock of a chouette: whose runs, what a game lost on time costs, records."""

from __future__ import annotations

import pytest

from sheshbesh.errors import RecordError
from sheshbesh.rules import Side
from sheshbesh.session import (
    AcceptAction,
    AgreeAction,
    AnchorAction,
    ChouetteRecord,
    ClaimAction,
    CreditAction,
    DeclineAction,
    DiceKeeper,
    DoubleAction,
    HandOverAction,
    JoinAction,
    Phase,
    PlayAction,
    ReadyAction,
    RefuseAction,
    ResignAction,
    RollAction,
    SettleAction,
    StopAction,
)
from sheshbesh.session.actions import Event
from sheshbesh.session.chouette.state import BOX, TEAM
from tests.chouette_help import Table
from tests.dice_help import entropy_from
from tests.session_help import SERVER, S

CARD = "backgammon.m.beavers.dice-typed"


def table(people: str = "ABCD", *, clock: str = "d12-120", card: str = CARD, chosen: bool = False) -> Table:
    return Table(people, card=f"{card}.clock-{clock}", chosen=chosen)


def running(played: Table) -> Side | None:
    return played.state.board.clock.running


def bank(played: Table, side: Side) -> int:
    return played.state.board.clock.bank(side, played.state.at)


def record(played: Table) -> ChouetteRecord:
    """The record as it is read from its text."""
    return ChouetteRecord.from_text(ChouetteRecord(played.header, tuple(played.events)).to_text())


# Whose clock runs


def test_on_the_board_it_runs_as_in_a_match() -> None:
    played = table().begin()
    assert (running(played), played.state.board.on_roll) == (BOX, BOX)
    played.to_roll(TEAM)
    assert running(played) is TEAM
    played.do("B", ResignAction("single"))
    assert running(played) is BOX  # who is asked thinks on their own time
    played.do("A", RefuseAction())
    assert running(played) is TEAM
    played.do("A", ResignAction("single"))  # in the team's turn: the team's clock goes on
    assert running(played) is TEAM
    played.do("B", AcceptAction())
    assert running(played) is None


def test_it_waits_for_the_box_until_all_cubes_are_answered() -> None:
    played = table().begin().to_roll(TEAM)
    played.do("B", DoubleAction(), after=5 * S)
    left = played.state.board.clock.waiting
    assert running(played) is BOX and left is not None and left <= 7 * S
    since = played.state.board.clock.since
    played.do("C", DoubleAction())  # while the box thinks about another cube
    assert (running(played), played.state.board.clock.since) == (BOX, since)
    played.answers("A", "take", "B")
    clock = played.state.board.clock
    assert (running(played), clock.allowance, clock.waiting) == (BOX, 12 * S, left)  # an answer for each cube
    played.answers("A", "drop", "C")
    clock = played.state.board.clock
    assert (running(played), clock.allowance, clock.waiting) == (TEAM, left, None)


def test_where_both_sides_have_cubes_to_answer_the_one_not_on_roll_comes_first() -> None:
    played = table().begin().to_roll(TEAM)
    for name in "BC":
        played.do(name, DoubleAction())
    played.answers("A", "beaver", "B")
    assert running(played) is BOX  # C's cube is older than what B owes
    clock = played.state.board.clock
    played.answers("B", "take")  # upon the box's time, of which it takes none
    assert played.state.board.clock is clock
    played.answers("A", "beaver", "C")
    assert running(played) is TEAM
    played.answers("C", "take")
    assert running(played) is TEAM and played.state.board.clock.waiting is None


def test_the_members_answer_the_box_on_the_time_of_the_team() -> None:
    played = table(clock="f10-60").begin().to_roll(TEAM)
    played.to_roll(BOX)
    before = bank(played, TEAM)
    played.do("A", DoubleAction())
    for name in "BC":
        played.answers(name, "take")
        assert running(played) is TEAM
    played.answers("D", "beaver")
    assert running(played) is BOX
    played.answers("A", "take", "D")
    assert running(played) is BOX
    assert bank(played, TEAM) > before + 29 * S  # each of three answers had ten seconds more


def test_settlements_and_a_captain_who_hands_over_move_no_clock() -> None:
    played = table().begin().to_roll(TEAM)
    clock = played.state.board.clock
    played.do("B", HandOverAction("C"))
    played.do("D", SettleAction(1))
    played.do("A", AgreeAction("D", 1))
    played.do("B", SettleAction(1))
    played.do("B", DeclineAction("B"))
    assert played.state.board.clock is clock


def test_a_share_of_the_dice_does_not_move_the_clock_of_an_answer() -> None:
    played = table(card="backgammon.m.dice-strict")
    keeper = DiceKeeper((SERVER, *Side), entropy_from(5))

    def serve() -> None:
        while due := next(iter(keeper.due_actions(played.state.board)), None):
            party, action = due
            played.do(party if party == SERVER else played.state.player_for(Side.of(party)), action)

    def act(side: Side, action: ReadyAction | RollAction) -> None:
        played.do(played.state.player_for(side), keeper.with_share(played.state.board, side, action))
        serve()

    act(BOX, ReadyAction())
    act(TEAM, ReadyAction())
    while played.state.board.phase is Phase.OPENING:
        act(BOX, RollAction())
        if played.state.board.phase is Phase.OPENING and "roll" in played.state.allowed("B"):
            act(TEAM, RollAction())
    starter = played.state.board.on_roll
    assert starter is not None
    turn = played.state.board.turn
    assert turn is not None
    played.do(played.player(), PlayAction(turn.plays()[0].notation))
    serve()
    doubler = "A" if starter is TEAM else "B"
    played.do(doubler, DoubleAction())
    asked = starter
    assert running(played) is asked
    clock = played.state.board.clock
    hand = played.state.player_for(asked.other)
    played.do(hand, keeper.renewed(asked.other))  # their device is lost
    assert isinstance(played.events[-1].action, AnchorAction)
    serve()
    assert played.state.board.clock is clock
    for member in played.state.members:
        if member.offered is not None:
            played.answers("A" if asked is BOX else member.name, "take", member.name)
    assert running(played) is asked.other
    assert record(played).replay() == played.state


def test_each_game_begins_with_fresh_clocks() -> None:
    played = table().begin()
    played.do("A", PlayAction("8/5 6/5"), after=50 * S)
    assert bank(played, BOX) < 120 * S
    played.wins(TEAM, "single")
    assert bank(played, BOX) == 120 * S and running(played) is None
    played.begin()
    assert bank(played, BOX) == bank(played, TEAM) == 120 * S
    assert running(played) is played.state.board.on_roll


# The flag


@pytest.mark.parametrize("claimer", ["A", SERVER])
def test_the_team_loses_a_single_game_at_each_cube_and_the_chouette_goes_on(claimer: str) -> None:
    played = table(people="ABCDE").begin()
    played.doubles("B").answers("A", "take", "B")
    played.do("D", DoubleAction())
    played.answers("A", "drop", "D")
    assert played.rule(claimer, ClaimAction()) == "clock.running"
    assert played.rule("B", ClaimAction()) == "clock.running"
    event = played.do(claimer, ClaimAction(), after=133 * S)
    assert event.then["game"] == {"winner": "white", "kind": "single", "points": 1, "reason": "time"}
    # B's cube is at 2, C's and E's are in the middle, D has won 1 before.
    assert played.sheet == {"A": 3, "B": -2, "C": -1, "D": 1, "E": -1}
    assert played.state.seats.people == ("A", "C", "D", "E", "B") and not played.state.is_over
    played.begin()
    assert played.state.board.game_no == 2
    assert record(played).replay() == played.state


def test_cubes_that_were_not_answered_in_time_count_as_refused() -> None:
    played = table(chosen=True).begin()
    played.doubles("B").doubles("C")
    played.answers("A", "beaver", "B")
    played.do("B", ClaimAction(), after=200 * S)
    # The box has lost: C's cube is refused at 1, and B gets 2, without the beaver that B has not taken.
    assert played.sheet == {"A": -4, "B": 2, "C": 1, "D": 1}
    assert played.state.seats.box == "B"


def test_a_beaver_that_is_not_answered_in_time_costs_what_was_doubled() -> None:
    played = table().begin().doubles("B")
    played.answers("A", "beaver", "B")
    assert running(played) is TEAM
    played.do(SERVER, ClaimAction(), after=200 * S)
    assert played.sheet == {"A": 4, "B": -2, "C": -1, "D": -1}


def test_where_checkers_are_paid_those_that_are_left_are() -> None:
    played = table(card="backgammon.settle=per_checker.m.dice-typed", people="ABC")
    played.begin()
    played.do("B", ClaimAction(), after=200 * S)
    assert played.sheet == {"A": -30, "B": 15, "C": 15}


def test_when_the_time_is_up_nothing_is_done_before_it_is_claimed() -> None:
    played = table().begin().to_roll(TEAM)
    played.do("C", DoubleAction())
    late = played.state.at + 133 * S
    assert played.rule("B", DoubleAction(), at=late) == "clock.expired"
    assert played.rule("A", ClaimAction(), at=late) == "clock.own"
    assert played.rule("C", ClaimAction(), at=late) == "actor.hand"
    assert played.rule("D", SettleAction(1), at=late) in ("offer.open", "clock.expired")
    assert played.rule("A", CreditAction(1), at=late) == "actor.server"
    played.do("F", JoinAction(), after=133 * S)
    played.do("C", StopAction())
    played.do("B", ClaimAction())
    assert "F" in played.state.seats.people and played.sheet["F"] == 0


def test_without_a_clock_there_is_no_time_to_claim() -> None:
    played = Table().begin()
    assert "time" not in played.state.allowed("B") and "time" not in played.state.allowed(SERVER)
    assert played.rule("B", ClaimAction()) == "clock.none"


# Time that is nobody's, and records


def test_what_a_slow_line_takes_is_given_back_and_recorded() -> None:
    played = table(clock="b12-120").begin()
    played.do("A", PlayAction("8/5 6/5"), after=20 * S, lag=400)
    assert played.events[-1].lag == 400
    played.do("B", RollAction(), lag=400)  # a throw ends no turn
    assert played.events[-1].lag == 0
    played = table().begin().to_roll(TEAM)
    played.do("C", DoubleAction(), after=2 * S, lag=300)
    played.do("B", DoubleAction(), lag=300)  # while the box's clock runs, the team's has nothing to get back
    played.answers("A", "take", "C")
    assert [event.lag for event in played.events[-3:]] == [300, 0, 0]
    again = record(played)
    assert again.replay() == played.state
    wrong = [
        Event(each.n, each.at, each.actor, each.action, each.then, each.lag * 9) for each in again.events
    ]
    with pytest.raises(RecordError, match="lag"):
        ChouetteRecord(played.header, tuple(wrong)).replay()


def test_the_server_gives_back_what_could_not_be_stored() -> None:
    played = table().begin()
    played.do(SERVER, CreditAction(20 * S), after=30 * S)
    assert played.state.board.clock.elapsed(played.state.at) == 10 * S + 10
    played.doubles("B")
    played.do(SERVER, CreditAction(3 * S), after=5 * S)  # on the clock of who answers, too
    assert running(played) is BOX and played.state.board.clock.elapsed(played.state.at) == 2 * S + 10
    assert record(played).replay() == played.state
