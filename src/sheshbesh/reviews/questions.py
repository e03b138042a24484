"""The decisions of a match, in order: what was to be decided, at what score and cube, and what was done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from sheshbesh.errors import SheshbeshError
from sheshbesh.match import Card, Contest, MatchState
from sheshbesh.records import (
    BeaverEvent,
    DoubleEvent,
    DropEvent,
    Event,
    Match,
    PlayEvent,
    RecordedGame,
    SetPositionEvent,
    TakeEvent,
)
from sheshbesh.records.decision import Kind
from sheshbesh.records.model import DECISIONS
from sheshbesh.records.stake import chances_at
from sheshbesh.rules import Position, Side, Variant, variant


@dataclass(frozen=True, slots=True)
class Question:
    """One decision of `side` in game `game` (from 1), made at event `event` (index in the game).

    `number` counts the rolls and cube actions of the game from 1; a cube that was not turned has the number
    of the roll that follows. `position` has the decider's side on roll, but for answers to a double: there
    it is the doubler's. `match` is score and cube before the decision, None for money play of a game without
    a cube. `dice` are those on the board (None: an element that is owed, or a cube decision). `played` is
    the notation of a play, "" for a dance. `legal` is false for a play that was against the rules and stood.
    `tried` marks a play that was taken back.
    `opening` marks the first roll of a game. `stake` turns equity into match-winning chances (in money play:
    points).
    """

    game: int
    event: int
    number: int
    side: Side
    kind: Kind
    position: Position
    text: str
    match: MatchState | None
    stake: float
    dice: tuple[int, int] | None = None
    shown: tuple[int, int] | None = None
    played: str = ""
    beavered: bool = False
    legal: bool = True
    opening: bool = False
    tried: bool = False


class Played(Protocol):
    """A game played by some game's rules or by a card's: a match or its report."""

    @property
    def variant(self) -> str:
        """The code of the game."""

    @property
    def card(self) -> str | None:
        """The code of the card, if there was one."""


def rules_of(match: Played) -> Variant:
    """The game of a match: that of its card where it has one."""
    return Card.from_code(match.card).rules if match.card else variant(match.variant)


def questions(match: Match) -> Iterator[Question]:
    """Every decision of the match, game by game."""
    contest = Card.from_code(match.card).contest if match.card else None
    rules = rules_of(match)
    for game in match.games:
        yield from _Walk(match, rules, game, contest).run()


class _Walk:
    """One game from its first roll on, with the cube as it stood at each moment."""

    def __init__(self, match: Match, rules: Variant, game: RecordedGame, contest: Contest | None) -> None:
        self.match, self.rules, self.game, self.contest = match, rules, game, contest
        self.has_cube = bool(rules.axes["cube"]["use"]) and contest is not Contest.GAMES
        self.cube, self.owner = 1, None  # type: int, Side | None
        self.offered: tuple[Side, MatchState | None] | None = None
        self.number = 0
        self.rolled = False

    def run(self) -> Iterator[Question]:
        events = self.game.events
        for index, event in enumerate(events):
            if isinstance(event, DECISIONS) and not event.position:
                self._unknown(event)
            elif isinstance(event, PlayEvent):
                self.number += 1
                yield from self._roll(index, event)
                self.rolled = True
            elif isinstance(event, DoubleEvent):
                self.number += 1
                answer = events[index + 1] if index + 1 < len(events) else None
                state = self.state()
                self.offered = event.side, state
                if self._may_double(state, event.side):
                    yield self._cube(
                        index,
                        "double",
                        event.side,
                        event.before,
                        event.position,
                        state,
                        beavered=isinstance(answer, BeaverEvent),
                    )
            elif isinstance(event, TakeEvent | DropEvent | BeaverEvent):
                self.number += 1
                yield from self._answer(index, event)
            elif isinstance(event, SetPositionEvent):
                self.rolled = True

    def _unknown(self, event: PlayEvent | DoubleEvent | TakeEvent | DropEvent | BeaverEvent) -> None:
        """Go on past what was decided on a board that is not known: nothing can be said of it."""
        self.number += 1
        self.offered = (event.side, None) if isinstance(event, DoubleEvent) else self.offered
        self._turn(event)

    def state(self) -> MatchState | None:
        """Score and cube now; None where there is no score (a game for money without a cube)."""
        if self.contest is Contest.GAMES:
            return MatchState(length=1)
        match, game = self.match, self.game
        if match.length is None:
            if not self.has_cube:
                return None
            doubled = self.cube.bit_length() - 1 if self.owner is None else 0
            return MatchState(
                cube=self.cube,
                owner=self.owner,
                jacoby=match.jacoby,
                beavers=match.beavers,
                automatic_doubles=min(doubled, 6),
            )
        try:
            return MatchState(
                length=match.length,
                white=game.white,
                black=game.black,
                crawford=game.crawford and match.crawford_rule,
                crawford_rule=match.crawford_rule,
                cube=self.cube,
                owner=self.owner,
            )
        except SheshbeshError:
            # A score that no match has, as a file may state it: judged as an even game to the same length.
            return MatchState(length=match.length, cube=self.cube, owner=self.owner)

    def _may_double(self, state: MatchState | None, side: Side) -> bool:
        return self.has_cube and state is not None and state.double_refusal(side) is None

    def _stake(self, side: Side) -> float:
        """Return what a unit of equity costs `side`: half of what lies between winning and losing this
        cube."""
        if self.contest is Contest.GAMES:
            return 0.5
        chances = chances_at(
            self.match.length,
            self.game.white,
            self.game.black,
            side,
            self.cube,
            crawford=self.game.crawford,
            crawford_rule=self.match.crawford_rule,
        )
        return float(self.cube) if chances is None else (chances[0] - chances[1]) / 2

    def _roll(self, index: int, event: PlayEvent) -> Iterator[Question]:
        state = self.state()
        opening = not self.rolled
        owed = event.before.pending is not None
        if not opening and not owed and self.offered is None and self._may_double(state, event.side):
            before = _without_dice(event.position)
            yield self._cube(index, "no_double", event.side, event.before, before, state)
        self.offered = None
        if event.play is None and event.tried is None:
            return
        made = Question(
            self.game.number,
            index,
            self.number,
            event.side,
            "play",
            event.before,
            event.position,
            state,
            self._stake(event.side),
            None if owed and not _is_named(event.before) else event.dice,
            event.dice,
            event.play or "",
            legal=event.legal,
            opening=opening and not owed,
        )
        if event.tried is not None:
            yield replace(made, played=event.tried, tried=True)
        if event.play is not None:
            yield made

    def _answer(self, index: int, event: TakeEvent | DropEvent | BeaverEvent) -> Iterator[Question]:
        if self.offered is not None and self.offered[0] is not event.side:
            state = self.offered[1]
            if self._may_double(state, self.offered[0]):
                kind: Kind = "drop" if isinstance(event, DropEvent) else "take"
                yield self._cube(
                    index,
                    kind,
                    event.side,
                    event.before,
                    event.position,
                    state,
                    beavered=isinstance(event, BeaverEvent),
                )
        self._turn(event)

    def _turn(self, event: Event) -> None:
        """Turn the cube as an answer does."""
        if isinstance(event, TakeEvent):
            self.cube = event.cube
            # A beaver that was taken stays with the side that turned it.
            self.owner = (
                event.side if self.offered and self.offered[0] is not event.side else event.side.other
            )
        elif isinstance(event, BeaverEvent):
            self.cube, self.owner = event.cube, event.side

    def _cube(
        self,
        index: int,
        kind: Kind,
        side: Side,
        position: Position,
        text: str,
        state: MatchState | None,
        *,
        beavered: bool = False,
    ) -> Question:
        return Question(
            self.game.number,
            index,
            self.number,
            side,
            kind,
            position,
            text,
            state,
            self._stake(side),
            beavered=beavered,
        )


def _is_named(position: Position) -> bool:
    """Return True if the element owed is a double that its player names: then it has dice."""
    return position.pending is not None and position.pending.choose is not None


def _without_dice(text: str) -> str:
    """An XGID before the roll: the same with its dice taken away; other ids have none."""
    if not text.startswith("XGID="):
        return text
    fields = text.split(":")
    fields[4] = "00"
    return ":".join(fields)
