"""Chouettes: made, joined, begun, looked at, taken away as a record."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from sheshbesh.i18n import Text
from sheshbesh.rules import Refused
from sheshbesh.server.http.api.bodies import Body, GivenCard, Words
from sheshbesh.server.http.api.invites import link_picture
from sheshbesh.server.http.api.tables import NO_CHOUETTE, NOT_BEGUN
from sheshbesh.server.http.api.users import LATEST, find_user
from sheshbesh.server.http.identity import MaybePerson, Player, Reader
from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.people.access import check_look
from sheshbesh.server.people.names import check_hot_seats
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.social import Social
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of
from sheshbesh.server.tables import gathering, view
from sheshbesh.server.tables.begin import read_card
from sheshbesh.server.tables.chouette import ChouetteInPlay
from sheshbesh.server.tables.seats import ChouetteAgreement, Sitter
from sheshbesh.server.tables.store import ChouetteStore
from sheshbesh.server.tables.tables import ChouetteTables
from sheshbesh.session import Action, Consultation, JoinAction, LeaveAction
from sheshbesh.session.chouette.seats import MOST

router = APIRouter(tags=["chouettes"])


class NewChouette(Body):
    """The chouette to be played and those who sit down at once: `names` at one screen, `bots` by their
    levels."""

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
    """A switch: true if the program plays in somebody's seat."""

    on: bool


async def _agreed(tables: ChouetteTables, chouette: str, person: Person | None) -> ChouetteAgreement:
    """A chouette that this person may look at; Failure 404 where there is none."""
    agreed = await tables.agreement(chouette)
    check_look(agreed, person, missing=NO_CHOUETTE)
    assert agreed is not None
    return agreed


async def _begun(tables: ChouetteTables, chouette: str, person: Person | None) -> ChouetteInPlay:
    """One that has begun; Failure 404 where there is none."""
    check_look(await tables.agreement(chouette), person, missing=NOT_BEGUN)
    table = await tables.get(chouette)
    if table is None:
        raise Failure(404, NOT_BEGUN)
    return table


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
    agreed = ChouetteAgreement(
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
    gathering.check(agreed)
    if len(people) > MOST:
        raise Failure(422, Text("a chouette has at most {most} people", most=MOST), where="bots")
    await gathering.create(site.database, agreed)
    return {"id": agreed.id, "url": f"/chouette/{agreed.id}"}


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
    """Return what a chouette is: its card, who sits there, whether it has begun."""
    agreed = await _agreed(site_of(request).chouettes, chouette, person)
    user = person.id if person is not None else None
    return {
        "id": agreed.id,
        "url": f"/chouette/{agreed.id}",
        "state": agreed.state,
        "card": view.card_data(agreed.card),
        "consultation": agreed.consultation.value,
        "chosen_members": agreed.chosen_members,
        "private": agreed.unlisted,
        "people": [
            {
                "name": each.name,
                "bot": each.user is None,
                "level": each.level,
                "you": user is not None and each.user == user,
            }
            for each in agreed.people
        ],
        "you": list(agreed.names_of(user)),
        "owner": user is not None and agreed.owner == user,
        "throws": {name: list(dice) for name, dice in agreed.throws.items()},
    }


@router.get("/chouettes/{chouette}/qr.svg", response_class=Response)
async def picture(request: Request, chouette: str, person: MaybePerson) -> Response:
    """The link of a table as a QR code."""
    agreed = await _agreed(site_of(request).chouettes, chouette, person)
    return link_picture(request, f"/chouette/{agreed.id}")


async def _apart(social: Social, agreed: ChouetteAgreement, person: Person) -> None:
    """Failure where somebody at the table and this person do not play with each other."""
    for sitter in agreed.people:
        if sitter.user is not None and await social.are_apart(sitter.user, person.id):
            raise Failure(403, "you two do not play with each other", code="apart")


@router.post("/chouettes/{chouette}/seat")
async def sit(request: Request, chouette: str, person: Player) -> dict[str, Any]:
    """Sit down: at once before the chouette has begun, else when no game is played."""
    site = site_of(request)
    agreed = await _agreed(site.chouettes, chouette, person)
    await _apart(site.people.social, agreed, person)
    gathering.check_joins(agreed, person.id)
    name = next(iter(agreed.names_of(person.id)), person.name)
    await gathering.seat(site.database, chouette, Sitter(name, person.id))
    agreed = await _agreed(site.chouettes, chouette, person)  # it may have begun meanwhile
    await _join(site.chouettes, agreed, name, person)
    return await look(request, chouette, person)


async def _join(tables: ChouetteTables, agreed: ChouetteAgreement, name: str, person: Person) -> None:
    """Seat a newcomer: where the chouette has begun, they wait for the end of the game."""
    if agreed.state == "open":
        return
    table = await _begun(tables, agreed.id, person)
    await table.reseat()
    tables.reseated(agreed.id)
    if "join" in table.state.allowed(name):
        await _act(table, name, JoinAction())


async def _act(table: ChouetteInPlay, name: str, action: Action) -> None:
    try:
        await table.act(name, action)
    except Refused as refused:
        raise Failure(409, refused.refusal.text, code=refused.refusal.rule) from None


@router.delete("/chouettes/{chouette}/people/{name}")
async def stand_up(request: Request, chouette: str, name: str, person: Player) -> dict[str, Any]:
    """Take somebody from the table: oneself, a bot, or before the beginning whom its owner does not want."""
    site = site_of(request)
    agreed = await _agreed(site.chouettes, chouette, person)
    sitter = agreed.sitter(name)
    if sitter is None:
        raise Failure(404, Text("there is no {name} at this table", name=name))
    sits = bool(agreed.names_of(person.id))
    own = sitter.user == person.id
    if not (own or (sitter.user is None and sits) or (agreed.state == "open" and agreed.owner == person.id)):
        raise Failure(403, "you may not do this")
    if agreed.state == "open" and await gathering.unseat(site.database, chouette, name):
        return await look(request, chouette, person)
    table = await _begun(site.chouettes, chouette, person)
    if not own and not any(each in table.state.seats.people for each in agreed.names_of(person.id)):
        raise Failure(403, "you may not do this")
    await _act(table, name, LeaveAction())
    return await look(request, chouette, person)


@router.post("/chouettes/{chouette}/bots")
async def invite_bot(request: Request, chouette: str, body: NewBot, person: Player) -> dict[str, Any]:
    """Let a bot sit down; anybody who sits at the table may ask for one."""
    site = site_of(request)
    agreed = await _agreed(site.chouettes, chouette, person)
    if not (agreed.names_of(person.id) or agreed.owner == person.id):
        raise Failure(403, "you may not do this")
    sitter = gathering.bot(agreed.people, gathering.level(body.level))
    await gathering.seat(site.database, chouette, sitter)
    agreed = await _agreed(site.chouettes, chouette, person)
    await _join(site.chouettes, agreed, sitter.name, person)
    return await look(request, chouette, person)


@router.post("/chouettes/{chouette}/begin")
async def begin(request: Request, chouette: str, person: Player) -> dict[str, Any]:
    """Throw for the seats and begin; anybody who sits at the table may."""
    site = site_of(request)
    agreed = await _agreed(site.chouettes, chouette, person)
    if not (agreed.names_of(person.id) or agreed.owner == person.id):
        raise Failure(403, "you may not do this")
    if agreed.state == "open":
        header, throws = gathering.begun(agreed)
        await gathering.begin(site.database, agreed, header, throws)
    return await look(request, chouette, person)


@router.delete("/chouettes/{chouette}")
async def withdraw(request: Request, chouette: str, person: Player) -> dict[str, Any]:
    """Take away a table of one's own that has not begun."""
    site = site_of(request)
    agreed = await _agreed(site.chouettes, chouette, person)
    if agreed.owner != person.id:
        raise Failure(403, "you may not do this")
    await gathering.withdraw(site.database, chouette)
    return {}


@router.post("/chouettes/{chouette}/people/{name}/stand-in")
async def stand_in(
    request: Request, chouette: str, name: str, body: StandIn, person: Player
) -> dict[str, Any]:
    """Let the program play in one's seat, or play again; others may do so for a player who is long away."""
    site = site_of(request)
    table = await _begun(site.chouettes, chouette, person)
    sitter = table.agreement.sitter(name)
    if sitter is None or sitter.user is None:
        raise Failure(404, Text("there is no {name} at this table", name=name))
    own = sitter.user == person.id
    sits = any(each in table.state.seats.people for each in table.agreement.names_of(person.id))
    if not own and not (sits and body.on and name in table.viewers.presence.away()):
        raise Failure(409, "they may still come back", code="claim.early")
    await gathering.stand_in(site.database, chouette, name, gathering.level(None) if body.on else None)
    await table.reseat()
    site.chouettes.reseated(chouette)
    return {}
