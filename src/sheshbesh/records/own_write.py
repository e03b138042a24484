"""Writing a match as one of our own records.

A match that the rules can play again, from the first throw to the last, becomes a session record, as if it
had been played here with dice typed in. What cannot be replayed so (an illegal play that stood, a board set
up by hand, a score in the middle of a match, comments) is kept in the JSON form instead; both are read back.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import zip_longest

from sheshbesh.errors import SheshbeshError
from sheshbesh.match.card import LONGEST_MATCH, Card, Contest, DiceSource
from sheshbesh.match.timing import ClockSettings
from sheshbesh.records import model
from sheshbesh.rules import Position, Refused, Roll, Side
from sheshbesh.session import (
    SERVER,
    AcceptAction,
    BeaverAction,
    ChooseAction,
    ConfirmAction,
    DiceAction,
    DoubleAction,
    DropAction,
    Event,
    Header,
    Phase,
    PlayAction,
    ReadyAction,
    Record,
    ResignAction,
    RetryAction,
    RollAction,
    Session,
    TakeAction,
    apply,
)
from sheshbesh.session import actions as act

_MOST_STEPS = 12


class _UnplayableError(Exception):
    """The rules of a session cannot play this match again."""


def format_record(match: model.Match) -> str:
    """The record as lines of JSON."""
    try:
        record = _Player(match).record()
    except (_UnplayableError, SheshbeshError):
        return json.dumps(match.to_data(), ensure_ascii=False, separators=(",", ":")) + "\n"
    head, *rest = record.to_text().splitlines(keepends=True)
    more = {name: value for name, value in match.to_data().items() if name in ("analysed_by", "analysis")}
    if more:
        data = json.loads(head) | more
        head = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
    return head + "".join(rest)


def _card(match: model.Match) -> Card:
    if match.card is not None:
        card = Card.from_code(match.card)
        return replace(card, dice=DiceSource.TYPED, clock=ClockSettings())
    if match.length is not None and match.length > LONGEST_MATCH:
        raise _UnplayableError
    return Card(
        game=match.variant,
        contest=Contest.MONEY if match.length is None else Contest.POINTS,
        length=match.length,
        crawford=match.crawford_rule,
        jacoby=match.jacoby,
        beavers=match.beavers,
        dice=DiceSource.TYPED,
    )


def _start(match: model.Match) -> str | None:
    """The position in which the first game was set up, before anything else happened in it."""
    first = match.games[0].events[:1] if match.games else ()
    for event in first:
        if isinstance(event, model.SetPositionEvent):
            if event.position.startswith("XGID=") and event.position.split(":")[1:3] != ["0", "0"]:
                raise _UnplayableError  # the header has no place for a turned cube
            return event.after.id
    return None


class _Player:
    """A session into which the events of a match are played."""

    def __init__(self, match: model.Match) -> None:
        self.match = match
        self.header = Header(
            _card(match), "imported", dict(match.players), start=_start(match), tags=match.tags
        )
        self.state: Session = self.header.session()
        self.events: list[Event] = []

    def record(self) -> Record:
        """The record of the whole match; _UnplayableError if it cannot be played again."""
        for number, game in enumerate(self.match.games, start=1):
            if game.number != number or game.unknown:
                raise _UnplayableError
            score = self.state.score
            if (score.white, score.black) != (game.white, game.black):
                raise _UnplayableError
            self._game(game)
        return Record(self.header, tuple(self.events))

    def _do(self, actor: Side | str, action: act.Action) -> None:
        try:
            self.state, _, event = apply(self.state, actor, action, self.state.at)
        except Refused:
            raise _UnplayableError from None
        self.events.append(event)

    @property
    def _has_moved(self) -> bool:
        return any(not isinstance(event.action, ReadyAction) for event in self.events)

    def _game(self, game: model.RecordedGame) -> None:
        if self.state.phase is not Phase.READY:
            raise _UnplayableError
        for side in self.state.to_act:
            self._do(side, ReadyAction())
        if self.state.score.crawford != game.crawford:
            raise _UnplayableError
        count = len(self.state.games)
        for event, following in zip_longest(game.events, game.events[1:]):
            # A record says of a roll that was not played only where a resignation follows.
            unplayed = isinstance(event, model.PlayEvent) and event.play is None
            if unplayed and not isinstance(following, model.ResignEvent):
                raise _UnplayableError
            if isinstance(event, model.SetPositionEvent) and event is not game.events[0]:
                raise _UnplayableError
            self._event(event)
        if game.result is None:
            if len(self.state.games) != count:
                raise _UnplayableError
            return
        if len(self.state.games) != count + 1:
            raise _UnplayableError
        done = self.state.games[-1]
        if (done.result.winner, done.points) != (game.result.winner, game.result.points):
            raise _UnplayableError

    def _event(self, event: model.Event) -> None:
        match event:
            case model.PlayEvent():
                self._play(event)
            case model.DoubleEvent():
                self._settled(event.before)
                self._do(event.side, DoubleAction())
            case model.TakeEvent():
                self._do(event.side, TakeAction())
            case model.DropEvent():
                self._do(event.side, DropAction())
            case model.BeaverEvent():
                self._do(event.side, BeaverAction())
            case model.ResignEvent():
                self._resign(event)
            case model.SetPositionEvent():
                # The first game is set up by the header, and nothing has happened in it.
                if (self.state.position, self.state.game_no) != (event.after, 1) or self._has_moved:
                    raise _UnplayableError
            case model.ResultEvent():
                return
            case _:
                raise _UnplayableError

    def _settled(self, before: Position) -> None:
        """Before a double: the game has begun, and its first throw is this side's to make."""
        if self.state.phase is Phase.OPENING:
            self._open(before.turn, None)
        if self.state.position != before:
            raise _UnplayableError

    def _open(self, starter: Side, dice: tuple[int, int] | None) -> None:
        """The draw for the first move; its dice are the first roll where the rules say so."""
        high, low = dice if dice is not None and dice[0] != dice[1] else (6, 1)
        for white, black in ((high, low), (low, high)):
            draw = self.state.card.rules.opening(white, black)
            if draw.starter is starter:
                if isinstance(draw.dice, Roll) and dice is not None and set(dice) != {white, black}:
                    continue
                self._do("white", DiceAction(white, black))
                return
        raise _UnplayableError

    def _play(self, event: model.PlayEvent) -> None:
        if not event.legal:
            raise _UnplayableError
        state = self.state
        for _ in range(_MOST_STEPS):
            state = self.state
            if state.phase is Phase.OPENING:
                self._open(event.side, event.dice)
            elif state.phase is Phase.ROLL and state.on_roll is not event.side and state.passes_unthrown:
                self._do(event.side.other, ConfirmAction())
            elif state.phase is Phase.ROLL:
                self._do(event.side, RollAction())
            elif state.phase is Phase.THROWING:
                self._do(event.side, DiceAction(*event.dice))
            elif state.phase is Phase.CHOOSE:
                self._do(event.side, ChooseAction(event.dice[0]))
            else:
                break
        state = self.state
        if state.phase is not Phase.MOVE or state.turn is None or state.position != event.before:
            raise _UnplayableError
        if sorted(state.turn.dice) != sorted(event.dice):
            raise _UnplayableError
        if event.tried is not None:
            self._do(event.side, PlayAction(event.tried))
            self._do(SERVER, RetryAction(event.side.value))
        if event.play is not None:
            self._do(event.side, PlayAction(event.play or "pass"))

    def _resign(self, event: model.ResignEvent) -> None:
        state = self.state
        if state.position is None:
            raise _UnplayableError
        for kind in state.position.variant.resignations(state.position, event.side):
            before = self.state, list(self.events)
            try:
                self._do(event.side, ResignAction(kind))
                self._do(event.side.other, AcceptAction())
            except _UnplayableError:
                self.state, self.events = before
                continue
            if self.state.games and self.state.games[-1].points == event.points:
                return
            self.state, self.events = before
        raise _UnplayableError


__all__ = ["format_record"]
