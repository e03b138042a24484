"""How often anybody may do anything: token buckets, in memory that is bounded."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from dataclasses import dataclass

from starlette.requests import HTTPConnection, Request

from sheshbesh.i18n import Text
from sheshbesh.server.failure import Failure

_MOST_KEYS = 20_000


@dataclass(slots=True)
class Bucket:
    """`burst` tokens at first, `rate` more each second, never above `burst`."""

    rate: float
    burst: float
    tokens: float = -1.0
    at: float = 0.0

    def take(self, now: float | None = None, cost: float = 1.0) -> float:
        """Take `cost` tokens: 0.0 if there were enough, else the seconds until there are."""
        now = time.monotonic() if now is None else now
        if self.tokens < 0:
            self.tokens = self.burst
        else:
            self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens >= cost:
            self.tokens -= cost
            return 0.0
        return (cost - self.tokens) / self.rate


class Limiter:
    """A bucket for each key; those unused for longest are forgotten."""

    def __init__(self, rate: float, burst: float, *, what: str, keys: int = _MOST_KEYS) -> None:
        self._rate, self._burst, self._what, self._keys = rate, burst, what, keys
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, now: float | None = None) -> float:
        """Take one for a key: 0.0 if it may, else the seconds to wait."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._burst)
            if len(self._buckets) > self._keys:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take(now)

    def check(self, key: str) -> None:
        """Take one; Failure 429 says for how long to wait."""
        if wait := self.take(key):
            raise Failure(429, self._refusal(wait), wait=wait)

    def _refusal(self, wait: float) -> Text:
        seconds = max(1, round(wait))
        return Text("too many {what}: try again in {seconds} s", what=self._what, seconds=seconds)

    def __len__(self) -> int:
        return len(self._buckets)


class Limits:
    """The limits of a process; those by address are for households, not for single people."""

    def __init__(self, *, are_on: bool = True) -> None:
        more = 1.0 if are_on else 1e6
        self.requests = Limiter(30 * more, 300 * more, what=Text("requests"))
        self.guests = Limiter(more / 30, 30 * more, what=Text("new guests from one address"))
        self.passwords = Limiter(more / 30, 10 * more, what=Text("attempts to sign in"))
        self.sockets = Limiter(2 * more, 60 * more, what=Text("connections"))
        self.streams = Limiter(more, 20 * more, what=Text("streams"))
        self.matches = Limiter(more / 5, 30 * more, what=Text("new matches"))
        self.seeks = Limiter(more / 5, 15 * more, what=Text("seeks"))
        self.chat = Limiter(more / 2, 6 * more, what=Text("messages"))
        self.accounts = Limiter(more / 60, 10 * more, what=Text("changes to accounts"))
        self._more = more

    def messages(self) -> Bucket:
        """A bucket for the messages of one socket."""
        return Bucket(20 * self._more, 80 * self._more)


def address(connection: HTTPConnection) -> str:
    """Where somebody comes from, as limits count it: an IPv4 address, or the network of an IPv6 one."""
    return network(connection.client.host if connection.client else "unknown")


def network(host: str) -> str:
    """An address as limits count it: an IPv4 address itself, of an IPv6 one the network."""
    try:
        parsed = ipaddress.ip_address(host)
    except ValueError:
        return host
    if parsed.version == 4:
        return host
    return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)


def check_requests(request: Request) -> None:
    """Every request counts; Failure 429 says for how long to wait."""
    request.app.state.site.limits.requests.check(address(request))
