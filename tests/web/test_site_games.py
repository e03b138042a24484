"""Games in the browser against the weakest level; `make soak` plays each to its end."""

from __future__ import annotations

import pytest

from tests.web.conftest import Arrive
from tests.web.visitor import Visitor

SOME = ("tapa", "acey_deucey")
"""One that pins, one with a hand. `test_rated` and `test_site_play` play plain games to their end."""
TURNS = 16


@pytest.mark.parametrize("game", SOME)
def test_turns_of_a_game_are_played(arrive: Arrive, game: str) -> None:
    visitor = arrive()
    visitor.begin(f"{game}.p1")
    visitor.wait("state.board")
    end = visitor.play_on(turns=TURNS)
    assert end.get("made", 0) >= TURNS or end.get("phase") == "over", end


def test_the_last_checkers_bear_off_at_the_press_of_a_button(arrive: Arrive) -> None:
    """The button is offered once the sides have passed; what it may not decide it says."""
    visitor = arrive({"speed": 0, "confirm": "dice", "forced": "off", "autoroll": True, "sounds": False})
    visitor.begin("hypergammon.p1", {"kind": "hotseat"})
    visitor.wait("state.board")
    helped = 0
    while not helped:
        end = visitor.play_on(race=True)
        assert end["phase"] == "move", f"the game ended before a throw could be played by the button: {end}"
        helped += bear_off(visitor)


def bear_off(visitor: Visitor) -> bool:
    """Press the button; whether it has played the throw, or else said why not."""
    page = visitor.page
    before = page.evaluate("document.querySelector('ssb-match').model.turns.length")
    page.get_by_role("button", name="Bear off", exact=True).click()
    answered = """([before]) => {
      const { model } = document.querySelector("ssb-match");
      return model.turns.length > before ? "played" : model.reason;
    }"""
    for _ in range(400):
        if said := page.evaluate(answered, [before]):
            break
        page.wait_for_timeout(50)
    if said == "played":
        return True
    assert said == "there is still something to decide here: play it yourself"
    visitor.play_turn()
    page.get_by_role("button", name="Confirm", exact=True).click()
    visitor.wait(f"document.querySelector('ssb-match').model.turns.length > {before}")
    return False
