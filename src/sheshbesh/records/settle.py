"""How a game ended, and what that was worth: the board, the cube, the file and the next score together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheshbesh.records import model
from sheshbesh.records.entry import Entry, RawGame
from sheshbesh.rules import GameResult, Side

if TYPE_CHECKING:
    from sheshbesh.records.replay import Table

_WHOLE = frozenset({"gammon", "backgammon", "home_mars", "koks"})
_CLASSES = (1, 2, 3)
_ANY_CUBE = frozenset(each << turns for each in _CLASSES for turns in range(7))


@dataclass(frozen=True, slots=True)
class Ending:
    """A game that is over by the rules alone: by a bear-off or a drop. `points` include the cube."""

    winner: Side | None
    points: int
    also: int | None = None

    @classmethod
    def by_rules(cls, table: Table, result: GameResult) -> Ending:
        """The end that the board shows. `also` has its points where Jacoby's rule is not known."""
        points = result.points * table.cube
        unturned = table.owner is None and result.kind in _WHOLE
        if table.raw.length is None and unturned:
            low, high = table.cube, points
            return cls(result.winner, low, high) if table.raw.jacoby else cls(result.winner, high, low)
        return cls(result.winner, points)


def settle(table: Table, following: RawGame | None) -> None:
    """Add the result (and the resignation that explains it), and hold it against the next score."""
    game = table.game
    claim = next((entry for entry in reversed(game.entries) if entry.kind == "wins"), None)
    gains = _gains(game, following)
    if table.ending is None and table.offered is not None and table.doubler is not None and claim is not None:
        _dropped(table, claim)
    if table.ending is not None:
        winner, points = _confirmed(table, table.ending, claim, gains)
    else:
        found = _resigned(table, claim, gains)
        if found is None:
            _unfinished(table, following)
            return
        winner, points = found
        if winner is not None:
            table.events.append(model.ResignEvent(winner.other, points))
    table.events.append(model.ResultEvent(winner, points))
    gain = (points if winner is Side.WHITE else 0, points if winner is Side.BLACK else 0)
    if following is not None and (following.white, following.black) != (
        game.white + gain[0],
        game.black + gain[1],
    ):
        table.raw.repair(
            following.line,
            f"{following.white}-{following.black}",
            f"the score does not follow from the result of game {game.number}: "
            f"{game.white + gain[0]}-{game.black + gain[1]}",
            "both are kept as they stand",
        )


def _gains(game: RawGame, following: RawGame | None) -> tuple[Side, int] | None:
    """Who gained what by the score before the next game; None if that says nothing."""
    if following is None:
        return None
    white, black = following.white - game.white, following.black - game.black
    if white > 0 and black == 0:
        return Side.WHITE, white
    if black > 0 and white == 0:
        return Side.BLACK, black
    return None


def _dropped(table: Table, claim: Entry) -> None:
    doubler = table.doubler
    assert doubler is not None and table.offered is not None and table.position is not None
    table.repair(claim, "a double was not answered and the game ends", "read as a drop")
    price = table.offered // 2
    table.events.append(model.DropEvent(doubler.other, price, table.id_of(table.position), table.position))
    table.ending = Ending(doubler, price)
    table.offered = table.doubler = None


def _confirmed(
    table: Table,
    ending: Ending,
    claim: Entry | None,
    gains: tuple[Side, int] | None,
) -> tuple[Side | None, int]:
    """The board shows how the game ended: the file's own result is checked against it."""
    points = ending.points
    if ending.also is not None:
        told = claim.value if claim is not None else table.game.result[1] if table.game.result else None
        if told is None and gains is not None:
            told = gains[1]
        if told == ending.also:
            points = ending.also
    if claim is not None and claim.value is not None and claim.value != points:
        table.repair(
            claim,
            f"the result is written as {claim.value} points, the board shows {points}",
            f"the result is {points}",
        )
    written = table.game.result
    if claim is None and written is not None and written != (ending.winner, points):
        table.raw.repair(
            table.game.line,
            f"{written[0]} {written[1]}",
            f"the result is written otherwise than the board shows: {ending.winner} {points}",
            f"the result is {points}",
        )
    return ending.winner, points


def _resigned(
    table: Table, claim: Entry | None, gains: tuple[Side, int] | None
) -> tuple[Side | None, int] | None:
    """Winner and points of a game that somebody gave up; None if nothing says that it ended."""
    written = table.game.result
    resigned = next((entry for entry in reversed(table.game.entries) if entry.kind == "resign"), None)
    loser = resigned.side if resigned is not None else None
    winner = claim.side if claim is not None else written[0] if written is not None else None
    points = claim.value if claim is not None else written[1] if written is not None else None
    if points is None and resigned is not None:
        points = resigned.value
    if winner is None and loser is not None:
        winner = loser.other
    if winner is None and gains is None:
        return None
    source = claim or resigned or Entry("wins", winner, table.game.line, f"game {table.game.number}")
    if winner is None or (points is None and gains is not None):
        assert gains is not None
        if winner is None or winner is gains[0]:
            if claim is None and resigned is None:
                table.repair(
                    source, "no result is written", f"read from the next score: {gains[0]} {gains[1]}"
                )
            return gains
    if gains is not None and winner is not gains[0] and gains[1] == points:
        table.repair(
            source, "the result stands in the column of the other side", f"by the next score {gains[0]} won"
        )
        winner = gains[0]
    return winner, _worth(table, source, points, gains)


def _worth(table: Table, source: Entry, points: int | None, gains: tuple[Side, int] | None) -> int:
    """The points of a resignation: a class times the cube."""
    classes = [each * table.cube for each in _CLASSES]
    if points in classes and points is not None:
        return points
    if gains is not None and gains[1] in classes:
        done = gains[1]
    elif points in _ANY_CUBE and points is not None and points > classes[-1]:
        # The cube that would explain it was turned where the file does not show it.
        done = points
    elif points is None or points > classes[-1] or points < 1:
        done = classes[0]
    else:
        done = next(each for each in classes if each >= points)
    table.repair(
        source,
        f"the result is written as {points} points with the cube at {table.cube}",
        f"the result is {done}",
    )
    return done


def _unfinished(table: Table, following: RawGame | None) -> None:
    if following is None:
        return
    table.raw.repair(
        following.line,
        f"game {table.game.number}",
        "the game has no result and the next score does not tell it",
        "kept as an unfinished game",
    )
