"""The cost of each request, and the person whom it counts for."""

from __future__ import annotations

import ipaddress
from typing import Any, Final

from fastapi import Depends
from starlette.requests import HTTPConnection, Request

from sheshbesh.server.limits import Limits

PAGE: Final = 0.25
"""The cost of a file of the page, in requests."""


def address(connection: HTTPConnection) -> str:
    """Return where somebody comes from, as limits count it: an IPv4 address, or the network of an IPv6
    one."""
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


async def check_requests(request: Request) -> None:
    """Every request counts; Failure 429 says for how long to wait."""
    _limits(request).requests.check(address(request))


def check_page(request: Request) -> None:
    """A file of the page counts a little."""
    _limits(request).requests.check(address(request), PAGE)


def costs(requests: int) -> Any:
    """A dependency of a route that costs as much as this number of ordinary requests."""

    async def check(request: Request) -> None:
        _limits(request).requests.check(address(request), requests - 1)
        request.state.cost = requests

    return Depends(check)


def charge(request: Request, requests: float) -> None:
    """Charge the same on a route without dependencies: Failure 429 says for how long to wait."""
    _limits(request).requests.check(address(request), requests)
    request.state.cost = requests


def check_person(connection: HTTPConnection, person: str) -> None:
    """A request of a person's counts for them, from whatever address; Failure 429 as above."""
    _limits(connection).people.check(person, getattr(connection.state, "cost", 1))


def _limits(connection: HTTPConnection) -> Limits:
    limits = connection.app.state.site.limits
    assert isinstance(limits, Limits)
    return limits
