"""Environments for reinforcement learning, for every game: PettingZoo, Gymnasium, and thousands of games
at once.

    env = envs.aec("tapa")                              two agents, white and black
    env = envs.gym("tavla", opponent="beginner")        one side against an engine level
    env = envs.vector("backgammon", 1024)               games of self-play in arrays of the core

    env = gymnasium.make("sheshbesh/Tavla-v0")          the same as `envs.gym`, by Gymnasium's names

An action is the index of a legal play of the throw, in the order of `Position.legal_plays`; the legal
ones come first. Needs the extra `envs`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Literal, SupportsIndex, overload

if TYPE_CHECKING:
    from sheshbesh.envs.many import ManyContests, ManyGames
    from sheshbesh.envs.single import SingleEnv
    from sheshbesh.envs.two_sided import Agents
    from sheshbesh.rules import Side, Variant

__all__ = ["aec", "gym", "vector"]

with suppress(ImportError):  # the functions below say what is missing
    from sheshbesh.envs.ids import register

    register()


def _missing(error: ImportError) -> ImportError:
    return ImportError(f"environments need the extra `envs`: pip install 'sheshbesh[envs]' ({error})")


def aec(
    name: str | Variant,
    *,
    match: int | None = None,
    cube: bool = False,
    render_mode: str | None = None,
    **options: object,
) -> Agents:
    """A game between two agents, `white` and `black` (PettingZoo).

    Parameters
    ----------
    name : str or Variant
        The game.
    match : int, optional
        The length of a match in points, 1 to 255; a single game for points without it.
    cube : bool
        Whether doubles are offered.
    render_mode : {"human", "ansi", "rgb_array"}, optional
        How boards are shown; see `SingleEnv.render`.
    **options
        Options of the game, where it is given by its name.

    Returns
    -------
    Agents
        The environment, wrapped as PettingZoo wraps: an illegal action ends the game with a reward of -1.

    Raises
    ------
    VariantError
        The game or an option is unknown.
    ValueError
        An argument cannot be.
    ImportError
        The extra `envs` is not installed.
    """
    try:
        from sheshbesh.envs.two_sided import two_sided
    except ImportError as error:
        raise _missing(error) from error
    return two_sided(name, match=match, cube=cube, render_mode=render_mode, **options)


def gym(
    name: str | Variant,
    opponent: str = "beginner",
    *,
    side: Side | str | None = None,
    match: int | None = None,
    cube: bool = False,
    illegal_reward: float = -1.0,
    render_mode: str | None = None,
    **options: object,
) -> SingleEnv:
    """One side of a game against an opponent (Gymnasium).

    Parameters
    ----------
    name : str or Variant
        The game.
    opponent : str
        A level of the engine, a hand-written player ("racer", "builder", "careful") or "random".
    side : Side or str, optional
        The side that is played; drawn in each game without it.
    match : int, optional
        The length of a match in points, 1 to 255; a single game for points without it.
    cube : bool
        Whether doubles are offered.
    illegal_reward : float
        The reward of an action that is not legal, which changes nothing.
    render_mode : {"human", "ansi", "rgb_array"}, optional
        How boards are shown; see `SingleEnv.render`.
    **options
        Options of the game, where it is given by its name.

    Returns
    -------
    SingleEnv
        The environment; rewards are points of the side played, or 1 and -1 at the end of a match.

    Raises
    ------
    VariantError
        The game or an option is unknown.
    ValueError
        The opponent is unknown, or another argument cannot be.
    ImportError
        The extra `envs` is not installed.
    """
    try:
        from sheshbesh.envs.single import SingleEnv
    except ImportError as error:
        raise _missing(error) from error
    return SingleEnv(
        name,
        opponent=opponent,
        side=side,
        match=match,
        cube=cube,
        illegal_reward=illegal_reward,
        render_mode=render_mode,
        **options,
    )


@overload
def vector(
    name: str | Variant,
    n: SupportsIndex,
    *,
    match: None = None,
    cube: Literal[False] = False,
    longest: int = 2000,
    **options: object,
) -> ManyGames: ...


@overload
def vector(
    name: str | Variant,
    n: SupportsIndex,
    *,
    match: int | None = None,
    cube: bool = False,
    longest: int = 2000,
    **options: object,
) -> ManyGames | ManyContests: ...


def vector(
    name: str | Variant,
    n: SupportsIndex,
    *,
    match: int | None = None,
    cube: bool = False,
    longest: int = 2000,
    **options: object,
) -> ManyGames | ManyContests:
    """Many games of self-play at once (Gymnasium's VectorEnv).

    Parameters
    ----------
    name : str or Variant
        The game.
    n : int
        The number of games, 1 or more.
    match, cube
        As in `gym`. With either the games are objects of Python and much slower.
    longest : int
        The plays after which a game is given up, and with it its match; decisions about the cube
        do not count.
    **options
        Options of the game, where it is given by its name.

    Returns
    -------
    ManyGames or ManyContests
        The environment; rewards are those of the side that has just decided.

    Raises
    ------
    VariantError
        The game or an option is unknown.
    ValueError
        There are fewer than one game, or another argument cannot be.
    ImportError
        The extra `envs` is not installed.
    """
    try:
        from sheshbesh.envs.many import ManyContests, ManyGames
    except ImportError as error:
        raise _missing(error) from error
    if match is None and not cube:
        return ManyGames(name, n, longest=longest, **options)
    return ManyContests(name, n, match=match, cube=cube, longest=longest, **options)
