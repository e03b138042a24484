"""What the parts of one server process share, and how a request finds it."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from sheshbesh.server.bus import Bus, make_bus
from sheshbesh.server.engine_pool import EnginePool
from sheshbesh.server.ids import new_id
from sheshbesh.server.limits import Limits
from sheshbesh.server.people.accounts import Accounts
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.passkeys import Passkeys
from sheshbesh.server.people.social import Social
from sheshbesh.server.rooms.hall import Hall
from sheshbesh.server.rooms.socket import Chat, no_chat
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.matches import MatchStore
from sheshbesh.server.storage.uptime import Uptime

DEFAULT_WORKERS = 2
"""Processes that think, where the settings name no number."""

MATCH, BEGUN = "match", "match.begun"
"""News that a match has gone on, to event `v`, and that one which waited for its second player began."""


@dataclass(slots=True)
class Site:
    """One server process: made by the app when it starts, closed when it ends."""

    settings: Settings
    database: Database
    people: Directory
    process: str
    bus: Bus
    limits: Limits
    uptime: Uptime
    engines: EnginePool
    hall: Hall
    accounts: Accounts
    passkeys: Passkeys
    social: Social
    chat: Chat = no_chat


def make_site(settings: Settings) -> Site:
    """The parts of a process, not yet open."""
    database, process = Database(settings.database), new_id()
    bus, uptime = make_bus(settings.database, process), Uptime(database)
    engines = EnginePool(settings.engine_workers or DEFAULT_WORKERS)
    hall = Hall(
        MatchStore(database),
        engines,
        pace=settings.engine_pace,
        down=lambda table: uptime.down - table.down,
        announce=lambda room: bus.publish(MATCH, id=room.id, v=room.version),
    )
    people = Directory(database)
    accounts = Accounts(database, people)
    return Site(
        settings=settings,
        database=database,
        people=people,
        accounts=accounts,
        passkeys=Passkeys(database, accounts),
        social=Social(database),
        process=process,
        bus=bus,
        limits=Limits(are_on=settings.limits),
        uptime=uptime,
        engines=engines,
        hall=hall,
    )


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request or a socket has come to."""
    site = connection.app.state.site
    assert isinstance(site, Site)
    return site
