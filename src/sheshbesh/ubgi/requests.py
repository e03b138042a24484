"""Requests of the site, `ask JSON`: a match in progress in, a decision or advice out, both as JSON."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from sheshbesh.engines import Engine
from sheshbesh.errors import ProtocolError, RecordError, SheshbeshError, StoppedError
from sheshbesh.i18n import translate
from sheshbesh.players.analysis import analyse, roll_out_portion
from sheshbesh.players.data import hint_data, verdict_data
from sheshbesh.players.engines import Engines
from sheshbesh.players.situation import Situation
from sheshbesh.players.snapshot import read_snapshot
from sheshbesh.rules import Side
from sheshbesh.session import Event, parse_action
from sheshbesh.ubgi.effects import Report, StopSignal, Work

if TYPE_CHECKING:
    from sheshbesh.reviews import Portions

LONGEST: Final = 8 * 1024 * 1024
"""Characters of a request."""

_DEEPEST: Final = 2
"""Plies of an analysis."""

_DEEPEST_REVIEW: Final = 3

_LARGEST_FILE: Final = 4 * 1024 * 1024
"""Bytes of a match file that is read or reviewed."""

_LARGEST_REPORT: Final = 128 * 1024 * 1024
"""Bytes of a report, or of the judgements of which one is made."""

_REPAIRS: Final = 100
"""Repairs that are listed one by one."""

_QUOTED: Final = 160
"""Characters of what a repair quotes."""

_REVIEWS: Final = 4
"""Matches that are kept ready, for the next portion of their review."""


_FIELDS: Final[Mapping[str, tuple[tuple[type, ...], str]]] = MappingProxyType(
    {
        **dict.fromkeys(("state", "query", "action"), ((dict,), "an object")),
        **dict.fromkeys(
            (*("side", "lang", "file", "judged", "report"), *("drawing", "view", "look", "title")),
            ((str,), "a text"),
        ),
        **dict.fromkeys(("seed", "plies", "trials", "chunks", "width"), ((int,), "a whole number")),
        **dict.fromkeys(
            ("places", "plays", "queries", "palette", "frames", "seconds", "boards"), ((list,), "a list")
        ),
        "proposal": ((bool,), "true or false"),
        "level": ((str, type(None)), "a text or null"),
        "kept": ((dict, type(None)), "an object or null"),
    }
)
"""The type of each field of a request, and its wording."""


class _Request:
    """The fields of a request; ProtocolError names one that is missing or of another kind."""

    def __init__(self, kind: str, fields: Mapping[str, Any], limit: float) -> None:
        self.kind, self._fields, self.limit = kind, fields, limit

    def __getitem__(self, name: str) -> Any:
        if name not in self._fields:
            raise ProtocolError(f"{self.kind}: {name} is missing")
        value, (kinds, said) = self._fields[name], _FIELDS[name]
        if type(value) not in kinds:
            raise ProtocolError(f"{self.kind}: {name} is {said}")
        return value


def _decide(engines: Engines, ask: _Request) -> object:
    state, side = read_snapshot(ask["state"]), Side.of(ask["side"])
    act = engines.answer_proposal if ask["proposal"] else engines.decide
    return act(state, side, ask["level"], ask["seed"], ask.limit).to_data()


def _hint(engines: Engines, ask: _Request) -> object:
    state = read_snapshot(ask["state"])
    found = engines.coach(state.card.rules, ask.limit, lambda coach: coach.hint(state))
    return None if found is None else hint_data(found, ask["lang"])


def _verdict(engines: Engines, ask: _Request) -> object:
    before = read_snapshot(ask["state"])
    event = Event(1, 0, ask["side"], parse_action(ask["action"]))
    found = engines.coach(before.card.rules, ask.limit, lambda coach: coach.verdict(before, event))
    return None if found is None else verdict_data(found, ask["lang"])


def _settle(engines: Engines, ask: _Request) -> object:
    found = engines.settle(read_snapshot(ask["state"]), Side.of(ask["side"]))
    return None if found is None else found.to_data()


def _finish(engines: Engines, ask: _Request) -> object:
    found = engines.finish(read_snapshot(ask["state"]))
    return None if found is None else found.notation


def _situation(ask: _Request, query: object) -> Situation:
    if not isinstance(query, dict) or not all(isinstance(value, str) for value in query.values()):
        raise ProtocolError(f"{ask.kind}: a query is an object whose fields are texts")
    return Situation.of_query(query)


def _analyse(engines: Engines, ask: _Request) -> object:
    here, plies = _situation(ask, ask["query"]), min(max(ask["plies"], 0), _DEEPEST)

    def run(engine: Engine, plies: int) -> object:
        return analyse(engine, here, plies, ask["lang"])

    return engines.analysis(here.card.rules, ask.limit, run, plies)


def _roll_out(engines: Engines, ask: _Request) -> object:
    here, names = _situation(ask, ask["query"]), ("trials", "seed", "plays", "chunks", "kept")
    how = {name: ask[name] for name in names}
    try:
        # A portion is short and not cut by the limit: a rollout that repeats has a size, and no time.
        return engines.analysis(
            here.card.rules, 0.0, lambda engine, _: roll_out_portion(engine, here, **how), 0
        )
    except SheshbeshError:
        raise
    except ValueError as error:
        raise ProtocolError(f"roll_out: {error}") from None


# Files and reviews


def _unpacked(ask: _Request, name: str, most: int) -> bytes:
    """The bytes of a field, which is their base64 after zlib; ProtocolError where it is not, or too long."""
    try:
        opened = zlib.decompressobj()
        content = opened.decompress(b64decode(ask[name], validate=True), most)
    except (ValueError, zlib.error) as error:
        raise ProtocolError(f"{ask.kind}: {name} is base64 of zlib: {error}") from None
    if not opened.eof:
        raise ProtocolError(f"{ask.kind}: {name} has at most {most} bytes, whole")
    return content


def _packed(content: bytes) -> str:
    return b64encode(zlib.compress(content, 1)).decode()


def _packed_json(data: object) -> str:
    return _packed(json.dumps(data, ensure_ascii=False).encode())


@lru_cache(_REVIEWS)
def _portions(content: bytes, plies: int) -> Portions:
    """A match file, to be reviewed."""
    from sheshbesh.records import read_match
    from sheshbesh.reviews import Portions

    return Portions(read_match(content), plies)


def _portions_of(ask: _Request) -> Portions:
    plies = min(max(ask["plies"], 0), _DEEPEST_REVIEW)
    return _portions(_unpacked(ask, "file", _LARGEST_FILE), plies)


def _review(_: Engines, ask: _Request) -> object:
    places = ask["places"]
    if not all(type(place) is int for place in places):
        raise ProtocolError("review: places are whole numbers")
    of = _portions_of(ask)
    return {"key": of.key, "total": of.total, "judged": of.judge(places, ask.limit)}


def _report(_: Engines, ask: _Request) -> object:
    from sheshbesh.reviews.summary import summary_of

    of = _portions_of(ask)
    report = of.report(_unpacked(ask, "judged", _LARGEST_REPORT))
    return {"report": _packed_json(report.kept()), "net": report.net, "summary": summary_of(report)}


def _read(_: Engines, ask: _Request) -> object:
    from sheshbesh.records import read_match
    from sheshbesh.reviews.questions import questions

    lang, boards = ask["lang"], frozenset(map(str, ask["boards"]))
    try:
        match = read_match(_unpacked(ask, "file", _LARGEST_FILE))
        met = bool(boards) and any(
            position.id.partition(":")[0] in boards
            for each in questions(match)
            for position in (each.position, each.position.mirror())
        )
    except SheshbeshError as error:
        raise RecordError(translate(error.message, lang)) from None
    except MemoryError:
        raise StoppedError("this file needs more memory than may be had") from None
    from sheshbesh.engines.strength.levels import is_level
    from sheshbesh.session.record_header import LEVEL_TAGS

    repairs = [
        {
            name: translate(value, lang)[:_QUOTED] if isinstance(value, str) else value
            for name, value in each.to_data().items()
        }
        for each in match.repairs[:_REPAIRS]
    ]
    return {
        "format": match.format,
        "variant": match.variant,
        "length": match.length,
        "card": match.card,
        "players": [match.players["white"], match.players["black"]],
        "levels": [
            level if is_level(level := match.tags.get(tag, "")) else None for tag in LEVEL_TAGS.values()
        ],
        "games": len(match.games),
        "repairs": repairs,
        "more_repairs": max(len(match.repairs) - _REPAIRS, 0),
        "met": met,
    }


def _index(_: Engines, ask: _Request) -> object:
    from sheshbesh.practice import cards_of
    from sheshbesh.reviews import report_from_data
    from sheshbesh.reviews.questions import rules_of
    from sheshbesh.reviews.search import outline

    report = report_from_data(json.loads(_unpacked(ask, "report", _LARGEST_REPORT)))
    rules, places = rules_of(report), {id(each): n for n, each in enumerate(report.decisions)}
    cards = [
        {
            "side": side,
            "n": places[id(card.judged)],
            "id": card.id,
            "loss": card.loss,
            "content": card.kept(),
        }
        for side in ("white", "black")
        for card in cards_of(report, side)
    ]
    positions = [
        {
            "n": n,
            "board": each.board,
            "side": each.side.value,
            "dice": 0 if each.dice is None else 10 * max(each.dice) + min(each.dice),
            **asdict(outline(each, rules)),
        }
        for n, each in enumerate(report.decisions)
        if not each.tried  # the position of the play that stood
    ]
    return {"cards": _packed_json(cards), "positions": _packed_json(positions)}


# Pictures


def _width(ask: _Request) -> int:
    from sheshbesh.pictures.raster import WIDTHS

    if ask["width"] not in WIDTHS:
        raise ProtocolError(f"{ask.kind}: width is {WIDTHS.start} to {WIDTHS.stop - 1}")
    return int(ask["width"])


def _png(_: Engines, ask: _Request) -> object:
    from sheshbesh.pictures.raster import png

    return b64encode(png(ask["drawing"], _width(ask))).decode()


def _frames(_: Engines, ask: _Request) -> object:
    from sheshbesh.pictures import MATERIALS, Look, scene_of, svg
    from sheshbesh.pictures.raster import frame

    if ask["look"] not in MATERIALS:
        raise ProtocolError(f"frames: look is one of {', '.join(MATERIALS)}")
    look, width = Look(Side.of(ask["view"]), ask["look"], ask["title"]), _width(ask)
    made, palette, until = [], ask["palette"], monotonic() + ask.limit
    for query in ask["queries"]:
        here = _situation(ask, query)
        drawing = svg(scene_of(here.position, here.card, here.match, here.dice), look)
        picture, palette = frame(drawing, width, palette)
        made.append(b64encode(picture).decode())
        if monotonic() >= until:
            break
    return {"frames": made, "palette": palette}


def _gif(_: Engines, ask: _Request) -> object:
    from sheshbesh.pictures.raster import joined

    try:
        frames = [b64decode(each, validate=True) for each in ask["frames"]]
        made = joined(frames, [float(each) for each in ask["seconds"]])
    except (TypeError, ValueError, OSError) as error:
        raise ProtocolError(f"gif: frames are base64 of pictures, with seconds for each: {error}") from None
    return b64encode(made).decode()


_ANSWERS: Final[Mapping[str, Callable[[Engines, _Request], object]]] = MappingProxyType(
    {
        "decide": _decide,
        "hint": _hint,
        "verdict": _verdict,
        "settle": _settle,
        "finish": _finish,
        "analyse": _analyse,
        "roll_out": _roll_out,
        "review": _review,
        "report": _report,
        "read": _read,
        "index": _index,
        "png": _png,
        "frames": _frames,
        "gif": _gif,
    }
)


class _Search:
    """The search of a request, as `stop` reaches it. Each search of `Engines` ends by itself."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    def cancel(self) -> None:
        """End the running search with its result so far."""
        self._engines.stop()

    def resume(self) -> None:
        """Nothing: `Engines` lets its next search run."""


class Requests:
    """Answers requests with engines of its own: they know levels and the seeds of a level's errors."""

    def __init__(self) -> None:
        self._engines = Engines()

    def work(self, text: str) -> Work:
        """The work of one request; ProtocolError for what is none."""
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ProtocolError(f"expected: ask JSON: {error}") from None
        if not isinstance(fields, dict) or str(fields.get("ask")) not in _ANSWERS:
            raise ProtocolError(f'expected: ask {{"ask": KIND, ...}}, KIND one of {", ".join(_ANSWERS)}')
        limit = fields.get("limit", 1.0)
        if type(limit) not in (int, float) or not 0 <= limit <= 3600:
            raise ProtocolError("limit is a number of seconds, 0 to 3600")

        def run(report: Report, halt: StopSignal) -> None:
            with halt.reaching(_Search(self._engines)):
                request = _Request(fields["ask"], fields, 0.0 if halt() else limit)
                answer = _ANSWERS[request.kind](self._engines, request)
            report("answer " + json.dumps(answer, separators=(",", ":")))

        return Work(run)
