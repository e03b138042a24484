"""The settings of a server process: from the command line, then the environment."""

from __future__ import annotations

import ipaddress
import os
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Self
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from pydantic import Field, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from sheshbesh.errors import SettingsError

DEFAULT_SECRET = "not a secret: for this machine alone"
"""Signs cookies where no secret is set. It is public, so it is refused off this machine."""

SHORTEST_SECRET = 32
"""Characters."""

SHORTEST_TOKEN = 16
"""Characters of the token of /metrics, and of the key of workers."""

LOG_FORMATS = ("text", "json")

MAIL_SECURITY = ("starttls", "tls", "none")

PREFIX = "SHESHBESH_"
"""The prefix of all variables of the environment."""


PUSH_SERVICES = "fcm.googleapis.com,push.services.mozilla.com,push.apple.com,notify.windows.com"
"""The hosts, and those below them, at which the browsers of today are reached."""

_PUSH_KEY = 32
"""Bytes of a private key."""


class Settings(BaseSettings):
    """The settings of one server process: those given, else SHESHBESH_HOST and so on, else the defaults.

    SettingsError names every one that is impossible.

    `origin` is how browsers reach the site (`https://play.example`), None where that is
    http://HOST:PORT. `trusted_proxies` are the addresses, separated by commas, whose X-Forwarded-For is
    believed. `engine_workers` is the number of engine processes; 0 depends on the machine. `own_engines` is
    off where none is to run beside this process: workers on other hosts (`sheshbesh site worker`) answer
    alone. `worker_key` lets those in that send it, none without one; `internal_url` is how they reach this
    process (`http://10.0.0.2:8000`), for one of several. `engine_pace` scales the pause before an engine's
    actions, so that people can follow; 0 for none. `limits` is off for measurements: then nothing is
    rate-limited. `metrics_token` opens /metrics to who sends it; without one there is no such page.
    `log_format` is `text` or `json`; `security_log` is a file that gets sign-ins, failures, limits and bans
    as lines of JSON, none where it is empty. `backup_folder` is where backups lie (`*.db`), whose age is a
    figure then. `mail_host` is the server that takes mail for lost passwords, with `mail_from` as its sender;
    without one none is sent.
    `mail_security` is `starttls`, `tls` (from the first byte on) or `none`. `push_key`
    is the private key by which messages to browsers are signed (32 bytes in base64url), without which none
    are sent; `push_contact` whom a push service may write to, `push_services` the hosts that messages go to.
    `series_zone` are the time zones in whose evenings daily and weekly tournaments are held, separated by
    commas, such as Asia/Tehran,Europe/Istanbul; without one there are none.
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
    own_engines: bool = True
    worker_key: str = Field("", repr=False)
    internal_url: str = ""
    engine_pace: float = 1.0
    limits: bool = True
    metrics_token: str = Field("", repr=False)
    log_format: str = "text"
    security_log: str = ""
    backup_folder: str = ""
    mail_host: str = ""
    mail_port: int = 587
    mail_security: str = "starttls"
    mail_user: str = ""
    mail_password: str = Field("", repr=False)
    mail_from: str = ""
    push_key: str = Field("", repr=False)
    push_contact: str = ""
    push_services: str = PUSH_SERVICES
    series_zone: str = ""

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            problems = [_problem(each, given) for each in error.errors()]
            raise SettingsError("; ".join(problems), problems) from None
        if problems := list(self._contradictions()):
            raise SettingsError("; ".join(problems), problems)

    def _contradictions(self) -> Iterator[str]:
        if not self.host.strip():
            yield "a host is an address to listen on, such as 127.0.0.1, and not empty"
        yield from _no_proxies(self.trusted_proxies)
        if not 0 <= self.port < 65536:
            yield (f"a port is 0 to 65535, not {self.port}")
        if not 0 <= self.engine_pace <= 10:
            yield (f"engine_pace is 0 to 10, not {self.engine_pace}")
        if not self.own_engines and not self.worker_key:
            yield (
                "without own_engines workers on other hosts have to be let in: set "
                f"{PREFIX}WORKER_KEY, here and for each `sheshbesh site worker`, to the same secret"
            )
        if self.worker_key and len(self.worker_key) < SHORTEST_TOKEN:
            yield f"{PREFIX}WORKER_KEY has at least {SHORTEST_TOKEN} characters"
        if self.internal_url and not _is_origin(self.internal_url):
            yield f"{PREFIX}INTERNAL_URL looks like http://10.0.0.2:8000, not {self.internal_url!r}"
        if self.engine_workers < 0:
            yield (f"engine_workers is 0 or more, not {self.engine_workers}")
        if self.origin is not None and not _is_origin(self.origin):
            yield (f"an origin looks like https://play.example, not {self.origin!r}")
        if self.metrics_token and len(self.metrics_token) < SHORTEST_TOKEN:
            yield f"{PREFIX}METRICS_TOKEN has at least {SHORTEST_TOKEN} characters"
        if self.log_format not in LOG_FORMATS:
            yield f"log_format is {' or '.join(LOG_FORMATS)}, not {self.log_format!r}"
        yield from self._contradictions_of_mail()
        if self.push_key and not _is_push_key(self.push_key):
            yield f"{PREFIX}PUSH_KEY is a private key of 32 bytes in base64url"
        if self.push_key and not self.push_contact.startswith(("mailto:", "https://")):
            contact = "mailto:you@example.org, or an https address"
            yield f"{PREFIX}PUSH_CONTACT is needed beside {PREFIX}PUSH_KEY: {contact}"
        for zone in self.series_zones:
            if zone not in available_timezones():
                yield f"series_zone has names of time zones such as Europe/Istanbul, not {zone!r}"
        if not (self.is_local or self.has_own_secret):
            yield (
                f"to listen on {self.host} needs a secret of your own of at least {SHORTEST_SECRET} "
                f"characters: set {PREFIX}SECRET, for instance to the output of `openssl rand -hex 32`"
            )

    def _contradictions_of_mail(self) -> Iterator[str]:
        if self.mail_security not in MAIL_SECURITY:
            yield f"{PREFIX}MAIL_SECURITY is {', '.join(MAIL_SECURITY)}, not {self.mail_security!r}"
        if not 0 < self.mail_port < 65536:
            yield f"{PREFIX}MAIL_PORT is 1 to 65535, not {self.mail_port}"
        if self.mail_host and "@" not in self.mail_from:
            yield f"to send mail needs an address of the site: set {PREFIX}MAIL_FROM"
        if self.mail_host and self.is_anywhere:
            yield f"to send mail needs the address of the site in its links: set {PREFIX}ORIGIN"

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
    def series_zones(self) -> tuple[str, ...]:
        """The time zones that have a set of series, each once."""
        return tuple(dict.fromkeys(each.strip() for each in self.series_zone.split(",") if each.strip()))

    @property
    def is_local(self) -> bool:
        """True if only this machine can reach the site."""
        public = self.origin is not None and not _is_local(urlsplit(self.origin).hostname or "")
        return _is_local(self.host) and not public

    @property
    def has_own_secret(self) -> bool:
        """True if cookies are signed by a secret that is one."""
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
        """True if the site listens on all addresses of the machine and no origin is set."""
        return self.origin is None and self.host in ("0.0.0.0", "::")

    @property
    def is_secure(self) -> bool:
        """True if browsers come by https."""
        return self.origin is not None and self.origin.startswith("https://")


def database_url(given: str | None, default: Callable[[], str]) -> str:
    """The address of the database: the one given, else that of the environment, else the default.

    One that is empty is an address too, and a wrong one: the default is another database than was meant.
    """
    found = os.environ.get(f"{PREFIX}DATABASE") if given is None else given
    return default() if found is None else found


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


def _no_proxies(listed: str) -> Iterator[str]:
    """Return what is no address, network or `*` in a list of proxies: uvicorn would believe none of it,
    silently."""
    for each in map(str.strip, listed.split(",")) if listed.strip() != "*" else ():
        try:
            _ = each and ipaddress.ip_network(each)
        except ValueError:
            yield (
                "trusted_proxies are addresses or networks separated by commas, "
                f"such as 127.0.0.1 or 172.16.0.0/12, not {each!r}"
            )


def _is_push_key(text: str) -> bool:
    try:
        return len(urlsafe_b64decode(text + "=" * (-len(text) % 4))) == _PUSH_KEY
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
