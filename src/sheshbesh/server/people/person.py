"""Somebody who plays or watches, and what may be a name."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sheshbesh.i18n import Text
from sheshbesh.server.people.lookalikes import is_arabic_letter, is_ignorable, is_one_script, skeleton
from sheshbesh.server.refusals import Failure

LONGEST_NAME = 20

_SCOPES = frozenset({"read", "challenge", "chat", "play", "tournament:enter", "tournament:direct"})


@dataclass(frozen=True, slots=True)
class Person:
    """A guest, a user or a bot.

    `sign_in` is the id of the browser's sign-in of this request, None for a program that came
    with a `token`; that has the `scopes` of the token only, a browser all of them.
    """

    id: str
    name: str
    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    sign_in: str | None = None
    scopes: frozenset[str] = _SCOPES
    token: str | None = None
    moderator: bool = False

    @property
    def came_with(self) -> str | None:
        """The id of the sign-in or of the token by which they were recognised."""
        return self.sign_in or self.token

    def to_data(self) -> dict[str, Any]:
        """Return what others may know."""
        return {"id": self.id, "name": self.name, "kind": self.kind}


def clean_name(text: str) -> str:
    """A name as it is kept; Failure says what cannot be in one.

    Letters, marks, digits, punctuation and single spaces of one script, at most 20 characters. No
    controls, no marks of direction and nothing that is not shown: these could make a name look like another
    one, or like a line of its own. The zero-width non-joiner is ordinary in Persian, between two letters of
    the Arabic script. The apostrophe of the keyboard becomes the typographic one: O’Hara.
    """
    name = unicodedata.normalize("NFC", text).replace("'", "’")
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Failure(422, Text("a name has 1 to {most} characters", most=LONGEST_NAME), where="name")
    for place, character in enumerate(name):
        if not _may_be_in_name(name, place):
            shown = character.isprintable() and not is_ignorable(character)
            seen = character if shown and not unicodedata.combining(character) else ""
            described = seen or unicodedata.name(character, f"U+{ord(character):04X}")
            raise Failure(
                422, Text("a name cannot contain {character} here", character=described), where="name"
            )
    if name != " ".join(name.split()):
        raise Failure(422, "a name has single spaces, between words", where="name")
    if not any(unicodedata.category(character)[0] in "LN" for character in name):
        raise Failure(422, "a name has at least one letter or digit", where="name")
    if not is_one_script(name):
        raise Failure(422, "the letters of a name are of one script", where="name")
    return name


def _may_be_in_name(name: str, place: int) -> bool:
    character = name[place]
    category = unicodedata.category(character)
    if character == "\u200c":
        beside = name[place - 1 : place] + name[place + 1 : place + 2]
        return len(beside) == 2 and all(map(is_arabic_letter, beside))
    if is_ignorable(character):
        return False
    if category.startswith("M"):
        # Two marks on a letter are Vietnamese or vocalised Arabic; more are a drawing.
        return place > 0 and not all(
            unicodedata.category(other).startswith("M") for other in name[max(0, place - 2) : place]
        )
    return (
        character == " " or category[0] in "LN" or (category[0] == "P" and character not in "<>&\"'\\/@#%?")
    )


def folded(name: str) -> str:
    """Return a name as names are compared: case, width and the joiner make no other name."""
    text = unicodedata.normalize("NFKC", name.replace("'", "’")).casefold().replace("\u200c", "")
    return unicodedata.normalize("NFKC", text)


def name_values(name: str) -> dict[str, str]:
    """The columns of `users` that hold a clean name: as it is written, as it is found, and as it looks."""
    return {"name": name, "folded": folded(name), "skeleton": skeleton(name)}
