"""Environments for learning: the contracts of Gymnasium and PettingZoo, and the same games as the rules."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import sheshbesh as sb
from sheshbesh import _core, envs
from sheshbesh.envs.contest import ANSWER, CUBE, DOUBLE, PHASE, PLAY, Contest
from sheshbesh.match import MatchState

KINDS: tuple[dict[str, Any], ...] = ({}, {"cube": True}, {"match": 3, "cube": True})
OBSERVED = ("Observation space for each agent", "We recommend agents", "Observation is not a NumPy")
"""What PettingZoo remarks on every environment whose observations have masks, or whose agents have names."""


@pytest.mark.parametrize("name", sb.variants())
def test_every_game_keeps_the_contracts_of_both_libraries(name: str) -> None:
    with warnings.catch_warnings():
        for message in OBSERVED:
            warnings.filterwarnings("ignore", message=message)
        for options in KINDS:
            api_test(envs.aec(name, **options), num_cycles=60)
            check_env(envs.gym(name, opponent="random", **options).unwrapped, skip_render_check=True)
        seed_test(lambda: envs.aec(name), num_cycles=40)


def test_boards_are_shown_in_every_mode_of_both_libraries(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **options: envs.aec("tapa", **options))
    capsys.readouterr()
    env = envs.gym("tapa", opponent="random", render_mode="human")
    env.reset(seed=1)
    env.step(0)
    assert capsys.readouterr().out.count("to play") == 2 and env.render() is None


def test_gymnasium_knows_every_game_by_name() -> None:
    for name in sb.variants():
        word = "".join(part.capitalize() for part in name.split("_"))
        env = gymnasium.make(f"sheshbesh/{word}-v0", opponent="random", match=3)
        assert env.unwrapped.position.variant == sb.variant(name)  # type: ignore[attr-defined]
    assert gymnasium.make("sheshbesh.envs:sheshbesh/Tapa-v0", opponent="random").spec is not None


def test_the_mask_of_sb3_contrib_has_the_legal_actions() -> None:
    env = envs.gym("tavla", opponent="random")
    seen, info = env.reset(seed=3)
    mask = env.action_masks()
    assert mask.dtype == np.bool_ and mask.sum() == info["legal"]
    assert (mask == seen["action_mask"]).all()


@pytest.mark.parametrize("name", sb.variants())
def test_the_actions_are_the_legal_plays_in_their_order(name: str) -> None:
    contest = Contest(sb.variant(name))
    chance = np.random.default_rng(5)
    for _ in range(120):
        position = contest.position
        if contest.is_naming:
            assert contest.legal == 6
        else:
            owed = position.pending
            dice = contest.dice if owed is None or owed.choose else None
            plays = position.legal_plays(dice)
            assert len(plays) == contest.legal
            rows = contest.afterstates()
            last = len(plays) - 1
            assert sb.from_rows(position.variant, rows[[0, last]]) == [plays[0].result, plays[last].result]
        contest.step(int(chance.integers(contest.legal)))
        if contest.is_over:
            contest.reset(int(chance.integers(1000)))


def test_no_throw_has_more_plays_than_the_action_space() -> None:
    # C(n + 4, 4): four equal steps or fewer, among n checkers.
    assert envs.gym("hypergammon").width == 35
    assert envs.gym("backgammon").width == 3876
    env = envs.vector("hypergammon", 512)
    _, info = env.reset(seed=1)
    most = 0
    for _ in range(200):
        most = max(most, int(info["legal"].max()))
        env.step(env.random_actions())
    assert 15 <= most <= 35


def test_an_illegal_action_changes_nothing_and_says_so() -> None:
    env = envs.gym("tavla", opponent="racer")
    before, info = env.reset(seed=3)
    for action in (info["legal"], 3875):
        seen, reward, ended, truncated, told = env.step(action)
        assert (reward, ended, truncated, told["illegal"]) == (-1.0, False, False, True)
        assert (seen["observation"] == before["observation"]).all()
        assert (seen["action_mask"] == before["action_mask"]).all()
    _, _, _, _, told = env.step(0)
    assert told["illegal"] is False


def test_the_same_seed_gives_the_same_game() -> None:
    def story(seed: int) -> list[bytes]:
        env = envs.gym("tapa", opponent="random")
        seen, info = env.reset(seed=seed)
        found = []
        for number in range(60):
            seen, _, ended, truncated, info = env.step((7 * number) % info["legal"])
            found.append(seen["observation"].tobytes())
            if ended or truncated:
                break
        return found

    assert story(1) == story(1) != story(2)


def test_many_games_pay_what_the_rules_say_and_begin_anew() -> None:
    env = envs.vector("hypergammon", 32)
    seen, _ = env.reset(seed=9)
    game = sb.variant("hypergammon")
    finished = 0
    for _ in range(150):
        before = seen["observation"].copy()
        actions = env.random_actions()
        offsets, rows = env.afterstates()
        seen, rewards, ended, truncated, info = env.step(actions)
        assert not info["illegal"].any() and not truncated.any()
        for index in np.flatnonzero(ended):
            (after,) = sb.from_rows(game, rows[[offsets[index] + actions[index]]])
            result = after.result
            assert result is not None and result.winner is not None
            mover = sb.Side.BLACK if before[index, 102] else sb.Side.WHITE
            assert rewards[index] == (result.points if result.winner is mover else -result.points)
            assert (
                seen["observation"][index, 0] == seen["observation"][index, 27] == 0
            )  # nothing is borne off yet
            finished += 1
        assert (seen["action_mask"].sum(axis=1) == info["legal"]).all()
    assert finished > 20


def test_an_illegal_action_among_many_leaves_its_game_alone() -> None:
    env = envs.vector("long_nardy", 4)
    seen, info = env.reset(seed=2)
    before = seen["observation"].copy()
    actions = np.array([0, -1, info["legal"][2], 0])
    seen, _, _, _, info = env.step(actions)
    assert info["illegal"].tolist() == [False, True, True, False]
    changed = (seen["observation"] != before).any(axis=1)
    assert changed.tolist() == [True, False, False, True]


def test_a_long_game_is_given_up() -> None:
    env = envs.vector("tavla", 3, longest=5)
    env.reset(seed=1)
    stopped = [env.step(env.random_actions())[3].tolist() for _ in range(5)]
    assert stopped == [[False] * 3] * 4 + [[True] * 3]


def test_the_cube_is_offered_before_the_throw_and_its_answer_is_the_other_sides() -> None:
    contest = Contest(sb.variant("backgammon"), cube=True)
    while contest.phase == PLAY:
        contest.step(0)
    doubler = contest.actor
    seen, mask = contest.observe(doubler)
    assert contest.phase == DOUBLE and mask.sum() == 2
    assert seen[PHASE] == DOUBLE and not seen[116:119].any()
    contest.step(1)
    assert contest.phase == ANSWER and contest.actor is doubler.other
    contest.step(1)
    assert contest.phase == PLAY and contest.actor is doubler
    assert (contest.score.cube, contest.score.owner) == (2, doubler.other)
    assert contest.observe(doubler)[0][CUBE : CUBE + 2].tolist() == [1, 2]
    assert contest.observe(doubler.other)[0][CUBE : CUBE + 2].tolist() == [1, 1]


def test_a_dropped_cube_pays_its_value() -> None:
    contest = Contest(sb.variant("backgammon"), cube=True)
    while contest.phase == PLAY:
        contest.step(0)
    doubler = contest.actor
    contest.step(1)
    contest.step(0)
    assert contest.is_over and contest.rewards == {doubler: 1.0, doubler.other: -1.0}


def test_a_match_has_one_crawford_game_and_ends_with_plus_and_minus_one() -> None:
    contest = Contest(sb.variant("backgammon"), match=2, cube=True)
    chance = np.random.default_rng(1)
    scores: list[MatchState] = [contest.score]
    for _ in range(5000):
        if contest.is_over:
            break
        contest.step(0 if contest.phase != PLAY else int(chance.integers(contest.legal)))
        if (contest.score.white, contest.score.black) != (scores[-1].white, scores[-1].black):
            scores.append(contest.score)
    assert contest.is_over and sorted(contest.rewards.values()) == [-1.0, 1.0]
    assert sum(score.crawford for score in scores) <= 1


@pytest.mark.parametrize("opponent", ["random", "racer", "beginner"])
def test_every_kind_of_opponent_plays_every_kind_of_turn(opponent: str) -> None:
    # A chain, a double to be named, checkers in hand, pins.
    for name in ("gul_bara", "acey_deucey", "khachapuri", "tapa"):
        env = envs.gym(name, opponent=opponent)
        env.reset(seed=4)
        for _ in range(25):
            _, _, ended, truncated, _ = env.step(0)
            if ended or truncated:
                env.reset()


def test_bad_requests_are_refused_with_what_there_is() -> None:
    with pytest.raises(ValueError, match="no opponent 'gnubg': expected one of random, racer"):
        envs.gym("tavla", opponent="gnubg")
    with pytest.raises(sb.VariantError):
        envs.aec("ludo")


MAKERS = (
    lambda **options: envs.aec("tavla", **options),
    lambda **options: envs.gym("tavla", opponent="random", **options),
    lambda **options: envs.vector("tavla", 3, **options),
)


@pytest.mark.parametrize("make", MAKERS)
def test_a_match_that_an_observation_cannot_hold_is_refused_before_it_begins(make: Any) -> None:
    for length in (0, -1, 256, 10**30, True, 5.0, "5"):
        with pytest.raises(
            ValueError, match=rf"length of a match is a whole number, 1 to 255, not {length!r}"
        ):
            make(match=length)
    for cube in ("no", 2, 0, None):
        if cube or make is not MAKERS[2]:
            with pytest.raises(ValueError, match=f"cube is true or false, not {cube!r}"):
                make(cube=cube)
    make(match=np.int64(255)).reset(seed=1)


@pytest.mark.parametrize("make", [*MAKERS, lambda: envs.vector("tavla", 2, match=3)])
def test_a_seed_is_a_whole_number_in_every_environment(make: Any) -> None:
    env = make()
    for seed in (-1, 1.5, "x"):
        with pytest.raises(ValueError, match=f"a seed is a whole number, 0 or more, not {seed!r}"):
            env.reset(seed=seed)
    env.reset(seed=np.int64(3))
    env.reset(seed=2**70)


def test_the_number_of_games_is_a_whole_number() -> None:
    for n in (0, -1, True, 2.0, "3", None, 2**63):
        with pytest.raises(
            ValueError, match=f"number of games is a whole number, 1 to 2147483647, not {n!r}"
        ):
            envs.vector("tavla", n)  # type: ignore[arg-type]
    assert envs.vector("tavla", np.int64(3)).num_envs == 3
    with pytest.raises(ValueError, match="longest game is a whole number"):
        envs.vector("tavla", 2, longest=0)


@pytest.mark.parametrize("reward", ["x", None, float("nan")])
def test_the_reward_of_an_illegal_action_is_a_number(reward: Any) -> None:
    with pytest.raises(ValueError, match=f"reward of an illegal action is a number, not {reward!r}"):
        envs.gym("tavla", illegal_reward=reward)


@pytest.mark.parametrize("action", [None, "x", 1.7, 0.0, float("nan"), np.array([0]), [0], {}, 2**80])
def test_what_is_no_whole_number_is_an_illegal_action_and_raises_nothing(action: Any) -> None:
    env = envs.gym("backgammon", opponent="random")
    env.reset(seed=3)
    before = env.position
    _, reward, ended, truncated, info = env.step(action)
    assert (reward, ended, truncated, info["illegal"]) == (-1.0, False, False, True)
    assert env.position == before


def test_a_step_before_the_reset_says_what_is_missing() -> None:
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step\(\)"):
        envs.gym("backgammon", opponent="random").step(0)


@pytest.mark.parametrize("options", [{}, {"cube": True}])
def test_actions_among_many_are_never_rounded_or_cut_to_another_one(options: dict[str, Any]) -> None:
    env = envs.vector("backgammon", 3, **options)
    env.reset(seed=3)
    for wrong in ([0.7, 0.0, 0.0], [np.nan, 0, 0], [[0], [0], [0]], [0, 0], ["a", "b", "c"], None, 7):
        with pytest.raises(ValueError, match="one action a game is needed: 3 whole numbers, not"):
            env.step(wrong)
    # 2**32 has a zero in its lower 32 bits.
    *_, infos = env.step(np.array([2**32, -(2**40), 0]))
    assert infos["illegal"].tolist() == [True, True, False]
    *_, infos = env.step(np.zeros(6, np.uint8)[::2])
    assert not infos["illegal"].any()


@pytest.mark.parametrize("options", [{}, {"cube": True}])
def test_random_actions_are_written_into_the_array_given_or_refused(options: dict[str, Any]) -> None:
    env = envs.vector("backgammon", 64, **options)  # before a reset too
    given = np.full(64, -1, np.int32)
    assert env.random_actions(given) is given and (given >= 0).all()
    read_only = np.zeros(64, np.int32)
    read_only.setflags(write=False)
    for wrong in (np.zeros(64), np.zeros(64, np.int64), np.zeros(3, np.int32), [0] * 64):
        with pytest.raises(ValueError, match=r"`out` is an array of int32 of shape \(64,\), not"):
            env.random_actions(wrong)
    for closed in (read_only, np.zeros(128, np.int32)[::2]):
        with pytest.raises(ValueError, match="nothing can be written into it"):
            env.random_actions(closed)


def test_the_package_does_without_numpy_until_an_array_is_asked_for() -> None:
    code = "import sys, sheshbesh as sb; sb.variant('tavla').start().legal_plays((6, 5)); "
    code += "assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_example_learns() -> None:
    from examples import learn

    points = learn.main(
        [
            "--game",
            "hypergammon",
            "--opponent",
            "random",
            "--steps",
            "150",
            "--minutes",
            "9",
            "--batch",
            "64",
            "--games",
            "60",
        ]
    )
    assert points > 0.3


def roundtrips(env: Any) -> tuple[Any, Any]:
    """The environment by both ways of being copied."""
    return pickle.loads(pickle.dumps(env)), deepcopy(env)


@pytest.mark.parametrize("opponent", ["random", "racer", "beginner"])
def test_one_sided_environments_are_pickled_and_copied_in_mid_game(opponent: str) -> None:
    env = envs.gym("tapa", opponent=opponent, match=3)
    env.reset(seed=5)
    for _ in range(12):
        env.step(env.action_masks().sum() - 1)
    copies = roundtrips(env)
    for _ in range(80):
        action = int(env.action_masks().sum()) // 2
        seen, *rest = env.step(action)
        for copy in copies:
            other, *told = copy.step(action)
            assert told == rest and all(
                (other[key] == seen[key]).all() for key in ("observation", "action_mask")
            )
        if rest[1] or rest[2]:
            break
    assert all(copy.reset(seed=2)[1] == env.reset(seed=2)[1] for copy in roundtrips(env))


@pytest.mark.parametrize("name", sb.variants())
def test_games_between_agents_are_pickled_and_copied(name: str) -> None:
    env = envs.aec(name)
    env.reset(seed=4)
    for _ in range(15):
        env.step(0)
    for copy in roundtrips(env):
        game = deepcopy(env)
        for _ in range(200):
            if game.terminations[game.agent_selection] or game.truncations[game.agent_selection]:
                break
            seen, other = game.observe(game.agent_selection), copy.observe(copy.agent_selection)
            assert seen is not None and (seen["observation"] == other["observation"]).all()
            assert copy.agent_selection == game.agent_selection and copy.rewards == game.rewards
            last = int(seen["action_mask"].sum()) - 1
            game.step(last)
            copy.step(last)


@pytest.mark.parametrize("options", KINDS)
def test_games_at_once_are_pickled_and_copied(options: dict[str, Any]) -> None:
    env = envs.vector("acey_deucey" if not options else "backgammon", 9, **options)
    env.reset(seed=6)
    for _ in range(150):
        env.step(env.random_actions())
    copies = roundtrips(env)
    for _ in range(150):
        actions = env.random_actions()
        assert all((copy.random_actions() == actions).all() for copy in copies)
        seen, *rest = env.step(actions)
        for copy in copies:
            other, *found = copy.step(actions)
            assert (other["observation"] == seen["observation"]).all()
            assert (other["action_mask"] == seen["action_mask"]).all()
            assert all((mine == theirs).all() for mine, theirs in zip(rest[:3], found[:3], strict=True))


def test_a_game_remembers_nothing_of_another_size() -> None:
    rules = sb.variant("tapa")._core
    with pytest.raises(ValueError, match="not what this version remembers"):
        _core.Game(rules, 1).recall(b"short")
    with pytest.raises(ValueError, match="not what this version remembers"):
        _core.Games(rules, 2, 1).recall(_core.Games(rules, 3, 1).memory())


def test_pictures_are_arrays_of_the_board() -> None:
    env = envs.gym("backgammon", opponent="random", cube=True, render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert isinstance(before, np.ndarray) and before.dtype == np.uint8
    assert before.shape[1:] == (640, 3) and len(np.unique(before)) > 20
    env.step(0)
    after = env.render()
    assert isinstance(after, np.ndarray) and (after != before).any()
