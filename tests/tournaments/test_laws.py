"""What holds in every tournament, for all winners and all orders of results."""

from __future__ import annotations

import itertools
import pickle
import random
from collections.abc import Iterator
from dataclasses import replace

import networkx
import pytest

from sheshbesh.tournaments import (
    Status,
    TournamentRecord,
    new,
    pair_actions,
    standings,
    system_of,
    verify,
)
from sheshbesh.tournaments.draw import apart, bracket_size, seed_table, snake
from sheshbesh.tournaments.due import to_pair
from sheshbesh.tournaments.matching import MOST_BITS, least_cost, packed, total
from sheshbesh.tournaments.record import line
from sheshbesh.tournaments.state import NOBODY, Pair, Tournament
from sheshbesh.tournaments.systems import bracket, swiss
from sheshbesh.tournaments.systems.round_robin import circle
from tests.sizes import sampled
from tests.tournament_help import Course, by_strength, settings_of, there

SYSTEMS = {
    "knockout": settings_of("knockout", last_chance=True),
    "nonprogressive": settings_of("knockout", consolation="nonprogressive"),
    "third place": settings_of("knockout", consolation="none", third_place=True, draw="seeded"),
    "double": settings_of("double"),
    "double without reset": settings_of("double", reset=False),
    "groups": settings_of("knockout", groups=2, advance=2, consolation="none"),
    "swiss": settings_of("swiss"),
    "swiss halves": settings_of("swiss", inside="halves"),
    "swiss close": settings_of("swiss", inside="close"),
    "losses": settings_of("losses"),
    "round robin": settings_of("round_robin", twice=True),
}

systems = pytest.mark.parametrize("name", SYSTEMS)


# Matching


def everything(nodes: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """All complete pairings of an even number of nodes."""
    if not nodes:
        yield []
        return
    first, *rest = nodes
    for other in rest:
        for pairs in everything(tuple(each for each in rest if each != other)):
            yield [(first, other), *pairs]


@pytest.mark.parametrize("count", [2, 4, 6, 8, 10])
def test_a_matching_costs_as_little_as_the_best_of_all_pairings(count: int) -> None:
    rng = random.Random(count)
    for _ in range(3):
        nodes = tuple(range(count))
        edges = {
            pair: (rng.randrange(3), rng.randrange(50), rng.randrange(1 << 12))
            for pair in itertools.combinations(nodes, 2)
        }
        best = min(total(edges[pair] for pair in pairs) for pairs in everything(nodes))
        assert total(edges[pair] for pair in least_cost(nodes, edges)) == best


@pytest.mark.parametrize("count", [40, 100, 200])
def test_a_matching_weighs_as_much_as_that_of_networkx(count: int) -> None:
    rng = random.Random(count)
    nodes = list(range(count))
    edges = {
        (one, other): (rng.randrange(2), (other - one) ** 2, rng.randrange(1 << 12))
        for one in nodes
        for other in range(one + 1, min(count, one + 13))
        if rng.random() < 0.8
    }
    weights = dict(zip(edges, packed(list(edges.values()), count // 2), strict=True))
    graph = networkx.Graph()
    graph.add_nodes_from(nodes)
    for pair, weight in weights.items():
        graph.add_edge(*pair, weight=weight)
    theirs = networkx.max_weight_matching(graph, maxcardinality=True)
    ours = least_cost(nodes, edges)
    assert len(ours) == len(theirs)
    assert sum(weights[pair] for pair in ours) == sum(weights[min(pair), max(pair)] for pair in theirs)


def test_weights_stay_within_what_can_be_counted() -> None:
    wide = [(1 << 20, 1 << 20, 1 << 20, (1 << 12) - 1), (0, 0, 0, 0)]
    weights = packed(wide, 1024)
    assert max(weights) <= 1 << MOST_BITS
    assert weights[1] > weights[0]
    with pytest.raises(AssertionError):
        packed([(1 << 40, 1 << 40, 1 << 40, 0)], 1024)


def test_a_lower_level_never_outweighs_a_higher_one() -> None:
    one_great = [(1, 0), (0, 0)]
    many_small = [(0, 1000)] * 2
    edges = dict(zip([(0, 1), (2, 3), (0, 2), (1, 3)], one_great + many_small, strict=True))
    assert least_cost(range(4), edges) == [(0, 2), (1, 3)]


def test_no_edges_no_pairs_and_most_pairs_first() -> None:
    assert least_cost([1, 2], {}) == []
    assert least_cost([1, 2, 3, 4], {(1, 2): (9,), (2, 3): (0,), (3, 4): (9,)}) == [(1, 2), (3, 4)]


@pytest.mark.parametrize("inside", ["random", "halves", "close"])
def test_a_round_of_a_swiss_is_the_best_of_all_rounds(inside: str) -> None:
    for entrants in (5, 6, 7, 8):
        course = Course(settings_of("swiss", inside=inside), by_strength(entrants)).open(entrants).start()
        while course.state.status is Status.RUNNING:
            if course.state.closed == course.state.rounds < course.state.planned:
                assert_best(course.state)
            if not course.step():
                course.play()


def assert_best(state: Tournament) -> None:
    ready = swiss.ready_for_round(state)
    field = swiss.field_of(state, state.rounds + 1, ready, state.seed)
    nodes = tuple(sorted(ready)) + (NOBODY,) * (len(ready) % 2)
    place = {each: index for index, each in enumerate((*field.order, NOBODY))}
    found = []
    for pairs in everything(nodes):
        in_order = [sorted(pair, key=lambda each: place[each]) for pair in pairs]
        if all(low or high in field.bye_order for high, low in in_order):
            found.append(total(swiss.cost(field, high, low) for high, low in in_order))
    wanted = swiss.wanted(state, ready, state.seed, 0)
    assert total(swiss.cost(field, each.first, each.second) for each in wanted) == min(found)


def test_the_nearest_pairs_of_a_large_field_cost_what_all_of_them_do() -> None:
    for inside in ("halves", "close"):
        course = Course(settings_of("swiss", inside=inside), by_strength(3)).open(104).start()
        while course.state.rounds < 4:
            course.pair()
            course.play()
        state = course.state
        course.step()
        state = course.state if course.state.closed == course.state.rounds else state
        ready = swiss.ready_for_round(state)
        field = swiss.field_of(state, state.rounds + 1, ready, state.seed)
        edges = {
            (high, low): swiss.cost(field, high, low)
            for index, high in enumerate(field.order)
            for low in field.order[index + 1 :]
        }
        everybody = total(edges[pair][:-1] for pair in least_cost(field.order, edges))
        pairs = swiss.wanted(state, ready, state.seed, 0)
        assert swiss.cost_of(state, state.rounds + 1, pairs, ready, state.seed) == everybody


# Courses


@systems
@pytest.mark.parametrize("entrants", [4, 11])
def test_the_order_of_results_changes_no_standings(name: str, entrants: int) -> None:
    settings = SYSTEMS[name]
    found = []
    for seed in (None, 1, 2):
        course = Course(settings, by_strength(7)).open(entrants).start()
        course.finish(None if seed is None else random.Random(seed))
        assert course.state.status is Status.CONFIRMING
        found.append(
            [(row.place, row.last, row.entrant, row.score, row.bracket) for row in standings(course.state)]
        )
    assert found[0] == found[1] == found[2]


@systems
def test_a_replay_of_any_part_is_the_state_at_that_time(name: str) -> None:
    course = Course(SYSTEMS[name], by_strength(5)).open(9)
    states = []
    do = course.do

    def watched(actor: str, action: object) -> Tournament:
        before = len(course.events)
        state = do(actor, action)  # type: ignore[arg-type]
        if len(course.events) > before:
            states.append(state)
        return state

    course.do = watched  # type: ignore[method-assign]
    course.start().finish()
    record = TournamentRecord.from_text(course.record())
    skipped = len(record.events) - len(states)
    for count, state in enumerate(states, start=skipped + 1):
        part = replace(record, events=record.events[:count])
        if count % 7 == 0 or count == len(record.events):
            assert part.replay() == state
            assert TournamentRecord.from_text(part.to_text()) == part
    assert verify(course.record()).problems == ()


@systems
def test_nobody_is_in_two_pairings_of_a_round(name: str) -> None:
    course = Course(SYSTEMS[name], by_strength(11)).open(11).start()
    while course.state.status is Status.RUNNING:
        if not course.step():
            course.play()
        busy = [number for each in course.state.open_pairings for number in each.both]
        assert len(busy) == len(set(busy))
    for number in range(1, course.state.rounds + 1):
        paired = [each for pairing in course.state.of_round(number) for each in pairing.both if each]
        assert len(paired) == len(set(paired))


@pytest.mark.parametrize("inside", ["random", "halves", "close"])
def test_other_names_in_the_same_places_are_paired_the_same(inside: str) -> None:
    course = Course(settings_of("swiss", inside=inside), by_strength(2)).open(9).start()
    for _ in range(2):
        course.pair()
        course.play()
    course.step()
    state = course.state
    # The one who was entered as number n is now number 10 - n, with all their results.
    turned = renumbered(state)
    pairs = swiss.wanted(state, swiss.ready_for_round(state), "seed", 0)
    again = swiss.wanted(turned, swiss.ready_for_round(turned), "seed", 0)
    assert {turn(each) for each in pairs} == {each[:2] for each in again}


def turn(pair: Pair) -> tuple[int, int]:
    return 10 - pair.first, 10 - pair.second if pair.second else NOBODY


def renumbered(state: Tournament) -> Tournament:
    import msgspec

    entrants = tuple(
        msgspec.structs.replace(each, number=10 - each.number, id=f"q{each.number}")
        for each in state.entrants
    )
    pairings = tuple(
        msgspec.structs.replace(
            each,
            first=10 - each.first,
            second=10 - each.second if each.second else NOBODY,
            result=each.result and msgspec.structs.replace(each.result, winner=10 - each.result.winner),
        )
        for each in state.pairings
    )
    return state.but(entrants=tuple(reversed(entrants)), pairings=pairings)


def test_a_swiss_has_no_second_meeting_and_no_second_bye() -> None:
    for entrants in range(4, 40, 3):
        course = Course(settings_of("swiss"), by_strength(entrants)).open(entrants).start().finish()
        state = course.state
        met = [tuple(sorted(each.both)) for each in state.pairings]
        assert len(met) == len(set(met))
        assert state.closed == state.planned == swiss.usual_rounds(entrants)


@pytest.mark.parametrize("losses", [2, 3, 4])
def test_until_n_losses_leaves_one(losses: int) -> None:
    for entrants in (4, 5, 8, 13, 32):
        course = (
            Course(settings_of("losses", losses=losses), by_strength(entrants))
            .open(entrants)
            .start()
            .finish()
        )
        left = [each for each in course.state.entrants if each.plays]
        assert len(left) == 1
        rows = standings(course.state)
        assert rows[0].entrant == left[0].number and rows[0].losses < losses
        assert all(row.losses >= losses for row in rows[1:])


# Brackets

SIZES = (2, 3, 4, 5, 8, 17, 32)
"""Powers of two, their neighbours, and one between."""


@pytest.mark.parametrize("entrants", sampled(range(2, 33), lambda n: n in SIZES))
@pytest.mark.parametrize("system", ["knockout", "double"])
def test_brackets_of_every_size(system: str, entrants: int) -> None:
    for seed, draw in enumerate(("random", "seeded")):
        settings = settings_of(system, draw=draw, **({"last_chance": True} if system == "knockout" else {}))
        course = Course(settings, by_strength(seed)).open(entrants).start().finish(random.Random(entrants))
        state = course.state
        assert state.status is Status.CONFIRMING
        losses = dict.fromkeys(range(1, entrants + 1), 0)
        for pairing in state.counted():
            assert pairing.result is not None
            losses[pairing.other(pairing.result.winner)] += 1
        main = [row for row in standings(state) if row.bracket == "main"]
        assert [row.entrant for row in main if row.place == row.last == 1] == [main[0].entrant]
        assert sum(row.last - row.place + 1 == 1 for row in main[:2]) == 2
        assert len(main) == entrants
        by_prefix = [each.slot[0] for each in state.pairings]
        if system == "double":
            assert sorted(losses.values()) == [losses[main[0].entrant]] + [2] * (entrants - 1)
            assert len(state.pairings) in (2 * entrants - 2, 2 * entrants - 1)
        else:
            assert by_prefix.count("M") == entrants - 1
            assert all(sum(1 for p in state.pairings if p.slot[0] == "M" and n in p.both) for n in losses)


@pytest.mark.parametrize(
    "name", ["knockout", "nonprogressive", "third place", "double", "double without reset"]
)
@pytest.mark.parametrize("entrants", [3, 8, 11])
def test_a_range_of_places_in_a_bracket_only_narrows(name: str, entrants: int) -> None:
    course = Course(SYSTEMS[name], by_strength(entrants)).open(entrants).start()
    rng = random.Random(entrants)
    known: dict[tuple[str, int], tuple[int, int]] = {}
    while course.step() or course.state.open_pairings:
        for row in standings(course.state):
            first, last = known.get((row.bracket, row.entrant), (1, entrants))
            assert first <= row.place <= row.last <= last, (row, first, last)
            known[row.bracket, row.entrant] = row.place, row.last
        if still := course.state.open_pairings:
            course.step(results=[course.result_of(rng.choice(still))])
    assert course.state.status is Status.CONFIRMING


@pytest.mark.parametrize("entrants", [8, 11, 16, 27, 32])
def test_a_consolation_repeats_no_pairing_before_its_fourth_round(entrants: int) -> None:
    for seed in range(4):
        course = Course(settings_of("knockout"), by_strength(seed)).open(entrants).start().finish()
        rounds = {slot.name: slot.round for slot in course.state.plan}
        main = {frozenset(each.both) for each in course.state.pairings if each.slot[0] == "M"}
        again = [
            each.slot
            for each in course.state.pairings
            if each.slot[0] == "C" and frozenset(each.both) in main and rounds[each.slot] < 4
        ]
        last = max((slot.round for slot in course.state.plan if slot.bracket == "consolation"), default=0)
        assert not [slot for slot in again if rounds[slot] < last]


def test_seeds_meet_as_late_as_they_can() -> None:
    assert seed_table(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    for size in (2, 4, 8, 16, 32, 1024):
        table = seed_table(size)
        assert sorted(table) == list(range(1, size + 1))
        assert all(sum(pair) == size + 1 for pair in zip(table[::2], table[1::2], strict=True))
    assert [bracket_size(count) for count in (2, 3, 4, 5, 1024)] == [2, 4, 4, 8, 1024]


@pytest.mark.parametrize(("groups", "advance"), [(2, 2), (4, 2), (3, 2), (4, 4), (8, 2), (6, 1)])
def test_two_of_one_group_meet_as_late_as_possible(groups: int, advance: int) -> None:
    ranks = [[100 * group + rank for group in range(groups)] for rank in range(advance)]
    order = apart(ranks, bracket_size(groups * advance))
    assert sorted(order) == sorted(each for rank in ranks for each in rank)
    table = seed_table(bracket_size(len(order)))
    half = {seed: row >= len(table) // 2 for row, seed in enumerate(table)}
    for group in range(groups):
        mates = [half[order.index(100 * group + rank) + 1] for rank in range(advance)]
        assert advance == 1 or len(set(mates[:2])) == 2


def test_groups_are_dealt_there_and_back() -> None:
    assert snake(range(1, 9), 3) == [[1, 6, 7], [2, 5, 8], [3, 4]]


@pytest.mark.parametrize("count", range(2, 17))
def test_a_round_robin_has_every_pair_once(count: int) -> None:
    rounds = circle(count)
    pairs = [frozenset(pair) for each in rounds for pair in each]
    assert sorted(map(sorted, pairs)) == [
        list(pair) for pair in itertools.combinations(range(1, count + 1), 2)
    ]
    assert all(len({number for pair in each for number in pair}) == 2 * len(each) for each in rounds)


def test_a_state_survives_json() -> None:
    import msgspec

    for settings in SYSTEMS.values():
        state = Course(settings, by_strength(1)).open(9).start().finish().state
        data = msgspec.json.encode(state)
        assert msgspec.json.decode(data, type=Tournament) == state
        assert new(settings).but(n=0) == msgspec.json.decode(
            msgspec.json.encode(new(settings)), type=Tournament
        )


def test_a_state_that_another_process_receives_is_paired_the_same() -> None:
    for name, settings in SYSTEMS.items():
        course = Course(settings, by_strength(1)).open(9).start()
        for _ in range(2):
            state, now = course.state, course.now
            wanted = pair_actions(state, to_pair(state, now, there(course)), now)
            received = pickle.loads(pickle.dumps(state))
            assert pair_actions(received, to_pair(received, now, there(course)), now) == wanted, name
            assert wanted or course.state.pairings, name
            course.pair()
            course.play()


def test_lines_are_json_of_one_line() -> None:
    assert line({"a": "ایران\n"}) == '{"a":"ایران\\n"}\n'


def test_every_system_serves_its_interface() -> None:
    for settings in SYSTEMS.values():
        state = Course(settings).open(9).start().state
        system = system_of(state)
        assert not system.is_over(state)
        assert len({row.entrant for row in system.standings(state)}) == 9
        assert bracket.places(state) if state.stage == "bracket" else not state.plan
