"""The rules of the auditor: what an event may say after the events before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sheshbesh.fairdice.recompute import (
    PARTIES,
    PARTY,
    EventError,
    chain_dice,
    read_anchor,
    read_bytes,
    read_dice,
    read_game,
    read_link,
    read_number,
    read_text,
    seeded_dice,
    uncover,
)
from sheshbesh.fairdice.statements import Tally
from sheshbesh.fairdice.verdict import Problem, ThrowReport
from sheshbesh.i18n import Text

if TYPE_CHECKING:
    from sheshbesh.fairdice.envelope import Envelope

# Written again, not taken from the generator: the page in the guide is the common ground.
_RESERVE = 16
_MAX_LENGTH = 4096
_MAX_SEED = 64
_PLAYERS = ("white", "black")

_OTHERWISE = {
    "chains": Text("the dice of this game are from three chains, and those of this throw are not"),
    "seeded": Text("the dice of this game are from a seed, and those of this throw are not"),
    "typed": Text("the dice of this game are typed in, and those of this throw are not"),
}


@dataclass(slots=True)
class _Game:
    """The evidence of the file about a game so far."""

    name: str
    source: str
    next_number: int = 1
    seed: bytes = b""
    mode: str = ""
    length: int = 0
    epoch: int = 0
    first: int = 1
    known: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    voided: int | None = None
    envelope: Envelope | None = None


class Audit:
    """Reads dice events one after the other and keeps what was found."""

    def __init__(self, envelopes: tuple[Envelope, ...]) -> None:
        self.throws: list[ThrowReport] = []
        self.problems: list[Problem] = []
        self.tally = Tally()
        self._games: dict[str, _Game] = {}
        self._seen: set[bytes] = set()
        self._unopened = list(envelopes)

    def complain(self, line: int, game: str | None, number: int | None, text: Text) -> Problem:
        """Note a problem."""
        problem = Problem(line, game, number, text)
        self.problems.append(problem)
        return problem

    def take(self, line: int, event: Mapping[str, Any]) -> None:
        """Check one dice event."""
        if event["type"] == "throw":
            self._take_throw(line, event)
            return
        try:
            if event["type"] == "anchors":
                self._take_anchors(event)
            else:
                self._take_seed(event)
        except EventError as bad:
            self.complain(line, read_text(event.get("game")), bad.number, bad.text)

    def finish(self, lines: int) -> None:
        """Judge what can only be judged at the end of the file."""
        for envelope in self._unopened:
            self.complain(
                lines, envelope.game, envelope.first, Text("the envelope's anchor is not in this file")
            )

    # Openings and renewals.

    def _take_seed(self, event: Mapping[str, Any]) -> None:
        name = read_game(event)
        if name in self._games:
            raise EventError(
                Text("a seed is given for a game that has begun already"), self._games[name].next_number
            )
        seed = read_bytes(event.get("seed"))
        if seed is None or not 1 <= len(seed) <= _MAX_SEED:
            raise EventError(Text("the seed cannot be read"))
        self._games[name] = _Game(name, "seeded", seed=seed)

    def _take_anchors(self, event: Mapping[str, Any]) -> None:
        name = read_game(event)
        game = self._games.get(name) or _Game(name, "chains")
        at = game.next_number
        if game.source != "chains":
            raise EventError(Text("anchors are given in a game that has begun with other dice"), at)
        anchors = {party: read_anchor(event.get(party), party, at) for party in PARTIES}
        if event.get("epoch") != game.epoch + 1 or event.get("first") != at:
            raise EventError(
                Text(
                    "new chains should be number {epoch} and begin with throw {number}",
                    epoch=game.epoch + 1,
                    number=at,
                ),
                at,
            )
        self._check_reason(game, event)
        if len(set(anchors.values())) < len(anchors):
            raise EventError(Text("two sides have the same anchor"), at)
        for party, anchor in anchors.items():
            self._see(anchor, party, name, at)
        game.mode, game.length = event["mode"], event["length"]
        game.epoch, game.first = game.epoch + 1, at
        game.known = {party: (0, anchor) for party, anchor in anchors.items()}
        self._games[name] = game
        self.tally.modes.add(game.mode)
        game.envelope = self._fitting_envelope(game, anchors["server"])

    def _check_reason(self, game: _Game, event: Mapping[str, Any]) -> None:
        at, mode, length, lost = (
            game.next_number,
            event.get("mode"),
            event.get("length"),
            event.get("lost", []),
        )
        if (
            mode not in ("normal", "strict")
            or type(length) is not int
            or not _RESERVE < length <= _MAX_LENGTH
        ):
            raise EventError(Text("the anchors do not say which kind of chains they begin"), at)
        if not isinstance(lost, list) or any(side not in _PLAYERS for side in lost):
            raise EventError(Text("it is not said which player lost a chain"), at)
        if game.epoch and (mode, length) != (game.mode, game.length):
            raise EventError(Text("the kind of chains changed within the game"), at)
        rightful = {
            "start": game.epoch == 0,
            "reserve": game.epoch > 0 and game.length - (at - game.first) <= _RESERVE and not lost,
            "lost": game.epoch > 0 and bool(lost),
        }
        if not rightful.get(str(event.get("reason")), False):
            raise EventError(Text("unexpected new chains"), at)
        if "voided" in event:
            self._check_voided(game, event["voided"], lost)
        self.tally.lost += [(game.name, at, side) for side in lost if game.epoch]

    def _check_voided(self, game: _Game, voided: object, lost: list[str]) -> None:
        at = game.next_number
        if not isinstance(voided, dict) or voided.get("number") != at:
            raise EventError(Text("the throw that was made void is not the one under way"), at)
        given = [side for side in _PLAYERS if voided.get(side) is not None]
        if game.mode != "strict" or game.voided == at or not given or set(lost) <= set(given):
            raise EventError(Text("this throw must not be made void"), at)
        for side in given:
            link = read_link(voided[side], side, at)
            self._check_link(game, side, link, at)
            self._seen.add(link)
        game.voided = at
        self.tally.voided.append((game.name, at))

    def _fitting_envelope(self, game: _Game, anchor: bytes) -> Envelope | None:
        for envelope in self._unopened:
            if (envelope.game, envelope.first, envelope.anchor) == (game.name, game.first, anchor):
                self._unopened.remove(envelope)
                self.tally.envelopes += 1
                return envelope
        return None

    # Throws.

    def _take_throw(self, line: int, event: Mapping[str, Any]) -> None:
        name, number = read_text(event.get("game")), read_number(event.get("number"))
        dice, problem = read_dice(event.get("dice")), None
        missing: tuple[str, ...] = ()
        try:
            missing = self._check_throw(event)
        except EventError as bad:
            problem = self.complain(line, name, number if bad.number is None else bad.number, bad.text)
        source, roller = read_text(event.get("source")), read_text(event.get("roller"))
        self.throws.append(ThrowReport(line, name, number, source, roller, dice, missing, problem))

    def _check_throw(self, event: Mapping[str, Any]) -> tuple[str, ...]:
        """Check a throw and return who left out a link."""
        name, number, source = read_game(event), read_number(event.get("number")), event.get("source")
        game = self._games.get(name)
        if game is None:
            if source != "typed":
                raise EventError(Text("the game has no anchors and no seed before this throw"))
            game = self._games[name] = _Game(name, "typed")
        expected = game.next_number
        if number is None:
            raise EventError(Text("the throw has no number"), expected)
        game.next_number = max(expected, number) + 1
        if number != expected:
            raise EventError(
                Text("throw {expected} was expected, not throw {found}", expected=expected, found=number),
                expected,
            )
        if source != game.source:
            raise EventError(_OTHERWISE[game.source])
        dice = read_dice(event.get("dice"))
        if dice is None:
            raise EventError(Text("the dice are not two numbers from 1 to 6"))
        if event.get("roller", "") not in (None, *_PLAYERS):
            raise EventError(Text("the roller is not named"))
        self.tally.throws[game.source] += 1
        if game.source == "seeded" and dice != seeded_dice(name, number, game.seed):
            first, second = seeded_dice(name, number, game.seed)
            raise EventError(
                Text("the dice do not follow from the seed: it gives {dice}", dice=f"{first}-{second}")
            )
        return self._check_links(game, number, dice, event) if game.source == "chains" else ()

    def _check_links(
        self, game: _Game, number: int, dice: tuple[int, int], event: Mapping[str, Any]
    ) -> tuple[str, ...]:
        missing = tuple(side for side in _PLAYERS if event.get(side, "") is None)
        marked = event.get("missing", [])
        if marked != list(missing) or ("missing" in event and not missing):
            raise EventError(Text("the marks of missing links do not agree with the links"))
        if missing and game.mode == "strict":
            raise EventError(
                Text(
                    "{who} left out a link, which strict dice do not allow",
                    who=tuple(PARTY[side] for side in missing),
                )
            )
        links = {}
        for party in PARTIES:
            if party in missing:
                links[party] = b""
                continue
            links[party] = read_link(event.get(party), party)
            self._check_link(game, party, links[party], number)
        for party in PARTIES:
            if links[party]:
                self._see(links[party], party, game.name, number)
                game.known[party] = (number - game.first + 1, links[party])
        follows = chain_dice(game.name, number, links)
        if dice != follows:
            raise EventError(
                Text(
                    "the dice do not follow from the links: they give {dice}",
                    dice=f"{follows[0]}-{follows[1]}",
                )
            )
        self.tally.missing += [(game.name, number, side) for side in missing]
        self._check_envelope(game, number, links["server"])
        return missing

    def _check_link(self, game: _Game, party: str, link: bytes, number: int) -> None:
        index = number - game.first + 1
        if index > game.length:
            raise EventError(Text("the chains were used up and should have been renewed"), number)
        depth, known = game.known[party]
        if uncover(link, index - depth) != known:
            raise EventError(
                Text("{who}'s link does not belong to the announced chain", who=PARTY[party]), number
            )

    def _see(self, value: bytes, party: str, game: str, number: int) -> None:
        """A value seen before was no secret: an error of the server; a player harms only themselves."""
        if value in self._seen and party == "server":
            raise EventError(Text("the server's chain was used before"), number)
        if value in self._seen:
            self.tally.repeated.setdefault((game, party), number)
        self._seen.add(value)

    def _check_envelope(self, game: _Game, number: int, server: bytes) -> None:
        if game.envelope is None:
            return
        index = number - game.first
        if index >= len(game.envelope.links) or game.envelope.links[index] != server:
            raise EventError(Text("the server's link is not the one in the envelope"))
        self.tally.in_envelope += 1
