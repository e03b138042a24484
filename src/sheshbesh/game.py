"""A game that is played step by step from Python: rolls, plays, cube, undo, record.

It decides nothing itself: every step is an action of `sheshbesh.session`, by the laws of a card.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from itertools import islice, takewhile
from secrets import token_hex

from msgspec import structs

from sheshbesh.errors import DiceError, MatchError, RecordError, SheshbeshError, VariantError
from sheshbesh.i18n import Text
from sheshbesh.match.card import Card, Contest, DiceSource
from sheshbesh.match.state import MatchState
from sheshbesh.match.timing import ClockSettings
from sheshbesh.notebook import PICTURE_WIDTH
from sheshbesh.pictures import Look, scene_of, svg
from sheshbesh.records import Match, PlayEvent, format_match, read_match
from sheshbesh.records.own_read import read_record
from sheshbesh.rules import GameResult, Play, Position, Refused, Roll, Side, Variant, variant, variants
from sheshbesh.session import (
    AcceptAction,
    Action,
    BeaverAction,
    ChooseAction,
    DiceAction,
    DoubleAction,
    DropAction,
    Event,
    Header,
    Phase,
    PlayAction,
    ReadyAction,
    Record,
    RecordFile,
    ResignAction,
    RollAction,
    Session,
    TakeAction,
    apply,
)
from sheshbesh.session.refusals import not_now

Throw = tuple[int, int]
"""Two dice, 1 to 6 each."""

_MOST_THROWS = 10_000
"""The number of throws taken from those that are given: they may come without end."""


class Game:
    """A game in progress, or a whole match of them.

    Parameters
    ----------
    game : str, Variant, Card or Position
        The name of a game or the game itself, for money and without Jacoby's rule unless there is a
        `length`; a card, for a match by its agreements; or a position to go on from.
    length : int, optional
        The points to which a match is played, where `game` is no card.
    seed : int or str, optional
        What the dice follow from, 1 to 64 bytes as text. The same seed gives the same dice; without one they
        differ every time. The record has the seed.
    dice : iterable of (int, int), optional
        The throws to use instead, in their order, at most 10,000 of them. In the draw for the first move a
        pair is White's die and Black's. The record says that they were typed in.
    white, black : str
        The names of the players.
    **options
        Options of the game, where it is given by its name.

    Raises
    ------
    VariantError
        The game or an option is unknown, or the game comes from a file of one's own: a card names a shipped
        one.
    MatchError
        The position is the end of a game, the seed is too long, the length cannot be, or there are both a
        seed and dice.
    TypeError
        There are options beside a card, a position or a `Variant`, which have their own, or a length beside
        a card.

    Notes
    -----
    Every method that changes the game raises `Refused` where the rules or the agreements forbid it, with the
    rule, its source and a sentence, and then changes nothing. A clock on the card is left aside.

    Examples
    --------
    >>> import random
    >>> import sheshbesh as sb
    >>> chance = random.Random(7)
    >>> game = sb.Game("tavla", seed=7)
    >>> while game.result is None:
    ...     _ = game.roll()
    ...     game.play(chance.choice(game.legal))
    >>> game.result.kind in ("single", "gammon")
    True
    """

    def __init__(
        self,
        game: str | Variant | Card | Position = "backgammon",
        *,
        length: int | None = None,
        seed: int | str | None = None,
        dice: Iterable[Throw] | None = None,
        white: str = "",
        black: str = "",
        **options: object,
    ) -> None:
        if dice is None:
            source, seed = DiceSource.SEEDED, token_hex(8) if seed is None else str(seed)
        elif seed is None:
            source = DiceSource.TYPED
        else:
            raise MatchError(Text("the dice of a game are given, or follow from a seed, not both"))
        card = replace(_card(game, length, options), dice=source, clock=ClockSettings())
        start = game.id if isinstance(game, Position) else None
        self._follow(Record(Header(card, "local", {"white": white, "black": black}, seed, start=start)))
        self._dice = None if dice is None else [Roll(*throw) for throw in islice(dice, _MOST_THROWS)]
        self._random = random.Random(seed)
        self._begin()

    @classmethod
    def from_record(
        cls, record: Record | Match | str | os.PathLike[str], *, seed: int | str | None = None
    ) -> Game:
        """Go on with a match that was recorded.

        Parameters
        ----------
        record : Record, Match, str or path
            A record, a match that was read, or the path of a file of any kind that `read_match` reads.
        seed : int or str, optional
            What further dice are drawn from; without one they follow from the seed of the record, where it
            has one.

        Returns
        -------
        Game
            The match after the last event of the record, whose steps can be undone.

        Raises
        ------
        RecordError
            The file cannot be read, or the rules cannot play it again: a play that is against them, or is
            unknown, stands in it.
        """
        game, own = cls.__new__(cls), _own(record)
        try:
            game._follow(own)
        except SheshbeshError:
            own.replay()  # names the event that does not hold
            raise
        game._random = random.Random(game._header.seed if seed is None else seed)
        game._dice = None
        if seed is not None:
            try:
                game._lay_down()
            except SheshbeshError:
                raise RecordError(_NO_REPLAY) from None
        return game

    def _follow(self, record: Record) -> None:
        self._header = record.header
        self._events: list[Event] = []
        self._past: list[Session] = [record.header.session()]
        for event in record.events:
            self._past.append(record.header.follow(self._state, event).state)
            self._events.append(event)

    @property
    def _state(self) -> Session:
        return self._past[-1]

    def _do(self, actor: Side | str, action: Action) -> None:
        state, _, event = apply(self._state, actor, action, self._state.at)
        self._past.append(state)
        self._events.append(event)

    def _begin(self) -> None:
        for side in self._state.to_act:
            self._do(side, ReadyAction())

    # What is on the table

    @property
    def position(self) -> Position:
        """The board with the side on roll; before the draw for the first move, with White on roll."""
        return self._state.position or self.card.rules.start()

    @property
    def turn(self) -> Side | None:
        """The side whose decision it is: to throw, to play, or to answer a double.

        None before the first throw, and after the end of the game.
        """
        waits = self._state.to_act
        return waits[0] if self._is_played and self._state.phase is not Phase.OPENING else None

    @property
    def dice(self) -> Roll | None:
        """The dice that lie on the board to be played, None where they are to be thrown."""
        return self._state.dice

    @property
    def legal(self) -> Sequence[Play]:
        """The legal plays of the dice on the board, empty where there are none to be played.

        Where a throw has earned a double of one's choice (acey-deucey), those of all six.
        """
        state = self._state
        if state.phase is Phase.CHOOSE:
            return self.position.legal_plays()
        return () if state.turn is None else state.turn.plays()

    @property
    def result(self) -> GameResult | None:
        """The result of the game that has just ended, with its points before the cube.

        None while it is played.
        """
        return None if self._is_played else self._state.games[-1].result

    @property
    def match(self) -> MatchState:
        """The score and the cube."""
        return self._state.score

    @property
    def card(self) -> Card:
        """The agreements of the table."""
        return self._header.card

    @property
    def is_over(self) -> bool:
        """True once the match has ended; money play never does."""
        return self._state.is_over

    @property
    def _is_played(self) -> bool:
        return self._state.phase not in (Phase.READY, Phase.OVER)

    def __iter__(self) -> Iterator[PlayEvent]:
        """The turns of the present game: side, dice, play, and the positions before and after."""
        events = self.to_match().games[-1].events
        return (event for event in events if isinstance(event, PlayEvent))

    # Steps

    def roll(self, first: int | None = None, second: int | None = None) -> Roll | None:
        """Throw the dice, or lay down those that were thrown.

        Parameters
        ----------
        first, second : int, optional
            Dice that were thrown elsewhere, 1 to 6; in the draw for the first move White's and Black's. From
            then on no dice follow from the seed, and the record says of all that they were typed in.

        Returns
        -------
        Roll or None
            The dice to be played. Without arguments also those that lie there already: after a draw whose
            dice are the first throw, or as the rest of a chain. None where a double is to be named by the
            play; and, with arguments, after a draw that is a tie or leaves the dice to the starter.

        Raises
        ------
        DiceError
            Only one die is given, or one is not 1 to 6; the dice given at the beginning are used up.
        Refused
            The game is over, a double waits for its answer, or dice are given where others lie.
        """
        if first is None or second is None:
            if first is not second:
                raise DiceError(Text("a throw has two dice"))
            while self.dice is None and self._state.phase is not Phase.CHOOSE:
                self._throw(None)
        else:
            throw, before = Roll(first, second), (self._header, self._events, self._past)
            try:
                self._lay_down()
                self._throw(throw)
            except SheshbeshError:
                self._header, self._events, self._past = before
                raise
        return self.dice

    def _throw(self, throw: Roll | None) -> None:
        """Throw once, in the draw or in a turn; nothing has happened where it is refused."""
        if self._header.seed is not None:
            self._do(self._thrower, RollAction())
            return
        before = len(self._events)
        if self._state.phase is not Phase.OPENING:
            self._do(self._thrower, RollAction())
        try:
            dice = throw or self._next_throw()
            self._do(self._thrower, DiceAction(*dice))
        except (Refused, DiceError):
            self._cut(before)
            raise

    @property
    def _thrower(self) -> Side:
        return self._state.on_roll or Side.WHITE

    def _lay_down(self) -> None:
        """Give up the seed, if there is one: the same steps with dice that are laid down."""
        if self._header.seed is None:
            return
        card, events = replace(self.card, dice=DiceSource.TYPED), self._events
        self._follow(Record(replace(self._header, card=card, seed=None)))
        for event in events:
            actions = [event.action]
            if isinstance(event.action, RollAction):
                laid = DiceAction(*event.then["dice"])
                actions = [laid] if self._state.phase is Phase.OPENING else [event.action, laid]
            for action in actions:
                state, _, made = apply(self._state, event.actor, action, event.at, lag=event.lag)
                self._past.append(state)
                self._events.append(structs.replace(made, guessed=event.guessed))

    def _next_throw(self) -> Roll:
        if self._dice is None:
            return Roll(self._random.randint(1, 6), self._random.randint(1, 6))
        if not self._dice:
            raise DiceError(Text("the dice that were given are used up"))
        return self._dice.pop(0)

    def play(self, play: Play | str) -> None:
        """Make a whole play.

        Parameters
        ----------
        play : Play or str
            One of `legal`, or its notation, such as "8/5 6/5" or "pass". Where a double is to be named a text
            does not say which: give a Play.

        Raises
        ------
        NotationError
            The text is no play.
        Refused
            The play is against the rules of the game, or no dice lie on the board.
        """
        before, mover = len(self._events), self.position.turn
        try:
            if isinstance(play, Play) and self._state.phase is Phase.CHOOSE:
                self._do(mover, ChooseAction(play.dice.first))
            self._do(mover, PlayAction(play.notation if isinstance(play, Play) else play))
        except Refused:
            self._cut(before)
            raise

    def undo(self) -> None:
        """Take back the last step: a throw, a play, or an action of the cube; as often as there are any.

        Where dice follow from a seed, those that were taken back are thrown again; else the next throw is
        another. Refused where nothing has happened since the beginning.
        """
        events = self._events
        first = sum(1 for _ in takewhile(lambda event: isinstance(event.action, ReadyAction), events))
        kept = len(events) - 1
        if kept < first:
            raise Refused.of("turn.nothing_done")
        while kept > first and _is_one_step(events[kept - 1].action, events[kept].action):
            kept -= 1
        self._cut(kept)

    def _cut(self, kept: int) -> None:
        del self._events[kept:]
        del self._past[kept + 1 :]

    def double(self) -> None:
        """Offer to double the stake, for the side on roll. Refused by the laws of the cube."""
        self._do(self.position.turn, DoubleAction())

    def take(self) -> None:
        """Accept the double, or the beaver, that is offered. Refused where none is."""
        self._do(self._asked, TakeAction())

    def drop(self) -> None:
        """Give the game up instead, at the stake before the offer. Refused where none is made."""
        self._do(self._asked, DropAction())

    def beaver(self) -> None:
        """Turn the cube on and keep it, in money play with beavers; against a beaver, a raccoon."""
        self._do(self._asked, BeaverAction())

    def resign(self, kind: str = "single", *, side: Side | str | None = None) -> None:
        """Give the game up at a class of loss, which the opponent accepts.

        Parameters
        ----------
        kind : str
            A class of result of this game: "single", "gammon" ...
        side : Side or str, optional
            Who resigns; by default the side whose turn it is.

        Raises
        ------
        Refused
            The position excludes the class, or no game is played.
        """
        before, loser = len(self._events), Side.of(side) if side is not None else self._asked
        try:
            self._do(loser, ResignAction(kind))
            self._do(loser.other, AcceptAction())
        except Refused:
            self._cut(before)
            raise

    def next_game(self) -> None:
        """Begin the next game of the match. Refused while one is played and after the match."""
        if self._is_played or self.is_over:
            raise Refused.of("match.over") if self.is_over else not_now(self._state.phase)
        self._begin()

    @property
    def _asked(self) -> Side:
        return self.turn or self.position.turn

    # Records

    def to_record(self) -> Record:
        """Return the record, to be replayed and verified anywhere.

        Returns
        -------
        Record
            The card and every step.
        """
        return Record(self._header, tuple(self._events))

    def to_match(self) -> Match:
        """Return the match in the form of a match file, for `write_match` and reviews.

        Returns
        -------
        Match
            The match, its games up to the last step.
        """
        return read_record(self.to_record().to_text())

    def copy(self) -> Game:
        """Return a game that goes on by itself from here; the same dice come in both.

        Returns
        -------
        Game
            The copy.
        """
        return deepcopy(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and other.to_record() == self.to_record()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Game {self.card.code} {self.position.id} {self.match.white}-{self.match.black}>"

    def __str__(self) -> str:
        return str(self.position)

    def _repr_svg_(self) -> str:
        """The board with the dice and the cube, as a notebook shows it."""
        scene = scene_of(self.position, self.card, self.match, self.dice)
        return svg(scene, Look(width=PICTURE_WIDTH))


def _is_one_step(before: Action, after: Action) -> bool:
    """Whether an action has no effect of its own, but that of the one after it."""
    follower = _FOLLOWERS.get(type(before))
    return follower is not None and isinstance(after, follower)


_FOLLOWERS: Mapping[type[Action], type[Action]] = {
    ReadyAction: ReadyAction,
    RollAction: DiceAction,
    ChooseAction: PlayAction,
    ResignAction: AcceptAction,
}


_NO_REPLAY = Text("this match cannot be played again from its first throw")


def _own(record: Record | Match | str | os.PathLike[str]) -> Record:
    """The record of a match whose dice need nobody's chains: as it is, or made of what a match file tells."""
    found = record if isinstance(record, (Record, Match)) else _written(record) or read_match(record)
    if isinstance(found, Record):
        if found.header.card.dice in (DiceSource.TYPED, DiceSource.SEEDED):
            return found
        found = read_record(found.to_text())
    try:
        return Record.from_text(format_match(found, "record").decode())
    except RecordError:
        raise RecordError(_NO_REPLAY) from None


def _written(file: str | os.PathLike[str]) -> Record | None:
    """The record in a file, if it is one: it has the draws, which a match does not tell."""
    with suppress(RecordError):
        return RecordFile(file).load()
    return None


def _card(game: str | Variant | Card | Position, length: int | None, options: Mapping[str, object]) -> Card:
    """The agreements by which a game is played."""
    if options and not isinstance(game, str):
        raise TypeError(f"options go with the name of a game, not with a {type(game).__name__}")
    if isinstance(game, Card):
        if length is not None:
            raise TypeError("a card says how long the match is, so there is no length beside it")
        return game
    rules = game.variant if isinstance(game, Position) else game
    if isinstance(rules, str):
        rules = variant(rules, **options)
    if rules.name in variants():
        money = length is None
        contest = Contest.MONEY if money else Contest.POINTS
        card = Card(game=rules.name, options=rules.options, contest=contest, length=length, jacoby=not money)
        if card.rules == rules:
            return card
    raise VariantError(Text("a card names a game of the program, and {game} is not one", game=rules.name))
