"""The names of the games in Gymnasium's registry: `gymnasium.make("sheshbesh/LongNardy-v0")`.

`import sheshbesh.envs` enters them, as `sheshbesh.envs:sheshbesh/LongNardy-v0` makes Gymnasium do.
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
