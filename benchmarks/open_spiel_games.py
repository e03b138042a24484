"""The same random games through open_spiel's Python API, for comparison (extra `peers`).

A double is two half-turns there. Each counts as a decision of its own, in favour of open_spiel;
throwing the dice does not count on either side.
"""

from __future__ import annotations

import random
from typing import Any

from sheshbesh.engines.measure.speed import Summary

DECISIONS = 5_000
SEED = 1


def decisions(peer: Any, count: int = DECISIONS) -> tuple[int, Summary]:
    """Play random games until `count` decisions were made; (decisions, (decisions, games))."""
    game = peer.load_game("backgammon")
    below = random.Random(SEED).randrange
    opening: list[int] = []
    later: list[int] = []
    done = games = 0
    state = game.new_initial_state()
    while done < count:
        if state.is_terminal():
            games += 1
            state = game.new_initial_state()
        if state.is_chance_node():
            # The outcomes are always the same: listing them once spares open_spiel the time.
            table = later if state.move_number() else opening
            if not table:
                table += _evenly(state.chance_outcomes())
            state.apply_action(table[below(len(table))])
        else:
            actions = state.legal_actions()
            state.apply_action(actions[below(len(actions))])
            done += 1
    return done, (done, games)


def _evenly(outcomes: list[tuple[int, float]]) -> list[int]:
    """Each outcome as often as its chance says, so that an even draw is the right one."""
    smallest = min(chance for _, chance in outcomes)
    return [action for action, chance in outcomes for _ in range(round(chance / smallest))]
