"""What is measured of Sheshbesh: random games in the core, and the rules API from Python."""

from __future__ import annotations

import random

import sheshbesh as sb
from benchmarks.measure import Summary

CORE_DECISIONS = 200_000
API_POSITIONS = 2_000
API_DECISIONS = 20_000
SEED = 1

Asked = list[tuple[sb.Position, tuple[int, int] | None]]
"""Positions with the dice thrown there; None where an element is owed."""


def core_positions(game: sb.Variant, decisions: int = CORE_DECISIONS) -> tuple[int, Summary]:
    """Random games in the core: (distinct final positions returned, the whole count)."""
    summary = game.play_at_random(decisions, SEED)
    return summary[2], summary


def core_decisions(game: sb.Variant, decisions: int = CORE_DECISIONS) -> tuple[int, Summary]:
    """The same games counted in throws played."""
    summary = game.play_at_random(decisions, SEED)
    return summary[1], summary


def throws(game: sb.Variant, count: int = API_POSITIONS) -> Asked:
    """The first throws of random games."""
    rng = random.Random(SEED)
    found: Asked = []
    position = game.start()
    while len(found) < count:
        dice = None if position.pending else (rng.randrange(6) + 1, rng.randrange(6) + 1)
        plays = position.legal_plays(dice)
        if not plays:
            position = game.start()
            continue
        found.append((position, dice))
        position = plays[rng.randrange(len(plays))].result
    return found


def ask_legal_plays(asked: Asked) -> tuple[int, Summary]:
    """One call of `legal_plays` for each; how many plays there were is the proof of work."""
    total = 0
    for position, dice in asked:
        total += len(position.legal_plays(dice))
    return len(asked), (len(asked), total)


def api_decisions(game: sb.Variant, decisions: int = API_DECISIONS) -> tuple[int, Summary]:
    """Random games through the Python API: throw, list the plays, take one."""
    rng = random.Random(SEED)
    below = rng.randrange
    position = game.start()
    done = games = 0
    while done < decisions:
        plays = position.legal_plays((below(6) + 1, below(6) + 1))
        if plays:
            position = plays[below(len(plays))].result
            done += 1
        else:
            games += 1
            position = game.start()
    return done, (done, games)
