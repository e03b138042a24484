"""The position of the day: one decision for each game and day, from the engine's games with itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Any

from sheshbesh.engines import Candidate, Engine, make_engine
from sheshbesh.engines.explain.verdict import grade_of
from sheshbesh.players.data import graded, play_data
from sheshbesh.rules import Position, Roll, Variant, variant
from sheshbesh.session.board_data import board_data, layout_data, stages_data

_FROM, _MOST = 6, 40
"""The turn of a game from which decisions are considered, and the last one."""
_GAMES = 8
"""Games that are played to find one; the last decision found is taken if none is close enough."""
_PLAYS = range(4, 121)
"""The number of plays that the decision offers."""
_LOSS = range(10, 150)
"""The loss of the second-best play, in thousandths of a point: neither a matter of taste nor obvious."""
_PLIES = 1


@lru_cache(maxsize=128)
def daily_position(name: str, day: date) -> dict[str, Any]:
    """The decision of `day` in a game: position, dice, how the turn may go on, and what each play loses.

    The API alone gives it, to programs that show it; the puzzle of the day on the site is that of
    `server.practice.daily`.

    `plays` are all legal plays, best first, with the steps of one order each, the loss in points of equity
    and the grade of a verdict. The same for everybody; VariantError for an unknown game.
    """
    rules = variant(name)
    engine = make_engine(rules)
    position, dice = _choose(rules, engine, random.Random(f"daily {day.isoformat()} {name}"))
    candidates = engine.rank(position, dice, plies=_PLIES)
    return {
        "game": name,
        "day": day.isoformat(),
        "side": position.turn.value,
        "board": board_data(position),
        "dice": list(dice),
        "dice_steps": int(str(rules.axes["throw"]["double_steps"])) if dice.is_double else len(dice),
        "choices": stages_data(list(position.bare_stages(dice))),
        "layout": layout_data(rules),
        "plays": [_play(each, candidates[0]) for each in candidates],
    }


def _play(candidate: Candidate, best: Candidate) -> dict[str, Any]:
    loss = max(best.equity - candidate.equity, 0.0)
    grade = "best" if candidate is best else grade_of(candidate, best)
    return {**play_data(candidate.play), "loss": round(loss, 4), **graded(grade)}


def _choose(rules: Variant, engine: Engine, chance: random.Random) -> tuple[Position, Roll]:
    """The first suitable decision of several games."""
    found = None
    for _ in range(_GAMES):
        for position, dice, candidates in _decisions(rules, engine, chance):
            if len(candidates) in _PLAYS:
                found = position, dice
                if round(1000 * (candidates[0].equity - candidates[1].equity)) in _LOSS:
                    return found
    assert found is not None, f"no decision in {_GAMES} games of {rules.name}"
    return found


def _decisions(
    rules: Variant, engine: Engine, chance: random.Random
) -> Iterator[tuple[Position, Roll, tuple[Candidate, ...]]]:
    """The throws of a game that both sides play well, from a few turns after the start."""
    position = rules.start()
    for turn in range(_MOST):
        owed = position.pending is not None
        dice = None if owed else Roll(chance.randint(1, 6), chance.randint(1, 6))
        candidates = engine.rank(position, dice)
        if not candidates:
            return
        if dice is not None and turn >= _FROM and len(candidates) > 1:
            yield position, dice, candidates
        position = candidates[0].play.result
