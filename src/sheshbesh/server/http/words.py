"""The texts of the page in a language: all of them, or those of one view, for which a first visit waits."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from sheshbesh.engines.explain.wording import wording_data
from sheshbesh.i18n import catalogue, translate
from sheshbesh.rules import variant, variants
from sheshbesh.server.http.page_modules import later_modules, modules_of_view

LOST = "lost"
"""The view of an address at which there is nothing, as the page's router calls it."""


REASONS = "reasons"
"""What stands in the place of a view for the phrases of reasons, which a page puts together itself."""

LATER = "-later"
"""The suffix of a view's name for the texts of what it loads later."""


def address_of_words(lang: str, view: str) -> str:
    """Return where the page finds the texts of a view."""
    return f"/i18n/{lang}/{view}.json"


@lru_cache
def words_of(lang: str, folder: Path, view: str | None = None) -> bytes:
    """The texts of a language as the page reads them, by the English ones: of a view, or all.

    `folder` is that of the page. The texts of a view are those that stand in its modules; `VIEW-later` has
    those of the parts that it loads later, `REASONS` how reasons for plays are said.
    """
    if view == REASONS:
        return _encoded(wording_data(lang))
    if view is not None and view.endswith(LATER):
        modules = later_modules(folder, view.removesuffix(LATER))
        words = catalogue(lang, frozenset(f"web{module}" for module in modules))
        return _encoded({"messages": words["messages"]})
    files = None
    if view is not None:
        files = frozenset(f"web{module}" for module in modules_of_view(folder, view))
    words = catalogue(lang, files)
    # A match says which game it is by its English title, wherever it is listed.
    titles = {title: translate(title, lang) for title in (variant(name).title for name in variants())}
    words["messages"] = {
        title: translated for title, translated in titles.items() if translated != title
    } | words["messages"]
    return _encoded(words)


def _encoded(words: dict[str, Any]) -> bytes:
    return json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()
