"""Games in the browser against the weakest level; `make soak` plays each to its end."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Arrive
from tests.web.visitor import BY_HAND

MODEL = "document.querySelector('ssb-match').model"
TURNS_MADE = f"{MODEL}.turns.length"

SOME = ("takhte", "acey_deucey")
"""One with touch-move, one with a hand. Plain games are played to their end by `test_screen_reader`."""
TURNS = 5


@pytest.mark.parametrize("game", SOME)
def test_turns_of_a_game_are_played(arrive: Arrive, game: str) -> None:
    visitor = arrive()
    visitor.begin(f"{game}.p1")
    visitor.wait("state.board")
    end = visitor.play_on(turns=TURNS)
    assert end.get("made", 0) >= TURNS or end.get("phase") == "over", end


THROWS = ((6, 5), (6, 5), (6, 6), (5, 4), (6, 6), (5, 5), (6, 4))
"""By the first play that the board offers for each the sides have passed at the last but one, where Black may
choose, and the last one bears off White's checkers on 6 and 4."""


def test_the_last_checkers_bear_off_at_the_press_of_a_button(arrive: Arrive) -> None:
    """The button is offered once the sides have passed; what it may not decide it says."""
    visitor = arrive(BY_HAND)
    visitor.begin("hypergammon.p1.dice-typed", {"kind": "hotseat"})
    button = visitor.page.get_by_role("button", name="Bear off", exact=True)
    for number, (first, second) in enumerate(THROWS, start=1):
        visitor.wait("state.phase === 'opening' || state.phase === 'throwing'")
        visitor.type_dice(first, second)
        visitor.wait(f"state.phase === 'move' && {TURNS_MADE} === {number - 1}")
        if number < len(THROWS) - 1:
            expect(button).to_have_count(0)
        else:
            button.click()
        if number == len(THROWS) - 1:
            reason = "there is still something to decide here: play it yourself"
            expect(visitor.page.locator(".say .reason")).to_have_text(reason)
        if number < len(THROWS):
            visitor.play_turn()
            visitor.page.get_by_role("button", name="Confirm", exact=True).click()
        visitor.wait(f"{TURNS_MADE} === {number}")
    assert visitor.page.evaluate(f"{MODEL}.turns.at(-1).play") == "6/off 4/off"
