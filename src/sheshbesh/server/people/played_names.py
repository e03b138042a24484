"""The names of people in what they have played: changed with the account, taken out where it is deleted.

A name stands at the seat, in the header, and beside chat messages; of a chouette also in its events.
"""

from __future__ import annotations

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
    messages = update(chat).where(chat.c.user_id == user_id, chat.c.name == old)
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
    table = connection.execute(select(chouettes).where(chouettes.c.id == chouette)).one()
    changed = {"header": _renamed(table.header, old, new), "throws": _renamed(table.throws, old, new)}
    connection.execute(update(chouettes).where(chouettes.c.id == chouette).values(changed))
    columns = chouette_events.c
    rows = connection.execute(select(chouette_events).where(columns.chouette_id == chouette)).all()
    for row in rows:
        renamed = {name: _renamed(getattr(row, name), old, new) for name in ("actor", "action", "then")}
        if any(renamed[name] != getattr(row, name) for name in renamed):
            this = columns.chouette_id == chouette, columns.n == row.n
            connection.execute(update(chouette_events).where(*this).values(renamed))
    packed = select(packed_chouette_events).where(packed_chouette_events.c.chouette_id == chouette)
    if (found := connection.execute(packed).first()) is not None:
        events = [
            event._replace(
                actor=_renamed(event.actor, old, new),
                action=_renamed(event.action, old, new),
                then=_renamed(event.then, old, new),
            )
            for event in unpack(found.events)
        ]
        this_one = packed_chouette_events.c.chouette_id == chouette
        connection.execute(update(packed_chouette_events).where(this_one).values(events=pack(events)))


def _renamed(value: Any, old: str, new: str) -> Any:
    """Data in which every text and every key that is this name is another one."""
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, list):
        return [_renamed(each, old, new) for each in value]
    if isinstance(value, dict):
        return {_renamed(key, old, new): _renamed(each, old, new) for key, each in value.items()}
    return value
