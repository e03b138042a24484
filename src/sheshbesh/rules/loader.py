"""The games: variant files merged with their base, checked, and frozen.

`load` gives a shipped game, `load_file` one of the user's own. A file names the answers that differ
from its base; what comes out answers every axis, each with the source of the file that answered it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from os import PathLike
from pathlib import Path
from types import MappingProxyType

from sheshbesh import bounded
from sheshbesh.errors import VariantError, shortened, system_reason
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.rules.axes import AXES
from sheshbesh.rules.coherence import contradictions
from sheshbesh.rules.data import Axes, Sources, VariantData
from sheshbesh.rules.document import Citation, Draft, Flaw, read_document
from sheshbesh.rules.options import OptionSpec, OptionValue, changes, merge, offered

__all__ = [
    "Axes",
    "Citation",
    "OptionSpec",
    "OptionValue",
    "VariantData",
    "compile_document",
    "load",
    "load_file",
    "names",
    "read_text",
    "resolve",
    "variants_folder",
]

variants_folder = Path(__file__).with_name("variants")
"""The folder of the shipped games, one file each, and the order they are listed in."""


def _merged_sources(draft: Draft, base: VariantData | None) -> Sources:
    """Return the source of every axis. A table that only names a source names it for all its keys."""
    sources = dict(base.sources) if base else {}
    for table, citation in draft.citations.items():
        for key in draft.answers.get(table) or AXES[table]:
            sources[table, key] = citation
    return MappingProxyType(sources)


def _options(draft: Draft, base: VariantData | None, flaws: list[Flaw]) -> Mapping[str, OptionSpec]:
    """Return the options of a game: those kept from the base, then its own."""
    kept: dict[str, OptionSpec] = {}
    offered = base.own_options if base else {}
    for name in draft.keep_options:
        if name in offered:
            kept[name] = offered[name]
        else:
            known = ", ".join(offered) or "none"
            flaws.append(Flaw(("keep_options",), f"the base has no option {name!r}; it has: {known}"))
    return MappingProxyType({**kept, **draft.options})


def _check_options(options: Mapping[str, OptionSpec], draft: Draft, axes: Axes) -> list[Flaw]:
    """Return what is wrong with options: a default that is not the game, a value that makes no game."""
    flaws = []
    for name, spec in options.items():
        own = name in draft.options
        place = ("options", name) if own else ("keep_options",)
        for at, answers in enumerate(spec.answers):
            word = spec.word(spec.values[at])
            path = (*place, "values", word) if own else place
            merged = merge(axes, answers)
            if at == 0 and merged != axes:
                wrong = [
                    f"{t}.{k}" for t, keys in answers.items() for k in keys if merged[t][k] != axes[t][k]
                ]
                differs = f"{name}: the first value is the game itself, but differs in {', '.join(wrong)}"
                flaws.append(Flaw(path, differs))
            elif not contradictions(axes):
                found = contradictions(merged)
                flaws += [Flaw(path, f"{name} = {word} makes no game: {one.message}") for one in found]
    return flaws if flaws or contradictions(axes) else _idle_options(options, draft, axes)


def _idle_options(options: Mapping[str, OptionSpec], draft: Draft, axes: Axes) -> list[Flaw]:
    """Return the options that choose nothing: all values make one game, whatever another one is set to."""
    beside = [{}, *(answers for spec in offered(axes, options).values() for answers in spec.answers[1:])]
    return [
        Flaw(
            ("options", name) if name in draft.options else ("keep_options",),
            f"{name}: all values make the same game, whatever other options say",
        )
        for name, spec in options.items()
        if len(spec.values) > 1 and not any(changes(axes, name, spec, answers) for answers in beside)
    ]


def _check_axes(draft: Draft, axes: Axes) -> list[Flaw]:
    """Return the contradictions of the merged axes, each placed where the file can mend it."""
    flaws = []
    for found in contradictions(axes):
        own = [axis for axis in found.axes if axis[1] in draft.answers.get(axis[0], {})]
        flaws.append(Flaw(own[0] if own else found.axes[0], found.message))
    return flaws


def _missing(draft: Draft, axes: Axes) -> list[Flaw]:
    hint = 'every axis must be answered, or a base named, such as base = "backgammon"'
    if not draft.answers:
        return [Flaw((), f"no axis is answered: {hint}")]
    return [
        Flaw((table,) if table in draft.answers else (), f"{table}.{key} is missing: {hint}")
        for table, keys in AXES.items()
        for key in keys
        if key not in axes[table]
    ]


def compile_document(
    document: Mapping[str, object], *, shipped: bool
) -> tuple[VariantData | None, list[Flaw]]:
    """Return the game in a parsed variant file, and every fault found in it.

    The game is None if there is any fault. `shipped` is true for the package's own files; any other
    file must not take the name of a shipped game.
    """
    draft, flaws = read_document(document)
    base, bad_base = _base(draft, shipped=shipped)
    flaws += bad_base
    if not shipped:
        flaws += _collisions(draft)
    axes = merge(base.axes if base else {}, draft.answers)
    if base is None and not bad_base:
        flaws += _missing(draft, axes)
    options = _options(draft, base, flaws) if not bad_base else {}
    # Without complete axes nothing can be said about how they go together.
    if all(key in axes[table] for table, keys in AXES.items() for key in keys):
        flaws += _check_axes(draft, axes) + _check_options(options, draft, axes)
    if flaws:
        return None, flaws
    data = VariantData(
        name=draft.name,
        title=draft.title,
        aliases=draft.aliases,
        native=MappingProxyType(dict(draft.native)),
        region=draft.region,
        description=draft.description,
        base=draft.base or None,
        axes=axes,
        sources=_merged_sources(draft, base),
        own_options=options,
    )
    return data, []


def _base(draft: Draft, *, shipped: bool) -> tuple[VariantData | None, list[Flaw]]:
    if not draft.base:
        return None, []
    if draft.base not in names() or (shipped and draft.base == draft.name):
        close = get_close_matches(draft.base, names(), n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        message = f"{draft.base!r} is no other shipped game; {hint}allowed: {', '.join(names())}"
        return None, [Flaw(("base",), message)]
    return load(draft.base), []


def _collisions(draft: Draft) -> list[Flaw]:
    taken = _known_names()
    mine = [("name", draft.name)] + [("aliases", alias) for alias in draft.aliases]
    return [
        Flaw((key,), f"{name!r} is the name of a shipped game ({taken[name]}); choose another")
        for key, name in mine
        if name in taken
    ]


# --- files ------------------------------------------------------------------------------------------


def read_text(path: str | PathLike[str]) -> str:
    """Return the text of a variant file; VariantError if there is none to read."""
    try:
        return bounded.read_text(path, bounded.MOST_SETTINGS)
    except OSError as error:
        why = system_reason(error)
        raise VariantError(Text("{file}: cannot be read: {why}", file=str(path), why=why)) from error
    except ValueError as error:
        raise VariantError(Text("{file}: cannot be read: it is not text in UTF-8", file=str(path))) from error


def _parse(path: str | PathLike[str]) -> Mapping[str, object]:
    text = read_text(path)
    try:
        return bounded.parse_toml(text)
    except ValueError as error:
        raise VariantError(Text("{file}: not a TOML file: {why}", file=path, why=error)) from error


def _finished(path: str | PathLike[str], data: VariantData | None, flaws: Iterable[Flaw]) -> VariantData:
    if data is None:
        problems = [str(flaw) for flaw in flaws]
        raise VariantError(
            Text("{file}: {why}", file=path, why=JoinedText(*problems, separator="; ")), problems
        )
    return data


def load_file(path: str | PathLike[str]) -> VariantData:
    """Return the game in a file of the user's own; VariantError with every fault of it."""
    return _finished(path, *compile_document(_parse(path), shipped=False))


@cache
def names() -> tuple[str, ...]:
    """The names of the shipped games, in the order of `variants/order.txt`, then the alphabet."""
    there = {path.stem for path in variants_folder.glob("*.toml")}
    order = (variants_folder / "order.txt").read_text(encoding="utf-8").split()
    return (*(name for name in order if name in there), *sorted(there.difference(order)))


@cache
def _known_names() -> Mapping[str, str]:
    """Every name and alias of a shipped game, with the game."""
    known: dict[str, str] = {}
    for name in names():
        aliases = _parse(variants_folder / f"{name}.toml").get("aliases", ())
        known |= dict.fromkeys((name, *aliases) if isinstance(aliases, list) else (name,), name)
    return known


def resolve(name: str) -> str:
    """Return the name of the shipped game called `name`, an alias perhaps; VariantError if there is none.

    Capitals do not matter, and a blank or a hyphen stands for an underscore.
    """
    wanted = str(name).strip().casefold().replace(" ", "_").replace("-", "_")
    if wanted in names():
        return wanted
    known = _known_names()
    if wanted in known:
        return known[wanted]
    close = get_close_matches(wanted, known, n=1)
    asked = {"name": shortened(repr(name)), "games": ", ".join(names())}
    raise VariantError(
        Text("no game is called {name}; did you mean {near}? games: {games}", near=close[0], **asked)
        if close
        else Text("no game is called {name}; games: {games}", **asked)
    )


@cache
def _load(name: str) -> VariantData:
    path = variants_folder / f"{name}.toml"
    return _finished(path, *compile_document(_parse(path), shipped=True))


def load(name: str) -> VariantData:
    """Return the shipped game of this name or alias; VariantError if there is none."""
    return _load(resolve(name))
