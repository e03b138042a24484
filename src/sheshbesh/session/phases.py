"""The phases of a match: what it waits for; and the base class of states, which change often."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Self

SERVER = "server"


class Phase(StrEnum):
    """The thing that the match waits for."""

    READY = "ready"
    """Both players, between games."""
    OPENING = "opening"
    """The draw for the first move."""
    ROLL = "roll"
    """The player on roll: to throw, or to double."""
    THROWING = "throwing"
    """The shares of the dice that are still missing, or the dice typed from a real board."""
    CHOOSE = "choose"
    """The player on roll, to name a double."""
    MOVE = "move"
    """The player on roll, to play the dice."""
    DOUBLED = "doubled"
    """The other player, to take or drop."""
    BEAVERED = "beavered"
    """The doubler, to answer a beaver."""
    RACCOONED = "raccooned"
    """The player who beavered, to answer a raccoon."""
    RESIGNED = "resigned"
    """The other player, to accept or refuse a resignation."""
    OVER = "over"
    """Nobody."""


CUBE_PHASES = frozenset({Phase.DOUBLED, Phase.BEAVERED, Phase.RACCOONED})
ANSWERING = CUBE_PHASES | {Phase.RESIGNED}
"""An offer is open and is answered before anything else."""
PLAYING = frozenset({Phase.ROLL, Phase.CHOOSE, Phase.MOVE})
PROPOSING = PLAYING | {Phase.READY}
"""Draws, settlements and pauses may be proposed."""
SHOWN = frozenset({Phase.OPENING, Phase.THROWING})
"""Dice are being thrown."""
BOARDLESS = frozenset({Phase.READY, Phase.OPENING, Phase.OVER})
"""No game is in progress on the board."""
OFFERED = {Phase.DOUBLED: 2, Phase.BEAVERED: 4, Phase.RACCOONED: 8}
"""The stake of the open offer, in multiples of the cube before the double."""


class Value:
    """A frozen dataclass with a quick way to a changed copy.

    `dataclasses.replace` calls the constructor with every field, which for the state of a match
    costs more than the rest of an action; here the fields are copied at once. Only for classes that
    check nothing when they are made.
    """

    def but(self, **changes: Any) -> Self:
        """The same value with some fields changed."""
        copy = object.__new__(type(self))
        fields = self.__dict__ | changes
        assert len(fields) == len(self.__dict__), f"no such field among {sorted(changes)}"
        object.__setattr__(copy, "__dict__", fields)
        return copy
