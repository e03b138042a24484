"""Reading backgammon from the Smart Game Format (`GM[6]`), with gnubg's analysis.

Points are letters: a to x are White's points 1 to 24 and Black's 24 to 1, y the bar, z off. gnubg adds
`A` (the plays that were weighed), `DA` (the cube before the roll), `LU` (luck of the roll) and `GS` (totals
of a game, which are worked out again here and not read). Cubeful equities of `DA` are winning chances in a
match and points in money play. Source: red-bean.com/sgf/backgammon.html; what gnubg adds was read from
its files. Docs: docs/guide/match-files.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.records.entry import (
    NOT_KNOWN,
    Counts,
    Entry,
    RawCandidate,
    RawCube,
    RawGame,
    RawMatch,
    left_out,
)
from sheshbesh.records.model import at_line
from sheshbesh.records.sgf_tree import Node, parse
from sheshbesh.rules import Side

_SIDES = {"W": Side.WHITE, "B": Side.BLACK}
_RESULT = re.compile(r"^\s*([WB])\s*\+\s*(\d+)(R?)", re.IGNORECASE)
_INFO = re.compile(r"(\w+):(-?\d+)")
_MOVE = re.compile(r"^\s*([1-6])([1-6])((?:[a-z]{2})*)\s*$")
_OUTPUT = re.compile(r"Output((?:\s+[-+.\deEinfa]+){5,7})")
_VARIANTS = {
    "nackgammon": "nackgammon",
    "hypergammon3": "hypergammon",
    "hypergammon": "hypergammon",
}
_TAGS = {
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "DT": "EventDate",
    "AN": "Transcriber",
    "WR": "White rating",
    "BR": "Black rating",
    "GC": "Comment",
    "ON": "Opening",
    "CP": "Copyright",
}


_MOST_NAMED = 20
_READ = {
    *(*_TAGS, "FF", "GM", "CA", "AP", "MI", "PW", "PB", "RU", "RE", "XB", "W", "B", "DI", "PL", "C", "MN"),
    *("AE", "AW", "AB", "CV", "CO", "A", "DA", "LU"),
    # Marks and totals, which are worked out anew from the analysis, and how a program shows a board.
    *("GS", "MR", "BM", "DO", "IT", "BC", "DC", "GB", "GW", "DM", "UC", "HO", "ST", "SZ", "FG", "VW"),
}
"""The properties that are read, or that say nothing of their own."""


def looks_like_sgf(text: str) -> bool:
    """Return True if a text begins like a game tree."""
    return re.match(r"[\s\S]{0,200}?\(\s*;", text[:400]) is not None


def read_sgf(text: str) -> RawMatch:
    """Take the file apart; RecordError if it is no backgammon."""
    trees, variations = parse(text)
    if not trees:
        raise RecordError(at_line(1, Text("there is no game in this file")))
    root = trees[0][0]
    if (game := root.get("GM")) is not None and game.strip() != "6":
        raise RecordError(
            at_line(root.line, Text("GM[{game}] is another game: expected GM[6], backgammon", game=game))
        )
    raw = RawMatch("sgf", "sgf")
    _head(raw, root)
    for line in variations[:_MOST_NAMED]:
        raw.repair(line, "(", Text("a variation beside the game"), Text("left out"))
    _unknown(raw, trees)
    for index, tree in enumerate(trees):
        if index and (other := tree[0].get("GM")) is not None and other.strip() != "6":
            raw.repair(tree[0].line, f"GM[{other}]", Text("this is another game"), Text("left out"))
            continue
        if index and _is_another(raw, tree[0]):
            raw.repair(
                tree[0].line,
                f"{tree[0].get('PW')} - {tree[0].get('PB')}",
                Text("another match begins in the same file"),
                Text("only the first is read"),
            )
            break
        raw.games.append(_game(raw, tree, index))
    entries = (entry for game in raw.games for entry in game.entries)
    if not any(entry.candidates or entry.cube or entry.luck is not None for entry in entries):
        raw.analysed_by = None
    return raw


def _head(raw: RawMatch, root: Node) -> None:
    raw.white, raw.black = (root.get(name) or "" for name in ("PW", "PB"))
    program = root.get("AP") or ""
    raw.dialect = "gnubg" if "gnu" in program.lower() else program.split(":")[0].strip().lower() or "sgf"
    for name, tag in _TAGS.items():
        if value := root.get(name):
            raw.tags[tag] = value.replace("-", ".") if name == "DT" else value
    info = _info(root)
    raw.length = info.get("length", 0) or None
    if raw.length is not None and raw.length < 0:
        raise RecordError(at_line(root.line, Text("a match to {n} points: expected 1 or more", n=raw.length)))
    rules = [rule.strip().lower() for rule in (root.get("RU") or "").split(":")]
    raw.crawford_rule = "crawford" in rules or raw.length is None
    raw.jacoby = "jacoby" in rules
    raw.beavers = root.get("XB") == "beavers"
    raw.variant = next((_VARIANTS[rule] for rule in rules if rule in _VARIANTS), "backgammon")
    for rule in rules:
        if rule.startswith("hypergammon") and rule not in _VARIANTS:
            raw.repair(
                root.line,
                rule,
                Text("hypergammon with fewer than three checkers is not known"),
                Text("left out"),
            )
    raw.analysed_by = program or "unknown"


def _is_another(raw: RawMatch, root: Node) -> bool:
    """Return True if the head of a tree has other names, or another length, than the first."""
    names = ((root.get("PW"), raw.white), (root.get("PB"), raw.black))
    length = _info(root).get("length")
    return any(name is not None and name != known for name, known in names) or (
        length is not None and (length or None) != raw.length
    )


def _unknown(raw: RawMatch, trees: list[list[Node]]) -> None:
    """Name each property that is not read, once."""
    named: set[str] = set()
    for node in (node for tree in trees for node in tree):
        for name, values in node.properties.items():
            if name in _READ or name in named or not any(values):
                continue
            named.add(name)
            if len(named) <= _MOST_NAMED:
                raw.repair(
                    node.line,
                    f"{name}[{values[0][:60]}]",
                    Text("this property is not known"),
                    Text("left out, here and further down"),
                )


def _info(node: Node) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in node.properties.get("MI", []):
        if match := _INFO.fullmatch(value.strip()):
            found[match[1].lower()] = int(match[2][:9])
    return found


def _game(raw: RawMatch, tree: list[Node], index: int) -> RawGame:
    root, info = tree[0], _info(tree[0])
    white, black = (max(info.get(name, 0), 0) for name in ("ws", "bs"))
    game = RawGame(info.get("game", index) + 1, white, black, root.line)
    rules = (root.get("RU") or "").lower()
    if raw.length is not None and "crawford" in rules:
        game.crawford = "crawfordgame" in rules.replace(" ", "")
    _result(raw, game, root)
    rolls = 0
    for node in tree:
        _setup(game, node)
        rolls = _numbered(raw, game, node, rolls)
        for name, side in _SIDES.items():
            for value in node.properties.get(name, []):
                entry = _action(raw, node, side, value)
                if entry is None:
                    game.hole = True
                else:
                    entry.hole, game.hole = game.hole, False
                    game.entries.append(entry)
        if (dice := node.get("DI")) is not None:
            mover = _SIDES.get((node.get("PL") or "").strip().upper()[:1])
            unplayed = _unplayed(raw, node, mover, dice)
            for entry in unplayed:
                entry.hole, game.hole = game.hole, False
            game.hole |= not unplayed
            game.entries += unplayed
        for text in node.properties.get("C", []):
            game.entries.append(Entry("comment", None, node.line, text=text))
    return game


def _numbered(raw: RawMatch, game: RawGame, node: Node, rolls: int) -> int:
    """Return how many rolls there were up to this node; where its number is higher, some are missing."""
    here = rolls + any(_MOVE.match(value) for name in _SIDES for value in node.properties.get(name, []))
    here += "DI" in node.properties
    said = (node.get("MN") or "").strip()
    if re.fullmatch(r"\d{1,6}", said, re.ASCII) and int(said) > here:
        raw.repair(
            node.line,
            f"MN[{said}]",
            Text("roll {n} has the number {said}", n=here, said=int(said)),
            Text("read as it stands; {not_known}", not_known=NOT_KNOWN),
        )
        game.hole = True
        return int(said)
    return here


def _result(raw: RawMatch, game: RawGame, root: Node) -> None:
    text = root.get("RE")
    if text is None or not text.strip():
        return
    match = _RESULT.match(text)
    if match is None:
        raw.repair(root.line, f"RE[{text}]", Text("this result cannot be read"), Text("left out"))
        return
    game.result, game.resigned = (_SIDES[match[1].upper()], int(match[2][:9])), bool(match[3])


def _unplayed(raw: RawMatch, node: Node, side: Side | None, dice: str) -> list[Entry]:
    """`PL[W]DI[44]`: a roll that was never played, as gnubg writes the last one of a resigned game."""
    digits = dice.strip()
    if side is None or not re.fullmatch(r"[1-6]{2}", digits):
        raw.repair(node.line, f"DI[{dice}]", Text("these dice cannot be read"), left_out(lost=True))
        return []
    return [Entry("roll", side, node.line, f"DI[{dice}]", (int(digits[0]), int(digits[1])), None)]


def _action(raw: RawMatch, node: Node, side: Side, value: str) -> Entry | None:
    word = value.strip()
    found = f"{'W' if side is Side.WHITE else 'B'}[{word[:40]}]"
    if match := _MOVE.match(word):
        entry = Entry("roll", side, node.line, found, (int(match[1]), int(match[2])), "")
        entry.steps = _steps(match[3], side)
        if not entry.steps:
            entry.steps, entry.dance = None, True
        _play_analysis(raw, node, entry, side)
    elif word.lower() in ("double", "redouble"):
        entry = Entry("double", side, node.line, found)
    elif word.lower() in ("take", "drop", "beaver"):
        entry = Entry(word.lower(), side, node.line, found)  # type: ignore[arg-type]
    elif word.lower().startswith("resign"):
        entry = Entry("resign", side, node.line, found)
    else:
        raw.repair(node.line, found, Text("this is no play and no cube action"), left_out(lost=True))
        return None
    entry.cube = _cube(raw, node)
    return entry


def _steps(letters: str, side: Side) -> tuple[tuple[int, int], ...]:
    points = [_point(letter, side) for letter in letters]
    return tuple(zip(points[::2], points[1::2], strict=True))


def _point(letter: str, side: Side) -> int:
    if letter == "y":
        return 25
    if letter == "z":
        return 0
    index = ord(letter) - ord("a") + 1
    return index if side is Side.WHITE else 25 - index


def _setup(game: RawGame, node: Node) -> None:
    """A board that was set up (`AE`, `AW`, `AB`), with the cube's value (`CV`) and owner (`CO`)."""
    placed = {side: node.properties.get(name) for side, name in ((Side.WHITE, "AW"), (Side.BLACK, "AB"))}
    if not any(placed.values()):
        return
    board: Counts = {Side.WHITE: [0] * 25, Side.BLACK: [0] * 25}
    for side, letters in placed.items():
        for text in letters or []:
            for letter in _range(text.strip()):
                if "a" <= letter <= "y":
                    board[side][_point(letter, side) - 1] += 1
    mover = _SIDES.get((node.get("PL") or "").strip().upper()[:1])
    cube = node.get("CV")
    value = int(cube) if cube and cube.strip().isdecimal() and len(cube) < 11 else None
    owner = _SIDES.get((node.get("CO") or "").strip().upper()[:1])
    game.entries.append(Entry("set", mover, node.line, "AW AB", board=board, value=value, owner=owner))


def _range(text: str) -> str:
    """`a:c` is short for a, b and c."""
    if len(text) == 3 and text[1] == ":":
        return "".join(chr(code) for code in range(ord(text[0]), min(ord(text[2]), ord("z")) + 1))
    return text[:1]


# gnubg's analysis


def _play_analysis(raw: RawMatch, node: Node, entry: Entry, side: Side) -> None:
    values = node.properties.get("A")
    if values and values[0].strip().lstrip("-").isdecimal() and len(values[0]) < 9:
        played = int(values[0])
        for value in values[1:]:
            candidate = _candidate(value, side)
            if candidate is None:
                raw.repair(node.line, value[:60], Text("this weighed play cannot be read"), Text("left out"))
                entry.candidates = []
                return
            entry.candidates.append(candidate)
        entry.played = played
    luck = node.get("LU")
    if luck is not None and (number := _number(luck.split()[0] if luck.split() else "")) is not None:
        entry.luck = number


def _candidate(text: str, side: Side) -> RawCandidate | None:
    fields = text.split()
    if len(fields) < 3 or not re.fullmatch(r"(?:[a-z]{2})*", fields[0]):
        return None
    steps = _steps(fields[0], side)
    kind, rest = fields[1], fields[2:]
    if rest[:1] == ["ver"]:
        rest = rest[2:]
    if kind == "E":
        numbers = [_number(field) for field in rest[:6]]
        if len(numbers) < 6 or any(number is None for number in numbers):
            return None
        good = [number for number in numbers if number is not None]
        depth = "E " + " ".join(rest[6:])
        return RawCandidate(steps, good[5], (good[0], good[1], good[2], good[3], good[4]), depth)
    if kind in ("R", "X"):
        equity = _number(rest[0]) if rest else None
        if equity is None:
            return None
        return RawCandidate(steps, equity, _chances(text), f"{kind} {' '.join(fields[2:])}")
    return None


def _chances(text: str) -> tuple[float, float, float, float, float] | None:
    match = _OUTPUT.search(text)
    numbers = [_number(field) for field in match[1].split()] if match else []
    good = [number for number in numbers if number is not None]
    return (good[0], good[1], good[2], good[3], good[4]) if len(good) >= 5 else None


def _raw_cube(none: Sequence[float], take: Sequence[float], depth: str, *, in_mwc: bool) -> RawCube:
    """A cube analysis from the seven numbers of "no double" and of "double, take": five chances, the cubeless
    equity, the cubeful one."""
    return RawCube(
        none[6],
        take[6],
        1.0,
        (none[0], none[1], none[2], none[3], none[4]),
        (take[0], take[1], take[2], take[3], take[4]),
        none[5],
        take[5],
        depth,
        in_mwc,
    )


def _cube(raw: RawMatch, node: Node) -> RawCube | None:
    text = node.get("DA")
    if text is None:
        return None
    fields = text.split()
    in_mwc = raw.length is not None
    if fields[:1] == ["E"]:
        numbers = [_number(field) for field in fields[-14:]]
        good = [number for number in numbers if number is not None]
        if len(good) == 14:
            none, take = good[:7], good[7:]
            depth = "E " + " ".join(fields[3 if fields[1:2] == ["ver"] else 1 : -14])
            return _raw_cube(none, take, depth, in_mwc=in_mwc)
    outputs = _OUTPUT.findall(text)
    if fields[:1] == ["R"] and len(outputs) >= 2:
        rows = [[_number(field) for field in output.split()] for output in outputs[:2]]
        if all(len(row) == 7 and None not in row for row in rows):
            none, take = ([float(each or 0.0) for each in row] for row in rows)
            return _raw_cube(none, take, text.strip(), in_mwc=in_mwc)
    raw.repair(node.line, f"DA[{text[:60]}]", Text("this cube analysis cannot be read"), Text("left out"))
    return None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
