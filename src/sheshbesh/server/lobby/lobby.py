"""The lobby: a snapshot made once for all of its viewers in this process."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import bindparam, func, select

from sheshbesh.server.ids import now_ms
from sheshbesh.server.lobby.challenges import LASTS, ChallengeParties, Challenges
from sheshbesh.server.lobby.seeks import Seeks
from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.people.open_connections import LEFT
from sheshbesh.server.people.ratings import PEOPLE
from sheshbesh.server.storage import Database, Together
from sheshbesh.server.storage.tables import events, matches, ratings, seats, users
from sheshbesh.server.tables.presence import Presence
from sheshbesh.server.tables.wire import dump

CHANGED, PERSON = "lobby", "person"
"""News that seeks have changed, and that something concerns one person (`user`)."""

_SETTLE = 0.25
"""Seconds for which changes are gathered."""
_EVERY = 5.0
"""Seconds after which counts and live matches are looked up anew in any case."""
_FRESH = 1.0
"""Seconds for which a snapshot is good enough for a new viewer."""
_SHOWN = 50
"""Live matches, and people, that are shown."""
_MOST_PEOPLE = 5_000
"""People whose live matches are looked for; beyond it anybody's are shown."""

_ACTED = select(events.c.n).where(events.c.match_id == matches.c.id, events.c.actor == seats.c.side)
_BEGUN = (
    select(matches.c.id, seats.c.user_id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(seats.c.user_id.in_(bindparam("people", expanding=True)))
    .where(matches.c.state == "live", matches.c.kind == "people")
    .where(matches.c.started >= bindparam("since"), ~_ACTED.exists())
    .order_by(matches.c.started)
)

_log = logging.getLogger(__name__)


class LobbyViewer:
    """A connection that shows the lobby: sent the newest snapshot, however slow the connection is."""

    def __init__(self, user: str | None, unseen: frozenset[str]) -> None:
        self.user, self.unseen = user, unseen
        self._news: list[str] = []
        self._snapshot: str | None = None
        self._shown: str | None = None
        self._awake = asyncio.Event()
        self._is_cut = False

    def cut(self) -> None:
        """Send nothing any more."""
        self._is_cut = True
        self._awake.set()

    def show(self, snapshot: str) -> None:
        """A new snapshot; it takes the place of one that is not yet on its way."""
        if snapshot != self._shown:
            self._snapshot = self._shown = snapshot
            self._awake.set()

    def send(self, frame: str) -> None:
        """A message for this viewer alone."""
        self._news.append(frame)
        self._awake.set()

    async def frames(self) -> list[str] | None:
        """Return what is to be sent, when there is something; None where nothing will be."""
        await self._awake.wait()
        if self._is_cut:
            return None
        self._awake.clear()
        found, self._news = self._news, []
        if self._snapshot is not None:
            found.append(self._snapshot)
            self._snapshot = None
        return found


class Lobby:
    """The lobby of this process."""

    def __init__(
        self, database: Database, bus: Bus, presence: Presence, seeks: Seeks, challenges: Challenges
    ) -> None:
        self._database, self._bus, self._presence = database, bus, presence
        self.seeks, self.challenges = seeks, challenges
        self._awaiting = Together(self._begun_for)
        self._viewers: set[LobbyViewer] = set()
        self._listeners: dict[str, set[Callable[[Mapping[str, Any]], None]]] = defaultdict(set)
        self._dirty = asyncio.Event()
        self._refreshing = asyncio.Lock()
        self._snapshot: dict[str, Any] = {}
        self._taken_at = float("-inf")
        self._changes = self._contains = 0  # of the seeks: announced so far, and in the snapshot

    # News

    def listen(self) -> None:
        """Subscribe to what happens here and in other processes."""
        self._bus.subscribe(CHANGED, self._changed)
        self._bus.subscribe(GAP, lambda _: self._dirty.set())
        self._bus.subscribe(LEFT, lambda _: self._dirty.set())
        self._bus.subscribe(PERSON, self._concerns)

    @property
    def viewers(self) -> int:
        """The number of this process's sockets that see the lobby."""
        return len(self._viewers)

    def changed(self) -> None:
        """Notify everybody that seeks have changed."""
        self._bus.publish(CHANGED)

    def notify(self, user: str, **news: Any) -> None:
        """Send news to one user, whichever process they are connected to."""
        self._bus.publish(PERSON, user=user, **news)

    def notify_both(self, challenge: ChallengeParties) -> None:
        """Notify the two whom a challenge concerns that it has changed."""
        for user in (challenge.by, challenge.to):
            self.notify(user, what="challenge", id=challenge.id)

    def attend(self, user: str, listener: Callable[[Mapping[str, Any]], None]) -> Callable[[], None]:
        """Have `listener` called with the news of one person; call what is returned to unsubscribe."""
        self._listeners[user].add(listener)

        def leave() -> None:
            self._listeners[user].discard(listener)
            if not self._listeners[user]:
                del self._listeners[user]

        return leave

    async def waiting_for(self, user: str) -> list[str]:
        """The matches with others that began lately, and in which this person has done nothing yet.

        As long as a challenge waits for an answer, its maker may find the match.
        """
        return await self._awaiting.get(user) or []

    async def _begun_for(self, people: Sequence[str]) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for row in await self._database.all(_BEGUN, {"people": people, "since": now_ms() - LASTS}):
            found.setdefault(row.user_id, []).append(row.id)
        return found

    def _changed(self, _news: Mapping[str, Any]) -> None:
        self._changes += 1
        self._dirty.set()

    def _concerns(self, news: Mapping[str, Any]) -> None:
        for listener in tuple(self._listeners.get(str(news["user"]), ())):
            listener(news)

    # The snapshot

    async def enter(self, viewer: LobbyViewer) -> None:
        """Show the lobby to a viewer from now on."""
        self._viewers.add(viewer)
        # Many may come at once, as after a restart. Those who have just opened or withdrawn a seek see that.
        async with self._refreshing:
            if self._presence.clock.monotonic() - self._taken_at > _FRESH or self._contains != self._changes:
                await self._refresh()
        viewer.show(_frame(self._snapshot, viewer.unseen))
        self._dirty.set()  # there is one more to be counted

    def leave(self, viewer: LobbyViewer) -> None:
        """The viewer has gone."""
        self._viewers.discard(viewer)

    async def run(self) -> None:
        """Show every change until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with self._presence.clock.timeout(_EVERY):
                    await self._dirty.wait()
                    await self._presence.clock.sleep(_SETTLE)
            self._dirty.clear()
            try:
                if await self.seeks.sweep():
                    self.changed()
                for late in await self.challenges.sweep():
                    self.notify_both(late)
                if self._viewers:
                    await self._show()
            except Exception:
                _log.exception("the lobby could not be shown")

    async def _show(self) -> None:
        async with self._refreshing:
            snapshot = await self._refresh()
        frames: dict[frozenset[str], str] = {}
        for viewer in tuple(self._viewers):
            if viewer.unseen not in frames:
                frames[viewer.unseen] = _frame(snapshot, viewer.unseen)
            viewer.show(frames[viewer.unseen])

    async def _refresh(self) -> dict[str, Any]:
        changes = self._changes
        self._snapshot, self._taken_at = await self.snapshot(), self._presence.clock.monotonic()
        self._contains = changes
        return self._snapshot

    async def snapshot(self) -> dict[str, Any]:
        """Seeks, live matches, who is here, and how many are here and play."""
        here = await self._presence.everybody()
        live, playing = await self._live(here)
        return {
            "seeks": await self.seeks.listed(),
            "live": live,
            "people": await self._people(here),
            "counts": {"people": len(here), "playing": playing},
        }

    async def _people(self, here: frozenset[str]) -> list[dict[str, Any]]:
        """Some of those who are here, by name: those who have one first."""
        query = (
            select(users.c.id, users.c.name, users.c.kind)
            .where(users.c.id.in_(list(here)[:_MOST_PEOPLE]), users.c.hidden.is_(False))
            .order_by(users.c.kind == "guest", users.c.folded)
            .limit(_SHOWN)
        )
        return [{"id": row.id, "name": row.name, "kind": row.kind} for row in await self._database.all(query)]

    async def _live(self, here: frozenset[str]) -> tuple[list[dict[str, Any]], int]:
        """Matches that may be watched and in which somebody plays now; how many people play.

        Matches of people come first, by the sum of their ratings for such a match; of equal ones the latest.
        """
        query = select(matches.c.id).where(matches.c.state == "live")
        if len(here) <= _MOST_PEOPLE:
            query = query.join(seats, seats.c.match_id == matches.c.id).where(seats.c.user_id.in_(here))
        active = query.distinct().subquery()
        strength = (
            select(func.coalesce(func.sum(ratings.c.rating), 0))
            .join(seats, seats.c.user_id == ratings.c.user_id)
            .where(seats.c.match_id == matches.c.id, ratings.c.pool == PEOPLE)
            .where(ratings.c.rules == matches.c.rules, ratings.c.time_class == matches.c.time_class)
            .scalar_subquery()
        )
        open_to_all = (
            select(matches)
            .where(
                matches.c.id.in_(select(active.c.id)),
                matches.c.private.is_(False),
                matches.c.kind != "hotseat",
            )
            # Kinds are engine, hotseat, people.
            .order_by(matches.c.kind.desc(), strength.desc(), matches.c.started.desc())
            .limit(_SHOWN)
        )
        rows = await self._database.all(open_to_all)
        sitting = await self._database.all(
            select(seats.c.match_id, seats.c.side, seats.c.name, seats.c.level).where(
                seats.c.match_id.in_([row.id for row in rows])
            )
        )
        names = {(seat.match_id, seat.side): {"name": seat.name, "level": seat.level} for seat in sitting}
        count = select(func.count(func.distinct(seats.c.user_id))).where(
            seats.c.match_id.in_(select(active.c.id)), seats.c.user_id.in_(here)
        )
        playing = await self._database.first(count)
        live = [
            {
                "id": row.id,
                "card": row.card,
                "game": row.game,
                "rated": row.rated,
                "started": row.started,
                # Who only watches sees the board some time later, where its event asks for that.
                "score": None
                if (row.header.get("event") or {}).get("delay")
                else {"white": row.white_score or 0, "black": row.black_score or 0},
                "players": {side: names.get((row.id, side)) for side in ("white", "black")},
            }
            for row in rows
        ]
        return live, int(playing[0]) if playing is not None else 0


def _frame(snapshot: Mapping[str, Any], unseen: frozenset[str]) -> str:
    return dump({"t": "lobby", "d": shown_to(snapshot, unseen)})


def shown_to(snapshot: Mapping[str, Any], unseen: frozenset[str]) -> dict[str, Any]:
    """A snapshot without these people and what they seek."""
    return {
        **snapshot,
        "seeks": [seek for seek in snapshot["seeks"] if seek["by"]["id"] not in unseen],
        "people": [person for person in snapshot["people"] if person["id"] not in unseen],
    }
