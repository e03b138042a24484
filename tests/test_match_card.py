"""House-rule cards: codes that come back, hashes that stay, cards side by side."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.match import Card, ClockKind, ClockSettings, Contest, DiceSource
from tests.session_machine import random_card

CODES = [
    "takhte.p5",
    "tavla.hit_run_priority=off.p7",
    "backgammon.m.nojacoby.beavers.raccoons.auto3",
    "backgammon.p7.nocrawford.clock-d12-120.dice-strict",
    "backgammon.allow_dead_double=true.later_start=alternate.p1",
    "acey_deucey.g5.dice-typed",
    "tawla31.scoring=plain.p31.clock-d12_5-120-b2x300",
    "long_nardy.head_exception=any_double.koks=true.m.dice-seeded",
    "backgammon.agreements=true.p7.onepair",
]


@pytest.mark.parametrize("code", CODES)
def test_a_code_comes_back(code: str) -> None:
    card = Card.from_code(code)
    assert card.code == str(card) == code
    again = Card.from_code(card.code)
    assert again == card
    assert hash(again) == hash(card)
    assert again.hash == card.hash
    assert pickle.loads(pickle.dumps(card)) == card


def test_every_card_comes_back() -> None:
    rng = random.Random(1)
    for _ in range(300):
        card = random_card(rng)
        again = Card.from_code(card.code)
        assert again == card
        assert again.as_dict() == card.as_dict()
        assert " " not in card.code


def test_hashes_are_stable() -> None:
    """Written down once: what friends have sent each other must not change its meaning."""
    assert {code: Card.from_code(code).hash for code in ("backgammon.p7", "takhte.p5", "long_nardy.m")} == {
        "backgammon.p7": "451978d029bb",
        "takhte.p5": "3538e876731a",
        "long_nardy.m": "c38bc3e43ed4",
    }


def test_what_is_agreed_on_otherwise_makes_another_hash() -> None:
    """What came later to cards counts where it is not the default, or two agreements would have one hash."""
    codes = ("takhte.p5", "takhte.p5.onepair", "takhte.agreements=false.p5")
    assert len({Card.from_code(code).hash for code in codes}) == len(codes)


def test_the_same_agreement_is_the_same_card() -> None:
    plain = Card.from_code("backgammon.p7")
    assert Card.from_code("short_nardy.p7") == plain
    assert Card.from_code("backgammon.p7.clock-n.dice-chains") == plain
    assert Card.from_code(" backgammon.later_start=roll.p7 ").hash == plain.hash
    assert Card(game="backgammon", options={"later_start": "roll"}, length=7) == plain


def test_different_agreements_have_different_hashes() -> None:
    rng = random.Random(2)
    cards = {card.code: card for card in (random_card(rng) for _ in range(400))}
    assert len({card.hash for card in cards.values()}) == len(cards)


def test_two_cards_side_by_side() -> None:
    here, there = Card.from_code("takhte.p5"), Card.from_code("backgammon.p5.clock-d12-120")
    assert here.compare(here) == []
    lines = {what: (one, other) for what, one, other in here.compare(there)}
    assert lines["game"] == ("takhte", "backgammon")
    assert lines["clock"] == ("n", "d12-120")
    assert "length" not in lines
    assert {what: pair[::-1] for what, pair in lines.items()} == {
        what: (one, other) for what, one, other in there.compare(here)
    }


def test_lines_name_everything() -> None:
    names = [what for what, _ in Card.from_code("tavla.p3").lines()]
    assert {"game", "contest", "length", "clock", "dice", "option hit_run_priority"} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("", "ludo|expected|known|game"),
        ("ludo.p5", "ludo"),
        ("backgammon", "expected p7"),
        ("backgammon.p", "cannot read 'p'"),
        ("backgammon.p0", "1 to 99"),
        ("backgammon.p100", "1 to 99"),
        ("backgammon.g4", "odd"),
        ("backgammon.m5", "cannot read 'm5'"),
        ("backgammon.p5.p7", "again"),
        ("backgammon.p5.dice-typed.dice-strict", "again"),
        ("backgammon.cube=true.cube=false.p5", "again"),
        ("backgammon.p5.auto9", "automatic doubles"),
        ("backgammon.p5.fly", "cannot read 'fly'"),
        ("backgammon.p5.wings=2", "no option 'wings'"),
        ("backgammon.touch_move=maybe.p5", "maybe"),
        ("backgammon.p5.clock-x", "no clock"),
        ("backgammon.p5.dice-loaded", "loaded"),
    ],
)
def test_what_is_no_card(code: str, told: str) -> None:
    with pytest.raises(sb.SheshbeshError, match=told):
        Card.from_code(code)


def test_fields_by_their_words_are_the_values_themselves() -> None:
    card = Card(game="tavla", contest="points", length=5, dice="typed")  # type: ignore[arg-type]
    assert card.contest is Contest.POINTS and card.code == "tavla.p5.dice-typed"


def test_all_problems_are_told() -> None:
    with pytest.raises(sb.MatchError) as caught:
        Card(game="backgammon", contest=Contest.GAMES, length=4, automatic_doubles=7)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("crawford", "maybe", "crawford is true or false, not 'maybe'"),
        ("jacoby", None, "jacoby is true or false, not None"),
        ("beavers", [1], r"beavers is true or false, not \[1\]"),
        ("raccoons", "x", "raccoons is true or false, not 'x'"),
        ("one_pair", 3, "one_pair is true or false, not 3"),
        ("clock", "d12-120", "ClockSettings, not 'd12-120'"),
        ("clock", None, "ClockSettings, not None"),
        ("options", [1], r"options are values by name, not \[1\]"),
        ("options", {1: 2}, "options are values by name, not {1: 2}"),
    ],
)
def test_a_field_of_another_kind_is_refused(field: str, value: object, told: str) -> None:
    with pytest.raises(sb.MatchError, match=told):
        Card(game="tavla", **{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("code", [5, None, b"tavla.p5", "tavla.p\u0665", "tavla.m.auto\u0663"])
def test_what_is_no_text_and_digits_of_other_scripts_are_no_code(code: Any) -> None:
    with pytest.raises(sb.MatchError):
        Card.from_code(code)


@pytest.mark.parametrize(
    ("code", "cube", "needed"),
    [
        ("backgammon.p7", True, 7),
        ("backgammon.g5", False, 3),
        ("backgammon.m", True, None),
        ("takhte.p5", False, 5),
        ("takhte.cube=true.p5", True, 5),
        ("backgammon.cube=false.p5", False, 5),
    ],
)
def test_what_a_card_means(code: str, cube: bool, needed: int | None) -> None:  # noqa: FBT001
    card = Card.from_code(code)
    assert card.has_cube == cube
    assert card.wins_needed == needed
    assert card.opening_state().length == needed
    assert card.touch_move == (card.game == "takhte")


def test_a_clock_is_part_of_a_card() -> None:
    settings = ClockSettings(kind=ClockKind.FISCHER, delay=2500, bank_per_point=60_000)
    card = Card(game="tapa", clock=settings, dice=DiceSource.STRICT)
    assert card.code == "tapa.p1.clock-f2_5-60.dice-strict"
    assert Card.from_code(card.code).clock == settings
