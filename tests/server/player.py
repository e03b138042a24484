"""A player at a socket who knows no rules: it does what it is told to be allowed."""

from __future__ import annotations

import asyncio
import json
import random
from itertools import count
from typing import Any, Protocol

from sheshbesh.fairdice import Chain
from tests.waiting import PATIENCE


class Line(Protocol):
    """A socket of any kind."""

    async def send(self, text: str) -> None:
        """Send a frame."""

    async def receive(self) -> str:
        """Wait for a frame."""


class Chains:
    """The chains of one seat in its player's own keeping, as the page has them; drawn by `seed`."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._made: dict[tuple[str, int], Chain] = {}

    def anchor(self, game: str, serial: int) -> str:
        """The anchor of the chain that comes after number `serial` of a game."""
        key = game, serial + 1
        if key not in self._made:
            self._made[key] = Chain(random.Random(f"{self._seed} {key}").randbytes(32))
        return self._made[key].anchor.hex()

    def link(self, game: str, serial: int, index: int) -> str | None:
        """Link `index` of the chain in use."""
        chain = self._made.get((game, serial))
        return chain.link(index).hex() if chain is not None else None


class Player:
    """Plays one seat at random from what the server sends."""

    def __init__(self, chance: random.Random, *, name: str = "p", resigns: float = 0.0) -> None:
        self.chance = chance
        self.chains = {side: Chains(f"{name} {side}") for side in ("white", "black")}
        self.refs = (f"{name}-{n}" for n in count(1))
        self.resigns = resigns

    def link(self, state: dict[str, Any], side: str) -> dict[str, str]:
        """The share of the dice that belongs to an action."""
        dice = state["dice"]
        if "serial" not in dice:
            return {}
        link = self.chains[side].link(dice["game"], dice["serial"], dice["index"])
        return {"link": link} if link is not None else {}

    def owed(self, state: dict[str, Any], side: str) -> dict[str, Any] | None:
        """What the player's device gives by itself."""
        dice = state["dice"]
        owe = dice.get("owe", {}).get(side)
        allowed = self.allowed(state, side)
        if owe == "anchor" and "anchor" in allowed:
            return {"type": "anchor", "anchor": self.chains[side].anchor(dice["game"], dice["serial"])}
        if owe == "link" and "link" in allowed:
            return {"type": "link", **self.link(state, side)}
        return None

    @staticmethod
    def allowed(state: dict[str, Any], side: str) -> list[str]:
        """What this side may do."""
        found: list[str] = state["allowed_of"][side] if "allowed_of" in state else state["allowed"]
        return found

    def choose(self, state: dict[str, Any], side: str) -> dict[str, Any] | None:
        """What to do in a state; None where others are to act."""
        if (owed := self.owed(state, side)) is not None:
            return owed
        allowed, chance = self.allowed(state, side), self.chance
        if "ready" in allowed:
            dice = state["dice"]
            anchor = dice.get("owe", {}).get(side) == "anchor"
            share = {"anchor": self.chains[side].anchor(dice["game"], dice["serial"])} if anchor else {}
            return {"type": "ready", **share}
        # In an opening draw either person may type both dice: let it be one of them.
        types = side == "white" or state["players"]["white"]["kind"] == "engine" or len(state["you"]) > 1
        if "dice" in allowed and (types or state["on_roll"] is not None):
            return {"type": "dice", "first": chance.randint(1, 6), "second": chance.randint(1, 6)}
        if "resign" in allowed and state["on_roll"] == side and chance.random() < self.resigns:
            return {"type": "resign", "kind": chance.choice(state["resign_kinds"])}
        for kind in ("double", "take", "drop", "accept", "refuse"):
            if kind in allowed and (kind in ("take", "accept") or chance.random() < 0.3):
                return {"type": kind}
        if "roll" in allowed:
            return {"type": "roll", **self.link(state, side)}
        if "choose" in allowed:
            return {"type": "choose", "die": chance.randint(1, 6)}
        if "choices" in state and state["on_roll"] == side:
            return self.move(state)
        return None

    def move(self, state: dict[str, Any]) -> dict[str, Any]:
        """A way through the choices, at random."""
        stages, here, steps = state["choices"], 0, []
        if state["card"]["touch_move"]:
            for done in state["turn"]["done"]:
                here = next(step[4] for step in stages[here]["next"] if step[:4] == done)
            if stages[here]["next"]:
                origin, target, die, _, _ = self.chance.choice(stages[here]["next"])
                return {"type": "step", "origin": origin, "target": target, "die": die}
            return {"type": "confirm"}
        while stages[here]["next"]:
            step = self.chance.choice(stages[here]["next"])
            here = step[4]
            steps.append(step)
        return {"type": "play", "play": notation(steps)}


def notation(steps: list[list[int]]) -> str:
    """Steps in own numbers as a page writes them."""
    if not steps:
        return "pass"
    names = {26: "bar", 25: "hand", 0: "off"}
    return " ".join(f"{names.get(o, o)}/{names.get(t, t)}" for o, t, *_ in steps)


async def play(line: Line, player: Player, *, patience: float = PATIENCE) -> dict[str, Any]:
    """Play a match to its end at one socket; return its last state."""
    state: dict[str, Any] = {}
    key, sent, due = "", None, False
    while True:
        async with asyncio.timeout(patience):
            message = json.loads(await line.receive())
        match message["t"]:
            case "refused" | "error":
                raise AssertionError(f"the server says {message} in {state.get('phase')}")
            case "ack":
                assert message["ref"] == sent
                sent = None
            case "state":
                state, key, due = message["d"], message["key"], True
                if state["phase"] == "over":
                    return state
        if sent is None and due:
            due = False
            sent = await _act(line, player, state, key)


async def _act(line: Line, player: Player, state: dict[str, Any], key: str) -> str | None:
    for side in state["you"]:
        action = player.choose(state, side)
        if action is not None:
            ref = next(player.refs)
            frame = {"t": "do", "ref": ref, "key": key, "d": action}
            if len(state["you"]) > 1:
                frame["as"] = side
            await line.send(json.dumps(frame))
            return ref
    return None
