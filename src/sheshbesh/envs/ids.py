"""The names of the games in Gymnasium's registry: `gymnasium.make("sheshbesh/LongNardy-v0")`.

They are entered by the import of `sheshbesh.envs`, which the name `sheshbesh.envs:sheshbesh/LongNardy-v0`
brings about.
"""

from __future__ import annotations

from gymnasium.envs import registration

from sheshbesh.rules import variants

NAMESPACE = "sheshbesh"


def env_id(game: str) -> str:
    """The name of a shipped game's environment, such as sheshbesh/LongNardy-v0 for long_nardy."""
    return f"{NAMESPACE}/{''.join(part.capitalize() for part in game.split('_'))}-v0"


def register() -> None:
    """Enter every shipped game; `gymnasium.make` passes its keywords on to `SingleEnv`."""
    for game in variants():
        if env_id(game) not in registration.registry:
            registration.register(
                env_id(game), entry_point="sheshbesh.envs.single:SingleEnv", kwargs={"game": game}
            )
