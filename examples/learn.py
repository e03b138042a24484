"""Learn a game from nothing by self-play, and play it against a hand-written player.

    python examples/learn.py                                    # backgammon, five minutes of one core
    python examples/learn.py --game tapa --minutes 2

Temporal differences: the value of a position, for the side on roll before it throws, moves towards the
value of the position that the best play leads to. Thousands of plays are looked at in one multiplication
of matrices. Needs NumPy and the extra `envs`, nothing else.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np

import sheshbesh as sb
from sheshbesh import envs

Array = np.ndarray[Any, Any]
BLACK_ON_ROLL = 102
COUNTS = 54  # the first bytes of a row: 27 counts of each side


def features(rows: Array) -> Array:
    """What the model sees: for each place whether it holds 1, 2, 3 checkers, and how many more."""
    counts = rows[:, :COUNTS].astype(np.float32)
    parts = [(counts >= number).astype(np.float32) for number in (1, 2, 3)]
    pinned = rows[:, COUNTS:BLACK_ON_ROLL].astype(np.float32)
    return np.concatenate([*parts, np.maximum(counts - 3, 0) / 4, pinned], axis=1)


class Model:
    """One hidden layer, trained with Adam; values are points for the side on roll."""

    def __init__(self, seed: int, hidden: int = 64, rate: float = 2e-3) -> None:
        chance = np.random.default_rng(seed)
        inputs = 4 * COUNTS + BLACK_ON_ROLL - COUNTS
        self.weights = [
            chance.normal(0, 0.05, (inputs, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros(hidden, np.float32),
            np.zeros(1, np.float32),
        ]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.rate, self.steps = rate, 0

    def values(self, rows: Array) -> Array:
        """The value of each position."""
        first, bias, second, offset = self.weights
        return np.asarray(np.maximum(features(rows) @ first + bias, 0) @ second + offset)

    def learn(self, rows: Array, targets: Array) -> None:
        """One step towards these values."""
        first, bias, second, offset = self.weights
        seen = features(rows)
        hidden = np.maximum(seen @ first + bias, 0)
        error = (hidden @ second + offset - targets) / len(rows)
        back = np.outer(error, second) * (hidden > 0)
        gradients = [seen.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(keepdims=True)]
        self.steps += 1
        for weight, gradient, (mean, square) in zip(self.weights, gradients, self.moments, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            step = mean / (1 - 0.9**self.steps) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
            weight -= self.rate * step


def train(game: str, *, seconds: float, steps: int, batch: int, seed: int) -> tuple[Model, int]:
    """The model after so many seconds or steps, and the games it has played with itself."""
    env = envs.vector(game, batch)
    observed, _ = env.reset(seed=seed)
    model, games = Model(seed), 0
    end = perf_counter() + seconds
    while model.steps < steps and perf_counter() < end:
        before = observed["observation"].copy()
        naming = before[:, 114] == 1
        offsets, rows = env.afterstates()
        # The value for the side that plays: with the other side on roll the sign changes.
        mover = np.repeat(before[:, BLACK_ON_ROLL], np.diff(offsets))
        values = model.values(rows) * np.where(rows[:, BLACK_ON_ROLL] == mover, 1, -1)
        actions = np.array(
            [values[first:last].argmax() for first, last in pairwise(offsets)],
            np.int32,
        )
        observed, rewards, ended, truncated, _ = env.step(actions)
        targets = np.where(ended, rewards, values[offsets[:-1] + actions])
        fit = ~truncated & ~naming
        model.learn(before[fit], targets[fit].astype(np.float32))
        games += int(ended.sum())
    return model, games


def duel(model: Model, game: str, opponent: str, games: int, seed: int) -> tuple[float, float]:
    """Points a game against an opponent, with their standard error."""
    env = envs.gym(game, opponent=opponent)
    points = []
    for number in range(games):
        _, info = env.reset(seed=seed + number)
        reward, over = 0.0, False
        while not over:
            rows = env.afterstates()
            mine = sb.Side.of(info["side"]) is sb.Side.BLACK
            values = model.values(rows) * np.where(rows[:, BLACK_ON_ROLL] == mine, 1, -1)
            _, reward, ended, truncated, info = env.step(int(values.argmax()))
            over = ended or truncated
        points.append(reward)
    return float(np.mean(points)), float(np.std(points) / len(points) ** 0.5)


def main(arguments: list[str] | None = None) -> float:
    """Learn, play, and tell the result; the points a game."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="backgammon")
    parser.add_argument("--opponent", default="racer", help="racer, builder, careful, random, or a level")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--steps", type=int, default=10**9, help="stop after so many steps of learning")
    parser.add_argument("--batch", type=int, default=256, help="games that are played at once")
    parser.add_argument("--games", type=int, default=500, help="games against the opponent")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    model, played = train(
        asked.game, seconds=60 * asked.minutes, steps=asked.steps, batch=asked.batch, seed=asked.seed
    )
    print(f"{played} games with itself, {model.steps} steps")
    points, error = duel(model, asked.game, asked.opponent, asked.games, asked.seed)
    print(f"{points:+.3f} +- {error:.3f} points a game against {asked.opponent}")
    return points


if __name__ == "__main__":
    main()
