"""What the dice tests share: chains with known tips, whole games, and the events they leave."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from typing import Any

import pytest

from sheshbesh.fairdice import RESERVE, Chain, Change, DiceTable, Event, dump_transcript, verify_transcript
from sheshbesh.fairdice.table import PARTIES, Mode, Party, Player
from sheshbesh.fairdice.verdict import Verdict
from sheshbesh.rules import Refused


def entropy_from(seed: object) -> Callable[[int], bytes]:
    """Bytes that look random and are the same each time."""
    counter = count()
    return lambda size: sha256(f"{seed}/{next(counter)}".encode()).digest()[:size]


def chains_of(seed: object, *, length: int = 400) -> dict[Party, Chain]:
    entropy = entropy_from(seed)
    return {party: Chain.draw(entropy, length=length) for party in PARTIES}


@contextmanager
def refused(rule: str) -> Iterator[None]:
    """What is done meanwhile must be refused, for this rule."""
    with pytest.raises(Refused) as caught:
        yield
    assert caught.value.refusal.rule == rule


class Game:
    """A game in progress whose chains are all known to the test, and the events it has left."""

    def __init__(
        self,
        name: str = "m1/1",
        *,
        mode: Mode = "normal",
        length: int = 400,
        seed: object = 1,
        chains: dict[Party, Chain] | None = None,
    ) -> None:
        self.table = DiceTable.open(name, mode=mode, length=length)
        self.events: list[Event] = []
        self.length = length
        self.chains = self.offered = chains or chains_of(seed, length=length)
        self._commit()

    def do(self, change: Change[DiceTable]) -> Change[DiceTable]:
        self.table = change.table
        self.events += change.entries
        return change

    def anchor(self, seed: object) -> None:
        """Give new anchors of all three."""
        self.offered = chains_of(seed, length=self.length)
        self._commit()

    def _commit(self) -> None:
        for party, chain in self.offered.items():
            change = self.do(self.table.commit(party, chain.anchor))
        if change.entries:
            self.chains = self.offered

    def give(self, party: Party) -> None:
        self.do(self.table.release(party, self.chains[party].link(self.table.index)))

    def throw(self, roller: Player | None = "white", *, missing: tuple[Player, ...] = ()) -> tuple[int, int]:
        self.do(self.table.begin(roller))
        if roller is not None:
            self.do(self.table.ask())
        for player in missing:
            self.do(self.table.withhold(player))
        while awaited := self.table.awaited:
            self.give(awaited[0])
        change = self.do(self.table.resolve())
        if len(change.entries) > 1:
            self.chains = self.offered
        assert change.dice is not None
        return change.dice

    def play(self, throws: int, *, missing: tuple[int, ...] = ()) -> Game:
        """An opening draw and alternate rolls; White's link is missing in the numbered throws."""
        for number in range(1, throws + 1):
            roller: Player | None = None if number == 1 else ("white", "black")[number % 2]
            self.throw(roller, missing=("white",) if number in missing else ())
        return self


def audit(events: list[Event]) -> Verdict:
    return verify_transcript(dump_transcript(events))


def changed(events: list[Event], at: int, /, **fields: Any) -> list[Event]:
    """A copy of the events with other values in throw `at`; ... takes a field away."""
    forged = copy.deepcopy(events)
    (throw,) = (event for event in forged if event["type"] == "throw" and event["number"] == at)
    _change(throw, fields)
    return forged


def with_anchors(events: list[Event], serial: int = 1, /, **fields: Any) -> list[Event]:
    """A copy of the events with other values in an anchors event; ... takes a field away."""
    forged = copy.deepcopy(events)
    (anchors,) = (event for event in forged if event["type"] == "anchors" and event["epoch"] == serial)
    _change(anchors, fields)
    return forged


def _change(event: Event, fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        if value is ...:
            del event[name]
        else:
            event[name] = value


def other_hex(value: str) -> str:
    """The same bytes but for one bit."""
    return f"{value[:-1]}{int(value[-1], 16) ^ 1:x}"


def plain(events: list[Event]) -> list[Event]:
    """The events as they come back from a file."""
    read: list[Event] = json.loads(json.dumps(events))
    return read


def voided() -> list[dict[str, Any]]:
    game = Game(mode="strict").play(3)
    game.do(game.table.begin("white"))
    game.do(game.table.ask())
    game.give("white")
    game.do(game.table.renew(lost="black"))
    game.anchor(2)
    while awaited := game.table.awaited:
        game.give(awaited[0])
    game.do(game.table.resolve())
    return plain(game.events)


SHORT = RESERVE + 4
THROWS = 40
EVENTS = plain(Game().play(THROWS, missing=(11, 12, 20)).events)
STRICT = plain(Game(mode="strict", seed=3).play(12).events)


def renewed() -> list[dict[str, Any]]:
    """A game whose chains were renewed from the reserve at throw 6, and after a loss at throw 8."""
    game = Game(length=SHORT).play(5)
    game.do(game.table.renew())
    game.anchor(2)
    game.throw()
    game.throw()
    game.do(game.table.renew(lost="black"))
    game.anchor(3)
    game.throw()
    return plain(game.events)


RENEWED = renewed()
VOIDED = voided()


def throw_of(events: list[dict[str, Any]], number: int) -> dict[str, Any]:
    return next(event for event in events if event.get("number") == number)


def place_of_first_problem(events: list[dict[str, Any]]) -> tuple[str | None, int | None]:
    """Game and throw of the first problem; the verdict must be consistent in itself."""
    verdict = audit(events)
    problem = verdict.first_problem
    assert problem is not None
    assert not verdict.ok
    assert not verdict.proved
    assert str(problem.line) in str(problem)
    return problem.game, problem.number
