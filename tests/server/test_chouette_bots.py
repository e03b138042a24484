"""What bots at a chouette do about settlements, with an engine that says what it is told to."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from sheshbesh.rules import Side
from sheshbesh.server.engine.questions import Decision
from sheshbesh.server.tables.chouette import BotTurns
from sheshbesh.server.tables.seats import ChouetteAgreement, Sitter
from sheshbesh.session import (
    AcceptAction,
    Action,
    AgreeAction,
    DeclineAction,
    RefuseAction,
    Session,
    SettleAction,
)
from sheshbesh.session.chouette.state import TEAM
from tests.chouette_help import Table

pytestmark = pytest.mark.anyio


class Engines:
    """An engine that has one answer to every proposal, and remembers what it was asked."""

    def __init__(self, answer: Action) -> None:
        self.answer = answer
        self.room: Any = None
        self.asked: list[tuple[Session, Side]] = []

    async def decide(self, session: Session, side: Side, _level: str | None, *, who: str) -> Decision:
        assert who == "t"
        self.asked.append((session, side))
        return Decision(self.answer)


class Room(SimpleNamespace):
    """What bots know of a table, which they do not keep alive."""


def turns(table: Table, engines: Engines, *, bots: str, are_here: bool = True) -> BotTurns:
    """The bots of a table, where the others are people who are here or not."""
    people = tuple(
        Sitter(name, None if name in bots else name, "club" if name in bots else None)
        for name in table.state.seats.people
    )
    present: Any = SimpleNamespace(sitting=are_here, is_here=lambda _name: are_here)
    room: Any = Room(
        id="t",
        key="k",
        state=table.state,
        agreement=ChouetteAgreement("t", table.state.board.card, people),
        viewers=SimpleNamespace(presence=present, advice={}),
        spawn=None,
        now=lambda: table.state.at,
    )
    engines.room = room
    return BotTurns(room, cast(Any, engines), 1.0)


@pytest.mark.parametrize(
    ("said", "done"), [(AcceptAction(), AgreeAction("C", -2)), (RefuseAction(), DeclineAction("C"))]
)
async def test_a_bot_says_of_a_settlement_what_its_engine_says_of_it_as_a_match(
    said: Action, done: Action
) -> None:
    table = Table().begin()
    table.do("A", SettleAction(-2, "C"))
    engines = Engines(said)
    bots = turns(table, engines, bots="CD")
    due = bots.due()
    assert due is not None and (due.name, due.kind) == ("C", "terms")
    assert await bots.decide(table.state, due) == (done, False)
    ((session, side),) = engines.asked
    assert session.proposal is not None and (session.proposal.points, side) == (-2, TEAM)


async def test_a_bot_waits_with_its_throw_for_people_to_answer_a_settlement() -> None:
    table = Table(card="takhte.m.dice-typed").begin().to_roll(TEAM)
    table.do("C", SettleAction(1))
    waits = turns(table, Engines(AcceptAction()), bots="BD").due()
    table.do("A", DeclineAction("C"))
    throws = turns(table, Engines(AcceptAction()), bots="BD").due()
    assert waits is not None and throws is not None
    assert waits[:2] == throws[:2] == ("B", "play") and waits.pause > 10 * throws.pause


async def test_a_bot_waits_for_nobody_while_its_time_runs_out() -> None:
    async def throw(card: str, *, are_here: bool) -> float | None:
        table = Table(card=card).begin().to_roll(TEAM)
        bots = turns(table, Engines(AcceptAction()), bots="B", are_here=are_here)
        due = bots.due()
        while due is not None and due.kind == "double":
            assert await bots.decide(table.state, due) == (None, False)
            due = bots.due()
        return bots.pause(due) if due is not None else None

    assert (
        await throw("takhte.cube=true.m.dice-typed", are_here=True) == 4.0
    )  # for people to turn their cubes
    assert await throw("takhte.cube=true.m.dice-typed.clock-d12-120", are_here=True) == 4.0
    assert await throw("takhte.cube=true.m.dice-typed.clock-t5", are_here=True) == 0.5
    # Nobody is there to see it, but the clock runs.
    assert await throw("takhte.m.dice-typed", are_here=False) is None
    assert await throw("takhte.m.dice-typed.clock-t30", are_here=False) == 0.8
