"""The names of people in what they have played: changed where a moderator changes them, taken out with a
deleted account.

A name stands at the seat, in the header, and beside chat messages; of a chouette and of a tournament also in
its events.
"""

from __future__ import annotations

import logging
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, or_, select, update

from sheshbesh.server.storage.database import Step
from sheshbesh.server.storage.packed import StoredEvent, pack, unpack
from sheshbesh.server.storage.tables import (
    chat,
    chouette_chat,
    chouette_events,
    chouette_people,
    chouettes,
    matches,
    moderation_log,
    packed_chouette_events,
    seats,
    users,
)
from sheshbesh.server.storage.tournament_tables import (
    tournament_chat,
    tournament_entrants,
    tournament_events,
    tournament_snapshots,
)
from sheshbesh.session import SERVER

log = logging.getLogger(__name__)

_PEOPLE = chouette_people.c

# Where names stand in the data of a chouette; they are the keys of its throws and of the sheet, too.
_SEATS, _NAMED, _LISTED = ("seats",), ("member",), ("seats", "doubled", "offered")


def rename_everywhere(connection: Connection, user_id: str, old: str, new: str) -> None:
    """Let all that a person has played call them by another name, what is under way among it.

    Other names that they played under stay: those of a guest, and of a second player at one screen. In a
    chouette under way people act by their names, so that it keeps the old one to its end.
    """
    query = (
        select(matches.c.id, matches.c.header, seats.c.side)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == user_id, seats.c.name == old)
    )
    for row in connection.execute(query).all():
        header = dict(row.header)
        header["players"] = {**header.get("players", {}), row.side: new}
        connection.execute(update(matches).where(matches.c.id == row.id).values(header=header))
        mine = seats.c.match_id == row.id, seats.c.side == row.side
        connection.execute(update(seats).where(*mine).values(name=new))
    rename_in_tournaments(connection, [user_id], old, new)
    resting = select(chouettes.c.id).where(chouettes.c.state != "live")
    sat = _PEOPLE.user_id == user_id, _PEOPLE.name == old, _PEOPLE.chouette_id.in_(resting)
    for row in connection.execute(select(_PEOPLE.chouette_id).where(*sat)).all():
        _rename(connection, row.chouette_id, old, _free_name(connection, row.chouette_id, new), user_id)
    for lines in (chat, chouette_chat, tournament_chat):
        messages = update(lines).where(lines.c.user_id == user_id, lines.c.name == old)
        connection.execute(messages.values(name=new))


def rename_in_tournaments(connection: Connection, people: Sequence[str], old: str | None, new: str) -> None:
    """Let tournaments call people by another name; those who are entered as `old`, or by any name (None)."""
    entrants, columns = tournament_entrants.c, tournament_events.c
    entered = select(entrants.tournament_id).where(entrants.user_id.in_(people))
    found = {row.tournament_id for row in connection.execute(entered).all()}
    if not found:
        return
    # Their own entries, and those by a director; among them former ones, whose rows name nobody any more.
    kind, whom = columns.action["type"].as_string(), columns.action["id"].as_string()
    entries = or_((kind == "enter") & columns.actor.in_(people), (kind == "add") & whom.in_(people))
    query = select(tournament_events).where(columns.tournament_id.in_(found), entries)
    numbers: dict[str, set[int]] = defaultdict(set)
    for row in connection.execute(query).all():
        if old is None or row.action["name"] == old:
            this = columns.tournament_id == row.tournament_id, columns.n == row.n
            changed = update(tournament_events).where(*this)
            connection.execute(changed.values(action={**row.action, "name": new}))
            numbers[row.tournament_id].add(row.then["number"])
    for identity, theirs in numbers.items():
        rows = entrants.tournament_id == identity, entrants.number.in_(theirs)
        connection.execute(update(tournament_entrants).where(*rows).values(name=new))
        _rename_in_snapshot(connection, identity, theirs, new)


def _rename_in_snapshot(connection: Connection, identity: str, numbers: Collection[int], new: str) -> None:
    """Let the kept state of a tournament call entrants by another name; one that cannot be read goes."""
    this = tournament_snapshots.c.tournament_id == identity
    found = connection.execute(select(tournament_snapshots).where(this)).first()
    if found is None:
        return
    try:
        state = msgspec.json.decode(zlib.decompress(found.state))
        for entrant in state["entrants"]:
            if entrant["number"] in numbers:
                entrant["name"] = new
        kept = zlib.compress(msgspec.json.encode(state))
    except (LookupError, TypeError, ValueError, zlib.error):
        log.exception("the kept state of tournament %s cannot be read, and is dropped with a name", identity)
        connection.execute(delete(tournament_snapshots).where(this))
    else:
        connection.execute(update(tournament_snapshots).where(this).values(state=kept))


def renamed_step(chouette: str, people: Iterable[tuple[str, str]]) -> Step:
    """Return what belongs to the end of a chouette: who has got another name meanwhile is called by it.

    `people` are those who sit there, as user and name.
    """

    def step(connection: Connection) -> None:
        done = moderation_log.c
        for user, name in people:
            was = done.target == user, done.action == "rename", done.name == name
            renamed = connection.execute(select(done.id).where(*was)).first() is not None
            row = connection.execute(select(users.c.name).where(users.c.id == user)).first()
            if renamed and row is not None and row.name != name:
                _rename(connection, chouette, name, _free_name(connection, chouette, row.name), user)

    return step


def _free_name(connection: Connection, chouette: str, name: str) -> str:
    """Return a name, with a number behind it where somebody at the table has it already."""
    there = connection.execute(select(_PEOPLE.name).where(_PEOPLE.chouette_id == chouette))
    taken = {row.name for row in there}
    numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
    return next(each for each in (name, *numbered) if each not in taken)


def leave_chouettes(connection: Connection, gone: Sequence[str]) -> None:
    """Take the names of people whose accounts are deleted out of all chouettes, within that transaction.

    A name stands in the header, in the list of people and in the events; programs go on in their seats.
    """
    query = select(chouette_people).where(_PEOPLE.user_id.in_(gone))
    for row in connection.execute(query).all():
        new = f"?{row.place + 1}"
        _rename(connection, row.chouette_id, row.name, new, None)
    connection.execute(delete(chouettes).where(chouettes.c.owner.in_(gone), chouettes.c.state == "open"))


def _rename(connection: Connection, chouette: str, old: str, new: str, user_id: str | None) -> None:
    """Let a chouette call somebody by another name, who is this user from now on."""
    mine = chouette_people.c.chouette_id == chouette, chouette_people.c.name == old
    connection.execute(update(chouette_people).where(*mine).values(name=new, user_id=user_id))
    # Locked: another process may pack the events at this moment, or take out another name.
    table = connection.execute(select(chouettes).where(chouettes.c.id == chouette).with_for_update()).one()
    changed = {
        "header": _renamed_in(table.header, _SEATS, old, new),
        "throws": _renamed_keys(table.throws, old, new),
    }
    connection.execute(update(chouettes).where(chouettes.c.id == chouette).values(changed))
    columns = chouette_events.c
    stored = select(*(columns[name] for name in StoredEvent._fields)).where(columns.chouette_id == chouette)
    for event in map(StoredEvent._make, connection.execute(stored).all()):
        renamed = _renamed_event(event, old, new)._asdict()
        if news := {name: value for name, value in renamed.items() if value != getattr(event, name)}:
            this = columns.chouette_id == chouette, columns.n == event.n
            connection.execute(update(chouette_events).where(*this).values(news))
    this_one = packed_chouette_events.c.chouette_id == chouette
    found = connection.execute(select(packed_chouette_events).where(this_one)).first()
    if found is not None:
        # Some 60 ms of the thread that writes: people leave seldom, and all of it must be in one transaction.
        left = (
            update(packed_chouette_events)
            .where(this_one)
            .values(events=_renamed_packed(chouette, found.events, old, new))
        )
        connection.execute(left)


def _renamed_packed(chouette: str, packed: bytes, old: str, new: str) -> bytes:
    """Return packed events with another name; nothing of those that cannot be read: they may hold the old."""
    try:
        return pack(_renamed_event(event, old, new) for event in unpack(packed))
    except (LookupError, TypeError, ValueError):
        log.exception(
            "the packed events of chouette %s cannot be read, and are dropped with a name", chouette
        )
        return b""


def _renamed_event(event: StoredEvent, old: str, new: str) -> StoredEvent:
    """Return an event in which somebody has another name.

    Nothing else is changed: people may be called "roll" or "play", which are words of the events.
    """
    then, ref = _renamed_in(event.then, _LISTED, old, new), event.ref
    if isinstance(then, dict) and "sheet" in then:
        then["sheet"] = _renamed_keys(then["sheet"], old, new)
    if event.actor == SERVER and ref is not None and ref.startswith(f"{old}:"):
        ref = new + ref.removeprefix(old)  # in whose stead the server acted
    return event._replace(
        actor=_called(event.actor, old, new),
        action=_renamed_in(event.action, _NAMED, old, new),
        then=then,
        ref=ref,
    )


def _renamed_in(data: Any, keys: Iterable[str], old: str, new: str) -> Any:
    """Return an object in which a name, or each of a list of names, at these keys is another one."""
    if not isinstance(data, dict):
        return data  # it cannot be read
    renamed = dict(data)
    for key in keys:
        if isinstance(found := data.get(key), list):
            renamed[key] = [_called(name, old, new) for name in found]
        elif found is not None:
            renamed[key] = _called(found, old, new)
    return renamed


def _renamed_keys(data: Any, old: str, new: str) -> Any:
    """Return an object by the names of people, one of whom has another."""
    return (
        {_called(name, old, new): found for name, found in data.items()} if isinstance(data, dict) else data
    )


def _called(name: Any, old: str, new: str) -> Any:
    return new if name == old else name
