"""Games of a net with itself, their returns, and duels."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh import _core

np = pytest.importorskip("numpy", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

from sheshbesh.engines import bearoff_databases  # noqa: E402
from sheshbesh.engines.measure.score import Score  # noqa: E402
from sheshbesh.engines.outcome import Classes  # noqa: E402
from sheshbesh.training import coverage, quantised  # noqa: E402
from sheshbesh.training.play import play_duel  # noqa: E402
from tests.training.small import model_of, some_positions  # noqa: E402

GAMES = ("hypergammon", "tapa", "long_nardy", "gul_bara")


def random_net(game: str, seed: int, widths: tuple[int, ...] = (64, 32)) -> bytes:
    """A net of small random weights, fit for the game."""
    chance = np.random.default_rng(seed)
    classes = coverage.cover(sb.variant(game), (), 0.0).class_count
    net = quantised.blank(len(_core.unit_scale()), widths, classes)
    net.first_weight[:] = chance.integers(-40, 41, net.first_weight.shape)
    net.first_bias[:] = chance.integers(-500, 501, net.first_bias.shape)
    for layer in net.dense:
        layer.weight[:] = chance.integers(-127, 128, layer.weight.shape)
        layer.bias[:] = chance.integers(-2000, 2001, layer.bias.shape)
        layer.scale[:] = chance.random(layer.scale.shape) * 0.004 + 0.001
    net.output_weight[:] = chance.integers(-3000, 3001, net.output_weight.shape)
    net.output_bias[:] = chance.normal(size=classes)
    net.output_scale[:] = 1e-6
    return quantised.write(net)


@cache
def games_of(game: str, **options: Any) -> tuple[Any, ...]:
    wanted = {
        "games": 8,
        "seed": 5,
        "decay": 0.0,
        "explore": 0.0,
        "random_plies": 0,
        "longest_game": 1000,
        "keep": 1.0,
    }
    return _core.self_play(sb.variant(game)._core, random_net(game, 1), **(wanted | options))


def flip(game: str, row: Any) -> Any:
    """Probabilities as the other side sees them."""
    wins = len(coverage.classes_of(sb.variant(game))[0])
    return np.concatenate([row[wins : 2 * wins], row[:wins], row[2 * wins :]])


@pytest.mark.parametrize("game", GAMES)
def test_the_core_computes_what_the_reference_computes_to_the_bit(game: str) -> None:
    slots, targets, *_ = games_of(game)
    net = quantised.parse(random_net(game, 1))
    table = np.tile(np.frombuffer(_core.rule_slots(sb.variant(game)._core), np.uint8), (len(slots), 1))
    reference = net.probabilities(slots, table)
    compared = 0
    for here in range(len(slots) - 1):
        if targets[here].max() == 1.0:  # the end of a game
            continue
        # With lambda 0 a target is the net's value of the next position, seen from this one.
        seen = [flip(game, reference[here + 1]), reference[here + 1]]
        if (targets[here] == 0).any():
            assert any(is_possible_part(game, targets[here], value) for value in seen)
        else:
            assert any(np.array_equal(targets[here], value) for value in seen)
            compared += 1
    assert compared > 100


def is_possible_part(game: str, left: Any, value: Any) -> bool:
    """Whether `left` is `value` after some results were found impossible: the chance to win is the same."""
    wins = len(coverage.classes_of(sb.variant(game))[0])
    for side in (slice(wins), slice(wins, 2 * wins)):
        kept = left[side] > 0
        share = value[side].sum() / value[side][kept].sum()
        if not np.allclose(left[side][kept], value[side][kept] * share, atol=1e-6):
            return False
    return bool(np.array_equal(left[2 * wins :], value[2 * wins :]))


@pytest.mark.parametrize("game", GAMES)
def test_with_a_ply_a_target_is_the_mean_over_all_throws(game: str) -> None:
    rules = sb.variant(game)._core
    wins, tie = _core.class_table(rules)
    points = [float(win[1]) for win in wins]
    money = [*points, *(-win for win in points), *([0.0] if tie else [])]
    searcher = _core.Searcher(_core.Net(random_net(game, 1)), rules)
    start = _core.start(rules, black_starts=False)  # the first of the games begins here
    _, targets, games, plays, _ = games_of(game, plies=1)
    assert targets[0].tolist() == searcher.value(start, money, 1)
    assert np.allclose(targets.sum(axis=1), 1.0, atol=1e-5)
    _, _, games_without, plays_without, _ = games_of(game)
    assert (games, plays) == (games_without, plays_without), "a target's depth changes no play"


@pytest.mark.parametrize("game", ["hypergammon", "long_nardy"])
def test_returns_are_those_of_a_plain_computation(game: str) -> None:
    decay = 0.7
    slots, values, *_ = games_of(game)
    slots_again, targets, *_ = games_of(game, decay=decay)
    assert np.array_equal(slots, slots_again)
    expected = values.astype(np.float64)
    for here in range(len(values) - 2, -1, -1):
        if values[here].max() < 1.0:
            expected[here] = (1 - decay) * expected[here] + decay * flip(game, expected[here + 1])
    np.testing.assert_allclose(targets, expected, atol=1e-5)
    assert not np.allclose(targets, values, atol=1e-3)


@pytest.mark.parametrize("game", ["hypergammon", "long_nardy"])
def test_a_ply_takes_the_luck_of_every_throw_out_of_a_return(game: str) -> None:
    decay = 0.7
    slots, nexts, *_ = games_of(game)
    _, means, *_ = games_of(game, plies=1)
    slots_again, targets, *_ = games_of(game, plies=1, decay=decay)
    assert np.array_equal(slots, slots_again)
    expected = means.astype(np.float64)
    for here in range(len(nexts) - 2, -1, -1):
        if nexts[here].max() < 1.0:
            expected[here] += decay * (flip(game, expected[here + 1]) - nexts[here])
    np.testing.assert_allclose(targets, expected, atol=1e-5)
    assert not np.allclose(targets, means, atol=1e-3)


def test_without_its_luck_a_result_has_the_same_mean_and_less_spread() -> None:
    net = (files("sheshbesh.engines") / "nets" / "hypergammon.net").read_bytes()
    rules, games = sb.variant("hypergammon")._core, 300
    wanted: dict[str, Any] = {"games": games, "seed": 5, "decay": 1.0, "explore": 0.0, "random_plies": 0}
    points = np.array([1, 2, 3, -1, -2, -3])
    plain, free = (
        _core.self_play(rules, net, **wanted, longest_game=1000, keep=1.0, plies=plies)[1] @ points
        for plies in (0, 1)
    )
    difference = plain - free
    # Positions of one game share its luck, so about as many as there are games are independent.
    assert abs(difference.mean()) < 4 * difference.std() / games**0.5
    assert free.std() < 0.7 * plain.std()


def test_positions_that_are_not_kept_still_take_luck_out_of_returns() -> None:
    _, every, *_ = games_of("hypergammon", games=20, decay=0.9, plies=1)
    _, some, *_ = games_of("hypergammon", games=20, decay=0.9, plies=1, keep=0.3)
    rows = {row.tobytes() for row in every}
    assert 0 < len(some) < len(every)
    assert all(row.tobytes() in rows for row in some)


def test_who_names_a_double_names_the_best() -> None:
    slots, targets, *_ = games_of("acey_deucey", games=10)
    _, means, *_ = games_of("acey_deucey", games=10, plies=1)
    naming = slots[:, 113] == 1  # the slot named "a double is to be named"
    assert naming.sum() > 5
    # All six doubles are one choice, so nothing is left to chance and both targets are the same value.
    np.testing.assert_allclose(targets[naming], means[naming], atol=1e-6)


def test_with_lambda_1_every_position_learns_the_result_of_its_game() -> None:
    _, targets, *_ = games_of("hypergammon", decay=1.0)
    np.testing.assert_allclose(targets.max(axis=1), 1.0, atol=1e-6)


def test_a_random_play_cuts_the_trace_and_teaches_the_value_of_the_best_one() -> None:
    explored = {"explore": 0.3, "seed": 9}
    _, values, *_ = games_of("hypergammon", **explored)
    _, targets, *_ = games_of("hypergammon", decay=1.0, **explored)
    untouched = np.mean(np.abs(targets - values).max(axis=1) < 1e-6)
    assert 0.05 < untouched < 0.6
    assert np.mean(targets.max(axis=1) < 1.0) > 0.2


@pytest.mark.parametrize("game", ["backgammon", "long_nardy"])
def test_plays_that_are_nearly_the_best_are_tried_and_no_others(game: str) -> None:
    margin = 0.02
    slots, targets, *_ = games_of(game, near=1.0, near_margin=margin)
    points = np.array(coverage.cover(sb.variant(game), (), 0.0).money())
    table = np.tile(np.frombuffer(_core.rule_slots(sb.variant(game)._core), np.uint8), (len(slots), 1))
    made = quantised.parse(random_net(game, 1)).probabilities(slots, table)
    losses = []
    for here in range(len(slots) - 1):
        best = targets[here]  # with lambda 0, where a play was made at random too
        if best.min() > 0:  # no result that the judge knows to be impossible, and not the game's end
            losses.append((best - flip(game, made[here + 1])) @ points / (best @ np.abs(points)))
    assert len(losses) > 100
    assert min(losses) > -1e-5
    assert max(losses) <= margin + 1e-5
    assert np.mean(np.array(losses) > 1e-3) > 0.2


def test_a_game_does_not_depend_on_the_games_beside_it() -> None:
    alone, targets, *_ = games_of("tapa", games=1)
    together, all_targets, *_ = games_of("tapa", games=40)
    assert np.array_equal(alone, together[: len(alone)])
    assert np.array_equal(targets, all_targets[: len(targets)])


def test_every_game_is_counted_with_its_result() -> None:
    slots, _, games, plays, results = games_of("gul_bara", games=30)
    assert (games, sum(results), plays) == (30, 30, len(slots))


def test_a_game_that_is_given_up_has_no_result_but_values() -> None:
    _, targets, games, plays, results = games_of("backgammon", longest_game=10)
    assert (games, plays, sum(results)) == (8, 80, 0)
    assert targets.max() < 1.0


def test_a_share_of_the_positions_can_be_kept() -> None:
    slots, *_ = games_of("backgammon", games=20)
    kept, _, _, plays, _ = games_of("backgammon", games=20, keep=0.25)
    assert plays == len(slots)
    assert 0.15 < len(kept) / plays < 0.35


@pytest.mark.parametrize("game", GAMES)
def test_a_net_is_exactly_level_with_itself(game: str) -> None:
    net = random_net(game, 1)
    score = play_duel(sb.variant(game), net, net, 20, seed=3)
    assert (score.pairs, score.points, score.squares) == (20, 0.0, 0.0)
    assert score.staked > 0


def test_a_duel_seen_from_the_other_side_has_the_opposite_score() -> None:
    variant = sb.variant("hypergammon")
    one, two = random_net("hypergammon", 1), random_net("hypergammon", 2)
    there, back = play_duel(variant, one, two, 40, 3), play_duel(variant, two, one, 40, 3)
    assert there.points == -back.points != 0
    assert (there.squares, there.staked, there.wins + back.wins) == (back.squares, back.staked, 80)


def test_the_score_of_a_duel_adds_up_from_its_parts() -> None:
    total = Score(10, 6.0, 30.0, 40.0, wins=12) + Score(10, 2.0, 20.0, 40.0, wins=11, ties=1)
    assert total == Score(20, 8.0, 50.0, 80.0, wins=23, ties=1)
    assert total.per_game == pytest.approx(0.2)
    assert total.share == pytest.approx(44 / 80)
    spread = (50 / 20 - 0.4**2) / 19
    assert total.error == pytest.approx(spread**0.5 / 2)


def test_a_net_for_other_results_is_refused() -> None:
    with pytest.raises(ValueError, match="classes"):
        play_duel(sb.variant("tapa"), random_net("hypergammon", 1), None, 1, 1)


CONTACT, PRIME, SIDE, FIRST = 1, 14, 19, 54 + 48 + 12
"""Of each side's derived slots those of enemies ahead and of its longest prime, how many there are, and where
they begin.

The slot after the prime's counts the enemies that have yet to pass it.
"""


def has_contact(slots: Any) -> Any:
    return (slots[:, FIRST + CONTACT] > 0) | (slots[:, FIRST + SIDE + CONTACT] > 0)


def test_races_and_what_tables_know_can_be_left_out() -> None:
    game = sb.variant("portes")
    net = (files("sheshbesh.engines") / "nets" / "portes.net").read_bytes()
    known = bearoff_databases.for_variant(game)
    wanted: dict[str, Any] = {"games": 12, "seed": 5, "decay": 0.5, "explore": 0.0, "random_plies": 0}
    wanted |= {"longest_game": 1000, "keep": 1.0, "plies": 1, "databases": known}
    every, values, _, plays, results = _core.self_play(game._core, net, **wanted)
    few, their_values, _, same_plays, same_results = _core.self_play(
        game._core, net, **wanted, races=0.0, known=0.0
    )
    assert (plays, results) == (same_plays, same_results), "what is left out changes no play"
    touching = has_contact(every)
    assert 0 < touching.sum() < len(every)
    assert np.array_equal(few, every[touching])
    last = np.flatnonzero(touching & ~np.append(touching[1:], False))
    same = (their_values == values[touching]).all(axis=1)
    assert same.mean() > 0.3, "returns that end sooner are others"
    assert not same.all()
    _, means, *_ = _core.self_play(game._core, net, **{**wanted, "decay": 0.0})
    np.testing.assert_array_equal(their_values[np.cumsum(touching)[last] - 1], means[last])
    some, *_ = _core.self_play(game._core, net, **wanted, races=0.5, known=0.5)
    assert len(few) < len(some) < len(every)


@pytest.mark.parametrize("game", ["backgammon", "long_nardy"])
def test_games_can_begin_with_a_held_rear_or_a_prime_or_late_or_as_races(game: str) -> None:
    net = (files("sheshbesh.engines") / "nets" / f"{game}.net").read_bytes()
    wanted: dict[str, Any] = {"games": 1, "decay": 0.0, "explore": 0.0, "random_plies": 0, "longest_game": 1}
    firsts: dict[str, Any] = {}
    for kind in ("holding", "priming", "late", "running"):
        kinds: dict[str, Any] = wanted | {kind: 1.0}
        rows = [
            _core.self_play(sb.variant(game)._core, net, **kinds, keep=1.0, seed=seed)[0]
            for seed in range(20)
        ]
        firsts[kind] = np.concatenate(rows)
        assert len(firsts[kind]) == 20, "each game is watched from there"
    began = _core.self_play(sb.variant(game)._core, net, **wanted, keep=1.0, seed=1)[0]
    at_start = {kind: (slots == began).all(axis=1) for kind, slots in firsts.items()}
    for kind, same in at_start.items():
        assert same.mean() < 0.2, f"{kind}: few games end again and again before they get there"
    late = firsts["late"][~at_start["late"]]
    assert has_contact(late).all() and (late[:, [0, 27]] > 0).any(axis=1).all()
    running = firsts["running"][~at_start["running"]]
    assert not has_contact(running).any()
    assert ((running[:, 7:25].sum(axis=1) > 0) | (running[:, 34:52].sum(axis=1) > 0)).all()
    holding = firsts["holding"][~at_start["holding"]]
    points = [(holding[:, at : at + 6] > 1).sum(axis=1) for at in (19, 46)]
    assert (np.maximum(*points) >= 2).all()
    priming = firsts["priming"][~at_start["priming"]]
    primes = [FIRST + PRIME, FIRST + SIDE + PRIME]
    assert (priming[:, primes].max(axis=1) >= 5).all()
    assert (priming[:, [at + 1 for at in primes]].max(axis=1) > 0).all(), "somebody is behind it"


def test_what_two_plies_find_on_their_way_can_be_learned_too() -> None:
    game, net = sb.variant("hypergammon"), random_net("hypergammon", 1)
    wanted: dict[str, Any] = {"games": 1, "seed": 5, "decay": 0.0, "explore": 0.0, "random_plies": 0}
    wanted |= {"longest_game": 1, "keep": 1.0, "plies": 2}
    (alone,), (value,), *_ = _core.self_play(game._core, net, **wanted)
    slots, targets, *_ = _core.self_play(game._core, net, **wanted, inner=1.0)
    assert np.array_equal(slots[0], alone) and np.array_equal(targets[0], value)

    search = _core.Searcher(_core.Net(net), game._core)
    money = [float(each.gain) for each in Classes.of(game).all]
    start, replies = game.start(), {}
    for high, low in ((a, b) for a in range(1, 7) for b in range(1, a + 1)):
        best = search.rank(start._core, high, low, money, 0)[0][0]
        after = start.legal_plays((high, low))[best].result
        replies[after.id] = search.value(after._core, money, 1)
    expected = np.array(list(replies.values()), np.float32)
    assert len(slots) == 1 + len(expected)
    np.testing.assert_array_equal(np.sort(targets[1:], axis=0), np.sort(expected, axis=0))

    some, *_ = _core.self_play(game._core, net, **wanted, inner=0.5)
    assert 1 < len(some) < len(slots)


@pytest.mark.parametrize("game", ["backgammon", "long_nardy", "tawla31"])
def test_a_table_on_a_device_expands_positions_as_the_core_does(game: str) -> None:
    _, inputs, covered = model_of(game, (64,))
    slots = some_positions(covered).slots
    numbers = (np.arange(len(slots)) % len(covered.variants)).astype(np.uint8)
    expand = inputs.expand_on(torch.device("cpu"))
    by_table = expand(torch.from_numpy(slots), torch.from_numpy(numbers))
    assert torch.equal(by_table, inputs.expand(slots, numbers))
