"""Matches: made, looked at, played once more; of all tables records, replays, and audits of the dice."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic_core import to_json
from sqlalchemy import Row, select

from sheshbesh.i18n import Text
from sheshbesh.rules import Side
from sheshbesh.server.http.api.bodies import Body, GivenCard, Words
from sheshbesh.server.http.identity import MaybePerson, Player
from sheshbesh.server.http.request_limits import costs
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.people.access import check_look
from sheshbesh.server.people.names import check_hot_seats
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import may_be_rated
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import Site, notify_players, site_of
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches
from sheshbesh.server.tables import begin, replay, view
from sheshbesh.server.tables.offers import offers_data
from sheshbesh.server.tables.replay import Key
from sheshbesh.server.tables.seats import OPEN, OVER, MatchAgreement, tags_of
from sheshbesh.server.tables.store import TableStore
from sheshbesh.server.tables.tables import Tables
from sheshbesh.server.tables.view import shown_events, shown_header
from sheshbesh.session import ChouetteRecord, Event, Record

router = APIRouter(tags=["matches"])
chouettes = APIRouter(tags=["chouettes"])


_MISSING = Text("there is no such match")
NO_CHOUETTE = Text("there is no such chouette")
NOT_BEGUN = Text("there is no such chouette, or it has not begun")


class Opponent(Body):
    """The player of the other side: the engine at a `level`, oneself at one screen (`names`), or a friend."""

    kind: Words
    level: Words | None = None
    names: list[Words] | None = None


class NewMatch(Body):
    """The match to be played, and the opponent; `seed` is that of seeded dice."""

    card: GivenCard = None
    opponent: Opponent = Opponent(kind="engine")
    side: Words | None = None
    rated: bool = False
    tutor: bool = False
    private: bool = False
    seed: Words | None = None


@router.post("/matches")
async def make(request: Request, body: NewMatch, person: Player) -> dict[str, Any]:
    """Begin a match: against the engine, at one screen, or with a friend who is sent the link.

    `card` is a code or its fields, `opponent` says who: {"kind": "engine", "level"}, {"kind":
    "hotseat", "names"} or {"kind": "friend"}. Seeks are made in the lobby: POST /seeks.
    """
    site = site_of(request)
    site.limits.matches.check(person.id)
    card, opponent, kind = begin.read_card(body.card), body.opponent, body.opponent.kind
    side, own = begin.own_side(body.side), begin.seat_of(person)
    if kind == "engine":
        card = begin.against_engine(card)
        seats = {side: own, side.other: begin.engine_seat(opponent.level)}
    elif kind == "hotseat":
        seats = begin.hot_seats(person, opponent.names)
        await check_hot_seats(site.database, person, opponent.names or ())
    elif kind == "friend":
        seats = {side: own, side.other: begin.NOBODY}
    else:
        raise Failure(422, "an opponent is of kind engine, hotseat or friend", where="opponent.kind")
    table = MatchAgreement(
        new_id(),
        card,
        {each: seats[each] for each in sorted(seats, key=lambda s: s.value, reverse=True)},
        rated=body.rated and kind == "friend",
        tutor=body.tutor and kind == "engine",
        private=body.private,
        created=now_ms(),
        seed=begin.seed_for(card, body.seed),
        down=site.uptime.down,
        tags=tags_of(seats),
    )
    begin.check_dice(table)
    if table.rated:
        may_be_rated(person)
    table.header.session()  # a table that cannot begin is refused here
    if kind == "friend":
        secret = await begin.offer(site.database, table, side)
        return _found(table, invite=f"/j/{secret}")
    await begin.begin(site.database, table)
    await site.matches.get(table.id)
    return _found(table)


def _found(table: MatchAgreement, invite: str | None = None) -> dict[str, Any]:
    return {"id": table.id, "url": f"/m/{table.id}", "invite": invite}


async def _match(database: Database, match: str) -> Row[Any]:
    row = await database.first(select(matches).where(matches.c.id == match))
    if row is None:
        raise Failure(404, _MISSING)
    return row


class _Played(NamedTuple):
    """A table that has begun, for whom it is their business: how it was agreed on."""

    site: Site
    tables: Tables[Any, Any, Any]
    table: Any
    until: int | None = None
    """The time of the table up to which this person sees it; None for all of it."""

    @classmethod
    async def match(cls, request: Request, match: str, person: Person | None) -> _Played:
        """Failure 404 where there is none, or it is not theirs to see."""
        site = site_of(request)
        table = await site.matches.kind.store.table(match)
        check_look(table, person)
        assert table is not None
        sees_all = table.state == OVER or table.is_player(person.id if person is not None else None)
        until = None if sees_all or not table.delay else site.matches.kind.now(table) - table.delay
        return cls(site, site.matches, table, until)

    @classmethod
    async def chouette(cls, request: Request, chouette: str, person: Person | None) -> _Played:
        """The same of a chouette."""
        site = site_of(request)
        table = await site.chouettes.kind.store.table(chouette)
        check_look(table, person, missing=NO_CHOUETTE)
        assert table is not None
        if table.header is None:
            raise Failure(404, NOT_BEGUN)
        return cls(site, site.chouettes, table)

    @property
    def over(self) -> bool:
        """True if it is over."""
        return bool(self.table.state == OVER)

    async def events(self) -> Sequence[Event]:
        """All that has happened at it."""
        store: TableStore[Any, Any] = self.tables.kind.store
        return replay.events_until(await store.tail(self.table.id, 0), self.until)

    async def record(self, kind: type[Record | ChouetteRecord], name: str) -> PlainTextResponse:
        """Return what has been played as a file, without the seed of seeded dice while it goes on."""
        events = shown_events(await self.events(), over=self.over)
        shown: Any = kind
        text = await asyncio.to_thread(
            lambda: str(shown(shown_header(self.table.header, over=self.over), tuple(events)).to_text())
        )
        return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    async def dice(self, players: Mapping[str, Any]) -> Response:
        """The transcript of the dice and what an audit says of it, kept where the table is over."""
        key, over = (self.table.id, "dice"), self.over

        async def render() -> tuple[bytes, Mapping[Key, bytes]]:
            events = await self.events()
            text = await asyncio.to_thread(lambda: to_json(replay.dice_data(events, over=over)))
            return text, {key: text} if over else {}

        audited = await self.site.rendered.get(key, render)
        # Names are not kept: an account may be deleted.
        return _json(to_json({"match": self.table.id, "players": players})[:-1] + b"," + audited[1:])


@router.get("/matches/{match}")
async def meta(request: Request, match: str, person: MaybePerson) -> dict[str, Any]:
    """Return what a match is: its card, its players, how it stands."""
    site = site_of(request)
    row = await _match(site.database, match)
    if row.state == OPEN:
        agreed = await begin.waiting(site.database, row)
        check_look(agreed, person, missing=_MISSING)
        own = person is not None and bool(agreed.names_of(person.id))
        invite = f"/j/{row.invite}" if own else None
        return view.fixed(agreed) | {"state": row.state, "invite": invite, "created": row.created}
    check_look(await site.matches.agreement(match), person, missing=_MISSING)
    table = await site.matches.get(match)
    assert table is not None
    names = table.agreement.names_of(person.id if person is not None else None)
    session = table.session if row.state == OVER else table.shown_to(names).session
    return view.fixed(table.agreement) | {
        "state": row.state,
        "phase": session.phase.value,
        "game": session.game_no,
        "score": {side.value: session.score.score(side) for side in table.agreement.seats},
        "winner": row.winner,
        "ending": row.ending,
        "created": row.created,
        "started": row.started,
        "ended": row.ended,
        "games": replay.games_of(session),
        "you": [side.value for side in names],
        "rematch_of": row.rematch_of,
    }


@router.get("/matches/{match}/record", response_class=PlainTextResponse, dependencies=[costs(5)])
async def record(request: Request, match: str, person: MaybePerson) -> PlainTextResponse:
    """The record of the match as a file: docs/guide/records.md describes it.

    While the match goes on, the seed of seeded dice is left out.
    """
    played = await _Played.match(request, match, person)
    return await played.record(Record, f"{played.table.card.game}-{match}.jsonl")


@router.get("/matches/{match}/frames", dependencies=[costs(20)], response_model=dict[str, Any])
async def frames(request: Request, match: str, person: MaybePerson, game: int = Query(1, ge=1)) -> Response:
    """One game of the match, position by position."""
    played = await _Played.match(request, match, person)
    site = played.site
    store = site.matches.kind.store
    return _json(await replay.rendered_game(site.rendered, store, played.table, game, until=played.until))


@router.get("/matches/{match}/dice", dependencies=[costs(20)], response_model=dict[str, Any])
async def dice(request: Request, match: str, person: MaybePerson) -> Response:
    """The transcript of the dice so far, and what an audit by the server says of it. While the match goes on,
    the seed of seeded dice is `withheld`, without which nobody else can audit them."""
    played = await _Played.match(request, match, person)
    return await played.dice({side.value: seat.to_data() for side, seat in played.table.seats.items()})


def _json(text: bytes) -> Response:
    return Response(text, media_type="application/json")


@router.post("/matches/{match}/rematch")
async def rematch(request: Request, match: str, person: Player) -> dict[str, Any]:
    """Ask for the same match once more with sides changed; it begins when both have asked.

    Against the engine, and at one screen, it begins at once.
    """
    site = site_of(request)
    # Before it is loaded: strangers learn nothing of a private match, not even that it is damaged.
    check_look(await site.matches.agreement(match), person, missing=_MISSING)
    table = await site.matches.get(match)
    assert table is not None
    sides = table.agreement.names_of(person.id)
    if not sides:
        raise Failure(403, "you do not play in this match")
    site.limits.matches.check(person.id)
    if any(seat.user is None and seat.level is None for seat in table.agreement.seats.values()):
        raise Failure(409, "your opponent's account was deleted", code="nobody")
    made = await site.rematches.ask(table, person.id, sides, down=site.uptime.down)
    if isinstance(made, bool):
        # The other may look at the review, or be anywhere else; they are told once.
        others = {seat.user for seat in table.agreement.seats.values()} - {None, person.id}
        for user in others if made else ():
            site.lobby.notify(str(user), what="rematch", id=table.id, by=person.name)
        return {"id": None, "url": None}
    if isinstance(made, str):
        return {"id": made, "url": f"/m/{made}"}
    await site.matches.get(made.id)
    notify_players(site.lobby, made, "match", rematch_of=match)
    return {"id": made.id, "url": f"/m/{made.id}"}


@router.get("/matches/{match}/offers")
async def offers(
    request: Request, match: str, person: Player, lang: str = Query("en", max_length=20)
) -> dict[str, Any]:
    """Return how a player may end the game now: resign at which price, settle how, or why not.

    `resign` has for each of the player's sides the classes with what they pay, `propose` what needs consent:
    `points` to the player, or from them if negative. `refused` is the reason, in `lang`, or null.
    """
    tables = site_of(request).matches
    agreed = await tables.agreement(match)
    sides = agreed.names_of(person.id) if agreed is not None else ()
    table = await tables.get(match) if sides else None
    if table is None:
        raise Failure(404, "you do not play in this match")
    return offers_data(table.session, sides, lang, table.now())


# Chouettes


@chouettes.get(
    "/chouettes/{chouette}/record", response_class=PlainTextResponse, dependencies=[costs(5)], name="record"
)
async def chouette_record(request: Request, chouette: str, person: MaybePerson) -> PlainTextResponse:
    """The record of a chouette as a file: docs/guide/records.md describes it.

    While it goes on, the seed of seeded dice is left out.
    """
    played = await _Played.chouette(request, chouette, person)
    return await played.record(ChouetteRecord, f"chouette-{chouette}.jsonl")


@chouettes.get(
    "/chouettes/{chouette}/frames", dependencies=[costs(20)], response_model=dict[str, Any], name="frames"
)
async def chouette_frames(request: Request, chouette: str, person: MaybePerson, game: int = 1) -> Response:
    """One game of a chouette, position by position, with the cubes and the sheet."""
    played = await _Played.chouette(request, chouette, person)
    found = ChouetteRecord(played.table.header, tuple(await played.events()))

    async def render() -> tuple[bytes, Mapping[Key, bytes]]:
        data = await asyncio.to_thread(replay.frames_data, found, game)
        text = to_json({"chouette": chouette, **data})
        return text, {key: text} if data["over"] and 1 <= game <= data["games"] else {}

    # By the names too: that of a deleted account is taken out of what is stored.
    names = sorted({*found.header.seats.people, *(event.actor for event in found.events)})
    key = (chouette, "frames", str(game), *names)
    return _json(await played.site.rendered.get(key, render))


@chouettes.get(
    "/chouettes/{chouette}/dice", dependencies=[costs(20)], response_model=dict[str, Any], name="dice"
)
async def chouette_dice(request: Request, chouette: str, person: MaybePerson) -> Response:
    """The transcript of the dice so far, and what an audit by the server says of it. While the chouette goes
    on, the seed of seeded dice is `withheld`."""
    played = await _Played.chouette(request, chouette, person)
    return await played.dice({side.value: {"name": "", "kind": "user"} for side in Side})
