"""The arithmetic of the auditor, written from docs/guide/fair-dice.md alone, and how it reads fields."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sheshbesh.i18n import Text

PARTIES = ("server", "white", "black")

PARTY: Mapping[str, Text] = MappingProxyType(
    {"server": Text("the server"), "white": Text("White"), "black": Text("Black")}
)
"""Givers of links, as sentences call them."""


class EventError(Exception):
    """The fault of the event at hand; `number` names the throw if it is not the event's own."""

    def __init__(self, text: Text, number: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.number = number


def _stream_dice(key: bytes, head: bytes) -> tuple[int, int]:
    found: list[int] = []
    counter = 0
    while len(found) < 2:
        block = hmac.new(key, head + bytes.fromhex(f"{counter:08x}"), hashlib.sha256).digest()
        found.extend(value % 6 + 1 for value in block if value <= 251)
        counter += 1
    return found[0], found[1]


def chain_dice(game: str, number: int, links: Mapping[str, bytes]) -> tuple[int, int]:
    """The dice that three links give; a missing link is empty."""
    head = b"sheshbesh/dice/v1|" + game.encode() + b"|" + str(number).encode() + b"|"
    for party in PARTIES:
        head += hashlib.sha256(links[party]).digest()
    return _stream_dice(links["server"], head)


def seeded_dice(game: str, number: int, seed: bytes) -> tuple[int, int]:
    """The dice that the seed of a game gives for a throw."""
    return _stream_dice(seed, f"sheshbesh/seeded/v1|{game}|{number}|".encode())


def uncover(link: bytes, steps: int) -> bytes:
    """The link `steps` places before this one in its chain."""
    for _ in range(steps):
        link = hashlib.sha256(b"sheshbesh/link/v1" + link).digest()
    return link


def read_game(event: Mapping[str, Any]) -> str:
    """The name of the game of an event."""
    name = event.get("game")
    if isinstance(name, str) and 1 <= len(name) <= 64 and all(_is_name_letter(letter) for letter in name):
        return name
    raise EventError(Text("the name of the game cannot be read"))


def _is_name_letter(letter: str) -> bool:
    return letter.isascii() and (letter.isalnum() or letter in "-_.:/+")


def read_bytes(value: object) -> bytes | None:
    """Bytes from pairs of lower-case hexadecimal digits."""
    if isinstance(value, str) and len(value) % 2 == 0 and all(digit in "0123456789abcdef" for digit in value):
        return bytes.fromhex(value)
    return None


def read_link(value: object, party: str, number: int | None = None) -> bytes:
    """The 32 bytes of a party's link; `number` is for the complaint."""
    if (link := _read_32(value)) is None:
        raise EventError(
            Text("{who}'s link is missing or is not 64 hexadecimal digits", who=PARTY[party]), number
        )
    return link


def read_anchor(value: object, party: str, number: int | None = None) -> bytes:
    """The same of an anchor."""
    if (anchor := _read_32(value)) is None:
        raise EventError(
            Text("{who}'s anchor is missing or is not 64 hexadecimal digits", who=PARTY[party]), number
        )
    return anchor


def _read_32(value: object) -> bytes | None:
    found = read_bytes(value)
    return found if found is not None and len(found) == 32 else None


def read_dice(value: object) -> tuple[int, int] | None:
    """A list of two numbers from 1 to 6."""
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(type(die) is int and 1 <= die <= 6 for die in value)
    ):
        return value[0], value[1]
    return None


def read_number(value: object) -> int | None:
    """The number of a throw."""
    return value if type(value) is int and 1 <= value < 1 << 31 else None


def read_text(value: object) -> str | None:
    """Any text."""
    return value if isinstance(value, str) else None
