"""Tournaments: lists, entries, what directors do, standings and brackets, exports, and the socket."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Self

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import Field, StringConstraints, model_validator
from sqlalchemy import Row, select
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sheshbesh.errors import EntrantsError
from sheshbesh.i18n import Text, translate
from sheshbesh.rules import Refused
from sheshbesh.rules.safe_text import unfit_character
from sheshbesh.server.http.api.bodies import Body, Shallow
from sheshbesh.server.http.api.invites import link_picture
from sheshbesh.server.http.api.me import calendar_owner
from sheshbesh.server.http.api.sockets import greet, pings
from sheshbesh.server.http.cookies import Browser
from sheshbesh.server.http.errors import language
from sheshbesh.server.http.identity import Director, Entrant, MaybePerson, find_person, with_scope
from sheshbesh.server.http.request_limits import address, charge, check_page, costs
from sheshbesh.server.people.access import Course, cache_control, check_look
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import SITE_RULES, Failure, refuse
from sheshbesh.server.site import Site, site_of
from sheshbesh.server.storage.tables import users
from sheshbesh.server.storage.tournament_tables import tournaments as rows
from sheshbesh.server.tables.kind import Speaker
from sheshbesh.server.tables.wire import PONG, Words
from sheshbesh.server.tournaments import export, view
from sheshbesh.server.tournaments.calendar import calendar
from sheshbesh.server.tournaments.entries import entry_of
from sheshbesh.server.tournaments.feed import feed
from sheshbesh.server.tournaments.store import address_steps
from sheshbesh.server.tournaments.tournaments import CHANGED, LARGE
from sheshbesh.tournaments import (
    ACTIONS,
    MODERATOR,
    Action,
    Event,
    Settings,
    Status,
    Tournament,
    allowed,
    apply,
    read_names,
)
from sheshbesh.tournaments.actions import (
    AmendAction,
    CheckInAction,
    LeaveAction,
    PauseAction,
    PenaltyAction,
    ResumeAction,
)
from sheshbesh.tournaments.permissions import DIRECTOR, REFEREE, RULES
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.settings import FARTHEST_START, setting_data
from sheshbesh.tournaments.state import ENDED

router = APIRouter(tags=["tournaments"])

Ref = Annotated[str | None, StringConstraints(min_length=1, max_length=40)]
Fields = Annotated[dict[str, Any], Shallow]
_OFFICIAL = {kind: rule for kind, rule in RULES.items() if {DIRECTOR, REFEREE, MODERATOR} & set(rule.roles)}
_EVENTS = 500
_PAGES = 1000
_HIGHEST = 2**31 - 1
"""The highest number of an event or a pairing that the database can be asked for."""
_DEAR = 10
"""The cost of a whole record, in requests."""
_EVERY = 1.0
"""Seconds between two frames of a socket at least."""
_WAITING = 50
"""Messages that wait for a slow socket at most; of more the oldest are left out."""
_SOON = (Status.ANNOUNCED.value, Status.OPEN.value, Status.CHECK_IN.value)
_NOW = (Status.RUNNING.value,)
_PLAYED = (Status.CHECK_IN, Status.RUNNING, Status.CONFIRMING)
_LINK = re.compile(r"https?:|www\.|\w\.[a-z]{2,}(?:[/:?#]|\b)", re.IGNORECASE)
_DONE = (Status.CONFIRMING.value, Status.OVER.value)


class Entry(Body):
    """An entry: 32 bytes that the page made, for the draw; and whether the waiting list will do."""

    share: Annotated[str, StringConstraints(pattern="^([0-9a-f]{64})?$")] = ""
    waiting: bool = False


class Doing(Body):
    """An action of a director: its fields, a name of one's own for it, and up to which event one has seen."""

    ref: Ref = None
    key: Annotated[int, Field(ge=0, le=_HIGHEST)] | None = None
    fields: Fields = Field(default_factory=dict)


class Said(Body):
    """A message: a preset `phrase` by its id, or `text`."""

    text: Annotated[str, StringConstraints(max_length=1000)] | None = None
    phrase: Annotated[str, StringConstraints(max_length=40)] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.text is None) is (self.phrase is None):
            raise ValueError("a message is a text or a phrase")
        return self


class Names(Body):
    """A file of names, as CSV."""

    text: Annotated[str, StringConstraints(max_length=1024 * 1024)]
    ref: Ref = None


# Lists


@router.get("/tournaments")
async def listed(request: Request, person: MaybePerson, game: str | None = None) -> dict[str, Any]:
    """Tournaments that are played `now`, that start `soon`, that are `mine`, and that are `done`."""
    store = site_of(request).tournaments.store
    public = [rows.c.public, *([rows.c.game == game] if game else [])]
    own = await store.of_person(person.id) if person is not None else ()
    return {
        "now": [view.summary(row) for row in await store.listed(*public, rows.c.status.in_(_NOW))],
        "soon": [view.summary(row) for row in await store.listed(*public, rows.c.status.in_(_SOON))],
        "mine": [view.summary(row) for row in own if not game or row.game == game],
        "done": [
            view.summary(row) for row in await store.listed(*public, rows.c.status.in_(_DONE), latest=True)
        ],
    }


@router.post("/tournaments")
async def make(request: Request, person: Director, body: Fields) -> dict[str, Any]:
    """Make a draft, by its settings, which its maker directs. It is announced by a director's action."""
    site = site_of(request)
    if person.kind == "guest":
        raise Failure(409, "claim a name first", code="guest")
    site.limits.matches.check(person.id)
    settings = _settings(body)
    _check_new(body, site.tournaments.now())
    state = await site.tournaments.create(settings, person.id)
    return await _whole(site, state, person)


@router.get("/tournaments/{identity}")
async def one(request: Request, person: MaybePerson, identity: str) -> dict[str, Any]:
    """A tournament, and what one is and may do in it."""
    site = site_of(request)
    return await _whole(site, await _found(site, identity, person), person)


@router.patch("/tournaments/{identity}")
async def amend(request: Request, person: Director, identity: str, body: Fields) -> dict[str, Any]:
    """Change settings, as far as nobody has relied on them."""
    site = site_of(request)
    changes = {name: value for name, value in body.items() if name != "reason"}
    action = _action("amend", {"changes": changes, "reason": body.get("reason", "")})
    _check_changes(await _found(site, identity, person), action, site.tournaments.now())
    outcome = await site.tournaments.act(identity, await _actor(site, identity, person), action)
    return await _whole(site, outcome.state, person)


# Entrants


@router.post("/tournaments/{identity}/entry")
async def enter(
    request: Request, response: Response, person: Entrant, identity: str, body: Entry
) -> dict[str, Any]:
    """Enter, or come back into an arena.

    Refused where another account of this browser is in, has been in since the start, or is excluded.
    """
    site = site_of(request)
    site.limits.seeks.check(person.id)
    state = await _found(site, identity, person)
    browser = Browser.of(request, site.settings)
    if any(_bars_another(state, other) for other in set(browser.accounts) - {person.id}):
        raise refused("entry.twice")
    action = await entry_of(
        *(site.database, state.settings, person),
        share=body.share,
        waiting=body.waiting,
        now=site.tournaments.now(),
    )
    also = address_steps(identity, person.id, _mark(request, identity))
    outcome = await site.tournaments.act(identity, person.id, action, also=also)
    if person.sign_in is not None:
        browser.remember(response, site.settings, person.id)
    return {"n": outcome.state.n, "me": view.mine(outcome.state, person.id)}


def _bars_another(state: Tournament, account: str) -> bool:
    """Tell whether this account lets no other one of its browser enter."""
    entrant = state.by_id.get(account)
    return account in state.banned or (entrant is not None and (entrant.status != "out" or entrant.seed > 0))


def _mark(request: Request, identity: str) -> str:
    """Return the mark of the address that a request comes from: it is kept for this tournament alone."""
    secret, text = site_of(request).settings.secret, f"sheshbesh/entry|{identity}|{address(request)}"
    return hmac.digest(secret.encode(), text.encode(), "sha256").hex()[:32]


@router.delete("/tournaments/{identity}/entry")
async def leave(request: Request, person: Entrant, identity: str) -> dict[str, Any]:
    """Leave: before the start for good, afterwards as withdrawn, in an arena for a while."""
    return await _own(request, identity, person, LeaveAction())


@router.post("/tournaments/{identity}/check-in")
async def check_in(request: Request, person: Entrant, identity: str) -> dict[str, Any]:
    """Say that one is there."""
    return await _own(request, identity, person, CheckInAction())


@router.post("/tournaments/{identity}/pause")
async def pause(request: Request, person: Entrant, identity: str) -> dict[str, Any]:
    """Be paired no more until one resumes."""
    return await _own(request, identity, person, PauseAction())


@router.delete("/tournaments/{identity}/pause")
async def resume(request: Request, person: Entrant, identity: str) -> dict[str, Any]:
    """Be paired again."""
    return await _own(request, identity, person, ResumeAction())


async def _own(request: Request, identity: str, person: Person, action: Action) -> dict[str, Any]:
    site = site_of(request)
    site.limits.seeks.check(person.id)
    await _found(site, identity, person)
    outcome = await site.tournaments.act(identity, person.id, action)
    return {"n": outcome.state.n, "me": view.mine(outcome.state, person.id)}


# Directors


@router.post("/tournaments/{identity}/director/names")
async def add_names(request: Request, person: Director, identity: str, body: Names) -> dict[str, Any]:
    """Enter everybody of a CSV file (name, rating, club), or nobody where a line is wrong."""
    site = site_of(request)
    state = await _found(site, identity, person)
    _refuse_on_site(state)
    try:
        actions = read_names(
            body.text.encode(), (each.name for each in state.entrants if each.status != "out")
        )
    except EntrantsError as error:
        problems = (translate(each, language(request)) for each in error.problems)
        raise Failure(422, "; ".join(problems), where="text") from None
    actor = await _actor(site, identity, person)
    await asyncio.to_thread(_try_all, state, actor, actions, site.tournaments.now())
    for number, action in enumerate(actions):
        ref = None if body.ref is None else f"{body.ref}/{number}"
        state = (await site.tournaments.act(identity, actor, action, ref=ref)).state
    return await _whole(site, state, person)


def _refuse_on_site(state: Tournament) -> None:
    """Failure 409 where a director would enter people in a tournament that is played on the site."""
    if state.settings.boards == "site":
        raise Failure(409, "people enter a tournament on the site themselves", where="action")


def _try_all(state: Tournament, actor: str, actions: Sequence[Action], now: int) -> None:
    """Raise Refused if one of these actions would be refused, so that none is taken."""
    for action in actions:
        state = apply(state, actor, action, now).state


@router.post("/tournaments/{identity}/director/{kind}")
async def direct(request: Request, person: Director, identity: str, kind: str, body: Doing) -> dict[str, Any]:
    """Take an action of a director, a referee or a moderator; the fields are those of the action.

    With `ref` a request that is sent again has its first outcome; with `key`, the `n` that one has seen, it
    is refused as `stale` where something to be decided upon has changed since.
    """
    site = site_of(request)
    if kind not in _OFFICIAL:
        raise Failure(404, "there is no such action", where="action")
    state = await _found(site, identity, person)
    if kind == "add":
        _refuse_on_site(state)
        if "id" in body.fields:  # who has an account enters themselves
            raise Failure(422, Text(SITE_RULES["field.unknown"], field="id"), where="id")
    actor = await _actor(site, identity, person)
    action = _action(kind, body.fields)
    _check_changes(state, action, site.tournaments.now())
    _check_new(body.fields, site.tournaments.now())
    outcome = await site.tournaments.act(identity, actor, action, ref=body.ref, key=body.key)
    return await _whole(site, outcome.state, person) | {"then": dict(outcome.then)}


# Talk

Writer = Annotated[Person, Depends(with_scope("chat"))]


@router.get("/tournaments/{identity}/chat")
async def talk(request: Request, person: MaybePerson, identity: str) -> list[dict[str, Any]]:
    """Return the latest messages, the oldest first, as the socket sends them."""
    site = site_of(request)
    await _found(site, identity, person)
    return [msgspec.json.decode(frame)["d"] for frame in await site.tournament_chat.recent(identity)]


def _is_official(state: Tournament, person: Person) -> bool:
    return person.moderator or Course(state).is_player(person.id)


def _silenced_by(state: Tournament, person: Person) -> str | None:
    """Return the rule by which somebody may not write here; None if they may."""
    if state.status in (Status.DRAFT, *ENDED):
        return "chat.off"
    if person.id in state.muted:
        return "chat.event_muted"
    if _is_official(state, person):
        return None
    entrant = state.by_id.get(person.id)
    has_part = entrant is not None and entrant.status != "waiting" and not entrant.gone
    asks_before = state.status not in _PLAYED and person.kind != "guest"
    return None if person.id not in state.banned and (has_part or asks_before) else "chat.entrants"


@router.post("/tournaments/{identity}/chat")
async def say(request: Request, person: Writer, identity: str, body: Said) -> dict[str, Any]:
    """Write a message: a preset phrase, or free text. While it runs only entrants and officials do."""
    site = site_of(request)
    state = await _found(site, identity, person)
    if (rule := _silenced_by(state, person)) is not None:
        raise Refused(refuse(rule))
    if body.text is not None and _LINK.search(body.text) and not _is_official(state, person):
        raise Refused(refuse("chat.links"))
    await site.tournament_chat.say(
        Speaker(identity, person.id, person.name, ()), Words(text=body.text, phrase=body.phrase)
    )
    return {}


# Reading


@router.get("/tournaments/{identity}/standings")
async def standings(
    request: Request, person: MaybePerson, identity: str, page: Annotated[int, Query(ge=0, le=_PAGES)] = 1
) -> Response:
    """Return a page of the standings, or with 0 all of them, with the numbers of the tie-breaks."""
    site = site_of(request)
    kept = cache_control(Course(await _found(site, identity, person)), told="no-cache")
    state = await site.tournaments.shown(identity)
    assert state is not None
    gone = await site.tournaments.gone(identity)
    page = min(page, view.page_count(state))
    if page == 0 and len(state.entrants) >= LARGE:  # all rows take longer than others should wait
        content, tag = await asyncio.to_thread(view.standings_page, state, page, gone)
    else:
        content, tag = view.standings_page(state, page, gone)
    headers = {"ETag": tag, "Cache-Control": kept}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/json", headers=headers)


async def standings_at_once(request: Request) -> Response:
    """Answer as `standings` does, without the layers around other routes: all who play look at them."""
    page = request.query_params.get("page", "1")
    charge(request, 1 if page.strip("0") else _DEAR)
    person = await find_person(request)
    if not (page.isascii() and page.isdecimal() and len(page) < 5 and int(page) <= _PAGES):
        raise Failure(422, Text(SITE_RULES["field.number"], field="page"), where="page")
    return await standings(request, person, request.path_params["identity"], int(page))


@router.get("/tournaments/{identity}/bracket")
async def bracket(request: Request, person: MaybePerson, identity: str) -> dict[str, Any]:
    """The brackets, by round."""
    site = site_of(request)
    state = await _found(site, identity, person)
    return view.brackets(state, await site.tournaments.store.gone(identity))


@router.get("/tournaments/{identity}/rounds/{number}")
async def of_round(request: Request, person: MaybePerson, identity: str, number: int) -> dict[str, Any]:
    """The pairings of a round; of a wave, where there are no rounds."""
    site = site_of(request)
    state = await _found(site, identity, person)
    if not 1 <= number <= state.rounds:
        raise Failure(404, "there is no such round", where="round")
    gone = await site.tournaments.store.gone(identity)
    return view.pairings_data(state, state.of_round(number), gone) | {"round": number}


@router.get("/tournaments/{identity}/pairings")
async def pairings(
    request: Request,
    person: MaybePerson,
    identity: str,
    live: bool = False,  # noqa: FBT001, FBT002 -- a parameter of the query
    after: Annotated[int, Query(ge=0, le=_HIGHEST)] = 0,
    latest: Annotated[int, Query(ge=1, le=_EVENTS)] | None = None,
) -> dict[str, Any]:
    """Return the pairings after number `after`, at most 500, or so many of the `latest`.

    With `live` those that are open: all of them, unless several rounds are played at a time.
    """
    site = site_of(request)
    state = await _found(site, identity, person)
    shown = view.chosen_pairings(state, live=live, after=after, most=_EVENTS, latest=latest)
    return view.pairings_data(state, shown, await site.tournaments.store.gone(identity))


@router.get("/tournaments/{identity}/reviews")
async def reviews(request: Request, person: MaybePerson, identity: str) -> list[dict[str, Any]]:
    """Return the reviews of the podium's matches: who played, their error rates, the link (`url`) once it is
    made."""
    site = site_of(request)
    return await site.podium.found(await _found(site, identity, person), language(request))


@router.get("/tournaments/{identity}/events", dependencies=[costs(_DEAR)])
async def events(
    request: Request,
    person: MaybePerson,
    identity: str,
    after: Annotated[int, Query(ge=0, le=_HIGHEST)] = 0,
) -> PlainTextResponse:
    """The record, as lines of JSON: the header first, where `after` is 0; at most 500 events more."""
    site = site_of(request)
    await _found(site, identity, person)
    if after == 0:
        record = await site.tournaments.store.record(identity)
        assert record is not None
        text = await asyncio.to_thread(record.to_text)
        return PlainTextResponse(text, media_type="application/x-ndjson")
    found = await site.tournaments.store.tail(identity, after, _EVENTS)
    return PlainTextResponse(await asyncio.to_thread(_lines, found), media_type="application/x-ndjson")


def _lines(found: Sequence[Event]) -> str:
    return "".join(msgspec.json.encode(event.to_data()).decode() + "\n" for event in found)


@router.get("/tournaments/{identity}/qr.svg", response_class=Response)
async def picture(
    request: Request, person: MaybePerson, identity: str, pairing: Annotated[int | None, Query(ge=1)] = None
) -> Response:
    """The address of a tournament, of one of its pairings, as a QR code for a result sheet."""
    state = await _found(site_of(request), identity, person)
    place = "" if pairing is None else f"#table-{pairing}"
    return link_picture(request, f"/t/{state.id}{place}")


@router.get("/tournaments/{identity}/export.csv")
async def export_table(request: Request, person: MaybePerson, identity: str) -> Response:
    """The entrants as a table, in the order of the standings."""
    site = site_of(request)
    site.limits.streams.check("export " + identity)
    state = await _found(site, identity, person)
    content = export.table(state, await site.tournaments.store.gone(identity))
    return _file(content, "text/csv; charset=utf-8", f"{identity}.csv")


@router.get("/tournaments/{identity}/export.json", dependencies=[costs(_DEAR)])
async def export_record(request: Request, person: MaybePerson, identity: str) -> Response:
    """The record and the standings."""
    site = site_of(request)
    site.limits.streams.check("export " + identity)
    state = await _found(site, identity, person)
    record = await site.tournaments.store.record(identity)
    assert record is not None
    # What was stored since the state was looked at is in neither.
    record = replace(record, events=record.events[: state.n])
    content = await asyncio.to_thread(lambda: msgspec.json.encode(export.record_data(record, state)))
    return _file(content, "application/json", f"{identity}.json")


def _file(content: bytes, kind: str, name: str) -> Response:
    return Response(
        content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


# What they share


_MISSING = Text("there is no such tournament")


async def _found(site: Site, identity: str, person: Person | None) -> Tournament:
    """Return a tournament that this person may see; Failure 404."""
    state = await site.tournaments.find(identity)
    if state is None or person is None or not person.moderator:
        check_look(None if state is None else Course(state), person, missing=_MISSING)
    assert state is not None
    return state


async def _actor(site: Site, identity: str, person: Person) -> str:
    """Return as whom a person directs: a moderator is one where they have no part in the tournament."""
    state = await _found(site, identity, person)
    return MODERATOR if person.moderator and not _has_part(state, person) else person.id


async def _whole(site: Site, state: Tournament, person: Person | None) -> dict[str, Any]:
    now, officials = site.tournaments.now(), (*state.settings.directors, *state.settings.referees)
    named = await site.database.all(select(users.c.id, users.c.name).where(users.c.id.in_(officials)))
    held = await site.tournaments.held(state.id)
    data = view.whole(
        state,
        actor=None if person is None else person.id,
        now=now,
        series=None if held is None else held.series,
        gone=await site.tournaments.store.gone(state.id),
        officials={row.id: row.name for row in named},
    )
    if person is not None and person.moderator and not _has_part(state, person):
        data["allowed"] = list(allowed(state, MODERATOR, now))
    data["may_write"] = person is not None and _silenced_by(state, person) is None
    if person is not None and (person.moderator or person.id in state.settings.directors):
        marked = await site.tournaments.store.same_address(state.id)
        data["same_address"] = [
            sorted(state.by_id[each].number for each in people if each in state.by_id) for people in marked
        ]
    return data


def _has_part(state: Tournament, person: Person) -> bool:
    """Return whether somebody directs or is entered: no moderator rules where they play themselves."""
    return person.id in state.by_id or Course(state).is_player(person.id)


def _settings(data: Mapping[str, Any]) -> Settings:
    try:
        return msgspec.convert(data, Settings)
    except msgspec.ValidationError as error:
        raise _unreadable(error) from None


def _action(kind: str, fields: Mapping[str, Any]) -> Action:
    try:
        action = msgspec.convert({**fields, "type": kind}, ACTIONS[kind])
    except msgspec.ValidationError as error:
        raise _unreadable(error) from None
    if isinstance(action, PenaltyAction) and action.pairing is not None and not action.points.is_integer():
        # Of a match nobody has half a point; records of earlier versions hold some that counted for less.
        raise Failure(422, Text(SITE_RULES["field.number"], field="points"), where="points")
    return action


def _check_changes(state: Tournament, action: Action, now: int) -> None:
    """Raise Failure 422 where changes of settings cannot be read, Refused where `_check_new` does."""
    if isinstance(action, AmendAction):
        _settings({**setting_data(state.settings), **action.changes})
        _check_new(action.changes, now)


def _check_new(fields: Mapping[str, Any], now: int) -> None:
    """Raise Refused where a field has what is taken no more, though records of earlier versions hold it."""
    for text in (fields.get("id"), fields.get("club")):
        character = unfit_character(text or "")
        if character is not None:
            raise refused("text.characters", character=character)
    if (fields.get("opens") or 0) > now + FARTHEST_START:
        raise refused("opens")


_PATH = re.compile(r" - at `\$\.?([^`]*)`$")
_FIELD = re.compile(r"Object .* field `([^`]*)`")
_PROBLEMS = {
    "Object missing required field": "field.missing",
    "Object contains unknown field": "field.unknown",
    r"Expected `str` of length >= (?P<least>\d+)": "field.short",
    r"Expected `str` of length <= (?P<most>\d+)": "field.long",
    r"Expected `\w+` >= (?P<least>\d+)": "field.least",
    r"Expected `\w+` <= (?P<most>\d+)": "field.most",
    "Expected `str": "field.text",
    "Expected `bool": "field.flag",
    "Expected `int": "field.number",
    "Expected `object`": "field.object",
    r"Expected `array` of length (?P<count>\d+)": "field.entries",
    r"Expected `array` of length >= (?P<least>\d+)": "field.fewest",
    "Expected `array": "field.list",
    r"Expected `float` > (?P<least>\d+)": "field.above",
    "Expected `float": "field.figure",
    "": "field.other",
}
"""The site's rules by the beginning of what msgspec says of a body; later it may quote the body."""


def _unreadable(error: msgspec.ValidationError) -> Failure:
    """Return the failure of a body that is no settings or no action: its field, and what is wrong with it."""
    text = str(error)
    where = ".".join(found[1] for found in (_PATH.search(text), _FIELD.match(text)) if found and found[1])
    found, rule = next((found, rule) for each, rule in _PROBLEMS.items() if (found := re.match(each, text)))
    bounds = {name: int(value) for name, value in found.groupdict().items()}
    return Failure(422, Text(SITE_RULES[rule], field=where, **bounds), where=where or None)


# The socket


async def socket(socket: WebSocket) -> None:
    """Stream what changes in a tournament, at most once a second: its number, the top, and one's own
    place."""
    site = site_of(socket)
    visitor = await greet(socket)
    if visitor is None:
        return
    state = await _found(site, socket.path_params["identity"], visitor.person)
    changed = asyncio.Event()
    if _seen(socket) < state.n:
        changed.set()
    leave = site.bus.subscribe(CHANGED, lambda news: changed.set() if news["id"] == state.id else None)
    ended = asyncio.Event()
    said: deque[str] = deque(maxlen=_WAITING)

    def hear(frame: str) -> None:
        said.append(frame)
        changed.set()

    def end() -> None:
        ended.set()
        changed.set()

    with contextlib.ExitStack() as stack:
        stack.callback(leave)
        stack.enter_context(site.tournaments.hearing(state.id, hear))
        if visitor.person is not None:
            stack.enter_context(site.people.connections.open(visitor.person, end))
            stack.enter_context(site.presence.here(visitor.user))
        writer = asyncio.create_task(_write(socket, site, state.id, visitor.user, changed, ended, said))
        try:
            async for _ in pings(socket, site.limits.messages()):
                await socket.send_text(PONG)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await writer


def _seen(socket: WebSocket) -> int:
    text = socket.query_params.get("v", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


async def _write(
    socket: WebSocket,
    site: Site,
    identity: str,
    user: str | None,
    changed: asyncio.Event,
    ended: asyncio.Event,
    said: deque[str],
) -> None:
    sent = (-1, -1)
    while not ended.is_set():
        await changed.wait()
        changed.clear()
        while said:
            await socket.send_text(said.popleft())
        shown = await site.tournaments.shown(identity, waits=True)
        state = await site.tournaments.find(identity)
        if state is None or shown is None or ended.is_set():
            break
        if (state.n, shown.n) == sent:
            continue
        sent = state.n, shown.n
        gone = await site.tournaments.gone(identity)
        async with site.tournaments.telling:
            text = view.news(state, shown, user, gone)
            await asyncio.sleep(0)
        await socket.send_text(text)
        if shown.n < state.n:  # its standings follow
            changed.set()
        await site.tournaments.clock.sleep(_EVERY)
    await socket.close()


# Calendars, and a feed: in the language that their address names by `lang`, or the request


async def calendar_of_all(request: Request) -> Response:
    """The public tournaments that are to come, as a calendar that can be subscribed to."""
    return _calendar(request, await _coming(request))


async def calendar_of_person(request: Request) -> Response:
    """What somebody has entered and is not over, by the address that `/me/calendar` gives them."""
    check_page(request)
    site = site_of(request)
    user = await calendar_owner(site, request.path_params["key"])
    entered = rows.c.id.in_(site.tournaments.store.entered_by(user))
    return _calendar(
        request, await site.tournaments.store.listed(entered, rows.c.status.in_((*_SOON, *_NOW)))
    )


async def feed_of_all(request: Request) -> Response:
    """The same as a feed."""
    content = feed(await _coming(request), _origin(request), language(request))
    return Response(content, media_type="application/rss+xml; charset=utf-8")


async def calendar_of_one(request: Request) -> Response:
    """One tournament as a calendar: also that it was cancelled."""
    check_page(request)
    site = site_of(request)
    state = await _found(site, request.path_params["identity"], None)
    return _calendar(request, await site.tournaments.store.listed(rows.c.id == state.id))


async def _coming(request: Request) -> Sequence[Row[Any]]:
    check_page(request)
    return await site_of(request).tournaments.store.listed(rows.c.public, rows.c.status.in_((*_SOON, *_NOW)))


def _origin(request: Request) -> str:
    return site_of(request).settings.origin or f"http://{request.headers.get('host', '')}"


def _calendar(request: Request, found: Sequence[Row[Any]]) -> Response:
    content = calendar(found, _origin(request), site_of(request).tournaments.now(), language(request))
    return Response(content, media_type="text/calendar; charset=utf-8")


ROUTES: list[BaseRoute] = [
    WebSocketRoute("/ws/tournament/{identity}", socket),
    Route("/api/v1/tournaments/{identity}/standings", standings_at_once),
    Route("/tournaments.ics", calendar_of_all),
    Route("/tournaments.rss", feed_of_all),
    Route("/people/{name}/{key}.ics", calendar_of_person),
    Route("/t/{identity}.ics", calendar_of_one),
]
