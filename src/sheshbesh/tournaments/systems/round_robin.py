"""Round robin: everybody meets everybody, in one group or in several, by the circle method."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from sheshbesh.tournaments.draw import snake
from sheshbesh.tournaments.refusals import refused
from sheshbesh.tournaments.standings import Game, Standings, game_of, tallies
from sheshbesh.tournaments.state import Pair, Tournament
from sheshbesh.tournaments.tiebreaks import ranked

Round = tuple[tuple[int, int], ...]


def circle(count: int) -> list[Round]:
    """Return the rounds of 1 to `count` as pairs, White first; an odd one out has no game."""
    last = count + count % 2
    rounds = []
    for number in range(last - 1):
        pairs = [(number + 1, last)]
        for step in range(1, last // 2):
            pairs.append(((number + step) % (last - 1) + 1, (number - step) % (last - 1) + 1))
        rounds.append(tuple(pair for pair in pairs if max(pair) <= count))
    return rounds


def plan(state: Tournament) -> Tournament:
    """Return the tournament with its entrants dealt to groups and all rounds of all groups."""
    numbers = [each.number for each in state.players()]
    groups = snake(numbers, max(1, state.settings.groups))
    rounds: list[list[tuple[int, int]]] = []
    placed = []
    for index, group in enumerate(groups, start=1):
        placed += [replace(state.entrant(number), group=index) for number in group]
        games = circle(len(group))
        if state.settings.twice:
            games += [tuple((second, first) for first, second in each) for each in games]
        for place, each in enumerate(games):
            rounds += [[]] * (place == len(rounds))
            rounds[place] = rounds[place] + [(group[first - 1], group[second - 1]) for first, second in each]
    schedule = tuple(map(tuple, rounds))
    return state.with_entrants(*placed).but(schedule=schedule, planned=len(schedule))


def wanted(state: Tournament, _ready: Collection[int], _seed: str, _now: int) -> tuple[Pair, ...]:
    """Return the rest of an open round; or the next, live once this one is over, else at once."""
    number = due_round(state)
    return () if number is None else missing(state, number)


def due_round(state: Tournament) -> int | None:
    """Return the round to be paired now: the first open one that lacks a pairing, else perhaps the next."""
    for number in range(state.closed + 1, state.rounds + 1):
        if missing(state, number):
            return number
    waits = state.settings.is_live and state.closed < state.rounds
    return None if waits or state.rounds >= state.planned else state.rounds + 1


def missing(state: Tournament, number: int) -> tuple[Pair, ...]:
    """Return pairs of a round that have no pairing and whose two are there."""
    made = {each.both for each in state.of_round(number)}
    return tuple(
        Pair(first, second)
        for first, second in state.schedule[number - 1]
        if (first, second) not in made and not (state.entrant(first).gone or state.entrant(second).gone)
    )


def check(state: Tournament, number: int, pairs: tuple[Pair, ...]) -> None:
    """Raise Refused unless these pairs are of round `number` of the schedule, and of a round that is due."""
    is_rest = state.closed < number <= state.rounds
    is_next = number == state.rounds + 1 and number <= state.planned
    if not (is_rest or (is_next and (state.closed == state.rounds or not state.settings.is_live))):
        raise refused("pair.round")
    if not {each[:2] for each in pairs} <= {each[:2] for each in missing(state, number)}:
        raise refused("pair.slot")


def games(state: Tournament) -> Iterator[Game]:
    """Yield the games that count.

    Of an entrant who has left before half of their games all are void; of others who left what was not
    played is lost, without play.
    """
    counted = {(each.round, each.both): each for each in state.counted() if each.group}
    played: dict[int, int] = {}
    for pairing in counted.values():
        if pairing.result is not None and pairing.result.is_played:
            for number in pairing.both:
                played[number] = played.get(number, 0) + 1
    void = {number for number in _all(state) if _is_void(state, number, played.get(number, 0))}
    for place, pairs in enumerate(state.schedule, start=1):
        for pair in pairs:
            if void & set(pair):
                continue
            made = counted.get((place, pair))
            if made is not None:
                yield game_of(state, made)
                continue
            gone = [state.entrant(number).gone for number in pair]
            if gone[0] != gone[1]:
                yield Game(place, *pair, pair[1] if gone[0] else pair[0], played=False)


def _all(state: Tournament) -> set[int]:
    return {number for pairs in state.schedule for pair in pairs for number in pair}


def _is_void(state: Tournament, number: int, played: int) -> bool:
    entrant = state.entrant(number)
    size = sum(1 for each in state.entrants if each.group == entrant.group)
    rounds = (size - 1) * (1 + state.settings.twice)
    return entrant.gone and entrant.why != "disqualified" and 2 * played < rounds


def standings(state: Tournament) -> Standings:
    """Return the table of each group, one after the other."""
    sums = tallies(state, games(state), state.closed)
    rows: Standings = ()
    for group in sorted({each.group for each in state.entrants if each.group}):
        # Those whose results are void and those who were disqualified are not ranked among the others.
        keys = {
            each.number: (not _unranked(state, each.number), sums[each.number].score)
            for each in state.players()
            if each.group == group
        }
        named = group if state.settings.groups else 0
        rows += ranked(state, sums, keys, ties=state.settings.order_of_ties, group=named)
    return rows


def _unranked(state: Tournament, number: int) -> bool:
    if state.entrant(number).why == "disqualified":
        return True
    played = sum(
        1
        for each in state.counted()
        if each.group and number in each.both and each.result is not None and each.result.is_played
    )
    return _is_void(state, number, played)


def is_over(state: Tournament) -> bool:
    """Return whether every pair has met, or one of the two has left."""
    rest = any(missing(state, number) for number in range(state.closed + 1, state.planned + 1))
    return not rest and not any(each.group for each in state.open_pairings)
