"""The files that a view of the page needs: its modules as they are written, or packed as a release has them.

A browser learns of a module only when it has read the one that imports it. The head of a page therefore names
all that its view needs, and everything comes together: one round trip instead of one for every level.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

MAIN = "/app/main.js"
"""The module that every view needs."""

OFFLINE = ("home", "match", "local", "scoreboard", "tournament-desk")
"""The views that can be opened without a network."""

WITHOUT_SERVER = ("home", "local", "learn", "puzzles", "rules", "analysis", "settings")
"""The views that need no server: those of a copy, and of an installed page without a network."""

_VIEWS = "/app/views/"

PACKED = "packed"
"""The folder of what `make pack` writes."""

_IMPORT = re.compile(r'^\s*(?:import|export)\b(?!\()[^"\';]*?["\'](\.{0,2}/[^"\']+\.js)["\']', re.MULTILINE)
_LATER = re.compile(r"""\bimport\(["'](\.{1,2}/[^"']+\.js)["']\)""")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)"(?: data-further)?>\n')

PLAIN_STYLED = frozenset({"home"})
"""The views that do without the stylesheets marked as `data-further` in index.html, and fetch them later."""


@lru_cache(maxsize=1024)
def _imports(folder: Path, module: str) -> tuple[str, ...]:
    """The modules that one imports when it is loaded, by their addresses."""
    return tuple(_named(module, _IMPORT, (folder / module.lstrip("/")).read_text(encoding="utf-8")))


@lru_cache(maxsize=1024)
def _later(folder: Path, module: str) -> tuple[str, ...]:
    """Those that it imports when they are wanted. What comments import are types."""
    text = _COMMENT.sub("", (folder / module.lstrip("/")).read_text(encoding="utf-8"))
    return tuple(_named(module, _LATER, text))


def _named(module: str, how: re.Pattern[str], text: str) -> Iterator[str]:
    for found in how.finditer(text):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(module), found[1]))


@lru_cache(maxsize=128)
def modules_of(folder: Path, *entries: str) -> tuple[str, ...]:
    """These modules and all that they import, those needed first before the others."""
    known: dict[str, None] = dict.fromkeys(entries)
    waiting = list(entries)
    while waiting:
        for module in _imports(folder, waiting.pop(0)):
            if module not in known:
                known[module] = None
                waiting.append(module)
    return tuple(known)


def modules_of_view(folder: Path, view: str) -> tuple[str, ...]:
    """The modules of a view without the parts that it loads later.

    Where there is no such view, as at a mistyped address, those that every view needs.
    """
    entry = f"{_VIEWS}{view}.js"
    return modules_of(folder, MAIN, *((entry,) if (folder / entry.lstrip("/")).is_file() else ()))


@lru_cache(maxsize=128)
def later_modules(folder: Path, view: str) -> tuple[str, ...]:
    """Return what a view loads later besides its modules, without other views; mostly nothing."""
    entries = first = modules_of_view(folder, view)
    while True:
        known = modules_of(folder, *entries)
        later = (name for module in known for name in _later(folder, module))
        new = sorted({name for name in later if not name.startswith(_VIEWS)} - set(known))
        if not new:
            return known[len(first) :]
        entries = (*known, *new)


@dataclass(frozen=True, slots=True)
class PackedPage:
    """The page as `tools/web/pack.mjs` made it: addresses of the start module, the styles, the modules.

    `style` is what every view needs, `further` the rest.
    """

    main: str
    style: str
    further: str
    views: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, folder: Path, sources: str) -> PackedPage | None:
        """Return what is packed in the page's `folder`; None where nothing is, or was made of other
        `sources`."""
        try:
            found = json.loads((folder / PACKED / "manifest.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        if found["sources"] != sources:
            return None
        views = {view: tuple(modules) for view, modules in found["views"].items()}
        return cls(found["main"], found["style"], found["further"], views)


def page_for(index: str, folder: Path, view: str, packed: PackedPage | None) -> tuple[str, tuple[str, ...]]:
    """The text of index.html for a view, and the modules that its head has to name."""
    if packed is None:
        return index, modules_of(folder, MAIN, f"/app/views/{view}.js")
    style, head = f'<link rel="stylesheet" href="{packed.style}">\n', ""
    if view in PLAIN_STYLED:
        head = f'<meta name="further-styles" content="{packed.further}">\n'
    else:
        style += f'<link rel="stylesheet" href="{packed.further}">\n'
    plain = _STYLE.sub("", index.replace(MAIN, packed.main)).replace("</head>", f"{head}</head>")
    # Behind what is painted without styles: what stands before them does not wait for them.
    return plain.replace("<ssb-app>", f"{style}<ssb-app>"), packed.views[view]


def files_of(
    index: str, folder: Path, packed: PackedPage | None, views: Iterable[str] = OFFLINE
) -> tuple[str, ...]:
    """Return what is kept of some views for use without a network: their modules, and the styles."""
    if packed is not None:
        modules = (module for view in views for module in packed.views[view])
        return tuple(dict.fromkeys((packed.style, packed.further, *modules)))
    return (*_STYLE.findall(index), *modules_of(folder, MAIN, *(f"{_VIEWS}{view}.js" for view in views)))
