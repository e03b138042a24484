"""Requests of the site, `ask JSON`: a match in progress in, a decision or advice out, both as JSON."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from sheshbesh.engines import Engine
from sheshbesh.errors import ProtocolError, SheshbeshError
from sheshbesh.players.analysis import analyse, roll_out_portion
from sheshbesh.players.data import hint_data, verdict_data
from sheshbesh.players.engines import Engines
from sheshbesh.players.situation import Situation
from sheshbesh.players.snapshot import read_moment
from sheshbesh.rules import Side
from sheshbesh.session import Event, parse_action
from sheshbesh.ubgi.effects import Report, StopSignal, Work

if TYPE_CHECKING:
    from sheshbesh.reviews import Portions

LONGEST = 256 * 1024
"""Characters of a request."""

_DEEPEST: Final = 2
"""Plies of an analysis."""

_DEEPEST_REVIEW: Final = 3

_LARGEST_FILE: Final = 4 * 1024 * 1024
"""Bytes of a match file that is reviewed."""

_REVIEWS: Final = 4
"""Matches that are kept ready, for the next portion of their review."""


_FIELDS: Final[Mapping[str, tuple[tuple[type, ...], str]]] = MappingProxyType(
    {
        **dict.fromkeys(("state", "query", "action"), ((dict,), "an object")),
        **dict.fromkeys(("side", "lang", "file"), ((str,), "a text")),
        **dict.fromkeys(("seed", "plies", "trials", "chunks"), ((int,), "a whole number")),
        **dict.fromkeys(("places", "plays"), ((list,), "a list")),
        "proposal": ((bool,), "true or false"),
        "level": ((str, type(None)), "a text or null"),
        "kept": ((dict, type(None)), "an object or null"),
    }
)
"""What each field of a request is, and how that is said."""


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
    state, side = read_moment(ask["state"]), Side.of(ask["side"])
    act = engines.answer_proposal if ask["proposal"] else engines.decide
    return act(state, side, ask["level"], ask["seed"], ask.limit).to_data()


def _hint(engines: Engines, ask: _Request) -> object:
    state = read_moment(ask["state"])
    found = engines.coach(state.card.rules, ask.limit, lambda coach: coach.hint(state))
    return None if found is None else hint_data(found, ask["lang"])


def _verdict(engines: Engines, ask: _Request) -> object:
    before = read_moment(ask["state"])
    event = Event(1, 0, ask["side"], parse_action(ask["action"]))
    found = engines.coach(before.card.rules, ask.limit, lambda coach: coach.verdict(before, event))
    return None if found is None else verdict_data(found, ask["lang"])


def _settle(engines: Engines, ask: _Request) -> object:
    found = engines.settle(read_moment(ask["state"]), Side.of(ask["side"]))
    return None if found is None else found.to_data()


def _finish(engines: Engines, ask: _Request) -> object:
    found = engines.finish(read_moment(ask["state"]))
    return None if found is None else found.notation


def _situation(ask: _Request) -> Situation:
    query = ask["query"]
    if not all(isinstance(value, str) for value in query.values()):
        raise ProtocolError(f"{ask.kind}: the fields of query are texts")
    return Situation.of_query(query)


def _analyse(engines: Engines, ask: _Request) -> object:
    here, plies = _situation(ask), min(max(ask["plies"], 0), _DEEPEST)

    def run(engine: Engine, plies: int) -> object:
        return analyse(engine, here, plies, ask["lang"])

    return engines.analysis(here.card.rules, ask.limit, run, plies)


def _roll_out(engines: Engines, ask: _Request) -> object:
    here, names = _situation(ask), ("trials", "seed", "plays", "chunks", "kept")
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


@lru_cache(_REVIEWS)
def _portions(file: str, plies: int) -> Portions:
    """A match file, by zlib and base64, to be reviewed; ProtocolError where it is none of these."""
    from sheshbesh.records import read_match
    from sheshbesh.reviews import Portions

    try:
        opened = zlib.decompressobj()
        content = opened.decompress(b64decode(file, validate=True), _LARGEST_FILE)
        if not opened.eof:
            raise ProtocolError(f"review: file has at most {_LARGEST_FILE} bytes, whole")
    except (ValueError, zlib.error) as error:
        raise ProtocolError(f"review: file is base64 of zlib: {error}") from None
    return Portions(read_match(content), plies)


def _review(_: Engines, ask: _Request) -> object:
    places = ask["places"]
    if not all(type(place) is int for place in places):
        raise ProtocolError("review: places are whole numbers")
    of = _portions(ask["file"], min(max(ask["plies"], 0), _DEEPEST_REVIEW))
    judged = of.judge(places, ask.limit)
    return {"key": of.key, "total": of.total, "judged": judged}


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
