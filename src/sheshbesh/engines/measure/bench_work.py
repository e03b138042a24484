"""The work of `sheshbesh bench`: measure games, sign all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from sheshbesh.engines import registry
from sheshbesh.engines.engine import CACHE, Engine
from sheshbesh.engines.measure import speed
from sheshbesh.engines.measure.signature import joint, signature, throws
from sheshbesh.engines.registry import Found
from sheshbesh.errors import NetError
from sheshbesh.rules import Variant, variant, variants
from sheshbesh.rules.lookup import find_game
from sheshbesh.work import Threads

_FIRST_DECISIONS = 2_000
_FIRST_PLAYED = 50
_SIGNED_DECISIONS = 2_000
_SIGNED_SEED = 2026
_SAMPLED = 100
"""Throws whose plays are valued to measure a net."""


@dataclass(frozen=True)
class Speeds:
    """One game: what a core does in a second of its time, and with which net; None: none can play it."""

    positions: int
    decisions: int
    evaluations: int | None
    net: Found | None


@dataclass(frozen=True)
class Measured:
    """Everything that was found; signatures by game are those of the engine."""

    isa: str
    threads: int
    games: dict[str, Speeds]
    rules: str
    engine: str
    signatures: dict[str, str]

    @property
    def joint(self) -> str:
        """One signature for all."""
        return joint((self.rules, self.engine))


def measure(
    games: Sequence[str],
    *,
    seconds: float,
    threads: int = 1,
    cache: int | None = None,
    folders: Sequence[Path] = (),
) -> Measured:
    """Measure these games, or all; the signature is always that of all shipped ones, made by `threads`."""
    chosen = [find_game(name) for name in games or variants()]
    speeds = {game.name: _speeds(game, seconds, folders) for game in chosen}
    signed = engine_signatures(threads=threads, cache=cache, folders=folders)
    return Measured(
        speed.active_isa(),
        threads,
        speeds,
        rules_signature(),
        joint([f"{name} {sign}" for name, sign in signed.items()]),
        signed,
    )


def _speeds(game: Variant, seconds: float, folders: Sequence[Path]) -> Speeds:
    found = find_net(game, folders)
    evaluations = None
    if found is not None:
        asked = throws(game, _SAMPLED, seed=1, engine=Engine(game, found))
        after = speed.candidates(asked)
        evaluations = speed.evaluations_per_s(game, found, after, seconds)
    return Speeds(
        speed.rate_within(seconds, partial(speed.core_positions, game), _FIRST_DECISIONS),
        speed.rate_within(seconds, partial(speed.python_decisions, game), _FIRST_PLAYED),
        evaluations,
        found,
    )


def find_net(game: Variant, folders: Sequence[Path] = ()) -> Found | None:
    """The net that plays a game; None if there is none. NetError for one that cannot be used."""
    try:
        return registry.find(game, folders)
    except NetError as error:
        if error.path is not None:
            raise
        return None


def rules_signature() -> str:
    """Sixteen hexadecimal digits for the rules of all shipped games, the same on every machine."""
    lines = []
    for name in variants():
        played = variant(name).play_at_random(_SIGNED_DECISIONS, _SIGNED_SEED)
        lines.append(f"{name} {' '.join(map(str, played))}")
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def engine_signatures(
    *, threads: int = 1, cache: int | None = None, folders: Sequence[Path] = ()
) -> dict[str, str]:
    """The engine's signature for each shipped game; "none" where no net can play it."""

    def sign(name: str) -> str:
        game = variant(name)
        found = find_net(game, folders)
        if found is None:
            return "none"
        return signature(Engine(game, found, cache=CACHE if cache is None else cache), threads=threads)

    with Threads(threads) as work:
        return dict(zip(variants(), work.map(sign, variants()), strict=True))
