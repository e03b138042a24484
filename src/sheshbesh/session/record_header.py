"""The first line of a record: by what card, rules and people a table plays, and how it begins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Generic, NamedTuple, Self

from msgspec import ValidationError, convert

from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.i18n import Text
from sheshbesh.match.card import Card
from sheshbesh.rules.safe_text import escaped
from sheshbesh.session.actions import ACTIONS, Action, Event
from sheshbesh.session.apply import apply
from sheshbesh.session.state import EventTerms, Session
from sheshbesh.session.table_state import Outcome, State

VERSION = 1


class TableHeader(ABC, Generic[State]):
    """The fields that every kind of table states before its first event."""

    FORMAT: ClassVar[str]
    ACTIONS: ClassVar[Mapping[str, type[Action]]]

    card: Card
    match_id: str
    seed: str | None

    @abstractmethod
    def session(self) -> State:
        """The table before its first event."""

    @staticmethod
    @abstractmethod
    def apply(state: Any, actor: str, action: Action, now: int, *, lag: int = 0) -> Outcome[Any]:
        """Let an actor take an action: the one door by which such a table changes. Refused if it may not."""

    def follow(self, state: State, event: Event) -> Outcome[State]:
        """Apply a recorded event again, with the time that was given back to a slow line."""
        return self.apply(state, event.actor, event.action, event.at, lag=event.lag)

    @abstractmethod
    def people(self) -> dict[str, Any]:
        """The seats, as plain data."""

    @classmethod
    @abstractmethod
    def from_data(cls, data: object) -> Self:
        """Read a header; RecordError says what is wrong with it."""

    def to_data(self) -> dict[str, Any]:
        """The header as plain data."""
        data: dict[str, Any] = {
            "format": self.FORMAT,
            "version": VERSION,
            "card": self.card.code,
            "card_hash": self.card.hash,
            "rules": self.card.rules.fingerprint,
            "match": self.match_id,
            **self.people(),
        }
        if self.seed is not None:
            data["seed"] = self.seed
        return data


class Common(NamedTuple):
    """The fields that all headers have in common, read and checked; `data` is the whole header."""

    card: Card
    match_id: str
    seed: str | None
    data: Mapping[str, Any]


def read_common(data: object, kind: str, *, tried: bool = True) -> Common:
    """Read a header of format `kind`; RecordError says what is wrong with it.

    It is `tried` whether a table can begin like this, so that this is not found out at its first event.

    A record whose game has changed its rules since, or whose card means something else by now, is
    not replayed by others.
    """
    if not isinstance(data, Mapping) or data.get("format") != kind:
        found = data.get("format") if isinstance(data, Mapping) else None
        must = Text("the first line must name the format {kind}", kind=repr(kind))
        if found is not None:
            must = Text("{must}; this one names {found}", must=must, found=repr(found))
        raise RecordError(must)
    if data.get("version") != VERSION:
        raise RecordError(
            Text(
                "this record has version {found}; known is {version}",
                found=repr(data.get("version")),
                version=VERSION,
            )
        )
    for name in ("card", "match"):
        if not isinstance(data.get(name), str):
            raise RecordError(
                Text(
                    "the header must have a text {name}, not {found}",
                    name=repr(name),
                    found=repr(data.get(name)),
                )
            )
    seed = data.get("seed")
    if seed is not None and not isinstance(seed, str):
        raise RecordError(Text("a seed is a text, not {seed}", seed=repr(seed)))
    try:
        card, digest = _card(data["card"])
        if tried:
            Session.new(card, match_id=data["match"], seed=seed)
    except SheshbeshError as error:
        raise RecordError(Text("no table can begin like this: {why}", why=error)) from None
    if data.get("rules", card.rules.fingerprint) != card.rules.fingerprint:
        raise RecordError(Text("the rules of {game} have changed since this record was made", game=card.game))
    if data.get("card_hash", digest) != digest:
        raise RecordError(
            Text(
                "the card {code} is not the one this record was made by: {hash}",
                code=repr(card.code),
                hash=repr(data["card_hash"]),
            )
        )
    return Common(card, data["match"], seed, data)


@lru_cache(maxsize=256)
def _card(code: str) -> tuple[Card, str]:
    """Return the card with this code and its hash: both take long, one event has one card."""
    card = Card.from_code(code)
    return card, card.hash


_NAMES = ("white", "black")

LEVEL_TAGS = {"white": "WhiteLevel", "black": "BlackLevel"}
"""The tags of a match that name the levels at which a computer plays, by side."""


def level_tags(levels: Mapping[str, str | None]) -> dict[str, str]:
    """Return the tags for the levels by side; a side of a person's has none."""
    return {tag: level for side, tag in LEVEL_TAGS.items() if (level := levels.get(side)) is not None}


@dataclass(frozen=True, slots=True)
class Header(TableHeader[Session]):
    """The terms of a match: the card, the names at the table, the event that it is part of, if any.

    `start` is the id of the position in which the first game begins, where it is not that of the rules.
    `tags` say more about the match, such as `LEVEL_TAGS`.
    """

    FORMAT = "sheshbesh-record"
    ACTIONS = ACTIONS
    apply = staticmethod(apply)

    card: Card
    match_id: str
    players: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(_NAMES, ""))
    seed: str | None = None
    event: EventTerms | None = None
    start: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    def session(self) -> Session:
        """The match before its first event."""
        return Session.new(
            self.card, match_id=self.match_id, seed=self.seed, event=self.event, start=self.start
        )

    def people(self) -> dict[str, Any]:
        """The names of the two players."""
        return {"players": dict(self.players)}

    def to_data(self) -> dict[str, Any]:
        """The header as plain data; `event`, `start` and `tags` are there only where they say something."""
        data = TableHeader.to_data(self)
        if self.event is not None:
            data["event"] = self.event.to_data()
        if self.start is not None:
            data["start"] = self.start
        return data | {"tags": dict(self.tags)} if self.tags else data

    @classmethod
    def from_data(cls, data: object, *, tried: bool = True) -> Header:
        """Read a header; RecordError says what is wrong with it.

        Where it is not `tried` whether a match can begin like this, `session` is what finds out.
        """
        common = read_common(data, cls.FORMAT, tried=tried)
        players = common.data.get("players", {})
        if not isinstance(players, Mapping) or not all(isinstance(name, str) for name in players.values()):
            raise RecordError(Text("players must be names, not {players}", players=repr(players)))
        # A record can come from anybody, and its names are shown.
        names = {side: escaped(players.get(side, "")) for side in _NAMES}
        event = common.data.get("event")
        try:
            terms = None if event is None else convert(event, EventTerms)
        except ValidationError as error:
            raise RecordError(Text("{where} cannot be read: {why}", where="event", why=error)) from None
        start = common.data.get("start")
        if start is not None and not isinstance(start, str):
            raise RecordError(Text("a start is the id of a position, not {start}", start=repr(start)))
        found = common.data.get("tags")
        tags = {str(name): str(text) for name, text in found.items()} if isinstance(found, Mapping) else {}
        header = cls(common.card, common.match_id, names, common.seed, terms, start, tags)
        try:
            if tried and start is not None:
                header.session()
        except SheshbeshError as error:
            raise RecordError(Text("no table can begin like this: {why}", why=error)) from None
        return header
