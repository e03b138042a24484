"""The public puzzles: plays from games of the engine with itself, for every game at three levels.

They ship with the package as one file, which `tools/puzzles.py` writes. A level says who goes wrong: at
an "easy" one the engine's weakest players, at a "medium" one its club players, at a "hard" one the net
alone, which looks no roll ahead. The best play of each was found two plies deep, and by how much it leads
the second best lies well above the engine's own error for the game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from sheshbesh.engines.explain.reasons import Reason
from sheshbesh.engines.explain.verdict import Grade
from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.practice.cards import PracticeCard
from sheshbesh.records import Candidate, Decision
from sheshbesh.reviews import Judged
from sheshbesh.rules import variant

Level = Literal["easy", "medium", "hard"]

LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
"""The easiest first."""

FILE = Path(__file__).with_name("puzzles.jsonl")
"""One puzzle a line, as `Puzzle.row` has it."""

PLIES = 2
"""The depth at which the best play of each was looked for."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A play to be found; `card` has the right answer; the play made there is the level's mistake."""

    card: PracticeCard
    level: Level

    @property
    def id(self) -> str:
        """That of its card."""
        return self.card.id

    def row(self) -> list[Any]:
        """The puzzle as it is kept: game, level, board, dice, candidates, the wrong play, plays, verdict,
        reasons."""
        judged = self.card.judged
        decision = judged.decision
        return [
            self.card.variant,
            self.level,
            judged.board,
            judged.dice,
            [[each.play, round(each.equity, 3)] for each in decision.candidates],
            decision.played,
            decision.legal_plays,
            judged.verdict,
            [
                [each.id, round(each.mine, 3), round(each.other, 3), round(each.weight, 4)]
                + ([list(each.gained), list(each.lost)] if each.gained or each.lost else [])
                for each in judged.reasons
            ],
        ]

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> Puzzle:
        """The way back from `row`; RecordError for anything else."""
        try:
            name, level, board, dice, plays, played, legal, verdict, reasons = row
            return cls(
                _card(name, board, (dice[0], dice[1]), plays, (played, legal), verdict, reasons), level
            )
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise RecordError(Text("a puzzle cannot be read: {why}", why=error)) from error


def _card(
    name: str,
    board: str,
    dice: tuple[int, int],
    plays: Sequence[tuple[str, float]],
    made: tuple[int, int],
    verdict: Grade,
    reasons: Sequence[Sequence[Any]],
) -> PracticeCard:
    candidates = tuple(Candidate(play, equity, depth=f"{PLIES}ply") for play, equity in plays)
    played, legal = made
    side = variant(name).position_from_id(board).turn
    decision = Decision(1, 0, side, "play", 1.0, candidates, played, legal)
    judged = Judged(
        decision,
        1,
        board,
        board,
        dice,
        candidates[played].play,
        candidates[0].play,
        candidates[0].equity - candidates[played].equity,
        verdict,
        PLIES,
        tuple(_reason(*each) for each in reasons),
    )
    return PracticeCard(judged, name, None, "", ("", ""))


def _reason(
    name: str, mine: float, other: float, weight: float, gained: Sequence[int] = (), lost: Sequence[int] = ()
) -> Reason:
    return Reason(name, mine, other, weight, tuple(gained), tuple(lost))


@cache
def puzzles(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game, the easiest level first; none for a game that has none."""
    return tuple(Puzzle.from_row(row) for row in _rows().get(game, ()))


def puzzle(game: str, name: str) -> Puzzle | None:
    """The puzzle of a game with this id; None where there is none."""
    return next((each for each in puzzles(game) if each.id == name), None)


def puzzle_of(day: date, game: str = "", level: Level | None = None) -> Puzzle:
    """The puzzle of a day, the same for everybody: that of a game and a level, or of all of them in turn.

    A game and a level have a puzzle for each day, and none comes again before all were asked. In turn the
    games follow each other, each at another level than the one before and than its own last time: with the
    shipped ones a puzzle comes again after 882 days. KeyError for a game that has none.
    """
    if game:
        found = [each for each in puzzles(game) if level in (None, each.level)]
        if not found:
            raise KeyError(game)
        return found[day.toordinal() % len(found)]
    games = sorted(_rows(), key=lambda name: sha256(name.encode()).digest())
    cycle, place = divmod(day.toordinal(), len(games))
    level = LEVELS[(cycle + place) % len(LEVELS)]
    found = [each for each in puzzles(games[place]) if each.level == level]
    return found[cycle // len(LEVELS) % len(found)]


def counts() -> Mapping[str, Mapping[str, int]]:
    """Return the number of puzzles of each level for every game."""
    return {
        game: {level: sum(row[1] == level for row in rows) for level in LEVELS}
        for game, rows in _rows().items()
    }


@cache
def _rows() -> Mapping[str, Sequence[Sequence[Any]]]:
    found: dict[str, list[Sequence[Any]]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found.setdefault(row[0], []).append(row)
    return {game: sorted(rows, key=lambda row: LEVELS.index(row[1])) for game, rows in found.items()}
