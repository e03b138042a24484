"""The record of the dice: small events of plain JSON values, and the way back from them.

A match record holds these events among its own; a transcript holds nothing else. Bytes are written
as lower-case hexadecimal. The fields are described in docs/guide/fair-dice.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

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


def anchors_event(
    game: str,
    epoch: tuple[int, int],
    anchors: tuple[bytes, bytes, bytes],
    *,
    mode: str,
    length: int,
    reason: str,
    lost: Sequence[str],
    voided: Voided | None,
) -> Event:
    """The event that opens new chains, before any of their links.

    `epoch` is their serial number and the number of their first throw; `anchors` are those of the server,
    White and Black; `lost` names the players whose chains these replace, and `length` counts links.
    """
    serial, first = epoch
    event: Event = {
        "type": "anchors",
        "game": game,
        "epoch": serial,
        "first": first,
        "mode": mode,
        "length": length,
        "reason": reason,
    }
    event |= {
        party: anchor.hex() for party, anchor in zip(("server", "white", "black"), anchors, strict=True)
    }
    if lost:
        event["lost"] = list(lost)
    if voided is not None:
        event["voided"] = {"number": voided.number, "white": _hex(voided.white), "black": _hex(voided.black)}
    return event


def chain_throw_event(
    game: str,
    number: int,
    dice: tuple[int, int],
    links: tuple[bytes, bytes, bytes],
    *,
    roller: str | None,
) -> Event:
    """The event of a throw from three chains; empty links are those left out, and marked so."""
    server, white, black = links
    event = plain_throw_event("chains", game, number, dice, roller=roller)
    event |= {"server": server.hex(), "white": _hex(white), "black": _hex(black)}
    if not (white and black):
        event["missing"] = [side for side, link in (("white", white), ("black", black)) if not link]
    return event


def plain_throw_event(
    source: str, game: str, number: int, dice: tuple[int, int], *, roller: str | None
) -> Event:
    """The event of a throw: that it was typed in or came from a seed, and what all others begin with."""
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
