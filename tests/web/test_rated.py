"""Two people with accounts find each other for a rated match, and their ratings change by its end."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.waiting import until
from tests.web.conftest import Arrive
from tests.web.visitor import QUICK, Visitor


def join(arrive: Arrive, name: str) -> Visitor:
    """A visitor who creates an account."""
    visitor = arrive(QUICK | {"forced": "off"})
    visitor.claim(name)
    return visitor


def seek_rated(visitor: Visitor) -> None:
    """Look for anybody who plays hypergammon to one point, rated."""
    visitor.open("/play/hypergammon")
    setup = visitor.page.locator(".setup")
    setup.get_by_text("Anyone", exact=True).click()
    setup.get_by_text("1", exact=True).click()
    setup.locator("summary").click()
    setup.get_by_label("Rated").check()
    setup.get_by_role("button", name="Find an opponent").click()
    expect(visitor.page.get_by_text("Your table waits for an opponent")).to_be_visible()


def changes(page: Page) -> list[int]:
    """What the matches listed on a profile have done to its rating."""
    expect(page.get_by_role("link", name="Replay").first).to_be_visible()
    cells = page.locator("table").last.locator("b").all_inner_texts()
    return [int(text.split()[-1].replace("\u2212", "-")) for text in cells]


def test_a_rated_match_between_two_people(arrive: Arrive) -> None:
    anahit, davit = join(arrive, "Anahit"), join(arrive, "Davit")
    seek_rated(anahit)
    davit.open("/lobby")
    row = davit.page.get_by_role("row", name=re.compile("Anahit"))
    expect(row).to_contain_text("rated")
    row.get_by_role("button", name="Play").click()
    players = {"Anahit": anahit, "Davit": davit}
    for visitor in players.values():
        visitor.page.wait_for_url("**/m/*")
    mover = until(lambda: next((each for each in players.values() if each.may_move()), None))
    for _ in range(2):  # once both have moved, the match counts
        mover.play_turn()
        mover = until(lambda: next((each for each in players.values() if each.may_move()), None))
    (other,) = (each for each in players.values() if each is not mover)
    mover.act({"type": "resign", "kind": "single"}, "resigned")
    other.act({"type": "accept"}, "over")
    for visitor in players.values():
        visitor.wait("state.phase === 'over'")
    state = anahit.state()
    assert state["rated"]
    winner = state["players"][state["winner"]]["name"]
    for name in players:
        rating, change = ("1662", 162) if name == winner else ("1338", -162)
        for visitor in players.values():
            visitor.open(f"/u/{name}")
            page = visitor.page
            expect(page.locator("tr", has_text="hypergammon").first).to_be_visible()
            expect(page.locator("tr", has=page.get_by_role("radio"))).to_contain_text(rating)
            drawn = page.get_by_role("img", name=re.compile("Rating over time"))
            expect(drawn).to_have_attribute("aria-label", re.compile(f"From 1500 .* to {rating}"))
            assert changes(page) == [change]
