"""Holds chains of dice, and gives anchors and links when a match asks for them.

A server holds its own chain, a player's client the player's; in one terminal the program holds all three.
Secrets live here and nowhere in the state of the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from sheshbesh.fairdice import Chain, Entropy
from sheshbesh.fairdice.table import PARTIES, Party
from sheshbesh.rules import Side
from sheshbesh.session.actions import Action, AnchorAction, LinkAction, ReadyAction, RollAction
from sheshbesh.session.dice import party_of
from sheshbesh.session.phases import SERVER, Phase
from sheshbesh.session.state import Session


class DiceKeeper:
    """The chains of some parties of one match, drawn with `entropy` (such as secrets.token_bytes)."""

    def __init__(self, parties: Iterable[Side | str], entropy: Entropy) -> None:
        self._parties: tuple[Party, ...] = tuple(party_of(party) for party in parties)
        self._entropy = entropy
        # The chain in use and the one that waits to replace it, by party.
        self._chains: dict[Party, Chain] = {}
        self._next: dict[Party, Chain] = {}
        self._epoch: tuple[str, int] | None = None

    def chains(self) -> dict[Party, Chain]:
        """The chains in use, for the envelope of a server."""
        return dict(self._chains or self._next)

    def tips(self) -> frozenset[bytes]:
        """The secrets behind the chains in use and in waiting: store them privately, before what is
        promised with them is published. `restore` is the way back."""
        return frozenset(chain.tip for held in (self._chains, self._next) for chain in held.values())

    def restore(self, state: Session, tips: Iterable[bytes]) -> tuple[Party, ...]:
        """Take chains up again after an interruption; `tips` may hold old ones too.

        Returns the parties of this keeper whose chains are needed and are not among them.
        """
        table = state.throwing.table
        if table is None:
            return ()
        chains = [Chain(tip, length=table.length) for tip in sorted(set(tips))]
        missing = []
        self._epoch = (table.game, table.epoch.serial if table.epoch is not None else 0)
        for party in self._parties:
            place = PARTIES.index(party)
            if table.epoch is not None:
                depth, known = table.epoch.depth[place], table.epoch.known[place]
                chain = next((c for c in chains if (c.link(depth) if depth else c.anchor) == known), None)
                if chain is None:
                    missing.append(party)
                else:
                    self._chains[party] = chain
            promised = table.renewal.anchors[place] if table.renewal is not None else None
            if promised is not None:
                chain = next((c for c in chains if c.anchor == promised), None)
                if chain is None:
                    missing.append(party)
                else:
                    self._next[party] = chain
        return tuple(dict.fromkeys(missing))

    def lacks(self, state: Session, side: Side) -> bool:
        """Return True if the open throw waits for a link of a player whose chain, to be kept here, is
        lost."""
        self._sync(state)
        table, party = state.throwing.table, party_of(side)
        mine = party in self._parties and party not in self._chains
        return mine and table is not None and party in table.awaited

    def renewed(self, side: Side) -> AnchorAction:
        """The anchor of a new chain for a player whose old one is lost."""
        party = party_of(side)
        self._next.pop(party, None)
        return AnchorAction(self.anchor(party), lost=True)

    def _sync(self, state: Session) -> None:
        """Put the announced chains into use once the match has opened them."""
        table = state.throwing.table
        if table is None:
            return
        serial = table.epoch.serial if table.epoch is not None else 0
        if self._epoch != (table.game, serial):
            new_game = self._epoch is None or self._epoch[0] != table.game
            if serial > 0:
                self._chains, self._next = self._next, {}
            elif new_game:
                self._chains = {}
            self._epoch = (table.game, serial)

    def anchor(self, party: Party) -> str:
        """Return the anchor of the next chain of a party, drawn where there is none."""
        if party not in self._next:
            self._next[party] = Chain.draw(self._entropy)
        return self._next[party].anchor.hex()

    def link(self, state: Session, party: Party) -> str:
        """Return the link of a party that the throw under way asks for."""
        assert state.throwing.table is not None
        return self._chains[party].link(state.throwing.table.index).hex()

    def with_share(self, state: Session, side: Side, action: Action) -> Action:
        """A player's action with the anchor or link put in, where it has to carry one."""
        self._sync(state)
        table, party = state.throwing.table, party_of(side)
        if table is None or party not in self._parties:
            return action
        if isinstance(action, ReadyAction) and state.throwing.needs_anchor(side):
            return replace(action, anchor=self.anchor(party))
        if isinstance(action, RollAction) and party in self._chains:
            return replace(action, link=self.link(state, party))
        return action

    def due_actions(self, state: Session) -> Iterator[tuple[str, Action]]:
        """Return what the parties kept here have to give now, beyond the players' own actions.

        Ask again after each one was applied.
        """
        self._sync(state)
        table = state.throwing.table
        if table is None or state.phase is Phase.OVER:
            return
        for party in self._parties:
            # What is owed is known at once, and rarely anything; what is allowed takes longer.
            if party in table.awaited and party in self._chains and state.may(party, "link"):
                yield party, LinkAction(self.link(state, party))
                return
            if not state.throwing.needs_anchor(party):
                continue
            if party == SERVER and state.may(party, "ready"):
                yield party, ReadyAction(self.anchor(party))
                return
            if state.may(party, "anchor"):
                yield party, AnchorAction(self.anchor(party))
                return
