"""The names of people in what they have played: changed with the account, taken out where it is deleted.

A name stands at the seat, in the header, and beside chat messages; of a chouette also in its events.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, select, update

from sheshbesh.server.storage.packed import pack, unpack
from sheshbesh.server.storage.tables import (
    chat,
    chouette_events,
    chouette_people,
    chouettes,
    matches,
    packed_chouette_events,
    seats,
)
from sheshbesh.server.storage.tournament_tables import tournament_chat

log = logging.getLogger(__name__)

_PEOPLE = chouette_people.c


def rename_in_matches(connection: Connection, user_id: str, old: str, new: str) -> None:
    """Let matches call a person by another name, those under way among them.

    Other names that they played under stay: those of a guest, and of a second player at one screen.
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
    for lines in (chat, tournament_chat):
        messages = update(lines).where(lines.c.user_id == user_id, lines.c.name == old)
        connection.execute(messages.values(name=new))


def leave_chouettes(connection: Connection, gone: Sequence[str]) -> None:
    """Take the names of people whose accounts are deleted out of all chouettes, within that transaction.

    A name stands in the header, in the list of people and in the events; programs go on in their seats.
    """
    query = select(chouette_people).where(_PEOPLE.user_id.in_(gone))
    for row in connection.execute(query).all():
        new = f"?{row.place + 1}"
        _rename(connection, row.chouette_id, row.name, new)
    connection.execute(delete(chouettes).where(chouettes.c.owner.in_(gone), chouettes.c.state == "open"))


def _rename(connection: Connection, chouette: str, old: str, new: str) -> None:
    mine = chouette_people.c.chouette_id == chouette, chouette_people.c.name == old
    connection.execute(update(chouette_people).where(*mine).values(name=new, user_id=None))
    # Locked: another process may pack the events at this moment, or take out another name.
    table = connection.execute(select(chouettes).where(chouettes.c.id == chouette).with_for_update()).one()
    changed = {"header": _renamed(table.header, old, new), "throws": _renamed(table.throws, old, new)}
    connection.execute(update(chouettes).where(chouettes.c.id == chouette).values(changed))
    columns = chouette_events.c
    rows = connection.execute(select(chouette_events).where(columns.chouette_id == chouette)).all()
    for row in rows:
        renamed = {name: _renamed(getattr(row, name), old, new) for name in ("actor", "action", "then")}
        if any(renamed[name] != getattr(row, name) for name in renamed):
            this = columns.chouette_id == chouette, columns.n == row.n
            connection.execute(update(chouette_events).where(*this).values(renamed))
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
        return pack(
            event._replace(
                actor=_renamed(event.actor, old, new),
                action=_renamed(event.action, old, new),
                then=_renamed(event.then, old, new),
            )
            for event in unpack(packed)
        )
    except (LookupError, TypeError, ValueError):
        log.exception(
            "the packed events of chouette %s cannot be read, and are dropped with a name", chouette
        )
        return b""


def _renamed(value: Any, old: str, new: str) -> Any:
    """Data in which every text and every key that is this name is another one."""
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, list):
        return [_renamed(each, old, new) for each in value]
    if isinstance(value, dict):
        return {_renamed(key, old, new): _renamed(each, old, new) for key, each in value.items()}
    return value
