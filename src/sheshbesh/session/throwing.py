"""Where the dice of a match come from, as one value for all sources.

A throw is opened for its roller (`begin`), asked for (`ask`) and resolved: at once from a seed, by
the dice typed in, or by the last of the links that the chains still miss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from sheshbesh.errors import MatchError
from sheshbesh.fairdice import DiceTable, dice_from_seed
from sheshbesh.fairdice.refusals import refuse as refuse_dice
from sheshbesh.fairdice.table import PLAYERS, Change, Mode, Party
from sheshbesh.fairdice.throw import is_game_id
from sheshbesh.fairdice.transcript import plain_throw_event, seed_event
from sheshbesh.match.card import DiceSource
from sheshbesh.rules import Refusal, Side
from sheshbesh.rules.side import name_or_none
from sheshbesh.session.phases import Value
from sheshbesh.session.refusals import refuse

LONGEST_SEED = 64
"""Bytes of a seed at most, so that auditors accept it."""

LAST_GAME = 9999
"""The number of the game up to which a match's name must leave room."""

_CHAINS = frozenset({DiceSource.CHAINS, DiceSource.STRICT})


class DiceStep(NamedTuple):
    """The outcome of a step: the new value, the transcript entries, and the dice once they are known.

    In an opening draw the dice are White's and Black's.
    """

    throwing: Throwing
    transcript: tuple[dict[str, Any], ...] = ()
    dice: tuple[int, int] | None = None


@dataclass(frozen=True)
class Throwing(Value):
    """The dice of a match at one moment.

    `number` is the throw under way or next in this game (not counted by chains, whose table does).
    `open` says that a throw was begun, for `roller` (None: the opening draw), `asked` that it was
    asked for, `delayed` that it waits for new chains.
    """

    source: DiceSource
    match_id: str
    seed: bytes | None = None
    game: str = ""
    number: int = 1
    roller: Side | None = None
    open: bool = False
    asked: bool = False
    delayed: bool = False
    table: DiceTable | None = None

    @classmethod
    def new(cls, source: DiceSource, *, match_id: str, seed: str | None = None) -> Throwing:
        """The dice before the first game.

        MatchError if a seed is missing, too long or not asked for, or the match cannot be so named.
        """
        problems = []
        if (seed is not None) != (source is DiceSource.SEEDED):
            problems.append(f"seeded dice need a seed, and other dice take none: {source}, {seed!r}")
        if seed is not None and not 1 <= len(seed.encode()) <= LONGEST_SEED:
            problems.append(f"a seed has 1 to {LONGEST_SEED} bytes, not {seed!r}")
        if not is_game_id(f"{match_id}/{LAST_GAME}"):
            problems.append(f"a match is named by at most 59 of a-z, A-Z, 0-9 and -_.:/+, not {match_id!r}")
        if problems:
            raise MatchError("; ".join(problems), problems=tuple(problems))
        return cls(source, match_id, seed.encode() if seed is not None else None)._for_game(1)

    def _for_game(self, game_no: int) -> Throwing:
        game = f"{self.match_id}/{game_no}"
        mode: Mode = "strict" if self.source is DiceSource.STRICT else "normal"
        table = DiceTable.open(game, mode=mode) if self.source in _CHAINS else None
        return Throwing(self.source, self.match_id, self.seed, game, table=table)

    def next_game(self, game_no: int) -> Throwing:
        """The dice before game `game_no`: new chains, never used before."""
        return self._for_game(game_no)

    def announced(self) -> tuple[dict[str, Any], ...]:
        """Transcript entries that stand before the first throw of a game."""
        return (seed_event(self.game, self.seed),) if self.seed is not None else ()

    # The parties that are waited for

    def needs_anchor(self, party: Side | str) -> bool:
        """Whether this party's anchor is awaited."""
        return self.table is not None and party in self.table.awaited_anchors

    def waits_for(self, side: Side) -> bool:
        """Whether an open throw needs something of this player."""
        if not self.open:
            return False
        if self.table is not None:
            return side in self.table.awaited
        return self.roller in (None, side)

    def awaited(self) -> tuple[Side, ...]:
        """The players whose links an open throw waits for, or without whose anchors it cannot go on."""
        sides = tuple(side for side in Side if self.waits_for(side))
        if sides or self.table is None or self.table.awaited:
            return sides
        return tuple(side for side in Side if self.needs_anchor(side))

    def is_thrown_by(self, side: Side) -> bool:
        """Whether this player can throw in the opening draw; on a real board the dice are typed in."""
        return self.source is not DiceSource.TYPED and self.waits_for(side)

    def takes_dice(self, party: Side | str) -> bool:
        """Whether this party may type in the dice of an open throw, being the roller or the server."""
        typed = self.open and self.source is DiceSource.TYPED
        return typed and (party == "server" or self.roller in (None, party))

    def takes_link(self, party: Side | str) -> bool:
        """Whether an open throw misses this party's link, which no throw of the party will bring."""
        if not self.open or self.table is None or self.table.epoch is None:
            return False
        # A player's link for the opening draw comes with the throw.
        return party in self.table.awaited and (self.roller is not None or party == "server")

    def takes_anchor(self, party: Side | str) -> bool:
        """Whether this party may commit to a new chain now."""
        if self.table is None:
            return False
        if self.table.epoch is None:
            # Before the chains are open an anchor comes with "ready"; after it a player may lose the chain.
            return party != "server" and not self.needs_anchor(party)
        # A player may lose the device with the chain at any time.
        return party != "server" or self.needs_anchor(party)

    @property
    def may_withhold(self) -> bool:
        """Whether a throw that was asked for can go on without the links of silent players."""
        if self.table is None or self.table.epoch is None or not self.asked:
            return False
        return self.source is DiceSource.CHAINS and any(side in self.table.awaited for side in PLAYERS)

    # Steps

    def _take(self, change: Change | Refusal) -> DiceStep | Refusal:
        if isinstance(change, Refusal):
            return change
        taken = self.but(table=change.table)
        if self.delayed and change.table.links_left > 0:
            begun = taken.but(delayed=False).begin(self.roller)
            if isinstance(begun, Refusal):
                return begun
            return DiceStep(begun.throwing, (*change.events, *begun.transcript))
        return DiceStep(taken, tuple(change.events), change.dice)

    def commit(self, party: Side | str, anchor: str | None) -> DiceStep | Refusal:
        """Take a new anchor, in hex; without chains nothing is committed."""
        if self.table is None:
            return refuse("dice.other_source") if anchor is not None else DiceStep(self)
        value = _bytes(anchor)
        if value is None:
            return refuse_dice("dice.anchor_missing" if anchor is None else "dice.anchor_malformed")
        return self._take(self.table.commit(_party(party), value))

    def lost(self, side: Side) -> DiceStep | Refusal:
        """A player lost their chain: both players and the server are asked for new anchors."""
        if self.table is None:
            return refuse("dice.other_source")
        return self._take(self.table.renew(lost=side.value))

    def begin(self, roller: Side | None) -> DiceStep | Refusal:
        """Open the next throw; the opening draw (`roller` None) counts as asked for."""
        opened = self.but(roller=roller, open=True, asked=roller is None)
        if self.table is None:
            return DiceStep(opened)
        table = self.table
        if table.needs_renewal:
            renewed = table.renew()
            if isinstance(renewed, Refusal):
                return renewed
            table = renewed.table
        if table.links_left < 1:
            return DiceStep(opened.but(table=table, delayed=True))
        return opened.but(table=table)._take(table.begin(name_or_none(roller)))

    def ask(self, side: Side, link: str | None) -> DiceStep | Refusal:
        """`side` throws, with its link (hex) where there are chains."""
        if self.delayed:
            return refuse_dice("dice.chain_used_up")
        if self.table is None:
            return refuse("dice.other_source") if link is not None else self._ask_plain()
        if self.roller is None:
            return self.give(side, link)
        asked = self.table.ask()
        if isinstance(asked, Refusal):
            return asked
        thrown = self.but(table=asked.table, asked=True)
        # Without a link (the player's device is lost) the throw is asked for all the same, and waits.
        return thrown.give(side, link) if link is not None else DiceStep(thrown)

    def _ask_plain(self) -> DiceStep | Refusal:
        if self.source is DiceSource.TYPED:
            return DiceStep(self.but(asked=True))
        assert self.seed is not None
        return self._shown("seeded", dice_from_seed(self.seed, game=self.game, number=self.number))

    def typed(self, first: int, second: int) -> DiceStep | Refusal:
        """The dice of a real board."""
        if self.source is not DiceSource.TYPED or not self.open:
            return refuse("dice.other_source")
        if not all(type(die) is int and 1 <= die <= 6 for die in (first, second)):
            return refuse("dice.impossible")
        return self._shown("typed", (first, second))

    def _shown(self, source: str, dice: tuple[int, int]) -> DiceStep:
        roller = name_or_none(self.roller)
        entry = plain_throw_event(source, self.game, self.number, dice, roller=roller)
        done = self.but(number=self.number + 1, open=False, asked=False)
        return DiceStep(done, (entry,), dice)

    def give(self, party: Side | str, link: str | None) -> DiceStep | Refusal:
        """A party's link for the open throw, in hex; the last one gives the dice."""
        if self.table is None:
            return refuse("dice.other_source")
        value = _bytes(link)
        if value is None:
            return refuse_dice("dice.link_missing" if link is None else "dice.link_malformed")
        return self._resolved(self._take(self.table.release(_party(party), value)))

    def withhold(self, side: str) -> DiceStep | Refusal:
        """Go on without a silent player's link."""
        if self.table is None:
            return refuse("dice.other_source")
        if side not in ("white", "black"):
            return refuse_dice("dice.link_required")
        return self._resolved(self._take(self.table.withhold(_party(side))))

    def _resolved(self, step: DiceStep | Refusal) -> DiceStep | Refusal:
        if isinstance(step, Refusal) or step.throwing.table is None:
            return step
        thrown = step.throwing.table.throw
        if thrown is None or None in thrown.links or not thrown.asked:
            return step
        done = step.throwing._take(step.throwing.table.resolve())
        if isinstance(done, Refusal):
            return done
        return DiceStep(
            done.throwing.but(open=False, asked=False), (*step.transcript, *done.transcript), done.dice
        )


def _party(party: Side | str) -> Party:
    name = party.value if isinstance(party, Side) else party
    assert name in ("server", "white", "black")
    return name  # type: ignore[return-value]


def _bytes(text: str | None) -> bytes | None:
    try:
        return bytes.fromhex(text) if text else None
    except ValueError:
        return None
