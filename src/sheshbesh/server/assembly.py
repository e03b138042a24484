"""Makes the parts of one server process and connects them."""

from __future__ import annotations

from collections.abc import Sequence

from sheshbesh import __version__
from sheshbesh.rules import Side
from sheshbesh.rules.side import name_or_none
from sheshbesh.server.boards.press import Press
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.engine.queue import FairQueue
from sheshbesh.server.http.static import build
from sheshbesh.server.ids import CLOCK, Clock, new_id, now_ms
from sheshbesh.server.limits import Limits
from sheshbesh.server.lobby.challenges import Challenges
from sheshbesh.server.lobby.friends import Friends
from sheshbesh.server.lobby.lobby import Lobby
from sheshbesh.server.lobby.notifications import Notifications
from sheshbesh.server.lobby.seeks import Seeks
from sheshbesh.server.monitoring.metrics import Metrics
from sheshbesh.server.news.bus import Bus, make_bus
from sheshbesh.server.news.push import Sender
from sheshbesh.server.people.accounts import Accounts
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.leaving import AccountDeletion
from sheshbesh.server.people.mail import MailAddresses
from sheshbesh.server.people.mailer import Mailer
from sheshbesh.server.people.moderation import Moderation
from sheshbesh.server.people.open_connections import OpenConnections
from sheshbesh.server.people.passkeys import Passkeys
from sheshbesh.server.people.played_names import renamed_step
from sheshbesh.server.people.programs import Programs
from sheshbesh.server.people.push import Push
from sheshbesh.server.people.ratings import rating_step
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
from sheshbesh.server.site import (
    People,
    Practice,
    Reviews,
    Site,
    notify_players,
)
from sheshbesh.server.storage import Database, Step
from sheshbesh.server.storage.tables import chouette_chat
from sheshbesh.server.storage.tournament_tables import tournament_chat
from sheshbesh.server.storage.uptime import Uptime
from sheshbesh.server.tables.begin import Rematches
from sheshbesh.server.tables.chat import Chat
from sheshbesh.server.tables.chouette import ChouetteKind
from sheshbesh.server.tables.match import MatchKind
from sheshbesh.server.tables.presence import Presence
from sheshbesh.server.tables.replay import RenderCache
from sheshbesh.server.tables.seats import ChouetteAgreement, MatchAgreement
from sheshbesh.server.tables.store import ChouetteStore, MatchStore
from sheshbesh.server.tables.tables import Absences, ChouetteTables, MatchTables, Tables
from sheshbesh.server.tournaments.announcing import Announcer
from sheshbesh.server.tournaments.chores import Chores
from sheshbesh.server.tournaments.matches import result_steps
from sheshbesh.server.tournaments.podium import PodiumReviews
from sheshbesh.server.tournaments.series import SeriesKeeper
from sheshbesh.server.tournaments.store import TournamentStore
from sheshbesh.server.tournaments.tournaments import Tournaments
from sheshbesh.session import Chouette, Phase, Session
from sheshbesh.session.phases import ANSWERING
from sheshbesh.tournaments import Tournament

DEFAULT_WORKERS = 2
"""Engine processes, where the settings name no number."""

_TURN_BEGINS = frozenset({Phase.READY, Phase.OPENING, Phase.ROLL, Phase.THROWING, *ANSWERING})
"""Phases in which a player comes to act who may not be there."""


class _Announcements:
    """Notifies processes and people of what has happened in a match."""

    _matches: MatchTables
    _absences: Absences
    _chores: Chores

    def __init__(self, bus: Bus, metrics: Metrics, lobby: Lobby, push: Push) -> None:
        self._bus, self._metrics, self._lobby, self._push = bus, metrics, lobby, push

    def connect(self, matches: MatchTables, absences: Absences, chores: Chores) -> None:
        """Set the tables of matches, which are made with `announce`, and what is made of them."""
        self._matches, self._absences, self._chores = matches, absences, chores

    def announce(self, table: MatchAgreement, session: Session) -> None:
        """A match has changed."""
        self._bus.publish(MatchKind.news, id=table.id, v=session.events)
        if session.phase is Phase.OVER:
            self._metrics.matches.labels(table.card.game).inc()
            notify_players(self._lobby, table, "over")
            if table.event is not None:
                self._chores.nudge(table.event.id)
        elif table.card.clock.is_correspondence and session.phase in _TURN_BEGINS:
            # Players who are not at the board are notified that the match waits for them.
            title = table.card.rules.title
            for user in {table.seats[side].user for side in session.to_act} - {None}:
                self._lobby.notify(str(user), what="turn", id=table.id, title=title)
                self._matches.spawn(self._push.turn(str(user), table.id, title))
        if table.card.clock.is_correspondence and session.clock.running is not None:
            # It may be the turn of somebody who is away.
            self._matches.spawn(self._absences.hold(table.id))


def make_site(settings: Settings, clock: Clock = CLOCK) -> Site:
    """The parts of a process, not yet open; they wait by `clock`."""
    process, metrics = new_id(), Metrics(__version__, build(), clock)
    database = Database(settings.database, committed=metrics.commits.observe)
    bus, limits, uptime = (
        make_bus(settings.database, process, clock),
        Limits(are_on=settings.limits, clock=clock),
        Uptime(database, clock),
    )
    social, vacations = Social(database), Vacations(database, clock)
    push = make_push(settings, database, metrics)
    presence = Presence(database, bus, process, clock, address=settings.internal_url)
    own = (settings.engine_workers or DEFAULT_WORKERS) if settings.own_engines else 0
    queue = FairQueue(waited=metrics.waited, clock=clock)
    engines = Questions(own, measure=metrics.answered, queue=queue, clock=clock)
    seeks = Seeks(database, process, presence, social)
    lobby = Lobby(database, bus, presence, seeks, Challenges(database, social, seeks))

    announcements = _Announcements(bus, metrics, lobby, push)
    match_store = MatchStore(database)
    match_store.when_over += [rating_steps, result_steps]
    matches: MatchTables = Tables(
        MatchKind(
            match_store,
            engines,
            presence,
            pace=settings.engine_pace,
            down=lambda: uptime.down,
            announce=announcements.announce,
            acted=lambda seconds, refusal: metrics.acted(
                seconds, refusal.rule if refusal is not None else None
            ),
            clock=clock,
        ),
        bus,
    )
    chouettes: ChouetteTables = Tables(
        ChouetteKind(
            *(ChouetteStore(database), engines, presence, bus),
            pace=settings.engine_pace,
            down=lambda: uptime.down,
            clock=clock,
        ),
        bus,
    )
    chouettes.kind.store.when_over.append(_renamed_steps)
    connections = OpenConnections(database, matches.spawn, clock)
    absences = Absences(database, matches, vacations)
    tournaments = Tournaments(TournamentStore(database), bus, down=lambda: uptime.down, clock=clock)
    announcer = Announcer(lobby, push, presence, tournaments.series, matches.spawn)
    tournaments.told.append(announcer.told)
    review_store, source = ReviewStore(database), MatchSource(database, matches.kind.store)
    review_maker = ReviewMaker(review_store, source.content, process, engines, clock)
    podium = PodiumReviews(review_store, source)

    async def review(state: Tournament) -> None:
        if await podium.ask(state):
            review_maker.wake()

    chores = Chores(tournaments, matches, presence, metrics, review)
    announcements.connect(matches, absences, chores)
    cards = PracticeStore(database)
    return Site(
        settings=settings,
        process=process,
        metrics=metrics,
        database=database,
        bus=bus,
        limits=limits,
        uptime=uptime,
        engines=engines,
        people=_make_people(settings, database, bus, social, connections, vacations, push, metrics, clock),
        presence=presence,
        lobby=lobby,
        friends=Friends(database, presence, social),
        notifications=Notifications(lobby, presence, connections, matches.spawn),
        matches=matches,
        absences=absences,
        chat=Chat(database, bus, social, limits.chat, free_text=settings.free_chat),
        rematches=Rematches(database, bus, social),
        rendered=RenderCache(),
        chouettes=chouettes,
        chouette_chat=Chat(
            *(database, bus, social, limits.chat),
            lines=chouette_chat,
            news="chouette.chat",
            free_text=settings.free_chat,
        ),
        tournament_chat=Chat(
            *(database, bus, social, limits.event_chat),
            lines=tournament_chat,
            news="tournament.chat",
            free_text=settings.free_chat,
        ),
        reviews=Reviews(review_store, source, review_maker),
        podium=podium,
        press=Press(engines, clock=clock),
        practice=Practice(
            cards,
            PositionSearch(database),
            Indexing(cards, engines, clock),
            DailyAnswers(database),
            PuzzleRatings(database, clock),
        ),
        tournaments=tournaments,
        chores=chores,
        series=SeriesKeeper(tournaments, settings.series_zones),
    )


def _make_people(
    settings: Settings,
    database: Database,
    bus: Bus,
    social: Social,
    connections: OpenConnections,
    vacations: Vacations,
    push: Push,
    metrics: Metrics,
    clock: Clock,
) -> People:
    directory = Directory(database, clock)
    accounts = Accounts(database, directory, limits=settings.limits)
    return People(
        directory=directory,
        accounts=accounts,
        passkeys=Passkeys(database, accounts),
        programs=Programs(database, directory),
        deletion=AccountDeletion(database),
        social=social,
        connections=connections,
        recovery=Recovery(database, directory, accounts),
        mail=MailAddresses(database, accounts, settings.secret),
        mailer=Mailer(settings, lambda outcome: metrics.mail.labels(outcome).inc(), clock),
        reports=Reports(database),
        moderation=Moderation(database, clock),
        vacations=vacations,
        push=push,
        bus=bus,
    )


def make_push(settings: Settings, database: Database, metrics: Metrics) -> Push:
    """Messages to browsers, as the site is set up for them."""
    sender = Sender(settings.push_key, settings.push_contact) if settings.push_key else None
    hosts = tuple(filter(None, (host.strip() for host in settings.push_services.split(","))))
    return Push(
        database,
        sender,
        hosts,
        insecure=settings.is_local,
        measure=lambda outcome: metrics.push.labels(outcome).inc(),
    )


def _renamed_steps(table: ChouetteAgreement, _state: Chouette) -> Sequence[Step]:
    """Return the step of storage that gives people at a chouette the name that they have by its end."""
    people = [(sitter.user, sitter.name) for sitter in table.people if sitter.user is not None]
    return (renamed_step(table.id, people),) if people else ()


def rating_steps(table: MatchAgreement, session: Session) -> Sequence[Step]:
    """Return the steps of storage that rate a match at its end, if that was agreed on.

    No rating follows from what ended before the first throw, or by a decision against both.
    """
    white, black = (table.seats[side].user for side in (Side.WHITE, Side.BLACK))
    if not table.rated or white is None or black is None or white == black:
        return ()
    is_decided_beside = session.event is not None or session.ending == "forfeit"
    if is_decided_beside and (session.is_unbegun or session.winner is None):
        return ()
    winner = name_or_none(session.winner)
    return (rating_step(table.id, table.card, white=white, black=black, winner=winner, now=now_ms()),)
