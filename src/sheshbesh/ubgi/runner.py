"""The line protocol on two streams: reads while it works, writes every line at once.

One thread reads and lets the dialogue decide; another does what takes time and writes everything, in
the order in which it was asked for. Only `readyok` may overtake, when work stands in its way, and takes along
what earlier commands were answered without work: after it nothing of them is to come but what is worked on.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from io import TextIOWrapper
from typing import IO, NoReturn

from sheshbesh.ubgi.answers import error_line
from sheshbesh.ubgi.dialogue import Dialogue
from sheshbesh.ubgi.effects import Quit, Ready, Reply, Stop, StopSignal, Work


@dataclass
class _Task:
    """Work waiting or being done: whether it shall end, and whether its answer is still wanted."""

    work: Work
    about: str
    stop_signal: StopSignal = field(default_factory=StopSignal)
    is_dropped: bool = False


class _GoneError(Exception):
    """Nobody reads the output any more."""


class _DroppedError(Exception):
    """Nobody waits for this answer any more."""


_PATIENCE = 2.0
"""Seconds for which `quit` waits until what was answered before it is written."""


class Runner:
    """Serves one conversation until `quit` or the end of the input."""

    def __init__(self, dialogue: Dialogue, source: IO[str], sink: IO[str]) -> None:
        self._dialogue = dialogue
        self._source = source
        self._sink = sink
        self._waiting: queue.Queue[_Task | Reply | None] = queue.Queue()
        self._tasks: list[_Task] = []
        self._unwritten: list[Reply] = []
        self._lock = threading.Lock()
        self._has_no_reader = threading.Event()

    def serve(self) -> bool:
        """Answer until there is nothing more to answer; whether all work has ended.

        After the end of the input everything asked is still answered. After `quit` work is given up:
        if some of it does not end at once, it is left behind unfinished.
        """
        writer = threading.Thread(target=self._write_all, name="engine", daemon=True)
        writer.start()
        patience = None
        for line in self._source:
            if not self._take(line) or self._has_no_reader.is_set():
                self._stop_all(drop=True)
                patience = _PATIENCE
                break
        self._waiting.put(None)
        writer.join(patience)
        return not writer.is_alive()

    def _take(self, line: str) -> bool:
        """Serve one line; False at `quit`."""
        effect = self._dialogue.feed(line)
        if isinstance(effect, Quit):
            return False
        if isinstance(effect, Stop):
            self._stop_all()
        elif isinstance(effect, Work):
            task = _Task(effect, line.split()[0])
            with self._lock:
                self._tasks.append(task)
            self._waiting.put(task)
        elif isinstance(effect, Ready):
            if self._is_working():
                self._overtake("readyok")
            else:
                self._put(Reply(("readyok",)))
        else:
            self._put(effect)
        return True

    def _put(self, reply: Reply) -> None:
        if reply.lines:
            with self._lock:
                self._unwritten.append(reply)
            self._waiting.put(reply)

    def _stop_all(self, *, drop: bool = False) -> None:
        with self._lock:
            for task in self._tasks:
                task.is_dropped = drop
                task.stop_signal.set()

    def _is_working(self) -> bool:
        with self._lock:
            return bool(self._tasks)

    def _overtake(self, line: str) -> None:
        try:
            with self._lock:
                lines = [line for reply in self._unwritten for line in reply.lines]
                self._unwritten.clear()
                self._write_now(*lines, line)
        except _GoneError:
            self._has_no_reader.set()

    # The other thread

    def _write_all(self) -> None:
        try:
            while (item := self._waiting.get()) is not None:
                if isinstance(item, Reply):
                    self._say(item)
                else:
                    self._do(item)
        except _GoneError:
            self._has_no_reader.set()

    def _say(self, reply: Reply) -> None:
        """Write an answer, unless `readyok` has taken it along."""
        with self._lock:
            if any(each is reply for each in self._unwritten):
                self._unwritten = [each for each in self._unwritten if each is not reply]
                self._write_now(*reply.lines)

    def _do(self, task: _Task) -> None:
        def report(line: str) -> None:
            if task.is_dropped:
                raise _DroppedError
            self._write(line)

        try:
            if not task.is_dropped:
                task.work.run(report, task.stop_signal)
        except _DroppedError:
            pass
        except _GoneError:
            raise
        except Exception as error:  # no error may end the dialogue
            self._write(error_line(error, task.about))
        finally:
            with self._lock:
                self._tasks.remove(task)

    def _write(self, line: str) -> None:
        with self._lock:
            self._write_now(line)

    def _write_now(self, *lines: str) -> None:
        """Write lines; the lock is held."""
        try:
            self._sink.write("".join(line + "\n" for line in lines))
            self._sink.flush()
        except (OSError, ValueError) as error:
            raise _GoneError from error


def talk(dialogue: Dialogue) -> NoReturn:
    """Serve a dialogue on standard input and output, and end the process with it."""
    if isinstance(sys.stdin, TextIOWrapper):
        # A stray byte is answered with an error like any other nonsense.
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    with suppress(KeyboardInterrupt):
        Runner(dialogue, sys.stdin, sys.stdout).serve()
    with suppress(OSError):
        sys.stdout.flush()
    # The interpreter would wait for a search that is not needed any more, and would complain of what
    # is still to be written to a reader who has gone.
    os._exit(0)
