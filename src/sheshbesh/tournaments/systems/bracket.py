"""Brackets: knockout, consolation, last chance and double elimination, all as matches with two sources.

A match may be played as soon as both its sources are known. Nothing is stored about who stands where: it
is read from the plan and from the results, so a corrected result corrects everything that follows from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from sheshbesh.tournaments.draw import apart, bracket_size, seed_table, shuffled
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.standings import Row, Standings
from sheshbesh.tournaments.state import NOBODY, Pair, Pairing, Slot, Source, Tournament
from sheshbesh.tournaments.systems import round_robin
from sheshbesh.tournaments.systems.bracket_plan import NO_ENTRANT, build

_MAIN = ("main", "losers", "third", "final")
"""The brackets that decide about the places; the others are played beside them."""


class Place(NamedTuple):
    """A slot as it stands: None for what is not known yet, 0 for nobody.

    `first` and `second` are those whom its sources send, `pairing` what was made of them.
    """

    first: int | None
    second: int | None
    winner: int | None = None
    loser: int | None = None
    pairing: Pairing | None = None


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
        self._byes = {
            slot.name for slot in main if slot.round == 1 and NO_ENTRANT in (slot.first, slot.second)
        }
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
        if NO_ENTRANT not in (slot.first, slot.second) or not holder or state.entrant(holder).gone:
            continue
        later = after.get(slot.name)
        place = found[later.name] if later is not None else Place(None, None)
        if place.winner is None and (place.pairing is None or place.pairing.status == "made"):
            free.append((min(table[2 * row], table[2 * row + 1]), slot))
    return max(free, key=lambda each: each[0])[1] if free else None


def take_bye(state: Tournament, entrant: int, slot: Slot) -> Tournament:
    """Put a late entrant into the place beside a bye; the next match, if it was made, is annulled."""
    source = Source("entrant", entrant=entrant)
    changed = replace(slot, first=source) if slot.first == NO_ENTRANT else replace(slot, second=source)
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
    losses = _open_losses(state, found)
    reached = _reached(slots, found, _MAIN)
    for each in state.players():
        if each.number not in reached:
            reached[each.number] = (-1, -_group_place(state, each.number), 0)
    rows = _ranges(state, found, losses, reached, _MAIN)
    for bracket in ("consolation", "last_chance"):
        reached = _reached(slots, found, (bracket,))
        rows += _ranges(
            state, found, losses, reached, (bracket,), _still_coming(state, found, losses, bracket)
        )
    return rows


def _still_coming(
    state: Tournament, found: Mapping[str, Place], losses: Mapping[str, tuple[int, int]], bracket: str
) -> tuple[int, int]:
    """Return how many losers of undecided matches drop into a bracket, at least and at most."""
    after = {
        source.slot: slot.name
        for slot in state.plan
        for source in (slot.first, slot.second)
        if source.kind == "winner"
    }
    origins = set()
    for slot in state.plan:
        if slot.bracket != bracket:
            continue
        for source, number in zip((slot.first, slot.second), found[slot.name][:2], strict=True):
            if number is None and source.kind == "loser":
                # One who had a bye drops out of the match after it.
                had_bye = found[source.slot].winner is not None
                origins.add(after[source.slot] if had_bye else source.slot)
    return sum(losses[each][0] for each in origins), sum(losses[each][1] for each in origins)


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


def _open_losses(state: Tournament, found: Mapping[str, Place]) -> dict[str, tuple[int, int]]:
    """Return how many entrants lose in each slot, at least and at most: 0 where one comes and the other is a
    bye.

    This counts on every match being played: it takes no account of a double forfeit, a withdrawal, a late
    entry or a corrected result.
    """
    losers: dict[str, tuple[int, int]] = {}
    winners: dict[str, tuple[int, int]] = {}

    def sent(source: Source, number: int | None) -> tuple[int, int]:
        if number is not None:
            return int(number > 0), int(number > 0)
        if source.kind == "winner":
            return winners[source.slot]
        # One who had a bye drops elsewhere, and of the second final nobody knows whether it is played.
        is_sure = (
            source.kind == "loser" and found[source.slot].winner is None and source.slot not in after_bye
        )
        return losers[source.slot] if is_sure else (0, 1)

    after_bye = set()
    for slot in state.plan:
        place = found[slot.name]
        sources = slot.first, slot.second
        if slot.bracket == "main" and any(_is_bye(found, each) for each in sources):
            after_bye.add(slot.name)
        one, other = sent(slot.first, place.first), sent(slot.second, place.second)
        losers[slot.name] = min(one[0], other[0]), min(one[1], other[1])
        winners[slot.name] = max(one[0], other[0]), max(one[1], other[1])
    return losers


def _is_bye(found: Mapping[str, Place], source: Source) -> bool:
    """Return whether a source is the winner of a slot with a bye: of one entrant without an opponent."""
    return source.kind == "winner" and NOBODY in found[source.slot][:2]


def _ranges(
    state: Tournament,
    found: Mapping[str, Place],
    losses: Mapping[str, tuple[int, int]],
    reached: Mapping[int, Depth],
    brackets: Sequence[str],
    coming: tuple[int, int] = (0, 0),
) -> Standings:
    """Return the range of places of each entrant in these brackets, by how far they came.

    An entrant who has lost comes behind all who lose in a later round, and shares their place with all who
    lose in the same one. `coming` is how many may still drop into the brackets, at least and at most.
    """
    depths = {
        slot.name: (_DEPTH[slot.bracket], slot.round, 0)
        for slot in state.plan
        if slot.bracket in brackets and slot.bracket != "third"
    }
    slots = [slot for slot in state.plan if slot.name in depths]
    goes_on = {
        source.slot: depths[slot.name]
        for slot in slots
        for source in (slot.first, slot.second)
        if source.kind in ("loser", "again") and source.slot in depths
    }
    beaten = Counter(own for own in reached.values() if own != _UNBEATEN)
    fewest, most = beaten.copy(), beaten.copy()
    worst: dict[int, Depth] = {}
    for slot in slots:
        place = found[slot.name]
        if place.winner is not None:
            continue
        # A second life begins where the loser goes on: one who had a bye, where that of the bye would.
        names = [slot.name, *(each.slot for each in (slot.first, slot.second) if _is_bye(found, each))]
        earliest = min((goes_on[name] for name in names if name in goes_on), default=depths[slot.name])
        worst |= {number: earliest for number in _both(place) if number}
        if slot.name not in goes_on:
            fewest[depths[slot.name]] += losses[slot.name][0]
            most[depths[slot.name]] += losses[slot.name][1]
    least, total = (len(reached) + each for each in coming)

    @cache
    def first(own: Depth) -> int:
        if own == _UNBEATEN:
            return 1
        return max(1, 1 + least - sum(count for depth, count in most.items() if depth <= own))

    @cache
    def last(own: Depth) -> int:
        return total - sum(count for depth, count in fewest.items() if depth < own)

    def order(number: int) -> tuple[Depth, int]:
        return reached[number], -state.entrant(number).seed

    return tuple(
        Row(
            place=first(reached[number]),
            last=last(worst.get(number, reached[number])),
            entrant=number,
            bracket=brackets[0],
        )
        for number in sorted(reached, key=order, reverse=True)
    )
