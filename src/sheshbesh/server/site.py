"""The objects that the parts of one server process share, and the way from a request to them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from sheshbesh.server.boards.press import Press
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.limits import Limits
from sheshbesh.server.lobby.friends import Friends
from sheshbesh.server.lobby.lobby import Lobby
from sheshbesh.server.lobby.notifications import Notifications
from sheshbesh.server.monitoring.metrics import LogCounter, Metrics
from sheshbesh.server.news.bus import Bus
from sheshbesh.server.people.accounts import Accounts
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.leaving import AccountDeletion
from sheshbesh.server.people.mail import MailAddresses
from sheshbesh.server.people.mailer import Mailer
from sheshbesh.server.people.moderation import ENDS_SIGN_INS, RENAMES, Done, Moderation
from sheshbesh.server.people.open_connections import LEFT, SIGNED_OUT, OpenConnections
from sheshbesh.server.people.passkeys import Passkeys
from sheshbesh.server.people.programs import Programs
from sheshbesh.server.people.push import Push
from sheshbesh.server.people.recovery import Recovery
from sheshbesh.server.people.reports import Reports
from sheshbesh.server.people.social import Social
from sheshbesh.server.people.vacations import Vacations
from sheshbesh.server.practice.daily import DailyAnswers
from sheshbesh.server.practice.indexing import Indexing
from sheshbesh.server.practice.ratings import PuzzleRatings
from sheshbesh.server.practice.store import PositionSearch, PracticeStore
from sheshbesh.server.reviews.making import ReviewMaker
from sheshbesh.server.reviews.source import MatchSource
from sheshbesh.server.reviews.store import ReviewStore
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.uptime import Uptime
from sheshbesh.server.tables.begin import Rematches
from sheshbesh.server.tables.chat import Chat
from sheshbesh.server.tables.presence import Presence
from sheshbesh.server.tables.replay import RenderCache
from sheshbesh.server.tables.seats import MatchAgreement
from sheshbesh.server.tables.tables import Absences, ChouetteTables, MatchTables
from sheshbesh.server.tournaments.chores import Chores
from sheshbesh.server.tournaments.podium import PodiumReviews
from sheshbesh.server.tournaments.series import SeriesKeeper
from sheshbesh.server.tournaments.tournaments import Tournaments

RENAMED = "person.renamed"
"""News that an account (`user`) has another name."""


@dataclass(frozen=True, slots=True)
class People:
    """The services that the routes of accounts use: people, sign-in, what ends with a sign-in, and what
    moderators do."""

    directory: Directory
    accounts: Accounts
    passkeys: Passkeys
    programs: Programs
    deletion: AccountDeletion
    social: Social
    connections: OpenConnections
    recovery: Recovery
    mail: MailAddresses
    mailer: Mailer
    reports: Reports
    moderation: Moderation
    vacations: Vacations
    push: Push
    bus: Bus

    def moderated(self, done: Done) -> None:
        """Notify every process of what a moderator has done to accounts: sockets end, names change."""
        if done.action in ENDS_SIGN_INS:
            for user in done.accounts:
                self.signed_out(user)
        elif done.action == RENAMES:
            self.bus.publish(RENAMED, user=done.target)

    def signed_out(self, user: str) -> None:
        """Notify every process that sign-ins or tokens of a user are ended: what is open by them ends."""
        self.bus.publish(SIGNED_OUT, user=user)

    def left(self, people: Iterable[str]) -> None:
        """Notify every process that these accounts are deleted: their connections end."""
        for user in people:
            self.bus.publish(LEFT, user=user)


@dataclass(frozen=True, slots=True)
class Reviews:
    """The services that the routes of reviews use: what is stored, the matches they are made of, and the work
    on them."""

    store: ReviewStore
    source: MatchSource
    maker: ReviewMaker


@dataclass(frozen=True, slots=True)
class Practice:
    """The services that the routes of practice use: cards, the search for positions, and the work that makes
    both; answers to the puzzles of the day, and ratings by all puzzles."""

    store: PracticeStore
    search: PositionSearch
    indexing: Indexing
    daily: DailyAnswers
    ratings: PuzzleRatings


@dataclass(slots=True)
class Site:
    """The parts of one server process: made by the app when it starts, closed when it ends."""

    settings: Settings
    process: str
    metrics: Metrics
    database: Database
    bus: Bus
    limits: Limits
    uptime: Uptime
    engines: Questions
    people: People
    presence: Presence
    lobby: Lobby
    friends: Friends
    notifications: Notifications
    matches: MatchTables
    absences: Absences
    chat: Chat
    rematches: Rematches
    rendered: RenderCache
    chouettes: ChouetteTables
    chouette_chat: Chat
    tournament_chat: Chat
    reviews: Reviews
    press: Press
    practice: Practice
    tournaments: Tournaments
    podium: PodiumReviews
    chores: Chores
    series: SeriesKeeper


@asynccontextmanager
async def opened(site: Site) -> AsyncIterator[None]:
    """Open the parts of a site in their order; close them in the opposite one."""
    async with AsyncExitStack() as stack:
        counter = LogCounter(site.metrics)
        logging.getLogger().addHandler(counter)
        stack.callback(logging.getLogger().removeHandler, counter)
        await site.database.open()
        stack.push_async_callback(site.database.close)
        await site.bus.open()
        stack.push_async_callback(site.bus.close)
        await site.presence.start()
        stack.push_async_callback(site.presence.stop)
        await site.uptime.start()
        await stack.enter_async_context(site.engines)
        stack.push_async_callback(site.press.close)
        stack.push_async_callback(site.people.mailer.close)
        stack.callback(site.people.push.close)
        stack.push_async_callback(site.matches.close)
        stack.push_async_callback(site.chouettes.close)
        stack.push_async_callback(site.chores.close)
        site.tournaments.listen()
        site.matches.listen()
        site.chouettes.listen()
        for topic in (LEFT, RENAMED):
            site.bus.subscribe(topic, lambda news: site.matches.forget(str(news["user"])))
            site.bus.subscribe(topic, lambda news: site.chouettes.forget(str(news["user"])))
            site.bus.subscribe(topic, lambda news: site.tournaments.forget(str(news["user"])))
        site.people.connections.listen(site.bus)
        spawn = site.matches.spawn
        site.chat.listen(site.matches.loaded, site.matches.show, spawn)
        site.chouette_chat.listen(site.chouettes.loaded, site.chouettes.show, spawn)
        site.tournament_chat.listen(site.tournaments.hearers, site.tournaments.show, spawn)
        site.rematches.listen(site.matches)
        site.lobby.listen()
        site.presence.listen()
        site.limits.listen(site.bus)
        for work in (
            site.limits.run(site.bus),
            site.uptime.run(),
            site.matches.run(),
            site.chouettes.run(),
            site.presence.run(),
            site.lobby.run(),
            site.people.directory.run(),
            site.reviews.maker.run(),
            site.people.moderation.run(site.people.moderated),
            site.practice.indexing.run(),
            site.chores.run(),
            site.series.run(),
            site.metrics.watch_loop(),
        ):
            stack.push_async_callback(_stop, asyncio.create_task(work))
        yield


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def notify_players(lobby: Lobby, table: MatchAgreement, what: str, **more: str) -> None:
    """Notify the players of a match that it has begun (`match`) or is `over`, wherever they are."""
    for user in {seat.user for seat in table.seats.values() if seat.user is not None}:
        lobby.notify(user, what=what, id=table.id, **more)


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request or a socket has come to."""
    site = connection.app.state.site
    assert isinstance(site, Site)
    return site
