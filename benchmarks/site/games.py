"""The clients of a load test: games between two sockets each, with a turn now and then."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter, deque
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import sheshbesh as sb
from benchmarks.site.line import Address, Line, open_line, post
from benchmarks.site.player import Player

API = "/api/v1"
_PING = '{"t":"ping","d":{"rtt":1}}'
_PING_EVERY = 2.5
_CREATING = 40
"""Games that are being set up at once."""


class TroubleError(Exception):
    """The server did not do what was asked of it."""


@dataclass
class Figures:
    """What was measured: seconds from an action to its announcement at the other player, and faults."""

    announced: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    """By how much this process itself was late to act: the clients' share of a bad figure."""
    actions: int = 0
    turns: int = 0
    received: int = 0
    faults: Counter[str] = field(default_factory=Counter)


class Game:
    """One match between two players of this process."""

    def __init__(self, crowd: Crowd, number: int) -> None:
        self.crowd = crowd
        self.chance = random.Random(number)
        self.card = f"{crowd.games[number % len(crowd.games)]}.p99"
        self.players = {side: Player(side, self.chance) for side in ("white", "black")}
        self.lines: dict[str, Line] = {}
        self.states: dict[str, dict[str, Any]] = {}
        self.decided: dict[str, deque[tuple[str, str, int]]] = {
            side: deque(maxlen=6) for side in self.players
        }
        self.sent: tuple[str, int, float] | None = None
        self.next_turn = monotonic() + self.chance.random() * crowd.every
        self.refs = 0

    async def begin(self) -> None:
        """Two strangers become guests, one invites the other, both open their sockets."""
        one, two = self.crowd.address(), self.crowd.address()
        first, second = await self._guest(one), await self._guest(two)
        made = await post(
            one,
            f"{API}/matches",
            {"card": self.card, "opponent": {"kind": "friend"}, "side": "white", "rated": False},
            first,
        )
        if made.status >= 300:
            raise TroubleError(f"no match: {made.status} {made.data}")
        token = made.data["invite"].rpartition("/")[2]
        taken = await post(two, f"{API}/invites/{token}", {}, second)
        if taken.status >= 300:
            raise TroubleError(f"no invitation: {taken.status} {taken.data}")
        path = f"/ws/match/{taken.data['id']}"
        for side, address, cookie in (("white", one, first), ("black", two, second)):
            self.lines[side] = await open_line(
                address, path, cookie, self._hearing(side), self._lost, deflate=self.crowd.deflate
            )

    async def _guest(self, address: Address) -> str:
        answer = await post(address, f"{API}/guest", {}, None)
        if answer.status >= 300 or answer.cookie is None:
            raise TroubleError(f"no guest: {answer.status} {answer.data}")
        return answer.cookie

    def _lost(self, why: str) -> None:
        if not self.crowd.is_over:
            self.crowd.figures.faults[f"line lost: {why}"] += 1

    def _hearing(self, side: str) -> Any:
        def heard(frame: bytes) -> None:
            if frame.startswith(b'{"t":"state"'):
                self._state(side, json.loads(frame))
            elif frame.startswith((b'{"t":"refused"', b'{"t":"error"')):
                data = json.loads(frame)
                self.crowd.figures.faults[f"{data['t']}: {data['d'].get('rule') or data['d']}"] += 1

        return heard

    def _state(self, side: str, message: dict[str, Any]) -> None:
        figures = self.crowd.figures
        if self.sent is not None:
            actor, version, at = self.sent
            if actor != side and message["v"] > version:
                figures.announced.append(monotonic() - at)
                self.sent = None
        self.states[side] = message
        state = message["d"]
        action = self.players[side].action(state)
        if action is None:
            return
        # Links change no key, and one may be on its way while the roller throws.
        key = "" if action["type"] == "link" else message["key"]
        decided = (key, action["type"], state["dice"].get("index", 0))
        if decided in self.decided[side]:
            return
        self.decided[side].append(decided)
        if action["type"] == "roll" and state["phase"] == "roll":
            due = max(self.next_turn, monotonic())
            self.next_turn = due + self.crowd.every
            figures.turns += 1
            asyncio.get_running_loop().call_at(due, self._later, side, message, action, due)
        else:
            self._send(side, message, action)

    def _later(self, side: str, message: dict[str, Any], action: dict[str, Any], due: float) -> None:
        self.crowd.figures.late.append(monotonic() - due)
        # A state that came meanwhile, about links of dice, changed nothing that is decided here.
        self._send(side, self.states[side] if self.states[side]["key"] == message["key"] else message, action)

    def _send(self, side: str, message: dict[str, Any], action: dict[str, Any]) -> None:
        self.refs += 1
        self.crowd.figures.actions += 1
        self.sent = (side, message["v"], monotonic())
        frame = {"t": "do", "ref": f"{side[0]}{self.refs}", "key": message["key"], "d": action}
        self.lines[side].send(json.dumps(frame, separators=(",", ":")))

    def ping(self) -> None:
        """The sign of life of both pages."""
        for line in self.lines.values():
            line.send(_PING)

    def close(self) -> None:
        """Hang up."""
        for line in self.lines.values():
            line.close()


class Crowd:
    """The games of one client process."""

    def __init__(self, host: str, port: int, number: int, *, every: float, deflate: bool) -> None:
        self.every = every
        self.deflate = deflate
        self.games = sb.variants()
        self.figures = Figures()
        self.running: list[Game] = []
        self.is_over = False
        self._host, self._port, self._number = host, port, number
        self._addresses = 0
        self._received_before = 0
        self._pinging = asyncio.create_task(self._ping())

    def address(self) -> Address:
        """The next player comes from an address of his own, as players do."""
        self._addresses += 1
        low, high = self._addresses % 250, self._addresses // 250
        return Address(self._host, self._port, f"127.{self._number + 1}.{high}.{low + 1}")

    async def grow(self, games: int) -> None:
        """Begin more games."""
        gate = asyncio.Semaphore(_CREATING)

        async def begin(number: int) -> None:
            async with gate:
                game = Game(self, number)
                try:
                    await game.begin()
                except (OSError, TroubleError, KeyError, TypeError) as error:
                    self.figures.faults[f"not begun: {error}"] += 1
                else:
                    self.running.append(game)

        first = len(self.running)
        await asyncio.gather(*(begin(number) for number in range(first, first + games)))

    async def _ping(self) -> None:
        """Every game's signs of life, spread over their time."""
        at = 0.0
        while True:
            await asyncio.sleep(0.05)
            share = len(self.running) * 0.05 / _PING_EVERY
            upto = at + share
            for index in range(int(at), int(upto)):
                self.running[index % len(self.running)].ping()
            at = upto % max(len(self.running), 1)

    def begin_measuring(self) -> None:
        """Forget all figures but the faults."""
        self.figures = Figures(faults=self.figures.faults)
        self._received_before = self._received()

    def told(self) -> Figures:
        """The figures since then."""
        self.figures.received = self._received() - self._received_before
        return self.figures

    def _received(self) -> int:
        return sum(line.received for game in self.running for line in game.lines.values())

    def close(self) -> None:
        """Hang up everywhere."""
        self.is_over = True
        self._pinging.cancel()
        for game in self.running:
            game.close()
