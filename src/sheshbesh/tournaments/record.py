"""Records of tournaments: a header and one event for each accepted action, as lines of JSON.

    {"format": "sheshbesh-tournament", "version": 1, "id": "...", "at": 0, "settings": {...}}
    {"n": 1, "at": 0, "actor": "nora", "action": {"type": "announce", ...}}

A tournament is its list of events: replaying them gives the same state, always, and pairs nobody. `verify`
goes further: it works out again what events say about their consequences, checks each pairing, and
recomputes all standings. Format: docs/dev/tournaments.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sheshbesh.errors import ProtocolError, RecordError
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.rules import Refused
from sheshbesh.tournaments.actions import Event, PairAction
from sheshbesh.tournaments.apply import apply, new
from sheshbesh.tournaments.matching import has_matching
from sheshbesh.tournaments.settings import Settings, read_settings, setting_data
from sheshbesh.tournaments.standings import row_data
from sheshbesh.tournaments.state import NOBODY, Pair, Tournament
from sheshbesh.tournaments.systems import standings, swiss, system_of

FORMAT = "sheshbesh-tournament"
VERSION = 1


@dataclass(frozen=True)
class TournamentRecord:
    """The events of a tournament. `damage` says what was lost if the text was cut off."""

    settings: Settings
    id: str = ""
    at: int = 0
    events: tuple[Event, ...] = ()
    damage: Text | None = None

    def start(self) -> Tournament:
        """Return the draft before the first event."""
        return new(self.settings, self.id, self.at)

    def header(self) -> dict[str, Any]:
        """Return the first line as plain data."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "id": self.id,
            "at": self.at,
            "settings": setting_data(self.settings),
        }

    def to_text(self) -> str:
        """Return the whole record as lines of JSON."""
        return "".join(map(line, (self.header(), *(event.to_data() for event in self.events))))

    @classmethod
    def from_text(cls, text: str) -> TournamentRecord:
        """Read a record, cut off or whole; RecordError names the line that cannot be read.

        What a site exports is read as well: there the header counts as line 1, each event as one more line.
        """
        if (exported := _exported(text)) is not None:
            text = "".join(map(line, (exported["header"], *exported["events"])))
        *lines, tail = text.split("\n")
        damage = None
        if tail and _is_json(tail):
            lines.append(tail)
        elif tail:
            damage = Text("line {n} was cut off; what stands before it is whole", n=len(lines) + 1)
        if not lines:
            raise RecordError(Text("this record is empty") if not text else Text("line 1 was cut off"))
        header = _header(_parsed(lines[0], 1))
        events = tuple(_event(each, number) for number, each in enumerate(lines[1:], start=2))
        return cls(*header, events, damage)

    def replay(self) -> Tournament:
        """Return the state after all events; RecordError names the line of one that cannot have happened."""
        state = self.start()
        for event in self.events:
            state = _follow(state, event)[0]
        return state


def line(data: Mapping[str, Any]) -> str:
    """Return one line of a record."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _exported(text: str) -> Mapping[str, Any] | None:
    """Return the one object that a site exports, with the standings; None if the text is no such object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_one = isinstance(found, Mapping) and isinstance(found.get("events"), list) and "header" in found
    return found if is_one else None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(text: str, number: int) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise RecordError(Text("line {n} is not JSON", n=number)) from None


def _header(data: object) -> tuple[Settings, str, int]:
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, Mapping) else None
        if found is None:
            raise RecordError(Text("line 1 must name the format {format}", format=FORMAT))
        raise RecordError(
            Text(
                "line 1 must name the format {format}; this one names {found}",
                format=FORMAT,
                found=repr(found),
            )
        )
    if data.get("version") != VERSION:
        found = repr(data.get("version"))
        raise RecordError(
            Text("line 1: this record has version {found}; known is {known}", found=found, known=VERSION)
        )
    identity, at = data.get("id", ""), data.get("at", 0)
    if not isinstance(identity, str) or type(at) is not int:
        raise RecordError(Text("line 1: id is a text and at a number of milliseconds"))
    try:
        return read_settings(data.get("settings")), identity, at
    except ProtocolError as error:
        raise RecordError(Text("line {n}: {what}", n=1, what=error)) from None


def _event(text: str, number: int) -> Event:
    try:
        event = Event.from_data(_parsed(text, number))
    except (ProtocolError, RecordError) as error:
        if str(error).startswith("line "):
            raise
        raise RecordError(Text("line {n}: {what}", n=number, what=error)) from None
    if event.n != number - 1:
        raise RecordError(
            Text(
                "line {n}: event {found} stands where event {expected} belongs",
                n=number,
                found=event.n,
                expected=number - 1,
            )
        )
    return event


def _follow(state: Tournament, event: Event) -> tuple[Tournament, Event]:
    """Return the state after an event, and the event as it must have been."""
    where = _where(event)
    if event.at < state.at:
        raise RecordError(
            Text(
                "{where}: it is dated before the one it follows: {at} < {before}",
                where=where,
                at=str(event.at),
                before=str(state.at),
            )
        )
    try:
        outcome = apply(state, event.actor, event.action, event.at, ref=event.ref)
    except Refused as error:
        raise RecordError(
            Text("{where}: it is against the rules: {why}", where=where, why=error.refusal.text)
        ) from None
    except ProtocolError as error:
        raise RecordError(Text("{where}: it cannot be read: {why}", where=where, why=error)) from None
    if outcome.event is None:
        raise RecordError(Text("{where}: it changes nothing, so it cannot be an event", where=where))
    return outcome.state, outcome.event


# Verification


@dataclass(frozen=True)
class Verdict:
    """The findings of a verification: `problems` name lines; `checked` and `unchecked` are sentences."""

    problems: tuple[Text, ...]
    checked: tuple[Text, ...]
    unchecked: tuple[Text, ...]
    state: Tournament

    @property
    def ok(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.problems


def verify(text: str) -> Verdict:
    """Check a record: legality, consequences, pairings, standings and the draw.

    RecordError names the line of a text that cannot be read at all. An event that cannot have happened ends
    the check, everything else goes on with what is true. Standings that are exported with a record are
    compared, too.
    """
    record = TournamentRecord.from_text(text)
    state = record.start()
    problems: list[Text] = []
    with_cost = has_matching()
    paired = 0
    for event in record.events:
        try:
            after, true = _follow(state, event)
        except RecordError as error:
            problems.append(JoinedText(error.message))
            break
        where = _where(event)
        problems += [Text("{where}: {what}", where=where, what=fault) for fault in _untrue(event, true)]
        if isinstance(event.action, PairAction):
            paired += len(event.action.pairs)
            if with_cost:
                dear = _dear(state, after, event.action)
                problems += [Text("{where}: {what}", where=where, what=fault) for fault in dear]
        state = after
    else:
        exported = _exported(text) or {}
        told, found = exported.get("standings"), json.loads(json.dumps(row_data(standings(state))))
        if told is not None and told != found:
            how = _shown(told, found)
            problems.append(Text("it does not tell the truth about {key}: {how}", key="standings", how=how))
    return Verdict(tuple(problems), *_said(record, state, paired, with_cost=with_cost), state)


def _where(event: Event) -> Text:
    return Text("line {n}: event {event} ({type})", n=event.n + 1, event=event.n, type=event.action.type)


def _untrue(event: Event, true: Event) -> Iterator[Text]:
    recorded, found = (json.loads(json.dumps(dict(each.then))) for each in (event, true))
    for key in sorted(recorded.keys() | found.keys()):
        if recorded.get(key) != found.get(key):
            how = _shown(recorded.get(key), found.get(key))
            yield Text("it does not tell the truth about {key}: {how}", key=key, how=how)


def _shown(recorded: object, found: object) -> Text:
    """Return two values that differ, of lists only their first entries that do."""
    if isinstance(recorded, list) and isinstance(found, list):
        for place, (one, other) in enumerate(zip(recorded, found, strict=False), start=1):
            if one != other:
                return Text(
                    "entry {n} is {found}, not {expected}", n=place, found=repr(one), expected=repr(other)
                )
        return Text("{found} entries, not {expected}", found=len(recorded), expected=len(found))
    return Text("{found}, not {expected}", found=repr(recorded), expected=repr(found))


def _dear(before: Tournament, after: Tournament, action: PairAction) -> Iterator[Text]:
    """Yield why a pairing of a Swiss is not one of least cost, together with the best of the rest."""
    if system_of(before) is not swiss:
        return
    is_rest = action.round == before.rounds
    numbers = swiss.of_present_round(before) if is_rest else swiss.ready_for_round(before)
    free = list(before.unpaired) if is_rest else sorted(numbers)
    field = swiss.field_of(before, action.round, numbers, before.seed)
    pairs = [Pair(*each) for each in action.pairs]
    if action.bye is not None:
        pairs.append(Pair(action.bye, NOBODY))
    rest = swiss.best(field, after.unpaired) if after.unpaired else ()
    best = swiss.best(field, free)
    made, least = (
        swiss.cost_of(before, action.round, each, numbers, before.seed) for each in ((*pairs, *rest), best)
    )
    if 2 * len((*pairs, *rest)) < 2 * len(best):
        yield Text("it leaves out entrants who could be paired")
    apart = [
        sum(swiss.is_kept_apart(field, *each[:2]) for each in pairing if each.second)
        for pairing in ((*pairs, *rest), best)
    ]
    if apart[0] > apart[1]:
        yield Text("it pairs two who are kept apart, though that can be avoided")
    elif apart[0] == apart[1] and made > least:
        yield Text(
            "it is not of the least cost: {made}, the least is {least}",
            made=_levels(made),
            least=_levels(least),
        )


def _levels(cost: tuple[int, ...]) -> str:
    return " ".join(map(str, cost))


def _said(
    record: TournamentRecord, state: Tournament, paired: int, *, with_cost: bool
) -> tuple[tuple[Text, ...], tuple[Text, ...]]:
    checked: list[Text] = [
        Text("each of {n} events follows from those before it", n=len(record.events)),
        Text("each of {n} pairings is legal, and nobody is in two at a time", n=paired),
        Text("all standings are those that the results lead to"),
    ]
    unchecked: list[Text] = [Text("the results are those that were played: their match records say that")]
    is_swiss = record.settings.system in ("swiss", "losses")
    if is_swiss and with_cost:
        checked.append(Text("each round is paired at the least cost"))
    elif is_swiss:
        unchecked.append(
            Text("each round is paired at the least cost: that needs rustworkx (sheshbesh[site])")
        )
    elif record.settings.system == "arena":
        unchecked.append(Text("each wave is paired at the least cost: who was there is not recorded"))
    if state.seed and state.commitment:
        checked.append(
            Text("the draw seed comes from the secret that was committed to, and from the entrants")
        )
    elif state.seed:
        unchecked.append(Text("the draw was not chosen: no commitment was made before the start"))
    unchecked.append(Text("nobody was entered by the operator in order to change the draw"))
    if record.damage is not None:
        unchecked.append(record.damage)
    return tuple(checked), tuple(unchecked)
