"""The dice of one game: the shares given, and those still awaited.

A throw is a phase. In normal mode the waiting player's link rides on the confirmation of the
play before, the roller's on the roll, and the server answers with its own. In strict mode the waiting
player is asked only after the roll was, so that the server cannot show the roller the dice before
they decide on the cube. The table does not measure time: silence is for the
clock of the session.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, Literal, NamedTuple, TypeVar

from sheshbesh.fairdice.chain import LENGTH, LINK_BYTES, MAX_LENGTH, RESERVE, link_before
from sheshbesh.fairdice.throw import MISSING, dice_from_links, is_game_id
from sheshbesh.fairdice.transcript import Event, Voided, anchors_event, chain_throw_event
from sheshbesh.rules import Refused

Party = Literal["server", "white", "black"]
Player = Literal["white", "black"]
Mode = Literal["normal", "strict"]

PARTIES: tuple[Party, Party, Party] = ("server", "white", "black")
"""The order of every triple in this module."""

PLAYERS: tuple[Player, Player] = ("white", "black")

_INDEX = {"server": 0, "white": 1, "black": 2}
_WAITING: dict[tuple[bool, bool], tuple[Player, ...]] = {
    (False, False): (),
    (True, False): ("white",),
    (False, True): ("black",),
    (True, True): PLAYERS,
}
"""The players whose links are missing, by whether White's and Black's are."""

_Given = tuple[bytes | None, bytes | None, bytes | None]
_NOTHING: _Given = (None, None, None)


@dataclass(frozen=True, slots=True)
class Epoch:
    """The time of one set of chains: the number of its first throw, and how far each is uncovered.

    `known` has the last link of each party, at first its anchor, and `depth` the place of that link
    in its chain. `voided` has the number of a throw that was made void when these chains began.
    """

    serial: int
    first: int
    known: tuple[bytes, bytes, bytes]
    depth: tuple[int, int, int] = (0, 0, 0)
    voided: int | None = None


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw under way: None where a link is awaited, `MISSING` where it is missing permanently.

    `roller` is None in an opening draw, which both sides throw.
    """

    roller: Player | None
    asked: bool
    links: _Given = _NOTHING


@dataclass(frozen=True, slots=True)
class Renewal:
    """New anchors being collected; `lost` has the players whose devices are gone."""

    reason: Literal["start", "reserve", "lost"]
    lost: tuple[Player, ...] = ()
    anchors: _Given = _NOTHING


Table = TypeVar("Table")
"""The dice after a step: a `DiceTable`, or what a caller has around it."""


class Change(NamedTuple, Generic[Table]):
    """The outcome of a step: the new table, the entries of the transcript, and the dice once they are known.

    `dice` are in the order drawn: in an opening draw White's first, then Black's.
    """

    table: Table
    entries: tuple[Event, ...] = ()
    dice: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class DiceTable:
    """The dice of one game between a server and two players. Immutable; every step gives a new one.

    `number` is the number of the throw under way, or of the next one. A step that is not
    allowed raises `Refused`, with an id of `DICE_RULES`.
    """

    game: str
    mode: Mode
    length: int
    number: int
    epoch: Epoch | None
    throw: Throw | None
    renewal: Renewal | None

    @classmethod
    def open(cls, game: str, *, mode: Mode = "normal", length: int = LENGTH) -> DiceTable:
        """The table of a game that waits for three anchors; ValueError for what cannot be.

        `game` must never have been used before: it goes into every roll.
        """
        if not is_game_id(game):
            raise ValueError(f"a game is named by 1 to 64 of a-z, A-Z, 0-9 and -_.:/+, not {game!r}")
        if mode not in ("normal", "strict"):
            raise ValueError(f'dice are "normal" or "strict", not {mode!r}')
        if not RESERVE < length <= MAX_LENGTH:
            raise ValueError(f"a chain has {RESERVE + 1} to {MAX_LENGTH} links, not {length!r}")
        return cls(game, mode, length, 1, None, None, Renewal("start"))

    @property
    def index(self) -> int:
        """The link of every chain that belongs to throw `number`; 0 before there are anchors."""
        return 0 if self.epoch is None else self.number - self.epoch.first + 1

    @property
    def links_left(self) -> int:
        """The number of throws that the chains still hold, the one under way included."""
        return 0 if self.epoch is None else self.length - self.index + 1

    @property
    def needs_renewal(self) -> bool:
        """True if it is time to ask for new anchors, and no party has been asked yet."""
        return self.epoch is not None and self.renewal is None and self.links_left <= RESERVE

    @property
    def awaited_anchors(self) -> tuple[Party, ...]:
        """Whose new anchor is awaited."""
        if self.renewal is None:
            return ()
        return tuple(
            party for party, anchor in zip(PARTIES, self.renewal.anchors, strict=True) if anchor is None
        )

    @property
    def awaited(self) -> tuple[Party, ...]:
        """Whose link may be given now; the server is named only when it alone is missing.

        Before a throw is begun and when all links are given: no party.
        """
        if self.throw is None:
            return ()
        open_players = self._open_players(self.throw)
        if open_players:
            return open_players
        return ("server",) if self.throw.asked and self.throw.links[0] is None else ()

    def _open_players(self, throw: Throw) -> tuple[Player, ...]:
        _, white, black = throw.links
        waiting = _WAITING[white is None, black is None]
        if throw.roller is None:
            return waiting
        if not throw.asked:
            return () if self.mode == "strict" else tuple(p for p in waiting if p != throw.roller)
        if self.mode == "strict" and throw.roller in waiting:
            return (throw.roller,)
        return waiting

    # Anchors.

    def renew(self, *, lost: Player | None = None) -> Change[DiceTable]:
        """Ask all three for new anchors: near the end of the chains, or because a player lost theirs.

        The new chains begin as soon as all anchors are there and no link of the throw under way has
        been given; otherwise after that throw. See the guide for the one case of a throw made void.
        """
        if lost is not None and lost not in PLAYERS:
            raise Refused.of("dice.server_lost")
        if lost is None:
            if self.renewal is not None:
                raise Refused.of("dice.renewal_open")
            if self.links_left > RESERVE:
                raise Refused.of("dice.renewal_early")
            return Change(replace(self, renewal=Renewal("reserve")))
        current = self.renewal or Renewal("lost")
        reason = current.reason if current.reason == "start" else "lost"
        losers = tuple(player for player in PLAYERS if player == lost or player in current.lost)
        # An anchor given from the lost device is lost with it.
        anchors = _put(current.anchors, lost, None)
        return Change(replace(self, renewal=Renewal(reason, losers, anchors)))

    def commit(self, party: Party, anchor: bytes) -> Change[DiceTable]:
        """Take the anchor of a new chain; the third of three opens the chains."""
        if self.renewal is None:
            raise Refused.of("dice.anchor_unasked")
        if len(anchor) != LINK_BYTES:
            raise Refused.of("dice.anchor_malformed")
        if self.renewal.anchors[_INDEX[party]] is not None:
            raise Refused.of("dice.anchor_given")
        if anchor in self.renewal.anchors or (self.epoch and anchor in self.epoch.known):
            raise Refused.of("dice.anchor_repeated")
        anchors = _put(self.renewal.anchors, party, anchor)
        return replace(self, renewal=replace(self.renewal, anchors=anchors))._settled()

    def _settled(self) -> Change[DiceTable]:
        """Begin the new chains if all anchors are there and the throw under way allows it."""
        renewal = self.renewal
        if renewal is None or None in renewal.anchors:
            return Change(self)
        throw, voided = self.throw, None
        if throw is not None and any(throw.links):
            if not self._must_void(throw, renewal):
                return Change(self)
            voided = Voided(self.number, throw.links[1], throw.links[2])
        if throw is not None:
            throw = Throw(throw.roller, throw.asked)
        server, white, black = renewal.anchors
        assert server is not None and white is not None and black is not None
        known = (server, white, black)
        serial = 1 if self.epoch is None else self.epoch.serial + 1
        epoch = Epoch(serial, self.number, known, voided=self.number if voided else self._voided_number)
        event = anchors_event(
            self.game,
            (epoch.serial, epoch.first),
            known,
            mode=self.mode,
            length=self.length,
            reason=renewal.reason,
            lost=renewal.lost,
            voided=voided,
        )
        return Change(replace(self, epoch=epoch, throw=throw, renewal=None), (event,))

    def _must_void(self, throw: Throw, renewal: Renewal) -> bool:
        """Return True if the throw can only go on with new chains: a strict one that lacks a lost link.

        Made void with a link already out, a throw could be seen by the server and the loser before
        they choose to lose it: the same choice of two that a missing link gives. Once a throw, then.
        """
        is_stuck = any(throw.links[_INDEX[player]] is None for player in renewal.lost)
        return self.mode == "strict" and is_stuck and self._voided_number != self.number

    @property
    def _voided_number(self) -> int | None:
        return None if self.epoch is None else self.epoch.voided

    # The throw.

    def begin(self, roller: Player | None) -> Change[DiceTable]:
        """Open the next throw, as soon as it is known which side rolls; None for an opening draw.

        An opening draw counts as asked for. Otherwise the roller may still think about the cube.
        """
        if self.epoch is None:
            raise Refused.of("dice.anchor_missing")
        if self.throw is not None:
            raise Refused.of("dice.throw_open")
        if self.links_left < 1:
            raise Refused.of("dice.chain_used_up")
        return self._with_throw(Throw(roller, asked=roller is None))

    def ask(self) -> Change[DiceTable]:
        """The roller asks for the dice; from here on the clock runs for the side that is awaited."""
        if self.throw is None:
            raise Refused.of("dice.no_throw")
        if self.throw.asked:
            raise Refused.of("dice.asked_twice")
        return self._with_throw(Throw(self.throw.roller, asked=True, links=self.throw.links))

    def release(self, party: Party, link: bytes) -> Change[DiceTable]:
        """Take a party's link for this throw, if it is due and fits the chain."""
        if self.throw is None or self.epoch is None:
            raise Refused.of("dice.no_throw")
        place = _INDEX[party]
        self._check_order(party, self.throw)
        if len(link) != LINK_BYTES:
            raise Refused.of("dice.link_malformed")
        # More than one step back where links were left out before: this one uncovers them.
        steps = self.index - self.epoch.depth[place]
        if link_before(link, steps=steps) != self.epoch.known[place]:
            raise Refused.of("dice.link_wrong")
        return self._with_link(party, link)

    def _check_order(self, party: Party, throw: Throw) -> None:
        """Refuse a link that is not awaited now."""
        given = throw.links[_INDEX[party]]
        if given is not None:
            raise Refused.of("dice.link_late" if given == MISSING else "dice.link_given")
        if party not in self.awaited:
            raise Refused.of("dice.server_last" if party == "server" else "dice.link_early")

    def withhold(self, party: Party) -> Change[DiceTable]:
        """Let the throw go on without a silent player's link; never the server's, never in strict mode."""
        if self.throw is None:
            raise Refused.of("dice.no_throw")
        if party == "server" or self.mode == "strict":
            raise Refused.of("dice.link_required")
        self._check_order(party, self.throw)
        if not self.throw.asked:
            raise Refused.of("dice.link_early")
        return self._with_link(party, MISSING)

    def _with_link(self, party: Party, link: bytes) -> Change[DiceTable]:
        assert self.throw is not None
        throw = self.throw
        return self._with_throw(Throw(throw.roller, throw.asked, _put(throw.links, party, link)))

    def _with_throw(self, throw: Throw) -> Change[DiceTable]:
        # Spelled out: `replace` would take half the time of a step.
        return Change(
            DiceTable(self.game, self.mode, self.length, self.number, self.epoch, throw, self.renewal)
        )

    def resolve(self) -> Change[DiceTable]:
        """The dice, once every link is given or marked as missing; new chains begin now if they wait."""
        throw, epoch = self.throw, self.epoch
        if throw is None or epoch is None:
            raise Refused.of("dice.no_throw")
        server, white, black = throw.links
        if server is None or white is None or black is None:
            raise Refused.of("dice.link_missing")
        dice = dice_from_links(game=self.game, number=self.number, server=server, white=white, black=black)
        event = chain_throw_event(self.game, self.number, dice, (server, white, black), roller=throw.roller)
        depth = self.index
        known = (server, white or epoch.known[1], black or epoch.known[2])
        depths = (depth, depth if white else epoch.depth[1], depth if black else epoch.depth[2])
        after = Epoch(epoch.serial, epoch.first, known, depths, epoch.voided)
        table = DiceTable(self.game, self.mode, self.length, self.number + 1, after, None, self.renewal)
        settled = table._settled()
        return Change(settled.table, (event, *settled.entries), dice)


def _put(triple: _Given, party: Party, value: bytes | None) -> _Given:
    server, white, black = triple
    if party == "server":
        return value, white, black
    return (server, value, black) if party == "white" else (server, white, value)
