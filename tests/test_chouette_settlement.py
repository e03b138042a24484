"""Settlements at a chouette: offered, agreed to, declined, withdrawn, and when they lapse."""

from __future__ import annotations

import pytest

from sheshbesh.rules import Side
from sheshbesh.session import (
    AcceptAction,
    AgreeAction,
    ChouetteRecord,
    DeclineAction,
    Phase,
    RefuseAction,
    ResignAction,
    RollAction,
    SettleAction,
    proposed,
)
from sheshbesh.session.chouette.state import BOX, TEAM
from tests.chouette_help import Table


def terms(table: Table) -> dict[str, tuple[Side, int]]:
    """What is offered, by member."""
    return {m.name: (m.terms.by, m.terms.points) for m in table.state.members if m.terms is not None}


def test_an_offer_is_declined_taken_back_and_changed() -> None:
    table = Table().begin()
    assert table.do("A", SettleAction(1, "C")).then == {"offered": ["C"]}
    table.do("C", DeclineAction("C"))
    table.do("D", SettleAction(-1))
    table.do("D", DeclineAction("D"))
    assert terms(table) == {}
    table.do("D", SettleAction(-1))
    table.do("A", SettleAction(2, "D"))  # an offer in return takes the place of the first
    assert terms(table) == {"D": (BOX, 2)}
    assert table.rule("D", AgreeAction("D", 1)) == "settle.changed"
    assert table.do("D", AgreeAction("D", 2)).then["sheet"] == {"A": 2, "B": 0, "C": 0, "D": -2}
    assert table.state.has_left("D") and table.state.captain == "B"


def test_the_box_offers_to_all_and_each_answers_alone() -> None:
    table = Table().begin()
    assert table.do("A", SettleAction(-1)).then == {"offered": ["B", "C", "D"]}
    table.do("B", DeclineAction("B"))
    assert table.rule("B", AgreeAction("B", -1)) == "offer.none"
    assert table.rule("A", AgreeAction("C", -1)) == "offer.own"
    table.agrees("C", "C")
    assert table.sheet == {"A": -1, "B": 0, "C": 1, "D": 0} and terms(table) == {"D": (BOX, -1)}


@pytest.mark.parametrize("points", [1, 0, -1])
def test_a_settlement_of_the_first_captain_says_who_is_the_next_box(points: int) -> None:
    table = Table("ABC").begin()
    table.do("B", SettleAction(points))
    table.agrees("A", "B")
    assert table.state.captain == "C"
    table.do("C", SettleAction(0))
    table.agrees("A", "C")
    assert table.sheet == {"A": -points, "B": points, "C": 0}
    assert "".join(table.state.seats.people) == {1: "BCA", 0: "ABC", -1: "ACB"}[points]
    assert table.state.board.games[-1].reason == "settlement"
    record = ChouetteRecord(table.header, tuple(table.events))
    assert ChouetteRecord.from_text(record.to_text()).replay() == table.state


def test_an_offer_lapses_with_a_throw_a_resignation_and_a_double() -> None:
    table = Table().begin().to_roll(TEAM)
    for member in "BCD":
        table.do(member, SettleAction(1))
    table.doubles("C")
    assert set(terms(table)) == {"B", "D"}
    assert "settle" not in table.state.allowed("A")  # the cube is answered first
    assert table.rule("B", SettleAction(1)) == "offer.open"
    table.agrees("A", "D")
    table.answers("A", "take", "C").do("B", RollAction())
    assert terms(table) == {}
    table.go_on()
    table.do("A", SettleAction(0, "C"))
    table.do("B", ResignAction("single"))
    assert terms(table) == {}
    table.do("A", RefuseAction())
    table.do("A", SettleAction(0, "C"))
    table.do("B", ResignAction("single"))
    table.do("A", AcceptAction())
    assert table.state.board.phase is Phase.READY and table.sheet == {"A": 2, "B": -1, "C": -2, "D": 1}


def test_what_is_no_settlement() -> None:
    table = Table().begin()
    assert table.rule("B", SettleAction(4)) == "settle.points"  # a backgammon pays three
    assert table.rule("A", SettleAction(-4)) == "settle.points"
    assert table.rule("B", SettleAction(1, "C")) == "chouette.settle"
    assert table.rule("A", SettleAction(1, "X")) == "chouette.settle"
    assert table.rule("X", SettleAction(1)) == "actor.unknown"
    assert table.rule("B", DeclineAction("B")) == "offer.none"
    table.do("B", SettleAction(3))
    table.agrees("A", "B")
    assert table.rule("B", SettleAction(1)) == "chouette.left"
    assert table.rule("A", SettleAction(1, "B")) == "chouette.settle"
    assert Table().rule("B", SettleAction(1)) == "turn.not_now"  # no game is played


def test_where_checkers_are_paid_a_settlement_may_pay_them_all() -> None:
    table = Table(card="backgammon.settle=per_checker.m.dice-typed").begin()
    member = table.state.member("C")
    assert member is not None and table.state.most_settled(member) == 15


def test_a_program_is_asked_as_in_a_match() -> None:
    table = Table().begin()
    table.do("C", SettleAction(2))
    member = table.state.member("C")
    assert member is not None
    asked = proposed(table.state, member)
    assert asked.may(BOX, "accept") and asked.may(BOX, "refuse") and not asked.may(TEAM, "accept")
