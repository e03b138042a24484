"""What a page will ask for next: every module of its view, named in its head.

Modules import modules, and a browser learns of each only when it has read the one before. Named at once they
come together: one round trip to the server instead of one for every level.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_IMPORT = re.compile(r'^\s*(?:import|export)\b[^"\';]*?["\'](\.{0,2}/[^"\']+\.js)["\']', re.MULTILINE)

MAIN = "/app/main.js"


def imports(folder: Path, module: str) -> Iterator[str]:
    """The modules that one imports when it is loaded, by their addresses."""
    text = (folder / module.lstrip("/")).read_text(encoding="utf-8")
    for found in _IMPORT.finditer(text):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(module), found[1]))


@lru_cache(maxsize=64)
def modules(folder: Path, *entries: str) -> tuple[str, ...]:
    """These modules and all that they import, those needed first before the others."""
    known: dict[str, None] = dict.fromkeys(entries)
    waiting = list(entries)
    while waiting:
        for module in imports(folder, waiting.pop(0)):
            if module not in known:
                known[module] = None
                waiting.append(module)
    return tuple(known)


def links(folder: Path, view: str) -> str:
    """The lines for the head of a page that shows `view`."""
    return "\n".join(
        f'<link rel="modulepreload" href="{module}">'
        for module in modules(folder, MAIN, f"/app/views/{view}.js")
    )
