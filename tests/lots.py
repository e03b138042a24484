"""What is drawn by lot in this process, from a seed: no game of a test is another one each time."""

from __future__ import annotations

import random
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sheshbesh.cli.terminal import record_files


class Lots(random.Random):
    """What `secrets` offers, from a seed."""

    token_bytes = random.Random.randbytes
    randbits = random.Random.getrandbits
    randbelow = random.Random.randrange

    def token_hex(self, size: int) -> str:
        """Bytes as text."""
        return self.randbytes(size).hex()

    def token_urlsafe(self, size: int) -> str:
        """Bytes as text of an address."""
        return urlsafe_b64encode(self.randbytes(size)).rstrip(b"=").decode()


@contextmanager
def lots_from(seed: str) -> Iterator[Lots]:
    """Let what `secrets` gives, and the dice of matches that begin meanwhile, follow from a text."""
    lots = Lots(seed)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("token_bytes", "token_hex", "token_urlsafe", "randbits", "randbelow", "choice"):
            patch.setattr(secrets, name, getattr(lots, name))
        patch.setattr(secrets, "SystemRandom", lambda: lots)
        # The name of a match goes into its dice, and has the time in it.
        patch.setattr(record_files, "new_name", lambda end: f"20260101-000000-{end}")
        yield lots
