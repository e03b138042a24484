"""From what a file says to a game that the rules have gone through.

Every reader hands its entries to `replay_match`, so that the same match gives the same events whatever file
it came from: canonical notation, a resignation wherever a result is explained by neither a bear-off nor a
drop, dances and unplayed rolls distinguished. What was unclear or wrong is listed as a `Repair`.

The end of a game is read in three layers: the body (plays that must be legal), the tail (the last roll
before a result, where anything may be written) and the settlement (the result, checked against the score
before the next game).
"""

from __future__ import annotations

from itertools import pairwise

from sheshbesh.errors import RecordError
from sheshbesh.i18n import FigureText, Text
from sheshbesh.match.state import HIGHEST_CUBE
from sheshbesh.records import model
from sheshbesh.records.attach import attach_cube, attach_play
from sheshbesh.records.board import counts, is_shut_out, place, turned
from sheshbesh.records.decision import Decision
from sheshbesh.records.entry import (
    DUMPED,
    NOT_KNOWN,
    Counts,
    Entry,
    RawGame,
    RawMatch,
    is_crawford_due,
    left_out,
)
from sheshbesh.records.game_replay import Ending, GameReplay
from sheshbesh.records.model import at_line
from sheshbesh.records.rolls import is_readable, read_roll, unknown_roll
from sheshbesh.records.settle import gained, settle, take, take_unanswered
from sheshbesh.rules import Side, variant

MOST_PLAYS = 20_000
"""Rolls in one file beyond which it is no match that anybody played."""
MOST_POINTS = 999_999
"""The longest match, and the highest score."""
MOST_CANDIDATES = 100_000
"""Weighed plays in one file beyond which no analyser wrote it."""


def replay_match(raw: RawMatch) -> model.Match:
    """Go through a file with the rules; RecordError if there is nothing in it to go through."""
    rules = variant(raw.variant)
    if not raw.games:
        raise RecordError(Text("there is no game in this file: expected at least one"))
    rolls = sum(entry.kind == "roll" for game in raw.games for entry in game.entries)
    if rolls > MOST_PLAYS:
        raise RecordError(
            Text("there are {n} rolls in this file; at most {most} can be read", n=rolls, most=MOST_PLAYS)
        )
    weighed = sum(len(entry.candidates) for game in raw.games for entry in game.entries)
    if weighed > MOST_CANDIDATES:
        raise RecordError(
            Text(
                "{n} plays are weighed in this file; at most {most} can be read",
                n=weighed,
                most=MOST_CANDIDATES,
            )
        )
    for points, line in ((raw.length or 0, 1), *((max(g.white, g.black), g.line) for g in raw.games)):
        if points > MOST_POINTS:
            raise RecordError(
                at_line(line, Text("{n} points: expected at most {most}", n=points, most=MOST_POINTS))
            )
    if raw.length is None and raw.jacoby is None:
        raw.jacoby = False
    _number(raw)
    games: list[model.RecordedGame] = []
    decisions: list[Decision] = []
    crawford_played = False
    for index, game in enumerate(raw.games):
        if not _score_can_be(raw, game, games[-1] if games else None):
            continue
        following = raw.games[index + 1] if index + 1 < len(raw.games) else None
        if following is not None and following.number != game.number + 1:
            raw.repair(
                following.line,
                f"game {following.number}",
                Text("games {first} to {last} are missing", first=game.number + 1, last=following.number - 1),
                Text("read as it stands"),
            )
            following = None
        crawford = _crawford(raw, game, played=crawford_played)
        crawford_played |= crawford
        replay = GameReplay(raw, game, rules, crawford)
        _replay_game(replay, following)
        games.append(
            model.RecordedGame(game.number, game.white, game.black, replay.crawford, tuple(replay.events))
        )
        decisions += replay.decisions
    return model.Match(
        raw.format,
        raw.dialect,
        {"white": raw.white, "black": raw.black},
        raw.length,
        raw.variant,
        tuple(games),
        raw.tags,
        tuple(sorted(raw.repairs, key=lambda repair: repair.line)),
        tuple(decisions),
        raw.analysed_by if decisions else None,
        bool(raw.jacoby) and raw.length is None,
        raw.beavers and raw.length is None,
        raw.crawford_rule,
    )


def _number(raw: RawMatch) -> None:
    """Games are identified by their numbers, which must grow."""
    numbers = [game.number for game in raw.games]
    if all(a < b for a, b in pairwise(numbers)):
        return
    raw.repair(
        raw.games[0].line,
        f"games {numbers[:20]}",
        Text("the numbers of the games do not grow"),
        Text("counted anew"),
    )
    for number, game in enumerate(raw.games, start=1):
        game.number = number


def _score_can_be(raw: RawMatch, game: RawGame, before: model.RecordedGame | None) -> bool:
    """Mend a score that no game of the match can begin at; false for a game that comes after its end.

    RecordError where nothing tells the score.
    """
    length, score = raw.length, f"{game.white}-{game.black}"
    if length is None or max(game.white, game.black) < length:
        return True
    reason = Text("the score is {score} in a match to {n} points", score=FigureText(score), n=length)
    if before is None:
        raise RecordError(
            at_line(game.line, Text("{reason}: expected fewer than {n} each", reason=reason, n=length))
        )
    result = before.result
    gain = result.points if result is not None else 0
    white = before.white + (gain if result is not None and result.winner is Side.WHITE else 0)
    black = before.black + (gain if result is not None and result.winner is Side.BLACK else 0)
    if max(white, black) >= length:
        raw.repair(
            game.line,
            f"game {game.number}",
            Text("{reason}, which was over", reason=reason),
            Text("this game was left out"),
        )
        return False
    raw.repair(
        game.line,
        f"game {game.number}",
        reason,
        Text("read as the score that was reached: {white}-{black}", white=white, black=black),
    )
    game.white, game.black = white, black
    return True


def _crawford(raw: RawMatch, game: RawGame, *, played: bool) -> bool:
    """Return True if the cube rests in this game: never written in text files, it follows from the score."""
    length = raw.length
    due = is_crawford_due(length, game.white, game.black, played=played)
    if game.crawford and not due:
        raw.repair(
            game.line,
            f"game {game.number}",
            Text("a Crawford game at {white}-{black}, where none is due", white=game.white, black=game.black),
            Text("read as a game that is none"),
        )
        return False
    if game.crawford is not None:
        return game.crawford
    has_cube = bool(variant(raw.variant).axes["cube"]["use"])
    unplayed = raw.crawford_rule and not played and has_cube
    if not is_crawford_due(length, game.white, game.black, played=not unplayed):
        return False
    if any(entry.kind == "double" for entry in game.entries):
        line = next(entry.line for entry in game.entries if entry.kind == "double")
        raw.repair(
            line,
            f"game {game.number}",
            Text("a double at a score where the Crawford game is due"),
            Text("read as a game after it"),
        )
        return False
    return True


def _replay_game(replay: GameReplay, following: RawGame | None) -> None:
    _sift(replay)
    _join_boards(replay)
    game, entries = replay.game, replay.game.entries
    replay.gains = gained(game, following, replay.raw.length)
    last = max((i for i, entry in enumerate(entries) if entry.kind not in _NO_DEED), default=-1)
    for index, entry in enumerate(entries):
        if replay.ending is not None and entry.kind not in ("wins", "resign", "comment"):
            # A site may ask the winner's opponent once more; nothing was played.
            if entry.kind != "roll" or entry.text or entry.steps:
                replay.repair(entry, Text("this comes after the end of the game"), Text("left out"))
            continue
        replay.tail = index == last
        if entry.hole and entry.given is None and not _answers(replay, entry):
            _lose(replay, entry)
        _HANDLERS[entry.kind](replay, entry)
    if game.hole and not (entries and entries[-1].kind in ("wins", "resign")):
        replay.lost = True
    if replay.raw.format != "position":
        settle(replay, following)


def _sift(replay: GameReplay) -> None:
    """Leave out by name what does nothing, so that the last deed is one; what is missing is so all the same.

    Left out are takes and beavers without a double, dice that there are not and boards that cannot be. A drop
    without a double is a resignation.
    """
    game, kept = replay.game, []
    offered = hole = False
    for entry in game.entries:
        entry.hole |= hole
        hole = False
        if entry.kind in ("take", "drop", "beaver") and not offered:
            reason = _NO_DOUBLE[entry.kind]
            if entry.kind == "drop":
                replay.repair(entry, reason, Text("read as a resignation"))
                entry.kind = "resign"
            else:
                replay.repair(entry, reason, Text("left out"))
                hole = entry.hole
                continue
        elif entry.kind == "roll" and (entry.dice is None or not all(1 <= die <= 6 for die in entry.dice)):
            hole = entry.hole
            if entry.text or entry.steps:
                replay.repair(entry, Text("no dice show this"), left_out(lost=True))
                hole, offered = True, False
            continue
        elif entry.kind == "set":
            board, sides = entry.board, tuple(Side) if entry.side is None else (entry.side,)
            if board is None or not all(place(replay.rules, board, side) for side in sides):
                replay.repair(entry, Text("this board cannot be set up"), Text("left out"))
                hole = entry.hole
                continue
            entry.hole = False
        if entry.kind in ("double", "beaver"):
            offered = True
        elif entry.kind in ("roll", "take", "drop"):
            offered = False
        kept.append(entry)
    game.entries, game.hole = kept, game.hole or hole


_NO_DOUBLE = {
    "take": Text("there is no double to take"),
    "drop": Text("there is no double to drop"),
    "beaver": Text("there is no double to beaver"),
}


def _answers(replay: GameReplay, entry: Entry) -> bool:
    """Return True if an entry answers a double: nothing can be missing between the two."""
    if replay.offered is None:
        return False
    return _beavers(replay, entry) or entry.kind in ("take", "drop", "beaver")


def _beavers(replay: GameReplay, entry: Entry) -> bool:
    """Return True if a double answers the open one: in money play a beaver, as gnubg writes it."""
    return replay.raw.length is None and entry.kind == "double" and entry.side is replay.answering


def _lose(replay: GameReplay, entry: Entry) -> None:
    """Lose the board; a double before that was taken, since the game goes on."""
    if replay.offered is not None and entry.kind in ("roll", "double"):
        take_unanswered(replay, entry)
    replay.lost = True


_NO_DEED = ("resign", "wins", "comment")


def _join_boards(replay: GameReplay) -> None:
    """Take the board that follows a play that is not shown for the one that the play led to.

    So gnubg writes an illegal play in SGF, and so are plays written that are not known.
    """
    game = replay.game
    deeds = [entry for entry in game.entries if entry.kind != "comment"]
    for roll, after in pairwise(deeds):
        if roll.kind != "roll" or roll.side is None or after.hole or is_readable(roll):
            continue
        if roll.text and (after.board if after.kind == "set" else after.given) is not None:
            replay.repair(roll, Text("this play cannot be read"), Text("read by the board behind it"))
        if after.kind == "set" and after.board is not None:
            roll.text, roll.board = DUMPED, after.board
            roll.value, roll.owner = after.value, after.owner
            game.entries = [entry for entry in game.entries if entry is not after]
        elif after.given is not None:
            roll.text, roll.board = DUMPED, after.given


# Rolls


def _roll(replay: GameReplay, entry: Entry) -> None:
    side = entry.side
    assert side is not None and entry.dice is not None
    if replay.offered is not None:
        take_unanswered(replay, entry)
    if entry.given is not None:
        _given(replay, entry, side)
    dice = (max(entry.dice), min(entry.dice))
    _other_turn(replay, entry, Text("{side} rolls though it is the other side's turn", side=side.text))
    before = replay.board_for(side)
    plays = before.legal_plays(dice)
    read = unknown_roll(replay, entry, before) if replay.lost else read_roll(replay, entry, before, plays)
    event = model.PlayEvent(side, dice, read.name, read.legal, replay.id_of(before, dice), before, read.after)
    replay.events.append(event)
    # A roll that was never played is not judged; a position that was asked about is all that there is.
    if read.name is not None or read.lost or replay.lost or replay.raw.format == "position":
        attach_play(replay, entry, event, plays)
    replay.lost = read.lost
    replay.position = turned(read.after, side.other) if read.lost else read.after
    if entry.board is not None and (
        read.lost or (read.name is not None and counts(read.after) != entry.board)
    ):
        replay.set_cube(entry)
        _show(replay, entry, entry.board, side.other)
    if read.name is None or replay.lost:
        return
    assert replay.position is not None
    if replay.position.result is not None:
        replay.ending = replay.ending_of(replay.position.result)


def _other_turn(replay: GameReplay, entry: Entry, reason: Text) -> None:
    """Lose the board where the other side's turn is missing, unless it could move with no roll at all."""
    position = replay.position
    if position is None or position.turn is entry.side or not replay.events:
        return
    if replay.lost or is_shut_out(position):
        replay.repair(entry, reason, Text("read as it stands"))
        return
    if entry.given is not None and entry.side is not None:
        replay.repair(entry, reason, Text("set up as shown"))
        _show(replay, entry, entry.given, entry.side)
        return
    replay.repair(entry, reason, Text("read as it stands; {not_known}", not_known=NOT_KNOWN))
    replay.lost = True


def _given(replay: GameReplay, entry: Entry, side: Side) -> None:
    """Hold the board against the one that the file shows before this."""
    assert entry.given is not None
    if replay.lost or counts(replay.board_for(side)) != entry.given:
        if replay.events and not replay.lost:
            replay.repair(
                entry,
                Text("the plays before this do not lead to the board that is shown"),
                Text("set up as shown"),
            )
        _show(replay, entry, entry.given, side)


def _show(replay: GameReplay, entry: Entry, board: Counts, side: Side) -> None:
    """Put up the board that the file shows, with `side` on turn: it is known from here on."""
    found = place(replay.rules, board, side)
    if found is None:
        replay.repair(entry, Text("the board that is shown here cannot be"), Text("left out"))
        return
    replay.lost, replay.position = False, found
    replay.events.append(model.SetPositionEvent(side, replay.id_of(found), found))


# The cube


def _double(replay: GameReplay, entry: Entry) -> None:
    side = entry.side
    assert side is not None
    if replay.offered is not None:
        if _beavers(replay, entry):
            _beaver(replay, entry)
            return
        take_unanswered(replay, entry)
    if entry.given is not None:
        _given(replay, entry, side)
    _other_turn(replay, entry, Text("{side} doubles though it is the other side's turn", side=side.text))
    before = replay.board_for(side)
    if replay.owner is not None and replay.owner is not side:
        replay.repair(
            entry, Text("{side} doubles without owning the cube", side=side.text), Text("read as it stands")
        )
    if replay.crawford:
        replay.repair(entry, Text("a double in the Crawford game"), Text("read as it stands"))
    value = _turned_cube(replay.cube, entry)
    if entry.value is not None and entry.value != value:
        replay.repair(
            entry,
            Text("a double to {value} of a cube at {cube}", value=entry.value, cube=replay.cube),
            Text("read as {value}", value=value),
        )
    replay.events.append(model.DoubleEvent(side, value, replay.id_of(before), before))
    attach_cube(replay, entry, "double", side)
    replay.offered, replay.doubler, replay.position = value, side, before


def _turned_cube(cube: int, entry: Entry) -> int:
    """Twice the cube; RecordError past the highest there is."""
    if 2 * cube > HIGHEST_CUBE:
        raise RecordError(
            at_line(
                entry.line,
                Text("a double of a cube at {cube}: no cube is above {most}", cube=cube, most=HIGHEST_CUBE),
            )
        )
    return 2 * cube


def _answerer(replay: GameReplay, entry: Entry) -> Side:
    """The side that answers; a repair where the file says that the other one did."""
    side = replay.answering
    if entry.side is not None and entry.side is not side:
        replay.repair(
            entry,
            Text("{side} answers a double that the other side has to answer", side=entry.side.text),
            Text("read as the answer of {side}", side=side.text),
        )
    return side


def _take(replay: GameReplay, entry: Entry) -> None:
    take(replay, entry, _answerer(replay, entry))


def _drop(replay: GameReplay, entry: Entry) -> None:
    beavered = isinstance(replay.events[-1], model.BeaverEvent)
    dropper = _answerer(replay, entry)
    assert replay.offered is not None and replay.position is not None
    price = replay.offered // 2
    replay.events.append(model.DropEvent(dropper, price, replay.asked, replay.position))
    if not beavered:
        attach_cube(replay, entry, "drop", dropper)
    replay.offered = replay.doubler = None
    replay.ending = Ending(dropper.other, price)


def _beaver(replay: GameReplay, entry: Entry) -> None:
    assert replay.offered is not None and replay.position is not None
    side = _answerer(replay, entry)
    replay.offered = _turned_cube(replay.offered, entry)
    replay.events.append(model.BeaverEvent(side, replay.offered, replay.asked, replay.position))


# The rest


def _resign(replay: GameReplay, entry: Entry) -> None:
    """A resignation is settled with the result; here it only says who gave up."""


def _set(replay: GameReplay, entry: Entry) -> None:
    side = entry.side or (replay.position.turn if replay.position else Side.WHITE)
    assert entry.board is not None
    found = place(replay.rules, entry.board, side)
    assert found is not None
    replay.set_cube(entry)
    replay.lost, replay.position = False, found
    replay.events.append(model.SetPositionEvent(side, replay.id_of(found), found))
    attach_cube(replay, entry, "no_double", side)


def _comment(replay: GameReplay, entry: Entry) -> None:
    if entry.text:
        replay.events.append(model.CommentEvent(entry.text))


_HANDLERS = {
    "roll": _roll,
    "double": _double,
    "take": _take,
    "drop": _drop,
    "beaver": _beaver,
    "resign": _resign,
    "wins": _resign,
    "set": _set,
    "comment": _comment,
}
