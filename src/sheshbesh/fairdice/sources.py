"""The sources of the dice of a match: chains, a seed, or a real board whose dice are typed in.

For programs that hold every chain themselves, such as a game in one terminal or against the engine.
A server drives a `DiceTable` instead, as the links reach it from outside. Each source is immutable
and answers with what comes after it, so that a game can be taken back or replayed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sheshbesh.fairdice.chain import LENGTH, Chain, Entropy
from sheshbesh.fairdice.table import PARTIES, Change, DiceTable, Mode, Player
from sheshbesh.fairdice.throw import MAX_SEED_BYTES, dice_from_seed, is_game_id
from sheshbesh.fairdice.transcript import Event, plain_throw_event, seed_event
from sheshbesh.rules import Refused


class Thrown(NamedTuple):
    """A throw: the source after it, what to record, and the dice in the order drawn."""

    source: Any
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


@dataclass(frozen=True, slots=True)
class SeededDice:
    """Dice that follow from a seed: for study and for tests, since the seed reveals them."""

    game: str
    seed: bytes
    number: int = 1

    def __post_init__(self) -> None:
        _check_game(self.game)
        if not 1 <= len(self.seed) <= MAX_SEED_BYTES:
            raise ValueError(f"a seed has 1 to {MAX_SEED_BYTES} bytes, not {len(self.seed)}")

    @property
    def opening_event(self) -> Event:
        """The statement to record before the first throw."""
        return seed_event(self.game, self.seed)

    def throw(self, *, roller: Player | None) -> Thrown:
        """Throw the dice; `roller` is None in an opening draw."""
        dice = dice_from_seed(self.seed, game=self.game, number=self.number)
        event = plain_throw_event("seeded", self.game, self.number, dice, roller=roller)
        return Thrown(replace(self, number=self.number + 1), (event,), dice)


@dataclass(frozen=True, slots=True)
class TypedDice:
    """Dice thrown on a real board and typed in."""

    game: str
    number: int = 1

    def __post_init__(self) -> None:
        _check_game(self.game)

    def throw(self, dice: tuple[int, int], *, roller: Player | None) -> Thrown:
        """Record a throw; in an opening draw (`roller` None) the first die is White's.

        Refused for numbers that no dice show.
        """
        if len(dice) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
            raise Refused.of("dice.typed_wrong")
        event = plain_throw_event("typed", self.game, self.number, dice, roller=roller)
        return Thrown(replace(self, number=self.number + 1), (event,), (dice[0], dice[1]))


def _check_game(game: str) -> None:
    if not is_game_id(game):
        raise ValueError(f"a game is named by 1 to 64 of a-z, A-Z, 0-9 and -_.:/+, not {game!r}")


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
