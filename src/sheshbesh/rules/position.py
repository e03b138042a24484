"""A position of one game: immutable, hashable, and the place to ask what is legal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from sheshbesh import _core
from sheshbesh.errors import DiceError, IllegalPlayError, NotationError
from sheshbesh.i18n import Text
from sheshbesh.rules import drawing, notation, reading
from sheshbesh.rules.pending import Pending
from sheshbesh.rules.play import Play, Plays, Stage, Step
from sheshbesh.rules.refusal import Refusal
from sheshbesh.rules.roll import Roll
from sheshbesh.rules.setup import write_board
from sheshbesh.rules.side import GameResult, Side

if TYPE_CHECKING:
    from sheshbesh.rules.variant import Variant

StepLike: TypeAlias = Step | str | tuple[int, int]
"""A step as an object, as text such as "6/4", or as (origin, target) with 26 bar, 25 hand, 0 off."""


class Position:
    """Everything the rules can ask about: board, side on roll, pins and a small history.

    Positions are immutable; they come from `Variant.start`, `Variant.position`, `Variant.position_from_id`
    and `Play.result`. Two are equal when nothing the rules could ask differs; those of different rule sets
    never are.

    Modules of this package may read `_core`, the position in the core (it goes with `Variant._core`), and
    call `_with_core`.

    Parameters
    ----------
    variant : Variant
        The rule set.
    state : _core.State
        The position in the core.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> position = sb.variant("tavla").start()
    >>> position.turn == "white", position.pips("black"), len(position.legal_plays((6, 5)))
    (True, 167, 7)
    """

    __slots__ = ("_core", "_id", "_rules", "_variant")

    def __init__(self, variant: Variant, state: _core.State) -> None:
        self._variant = variant
        self._rules = variant._core
        self._core = state
        self._id: str | None = None

    def _with_core(self, state: _core.State) -> Position:
        """The position of the same game that the core describes by `state`."""
        return Position(self._variant, state)

    @property
    def variant(self) -> Variant:
        """The game this is a position of."""
        return self._variant

    @property
    def turn(self) -> Side:
        """The side on roll; after the end of a game, the side whose turn it would be."""
        return Side.BLACK if self._core.black_on_roll else Side.WHITE

    @property
    def pending(self) -> Pending | None:
        """The element owed before the next throw, or None."""
        return Pending.from_core(self._core.pending, self.turn)

    @property
    def result(self) -> GameResult | None:
        """The result of the game, read from the position alone; None while it goes on."""
        return GameResult.from_core(_core.result(self._rules, self._core), self.turn)

    @property
    def is_first_turn(self) -> bool:
        """True if the side on roll has not finished a turn, in the games that ask it."""
        return self._rules.turns_remembered > 0 and self._core.turns[0] == 0

    @property
    def id(self) -> str:
        """The text id; `Variant.position_from_id` is the way back. Format: sheshbesh.rules.ids."""
        if self._id is None:
            self._id = _core.write_id(self._rules, self._core)
        return self._id

    def board(self) -> dict[str, object]:
        """Give the checkers as a mapping in White's numbers, as `Variant.position` takes it.

        Returns
        -------
        dict[str, object]
            "white" and "black" map points, as text, to numbers of checkers; "white_bar", "white_off" and
            those of Black are numbers; in games with checkers in hand also "white_hand" and "black_hand"; in
            games with pins "pinned_white" and "pinned_black" list the points where a checker of that side is
            pinned.
        """
        return write_board(self._core, self._variant._geometry)

    def counts(self, side: Side | str) -> tuple[int, ...]:
        """Count the checkers of a side on every place.

        Parameters
        ----------
        side : Side or str
            The side.

        Returns
        -------
        tuple[int, ...]
            27 numbers in the side's own numbering: off, points 1 to 24, hand, bar.
        """
        return tuple(self._core.mine if Side.of(side) is self.turn else self._core.theirs)

    def pinned(self, side: Side | str) -> frozenset[int]:
        """List the points where a checker of a side lies under an enemy.

        Parameters
        ----------
        side : Side or str
            The side.

        Returns
        -------
        frozenset[int]
            The points, in the side's own numbering.
        """
        mine = Side.of(side) is self.turn
        return frozenset(self._core.pinned_mine if mine else self._core.pinned_theirs)

    def pips(self, side: Side | str) -> int:
        """Count the pips that a side still has to go.

        Parameters
        ----------
        side : Side or str
            The side.

        Returns
        -------
        int
            The pips; a checker on the bar or in hand counts 25.
        """
        mine, theirs = self._core.pips()
        return mine if Side.of(side) is self.turn else theirs

    @property
    def has_contact(self) -> bool:
        """True if the two sides can still meet; without contact the game is a race.

        They can while some point that one side stands on or has yet to pass is such a point of the
        other's too. A checker on the bar or in hand has its whole way before it.
        """
        return _core.has_contact(self._rules, self._core)

    @property
    def is_locked(self) -> bool:
        """True where neither side can move, now or later, whatever is thrown: play cannot end such a game."""
        here = self
        for _ in Side:
            if here.result is not None or here.pending is not None:
                return False
            for roll, _ in Roll.all():
                plays = here.legal_plays(roll)
                if len(plays) > 1 or plays[0].steps:
                    return False
            here = here.legal_plays((2, 1))[0].result
        # Where passing is still remembered, as on a first turn, more may be allowed later.
        return here == self

    def mirror(self) -> Position:
        """Return the same position with the colours exchanged: what White had is Black's, the turn too.

        Returns
        -------
        Position
            The position.
        """
        state = self._core
        return self._with_core(
            _core.State(
                mine=state.mine,
                theirs=state.theirs,
                pinned_mine=state.pinned_mine,
                pinned_theirs=state.pinned_theirs,
                black_on_roll=not state.black_on_roll,
                turns=state.turns,
                started=state.started,
                mother_lost=state.mother_lost,
                pending=state.pending,
            )
        )

    # Plays

    def legal_plays(self, dice: Iterable[int] | None = None) -> Sequence[Play]:
        """List the legal plays of a throw, in a fixed order, each distinct final position once.

        Parameters
        ----------
        dice : Iterable[int], optional
            Two numbers 1 to 6. Without them the element that is owed is played (or, where a double is to be
            named, any double).

        Returns
        -------
        Sequence[Play]
            The plays. Where nothing can be played the one play is the pass; a game that is over has none.

        Raises
        ------
        DiceError
            The dice are none, or not those owed.

        Examples
        --------
        >>> import sheshbesh as sb
        >>> [play.notation for play in sb.variant("backgammon").start().legal_plays((3, 1))][:2]
        ['24/23 24/21', '24/20']
        """
        if dice is None or (self._variant.has_chains and self._names_debt(dice)):
            return self._owed_plays()
        try:
            first, second = dice
            if type(first) is bool or type(second) is bool:
                raise TypeError
            plays = _core.legal_plays(self._rules, self._core, first, second)
        except (TypeError, ValueError):
            Roll.of(dice)  # the core checks faster, this says what is wrong
            raise
        if self._variant.has_chains:
            self._check_owed(first, second)
        return Plays(self, plays)

    def _owed_plays(self) -> Sequence[Play]:
        owed = self._core.pending
        if owed.steps:
            return Plays(self, _core.legal_plays(self._rules, self._core, owed.die, owed.second or owed.die))
        if not owed.choose_double:
            raise DiceError(Text("nothing is owed here, dice must be thrown: {id}", id=self.id))
        doubles = (Plays(self, _core.legal_plays(self._rules, self._core, d, d)) for d in range(6, 0, -1))
        return tuple(play for plays in doubles for play in plays)

    def _names_debt(self, dice: Iterable[int]) -> bool:
        """Return True if these are the numbers of the element that is owed, once or as often as owed."""
        owed = self._core.pending
        try:
            return owed.steps > 0 and set(dice) == {owed.die, owed.second or owed.die}
        except TypeError:
            return False

    def _check_owed(self, first: int, second: int) -> None:
        owed = self._core.pending
        if owed.steps and {first, second} != {owed.die, owed.second or owed.die}:
            raise DiceError(
                Text(
                    "{die}-{second} is owed before the next throw: {id}",
                    die=owed.die,
                    second=owed.second or owed.die,
                    id=self.id,
                )
            )
        if owed.choose_double and first != second:
            raise DiceError(
                Text(
                    "a double is to be named, not {first}-{second}: {id}",
                    first=first,
                    second=second,
                    id=self.id,
                )
            )

    def _dice(self, dice: Iterable[int] | None) -> Roll:
        if dice is None or (self._variant.has_chains and self._names_debt(dice)):
            owed = self._core.pending
            if not owed.steps:
                raise DiceError(Text("dice must be given: {id}", id=self.id))
            return Roll(owed.die, owed.second or owed.die)
        roll = Roll.of(dice)
        if self._variant.has_chains:
            self._check_owed(*roll)
        return roll

    def legal_steps(
        self, dice: Iterable[int] | None = None, done: Sequence[StepLike] = ()
    ) -> tuple[Step, ...]:
        """List the steps that can still lead to a legal play, from the highest origin down.

        Parameters
        ----------
        dice : Iterable[int], optional
            Two numbers 1 to 6; without them what is owed is played.
        done : Sequence[StepLike]
            The steps already made.

        Returns
        -------
        tuple[Step, ...]
            The steps; none when `done` is a whole play with nothing left, or cannot become a legal play.

        Raises
        ------
        DiceError
            The dice are none, or not those owed.
        """
        roll = self._dice(dice)
        if self.result is not None:
            return ()
        found: dict[Step, None] = {}
        for pairs in reading.step_pairs(self, roll, done):
            if not reading.is_truly_marked(self, roll, pairs, done):
                continue
            steps = _core.next_steps(self._rules, self._core, *roll, list(pairs))
            found.update(dict.fromkeys(map(Step._make, steps)))
        return tuple(found)

    def stages(self, dice: Iterable[int] | None = None) -> tuple[Stage, ...]:
        """List every stage that a legal play passes through, the first its start.

        A board can follow a player through them without knowing any rule: a step on a stage is one of its
        `onward`, and says which stage comes next. A dance is one stage, whole and without steps.

        Parameters
        ----------
        dice : Iterable[int], optional
            Two numbers 1 to 6; without them what is owed is played.

        Returns
        -------
        tuple[Stage, ...]
            The stages; none when the game is over.

        Raises
        ------
        DiceError
            The dice are none, or not those owed.
        """
        make = Step._make
        return tuple(
            [
                Stage(whole, tuple([(make(step), stage) for step, stage in onward]))
                for whole, onward in self.bare_stages(dice)
            ]
        )

    def bare_stages(
        self, dice: Iterable[int] | None = None
    ) -> Sequence[tuple[bool, Sequence[tuple[tuple[int, int, int, bool], int]]]]:
        """List the stages of the turn as plain tuples, for code that only serialises them.

        Parameters
        ----------
        dice : Iterable[int], optional
            As in `stages`.

        Returns
        -------
        Sequence[tuple[bool, Sequence[tuple[tuple[int, int, int, bool], int]]]]
            (whether the steps so far make a play, ((origin, target, die, takes), next stage) for each step
            that may follow) of each stage.

        Raises
        ------
        DiceError
            The dice are none, or not those owed.
        """
        roll = self._dice(dice)
        if self.result is not None:
            return ()
        return _core.stages(self._rules, self._core, *roll)

    def parse_play(self, text: str, dice: Iterable[int] | None = None) -> Play:
        """Read a play.

        Parameters
        ----------
        text : str
            The play in notation, such as "8/5 6/5".
        dice : Iterable[int], optional
            Two numbers 1 to 6; without them what is owed is played.

        Returns
        -------
        Play
            The play.

        Raises
        ------
        NotationError
            The text cannot be read.
        IllegalPlayError
            It can be read, and the play is not legal; the error has rule, source and sentence.
        DiceError
            The dice are none, or not those owed.
        """
        roll = self._dice(dice)
        found = reading.judge(self, roll, notation.parse_moves(text))
        if isinstance(found, Refusal):
            message = Text(
                "{play} with {dice} is not legal: {why} [{id}]",
                play=repr(text.strip()),
                dice=str(roll),
                why=found.message,
                id=self.id,
            )
            raise IllegalPlayError(found.rule, found.source, found.text, message)
        return found

    def refusal(
        self, play: Play | str | Sequence[StepLike], dice: Iterable[int] | None = None
    ) -> Refusal | None:
        """Say why a play is not legal.

        Parameters
        ----------
        play : Play or str or Sequence[StepLike]
            A play or a text is judged as a whole play; a sequence of steps as the beginning of one, to which
            every continuation by the rules is still open.
        dice : Iterable[int], optional
            Two numbers 1 to 6; without them what is owed is played.

        Returns
        -------
        Refusal or None
            The rule, where it is written, and a sentence; None if the play is legal.

        Raises
        ------
        NotationError
            The text cannot be read.
        DiceError
            The dice are none, or not those owed.

        Examples
        --------
        >>> import sheshbesh as sb
        >>> sb.variant("backgammon").start().refusal("24/18", (5, 4)).rule
        'dice.not_thrown'
        """
        roll = self._dice(dice)
        if isinstance(play, Play):
            if play.position == self and play.dice == roll:
                return None
            play = play.notation
        if isinstance(play, str):
            found = reading.judge(self, roll, notation.parse_moves(play))
            return found if isinstance(found, Refusal) else None
        if not isinstance(play, Sequence):
            raise NotationError(
                Text("a play is a Play, a text or a sequence of steps, not {play}", play=repr(play))
            )
        return reading.judge_steps(self, roll, play)

    def play_of(self, steps: Sequence[StepLike], dice: Iterable[int] | None = None) -> Play | Refusal:
        """Make a whole play of steps.

        Parameters
        ----------
        steps : Sequence[StepLike]
            The steps, in their order.
        dice : Iterable[int], optional
            Two numbers 1 to 6; without them what is owed is played.

        Returns
        -------
        Play or Refusal
            The play, or why the steps make none.

        Raises
        ------
        DiceError
            The dice are none, or not those owed.
        """
        return reading.play_of(self, self._dice(dice), steps)

    # Value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._core == other._core and self._variant.fingerprint == other._variant.fingerprint

    def __hash__(self) -> int:
        return hash(self._core)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _from_id, (self._variant, self.id)

    def __str__(self) -> str:
        return drawing.draw(self, viewpoint=self.turn)

    def _repr_svg_(self, dice: Roll | None = None, steps: Sequence[Step] = ()) -> str:
        """The board as a notebook shows it; a play adds its dice and steps."""
        return drawing.picture(self, dice, steps)

    def __repr__(self) -> str:
        return f"<Position {self._variant.name} {self.id}>"


def _from_id(variant: Variant, text: str) -> Position:
    return variant.position_from_id(text)
