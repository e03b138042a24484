"""What a live game costs the server, its sockets apart; `python -m benchmarks.site` measures the rest."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Sequence

import pytest
from benchmarks.site.frame import Seen, see
from benchmarks.site.player import Player

import sheshbesh as sb
from sheshbesh.match import Card
from sheshbesh.rules import Side
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.storage import Database
from sheshbesh.server.tables.line import Line
from sheshbesh.server.tables.match import Match, MatchKind
from sheshbesh.server.tables.presence import Presence
from sheshbesh.server.tables.seats import MatchAgreement, Seat
from sheshbesh.server.tables.store import MatchStore, Writing
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.tables import MatchTables, Tables
from sheshbesh.server.tables.wire import Do
from sheshbesh.session import Event, Session, parse_action
from tests.server.live import HeuristicEngine

pytestmark = pytest.mark.anyio

_BOUND = 64 * 1024
"""Bytes that a live game may hold beside its sockets."""
_TURNS = 25


class Forgetful(MatchStore):
    """A store that keeps nothing: what a database would hold is not counted."""

    async def tail(self, match: str, after: int) -> Sequence[Event]:
        """There is none."""
        return ()

    async def tips(self, match: str) -> Sequence[bytes]:
        """There are none."""
        return ()

    async def append(self, writing: Writing[Session, MatchAgreement]) -> None:
        """Forget it."""

    async def has_action(self, match: str, actor: str, ref: str, *, is_over: bool = False) -> bool:
        """It does not."""
        return False


async def play(registry: MatchTables, game: str, number: int) -> Match:
    """A game between two players that has gone on for a while."""
    seats = {side: Seat("guest", f"Guest {number}", f"{side.value}{number}") for side in Side}
    agreed = MatchAgreement(f"m{number}", Card.from_code(f"{game}.p99"), seats)
    room: Match = Table(registry.kind, agreed, (), (), registry.spawn)
    await room.perform()
    registry.loaded[room.id] = room
    chance = random.Random(number)
    viewers = {side: Line(f"{side.value}{number}", (side,)) for side in Side}
    players = {side: Player(side.value, chance) for side in Side}
    for viewer in viewers.values():
        await room.enter(viewer)
    refs, plays = 0, 0
    while plays < _TURNS:
        for side, viewer in viewers.items():
            seen = _newest(viewer)
            action = None if seen is None else players[side].action(seen.own)
            if seen is None or action is None:
                continue
            refs, plays = refs + 1, plays + (action["type"] == "play")
            asked = Do(f"r{refs}", parse_action(action), seen.key)
            actor, taken, ref, key = await room.kind.actor_for(room, (side,), asked)
            await room.act(actor, taken, ref=ref, key=key)
            if viewer.outbox.empty():
                break
    for viewer in viewers.values():
        room.viewers.leave(viewer)
    return room


def made() -> MatchTables:
    """The matches of a process whose store forgets them."""
    database, bus = Database("sqlite://"), Bus()
    kind = MatchKind(Forgetful(database), HeuristicEngine(), Presence(database, bus, "p"))
    return Tables(kind, bus)


def _newest(viewer: Line) -> Seen | None:
    """The newest state that is on its way to a viewer."""
    seen = None
    while not viewer.outbox.empty():
        frame = viewer.outbox.get_nowait()
        if frame is not None and frame.startswith('{"t":"state"'):
            seen = see(frame.encode())
    return seen


async def test_a_live_game_holds_little_beside_its_sockets() -> None:
    registry = made()
    games = sb.variants()[::4]
    for number, game in enumerate(games):  # what is read once for a game is none of its matches' cost
        await play(registry, game, number)
    gc.collect()
    tracemalloc.start()
    try:
        for number, game in enumerate(games, start=len(games)):
            await play(registry, game, number)
        gc.collect()
        held = tracemalloc.get_traced_memory()[0] / len(games)
    finally:
        tracemalloc.stop()
        for room in registry.loaded.values():
            room.stop()
    assert held < _BOUND, f"{held / 1024:.0f} KB"
    assert held > 4 * 1024, "nothing was held, so nothing was measured"
