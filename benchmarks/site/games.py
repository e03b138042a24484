"""The clients of a load test: games between two sockets each, with a turn now and then."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import sheshbesh as sb
from benchmarks.site.frame import Seen, see
from benchmarks.site.line import Address, Line, open_line, post
from benchmarks.site.player import Player

API = "/api/v1"
_PING = '{"t":"ping"}'
_ASKING = b'{"t":"pong","n"'
_BEAT = 2.5
"""Seconds between two messages of a page until a state asks for another number."""
_CREATING = 40
"""Games, or sockets, that are being set up at once."""
_PATIENCE = 60.0
"""Seconds in which a game must have begun."""
_OVERDUE = 1.0
"""Seconds from which on an action that is still not announced counts as announced only now."""


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
        sides = ("white",) if crowd.engine else ("white", "black")
        self.players = {side: Player(side, self.chance, strict=crowd.engine) for side in sides}
        self.lines: dict[str, Line] = {}
        self.states: dict[str, Seen] = {}
        self.heard: dict[str, float] = {}
        """When the server last had a message from each player."""
        self.decided: dict[str, deque[tuple[str, str, int]]] = {
            side: deque(maxlen=6) for side in self.players
        }
        self.sent: tuple[str, int, float] | None = None
        self.next_turn = monotonic() + self.chance.random() * crowd.every
        self.refs = 0

    async def begin(self) -> None:
        """Two strangers become guests, one invites the other, both open their sockets."""
        path, seats = await self._sit_down()
        for side, (address, cookie) in seats.items():
            self.lines[side] = await open_line(
                address, path, cookie, self._hearing(side), self._lost, deflate=self.crowd.deflate
            )

    async def be_looked_at(self, sockets: int) -> None:
        """Begin, but play nothing: White alone connects, with this many sockets."""
        path, seats = await self._sit_down()
        gate = asyncio.Semaphore(_CREATING)

        async def look(number: int) -> None:
            async with gate:
                self.lines[str(number)] = await open_line(
                    *(seats["white"][0], path, seats["white"][1]),
                    lambda _line, _frame: None,
                    self._lost,
                    deflate=self.crowd.deflate,
                )

        await asyncio.gather(*map(look, range(sockets)))

    async def _sit_down(self) -> tuple[str, dict[str, tuple[Address, str]]]:
        """Make the match: where its socket is, and each player's address and cookie."""
        one, two = self.crowd.addresses()
        first = await self._guest(one)
        if self.crowd.engine:
            wish = {"card": self.card, "opponent": {"kind": "engine"}, "side": "white", "tutor": True}
            made = await post(one, f"{API}/matches", wish, first)
            if made.status >= 300:
                raise TroubleError(f"no match: {made.status} {made.data}")
            return f"/ws/match/{made.data['id']}", {"white": (one, first)}
        second = await self._guest(two)
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
        return f"/ws/match/{taken.data['id']}", {"white": (one, first), "black": (two, second)}

    async def _guest(self, address: Address) -> str:
        answer = await post(address, f"{API}/guest", {}, None)
        if answer.status >= 300 or answer.cookie is None:
            raise TroubleError(f"no guest: {answer.status} {answer.data}")
        return answer.cookie

    def _lost(self, why: str) -> None:
        if not self.crowd.is_over:
            self.crowd.figures.faults[f"line lost: {why}"] += 1

    def _hearing(self, side: str) -> Any:
        def received(line: Line, frame: bytes) -> None:
            self.lines[side] = line  # the first frame comes before `open_line` returns
            if frame.startswith(b'{"t":"state"'):
                self._state(side, see(frame))
            elif frame.startswith(_ASKING):
                # The server measures the latency: what it asks for is sent back at once, as the page does.
                line.send(frame.decode())
            elif frame.startswith((b'{"t":"refused"', b'{"t":"error"')):
                data = json.loads(frame)
                self.crowd.figures.faults[f"{data['t']}: {data['d'].get('rule') or data['d']}"] += 1

        return received

    def _state(self, side: str, seen: Seen) -> None:
        figures = self.crowd.figures
        if self.sent is not None:
            actor, version, at = self.sent
            # A person who plays against the computer learns of their own action by the next state.
            if (actor != side or self.crowd.engine) and seen.v > version:
                figures.announced.append(monotonic() - at)
                self.sent = None
        self.states[side] = seen
        action = self.players[side].action(seen.own)
        if action is None:
            return
        # Links change no key, and one may be on its way while the roller throws.
        key = "" if action["type"] == "link" else seen.key
        decided = (key, action["type"], seen.own["dice"].get("index", 0))
        if decided in self.decided[side]:
            return
        self.decided[side].append(decided)
        if action["type"] == "roll" and seen.phase == "roll":
            due = max(self.next_turn, monotonic())
            self.next_turn = due + self.crowd.every
            figures.turns += 1
            asyncio.get_running_loop().call_at(due, self._later, side, seen, action, due)
        else:
            self._send(side, seen, action)

    def _later(self, side: str, seen: Seen, action: dict[str, Any], due: float) -> None:
        self.crowd.figures.late.append(monotonic() - due)
        # A state that came meanwhile, about links of dice, changed nothing that is decided here.
        self._send(side, self.states[side] if self.states[side].key == seen.key else seen, action)

    def _send(self, side: str, seen: Seen, action: dict[str, Any]) -> None:
        self.refs += 1
        self.crowd.figures.actions += 1
        self.sent = (side, seen.v, monotonic())
        frame = {"t": "do", "ref": f"{side[0]}{self.refs}", "key": seen.key, "d": action}
        self.heard[side] = monotonic()
        self.lines[side].send(json.dumps(frame, separators=(",", ":")))

    def ping(self) -> None:
        """The heartbeats of the pages from which the server has had nothing for as long as it asked."""
        now = monotonic()
        for side, line in self.lines.items():
            seen = self.states.get(side)
            if now - self.heard.get(side, 0.0) >= (_BEAT if seen is None else seen.own.get("beat", _BEAT)):
                self.heard[side] = now
                line.send(_PING)

    def close(self) -> None:
        """Hang up."""
        for line in self.lines.values():
            line.close()


@dataclass(frozen=True)
class Orders:
    """How the clients of one process behave.

    `ports` are those of the servers; where the players are `apart`, each game's two are at different ones;
    `engine` has one person play against the computer.
    """

    host: str
    ports: Sequence[int]
    number: int
    every: float
    deflate: bool = False
    apart: bool = False
    engine: bool = False


class Crowd:
    """The games of one client process."""

    def __init__(self, orders: Orders) -> None:
        self.every = orders.every
        self.deflate = orders.deflate
        self.engine = orders.engine
        self.games = sb.variants()
        self.figures = Figures()
        self.running: list[Game] = []
        self.is_over = False
        self._orders = orders
        self._games = 0
        self._addresses = 0
        self._received_before = 0
        self._pinging = asyncio.create_task(self._ping())

    def addresses(self) -> tuple[Address, Address]:
        """Where the players of the next game come from, and which servers they come to."""
        ports = self._orders.ports
        first = ports[self._games % len(ports)]
        second = ports[(self._games + self._orders.apart) % len(ports)]
        self._games += 1
        return self._address(first), self._address(second)

    def _address(self, port: int) -> Address:
        """Each client has an address of its own, as players do."""
        self._addresses += 1
        low, high = self._addresses % 250, self._addresses // 250
        return Address(self._orders.host, port, f"127.{self._orders.number + 1}.{high}.{low + 1}")

    async def grow(self, games: int) -> None:
        """Begin more games."""
        gate = asyncio.Semaphore(_CREATING)

        async def begin(number: int) -> None:
            async with gate:
                game = Game(self, number)
                try:
                    async with asyncio.timeout(_PATIENCE):
                        await game.begin()
                except (OSError, TroubleError, KeyError, TypeError) as error:
                    self.figures.faults[f"not begun: {error}"] += 1
                else:
                    self.running.append(game)

        first = len(self.running)
        await asyncio.gather(*(begin(number) for number in range(first, first + games)))

    async def look(self, sockets: int) -> None:
        """Open sockets at one game that nobody plays."""
        game = Game(self, len(self.running))
        await game.be_looked_at(sockets)
        self.running.append(game)

    async def _ping(self) -> None:
        """Look at every game once in the time of a heartbeat, spread over it, as the page's timer does."""
        at = 0.0
        while True:
            await asyncio.sleep(0.05)
            share = len(self.running) * 0.05 / _BEAT
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
        now = monotonic()
        waiting = [now - game.sent[2] for game in self.running if game.sent is not None]
        self.figures.announced += [time for time in waiting if time > _OVERDUE]
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
