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

CORE = (
    *("Position", "Play", "Game", "Variant", "variant", "variants", "variant_from_file"),
    *("Side", "Roll", "Plays", "Step", "Stage", "Refusal", "GameResult", "Opening", "Pending", "History"),
    *("Card", "MatchState", "Record"),
)
"""What the page Core has, in its order."""

CORE_BEGINNING = """\
A `Position` is a board with the side on roll, and the place to ask what is legal. A `Play` is a legal play
of a throw. A `Game` throws, plays, doubles and keeps the record:

```pycon
>>> import sheshbesh as sb
>>> position = sb.variant("backgammon").start()
>>> plays = position.legal_plays((3, 1))
>>> len(plays), [step.notation for step in plays[0].steps]
(16, ['24/21', '24/23'])
>>> play = position.parse_play("8/5 6/5", (3, 1))
>>> play.result.turn == "black", play.result.pips("white")
(True, 163)
>>> position.refusal("8/2", (3, 1)).rule
'dice.not_thrown'
>>> position.variant.position_from_id(play.result.id) == play.result
True
>>> game = sb.Game("backgammon", dice=[(3, 1), (6, 4)])
>>> game.roll()
Roll(first=3, second=1)
>>> game.play(play)
>>> game.roll()
Roll(first=6, second=4)
>>> game.play(game.legal[0])
>>> [turn.play for turn in game]
['8/5 6/5', '24/14']
>>> game.undo()
>>> game.turn == "black", game.result, game.match.cube
(True, None, 1)

```
"""


def _signature(name: str, thing: object) -> str:
    try:
        text = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return name
    text = re.sub(r"= '([^']*)'", r'= "\1"', text)  # a default keeps its quotes, annotations do not
    text = re.sub(r"\bsheshbesh(\.\w+)*\.", "", text.replace("'", ""))
    # Defaults for reading: a member of an enumeration, a value made by a factory.
    text = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", text).replace("<factory>", "...")
    return name + text.replace("(self, ", "(").replace("(self)", "()")


_SECTION = re.compile(r"^(\w+)\n-{3,}\n", re.MULTILINE)
_LISTS = ("Parameters", "Returns", "Raises")


def _doc(thing: object) -> list[str]:
    """The docstring as Markdown: what numpydoc writes as sections, with lists of names and code that runs."""
    head, *rest = _SECTION.split(inspect.getdoc(thing) or "")
    lines = head.rstrip().splitlines()
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        lines += ["", f"**{title}**", ""]
        if title == "Examples":
            lines += ["```pycon", *body.rstrip().splitlines(), "", "```"]
        elif title in _LISTS:
            lines.extend(_listed(body))
        else:
            lines += body.rstrip().splitlines()
    return lines


def _listed(body: str) -> Iterator[str]:
    """The entries of a section: a name with its type, and indented what is said of it."""
    for line in body.rstrip().splitlines():
        if line.startswith(" "):
            yield line
        elif line:
            name, _, kind = line.partition(" : ")
            yield f"* `{name}`" + (f": {kind}" if kind else "") + "  "


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


def core_lines() -> list[str]:
    """The page of the nouns that everything else is made of, which begins with twenty lines of code."""
    lines = ["# Core", "", *CORE_BEGINNING.splitlines(), ""]
    for name in CORE:
        thing = getattr(sheshbesh, name)
        if inspect.isclass(thing):
            # The plain members of an enumeration, a value or a class of our own alike.
            lines += list(_class_lines(name, thing))
        else:
            lines += [f"### `{_signature(name, thing)}`", "", *_doc(thing), ""]
    return lines


def reference_lines() -> list[str]:
    """The page of everything else that `import sheshbesh as sb`, the formats and the kit give."""
    lines = [
        "# Python reference",
        "",
        "Positions, plays and games are on [Core](core.md); for a walk through",
    ]
    lines += ["all of it see [From Python](../guide/python.md).", ""]
    for title, module in MODULES.items():
        names = {name: getattr(module, name) for name in module.__all__}
        if module is sheshbesh:
            names = {name: thing for name, thing in names.items() if name not in CORE}
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
