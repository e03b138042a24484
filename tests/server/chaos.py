"""A player on a bad connection: frames are lost, doubled, late and out of order, the connection breaks.

It plays as `player.Player` does, and keeps to the protocol of the page: an action is sent again, under
the same name and key, until it has an answer; after a break it says which event it saw last. It keeps
every event and every answer it was sent, so that a test can hold them against the record.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Callable
from typing import Any

import websockets

from tests.server.player import Player
from tests.waiting import PATIENCE, eventually

AGAIN = 0.15
"""Seconds after which an unanswered action is sent again."""


class Chaos:
    """How bad the connection is: shares of frames that are lost, doubled, late, or that break it."""

    def __init__(self, chance: random.Random, *, level: float = 0.05) -> None:
        self.chance = chance
        self.level = level

    def happens(self, weight: float = 1.0) -> bool:
        """Whether something goes wrong now."""
        return self.chance.random() < self.level * weight


class ChaosPlayer:
    """One player on a bad connection, from the start of a match to its end."""

    def __init__(self, dial: Callable[[str], websockets.connect], player: Player, chaos: Chaos) -> None:
        self._dial = dial
        self.player = player
        self._chaos = chaos
        self.events: dict[int, dict[str, Any]] = {}
        self.acked: list[tuple[str, dict[str, Any]]] = []
        self.refused: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self.v = 0
        self._key = ""
        self._sent: tuple[str, str, dict[str, Any]] | None = None
        self._due = False
        self._held: list[str] = []
        self._lost_frames = False

    @property
    def is_over(self) -> bool:
        """Whether the match is over and the last action has its answer."""
        return bool(self.state) and self.state["phase"] == "over"

    async def run(self, *, seconds: float = 5 * PATIENCE) -> None:
        """Play to the end, through as many connections as it takes."""

        async def is_played() -> bool:
            with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError):
                async with self._dial(f"?v={self.v}" if self.v else "") as socket:
                    await self._sit(socket)
            return self.is_over

        await eventually(is_played, seconds=seconds)

    async def _sit(self, socket: websockets.ClientConnection) -> None:
        self._held.clear()
        self._lost_frames = False
        if self._sent is not None:
            await self._send(socket, self._sent[1])
        while not self.is_over:
            try:
                async with asyncio.timeout(AGAIN):
                    text = str(await socket.recv())
            except TimeoutError:
                if self._sent is None and not self._due:
                    await socket.send(json.dumps({"t": "ping"}))
                    if self._lost_frames or self._chaos.happens(4):
                        return  # perhaps the frame that would have made it the turn of this player was lost
                elif self._sent is not None:
                    await self._send(socket, self._sent[1])
                continue
            if self._chaos.happens(0.3):
                self._lost_frames = True
                continue  # lost
            if self._chaos.happens(0.3):
                return  # broken
            for _ in range(2 if self._chaos.happens() else 1):
                self._receive(json.loads(text))
            await self._act(socket)

    def _receive(self, message: dict[str, Any]) -> None:
        match message["t"]:
            case "state":
                for event in message["events"]:
                    known = self.events.setdefault(event["n"], event)
                    assert known == event, f"event {event['n']} was {known}, now {event}"
                if message["v"] >= self.v:
                    self.state, self.v, self._key = message["d"], message["v"], message["key"]
                    self._due = True
            case "ack":
                if self._sent is not None and message["ref"] == self._sent[0]:
                    self.acked.append((self._sent[0], self._sent[2]))
                    self._sent = None
            case "refused":
                if self._sent is not None and message["ref"] == self._sent[0]:
                    self.refused.append(message["d"])
                    self._sent = None
                    self._due = True
            case "error" if message["d"]["code"] != "unavailable":
                raise AssertionError(f"the server says {message}")

    async def _act(self, socket: websockets.ClientConnection) -> None:
        if self._sent is not None or not self._due:
            return
        self._due = False
        for side in self.state["you"]:
            action = self.player.choose(self.state, side)
            if action is None:
                continue
            ref = next(self.player.refs)
            frame: dict[str, Any] = {"t": "do", "ref": ref, "key": self._key, "d": action}
            if len(self.state["you"]) > 1:
                frame["as"] = side
            self._sent = (ref, json.dumps(frame), action)
            await self._send(socket, self._sent[1])
            return

    async def _send(self, socket: websockets.ClientConnection, text: str) -> None:
        """Send a frame as a bad connection does; what was held back comes after it."""
        chaos = self._chaos
        if chaos.happens():
            return  # lost
        if chaos.happens():
            self._held.append(text)  # late, and behind others
            return
        for _ in range(2 if chaos.happens(2) else 1):
            await socket.send(text)
        held, self._held = self._held, []
        for late in held:
            await socket.send(late)
