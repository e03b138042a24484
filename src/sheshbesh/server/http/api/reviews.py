"""Reviews: asked for, listed, read decision by decision, shared, deleted; match files uploaded for them."""

from __future__ import annotations

import asyncio
import binascii
from base64 import b64decode
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from pydantic import Field, StringConstraints
from sqlalchemy import Row

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text, choose
from sheshbesh.reviews import Report
from sheshbesh.rules import Refused
from sheshbesh.rules.safe_text import one_line
from sheshbesh.rules.side import SIDE_NAMES
from sheshbesh.server.http.api.bodies import Body, Words
from sheshbesh.server.http.errors import language
from sheshbesh.server.http.identity import Player, Reader
from sheshbesh.server.http.request_limits import costs
from sheshbesh.server.http.security import LARGEST_UPLOAD
from sheshbesh.server.refusals import Failure, refuse
from sheshbesh.server.reviews import view
from sheshbesh.server.reviews.source import MatchSource, Seated
from sheshbesh.server.reviews.store import DONE, MATCH, RUNNING, UPLOAD, WAITING, ReviewStore
from sheshbesh.server.site import site_of

router = APIRouter(tags=["reviews"])

LARGEST_FILE: Final = 2 * 1024 * 1024
"""Bytes of an uploaded file; as base64 it fits a request of `LARGEST_UPLOAD`."""

_PLIES: Final = 2

_reports = view.Reports()

Lang = Annotated[str, Query(max_length=20)]
Since = Annotated[int, Query(ge=0, le=100_000)]
Plies = Annotated[int, Field(ge=0, le=_PLIES)]


class Asked(Body):
    """The match to be reviewed, and the plies."""

    match: Words
    plies: Plies = _PLIES


class Upload(Body):
    """A match file: its name, and its content as base64."""

    name: Annotated[str, StringConstraints(max_length=200)] = ""
    content: Annotated[str, StringConstraints(max_length=LARGEST_UPLOAD)]
    plies: Plies = _PLIES


class Share(Body):
    """A switch: true if the link shows the names of both players."""

    names: bool = False


@router.post("/reviews")
async def ask(request: Request, body: Asked, person: Player) -> dict[str, Any]:
    """Have a finished match of one's own reviewed; asked for again, it is the same review."""
    reviews = site_of(request).reviews
    match = await reviews.source.finished(person.id, body.match)
    made = await reviews.store.ask(
        person.id, MATCH, body.match, match.variant, plies=body.plies, about=match.about
    )
    reviews.maker.wake()
    return {"id": made, "url": f"/review/{made}"}


@router.post("/uploads", dependencies=[costs(20)])
async def upload(request: Request, body: Upload, person: Player) -> dict[str, Any]:
    """Upload a match file and have it reviewed; `repairs` are what was unclear or wrong in it, line by line.

    Nobody else sees the file or its review. Failure 422 with one sentence for what is no match; Refused where
    a position of it is played just now in a tournament of this person.
    """
    site = site_of(request)
    site.limits.uploads.check(person.id)
    try:
        content = b64decode(body.content, validate=True)
    except (binascii.Error, ValueError):
        raise Failure(422, "the content of a file is base64", where="content") from None
    if len(content) > LARGEST_FILE:
        raise Failure(413, Text("a match file has at most {n} bytes", n=LARGEST_FILE), where="content")
    boards = await site.tournaments.store.boards_in_play(person.id)
    found = await site.reviews.maker.read(content, language(request), boards, who=person.id)
    if found["met"]:
        raise Refused(refuse("event.analysis"))
    store, name = site.reviews.store, one_line(body.name)
    kept = await store.keep_upload(person.id, name, found["format"], content)
    kept_of_it = ("players", "levels", "length", "card", "games", "format", "more_repairs")
    about = {name: found[name] for name in kept_of_it}
    # A person known by a name in a file before, or who bears it here, is taken to be that player.
    own = await store.own_names(person.id) | {person.name.casefold()}
    you = [side for side, name in zip(SIDE_NAMES, found["players"], strict=True) if name.casefold() in own]
    about |= {"file": name, "repairs": found["repairs"], "you": you[0] if len(you) == 1 else None}
    made = await store.ask(person.id, UPLOAD, kept, found["variant"], plies=body.plies, about=about)
    site.reviews.maker.wake()
    return {"id": made, "url": f"/review/{made}", "repairs": found["repairs"]}


@router.get("/reviews")
async def listed(request: Request, person: Reader) -> list[dict[str, Any]]:
    """My reviews, the latest first."""
    reviews = site_of(request).reviews
    found = await reviews.store.of(person.id)
    lang = language(request)
    return [view.entry_data(row, await _players(reviews.source, row), lang) for row in found]


@router.get("/reviews/history")
async def history(request: Request, person: Reader) -> dict[str, Any]:
    """My error rate over time, by game, by opponent and by phase, with standard errors."""
    store = site_of(request).reviews.store
    return view.history_data(await store.of(person.id, state=DONE))


@router.get("/reviews/of/{match}")
async def of_match(request: Request, match: str, person: Reader) -> dict[str, Any]:
    """My review of a match: its id and how it stands, null where I never asked for one."""
    row = await site_of(request).reviews.store.find(person.id, MATCH, match)
    return {"id": None, "state": None} if row is None else {"id": row.id, "state": row.state}


@router.get("/reviews/{review}", dependencies=[costs(5)])
async def one(
    request: Request, review: str, person: Reader, lang: Lang = "en", since: Since = 0
) -> dict[str, Any]:
    """A review of mine: how far it is and, when it is done, its numbers and decisions (`report`).

    While it is being made, `begun` has the board and the decisions from `since` on, up to the first that is
    not judged yet.
    """
    reviews = site_of(request).reviews
    row = await _mine(reviews.store, person.id, review)
    before = await reviews.store.waiting_before(row) if row.state == WAITING else 0
    found: dict[str, Any] = {"before": before, "report": None, "begun": None}
    if row.state == DONE:
        found["report"] = await _report_data(row, lang)
    elif row.state in (WAITING, RUNNING):
        found["begun"] = await asyncio.to_thread(lambda: view.begun_data(view.Begun.of(row), since, lang))
    return view.entry_data(row, await _players(reviews.source, row), choose(lang)) | found


@router.get("/reviews/{review}/decisions/{n}", dependencies=[costs(2)])
async def decision(
    request: Request, review: str, n: int, person: Reader, lang: Lang = "en"
) -> dict[str, Any]:
    """One decision of a review: the board, the candidates, the reason."""
    return await _decision(await _mine(site_of(request).reviews.store, person.id, review), n, lang)


@router.put("/reviews/{review}/share")
async def share(request: Request, review: str, body: Share, person: Player) -> dict[str, Any]:
    """Make the link by which others may read a review; without `names` it hides those of other players."""
    site = site_of(request)
    secret = await site.reviews.store.share(person.id, review, names=body.names)
    if secret is None:
        raise _none()
    return {"share": f"/shared/{secret}", "names": body.names}


@router.delete("/reviews/{review}/share")
async def unshare(request: Request, review: str, person: Player) -> dict[str, Any]:
    """Close the link."""
    await site_of(request).reviews.store.unshare(person.id, review)
    return {"share": None, "names": False}


@router.delete("/reviews/{review}")
async def remove(request: Request, review: str, person: Player) -> dict[str, Any]:
    """Delete a review; the file that was uploaded for it goes with it."""
    if not await site_of(request).reviews.store.remove(person.id, review):
        raise _none()
    return {"deleted": review}


@router.get("/shared/{secret}", dependencies=[costs(5)])
async def shared(request: Request, secret: str, lang: Lang = "en") -> dict[str, Any]:
    """The review behind a link."""
    reviews = site_of(request).reviews
    row = await _shared(reviews.store, secret)
    players = await _players(reviews.source, row)
    return view.shared_data(row, players, choose(lang)) | {
        "before": 0,
        "report": await _report_data(row, lang),
    }


@router.get("/shared/{secret}/decisions/{n}", dependencies=[costs(2)])
async def shared_decision(request: Request, secret: str, n: int, lang: Lang = "en") -> dict[str, Any]:
    """One decision of it."""
    return await _decision(await _shared(site_of(request).reviews.store, secret), n, lang)


async def _mine(store: ReviewStore, person: str, review: str) -> Row[Any]:
    row = await store.one(person, review)
    if row is None:
        raise _none()
    return row


async def _shared(store: ReviewStore, secret: str) -> Row[Any]:
    row = await store.shared(secret)
    if row is None:
        raise _none()
    return row


def _none() -> Failure:
    return Failure(404, "there is no such review")


async def _players(source: MatchSource, row: Row[Any]) -> dict[str, Seated] | None:
    return await source.players(row.source_id) if row.source == MATCH else None


async def _report_data(row: Row[Any], lang: str) -> dict[str, Any]:
    return await asyncio.to_thread(lambda: view.report_data(_read(row), lang))


async def _decision(row: Row[Any], n: int, lang: str) -> dict[str, Any]:
    def render() -> dict[str, Any] | None:
        report = _read(row) if row.state == DONE else view.Begun.of(row)
        return view.decision_data(report, n, lang) if 0 <= n < len(report.decisions) else None

    found = await asyncio.to_thread(render)
    if found is None and row.state != DONE:
        raise Failure(409, "this review is not done yet", code="not_done")
    if found is None:
        raise Failure(404, "there is no such decision")
    return found


def _read(row: Row[Any]) -> Report:
    try:
        return _reports.of(row)
    except RecordError:
        raise Failure(410, "this review is damaged and cannot be opened", code="damaged") from None
