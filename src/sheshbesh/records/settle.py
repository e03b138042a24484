"""How a game ended, and for how many points: the board, the cube, the file and the next score together."""

from __future__ import annotations

from sheshbesh.records import model
from sheshbesh.records.entry import Entry, RawGame
from sheshbesh.records.game_replay import Ending, GameReplay
from sheshbesh.rules import Side

_CLASSES = (1, 2, 3)
_ANY_CUBE = frozenset(each << turns for each in _CLASSES for turns in range(7))


def settle(replay: GameReplay, following: RawGame | None) -> None:
    """Add the result (and the resignation that explains it), and hold it against the next score."""
    game = replay.game
    claim = next((entry for entry in reversed(game.entries) if entry.kind == "wins"), None)
    gains = _gains(game, following)
    if (
        replay.ending is None
        and replay.offered is not None
        and replay.doubler is not None
        and claim is not None
    ):
        _dropped(replay, claim)
    if replay.ending is not None:
        winner, points = _confirmed(replay, replay.ending, claim, gains)
    else:
        found = _resigned(replay, claim, gains)
        if found is None:
            _unfinished(replay, following)
            return
        winner, points = found
        if winner is not None:
            replay.events.append(model.ResignEvent(winner.other, points))
    replay.events.append(model.ResultEvent(winner, points))
    gain = (points if winner is Side.WHITE else 0, points if winner is Side.BLACK else 0)
    if following is not None and (following.white, following.black) != (
        game.white + gain[0],
        game.black + gain[1],
    ):
        replay.raw.repair(
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


def _dropped(replay: GameReplay, claim: Entry) -> None:
    doubler = replay.doubler
    assert doubler is not None and replay.offered is not None and replay.position is not None
    replay.repair(claim, "a double was not answered and the game ends", "read as a drop")
    price = replay.offered // 2
    replay.events.append(
        model.DropEvent(doubler.other, price, replay.id_of(replay.position), replay.position)
    )
    replay.ending = Ending(doubler, price)
    replay.offered = replay.doubler = None


def _confirmed(
    replay: GameReplay,
    ending: Ending,
    claim: Entry | None,
    gains: tuple[Side, int] | None,
) -> tuple[Side | None, int]:
    """The board shows how the game ended: the file's own result is checked against it."""
    points = ending.points
    if ending.also is not None:
        stated = claim.value if claim is not None else replay.game.result[1] if replay.game.result else None
        if stated is None and gains is not None:
            stated = gains[1]
        if stated == ending.also:
            points = ending.also
    if claim is not None and claim.value is not None and claim.value != points:
        replay.repair(
            claim,
            f"the result is written as {claim.value} points, the board shows {points}",
            f"the result is {points}",
        )
    written = replay.game.result
    if claim is None and written is not None and written != (ending.winner, points):
        replay.raw.repair(
            replay.game.line,
            f"{written[0]} {written[1]}",
            f"the result is written otherwise than the board shows: {ending.winner} {points}",
            f"the result is {points}",
        )
    return ending.winner, points


def _resigned(
    replay: GameReplay, claim: Entry | None, gains: tuple[Side, int] | None
) -> tuple[Side | None, int] | None:
    """Winner and points of a game that somebody gave up; None if nothing says that it ended."""
    written = replay.game.result
    resigned = next((entry for entry in reversed(replay.game.entries) if entry.kind == "resign"), None)
    loser = resigned.side if resigned is not None else None
    winner = claim.side if claim is not None else written[0] if written is not None else None
    points = claim.value if claim is not None else written[1] if written is not None else None
    if points is None and resigned is not None:
        points = resigned.value
    if winner is None and loser is not None:
        winner = loser.other
    if winner is None and gains is None:
        return None
    source = claim or resigned or Entry("wins", winner, replay.game.line, f"game {replay.game.number}")
    if winner is None or (points is None and gains is not None):
        assert gains is not None
        if winner is None or winner is gains[0]:
            if claim is None and resigned is None:
                replay.repair(
                    source, "no result is written", f"read from the next score: {gains[0]} {gains[1]}"
                )
            return gains
    if gains is not None and winner is not gains[0] and gains[1] == points:
        replay.repair(
            source, "the result stands in the column of the other side", f"by the next score {gains[0]} won"
        )
        winner = gains[0]
    return winner, _points(replay, source, points, gains)


def _points(replay: GameReplay, source: Entry, points: int | None, gains: tuple[Side, int] | None) -> int:
    """The points of a resignation: a class times the cube."""
    classes = [each * replay.cube for each in _CLASSES]
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
    replay.repair(
        source,
        f"the result is written as {points} points with the cube at {replay.cube}",
        f"the result is {done}",
    )
    return done


def _unfinished(replay: GameReplay, following: RawGame | None) -> None:
    if following is None:
        return
    replay.raw.repair(
        following.line,
        f"game {replay.game.number}",
        "the game has no result and the next score does not tell it",
        "kept as an unfinished game",
    )
