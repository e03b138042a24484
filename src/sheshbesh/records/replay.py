"""From what a file says to a game that the rules have gone through.

Every reader hands its entries to `replay_match`, so that the same match gives the same events whatever file
it came from: canonical notation, a resignation wherever a result is explained by neither a bear-off nor a
drop, dances and unplayed rolls distinguished. What was unclear or wrong is listed as a `Repair`.

The end of a game is read in three layers: the body (plays that must be legal), the tail (the last roll
before a result, where anything may be written) and the settlement (the result, checked against the score
before the next game).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.records import model
from sheshbesh.records.attach import attach_cube, attach_play
from sheshbesh.records.board import (
    Steps,
    difference,
    place,
    plain_text,
    play_to,
    pushed,
    steps_of_text,
    text_of_steps,
    turned,
)
from sheshbesh.records.entry import DUMPED, Entry, RawGame, RawMatch
from sheshbesh.records.game_replay import Ending, GameReplay
from sheshbesh.records.settle import settle
from sheshbesh.rules import Play, Position, Side, variant

MOST_PLAYS = 20_000
"""Rolls in one file beyond which it is no match that anybody played."""
MOST_CANDIDATES = 100_000
"""Weighed plays in one file beyond which no analyser wrote it."""


def replay_match(raw: RawMatch) -> model.Match:
    """Go through a file with the rules; RecordError if there is nothing in it to go through."""
    rules = variant(raw.variant)
    if not raw.games:
        raise RecordError("there is no game in this file: expected at least one")
    rolls = sum(entry.kind == "roll" for game in raw.games for entry in game.entries)
    if rolls > MOST_PLAYS:
        raise RecordError(f"there are {rolls} rolls in this file; at most {MOST_PLAYS} can be read")
    weighed = sum(len(entry.candidates) for game in raw.games for entry in game.entries)
    if weighed > MOST_CANDIDATES:
        raise RecordError(f"{weighed} plays are weighed in this file; at most {MOST_CANDIDATES} can be read")
    if raw.length is None and raw.jacoby is None:
        raw.jacoby = False
    _number(raw)
    games, decisions = [], []
    crawford_played = False
    for index, game in enumerate(raw.games):
        following = raw.games[index + 1] if index + 1 < len(raw.games) else None
        crawford = _crawford(raw, game, played=crawford_played)
        crawford_played |= crawford
        replay = GameReplay(raw, game, rules, crawford)
        _replay_game(replay, following)
        games.append(model.Game(game.number, game.white, game.black, replay.crawford, tuple(replay.events)))
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
        raw.games[0].line, f"games {numbers[:20]}", "the numbers of the games do not grow", "counted anew"
    )
    for number, game in enumerate(raw.games, start=1):
        game.number = number


def _crawford(raw: RawMatch, game: RawGame, *, played: bool) -> bool:
    """Whether the cube rests in this game: never written in text files, it follows from the score."""
    length = raw.length
    if game.crawford is not None:
        return game.crawford
    has_cube = bool(variant(raw.variant).axes["cube"]["use"])
    if length is None or length < 2 or not raw.crawford_rule or played or not has_cube:
        return False
    away = sorted((length - game.white, length - game.black))
    if away[0] != 1:
        return False
    if any(entry.kind == "double" for entry in game.entries):
        line = next(entry.line for entry in game.entries if entry.kind == "double")
        raw.repair(
            line,
            f"game {game.number}",
            "a double at a score where the Crawford game is due",
            "read as a game after it",
        )
        return False
    return True


def _replay_game(replay: GameReplay, following: RawGame | None) -> None:
    entries = replay.game.entries
    last_roll = max((i for i, entry in enumerate(entries) if entry.kind == "roll"), default=-1)
    for index, entry in enumerate(entries):
        if replay.ending is not None and entry.kind not in ("wins", "resign", "comment"):
            # A site may ask the winner's opponent once more; nothing was played.
            if entry.kind != "roll" or entry.text or entry.steps:
                replay.repair(entry, "this comes after the end of the game", "left out")
            continue
        tail = index == last_roll
        _HANDLERS[entry.kind](replay, entry, tail=tail)
    settle(replay, following)


# Rolls


def _roll(replay: GameReplay, entry: Entry, *, tail: bool) -> None:
    side = entry.side
    assert side is not None
    if entry.dice is None or not all(1 <= die <= 6 for die in entry.dice):
        if entry.text is not None or entry.steps:
            replay.repair(entry, "no dice show this", "left out")
        return
    if replay.offered is not None:
        _unanswered(replay, entry)
    dice = (max(entry.dice), min(entry.dice))
    if replay.position is not None and replay.position.turn is not side and replay.events:
        replay.repair(entry, f"{side} rolls though it is the other side's turn", "read as it stands")
    before = replay.board_for(side)
    plays = before.legal_plays(dice)
    name, legal, after = _read(replay, entry, before, plays, tail=tail)
    event = model.PlayEvent(side, dice, name, legal, replay.id_of(before, dice), before, after)
    replay.events.append(event)
    # A roll that was never played is not judged; a position that was asked about is all that there is.
    if name is not None or replay.raw.format == "position":
        attach_play(replay, entry, event, plays)
    replay.position = after
    if name is None:
        return
    result = after.result
    if result is not None:
        replay.ending = replay.ending_of(result)


def _unanswered(replay: GameReplay, entry: Entry) -> None:
    """The game goes on after a double: it was taken."""
    doubler = replay.doubler
    assert doubler is not None
    # After a beaver text files go on without a word.
    if not isinstance(replay.events[-1], model.BeaverEvent):
        replay.repair(entry, "the double before this was not answered", "read as a take")
    _take(replay, Entry("take", doubler.other, entry.line), tail=False)


_Reading = tuple[str | None, bool, Position]


def _read(
    replay: GameReplay, entry: Entry, before: Position, plays: Sequence[Play], *, tail: bool
) -> _Reading:
    """(canonical play or None, legal, position after) of one roll."""
    legal = list(plays)
    text = entry.text if entry.steps is None else text_of_steps(entry.steps)
    if text is None:
        return _hidden(replay, entry, before, legal, tail=tail)
    if not text.strip():
        return _blank(replay, entry, before, legal, tail=tail)
    try:
        return _named(before.parse_play(text, entry.dice))
    except SheshbeshError:
        pass
    return _unnamed(replay, entry, before, legal, text, tail=tail)


def _named(play: Play) -> _Reading:
    return ("" if play.is_pass else play.notation), True, play.result


def _hidden(replay: GameReplay, entry: Entry, before: Position, legal: list[Play], *, tail: bool) -> _Reading:
    """A roll whose play is not shown: never played at the end of a game, unless it bears off the last."""
    side = before.turn
    if tail:
        claimed = next((e.side for e in replay.game.entries if e.kind == "wins"), None)
        final = next((play for play in legal if play.result.result is not None), None)
        if claimed is side and final is not None:
            replay.repair(entry, "the last bear-off is not shown", f"read as {final.notation}")
            return _named(final)
        return None, True, before
    if len(legal) == 1:
        replay.repair(
            entry, "the play is not shown", f"the only legal one was filled in: {legal[0].notation}"
        )
        return _named(legal[0])
    replay.repair(entry, "the play is not shown", "kept as a roll without a play")
    return "", False, turned(before, side.other)


def _blank(replay: GameReplay, entry: Entry, before: Position, legal: list[Play], *, tail: bool) -> _Reading:
    """Nothing is written behind the dice: a dance, a forced play, or the roll of a resigned game."""
    if legal[0].is_pass:
        return _named(legal[0])
    if not entry.dance:
        ends = len(legal) == 1 and legal[0].result.result is not None
        if tail and not ends and _ends_unexplained(replay):
            return None, True, before
        if len(legal) == 1:
            done = f"the only legal play was filled in: {legal[0].notation}"
            replay.repair(entry, "no play is written behind the dice", done)
            return _named(legal[0])
        if tail:
            return None, True, before
    replay.repair(entry, "nothing was played though plays were legal", "kept, marked as illegal")
    return "", False, turned(before, before.turn.other)


def _ends_unexplained(replay: GameReplay) -> bool:
    """Whether the game ends with a claimed result and no drop."""
    kinds = {entry.kind for entry in replay.game.entries}
    claimed = "wins" in kinds or "resign" in kinds or replay.game.result is not None
    return claimed and "drop" not in kinds


def _unnamed(
    replay: GameReplay, entry: Entry, before: Position, legal: list[Play], text: str, *, tail: bool
) -> _Reading:
    """A play that the rules do not accept as written."""
    if text == DUMPED and entry.board is not None:
        found = play_to(legal, entry.board)
        if found is not None:
            replay.repair(entry, "a position stands in place of the play", f"read as {found.notation}")
            return _named(found)
        text = difference(before, entry.board)
    try:
        steps: Steps | None = steps_of_text(text)
    except SheshbeshError:
        steps = None
    board = pushed(before, steps) if steps else None
    if board is not None:
        found = play_to(legal, board)
        if found is not None:
            if "*" in text:
                replay.repair(entry, "a hit is marked where there is none", f"read as {found.notation}")
            return _named(found)
    after = place(replay.rules, board, before.turn.other) if board is not None else None
    if entry.board is not None:
        after = place(replay.rules, entry.board, before.turn.other) or after
    won = after is not None and after.result is not None
    if tail and not won and _ends_unexplained(replay):
        replay.repair(entry, "the last roll of a resigned game is no legal play", "kept as a roll not played")
        return None, True, before
    if after is None:
        replay.repair(
            entry, "this play cannot be made on the board", "kept as written, marked as illegal, not made"
        )
        return plain_text(text), False, turned(before, before.turn.other)
    replay.repair(entry, "this play is against the rules and stood", "kept, marked as illegal")
    return plain_text(text), False, after


# The cube


def _double(replay: GameReplay, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    side = entry.side
    assert side is not None
    if replay.offered is not None:
        if side is _answering(replay):
            # An answer by a double of one's own: a beaver as gnubg writes it, or a raccoon.
            _beaver(replay, entry, tail=False)
            return
        _unanswered(replay, entry)
    before = replay.board_for(side)
    if replay.owner is not None and replay.owner is not side:
        replay.repair(entry, f"{side} doubles without owning the cube", "read as it stands")
    if replay.crawford:
        replay.repair(entry, "a double in the Crawford game", "read as it stands")
    value = 2 * replay.cube
    if entry.value is not None and entry.value != value:
        replay.repair(entry, f"a double to {entry.value} of a cube at {replay.cube}", f"read as {value}")
    replay.events.append(model.DoubleEvent(side, value, replay.id_of(before), before))
    attach_cube(replay, entry, "double", side)
    replay.offered, replay.doubler, replay.position = value, side, before


def _answering(replay: GameReplay) -> Side:
    """The side that an open double, beaver or raccoon waits for."""
    assert replay.doubler is not None
    turns = 0
    while isinstance(replay.events[-1 - turns], model.BeaverEvent):
        turns += 1
    return replay.doubler if turns % 2 else replay.doubler.other


def _take(replay: GameReplay, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    if replay.offered is None or replay.doubler is None:
        replay.repair(entry, "there is no double to take", "left out")
        return
    beavered = isinstance(replay.events[-1], model.BeaverEvent)
    taker, owner = _answering(replay), replay.doubler.other
    assert replay.position is not None
    replay.events.append(
        model.TakeEvent(taker, replay.offered, replay.id_of(replay.position), replay.position)
    )
    if not beavered:
        attach_cube(replay, entry, "take", taker)
    replay.cube, replay.owner = replay.offered, owner
    replay.offered = replay.doubler = None


def _drop(replay: GameReplay, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    if replay.offered is None or replay.doubler is None:
        replay.repair(entry, "there is no double to drop", "read as a resignation")
        _resign(replay, entry, tail=False)
        return
    beavered = isinstance(replay.events[-1], model.BeaverEvent)
    dropper = _answering(replay)
    price = replay.offered // 2
    assert replay.position is not None
    replay.events.append(model.DropEvent(dropper, price, replay.id_of(replay.position), replay.position))
    if not beavered:
        attach_cube(replay, entry, "drop", dropper)
    replay.offered = replay.doubler = None
    replay.ending = Ending(dropper.other, price)


def _beaver(replay: GameReplay, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    if replay.offered is None or replay.doubler is None:
        replay.repair(entry, "there is no double to beaver", "left out")
        return
    assert replay.position is not None
    side = _answering(replay)
    replay.offered *= 2
    replay.events.append(
        model.BeaverEvent(side, replay.offered, replay.id_of(replay.position), replay.position)
    )


# The rest


def _resign(replay: GameReplay, entry: Entry, *, tail: bool) -> None:
    """A resignation is settled with the result; here it only says who gave up."""


def _set(replay: GameReplay, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    side = entry.side or (replay.position.turn if replay.position else Side.WHITE)
    found = place(replay.rules, entry.board, side) if entry.board else None
    if found is None:
        replay.repair(entry, "this board cannot be set up", "left out")
        return
    if entry.value is not None:
        replay.cube, replay.owner = entry.value, entry.owner
    replay.position = found
    replay.events.append(model.SetPositionEvent(side, replay.id_of(found), found))
    attach_cube(replay, entry, "no_double", side)


def _comment(replay: GameReplay, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
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
