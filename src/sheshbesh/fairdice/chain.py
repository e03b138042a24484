"""One party's hash chain: links that are given out one a throw, each proved by the one before it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

LINK_BYTES = 32
"""Size of a link, a tip and an anchor."""

LENGTH = 400
"""Links of a chain, one for each throw: several times the throws of a long game."""

RESERVE = 16
"""A chain may be renewed without a special reason once no more than this many links are left."""

MAX_LENGTH = 4096
"""No longer chain is accepted: after missing links a verifier may have to hash that many times."""

Entropy = Callable[[int], bytes]
"""A source of that many unpredictable bytes, such as `secrets.token_bytes`."""

_PREFIX = b"sheshbesh/link/v1"


def link_before(link: bytes, *, steps: int = 1) -> bytes:
    """The link `steps` places nearer to the anchor."""
    for _ in range(steps):
        link = sha256(_PREFIX + link).digest()
    return link


class Chain:
    """A chain as its owner holds it: the anchor for everybody, the links one by one, later.

    Keeps all links in one block of 32 bytes each, under 13 KB for the usual length, so that a link
    costs a slice. The tip, or a pickle of this, reveals every link: store it privately.
    """

    __slots__ = ("_block",)

    def __init__(self, tip: bytes, *, length: int = LENGTH) -> None:
        """Build the chain that ends in `tip`, 32 unpredictable bytes; ValueError for other sizes."""
        if len(tip) != LINK_BYTES:
            raise ValueError(f"a tip has {LINK_BYTES} bytes, not {len(tip)}")
        if not RESERVE < length <= MAX_LENGTH:
            raise ValueError(f"a chain has {RESERVE + 1} to {MAX_LENGTH} links, not {length!r}")
        links = [tip]
        for _ in range(length):
            tip = sha256(_PREFIX + tip).digest()
            links.append(tip)
        links.reverse()
        self._block = b"".join(links)

    @classmethod
    def draw(cls, entropy: Entropy, *, length: int = LENGTH) -> Chain:
        """A new chain from a tip drawn with `entropy`."""
        return cls(entropy(LINK_BYTES), length=length)

    @property
    def length(self) -> int:
        """The number of links that can be given out."""
        return len(self._block) // LINK_BYTES - 1

    @property
    def anchor(self) -> bytes:
        """The value that is published before the first throw."""
        return self._block[:LINK_BYTES]

    @property
    def tip(self) -> bytes:
        """The secret that makes the whole chain, the last link: what to store, privately."""
        return self._block[-LINK_BYTES:]

    def link(self, index: int) -> bytes:
        """Link `index`, 1 to `length`; ValueError for any other, as link 0 is the anchor."""
        if not 1 <= index <= self.length:
            raise ValueError(f"this chain has links 1 to {self.length}, not {index!r}")
        return self._block[index * LINK_BYTES : (index + 1) * LINK_BYTES]

    def __repr__(self) -> str:
        # Only what is public anyway, so that a log never gives a roll away.
        return f"<Chain of {self.length} links, anchor {self.anchor.hex()}>"
