"""The rule sets that one net is trained for: the shipped game and those of its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sheshbesh import _core
from sheshbesh.errors import TrainingError, VariantError
from sheshbesh.rules import Variant
from sheshbesh.rules.axes import TABLE_ONLY

Classes = tuple[tuple[tuple[int, int], ...], bool]
"""The wins of the side on roll as (kind, points), and whether games can be drawn."""


def classes_of(variant: Variant) -> Classes:
    """The ways a game can end, in the order of the net's outputs."""
    wins, tie = _core.class_table(variant._core)
    return tuple((kind, points) for kind, points in wins), tie


def class_words(classes: Classes) -> list[str]:
    """The net's outputs in order, each as a word that is the same for all games."""
    wins, tie = classes
    kinds = [f"{kind}:{points}" for kind, points in wins]
    return [f"win {kind}" for kind in kinds] + [f"lose {kind}" for kind in kinds] + ["tie"] * tie


@dataclass(frozen=True, slots=True)
class Coverage:
    """Rule sets that share a net; the first is the shipped game."""

    variants: tuple[Variant, ...]
    option_share: float

    @property
    def main(self) -> Variant:
        """The game as it is shipped."""
        return self.variants[0]

    @property
    def classes(self) -> Classes:
        """The ways a game can end, the same for all."""
        return classes_of(self.main)

    @property
    def class_count(self) -> int:
        """The number of the net's outputs."""
        wins, tie = self.classes
        return 2 * len(wins) + tie

    def money(self) -> list[float]:
        """Points the side on roll wins in each class, cubeless."""
        wins, tie = self.classes
        points = [float(points) for _, points in wins]
        return points + [-p for p in points] + [0.0] * tie

    def shares(self, number: int, games: int) -> list[tuple[int, int]]:
        """Return which rule sets (by index) play how many of the `games` of round `number`."""
        others = len(self.variants) - 1
        aside = round(games * self.option_share) if others else 0
        if not aside:
            return [(0, games)]
        return [(0, games - aside), (1 + number % others, aside)]

    def axis_values(self) -> dict[str, list[object]]:
        """For each axis that matters to play the values that occur."""
        found: dict[str, list[object]] = {}
        for variant in self.variants:
            for table, keys in variant.axes.items():
                if table in TABLE_ONLY:
                    continue
                for key, value in keys.items():
                    plain = {str(k): v for k, v in value.items()} if isinstance(value, Mapping) else value
                    values = found.setdefault(f"{table}.{key}", [])
                    if plain not in values:
                        values.append(plain)
        return found

    def fingerprints(self) -> dict[str, dict[str, Any]]:
        """Fingerprint -> the options that make it."""
        return {variant.fingerprint: {"options": dict(variant.options)} for variant in self.variants}


def cover(variant: Variant, options: str | Sequence[Mapping[str, object]], option_share: float) -> Coverage:
    """The rule sets that `options` of a recipe mean for a game.

    TrainingError if an option set cannot be, or changes the ways a game can end.
    """
    found = {variant.fingerprint: variant}
    for chosen in _each_alone(variant) if isinstance(options, str) else options:
        try:
            other = Variant(variant._data.with_options(**chosen))
        except VariantError as error:
            if isinstance(options, str):
                continue  # it needs another option beside it
            raise TrainingError(f"recipe of {variant.name}, options {dict(chosen)}: {error}") from error
        if classes_of(other) != classes_of(variant):
            if isinstance(options, str):
                continue
            raise TrainingError(
                f"recipe of {variant.name}: options {dict(chosen)} change the ways a game can end, "
                "so one net cannot serve both; train it as a game of its own"
            )
        found.setdefault(other.fingerprint, other)
    return Coverage(tuple(found.values()), option_share)


def _each_alone(variant: Variant) -> list[dict[str, object]]:
    return [
        {name: value}
        for name, spec in variant._data.options.items()
        if spec.level == "rule"
        for value in spec.values[1:]
    ]
