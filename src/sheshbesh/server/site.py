"""What the parts of one server process share, and how a request finds it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from sheshbesh.rules import Side
from sheshbesh.server.engines.pool import EnginePool
from sheshbesh.server.http.limits import Limits
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.lobby.challenges import Challenges
from sheshbesh.server.lobby.lobby import Lobby
from sheshbesh.server.lobby.presence import Presence
from sheshbesh.server.lobby.seeks import Seeks
from sheshbesh.server.matches.chat import Talk
from sheshbesh.server.matches.registry import PARTED, Hall
from sheshbesh.server.matches.rematch import Rematches
from sheshbesh.server.matches.room import Room
from sheshbesh.server.matches.seat_presence import Boards
from sheshbesh.server.matches.seats import Arrangement
from sheshbesh.server.news.bus import Bus, make_bus
from sheshbesh.server.news.lines import LEFT, SIGNED_OUT, Lines
from sheshbesh.server.people.accounts import Accounts
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.leaving import Leaving
from sheshbesh.server.people.passkeys import Passkeys
from sheshbesh.server.people.programs import Programs
from sheshbesh.server.people.ratings import rating_step
from sheshbesh.server.people.social import Social
from sheshbesh.server.rendered import Rendered
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database, Step
from sheshbesh.server.storage.matches import MatchStore
from sheshbesh.server.storage.uptime import Uptime
from sheshbesh.session import Phase, Session

DEFAULT_WORKERS = 2
"""Processes that think, where the settings name no number."""

MATCH, BEGUN = "match", "match.begun"
"""News that a match has gone on, to event `v`, and that one which waited for its second player began, or was
withdrawn."""


@dataclass(slots=True)
class Site:
    """One server process: made by the app when it starts, closed when it ends."""

    settings: Settings
    process: str
    database: Database
    bus: Bus
    limits: Limits
    people: Directory
    accounts: Accounts
    passkeys: Passkeys
    programs: Programs
    leaving: Leaving
    social: Social
    presence: Presence
    lobby: Lobby
    talk: Talk
    rematches: Rematches
    uptime: Uptime
    rendered: Rendered
    engines: EnginePool
    hall: Hall
    lines: Lines

    def signed_out(self, user: str) -> None:
        """Tell every process that sign-ins or tokens of somebody are ended: what is open by them ends."""
        self.bus.publish(SIGNED_OUT, user=user)

    def left(self, people: Iterable[str]) -> None:
        """Tell every process that these accounts are gone: their lines end, their names are forgotten."""
        for user in people:
            self.bus.publish(LEFT, user=user)
        self.lobby.changed()


def make_site(settings: Settings) -> Site:
    """The parts of a process, not yet open."""
    database, process = Database(settings.database), new_id()
    bus, limits, uptime = (
        make_bus(settings.database, process),
        Limits(are_on=settings.limits),
        Uptime(database),
    )
    people, social = Directory(database), Social(database)
    boards = Boards(lambda match, side: bus.publish(PARTED, id=match, side=side.value))
    presence = Presence(database, bus, process, boards)
    accounts = Accounts(database, people, limits=settings.limits)
    engines = EnginePool(settings.engine_workers or DEFAULT_WORKERS)
    seeks = Seeks(database, process, presence, social)
    lobby = Lobby(database, bus, presence, seeks, Challenges(database, social, seeks))

    def announce(room: Room) -> None:
        bus.publish(MATCH, id=room.id, v=room.version)
        if room.session.phase is Phase.OVER:
            tell_players(lobby, room.table, "over")

    hall = Hall(
        MatchStore(database, when_over=rating_steps),
        engines,
        pace=settings.engine_pace,
        down=lambda table: uptime.down - table.down,
        announce=announce,
        boards=boards,
    )
    return Site(
        settings=settings,
        process=process,
        database=database,
        bus=bus,
        limits=limits,
        people=people,
        accounts=accounts,
        passkeys=Passkeys(database, accounts),
        programs=Programs(database, people),
        leaving=Leaving(database),
        social=social,
        presence=presence,
        lobby=lobby,
        talk=Talk(database, bus, social, limits.chat, free_text=settings.free_chat),
        rematches=Rematches(database, bus, social),
        uptime=uptime,
        rendered=Rendered(),
        engines=engines,
        hall=hall,
        lines=Lines(database, hall),
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
        stack.push_async_callback(site.hall.close)
        site.hall.listen(site.bus)
        site.bus.subscribe(LEFT, lambda news: site.hall.forget(str(news["user"])))
        site.lines.listen(site.bus)
        site.talk.listen(site.hall)
        site.rematches.listen(site.hall)
        site.lobby.listen()
        site.presence.listen()
        site.limits.listen(site.bus)
        for work in (
            site.limits.run(site.bus),
            site.uptime.run(),
            site.hall.run(),
            site.presence.run(),
            site.lobby.run(),
            site.people.run(),
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
