"""A game as data: its answer to every axis with the sources, its options, its fingerprint.

Nothing here reads files; `loader` makes these values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from sheshbesh.errors import VariantError
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.rules.axes import LATER, TABLE_ONLY, Answers, AxisValue
from sheshbesh.rules.coherence import contradictions
from sheshbesh.rules.document import Citation
from sheshbesh.rules.options import (
    Choice,
    Needs,
    OptionSpec,
    OptionValue,
    choose,
    format_value,
    merge,
    needs_of,
    offered,
    table_options,
)

Axes = Answers
"""Complete answers: table -> key -> value. `board.setup` maps own points to checkers."""

Sources = Mapping[tuple[str, str], Citation]


@dataclass(frozen=True)
class VariantData:
    """A game as data: its names, its answer to every axis with the sources, and its options."""

    name: str
    title: str
    aliases: tuple[str, ...]
    native: Mapping[str, str]
    region: str
    description: str
    base: str | None
    axes: Axes
    sources: Sources = field(repr=False)
    own_options: Mapping[str, OptionSpec] = field(repr=False)
    """The options of the game's file, without those of every table."""
    chosen: Mapping[str, OptionValue] = field(default_factory=dict)
    """The options that were set to another value than the game's own."""
    origin: VariantData | None = field(default=None, repr=False, compare=False)
    """The game without any option chosen; None when this is it."""

    def __hash__(self) -> int:
        return hash((self.name, self.fingerprint))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # Read-only mappings do not travel between processes: they go as plain ones and come back frozen.
        parts = [_thaw(getattr(self, part.name)) for part in fields(self)]
        return _rebuild, tuple(parts)

    @cached_property
    def options(self) -> Mapping[str, OptionSpec]:
        """Every option by name: the game's own, then those of the table."""
        own = (self.origin or self).axes
        return MappingProxyType({**self.own_options, **table_options(own, self.axes)})

    @cached_property
    def offered(self) -> Mapping[str, OptionSpec]:
        """Every option by name, those included that make sense only beside a value of another one."""
        origin = self.origin or self
        return MappingProxyType(offered(origin.axes, origin.own_options))

    @cached_property
    def needs(self) -> Needs:
        """The options that change the game only beside certain values of others; see `needs_of`."""
        origin = self.origin or self
        return MappingProxyType(origin.needs if self.origin else needs_of(origin.axes, self.offered))

    def _needed(self, name: str) -> str:
        """Return what an option needs, as a sentence."""
        others = (
            f"{other} = {' or '.join(self.offered[other].word(value) for value in values)}"
            for other, values in self.needs[name].items()
        )
        return Text("{option} can be set only with {others}", option=name, others=tuple(others))

    @cached_property
    def bearing(self) -> Mapping[str, OptionSpec]:
        """The options that change something beside the values chosen of the others."""
        specs = self.offered
        value = {name: self.chosen.get(name, spec.default) for name, spec in specs.items()}
        return MappingProxyType(
            {
                name: spec
                for name, spec in self.options.items()
                if all(value[other] in values for other, values in self.needs[name].items())
            }
        )

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that stand for the rules, whatever the game is called.

        Opening, cube and table do not enter: they change no legal play and no result.
        """
        rules = {
            table: {
                key: {str(point): count for point, count in value.items()}
                if isinstance(value, Mapping)
                else value
                for key, value in keys.items()
                if LATER.get((table, key)) != value
            }
            for table, keys in self.axes.items()
            if table not in TABLE_ONLY
        }
        text = json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return sha256(text.encode("ascii")).hexdigest()[:16]

    def source_of(self, table: str, key: str) -> Citation:
        """Return where the answer to one axis is written; KeyError for an axis that does not exist."""
        return self.sources[table, key]

    def with_options(self, **options: object) -> VariantData:
        """Return the game with these options set besides those set before.

        Raises
        ------
        VariantError
            for unknown options and values that are not allowed, all of them at once, each with what
            is allowed; also when the options together make no game.
        """
        origin = self.origin or self
        wanted = {**self.chosen, **options}
        # What every table has depends on the game's own options and on the cube, so those come first.
        first, _ = choose(origin.own_options, {k: v for k, v in wanted.items() if k in origin.own_options})
        axes = merge(origin.axes, _regroup(first))
        tables = table_options(origin.axes, axes)
        cube, _ = choose(tables, {k: v for k, v in wanted.items() if k == "cube"})
        specs = {**origin.own_options, **table_options(origin.axes, merge(axes, _regroup(cube)))}
        asked_later = [name for name in wanted if name in origin.offered and name not in specs]
        choice, problems = choose(specs, {k: v for k, v in wanted.items() if k not in asked_later})
        problems += map(origin._needed, asked_later)
        axes = merge(origin.axes, _regroup(choice))
        problems = problems or [found.message for found in contradictions(axes)]
        if problems:
            found = JoinedText(*problems, separator="; ")
            raise VariantError(JoinedText(origin.name, found, separator=": "), problems)
        if not choice.chosen:
            return origin
        sources = dict(origin.sources)
        for axis, (_, name) in choice.answers.items():
            value = format_value(choice.chosen[name])
            sources[axis] = Citation(specs[name].source, note=f"option {name} = {value}")
        return replace(
            origin, axes=axes, sources=MappingProxyType(sources), chosen=choice.chosen, origin=origin
        )


def _thaw(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _thaw(part) for key, part in value.items()}
    if isinstance(value, OptionSpec):
        return replace(value, answers=tuple(_thaw(part) for part in value.answers))
    return value


def _freeze(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _freeze(part) for key, part in value.items()})
    if isinstance(value, OptionSpec):
        return replace(value, answers=tuple(_freeze(part) for part in value.answers))
    return value


def _rebuild(*parts: Any) -> VariantData:
    return VariantData(*(_freeze(part) for part in parts))


def _regroup(choice: Choice) -> Answers:
    grouped: dict[str, dict[str, AxisValue]] = {}
    for (table, key), (value, _) in choice.answers.items():
        grouped.setdefault(table, {})[key] = value
    return grouped
