"""House-rule cards: everything a table has agreed on, as one small value.

A card has a code that can be sent to a friend, such as `takhte.p5` or `tavla.hit_run_priority=off.p7`,
and a hash that is the same for everybody who plays the same way. Two cards can be laid side by side.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from sheshbesh.errors import MatchError, SheshbeshError
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.match.state import MatchState
from sheshbesh.match.timing import ClockKind, ClockSettings
from sheshbesh.notebook import brief_fields
from sheshbesh.rules import Position, Side, Variant, variant
from sheshbesh.rules.axes import number_of

LONGEST_MATCH = 99


class Contest(StrEnum):
    """The unit that a match is counted in: points, games or money."""

    POINTS = "points"
    GAMES = "games"
    MONEY = "money"


class DiceSource(StrEnum):
    """The source of the dice."""

    CHAINS = "chains"
    """Three hash chains: the server's and both players'; the waiting player's link comes early."""
    STRICT = "strict"
    """The same, but the waiting player's link is asked for only after the roll."""
    TYPED = "typed"
    """Thrown on a real board and typed in."""
    SEEDED = "seeded"
    """Computed from a seed, for study: the seed reveals the dice."""


_CONTEST_LETTERS = {Contest.POINTS: "p", Contest.GAMES: "g", Contest.MONEY: "m"}
_FLAGS = {
    "crawford": "nocrawford",
    "jacoby": "nojacoby",
    "beavers": "beavers",
    "raccoons": "raccoons",
    "one_pair": "onepair",
}
_LATER_FIELDS = ("one_pair",)
_LATER_OPTIONS = ("agreements", "cube_limit")
"""The fields that cards lacked when the first records were made: each counts in the hash only where it is not
the default, so that those records' cards keep theirs."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """The agreements of a table: the game, its options, the length, the cube, the clock and the dice.

    Parameters
    ----------
    game : str
        The name of a shipped game.
    options : Mapping[str, object]
        Options of `variant`, those of the table (cube, cube_limit, later_start ...) among them.
    contest : Contest
        Whether points or games are counted, or stakes are.
    length : int or None
        The points to win, or the number of games of which the most wins (of five games three win); None for
        money play.
    crawford : bool
        Whether a match has a Crawford game.
    jacoby, beavers, raccoons : bool
        Laws of money play; they have no force in a match.
    automatic_doubles : int
        How often equal opening dice double the cube in money play.
    clock : ClockSettings
        The time that players have.
    dice : DiceSource
        Where throws come from.
    one_pair : bool
        Whether both throw the same two dice; else each has a pair of their own.

    Raises
    ------
    MatchError
        An agreement cannot be; `problems` has every reason.

    References
    ----------
    Khalili (004), p. 5, on the pair of dice.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> card = sb.Card(game="backgammon", length=7)
    >>> sb.Card.from_code(card.code) == card
    True
    """

    game: str
    options: Mapping[str, object] = field(default_factory=dict)
    contest: Contest = Contest.POINTS
    length: int | None = 1
    crawford: bool = True
    jacoby: bool = True
    beavers: bool = False
    raccoons: bool = False
    automatic_doubles: int = 0
    clock: ClockSettings = field(default_factory=ClockSettings)
    dice: DiceSource = DiceSource.CHAINS
    one_pair: bool = False

    def __repr__(self) -> str:
        return brief_fields(self)

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "contest", Contest(self.contest))
            object.__setattr__(self, "dice", DiceSource(self.dice))
        except ValueError as error:
            raise MatchError(Text("impossible card: {problems}", problems=error)) from None
        if self.contest is Contest.MONEY:
            object.__setattr__(self, "length", None)
        problems = self._problems()
        if problems:
            raise MatchError(
                Text("impossible card: {problems}", problems=JoinedText(*problems, separator="; ")),
                tuple(problems),
            )
        kept = {
            name: value for name, value in sorted(self.options.items()) if not self._is_default(name, value)
        }
        object.__setattr__(self, "options", MappingProxyType(kept))
        object.__setattr__(self, "game", self.rules.name)

    def _problems(self) -> list[str]:
        problems: list[str] = []
        if self.contest is not Contest.MONEY and not (
            type(self.length) is int and 1 <= self.length <= LONGEST_MATCH
        ):
            problems.append(
                Text(
                    "a match is to 1 to {most} points or games, not {found}",
                    most=LONGEST_MATCH,
                    found=repr(self.length),
                )
            )
        if self.contest is Contest.GAMES and type(self.length) is int and self.length % 2 == 0:
            problems.append(Text("most of {n} games may be a draw: the number must be odd", n=self.length))
        if type(self.automatic_doubles) is not int or not 0 <= self.automatic_doubles <= 6:
            problems.append(
                Text("automatic doubles are 0 to 6, not {found}", found=repr(self.automatic_doubles))
            )
        for name in _FLAGS:
            if type(getattr(self, name)) is not bool:
                problems.append(
                    Text("{name} is true or false, not {found}", name=name, found=repr(getattr(self, name)))
                )
        if not isinstance(self.clock, ClockSettings):
            problems.append(Text("a clock is told by ClockSettings, not {found}", found=repr(self.clock)))
        if not isinstance(self.options, Mapping) or not all(type(name) is str for name in self.options):
            return [*problems, Text("options are values by name, not {found}", found=repr(self.options))]
        try:
            variant(self.game, **self.options)
        except SheshbeshError as error:
            problems += getattr(error, "problems", (error.message,))
        return problems

    def _is_default(self, name: str, value: object) -> bool:
        spec = variant(self.game)._data.offered[name]
        return spec.index(value) == 0

    @cached_property
    def rules(self) -> Variant:
        """The rule set with this card's options."""
        return variant(self.game, **self.options)

    @property
    def has_cube(self) -> bool:
        """True if the doubling cube is used. A match of games is counted by games, so it has none."""
        return bool(self.rules.axes["cube"]["use"]) and self.contest is not Contest.GAMES

    @property
    def touch_move(self) -> bool:
        """True if a touched checker must be moved and nothing is taken back."""
        return bool(self.rules.axes["table"]["touch_move"])

    @property
    def allows_agreements(self) -> bool:
        """True if two players may agree on a game's result, or to end it all where the score stands."""
        return self.contest is Contest.MONEY or bool(self.rules.axes["table"]["agreements"])

    @property
    def settles_by_checker(self) -> bool:
        """True if money games pay one point for each checker the loser has left, see `units`."""
        return self.rules.axes["table"]["settle"] != "points" and self.contest is Contest.MONEY

    def units(self, position: Position, loser: Side) -> int:
        """Count what a game pays at a cube of 1 where money is settled by checkers.

        One unit for each checker of the loser that is not borne off, or for each in the loser's home alone;
        at least one, since a game that was won is never worth nothing.

        Parameters
        ----------
        position : Position
            The end of the game.
        loser : Side
            The side that lost it.

        Returns
        -------
        int
            The units.

        References
        ----------
        Rule sheet B 39.
        """
        off, *points = position.counts(loser)[:7]
        if self.rules.axes["table"]["settle"] == "per_checker_home":
            return max(sum(points), 1)
        return self.rules._geometry.checkers - off

    @property
    def wins_needed(self) -> int | None:
        """Points (or games won, in a match of games) that win the match; None for money."""
        if self.length is None:
            return None
        return self.length // 2 + 1 if self.contest is Contest.GAMES else self.length

    def opening_state(self) -> MatchState:
        """Return score and cube before the first game.

        Returns
        -------
        MatchState
            The state of the match at 0-0.
        """
        money = self.contest is Contest.MONEY
        return MatchState(
            length=self.wins_needed,
            jacoby=self.jacoby and money and self.has_cube,
            beavers=self.beavers and money,
            allow_dead_double=bool(self.rules.axes["table"]["allow_dead_double"]),
            crawford_rule=self.crawford or self.contest is not Contest.POINTS,
            cube_limit=number_of(self.rules.axes, "cube", "limit") or None,
        )

    # Text

    @property
    def code(self) -> str:
        """The card as a short text without spaces; defaults are left out."""
        parts = [self.game]
        specs = self.rules._data.options
        parts += [f"{name}={specs[name].word(value)}" for name, value in self.options.items()]
        parts.append(_CONTEST_LETTERS[self.contest] + ("" if self.length is None else str(self.length)))
        defaults = {entry.name: entry.default for entry in fields(self)}
        parts += [flag for name, flag in _FLAGS.items() if getattr(self, name) != defaults[name]]
        if self.automatic_doubles:
            parts.append(f"auto{self.automatic_doubles}")
        if self.clock.kind is not ClockKind.NONE:
            parts.append(f"clock-{self.clock.code.replace('.', '_')}")
        if self.dice is not DiceSource.CHAINS:
            parts.append(f"dice-{self.dice}")
        return ".".join(parts)

    @classmethod
    def from_code(cls, code: str) -> Card:
        """Read the code of a card.

        Parameters
        ----------
        code : str
            The code, as in `Card.code`.

        Returns
        -------
        Card
            The card.

        Raises
        ------
        MatchError
            A part of the code cannot be read; it is named.
        VariantError
            The game is unknown.
        """
        if not isinstance(code, str):
            raise MatchError(Text("the code of a card is a text, not {code}", code=repr(code)))
        game, *parts = code.strip().split(".")
        variant(game)
        found: dict[str, object] = {}
        options: dict[str, object] = {}
        for part in parts:
            said = len(found) + len(options)
            _read_part(part, game, code, found, options)
            if len(found) + len(options) == said:
                raise MatchError(
                    Text(
                        "card {code}: {part} says again what was said before",
                        code=repr(code),
                        part=repr(part),
                    )
                )
        if "contest" not in found:
            raise MatchError(
                Text("card {code}: expected p7 (points), g5 (games) or m (money)", code=repr(code))
            )
        return cls(game=game, options=options, **found)  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, object]:
        """Give the whole card as plain data.

        Returns
        -------
        dict[str, object]
            Every agreement by its name, with every option of the game written out.
        """
        resolved = {name: spec.default for name, spec in self.rules._data.options.items()}
        return {
            "game": self.game,
            "options": {**resolved, **self.options},
            "contest": self.contest.value,
            "length": self.length,
            "crawford": self.crawford,
            "jacoby": self.jacoby,
            "beavers": self.beavers,
            "raccoons": self.raccoons,
            "automatic_doubles": self.automatic_doubles,
            "clock": self.clock.code,
            "dice": self.dice.value,
            "one_pair": self.one_pair,
        }

    @property
    def hash(self) -> str:
        """Twelve hex digits, the same for all cards that say the same."""
        said = self.as_dict()
        options = {
            name: value
            for name, value in said["options"].items()  # type: ignore[attr-defined]
            if name not in _LATER_OPTIONS or name in self.options
        }
        said = {name: value for name, value in said.items() if value or name not in _LATER_FIELDS}
        text = json.dumps({**said, "options": options}, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def lines(self) -> list[tuple[str, str]]:
        """List the agreements for reading.

        Returns
        -------
        list[tuple[str, str]]
            (what, how) for each, without what has no force in the game or at this length.
        """
        whole = self.as_dict()
        options: Mapping[str, object] = whole.pop("options")  # type: ignore[assignment]
        plain = [(key, value) for key, value in whole.items() if self._has_force(key)]
        chosen = [
            (f"option {name}", value)
            for name, value in options.items()
            if name in self.rules._data.bearing and self._has_force(name)
        ]
        return [(key, _option_text(value)) for key, value in (*plain, *chosen)]

    def _has_force(self, name: str) -> bool:
        """Return True if a law or an option of the table means anything beside the cube and the length."""
        money = self.contest is Contest.MONEY
        match name:
            case "crawford":
                return self.has_cube and self.contest is Contest.POINTS and self.length != 1
            case "jacoby" | "beavers" | "raccoons" | "automatic_doubles":
                return self.has_cube and money
            case "cube_limit":
                return self.has_cube
            case "allow_dead_double":
                return self.has_cube and not money
            case "cube":
                return self.contest is not Contest.GAMES
            case "settle":
                return money
            case "agreements":
                return not money
            case "length":
                return not money
            case "later_start":
                return money or self.length != 1
        return True

    def compare(self, other: Card) -> list[tuple[str, str, str]]:
        """List where two cards differ.

        Parameters
        ----------
        other : Card
            The card to compare with.

        Returns
        -------
        list[tuple[str, str, str]]
            (what, how it is here, how it is there) for each difference; "-" where one has nothing of the
            kind.
        """
        here, there = dict(self.lines()), dict(other.lines())
        return [
            (key, here.get(key, "-"), there.get(key, "-"))
            for key in dict.fromkeys((*here, *there))
            if here.get(key) != there.get(key)
        ]

    def __str__(self) -> str:
        return self.code

    def __hash__(self) -> int:
        return hash(self.code)

    def __reduce__(self) -> tuple[object, tuple[str]]:
        # The code says everything, and a mapping that cannot change cannot be pickled.
        return Card.from_code, (self.code,)


def _option_text(value: object) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _read_part(part: str, game: str, code: str, found: dict[str, object], options: dict[str, object]) -> None:
    """Read one part of a card's code into the fields or options it stands for."""
    defaults = {entry.name: entry.default for entry in fields(Card)}
    name, equals, text = part.partition("=")
    if equals:
        specs = variant(game)._data.offered
        if name not in specs:
            raise MatchError(
                Text(
                    "card {code}: {game} has no option {name}; it has {options}",
                    code=repr(code),
                    game=game,
                    name=repr(name),
                    options=_listed(specs),
                )
            )
        options[name] = specs[name].parse(text)
    elif part in _FLAGS.values():
        flag = next(name for name, text in _FLAGS.items() if text == part)
        found[flag] = not defaults[flag]
    elif match := re.fullmatch(r"(?P<contest>[pg])(?P<length>[0-9]{1,3})|(?P<money>m)", part):
        letter = match["contest"] or match["money"]
        found["contest"] = next(c for c, own in _CONTEST_LETTERS.items() if own == letter)
        found["length"] = int(match["length"]) if match["length"] else None
    elif match := re.fullmatch(r"auto([0-9])", part):
        found["automatic_doubles"] = int(match[1])
    elif part.startswith("clock-"):
        found["clock"] = ClockSettings.from_code(part.removeprefix("clock-").replace("_", "."))
    elif part.startswith("dice-"):
        found["dice"] = part.removeprefix("dice-")
    else:
        raise MatchError(Text("card {code}: cannot read {part}", code=repr(code), part=repr(part)))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
