"""What a live game costs of memory, its sockets apart.

A server that has warmed up is looked at by thousands of sockets at one game that nobody plays: what it
grows by, divided by them, is the share of a socket. Another one that has warmed up carries many games
with two sockets each until each of them has gone on for a while: what it grows by, divided by them, less
two sockets, is a game. What is measured is the memory that the process holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import sleep

from benchmarks.site.server import Place, running
from benchmarks.site.steps import memory, playing

_WARM_GAMES, _WARM_SECONDS = 40, 10.0
_SOCKETS = 2000
_GAMES, _EVERY, _SECONDS = 800, 4.0, 100.0
_RESTING = 6.0
"""Seconds for which sockets only send their heartbeats."""


@dataclass(frozen=True)
class Memory:
    """Bytes: of a socket, of one that compresses, and of a live game beside its two sockets."""

    socket: float
    socket_deflate: float
    game: float
    turns_a_game: float

    def __str__(self) -> str:
        kb = 1024
        return (
            f"a socket {self.socket / kb:.1f} KB, one that compresses {self.socket_deflate / kb:.1f} KB; "
            f"a game beside its sockets {self.game / kb:.1f} KB after {self.turns_a_game:.0f} turns"
        )


def measure_memory() -> Memory:
    """Measure; takes about three minutes."""
    socket, compressing = _socket(deflate=False), _socket(deflate=True)
    with running() as place:
        _warm(place)
        empty = memory(place)
        with playing(place, 1, every=_EVERY) as clients:
            games = clients.grow(_GAMES)
            clients.ask("clear")
            sleep(_SECONDS)
            (told,) = clients.ask("tell")
            grown = (memory(place) - empty) / games
    return Memory(socket, compressing, grown - 2 * socket, told.turns / games)


def _socket(*, deflate: bool) -> float:
    with running() as place:
        _warm(place)
        empty = memory(place)
        with playing(place, 1, every=1.0, deflate=deflate) as clients:
            clients.look(_SOCKETS)
            sleep(_RESTING)
            return (memory(place) - empty) / _SOCKETS


def _warm(place: Place) -> None:
    """Let the server read its code and its games, so that they are not counted."""
    with playing(place, 1, every=0.5) as clients:
        clients.grow(_WARM_GAMES)
        sleep(_WARM_SECONDS)
