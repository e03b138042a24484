"""The compiled searcher: values, ranks, refusals, threads."""

from __future__ import annotations

import random
import struct
import threading
import time
from collections.abc import Sequence
from itertools import pairwise

import pytest

import sheshbesh as sb
from sheshbesh import _core
from tests.waiting import PATIENCE, until

GAMES = ("backgammon", "long_nardy", "tapa", "gul_bara", "acey_deucey")


def checksum(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def net_file(classes: int, widths: Sequence[int] = (64, 16), seed: int = 0) -> bytes:
    """A net of random weights, in the format of net.h."""
    chance = random.Random(seed)

    def whole(kind: str, count: int, reach: int) -> bytes:
        return struct.pack(f"<{count}{kind}", *chance.choices(range(-reach, reach + 1), k=count))

    def same(count: int, value: float) -> bytes:
        return struct.pack(f"<{count}f", *[value] * count)

    parts = [b"SSHNET01", struct.pack("<4I", _core.INPUT_SET, len(_core.unit_scale()), len(widths), classes)]
    parts += [struct.pack(f"<{len(widths)}I", *widths), struct.pack("<I", 2)]
    parts += [whole("h", len(_core.unit_scale()) * widths[0], 20), whole("h", widths[0], 100)]
    for wide, narrow in pairwise(widths):
        parts += [whole("b", wide * narrow, 127), whole("i", narrow, 2000), same(narrow, 1 / 512)]
    parts += [whole("h", classes * widths[-1], 1000), same(classes, 0), same(classes, 1e-5)]
    data = b"".join(parts)
    return data + struct.pack("<Q", checksum(data))


def class_count(game: sb.Variant) -> int:
    wins, has_tie = _core.class_table(game._core)
    return 2 * len(wins) + has_tie


def searcher(game: sb.Variant, *, cache_entries: int = 1 << 12, seed: int = 0) -> _core.Searcher:
    net = _core.Net(net_file(class_count(game), seed=seed))
    return _core.Searcher(net, game._core, cache_entries=cache_entries)


def money(game: sb.Variant) -> list[float]:
    wins, has_tie = _core.class_table(game._core)
    points = [float(points) for _, points in wins]
    return points + [-value for value in points] + [0.0] * has_tie


def test_classes_are_those_of_the_scoring() -> None:
    wins, has_tie = _core.class_table(sb.variant("backgammon")._core)
    assert [points for _, points in wins] == [1, 2, 3]
    assert not has_tie
    assert _core.class_table(sb.variant("plakoto")._core)[1]  # both mothers may be lost


def test_a_net_says_what_it_is() -> None:
    net = _core.Net(net_file(6, (64, 32, 16)))
    assert net.classes == 6
    assert list(net.widths) == [64, 32, 16]
    assert net.parameters > 64 * len(_core.unit_scale())


@pytest.mark.parametrize("damage", ["short", "changed", "empty", "other"])
def test_what_is_no_net_is_refused_in_words(damage: str) -> None:
    data = net_file(6)
    broken = {
        "short": data[:-100],
        "changed": data[:5000] + bytes([data[5000] ^ 1]) + data[5001:],
        "empty": b"",
        "other": b"GNUBG" + data[5:],
    }[damage]
    with pytest.raises(ValueError, match="net"):
        _core.Net(broken)


def test_a_net_of_other_classes_is_refused_unless_mapped() -> None:
    tapa = sb.variant("tapa")
    net = _core.Net(net_file(6))
    assert class_count(tapa) != 6
    with pytest.raises(ValueError, match="class"):
        _core.Searcher(net, tapa._core)
    size = class_count(tapa)
    mapped = _core.Searcher(net, tapa._core, [0, 1, 1, size // 2, size // 2 + 1, size // 2 + 1])
    row = mapped.evaluate([tapa.start()._core])[0]
    assert len(row) == size
    assert sum(row) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("name", GAMES)
def test_ranks_are_plays_of_the_core_in_order(name: str) -> None:
    game = sb.variant(name)
    search = searcher(game)
    state = game.start()._core
    plays = _core.legal_plays(game._core, state, 2, 1)
    found = search.rank(state, 2, 1, money(game), 1, [(3, 10.0)])
    assert sorted(index for index, *_ in found) == list(range(len(plays)))
    assert [plies for _, plies, *_ in found[:3]] == [1] * min(3, len(plays))
    for deep in (0, 1):
        equities = [equity for _, plies, equity, _ in found if plies == deep]
        assert equities == sorted(equities, reverse=True)
    for index, plies, equity, row in found:
        assert sum(row) == pytest.approx(1, abs=1e-5)
        assert equity == pytest.approx(sum(map(float.__mul__, money(game), row)), abs=1e-5)
        after = plays.after(index)
        if plies == 0 and after.black_on_roll != state.black_on_roll:
            half = len(_core.class_table(game._core)[0])
            theirs = search.evaluate([after])[0]
            assert row == theirs[half : 2 * half] + theirs[:half] + theirs[2 * half :]


def test_values_do_not_depend_on_what_was_asked_before() -> None:
    game = sb.variant("backgammon")
    state = game.start()._core
    remembering, forgetful = searcher(game), searcher(game, cache_entries=0)
    first = remembering.rank(state, 4, 2, money(game), 2)
    evaluations = remembering.evaluations
    assert (
        first == remembering.rank(state, 4, 2, money(game), 2) == forgetful.rank(state, 4, 2, money(game), 2)
    )
    assert remembering.evaluations - evaluations < evaluations
    assert remembering.nodes == 2 * forgetful.nodes
    assert remembering.value(state, money(game), 1) == forgetful.value(state, money(game), 1)


def test_a_game_that_is_over_has_its_result_and_no_plays() -> None:
    game = sb.variant("backgammon")
    position = game.start()
    off = [15] + [0] * 26
    core = position._core
    lost = _core.State(
        mine=core.mine,
        theirs=off,
        pinned_mine=[],
        pinned_theirs=[],
        black_on_roll=False,
        turns=core.turns,
        started=core.started,
        mother_lost=core.mother_lost,
        pending=core.pending,
    )
    search = searcher(game)
    assert search.evaluate([lost]) == [[0, 0, 0, 0, 0, 1]]
    assert search.value(lost, money(game), 2) == [0, 0, 0, 0, 0, 1]
    assert search.rank(lost, 3, 1, money(game), 1) == []


def test_nonsense_is_refused() -> None:
    game = sb.variant("backgammon")
    state = game.start()._core
    search = searcher(game)
    with pytest.raises(ValueError, match="die"):
        search.rank(state, 7, 1, money(game), 0)
    with pytest.raises(ValueError, match="plies"):
        search.rank(state, 2, 1, money(game), -1)
    with pytest.raises(ValueError, match="utility"):
        search.rank(state, 2, 1, [1.0, -1.0], 0)
    with pytest.raises(ValueError, match="instruction set"):
        _core.force_isa("abacus")


def test_every_instruction_set_gives_the_same_bits() -> None:
    game = sb.variant("backgammon")
    state = game.start()._core
    before = _core.active_isa()
    assert _core.isas()[0] == "baseline"
    assert before in _core.isas()
    answers = []
    try:
        for isa in _core.isas():
            _core.force_isa(isa)
            assert _core.active_isa() == isa
            answers.append(searcher(game).rank(state, 5, 3, money(game), 1))
    finally:
        _core.force_isa(before)
    assert all(answer == answers[0] for answer in answers)


def test_a_search_is_stopped_from_another_thread_and_others_run_meanwhile() -> None:
    game = sb.variant("backgammon")
    state = game.start()._core
    search = searcher(game)
    found: list[tuple[int, int, float, list[float]]] = []

    def think() -> None:
        found.extend(search.rank(state, 2, 1, money(game), 3, [(100, 100.0)]))

    thread = threading.Thread(target=think)
    before = time.process_time()
    thread.start()
    until(lambda: time.process_time() - before > 0.1)  # it thinks
    assert thread.is_alive()
    search.cancel()
    thread.join(timeout=PATIENCE)
    assert not thread.is_alive()
    assert len(found) == len(_core.legal_plays(game._core, state, 2, 1))
    assert max(plies for _, plies, *_ in found) < 3
    with pytest.raises(_core.SearchStopped):
        search.value(state, money(game), 2)
    search.resume()
    assert search.rank(state, 2, 1, money(game), 1)[0][1] == 1
