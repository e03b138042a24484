"""Streams of JSON lines for programs: what happens to them, and what happens in one match.

An empty line comes every few seconds, so that both ends notice when the other is gone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from typing import Any

from sheshbesh.i18n import Text
from sheshbesh.server.lobby.challenges import Challenges
from sheshbesh.server.lobby.lobby import Lobby
from sheshbesh.server.people.history import History
from sheshbesh.server.people.open_connections import OpenConnections
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.tables.line import Line
from sheshbesh.server.tables.match import Match
from sheshbesh.server.tables.presence import Presence
from sheshbesh.server.tables.wire import dump

KEEP_ALIVE = 7.0
"""Seconds between two empty lines, where nothing happens."""

_LOOK = 2.0
"""Seconds between two signs that the stream is still read; the table takes longer silence for absence."""
_MOST = 32
"""Streams that one program may have open."""
_MOST_WAITING = 256
"""Lines that may wait for a slow reader before the stream is ended."""

_open: Counter[str] = Counter()


def check_streams(person: Person) -> None:
    """Failure 429 where a user has as many streams open as allowed."""
    if _open[person.id] >= _MOST:
        raise Failure(429, Text("you can have at most {most} streams open", most=_MOST), wait=60)


async def events(
    person: Person, lobby: Lobby, presence: Presence, connections: OpenConnections, history: History
) -> AsyncIterator[str]:
    """Stream what happens to somebody: matches begin (gameStart, first those that go on now) and end
    (gameFinish); challenges are made, first those that wait, declined, and gone; a tournament of theirs
    starts in a quarter of an hour (tournamentSoon), takes check-ins (tournamentCheckIn), starts
    (tournamentStart), pairs them (tournamentPairing, with the game), still awaits them at half of their time
    (tournamentAwaited, with the game), is decided for or against them by walkover (tournamentWalkover,
    tournamentMissed), rules on their match (tournamentRuling), is changed (tournamentAmended), has a
    message of its director (tournamentMessage) and ends (tournamentEnd)."""
    queue: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue(_MOST_WAITING)
    is_open = True

    def concerned(news: Mapping[str, Any]) -> None:
        if news["what"] in ("turn", "rematch"):
            return  # the stream of the match itself says so
        if queue.full():
            end()
        else:
            queue.put_nowait(news)

    def end() -> None:
        nonlocal is_open
        is_open = False
        if queue.empty():
            queue.put_nowait({})

    leave = lobby.attend(person.id, concerned)
    _open[person.id] += 1
    try:
        with connections.open(person, end), presence.here(person.id):
            for match in await history.live(person.id):
                yield _game_line("gameStart", match)
            for challenge in (await lobby.challenges.of(person.id))["to"]:
                yield _line_of({"type": "challenge", "challenge": challenge})
            while is_open:
                try:
                    async with presence.clock.timeout(KEEP_ALIVE):
                        news = await queue.get()
                except TimeoutError:
                    yield "\n"
                    continue
                if is_open:
                    yield await _event_line(lobby.challenges, news)
    finally:
        leave()
        _closed(person)


async def _event_line(challenges: Challenges, news: Mapping[str, Any]) -> str:
    if news["what"] == "tournament":
        data = {"id": news["id"], "url": f"/t/{news['id']}"}
        game = {"game": {"id": news["match"], "url": f"/m/{news['match']}"}} if "match" in news else {}
        return _line_of({"type": news["event"], "tournament": data, **game})
    if news["what"] != "challenge":
        return _game_line({"match": "gameStart", "over": "gameFinish"}[news["what"]], news["id"])
    challenge = await challenges.find(news["id"])
    if challenge is None:  # accepted (then a match begins), withdrawn, or too old
        return _line_of({"type": "challengeGone", "challenge": {"id": news["id"]}})
    kind = "challenge" if challenge["reason"] is None else "challengeDeclined"
    return _line_of({"type": kind, "challenge": challenge})


def _line_of(data: object) -> str:
    return dump(data) + "\n"


def _game_line(kind: str, match: str) -> str:
    return _line_of({"type": kind, "game": {"id": match, "url": f"/m/{match}"}})


async def game(
    person: Person, table: Match, presence: Presence, connections: OpenConnections
) -> AsyncIterator[str]:
    """One match: first gameFull with the state and the turns of this game, then whatever happens.

    The lines are the messages of the match's socket with `type` for `t`.
    """
    viewer = Line(person.id, clock=table.kind.clock)
    _open[person.id] += 1
    try:
        with connections.open(person, viewer.cut), presence.here(person.id):
            await table.enter(viewer)
            first, written = True, presence.clock.monotonic()
            while True:
                try:
                    async with presence.clock.timeout(_LOOK):
                        frame = await viewer.outbox.get()
                except TimeoutError:
                    viewer.mark_alive()
                    if presence.clock.monotonic() - written >= KEEP_ALIVE:
                        written = presence.clock.monotonic()
                        yield "\n"
                    continue
                if frame is None or viewer.is_cut:
                    return
                viewer.mark_alive()
                written = presence.clock.monotonic()
                yield _line(frame, full=first)
                first = False
    finally:
        table.viewers.leave(viewer)
        _closed(person)


def _line(frame: str, *, full: bool) -> str:
    """A frame as a line: every frame begins with its type."""
    head = '{"t":"'
    assert frame.startswith(head)
    rest = frame.removeprefix(head)
    return '{"type":"' + (rest.replace("state", "gameFull", 1) if full else rest) + "\n"


def _closed(person: Person) -> None:
    _open[person.id] -= 1
    if not _open[person.id]:
        del _open[person.id]
