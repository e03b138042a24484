"""The meaning of a probability and an equity, of a position and of a play: their one definition.

A game of the family ends in one of a few classes: won or lost, each plainly or for more, or tied.
Which there are and what they pay is read from the scoring axes of the rule set. A net, a database,
a search and a rollout all give the probability of each class; everything else is derived from that.

**Point of view.** Always the side on roll, before it rolls; in a `Candidate` the player who makes
the play. **Points** are those of the rule set, before any cube. **Equity** is what the classes are
worth on average: in points of the money game, cube 1, without Jacoby's rule, unless a match state
was given; then as `sheshbesh.engines.utility` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from math import fsum, sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, cast, overload

from sheshbesh import _core
from sheshbesh.notebook import brief, brief_list, frame, html_table
from sheshbesh.rules import GameResult, Play, Position, Variant, as_variant
from sheshbesh.rules.side import KINDS

if TYPE_CHECKING:
    from pandas import DataFrame

Ending = Literal["win", "lose", "tie"]

_V = TypeVar("_V", covariant=True)
_D = TypeVar("_D")

_PLAIN, _SECOND, _THIRD = 1, 2, 3


class ResultClass(NamedTuple):
    """One way a game can end; equal to the plain tuple, so `outcome.classes["win", "gammon", 2]` finds it.

    Parameters
    ----------
    ending : Ending
        "win", "lose" or "tie", for the side on roll.
    kind : str
        The kind, such as "single" or "gammon".
    points : int
        The points, before any cube.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.ResultClass("lose", "gammon", 2).gain
    -2
    """

    ending: Ending
    kind: str
    points: int

    @property
    def gain(self) -> int:
        """The points as the side on roll counts them: those lost are negative."""
        return -self.points if self.ending == "lose" else self.points

    def __str__(self) -> str:
        if self.ending == "tie":
            return "tie"
        counted = f" {self.points}" if self.kind in ("count", "difference") else ""
        return f"{self.ending} {self.kind.replace('_', ' ')}{counted}"


class ByClass(Mapping[ResultClass, _V]):
    """One value for every class of a rule set; a class may be given as a plain tuple. Read-only."""

    __slots__ = ("_values",)

    def __init__(self, classes: Iterable[ResultClass], values: Iterable[_V]) -> None:
        self._values: dict[tuple[Ending, str, int], _V] = dict(zip(classes, values, strict=True))

    def __getitem__(self, key: tuple[Ending, str, int]) -> _V:
        return self._values[key]

    @overload
    def get(self, key: tuple[Ending, str, int], /) -> _V | None: ...
    @overload
    def get(self, key: tuple[Ending, str, int], /, default: _V | _D) -> _V | _D: ...
    def get(self, key: tuple[Ending, str, int], /, default: object = None) -> object:
        """Return what belongs to a class, the default where the game has no such class."""
        return self._values.get(key, default)

    def __iter__(self) -> Iterator[ResultClass]:
        return cast("Iterator[ResultClass]", iter(self._values))

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        values = ", ".join(f"{ResultClass(*each)} {value}" for each, value in self._values.items())
        return brief("ByClass", values)


@dataclass(frozen=True)
class Classes:
    """The classes of result of a rule set in the order of the core: wins, the same as losses, then the tie.

    Parameters
    ----------
    wins : tuple[tuple[str, int], ...]
        (kind, points) of each win, cheapest first.
    has_tie : bool
        Whether a game can end without a winner.
    counted : bool
        Whether a win pays a point for each checker left, so that there are no gammons.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> [str(each) for each in sb.Classes.of("tavla").all]
    ['win single', 'win gammon', 'lose single', 'lose gammon']
    """

    wins: tuple[tuple[str, int], ...]
    has_tie: bool
    counted: bool = False
    """True if a win pays a point for each checker left, so that there are no gammons."""

    @classmethod
    def of(cls, variant: Variant | str) -> Classes:
        """Return the classes of a game.

        Parameters
        ----------
        variant : Variant or str
            The game, or its name.

        Returns
        -------
        Classes
            Its classes.

        Raises
        ------
        VariantError
            The game is unknown.
        """
        return _classes(as_variant(variant))

    @cached_property
    def all(self) -> tuple[ResultClass, ...]:
        """Every class in order, seen by the side on roll."""
        wins = tuple(ResultClass("win", *each) for each in self.wins)
        losses = tuple(ResultClass("lose", *each) for each in self.wins)
        return (*wins, *losses, *((ResultClass("tie", "tie", 0),) if self.has_tie else ()))

    @cached_property
    def money(self) -> tuple[float, ...]:
        """The points that each class pays in the money game, cube 1, without Jacoby's rule."""
        return tuple(float(each.gain) for each in self.all)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The height of each class: 1 plain, 2 a gammon, 3 the third class, 0 the tie."""
        return tuple(self.level(each) for each in self.all)

    def level(self, result: ResultClass) -> int:
        """Say how high a class stands.

        The third class is the backgammon, or the home mars or koks of the games that have these. A mother or
        a closed area stands where its points put it; where checkers left are counted, every win is plain.

        Parameters
        ----------
        result : ResultClass
            The class.

        Returns
        -------
        int
            1 for a plain win or loss, 2 for a gammon, 3 for the third class, 0 for the tie.
        """
        if result.ending == "tie":
            return 0
        return _core.class_height(KINDS.index(result.kind), result.points, self.counted)

    def flipped(self, values: Sequence[float]) -> tuple[float, ...]:
        """Turn values of all classes to the view of the other side.

        Parameters
        ----------
        values : Sequence[float]
            One value for each class, in the order of `all`.

        Returns
        -------
        tuple[float, ...]
            The same values in the order in which the other side has the classes.
        """
        half = len(self.wins)
        return (*values[half : 2 * half], *values[:half], *values[2 * half :])

    def index(self, result: GameResult, *, own: bool) -> int:
        """Find the place of a finished game's class in `all`.

        Parameters
        ----------
        result : GameResult
            How the game ended.
        own : bool
            Whether the side on roll has won, if anyone has.

        Returns
        -------
        int
            The place, from 0.

        Raises
        ------
        ValueError
            The game cannot end like that.
        """
        if result.winner is None and self.has_tie:
            return len(self) - 1
        if result.winner is None or (result.kind, result.points) not in self.wins:
            raise ValueError(f"this game does not end like that: {result}")
        return self.wins.index((result.kind, result.points)) + (0 if own else len(self.wins))

    def __len__(self) -> int:
        return len(self.all)


@cache
def _classes(variant: Variant) -> Classes:
    wins, has_tie = _core.class_table(variant._core)
    counted = variant.axes["score"]["left"] != "off"
    return Classes(tuple((KINDS[kind], points) for kind, points in wins), has_tie, counted)


@dataclass(frozen=True)
class Outcome:
    """The end of a game, as far as it is known: a probability for each class of its rule set.

    Everything is seen by the side on roll. The cumulative views nest: `win` counts every win, `win_gammon`
    those that pay a gammon or more, `win_backgammon` those of the third class (see `Classes.level`); the same
    for the losses.

    Parameters
    ----------
    table : Classes
        The classes.
    probabilities : tuple[float, ...]
        One for each class, in the order of `table.all`; they sum to 1.
    equity : float
        Their value: cubeless points of the money game, or of the match state that was asked with.
    approximate : bool
        Whether a net of another rule set gave them.
    values : tuple[float, ...] or None
        What the classes were weighed with, in the same order; None for points of the money game.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> outcome = sb.engine("backgammon").evaluate(sb.variant("backgammon").start())
    >>> 0.5 < outcome.win < 0.55, 0.1 < outcome.classes["win", "gammon", 2] < 0.2
    (True, True)
    """

    table: Classes
    probabilities: tuple[float, ...]
    equity: float
    approximate: bool = False
    values: tuple[float, ...] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def weigh(
        cls,
        table: Classes,
        probabilities: Sequence[float],
        values: Sequence[float] | None = None,
        *,
        approximate: bool = False,
    ) -> Outcome:
        """Weigh probabilities with the values of the classes.

        Single precision probabilities may sum to a little more than 1; at a score, where a class can mean the
        match, the equity is never beyond the values for that.

        Parameters
        ----------
        table : Classes
            The classes.
        probabilities : Sequence[float]
            One for each class.
        values : Sequence[float], optional
            The value of each class; points of the money game without them.
        approximate : bool
            Whether a net of another rule set gave them.

        Returns
        -------
        Outcome
            The outcome with the equity that follows.
        """
        paid = tuple(table.money if values is None else values)
        equity = fsum(p * value for p, value in zip(probabilities, paid, strict=True))
        if paid != table.money:
            equity = min(max(equity, min(paid)), max(paid))
        return cls(table, tuple(probabilities), equity, approximate, paid)

    @classmethod
    def certain(
        cls, position: Position, result: GameResult, values: Sequence[float] | None = None
    ) -> Outcome:
        """Return the outcome of a game that is over.

        Parameters
        ----------
        position : Position
            The end of the game.
        result : GameResult
            How it ended.
        values : Sequence[float], optional
            The value of each class; points of the money game without them.

        Returns
        -------
        Outcome
            The outcome, for the side on roll in `position`.
        """
        table = Classes.of(position.variant)
        at = table.index(result, own=result.winner is position.turn)
        return cls.weigh(table, [float(i == at) for i in range(len(table))], values)

    def __getstate__(self) -> dict[str, object]:
        # What was worked out from the fields stays behind: read-only mappings do not travel.
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @cached_property
    def classes(self) -> ByClass[float]:
        """The probability of every class for both sides, the tie included if the rules know one."""
        return ByClass(self.table.all, self.probabilities)

    @property
    def win(self) -> float:
        """The probability that the side on roll wins."""
        return self._at_least("win", _PLAIN)

    @property
    def win_gammon(self) -> float:
        """The probability to win a gammon or more; 0 where checkers left are counted."""
        return self._at_least("win", _SECOND)

    @property
    def win_backgammon(self) -> float:
        """The probability to win by the third class: backgammon, home mars or koks."""
        return self._at_least("win", _THIRD)

    @property
    def lose(self) -> float:
        """The probability that the side on roll loses."""
        return self._at_least("lose", _PLAIN)

    @property
    def lose_gammon(self) -> float:
        """The probability to lose a gammon or more."""
        return self._at_least("lose", _SECOND)

    @property
    def lose_backgammon(self) -> float:
        """The probability to lose by the third class."""
        return self._at_least("lose", _THIRD)

    @property
    def tie(self) -> float:
        """The probability of a tie; 0 in games that know none."""
        return self.probabilities[-1] if self.table.has_tie else 0.0

    @property
    def points(self) -> float:
        """The points the side on roll wins on average: cube 1, no match, every class at its full points."""
        return fsum(p * gain for p, gain in zip(self.probabilities, self.table.money, strict=True))

    @property
    def class_values(self) -> tuple[float, ...]:
        """The value of each class to the side on roll; the equity is their mean."""
        return self.table.money if self.values is None else self.values

    @property
    def beyond(self) -> tuple[float, float]:
        """The equity that wins beyond a plain one add, and that of such losses: as a rule 0 or less."""
        values, half = self.class_values, len(self.table.wins)
        mine, theirs = slice(half), slice(half, 2 * half)
        return (
            _beyond(self.probabilities[mine], values[mine]),
            _beyond(self.probabilities[theirs], values[theirs]),
        )

    @property
    def deviation(self) -> float:
        """The standard deviation of what the game brings, in equity: how much is still at height."""
        mean = fsum(p * value for p, value in zip(self.probabilities, self.class_values, strict=True))
        spread = zip(self.probabilities, self.class_values, strict=True)
        return sqrt(fsum(p * (value - mean) ** 2 for p, value in spread))

    def flipped(self) -> Outcome:
        """Return the same outcome as the other side sees it.

        Returns
        -------
        Outcome
            The outcome; what one side gains in equity, the other loses.
        """
        probabilities = self.table.flipped(self.probabilities)
        values = None if self.values is None else tuple(-v for v in self.table.flipped(self.values))
        return Outcome(self.table, probabilities, -self.equity, self.approximate, values)

    def _at_least(self, ending: Ending, level: int) -> float:
        rows = zip(self.table.all, self.table.levels, self.probabilities, strict=True)
        # The sum of floats may end an ulp above 1.
        return min(fsum(p for each, height, p in rows if each.ending == ending and height >= level), 1.0)

    def __str__(self) -> str:
        wins = f"{self.win:.3f} {self.win_gammon:.3f} {self.win_backgammon:.3f}"
        losses = f"{self.lose:.3f} {self.lose_gammon:.3f} {self.lose_backgammon:.3f}"
        tie = f" = {self.tie:.3f}" if self.table.has_tie else ""
        return f"{wins} - {losses}{tie} ({self.equity:+.3f})"

    def __repr__(self) -> str:
        return brief("Outcome", self)

    def _repr_html_(self) -> str:
        """The probability of each class with what it is worth, and the equity, as a notebook shows them."""
        rows = zip(self.table.all, self.probabilities, self.class_values, strict=True)
        return html_table(
            f"equity {self.equity:+.3f}",
            ("", "probability", "value"),
            [(str(each), f"{share:.1%}", f"{value:+.3f}") for each, share, value in rows],
        )


def _beyond(probabilities: Sequence[float], values: Sequence[float]) -> float:
    """The mean that ways to win, or to lose, pay beyond the plain one, which comes first."""
    return fsum(p * (value - values[0]) for p, value in zip(probabilities, values, strict=True))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal play with its equity for the player who makes it.

    Parameters
    ----------
    play : Play
        The play.
    outcome : Outcome
        How the game will end, for the mover, as if they were on roll in the position the play leads to.
    plies : int
        How deep the play was looked at; those that a filter left out are less deep than the first.
    cubeful : float, optional
        The equity with the cube, normalised to its present value, where it was asked for.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> best = sb.engine("backgammon").rank(sb.variant("backgammon").start(), (3, 1))[0]
    >>> best.play.notation, best.plies
    ('8/5 6/5', 0)
    """

    play: Play
    outcome: Outcome
    plies: int
    cubeful: float | None = None

    @property
    def equity(self) -> float:
        """The value of the play to the player; see `Outcome.equity`."""
        return self.outcome.equity if self.cubeful is None else self.cubeful

    @property
    def approximate(self) -> bool:
        """True if a net of another rule set evaluated it."""
        return self.outcome.approximate

    def __repr__(self) -> str:
        return brief("Candidate", self)

    def __str__(self) -> str:
        return f"{self.play.notation} {self.equity:+.3f} ({self.plies}-ply)"

    def _repr_svg_(self) -> str:
        """The board with the play as arrows, as a notebook shows it."""
        return self.play._repr_svg_()


class Candidates(tuple[Candidate, ...]):
    """Candidates of one throw, best first; a notebook shows them as a table.

    Parameters
    ----------
    iterable : iterable of Candidate
        The candidates.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> plays = sb.engine("tavla").rank(sb.variant("tavla").start(), (6, 5))
    >>> plays[0].equity >= plays[-1].equity
    True
    """

    __slots__ = ()

    def to_frame(self) -> DataFrame:
        """Return the candidates as a pandas DataFrame.

        Returns
        -------
        DataFrame
            A row for each, best first: `play` in notation, the position `id` after it, `equity` and `loss`,
            for the mover, `plies`, and the probability of each class by its name.

        Raises
        ------
        ImportError
            pandas is not installed.
        """
        return frame(
            {
                "play": each.play.notation,
                "id": each.play.result.id,
                "equity": each.equity,
                "loss": self[0].equity - each.equity,
                "plies": each.plies,
                **{str(name): share for name, share in each.outcome.classes.items()},
            }
            for each in self
        )

    def __repr__(self) -> str:
        return brief_list("Candidates", self)

    def _repr_html_(self) -> str:
        best = self[0].equity if self else 0.0
        return html_table(
            "",
            ("play", "equity", "loss", "win", "plies"),
            (
                (
                    each.play.notation,
                    f"{each.equity:+.3f}",
                    f"{best - each.equity:.3f}",
                    f"{each.outcome.win:.1%}",
                    str(each.plies),
                )
                for each in self
            ),
        )


def by_double(plays: Sequence[Play]) -> list[list[Play]]:
    """Plays of a double that is to be named, grouped by the double."""
    groups: dict[int, list[Play]] = {}
    for play in plays:
        groups.setdefault(play.dice.first, []).append(play)
    return list(groups.values())
