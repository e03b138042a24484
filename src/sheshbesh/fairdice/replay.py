"""From recorded events back to the table, for a match that is resumed."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from sheshbesh.fairdice.table import PARTIES, PLAYERS, Change, DiceTable
from sheshbesh.fairdice.transcript import Event
from sheshbesh.rules import Refused


def replay(table: DiceTable | None, event: Event) -> DiceTable:
    """Return the table after a recorded "anchors" or "throw" event of a game with chains, between throws.

    `table` is the table before the event; None, or the table of another game, before the first of a
    game. Refused for an event that the table would not have produced.
    """
    try:
        change = _STEPS[event["type"]](table, event)
    except (KeyError, TypeError, ValueError, AttributeError):
        # Not the shape of an event, or bytes that are not hexadecimal.
        raise Refused.of("dice.event_wrong") from None
    produced = change.entries[0] if change.entries else {"": None}
    if any(event.get(key) != value for key, value in produced.items()):
        raise Refused.of("dice.event_wrong")
    return change.table


def _anchors(table: DiceTable | None, event: Event) -> Change[DiceTable]:
    if table is None or table.game != event["game"]:
        table = DiceTable.open(event["game"], mode=event["mode"], length=event["length"])
    elif event["reason"] == "reserve":
        table = table.renew().table
    if (voided := event.get("voided")) is not None:
        # The roller does not matter for what was lost; an opening takes links from both sides.
        table = table.begin(None).table
        for player in PLAYERS:
            if voided[player] is not None:
                table = table.release(player, bytes.fromhex(voided[player])).table
    for player in event.get("lost", ()):
        table = table.renew(lost=player).table
    change = Change(table)
    for party in PARTIES:
        change = change.table.commit(party, bytes.fromhex(event[party]))
    return change._replace(table=replace(change.table, throw=None))


def _throw(table: DiceTable | None, event: Event) -> Change[DiceTable]:
    roller = event["roller"]
    if table is None or event["source"] != "chains" or roller not in (None, *PLAYERS):
        raise Refused.of("dice.event_wrong")
    table = table.begin(roller).table
    if roller is not None:
        table = table.ask().table
    for player in sorted(PLAYERS, key=lambda player: player != roller):  # strict dice ask the roller first
        link = event[player]
        change = table.withhold(player) if link is None else table.release(player, bytes.fromhex(link))
        table = change.table
    return table.release("server", bytes.fromhex(event["server"])).table.resolve()


_STEPS = MappingProxyType({"anchors": _anchors, "throw": _throw})
