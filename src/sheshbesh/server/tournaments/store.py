"""Tournaments in the database: their events first, and in the same transaction all that follows from them."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Update,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    union_all,
    update,
)

from sheshbesh.i18n import Text
from sheshbesh.match.timing import DAY
from sheshbesh.server.ids import new_id
from sheshbesh.server.people.reports import SIGNS
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database, Step
from sheshbesh.server.storage.tables import matches, reports, seats, users
from sheshbesh.server.storage.tournament_tables import (
    tournament_addresses,
    tournament_entrants,
    tournament_events,
    tournament_pairings,
    tournament_snapshots,
    tournaments,
)
from sheshbesh.server.tables.seats import LIVE
from sheshbesh.server.tournaments.matches import made_pairings, matches_of
from sheshbesh.tournaments import (
    Event,
    Outcome,
    Pairing,
    Settings,
    Status,
    Tournament,
    TournamentRecord,
    action_data,
    apply,
    new,
    next_due,
    read_settings,
    standings,
)
from sheshbesh.tournaments.actions import Event as TournamentEvent
from sheshbesh.tournaments.settings import card_of, setting_data
from sheshbesh.tournaments.standings import overall
from sheshbesh.tournaments.state import ENDED

_SNAPSHOT_EVERY = 1000
_LARGE = 128
"""Entrants from which on what an event changes is written down in a thread."""
_MANY = 32
"""Events from which on they are replayed in a thread."""
MOST_PUBLIC = 3
"""Tournaments in the public list that one person may have made and that are not over."""
_AT_ONCE = 50
"""Tournaments that one poll looks after; the others wait for the next one."""
LISTED = 100
_QUICK = 3
"""Turns of one's own before which a resignation gives a match away."""
_SIGNS_FOR = 90 * DAY
"""The time for which matches that were given away between the same two are counted."""

_GOING_ON = [each.value for each in Status if each not in ENDED]

# What is asked each second is made once, and the two parts of what is due are asked together: to make a query
# costs as much as to read its rows, and to reach a thread that reads costs twice that.
_LATE = (
    select(tournaments.c.id)
    .where(tournaments.c.next_due <= bindparam("now"))
    .order_by(tournaments.c.next_due)
    .limit(_AT_ONCE)
)
_ENDED = (
    select(tournament_pairings.c.tournament_id.label("id"))
    .where(~tournament_pairings.c.settled, tournament_pairings.c.result.is_not(None))
    .distinct()
    .limit(_AT_ONCE)
)
_DUE = union_all(*(select(part.subquery().c.id) for part in (_LATE, _ENDED)))
_STARTING = (
    select(tournaments.c.id)
    .where(
        tournaments.c.status == Status.OPEN.value,
        tournaments.c.starts > bindparam("first"),
        tournaments.c.starts <= bindparam("last"),
    )
    .limit(_AT_ONCE)
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A tournament as it lies in the database: its state, the secret of its draw, who made it, how much of
    the time without a server it has been told of, and the series that it belongs to."""

    state: Tournament
    secret: str
    owner: str | None
    down: int
    series: str | None


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a tournament that is not settled: how it has ended, if it has, and how it stands."""

    id: str
    number: int
    result: Mapping[str, Any] | None
    standing: Mapping[str, Any]

    @property
    def has_begun(self) -> bool:
        """Return whether its first game has been called, or it has gone on further."""
        score = self.standing.get("score", {})
        return self.standing.get("phase", "ready") != "ready" or any(score.values())

    @property
    def waits_unclocked(self) -> bool:
        """Return whether its players have not been called to the first game."""
        clock = self.standing.get("clock", {})
        return self.standing.get("phase", "ready") == "ready" and clock.get("running") is None


class TournamentStore:
    """The store of tournaments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Writing

    async def create(
        self, state: Tournament, *, owner: str | None, secret: bytes, down: int, **more: Any
    ) -> None:
        """Keep a draft. Failure 409 where its owner has too many public tournaments already."""
        settings = state.settings

        def check(connection: Connection) -> None:
            if owner is None or not settings.public:
                return
            mine = tournaments.c.owner == owner, tournaments.c.public, tournaments.c.status.in_(_GOING_ON)
            if (connection.execute(select(func.count()).where(*mine)).scalar() or 0) >= MOST_PUBLIC:
                text = Text("you can have at most {most} open tournaments in the list", most=MOST_PUBLIC)
                raise Failure(409, text, code="too_many_tournaments")

        row: dict[str, Any] = {"id": state.id, "settings": setting_data(settings), "owner": owner}
        row["secret"] = secret
        row |= {"created": state.at, "down": down}
        await self._database.write(check, insert(tournaments).values(**row, **more, **_projection(state)))

    async def append(
        self,
        before: Tournament,
        outcome: Outcome,
        *,
        down: int,
        told_down: int | None = None,
        also: Sequence[Step] = (),
    ) -> None:
        """Store an event and what follows from it; Conflict where another process was quicker.

        `down` is that of the site's uptime; `told_down` how much of it this event tells the tournament.
        `also` is done in the same transaction.
        """
        steps = await _steps(before, outcome, down, also)
        values = _projection(outcome.state) | ({} if told_down is None else {"down": told_down})
        if outcome.state.settings != before.settings:
            values["amended"] = setting_data(outcome.state.settings)
        await self._database.write(*steps, _row(outcome.state).values(values))

    async def append_all(self, done: Sequence[tuple[Tournament, Outcome, Sequence[Step]]], down: int) -> None:
        """Store events of entrants that follow each other, in one transaction; Conflict as for `append`.

        Each with the state before it and what is done in the same transaction.
        """
        steps = [step for each in done for step in await _steps(*each[:2], down, each[2])]
        after = done[-1][1].state
        await self._database.write(*steps, _row(after).values(_projection(after)))

    async def settle(self, matches_of_it: Iterable[str]) -> None:
        """Note that nothing is left to be done about these matches."""
        of_them = tournament_pairings.c.match_id.in_(list(matches_of_it))
        await self._database.write(update(tournament_pairings).where(of_them).values(settled=True))

    # Reading

    async def load(self, identity: str) -> Stored | None:
        """Return a tournament after all its events; None if there is none."""
        row = await self._database.first(select(tournaments).where(tournaments.c.id == identity))
        if row is None:
            return None
        kept = await self._database.first(
            select(tournament_snapshots).where(tournament_snapshots.c.tournament_id == identity)
        )
        if kept is None:
            state = new(read_settings(row.settings), identity, row.created)
        else:
            state = msgspec.json.decode(zlib.decompress(kept.state), type=Tournament)
        return Stored(await self.caught_up(state), row.secret.hex(), row.owner, row.down, row.series_id)

    async def caught_up(self, state: Tournament) -> Tournament:
        """Return the state after what has been stored since."""
        events = await self.tail(state.id, state.n)
        if len(events) < _MANY:
            return _replayed(state, events)
        return await asyncio.to_thread(_replayed, state, events)

    async def tail(self, identity: str, n: int, limit: int | None = None) -> list[TournamentEvent]:
        """Return the events after number `n`."""
        table = tournament_events.c
        query = select(tournament_events).where(table.tournament_id == identity, table.n > n)
        return [_event(row) for row in await self._database.all(query.order_by(table.n).limit(limit))]

    async def answered(self, identity: str, actor: str, ref: str) -> TournamentEvent | None:
        """Return the event that a request by this name has led to."""
        table = tournament_events.c
        named = table.tournament_id == identity, table.actor == actor, table.ref == ref
        row = await self._database.first(select(tournament_events).where(*named))
        return None if row is None else _event(row)

    async def down(self, identity: str) -> int:
        """Return how much of the time without a server a tournament has been told of."""
        row = await self._database.first(select(tournaments.c.down).where(tournaments.c.id == identity))
        return 0 if row is None else int(row.down)

    async def record(self, identity: str) -> TournamentRecord | None:
        """Return all that has happened, as it is exported."""
        row = await self._database.first(select(tournaments).where(tournaments.c.id == identity))
        if row is None:
            return None
        events = tuple(await self.tail(identity, 0))
        return TournamentRecord(read_settings(row.settings), identity, row.created, events)

    async def unsettled(self, identity: str) -> list[Match]:
        """Return the matches about which something may have to be done."""
        table = tournament_pairings.c
        query = (
            select(table.match_id, table.number, table.result, matches.c.standing)
            .join(matches, matches.c.id == table.match_id)
            .where(table.tournament_id == identity, ~table.settled)
            .order_by(table.number)
        )
        rows = await self._database.all(query)
        return [Match(row.match_id, row.number, row.result, row.standing or {}) for row in rows]

    async def due(self, now: int) -> list[str]:
        """Return the tournaments for which it is time, or of which a match has ended."""
        return list(dict.fromkeys(row.id for row in await self._database.all(_DUE, {"now": now})))

    async def starting(self, first: int, last: int) -> list[str]:
        """Return the tournaments that take entries and start after `first`, at `last` at the latest."""
        return [row.id for row in await self._database.all(_STARTING, {"first": first, "last": last})]

    async def of_series(self, series: str, day: str) -> tuple[str, str] | None:
        """Return the id and status of the tournament of a series on a local date, if it was made."""
        table = tournaments.c
        query = select(table.id, table.status).where(table.series_id == series, table.series_date == day)
        row = await self._database.first(query)
        return None if row is None else (row.id, row.status)

    async def past_of_series(self, series: Sequence[str], now: int, limit: int) -> list[Row[Any]]:
        """Return the last tournaments of these series that were to start by now, in the order of dates."""
        table = tournaments.c
        query = (
            select(table.series_id, table.game, table.entrants, table.status)
            .where(table.series_id.in_(series), table.starts <= now)
            .order_by(table.series_date.desc())
            .limit(limit)
        )
        return list(await self._database.all(query))[::-1]

    async def running(self) -> list[str]:
        """Return the tournaments that are being played, or have matches left about which to do something."""
        being_played = tournaments.c.status.in_([Status.RUNNING.value, Status.CONFIRMING.value])
        unsettled = select(tournament_pairings.c.tournament_id).where(~tournament_pairings.c.settled)
        query = select(tournaments.c.id).where(or_(being_played, tournaments.c.id.in_(unsettled)))
        return [row.id for row in await self._database.all(query)]

    async def listed(self, *conditions: ColumnElement[bool], latest: bool = False) -> Sequence[Row[Any]]:
        """Return the rows of tournaments of which this is true, those that start first before the others."""
        order = (
            tournaments.c.ended.desc()
            if latest
            else func.coalesce(tournaments.c.starts, tournaments.c.created)
        )
        return await self._database.all(select(tournaments).where(*conditions).order_by(order).limit(LISTED))

    async def of_person(self, user: str) -> Sequence[Row[Any]]:
        """Return the tournaments that somebody has entered or directs, the newest first."""
        entered = self.entered_by(user)
        mine = or_(tournaments.c.id.in_(entered), tournaments.c.owner == user)
        query = select(tournaments).where(mine).order_by(tournaments.c.created.desc()).limit(LISTED)
        return await self._database.all(query)

    @staticmethod
    def entered_by(user: str) -> Select[tuple[str]]:
        """Return the query of the ids of tournaments in which somebody is."""
        table = tournament_entrants.c
        return select(table.tournament_id).where(table.user_id == user, table.status != "out")

    async def same_address(self, identity: str) -> list[list[str]]:
        """Return those who entered from the same address, by the ids of their accounts."""
        table = tournament_addresses.c
        query = select(table.mark, table.user_id).where(table.tournament_id == identity)
        found: dict[str, list[str]] = {}
        for row in await self._database.all(query.order_by(table.user_id)):
            found.setdefault(row.mark, []).append(row.user_id)
        return [people for people in found.values() if len(people) > 1]

    async def boards_in_play(self, user: str) -> frozenset[str]:
        """Return the boards that stand at matches of tournaments that somebody plays in, as ids begin."""
        query = (
            select(matches.c.standing)
            .join(tournament_pairings, tournament_pairings.c.match_id == matches.c.id)
            .where(~tournament_pairings.c.settled, matches.c.state == LIVE)
            .where(tournament_pairings.c.tournament_id.in_(self.entered_by(user)))
        )
        standing = [(row.standing or {}).get("position") for row in await self._database.all(query)]
        return frozenset(board_of(position) for position in standing if position)

    async def gone(self, identity: str) -> frozenset[int]:
        """Return the entrants whose account has been deleted, by number."""
        table = tournament_entrants.c
        query = select(table.number).where(table.tournament_id == identity, table.user_id.is_(None))
        return frozenset(row.number for row in await self._database.all(query))


def board_of(position: str) -> str:
    """Return the board of a position id, without whose turn it is and what has happened before."""
    return position.partition(":")[0]


def _replayed(state: Tournament, events: Iterable[TournamentEvent]) -> Tournament:
    for event in events:
        state = apply(state, event.actor, event.action, event.at, ref=event.ref).state
    return state


def _event(row: Row[Any]) -> TournamentEvent:
    data = {"n": row.n, "at": row.at, "actor": row.actor, "action": row.action, "then": row.then}
    return Event.from_data(data if row.ref is None else data | {"ref": row.ref})


def _projection(state: Tournament) -> dict[str, Any]:
    """Return the columns of a tournament that say how it stands."""
    settings: Settings = state.settings
    return {
        "status": state.status.value,
        "n": state.n,
        "next_due": next_due(state),
        "starts": state.began or state.starts,
        "ended": state.at if state.status in ENDED else state.finished,
        "title": settings.title,
        "entrants": sum(1 for each in state.entrants if each.status != "out" or each.seed),
        "public": settings.public,
        "game": card_of(settings.card).game,
        "system": settings.system,
    }


def _row(state: Tournament) -> Update:
    return update(tournaments).where(tournaments.c.id == state.id)


async def _steps(before: Tournament, outcome: Outcome, down: int, also: Sequence[Step]) -> list[Step]:
    """Return what an event writes but for the row of its tournament."""
    event, after = outcome.event, outcome.state
    assert event is not None
    row = {"tournament_id": after.id, "n": event.n, "at": event.at, "actor": event.actor}
    row |= {"action": action_data(event.action), "then": dict(event.then), "ref": event.ref}
    further = before, after, down, event.at
    is_long = len(after.entrants) >= _LARGE or len(after.pairings) > len(before.pairings)
    # The seats and first records of a wave, and many entrants, take a while: nobody else waits for them.
    follows = await asyncio.to_thread(_further, *further) if is_long else _further(*further)
    return [insert(tournament_events).values(row), *follows, *also]


def _further(before: Tournament, after: Tournament, down: int, now: int) -> list[Step]:
    """Return the statements that follow from an event: entrants, settled matches, new ones, a snapshot."""
    begun = matches_of(after, made_pairings(before, after), down=down, now=now)
    steps = [*_entrants(before, after), *_settled(before, after), *begun, *_signs(before, after, now)]
    if after.status in ENDED:
        steps.append(delete(tournament_addresses).where(tournament_addresses.c.tournament_id == after.id))
    if after.n % _SNAPSHOT_EVERY == 0:
        steps.append(_snapshot(after))
    return steps


def _snapshot(after: Tournament) -> Step:
    """Return the step that keeps a state, with the names of entrants as they are when it is stored."""
    state = zlib.compress(msgspec.json.encode(after))

    def write(connection: Connection) -> None:
        table = tournament_entrants.c
        rows = connection.execute(select(table.number, table.name).where(table.tournament_id == after.id))
        named = [(after.entrant(row.number), row.name) for row in rows]
        renamed = [replace(entrant, name=name) for entrant, name in named if entrant.name != name]
        kept = zlib.compress(msgspec.json.encode(after.with_entrants(*renamed))) if renamed else state
        this = tournament_snapshots.c.tournament_id == after.id
        connection.execute(delete(tournament_snapshots).where(this))
        values = {"tournament_id": after.id, "n": after.n, "state": kept}
        connection.execute(insert(tournament_snapshots).values(values))

    return write


def _entrants(before: Tournament, after: Tournament) -> list[Step]:
    """Return the statements that bring the entrants of lists up to date."""
    if before.entrants is after.entrants and after.status is before.status:
        return []
    final = overall(standings(after)) if after.status is Status.OVER else ()
    places = {row.entrant: row.place for row in final}
    known = {each.number: each for each in before.entrants}
    changed = [
        each
        for each in after.entrants
        if places or (was := known.get(each.number)) is None or (was.status, was.id) != (each.status, each.id)
    ]
    if not changed:
        return []
    table = tournament_entrants.c
    theirs = table.tournament_id == after.id, table.number.in_([each.number for each in changed])
    rows = [
        {
            "tournament_id": after.id,
            "number": each.number,
            "user_id": each.id,
            "name": each.name,
            "status": each.status,
            "place": places.get(each.number),
        }
        for each in changed
    ]

    def write(connection: Connection) -> None:
        # An account may be gone by now: its entry stays without it.
        named = select(users.c.id).where(users.c.id.in_([row["user_id"] for row in rows]))
        there = {row.id for row in connection.execute(named)}
        kept = [row | {"user_id": row["user_id"] if row["user_id"] in there else None} for row in rows]
        known = {row.number for row in connection.execute(select(table.number).where(*theirs))}
        # A name is written once: it may be another one by now than in the state from which this follows.
        old = [
            {"of": row["number"], **{name: row[name] for name in ("user_id", "status", "place")}}
            for row in kept
            if row["number"] in known
        ]
        if old:
            this = table.tournament_id == after.id, table.number == bindparam("of")
            connection.execute(update(tournament_entrants).where(*this), old)
        if added := [row for row in kept if row["number"] not in known]:
            connection.execute(insert(tournament_entrants), added)

    return [write]


def _settled(before: Tournament, after: Tournament) -> list[Step]:
    """Return the statement that settles matches that have ended and whose pairing an event has closed."""
    closed = [each.number for each in before.open_pairings if not after.pairings[each.number - 1].is_open]
    if not closed:
        return []
    table = tournament_pairings.c
    ended = table.tournament_id == after.id, table.number.in_(closed), table.result.is_not(None)
    return [update(tournament_pairings).where(*ended).values(settled=True)]


# What moderators look at


def address_steps(identity: str, user: str, mark: str) -> Sequence[Step]:
    """Return the statements that keep from where somebody has entered."""
    table = tournament_addresses
    mine = table.c.tournament_id == identity, table.c.user_id == user
    row = {"tournament_id": identity, "user_id": user, "mark": mark}
    return delete(table).where(*mine), insert(table).values(row)


def sign_of(pairing: Pairing) -> str | None:
    """Return how a match was given away: by not coming, or by a resignation within three turns."""
    result = pairing.result
    if not pairing.match or pairing.status != "decided" or result is None or not result.winner:
        return None
    if result.how == "walkover":
        return "walkover"
    is_quick = result.resigned and result.turns is not None and result.turns < _QUICK
    return "resigned" if is_quick else None


def _signs(before: Tournament, after: Tournament, now: int) -> list[Step]:
    """Return the statements that note matches which were given away, and report pairs who do so again."""
    if after.pairings is before.pairings:
        return []
    changed = [
        (pairing, sign)
        for was, pairing in zip(before.pairings, after.pairings, strict=False)
        if was is not pairing and (sign := sign_of(pairing)) != sign_of(was)
    ]
    if not changed:
        return []

    def write(connection: Connection) -> None:
        for pairing, sign in changed:
            own = tournament_pairings.c.match_id == pairing.match
            connection.execute(update(tournament_pairings).where(own).values(sign=sign))
            if sign is not None and pairing.result is not None:
                winner, loser = pairing.result.winner, pairing.other(pairing.result.winner)
                people = after.entrant(winner).id, after.entrant(loser).id
                _report(connection, people, pairing.match, now)

    return [write]


def _report(connection: Connection, people: tuple[str, str], match: str, now: int) -> None:
    """Report a pair of whom one gives the other matches away, unless a moderator is to look at it already.

    The text of the report is `signs` and the ids of these matches.
    """
    one, other = seats.alias(), seats.alias()
    given = (
        select(matches.c.id)
        .join(tournament_pairings, tournament_pairings.c.match_id == matches.c.id)
        .join(one, (one.c.match_id == matches.c.id) & (one.c.user_id == people[0]))
        .join(other, (other.c.match_id == matches.c.id) & (other.c.user_id == people[1]))
        .where(tournament_pairings.c.sign.is_not(None), matches.c.created > now - _SIGNS_FOR)
        .order_by(matches.c.created, matches.c.id)
    )
    found = [row.id for row in connection.execute(given)]
    if len(found) < 2:
        return
    text = " ".join([SIGNS, *found])
    waiting = reports.c.reporter.is_(None), reports.c.resolved.is_(None), reports.c.kind == "cheating"
    about = reports.c.reported.in_(people), reports.c.text.like(f"{SIGNS} {found[0]}%")
    if connection.execute(select(reports.c.id).where(*waiting, *about)).first() is None:
        row = {"id": new_id(), "reported": people[0], "reporter": None, "match_id": match}
        connection.execute(insert(reports).values(**row, kind="cheating", text=text, at=now))
