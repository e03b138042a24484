"""The cube and the early ends of a game, at one screen: by keys, in words, with their price."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import Arrive
from tests.web.visitor import QUICK, TWO, Visitor


def to_the_cube(visitor: Visitor) -> None:
    """Past the opening, which is thrown by itself, to a player who may double."""
    visitor.to_move()
    visitor.play_turn()
    visitor.wait("state.phase === 'roll'")


def test_a_double_is_offered_turned_back_and_taken_by_keys(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off"})
    visitor.begin("backgammon.m.beavers", TWO)
    page = visitor.page
    expect(page.locator(".sheet .badge")).to_have_text(["Jacoby", "Beavers"])
    to_the_cube(visitor)
    doubler = visitor.state()["players"][visitor.state()["on_roll"]]["name"]
    visitor.double()
    expect(page.locator(".say b").first).to_have_text(f"{doubler} doubles to 2")
    # What is asked is read in full beside the board.
    cut = "(line) => Math.max(line.scrollWidth - line.clientWidth, line.scrollHeight - line.clientHeight)"
    assert page.locator(".say p").first.evaluate(cut) <= 1
    expect(page.locator("table.moves tbody tr").last).to_contain_text("doubles to 2")
    cube = "[...board.renderRoot.querySelectorAll('svg text')].some((each) => each.textContent === '2' &&"
    visitor.wait(f"{cube} each.getAttribute('font-weight') === '700')")
    # The board has the keyboard, and still the answer is heard.
    page.locator("ssb-board [data-spot=cube]").focus()
    page.keyboard.press("b")
    visitor.wait("state.phase === 'beavered'")
    page.keyboard.press("t")
    visitor.wait("state.cube.value === 4")


def test_giving_up_names_its_price_and_who_does_it(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off"})
    visitor.begin("backgammon.p3", TWO)
    to_the_cube(visitor)
    page = visitor.page
    loser = visitor.state()["players"][visitor.state()["on_roll"]]["name"]
    page.keyboard.press("r")
    choices = page.locator("dialog .choice")
    expect(choices).to_have_count(3)
    expect(choices.nth(0)).to_contain_text(f"{loser} loses 1 point")
    expect(choices.nth(2)).to_contain_text(f"{loser} loses 3 points, and the match with it")
    choices.nth(1).click()
    visitor.wait("state.phase === 'resigned'")
    expect(page.locator(".say b").first).to_have_text(f"{loser} resigns")
    expect(page.locator(".say p").first).to_have_text("gammon · 2 points")
    page.get_by_role("button", name="Refuse", exact=True).click()
    visitor.wait("state.phase === 'roll'")
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.locator(".more")).to_contain_text("Resign")
    # In a match without a clock nothing can be proposed.
    expect(page.locator(".more")).not_to_contain_text("Propose")


def test_a_settlement_is_proposed_in_words_and_answered_by_the_other(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off"})
    visitor.begin("backgammon.m", TWO)
    to_the_cube(visitor)
    page, state = visitor.page, visitor.state()
    one = state["players"][state["on_roll"]]["name"]
    two = next(each["name"] for each in state["players"].values() if each["name"] != one)
    page.keyboard.press("p")
    page.locator("dialog .choice", has_text=f"{one} pays 1 point").click()
    expect(page.locator(".detail .proposal")).to_contain_text(f"{one} proposes: Settle at the whole stake")
    page.locator(".detail .proposal").get_by_role("button", name="Accept", exact=True).click()
    visitor.wait("state.results.length === 1")
    expect(page.locator("dialog h2")).to_have_text(f"{two} wins")
    expect(page.locator("dialog")).to_contain_text("settled by agreement")
