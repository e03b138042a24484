"""How a match stands, as its row says it: for lists, and to wake it when somebody's time has run out.

A row is written with the events that change it, in one transaction, so it is never behind them.
"""

from __future__ import annotations

from typing import Any

from sheshbesh.match import Card
from sheshbesh.rules import Side
from sheshbesh.rules.side import name_or_none
from sheshbesh.server.tables import view
from sheshbesh.server.tables.seats import Arrangement
from sheshbesh.session import Phase, Session
from sheshbesh.session.clock import Clock

_CLOCK = ("white", "black", "since", "allowance")


def due_of(down: int, session: Session) -> int | None:
    """When the running clock runs out for good (`Clock.expiry`); None where none runs.

    In milliseconds that can be compared between tables: those of the table without the `down` for which no
    server was up before it was made. A process compares them with its clock less all such time.
    """
    expiry = session.clock.expiry()
    return None if expiry is None else expiry - down


def row_of(table: Arrangement, session: Session) -> dict[str, Any]:
    """The columns `due` and `standing` of a match as it stands."""
    if session.phase is Phase.OVER:
        return {"due": None, "standing": None}
    clock = session.clock
    running = name_or_none(clock.running)
    standing = {
        "phase": session.phase.value,
        "to_act": [side.value for side in session.to_act],
        "paused": session.paused,
        "score": {side.value: session.score.score(side) for side in Side},
        "clock": {name: getattr(clock, name) for name in _CLOCK} | {"running": running},
    }
    return {"due": due_of(table.down, session), "standing": standing}


def changes(before: Session, after: Session) -> bool:
    """Whether the row has to be written anew: whose turn it is, or when their time is up."""
    return (
        before.clock is not after.clock
        or before.phase is not after.phase
        or before.paused is not after.paused
        or before.to_act != after.to_act
    )


def shown(card: Card, standing: dict[str, Any], now: int) -> dict[str, Any]:
    """A row's `standing` as a list shows it, its clocks as they are at `now` in the match's time."""
    kept = standing["clock"]
    running = Side.of(kept["running"]) if kept["running"] is not None else None
    clock = Clock(card.clock, running=running, **{name: kept[name] for name in _CLOCK})
    entry = {name: value for name, value in standing.items() if name != "clock"}
    return {**entry, "clock": view.clock_data(clock, now), "now": now}
