"""A player who knows no rules: does what a state allows, and chooses plays at random."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping
from typing import Any

from sheshbesh.fairdice import Chain

_NAMES = {26: "bar", 25: "hand", 0: "off"}


class Player:
    """One seat: its dice chains, and its action in a state.

    With `strict` dice, those against the computer, a link is given when it is asked for, not with a play.
    """

    __slots__ = ("_chain", "_chance", "_next", "_set", "_strict", "side")

    def __init__(self, side: str, chance: random.Random, *, strict: bool = False) -> None:
        self.side = side
        self._strict = strict
        self._chance = chance
        self._chain: Chain | None = None
        self._next: Chain | None = None
        self._set: tuple[str, int] = ("", 0)

    def action(self, state: Mapping[str, Any]) -> dict[str, Any] | None:
        """The action for this state; None if others have to act."""
        dice, allowed = state["dice"], state["allowed"]
        self._sync(dice)
        owed = dice.get("owe", {}).get(self.side)
        if "ready" in allowed:
            return {"type": "ready"} | ({"anchor": self._anchor()} if owed == "anchor" else {})
        if owed == "anchor":
            return {"type": "anchor", "anchor": self._anchor()}
        link = self._link(dice)
        if owed == "link" and "roll" not in allowed:
            return None if "link" not in link else {"type": "link", **link}
        if "roll" in allowed:
            return {"type": "roll", **link}
        if "choose" in allowed:
            return {"type": "choose", "die": self._chance.randint(1, 6)}
        if state.get("choices"):
            play = {"type": "play", "play": self._play(state["choices"])}
            return play if self._strict else play | link
        return None

    def _play(self, stages: list[dict[str, Any]]) -> str:
        """One way through the turn."""
        stage, steps = stages[0], []
        while stage["next"]:
            origin, target, _die, _takes, onward = self._chance.choice(stage["next"])
            steps.append(f"{_NAMES.get(origin, origin)}/{_NAMES.get(target, target)}")
            stage = stages[onward]
        return " ".join(steps) or "pass"

    # Dice

    def _sync(self, dice: Mapping[str, Any]) -> None:
        """Put the announced chain into use once the match has opened it."""
        found = (dice["game"], dice.get("serial", 0))
        if found != self._set:
            self._set = found
            if found[1]:
                self._chain, self._next = self._next, None
            else:
                self._chain = None

    def _anchor(self) -> str:
        if self._next is None:
            self._next = Chain.draw(secrets.token_bytes)
        return self._next.anchor.hex()

    def _link(self, dice: Mapping[str, Any]) -> dict[str, str]:
        index = dice.get("index", 0)
        if self._chain is None or not 1 <= index <= self._chain.length:
            return {}
        return {"link": self._chain.link(index).hex()}
