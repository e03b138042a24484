"""What the parts of one server process share, and how a request finds it."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from sheshbesh.server.bus import Bus, make_bus
from sheshbesh.server.ids import new_id
from sheshbesh.server.limits import Limits
from sheshbesh.server.people.accounts import Accounts
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.passkeys import Passkeys
from sheshbesh.server.people.social import Social
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database


@dataclass(slots=True)
class Site:
    """One server process: made by the app when it starts, closed when it ends."""

    settings: Settings
    database: Database
    people: Directory
    process: str
    bus: Bus
    limits: Limits
    accounts: Accounts
    passkeys: Passkeys
    social: Social


def make_site(settings: Settings) -> Site:
    """The parts of a process, not yet open."""
    database, process = Database(settings.database), new_id()
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
        bus=make_bus(settings.database, process),
        limits=Limits(are_on=settings.limits),
    )


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request or a socket has come to."""
    site = connection.app.state.site
    assert isinstance(site, Site)
    return site
