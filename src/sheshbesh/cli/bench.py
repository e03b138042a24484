"""`sheshbesh bench`: the speed of the rules, and a signature of what they do."""

from __future__ import annotations

import random
from time import perf_counter
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.games import find_game

if TYPE_CHECKING:
    from sheshbesh.rules import Variant

_FIRST_ROUND = 2_000
_SIGNED_DECISIONS = 2_000
_SIGNED_SEED = 2026


@click.command("bench")
@click.argument("games", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 60),
    default=0.4,
    show_default=True,
    help="For each measurement of each game.",
)
def command(games: tuple[str, ...], *, as_json: bool, seconds: float) -> None:
    """Measure GAMES, or all of them, on one core.

    positions_per_s: distinct final positions generated in random games inside the core, a second.
    decisions_per_s: throws a second through Python, each with its legal plays, a choice and its result.
    signature: a hash of a fixed amount of random play of every shipped game; it changes when rules do.
    """
    import sheshbesh as sb

    names = games or sb.variants()
    variants = [find_game(name) for name in names]
    positions = {variant.name: positions_per_s(variant, seconds) for variant in variants}
    decisions = {variant.name: decisions_per_s(variant, seconds) for variant in variants}
    sign = signature()
    if as_json:
        import json

        report = {
            "version": sb.__version__,
            "positions_per_s": positions,
            "decisions_per_s": decisions,
            "signature": sign,
        }
        click.echo(json.dumps(report, indent=2))
        return
    click.echo(f"{'game':<14}{'positions/s, core':>20}{'decisions/s, Python':>22}")
    for name, speed in positions.items():
        click.echo(f"{name:<14}{speed:>20,}{decisions[name]:>22,}")
    click.echo(f"signature {sign}")


def positions_per_s(variant: Variant, seconds: float) -> int:
    """The final positions the core generates a second in random games."""
    count, spent, decisions, seed = 0, 0.0, _FIRST_ROUND, 1
    while spent < seconds:
        start = perf_counter()
        _, _, generated, _ = variant.play_at_random(decisions, seed)
        spent += perf_counter() - start
        count += generated
        decisions, seed = decisions * 2, seed + 1
    return round(count / spent)


def decisions_per_s(variant: Variant, seconds: float) -> int:
    """The throws played a second through Python in random games."""
    chance = random.Random(1)
    decisions, start = 0, perf_counter()
    position = variant.start()
    while (spent := perf_counter() - start) < seconds:
        for _ in range(50):
            if position.result is not None:
                position = variant.start()
            owed = position.pending is not None
            dice = None if owed else (chance.randint(1, 6), chance.randint(1, 6))
            plays = position.legal_plays(dice)
            position = plays[chance.randrange(len(plays))].result
            decisions += 1
    return round(decisions / spent)


def signature() -> str:
    """Sixteen hexadecimal digits for the behaviour of all shipped games, the same on every machine."""
    from hashlib import sha256

    import sheshbesh as sb

    lines = []
    for name in sb.variants():
        played = sb.variant(name).play_at_random(_SIGNED_DECISIONS, _SIGNED_SEED)
        lines.append(f"{name} {' '.join(map(str, played))}")
    return sha256("\n".join(lines).encode()).hexdigest()[:16]
