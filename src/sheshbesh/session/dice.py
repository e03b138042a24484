"""The dice of a match as one value, whether they are typed in, follow from a seed or from hash chains.

A throw is opened for its roller (`begin`), asked for (`ask`) and resolved: at once from a seed, by
the dice typed in, or by the last of the links that the chains still miss.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from sheshbesh.errors import MatchError
from sheshbesh.fairdice import Change, DiceTable, dice_from_seed
from sheshbesh.fairdice.table import PARTIES, PLAYERS, Mode, Party
from sheshbesh.fairdice.throw import MAX_SEED_BYTES, is_game_id
from sheshbesh.fairdice.transcript import plain_throw_event, seed_event
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.match.card import DiceSource
from sheshbesh.rules import Refused, Side
from sheshbesh.rules.side import name_or_none
from sheshbesh.session.phases import SERVER, Value

LAST_GAME = 9999
"""The number of the game up to which a match's name must leave room."""


def new_dice(source: DiceSource, *, match_id: str, seed: str | None = None) -> Dice:
    """Make the dice before the first game of a match.

    MatchError if a seed is missing, too long or not asked for, or the match cannot be so named.
    """
    problems = []
    if (seed is not None) != (source is DiceSource.SEEDED):
        problems.append(
            Text(
                "seeded dice need a seed, and other dice take none: {source}, {seed}",
                source=str(source),
                seed=repr(seed),
            )
        )
    if seed is not None and not 1 <= len(seed.encode()) <= MAX_SEED_BYTES:
        problems.append(
            Text("a seed has 1 to {most} bytes, not {seed}", most=MAX_SEED_BYTES, seed=repr(seed))
        )
    if not is_game_id(f"{match_id}/{LAST_GAME}"):
        problems.append(
            Text(
                "a match is named by at most 59 of a-z, A-Z, 0-9 and -_.:/+, not {found}",
                found=repr(match_id),
            )
        )
    if problems:
        raise MatchError(JoinedText(*problems, separator="; "), problems=tuple(problems))
    game = f"{match_id}/1"
    if seed is not None:
        return Seeded(source, match_id, game, seed=seed.encode())
    if source is DiceSource.TYPED:
        return Typed(source, match_id, game)
    mode: Mode = "strict" if source is DiceSource.STRICT else "normal"
    return Chains(source, match_id, game, table=DiceTable.open(game, mode=mode))


@dataclass(frozen=True)
class Dice(Value):
    """The dice of one game at one moment; a step that is not allowed raises Refused.

    `open` says that a throw was begun, for `roller` (None: the opening draw). `number` is the throw under way
    or the next one, where no chains count it. Only chains have a `table`.
    """

    source: DiceSource
    match_id: str
    game: str
    roller: Side | None = None
    open: bool = False
    number: int = 1
    table: DiceTable | None = None

    def next_game(self, game_no: int) -> Self:
        """Return the dice before game `game_no`."""
        return self.but(game=f"{self.match_id}/{game_no}", roller=None, open=False, number=1)

    def announced(self) -> tuple[dict[str, Any], ...]:
        """List the entries of the transcript that stand before the first throw of a game."""
        return ()

    # The parties that are waited for

    @property
    def delayed(self) -> bool:
        """True if an open throw waits for new chains."""
        return False

    def needs_anchor(self, party: Side | str) -> bool:  # noqa: ARG002 -- for chains
        """Tell whether this party's anchor is awaited."""
        return False

    def waits_for(self, side: Side) -> bool:
        """Tell whether an open throw needs something of this player."""
        return self.open and self.roller in (None, side)

    def awaited(self) -> tuple[Side, ...]:
        """List the players whose links an open throw waits for, or without whose anchors it cannot go on."""
        return tuple(side for side in Side if self.waits_for(side))

    def is_thrown_by(self, side: Side) -> bool:
        """Tell whether this player can throw in the opening draw; on a real board the dice are typed in."""
        return self.waits_for(side)

    def takes_dice(self, party: Side | str) -> bool:  # noqa: ARG002 -- for typed dice
        """Tell whether this party may type in the dice of an open throw, being the roller or the server."""
        return False

    def takes_link(self, party: Side | str) -> bool:  # noqa: ARG002 -- for chains
        """Tell whether an open throw misses this party's link, which no throw of the party will bring."""
        return False

    def takes_anchor(self, party: Side | str) -> bool:  # noqa: ARG002 -- for chains
        """Tell whether this party may commit to a new chain now."""
        return False

    @property
    def may_withhold(self) -> bool:
        """True if a throw that was asked for can go on without the links of silent players."""
        return False

    # Steps

    def begin(self, roller: Side | None) -> Dice:
        """Open the next throw; the opening draw (`roller` None) counts as asked for."""
        return self.but(roller=roller, open=True)

    def ask(self, side: Side, link: str | None) -> Change[Dice]:  # noqa: ARG002 -- for chains
        """Let `side` throw, with its link (hex) where there are chains."""
        if link is not None:
            raise Refused.of("dice.other_source")
        return Change(self)

    def typed(self, first: int, second: int) -> Change[Dice]:  # noqa: ARG002 -- for typed dice
        """Take the dice of a real board."""
        raise Refused.of("dice.other_source")

    def commit(self, party: Side | str, anchor: str | None) -> Change[Dice]:  # noqa: ARG002 -- for chains
        """Take a new anchor, in hex; without chains nothing is committed."""
        if anchor is not None:
            raise Refused.of("dice.other_source")
        return Change(self)

    def renew(self, *, lost: Side) -> Dice:  # noqa: ARG002 -- for chains
        """Ask all three for new anchors, since a player lost their chain."""
        raise Refused.of("dice.other_source")

    def give(self, party: Side | str, link: str | None) -> Change[Dice]:  # noqa: ARG002 -- for chains
        """Take a party's link for the open throw, in hex; the last one gives the dice."""
        raise Refused.of("dice.other_source")

    def withhold(self, side: str) -> Change[Dice]:  # noqa: ARG002 -- for chains
        """Go on without a silent player's link."""
        raise Refused.of("dice.other_source")

    def _shown(self, dice: tuple[int, int]) -> Change[Dice]:
        roller = name_or_none(self.roller)
        entry = plain_throw_event(self.source.value, self.game, self.number, dice, roller=roller)
        return Change(self.but(number=self.number + 1, open=False), (entry,), dice)


@dataclass(frozen=True)
class Seeded(Dice):
    """Dice that follow from a seed."""

    seed: bytes = b""

    def announced(self) -> tuple[dict[str, Any], ...]:
        """Name the seed."""
        return (seed_event(self.game, self.seed),)

    def ask(self, side: Side, link: str | None) -> Change[Dice]:
        """Throw at once."""
        super().ask(side, link)
        return self._shown(dice_from_seed(self.seed, game=self.game, number=self.number))


@dataclass(frozen=True)
class Typed(Dice):
    """Dice thrown on a real board."""

    def is_thrown_by(self, side: Side) -> bool:  # noqa: ARG002
        """Nobody throws here in the opening draw: the dice are typed in."""
        return False

    def takes_dice(self, party: Side | str) -> bool:
        """Tell whether this party may type in the dice of an open throw, being the roller or the server."""
        return self.open and (party == SERVER or self.roller in (None, party))

    def typed(self, first: int, second: int) -> Change[Dice]:
        """Take the dice of a real board."""
        if not self.open:
            raise Refused.of("dice.other_source")
        if not all(type(die) is int and 1 <= die <= 6 for die in (first, second)):
            raise Refused.of("dice.impossible")
        return self._shown((first, second))


@dataclass(frozen=True)
class Chains(Dice):
    """Dice from three hash chains, whose procedure is that of the `table`."""

    table: DiceTable = field(kw_only=True)

    def next_game(self, game_no: int) -> Self:
        """Return the dice before game `game_no`: new chains, never used before."""
        after = super().next_game(game_no)
        return after.but(table=DiceTable.open(after.game, mode=self.table.mode))

    @property
    def delayed(self) -> bool:
        """True if an open throw waits for new chains."""
        return self.open and self.table.throw is None

    def needs_anchor(self, party: Side | str) -> bool:
        """Tell whether this party's anchor is awaited."""
        return party in self.table.awaited_anchors

    def waits_for(self, side: Side) -> bool:
        """Tell whether an open throw needs this player's link."""
        return self.open and side in self.table.awaited

    def awaited(self) -> tuple[Side, ...]:
        """List the players whose links an open throw waits for, or without whose anchors it cannot go on."""
        sides = super().awaited()
        if sides or self.table.awaited:
            return sides
        return tuple(side for side in Side if self.needs_anchor(side))

    def takes_link(self, party: Side | str) -> bool:
        """Tell whether an open throw misses this party's link, which no throw of the party will bring."""
        if not self.open or self.table.epoch is None:
            return False
        # A player's link for the opening draw comes with the throw.
        return party in self.table.awaited and (self.roller is not None or party == SERVER)

    def takes_anchor(self, party: Side | str) -> bool:
        """Tell whether this party may commit to a new chain now."""
        if self.table.epoch is None:
            # Before the chains are open an anchor comes with "ready"; after it a player may lose the chain.
            return party != SERVER and not self.needs_anchor(party)
        # A player may lose the device with the chain at any time.
        return party != SERVER or self.needs_anchor(party)

    @property
    def may_withhold(self) -> bool:
        """True if a throw that was asked for can go on without the links of silent players."""
        table = self.table
        if table.epoch is None or table.throw is None or not table.throw.asked:
            return False
        return table.mode == "normal" and any(player in table.awaited for player in PLAYERS)

    def begin(self, roller: Side | None) -> Chains:
        """Open the next throw, or have it wait for new chains."""
        table = self.table.renew().table if self.table.needs_renewal else self.table
        if table.links_left > 0:
            table = table.begin(name_or_none(roller)).table
        return self.but(roller=roller, open=True, table=table)

    def ask(self, side: Side, link: str | None) -> Change[Dice]:
        """Let `side` throw, with its link (hex)."""
        if self.delayed:
            raise Refused.of("dice.chain_used_up")
        if self.roller is None:
            return self.give(side, link)
        asked = self.but(table=self.table.ask().table)
        # Without a link (the player's device is lost) the throw is asked for all the same, and waits.
        return asked.give(side, link) if link is not None else Change(asked)

    def commit(self, party: Side | str, anchor: str | None) -> Change[Dice]:
        """Take a new anchor, in hex."""
        return self._changed(self.table.commit(party_of(party), _bytes(anchor, "anchor")))

    def renew(self, *, lost: Side) -> Chains:
        """Ask all three for new anchors, since a player lost their chain."""
        return self.but(table=self.table.renew(lost=lost.value).table)

    def give(self, party: Side | str, link: str | None) -> Change[Dice]:
        """Take a party's link for the open throw, in hex; the last one gives the dice."""
        return self._resolved(self.table.release(party_of(party), _bytes(link, "link")))

    def withhold(self, side: str) -> Change[Dice]:
        """Go on without a silent player's link."""
        if side not in PLAYERS:
            raise Refused.of("dice.link_required")
        return self._resolved(self.table.withhold(party_of(side)))

    def _changed(self, change: Change[DiceTable]) -> Change[Dice]:
        after = self.but(table=change.table)
        if self.delayed and change.table.links_left > 0:
            after = after.begin(self.roller)
        return Change(after, change.entries, change.dice)

    def _resolved(self, change: Change[DiceTable]) -> Change[Dice]:
        """The dice, if that was the last link."""
        throw = change.table.throw
        if throw is None or None in throw.links or not throw.asked:
            return self._changed(change)
        done = change.table.resolve()
        after = self.but(table=done.table, open=False)
        return Change(after, (*change.entries, *done.entries), done.dice)


def party_of(party: Side | str) -> Party:
    """Return the party by its name; ValueError for another name."""
    name = party.value if isinstance(party, Side) else party
    if name not in PARTIES:
        raise ValueError(f"dice are kept for {', '.join(PARTIES)}, not {party!r}")
    return name


def _bytes(text: str | None, what: str) -> bytes:
    if text is None:
        raise Refused.of(f"dice.{what}_missing")
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if not text or not value:
        raise Refused.of(f"dice.{what}_malformed")
    return value
