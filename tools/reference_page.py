"""The Python reference, from signatures and docstrings; part of `generate_docs`."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass

import sheshbesh
from sheshbesh import formats, testing

MODULES = {"sheshbesh": sheshbesh, "sheshbesh.formats": formats, "sheshbesh.testing": testing}


def _signature(name: str, thing: object) -> str:
    try:
        text = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return name
    text = re.sub(r"\bsheshbesh(\.\w+)*\.", "", text.replace("'", ""))
    # Defaults for reading: a member of an enumeration, a value made by a factory.
    text = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", text).replace("<factory>", "...")
    return name + text.replace("(self, ", "(").replace("(self)", "()")


def _doc(thing: object) -> list[str]:
    """The docstring as Markdown: its section titles and lists of parameters are written for plain text."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r"^(\w+)\n-{3,}\n", r"**\1**\n\n", text, flags=re.MULTILINE)
    head, title, parameters = text.partition("**Parameters**\n")
    listed = re.sub(r"^(\w+): ", r"* `\1` ", parameters, flags=re.MULTILINE)
    return (head + title + listed).splitlines()


def _members(owner: type) -> Iterator[tuple[str, object]]:
    for name, member in vars(owner).items():
        public = not name.startswith("_") and name not in ("from_core", "to_core", "core", "geometry")
        if public and (
            inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))
        ):
            yield name, member


def _class_lines(name: str, owner: type) -> Iterator[str]:
    yield f"### {name}"
    yield ""
    if is_dataclass(owner):
        yield f"`{_signature(name, owner).removesuffix(' -> None')}`"
        yield ""
    yield from _doc(owner)
    yield ""
    for member_name, member in _members(owner):
        plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        is_property = isinstance(member, property)
        title = f"{name}.{member_name}" if is_property else _signature(f"{name}.{member_name}", plain)
        yield f"#### `{title.replace('(cls, ', '(').replace('(cls)', '()')}`"
        yield ""
        yield from _doc(plain)
        yield ""


def _module_lines(names: Mapping[str, object]) -> Iterator[str]:
    """Functions, classes and errors, each kind under its title."""
    kinds: dict[str, Callable[[object], bool]] = {
        "Functions": inspect.isfunction,
        "Classes": lambda x: inspect.isclass(x) and not issubclass(x, Exception),
        "Errors": lambda x: inspect.isclass(x) and issubclass(x, Exception),
    }
    for title, belongs in kinds.items():
        chosen = {name: thing for name, thing in names.items() if belongs(thing)}
        if chosen:
            yield f"**{title}**"
            yield ""
        for name, thing in chosen.items():
            if not inspect.isclass(thing):
                yield from (f"### `{_signature(name, thing)}`", "", *_doc(thing), "")
            elif issubclass(thing, (Exception, enum.Enum)):
                yield from (f"### {name}", "", *_doc(thing), "")
            else:
                yield from _class_lines(name, thing)


def reference_lines() -> list[str]:
    """The page of everything that `import sheshbesh as sb`, the formats and the kit give."""
    lines = ["# Python reference", "", "For a walk through it see [From Python](../guide/python.md).", ""]
    for title, module in MODULES.items():
        names = {name: getattr(module, name) for name in module.__all__}
        lines += [f"## {title}", "", *_module_lines(names)]
        if "RULES" in names:
            lines += [
                "**Data**",
                "",
                "`RULES`: the rule ids of refusals, [listed here](../rules/refusals.md).",
                "",
                "`LEVELS`: every `Level` that an engine can play at, the weakest first.",
                "",
            ]
    return lines
