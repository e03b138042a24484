"""Rollouts: a position played out many times, its results averaged, with their values.

How trials are played is documented in rollout.h, how they are added in `sheshbesh.engines.rollout.tally`, how
they are spread over threads, saved and stopped in `sheshbesh.engines.rollout.run`.

All numbers are those of the side on roll in the position that was asked about, or of the player who
makes the plays that are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Final, Literal, Self

from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines.outcome import ByClass, Classes, Outcome
from sheshbesh.notebook import brief, brief_list, html_table
from sheshbesh.rules import Play

LuckName = Literal["sifted", "full", "none"]

_INT = 2**31 - 1
_WHOLE: Final = MappingProxyType(
    {
        "trials": (1, 2**53),
        "minimum": (0, 2**53),
        "plies": (0, 3),
        "truncate": (0, _INT),
        "seed": (0, 2**64 - 1),
        "filter_to": (1, _INT),
    }
)
"""The whole numbers among the options, with the least and the most that the core takes."""


class Estimate(float):
    """A mean over trials, a plain number, with its standard error.

    Parameters
    ----------
    mean : float
        The mean.
    error : float
        The standard error, in the same unit.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> found = sb.engine("hypergammon").rollout(sb.variant("hypergammon").start(), trials=36)
    >>> 0 < found.win < 1, found.win.error > 0
    (True, True)
    """

    __slots__ = ("error",)

    error: float

    def __new__(cls, mean: float, error: float) -> Self:
        """A mean with its standard error."""
        made = super().__new__(cls, mean)
        made.error = error
        return made

    @property
    def mean(self) -> float:
        """The number itself."""
        return float(self)

    def __reduce__(self) -> tuple[type[Estimate], tuple[float, float]]:
        return type(self), (self.mean, self.error)

    def __repr__(self) -> str:
        return f"Estimate({self.mean!r}, {self.error!r})"

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ± {self.error:.4f}"


@dataclass(frozen=True, kw_only=True)
class RolloutOptions:
    """Options for the play of a rollout and its end.

    It ends before all trials are played, from `minimum` on, as soon as `target` or `lead` is reached.

    Parameters
    ----------
    trials : int
        The games, rounded up to whole chunks of 36; multiples of 1296 are best, as the first two throws then
        are all pairs of throws, each equally often.
    minimum : int
        The games that are played in any case.
    target : float, optional
        The standard error of the decisive equity (cubeful where there is a cube) at which it ends.
    lead : float, optional
        Where plays or cube actions are compared: by how many standard errors of their difference the best
        leads each other one when it ends.
    seed : int
        What the dice are drawn from.
    plies : int
        How deep plays are chosen.
    truncate : int
        After how many throws the static value is taken; 0 to play on to the end or into a database.
    luck : LuckName
        How the luck of the dice is measured and taken out. "full" values every play of all 21 throws.
        "sifted" values the best plays of each throw by a move filter, a rough linear evaluator trained on 144
        games from the same position; it finds nearly all of the luck in a fifth of the time. "none" measures
        nothing. All have the same mean; the errors differ.
    filter_to : int
        How many plays of each throw "sifted" values.
    cube : bool, optional
        Whether the cube is in play; by default where a match state is given and the game has one.

    Raises
    ------
    ValueError
        A value cannot be; its name is said.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.RolloutOptions(trials=100).luck
    'sifted'
    """

    trials: int = 1296
    minimum: int = 324
    target: float | None = None
    lead: float | None = None
    seed: int = 0
    plies: int = 0
    truncate: int = 0
    luck: LuckName = "sifted"
    filter_to: int = 2
    cube: bool | None = None

    def __post_init__(self) -> None:
        for name, (least, most) in _WHOLE.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise ValueError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
        if self.luck not in ("sifted", "full", "none"):
            raise ValueError(f"luck must be 'sifted', 'full' or 'none', not {self.luck!r}")
        for name in ("target", "lead"):
            value = getattr(self, name)
            if value is not None and (type(value) not in (int, float) or not value >= 0):
                raise ValueError(f"{name} must be a number from 0 up, not {value!r}")
        if self.cube not in (None, True, False) or type(self.cube) is int:
            raise ValueError(f"cube must be true, false or None, not {self.cube!r}")


def with_trials(options: RolloutOptions | None, trials: int | None) -> RolloutOptions:
    """The options, the usual ones if there are none, with another number of trials if one is given."""
    chosen = options or RolloutOptions()
    return chosen if trials is None else replace(chosen, trials=trials)


@dataclass(frozen=True, kw_only=True)
class Rollout:
    """The findings of a rollout, for the side on roll.

    Where luck is measured, the mean of a class may lie a little outside 0 to 1: it is left as it is, as a
    mean without bias. In a cubeful rollout the classes of a game that ends with a drop are those of the net
    at that moment.

    Parameters
    ----------
    table : Classes
        The classes.
    trials : int
        The games played.
    probabilities : tuple[Estimate, ...]
        One for each class, in the order of `table.all`.
    equity : Estimate
        The equity without a cube.
    cubeful : Estimate or None
        The equity with the cube, normalised so that a plain win of the present cube is 1; None where it was
        not in play.
    views : Mapping[str, Estimate]
        The cumulative probabilities by name, "win" to "lose_backgammon": those of the properties.
    finished : bool
        False for a rollout that was cancelled, or is still going on.
    approximate : bool
        Whether a net of other rules played.
    values : tuple[float, ...], optional
        The values of the classes in `equity`, as in `Outcome`.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> found = sb.engine("hypergammon").rollout(sb.variant("hypergammon").start(), trials=36)
    >>> found.trials, found.finished
    (36, True)
    """

    table: Classes
    trials: int
    probabilities: tuple[Estimate, ...]
    equity: Estimate
    cubeful: Estimate | None
    views: Mapping[str, Estimate]
    finished: bool
    approximate: bool = False
    values: tuple[float, ...] | None = None

    def __getstate__(self) -> dict[str, object]:
        # What was worked out from the fields stays behind: read-only mappings do not travel.
        found = {part.name: getattr(self, part.name) for part in fields(self)}
        return {**found, "views": dict(self.views)}

    @cached_property
    def classes(self) -> ByClass[Estimate]:
        """The probability of every result class."""
        return ByClass(self.table.all, self.probabilities)

    @cached_property
    def outcome(self) -> Outcome:
        """The means as an outcome; its equity is the cubeless one."""
        means = tuple(map(float, self.probabilities))
        return Outcome(self.table, means, float(self.equity), self.approximate, self.values)

    @property
    def decisive(self) -> Estimate:
        """The equity with the cube where it was in play, else the cubeless one."""
        return self.equity if self.cubeful is None else self.cubeful

    @property
    def win(self) -> Estimate:
        """The probability to win; cumulative like the others, see `Outcome`."""
        return self.views["win"]

    @property
    def win_gammon(self) -> Estimate:
        """The probability to win a gammon or more."""
        return self.views["win_gammon"]

    @property
    def win_backgammon(self) -> Estimate:
        """The probability to win by the third class."""
        return self.views["win_backgammon"]

    @property
    def lose(self) -> Estimate:
        """The probability to lose."""
        return self.views["lose"]

    @property
    def lose_gammon(self) -> Estimate:
        """The probability to lose a gammon or more."""
        return self.views["lose_gammon"]

    @property
    def lose_backgammon(self) -> Estimate:
        """The probability to lose by the third class."""
        return self.views["lose_backgammon"]

    @property
    def tie(self) -> Estimate:
        """The probability of a tie; 0 in games that have none."""
        return self.probabilities[-1] if self.table.has_tie else Estimate(0.0, 0.0)

    def __repr__(self) -> str:
        return brief("Rollout", self)

    def __str__(self) -> str:
        cubeful = "" if self.cubeful is None else f", cubeful {self.cubeful}"
        return f"{self.outcome}, equity {self.equity}{cubeful}, {self.trials} trials"

    def _repr_html_(self) -> str:
        """The mean and the standard error of each class and of the equity, as a notebook shows them."""
        rows = [(str(each), found) for each, found in self.classes.items()]
        rows.append(("equity", self.equity))
        if self.cubeful is not None:
            rows.append(("cubeful equity", self.cubeful))
        return html_table(
            f"{self.trials} trials",
            ("", "mean", "standard error"),
            [(name, f"{found:+.4f}", f"{found.error:.4f}") for name, found in rows],
        )


@dataclass(frozen=True)
class RolledOutPlay:
    """A play that was rolled out.

    Parameters
    ----------
    play : Play
        The play.
    rollout : Rollout
        What was found of it, for the player who makes it.
    behind : Estimate
        The equity lost to the best play, 0 or more, with the standard error of the difference.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> plays = sb.engine("backgammon").rank(sb.variant("backgammon").start(), (3, 1))[:2]
    >>> options = sb.RolloutOptions(trials=36, truncate=4)
    >>> sb.engine("backgammon").rollout_plays(plays, options=options)[0].play.notation
    '8/5 6/5'
    """

    play: Play
    rollout: Rollout
    behind: Estimate

    @property
    def equity(self) -> Estimate:
        """The value of the play to the player: with the cube where it was in play."""
        return self.rollout.decisive

    def __repr__(self) -> str:
        return brief("RolledOutPlay", self)

    def __str__(self) -> str:
        return f"{self.play.notation} {self.equity} ({self.rollout.trials} trials)"

    def _repr_svg_(self) -> str:
        """The board with the play as arrows, as a notebook shows it."""
        return self.play._repr_svg_()


class RolledOutPlays(tuple[RolledOutPlay, ...]):
    """Plays that were rolled out, best first; a notebook shows them as a table.

    Parameters
    ----------
    iterable : iterable of RolledOutPlay
        The plays.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> plays = sb.engine("tavla").rank(sb.variant("tavla").start(), (6, 5))[:2]
    >>> options = sb.RolloutOptions(trials=36, truncate=2)
    >>> found = sb.engine("tavla").rollout_plays(plays, options=options)
    >>> found[0].behind.mean, len(found)
    (0.0, 2)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return brief_list("RolledOutPlays", self)

    def _repr_html_(self) -> str:
        return html_table(
            f"{self[0].rollout.trials} trials" if self else "",
            ("play", "equity", "standard error", "loss", "its standard error"),
            (
                (
                    each.play.notation,
                    f"{each.equity:+.4f}",
                    f"{each.equity.error:.4f}",
                    f"{each.behind:.4f}",
                    f"{each.behind.error:.4f}",
                )
                for each in self
            ),
        )


@dataclass(frozen=True)
class RolledOutCube:
    """A cube decision that was rolled out: the ways to play on, with common dice.

    Parameters
    ----------
    no_double : Rollout
        Playing on without a double.
    double_take : Rollout
        Playing on after a double and a take.
    decision : CubeDecision
        The decision that the means make.
    difference : Estimate
        The equity of doubling and taking minus that of not doubling, with its standard error.
    double_beaver : Rollout, optional
        Playing on after a beaver; None where there are none.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> start = sb.variant("backgammon").start()
    >>> options = sb.RolloutOptions(trials=36, truncate=4)
    >>> sb.engine("backgammon").rollout_cube(start, options=options).decision.action
    'no_double'
    """

    no_double: Rollout
    double_take: Rollout
    decision: CubeDecision
    difference: Estimate
    double_beaver: Rollout | None = None

    def __repr__(self) -> str:
        return brief("RolledOutCube", f"{self.decision}, {self.no_double.trials} trials")

    def _repr_html_(self) -> str:
        """The decision that the means make, as a notebook shows it."""
        return self.decision._repr_html_()


VIEWS: tuple[tuple[str, str, int], ...] = (
    ("win", "win", 1),
    ("win_gammon", "win", 2),
    ("win_backgammon", "win", 3),
    ("lose", "lose", 1),
    ("lose_gammon", "lose", 2),
    ("lose_backgammon", "lose", 3),
)
"""The cumulative views of `Outcome`: name, ending, level and more."""


def weights(table: Classes, values: Sequence[float]) -> list[tuple[float, ...]]:
    """Return what is added up beside the classes: the equity by these values, then the views."""
    rows = [tuple(values)]
    for _, ending, level in VIEWS:
        rows.append(
            tuple(
                float(each.ending == ending and height >= level)
                for each, height in zip(table.all, table.levels, strict=True)
            )
        )
    return rows
