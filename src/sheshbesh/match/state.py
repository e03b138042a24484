"""The score of a match and the cube of the present game, as one value. Its laws are the core's (`score.h`).

Sources: Khalili (004), p. 10 to 12; Masters of Nard rules (002), doubling cube; rule sheet B 21 and
B 22 for the dead cube and the price of a drop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeGuard

from sheshbesh import _core
from sheshbesh.errors import MatchError
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.notebook import brief_fields
from sheshbesh.rules import GameResult, Refusal, Side
from sheshbesh.rules.refusal import declare_rules
from sheshbesh.rules.side import KINDS, SIDES

HIGHEST_CUBE: int = _core.HIGHEST_CUBE
"""The highest value of a cube that the program counts to; a table that has agreed on less says so."""

_MOST_POINTS = 2**62
"""The core counts no further."""

CLASS_POINTS: Mapping[str, int] = MappingProxyType(
    {"single": 1, "gammon": 2, "backgammon": 3, "home_mars": 3, "koks": 3, "mother": 2, "tie": 0}
)
"""The points of a result class on a cube at 1 where no game says otherwise."""

CUBE_RULES: Mapping[str, tuple[str, str | None]] = MappingProxyType(
    {
        "cube.match_over": ("the match is won, there is nothing to double", None),
        "cube.after_roll": ("the cube is turned before the dice are thrown", "Khalili (004), p. 11"),
        "cube.owner": ("only the owner of the cube may turn it", "Khalili (004), p. 11"),
        "cube.crawford": ("the cube rests in the Crawford game", "Khalili (004), p. 12"),
        "cube.dead": (
            "the cube's present value already wins you the match",
            "Khalili (004), p. 12; rule sheet B 21",
        ),
        "cube.limit": ("the cube is at the highest value that is played here", "rule sheet B 44"),
    }
)
"""The closed list of rule ids for doubling: (sentence, source)."""

declare_rules(CUBE_RULES)

_FAULTS = {
    "cube.value": Text("the cube is at 1, 2, 4, 8 and so on, not {found}", found=""),
    "cube.highest": Text("the highest cube is 1, 2, 4, 8 and so on, or None, not {found}", found=""),
    "cube.limit": Text("the cube is played up to {most}, so it is not at {cube}", most=0, cube=0),
    "score.both": Text("only one side can have won {n} points", n=0),
    "crawford.money": Text("there is no Crawford game in money play"),
    "crawford.rule": Text("there is no Crawford game in a match without the rule"),
    "cube.automatic": Text("automatic doubles belong to money play, not to a match"),
    "cube.owner": Text(
        "a cube that was turned to {cube} has an owner; nobody's cube stands at {unturned}",
        cube=0,
        unturned=0,
    ),
    "cube.early": Text(
        "a cube at {cube} was not turned yet, so nobody owns it, not {owner}", cube=0, owner=""
    ),
    "crawford.score": Text("in the Crawford game somebody needs exactly one point: {score}", score=""),
    "crawford.cube": Text("the cube is not turned in the Crawford game"),
}
"""What makes a score impossible, by the names of the core (`score.h`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """Score and cube at one moment.

    A match that is over may stand beyond its length: its last game can pay more than was needed.

    Parameters
    ----------
    length : int, optional
        The points to win; None for money play.
    white, black : int
        Points won so far.
    cube : int
        The value of the cube.
    owner : Side or str, optional
        The only side that may turn it; None for a centred cube.
    crawford : bool
        Whether this is the Crawford game.
    jacoby : bool, optional
        Whether gammons count only once the cube was turned; on in money play unless switched off, without
        force in a match.
    beavers : bool
        Whether they are allowed, in money play.
    allow_dead_double : bool
        Whether a double that cannot gain anything is allowed.
    automatic_doubles : int
        Doublings of a centred cube by equal opening dice in money play, which do not count as turning it.
    crawford_rule : bool
        Whether the match has a Crawford game; without one the cube is never away.
    cube_limit : int, optional
        The highest value of the cube that was agreed on; None for no limit.

    Raises
    ------
    MatchError
        The state is impossible; `problems` has every reason.

    References
    ----------
    Rule sheet B 44, on the limit of the cube.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> match = sb.MatchState(length=7, white=3, black=4, cube=2, owner="black")
    >>> match.away("white"), match.may_double("white"), match.points("gammon")
    (4, False, 4)
    """

    length: int | None = None
    white: int = 0
    black: int = 0
    cube: int = 1
    owner: Side | str | None = None
    crawford: bool = False
    jacoby: bool | None = None
    beavers: bool = False
    allow_dead_double: bool = False
    automatic_doubles: int = 0
    crawford_rule: bool = True
    cube_limit: int | None = None

    def __repr__(self) -> str:
        return brief_fields(self)

    def __post_init__(self) -> None:
        problems = self._problems()
        if problems:
            raise MatchError(
                Text("impossible match state: {problems}", problems=JoinedText(*problems, separator="; ")),
                problems=tuple(problems),
            )
        if self.owner is not None:
            object.__setattr__(self, "owner", Side.of(self.owner))
        if self.jacoby is None:
            object.__setattr__(self, "jacoby", self.is_money)

    def _problems(self) -> list[str]:
        problems: list[str] = []
        if self.length is not None and (type(self.length) is not int or self.length < 1):
            problems.append(
                Text("a match is to 1 point or more, or None for money, not {found}", found=repr(self.length))
            )
        for name in ("white", "black"):
            points = getattr(self, name)
            if type(points) is not int or points < 0:
                problems.append(
                    Text(
                        "{side} has a score of 0 or more, not {found}",
                        side=Side(name).text,
                        found=repr(points),
                    )
                )
        for fault, value in (
            ("cube.value", self.cube),
            ("cube.highest", 1 if self.cube_limit is None else self.cube_limit),
        ):
            if not _is_cube_value(value):
                problems.append(Text(_FAULTS[fault].template, found=repr(value)))
        if self.owner not in (None, *(side.value for side in Side)):
            problems.append(
                Text('the owner is "white", "black" or None, not {found}', found=repr(self.owner))
            )
        if type(self.automatic_doubles) is not int or not 0 <= self.automatic_doubles <= 6:
            problems.append(
                Text("automatic doubles are 0 to 6, not {found}", found=repr(self.automatic_doubles))
            )
        if type(self.crawford) is not bool or type(self.jacoby) not in (bool, type(None)):
            problems.append(Text("crawford and jacoby are true or false"))
        if type(self.crawford_rule) is not bool:
            problems.append(Text("crawford_rule is true or false"))
        if type(self.beavers) is not bool or type(self.allow_dead_double) is not bool:
            problems.append(Text("beavers and allow_dead_double are true or false"))
        score = self._sound_score() if problems else self._score
        faults = score.faults_alone()
        if not problems and not faults:
            faults = score.faults_together()
        return [*problems, *map(self._fault_text, faults)]

    def _fault_text(self, name: str) -> Text:
        """Word what the core finds wrong."""
        known: dict[str, object] = {
            "most": self.cube_limit,
            "cube": self.cube,
            "unturned": 2**self.automatic_doubles,
            "owner": Text(str(self.owner)),
            "n": self.length,
            "score": self._score_text(),
        }
        text = _FAULTS[name]
        return Text(text.template, **{value: known[value] for value in text.values})

    def _score_text(self) -> str:
        return f"{self.white}-{self.black}" + ("" if self.length is None else f" to {self.length}")

    def __str__(self) -> str:
        cube = f"cube {self.cube}" + ("" if self.owner is None else f" with {Side.of(self.owner).value}")
        kind = "money" if self.length is None else "match"
        crawford = ", Crawford game" if self.crawford else ""
        return f"{kind} at {self._score_text()}, {cube}{crawford}"

    @property
    def is_money(self) -> bool:
        """True if points are settled game by game, without a match to win."""
        return self.length is None

    def score(self, side: Side | str) -> int:
        """Return the points that a side has won.

        Parameters
        ----------
        side : Side or str
            The side.

        Returns
        -------
        int
            The points.
        """
        return self.white if Side.of(side) is Side.WHITE else self.black

    def away(self, side: Side | str) -> int | None:
        """Count the points that a side still needs.

        Parameters
        ----------
        side : Side or str
            The side.

        Returns
        -------
        int or None
            The points, 0 or more; None in money play.
        """
        return None if self.length is None else self._score.away(Side.of(side) is Side.BLACK)

    @property
    def winner(self) -> Side | None:
        """The winner of the match, if it is over."""
        black = self._score.winner()
        return None if black is None else SIDES[black]

    @property
    def _score(self) -> _core.Score:
        """The same for the core."""
        return _core.Score(
            length=min(self.length or 0, _MOST_POINTS),
            white=min(self.white, _MOST_POINTS),
            black=min(self.black, _MOST_POINTS),
            cube=self.cube,
            black_owns=None if self.owner is None else self.owner == Side.BLACK,
            crawford=self.crawford,
            jacoby=bool(self.jacoby),
            allow_dead_double=self.allow_dead_double,
            automatic_doubles=self.automatic_doubles,
            cube_limit=self.cube_limit or 0,
            crawford_rule=self.crawford_rule,
        )

    def _sound_score(self) -> _core.Score:
        """The same without what is no value at all, which must not hide what else is wrong."""
        return _core.Score(
            length=0 if self.length is None else _counted(self.length, 1, _MOST_POINTS + 1),
            white=_counted(self.white, 0, 0),
            black=_counted(self.black, 0, 0),
            cube=self.cube if _is_cube_value(self.cube) else 1,
            black_owns=None,
            crawford=self.crawford is True,
            jacoby=False,
            allow_dead_double=False,
            automatic_doubles=0,
            cube_limit=self.cube_limit if _is_cube_value(self.cube_limit) else 0,
            crawford_rule=self.crawford_rule is not False,
        )

    # Cube

    def allows_cube(self, value: int) -> bool:
        """Say whether the cube may be turned to a value.

        Parameters
        ----------
        value : int
            The value.

        Returns
        -------
        bool
            False above the highest that the table has agreed on.
        """
        return _core.allows_cube(self.cube_limit or 0, value)

    def may_double(self, side: Side | str, *, rolled: bool = False) -> bool:
        """Say whether a side may double now.

        Parameters
        ----------
        side : Side or str
            The side, whose turn it is.
        rolled : bool
            Whether it has thrown already.

        Returns
        -------
        bool
            Whether no law forbids it.
        """
        return self.double_refusal(side, rolled=rolled) is None

    def double_refusal(self, side: Side | str, *, rolled: bool = False) -> Refusal | None:
        """Say why a side may not double.

        Parameters
        ----------
        side : Side or str
            The side, whose turn it is.
        rolled : bool
            Whether it has thrown already.

        Returns
        -------
        Refusal or None
            The refusal; None if it may.
        """
        broken = self.double_rule(side, rolled=rolled)
        if broken is None:
            return None
        text, source = CUBE_RULES[broken]
        return Refusal(broken, source, text)

    def double_rule(self, side: Side | str, *, rolled: bool = False) -> str | None:
        """Name the law that a double would break now.

        Parameters
        ----------
        side : Side or str
            The side, whose turn it is.
        rolled : bool
            Whether it has thrown already.

        Returns
        -------
        str or None
            An id among CUBE_RULES; None if it may double.
        """
        law = self._score.cube_law(Side.of(side) is Side.BLACK, rolled)
        return None if law is _core.CubeLaw.none else f"cube.{law.name}"

    # Points

    def points(self, kind: str | GameResult) -> int:
        """Count the points that a result pays at this cube.

        Jacoby's rule lowers every class to 1 point while the cube has not been turned.

        Parameters
        ----------
        kind : str or GameResult
            A class of result; "drop" or "pass" for a refused double, which pays the present value; or a
            result itself, whose own points are multiplied: needed where points are counted ("count",
            "difference", "closed_area") or a game has a scale of its own.

        Returns
        -------
        int
            The points, the cube included.

        Raises
        ------
        MatchError
            The class is unknown.
        """
        if isinstance(kind, GameResult):
            base, kind = kind.points, kind.kind
        elif kind in ("drop", "pass"):
            return self.cube
        elif kind in CLASS_POINTS:
            base = CLASS_POINTS[kind]
        else:
            known = ", ".join((*CLASS_POINTS, "drop"))
            raise MatchError(f"{kind!r} has no points of its own: expected {known}, or a GameResult")
        return self._score.paid(KINDS.index(kind), base)


def _counted(value: object, least: int, instead: int) -> int:
    """Points as the core counts them; `instead` for what is no number, or below the least."""
    return min(value, _MOST_POINTS) if type(value) is int and value >= least else instead


def _is_cube_value(value: object) -> TypeGuard[int]:
    """Return True if this is a power of two that the program counts to."""
    return type(value) is int and value <= HIGHEST_CUBE and _core.is_cube_value(max(value, 0))
