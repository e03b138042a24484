"""One roll of a file against the rules: what was played with it, and where that led.

What the rules accept is named in canonical notation. From a play that is not shown, or cannot be made, the
board is not known, until a position is given: plays are kept as they are written then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.records.board import (
    difference,
    place,
    play_to,
    pushed,
    steps_of_text,
    text_of_steps,
    turned,
    until_borne_off,
    without_padding,
)
from sheshbesh.records.entry import DUMPED, NOT_KNOWN, Entry
from sheshbesh.records.game_replay import GameReplay
from sheshbesh.rules import Play, Position


class Reading(NamedTuple):
    """One roll as it was read.

    `name` is the play, "" for a dance, None for one that was not made or is not shown. `legal` says whether
    the rules accept it, `lost` whether the board is not known after it; `after` is then the last that was.
    """

    name: str | None
    after: Position
    legal: bool = True
    lost: bool = False


def read_roll(replay: GameReplay, entry: Entry, before: Position, plays: Sequence[Play]) -> Reading:
    """One roll on a board that is known."""
    legal = list(plays)
    text = _written(replay, entry)
    if text is None:
        return _hidden(replay, entry, before, legal)
    if text == DUMPED and entry.board is not None:
        return _shown(replay, entry, before, legal)
    if not text.strip():
        return _blank(replay, entry, before, legal)
    try:
        return _named(before.parse_play(text, entry.dice))
    except SheshbeshError:
        return _unnamed(replay, entry, before, legal, text)


def _written(replay: GameReplay, entry: Entry) -> str | None:
    """The play as the file has it; None where it is not shown."""
    text = entry.text if entry.steps is None else text_of_steps(entry.steps)
    if text is None or text == DUMPED:
        return text
    plain = without_padding(text)
    if len(plain.split()) < len(text.split()):
        replay.repair(entry, _PADDED, Text("what moves no checker was left out"))
    return plain


_PADDED = Text("steps that move no checker fill up the play")


def is_readable(entry: Entry) -> bool:
    """Return True if a roll says what was played with it, be that legal or not."""
    if entry.steps is not None or entry.dance or entry.text == DUMPED:
        return True
    if not entry.text or not entry.text.strip():
        return False
    try:
        steps_of_text(without_padding(entry.text))
    except SheshbeshError:
        return False
    return True


def _named(play: Play) -> Reading:
    return Reading("" if play.is_pass else play.notation, play.result)


def unknown_roll(replay: GameReplay, entry: Entry, before: Position) -> Reading:
    """One roll on a board that is not known: the play as it is written, not made."""
    text = _written(replay, entry)
    after = turned(before, before.turn.other)
    if text is not None and entry.dance:
        return Reading("", after, legal=False, lost=True)
    if text is None or text == DUMPED or not text.strip():
        return Reading(None, before, lost=True)
    try:
        return Reading(text_of_steps(steps_of_text(text)), after, legal=False, lost=True)
    except SheshbeshError:
        replay.repair(entry, Text("this play cannot be read"), Text("kept as a roll whose play is not known"))
        return Reading(None, before, lost=True)


def _hidden(replay: GameReplay, entry: Entry, before: Position, legal: list[Play]) -> Reading:
    """A roll whose play is not shown: never played at the end of a game, unless it bears off the last.

    Where the file says that the other side resigned, this roll did not end the game.
    """
    if replay.tail:
        claimed = next((e.side for e in replay.game.entries if e.kind == "wins" and not e.hole), None)
        final = next((play for play in legal if play.result.result is not None), None)
        if claimed is before.turn and final is not None and not _other_resigned(replay, before):
            replay.repair(
                entry,
                Text("the last bear-off is not shown"),
                Text("read as {notation}", notation=final.notation),
            )
            return _named(final)
        return Reading(None, before)
    if len(legal) == 1:
        if legal[0].is_pass:
            return _named(legal[0])
        replay.repair(
            entry,
            Text("the play is not shown"),
            Text("the only legal play was filled in: {notation}", notation=legal[0].notation),
        )
        return _named(legal[0])
    return _lost(replay, entry, before, Text("the play is not shown"))


def _lost(replay: GameReplay, entry: Entry, before: Position, reason: str) -> Reading:
    """A roll whose play is not known, and with it the board."""
    if entry.board is not None:
        done = Text("kept as a roll whose play is not known, with its board")
    else:
        done = Text("kept as a roll whose play is not known, from here on {not_known}", not_known=NOT_KNOWN)
    replay.repair(entry, reason, done)
    # With a board that no play of the roll leads to, what was played is against the rules, whatever it was.
    return Reading(None, before, legal=entry.board is None, lost=True)


def _blank(replay: GameReplay, entry: Entry, before: Position, legal: list[Play]) -> Reading:
    """Nothing is written behind the dice: a dance, a forced play, or the roll of a resigned game."""
    if legal[0].is_pass:
        return _named(legal[0])
    if entry.dance:
        replay.repair(
            entry, Text("nothing was played though plays were legal"), Text("kept, marked as illegal")
        )
        return Reading("", turned(before, before.turn.other), legal=False)
    ends = len(legal) == 1 and legal[0].result.result is not None
    if replay.tail and _ends_unexplained(replay) and (not ends or _other_resigned(replay, before)):
        return Reading(None, before)
    if len(legal) == 1:
        done = Text("the only legal play was filled in: {notation}", notation=legal[0].notation)
        replay.repair(entry, Text("no play is written behind the dice"), done)
        return _named(legal[0])
    if replay.tail:
        return Reading(None, before)
    return _lost(replay, entry, before, Text("no play is written behind the dice though plays were legal"))


def _ends_unexplained(replay: GameReplay) -> bool:
    """Return True if something says that the game ended, other than the roll that is looked at."""
    kinds = {entry.kind for entry in replay.game.entries}
    told = replay.game.result is not None or replay.gains is not None
    return told or "wins" in kinds or "resign" in kinds


def _other_resigned(replay: GameReplay, before: Position) -> bool:
    """Return True if the file says that the side that did not roll gave up."""
    entries = replay.game.entries
    return any(entry.kind == "resign" and entry.side is before.turn.other for entry in entries)


def _shown(replay: GameReplay, entry: Entry, before: Position, legal: list[Play]) -> Reading:
    """A roll of which only the board after it is given."""
    assert entry.board is not None and entry.dice is not None
    found = play_to(legal, entry.board)
    if found is not None:
        if not found.is_pass:
            replay.repair(
                entry,
                Text("a position stands in place of the play"),
                Text("read as {notation}", notation=found.notation),
            )
        return _named(found)
    after = place(replay.rules, entry.board, before.turn.other)
    if replay.tail and (after is None or after.result is None) and _ends_unexplained(replay):
        return _not_played(replay, entry, before)
    if after is None:
        replay.repair(entry, Text("the board that is shown here cannot be"), Text("left out"))
        entry.board = None
        return _lost(replay, entry, before, Text("the play is not shown"))
    steps = difference(before, entry.board, entry.dice)
    if steps is None:
        return _lost(replay, entry, before, Text("no play of this roll leads to the position in its place"))
    replay.repair(entry, _STOOD, Text("kept, marked as illegal"))
    return Reading(text_of_steps(steps), after, legal=False)


_STOOD = Text("this play is against the rules and stood")


def _not_played(replay: GameReplay, entry: Entry, before: Position) -> Reading:
    replay.repair(
        entry, Text("the last roll of a resigned game is no legal play"), Text("kept as a roll not played")
    )
    return Reading(None, before)


def _unnamed(replay: GameReplay, entry: Entry, before: Position, legal: list[Play], text: str) -> Reading:
    """A play that the rules do not accept as written."""
    try:
        written = steps_of_text(text)
    except SheshbeshError:
        if replay.tail and _ends_unexplained(replay):
            return _not_played(replay, entry, before)
        if len(legal) == 1:
            replay.repair(
                entry,
                Text("this play cannot be read"),
                Text("the only legal play was filled in: {notation}", notation=legal[0].notation),
            )
            return _named(legal[0])
        return _lost(replay, entry, before, Text("this play cannot be read"))
    steps = until_borne_off(before, written)
    board = pushed(before, steps)
    if board is not None:
        found = play_to(legal, board)
        if found is not None:
            if len(steps) < len(written):
                replay.repair(entry, _PADDED, Text("read as {notation}", notation=found.notation))
            elif "*" in text:
                replay.repair(
                    entry,
                    Text("a hit is marked where there is none"),
                    Text("read as {notation}", notation=found.notation),
                )
            return _named(found)
    after = place(replay.rules, board, before.turn.other) if board is not None else None
    won = after is not None and after.result is not None
    if replay.tail and not won and _ends_unexplained(replay):
        return _not_played(replay, entry, before)
    if after is None or board is None:
        replay.repair(
            entry,
            Text("this play cannot be made on the board"),
            JoinedText(
                Text("kept as written, marked as illegal, not made"),
                "" if entry.board is not None else NOT_KNOWN,
                separator="; ",
            ),
        )
        other = turned(before, before.turn.other)
        return Reading(text_of_steps(steps), other, legal=False, lost=True)
    replay.repair(entry, _STOOD, Text("kept, marked as illegal"))
    assert entry.dice is not None
    named = difference(before, board, entry.dice)
    return Reading(text_of_steps(steps if named is None else named), after, legal=False)
