"""Programs that play: two streams of events, and one request for each thing to do.

A program comes with the token of an account that is marked as a bot. The server keeps its chain of
dice and is ready for it; so a program rolls, plays, doubles and answers, and that is all.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import StringConstraints

from sheshbesh.i18n import Text
from sheshbesh.rules import Refused, Side
from sheshbesh.server.http.api import streams
from sheshbesh.server.http.api.bodies import Body
from sheshbesh.server.http.identity import Player, Reader
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.ids import new_id
from sheshbesh.server.people.history import History
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of
from sheshbesh.server.tables import view
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.tables import MatchTables
from sheshbesh.server.tables.wire import Do, Words
from sheshbesh.session import (
    AcceptAction,
    Action,
    BeaverAction,
    ChooseAction,
    ClaimAction,
    DoubleAction,
    DropAction,
    PlayAction,
    RefuseAction,
    ResignAction,
    RollAction,
    TakeAction,
)

router = APIRouter(tags=["bots"])

Ref = Annotated[
    str | None,
    Query(max_length=40, description="A name of your own: an action sent again under it has one outcome."),
]
Key = Annotated[
    str | None,
    Query(max_length=24, description="`key` of the state you decided upon; refused if the game has gone on."),
]

_SIMPLE = {
    "roll": RollAction,
    "double": DoubleAction,
    "take": TakeAction,
    "drop": DropAction,
    "beaver": BeaverAction,
    "accept": AcceptAction,
    "refuse": RefuseAction,
    "claim": ClaimAction,
}
_OTHERS = ("move", "resign", "choose", "chat")


class NewMessage(Body):
    """Words to say: free text, or a preset phrase's id."""

    text: Annotated[str, StringConstraints(max_length=500)] | None = None
    phrase: Annotated[str, StringConstraints(max_length=40)] | None = None


class _Lines(StreamingResponse):
    media_type = "application/x-ndjson"


def _lines(lines: AsyncIterator[str]) -> _Lines:
    return _Lines(lines, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


@router.get("/stream/events", response_class=_Lines)
async def stream_events(request: Request, person: Reader) -> _Lines:
    """Matches of mine as they begin and end, one JSON object a line, first those that go on now."""
    site = site_of(request)
    site.limits.streams.check(address(request))
    streams.check_streams(person)
    return _lines(
        streams.events(person, site.lobby, site.presence, site.people.connections, History(site.database))
    )


@router.get("/bot/game/{match}/stream", response_class=_Lines)
async def stream_game(request: Request, match: str, person: Reader) -> _Lines:
    """One match: `gameFull`, then `state`, `chat`, `presence` and so on as they come."""
    site = site_of(request)
    site.limits.streams.check(address(request))
    streams.check_streams(person)
    table, _ = await _seat(site.matches, match, person)
    return _lines(streams.game(person, table, site.presence, site.people.connections))


@router.post("/bot/game/{match}/move/{play}")
async def move(
    request: Request, match: str, play: str, person: Player, ref: Ref = None, key: Key = None
) -> dict[str, Any]:
    """Make a whole turn: steps by commas, as `8-5,6-5`, `bar-22`, `6-off`; `pass` where none is legal."""
    text = " ".join(step.replace("-", "/") for step in play.split(","))
    return await _act(request, match, person, PlayAction(text), ref, key)


@router.post("/bot/game/{match}/resign/{kind}")
async def resign(
    request: Request, match: str, kind: str, person: Player, ref: Ref = None, key: Key = None
) -> dict[str, Any]:
    """Offer to lose the game at a value: one of the state's `resign_kinds`, or its place there from 1."""
    table, side = await _seat(site_of(request).matches, match, person)
    kinds = view.personal(table.session, (side,))["resign_kinds"]
    if kind.isdecimal() and len(kind) <= 2 and 1 <= int(kind) <= len(kinds):
        kind = kinds[int(kind) - 1]
    if site_of(request).limits.exceeds_rate(person.id, "resign"):
        raise Refused.of("wire.often")
    return await _act_at(table, side, ResignAction(kind), ref, key)


@router.post("/bot/game/{match}/choose/{die}")
async def choose(
    request: Request, match: str, die: int, person: Player, ref: Ref = None, key: Key = None
) -> dict[str, Any]:
    """Choose the double that the rules give away."""
    return await _act(request, match, person, ChooseAction(die), ref, key)


@router.post("/bot/game/{match}/chat")
async def chat(request: Request, match: str, person: Player, body: NewMessage) -> dict[str, Any]:
    """Say something at the match."""
    site = site_of(request)
    table, _ = await _seat(site.matches, match, person)
    if (body.text is None) == (body.phrase is None):
        raise Failure(422, "send either a text or a preset phrase")
    await site.chat.say(table.kind.speaker(table, person.id), Words(body.text, body.phrase))
    return {"ok": True}


@router.post("/bot/game/{match}/{what}")
async def act(
    request: Request, match: str, what: str, person: Player, ref: Ref = None, key: Key = None
) -> dict[str, Any]:
    """roll, double, take, drop, beaver, accept or refuse a proposal or resignation, claim time."""
    if what not in _SIMPLE:
        raise Failure(404, Text("a bot's actions are: {list}", list=", ".join((*_SIMPLE, *_OTHERS))))
    return await _act(request, match, person, _SIMPLE[what](), ref, key)


async def _seat(tables: MatchTables, match: str, person: Person) -> tuple[Match, Side]:
    if person.kind != "bot":
        raise Failure(403, "this is for accounts of bots: POST /api/v1/bots makes one", code="not_a_bot")
    agreed = await tables.agreement(match)
    sides = agreed.names_of(person.id) if agreed is not None else ()
    table = await tables.get(match) if sides else None
    if table is None:
        raise Failure(404, "you have no such match")
    return table, sides[0]


async def _act(
    request: Request, match: str, person: Person, action: Action, ref: str | None, key: str | None
) -> dict[str, Any]:
    table, side = await _seat(site_of(request).matches, match, person)
    return await _act_at(table, side, action, ref, key)


async def _act_at(
    table: Match, side: Side, action: Action, ref: str | None, key: str | None
) -> dict[str, Any]:
    asked = Do(ref or new_id(), action, key if key is not None else table.key)
    actor, action, ref, key = await table.kind.actor_for(table, (side,), asked)
    await table.act(actor, action, ref=ref, key=key)
    return {"ok": True}
