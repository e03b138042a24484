"""Practice in a browser, from the upload of a file to the answer of a card; puzzles and the search."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from sheshbesh.practice.puzzles import puzzle
from tests.sizes import REVIEWED
from tests.waiting import until
from tests.web.browser import answered, faults
from tests.web.conftest import Arrive

FILE = b""" 1 point match

 Game 1
 anna : 0                          boris : 0
  1) 31: 24/23 13/10                52: 24/22 13/8
  2) 64: 24/14                     66: 24/18 13/7(3)
  3) 21: 6/5 8/6                   Cannot Move
      Wins 1 point and the match
"""
PLAYED = {(3, 1): "24/23 13/10", (6, 4): "24/14", (2, 1): "8/6 6/5"}
"""What anna played with each roll."""

_ASKED = "() => document.querySelector('ssb-drill ssb-board')?.shadowRoot?.querySelector('.piles')"
_GIVE = "(play) => document.querySelector('ssb-drill').give(play)"
_TYPE = "(play) => document.querySelector('ssb-drill ssb-board').controller.typed(play)"
_DUE = "() => fetch('/api/v1/practice').then((answer) => answer.json()).then(({ due }) => due > 1)"


def nobody(route: Route) -> None:
    """The server cannot be reached."""
    route.abort()


def failing(route: Route) -> None:
    """The server is there, and has no answer."""
    route.fulfill(status=503)


def test_the_errors_of_an_uploaded_file_are_asked_again(arrive: Arrive) -> None:
    visitor = arrive(locale="fa-IR", viewport={"width": 360, "height": 740})
    page = visitor.page
    page.goto("/reviews")
    page.locator(".upload input").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": FILE})
    page.locator(".who-am-i .chip").first.click(timeout=REVIEWED * 1000)
    page.locator(".who-am-i a").wait_for()
    until(lambda: answered(page, _DUE))
    page.goto("/")
    page.locator(".today a[href='/practice']").click()
    page.wait_for_function(_ASKED)
    cards = page.locator(".marks i").count()
    assert not faults(page)
    dice = page.evaluate("() => document.querySelector('ssb-drill').question.dice")
    page.evaluate(_GIVE, PLAYED[max(dice), min(dice)])
    page.locator(".drill .judged .sign.blunder, .drill .judged .sign.error").wait_for()
    assert page.locator(".drill .ranking tr").count() > 2
    page.locator(".drill .slots button").first.click()
    page.locator(".drill .judged").wait_for(state="detached")
    page.evaluate(_GIVE, "8/5 6/5" if max(dice) == 3 else PLAYED[max(dice), min(dice)])
    page.locator(".drill .judged").wait_for()
    for _ in range(cards - 1):
        page.locator(".drill .slots .pri").click()
        page.wait_for_function("() => !document.querySelector('ssb-drill')?.answer")
        dice = page.evaluate("() => document.querySelector('ssb-drill').question.dice")
        page.evaluate(_GIVE, PLAYED[max(dice), min(dice)])
        page.locator(".drill .judged").wait_for()
    page.locator(".drill .slots .pri").click()
    page.locator("ssb-practice .card p b").wait_for()
    page.locator(".all-cards summary").click()
    page.locator(".all-cards .line").nth(cards - 1).wait_for()

    page.goto("/search")
    page.locator(".found").first.click()
    page.wait_for_function(
        "() => document.querySelector('.opened ssb-board')?.shadowRoot?.querySelector('.piles')"
    )
    assert not faults(page)
    all_found = page.locator(".found").count()
    page.locator(".pattern button").nth(11).click()  # two or more own checkers on the 24 point
    page.wait_for_function(
        f"() => {{ const n = document.querySelectorAll('.found').length; return n && n < {all_found}; }}"
    )


def test_an_answer_that_cannot_be_sent_stays_on_the_board_and_is_sent_again(arrive: Arrive) -> None:
    visitor = arrive({"lang": "en", "speed": 0, "confirm": "dice"})
    page = visitor.page
    page.goto("/puzzles/tapa?level=hard")
    page.wait_for_function(_ASKED)
    name = page.evaluate("() => document.querySelector('ssb-drill').question.id")
    found = puzzle("tapa", name)
    assert found is not None
    moved = "() => JSON.stringify(document.querySelector('ssb-drill ssb-board').position)"
    begun = page.evaluate(moved)
    page.evaluate(_TYPE, found.card.judged.best)
    made = page.evaluate(moved)
    assert made != begun
    confirm = page.get_by_role("button", name="Confirm", exact=True)
    unsent = page.get_by_role("alert")
    for refuse, why in ((nobody, "cannot be reached"), (failing, "503")):
        page.route("**/answers*", refuse)
        confirm.click()
        expect(unsent).to_contain_text(why)
        assert page.evaluate(moved) == made
        expect(confirm).to_be_enabled()
        page.unroute("**/answers*")
    unsent.get_by_role("button", name="Try again").click()
    page.locator(".drill .sign.right").wait_for()
    expect(unsent).to_have_count(0)


def test_practice_without_a_server_says_so_and_keeps_what_is_shown(arrive: Arrive) -> None:
    visitor = arrive({"lang": "en"})
    page = visitor.page
    numbers = {"cards": 2, "suspended": 0, "due": 2, "next": None, "today": {"done": 0, "of": 2}}
    page.route("**/api/v1/practice", lambda route: route.fulfill(json=numbers))
    page.route("**/api/v1/practice/due*", lambda route: route.fulfill(json=[]))
    page.goto("/practice")
    expect(page.get_by_text("2 cards are due.")).to_be_visible()
    page.unroute("**/api/v1/practice/due*")
    page.route("**/api/v1/practice/due*", lambda route: route.abort())
    page.get_by_role("button", name="Go on").click()
    missing = page.get_by_role("alert")
    expect(missing).to_contain_text("The server cannot be reached.")
    page.unroute("**/api/v1/practice/due*")
    page.route("**/api/v1/practice/due*", lambda route: route.fulfill(json=[]))
    missing.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("2 cards are due.")).to_be_visible()
    expect(missing).to_have_count(0)


def test_puzzles_that_cannot_be_had_are_asked_for_again(arrive: Arrive) -> None:
    visitor = arrive({"lang": "en"})
    page = visitor.page
    of_tapa = re.compile(r"/(api/v1|copy/en)/puzzles/tapa(\?|\.json)")
    page.route(of_tapa, lambda route: route.abort())
    page.goto("/puzzles/tapa?level=hard")
    missing = page.get_by_role("alert")
    expect(missing).to_contain_text("The server cannot be reached.")
    page.unroute(of_tapa)
    missing.get_by_role("button", name="Try again").click()
    page.wait_for_function(_ASKED)


def test_the_puzzle_of_the_day_is_answered_once_on_its_page_or_the_front_page(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto("/puzzles/today")
    page.wait_for_function(_ASKED)
    assert not faults(page)
    name, game = page.evaluate(
        "() => [document.querySelector('ssb-drill').question].flatMap(({ id, variant }) => [id, variant])"
    )
    found = puzzle(game, name)
    assert found is not None
    page.evaluate(_GIVE, found.card.judged.best)
    page.locator(".drill .sign.right").wait_for()
    page.locator(".drill .slots .pri").click()
    page.locator("ssb-daily-puzzle .card b").wait_for()
    page.goto("/")
    assert "1 of 1 right" in page.locator(".today .standing").inner_text()

    page.goto("/search")
    page.locator("form select").first.select_option("long_nardy")
    page.locator("[data-count='head']").select_option("4")
    page.locator("[data-count='head']").wait_for()
    assert page.locator("[data-count='pins']").count() == 0
    page.locator("form select").first.select_option("tapa")
    page.locator("[data-count='pins']").wait_for()


def test_a_puzzle_is_solved_by_anybody(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto("/puzzles/tapa?level=hard")
    page.wait_for_function(_ASKED)
    before = page.locator(".marks i").count()
    page.evaluate(_GIVE, "x")
    page.locator(".toast").wait_for()
    name = page.evaluate("() => document.querySelector('ssb-drill').question.id")
    found = puzzle("tapa", name)
    assert found is not None
    page.evaluate(_GIVE, found.card.judged.best)
    page.locator(".drill .sign.right").wait_for()
    page.reload()
    page.wait_for_function(_ASKED)
    assert page.locator(".marks i").count() == before - 1, "the browser knows what was solved"
