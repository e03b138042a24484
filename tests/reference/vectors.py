"""The test vectors, checked against any implementation through a small adapter.

This module knows the format of the vectors and how a play is written; it knows no rule of any
game. What a written play leads to is worked out here by moving the checkers it names, so that
claims are compared as final positions and no implementation has to parse them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Protocol, cast

from tests.reference.boards import Board
from tests.reference.position import BAR, HAND, MIRROR, OFF, Colour, other

Fields = Mapping[str, object]
Canonical = tuple[object, ...]
"""A board reduced to what distinguishes it; see `canonical`."""

GAME_OF = {"standard": "backgammon", "iran_traditional": "takhte"}
"""Names of the vectors that are not names of variants."""


@dataclass(frozen=True, slots=True)
class Case:
    """A position of a game, in the terms of the vectors."""

    game: str
    options: Fields
    board: Board
    turn: Colour
    context: Fields


@dataclass(frozen=True, slots=True)
class Final:
    """What a legal play leads to."""

    board: Board
    dice_used: int
    """The most dice any sequence to this position plays."""
    result: Fields | None
    """`winner`, `points`, `kind`."""
    follows: Fields | None
    """What comes before the other side's own throw, as in `claims.continue`; None: nothing."""


class Implementation(Protocol):
    """What a set of rules has to answer to be checked."""

    def terms(self, game: str, options: Fields) -> tuple[str, str]:
        """Return the movement and the kind of contact of a game."""
        ...

    def finals(self, case: Case, dice: tuple[int, int]) -> list[Final]:
        """Return the distinct legal final positions."""
        ...

    def accepts_prefix(self, case: Case, dice: tuple[int, int], steps: list[tuple[int, int]]) -> bool:
        """Whether these steps (from and to, own numbers) can still become a legal play."""
        ...

    def result(self, case: Case) -> Fields | None:
        """Return `winner`, `points`, `kind`, or None while the game goes on."""
        ...

    def opening(self, game: str, options: Fields, draw: Fields) -> tuple[str | None, object]:
        """Return the starter and their dice."""
        ...

    def may_double(self, game: str, options: Fields, cube: Fields) -> bool:
        """Whether the cube may be turned."""
        ...

    def points(self, game: str, options: Fields, score: Fields) -> int:
        """Return the points a game is worth."""
        ...


def read_vectors(*paths: Path) -> list[Fields]:
    """Return the vectors of the files, one object a line."""
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [cast("Fields", json.loads(line)) for line in lines if line.strip()]


def check_vector(vector: Fields, implementation: Implementation) -> list[str]:
    """Return every claim of a vector that the implementation does not confirm."""
    checks: Mapping[str, Callable[[Fields, Implementation], list[str]]] = {
        "plays": _check_plays,
        "result": _check_result,
        "opening": _check_opening,
        "cube": _check_cube,
        "score": _check_points,
    }
    return checks[cast("str", vector["type"])](vector, implementation)


def case_of(vector: Fields) -> Case:
    """Return the position of a vector."""
    return Case(
        _game(vector),
        _fields(vector, "options"),
        _fields(vector, "board"),
        cast("Colour", vector["turn"]),
        _fields(vector, "context"),
    )


def canonical(board: Board, context: Fields = {}) -> Canonical:  # noqa: B006
    """Return a board as a value that equals that of the same position.

    Checkers in hand are looked for in the board first, then in the context.
    """
    sides: list[object] = []
    for colour in ("white", "black"):
        points = _fields(board, colour)
        hand = board.get(f"{colour}_hand", context.get(f"{colour}_hand", 0))
        pinned = cast("Iterable[int]", board.get(f"pinned_{colour}") or ())
        sides.append(frozenset((int(point), count) for point, count in points.items() if count))
        sides.append((board[f"{colour}_bar"], board[f"{colour}_off"], hand))
        sides.append(frozenset(int(point) for point in pinned))
    return tuple(sides)


class Table:
    """A board on which the checkers of a written play are moved, legal or not."""

    def __init__(self, case: Case, movement: str, contact: str) -> None:
        self._mirror = MIRROR[movement]
        self._contact = contact
        self._turn = case.turn
        self._sides = {colour: self._read(case, colour) for colour in ("white", "black")}
        self._pinned = {
            colour: {self._own(colour, point) for point in self._prisons(case.board, colour)}
            for colour in ("white", "black")
        }

    @staticmethod
    def _prisons(board: Board, colour: str) -> Iterable[int]:
        return cast("Iterable[int]", board.get(f"pinned_{colour}") or ())

    def _own(self, colour: str, white_point: int) -> int:
        return white_point if colour == "white" else self._mirror[white_point]

    def _read(self, case: Case, colour: str) -> dict[int, int]:
        points = cast("Mapping[str, int]", case.board[colour])
        side = {self._own(colour, int(point)): count for point, count in points.items()}
        side[BAR] = cast("int", case.board[f"{colour}_bar"])
        side[OFF] = cast("int", case.board[f"{colour}_off"])
        side[HAND] = cast("int", case.context.get(f"{colour}_hand", 0))
        return side

    def play(self, text: str) -> bool:
        """Move the checkers a text names; False if one of them is not there."""
        for token in text.split():
            if token == "pass":
                continue
            match = re.fullmatch(r"([^(]+)(?:\((\d)\))?", token)
            if match is None:
                raise ValueError(f"unreadable play {text!r}")
            places = [place_of(name) for name in match[1].split("/")]
            for _ in range(int(match[2] or 1)):
                if not all(self._move(a, b) for a, b in pairwise(places)):
                    return False
        return True

    def _move(self, source: int, target: int) -> bool:
        mine = self._sides[self._turn]
        if mine.get(source, 0) < 1:
            return False
        mine[source] -= 1
        mine[target] = mine.get(target, 0) + 1
        theirs, landed = self._sides[other(self._turn)], self._mirror[target] if 1 <= target <= 24 else -1
        if self._contact == "hit" and theirs.get(landed, 0) == 1:
            theirs[landed] = 0
            theirs[BAR] += 1
        return True

    def canonical(self) -> Canonical:
        """Return the board in White's numbers.

        A mover's prisoner stays one; where the mover stands upon another enemy, that one is.
        """
        enemy = other(self._turn)
        kept = self._pinned[self._turn]
        stood_on = [p for p, n in self._sides[self._turn].items() if 1 <= p <= 24 and n and p not in kept]
        taken = {self._mirror[p] for p in stood_on if self._sides[enemy].get(self._mirror[p])}
        pinned = {self._turn: kept, enemy: taken}
        sides: list[object] = []
        for colour in ("white", "black"):
            side = self._sides[colour]
            points = {self._own(colour, p): n for p, n in side.items() if 1 <= p <= 24 and n}
            sides.append(frozenset(points.items()))
            sides.append((side[BAR], side[OFF], side[HAND]))
            sides.append(frozenset(self._own(colour, point) for point in pinned[colour]))
        return tuple(sides)


def place_of(name: str) -> int:
    """Return the number of a place in a written play."""
    names = {"bar": BAR, "hand": HAND, "off": OFF}
    plain = name.rstrip("*")
    return names[plain] if plain in names else int(plain)


def _check_plays(vector: Fields, implementation: Implementation) -> list[str]:
    case, claims = case_of(vector), _fields(vector, "claims")
    high, low = cast("list[int]", vector["dice"])
    finals = implementation.finals(case, (high, low))
    terms = implementation.terms(case.game, case.options)
    by_board = {canonical(final.board, case.context): final for final in finals}

    def reached(text: str) -> Canonical | None:
        table = Table(case, *terms)
        return table.canonical() if table.play(text) else None

    def final_of(text: str) -> Final | None:
        board = reached(text)
        return None if board is None else by_board.get(board)

    only = _texts(claims, "only_legal")
    problems = [f"{text} is not legal" for text in _texts(claims, "legal") + only if not final_of(text)]
    problems += [f"{text} is legal" for text in _texts(claims, "illegal") if final_of(text)]
    if only and len({reached(text) for text in only}) != len(by_board):
        problems.append(f"{len(by_board)} final positions, not only {only}")
    for claim, wanted in (("legal_paths", True), ("illegal_paths", False)):
        for path in cast("list[list[str]]", claims.get(claim, [])):
            steps = [cast("tuple[int, int]", tuple(map(place_of, step.split("/")))) for step in path]
            if implementation.accepts_prefix(case, (high, low), steps) != wanted:
                problems.append(f"path {path}: expected {wanted}")
    for claim, read in (("after", _result_of), ("continue", _follow_of)):
        for text, expected in _fields(claims, claim).items():
            final = final_of(text)
            if final is None or read(final) != _with_then(claim, expected):
                problems.append(f"{claim} {text}: {final and read(final)}, expected {expected}")
    return problems + _check_derived(vector, by_board, reached, case, terms)


def _check_derived(
    vector: Fields,
    by_board: Mapping[Canonical, Final],
    reached: Callable[[str], Canonical | None],
    case: Case,
    terms: tuple[str, str],
) -> list[str]:
    derived = _fields(vector, "derived")
    problems = []
    if "n_legal_positions" in derived and derived["n_legal_positions"] != len(by_board):
        problems.append(f"{len(by_board)} final positions, derived {derived['n_legal_positions']}")
    most = max((final.dice_used for final in by_board.values()), default=0)
    if "max_dice_used" in derived and derived["max_dice_used"] != most:
        problems.append(f"{most} dice used at most, derived {derived['max_dice_used']}")
    for text, key in cast("Mapping[str, str]", derived.get("finals", {})).items():
        board = _board_of_key(key, case, terms[0])
        if board != reached(text) or board not in by_board:
            problems.append(f"{text} does not lead to {key}")
    return problems


def _board_of_key(key: str, case: Case, movement: str) -> Canonical:
    """Read a derived key: both sides' checkers in the mover's numbers, then the prisoners."""
    mirror = MIRROR[movement]

    def white_point(point: int) -> int:
        return point if case.turn == "white" else mirror[point]

    parts = key.split(" | ")
    pins = re.findall(r"\[([^]]*)]", parts[2]) if len(parts) > 2 else ["", ""]
    found: dict[str, list[object]] = {}
    for colour, text, prisons in zip((case.turn, other(case.turn)), parts, pins, strict=False):
        points = {white_point(int(p)): int(n) for p, n in re.findall(r"(\d+):(\d+)", text)}
        counts = re.search(r"bar(\d+) off(\d+)", text)
        assert counts is not None, key
        pinned = frozenset(white_point(int(p)) for p in re.findall(r"\d+", prisons))
        bar_off_hand = (int(counts[1]), int(counts[2]), case.context.get(f"{colour}_hand", 0))
        found[colour] = [frozenset(points.items()), bar_off_hand, pinned]
    return (*found["white"], *found["black"])


def _check_result(vector: Fields, implementation: Implementation) -> list[str]:
    expected, found = _fields(vector, "claims")["result"], implementation.result(case_of(vector))
    return [] if found == expected else [f"result {found}, expected {expected}"]


def _check_opening(vector: Fields, implementation: Implementation) -> list[str]:
    expected = cast("Fields", _fields(vector, "claims")["opening"])
    options, draw = _fields(vector, "options"), _fields(vector, "opening")
    starter, dice = implementation.opening(_game(vector), options, draw)
    plain = dice if dice is None or isinstance(dice, str) else list(cast("Iterable[int]", dice))
    if (starter, plain) == (expected["starter"], expected["dice"]):
        return []
    return [f"{starter} with {plain}, expected {expected}"]


def _check_cube(vector: Fields, implementation: Implementation) -> list[str]:
    expected = _fields(vector, "claims")["may_double"]
    cube, options = _fields(vector, "cube"), _fields(vector, "options")
    found = implementation.may_double(_game(vector), options, cube)
    return [] if found == expected else [f"may_double {found}, expected {expected}"]


def _check_points(vector: Fields, implementation: Implementation) -> list[str]:
    expected = _fields(vector, "claims")["points"]
    score, options = _fields(vector, "score"), _fields(vector, "options")
    found = implementation.points(_game(vector), options, score)
    return [] if found == expected else [f"{found} points, expected {expected}"]


def _game(vector: Fields) -> str:
    name = cast("str", vector["variant"])
    return GAME_OF.get(name, name)


def _fields(vector: Fields, key: str) -> Fields:
    return cast("Fields", vector.get(key) or {})


def _texts(claims: Fields, key: str) -> list[str]:
    return list(cast("Iterable[str]", claims.get(key, ())))


def _result_of(final: Final) -> object:
    return final.result


def _follow_of(final: Final) -> object:
    return final.follows


def _with_then(claim: str, expected: object) -> object:
    """Return a `continue` claim with the key `then`, which is left out where nothing follows."""
    if claim == "continue" and isinstance(expected, dict) and "steps" in expected:
        return {"then": None, **expected}
    return expected
