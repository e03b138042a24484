"""A game or match between two agents, as a PettingZoo environment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from sheshbesh.envs.contest import RENDER_MODES, Contest, checked_mode, game_of, seed_of
from sheshbesh.envs.single import Observation, observation_space
from sheshbesh.rules import Position, Side, Variant


class Agents(Protocol):
    """A game between agents as PettingZoo describes it, which itself has no types."""

    metadata: dict[str, Any]
    render_mode: str | None
    possible_agents: list[str]
    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    @property
    def unwrapped(self) -> TwoSidedEnv:
        """The game itself, without PettingZoo's checks."""

    @property
    def num_agents(self) -> int:
        """The agents that are still in the game."""

    @property
    def position(self) -> Position:
        """The position on the board."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew, with dice that depend on the seed alone; ValueError for a seed that is none."""

    def step(self, action: int | None) -> None:
        """Make the decision of the agent selected; None for one that is done."""

    def observe(self, agent: str) -> Observation | None:
        """Return what the agent sees; its mask is empty while the other one decides."""

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:  # noqa: FBT001, FBT002 -- as PettingZoo has it
        """Observation, reward, termination, truncation and info of the agent selected."""

    def agent_iter(self, max_iter: int = 2**63) -> Iterable[str]:
        """The agents selected, one after the other, until the game is over."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both agents."""

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both agents."""

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the board in the mode that was chosen; see `TwoSidedEnv.render`."""

    def close(self) -> None:
        """Nothing is held open."""


def two_sided(
    game: str | Variant, *, match: int | None, cube: bool, render_mode: str | None, **options: object
) -> Agents:
    """`TwoSidedEnv` as PettingZoo wraps it: an illegal action ends the game with a reward of -1."""
    env: Any = wrappers.TerminateIllegalWrapper(
        TwoSidedEnv(game, match=match, cube=cube, render_mode=render_mode, **options), illegal_reward=-1
    )
    wrapped: Agents = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
    return wrapped


class TwoSidedEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game between the agents `white` and `black`, who decide in the order of the game.

    Actions and observations are those of `Contest`; each agent sees its own side first. Rewards are
    points, or 1 and -1 at the end of a match. `infos[agent]["legal"]` is the number of its legal
    actions.
    """

    metadata = {"render_modes": RENDER_MODES, "name": "sheshbesh_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: str | Variant,
        *,
        match: int | None = None,
        cube: bool = False,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        super().__init__()
        self.render_mode = checked_mode(render_mode)
        self._contest = Contest(game_of(game, options), match=match, cube=cube)
        self.possible_agents = [side.value for side in Side]
        space = observation_space(self._contest.width)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        action = spaces.Discrete(self._contest.width)
        self.action_spaces = {agent: spaces.Discrete(int(action.n)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin anew, with dice that depend on the seed alone; ValueError for a seed that is none."""
        self._contest.reset(seed_of(seed))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def step(self, action: int | None) -> None:
        """Make the decision of the agent selected; ValueError for one that is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "only an agent that is done acts with None"
        contest = self._contest
        contest.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {side.value: contest.rewards[side] for side in Side}
        self.terminations = dict.fromkeys(self.agents, contest.is_over)
        self.truncations = dict.fromkeys(self.agents, contest.is_truncated)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        self.agent_selection = self._contest.actor.value
        self.infos = {
            agent: {"legal": self._contest.legal * (agent == self.agent_selection)} for agent in self.agents
        }

    def observe(self, agent: str) -> Observation:
        """Return what the agent sees; its mask is empty while the other one decides."""
        seen, mask = self._contest.observe(Side.of(agent))
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the board in the mode that was chosen.

        Returns
        -------
        str, ndarray or None
            The text in the mode "ansi"; in "rgb_array" the picture, bytes of shape (height, 640, 3). None in
            "human", where the board is printed.
        """
        return self._contest.render(self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._contest.position
