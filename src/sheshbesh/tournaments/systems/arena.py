"""The arena: it runs for a time, one enters at any moment, and is paired again soon after each match.

Pairs cost the square of the difference of their ranks, more if the two have just met. How long a match
takes is estimated from its card; all waiting and the end are counted by that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from sheshbesh.match.timing import MINUTE, SECOND
from sheshbesh.tournaments.draw import lot
from sheshbesh.tournaments.matching import Cost, Edge, least_cost
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.settings import card_of
from sheshbesh.tournaments.standings import Row, Standings
from sheshbesh.tournaments.state import Entrant, Pair, Pairing, Tournament

PAUSE = 5 * SECOND
"""Between two matches of one entrant."""
EVERY = 2 * SECOND
"""The interval at which players are paired."""
NEAREST = 24
ALL_PAIRS = 64
LAST_OPPONENTS = (400, 200, 100)
"""The costs of the last opponent, the second last and the third last, of either of the two."""
SMALL = 12
"""With at most this many active, the last opponent is met again after `STARVED`."""
STARVED = 60 * SECOND
LONGEST_GRACE = 15 * MINUTE
STRIKES = 2
"""No-shows or quick resignations in a row, after which the site pauses an entrant."""
QUICK = 3
"""A resignation within this many of one's turns is a quick one."""
_LIKELY = 1.2


def estimate(code: str) -> int:
    """Return how long a match by this card is likely to take, in ms."""
    card = card_of(code)
    return round(_LIKELY * card.clock.time_for_a_point * (card.length or 1))


def grace(state: Tournament) -> int:
    """Return how long after the end a match that has begun before still counts, in ms."""
    return min(estimate(state.settings.card), LONGEST_GRACE)


def last_pairing(state: Tournament) -> int:
    """Return from when on nobody is paired any more."""
    return (state.ends or 0) - estimate(state.settings.card) // 2


def plan(state: Tournament) -> Tournament:
    """Return the tournament with its end."""
    return state.but(ends=state.at + state.settings.minutes * MINUTE)


# Pairing


def ready_for_wave(state: Tournament, present: Collection[int], now: int) -> list[int]:
    """Return who can be paired: in, not paused, with the site open, and rested from the last match."""
    return [
        each.number
        for each in state.entrants
        if each.plays
        and not each.paused
        and each.number in present
        and each.number not in state.playing
        and now >= each.ready_at
    ]


def active(state: Tournament, present: Collection[int]) -> int:
    """Return how many are playing or would like to."""
    return len(state.playing) + sum(
        1
        for each in state.entrants
        if each.plays and not each.paused and each.number in present and each.number not in state.playing
    )


def is_time(state: Tournament, ready: Collection[int], count: int, now: int) -> bool:
    """Return whether a wave is due: over a quarter of the active are ready, or two have waited long."""
    if now > last_pairing(state) or len(ready) < 2:
        return False
    patience = min(40 * SECOND, max(8 * SECOND, estimate(state.settings.card) // 10))
    waited = sum(1 for number in ready if now - state.entrant(number).ready_at >= patience)
    return 4 * len(ready) > count or waited >= 2


def wanted(state: Tournament, ready: Collection[int], seed: str, now: int) -> tuple[Pair, ...]:
    """Return the wave that costs least among the ready; of an odd number the one who came last waits."""
    waiting = set(ready)
    line = [row.entrant for row in standings(state) if row.entrant in waiting]
    if len(line) % 2:
        line.remove(max(line, key=lambda number: (state.entrant(number).ready_at, number)))
    if len(line) < 2:
        return ()
    count = sum(1 for each in state.entrants if each.plays and not each.paused)
    last = last_opponents(state)
    edges: dict[Edge, Cost] = {}
    for place, high in enumerate(line):
        seen = 0
        for rank, low in enumerate(line[place + 1 :], start=place + 1):
            if seen == NEAREST and len(line) > ALL_PAIRS:
                break
            if not _is_forbidden(state, high, low, last, count, now):
                seen += 1
                edges[high, low] = _cost(state, high, low, last, rank - place, seed, now)
    return tuple(_sided(state, seed, pair) for pair in least_cost(line, _least_zero(edges)))


def _sided(state: Tournament, seed: str, pair: Edge) -> Pair:
    """Return the two with their sides, by lot."""
    first, second = pair
    if lot(seed, "side", state.rounds + 1, first, second) % 2:
        first, second = second, first
    return Pair(first, second)


def _cost(
    state: Tournament,
    high: int,
    low: int,
    last: Mapping[int, list[int]],
    distance: int,
    seed: str,
    now: int,
) -> Cost:
    met = [
        price
        for one, other in ((high, low), (low, high))
        for price, opponent in zip(LAST_OPPONENTS, last.get(one, ()), strict=False)
        if opponent == other
    ]
    waited = sum(now - state.entrant(number).ready_at for number in (high, low)) // SECOND
    return distance**2 + max(met, default=0) - waited, lot(seed, state.rounds + 1, high, low) >> 52


def _least_zero(edges: dict[Edge, Cost]) -> dict[Edge, Cost]:
    """Return the same costs, none of them below 0: each edge of a full pairing costs as much more."""
    least = min((first for first, _ in edges.values()), default=0)
    return {edge: (first - least, chance) for edge, (first, chance) in edges.items()}


def last_opponents(state: Tournament) -> dict[int, list[int]]:
    """Return the last three opponents of everybody, the latest first."""
    found: dict[int, list[int]] = {}
    for pairing in reversed(state.pairings):
        if pairing.status != "annulled":
            for number in pairing.both:
                opponents = found.setdefault(number, [])
                if len(opponents) < len(LAST_OPPONENTS):
                    opponents.append(pairing.other(number))
    return found


def _is_forbidden(
    state: Tournament, high: int, low: int, last: Mapping[int, list[int]], count: int, now: int
) -> bool:
    if (min(high, low), max(high, low)) in state.forbidden and count > 2:
        return True
    if low not in last.get(high, ())[:1] and high not in last.get(low, ())[:1]:
        return False
    starved = any(now - state.entrant(number).ready_at >= STARVED for number in (high, low))
    return count > 2 and not (count <= SMALL and starved)


def check(state: Tournament, number: int, pairs: tuple[Pair, ...]) -> None:
    """Raise Refused unless these pairs are of those who are in and free, before pairing ends."""
    if number != state.rounds + 1:
        raise refused("pair.round")
    if state.ends is None or state.at > last_pairing(state):
        raise refused("tournament.not_now")
    for pair in pairs:
        for each in pair[:2]:
            entrant = state.entrant(each) if each else None
            if entrant is None or not entrant.plays or entrant.paused:
                raise refused("pair.entrant")


# Scores


def win_points(length: int) -> int:
    """Return what a win brings in a match of this length: that, rounded down to odd, and 1."""
    return min(length - (length + 1) % 2, 11) + 1


def points(state: Tournament, number: int, own: list[Pairing]) -> Iterator[int]:
    """Yield the points of each of one's matches, in their order."""
    streak = 0
    for pairing in own:
        result = pairing.result
        assert result is not None, "only a decided pairing has points"
        won = win_points(pairing.length)
        if result.winner != number:
            # What was lost to somebody who was disqualified is void.
            if not result.winner or state.entrant(result.winner).why != "disqualified":
                streak = 0
            yield 0
        elif not result.is_played:
            yield won
        else:
            streak += 1
            bonus = result.kind - 1 if state.settings.bonus else 0
            yield won + (won // 2 if state.settings.streak and streak > 2 else 0) + bonus


def standings(state: Tournament) -> Standings:
    """Return everybody by points, then fewer matches, then the mean rating of their opponents.

    Those who were disqualified stand last.
    """
    players = state.players()
    own: dict[int, list[Pairing]] = {each.number: [] for each in players}
    for pairing in state.counted():
        for number in pairing.both:
            own[number].append(pairing)
    keys = {each.number: _key(state, each, own[each.number]) for each in players}
    in_order = sorted(players, key=lambda each: (*(-part for part in keys[each.number]), each.seed))
    rows: list[Row] = []
    for place, entrant in enumerate(in_order, start=1):
        key = keys[entrant.number]
        equal = bool(rows) and keys[rows[-1].entrant] == key
        wins = sum(1 for each in own[entrant.number] if each.result and each.result.winner == entrant.number)
        row = Row(
            place=rows[-1].place if equal else place,
            last=place,
            entrant=entrant.number,
            score=key[1],
            wins=wins,
            losses=len(own[entrant.number]) - wins,
            played=-key[2],
            ties={"opponents": key[3]},
        )
        rows.append(row)
    return _with_last(rows)


def _key(state: Tournament, entrant: Entrant, own: list[Pairing]) -> tuple[bool, float, int, float]:
    played = [each for each in own if each.result is not None and each.result.is_played]
    ratings = [state.entrant(each.other(entrant.number)).rating for each in played]
    known = [rating for rating in ratings if rating is not None]
    mean = round(sum(known) / len(known), 1) if known else 0.0
    score = sum(points(state, entrant.number, own)) - entrant.penalty
    return entrant.why != "disqualified", score, -len(played), mean


def _with_last(rows: list[Row]) -> Standings:
    last = {row.place: row.last for row in rows}
    return tuple(replace(row, last=last[row.place]) for row in rows)


def is_over(state: Tournament) -> bool:
    """Return whether time is up and nothing that may still count is being played."""
    if state.ends is None or state.at < state.ends:
        return False
    return not state.open_pairings or state.at >= state.ends + grace(state)
