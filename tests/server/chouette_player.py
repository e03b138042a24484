"""A person at the socket of a chouette, who does what the page allows them."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from itertools import count
from typing import Any

import websockets

from tests.server.live import Browser
from tests.server.player import Player
from tests.waiting import PATIENCE

_PING = 1.0
"""Seconds between two signs of life."""


class Sitter:
    """One browser at one chouette: it plays all names that are its person's."""

    def __init__(
        self,
        browser: Browser,
        chouette: str,
        *,
        seed: int = 0,
        player: Player | None = None,
        seen: int | None = None,
    ) -> None:
        self.browser, self.chouette = browser, chouette
        self.query = "" if seen is None else f"?v={seen}"
        self.player = player or Player(random.Random(seed))
        self.chance = self.player.chance
        self.refs = (f"{seed}-{n}" for n in count(1))
        self.state: dict[str, Any] = {}
        self.key = ""
        self.refused: list[str] = []
        self.answers: dict[str, str] = {}
        self.said: list[dict[str, Any]] = []
        self.socket: Any = None
        self._asked = ""

    async def __aenter__(self) -> Sitter:
        base = self.browser.base.replace("http", "ws", 1)
        cookie = "; ".join(f"{name}={value}" for name, value in self.browser.http.cookies.items())
        headers = {"Origin": self.browser.base, "Cookie": cookie}
        self.socket = await websockets.connect(
            f"{base}/ws/chouette/{self.chouette}{self.query}",
            additional_headers=headers,
            max_size=None,
            max_queue=None,
        )
        await self.hear()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    @property
    def table(self) -> dict[str, Any]:
        """Everybody around the board."""
        found: dict[str, Any] = self.state["chouette"]
        return found

    async def hear(self) -> None:
        """Take messages until the next state."""
        while True:
            message = await self._next()
            self._read(message)
            if message["t"] == "state":
                return

    async def say(self, **said: str) -> str:
        """Say something: "ack", or the rule against it."""
        ref = next(self.refs)
        await self.socket.send(json.dumps({"t": "say", "ref": ref, "d": said}))
        return await self._answer(ref)

    async def heard(self, lines: int) -> list[dict[str, Any]]:
        """What was said, once it is this number of lines."""
        while len(self.said) < lines:
            self._read(await self._next())
        return self.said

    def _read(self, message: dict[str, Any]) -> None:
        match message["t"]:
            case "refused":
                self.refused.append(message["d"]["rule"])
                self.answers[message["ref"]] = message["d"]["rule"]
            case "ack":
                self.answers[message["ref"]] = "ack"
            case "state":
                self.state, self.key = message["d"], message["key"]
            case "chat":
                self.said.append(message["d"])

    async def _answer(self, ref: str) -> str:
        async with asyncio.timeout(PATIENCE):
            while ref not in self.answers:
                self._read(json.loads(await self.socket.recv()))
        return self.answers[ref]

    async def _next(self) -> dict[str, Any]:
        """The next message; meanwhile the line shows that it lives, as a page does."""
        for _ in range(int(PATIENCE / _PING)):
            try:
                async with asyncio.timeout(_PING):
                    found: dict[str, Any] = json.loads(await self.socket.recv())
            except TimeoutError:
                await self.socket.send('{"t":"ping"}')
            else:
                if found["t"] != "pong":
                    return found
        told = {name: self.state[name] for name in ("phase", "to_act", "you", "allowed", "dice")}
        raise AssertionError(f"nothing happens: {told} {self.table} {self.refused}")

    async def do(self, name: str, action: dict[str, Any], *, free: bool = False) -> str:
        """Send an action under a name, and wait for what becomes of it: "ack", or the rule against it."""
        ref = next(self.refs)
        message = {"t": "do", "ref": ref, "as": name, "d": action}
        if not free:
            message["key"] = self.key
        await self.socket.send(json.dumps(message))
        return await self._answer(ref)

    def choose(self) -> tuple[str, dict[str, Any], bool] | None:
        """Who of one's names does what now, and whether it needs no key."""
        table, chance = self.table, self.chance
        for name, own in table["mine"].items():
            if own["answer"]:
                cube = own["answer"][0]
                answers = ["take", "take", "drop"] + ["beaver"] * cube["beaver"]
                return (
                    name,
                    {"type": "answer", "member": cube["member"], "answer": chance.choice(answers)},
                    False,
                )
        for name, own in table["mine"].items():
            if own["double"] and chance.random() < 0.1:
                return name, {"type": "double"}, False
        for side in self.state["you"]:
            hand = table["box"] if side == "white" else table["captain"]
            action = self._chosen(side) if hand in table["mine"] else None
            if action is not None:
                free = action["type"] in ("ready", "link", "anchor")
                return hand, action, free
        return None

    def _chosen(self, side: str) -> dict[str, Any] | None:
        """What the hand of a side does; new chains where somebody else had those of the team."""
        dice, allowed = self.state["dice"], self.player.allowed(self.state, side)
        chains, owed = self.player.chains[side], dice.get("owe", {}).get(side)
        lost = owed == "link" and chains.link(dice["game"], dice["serial"], dice["index"]) is None
        if lost and "anchor" in allowed:
            return {"type": "anchor", "anchor": chains.anchor(dice["game"], dice["serial"]), "lost": True}
        return self.player.choose(self.state, side)

    async def play_until(self, done: Callable[[dict[str, Any]], bool]) -> None:
        """Do what there is to do until the state satisfies `done`."""
        while not done(self.state):
            chosen = self.choose()
            if chosen is None or (seen := json.dumps([self.key, chosen[:2]])) == self._asked:
                self._asked = ""
                await self.hear()
                continue
            self._asked = seen
            name, action, free = chosen
            if await self.do(name, action, free=free) != "ack":
                self._asked = ""  # decided upon a state that has gone on since
