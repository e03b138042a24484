"""Measure what the features of a board are worth, and list errors with the reasons that are given for them.

    python tools/reasons.py weights [GAME ...] [--each 150]
    python tools/reasons.py audit [--each 20]

`weights` takes decisions from games that the engine plays with itself, as the puzzles do, looks at some of
the plays one ply deep, and splits what each loses against the best: into what the next throw of the other
side brings, which is measured in the position, and a rest, to which the differences of what stands on the
board are fitted, no weight below nothing. What is left counts in proportion to the loss. `audit` writes
errors of weak levels with the sentence said about each, and the shares of the loss that the named causes
carry, into `tests/data/reasons.jsonl`; a test computes them anew.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from typing import Any, Final

import pins
import puzzles
from sheshbesh import _core
from sheshbesh.engines import Candidate, Engine, make_engine
from sheshbesh.engines.explain.features import FEATURES, weights_file
from sheshbesh.engines.explain.verdict import compare_plays, judge_play
from sheshbesh.engines.explain.wording import because, decisive
from sheshbesh.engines.strength import levels
from sheshbesh.rules import Position, Roll, variant, variants

AUDIT = pins.ROOT / "tests" / "data" / "reasons.jsonl"
AUDITED: Final = (
    "backgammon",
    "nackgammon",
    "tavla",
    "hypergammon",
    "acey_deucey",
    "tapa",
    "plakoto",
    "tawla31",
    "long_nardy",
    "gul_bara",
)
"""Ten games: of all three kinds of contact, both movements, and one that counts checkers."""

PLIES: Final = 1
"""How deep plays are looked at: there the parts of a difference add up to it."""

_SHOWN: Final = 6
_SEED: Final = 36
_GAMES: Final = 400
_FLOOR: Final = 0.05
"""Added to a loss where its error is measured in proportion to it."""
_WIDE: Final = 3.0
"""How large a weight may well be: rows that say less about one than this draw it towards nothing."""
_SWEEPS: Final = 200
_ERRING: Final = ("beginner", "casual", "club")

STANDING: Final = FEATURES[_core.THROW_FEATURES :]
"""What stands on the board: the features that are weighed."""

Row = tuple[list[float], float, float]
"""Differences of the features, what of the loss they are to explain, and the loss."""


def decisions(engine: Engine, count: int, about: str) -> Iterator[tuple[Position, Roll]]:
    """Throws of games of the engine with itself, every third of a game so that they differ."""
    for number in range(_GAMES):
        chance = random.Random(f"reasons {about} {_SEED} {engine.variant.name} {number}")
        first = chance.randrange(3)
        for at, (position, dice, _) in enumerate(puzzles.decisions(engine, chance)):
            if at % 3 != first:
                continue
            yield position, dice
            count -= 1
            if not count:
                return


def _worths(candidate: Candidate) -> dict[str, float]:
    """What the shapes say that the features after a play are worth to its player."""
    after = candidate.play.result
    own = after.turn is candidate.play.position.turn
    counted = _core.measure(after.variant._core, after._core, own)
    return {name: worth for name, _, _, worth in counted}


def rows(engine: Engine, each: int) -> Iterator[Row]:
    """What separates the best play from others, decision by decision."""
    chance = random.Random(f"rows {engine.variant.name}")
    for position, dice in decisions(engine, each, "weights"):
        ranked = engine.rank(position, dice, plies=PLIES)
        best, here = ranked[0], _worths(ranked[0])
        for play in [each.play for each in chance.sample(ranked[1:], min(_SHOWN, len(ranked) - 1))]:
            outcome = engine.evaluate(play.result, plies=PLIES)
            own = play.result.turn is position.turn
            other = Candidate(play, outcome if own else outcome.flipped(), PLIES)
            there, loss = _worths(other), best.equity - other.equity
            thrown = sum(
                r.weight for r in engine.explain(best, other) if r.id in FEATURES[: _core.THROW_FEATURES]
            )
            shapes = [here.get(name, 0.0) - there.get(name, 0.0) for name in STANDING]
            yield shapes, loss - thrown, loss


def fitted(found: list[Row]) -> tuple[list[float], float]:
    """The weights that explain the rests best, none below nothing; the share of their squares explained."""
    count = len(STANDING)
    products = [[0.0] * count for _ in range(count)]
    targets = [0.0] * count
    squares = 0.0
    for shapes, rest, loss in found:
        scale = 1 / (max(loss, 0.0) + _FLOOR) ** 2
        squares += scale * rest * rest
        for i, one in enumerate(shapes):
            targets[i] += scale * one * rest
            for j, other in enumerate(shapes):
                products[i][j] += scale * one * other
    # Rare differences, and those that always come together, would have any weight.
    for i in range(count):
        products[i][i] += squares / len(found) / _WIDE**2
    weights = [0.0] * count
    for _ in range(_SWEEPS):
        for i in range(count):
            if products[i][i] > 0:
                others = sum(products[i][j] * weights[j] for j in range(count) if j != i)
                weights[i] = max((targets[i] - others) / products[i][i], 0.0)
    modelled = sum(
        weights[i] * (2 * targets[i] - sum(products[i][j] * weights[j] for j in range(count)))
        for i in range(count)
    )
    return weights, modelled / squares if squares else 0.0


def weigh(names: list[str], each: int) -> None:
    """Measure games and enter them; the weights of a kind of contact are those of all its rows together."""
    known: dict[str, Any] = json.loads(weights_file.read_text("utf-8")) if weights_file.exists() else {}
    kinds: dict[str, list[Row]] = {}
    for name in names:
        game = variant(name)
        engine = make_engine(game)
        found = list(rows(engine, each))
        kinds.setdefault(str(game.axes["contact"]["kind"]), []).extend(found)
        known[game.fingerprint] = {"game": name, "net": engine.net.sha256, **_entry(found)}
        sys.stdout.write(f"{name}: {known[game.fingerprint]['explained']:.0%} of {len(found)}\n")
        sys.stdout.flush()
        weights_file.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    if set(names) == set(variants()):
        for kind, together in kinds.items():
            known[kind] = _entry(together)
        weights_file.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _entry(found: list[Row]) -> dict[str, Any]:
    weights, explained = fitted(found)
    told = {name: round(weight, 3) for name, weight in zip(STANDING, weights, strict=True)}
    return {"differences": len(found), "explained": round(explained, 3), "weights": told}


def audit(each: int) -> None:
    """Write errors of each audited game with what is said about them."""
    lines = []
    for name in AUDITED:
        engine = make_engine(variant(name))
        found = list(errors(engine, each))
        lines += [json.dumps(row, ensure_ascii=False) for row in found]
        sys.stdout.write(f"{name}: {len(found)}\n")
        sys.stdout.flush()
    AUDIT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def errors(engine: Engine, each: int) -> Iterator[dict[str, Any]]:
    """Errors and blunders that weak levels make."""
    for number, (position, dice) in enumerate(decisions(engine, 0, "audit")):
        level = levels.find(_ERRING[number % len(_ERRING)])
        made = engine.at_level(level, seed=number).choose(position, dice)
        found = compare_plays(engine, position, dice, plies=PLIES, play=made)
        verdict = judge_play(engine, found, made)
        if verdict.grade not in ("error", "blunder") or verdict.played.plies < PLIES:
            continue
        yield {
            "game": engine.variant.name,
            "position": position.id,
            "dice": list(dice),
            "best": verdict.best.play.notation,
            "played": made.notation,
            "loss": round(verdict.loss, 4),
            "sentence": because(verdict.reasons, verdict.loss),
            "causes": [
                [reason.id, round(reason.weight / verdict.loss, 3)]
                for reason in decisive(verdict.reasons, verdict.loss)
            ],
        }
        each -= 1
        if not each:
            return


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    weighing = commands.add_parser("weights")
    weighing.add_argument("games", nargs="*", metavar="GAME", help="the games, all without")
    weighing.add_argument("--each", type=int, default=150, help="decisions of each game")
    auditing = commands.add_parser("audit")
    auditing.add_argument("--each", type=int, default=20, help="errors of each game")
    asked = parser.parse_args()
    if asked.command == "weights":
        weigh(asked.games or list(variants()), asked.each)
    else:
        audit(asked.each)


if __name__ == "__main__":
    main()
