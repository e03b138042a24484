"""A game by what a screen reader has: names and roles of the accessibility tree, live regions, and keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.sizes import sampled
from tests.waiting import PATIENCE
from tests.web.conftest import Arrive
from tests.web.screen_reader import ScreenReader
from tests.web.site import sow

_BY_HAND = {"speed": 0, "confirm": "dice", "forced": "off", "autoroll": False, "sounds": False}
_TURNS = "document.querySelector('ssb-match').model.turns"
GAMES = ("hypergammon", "takhte", "long_nardy")
"""One with few checkers, one in which what is touched is moved, one in which nothing is hit."""


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == GAMES[0]))
def test_a_game_is_played_by_the_accessibility_tree_alone(arrive: Arrive, game: str) -> None:
    if game == GAMES[0]:
        sow("by the tree 2")  # a short game
    visitor = arrive(_BY_HAND)
    visitor.begin(f"{game}.p1", side="white")
    visitor.wait("state.board")
    reader = ScreenReader(visitor.page)
    end = reader.play(30, most=4 * PATIENCE)
    assert re.match("You (win|lose) the match", end.name)
    assert re.search(r"points? .*played .*Score: .*[1-9]", end.description), "what paid, what ended it"
    said = ". ".join(reader.heard)
    turns = visitor.page.evaluate(_TURNS)
    for turn in turns:
        colour = "light" if turn["side"] == "white" else "dark"
        first, second = sorted(turn["dice"], reverse=True)
        assert f"{colour} rolled {first} and {second}" in said
        played = f"{colour} cannot move" if turn["kind"] == "pass" else f"{colour} played {turn['play']}"
        assert turn is turns[-1] or played in said, (
            "the last play is told by the dialog, which lies over all else"
        )


def test_a_page_on_which_time_alone_goes_on_is_given_up(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content("<p></p><ssb-board></ssb-board>")
    page.evaluate(
        "document.querySelector('ssb-board').attachShadow({ mode: 'open' });"
        "setInterval(() => (document.querySelector('p').textContent = performance.now()), 5)"
    )
    with pytest.raises(AssertionError, match="nothing can be done any more"):
        ScreenReader(page).play(PATIENCE, most=0.3)
