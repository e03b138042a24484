"""From what a file says to a game that the rules have gone through.

Every reader hands its entries to `replay_match`, so that the same match gives the same events whatever file
it came from: canonical notation, a resignation wherever a result is explained by neither a bear-off nor a
drop, dances and unplayed rolls told apart. What was unclear or wrong is listed as a `Repair`.

The end of a game is read in three layers: the body (plays that must be legal), the tail (the last roll
before a result, where anything may be written) and the settlement (the result, checked against the score
before the next game).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
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
    xgid,
)
from sheshbesh.records.decision import Decision
from sheshbesh.records.entry import DUMPED, Entry, RawGame, RawMatch
from sheshbesh.records.settle import Ending, settle
from sheshbesh.rules import Play, Position, Side, Variant, variant

MOST_PLAYS = 20_000
"""Rolls in one file beyond which it is no match that anybody played."""
MOST_CANDIDATES = 100_000
"""Weighed plays in one file beyond which no analyser wrote it."""


@dataclass(slots=True)
class Table:
    """One game while its entries are gone through."""

    raw: RawMatch
    game: RawGame
    rules: Variant
    crawford: bool
    position: Position | None = None
    cube: int = 1
    owner: Side | None = None
    offered: int | None = None
    doubler: Side | None = None
    events: list[model.Event] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    ending: Ending | None = None

    def repair(self, entry: Entry, reason: str, done: str) -> None:
        """Note a repair in this game."""
        self.raw.repair(entry.line, entry.found or entry.text or entry.kind, reason, done)

    def board_for(self, side: Side) -> Position:
        """The board with `side` on turn; the start if nothing was played yet."""
        if self.position is None:
            self.position = self.rules.start(side)
        return turned(self.position, side)

    def id_of(self, position: Position, dice: tuple[int, int] | None = None) -> str:
        """The id of a position at this score and cube."""
        raw, game = self.raw, self.game
        money = raw.length is None
        flags = bool(raw.jacoby) + 2 * raw.beavers if money else int(self.crawford)
        return xgid(
            position,
            length=raw.length,
            white=game.white,
            black=game.black,
            cube=self.cube,
            owner=self.owner,
            flags=flags,
            dice=dice,
        )


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
        table = Table(raw, game, rules, crawford)
        _replay_game(table, following)
        games.append(model.Game(game.number, game.white, game.black, table.crawford, tuple(table.events)))
        decisions += table.decisions
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
    """Games are told apart by their numbers: they must grow."""
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


def _replay_game(table: Table, following: RawGame | None) -> None:
    entries = table.game.entries
    last_roll = max((i for i, entry in enumerate(entries) if entry.kind == "roll"), default=-1)
    for index, entry in enumerate(entries):
        if table.ending is not None and entry.kind not in ("wins", "resign", "comment"):
            # A site may ask the winner's opponent once more; nothing was played.
            if entry.kind != "roll" or entry.text or entry.steps:
                table.repair(entry, "this comes after the end of the game", "left out")
            continue
        tail = index == last_roll
        _HANDLERS[entry.kind](table, entry, tail=tail)
    settle(table, following)


# Rolls


def _roll(table: Table, entry: Entry, *, tail: bool) -> None:
    side = entry.side
    assert side is not None
    if entry.dice is None or not all(1 <= die <= 6 for die in entry.dice):
        if entry.text is not None or entry.steps:
            table.repair(entry, "no dice show this", "left out")
        return
    if table.offered is not None:
        _unanswered(table, entry)
    dice = (max(entry.dice), min(entry.dice))
    if table.position is not None and table.position.turn is not side and table.events:
        table.repair(entry, f"{side} rolls though it is the other side's turn", "read as it stands")
    before = table.board_for(side)
    plays = before.legal_plays(dice)
    name, legal, after = _read(table, entry, before, plays, tail=tail)
    event = model.PlayEvent(side, dice, name, legal, table.id_of(before, dice), before, after)
    table.events.append(event)
    # A roll that was never played is not judged; a position that was asked about is all that there is.
    if name is not None or table.raw.format == "position":
        attach_play(table, entry, event, plays)
    table.position = after
    if name is None:
        return
    result = after.result
    if result is not None:
        table.ending = Ending.by_rules(table, result)


def _unanswered(table: Table, entry: Entry) -> None:
    """The game goes on after a double: it was taken."""
    doubler = table.doubler
    assert doubler is not None
    # After a beaver text files go on without a word.
    if not isinstance(table.events[-1], model.BeaverEvent):
        table.repair(entry, "the double before this was not answered", "read as a take")
    _take(table, Entry("take", doubler.other, entry.line), tail=False)


_Reading = tuple[str | None, bool, Position]


def _read(table: Table, entry: Entry, before: Position, plays: Sequence[Play], *, tail: bool) -> _Reading:
    """(canonical play or None, legal, position after) of one roll."""
    legal = list(plays)
    text = entry.text if entry.steps is None else text_of_steps(entry.steps)
    if text is None:
        return _hidden(table, entry, before, legal, tail=tail)
    if not text.strip():
        return _blank(table, entry, before, legal, tail=tail)
    try:
        return _named(before.parse_play(text, entry.dice))
    except SheshbeshError:
        pass
    return _unnamed(table, entry, before, legal, text, tail=tail)


def _named(play: Play) -> _Reading:
    return ("" if play.is_pass else play.notation), True, play.result


def _hidden(table: Table, entry: Entry, before: Position, legal: list[Play], *, tail: bool) -> _Reading:
    """A roll whose play is not shown: never played at the end of a game, unless it bears off the last."""
    side = before.turn
    if tail:
        claimed = next((e.side for e in table.game.entries if e.kind == "wins"), None)
        final = next((play for play in legal if play.result.result is not None), None)
        if claimed is side and final is not None:
            table.repair(entry, "the last bear-off is not shown", f"read as {final.notation}")
            return _named(final)
        return None, True, before
    if len(legal) == 1:
        table.repair(entry, "the play is not shown", f"the only legal one was filled in: {legal[0].notation}")
        return _named(legal[0])
    table.repair(entry, "the play is not shown", "kept as a roll without a play")
    return "", False, turned(before, side.other)


def _blank(table: Table, entry: Entry, before: Position, legal: list[Play], *, tail: bool) -> _Reading:
    """Nothing is written behind the dice: a dance, a forced play, or the roll of a resigned game."""
    if legal[0].is_pass:
        return _named(legal[0])
    if not entry.dance:
        ends = len(legal) == 1 and legal[0].result.result is not None
        if tail and not ends and _ends_unexplained(table):
            return None, True, before
        if len(legal) == 1:
            done = f"the only legal play was filled in: {legal[0].notation}"
            table.repair(entry, "no play is written behind the dice", done)
            return _named(legal[0])
        if tail:
            return None, True, before
    table.repair(entry, "nothing was played though plays were legal", "kept, marked as illegal")
    return "", False, turned(before, before.turn.other)


def _ends_unexplained(table: Table) -> bool:
    """Whether the game ends with a claimed result and no drop."""
    kinds = {entry.kind for entry in table.game.entries}
    claimed = "wins" in kinds or "resign" in kinds or table.game.result is not None
    return claimed and "drop" not in kinds


def _unnamed(
    table: Table, entry: Entry, before: Position, legal: list[Play], text: str, *, tail: bool
) -> _Reading:
    """A play that the rules do not accept as written."""
    if text == DUMPED and entry.board is not None:
        found = play_to(legal, entry.board)
        if found is not None:
            table.repair(entry, "a position stands in place of the play", f"read as {found.notation}")
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
                table.repair(entry, "a hit is marked where there is none", f"read as {found.notation}")
            return _named(found)
    after = place(table.rules, board, before.turn.other) if board is not None else None
    if entry.board is not None:
        after = place(table.rules, entry.board, before.turn.other) or after
    won = after is not None and after.result is not None
    if tail and not won and _ends_unexplained(table):
        table.repair(entry, "the last roll of a resigned game is no legal play", "kept as a roll not played")
        return None, True, before
    if after is None:
        table.repair(
            entry, "this play cannot be made on the board", "kept as written, marked as illegal, not made"
        )
        return plain_text(text), False, turned(before, before.turn.other)
    table.repair(entry, "this play is against the rules and stood", "kept, marked as illegal")
    return plain_text(text), False, after


# The cube


def _double(table: Table, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    side = entry.side
    assert side is not None
    if table.offered is not None:
        if side is _answering(table):
            # An answer by a double of one's own: a beaver as gnubg writes it, or a raccoon.
            _beaver(table, entry, tail=False)
            return
        _unanswered(table, entry)
    before = table.board_for(side)
    if table.owner is not None and table.owner is not side:
        table.repair(entry, f"{side} doubles without owning the cube", "read as it stands")
    if table.crawford:
        table.repair(entry, "a double in the Crawford game", "read as it stands")
    value = 2 * table.cube
    if entry.value is not None and entry.value != value:
        table.repair(entry, f"a double to {entry.value} of a cube at {table.cube}", f"read as {value}")
    table.events.append(model.DoubleEvent(side, value, table.id_of(before), before))
    attach_cube(table, entry, "double", side)
    table.offered, table.doubler, table.position = value, side, before


def _answering(table: Table) -> Side:
    """The side that an open double, beaver or raccoon waits for."""
    assert table.doubler is not None
    turns = 0
    while isinstance(table.events[-1 - turns], model.BeaverEvent):
        turns += 1
    return table.doubler if turns % 2 else table.doubler.other


def _take(table: Table, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    if table.offered is None or table.doubler is None:
        table.repair(entry, "there is no double to take", "left out")
        return
    beavered = isinstance(table.events[-1], model.BeaverEvent)
    taker, owner = _answering(table), table.doubler.other
    assert table.position is not None
    table.events.append(model.TakeEvent(taker, table.offered, table.id_of(table.position), table.position))
    if not beavered:
        attach_cube(table, entry, "take", taker)
    table.cube, table.owner = table.offered, owner
    table.offered = table.doubler = None


def _drop(table: Table, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    if table.offered is None or table.doubler is None:
        table.repair(entry, "there is no double to drop", "read as a resignation")
        _resign(table, entry, tail=False)
        return
    beavered = isinstance(table.events[-1], model.BeaverEvent)
    dropper = _answering(table)
    price = table.offered // 2
    assert table.position is not None
    table.events.append(model.DropEvent(dropper, price, table.id_of(table.position), table.position))
    if not beavered:
        attach_cube(table, entry, "drop", dropper)
    table.offered = table.doubler = None
    table.ending = Ending(dropper.other, price)


def _beaver(table: Table, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    if table.offered is None or table.doubler is None:
        table.repair(entry, "there is no double to beaver", "left out")
        return
    assert table.position is not None
    side = _answering(table)
    table.offered *= 2
    table.events.append(model.BeaverEvent(side, table.offered, table.id_of(table.position), table.position))


# The rest


def _resign(table: Table, entry: Entry, *, tail: bool) -> None:
    """A resignation is settled with the result; here it only says who gave up."""


def _set(table: Table, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    side = entry.side or (table.position.turn if table.position else Side.WHITE)
    found = place(table.rules, entry.board, side) if entry.board else None
    if found is None:
        table.repair(entry, "this board cannot be set up", "left out")
        return
    if entry.value is not None:
        table.cube, table.owner = entry.value, entry.owner
    table.position = found
    table.events.append(model.SetPositionEvent(side, table.id_of(found), found))
    attach_cube(table, entry, "no_double", side)


def _comment(table: Table, entry: Entry, *, tail: bool) -> None:  # noqa: ARG001
    if entry.text:
        table.events.append(model.CommentEvent(entry.text))


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
