"""A match as it was read from a file: games, events, repairs, and the analysis that stood in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NotRequired, TypeAlias, TypedDict

from sheshbesh.i18n import Text
from sheshbesh.notebook import brief, html_table
from sheshbesh.records.decision import Decision
from sheshbesh.rules import Position, Side
from sheshbesh.rules.side import name_or_none


def at_line(line: int, what: str) -> Text:
    """Return what is said of a line of a file; lines count from 1."""
    return Text("line {n}: {what}", n=line, what=what)


class RepairData(TypedDict):
    """A repair as plain data; see `Repair`."""

    line: int
    found: str
    reason: str
    done: str


class ScoreData(TypedDict):
    """The points won before a game."""

    white: int
    black: int


class ResultData(TypedDict):
    """The end of a game: the name of the winning side, None for nobody, and points with the cube."""

    winner: str | None
    points: int


class RecordedGameData(TypedDict):
    """A game as plain data; the keys of an event depend on its "type"."""

    number: int
    score: ScoreData
    crawford: bool
    events: list[dict[str, object]]
    result: ResultData | None


class MatchData(TypedDict):
    """A match as plain data, in the form of `sheshbesh convert --to json`."""

    format: str
    dialect: str
    variant: str
    length: int | None
    players: dict[str, str]
    tags: dict[str, str]
    games: list[RecordedGameData]
    repairs: list[RepairData]
    rules: NotRequired[dict[str, object]]
    analysed_by: NotRequired[str | None]
    analysis: NotRequired[list[dict[str, object]]]


@dataclass(frozen=True, slots=True)
class Repair:
    """Something in a file that was unclear or wrong, and how it was read.

    Parameters
    ----------
    line : int
        The line, from 1; 0 for the file as a whole; in binary files the record.
    found : str
        What stands in the file.
    reason : str
        What is wrong with it.
    done : str
        How it was read.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> print(sb.Repair(3, "7/2", "the point has no checker", "the play was left out"))
    line 3: the point has no checker: '7/2'; the play was left out
    """

    line: int
    found: str
    reason: str
    done: str

    @property
    def text(self) -> Text:
        """The repair in one sentence."""
        about = Text("{reason}: {found}; {done}", reason=self.reason, found=repr(self.found), done=self.done)
        return at_line(self.line, about)

    def __str__(self) -> str:
        return str(self.text)

    def to_data(self) -> RepairData:
        """Give the repair as plain data.

        Returns
        -------
        RepairData
            The data.
        """
        return {"line": self.line, "found": self.found, "reason": self.reason, "done": self.done}


@dataclass(frozen=True, slots=True)
class PlayEvent:
    """A roll and what was played with it.

    `dice` has the larger number first. `play` is canonical notation, "" for a dance, None for a roll
    that was never played (a player resigned with the dice on the board) or whose play the file does not show.
    `legal` is false for a play that the rules do not accept: it stood, or was made on a board that is not
    known. `position` is before the roll is played, with the mover on turn: its XGID with the dice where the
    game has one, else the position id; "" where the board is not known (see `RecordedGame.unknown`).
    `before` and `after` are the positions themselves, where they are not known the last that were. `tried` is
    the play that was made first and taken back, in a game against a program, with or without another one in
    its place; None where there was none.
    """

    type: ClassVar[str] = "play"
    side: Side
    dice: tuple[int, int]
    play: str | None
    legal: bool
    position: str
    before: Position = field(repr=False)
    after: Position = field(repr=False)
    tried: str | None = None

    def to_data(self) -> dict[str, object]:
        """The event as plain data; `tried` is there only where it says something."""
        data: dict[str, object] = {
            "type": self.type,
            "side": self.side.value,
            "dice": list(self.dice),
            "play": self.play,
            "legal": self.legal,
            "position": self.position or None,
        }
        return data if self.tried is None else data | {"tried": self.tried}


@dataclass(frozen=True, slots=True)
class _CubeEvent:
    """A cube action of `side`; `cube` is the value that stands or is offered after it.

    `position` is "" where the board is not known (see `RecordedGame.unknown`).
    """

    type: ClassVar[str] = ""
    side: Side
    cube: int
    position: str
    before: Position = field(repr=False)

    def to_data(self) -> dict[str, object]:
        """The event as plain data."""
        return {
            "type": self.type,
            "side": self.side.value,
            "cube": self.cube,
            "position": self.position or None,
        }


@dataclass(frozen=True, slots=True)
class DoubleEvent(_CubeEvent):
    """`side`, on roll, offers the cube at `cube`."""

    type: ClassVar[str] = "double"


@dataclass(frozen=True, slots=True)
class TakeEvent(_CubeEvent):
    """`side` accepts the cube at `cube`."""

    type: ClassVar[str] = "take"


@dataclass(frozen=True, slots=True)
class DropEvent(_CubeEvent):
    """`side` refuses the cube and loses the game at `cube`, its value before the offer."""

    type: ClassVar[str] = "drop"


@dataclass(frozen=True, slots=True)
class BeaverEvent(_CubeEvent):
    """`side` accepts, turns the cube on to `cube` and keeps it; a raccoon is a beaver against a beaver."""

    type: ClassVar[str] = "beaver"


@dataclass(frozen=True, slots=True)
class ResignEvent:
    """`side` gives the game up for `points`, the cube included."""

    type: ClassVar[str] = "resign"
    side: Side
    points: int

    def to_data(self) -> dict[str, object]:
        """The event as plain data."""
        return {"type": self.type, "side": self.side.value, "points": self.points}


@dataclass(frozen=True, slots=True)
class SetPositionEvent:
    """The board was set up by hand; `after` is the position with the side on turn."""

    type: ClassVar[str] = "setposition"
    side: Side
    position: str
    after: Position = field(repr=False)

    def to_data(self) -> dict[str, object]:
        """The event as plain data."""
        return {"type": self.type, "side": self.side.value, "position": self.position}


@dataclass(frozen=True, slots=True)
class CommentEvent:
    """The words of somebody in the file about the event before it."""

    type: ClassVar[str] = "comment"
    text: str

    def to_data(self) -> dict[str, object]:
        """The event as plain data."""
        return {"type": self.type, "text": self.text}


@dataclass(frozen=True, slots=True)
class ResultEvent:
    """The end of a game: `winner` gains `points`, the cube included. No winner is a game without one."""

    type: ClassVar[str] = "result"
    winner: Side | None
    points: int

    def to_data(self) -> dict[str, object]:
        """The event as plain data."""
        return {"type": self.type, **result_data(self)}


Event: TypeAlias = (
    PlayEvent
    | DoubleEvent
    | TakeEvent
    | DropEvent
    | BeaverEvent
    | ResignEvent
    | SetPositionEvent
    | CommentEvent
    | ResultEvent
)
"""Everything that happens in a game."""


DECISIONS = PlayEvent | DoubleEvent | TakeEvent | DropEvent | BeaverEvent
"""The rolls and the cube actions."""


def result_data(result: ResultEvent) -> ResultData:
    """Winner and points as plain data."""
    return {"winner": name_or_none(result.winner), "points": result.points}


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game of a match.

    Parameters
    ----------
    number : int
        Its number, from 1.
    white, black : int
        The points won before it.
    crawford : bool
        Whether the cube rests in it.
    events : tuple[Event, ...]
        What happened.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> (game,) = sb.Game("tavla", dice=[(6, 5)]).to_match().games
    >>> game.number, game.white, game.result
    (1, 0, None)
    """

    number: int
    white: int
    black: int
    crawford: bool
    events: tuple[Event, ...]

    def __repr__(self) -> str:
        text, result = f"{self.number} at {self.white}-{self.black}, {len(self.events)} events", self.result
        if result is not None:
            text += f", {name_or_none(result.winner) or 'nobody'} wins {result.points}"
        return brief("RecordedGame", text)

    @property
    def result(self) -> ResultEvent | None:
        """The end of the game; None if it was not finished."""
        return next((event for event in reversed(self.events) if isinstance(event, ResultEvent)), None)

    @property
    def unknown(self) -> tuple[Event, ...]:
        """The rolls and cube actions that were made on a board that is not known.

        The board is lost with a play that is not shown or cannot be made, and known again from the next
        position that the file gives.
        """
        return tuple(event for event in self.events if isinstance(event, DECISIONS) and not event.position)

    def to_data(self) -> RecordedGameData:
        """Give the game as plain data.

        Returns
        -------
        RecordedGameData
            The data.
        """
        return {
            "number": self.number,
            "score": {"white": self.white, "black": self.black},
            "crawford": self.crawford,
            "events": [event.to_data() for event in self.events],
            "result": result_data(self.result) if self.result else None,
        }


@dataclass(frozen=True, slots=True)
class Match:
    """A match from a file, or one that was played.

    Parameters
    ----------
    format : str
        The kind of file: "mat", "sgf", "xg", "record", "json", "position".
    dialect : str
        The program that wrote it, if it is known.
    players : Mapping[str, str]
        The names of White and Black; White is the left column of a text file and player 1 of an `.xg`.
    length : int or None
        The points to win; None for money play.
    variant : str
        The name of the game.
    games : tuple[RecordedGame, ...]
        The games.
    tags : Mapping[str, str]
        What the file says besides, by its names.
    repairs : tuple[Repair, ...]
        What was unclear or wrong in the file, and how it was read.
    analysis : tuple[Decision, ...]
        One entry for each analysed decision; empty if the file had none.
    analysed_by : str, optional
        The program that analysed it.
    jacoby, beavers : bool
        Whether these laws of money play are in force.
    crawford_rule : bool
        Whether the match has a Crawford game.
    card : str, optional
        The code of the house-rule card of one of our own records.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> match = sb.Game("tavla", dice=[(6, 5), (3, 1)]).to_match()
    >>> match.variant, match.length, len(match.games)
    ('tavla', None, 1)
    """

    format: str
    dialect: str
    players: Mapping[str, str] = field(hash=False)
    length: int | None
    variant: str
    games: tuple[RecordedGame, ...]
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)
    repairs: tuple[Repair, ...] = ()
    analysis: tuple[Decision, ...] = ()
    analysed_by: str | None = None
    jacoby: bool = False
    beavers: bool = False
    crawford_rule: bool = True
    card: str | None = None

    def __repr__(self) -> str:
        length = "money" if self.length is None else f"{self.length} points"
        names = " - ".join(repr(name[:40]) for name in self.players.values())
        return brief("Match", f"{self.variant} {names}, {length}, {len(self.games)} games")

    def to_data(self) -> MatchData:
        """Give the match as plain data, in the form of `convert --to json`.

        Returns
        -------
        MatchData
            The data; "rules" and "analysis" are there only where they say something.
        """
        data: MatchData = {
            "format": self.format,
            "dialect": self.dialect,
            "variant": self.variant,
            "length": self.length,
            "players": dict(self.players),
            "tags": dict(self.tags),
            "games": [game.to_data() for game in self.games],
            "repairs": [repair.to_data() for repair in self.repairs],
        }
        rules: dict[str, object] = {
            "jacoby": self.jacoby,
            "beavers": self.beavers,
            "crawford_rule": self.crawford_rule,
        }
        standard = {"jacoby": False, "beavers": False, "crawford_rule": True}
        if rules != standard or self.card:
            data["rules"] = rules | ({"card": self.card} if self.card else {})
        if self.analysis:
            data["analysed_by"] = self.analysed_by
            data["analysis"] = [each.to_data() for each in self.analysis]
        return data

    def _repr_html_(self) -> str:
        """The games with their scores and results, as a notebook shows them."""
        names = [self.players[side.value] or side.value for side in Side]
        return html_table(
            f"{self.variant}, {'money' if self.length is None else f'to {self.length}'}",
            ("game", *names, "won by", "points"),
            (
                (
                    str(game.number),
                    str(game.white),
                    str(game.black),
                    "" if game.result is None else name_or_none(game.result.winner) or "nobody",
                    "" if game.result is None else str(game.result.points),
                )
                for game in self.games
            ),
        )
