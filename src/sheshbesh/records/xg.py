"""Reading eXtreme Gammon's binary files, matches (`.xg`) and positions (`.xgp`), with its analysis.

Records of 2,560 bytes: match header, game header, cube, move, game footer, match footer. Player 1 is White.
The first board of a game is seen by player 1, those of moves by the mover. Layout:
extremegammon.com/XGformat.aspx; offsets are those of its records with Delphi's alignment, checked on files
whose text export is known.
"""

from __future__ import annotations

import math
import struct
from datetime import UTC, datetime, timedelta

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.records.entry import Counts, Entry, RawCandidate, RawCube, RawGame, RawMatch, left_out
from sheshbesh.records.xg_container import contents
from sheshbesh.rules import Side

_UNLIMITED = 99999
_VARIANTS = {0: "backgammon", 1: "nackgammon", 2: "hypergammon", 3: "longgammon"}
_NOT_ANALYSED = -1000.0
_MOST_CANDIDATES = 32
_EPOCH = datetime(1899, 12, 30, tzinfo=UTC)
_EVALUATIONS = 124 + 1284
_LEVELS = 124 + 1156
_MOVES = 124 + 900
_WIDE = 129
_ONE_LEVELS = {
    1000: "XG Roller",
    1001: "XG Roller+",
    1002: "XG Roller++",
    100: "Rollout",
    12: "3-ply red",
    998: "Book",
    999: "Book",
}


def _int(record: bytes, at: int) -> int:
    return int(struct.unpack_from("<i", record, at)[0])


def _double(record: bytes, at: int) -> float | None:
    """A double; None for what is not known."""
    value = float(struct.unpack_from("<d", record, at)[0])
    return value if math.isfinite(value) and abs(value) < -_NOT_ANALYSED / 10 else None


def _error(record: bytes, at: int) -> float | None:
    """An error, written below 0; None for what is not known."""
    value = _double(record, at)
    return None if value is None else abs(value)


def _side(record: bytes, at: int) -> Side | None:
    return {1: Side.WHITE, -1: Side.BLACK}.get(_int(record, at))


def _wide(record: bytes, at: int) -> str:
    text = record[at : at + 2 * _WIDE].decode("utf-16-le", errors="replace")
    return _printable(text.split("\0")[0])


def _ansi(record: bytes, at: int, size: int) -> str:
    length = min(record[at], size)
    return _printable(record[at + 1 : at + 1 + length].decode("cp1252", errors="replace"))


def _printable(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable()).strip()


def read_xg(data: bytes) -> RawMatch:
    """Take the file apart; RecordError if there is no match in it. A "line" of its repairs is a record."""
    found, comments = contents(data)
    head = found[0]
    raw = RawMatch("xg", "xg")
    _head(raw, head)
    game: RawGame | None = None
    for number, record in enumerate(found[1:], start=2):
        kind = record[8]
        if kind == 1:
            game = _game(raw, record, number)
            raw.games.append(game)
        elif kind in (2, 3, 4):
            if game is None:
                raw.repair(
                    number,
                    f"record of type {kind}",
                    Text("it stands before the first game"),
                    Text("left out"),
                )
            elif kind == 2:
                _cube(raw, game, record, number)
                _insert_comment(game, comments, _int(record, 292), number)
            elif kind == 3:
                _move(raw, game, record, number)
                _insert_comment(game, comments, _int(record, 2524), number)
            else:
                _footer(raw, game, record, number)
        elif kind not in (5, 6):
            raw.repair(
                number, f"record of type {kind}", Text("this kind of record is not known"), Text("left out")
            )
    if not raw.games:
        raise RecordError(Text("record 1: no game follows the header of the match"))
    _single_position(raw)
    return raw


def _single_position(raw: RawMatch) -> None:
    """An `.xgp` holds one game that has only begun: a position that was asked about."""
    entries = raw.games[0].entries
    rolls = [entry for entry in entries if entry.kind == "roll"]
    if len(raw.games) > 1 or len(rolls) > 1 or any(entry.text is not None for entry in rolls):
        return
    if any(entry.kind in ("wins", "resign", "take", "drop") for entry in entries):
        return
    raw.format, raw.dialect = "position", "xg"
    cube_comment = next(
        (entry for entry in entries if entry.kind == "comment" and entry.cube is not None), None
    )
    board = next((entry for entry in entries if entry.kind == "set"), None)
    if cube_comment is not None and board is not None:
        entries.remove(cube_comment)
        board.cube, board.side = cube_comment.cube, cube_comment.side
    elif board is not None and board.side is None and rolls:
        board.side = rolls[0].side


def _insert_comment(game: RawGame, comments: list[str], index: int, number: int) -> None:
    """The comment that a record points to."""
    if 0 <= index < len(comments) and comments[index]:
        at = len(game.entries)
        # What was said about not doubling waits for the roll: a comment must not come between them.
        if game.entries and game.entries[-1].kind == "comment" and game.entries[-1].cube is not None:
            at -= 1
        game.entries.insert(at, Entry("comment", None, number, text=comments[index]))


def _head(raw: RawMatch, head: bytes) -> None:
    raw.white = _wide(head, 880) or _ansi(head, 9, 40)
    raw.black = _wide(head, 1138) or _ansi(head, 50, 40)
    length = _int(head, 92)
    if length == _UNLIMITED or length <= 0:
        raw.length = None
    elif length <= 9999:
        raw.length = length
    else:
        raise RecordError(Text("record 1: a match to {n} points: expected at most 9999", n=length))
    variation = _int(head, 96)
    if variation not in _VARIANTS:
        raw.repair(1, f"variation {variation}", Text("this game is not known"), Text("read as backgammon"))
    raw.variant = _VARIANTS.get(variation, "backgammon")
    raw.crawford_rule = bool(head[100]) or raw.length is None
    raw.jacoby, raw.beavers = bool(head[101]), bool(head[102])
    raw.analysed_by = "eXtreme Gammon"
    for tag, text in (
        ("Event", _wide(head, 622) or _ansi(head, 136, 128)),
        ("Site", _wide(head, 1396) or _ansi(head, 283, 128)),
        ("Round", _wide(head, 1654) or _ansi(head, 417, 128)),
        ("Transcriber", _wide(head, 1960)),
    ):
        if text:
            raw.tags[tag] = text
    days = _double_any(head, 128)
    if days is not None and 1 < days < 100_000:
        raw.tags["EventDate"] = f"{_EPOCH + timedelta(days=days):%Y.%m.%d}"


def _double_any(record: bytes, at: int) -> float | None:
    value = float(struct.unpack_from("<d", record, at)[0])
    return value if math.isfinite(value) else None


def _board(record: bytes, at: int, seen_by: Side = Side.WHITE) -> Counts | None:
    """26 places seen by a side: 0 is the bar of the other, 25 its own; None if this is no board."""
    places = struct.unpack_from("26b", record, at)
    if any(abs(count) > 15 for count in places) or not any(places):
        return None
    counts: Counts = {Side.WHITE: [0] * 25, Side.BLACK: [0] * 25}
    for place, count in enumerate(places):
        if count > 0 and place:
            counts[seen_by][place - 1] = count
        elif count < 0 and place < 25:
            counts[seen_by.other][24 - place] = -count
    return counts


def _game(raw: RawMatch, record: bytes, number: int) -> RawGame:
    game = RawGame(_int(record, 48), max(_int(record, 12), 0), max(_int(record, 16), 0), number)
    if not 0 < game.number < 100_000:
        game.number = len(raw.games) + 1
    if raw.length is not None:
        game.crawford = bool(record[20])
    board = _board(record, 21)
    if board is not None and not _is_start(raw, board):
        game.entries.append(Entry("set", None, number, "initial position", board=board))
    return game


def _is_start(raw: RawMatch, board: Counts) -> bool:
    from sheshbesh.records.board import counts
    from sheshbesh.rules import variant

    return counts(variant(raw.variant).start()) == board


def _cube(raw: RawMatch, game: RawGame, record: bytes, number: int) -> None:
    side = _side(record, 12)
    doubled, answer = _int(record, 16), _int(record, 20)
    if side is None:
        raw.repair(number, f"player {_int(record, 12)}", Text("a cube record of nobody"), Text("left out"))
        return
    cube = _equities(record)
    entry = Entry("double", side, number, "cube record", cube=cube, cube_loss=_error(record, 200))
    if doubled != 1:
        # Nobody doubled: what was said about it belongs to the roll that follows.
        if cube is not None and doubled == 0:
            entry.kind = "comment"
            game.entries.append(entry)
        return
    entry.hole = game.hole
    game.entries.append(entry)
    _answers(raw, game, record, number, side, answer, cube)


def _answers(
    raw: RawMatch, game: RawGame, record: bytes, number: int, side: Side, answer: int, cube: RawCube | None
) -> None:
    other, loss = side.other, _error(record, 216)
    if answer == 0:
        game.entries.append(Entry("drop", other, number, "cube record", cube=cube, cube_loss=loss))
    elif answer == 1:
        game.entries.append(Entry("take", other, number, "cube record", cube=cube, cube_loss=loss))
    elif answer == 2:
        game.entries.append(Entry("beaver", other, number, "cube record"))
        if _int(record, 28) > 0:
            game.entries.append(Entry("beaver", side, number, "cube record"))
        dropped = _int(record, 24) == 0
        game.entries.append(Entry("drop" if dropped else "take", side, number, "cube record"))
    else:
        raw.repair(
            number, f"answer {answer}", Text("this answer to a double is not known"), Text("left open")
        )


def _equities(record: bytes) -> RawCube | None:
    """Return what XG says about the cube; None where it said nothing."""
    if _int(record, 232) < 0:
        return None
    chances = struct.unpack_from("<7f", record, 124)
    none, take, drop = struct.unpack_from("<3f", record, 152)
    taken = struct.unpack_from("<7f", record, 168)
    if not all(math.isfinite(each) and abs(each) < 100 for each in (*chances, none, take, drop, *taken)):
        return None
    if not any(chances):
        return None
    return RawCube(
        none,
        take,
        drop,
        _chances(chances),
        _chances(taken),
        chances[6],
        taken[6],
        _level(_int(record, 232)),
    )


def _chances(row: tuple[float, ...]) -> tuple[float, float, float, float, float]:
    """XG's order is lost backgammon, gammon, game, then won game, gammon, backgammon."""
    return row[3], row[4], row[5], row[1], row[0]


def _level(code: int) -> str:
    if code in _ONE_LEVELS:
        return _ONE_LEVELS[code]
    return f"{code + 1}-ply" if 0 <= code < 12 else f"level {code}"


def _move(raw: RawMatch, game: RawGame, record: bytes, number: int) -> None:
    side, dice = _side(record, 64), (_int(record, 100), _int(record, 104))
    cube = _pending(game, side)
    if side is None or not all(1 <= die <= 6 for die in dice):
        raw.repair(number, f"dice {dice}", Text("a roll that no dice show"), left_out(lost=True))
        game.hole = True
        return
    steps = _steps(struct.unpack_from("<8i", record, 68))
    entry = Entry("roll", side, number, f"{dice[0]}{dice[1]}:", dice, "")
    if game.hole:
        entry.given, entry.hole, game.hole = _board(record, 9, side), True, False
    entry.board = _board(record, 35, side)
    if entry.board is None or steps is None:
        # The roll of a resigned game: no position follows from it.
        entry.text = None
    elif record[9:35] != record[35:61]:
        entry.steps = steps
    if cube is not None:
        entry.cube, entry.cube_loss = cube.cube, cube.cube_loss
    _candidates(record, entry)
    entry.loss, entry.luck = _error(record, 2312), _double(record, 2320)
    game.entries.append(entry)


def _pending(game: RawGame, side: Side | None) -> Entry | None:
    """The cube record before this roll, in which nobody doubled."""
    if game.entries and game.entries[-1].kind == "comment" and game.entries[-1].cube is not None:
        entry = game.entries.pop()
        return entry if entry.side is side else None
    return None


def _steps(values: tuple[int, ...]) -> tuple[tuple[int, int], ...] | None:
    """Pairs of points counted from 0; 24 is the bar, below 0 is off, and a first one below 0 ends them."""
    steps = []
    for origin, target in zip(values[::2], values[1::2], strict=True):
        if origin < 0:
            break
        if origin > 24 or target > 24:
            return None
        steps.append((origin + 1, max(target + 1, 0)))
    return tuple(steps)


def _candidates(record: bytes, entry: Entry) -> None:
    count = _int(record, 120)
    if not 0 < count <= _MOST_CANDIDATES or _int(record, 2472) < 0:
        return
    if count == 1 and entry.steps is None:
        # A dance is no choice among plays.
        return
    found = []
    for index in range(count):
        steps = _steps(struct.unpack_from("8b", record, _MOVES + 8 * index))
        row = struct.unpack_from("<7f", record, _EVALUATIONS + 28 * index)
        blank = not steps or any(origin == target for origin, target in steps)
        if steps is None or blank or not all(math.isfinite(each) and abs(each) < 100 for each in row):
            return
        level = struct.unpack_from("<h", record, _LEVELS + 4 * index)[0]
        found.append(RawCandidate(steps, row[6], _chances(row), _level(level)))
    entry.candidates = found
    entry.played = _played(entry)


def _played(entry: Entry) -> int | None:
    """Return which candidate was played: the same steps, in whatever order and however they are joined."""
    if entry.steps is None:
        return None
    mine = _net(entry.steps)
    return next((i for i, each in enumerate(entry.candidates) if _net(each.steps) == mine), None)


def _net(steps: tuple[tuple[int, int], ...]) -> dict[int, int]:
    """Return what the steps change on the mover's side of the board."""
    change: dict[int, int] = {}
    for origin, target in steps:
        change[origin] = change.get(origin, 0) - 1
        change[target] = change.get(target, 0) + 1
    return {point: number for point, number in change.items() if number}


def _footer(raw: RawMatch, game: RawGame, record: bytes, number: int) -> None:
    _pending(game, None)
    winner, points, termination = _side(record, 24), _int(record, 28), _int(record, 32)
    if winner is None or not 0 < points < 100_000:
        raw.repair(
            number,
            f"winner {_int(record, 24)}, {points} points",
            Text("this result cannot be read"),
            Text("left out"),
        )
        return
    game.result = winner, points
    found = f"termination {termination}"
    if 100 <= termination < 1000:
        entry = Entry("resign", winner.other, number, found, value=points)
    else:
        entry = Entry("wins", winner, number, found, value=points)
    entry.hole = game.hole
    game.entries.append(entry)
