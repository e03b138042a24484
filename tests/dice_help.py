"""What the dice tests share: chains with known tips, whole games, and the events they leave."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from typing import Any

from sheshbesh.fairdice import Chain, Change, DiceTable, Event, dump_transcript, verify_transcript
from sheshbesh.fairdice.table import PARTIES, Mode, Party, Player
from sheshbesh.fairdice.verdict import Verdict
from sheshbesh.rules import Refusal


def entropy_from(seed: object) -> Callable[[int], bytes]:
    """Bytes that look random and are the same each time."""
    counter = count()
    return lambda size: sha256(f"{seed}/{next(counter)}".encode()).digest()[:size]


def chains_of(seed: object, *, length: int = 400) -> dict[Party, Chain]:
    entropy = entropy_from(seed)
    return {party: Chain.draw(entropy, length=length) for party in PARTIES}


def done(answer: Change | Refusal) -> Change:
    """The change of a step that is expected to be allowed."""
    assert isinstance(answer, Change), answer
    return answer


def rule_of(answer: Change | Refusal) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.rule


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

    def do(self, answer: Change | Refusal) -> Change:
        change = done(answer)
        self.table = change.table
        self.events += change.events
        return change

    def anchor(self, seed: object) -> None:
        """Give new anchors of all three."""
        self.offered = chains_of(seed, length=self.length)
        self._commit()

    def _commit(self) -> None:
        for party, chain in self.offered.items():
            change = self.do(self.table.commit(party, chain.anchor))
        if change.events:
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
        if len(change.events) > 1:
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
