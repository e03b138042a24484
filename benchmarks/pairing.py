"""How long tournaments take to pair: processor time of the largest fields that the site promises.

    python -m benchmarks.pairing

An arena of 1,000 is to be paired within a second of processor time. The rounds are those of a tournament
that is played on, as the first one has no meetings to avoid.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from sheshbesh.tournaments import (
    SERVER,
    Presence,
    Tournament,
    apply,
    due,
    new,
    pair_actions,
    read_settings,
    to_pair,
)
from sheshbesh.tournaments.actions import AddAction, AnnounceAction, PairAction, ResultAction, StartAction
from sheshbesh.tournaments.state import Pairing

TARGET = 1.0
"""Seconds of processor time for a wave of 1,000 in an arena."""
CARD = "tavla.p3.clock-d6-20"
ROUNDS = 4


def field(system: str, entrants: int, **settings: object) -> Tournament:
    """Return a tournament of this many that has started."""
    data = {"title": "Benchmark", "card": CARD, "system": system, "directors": ["d"], "boards": "real"}
    state = new(read_settings({**data, **settings}))
    state = apply(state, "d", AnnounceAction(), 0).state
    for number in range(entrants):
        state = apply(state, "d", AddAction(name=f"P{number}"), 0).state
    return apply(state, SERVER, StartAction(), 0).state


def _ended(pairing: Pairing, rng: random.Random) -> ResultAction:
    winner = rng.choice(pairing.both)
    score = (pairing.length, 0) if winner == pairing.first else (0, pairing.length)
    return ResultAction(pairing=pairing.number, winner=winner, score=score)


def rounds_of(state: Tournament, seed: int = 1) -> list[tuple[int, float, float]]:
    """Return pairs of each round, and seconds of processor time: of the matching, of that with its events."""
    rng = random.Random(seed)
    now = 0
    found = []
    for _ in range(ROUNDS):
        now += 60_000
        everybody = Presence(frozenset(each.number for each in state.entrants))
        while any(not isinstance(each, PairAction) for each in due(state, now, everybody)):
            for action in due(state, now, everybody):
                state = apply(state, SERVER, action, now).state
        began = time.process_time()
        actions = pair_actions(state, to_pair(state, now, everybody), now)
        matched = time.process_time() - began
        for action in actions:
            state = apply(state, SERVER, action, now).state
        found.append((sum(len(each.pairs) for each in actions), matched, time.process_time() - began))
        for pairing in state.open_pairings:
            state = apply(state, SERVER, _ended(pairing, rng), now).state
    return found


CASES: dict[str, Callable[[], Tournament]] = {
    "arena of 1,000": lambda: field("arena", 1000, minutes=60),
    "Swiss of 512, random": lambda: field("swiss", 512),
    "Swiss of 512, halves": lambda: field("swiss", 512, inside="halves"),
    "Swiss of 2,048, random": lambda: field("swiss", 2048),
    "until 3 losses, 512": lambda: field("losses", 512),
}


def main() -> None:
    """Print a row for each case: its slowest round."""
    print(f"| pairing, slowest of {ROUNDS} rounds | pairs | matching, s | with its events, s |")
    print("|---|---:|---:|---:|")
    for name, make in CASES.items():
        rounds = rounds_of(make())
        pairs = rounds[0][0]
        matched, whole = (max(each[column] for each in rounds) for column in (1, 2))
        missed = " (target missed)" if name.startswith("arena") and matched > TARGET else ""
        print(f"| {name} | {pairs} | {matched:.2f}{missed} | {whole:.2f} |")


if __name__ == "__main__":
    main()
