"""Brackets: knockout, consolation, last chance and double elimination, all as matches with two sources.

A match may be played as soon as both its sources are known. Nothing is stored about who stands where: it
is read from the plan and from the results, so a corrected result corrects everything that follows from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sheshbesh.tournaments.draw import apart, bracket_size, seed_table, shuffled
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.settings import BracketName, Settings
from sheshbesh.tournaments.standings import Row, Standings
from sheshbesh.tournaments.state import NOBODY, Pair, Pairing, Slot, Source, Tournament
from sheshbesh.tournaments.systems import round_robin

_NOBODY = Source("nobody")
_MAIN = ("main", "losers", "third", "final")
"""The brackets that decide about the places; the others are played beside them."""
_PREFIX = {
    "main": "M",
    "consolation": "C",
    "losers": "L",
    "last_chance": "K",
    "third": "T",
    "final": "F",
}


class Place(NamedTuple):
    """A slot as it stands: None for what is not known yet, 0 for nobody.

    `first` and `second` are those whom its sources send, `pairing` what was made of them.
    """

    first: int | None
    second: int | None
    winner: int | None = None
    loser: int | None = None
    pairing: Pairing | None = None


class _Builder:
    """Collects the slots of a plan, which it names by bracket and number."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.slots: list[Slot] = []
        self._counts: dict[str, int] = {}

    def add(self, bracket: BracketName, number: int, first: Source, second: Source) -> str:
        """Add a match of a bracket in its round `number`; returns its name."""
        self._counts[bracket] = self._counts.get(bracket, 0) + 1
        name = f"{_PREFIX[bracket]}{self._counts[bracket]}"
        length = self.settings.length(bracket, number)
        self.slots.append(Slot(name, bracket, number, first, second, length))
        return name

    def round(self, bracket: BracketName, number: int, sources: Sequence[Source]) -> list[Source]:
        """Add a round in which neighbours meet; returns its winners."""
        pairs = zip(sources[::2], sources[1::2], strict=True)
        return [Source("winner", self.add(bracket, number, *pair)) for pair in pairs]

    def knockout(
        self, bracket: BracketName, sources: Sequence[Source], number: int = 1
    ) -> list[list[Source]]:
        """Add rounds until one is left; returns the winners of each."""
        rounds = []
        winners = list(sources)
        while len(winners) > 1:
            winners = self.round(bracket, number, winners)
            rounds.append(winners)
            number += 1
        return rounds


def build(settings: Settings, order: Sequence[int]) -> tuple[Slot, ...]:
    """Return the plan of all brackets for entrants in their order in the draw, the highest first."""
    size = bracket_size(len(order))
    builder = _Builder(settings)
    entrants = [
        Source("entrant", entrant=order[seed - 1]) if seed <= len(order) else _NOBODY
        for seed in seed_table(size)
    ]
    main = builder.knockout("main", entrants)
    if settings.system == "double":
        survivor = _losers_bracket(builder, "losers", main, main[1:])
        final = builder.add("final", 1, main[-1][0], survivor)
        if settings.reset:
            builder.add("final", 2, Source("again", final), Source("again", final))
        return tuple(builder.slots)
    if settings.consolation == "progressive":
        _losers_bracket(builder, "consolation", main, main[1:-1])
    elif settings.consolation == "nonprogressive" and len(main) > 1:
        builder.knockout("consolation", _losers(main[0]))
    if settings.last_chance:
        _last_chance(builder)
    if settings.third_place and len(main) > 1:
        builder.add("third", 1, *_losers(main[-2]))
    return tuple(builder.slots)


def _losers(winners: Sequence[Source]) -> list[Source]:
    return [Source("loser", each.slot) for each in winners]


def _losers_bracket(
    builder: _Builder,
    bracket: BracketName,
    main: Sequence[Sequence[Source]],
    dropping: Sequence[Sequence[Source]],
) -> Source:
    """Build a bracket that losers of the main one enter round by round; returns its winner.

    Every second round of drops is crossed, the upper half into the lower, so that a second meeting comes as
    late as possible.
    """
    alive = _losers(main[0])
    number = 1
    for count, drops in enumerate(dropping):
        if len(alive) > len(drops):
            alive = builder.round(bracket, number, alive)
            number += 1
        dropped = _losers(drops)
        half = len(dropped) // 2
        if count % 2 == 0:
            dropped = dropped[half:] + dropped[:half]
        mixed = [source for pair in zip(alive, dropped, strict=True) for source in pair]
        alive = builder.round(bracket, number, mixed)
        number += 1
    rounds = builder.knockout(bracket, alive, number)
    return rounds[-1][0] if rounds else alive[0]


def _last_chance(builder: _Builder) -> None:
    """Build the bracket of those who lost in the first two rounds of the consolation."""
    dropped = [
        Source("loser", slot.name)
        for slot in builder.slots
        if slot.bracket == "consolation" and slot.round <= 2
    ]
    if len(dropped) > 1:
        room = bracket_size(len(dropped)) - len(dropped)
        # Those beside nobody spread over the bracket: a pair of two nobodies would be no match.
        filled = [
            source for place, each in enumerate(dropped) for source in (each, _NOBODY)[: 1 + (place < room)]
        ]
        builder.knockout("last_chance", filled)


def plan(state: Tournament) -> Tournament:
    """Return the tournament with its bracket, or with the schedule of its groups first."""
    if state.settings.groups:
        return round_robin.plan(state).but(stage="groups")
    numbers = [each.number for each in state.players()]
    if state.settings.draw == "random":
        numbers = shuffled(state.seed, numbers, "draw")
    return state.but(stage="bracket", plan=build(state.settings, numbers))


def after_groups(state: Tournament) -> Tournament:
    """Return the bracket of those who come out of the groups, once their places are final."""
    rows = round_robin.standings(state)
    advance = state.settings.advance
    # One who has left does not go on, and the next of the group does.
    here = [row for row in rows if state.entrant(row.entrant).plays]
    by_group = [[row.entrant for row in here if row.group == group] for group in _groups(here)]
    ranks = [[group[rank] for group in by_group if len(group) > rank] for rank in range(advance)]
    order = apart(ranks, bracket_size(sum(map(len, ranks))))
    through = set(order)
    out = [
        replace(each, status="out", why="lost", out_at=state.rounds)
        for each in state.players()
        if each.plays and each.number not in through
    ]
    return state.with_entrants(*out).but(stage="bracket", plan=build(state.settings, order))


def _groups(rows: Iterable[Row]) -> list[int]:
    return sorted({row.group for row in rows})


# As it stands


def places(state: Tournament) -> dict[str, Place]:
    """Return every slot as it stands, by name."""
    found: dict[str, Place] | None = state.cache.get("places")
    if found is None:
        found = state.cache["places"] = _places(state)
    return found


def _places(state: Tournament) -> dict[str, Place]:
    made = {each.slot: each for each in state.pairings if each.slot and each.status != "annulled"}
    reader = _Reader(state)
    for slot in state.plan:
        pairing = made.get(slot.name)
        sent = Place(reader.sent(slot.first, first=True), reader.sent(slot.second, first=False))
        reader.found[slot.name] = _decided(state, sent, pairing)
    return reader.found


def _decided(state: Tournament, sent: Place, pairing: Pairing | None) -> Place:
    if pairing is not None:
        if pairing.result is None:
            return sent._replace(pairing=pairing)
        winner = pairing.result.winner
        loser = pairing.other(winner) if winner else NOBODY
        return sent._replace(winner=winner, loser=loser, pairing=pairing)
    first, second = sent.first, sent.second
    if first is None or second is None:
        return sent
    if not first or not second:
        return sent._replace(winner=first or second, loser=NOBODY)
    # One who has left loses without a match; of two who have, the one who left first. So what was decided
    # like this stays as it was when the other one leaves too.
    left = [state.entrant(number).left if state.entrant(number).gone else None for number in (first, second)]
    if left[0] is None and left[1] is None:
        return sent
    if left[0] == left[1]:
        return sent._replace(winner=NOBODY, loser=NOBODY)
    first_won = left[0] is None or (left[1] is not None and left[0] > left[1])
    winner, loser = (first, second) if first_won else (second, first)
    return sent._replace(winner=winner, loser=loser)


class _Reader:
    """Follows sources back to entrants, slot by slot in the order of the plan."""

    def __init__(self, state: Tournament) -> None:
        self.found: dict[str, Place] = {}
        self._slots = {slot.name: slot for slot in state.plan}
        main = [slot for slot in state.plan if slot.bracket == "main"]
        last = max((slot.round for slot in main), default=0)
        second_life = state.settings.system == "double"
        self._byes = {slot.name for slot in main if slot.round == 1 and _NOBODY in (slot.first, slot.second)}
        # Where a bye leads: in the final of a knockout there is nothing to drop into any more.
        self._next = {
            source.slot: slot.name
            for slot in main
            for source in (slot.first, slot.second)
            if source.kind == "winner" and source.slot in self._byes and (slot.round < last or second_life)
        }
        self._before: dict[str, list[str]] = {}
        for bye, name in self._next.items():
            self._before.setdefault(name, []).append(bye)

    def sent(self, source: Source, *, first: bool) -> int | None:
        """Return whom a source sends."""
        if source.kind == "entrant":
            return source.entrant
        if source.kind == "nobody":
            return NOBODY
        before = self.found[source.slot]
        if source.kind == "winner":
            return before.winner
        if source.kind == "loser":
            return self._dropped(source.slot, before)
        return self._again(before, first=first)

    def origin(self, name: str) -> str | None:
        """Return the match whose loser drops out of a slot; None if nobody can, both having had a bye."""
        if len(self._before.get(name, ())) == 2:
            return None
        return self._next.get(name, name)

    def _dropped(self, name: str, before: Place) -> int | None:
        """Return who drops out of a slot. After a bye one drops where a loser of the first round would."""
        if name in self._next:
            later = self.found[self._next[name]]
            if later.winner is None or before.winner is None:
                return None
            return before.winner if later.loser == before.winner else NOBODY
        if name in self._before and before.loser:
            holders = {self.found[bye].winner for bye in self._before[name]}
            return NOBODY if before.loser in holders else before.loser
        return before.loser

    def _again(self, final: Place, *, first: bool) -> int | None:
        """Return the two of the final once more, if the one who had lost before has won it."""
        if final.winner is None or final.first is None or final.second is None:
            return None
        if final.winner == final.second and final.loser:
            return final.first if first else final.second
        return final.winner if first else NOBODY


def conflicts(state: Tournament) -> list[Pairing]:
    """Return pairings whose entrants are not those whom the results before them send."""
    return [
        place.pairing
        for place in places(state).values()
        if place.pairing is not None and place.pairing.both != (place.first, place.second)
    ]


def wanted(state: Tournament, ready: Collection[int], seed: str, now: int) -> tuple[Pair, ...]:
    """Return every match both of whose sources are known and which has not been made."""
    if state.stage == "groups":
        return round_robin.wanted(state, ready, seed, now)
    return tuple(
        Pair(place.first, place.second, name)
        for name, place in places(state).items()
        if place.pairing is None and place.winner is None and place.first and place.second
    )


def check(state: Tournament, number: int, pairs: tuple[Pair, ...]) -> None:
    """Raise Refused unless each pair is one that is wanted."""
    if number != state.rounds + 1:
        raise refused("pair.round")
    awaited = {each[:2] for each in wanted(state, (), "", 0)}
    if not pairs or not {each[:2] for each in pairs} <= awaited:
        raise refused("pair.slot")


def late_slot(state: Tournament) -> Slot | None:
    """Return the bye for a late entrant: of the lowest-seeded holder whose next match has not begun."""
    found = places(state)
    main = [slot for slot in state.plan if slot.bracket == "main"]
    first_round = [slot for slot in main if slot.round == 1]
    table = seed_table(2 * len(first_round))
    after = {source.slot: slot for slot in main for source in (slot.first, slot.second)}
    free = []
    for row, slot in enumerate(first_round):
        holder = found[slot.name].winner
        if _NOBODY not in (slot.first, slot.second) or not holder or state.entrant(holder).gone:
            continue
        later = after.get(slot.name)
        place = found[later.name] if later is not None else Place(None, None)
        if place.winner is None and (place.pairing is None or place.pairing.status == "made"):
            free.append((min(table[2 * row], table[2 * row + 1]), slot))
    return max(free, key=lambda each: each[0])[1] if free else None


def take_bye(state: Tournament, entrant: int, slot: Slot) -> Tournament:
    """Put a late entrant into the place beside a bye; the next match, if it was made, is annulled."""
    source = Source("entrant", entrant=entrant)
    changed = replace(slot, first=source) if slot.first == _NOBODY else replace(slot, second=source)
    state = state.but(plan=tuple(changed if each.name == slot.name else each for each in state.plan))
    wrong = [replace(each, status="annulled") for each in conflicts(state)]
    return state.with_pairings(*wrong)


def slot_of(state: Tournament, pair: Pair) -> Slot:
    """Return the slot in which these two meet now; KeyError if there is none."""
    slots = {slot.name: slot for slot in state.plan}
    for name, place in places(state).items():
        if place.pairing is None and (place.first, place.second) == pair[:2] and place.winner is None:
            return slots[name]
    raise KeyError(pair)


def still_in(state: Tournament) -> set[int]:
    """Return entrants who are unbeaten or in an open match; one who drops is in the next at once."""
    found = places(state)
    waiting = {number for each in found.values() if each.winner is None for number in _both(each) if number}
    reached = _reached({slot.name: slot for slot in state.plan}, found, _MAIN)
    return waiting | {number for number, depth in reached.items() if depth == _UNBEATEN}


def is_over(state: Tournament) -> bool:
    """Return whether every match of every bracket is decided."""
    if state.stage == "groups":
        return False
    return all(place.winner is not None for place in places(state).values())


# Standings


def standings(state: Tournament) -> Standings:
    """Return places by the round that was reached, the main bracket first, then each of the others."""
    if state.stage == "groups":
        return round_robin.standings(state)
    found = places(state)
    slots = {slot.name: slot for slot in state.plan}
    reached = _reached(slots, found, _MAIN)
    for each in state.players():
        if each.number not in reached:
            reached[each.number] = (-1, -_group_place(state, each.number), 0)
    rows = _shared(state, reached, "main")
    for bracket in ("consolation", "last_chance"):
        coming = _still_coming(state, found, bracket)
        rows += _shared(state, _reached(slots, found, (bracket,)), bracket, coming)
    return rows


def _still_coming(state: Tournament, found: Mapping[str, Place], bracket: str) -> int:
    """Return how many at most may still come into a bracket: the losers of matches that are not decided."""
    reader = _Reader(state)
    origins = {
        reader.origin(source.slot)
        for slot in state.plan
        for source in (slot.first, slot.second)
        if slot.bracket == bracket and source.kind == "loser"
    }
    return sum(1 for origin in origins if origin is not None and found[origin].winner is None)


def _both(place: Place) -> tuple[int | None, int | None]:
    """Return the two in a slot: those who were paired, else those who are sent."""
    return place.pairing.both if place.pairing is not None else (place.first, place.second)


def _group_place(state: Tournament, number: int) -> int:
    rows = round_robin.standings(state) if state.settings.groups else ()
    return next((row.place for row in rows if row.entrant == number), 0)


Depth = tuple[int, int, int]
_UNBEATEN: Depth = (9, 0, 0)
_DEPTH = {"main": 0, "consolation": 0, "last_chance": 0, "losers": 1, "third": 2, "final": 3}


def _reached(
    slots: Mapping[str, Slot], found: Mapping[str, Place], brackets: Collection[str]
) -> dict[int, Depth]:
    """Return how far everybody came in these brackets: the later their last defeat, the greater.

    The plan is in the order in which anybody goes through it. The match for third place orders the two who
    lost before the final, and nobody else.
    """
    reached: dict[int, Depth] = {}
    for name, place in found.items():
        slot = slots[name]
        if slot.bracket not in brackets:
            continue
        for number in filter(None, _both(place)):
            if slot.bracket == "third":
                before = reached[number]
                reached[number] = (before[0], before[1], int(place.winner == number))
            elif place.winner in (None, number):
                reached[number] = _UNBEATEN
            else:
                reached[number] = (_DEPTH[slot.bracket], slot.round, 0)
    return reached


def _shared(state: Tournament, reached: Mapping[int, Depth], bracket: str, coming: int = 0) -> Standings:
    """Return the places of all who are in a bracket, by how far they came; equal depths share a range.

    `coming` is the number of entrants who may still drop into the bracket; each range ends that much lower.
    """
    rows: list[Row] = []
    for key in sorted(set(reached.values()), reverse=True):
        shared = sorted(
            (number for number, own in reached.items() if own == key), key=lambda n: state.entrant(n).seed
        )
        first, last = len(rows) + 1, len(rows) + len(shared) + coming
        rows += [Row(place=first, last=last, entrant=number, bracket=bracket) for number in shared]
    return tuple(rows)
