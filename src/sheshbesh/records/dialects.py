"""Which program wrote the text of a match, as far as it can be told."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sheshbesh.rules import variants

_SITES = (
    ("galaxy", "galaxy"),
    ("opengammon", "opengammon"),
    ("foxamon", "foxamon"),
    ("choue", "choue"),
    ("playok", "playok"),
    ("gridgammon", "gridgammon"),
    ("dailygammon", "dailygammon"),
    ("backgammon studio", "studio"),
    ("heroes", "studio"),
    ("extreme gammon", "xg"),
    ("gnu backgammon", "gnubg"),
)


def dialect_of(text: str, tags: Mapping[str, str], *, ratings: bool) -> str:
    """A name such as "xg" or "galaxy"; by the site's own tag, else by the spelling of bar and off."""
    site = tags.get("Site", "").lower()
    for sign, name in _SITES:
        if sign in site:
            if name == "galaxy" and "Bar/" in text:
                return "xg"
            return name
    if re.search(r"\d\) .*\bBar/|/Off\b|Cannot Move", text):
        return "studio" if re.search(r"\bbar/|/off\b", text) else "xg"
    if re.search(r"\bbar/|/off\b", text):
        return "studio"
    if tags and not ratings:
        return "gnubg"
    return "gridgammon" if ratings else "jellyfish"


def variant_named(name: str) -> str | None:
    """The game that a tag calls `name`, whatever its capitals and spaces; None if it is not known."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    return next((each for each in variants() if re.sub(r"[^a-z0-9]", "", each) == plain), None)
