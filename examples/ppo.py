"""Learn a game by MaskablePPO of sb3-contrib against a hand-written player.

    pip install 'sheshbesh[envs]' sb3-contrib
    python examples/ppo.py                              # backgammon, ten minutes of one core
    python examples/ppo.py --game tapa --opponent careful --minutes 3

An index of a legal play says nothing about the board, so the policy looks at what each play leads to: a small
net values the positions after all of them, and its values are the logits of the actions.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

from sheshbesh import envs

MOST = 64  # plays that are looked at; few throws have more
ROW = 116
COUNTS = 54  # the first bytes of a row: 27 counts of each side
BLACK_ON_ROLL = 102


class AfterPlays(gymnasium.Wrapper[Any, Any, Any, Any]):
    """The positions after each legal play as what is observed, `MOST` of them at most."""

    def __init__(self, game: str, opponent: str) -> None:
        self.inside = envs.gym(game, opponent=opponent)
        super().__init__(self.inside)
        self.observation_space = spaces.Box(0, 255, (MOST * ROW,), np.uint8)
        self.action_space = spaces.Discrete(MOST)
        self.legal = 0

    def _seen(self) -> np.ndarray[Any, Any]:
        rows = self.inside.afterstates()[:MOST]
        self.legal = max(len(rows), 1)
        seen = np.zeros((MOST, ROW), np.uint8)
        seen[: len(rows)] = rows
        return seen.reshape(-1)

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        """Begin a game."""
        _, info = self.inside.reset(**options)
        return self._seen(), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make a play."""
        _, reward, ended, truncated, info = self.inside.step(int(action))
        return self._seen(), reward, ended, truncated, info

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Which plays there are."""
        return np.arange(MOST) < self.legal


class Values(BaseFeaturesExtractor):
    """A value for the position after each play, for who makes it; behind them the mean of what was seen."""

    def __init__(self, space: spaces.Box, hidden: int = 64) -> None:
        super().__init__(space, MOST + hidden)
        self.first = nn.Linear(4 * COUNTS + BLACK_ON_ROLL - COUNTS, hidden)
        self.second = nn.Linear(hidden, 1)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """The features of a batch of observations."""
        rows = seen.view(-1, MOST, ROW)
        counts, pinned = rows[..., :COUNTS], rows[..., COUNTS:BLACK_ON_ROLL]
        parts = [(counts >= number).float() for number in (1, 2, 3)]
        inputs = torch.cat([*parts, torch.relu(counts - 3) / 4, pinned], dim=2)
        inside = torch.relu(self.first(inputs))
        there = (counts.sum(2, keepdim=True) > 0).float()
        mean = (inside * there).sum(1) / there.sum(1).clamp(min=1)
        return torch.cat([self.second(inside).squeeze(2), mean], dim=1)


class Split(nn.Module):
    """The values for the policy, the mean for the critic."""

    latent_dim_pi = MOST

    def __init__(self, features: int) -> None:
        super().__init__()
        self.latent_dim_vf = features - MOST

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Both parts."""
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """The values."""
        return features[:, :MOST]

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """The mean."""
        return features[:, MOST:]


class Policy(MaskableActorCriticPolicy):
    """Whose logits are the values of the positions after the plays."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Split(self.features_dim)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class Until(BaseCallback):
    """Stops after some minutes of processor time, so that other work on the machine changes nothing."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.began, self.minutes = process_time(), minutes

    def _on_step(self) -> bool:
        gone = (process_time() - self.began) / 60
        return gone < self.minutes


def measured(
    model: MaskablePPO, game: str, opponent: str, games: int, seed: int
) -> tuple[float, float, float]:
    """The share of games won with its standard error, and the points a game."""
    env = AfterPlays(game, opponent)
    points = []
    for number in range(games):
        seen, _ = env.reset(seed=seed + number)
        ended = truncated = False
        reward = 0.0
        while not (ended or truncated):
            action, _ = model.predict(seen, action_masks=env.action_masks(), deterministic=True)
            seen, reward, ended, truncated, _ = env.step(action)
        points.append(reward)
    won = float(np.mean(np.array(points) > 0))
    return won, (won * (1 - won) / games) ** 0.5, float(np.mean(points))


def main() -> None:
    """Learn, measuring at the beginning, in between and at the end."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="backgammon")
    parser.add_argument("--opponent", default="racer")
    parser.add_argument("--minutes", type=float, default=10.0, help="of processor time")
    parser.add_argument(
        "--measures", type=int, default=4, help="how often it is measured after the beginning"
    )
    parser.add_argument("--games", type=int, default=400, help="games of one measure")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    vector = DummyVecEnv([lambda: AfterPlays(options.game, options.opponent)] * 16)
    model = MaskablePPO(
        Policy,
        vector,
        policy_kwargs={"features_extractor_class": Values, "normalize_images": False},
        n_steps=256,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.9,
        learning_rate=1e-3,
        ent_coef=0.005,
        seed=options.seed,
        device="cpu",
    )
    for number in range(options.measures + 1):
        if number:
            until = Until(options.minutes / options.measures)
            model.learn(10**9, callback=until, reset_num_timesteps=False)
        won, error, points = measured(model, options.game, options.opponent, options.games, options.seed)
        minutes = options.minutes * number / options.measures
        steps = model.num_timesteps
        result = f"won {won:.3f} ± {error:.3f}, {points:+.2f} points a game"
        print(f"{minutes:4.1f} min {steps:8} decisions: {result}", flush=True)


if __name__ == "__main__":
    main()
