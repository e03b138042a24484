"""Chouettes: made, joined, begun, looked at, taken away as a record."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic_core import to_json
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from sheshbesh.i18n import Text
from sheshbesh.rules import Refused
from sheshbesh.server.http.api.bodies import Body, GivenCard, Words
from sheshbesh.server.http.api.invites import link_picture
from sheshbesh.server.http.api.sockets import greet, send_away
from sheshbesh.server.http.api.users import LATEST, find_user
from sheshbesh.server.http.identity import MaybePerson, Player, Reader
from sheshbesh.server.http.request_limits import address, costs
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.people.access import check_look, may_look
from sheshbesh.server.people.names import check_hot_seats
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.social import Social
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of
from sheshbesh.server.tables import gathering, replay, view
from sheshbesh.server.tables.begin import read_card
from sheshbesh.server.tables.chouette import ChouetteInPlay
from sheshbesh.server.tables.chouette_connection import ChouetteConnection
from sheshbesh.server.tables.chouette_tables import ChouetteTables
from sheshbesh.server.tables.connection import FLOODED, GONE
from sheshbesh.server.tables.line import Viewer
from sheshbesh.server.tables.replay import Key, frames_data
from sheshbesh.server.tables.seats import ChouetteAgreement, Sitter
from sheshbesh.server.tables.store import ChouetteStore
from sheshbesh.server.tables.view import shown_events, shown_header
from sheshbesh.session import Action, ChouetteRecord, Consultation, JoinAction, LeaveAction
from sheshbesh.session.chouette.seats import MOST

router = APIRouter(tags=["chouettes"])


class NewChouette(Body):
    """What is to be played and who sits down at once: `names` at one screen, `bots` by their levels."""

    card: GivenCard = None
    names: list[Words] | None = None
    bots: list[Words] | None = None
    consultation: Words = Consultation.FREE.value
    chosen_members: bool = False
    private: bool = False


class NewBot(Body):
    """A bot for a free place; without a `level` that of most people."""

    level: Words | None = None


class StandIn(Body):
    """Whether the program plays in somebody's seat."""

    on: bool


_NOT_BEGUN = Text("there is no such chouette, or it has not begun")


async def _table(rooms: ChouetteTables, chouette: str, person: Person | None) -> ChouetteAgreement:
    """A chouette that this person may look at; Failure 404 where there is none."""
    room = rooms.rooms.get(chouette)
    table = room.agreement if room is not None else await rooms.kind.store.table(chouette)
    check_look(table, person, missing=Text("there is no such chouette"))
    assert table is not None
    return table


async def _begun(rooms: ChouetteTables, chouette: str, person: Person | None) -> ChouetteInPlay:
    """The room of one that has begun; Failure 404 where there is none."""
    room = await rooms.room(chouette)
    check_look(None if room is None else room.agreement, person, missing=_NOT_BEGUN)
    assert room is not None
    return room


@router.post("/chouettes")
async def make(request: Request, body: NewChouette, person: Player) -> dict[str, Any]:
    """Make a table; it begins when somebody who sits there says so: POST /chouettes/{id}/begin."""
    site = site_of(request)
    site.limits.matches.check(person.id)
    card = read_card(body.card)
    if body.consultation not in list(Consultation):
        text = Text("advice is given {ways}", ways=", ".join(Consultation))
        raise Failure(422, text, where="consultation")
    names = body.names or []
    await check_hot_seats(site.database, person, names, where="names")
    people = gathering.sitters(person.id, person.name, names)
    for strength in body.bots or ():
        people = (*people, gathering.bot(people, gathering.level(strength)))
    table = ChouetteAgreement(
        new_id(),
        card,
        people,
        consultation=Consultation(body.consultation),
        chosen_members=body.chosen_members,
        unlisted=body.private,
        owner=person.id,
        created=now_ms(),
        down=site.uptime.down,
    )
    gathering.check(table)
    if len(people) > MOST:
        raise Failure(422, Text("a chouette has at most {most} people", most=MOST), where="bots")
    await gathering.create(site.database, table)
    return {"id": table.id, "url": f"/chouette/{table.id}"}


def _summary(row: Any) -> dict[str, Any]:
    return {
        "id": row.id,
        "url": f"/chouette/{row.id}",
        "game": row.game,
        "card": row.card,
        "state": row.state,
        "created": row.created,
    }


@router.get("/chouettes")
async def public(request: Request) -> list[dict[str, Any]]:
    """The chouettes that everybody may watch and join, the newest first."""
    site = site_of(request)
    store = site.chouettes.kind.store
    return [_summary(row) | await _names(store, row.id) for row in await gathering.public(site.database)]


async def _names(store: ChouetteStore, chouette: str) -> dict[str, Any]:
    return {"people": [each.name for each in await store.people(chouette)]}


@router.get("/me/chouettes")
async def mine(request: Request, person: Reader) -> list[dict[str, Any]]:
    """One's own chouettes that are not over."""
    return [_summary(row) for row in await gathering.going_on(site_of(request).database, person.id)]


@router.get("/users/{name}/chouettes")
async def played(
    request: Request, name: str, person: MaybePerson, before: int | None = Query(None, ge=0, le=LATEST)
) -> list[dict[str, Any]]:
    """The chouettes of somebody that are over, the latest first; private ones for themselves alone.

    `before` is the `ended` of the last one seen.
    """
    site = site_of(request)
    user = (await find_user(site.people.directory, name)).id
    own = person is not None and person.id == user
    store = site.chouettes.kind.store
    return [
        _summary(row) | {"ended": row.ended} | await _names(store, row.id)
        for row in await gathering.played(site.database, user, with_unlisted=own, before=before)
    ]


@router.get("/chouettes/{chouette}")
async def look(request: Request, chouette: str, person: MaybePerson) -> dict[str, Any]:
    """What a chouette is: its card, who sits there, whether it has begun."""
    table = await _table(site_of(request).chouettes, chouette, person)
    user = person.id if person is not None else None
    return {
        "id": table.id,
        "url": f"/chouette/{table.id}",
        "state": table.state,
        "card": view.card_data(table.card),
        "consultation": table.consultation.value,
        "chosen_members": table.chosen_members,
        "private": table.unlisted,
        "people": [
            {
                "name": each.name,
                "bot": each.user is None,
                "level": each.level,
                "you": user is not None and each.user == user,
            }
            for each in table.people
        ],
        "you": list(table.names_of(user)),
        "owner": user is not None and table.owner == user,
        "throws": {name: list(dice) for name, dice in table.throws.items()},
    }


@router.get("/chouettes/{chouette}/qr.svg", response_class=Response)
async def picture(request: Request, chouette: str, person: MaybePerson) -> Response:
    """The link of a table as a QR code."""
    table = await _table(site_of(request).chouettes, chouette, person)
    return link_picture(request, f"/chouette/{table.id}")


async def _apart(social: Social, table: ChouetteAgreement, person: Person) -> None:
    """Failure where somebody at the table and this person do not play with each other."""
    for sitter in table.people:
        if sitter.user is not None and await social.are_apart(sitter.user, person.id):
            raise Failure(403, "you two do not play with each other", code="apart")


@router.post("/chouettes/{chouette}/seat")
async def sit(request: Request, chouette: str, person: Player) -> dict[str, Any]:
    """Sit down: at once before the chouette has begun, else when no game is played."""
    site = site_of(request)
    table = await _table(site.chouettes, chouette, person)
    await _apart(site.people.social, table, person)
    gathering.check_joins(table, person.id)
    name = next(iter(table.names_of(person.id)), person.name)
    await gathering.seat(site.database, chouette, Sitter(name, person.id))
    await _join(site.chouettes, table, name, person)
    return await look(request, chouette, person)


async def _join(rooms: ChouetteTables, table: ChouetteAgreement, name: str, person: Person) -> None:
    """Where the chouette has begun, the newcomer waits for the end of the game."""
    if table.state == "open":
        return
    room = await _begun(rooms, table.id, person)
    await room.reseat()
    rooms.reseated(table.id)
    if "join" in room.state.allowed(name):
        await _act(room, name, JoinAction())


async def _act(room: ChouetteInPlay, name: str, action: Action) -> None:
    try:
        await room.act(name, action)
    except Refused as refused:
        raise Failure(409, refused.refusal.text, code=refused.refusal.rule) from None


@router.delete("/chouettes/{chouette}/people/{name}")
async def stand_up(request: Request, chouette: str, name: str, person: Player) -> dict[str, Any]:
    """Take somebody from the table: oneself, a bot, or before the beginning whom its owner does not want."""
    site = site_of(request)
    table = await _table(site.chouettes, chouette, person)
    sitter = table.sitter(name)
    if sitter is None:
        raise Failure(404, Text("there is no {name} at this table", name=name))
    sits = bool(table.names_of(person.id))
    own = sitter.user == person.id
    if not (own or (sitter.user is None and sits) or (table.state == "open" and table.owner == person.id)):
        raise Failure(403, "you may not do this")
    if table.state == "open":
        await gathering.unseat(site.database, chouette, name)
        return await look(request, chouette, person)
    await _act(await _begun(site.chouettes, chouette, person), name, LeaveAction())
    return await look(request, chouette, person)


@router.post("/chouettes/{chouette}/bots")
async def invite_bot(request: Request, chouette: str, body: NewBot, person: Player) -> dict[str, Any]:
    """Let a bot sit down; anybody who sits at the table may ask for one."""
    site = site_of(request)
    table = await _table(site.chouettes, chouette, person)
    if not (table.names_of(person.id) or table.owner == person.id):
        raise Failure(403, "you may not do this")
    sitter = gathering.bot(table.people, gathering.level(body.level))
    await gathering.seat(site.database, chouette, sitter)
    await _join(site.chouettes, table, sitter.name, person)
    return await look(request, chouette, person)


@router.post("/chouettes/{chouette}/begin")
async def begin(request: Request, chouette: str, person: Player) -> dict[str, Any]:
    """Throw for the seats and begin; anybody who sits at the table may."""
    site = site_of(request)
    table = await _table(site.chouettes, chouette, person)
    if not (table.names_of(person.id) or table.owner == person.id):
        raise Failure(403, "you may not do this")
    if table.state == "open":
        header, throws = gathering.begun(table)
        await gathering.begin(site.database, header, throws)
    return await look(request, chouette, person)


@router.delete("/chouettes/{chouette}")
async def withdraw(request: Request, chouette: str, person: Player) -> dict[str, Any]:
    """Take away a table of one's own that has not begun."""
    site = site_of(request)
    table = await _table(site.chouettes, chouette, person)
    if table.owner != person.id:
        raise Failure(403, "you may not do this")
    await gathering.withdraw(site.database, chouette)
    return {}


@router.post("/chouettes/{chouette}/people/{name}/stand-in")
async def stand_in(
    request: Request, chouette: str, name: str, body: StandIn, person: Player
) -> dict[str, Any]:
    """Let the program play in one's seat, or play again; others may do so for a player who is long away."""
    site = site_of(request)
    room = await _begun(site.chouettes, chouette, person)
    sitter = room.agreement.sitter(name)
    if sitter is None or sitter.user is None:
        raise Failure(404, Text("there is no {name} at this table", name=name))
    own, sits = sitter.user == person.id, bool(room.agreement.names_of(person.id))
    if not own and not (sits and body.on and name in room.viewers.presence.away()):
        raise Failure(409, "they may still come back", code="claim.early")
    await gathering.stand_in(site.database, chouette, name, gathering.level(None) if body.on else None)
    await room.reseat()
    site.chouettes.reseated(chouette)
    return {}


# What was played


async def _record(rooms: ChouetteTables, chouette: str, person: Person | None) -> tuple[ChouetteRecord, bool]:
    """What was played, and whether the chouette is over; Failure 404 where it is not theirs to see."""
    table = await _table(rooms, chouette, person)
    if table.header is None:
        raise Failure(404, _NOT_BEGUN)
    events = tuple(await rooms.kind.store.tail(chouette, 0))
    return ChouetteRecord(table.header, events), bool(events) and "match" in events[-1].then


@router.get("/chouettes/{chouette}/record", response_class=PlainTextResponse, dependencies=[costs(5)])
async def record(request: Request, chouette: str, person: MaybePerson) -> PlainTextResponse:
    """The record of a chouette as a file: docs/guide/records.md describes it.

    While it goes on, the seed of seeded dice is left out.
    """
    found, over = await _record(site_of(request).chouettes, chouette, person)
    header = shown_header(found.header, over=over)
    shown = ChouetteRecord(header, tuple(shown_events(found.events, over=over)))
    text = await asyncio.to_thread(shown.to_text)
    name = f"chouette-{chouette}.jsonl"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/chouettes/{chouette}/frames", dependencies=[costs(20)], response_model=dict[str, Any])
async def frames(request: Request, chouette: str, person: MaybePerson, game: int = 1) -> Response:
    """One game of a chouette, position by position, with the cubes and the sheet."""
    site = site_of(request)
    found, _ = await _record(site.chouettes, chouette, person)

    async def render() -> tuple[bytes, Mapping[Key, bytes]]:
        data = await asyncio.to_thread(frames_data, found, game)
        text = to_json({"chouette": chouette, **data})
        return text, {key: text} if data["over"] and 1 <= game <= data["games"] else {}

    # By the names too: that of a deleted account is taken out of what is stored.
    names = sorted({*found.header.seats.people, *(event.actor for event in found.events)})
    key = (chouette, "frames", str(game), *names)
    return Response(await site.play.rendered.get(key, render), media_type="application/json")


@router.get("/chouettes/{chouette}/dice", dependencies=[costs(20)], response_model=dict[str, Any])
async def dice(request: Request, chouette: str, person: MaybePerson) -> Response:
    """The transcript of the dice so far, and what an audit by the server says of it. While the chouette goes
    on, the seed of seeded dice is `withheld`."""
    site = site_of(request)
    found, over = await _record(site.chouettes, chouette, person)

    def audit() -> bytes:
        players = {"white": {"name": "", "kind": "user"}, "black": {"name": "", "kind": "user"}}
        return to_json({"match": chouette, "players": players, **replay.dice_data(found.events, over=over)})

    async def render() -> tuple[bytes, Mapping[Key, bytes]]:
        text = await asyncio.to_thread(audit)
        return text, {key: text} if over else {}

    key = (chouette, "dice")
    return Response(await site.play.rendered.get(key, render), media_type="application/json")


# The socket


async def chouette_socket(socket: WebSocket) -> None:
    """Play or watch a chouette; `v` in the address is the last event that the page has seen."""
    site = site_of(socket)
    visitor = await greet(socket)
    if visitor is None:
        return None
    try:
        with site.limits.boards(visitor.user, address(socket)):
            room = await site.chouettes.room(socket.path_params["chouette"])
            if room is None or not may_look(room.agreement, visitor.user):
                return await send_away(socket, GONE, "not_found", _NOT_BEGUN)
            seen = socket.query_params.get("v", "")
            v = int(seen) if seen.isdecimal() and len(seen) < 10 else None
            viewer = Viewer(visitor.user, (), visitor.lang, clock=room.kind.clock)
            with site.notifications.sent(visitor.person, viewer.send, viewer.cut, match=room.id):
                line = ChouetteConnection(
                    socket, room, viewer, site.limits.messages(), site.chouette_chat, site.limits.is_restless
                )
                return await line.run(v)
    except Failure as failure:
        code = FLOODED if failure.status_code == 429 else GONE
        return await send_away(socket, code, failure.code, failure.detail)


ROUTES = [WebSocketRoute("/ws/chouette/{chouette}", chouette_socket)]
