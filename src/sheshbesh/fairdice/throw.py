"""From links, or from a seed, to two dice."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from hashlib import sha256
from string import ascii_letters, digits

MISSING = b""
"""The value that stands for the link of a player who did not give it."""

MAX_GAME_ID = 64
MAX_SEED_BYTES = 64

_GAME_ID_CHARACTERS = frozenset(ascii_letters + digits + "-_.:/+")


def is_game_id(game: object) -> bool:
    """Return True if `game` can name a game: 1 to 64 letters, digits or -_.:/+ of ASCII.

    Without a bar and without other alphabets the bytes that are hashed can be read in one way only.
    """
    return isinstance(game, str) and 1 <= len(game) <= MAX_GAME_ID and _GAME_ID_CHARACTERS.issuperset(game)


def pair_from_stream(blocks: Iterable[bytes]) -> tuple[int, int]:
    """The first two dice of a stream of bytes, in the order drawn.

    252 is the largest multiple of six that a byte can hold: the four values above it are passed over,
    or low numbers would come up more often.
    """
    dice = (byte % 6 + 1 for block in blocks for byte in block if byte < 252)
    return next(dice), next(dice)


def dice_from_links(*, game: str, number: int, server: bytes, white: bytes, black: bytes) -> tuple[int, int]:
    """The dice of throw `number` of a game, in the order drawn; a missing player's link is `MISSING`.

    In an opening draw the first die is White's and the second Black's.
    """
    message = b"".join(
        (
            f"sheshbesh/dice/v1|{game}|{number}|".encode("ascii"),
            sha256(server).digest(),
            sha256(white).digest(),
            sha256(black).digest(),
        )
    )
    return _draw(server, message)


def dice_from_seed(seed: bytes, *, game: str, number: int) -> tuple[int, int]:
    """The dice of throw `number` of a game played with seeded dice, in the order drawn."""
    return _draw(seed, f"sheshbesh/seeded/v1|{game}|{number}|".encode("ascii"))


def _draw(key: bytes, message: bytes) -> tuple[int, int]:
    return pair_from_stream(_blocks(key, message))


def _blocks(key: bytes, message: bytes) -> Iterator[bytes]:
    counter = 0
    while True:
        yield hmac.digest(key, message + counter.to_bytes(4, "big"), "sha256")
        counter += 1
