"""Outlines of positions, their themes, and the questions that find them."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh.engines.explain.themes import THEMES, possible, themes
from sheshbesh.errors import SheshbeshError
from sheshbesh.records import Decision
from sheshbesh.reviews import Judged
from sheshbesh.reviews.search import Outline, Wanted, outline, read_points, theme_bits, themes_of


def board(mine: dict[int, int], theirs: dict[int, int]) -> sb.Position:
    """A position of backgammon with White to play; all points are in White's numbering."""
    text, gap = "", 0
    for n in range(24, 0, -1):
        letter = chr(64 + mine[n]) if n in mine else chr(96 + theirs[n]) if n in theirs else ""
        text += (str(gap) if gap and letter else "") + letter
        gap = 0 if letter else gap + 1
    return sb.variant("backgammon").position_from_id(text + (str(gap) if gap else "") + ":w")


def found(position: sb.Position, loss: float = 0.1) -> Outline:
    decision = Decision(1, 0, sb.Side.WHITE, "play")
    judged = Judged(decision, 1, position.id, position.id, (3, 1), "", "", loss, None, 2)
    return outline(judged, position.variant)


def test_the_themes_are_those_that_players_call_so() -> None:
    race = board({6: 5, 5: 5, 4: 5}, {19: 5, 20: 5, 21: 5})
    assert "race" in themes(race) and not themes(race) & {"prime", "holding", "blitz"}
    primes = board({3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 8: 2, 24: 3}, {22: 2, 21: 2, 20: 2, 19: 2, 18: 2, 1: 3})
    assert {"prime", "prime_v_prime"} <= themes(primes)
    back = board({24: 3, 22: 3, 6: 3, 5: 3, 4: 3}, {19: 5, 18: 5, 17: 3, 12: 2})
    assert "backgame" in themes(back)
    holding = board({20: 2, 13: 5, 8: 4, 6: 4}, {19: 5, 17: 5, 18: 3, 21: 2})
    assert "holding" in themes(holding)


def test_which_themes_a_game_can_have_follows_from_its_rules() -> None:
    told = {name: set(possible(sb.variant(name).start())) for name in ("backgammon", "tapa", "long_nardy")}
    assert told["backgammon"] == set(THEMES) - {"pin"}
    assert told["tapa"] == set(THEMES) - {"blitz", "holding", "backgame"}
    assert told["long_nardy"] == {"race", "bear_off", "prime_v_prime", "prime"}


def test_the_outline_of_a_start_is_counted_by_the_side_that_decides() -> None:
    start = found(sb.variant("backgammon").start())
    assert {n + 1 for n in range(24) if start.made >> n & 1} == {24, 13, 8, 6}
    assert {n + 1 for n in range(24) if start.their_made >> n & 1} == {1, 12, 17, 19}
    assert (start.loss, start.back, start.their_back, start.lead, start.pins) == (100, 2, 2, 0, 0)
    assert found(sb.variant("long_nardy").start()).head == 15


@pytest.mark.parametrize("name", sb.variants())
def test_every_game_has_outlines(name: str) -> None:
    start = found(sb.variant(name).start())
    assert start.kind == 0 and start.lead == 0
    assert set(themes_of(start.themes)) <= set(possible(sb.variant(name).start()))


def test_a_question_finds_what_it_asks_for_and_nothing_else() -> None:
    start = found(sb.variant("backgammon").start())
    yes = (
        Wanted(),
        Wanted(kind="play", points={6: "made", 24: "own", 1: "their", 12: "their_made", 7: "empty"}),
        Wanted(spans={"loss": (100, 100), "back": (None, 2)}),
    )
    no = (
        Wanted(kind="take"),
        Wanted(points={6: "blot"}),
        Wanted(points={1: "their_blot"}),
        Wanted(points={6: "empty"}),
        Wanted(themes=frozenset({"race"})),
        Wanted(spans={"loss": (101, None)}),
    )
    assert all(each.finds(start) for each in yes) and not any(each.finds(start) for each in no)
    assert themes_of(theme_bits(["prime", "race"])) == ["race", "prime"]


def test_a_pattern_is_read_from_its_text_or_refused() -> None:
    assert read_points("6=made, 20=their_blot,") == {6: "made", 20: "their_blot"}
    for text in ("6", "0=made", "25=made", "x=made", "6=none", "٦=made"):
        with pytest.raises(SheshbeshError):
            read_points(text)
