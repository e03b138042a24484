"""Requests of the site, `ask JSON`: a match in progress in, a decision or advice out, both as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from sheshbesh.errors import ProtocolError
from sheshbesh.players.data import hint_data, verdict_data
from sheshbesh.players.engines import Engines
from sheshbesh.players.snapshot import read_moment
from sheshbesh.rules import Side
from sheshbesh.session import Event, parse_action
from sheshbesh.ubgi.effects import Report, StopSignal, Work

LONGEST = 256 * 1024
"""Characters of a request."""


class _Request:
    """The fields of a request; ProtocolError names one that is missing."""

    def __init__(self, kind: str, fields: Mapping[str, Any], limit: float) -> None:
        self.kind, self._fields, self.limit = kind, fields, limit

    def __getitem__(self, name: str) -> Any:
        try:
            return self._fields[name]
        except KeyError:
            raise ProtocolError(f"{self.kind}: {name} is missing") from None


def _decide(engines: Engines, ask: _Request) -> object:
    state, side = read_moment(ask["state"]), Side(ask["side"])
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
    found = engines.settle(read_moment(ask["state"]), Side(ask["side"]))
    return None if found is None else found.to_data()


def _finish(engines: Engines, ask: _Request) -> object:
    found = engines.finish(read_moment(ask["state"]))
    return None if found is None else found.notation


_ANSWERS: Final[Mapping[str, Callable[[Engines, _Request], object]]] = MappingProxyType(
    {"decide": _decide, "hint": _hint, "verdict": _verdict, "settle": _settle, "finish": _finish}
)


class _Search:
    """The search of a request, as `stop` reaches it. Each search of `Engines` ends by itself."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    def cancel(self) -> None:
        """End the running search with what it knows."""
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
        except ValueError as error:
            raise ProtocolError(f"expected: ask JSON: {error}") from None
        if not isinstance(fields, dict) or fields.get("ask") not in _ANSWERS:
            raise ProtocolError(f'expected: ask {{"ask": KIND, ...}}, KIND one of {", ".join(_ANSWERS)}')
        limit = fields.get("limit", 1.0)
        if not isinstance(limit, int | float) or not 0 <= limit <= 3600:
            raise ProtocolError("limit is a number of seconds, 0 to 3600")

        def run(report: Report, halt: StopSignal) -> None:
            with halt.reaching(_Search(self._engines)):
                request = _Request(fields["ask"], fields, 0.0 if halt() else limit)
                answer = _ANSWERS[request.kind](self._engines, request)
            report("answer " + json.dumps(answer, separators=(",", ":")))

        return Work(run)
