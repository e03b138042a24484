"""One moment of a game by itself: the card it is played by, the position, the dice, cube and score.

It is what an analysis board shows, what a link to a position carries and what a picture is drawn of. As
`query` it is a handful of short fields for an address:

    card=backgammon.p5   id=B4e1c3Ee3C1E4b:w   dice=31   cube=2w   score=3.1   crawford=1

The card says which game by which options, and money or how long a match; the other fields are left out where
they say nothing: no dice, the cube at 1 in the middle, no points yet, not the Crawford game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self
from urllib.parse import parse_qsl

from sheshbesh.errors import MatchError, NotationError, PositionError, SheshbeshError
from sheshbesh.formats import format_gnubg_id, format_position_id, format_xgid, kind_of_id, parse_any_id
from sheshbesh.formats.any_id import AnyPosition
from sheshbesh.formats.plain_board import obstacles
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.match import Card, ClockSettings, Contest, DiceSource, MatchState
from sheshbesh.records.positions import ids_in
from sheshbesh.rules import Position, Roll, Side
from sheshbesh.rules.ids import stripped
from sheshbesh.session import Session

FIELDS: Final = ("card", "id", "dice", "cube", "score", "crawford")
"""The fields of a query, in their order."""

_CUBE = re.compile(r"([1-9][0-9]{0,18})([wb]?)")
_SCORE = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})")
_OWNERS = {"": None, "w": Side.WHITE, "b": Side.BLACK}


@dataclass(frozen=True, slots=True)
class Situation:
    """A position with what surrounds it. `dice` are None before the throw, and where something is owed."""

    card: Card
    position: Position
    match: MatchState
    dice: Roll | None = None

    @classmethod
    def start(cls, card: Card) -> Self:
        """The start of a first game by this card, White on roll."""
        return cls(card, card.rules.start(), card.opening_state())

    @classmethod
    def of_query(cls, query: Mapping[str, str]) -> Self:
        """Return what a query says; without an id the start of the game.

        NotationError, MatchError, PositionError or VariantError for what cannot be read or cannot be.
        """
        card = Card.from_code(query.get("card") or "backgammon.m")
        text = query.get("id")
        if not text:
            position = card.rules.start()
            return cls(card, position, _match(card, query), _dice(query.get("dice") or "", position))
        found = parse_any_id(text, card.rules)
        if found.match is not None and not any(query.get(name) for name in ("cube", "score", "crawford")):
            return cls._of_id(found, card)
        dice = query.get("dice") or ("" if found.dice is None else f"{found.dice.first}{found.dice.second}")
        return cls(card, found.position, _match(card, query), _dice(dice, found.position))

    @classmethod
    def of_board(cls, card: Card, board: Mapping[str, Any], turn: Side, query: Mapping[str, str]) -> Self:
        """A board as `session.board_data.board_data` has it, with what else a query says.

        An impossible one is a PositionError with every problem, those of score and cube among them.
        """
        problems: list[str] = []
        match = dice = position = None
        try:
            position = card.rules.position(_mapping(board), turn)
        except PositionError as error:
            problems += error.problems
        try:
            match = _match(card, query)
        except MatchError as error:
            problems += error.problems
        if position is not None:
            dice = _dice(query.get("dice") or "", position)
        if position is None or match is None:
            raise PositionError(JoinedText(*problems, separator="; "), problems)
        return cls(card, position, match, dice)

    @classmethod
    def of_text(cls, text: str, card: Card) -> Self:
        """Return what somebody pasted: any id, for the game of `card` where its rules let the id carry it,
        else for backgammon; a link to a position; or what XG and BGBlitz copy to the clipboard, of several
        positions the first.

        NotationError says what is wrong with the id that the text comes nearest to; other errors what it says
        that cannot be.
        """
        text = stripped(text)
        if (asked := text.partition("?")[2]) and "card=" in asked:
            return cls.of_query(dict(parse_qsl(asked)))
        said = ids_in(text)[0].text
        kind = kind_of_id(said)
        foreign = kind is not None and kind[0] != "own"
        if foreign and obstacles(card.rules):
            card = Card(game="backgammon")
        found = parse_any_id(said, card.rules)
        if found.match is None:
            return cls(card, found.position, card.opening_state(), found.dice)
        return cls._of_id(found, card)

    @classmethod
    def _of_id(cls, found: AnyPosition, card: Card) -> Self:
        """Return what an id with score and cube says, at a table of its match length."""
        said = found.match
        assert said is not None
        table = Card(game=card.game, options=card.options)
        if said.is_money:
            table = replace(table, contest=Contest.MONEY, jacoby=bool(said.jacoby), beavers=said.beavers)
        else:
            table = replace(table, length=said.length)
        match = replace(
            table.opening_state(),
            white=said.white,
            black=said.black,
            cube=said.cube,
            owner=said.owner,
            automatic_doubles=said.automatic_doubles,
            crawford=said.crawford,
        )
        return cls(table, found.position, match, found.dice)

    @property
    def query(self) -> dict[str, str]:
        """The fields that say all of it; the same for equal situations."""
        match = self.match
        found = {"card": self.card.code, "id": self.position.id}
        if self.dice is not None:
            found["dice"] = f"{self.dice.first}{self.dice.second}"
        if match.cube != 1 or match.owner is not None:
            found["cube"] = f"{match.cube}{'' if match.owner is None else Side.of(match.owner).value[0]}"
        if match.white or match.black:
            found["score"] = f"{match.white}.{match.black}"
        if match.crawford:
            found["crawford"] = "1"
        return found

    @property
    def judged_at(self) -> MatchState:
        """The score and cube as an engine takes them; in a match of games a game is won or lost, by however
        much."""
        return MatchState(length=1) if self.card.contest is Contest.GAMES else self.match

    @property
    def in_turn(self) -> bool:
        """True if there is a play to be made: dice that were thrown, or something owed."""
        if self.position.result is not None:
            return False
        owed = self.position.pending
        return self.dice is not None or (owed is not None and owed.choose is None)

    @property
    def may_double(self) -> bool:
        """True if there is a cube decision before the throw."""
        if not self.card.has_cube or self.in_turn or self.position.result is not None:
            return False
        return self.position.pending is None and self.match.may_double(self.position.turn)

    def ids(self) -> dict[str, str]:
        """The position in the writings that can carry it: `own`, and where the game allows it `xgid`,
        `gnubg` (Position ID and Match ID) and `position` (the Position ID alone)."""
        dice = None if self.dice is None else (self.dice.first, self.dice.second)
        found = {"own": self.position.id}
        try:
            found["xgid"] = format_xgid(self.position, self.match, dice)
            found["gnubg"] = format_gnubg_id(self.position, self.match, dice)
            found["position"] = format_position_id(self.position)
        except NotationError:
            pass  # of a game, or at a score, that they have no place for
        return found


def bare(card: Card) -> Card:
    """The same card without what says nothing about a position: the clock and where the dice come from."""
    return replace(card, clock=ClockSettings(), dice=DiceSource.CHAINS)


def situation_of(session: Session, dice: Sequence[int] | None = None) -> Situation | None:
    """Return where a match stands, with the throw that is to be played; None between two games."""
    if session.position is None:
        return None
    here = Situation(bare(session.card), session.position, session.score)
    query = here.query | ({"dice": f"{dice[0]}{dice[1]}"} if dice else {})
    return Situation.of_query(query)


def _match(card: Card, query: Mapping[str, str]) -> MatchState:
    """Score and cube of a query; MatchError with every problem."""
    cube, score = _CUBE.fullmatch(query.get("cube") or "1"), _SCORE.fullmatch(query.get("score") or "0.0")
    problems = [] if cube else [Text("a cube is written like 2w: its value and its owner")]
    problems += [] if score else [Text("a score is written like 3.1: White's points and Black's")]
    if cube is None or score is None:
        raise MatchError(JoinedText(*problems, separator="; "), problems)
    if not card.has_cube and cube[0] != "1":
        raise MatchError(reason := Text("this is played without a cube"), [reason])
    return replace(
        card.opening_state(),
        cube=int(cube[1]),
        owner=_OWNERS[cube[2]],
        white=int(score[1]),
        black=int(score[2]),
        crawford=query.get("crawford") == "1",
    )


def _dice(text: str, position: Position) -> Roll | None:
    """The throw of a query, None without one; NotationError for what is none.

    Where something is owed before a throw that is played, and where the game is over nothing is.
    """
    if not text:
        return None
    if re.fullmatch("[1-6]{2}", text) is None:
        raise NotationError(Text("dice are two numbers from 1 to 6, not {text}", text=repr(text[:20])))
    owed = position.pending
    if position.result is not None or (owed is not None and owed.choose is None):
        return None
    return Roll(int(text[0]), int(text[1]))


def _mapping(board: Mapping[str, Any]) -> dict[str, Any]:
    """A board of the page as the mapping that `Variant.position` takes; PositionError for another form."""
    try:
        points = list(board["points"])
        found: dict[str, Any] = {
            side.value: {
                str(place): point[letter] for place, point in enumerate(points, start=1) if point[letter]
            }
            for side, letter in ((Side.WHITE, "w"), (Side.BLACK, "b"))
        }
        for side in Side:
            for part in ("bar", "off"):
                found[f"{side.value}_{part}"] = board[part][side.value]
            if held := board["hand"][side.value]:
                found[f"{side.value}_hand"] = held
            pinned = [place for place, point in enumerate(points, start=1) if point.get("pin") == side.value]
            if pinned:
                found[f"pinned_{side.value}"] = pinned
    except (KeyError, TypeError, AttributeError):
        raise PositionError(Text("this is no board")) from None
    return found


def problems_of(error: SheshbeshError) -> tuple[str, ...]:
    """Every reason of a refusal."""
    return tuple(getattr(error, "problems", ())) or (error.message,)
