"""Reading our own records: of a match as it was played here, and the lossless JSON form of any match."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.i18n import Text
from sheshbesh.match.card import Card, Contest
from sheshbesh.records import model
from sheshbesh.records.board import xgid
from sheshbesh.records.decision import Decision
from sheshbesh.records.from_data import has_place, match_from_data
from sheshbesh.records.model import at_line
from sheshbesh.rules import Side
from sheshbesh.session import Header, Phase, Record, Session
from sheshbesh.session.actions import Event
from sheshbesh.session.phases import CUBE_PHASES, OFFERED

_MOST_EVENTS = 200_000
_NOT_OURS = (LookupError, ArithmeticError, TypeError, ValueError, AttributeError)
"""The errors that data of another form lead to."""


def looks_like_record(text: str) -> bool:
    """Return True if a text begins like one of our records."""
    return text.lstrip()[:200].startswith("{") and f'"{Header.FORMAT}"' in text[:400]


def read_record(text: str) -> model.Match:
    """The match of a record, every game and card; RecordError names the event that does not hold."""
    if text.count("\n") > _MOST_EVENTS:
        raise RecordError(at_line(_MOST_EVENTS, Text("a record with this many events cannot be read")))
    record = Record.from_text(text)
    repairs = []
    if record.damage is not None:
        repairs.append(
            model.Repair(len(record.events) + 2, "", record.damage, Text("read up to the last whole event"))
        )
    record.replay()  # names an event that does not hold
    reading = _Reading(record.header.session(), record.header.card)
    for event in record.events:
        after, _, happened = record.header.follow(reading.state, event)
        reading.follow(happened, after)
    card = record.header.card
    head = json.loads(text.split("\n", 1)[0])
    games = tuple(reading.finish())
    try:
        analysis = tuple(Decision.from_data(each) for each in head.get("analysis", ()))
    except _NOT_OURS as error:
        raise RecordError(at_line(1, Text("this is no analysis of ours: {why}", why=repr(error)))) from None
    if any(not has_place(each, games) for each in analysis):
        raise RecordError(at_line(1, Text("the analysis is about events that this match does not have")))
    return model.Match(
        "record",
        "sheshbesh",
        {side.value: record.header.players.get(side.value, "") for side in Side},
        card.wins_needed,
        card.game,
        games,
        dict(record.header.tags),
        tuple(repairs),
        analysis,
        str(head["analysed_by"]) if analysis and head.get("analysed_by") is not None else None,
        jacoby=card.jacoby and card.contest is Contest.MONEY and card.has_cube,
        beavers=card.beavers and card.contest is Contest.MONEY,
        crawford_rule=card.crawford if card.contest is Contest.POINTS else True,
        card=card.code,
    )


@dataclass(slots=True)
class _Reading:
    """The games of a record while its events are followed."""

    state: Session
    card: Card
    games: list[model.RecordedGame] = field(default_factory=list)
    events: list[model.Event] = field(default_factory=list)
    number: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False

    def follow(self, event: Event, after: Session) -> None:
        """One action: what of it a match file records."""
        before, self.state = self.state, after
        if after.game_no > self.number:
            self._begin(after)
        kind = event.action.type
        # A match file has throws: a turn that was passed without one is not in it.
        if kind in ("play", "confirm") and before.turn is not None:
            text = str(event.then.get("play", ""))
            self._play(before, after, "" if text == "pass" else text)
        elif kind == "retry":
            self.events.pop()  # the play that was taken back, with which its turn had ended
        elif kind in ("double", "take", "drop", "beaver"):
            self._cube(kind, before, Side.of(event.actor))
        if len(after.games) > len(before.games):
            self._end(before, after)

    def _begin(self, state: Session) -> None:
        self._close()
        self.number = state.game_no
        self.score = (state.score.white, state.score.black)
        self.crawford = state.score.crawford
        if state.start is not None and self.number == 1:
            start = state.start
            self.events.append(model.SetPositionEvent(start.turn, self._position(state), start))

    def _close(self) -> None:
        if self.number:
            self.games.append(model.RecordedGame(self.number, *self.score, self.crawford, tuple(self.events)))
        self.events = []

    def _position(self, state: Session, dice: tuple[int, int] | None = None) -> str:
        assert state.position is not None
        match, money = state.score, state.score.length is None
        owner = None if match.owner is None else Side.of(match.owner)
        return xgid(
            state.position,
            length=match.length,
            white=match.white,
            black=match.black,
            cube=match.cube,
            owner=owner,
            flags=bool(match.jacoby) + 2 * match.beavers if money else int(match.crawford),
            dice=dice,
        )

    def _play(self, before: Session, after: Session, text: str | None) -> None:
        assert before.turn is not None and before.position is not None and after.position is not None
        dice = (max(before.turn.dice), min(before.turn.dice))
        self.events.append(
            model.PlayEvent(
                side=before.position.turn,
                dice=dice,
                play=text,
                legal=True,
                position=self._position(before, dice),
                before=before.position,
                after=before.position if text is None else after.position,
                tried=before.tried,
            )
        )

    def _cube(self, kind: str, before: Session, side: Side) -> None:
        assert before.position is not None
        where, position = self._position(before), before.position
        offered = before.stake * OFFERED[before.phase] if before.phase in CUBE_PHASES else before.score.cube
        if kind == "double":
            self.events.append(model.DoubleEvent(side, 2 * offered, where, position))
        elif kind == "take":
            self.events.append(model.TakeEvent(side, offered, where, position))
        elif kind == "drop":
            self.events.append(model.DropEvent(side, offered // 2, where, position))
        else:
            self.events.append(model.BeaverEvent(side, 2 * offered, where, position))

    def _end(self, before: Session, after: Session) -> None:
        game = after.games[-1]
        offer = before.resignation
        if offer is not None and offer.phase is Phase.MOVE and before.turn is not None:
            self._play(before, after, None)
        if game.reason not in ("played", "drop") and game.result.winner is not None:
            self.events.append(model.ResignEvent(game.result.winner.other, game.points))
        self.events.append(model.ResultEvent(game.result.winner, game.points))

    def finish(self) -> list[model.RecordedGame]:
        """All games, the last one finished or not."""
        self._close()
        return self.games


# The JSON form


def looks_like_json(text: str) -> bool:
    """Return True if a text begins like the JSON form of a match."""
    return text.lstrip()[:1] == "{"


def parse_json(text: str) -> Mapping[str, Any]:
    """The JSON object in a text; RecordError says where it is none."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(at_line(error.lineno, Text("no JSON: {why}", why=error.msg))) from None
    except (RecursionError, ValueError) as error:
        raise RecordError(at_line(1, Text("no JSON: {why}", why=error))) from None
    if not isinstance(data, dict):
        raise RecordError(at_line(1, Text("expected a JSON object")))
    return data


def read_json(text: str) -> model.Match:
    """A match from the form that `convert --to json` writes; RecordError says what does not hold."""
    data = parse_json(text)
    try:
        return _match(data)
    except RecordError:
        raise
    except (SheshbeshError, *_NOT_OURS) as error:
        raise RecordError(at_line(1, Text("this JSON is no match of ours: {why}", why=repr(error)))) from None


def _match(data: Mapping[str, Any]) -> model.Match:
    if "games" not in data or "players" not in data:
        raise RecordError(at_line(1, Text("this JSON has no games and players: expected a match")))
    return match_from_data(data)
