"""The texts beside the rules: traditional and modern, each line to be tried; conduct; disputes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Query, Request, Response

from sheshbesh import customs
from sheshbesh.errors import NotationError
from sheshbesh.i18n import choose, translate
from sheshbesh.players.data import play_data
from sheshbesh.rules import Play, Position, Roll
from sheshbesh.rules.citing import cited
from sheshbesh.server.http.api.variants import Packed
from sheshbesh.server.refusals import Failure
from sheshbesh.session.board_data import board_data, layout_data, stages_data

router = APIRouter(tags=["customs"])

_STEPS = 4
"""More steps than a throw has are not looked at."""


@router.get("/customs/differences", response_model=list[dict[str, Any]])
async def differences(request: Request, lang: str = Query("en", max_length=20)) -> Response:
    """The lines of the table, each with its source and with what can be tried."""
    return _differences(choose(lang)).answer(request)


@lru_cache(maxsize=8)
def _differences(lang: str) -> Packed:
    return Packed.of(
        [
            {
                "id": line.id,
                "title": translate(line.title, lang),
                "traditional": translate(line.traditional, lang),
                "modern": translate(line.modern, lang),
                "source": translate(cited(line.source), lang),
                "trial": line.trial is not None,
                "table": _said(line.table, lang),
                "cards": dict(line.cards) or None,
                "reading": _said(line.reading, lang),
                "games": dict(customs.WAYS),
            }
            for line in customs.differences()
        ]
    )


@router.get("/customs/conduct", response_model=list[dict[str, Any]])
async def conduct(request: Request, lang: str = Query("en", max_length=20)) -> Response:
    """The topics of conduct at a board, with the names of their drawings."""
    return _conduct(choose(lang)).answer(request)


@lru_cache(maxsize=8)
def _conduct(lang: str) -> Packed:
    return Packed.of(
        [
            {
                "id": topic.id,
                "title": translate(topic.title, lang),
                "text": translate(topic.text, lang),
                "traditional": _said(topic.traditional, lang),
                "modern": _said(topic.modern, lang),
                "sources": [translate(cited(source), lang) for source in topic.sources],
                "drawing": topic.drawing or None,
            }
            for topic in customs.conduct()
        ]
    )


@router.get("/customs/disputes", response_model=dict[str, Any])
async def disputes(request: Request, lang: str = Query("en", max_length=20)) -> Response:
    """The referee's guide: questions by id, with answers that lead to the next one or to a ruling."""
    return _disputes(choose(lang)).answer(request)


@lru_cache(maxsize=8)
def _disputes(lang: str) -> Packed:
    found = customs.disputes()
    return Packed.of(
        {
            "first": found.first.id,
            "questions": {
                each.id: {
                    "text": translate(each.text, lang),
                    "answers": [
                        {"text": translate(answer.text, lang), "then": answer.then} for answer in each.answers
                    ],
                }
                for each in found.questions.values()
            },
            "rulings": {
                each.id: {
                    "title": translate(each.title, lang),
                    **{
                        way: _said(text, lang)
                        for way, text in (
                            ("text", each.text),
                            ("traditional", each.traditional),
                            ("modern", each.modern),
                        )
                    },
                    "sources": [translate(cited(source), lang) for source in each.sources],
                    "topic": each.topic or None,
                }
                for each in found.rulings.values()
            },
        }
    )


@router.get("/customs/differences/{line}/{way}", response_model=dict[str, Any])
def trial(request: Request, line: str, way: str, lang: str = Query("en", max_length=20)) -> Response:
    """The position of a line in one of the two games: board, dice, the stages of the turn, and all plays with
    the result of those that end the game."""
    position, dice, task = _trial(line, way)
    spoken = choose(lang)
    rules = position.variant
    found = {
        "game": rules.name,
        "title": translate(rules.title, spoken),
        "task": translate(task, spoken),
        "side": position.turn.value,
        "board": board_data(position),
        "layout": layout_data(rules),
        "dice": list(dice),
        "dice_steps": 4 if dice.is_double else 2,
        "choices": stages_data(list(position.bare_stages(dice))),
        "plays": [_played(play) for play in position.legal_plays(dice)],
    }
    return Packed.of(found).answer(request)


@router.get("/customs/differences/{line}/{way}/why", response_model=dict[str, Any])
def why(
    line: str,
    way: str,
    steps: str = Query(max_length=60, pattern=r"^\d{1,2}-\d{1,2}(,\d{1,2}-\d{1,2})*$"),
    lang: str = Query("en", max_length=20),
) -> dict[str, Any]:
    """Why steps, such as `6-3,3-1`, may not be made there: `rule` and sentence, both null if they may."""
    position, dice, _ = _trial(line, way)
    pairs = [tuple(int(point) for point in step.split("-")) for step in steps.split(",")[:_STEPS]]
    try:
        refusal = position.refusal(tuple((origin, target) for origin, target in pairs), dice)
    except NotationError:
        raise Failure(422, "these are no steps") from None
    if refusal is None:
        return {"rule": None, "text": None, "source": None}
    spoken = choose(lang)
    source = translate(cited(refusal.source), spoken) if refusal.source else None
    return {"rule": refusal.rule, "text": refusal.say(spoken), "source": source}


def _said(text: str | None, lang: str) -> str | None:
    return translate(text, lang) if text else None


def _trial(line: str, way: str) -> tuple[Position, Roll, str]:
    """Position, throw and task of a line by a way; 404 where there is nothing to try."""
    found = next((each.trial for each in customs.differences() if each.id == line), None)
    if found is None or way not in customs.WAYS:
        raise Failure(404, "there is nothing to try here")
    return found.position(way), Roll(*found.dice[way]), found.task[way]


def _played(play: Play) -> dict[str, Any]:
    result = play.result.result
    ended = None if result is None else {"points": result.points, "kind": result.kind}
    return {**play_data(play), "result": ended}
