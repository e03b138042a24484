"""The site behind a real server on a real port, in this process, and browsers that come to it."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any

import httpx
import uvicorn
import websockets
from websockets.asyncio.client import ClientConnection

from sheshbesh.players.opponent import HeuristicOpponent, answer_proposal, decide
from sheshbesh.players.settlement import finish, settle
from sheshbesh.rules import Side
from sheshbesh.server.app import make_app
from sheshbesh.server.engine.questions import Decision, Questions
from sheshbesh.server.http.connections import Caps
from sheshbesh.server.http.serving import make_config
from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.settings import Settings
from sheshbesh.server.site import Site, opened
from sheshbesh.server.tables.chouette import ChouetteInPlay
from sheshbesh.server.tables.match import Match
from sheshbesh.session import (
    AcceptAction,
    DiceAction,
    Event,
    Phase,
    PlayAction,
    ReadyAction,
    ResignAction,
    Session,
)
from tests.waiting import PATIENCE, eventually

_LOWEST_PORT, _PORTS = 10_000, 20_000
_GOODBYE = 3
"""Seconds that uvicorn gives open lines."""

WORKER_KEY = "the key of the workers in tests"


WITHOUT_ENGINES = {"SHESHBESH_OWN_ENGINES": "no", "SHESHBESH_WORKER_KEY": WORKER_KEY}
"""The environment of a server process that starts none."""


def engine_settings(engines: int) -> dict[str, Any]:
    """Settings of a site with this number of engine processes for people; others start with need."""
    return {"engine_workers": engines} if engines else {"own_engines": False, "worker_key": WORKER_KEY}


class HeuristicEngine(Questions):
    """A heuristic engine that answers at once: what is tested is the room, not the engine."""

    async def decide(self, session: Session, side: Side, level: str | None, *, who: str = "") -> Decision:
        """What the simple bot does."""
        proposal = session.proposal
        if proposal is not None and proposal.by is not side and session.may(side, "accept"):
            return Decision(answer_proposal(HeuristicOpponent(1), session, side))
        return Decision(decide(HeuristicOpponent(1), session, side))

    async def hint(
        self,
        session: Session,
        lang: str = "en",
        *,
        who: str = "",
        on_place: Callable[[int], None] | None = None,
    ) -> dict[str, Any] | None:
        """Always the same advice."""
        return {"lang": lang, "phase": session.phase.value}

    async def verdict(
        self, before: Session, event: Event, lang: str = "en", *, who: str = ""
    ) -> dict[str, Any] | None:
        """Always the same praise, for plays."""
        return {"grade": "best", "lang": lang} if event.action.type == "play" else None

    async def finish(self, session: Session, *, who: str = "") -> str | None:
        """What bears off most, if that is one play."""
        play = finish(session)
        return None if play is None else play.notation

    async def level_of_loss(self, session: Session, loser: Side) -> str:
        """What is as good as certain."""
        found = settle(session, loser)
        return "single" if found is None else found.kind


def client(base: str, **headers: str) -> httpx.AsyncClient:
    """A client of a site at this address. It needs no certificates, which take 40 ms to load."""
    return httpx.AsyncClient(base_url=base, headers=headers, timeout=PATIENCE, verify=False)


class Browser:
    """Somebody's browser: cookies, requests, sockets."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.http = client(base, Origin=base)
        self.id = ""

    async def guest(self) -> Browser:
        """Become a guest."""
        answer = await self.http.post("/api/v1/guest", json={})
        self.id = answer.json()["user"]["id"]
        return self

    async def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Post, and expect success."""
        answer = await self.http.post("/api/v1" + path, json=body or {})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def get(self, path: str) -> Any:
        """Get, and expect success."""
        answer = await self.http.get("/api/v1" + path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def match(self, card: str, opponent: dict[str, Any] | None = None, **more: Any) -> str:
        """Begin a match, by default against the engine; its id."""
        body = {"card": card, "opponent": opponent or {"kind": "engine"}, **more}
        return str((await self.post("/matches", body))["id"])

    def socket(self, match: str, query: str = "") -> websockets.connect:
        """A socket at a match."""
        return self.at(f"/ws/match/{match}{query}")

    def at(self, path: str) -> websockets.connect:
        """A socket at any address."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        return websockets.connect(
            f"{self.base.replace('http', 'ws', 1)}{path}",
            additional_headers={"Origin": self.base, "Cookie": cookie},
            max_size=None,
            # A test may leave frames unread, and is not to wait for the line to close behind them.
            max_queue=None,
        )


class SocketLine:
    """A websocket as a `player.Line`."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def send(self, text: str) -> None:
        """Send a frame."""
        await self._socket.send(text)

    async def receive(self) -> str:
        """Wait for a frame."""
        return str(await self._socket.recv())


class Live:
    """A site that is up."""

    def __init__(self, site: Site, base: str) -> None:
        self.site = site
        self.base = base
        self._browsers: list[Browser] = []

    async def browser(self) -> Browser:
        """A new guest's browser."""
        browser = await Browser(self.base).guest()
        self._browsers.append(browser)
        return browser

    def same(self, browser: Browser) -> Browser:
        """The browser of somebody who is known already, at this process."""
        other = Browser(self.base)
        other.http.cookies.update(browser.http.cookies)
        self._browsers.append(other)
        return other

    async def friends(self, card: str, **more: Any) -> tuple[str, Browser, Browser]:
        """A match between two people: its id, White's browser, Black's."""
        white, black = await self.browser(), await self.browser()
        body = {"card": card, "opponent": {"kind": "friend"}, "side": "white", **more}
        made = await white.post("/matches", body)
        await black.post(made["invite"].replace("/j/", "/invites/"))
        return made["id"], white, black

    async def begun(self, match: str, dice: tuple[int, int] = (6, 5)) -> Match:
        """The room of a match with typed dice, begun by White's throw of these."""
        room = await self.site.matches.get(match)
        assert room is not None
        for side, action in (
            (Side.WHITE, ReadyAction()),
            (Side.BLACK, ReadyAction()),
            (Side.WHITE, DiceAction(*dice)),
        ):
            await room.act(side, action)
        return room

    async def chouette(self, browser: Browser, code: str = "backgammon.m.dice-typed") -> ChouetteInPlay:
        """The room of a chouette of three at one screen, with typed dice, whose box is to throw first."""
        made = await browser.post("/chouettes", {"card": code, "names": ["Ann", "Bob", "Cem"]})
        await browser.post(f"/chouettes/{made['id']}/begin")
        room = await self.site.chouettes.get(made["id"])
        assert room is not None
        for name in (room.state.seats.box, room.state.captain):
            await room.act(name, ReadyAction())
        return room

    async def over(self, match: str) -> Match:
        """The room of a match with typed dice that Black has given up after a turn of White's."""
        room = await self.begun(match)
        for side, action in (
            (Side.WHITE, PlayAction("24/13")),
            (Side.BLACK, ResignAction("single")),
            (Side.WHITE, AcceptAction()),
        ):
            await room.act(side, action)
        assert room.session.phase is Phase.OVER
        return room

    async def close(self) -> None:
        """Close the browsers."""
        for browser in self._browsers:
            await browser.http.aclose()


_ports = count(os.getpid() * 101)


def free_port() -> int:
    """A port that nobody listens on, and that the system gives to nobody who asks for any."""
    while True:
        port = _LOWEST_PORT + next(_ports) % _PORTS
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@asynccontextmanager
async def live_site(
    database: str, *, engines: bool = False, caps: Caps | None = None, clock: Clock = CLOCK, **settings: Any
) -> AsyncIterator[Live]:
    """A site with this database; without `engines`, heuristics play for them, at once.

    `caps` bounds connections otherwise than the settings do; the site waits by `clock`.
    """
    listening = socket.create_server(("127.0.0.1", settings.get("port", 0)))
    # As asyncio has it where it opens the socket itself; else each answer waits 40 ms for an acknowledgement.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    port = listening.getsockname()[1]
    given = {"limits": False, "engine_pace": 0.0, "database": database, "port": port}
    given |= engine_settings(2 if engines else 0) | settings
    app = make_app(Settings(**given), clock)
    site: Site = app.state.site
    if not engines:
        site.matches.kind.engines = site.chouettes.kind.engines = HeuristicEngine()
    live = Live(site, f"http://127.0.0.1:{port}")
    async with opened(site), _served(make_config(app, site.settings, caps), listening):
        try:
            yield live
        finally:
            await live.close()


@asynccontextmanager
async def _served(config: uvicorn.Config, listening: socket.socket) -> AsyncIterator[None]:
    """Serve an app whose parts are open, as uvicorn does, which looks ten times a second whether to end."""
    config.lifespan = "off"
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup([listening])
    await server.on_tick(0)  # the date in its answers
    try:
        yield
    finally:
        state = server.server_state
        for each in server.servers:
            each.close()
        for connection in list(state.connections):
            connection.shutdown()
        with suppress(TimeoutError):
            await eventually(lambda: not (state.connections or state.tasks), seconds=_GOODBYE)
        for task in state.tasks:
            task.cancel()
