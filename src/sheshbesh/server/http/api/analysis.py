"""The analysis board: any position of any game, put up by hand or pasted; judged, and rolled out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import Field, StringConstraints
from pydantic_core import to_json

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text, choose, translate
from sheshbesh.match import Card
from sheshbesh.players.analysis import question
from sheshbesh.players.situation import Situation, problems_of
from sheshbesh.rules import Refused, Side
from sheshbesh.server.boards.view import scene_data
from sheshbesh.server.engine.queue import EngineBusyError, EngineError
from sheshbesh.server.http.api.bodies import Body, Words
from sheshbesh.server.http.identity import MaybePerson, Player
from sheshbesh.server.http.request_limits import charge, costs
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure, refuse
from sheshbesh.server.site import site_of
from sheshbesh.server.tables.replay import moment_of
from sheshbesh.server.tournaments.store import board_of

router = APIRouter(tags=["analysis"])

MOST_TRIALS: Final = 5184
"""Trials of a rollout: the first two throws are each pair of throws four times."""

_MOMENT_COST = 19
"""In requests, besides the request itself: a whole match is read where its games are not kept."""

_BUSY = Text("too many questions wait already: try again in a moment")
_SILENT = Text("the engine has no answer to this just now: try again in a moment")
_NO_NET = Text("no engine plays these rules")

Place = Annotated[int, Field(ge=0, le=99)]
Lang = Annotated[str, StringConstraints(max_length=20)]


class Asked(Body):
    """A situation by the fields of its query; docs/guide/analysis.md lists them."""

    card: Words = "backgammon.m"
    id: Words = ""
    dice: Words = ""
    cube: Words = ""
    score: Words = ""
    crawford: Words = ""
    lang: Lang = "en"

    def query(self) -> dict[str, str]:
        """The fields that say something."""
        found = {name: getattr(self, name) for name in ("card", "id", "dice", "cube", "score", "crawford")}
        return {name: value for name, value in found.items() if value}

    def situation(self) -> Situation:
        """Return what they say; Failure 422 with every reason where it cannot be."""
        try:
            return Situation.of_query(self.query())
        except SheshbeshError as error:
            raise _impossible(error, self.lang) from None


class PointGiven(Body):
    """The checkers on one point, and whose is the captive among them."""

    w: Place = 0
    b: Place = 0
    pin: Literal["white", "black"] | None = None


class Two(Body):
    """A number for each side."""

    white: Place = 0
    black: Place = 0


class BoardGiven(Body):
    """A board as `session.board_data.board_data` has it: 24 points in White's numbers, bar, hand and off."""

    points: Annotated[list[PointGiven], Field(min_length=24, max_length=24)]
    bar: Two
    hand: Two
    off: Two


class Edited(Asked):
    """A board put up by hand, with what else the query says; `id` says nothing here.

    `core`: with the numbers by which an engine in the browser judges it.
    """

    core: bool = False
    board: BoardGiven
    turn: Literal["white", "black"] = "white"


class Pasted(Body):
    """A text that may hold a position; `card` says of which game one of our ids is. `core` as in `Edited`."""

    core: bool = False
    text: Annotated[str, StringConstraints(max_length=20_000)]
    card: Words = "backgammon.m"
    lang: Lang = "en"


class Question(Asked):
    """The depth to look."""

    plies: Annotated[int, Field(ge=0, le=2)] = 2


class RolloutAsked(Asked):
    """The number of games to play, and their seed; `plays` are those to be compared, the best ones if
    none."""

    trials: Annotated[int, Field(ge=36, le=MOST_TRIALS)] = 324
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 1
    plays: Annotated[list[Words], Field(max_length=4, default_factory=list)]


async def _costs_of_moment(request: Request) -> None:
    if request.query_params.get("match"):
        charge(request, _MOMENT_COST)


@router.get("/analysis", dependencies=[Depends(_costs_of_moment)])
async def scene(
    request: Request,
    person: MaybePerson,
    card: str = Query("backgammon.m", max_length=400),
    id: str = Query("", max_length=400),
    dice: str = Query("", max_length=10),
    cube: str = Query("", max_length=30),
    score: str = Query("", max_length=30),
    crawford: str = Query("", max_length=1),
    match: str = Query("", max_length=100),
    game: int = Query(0, ge=0),
    n: int = Query(-1, ge=-1),
    lang: str = Query("en", max_length=20),
    core: Annotated[bool, Query()] = False,  # noqa: FBT002 -- a field of the query
) -> dict[str, Any]:
    """A situation for the board: by the fields of its query, or a moment of a match that is over.

    `match`, its `game` (0: the last) and the number `n` of the frame there (-1: the last decision) name one.
    `core`: with the numbers by which an engine in the browser judges it, but of a position that is played
    just now in a tournament of this person.
    """
    if match:
        site = site_of(request)
        _, here = await moment_of(site.rendered, site.matches.kind.store, match, game, n, person)
    else:
        asked = Asked(card=card, id=id, dice=dice, cube=cube, score=score, crawford=crawford, lang=lang)
        here = asked.situation()
    return await _scene(request, person, here, choose(lang), core=core)


async def _scene(
    request: Request, person: Person | None, here: Situation, lang: str, *, core: bool
) -> dict[str, Any]:
    data = scene_data(here, lang)
    if core and not await _is_in_play(request, person, here):
        # Of a game without match equities of its own they are made now, from what its net says.
        data["core"] = await asyncio.to_thread(question, here)
    return data


@router.post("/analysis/board")
async def edited(request: Request, body: Edited, person: MaybePerson) -> dict[str, Any]:
    """A board that was put up by hand; `problems` has every reason why it cannot be."""
    lang = choose(body.lang)
    try:
        card = Card.from_code(body.card)
        here = Situation.of_board(card, body.board.model_dump(), Side.of(body.turn), body.query())
    except SheshbeshError as error:
        return {"problems": [translate(each, lang) for each in problems_of(error)]}
    return await _scene(request, person, here, lang, core=body.core)


@router.post("/analysis/text")
async def pasted(request: Request, body: Pasted, person: MaybePerson) -> dict[str, Any]:
    """A position that was pasted, in any writing that is read here; Failure 422 where it is none."""
    lang = choose(body.lang)
    try:
        here = Situation.of_text(body.text, Card.from_code(body.card))
    except SheshbeshError as error:
        why = "; ".join(translate(each, lang) for each in problems_of(error))[:400]
        text = Text("this cannot be read as a position: {why}", why=why)
        raise Failure(422, text, code="no_position", where="text") from None
    return await _scene(request, person, here, lang, core=body.core)


@router.post("/analysis/ask", dependencies=[costs(5)])
async def ask(request: Request, body: Question, person: Player) -> dict[str, Any]:
    """The engine's analysis: chances by class, the plays of the throw with reasons, the cube decision."""
    here, lang = body.situation(), choose(body.lang)
    await _refuse_in_play(request, person, here)
    try:
        found = await site_of(request).engines.analyse(here.query, body.plies, lang, who=person.id)
    except EngineError as error:
        raise _unanswered(error) from None
    if found is None:
        raise Failure(422, _NO_NET, code="no_net")
    return found


@router.post("/analysis/rollout", dependencies=[costs(20)])
async def rollout(request: Request, body: RolloutAsked, person: Player) -> StreamingResponse:
    """Play the position out: a line of JSON after each 36 games, the last one with `done`.

    The same trials and seed give the same numbers. It ends when nobody reads it any more; a line with `error`
    says why it cannot go on. One rollout a person; Failure 429 for a second one.
    """
    here = body.situation()
    if here.position.result is not None:
        raise Failure(422, "the game is over in this position", code="over")
    await _refuse_in_play(request, person, here)
    limits = site_of(request).limits
    with limits.rollouts.one(person.id):
        pass  # refused at once, and not by the first line of the answer
    return StreamingResponse(_lines(request, here, body, person), media_type="application/x-ndjson")


async def _is_in_play(request: Request, person: Person | None, here: Situation) -> bool:
    """Return whether this position is played just now in a tournament of this person.

    Whose turn it is, and who is White, makes no difference.
    """
    if person is None:
        return False
    boards = await site_of(request).tournaments.store.boards_in_play(person.id)
    both = here.position, here.position.mirror()
    return any(board_of(each.id) in boards for each in both)


async def _refuse_in_play(request: Request, person: Person, here: Situation) -> None:
    """Raise Refused for a position that is played just now in a tournament of this person."""
    if await _is_in_play(request, person, here):
        raise Refused(refuse("event.analysis"))


async def _lines(
    request: Request, here: Situation, body: RolloutAsked, person: Person
) -> AsyncIterator[bytes]:
    site, lang = site_of(request), choose(body.lang)
    found = site.engines.roll_out(
        here.query, trials=body.trials, seed=body.seed, plays=body.plays, who=person.id
    )
    answered = False
    try:
        with site.limits.rollouts.one(person.id):
            async with contextlib.aclosing(found):
                async for each in found:
                    answered = True
                    yield to_json(each) + b"\n"
                    await asyncio.sleep(0)
            if not answered:
                yield _line(_NO_NET, lang)
    except EngineError as error:
        yield _line(_unanswered(error).detail, lang)
    except Failure as failure:
        yield _line(failure.detail, lang)


def _line(text: str, lang: str) -> bytes:
    return to_json({"error": translate(text, lang)}) + b"\n"


def _unanswered(error: EngineError) -> Failure:
    if isinstance(error, EngineBusyError):
        return Failure(429, _BUSY, wait=5)
    return Failure(503, _SILENT, code="unavailable")


def _impossible(error: SheshbeshError, lang: str) -> Failure:
    why = "; ".join(translate(each, choose(lang)) for each in problems_of(error))[:600]
    return Failure(422, Text("this cannot be put on a board: {why}", why=why), code="impossible")
