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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sheshbesh.envs.many import ManyContests, ManyGames
    from sheshbesh.envs.single import SingleEnv
    from sheshbesh.envs.two_sided import Agents
    from sheshbesh.rules import Variant

__all__ = ["aec", "gym", "vector"]

with suppress(ImportError):  # the functions below say what is missing
    from sheshbesh.envs.ids import register

    register()


def _missing(error: ImportError) -> ImportError:
    return ImportError(f"environments need the extra `envs`: pip install 'sheshbesh[envs]' ({error})")


def aec(name: str | Variant, **options: Any) -> Agents:
    """A game between two agents (PettingZoo). Options: `match`, `cube`, `render_mode`, and those of the game.

    VariantError for an unknown game or option, ImportError without the extra.
    """
    try:
        from sheshbesh.envs.two_sided import two_sided
    except ImportError as error:
        raise _missing(error) from error
    return two_sided(name, **options)


def gym(name: str | Variant, opponent: str = "beginner", **options: Any) -> SingleEnv:
    """One side of a game against an opponent (Gymnasium).

    `opponent` is a level of the engine, a hand-written player ("racer", "builder", "careful") or
    "random". Options: `side` (drawn in each game without it), `match`, `cube`, `illegal_reward`,
    `render_mode`, and those of the game. VariantError for an unknown game or option, ValueError for an
    unknown opponent, ImportError without the extra.
    """
    try:
        from sheshbesh.envs.single import SingleEnv
    except ImportError as error:
        raise _missing(error) from error
    return SingleEnv(name, opponent=opponent, **options)


def vector(
    name: str | Variant, n: int, *, match: int | None = None, cube: bool = False, **options: Any
) -> ManyGames | ManyContests:
    """`n` games of self-play at once (Gymnasium's VectorEnv). Options: `match`, `cube`, and those of the
    game.

    With a cube or in matches the games are objects of Python and much slower. Errors as in `gym`, and
    ValueError for fewer than one game.
    """
    try:
        from sheshbesh.envs.many import ManyContests, ManyGames
    except ImportError as error:
        raise _missing(error) from error
    if match is None and not cube:
        return ManyGames(name, n, **options)
    return ManyContests(name, n, match=match, cube=cube, **options)
