"""The end of a game, and its points: the board, the cube, the file and the next score together."""

from __future__ import annotations

from sheshbesh.i18n import Text
from sheshbesh.records import model
from sheshbesh.records.attach import attach_cube
from sheshbesh.records.entry import Entry, RawGame
from sheshbesh.records.game_replay import Ending, GameReplay
from sheshbesh.rules import Side

_DEEDS = frozenset({"roll", "double", "take", "drop", "beaver", "set"})
_MOST = 3 * 64
"""Times the cube that a result may be written at with cubes that the file does not show."""


def take(replay: GameReplay, entry: Entry, side: Side) -> None:
    """Take the double that is open."""
    assert replay.offered is not None and replay.doubler is not None and replay.position is not None
    beavered = isinstance(replay.events[-1], model.BeaverEvent)
    replay.events.append(model.TakeEvent(side, replay.offered, replay.asked, replay.position))
    if not beavered:
        attach_cube(replay, entry, "take", side)
    replay.cube, replay.owner = replay.offered, replay.doubler.other
    replay.offered = replay.doubler = None


def take_unanswered(replay: GameReplay, entry: Entry) -> None:
    """Take the double that is open, because the game goes on after it."""
    side = replay.answering
    # After a beaver text files go on without a word.
    if not isinstance(replay.events[-1], model.BeaverEvent):
        replay.repair(entry, Text("the double before this was not answered"), Text("read as a take"))
    take(replay, Entry("take", side, entry.line), side)


def settle(replay: GameReplay, following: RawGame | None) -> None:
    """Add the result (and the resignation that explains it), and hold it against the next score."""
    game, gains = replay.game, replay.gains
    if not _follows(following, replay.raw.length):
        following = None
    claim, resigned = _claim(replay), _resignation(replay)
    if replay.ending is None and replay.offered is not None:
        _answered(replay, claim, resigned)
    if replay.ending is not None:
        winner, points = _confirmed(replay, replay.ending, claim, gains)
    else:
        found = _resigned(replay, claim, resigned)
        if found is None:
            _unfinished(replay, following)
            return
        winner, points = found
        # On a board that is not known the last checkers may have been borne off.
        said = not replay.lost or resigned is not None or game.resigned
        if winner is not None and said:
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
            Text(
                "the score does not follow from the result of game {number}: {white}-{black}",
                number=game.number,
                white=game.white + gain[0],
                black=game.black + gain[1],
            ),
            Text("both are kept as they stand"),
        )


def _claim(replay: GameReplay) -> Entry | None:
    """The result that the file states last; a repair where it states others, or goes on after one."""
    entries = replay.game.entries
    claims = [entry for entry in entries if entry.kind == "wins"]
    for entry in claims[:-1]:
        if (entry.side, entry.value) != (claims[-1].side, claims[-1].value):
            replay.repair(entry, Text("another result stands below"), Text("left out"))
    if claims and any(entry.kind in _DEEDS for entry in entries[entries.index(claims[-1]) :]):
        replay.repair(
            claims[-1], Text("the game goes on after this"), Text("read as its result all the same")
        )
    return claims[-1] if claims else None


def _follows(following: RawGame | None, length: int | None) -> bool:
    """Return True if a game begins at the score of the next one.

    Where none does, the score is mended, or the game left out, when its turn comes.
    """
    return following is not None and (length is None or max(following.white, following.black) < length)


def gained(game: RawGame, following: RawGame | None, length: int | None) -> tuple[Side, int] | None:
    """Return who gained what by the score before the next game; None if that says nothing."""
    if following is None or not _follows(following, length):
        return None
    white, black = following.white - game.white, following.black - game.black
    if white > 0 and black == 0:
        return Side.WHITE, white
    if black > 0 and white == 0:
        return Side.BLACK, black
    return None


def _told(
    replay: GameReplay, claim: Entry | None, resigned: Entry | None
) -> tuple[Side | None, int | None, Side | None]:
    """Winner and points by the file, the next score included, and the winner as it is written."""
    written, gains = replay.game.result, replay.gains
    winner = claim.side if claim is not None else written[0] if written is not None else None
    points = claim.value if claim is not None else written[1] if written is not None else None
    if points is None and resigned is not None:
        points = resigned.value
    if winner is None and resigned is not None and resigned.side is not None:
        winner = resigned.side.other
    if gains is None:
        return winner, points, winner
    if winner is None or (points is None and winner is gains[0]):
        return *gains, winner
    return (gains[0] if gains[1] == points else winner), points, winner


def _source(replay: GameReplay, claim: Entry | None, resigned: Entry | None, winner: Side) -> Entry:
    """The entry that a repair of a result names; the game where none states one."""
    return claim or resigned or Entry("wins", winner, replay.game.line, f"game {replay.game.number}")


def _answered(replay: GameReplay, claim: Entry | None, resigned: Entry | None) -> None:
    """Answer the double that is open where the game ends."""
    winner, points, _ = _told(replay, claim, resigned)
    doubler = replay.doubler
    assert doubler is not None and replay.offered is not None and replay.position is not None
    if winner is None:
        return
    source, price = _source(replay, claim, resigned, winner), replay.offered // 2
    missing = replay.lost and bool(replay.asked)
    if missing and (winner is not doubler or points not in (None, price)):
        # What is missing behind the double is more than its answer.
        take_unanswered(replay, source)
    elif winner is doubler:
        replay.repair(source, Text("a double was not answered and the game ends"), Text("read as a drop"))
        replay.events.append(model.DropEvent(doubler.other, price, replay.asked, replay.position))
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
    if claim is not None and ending.winner is not None and claim.side not in (ending.winner, None):
        replay.repair(
            claim,
            Text("the result stands in the column of the other side"),
            Text("the board shows that {side} won", side=ending.winner.text),
        )
    if claim is not None and claim.value is not None and claim.value != points:
        replay.repair(
            claim,
            Text(
                "the result is written as {written} points, the board shows {points}",
                written=claim.value,
                points=points,
            ),
            Text("the result is {points}", points=points),
        )
    written = replay.game.result
    if claim is None and written is not None and written != (ending.winner, points):
        replay.raw.repair(
            replay.game.line,
            f"{written[0]} {written[1]}",
            Text(
                "the result is written otherwise than the board shows: {side} {points}",
                side="-" if ending.winner is None else ending.winner.text,
                points=points,
            ),
            Text("the result is {points}", points=points),
        )
    return ending.winner, points


def _resignation(replay: GameReplay) -> Entry | None:
    """The resignation that the game ended with; those after which it went on are left out by name."""
    entries = replay.game.entries
    last = max((index for index, entry in enumerate(entries) if entry.kind in _DEEDS), default=-1)
    # Some programs write that a resignation is accepted as they write a take.
    if last > 0 and entries[last].kind == "take" and entries[last - 1].kind == "resign":
        last -= 1
    for entry in entries[: max(last, 0)]:
        if entry.kind == "resign":
            replay.repair(entry, Text("the game goes on after this"), Text("left out"))
    return next((entry for entry in reversed(entries[max(last, 0) :]) if entry.kind == "resign"), None)


def _resigned(
    replay: GameReplay, claim: Entry | None, resigned: Entry | None
) -> tuple[Side | None, int] | None:
    """Winner and points of a game that somebody gave up; None if nothing says that it ended."""
    winner, points, written = _told(replay, claim, resigned)
    if winner is None:
        return None
    source = _source(replay, claim, resigned, winner)
    if written is None:
        replay.repair(
            source,
            Text("no result is written"),
            Text("read from the next score: {side} {points}", side=winner.text, points=points),
        )
    elif written is not winner:
        replay.repair(
            source,
            Text("the result stands in the column of the other side"),
            Text("by the next score {side} won", side=winner.text),
        )
    return winner, _points(replay, source, winner, points)


def _points(replay: GameReplay, source: Entry, winner: Side, points: int | None) -> int:
    """The points of a resignation: what a class of result pays by the rules of the game, times the cube."""
    position = replay.board_for(winner)
    losses = replay.rules.losses if replay.lost else replay.rules.resignations
    classes = sorted({each * replay.cube for each in losses(position, winner.other).values()})
    if points in classes and points is not None:
        return points
    if replay.gains is not None and replay.gains[1] in classes:
        done = replay.gains[1]
    elif points is None or points < 1:
        done = classes[0]
    elif points > classes[-1]:
        # A power of two more may be a cube that the file does not show; no game is worth more, all the same.
        done = classes[-1] if points % replay.cube == 0 and points <= _MOST * replay.cube else classes[0]
    else:
        done = next(each for each in classes if each >= points)
    cube, most = replay.cube, classes[-1]
    if points is None:
        written = Text("no points are written with the cube at {cube}", cube=cube)
    else:
        written = Text("the result is written as {n} points with the cube at {cube}", n=points, cube=cube)
    if points and points > most:
        written = Text("{written}, no game is worth more than {most} there", written=written, most=most)
    replay.repair(source, written, Text("the result is {points}", points=done))
    return done


def _unfinished(replay: GameReplay, following: RawGame | None) -> None:
    if following is None:
        return
    replay.raw.repair(
        following.line,
        f"game {replay.game.number}",
        Text("the game has no result and the next score does not tell it"),
        Text("kept as an unfinished game"),
    )
