"""A process that thinks for the site: questions come in as lines of JSON, answers go out the same way.

    python -m sheshbesh.server.engines.worker

It says when it is ready, as the answer to question 0. It answers one question at a time, and reads on while
it thinks: `{"stop": id}` ends a search early, and when the other end is gone so is the process.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Thread
from types import MappingProxyType
from typing import Any, BinaryIO, Final

from sheshbesh.players.data import hint_data, verdict_data
from sheshbesh.players.engines import Engines
from sheshbesh.players.snapshot import read_moment
from sheshbesh.rules import Side
from sheshbesh.session import Event, parse_action

Question = Mapping[str, Any]


def _decide(engines: Engines, ask: Question) -> object:
    state, side = read_moment(ask["state"]), Side(ask["side"])
    act = engines.answer_proposal if ask["proposal"] else engines.decide
    return act(state, side, ask["level"], ask["seed"], ask["limit"]).to_data()


def _hint(engines: Engines, ask: Question) -> object:
    state = read_moment(ask["state"])
    found = engines.coach(state.card.rules, ask["limit"], lambda coach: coach.hint(state))
    return None if found is None else hint_data(found, ask["lang"])


def _verdict(engines: Engines, ask: Question) -> object:
    before = read_moment(ask["state"])
    event = Event(1, 0, ask["side"], parse_action(ask["action"]))
    found = engines.coach(before.card.rules, ask["limit"], lambda coach: coach.verdict(before, event))
    return None if found is None else verdict_data(found, ask["lang"])


def _settle(engines: Engines, ask: Question) -> object:
    found = engines.settle(read_moment(ask["state"]), Side(ask["side"]))
    return None if found is None else found.to_data()


def _finish(engines: Engines, ask: Question) -> object:
    found = engines.finish(read_moment(ask["state"]))
    return None if found is None else found.notation


_ANSWERS: Final[Mapping[str, Callable[[Engines, Question], object]]] = MappingProxyType(
    {"decide": _decide, "hint": _hint, "verdict": _verdict, "settle": _settle, "finish": _finish}
)


class Worker:
    """One process's questions and answers."""

    def __init__(self, lines: BinaryIO, answers: BinaryIO) -> None:
        self._lines = lines
        self._answers = answers
        self._engines = Engines()
        self._waiting: SimpleQueue[Question] = SimpleQueue()
        self._current = 0

    def run(self) -> None:
        """Answer until there are no more questions; does not return."""
        Thread(target=self._read, daemon=True).start()
        self._say({"id": 0, "is": "ready"})
        while True:
            ask = self._waiting.get()
            self._current = ask["id"]
            answer = self._answer(ask)
            self._current = 0
            self._say({"id": ask["id"], **answer})

    def _say(self, answer: Mapping[str, object]) -> None:
        self._answers.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
        self._answers.flush()

    def _answer(self, ask: Question) -> dict[str, object]:
        try:
            return {"is": _ANSWERS[ask["ask"]](self._engines, ask)}
        except Exception as error:  # whatever it was, the next question may be answered
            return {"failed": f"{type(error).__name__}: {error}"}

    def _read(self) -> None:
        for line in self._lines:
            message = json.loads(line)
            if "stop" not in message:
                self._waiting.put(message)
            elif message["stop"] == self._current:
                self._engines.stop()
        os._exit(0)


def main() -> None:
    """Answer the questions that come in on standard input."""
    # Ctrl-C is for the server, which then closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nice := os.environ.get("SHESHBESH_WORKER_NICE"):
        os.nice(int(nice))
    # Whatever prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    Worker(sys.stdin.buffer, answers).run()


if __name__ == "__main__":
    main()
