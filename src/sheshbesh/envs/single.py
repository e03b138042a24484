"""One side of a game against an opponent of the package, as a Gymnasium environment."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, TypedDict, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from sheshbesh.engines import make_engine, written
from sheshbesh.engines.strength import levels
from sheshbesh.envs.contest import (
    ANSWER,
    DOUBLE,
    RENDER_MODES,
    WIDTH,
    Contest,
    checked_mode,
    game_of,
    seed_of,
)
from sheshbesh.rules import Position, Side, Variant

_Chooser = Callable[[Contest], int]


class Observation(TypedDict):
    """An observation: a row of bytes, and which actions are legal; for many games an array of each."""

    observation: NDArray[np.uint8]
    action_mask: NDArray[np.int8]


def observation_space(width: int) -> spaces.Space[Observation]:
    """The space of what is observed by a player who has at most `width` actions."""
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(0, 255, (WIDTH,), np.uint8),
        "action_mask": spaces.Box(0, 1, (width,), np.int8),
    }
    return cast("spaces.Space[Observation]", spaces.Dict(parts))


class SingleEnv(gymnasium.Env[Observation, Any]):
    """One side of a game or match; the opponent's decisions are made within `step` and `reset`.

    Actions and observations are those of `Contest`. An action that is not legal changes nothing: its
    reward is `illegal_reward`, and `info["illegal"]` is true. `info["legal"]` is the number of legal
    actions, which come first. Rewards are points, or 1 and -1 at the end of a match.
    """

    metadata = {"render_modes": RENDER_MODES, "name": "sheshbesh"}  # noqa: RUF012 -- Gymnasium declares it so

    def __init__(
        self,
        game: str | Variant,
        *,
        opponent: str = "beginner",
        side: Side | str | None = None,
        match: int | None = None,
        cube: bool = False,
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        rules = game_of(game, options)
        self.render_mode = checked_mode(render_mode)
        self._contest = Contest(rules, match=match, cube=cube)
        self._side = None if side is None else Side.of(side)
        self._opponent = opponent
        _check_opponent(opponent)
        self._illegal_reward = _reward(illegal_reward)
        self.width = self._contest.width
        self.observation_space = observation_space(self.width)
        self.action_space: spaces.Space[Any] = spaces.Discrete(self.width)
        self.me = self._side or Side.WHITE
        self._drawn: int | None = None
        self._choose: _Chooser | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin anew; the seed decides about the dice, the side played, and the opponent's mistakes.

        ValueError for a seed that is no whole number of 0 or more.
        """
        super().reset(seed=None if seed is None else seed_of(seed), options=options)
        drawn = self.np_random.integers(2**63, size=2)
        self.me = self._side or (Side.WHITE, Side.BLACK)[int(self.np_random.integers(2))]
        self._contest.reset(int(drawn[0]))
        self._drawn = int(drawn[1])
        self._choose = self._chooser()
        self._answer()
        self._show()
        return self._observed(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a decision, then those of the opponent up to one's own next; ResetNeeded before a `reset`."""
        if self._choose is None:
            raise ResetNeeded("call reset() before step()")
        contest = self._contest
        index = _index(action)
        if not 0 <= index < contest.legal:
            info = {**self._info(), "illegal": True}
            return self._observed(), self._illegal_reward, contest.is_over, contest.is_truncated, info
        contest.step(index)
        reward = contest.rewards[self.me] + self._answer()
        self._show()
        return self._observed(), reward, contest.is_over, contest.is_truncated, self._info()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the board in the mode that was chosen.

        Returns
        -------
        str, ndarray or None
            The text in the mode "ansi"; in "rgb_array" the picture, bytes of shape (height, 640, 3). None in
            "human", where the board is printed after every decision by itself.
        """
        return None if self.render_mode == "human" else self._contest.render(self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self._contest.render("human")

    def _chooser(self) -> _Chooser | None:
        """Return what decides for the opponent of this game; None before the first."""
        if self._drawn is None:
            return None
        return _chooser(self._opponent, self._contest.rules, self._drawn, self.np_random)

    def __getstate__(self) -> dict[str, object]:
        # An engine does not travel; it is made anew, with the same errors.
        return {**vars(self), "_choose": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._choose = self._chooser()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, of shape (actions,): what MaskablePPO of sb3-contrib asks
        for."""
        mask = np.zeros(self.width, np.bool_)
        mask[: self._contest.legal] = True
        return mask

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._contest.position

    def afterstates(self) -> NDArray[np.uint8]:
        """The positions after each legal action, as rows of `to_rows`; none in the phases of the cube."""
        return self._contest.afterstates()

    def _answer(self) -> float:
        contest, choose, reward = self._contest, self._choose, 0.0
        assert choose is not None
        while not (contest.is_over or contest.is_truncated) and contest.actor is not self.me:
            contest.step(choose(contest))
            reward += contest.rewards[self.me]
        return reward

    def _observed(self) -> Observation:
        seen, mask = self._contest.observe(self.me)
        return {"observation": seen, "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        return {"legal": self._contest.legal, "illegal": False, "side": self.me.value}


def _index(action: object) -> int:
    """The number of an action; -1 for what is no whole number, which no action is."""
    try:
        return operator.index(action)  # type: ignore[arg-type]  # TypeError is the answer
    except TypeError:
        return -1


def _reward(value: object) -> float:
    try:
        reward = float(value)  # type: ignore[arg-type]  # TypeError is the answer
    except (TypeError, ValueError):
        reward = math.nan
    if isinstance(value, str) or not math.isfinite(reward):
        raise ValueError(f"the reward of an illegal action is a number, not {value!r}")
    return reward


def _check_opponent(name: str) -> None:
    if name != "random" and name not in written.PLAYERS and name not in levels.names():
        known = ", ".join(("random", *written.PLAYERS, *levels.names()))
        raise ValueError(f"there is no opponent {name!r}: expected one of {known}")


def _chooser(name: str, rules: Variant, seed: int, chance: np.random.Generator) -> _Chooser:
    """Return what decides for the opponent: chance, a hand-written player, or the engine at a level."""
    if name == "random":
        return lambda contest: int(chance.integers(contest.legal))
    if name in written.PLAYERS:
        return _written(name, rules)
    engine = make_engine(rules, level=name, seed=seed & 0xFFFFFFFF)

    def choose(contest: Contest) -> int:
        position, score = contest.position, contest.score
        if contest.phase == DOUBLE:
            return int(engine.doubles(position, score))
        if contest.phase == ANSWER:
            return int(engine.answer(position, score) != "drop")
        if contest.is_naming:
            return engine.choose(position, None, score).dice.first - 1
        owed = position.pending
        thrown = contest.dice if owed is None or owed.choose else None
        return engine.choose(position, thrown, score)._index

    return choose


def _written(name: str, rules: Variant) -> _Chooser:
    """A hand-written player: it never doubles, takes every cube, and names double sixes."""
    player = written.player(name, rules)

    def choose(contest: Contest) -> int:
        if contest.phase == DOUBLE:
            return 0
        if contest.phase == ANSWER:
            return 1
        if contest.is_naming:
            return 5
        return int(player.choose([(contest.position._core, *contest.dice)])[0])

    return choose
