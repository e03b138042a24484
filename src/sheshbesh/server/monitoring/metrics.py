"""Figures for Prometheus: what a process has done since it started, and how it stands.

Counters are added to where things happen; what only has to be looked at (matches, queues, connections) is
read when somebody asks. Labels have few values (routes, rule ids, games, kinds of questions), and no names of
people are among them.
"""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sheshbesh.server.engine.queue import Standing as Elsewhere
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.monitoring.growth import Growth

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_PREFIX = "sheshbesh"
_LAG_EVERY = 0.5
"""Seconds between two looks at how late the event loop is."""
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a process and its site: numbers of what there is now.

    `live` and `reviews` are the whole site's, the others this process's. `waiting` is the engine's queue by
    urgency, `oldest` the seconds for which its oldest question has waited that people wait for, `elsewhere`
    how workers on other hosts stand, None where none are let in. What is counted in the database is NaN while
    that does not answer.
    """

    database_up: bool
    live: float
    reviews: Mapping[str, float]
    rooms: int
    tournaments: int
    viewers: int
    lobby: int
    people: int
    connections: int
    waiting: Mapping[str, int]
    oldest: float
    engines_up: bool
    elsewhere: Elsewhere | None
    growth: Growth


@dataclass(slots=True)
class Metrics:
    """The figures of one process: a `version` of the program, with a build of its `page`."""

    version: str
    page: str
    clock: Clock = CLOCK
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    requests: Histogram = field(init=False)
    actions: Histogram = field(init=False)
    engine: Histogram = field(init=False)
    waits: Histogram = field(init=False)
    refusals: Counter = field(init=False)
    failures: Counter = field(init=False)
    matches: Counter = field(init=False)
    logged: Counter = field(init=False)
    commits: Histogram = field(init=False)
    tournament_pairing: Histogram = field(init=False)
    tournament_lag: Histogram = field(init=False)
    lag: Histogram = field(init=False)
    mail: Counter = field(init=False)
    push: Counter = field(init=False)
    _acted: dict[bool, Histogram] = field(init=False)
    """The figures of actions, by whether they were accepted."""
    _gauges: dict[str, Gauge] = field(init=False)

    def __post_init__(self) -> None:
        self.requests = self._histogram(
            "http_request_seconds", "Time to answer a request, by its route and the status", "route", "status"
        )
        self.actions = self._histogram(
            "action_seconds", "Time from an action's arrival until it is stored, or refused", "outcome"
        )
        self._acted = {True: self.actions.labels("accepted"), False: self.actions.labels("refused")}
        self.engine = self._histogram(
            "engine_seconds", "Time until the engine has answered, or could not", "question", "outcome"
        )
        self.waits = self._histogram(
            "engine_wait_seconds", "Time until a process, here or elsewhere, has taken a question", "urgency"
        )
        self.refusals = self._counter("refusals", "Actions that a rule refused", "rule")
        self.failures = self._counter("failures", "Requests that were answered by an error", "code")
        self.matches = self._counter("matches_over", "Matches that this process saw end", "game")
        self.logged = self._counter("logged", "Warnings and errors in the log", "level", "logger")
        self.commits = self._histogram("commit_seconds", "Time of a transaction that was committed")
        self.tournament_pairing = self._histogram(
            "tournament_pairing_seconds", "Time to find who meets whom in a round or wave of a tournament"
        )
        self.tournament_lag = self._histogram(
            "tournament_due_lag_seconds",
            "By how much something in a tournament is done later than it was due",
        )
        self.lag = self._histogram("loop_lag_seconds", "By how much the event loop is late")
        self.mail = self._counter("mail", "Messages that were sent, are tried again, or failed", "outcome")
        self.push = self._counter("push", "Messages to browsers: sent, failed, browser gone", "outcome")
        for outcome in ("sent", "again", "failed"):
            self.mail.labels(outcome)
        for outcome in ("sent", "failed", "gone"):
            self.push.labels(outcome)
        build = Gauge(
            f"{_PREFIX}_build", "1; the version of the program and the build of the page are labels",
            ("version", "page"), registry=self.registry,
        )  # fmt: skip
        build.labels(self.version, self.page).set(1)
        self._gauges = {
            name: Gauge(f"{_PREFIX}_{name}", text, labels, registry=self.registry)
            for name, text, labels in (
                ("database_up", "1 where the database answers", ()),
                ("matches_live", "Matches under way on the whole site", ()),
                ("reviews", "Reviews of the whole site that wait or are made", ("state",)),
                ("rooms", "Matches that this process holds in memory", ()),
                ("tournaments_held", "Tournaments that this process holds in memory", ()),
                ("match_sockets", "Sockets at matches", ()),
                ("lobby_sockets", "Sockets that see the lobby", ()),
                ("people", "People connected to this process", ()),
                ("connections", "Connections that are open", ()),
                ("engine_waiting", "Questions that wait for an engine", ("urgency",)),
                ("engine_up", "1 where an engine process runs", ()),
                ("engine_hosts", "Engine workers on other hosts that serve this process", ()),
                ("engine_hosts_processes", "Their engine processes", ()),
                ("engine_hosts_waiting", "Questions that wait while there are some", ("urgency",)),
                ("engine_hosts_taken", "Questions that they are answering", ()),
                ("engine_hosts_oldest_seconds", "For how long the oldest question has waited then", ()),
                ("database_bytes", "The size of the database", ()),
                ("database_journal_bytes", "The size of its write-ahead log", ()),
                ("database_free_bytes", "What is left on its disk", ()),
                ("backup_age_seconds", "The age of the newest backup", ()),
                ("schema_version", "The version of the tables", ()),
            )
        }
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

    def _histogram(self, name: str, text: str, *labels: str) -> Histogram:
        return Histogram(f"{_PREFIX}_{name}", text, labels, buckets=_SECONDS, registry=self.registry)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"{_PREFIX}_{name}", text, labels, registry=self.registry)

    # What happens

    def acted(self, seconds: float, rule: str | None) -> None:
        """An action was stored, or refused by a rule, after this time."""
        self._acted[rule is None].observe(seconds)
        if rule is not None:
            self.refusals.labels(rule).inc()

    def answered(self, question: str, seconds: float, outcome: str) -> None:
        """The engine has `answered` a question after this time, or could not (`busy`, `failed`)."""
        self.engine.labels(question, outcome).observe(seconds)

    def waited(self, urgency: str, seconds: float) -> None:
        """A question waited as long until somebody took it."""
        self.waits.labels(urgency).observe(seconds)

    async def watch_loop(self) -> None:
        """Observe how late the event loop is, until cancelled."""
        while True:
            due = self.clock.monotonic() + _LAG_EVERY
            await self.clock.sleep(_LAG_EVERY)
            self.lag.observe(max(self.clock.monotonic() - due, 0.0))

    # What there is

    def text(self, standing: Standing) -> bytes:
        """All figures in Prometheus's format."""
        set_ = self._gauges
        set_["database_up"].set(standing.database_up)
        set_["matches_live"].set(standing.live)
        for state, number in standing.reviews.items():
            set_["reviews"].labels(state).set(number)
        set_["rooms"].set(standing.rooms)
        set_["tournaments_held"].set(standing.tournaments)
        set_["match_sockets"].set(standing.viewers)
        set_["lobby_sockets"].set(standing.lobby)
        set_["people"].set(standing.people)
        set_["connections"].set(standing.connections)
        for urgency, number in standing.waiting.items():
            set_["engine_waiting"].labels(urgency).set(number)
        set_["engine_up"].set(standing.engines_up)
        if (there := standing.elsewhere) is not None:
            set_["engine_hosts"].set(there.workers)
            set_["engine_hosts_processes"].set(there.processes)
            for urgency, number in standing.waiting.items():
                set_["engine_hosts_waiting"].labels(urgency).set(number if there.workers else 0)
            set_["engine_hosts_taken"].set(there.taken)
            set_["engine_hosts_oldest_seconds"].set(standing.oldest if there.workers else 0.0)
        set_["database_bytes"].set(standing.growth.size)
        set_["database_journal_bytes"].set(standing.growth.journal)
        set_["database_free_bytes"].set(standing.growth.free)
        set_["backup_age_seconds"].set(standing.growth.backup_age)
        set_["schema_version"].set(standing.growth.schema)
        return generate_latest(self.registry)


class LogCounter(logging.Handler):
    """Counts warnings and errors of the log, by level and logger."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__(logging.WARNING)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:
        """Count one."""
        self._metrics.logged.labels(record.levelname.lower(), record.name).inc()


class Measured:
    """Middleware that measures how long requests take, by the pattern of their address."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and measure what is no socket."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            # Files of the page are no routes of the interface, and one figure.
            route = str(getattr(scope.get("route"), "path", "page"))
            self._metrics.requests.labels(route, str(status)).observe(time.perf_counter() - began)


def may_look(token: str, authorization: str) -> bool:
    """Return True if a request's header `Authorization` has the token of the figures; none has an empty
    one."""
    kind, _, given = authorization.partition(" ")
    if not token or kind.lower() != "bearer":
        return False
    return hmac.compare_digest(given.strip().encode(), token.encode())
