"""A chouette driven by short calls, for tests."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import count

import pytest

from sheshbesh.match import Card
from sheshbesh.rules import Refused, Side
from sheshbesh.session import (
    AcceptAction,
    Action,
    AgreeAction,
    AnswerAction,
    Chouette,
    ChouetteHeader,
    Consultation,
    DiceAction,
    DoubleAction,
    DoubleOneAction,
    Event,
    Phase,
    PlayAction,
    ReadyAction,
    ResignAction,
    RollAction,
    Seats,
    apply_chouette,
)


class Table:
    """A chouette in progress, driven by short calls; the sheet must sum to zero after every action."""

    def __init__(
        self,
        people: Sequence[str] = "ABCD",
        *,
        card: str = "backgammon.m.dice-typed",
        consultation: Consultation = Consultation.FREE,
        chosen: bool = False,
    ) -> None:
        seats = Seats(people[0], tuple(people[1:]))
        self.header = ChouetteHeader(Card.from_code(card), "t/c", seats, consultation, chosen)
        self.state: Chouette = self.header.session()
        self.events: list[Event] = []
        self.times = count(0, 10)

    def do(self, actor: str, action: Action, *, after: int = 0, lag: int = 0) -> Event:
        """Let a person, or "server", act, `after` ms later than usual, under way for `lag`."""
        assert action.type in self.state.allowed(actor), (actor, action, self.state.allowed(actor))
        if after:
            self.times = count(next(self.times) + after, 10)
        self.state, _, event = apply_chouette(self.state, actor, action, next(self.times), lag=lag)
        self.events.append(event)
        assert sum(self.state.sheet.values()) == 0
        return event

    def rule(self, actor: str, action: Action, *, at: int = 0) -> str:
        before = pickle.dumps(self.state.board)
        with pytest.raises(Refused) as caught:
            apply_chouette(self.state, actor, action, at)
        assert pickle.dumps(self.state.board) == before
        return caught.value.refusal.rule

    @property
    def sheet(self) -> dict[str, int]:
        return dict(self.state.sheet)

    def player(self) -> str:
        assert self.state.board.on_roll is not None
        return self.state.player_for(self.state.board.on_roll)

    def begin(self, *, tie: bool = False) -> Table:
        for name in (self.state.seats.box, self.state.captain):
            self.do(name, ReadyAction())
        if self.state.board.phase is Phase.OPENING:
            if tie:
                self.do(self.state.seats.box, DiceAction(4, 4))
            self.do(self.state.seats.box, DiceAction(3, 1))
        return self

    def go_on(self) -> None:
        """One action of a player who is on the board."""
        board = self.state.board
        if board.phase is Phase.ROLL:
            self.do(self.player(), RollAction())
        elif board.phase is Phase.THROWING:
            self.do(self.player(), DiceAction(2, 1))
        else:
            assert board.turn is not None
            self.do(self.player(), PlayAction(board.turn.plays()[0].notation))

    def to_roll(self, side: Side) -> Table:
        """Play on until this side is to throw."""
        while not self.throws(side):
            self.go_on()
        return self

    def throws(self, side: Side) -> bool:
        """Whether this side is to throw."""
        return self.state.board.phase is Phase.ROLL and self.state.board.on_roll is side

    def doubles(self, name: str, member: str | None = None) -> Table:
        """Play on to this person's throw, and double."""
        side = self.state.side_of(name)
        assert side is not None
        self.to_roll(side).do(name, DoubleOneAction(member) if member else DoubleAction())
        return self

    def answers(self, name: str, answer: str, member: str | None = None) -> Table:
        self.do(name, AnswerAction(member or name, answer))
        return self

    def agrees(self, name: str, member: str) -> Event:
        """Agree to the settlement that is offered."""
        found = self.state.member(member)
        assert found is not None and found.terms is not None
        return self.do(name, AgreeAction(member, found.terms.points))

    def wins(self, side: Side, kind: str) -> Table:
        """The other side's player resigns."""
        self.do(self.state.player_for(side.other), ResignAction(kind))
        self.do(self.state.player_for(side), AcceptAction())
        return self
