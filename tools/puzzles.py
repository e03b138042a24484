"""Make the public puzzles that ship with the package from games of the engine with itself.

    python tools/puzzles.py [GAME ...] [--each 10] [--seed 1]

For every game, or those named, positions are taken from games that the engine plays with itself. One
becomes a puzzle where a player of a level makes a mistake and the best play, looked for two plies deep,
leads the second best by `CLEAR` times the engine's error for the game, or more. The same seed gives the same
puzzles. The lines of the games are replaced in the file, those of others stay.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from typing import Final

from sheshbesh.engines import Candidate, Engine, make_engine
from sheshbesh.engines.explain.verdict import compare_plays, grade_of, unit_of
from sheshbesh.engines.strength import levels
from sheshbesh.engines.strength.levels import candidate_error
from sheshbesh.practice.cards import TOLERANCE, PracticeCard
from sheshbesh.practice.puzzles import FILE, LEVELS, PLIES, Level, Puzzle
from sheshbesh.records import Candidate as Kept
from sheshbesh.records import Decision
from sheshbesh.reviews import Judged
from sheshbesh.rules import Play, Position, Roll, variant, variants

CLEAR: Final = 3.0
"""By how many errors of a difference between two plays the best leads the second best."""
LEAST: Final = 0.03
"""And by how much at least, per point at stake: more than what still counts as right."""
ERRING: Final[dict[Level, tuple[str, ...]]] = {
    "easy": ("beginner", "casual"),
    "medium": ("club", "advanced"),
    "hard": ("expert",),
}
"""Whose mistake makes a puzzle of a level; none of a harder level makes one there."""

_FIRST, _LAST = 4, 70
_PLAYS = range(3, 200)
_OPEN: Final = (0.06, 0.94)
"""The chances of winning between which a game is still open."""
_SHOWN: Final = 4
_REASONS: Final = 4
_GAMES: Final = 1500
"""Games that are played for one game's puzzles at most."""


def main() -> None:
    """Make the puzzles and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games, all without")
    parser.add_argument("--each", type=int, default=10, help="puzzles of each level and game")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    names = asked.games or list(variants())
    for name in names:
        begun = time.perf_counter()
        found = mined(name, asked.each, asked.seed)
        write(name, found)
        told = ", ".join(f"{level} {sum(each.level == level for each in found)}" for level in LEVELS)
        sys.stdout.write(f"{name}: {told}, {time.perf_counter() - begun:.0f} s\n")
        sys.stdout.flush()


def write(name: str, found: list[Puzzle]) -> None:
    """Put the puzzles of a game in the place of those that were there."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    kept = {game: [] for game in variants()}  # type: dict[str, list[str]]
    for line in lines:
        kept[json.loads(line)[0]].append(line)
    kept[name] = [json.dumps(each.row(), ensure_ascii=False, separators=(",", ":")) for each in found]
    FILE.write_text("".join(f"{line}\n" for rows in kept.values() for line in rows), encoding="utf-8")


def mined(name: str, each: int, seed: int) -> list[Puzzle]:
    """The puzzles of a game, `each` of every level if the games played show as many, the easiest first."""
    engine = make_engine(variant(name))
    found: dict[Level, list[Puzzle]] = {level: [] for level in LEVELS}
    seen: set[str] = set()
    for number in range(_GAMES):
        chance = random.Random(f"puzzles {seed} {name} {number}")
        taken: set[Level] = set()
        for position, dice, ranked in decisions(engine, chance):
            wanted = [level for level in LEVELS if len(found[level]) < each and level not in taken]
            if not wanted:
                break
            puzzle = made(engine, position, dice, ranked, wanted, chance)
            if puzzle is not None and puzzle.id not in seen:
                seen.add(puzzle.id)
                taken.add(puzzle.level)
                found[puzzle.level].append(puzzle)
        if all(len(puzzles) >= each for puzzles in found.values()):
            break
    return [puzzle for level in LEVELS for puzzle in found[level]]


def decisions(
    engine: Engine, chance: random.Random
) -> Iterator[tuple[Position, Roll, tuple[Candidate, ...]]]:
    """The throws of one game that the engine plays with itself, and the plays as the net alone ranks them.

    Now and then a side plays the second or third best: else every game would be the same kind of game.
    """
    position = engine.variant.start()
    for turn in range(_LAST):
        owed = position.pending is not None
        dice = None if owed else Roll(chance.randint(1, 6), chance.randint(1, 6))
        ranked = engine.rank(position, dice)
        if not ranked:
            return
        is_open = _OPEN[0] < ranked[0].outcome.win < _OPEN[1]
        if dice is not None and turn >= _FIRST and len(ranked) in _PLAYS and is_open:
            yield position, dice, ranked
        place = chance.choice((0, 0, 0, 0, 0, 1, 2))
        position = ranked[min(place, len(ranked) - 1)].play.result


def made(
    engine: Engine,
    position: Position,
    dice: Roll,
    ranked: tuple[Candidate, ...],
    wanted: list[Level],
    chance: random.Random,
) -> Puzzle | None:
    """The puzzle that this decision is at one of the levels wanted; None where it is none."""
    rules = engine.variant
    best = engine.rank(position, dice, plies=1)[0].play
    found = erring(engine, position, dice, ranked, best, chance)
    if found is None or found[0] not in wanted:
        return None
    level, wrong = found
    deep = compare_plays(engine, position, dice, None, plies=PLIES, shown=2, play=wrong)
    unit = unit_of(deep[0].outcome)
    lead = (deep[0].equity - deep[1].equity) / unit
    if deep[0].play != best or lead < max(LEAST, CLEAR * candidate_error(rules, PLIES)):
        return None
    deep = compare_plays(engine, position, dice, None, plies=PLIES, shown=_SHOWN, play=wrong)
    made_ = next(each for each in deep if each.play == wrong)
    verdict = grade_of(made_, deep[0])
    if made_.plies < PLIES or verdict in (None, "best", "fine"):
        return None
    shown = [each for each in deep if each.plies == PLIES][:_SHOWN]
    if made_ not in shown:
        shown.append(made_)
    shown.sort(key=lambda each: -each.equity)
    if shown[0] is not deep[0]:
        return None
    plays = tuple(Kept(each.play.notation, each.equity, depth=f"{PLIES}ply") for each in shown)
    if deep[0].equity - made_.equity <= TOLERANCE * unit or not wrong.notation:
        return None
    decision = Decision(1, 0, position.turn, "play", 1.0, plays, shown.index(made_), len(ranked))
    judged = Judged(
        decision,
        1,
        position.id,
        position.id,
        (dice[0], dice[1]),
        wrong.notation,
        best.notation,
        deep[0].equity - made_.equity,
        verdict,
        PLIES,
        engine.explain(deep[0], made_)[:_REASONS],
    )
    return Puzzle(PracticeCard(judged, rules.name, None, "", ("", "")), level)


def erring(
    engine: Engine,
    position: Position,
    dice: Roll,
    ranked: tuple[Candidate, ...],
    best: Play,
    chance: random.Random,
) -> tuple[Level, Play] | None:
    """The hardest level at which somebody does not find this play, and what they play instead."""
    if ranked[0].play != best:
        return "hard", ranked[0].play
    for level in ("medium", "easy"):
        for name in ERRING[level]:
            weak = engine.at_level(levels.find(name), seed=chance.getrandbits(32))
            chosen = weak.choose(position, dice)
            if chosen != best:
                return level, chosen
    return None


if __name__ == "__main__":
    main()
