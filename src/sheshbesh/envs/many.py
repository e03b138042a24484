"""Many games at once, as a vectorised Gymnasium environment over arrays of the core."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from sheshbesh import _core
from sheshbesh.envs.contest import (
    LONGEST,
    WIDTH,
    Contest,
    game_of,
    may_start_with_double,
    seed_of,
    whole_number,
)
from sheshbesh.envs.single import Observation, observation_space
from sheshbesh.rules import Side, Variant

Actions = NDArray[np.int32]

_MOST = 2**31 - 1
_TOLD = ("rewards", "ended", "truncated", "illegal")
_ARRAYS = ("_games", "_observation", "_rewards", "_legal", "_ended", "_truncated", "_infos")


class ManyGames(VectorEnv[Observation, Actions, NDArray[Any]]):
    """`n` games of one rule set, one decision in each at a time by the side whose turn it is, for self-play.

    Observations and masks are seen by the side that decides; `rewards` are the points of the side that
    has just decided. A game that ends begins anew in the same step, and its observation is that of the
    new game. The arrays are the core's own memory, which the next `step` writes over: copy what has to
    last. An action that is not legal leaves its game as it is and is marked in `infos["illegal"]`.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 -- Gymnasium declares it so

    def __init__(
        self, game: str | Variant, n: SupportsIndex, *, longest: int = LONGEST, **options: object
    ) -> None:
        self._rules = game_of(game, options)
        self._longest = whole_number(longest, least=1, most=_MOST, what="the longest game")
        self.num_envs = _checked(n)
        width = int(_core.most_actions(self._rules._core))
        _set_spaces(self, width)
        self._begin(0)

    def _begin(self, seed: int) -> None:
        rules = self._rules
        self._games = games = _core.Games(
            rules._core,
            self.num_envs,
            seed & (2**64 - 1),
            first_double=may_start_with_double(rules),
            longest=self._longest,
        )
        self._observation: Observation = {"observation": games.observations, "action_mask": games.masks}
        self._rewards, self._legal = games.rewards, games.actions
        self._ended, self._truncated = games.ended.view(np.bool_), games.truncated.view(np.bool_)
        self._infos = {"legal": self._legal, "illegal": games.illegal.view(np.bool_)}

    def __getstate__(self) -> dict[str, object]:
        # The arrays are the core's own; what a step brought is not remembered there.
        told = {name: getattr(self._games, name).copy() for name in _TOLD}
        kept = {name: value for name, value in vars(self).items() if name not in _ARRAYS}
        return {**kept, "_games": (self._games.memory(), told)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        memory, told = state.pop("_games")
        vars(self).update(state)
        self._begin(0)
        self._games.recall(memory)
        for name, values in told.items():
            getattr(self._games, name)[:] = values

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games anew, with dice that depend on the seed alone."""
        self._begin(_shared(seed))
        return self._observation, self._infos

    def step(
        self, actions: Actions
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One decision in each game; ValueError unless there is one for each."""
        self._games.step(_actions(actions, self.num_envs))
        return self._observation, self._rewards, self._ended, self._truncated, self._infos

    def random_actions(self, out: Actions | None = None) -> Actions:
        """A legal action for each game, uniformly; into `out` if it is given."""
        chosen = _room(out, self.num_envs)
        self._games.choose_at_random(chosen)
        return chosen

    def afterstates(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """The positions after every legal action of every game: (offsets of the games, rows).

        A row is that of `to_rows`, for the side on roll there: the values of a value learner change
        their sign where that is the opponent.
        """
        offsets, rows = self._games.afterstates()
        return offsets, rows


class ManyContests(VectorEnv[Observation, Actions, NDArray[Any]]):
    """The same with a cube or in matches: `n` objects of `Contest`, one after the other."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 -- Gymnasium declares it so

    def __init__(
        self,
        game: str | Variant,
        n: SupportsIndex,
        *,
        match: int | None = None,
        cube: bool = False,
        longest: int = LONGEST,
        **options: object,
    ) -> None:
        rules = game_of(game, options)
        self.num_envs = count = _checked(n)
        longest = whole_number(longest, least=1, most=_MOST, what="the longest game")
        self._contests = [Contest(rules, match=match, cube=cube, longest=longest) for _ in range(count)]
        width = self._contests[0].width
        _set_spaces(self, width)
        self._seen = np.zeros((count, WIDTH), np.uint8)
        self._mask = np.zeros((count, width), np.int8)
        self._legal = np.zeros(count, np.int32)
        self.reset(seed=0)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games anew, with dice that depend on the seed alone."""
        self._chance = np.random.default_rng(_shared(seed))
        for index in range(self.num_envs):
            self._restart(index)
            self._show(index)
        return self._observed, {"legal": self._legal, "illegal": np.zeros(self.num_envs, np.bool_)}

    def _restart(self, index: int) -> None:
        self._contests[index].reset(int(self._chance.integers(2**63)))

    def _show(self, index: int) -> None:
        contest = self._contests[index]
        self._seen[index], self._mask[index] = contest.observe(contest.actor)
        self._legal[index] = contest.legal

    def afterstates(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """As of `ManyGames`; a game in a phase of the cube has none."""
        rows = [contest.afterstates() for contest in self._contests]
        return np.cumsum([0, *map(len, rows)]), np.concatenate(rows)

    @property
    def _observed(self) -> Observation:
        return {"observation": self._seen, "action_mask": self._mask}

    def step(
        self, actions: Actions
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One decision in each game; ValueError unless there is one for each."""
        actions = _actions(actions, self.num_envs)
        rewards = np.zeros(self.num_envs, np.float32)
        ended, truncated, illegal = (np.zeros(self.num_envs, np.bool_) for _ in range(3))
        for index, contest in enumerate(self._contests):
            action = int(actions[index])
            if not 0 <= action < contest.legal:
                illegal[index] = True
                continue
            actor: Side = contest.actor
            contest.step(action)
            rewards[index] = contest.rewards[actor]
            ended[index], truncated[index] = contest.is_over, contest.is_truncated
            if contest.is_over or contest.is_truncated:
                self._restart(index)
            self._show(index)
        return self._observed, rewards, ended, truncated, {"legal": self._legal, "illegal": illegal}

    def random_actions(self, out: Actions | None = None) -> Actions:
        """A legal action for each game, uniformly; into `out` if it is given."""
        chosen = _room(out, self.num_envs)
        chosen[:] = self._chance.integers(self._legal)
        return chosen


def _checked(n: SupportsIndex) -> int:
    return whole_number(n, least=1, most=_MOST, what="the number of games")


def _shared(seed: object) -> int:
    if isinstance(seed, list | tuple):
        raise ValueError("the games share one seed")
    return seed_of(seed)


def _actions(actions: object, n: int) -> Actions:
    """The actions as the core takes them; what no number of 32 bits holds is no legal action."""
    found = np.asarray(actions)
    if found.shape != (n,) or found.dtype.kind not in "iub":
        raise ValueError(
            f"one action a game is needed: {n} whole numbers, not {found.dtype} of shape {found.shape}"
        )
    if found.dtype != np.int32:
        fits = (found >= 0) & (found <= _MOST)
        found = np.where(fits, found.astype(np.int32), np.int32(-1))
    return np.ascontiguousarray(found)


def _room(out: Actions | None, n: int) -> Actions:
    """Return where actions are written to; ValueError for an array that the core cannot write into."""
    if out is None:
        return np.empty(n, np.int32)
    if not isinstance(out, np.ndarray) or out.dtype != np.int32 or out.shape != (n,):
        kind = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else repr(out)
        raise ValueError(f"`out` is an array of int32 of shape ({n},), not {kind}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("`out` has gaps or is read-only: nothing can be written into it")
    return out


def _set_spaces(env: VectorEnv[Any, Any, Any], width: int) -> None:
    env.single_observation_space = observation_space(width)
    env.single_action_space = spaces.Discrete(width)
    env.observation_space = batch_space(env.single_observation_space, env.num_envs)
    env.action_space = batch_space(env.single_action_space, env.num_envs)
