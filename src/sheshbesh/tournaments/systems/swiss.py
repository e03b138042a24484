"""Swiss, and play until N losses: each round is one exact matching over everybody who is in.

Neither colours nor draws exist here, so all that matters is who has met whom, who had a bye and how scores
differ. The levels of the cost, the most important first, are those of docs/dev/tournaments.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any

from sheshbesh.tournaments.draw import lot
from sheshbesh.tournaments.matching import Cost, Edge, least_cost, total
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.settings import MOST_ROUNDS
from sheshbesh.tournaments.standings import Standings, Tally, games, tallies
from sheshbesh.tournaments.state import NOBODY, Pair, Tournament
from sheshbesh.tournaments.tiebreaks import ranked

ALL_PAIRS = 96
"""Up to this many entrants every pair is looked at, beyond it the nearest `NEAREST` of each."""
NEAREST = 24
LOT_BITS = 12


def most_rounds(entrants: int) -> int:
    """Return in how many rounds nobody needs to meet anybody, or the bye, twice, whatever the results."""
    return (entrants + entrants % 2) // 2


def usual_rounds(entrants: int) -> int:
    """Return one round more than a knockout has, as far as the field allows."""
    return min(ceil(log2(entrants)) + 1, most_rounds(entrants), MOST_ROUNDS)


def plan(state: Tournament) -> Tournament:
    """Return the tournament with its number of rounds; until N losses there is none."""
    if state.settings.system == "losses":
        return state
    entrants = len(list(state.players()))
    rounds = state.settings.rounds or usual_rounds(entrants)
    if rounds > most_rounds(entrants):
        raise refused("rounds.too_many", entrants=entrants, most=most_rounds(entrants))
    return state.but(planned=rounds)


# Pairing


@dataclass(frozen=True)
class Field:
    """Everything that the cost of a pair in round `number` depends on, counted up to the round before."""

    state: Tournament
    number: int
    seed: str
    order: tuple[int, ...]
    tallies: Mapping[int, Tally]
    groups: Mapping[int, int]
    places: Mapping[int, tuple[int, int]]
    met: Mapping[tuple[int, int], tuple[int, int]]
    bye_order: Mapping[int, int]


def field_of(state: Tournament, number: int, numbers: Iterable[int], seed: str) -> Field:
    """Return the field of `numbers` before round `number`, in the order of their scores."""
    sums = tallies(state, games(state, number - 1), number - 1)
    seeds = {each.number: each.seed for each in state.entrants}
    chosen = list(numbers)
    group = {each: _group(state, sums[each]) for each in chosen}
    order = sorted(chosen, key=lambda each: (-group[each], -_inside(state, sums[each]), seeds[each]))
    places: dict[int, tuple[int, int]] = {}
    members: dict[int, list[int]] = {}
    for each in order:
        members.setdefault(group[each], []).append(each)
    for bundle in members.values():
        places |= {each: (place, len(bundle)) for place, each in enumerate(bundle)}
    fewest = min((sums[each].byes for each in chosen), default=0)
    # Walkovers are wins without play too, but nobody chose to give one the free round.
    lowest_first = [each for each in reversed(order) if sums[each].byes == fewest]
    return Field(
        state,
        number,
        seed,
        tuple(order),
        sums,
        group,
        places,
        _meetings(state, number),
        {each: place for place, each in enumerate(lowest_first)},
    )


def _group(state: Tournament, tally: Tally) -> int:
    """Return the score group, in halves of a point; until N losses the fewer losses the higher."""
    return -2 * tally.losses if state.settings.system == "losses" else round(2 * tally.score)


def _inside(state: Tournament, tally: Tally) -> int:
    return tally.wins if state.settings.system == "losses" else 0


def _meetings(state: Tournament, number: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Return how often two have been paired before this round, and in which round for the last time."""
    met: dict[tuple[int, int], tuple[int, int]] = {}
    for pairing in state.pairings:
        if pairing.second and pairing.status != "annulled" and not pairing.playoff and pairing.round < number:
            pair = _sorted(*pairing.both)
            times, last = met.get(pair, (0, 0))
            met[pair] = times + 1, max(last, pairing.round)
    return met


def _sorted(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)


def cost(field: Field, high: int, low: int) -> Cost:
    """Return the cost of a pair, `high` before `low` in the order; or of a bye, where `low` is nobody.

    Levels: meetings; the last of them; the bye; the squared difference of scores; how far the one who goes
    down is from the end of their group; how far the other from the top of theirs; the pairing inside a group;
    a lot.
    """
    if low == NOBODY:
        return 0, 0, field.bye_order[high], 0, 0, 0, 0, 0
    times, last = field.met.get(_sorted(high, low), (0, 0))
    difference = field.groups[high] - field.groups[low]
    (place, size), (other, _) = field.places[high], field.places[low]
    chance = lot(field.seed, field.number, *_sorted(_seed(field, high), _seed(field, low))) >> (64 - LOT_BITS)
    if difference:
        return times, last, 0, difference**2, size - 1 - place, other, 0, chance
    return times, last, 0, 0, 0, 0, _inside_cost(field, other - place, size), chance


def _seed(field: Field, number: int) -> int:
    return field.state.entrant(number).seed


def _inside_cost(field: Field, distance: int, size: int) -> int:
    match field.state.settings.inside:
        case "halves":
            return (distance - size // 2) ** 2
        case "close":
            return (distance - 1) ** 2
        case _:
            return 0


def is_kept_apart(field: Field, first: int, second: int) -> bool:
    """Return whether two are kept apart as far as possible: forbidden, or of one club early on."""
    state = field.state
    if _sorted(first, second) in state.forbidden:
        return True
    club = state.entrant(first).club
    early = field.number <= state.settings.clubs_apart
    return early and club is not None and club == state.entrant(second).club


def wanted(state: Tournament, ready: Collection[int], seed: str, _now: int) -> tuple[Pair, ...]:
    """Return the rest of the present round, else the next one once nothing of this one is open."""
    if state.unpaired:
        return best(field_of(state, state.rounds, of_present_round(state), seed), state.unpaired)
    if state.closed < state.rounds or is_over(state) or len(ready) < 2:
        return ()
    return best(field_of(state, state.rounds + 1, ready, seed), list(ready))


def best(field: Field, numbers: Collection[int]) -> tuple[Pair, ...]:
    """Return the pairing of these numbers that costs least, in the order of the field; a bye stands last.

    First without those who are kept apart and with the nearest of each, then with all pairs, then with all.
    """
    order = [each for each in field.order if each in set(numbers)]
    nodes = order + [NOBODY] * (len(order) % 2)
    tries: list[tuple[bool, bool]] = (
        [(False, False), (False, True)] if len(order) > ALL_PAIRS else [(False, True)]
    )
    found: list[Edge] = []
    for together, everybody in (*tries, (True, True)):
        edges = _edges(field, order, everybody=everybody, together=together)
        found = least_cost(nodes, edges)
        if 2 * len(found) == len(nodes):
            break
    place = {each: index for index, each in enumerate(order)}
    place[NOBODY] = len(order)
    pairs = [(min(pair, key=place.__getitem__), max(pair, key=place.__getitem__)) for pair in found]
    return tuple(Pair(*pair) for pair in sorted(pairs, key=lambda pair: (pair[1] == NOBODY, place[pair[0]])))


def _edges(field: Field, order: Sequence[int], *, everybody: bool, together: bool) -> dict[Edge, Cost]:
    """Return the pairs that are looked at and their costs; with `together` also those kept apart."""
    pairs = _all_pairs(order) if everybody else _near_pairs(field, order)
    edges = {
        (high, low): cost(field, high, low)
        for high, low in pairs
        if together or not is_kept_apart(field, high, low)
    }
    if len(order) % 2:
        # Only those with the fewest byes may have it; if none of them is left here, anybody.
        open_to = [each for each in order if each in field.bye_order]
        edges |= {(each, NOBODY): cost(field, each, NOBODY) for each in open_to}
        if not open_to:
            edges |= {
                (each, NOBODY): (0, 0, index, 0, 0, 0, 0, 0) for index, each in enumerate(reversed(order))
            }
    return edges


def _all_pairs(order: Sequence[int]) -> Iterable[Edge]:
    return ((high, low) for index, high in enumerate(order) for low in order[index + 1 :])


def _near_pairs(field: Field, order: Sequence[int]) -> Iterable[Edge]:
    """Return for each the nearest they have not met, inside their group and across its edge."""
    index = {each: place for place, each in enumerate(order)}
    groups: dict[int, list[int]] = {}
    for each in order:
        groups.setdefault(field.groups[each], []).append(each)
    found: set[Edge] = set()
    for members in groups.values():
        line = _line(field, members)
        size = len(line)
        shift = field.places[members[0]][1] // 2 if field.state.settings.inside == "halves" else 1
        for place, each in enumerate(line):
            steps = (shift + sign * step for step in range(size) for sign in ((1, -1) if step else (1,)))
            # `halves` looks down its group, the others to both sides in a circle.
            others = (line[(place + step) % size] for step in steps)
            found |= _nearest(field, index, each, others)
        below = order[index[members[-1]] + 1 :]
        for each in members[-NEAREST:]:
            found |= _nearest(field, index, each, below)
    return sorted(found, key=lambda pair: (index[pair[0]], index[pair[1]]))


def _line(field: Field, members: list[int]) -> list[int]:
    if field.state.settings.inside != "random":
        return members
    return sorted(members, key=lambda each: lot(field.seed, field.number, "line", _seed(field, each)))


def _nearest(field: Field, index: Mapping[int, int], each: int, others: Iterable[int]) -> set[Edge]:
    found: set[Edge] = set()
    for other in others:
        if len(found) == NEAREST:
            break
        if other != each and _sorted(each, other) not in field.met:
            found.add((each, other) if index[each] < index[other] else (other, each))
    return found


def check(state: Tournament, number: int, pairs: tuple[Pair, ...]) -> None:
    """Raise Refused unless these pairs may be round `number`: everybody once, the bye to one who may have it.

    Two who have met are refused as long as the number of rounds rules out that they must meet again.
    """
    is_rest = number == state.rounds and bool(state.unpaired)
    is_next = number == state.rounds + 1 and state.closed == state.rounds and not is_over(state)
    if not (is_rest or is_next):
        raise refused("pair.round")
    free = set(state.unpaired) if is_rest else ready_for_round(state)
    if not {each for pair in pairs for each in pair[:2] if each} <= free:
        raise refused("pair.entrant")
    field = field_of(state, number, of_present_round(state) if is_rest else free, "")
    byes = [each.first for each in pairs if each.second == NOBODY]
    if byes and (len(free) % 2 == 0 or byes[0] not in field.bye_order or len(byes) > 1):
        raise refused("pair.bye")
    avoidable = state.settings.system == "swiss" and number <= most_rounds(len(field.order))
    if avoidable and not state.forbidden and not _has_moved(state):
        for pair in pairs:
            if pair.second and _sorted(*pair[:2]) in field.met:
                raise refused("pair.again")


def _has_moved(state: Tournament) -> bool:
    """Return whether the field has changed or is kept apart, so that second meetings may be needed."""
    return bool(state.settings.clubs_apart) or any(
        each.late or each.paused or each.status == "out" for each in state.players()
    )


def ready_for_round(state: Tournament) -> set[int]:
    """Return everybody who is in and has not paused."""
    return {each.number for each in state.entrants if each.plays and not each.paused}


def of_present_round(state: Tournament) -> set[int]:
    """Return everybody who is paired in the present round, or about to be."""
    paired = {number for each in state.of_round(state.rounds) for number in each.both if number}
    return paired | set(state.unpaired)


def cost_of(state: Tournament, number: int, pairs: Sequence[Pair], numbers: Iterable[int], seed: str) -> Cost:
    """Return the cost of a pairing of round `number` among `numbers`, down to the pairing inside a group."""
    field = field_of(state, number, numbers, seed)
    place = {each: index for index, each in enumerate(field.order)}
    costs = []
    for first, second, _ in pairs:
        high, low = (second, first) if second and place[second] < place[first] else (first, second)
        costs.append(cost(field, high, low)[:-1])
    return total(costs) or (0,) * 7


# Standings


def losers(state: Tournament) -> list[int]:
    """Return who has lost often enough to be out after the rounds that are over."""
    if state.settings.system != "losses":
        return []
    sums = tallies(state, games(state, state.closed), state.closed)
    return [
        each.number
        for each in state.entrants
        if each.plays and sums[each.number].losses >= state.settings.losses
    ]


def is_over(state: Tournament) -> bool:
    """Return whether all rounds are played, or no two are left."""
    if state.closed < state.rounds:
        return False
    left = sum(1 for each in state.entrants if each.plays)
    return left < 2 or (state.settings.system == "swiss" and state.closed >= state.planned)


def standings(state: Tournament) -> Standings:
    """Return everybody by score; until N losses by the round in which they went out, then by wins.

    Those who were disqualified stand last.
    """
    sums = tallies(state, games(state, state.rounds), state.closed)
    keys: dict[int, Any] = {}
    for each in state.players():
        tally = sums[each.number]
        if each.why == "disqualified":
            keys[each.number] = (-1, 0, tally.wins)
        elif state.settings.system == "swiss":
            keys[each.number] = (0, tally.score, 0)
        elif each.status == "out":
            keys[each.number] = (each.out_at, 0, tally.wins)
        else:
            keys[each.number] = (state.rounds + 1, -tally.losses, tally.wins)
    return ranked(state, sums, keys, ties=state.settings.order_of_ties)
