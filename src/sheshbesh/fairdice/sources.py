"""Dice from three chains in one hand, for programs that hold every chain themselves.

A server drives a `DiceTable` instead, as the links reach it from outside; the dice of a match, of whatever
source, are in `session.dice`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from sheshbesh.fairdice.chain import LENGTH, Chain, Entropy
from sheshbesh.fairdice.table import PARTIES, Change, DiceTable, Mode, Player
from sheshbesh.fairdice.transcript import Event
from sheshbesh.rules import Refused


class Thrown(NamedTuple):
    """A throw: the chains after it, what to record, and the dice in the order drawn."""

    source: ChainDice
    events: tuple[Event, ...]
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChainDice:
    """Three chains in one hand. Proves that no roll was changed after the start, not that none was known."""

    table: DiceTable
    chains: tuple[Chain, Chain, Chain]
    entropy: Entropy

    @classmethod
    def start(
        cls, game: str, entropy: Entropy, *, mode: Mode = "normal", length: int = LENGTH
    ) -> tuple[ChainDice, tuple[Event, ...]]:
        """New chains for a game, and the event with their anchors; `entropy` is kept for renewals."""
        chains = _draw_three(entropy, length)
        change = _committed(DiceTable.open(game, mode=mode, length=length), chains)
        return cls(change.table, chains, entropy), change.entries

    def throw(self, *, roller: Player | None) -> Thrown:
        """Throw the dice; `roller` is None in an opening draw. Chains near their end are renewed first."""
        table, chains = self.table, self.chains
        entries: tuple[Event, ...] = ()
        if table.needs_renewal:
            chains = _draw_three(self.entropy, table.length)
            table, entries, _ = _committed(table.renew().table, chains)
        table = table.begin(roller).table
        if roller is not None:
            table = table.ask().table
        index = table.index
        while awaited := table.awaited:
            table = table.release(awaited[0], chains[PARTIES.index(awaited[0])].link(index)).table
        change = table.resolve()
        assert change.dice is not None
        after = replace(self, table=change.table, chains=chains)
        return Thrown(after, (*entries, *change.entries), change.dice)


def _draw_three(entropy: Entropy, length: int) -> tuple[Chain, Chain, Chain]:
    return (
        Chain.draw(entropy, length=length),
        Chain.draw(entropy, length=length),
        Chain.draw(entropy, length=length),
    )


def _committed(table: DiceTable, chains: tuple[Chain, Chain, Chain]) -> Change[DiceTable]:
    """Commit to all three chains; ValueError for entropy that repeats itself."""
    change = Change(table)
    for party, chain in zip(PARTIES, chains, strict=True):
        try:
            change = change.table.commit(party, chain.anchor)
        except Refused as refused:
            raise ValueError(f"the dice cannot be continued: {refused}") from None
    return change
