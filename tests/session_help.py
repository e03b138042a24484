"""What the session tests share: a table that is played at by short calls, and checks each of them."""

from __future__ import annotations

import copy
import pickle

import pytest

from sheshbesh.match import Card
from sheshbesh.rules import Refused, Side
from sheshbesh.session import (
    AcceptAction,
    Action,
    DiceAction,
    DiceKeeper,
    DoubleAction,
    Event,
    EventTerms,
    Header,
    Phase,
    PlayAction,
    ReadyAction,
    Record,
    ResignAction,
    RollAction,
    Session,
    TakeAction,
    apply,
)
from tests.dice_help import entropy_from

WHITE, BLACK, SERVER = "white", "black", "server"
S = 1000


OTHER = {WHITE: BLACK, BLACK: WHITE}


class Table:
    """A match in progress, the events it has left, and the time. Typed dice unless the card says more."""

    def __init__(
        self, code: str = "backgammon.m", *, seed: str | None = None, event: EventTerms | None = None
    ) -> None:
        if ".dice-" not in code and seed is None:
            code += ".dice-typed"
        elif seed is not None:
            code += ".dice-seeded"
        self.header = Header(
            Card.from_code(code), "test/match", {"white": "Ann", "black": "Bea"}, seed, event
        )
        self.state: Session = self.header.session()
        self.keeper = DiceKeeper(("server", "white", "black"), entropy_from(code))
        self.events: list[Event] = []
        self.now = 0

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def on_roll(self) -> str:
        assert self.state.on_roll is not None
        return self.state.on_roll.value

    def fork(self) -> Table:
        """Another table that stands as this one does."""
        other = copy.copy(self)
        other.events = list(self.events)
        return other

    def record(self) -> Record:
        return Record(self.header, tuple(self.events))

    def do(self, actor: str, action: Action, *, after: int = 10) -> Event:
        """Take an action that must be accepted, `after` milliseconds."""
        self.now += after
        self.state, _, event = apply(self.state, actor, action, self.now)
        self.events.append(event)
        return event

    def rule(self, actor: str, action: Action, *, after: int = 0) -> str:
        """The rule against an action that must be refused, and change nothing."""
        before = pickle.dumps(self.state)
        with pytest.raises(Refused) as caught:
            apply(self.state, actor, action, self.now + after)
        assert caught.value.refusal.text
        assert pickle.dumps(self.state) == before
        return caught.value.refusal.rule

    # Stretches of a match

    def due_actions(self) -> None:
        """Let the players who hold chains give what is owed."""
        while due := next(iter(self.keeper.due_actions(self.state)), None):
            self.do(*due)

    def ready(self) -> Table:
        for side in (Side.WHITE, Side.BLACK):
            self.do(side.value, self.keeper.with_share(self.state, side, ReadyAction()))
        self.due_actions()
        return self

    def dressed(self, action: Action, side: str | None = None) -> Action:
        """The action with the share of the dice that it has to carry."""
        return self.keeper.with_share(self.state, Side.of(side or self.on_roll), action)

    def draw(self) -> Table:
        """The opening draw with chains, and the first turn: somebody is to throw."""
        while self.phase is Phase.OPENING:
            for side in self.state.to_act:
                self.do(side.value, self.dressed(RollAction(), side.value))
            self.due_actions()
        return self.play()

    def begin(self, first: int = 3, second: int = 1) -> Table:
        """Get ready and make the opening draw: White's die and Black's."""
        self.ready()
        if self.phase is Phase.OPENING:
            self.do(WHITE, DiceAction(first, second))
        return self

    def throw(self, first: int = 2, second: int = 1) -> Table:
        """The player on roll throws."""
        self.do(self.on_roll, RollAction())
        self.do(self.on_roll, DiceAction(first, second))
        return self

    def play(self, text: str | None = None) -> Table:
        """Play the dice: the first play in the list unless one is named."""
        assert self.state.turn is not None
        chosen = text or self.state.turn.plays()[0].notation
        self.do(self.on_roll, PlayAction(chosen))
        return self

    def to_roll(self, side: str) -> Table:
        """Play on until `side` is to throw."""
        while self.phase is not Phase.ROLL or self.on_roll != side:
            if self.phase is Phase.ROLL:
                self.throw()
            self.play()
        return self

    def resigns(self, loser: str, kind: str = "single") -> Table:
        """End the game: `loser` resigns at a value and the other side accepts."""
        self.do(loser, ResignAction(kind))
        self.do(Side.of(loser).other.value, AcceptAction())
        return self

    def doubles(self, side: str, answer: Action | None = None) -> Table:
        """Play on to `side`'s throw; it doubles, and the other side takes unless it is told to drop."""
        self.to_roll(side)
        self.do(side, DoubleAction())
        self.do(Side.of(side).other.value, answer or TakeAction())
        return self

    @property
    def score(self) -> tuple[int, int]:
        return self.state.score.white, self.state.score.black


def play_one(table: Table, winner: str, points: int, *, cube: bool) -> None:
    """Play one game that pays `points`, by resignation and, where asked for, on a turned cube."""
    table.begin()
    if cube:
        table.doubles(winner)
    kinds = ["single", "gammon", "backgammon"]
    table.resigns(OTHER[winner], kinds[points - 1])
