"""The auditor finds every change at the right throw, and says what it proves."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from sheshbesh.fairdice import RESERVE, dice_from_links
from tests.dice_help import (
    EVENTS,
    RENEWED,
    STRICT,
    THROWS,
    VOIDED,
    Game,
    audit,
    chains_of,
    changed,
    other_hex,
    place_of_first_problem,
    plain,
    throw_of,
    with_anchors,
)

EVERY_THROW = pytest.mark.parametrize("number", range(1, THROWS + 1))


def text_of_first_problem(events: list[dict[str, Any]]) -> str:
    problem = audit(events).first_problem
    assert problem is not None
    return problem.text


def test_an_honest_game_holds() -> None:
    verdict = audit(EVENTS)
    assert verdict.ok
    assert verdict.first_problem is None
    assert [throw.number for throw in verdict.throws] == list(range(1, THROWS + 1))
    assert [list(throw.dice or ()) for throw in verdict.throws] == [event["dice"] for event in EVENTS[1:]]
    assert {throw.number for throw in verdict.throws if throw.missing} == {11, 12, 20}
    assert any("40 throws came from three chains" in text for text in verdict.proved)


@EVERY_THROW
def test_a_changed_die_is_caught(number: int) -> None:
    first, second = throw_of(EVENTS, number)["dice"]
    for dice in ([first % 6 + 1, second], [first, second % 6 + 1]):
        assert place_of_first_problem(changed(EVENTS, number, dice=dice)) == ("m1/1", number)
    if first != second:
        assert place_of_first_problem(changed(EVENTS, number, dice=[second, first])) == ("m1/1", number)


@EVERY_THROW
@pytest.mark.parametrize("party", ["server", "white", "black"])
def test_a_changed_link_is_caught(number: int, party: str) -> None:
    link = throw_of(EVENTS, number)[party]
    if link is None:
        link = throw_of(EVENTS, 1)[party]
        forged = changed(EVENTS, number, **{party: link})
    else:
        forged = changed(EVENTS, number, **{party: other_hex(link)})
    assert place_of_first_problem(forged) == ("m1/1", number)
    if number not in (11, 12, 20):
        assert party in text_of_first_problem(forged).casefold()


def dice_without(number: int, side: str) -> list[int]:
    """What throw `number` would have been without a link; once in 36 times the same."""
    throw = throw_of(EVENTS, number)
    links = {party: bytes.fromhex(throw[party] or "") for party in ("server", "white", "black")} | {side: b""}
    return list(dice_from_links(game="m1/1", number=number, **links))


@EVERY_THROW
def test_a_link_that_is_made_to_miss_is_caught(number: int) -> None:
    """Without a mark, with a mark but the old dice, and with a mark although the link is there."""
    for side in ("white", "black"):
        if throw_of(EVENTS, number)[side] is None:
            continue
        for fields in ({side: None}, {"missing": [side]}, {side: ...}):
            assert place_of_first_problem(changed(EVENTS, number, **fields)) == ("m1/1", number)
        marked = changed(EVENTS, number, **{side: None, "missing": [side]})
        if dice_without(number, side) != throw_of(EVENTS, number)["dice"]:
            assert place_of_first_problem(marked) == ("m1/1", number)
    server: list[dict[str, Any]] = [
        {"server": None},
        {"server": None, "missing": ["server"]},
        {"server": ...},
        {"server": ""},
    ]
    for without in server:
        assert place_of_first_problem(changed(EVENTS, number, **without)) == ("m1/1", number)


@pytest.mark.parametrize("number", [11, 12, 20])
def test_a_mark_that_is_taken_away_is_caught(number: int) -> None:
    assert place_of_first_problem(changed(EVENTS, number, missing=...)) == ("m1/1", number)
    assert place_of_first_problem(changed(EVENTS, number, missing=["black"])) == ("m1/1", number)


@pytest.mark.parametrize("number", range(1, THROWS))
def test_a_dropped_throw_is_caught(number: int) -> None:
    forged = [event for event in EVENTS if event.get("number") != number]
    assert place_of_first_problem(forged) == ("m1/1", number)
    assert len(audit(forged).problems) == 1
    for event in (closed := copy.deepcopy(forged)):
        if event.get("number", 0) > number:
            event["number"] -= 1
    assert place_of_first_problem(closed) == ("m1/1", number)


@pytest.mark.parametrize("number", range(1, THROWS))
def test_swapped_throws_are_caught(number: int) -> None:
    forged = copy.deepcopy(EVENTS)
    forged[number], forged[number + 1] = forged[number + 1], forged[number]
    assert place_of_first_problem(forged) == ("m1/1", number)
    forged[number]["number"], forged[number + 1]["number"] = number, number + 1
    assert place_of_first_problem(forged) == ("m1/1", number)


@EVERY_THROW
def test_a_throw_told_twice_is_caught(number: int) -> None:
    forged = [*EVENTS[: number + 1], EVENTS[number], *EVENTS[number + 1 :]]
    assert place_of_first_problem(forged) == ("m1/1", number + 1)


@pytest.mark.parametrize("number", [1, 7, THROWS])
@pytest.mark.parametrize("wrong", [0, -1, True, "7", 10**12, 7.0, None, ...])
def test_a_changed_number_is_caught(number: int, wrong: Any) -> None:
    assert place_of_first_problem(changed(EVENTS, number, number=wrong)) == ("m1/1", number)


@pytest.mark.parametrize("party", ["server", "white", "black"])
def test_a_changed_anchor_is_caught_at_the_first_throw(party: str) -> None:
    forged = with_anchors(EVENTS, **{party: other_hex(EVENTS[0][party])})
    assert place_of_first_problem(forged) == ("m1/1", 1)
    assert party in text_of_first_problem(forged).casefold()


@pytest.mark.parametrize("party", ["server", "white", "black"])
@pytest.mark.parametrize("wrong", [..., None, "", "ff", 7, "g" * 64, "F" * 64, ["ff"]])
def test_an_anchor_that_cannot_be_read_is_caught(party: str, wrong: Any) -> None:
    assert place_of_first_problem(with_anchors(EVENTS, **{party: wrong})) == ("m1/1", 1)


def test_a_changed_game_is_caught() -> None:
    everywhere = [event | {"game": "m1/2"} for event in EVENTS]
    assert place_of_first_problem(everywhere) == ("m1/2", 1)
    assert place_of_first_problem(with_anchors(EVENTS, game="m1/2")) == ("m1/1", 1)
    assert place_of_first_problem(changed(EVENTS, 7, game="m1/2")) == ("m1/2", 7)
    for wrong in ("", "a|b", 7, None, ...):
        assert not audit(changed(EVENTS, 7, game=wrong)).ok


def test_anchors_must_come_before_the_links() -> None:
    anchors, *throws = EVENTS
    assert place_of_first_problem([throws[0], anchors, *throws[1:]]) == ("m1/1", 1)
    assert place_of_first_problem(throws) == ("m1/1", 1)


def test_a_second_start_of_a_game_is_caught() -> None:
    again = plain(Game(seed=9).play(2).events)
    assert place_of_first_problem([*EVENTS[:5], again[0], *EVENTS[5:]]) == ("m1/1", 5)


def test_two_sides_must_not_share_a_chain() -> None:
    assert place_of_first_problem(with_anchors(EVENTS, white=EVENTS[0]["black"])) == ("m1/1", 1)
    assert (
        text_of_first_problem(with_anchors(EVENTS, server=EVENTS[0]["black"]))
        == "two sides have the same anchor"
    )


def test_a_server_that_uses_its_chain_again_is_caught_and_a_player_is_named() -> None:
    first, second = Game("m1/1", seed=1).play(3), Game("m1/2", seed=1).play(3)
    assert place_of_first_problem(plain([*first.events, *second.events])) == ("m1/2", 1)
    reused = Game("m1/3", chains=chains_of(5) | {"white": first.chains["white"]})
    reused.throw(None)
    verdict = audit([*first.events, *reused.events])
    assert verdict.ok
    assert any("From throw 1 of m1/3 on White gave numbers" in text for text in verdict.unproved)


def test_strict_dice_allow_no_missing_link() -> None:
    assert audit(STRICT).ok
    normal = plain(Game(seed=3).play(12, missing=(5,)).events)
    assert audit(normal).ok
    forged = with_anchors(normal, mode="strict")
    assert place_of_first_problem(forged) == ("m1/1", 5)
    assert "strict" in text_of_first_problem(forged)


# Renewals.


def test_rightful_renewals_hold() -> None:
    verdict = audit(RENEWED)
    assert verdict.ok
    assert len(verdict.throws) == 8


@pytest.mark.parametrize(
    ("epoch", "fields"),
    [
        (2, {"reason": "start"}),
        (2, {"reason": "lost"}),
        (2, {"reason": "reserve", "lost": ["white"]}),
        (2, {"reason": "lost", "lost": ["server"]}),
        (2, {"reason": "lost", "lost": "white"}),
        (2, {"reason": 5}),
        (2, {"length": 400}),
        (2, {"mode": "strict"}),
        (2, {"first": 5}),
        (2, {"first": 7}),
        (2, {"epoch": 3}),
        (2, {"epoch": 1}),
        (2, {"voided": {"number": 6, "white": None, "black": None}}),
        (3, {"reason": "reserve", "lost": ...}),
        (3, {"lost": []}),
        (3, {"lost": ...}),
    ],
)
def test_a_renewal_without_right_is_caught(epoch: int, fields: dict[str, Any]) -> None:
    expected = {2: 6, 3: 8}[epoch]
    assert place_of_first_problem(with_anchors(RENEWED, epoch, **fields)) == ("m1/1", expected)


@pytest.mark.parametrize(
    "fields",
    [{"mode": "lenient"}, {"mode": ...}, {"length": RESERVE}, {"length": True}, {"first": 2}, {"epoch": 0}],
)
def test_a_start_that_cannot_be_is_caught(fields: dict[str, Any]) -> None:
    assert place_of_first_problem(with_anchors(EVENTS, **fields)) == ("m1/1", 1)


def test_a_renewal_that_was_left_out_is_caught() -> None:
    assert place_of_first_problem([event for event in RENEWED if event.get("epoch") != 2]) == ("m1/1", 6)
    assert place_of_first_problem([event for event in RENEWED if event.get("epoch") != 3]) == ("m1/1", 8)


def test_chains_longer_than_announced_are_caught() -> None:
    forged = with_anchors(EVENTS, length=30)
    assert place_of_first_problem(forged) == ("m1/1", 31)
    assert "used up" in text_of_first_problem(forged)


VOID = next(event["voided"] for event in VOIDED if "voided" in event)


@pytest.mark.parametrize(
    "wrong",
    [
        VOID | {"number": 3},
        VOID | {"white": None},
        VOID | {"white": other_hex(VOID["white"])},
        VOID | {"black": VOID["white"]},
        VOID | {"white": 5},
        None,
        [],
    ],
)
def test_a_throw_that_was_not_rightly_made_void_is_caught(wrong: Any) -> None:
    assert audit(VOIDED).ok
    assert place_of_first_problem(with_anchors(VOIDED, 2, voided=wrong)) == ("m1/1", 4)


def test_no_throw_is_made_void_in_normal_mode_or_twice() -> None:
    normal = [event | {"mode": "normal"} if event["type"] == "anchors" else event for event in VOIDED]
    assert place_of_first_problem(normal) == ("m1/1", 4)
    second = with_anchors(VOIDED, 2, epoch=3)[4]
    assert place_of_first_problem([*VOIDED[:5], second, *VOIDED[5:]]) == ("m1/1", 4)
