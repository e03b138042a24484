"""What whoever runs the site decides, from the command line or the environment."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Self
from urllib.parse import urlsplit

from sheshbesh.errors import SettingsError

DEFAULT_SECRET = "not a secret: for this machine alone"
"""Signs cookies where no secret is set. Everybody knows it, so it is refused off this machine."""

SHORTEST_SECRET = 32
"""Characters."""

PREFIX = "SHESHBESH_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one server process. SettingsError names whatever cannot be.

    `origin` is how browsers reach the site (`https://play.example`), None where that is
    http://HOST:PORT. `trusted_proxies` are the addresses, separated by commas, whose X-Forwarded-For is
    believed. `engine_workers` is the number of processes that think for engines; 0 is up to the machine.
    `engine_pace` scales the time that engines let pass before they act, for people to follow; 0 for none.
    `limits` is off for measurements: then anybody may do anything as often as he likes.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "sqlite:///sheshbesh.db"
    secret: str = DEFAULT_SECRET
    origin: str | None = None
    trusted_proxies: str = ""
    free_chat: bool = True
    engine_workers: int = 0
    engine_pace: float = 1.0
    limits: bool = True

    def __post_init__(self) -> None:
        problems = []
        if not 0 <= self.port < 65536:
            problems.append(f"a port is 0 to 65535, not {self.port}")
        if not 0 <= self.engine_pace <= 10:
            problems.append(f"engine_pace is 0 to 10, not {self.engine_pace}")
        if self.engine_workers < 0:
            problems.append(f"engine_workers is 0 or more, not {self.engine_workers}")
        if self.origin is not None and not _is_origin(self.origin):
            problems.append(f"an origin looks like https://play.example, not {self.origin!r}")
        if not (self.is_local or self.has_own_secret):
            problems.append(
                f"to listen on {self.host} needs a secret of your own of at least {SHORTEST_SECRET} "
                f"characters: set {PREFIX}SECRET, for instance to the output of `openssl rand -hex 32`"
            )
        if problems:
            raise SettingsError("; ".join(problems), problems)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the site."""
        public = self.origin is not None and not _is_local(urlsplit(self.origin).hostname or "")
        return _is_local(self.host) and not public

    @property
    def has_own_secret(self) -> bool:
        """Whether cookies are signed by a secret that is one."""
        return self.secret != DEFAULT_SECRET and len(self.secret) >= SHORTEST_SECRET

    @property
    def origins(self) -> frozenset[str]:
        """The origins from which a browser may act; on this machine each of its names."""
        if self.origin is not None:
            return frozenset({self.origin})
        host = f"[{self.host}]" if ":" in self.host else self.host
        names = {host, "localhost", "127.0.0.1"} if self.is_local else {host}
        return frozenset(f"http://{name}:{self.port}" for name in names)

    @property
    def is_anywhere(self) -> bool:
        """Whether the site listens on all addresses of the machine and was told no origin."""
        return self.origin is None and self.host in ("0.0.0.0", "::")

    @property
    def is_secure(self) -> bool:
        """Whether browsers come by https."""
        return self.origin is not None and self.origin.startswith("https://")

    @classmethod
    def from_environment(
        cls,
        environment: Mapping[str, str] = os.environ,
        given: Mapping[str, object] = MappingProxyType({}),
        *,
        default_database: Callable[[], str] | None = None,
    ) -> Self:
        """Settings from SHESHBESH_HOST and so on; what is `given` and not None goes before them.

        `default_database` makes the database's URL where neither names one.
        """
        found: dict[str, object] = {}
        for entry in fields(cls):
            name = PREFIX + entry.name.upper()
            if given.get(entry.name) is not None:
                found[entry.name] = given[entry.name]
            elif name in environment:
                found[entry.name] = _parse(name, environment[name], type(entry.default))
        if default_database is not None and "database" not in found:
            found["database"] = default_database()
        return cls(**found)  # type: ignore[arg-type]


def _parse(name: str, text: str, kind: type) -> object:
    if kind is bool:
        if text.lower() not in ("1", "0", "yes", "no", "true", "false", "on", "off"):
            raise SettingsError(f"{name} is yes or no, not {text!r}")
        return text.lower() in ("1", "yes", "true", "on")
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            raise SettingsError(f"{name} is a number, not {text!r}") from None
    return text


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_origin(text: str) -> bool:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and text == f"{parts.scheme}://{parts.netloc}"
    )
