"""Matches: made, looked at, taken away as a record, replayed, audited, played once more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic_core import to_json
from sqlalchemy import Row, select

from sheshbesh.i18n import Text
from sheshbesh.server.http.api.bodies import Body, GivenCard, Words
from sheshbesh.server.http.identity import MaybePerson, Player
from sheshbesh.server.http.request_limits import costs
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.people.access import check_look
from sheshbesh.server.people.names import check_hot_seats
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import may_be_rated
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import Play, notify_players, site_of
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import matches
from sheshbesh.server.tables import begin, replay, view
from sheshbesh.server.tables.offers import offers_data
from sheshbesh.server.tables.replay import Key
from sheshbesh.server.tables.seats import OPEN, OVER, MatchAgreement
from sheshbesh.server.tables.view import shown_events, shown_header
from sheshbesh.session import Event, Record

router = APIRouter(tags=["matches"])


_MISSING = Text("there is no such match")


class Opponent(Body):
    """Who plays the other side: the engine at a `level`, oneself at one screen (`names`), or a friend."""

    kind: Words
    level: Words | None = None
    names: list[Words] | None = None


class NewMatch(Body):
    """What is to be played, and against whom; `seed` is that of seeded dice."""

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
    )
    begin.check_dice(table)
    if table.rated:
        may_be_rated(person)
    table.header.session()  # a table that cannot begin is refused here
    if kind == "friend":
        secret = await begin.offer(site.database, table, side)
        return _found(table, invite=f"/j/{secret}")
    await begin.begin(site.database, table)
    await site.play.registry.room(table.id)
    return _found(table)


def _found(table: MatchAgreement, invite: str | None = None) -> dict[str, Any]:
    return {"id": table.id, "url": f"/m/{table.id}", "invite": invite}


async def _match(database: Database, match: str) -> Row[Any]:
    row = await database.first(select(matches).where(matches.c.id == match))
    if row is None:
        raise Failure(404, _MISSING)
    return row


class _Played(NamedTuple):
    """A match that has begun, for whom it is their business: how it was agreed on."""

    play: Play
    table: MatchAgreement

    @property
    def over(self) -> bool:
        """Whether it is over."""
        return self.table.state == OVER

    @classmethod
    async def of(cls, play: Play, match: str, person: Person | None) -> _Played:
        """Failure 404 where there is none, or it is not theirs to see."""
        table = await play.registry.kind.store.table(match)
        check_look(table, person)
        assert table is not None
        return cls(play, table)

    async def events(self) -> Sequence[Event]:
        """All that has happened in it."""
        return await self.play.registry.kind.store.tail(self.table.id, 0)

    async def rendered(self, what: str, make: Callable[[Sequence[Event]], bytes]) -> bytes:
        """What is made of its events, by a thread; kept where the match is over."""
        key = (self.table.id, what)

        async def render() -> tuple[bytes, Mapping[Key, bytes]]:
            text = await asyncio.to_thread(make, await self.events())
            return text, {key: text} if self.over else {}

        return await self.play.rendered.get(key, render)


@router.get("/matches/{match}")
async def meta(request: Request, match: str, person: MaybePerson) -> dict[str, Any]:
    """What a match is: its card, its players, how it stands."""
    site = site_of(request)
    row = await _match(site.database, match)
    if row.state == OPEN:
        table = await begin.waiting(site.database, row)
        check_look(table, person, missing=_MISSING)
        own = person is not None and bool(table.names_of(person.id))
        invite = f"/j/{row.invite}" if own else None
        return view.fixed(table) | {"state": row.state, "invite": invite, "created": row.created}
    room = await site.play.registry.room(match)
    assert room is not None
    check_look(room.agreement, person, missing=_MISSING)
    session = room.session
    return view.fixed(room.agreement) | {
        "state": row.state,
        "phase": session.phase.value,
        "game": session.game_no,
        "score": {side.value: session.score.score(side) for side in room.agreement.seats},
        "winner": row.winner,
        "ending": row.ending,
        "created": row.created,
        "started": row.started,
        "ended": row.ended,
        "games": replay.games_of(session),
        "you": [side.value for side in room.agreement.names_of(person.id if person is not None else None)],
        "rematch_of": row.rematch_of,
    }


@router.get("/matches/{match}/record", response_class=PlainTextResponse, dependencies=[costs(5)])
async def record(request: Request, match: str, person: MaybePerson) -> PlainTextResponse:
    """The record of the match as a file: docs/guide/records.md describes it.

    While the match goes on, the seed of seeded dice is left out.
    """
    played = await _Played.of(site_of(request).play, match, person)
    table, events = played.table, shown_events(await played.events(), over=played.over)
    shown = Record(shown_header(table.header, over=played.over), tuple(events))
    text = await asyncio.to_thread(shown.to_text)
    name = f"{table.card.game}-{match}.jsonl"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/matches/{match}/frames", dependencies=[costs(20)], response_model=dict[str, Any])
async def frames(request: Request, match: str, person: MaybePerson, game: int = Query(1, ge=1)) -> Response:
    """One game of the match, position by position."""
    played = await _Played.of(site_of(request).play, match, person)
    play = played.play
    return _json(await replay.rendered_game(play.rendered, play.registry.kind.store, played.table, game))


@router.get("/matches/{match}/dice", dependencies=[costs(20)], response_model=dict[str, Any])
async def dice(request: Request, match: str, person: MaybePerson) -> Response:
    """The transcript of the dice so far, and what an audit by the server says of it. While the match goes on,
    the seed of seeded dice is `withheld`, without which nobody else can audit them."""
    played = await _Played.of(site_of(request).play, match, person)
    over = played.over

    def audit(events: Sequence[Event]) -> bytes:
        return to_json(replay.dice_data(events, over=over))

    audited = await played.rendered("dice", audit)
    players = {side.value: seat.to_data() for side, seat in played.table.seats.items()}
    # Names are not kept: an account may be deleted.
    return _json(to_json({"match": match, "players": players})[:-1] + b"," + audited[1:])


def _json(text: bytes) -> Response:
    return Response(text, media_type="application/json")


@router.post("/matches/{match}/rematch")
async def rematch(request: Request, match: str, person: Player) -> dict[str, Any]:
    """Ask for the same match once more with sides changed; it begins when both have asked.

    Against the engine, and at one screen, it begins at once.
    """
    site = site_of(request)
    room = await site.play.registry.room(match)
    check_look(None if room is None else room.agreement, person, missing=_MISSING)
    assert room is not None
    sides = room.agreement.names_of(person.id)
    if not sides:
        raise Failure(403, "you do not play in this match")
    site.limits.matches.check(person.id)
    if any(seat.user is None and seat.level is None for seat in room.agreement.seats.values()):
        raise Failure(409, "your opponent's account was deleted", code="nobody")
    made = await site.play.rematches.ask(room, person.id, sides, down=site.uptime.down)
    if made is None:
        return {"id": None, "url": None}
    if isinstance(made, str):
        return {"id": made, "url": f"/m/{made}"}
    await site.play.registry.room(made.id)
    notify_players(site.lobby, made, "match")
    return {"id": made.id, "url": f"/m/{made.id}"}


@router.get("/matches/{match}/offers")
async def offers(
    request: Request, match: str, person: Player, lang: str = Query("en", max_length=20)
) -> dict[str, Any]:
    """How a player may end the game now: resign at which price, settle how, or why not.

    `resign` has for each of the player's sides the classes with what they pay, `propose` what needs consent:
    `points` to the player, or from them if negative. `refused` is the reason, in `lang`, or null.
    """
    room = await site_of(request).play.registry.room(match)
    sides = room.agreement.names_of(person.id) if room is not None else ()
    if room is None or not sides:
        raise Failure(404, "you do not play in this match")
    return offers_data(room.session, sides, lang, room.now())
