"""The visitor: guests, who am I, settings, days off, messages to a closed page, signing out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from pydantic import Field, StringConstraints
from sqlalchemy import Connection, select, update

from sheshbesh.i18n import Text, choose
from sheshbesh.match import Card
from sheshbesh.server.http.api.bodies import Body, Shallow
from sheshbesh.server.http.cookies import Browser, clear_cookie, set_cookie, sign, unsign
from sheshbesh.server.http.identity import MaybePerson, Owner, Reader
from sheshbesh.server.http.request_limits import address, costs
from sheshbesh.server.ids import now_ms
from sheshbesh.server.monitoring import security
from sheshbesh.server.news.push import Subscription
from sheshbesh.server.people.history import History
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.vacations import MOST_A_YEAR, MOST_AT_ONCE, Vacation
from sheshbesh.server.practice.week import Weeks
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import Site, site_of
from sheshbesh.server.storage.tables import users
from sheshbesh.server.tables.store import standing_row
from sheshbesh.server.tables.view import standing_data

router = APIRouter(tags=["me"])

_LARGEST_SETTINGS = 8 * 1024
_CALENDAR = "calendar"
"""The purpose of the signature in the address of somebody's own calendar."""


@router.post("/guest")
async def be_guest(request: Request, response: Response, person: MaybePerson) -> dict[str, Any]:
    """Become a guest; a visitor who is signed in stays signed in."""
    site = site_of(request)
    if person is None:
        site.limits.guests.check(address(request))
        person, secret = await site.people.directory.new_guest(request.headers.get("user-agent", ""))
        set_cookie(response, site.settings, secret)
    return {"user": me_data(person)}


@router.get("/me")
async def me(person: Reader) -> dict[str, Any]:
    """Return who I am."""
    return {"user": me_data(person)}


@router.get("/me/matches")
async def my_matches(request: Request, person: Reader) -> list[dict[str, Any]]:
    """The matches I have going on, to go back to: how each stands, whose turn it is, and the clocks."""
    site = site_of(request)
    listed = []
    for entry in await History(site.database).going_on(person.id):
        stands, down = entry.pop("standing"), entry.pop("down")
        if stands is None:
            # Of an earlier version, or just begun: its table has the state, and stores it.
            with suppress(Failure):  # one that is damaged is left out
                if table := await site.matches.get(entry["id"]):
                    stands = standing_row(table.agreement, table.session)["standing"]
        if stands is not None:
            now = site.matches.clock.steady_ms() - (site.uptime.down - down)
            listed.append(entry | standing_data(Card.from_code(entry["card"]), stands, now))
    return sorted(listed, key=lambda entry: not _waits_for_me(entry))


@router.get("/me/calendar")
async def my_calendar(request: Request, person: Owner) -> dict[str, Any]:
    """Return the address of the calendar of what I have entered, which whoever has it can read.

    It is another one once I have changed my password or ended sign-ins.
    """
    site = site_of(request)
    key = sign(site.settings.secret, _CALENDAR, await _calendar_text(site, person.id))
    return {"url": f"/people/{quote(person.name, safe='')}/{key}.ics"}


async def calendar_owner(site: Site, key: str) -> str:
    """Return whose calendar this is the key of; Failure 404 for one that is forged or was withdrawn."""
    text = unsign(site.settings.secret, _CALENDAR, key) or ""
    user = text.rpartition(".")[0]
    if not user or text != await _calendar_text(site, user):
        raise Failure(404, "there is no such calendar")
    return user


async def _calendar_text(site: Site, user: str) -> str:
    """Return what the key of somebody's calendar signs."""
    return f"{user}.{await site.people.accounts.calendar(user)}"


@router.get("/me/week", dependencies=[costs(5)])
async def my_week(request: Request, person: Reader) -> dict[str, Any]:
    """My last seven days: games, the performance rating against the week before, the worst error, puzzles."""
    return await Weeks(site_of(request).database).of(person.id, now_ms())


def _waits_for_me(entry: Mapping[str, Any]) -> bool:
    """Return True if a match goes on with a move of this player, and with nobody else's."""
    return not entry["paused"] and bool(entry["to_act"]) and set(entry["to_act"]) <= set(entry["you"])


@router.put("/me/settings")
async def put_settings(
    request: Request, person: Owner, settings: Annotated[dict[str, Any], Shallow]
) -> dict[str, Any]:
    """Keep the page's settings with the person. `free_chat: false` takes preset phrases only."""
    _check_size(settings)
    row = update(users).where(users.c.id == person.id).values(settings=settings)
    await site_of(request).database.write(row)
    return {"settings": settings}


@router.patch("/me/settings")
async def patch_settings(
    request: Request, person: Owner, settings: Annotated[dict[str, Any], Shallow]
) -> dict[str, Any]:
    """Change some of the settings kept with the person, by a JSON merge patch (RFC 7396)."""

    def change(connection: Connection) -> dict[str, Any]:
        row = users.c.id == person.id
        # Locked, so that of two pages that change something at the same time neither is lost.
        kept = connection.execute(select(users.c.settings).where(row).with_for_update()).scalar_one()
        merged = _merged(kept, settings)
        _check_size(merged)
        connection.execute(update(users).where(row).values(settings=merged))
        return merged

    (merged,) = await site_of(request).database.write(change)
    return {"settings": merged}


def _merged(kept: object, change: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a merge patch makes of a value: null takes a member away, objects are merged."""
    result = dict(kept) if isinstance(kept, Mapping) else {}
    for name, value in change.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = _merged(result.get(name), value) if isinstance(value, Mapping) else value
    return result


def _check_size(settings: Mapping[str, Any]) -> None:
    if len(json.dumps(settings, ensure_ascii=False).encode()) > _LARGEST_SETTINGS:
        raise Failure(413, Text("settings have at most {n} bytes", n=_LARGEST_SETTINGS))


@router.post("/logout")
async def log_out(request: Request, response: Response, person: MaybePerson) -> dict[str, Any]:
    """End this browser's sign-in. A guest who has claimed nothing is gone for good."""
    site = site_of(request)
    if person is not None and person.sign_in is not None:
        await site.people.directory.sign_out(person.sign_in)
        if person.kind == "user":
            Browser.of(request, site.settings).remember(response, site.settings, person.id)
        security.note("sign_out", request, user=person.id, name=person.name)
        site.people.signed_out(person.id)
    clear_cookie(response, site.settings)
    return {}


def me_data(person: Person) -> dict[str, Any]:
    """A person as the person sees it."""
    own = {**person.to_data(), "settings": dict(person.settings)}
    return own | {"moderator": True} if person.moderator else own


# Days off


class DaysOff(Body):
    """For how many days one is away, from now on."""

    days: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)]


@router.get("/me/vacation")
async def vacation(request: Request, person: Owner) -> dict[str, Any]:
    """Until when I am away (ms since 1970, null where I am here), and how many days I have left this year."""
    return _vacation_data(await site_of(request).people.vacations.of(person.id))


@router.post("/me/vacation")
async def go_away(request: Request, person: Owner, body: DaysOff) -> dict[str, Any]:
    """Be away from now on, or for longer: no time runs for me in matches by correspondence meanwhile.

    I may play all the same. A vacation that has begun is not shortened.
    """
    site = site_of(request)
    taken = await site.people.vacations.take(person, body.days)
    await site.absences.hold_all(person.id)
    return _vacation_data(taken)


def _vacation_data(found: Vacation) -> dict[str, Any]:
    return {"until": found.until, "left": found.left, "most": MOST_AT_ONCE, "a_year": MOST_A_YEAR}


# Messages to a browser that shows no page of the site

Address = Annotated[str, StringConstraints(max_length=1000)]
Key = Annotated[str, StringConstraints(max_length=200)]


class Keys(Body):
    """A browser's public key and secret, as it gives them."""

    p256dh: Key
    auth: Key


class Subscribed(Body):
    """The answer of the browser's `pushManager.subscribe`."""

    endpoint: Address
    keys: Keys


class Ended(Body):
    """The address of a subscription that a browser ends."""

    endpoint: Address


@router.get("/push")
async def key(request: Request) -> dict[str, Any]:
    """The key to subscribe to, null where this site sends no messages."""
    return {"key": site_of(request).people.push.key}


@router.post("/me/push")
async def subscribe(request: Request, person: Owner, body: Subscribed) -> dict[str, Any]:
    """Notify this browser from now on when a match by correspondence waits for me."""
    browser = Subscription(body.endpoint, body.keys.p256dh, body.keys.auth)
    lang = choose(request.headers.get("accept-language", ""))
    await site_of(request).people.push.subscribe(person, browser, lang)
    return {}


@router.post("/me/push/end")
async def end(request: Request, person: Owner, body: Ended) -> dict[str, Any]:
    """Notify this browser no more."""
    await site_of(request).people.push.end(person, body.endpoint)
    return {}
