"""From recorded events back to the table, as when an interrupted match is taken up again."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from sheshbesh.fairdice.refusals import refuse
from sheshbesh.fairdice.table import PARTIES, PLAYERS, Change, DiceTable
from sheshbesh.fairdice.transcript import Event
from sheshbesh.rules import Refusal


class _RefusedError(Exception):
    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal


def replay(table: DiceTable | None, event: Event) -> DiceTable | Refusal:
    """The table after a recorded "anchors" or "throw" event of a game with chains, between throws.

    `table` is the table before the event; None, or the table of another game, before the first of a
    game. An event that the table would not have produced is refused.
    """
    try:
        change = _STEPS[event["type"]](table, event)
    except _RefusedError as stop:
        return stop.refusal
    except (KeyError, TypeError, ValueError, AttributeError):
        # Not the shape of an event, or bytes that are not hexadecimal.
        return refuse("dice.event_wrong")
    produced = change.events[0] if change.events else {"": None}
    if any(event.get(key) != value for key, value in produced.items()):
        return refuse("dice.event_wrong")
    return change.table


def _accepted(answer: Change | Refusal) -> Change:
    if isinstance(answer, Refusal):
        raise _RefusedError(answer)
    return answer


def _anchors(table: DiceTable | None, event: Event) -> Change:
    if table is None or table.game != event["game"]:
        table = DiceTable.open(event["game"], mode=event["mode"], length=event["length"])
    elif event["reason"] == "reserve":
        table = _accepted(table.renew()).table
    if (voided := event.get("voided")) is not None:
        # Who rolled does not matter for what was lost; an opening takes links from both sides.
        table = _accepted(table.begin(None)).table
        for player in PLAYERS:
            if voided[player] is not None:
                table = _accepted(table.release(player, bytes.fromhex(voided[player]))).table
    for player in event.get("lost", ()):
        table = _accepted(table.renew(lost=player)).table
    change = Change(table)
    for party in PARTIES:
        change = _accepted(change.table.commit(party, bytes.fromhex(event[party])))
    return change._replace(table=replace(change.table, throw=None))


def _throw(table: DiceTable | None, event: Event) -> Change:
    roller = event["roller"]
    if table is None or event["source"] != "chains" or roller not in (None, *PLAYERS):
        raise _RefusedError(refuse("dice.event_wrong"))
    table = _accepted(table.begin(roller)).table
    if roller is not None:
        table = _accepted(table.ask()).table
    for player in sorted(PLAYERS, key=lambda player: player != roller):  # strict dice ask him first
        link = event[player]
        answer = table.withhold(player) if link is None else table.release(player, bytes.fromhex(link))
        table = _accepted(answer).table
    return _accepted(_accepted(table.release("server", bytes.fromhex(event["server"]))).table.resolve())


_STEPS = MappingProxyType({"anchors": _anchors, "throw": _throw})
