"""The events of a table that is over, packed into one value from which each of them comes back as it was.

Links of dice cannot be compressed, but all of a chain follow from its last one: that is kept, and where each
link stood, a sign of three characters. The rest is JSON, compressed by zlib.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from pydantic_core import from_json, to_json

from sheshbesh.fairdice.chain import link_before

_LINK = re.compile(rb'"([0-9a-f]{64})"')
_SIGN = re.compile(rb'"~(\d+)(\+|:\d+)?"')
"""In place of a link: the number of its chain; then `+` for the next one, nothing for the same, or which."""

_FORM = b"\x01"
"""The first byte, by which another form could be told from this one."""


class StoredEvent(NamedTuple):
    """A row of events without the id of its table."""

    n: int
    at: int
    actor: str
    action: dict[str, Any]
    then: dict[str, Any]
    ref: str | None


def pack(events: Iterable[StoredEvent]) -> bytes:
    """Pack the events of a table, which are numbered without a gap.

    ValueError for what would not come back as it is.
    """
    rows = list(events)
    if not all(isinstance(part, dict) for row in rows for part in (row.action, row.then)):
        raise ValueError("events that cannot be read cannot be packed")
    first, began = (rows[0].n, rows[0].at) if rows else (1, 0)
    data, at = [], began
    for row in rows:
        data.append([row.at - at, *row[2:]])
        at = row.at
    text = to_json(data)
    # Where a text begins with the sign by itself, which no event of ours does, links stay as they are.
    chains = [] if b'"~' in text else _chains(_LINK.findall(text))
    head = to_json([first, began, [[links[-1].hex(), len(links)] for links in chains]])
    packed = _FORM + zlib.compress(head + b"\n" + _without_links(text, chains), 9)
    if to_json(unpack(packed)) != to_json(rows):  # to the order of keys
        raise ValueError("these events cannot be packed")
    return packed


def unpack(packed: bytes) -> Sequence[StoredEvent]:
    """Return the events that were packed; ValueError where it is damaged."""
    if packed[:1] != _FORM:
        raise ValueError("packed events of an unknown form")
    try:
        head, _, text = zlib.decompress(packed[1:]).partition(b"\n")
    except zlib.error as error:
        raise ValueError(f"damaged packed events: {error}") from error
    first, at, tips = from_json(head)
    rows = []
    for n, (later, *rest) in enumerate(from_json(_with_links(text, tips)), start=first):
        at += later
        rows.append(StoredEvent(n, at, *rest))
    return rows


def _chains(found: Sequence[bytes]) -> list[list[bytes]]:
    """Order links, as they appear in hexadecimal digits, by their chains: each from the anchor on."""
    links = dict.fromkeys(bytes.fromhex(link.decode()) for link in found)
    after = {before: link for link in links if (before := link_before(link)) in links}
    follow = set(after.values())
    chains = []
    for link in links:
        if link not in follow:
            chain = [link]
            while (following := after.get(chain[-1])) is not None:
                chain.append(following)
            chains.append(chain)
    return chains


def _without_links(text: bytes, chains: Sequence[Sequence[bytes]]) -> bytes:
    """Put signs in the place of the links of chains."""
    places = {
        link.hex().encode(): (number, place)
        for number, chain in enumerate(chains)
        for place, link in enumerate(chain)
    }
    last = [-1] * len(chains)

    def sign(match: re.Match[bytes]) -> bytes:
        if match[1] not in places:
            return match[0]
        number, place = places[match[1]]
        which = {1: "+", 0: ""}.get(place - last[number], f":{place}")
        last[number] = place
        return f'"~{number}{which}"'.encode()

    return _LINK.sub(sign, text)


def _with_links(text: bytes, tips: Sequence[tuple[str, int]]) -> bytes:
    """Put the links back; `tips` are the last link of each chain and how many it has."""
    if not tips:
        return text
    chains = []
    for tip, length in tips:
        chain = [bytes.fromhex(tip)]
        while len(chain) < length:
            chain.append(link_before(chain[-1]))
        chains.append([f'"{link.hex()}"'.encode() for link in reversed(chain)])
    last = [-1] * len(chains)

    def link(match: re.Match[bytes]) -> bytes:
        number, which = int(match[1]), match[2]
        last[number] = int(which[1:]) if which and which != b"+" else last[number] + (which is not None)
        return chains[number][last[number]]

    return _SIGN.sub(link, text)
