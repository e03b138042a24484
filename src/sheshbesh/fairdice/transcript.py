"""What is recorded of the dice: small events of plain JSON values, and the way back from them.

A match record holds these events among its own; a transcript holds nothing else. Bytes are written
as lower-case hexadecimal. The fields are described in docs/guide/fair-dice.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sheshbesh.fairdice.table import DiceTable, Epoch, Renewal

Event = dict[str, Any]
"""A JSON object with a field `type`: "anchors", "seed" or "throw"."""

FORMAT = "sheshbesh-dice"
VERSION = 1


class Voided(NamedTuple):
    """A throw that was begun with chains one of which was lost, and what had been given for it."""

    number: int
    white: bytes | None
    black: bytes | None


def _hex(value: bytes | None) -> str | None:
    return value.hex() if value else None


def anchors_event(table: DiceTable, epoch: Epoch, renewal: Renewal, *, voided: Voided | None) -> Event:
    """The event that opens new chains, before any of their links."""
    event: Event = {
        "type": "anchors",
        "game": table.game,
        "epoch": epoch.serial,
        "first": epoch.first,
        "mode": table.mode,
        "length": table.length,
        "reason": renewal.reason,
    }
    event |= {
        party: anchor.hex() for party, anchor in zip(("server", "white", "black"), epoch.known, strict=True)
    }
    if renewal.lost:
        event["lost"] = list(renewal.lost)
    if voided is not None:
        event["voided"] = {"number": voided.number, "white": _hex(voided.white), "black": _hex(voided.black)}
    return event


def chain_throw_event(
    table: DiceTable, dice: tuple[int, int], links: tuple[bytes, bytes, bytes], *, roller: str | None
) -> Event:
    """The event of a throw from three chains; empty links are those left out, and marked so."""
    server, white, black = links
    event: Event = {
        "type": "throw",
        "source": "chains",
        "game": table.game,
        "number": table.number,
        "roller": roller,
        "dice": list(dice),
        "server": server.hex(),
        "white": _hex(white),
        "black": _hex(black),
    }
    if not (white and black):
        event["missing"] = [side for side, link in (("white", white), ("black", black)) if not link]
    return event


def plain_throw_event(
    source: str, game: str, number: int, dice: tuple[int, int], *, roller: str | None
) -> Event:
    """The event of a throw that was typed in or came from a seed."""
    return {
        "type": "throw",
        "source": source,
        "game": game,
        "number": number,
        "roller": roller,
        "dice": list(dice),
    }


def seed_event(game: str, seed: bytes) -> Event:
    """The event that says from which seed the dice of a game come."""
    return {"type": "seed", "game": game, "seed": seed.hex()}


def dump_transcript(events: Iterable[Event]) -> str:
    """A stand-alone transcript: a header line, then one event a line."""
    lines = [{"format": FORMAT, "version": VERSION}, *events]
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
