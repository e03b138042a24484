"""Make the public puzzles that ship with the package from games of the engine with itself.

    python tools/puzzles.py [GAME ...] [--each 10] [--seed 1]
    python tools/puzzles.py [GAME ...] --renew

For every game, or those named, positions are taken from games that the engine plays with itself. One
becomes a puzzle where a player of a level makes a mistake and the best play, looked for two plies deep,
leads the second best by `CLEAR` times the engine's error for the game, or more. The same seed gives the same
puzzles. The lines of the games are replaced in the file, those of others stay.

With `--renew`, after a change of nets or reasons, the plays of the puzzles that are there are looked at anew,
as deep; a puzzle stays, with the new numbers and reasons, where the same play leads as clearly and the wrong
one is still an error. Games of another seed then make up for those that are gone.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Final

from sheshbesh.engines import Candidate, Engine, make_engine
from sheshbesh.engines.explain.verdict import compare_plays, grade_of, unit_of
from sheshbesh.engines.explain.wording import decisive
from sheshbesh.engines.strength import levels
from sheshbesh.engines.strength.levels import candidate_error
from sheshbesh.practice.cards import TOLERANCE, PracticeCard
from sheshbesh.practice.puzzles import FILE, LEVELS, PLIES, Level, Puzzle, puzzles
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
_GAMES: Final = 1500
"""Games that are played for one game's puzzles at most."""


def main() -> None:
    """Make the puzzles and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games, all without")
    parser.add_argument("--each", type=int, default=10, help="puzzles of each level and game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--renew", action="store_true", help="look at the puzzles that are there anew")
    asked = parser.parse_args()
    names = asked.games or list(variants())
    for name in names:
        begun = time.perf_counter()
        found = mined(name, asked.each, asked.seed, renewed(name) if asked.renew else ())
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


def mined(name: str, each: int, seed: int, known: Sequence[Puzzle]) -> list[Puzzle]:
    """The puzzles of a game, `each` of every level if the games played show as many, the easiest first.

    Those that are `known` are among them.
    """
    engine = make_engine(variant(name))
    found = {level: [puzzle for puzzle in known if puzzle.level == level] for level in LEVELS}
    seen = {puzzle.id for puzzle in known}
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
        if all(len(done) >= each for done in found.values()):
            break
    return [puzzle for level in LEVELS for puzzle in found[level]]


def renewed(name: str) -> list[Puzzle]:
    """The puzzles of a game that still are some, as its net sees them today."""
    engine = make_engine(variant(name))
    found = []
    for each in puzzles(name):
        judged = each.card.judged
        position = engine.variant.position_from_id(judged.board)
        plays = [position.parse_play(kept.play, judged.dice) for kept in judged.decision.candidates]
        looked = [_looked(engine, play) for play in plays]
        made_, best = looked[judged.decision.played or 0], looked[0]
        looked.sort(key=lambda one: -one.equity)
        if looked[0] is best and is_clear(engine, looked) and is_wrong(made_, best):
            dice, legal = judged.dice or (0, 0), judged.decision.legal_plays
            found.append(written(engine, looked, made_, each.level, dice, legal))
    return found


def _looked(engine: Engine, play: Play) -> Candidate:
    """A play looked at as deep as puzzles are."""
    outcome = engine.evaluate(play.result, plies=PLIES)
    stays = play.result.turn is play.position.turn
    return Candidate(play, outcome if stays else outcome.flipped(), PLIES)


def is_clear(engine: Engine, looked: Sequence[Candidate]) -> bool:
    """Whether the first leads the second by enough."""
    lead = (looked[0].equity - looked[1].equity) / unit_of(looked[0].outcome)
    return lead >= max(LEAST, CLEAR * candidate_error(engine.variant, PLIES))


def is_wrong(made_: Candidate, best: Candidate) -> bool:
    """Whether a play is an error that no answer counts as right."""
    costly = best.equity - made_.equity > TOLERANCE * unit_of(best.outcome)
    return costly and bool(made_.play.notation) and grade_of(made_, best) not in (None, "best", "fine")


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
    best = engine.rank(position, dice, plies=1)[0].play
    found = erring(engine, position, dice, ranked, best, chance)
    if found is None or found[0] not in wanted:
        return None
    level, wrong = found
    deep = compare_plays(engine, position, dice, None, plies=PLIES, shown=2, play=wrong)
    if deep[0].play != best or not is_clear(engine, deep):
        return None
    deep = compare_plays(engine, position, dice, None, plies=PLIES, shown=_SHOWN, play=wrong)
    made_ = next(each for each in deep if each.play == wrong)
    if made_.plies < PLIES or not is_wrong(made_, deep[0]):
        return None
    shown = [each for each in deep if each.plies == PLIES][:_SHOWN]
    if made_ not in shown:
        shown.append(made_)
    shown.sort(key=lambda each: -each.equity)
    if shown[0] is not deep[0]:
        return None
    return written(engine, shown, made_, level, (dice[0], dice[1]), len(ranked))


def written(
    engine: Engine,
    shown: Sequence[Candidate],
    made_: Candidate,
    level: Level,
    dice: tuple[int, int],
    legal_plays: int,
) -> Puzzle:
    """The puzzle of these plays, best first, of which one is the error of a level."""
    best, position = shown[0], shown[0].play.position
    plays = tuple(Kept(each.play.notation, each.equity, depth=f"{PLIES}ply") for each in shown)
    decision = Decision(1, 0, position.turn, "play", 1.0, plays, shown.index(made_), legal_plays)
    judged = Judged(
        decision,
        1,
        position.id,
        position.id,
        dice,
        made_.play.notation,
        best.play.notation,
        best.equity - made_.equity,
        grade_of(made_, best),
        PLIES,
        decisive(engine.explain(best, made_), best.equity - made_.equity),
    )
    return Puzzle(PracticeCard(judged, engine.variant.name, None, "", ("", "")), level)


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
