"""The settings of a server process: from the command line, then the environment."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from sheshbesh.errors import SettingsError

DEFAULT_SECRET = "not a secret: for this machine alone"
"""Signs cookies where no secret is set. It is public, so it is refused off this machine."""

SHORTEST_SECRET = 32
"""Characters."""

PREFIX = "SHESHBESH_"
"""What the names of all variables of the environment begin with."""


class Settings(BaseSettings):
    """The settings of one server process: those given, else SHESHBESH_HOST and so on, else the defaults.

    SettingsError names every one that is impossible.

    `origin` is how browsers reach the site (`https://play.example`), None where that is
    http://HOST:PORT. `trusted_proxies` are the addresses, separated by commas, whose X-Forwarded-For is
    believed. `engine_workers` is the number of engine processes; 0 depends on the machine.
    `engine_pace` scales the pause before an engine's actions, so that people can follow; 0 for none.
    `limits` is off for measurements: then nothing is rate-limited.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "sqlite:///sheshbesh.db"
    secret: str = Field(DEFAULT_SECRET, repr=False)
    origin: str | None = None
    trusted_proxies: str = ""
    free_chat: bool = True
    engine_workers: int = 0
    engine_pace: float = 1.0
    limits: bool = True

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            problems = [_problem(each, given) for each in error.errors()]
            raise SettingsError("; ".join(problems), problems) from None
        if problems := list(self._contradictions()):
            raise SettingsError("; ".join(problems), problems)

    def _contradictions(self) -> Iterator[str]:
        if not 0 <= self.port < 65536:
            yield (f"a port is 0 to 65535, not {self.port}")
        if not 0 <= self.engine_pace <= 10:
            yield (f"engine_pace is 0 to 10, not {self.engine_pace}")
        if self.engine_workers < 0:
            yield (f"engine_workers is 0 or more, not {self.engine_workers}")
        if self.origin is not None and not _is_origin(self.origin):
            yield (f"an origin looks like https://play.example, not {self.origin!r}")
        if not (self.is_local or self.has_own_secret):
            yield (
                f"to listen on {self.host} needs a secret of your own of at least {SHORTEST_SECRET} "
                f"characters: set {PREFIX}SECRET, for instance to the output of `openssl rand -hex 32`"
            )

    @classmethod
    def from_environment(
        cls,
        given: Mapping[str, object] = MappingProxyType({}),
        *,
        default_database: Callable[[], str] | None = None,
    ) -> Self:
        """Settings from those `given` that are not None, else from the environment.

        `default_database` makes the database's URL where neither has one.
        """
        found = {name: value for name, value in given.items() if value is not None}
        if default_database is not None and "database" not in found and f"{PREFIX}DATABASE" not in os.environ:
            found["database"] = default_database()
        return cls(**found)

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


def _problem(error: ErrorDetails, given: Mapping[str, object]) -> str:
    """One of pydantic's errors in plain words; a variable of the environment is called by its name."""
    name = str(error["loc"][0])
    shown = name if name in given else PREFIX + name.upper()
    if error["type"] == "extra_forbidden":
        return f"there is no setting {name}"
    kind = Settings.model_fields[name].annotation
    expected = {bool: "yes or no", int: "a number", float: "a number"}.get(kind, "a text")  # type: ignore[arg-type]
    return f"{shown} is {expected}, not {error['input']!r}"


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
