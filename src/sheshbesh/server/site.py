"""What the parts of one server process share, and how a request finds it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from sheshbesh.rules import Side
from sheshbesh.server.engines.pool import EnginePool
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.limits import Limits
from sheshbesh.server.lobby.challenges import Challenges
from sheshbesh.server.lobby.lobby import Lobby
from sheshbesh.server.lobby.presence import Presence
from sheshbesh.server.lobby.seeks import Seeks
from sheshbesh.server.matches.chat import Chat
from sheshbesh.server.matches.registry import PARTED, RoomRegistry
from sheshbesh.server.matches.rematch import Rematches
from sheshbesh.server.matches.render_cache import RenderCache
from sheshbesh.server.matches.seat_presence import SeatPresence
from sheshbesh.server.matches.seats import Arrangement
from sheshbesh.server.matches.store import MatchStore
from sheshbesh.server.news.bus import Bus, make_bus
from sheshbesh.server.people.accounts import Accounts
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.leaving import AccountDeletion
from sheshbesh.server.people.open_connections import LEFT, SIGNED_OUT, OpenConnections
from sheshbesh.server.people.passkeys import Passkeys
from sheshbesh.server.people.programs import Programs
from sheshbesh.server.people.ratings import rating_step
from sheshbesh.server.people.social import Social
from sheshbesh.server.reviews.queue import ReviewQueue
from sheshbesh.server.reviews.source import MatchSource
from sheshbesh.server.reviews.store import ReviewStore
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database, Step
from sheshbesh.server.storage.uptime import Uptime
from sheshbesh.session import Phase, Session

DEFAULT_WORKERS = 2
"""Processes that think, where the settings name no number."""

MATCH, BEGUN = "match", "match.begun"
"""News that a match has gone on, to event `v`, and that one which waited for its second player began, or was
withdrawn."""


@dataclass(frozen=True, slots=True)
class People:
    """What the routes of accounts use: who there is, how they sign in, and what ends with a sign-in."""

    directory: Directory
    accounts: Accounts
    passkeys: Passkeys
    programs: Programs
    deletion: AccountDeletion
    social: Social
    connections: OpenConnections
    bus: Bus

    def signed_out(self, user: str) -> None:
        """Tell every process that sign-ins or tokens of a user are ended: what is open by them ends."""
        self.bus.publish(SIGNED_OUT, user=user)

    def left(self, people: Iterable[str]) -> None:
        """Tell every process that these accounts are deleted: their connections end."""
        for user in people:
            self.bus.publish(LEFT, user=user)


@dataclass(frozen=True, slots=True)
class Play:
    """What the routes of matches use: the rooms, their chat, rematches, and rendered replays."""

    registry: RoomRegistry
    chat: Chat
    rematches: Rematches
    rendered: RenderCache


@dataclass(frozen=True, slots=True)
class Reviews:
    """What the routes of reviews use: what is stored, the matches they are made of, and the work on them."""

    store: ReviewStore
    source: MatchSource
    queue: ReviewQueue


@dataclass(slots=True)
class Site:
    """The parts of one server process: made by the app when it starts, closed when it ends."""

    settings: Settings
    process: str
    database: Database
    bus: Bus
    limits: Limits
    uptime: Uptime
    engines: EnginePool
    people: People
    presence: Presence
    lobby: Lobby
    play: Play
    reviews: Reviews


def make_site(settings: Settings) -> Site:
    """The parts of a process, not yet open."""
    database, process = Database(settings.database), new_id()
    bus, limits, uptime = (
        make_bus(settings.database, process),
        Limits(are_on=settings.limits),
        Uptime(database),
    )
    directory, social = Directory(database), Social(database)
    seats = SeatPresence(lambda match, side: bus.publish(PARTED, id=match, side=side.value))
    presence = Presence(database, bus, process, seats)
    accounts = Accounts(database, directory, limits=settings.limits)
    engines = EnginePool(settings.engine_workers or DEFAULT_WORKERS)
    seeks = Seeks(database, process, presence, social)
    lobby = Lobby(database, bus, presence, seeks, Challenges(database, social, seeks))

    def announce(table: Arrangement, session: Session) -> None:
        bus.publish(MATCH, id=table.id, v=session.events)
        if session.phase is Phase.OVER:
            tell_players(lobby, table, "over")

    registry = RoomRegistry(
        MatchStore(database, when_over=rating_steps),
        engines,
        pace=settings.engine_pace,
        down=lambda table: uptime.down - table.down,
        announce=announce,
        seats=seats,
    )
    review_store, source = ReviewStore(database), MatchSource(database, registry.store)
    return Site(
        settings=settings,
        process=process,
        database=database,
        bus=bus,
        limits=limits,
        uptime=uptime,
        engines=engines,
        people=People(
            directory=directory,
            accounts=accounts,
            passkeys=Passkeys(database, accounts),
            programs=Programs(database, directory),
            deletion=AccountDeletion(database),
            social=social,
            connections=OpenConnections(database, registry.spawn),
            bus=bus,
        ),
        presence=presence,
        lobby=lobby,
        play=Play(
            registry=registry,
            chat=Chat(database, bus, social, limits.chat, free_text=settings.free_chat),
            rematches=Rematches(database, bus, social),
            rendered=RenderCache(),
        ),
        reviews=Reviews(review_store, source, ReviewQueue(review_store, source.content, process)),
    )


@asynccontextmanager
async def opened(site: Site) -> AsyncIterator[None]:
    """Open the parts of a site in their order; close them in the opposite one."""
    async with AsyncExitStack() as stack:
        await site.database.open()
        stack.push_async_callback(site.database.close)
        await site.bus.open()
        stack.push_async_callback(site.bus.close)
        await site.presence.start()
        stack.push_async_callback(site.presence.stop)
        await site.uptime.start()
        await stack.enter_async_context(site.engines)
        stack.push_async_callback(site.play.registry.close)
        site.play.registry.listen(site.bus)
        site.bus.subscribe(LEFT, lambda news: site.play.registry.forget(str(news["user"])))
        site.people.connections.listen(site.bus)
        site.play.chat.listen(site.play.registry)
        site.play.rematches.listen(site.play.registry)
        site.lobby.listen()
        site.presence.listen()
        site.limits.listen(site.bus)
        for work in (
            site.limits.run(site.bus),
            site.uptime.run(),
            site.play.registry.run(),
            site.presence.run(),
            site.lobby.run(),
            site.people.directory.run(),
            site.reviews.queue.run(),
        ):
            stack.push_async_callback(_stop, asyncio.create_task(work))
        yield


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def tell_players(lobby: Lobby, table: Arrangement, what: str) -> None:
    """Tell the players of a match that it has begun (`match`) or is `over`, wherever they are."""
    for user in {seat.user for seat in table.seats.values() if seat.user is not None}:
        lobby.tell(user, what=what, id=table.id)


def rating_steps(table: Arrangement, session: Session) -> Sequence[Step]:
    """What belongs to the end of a match: it is rated, if that was agreed on."""
    white, black = (table.seats[side].user for side in (Side.WHITE, Side.BLACK))
    if not table.rated or white is None or black is None or white == black:
        return ()
    winner = session.winner.value if session.winner is not None else None
    return (rating_step(table.id, table.card, white=white, black=black, winner=winner, now=now_ms()),)


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request or a socket has come to."""
    site = connection.app.state.site
    assert isinstance(site, Site)
    return site
