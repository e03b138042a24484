"""Reviews in a browser: a file is uploaded, its decisions are looked at, answered, filtered and shared."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.sizes import REVIEWED
from tests.web.browser import faults
from tests.web.conftest import Arrive
from tests.web.visitor import FIRST_PLAY, type_play

MATCH = Path(__file__).parents[1] / "data" / "review" / "galaxy.txt"

_DRAWN = "() => document.querySelector('ssb-review ssb-board')?.shadowRoot?.querySelector('.piles')"
_DEEPER = "ssb-deeper ssb-board"
_HIDDEN = "() => !document.querySelector('ssb-review .judged') && !document.querySelector('ssb-board').advice"


def test_a_file_is_uploaded_and_read_decision_by_decision(arrive: Arrive) -> None:
    visitor = arrive(locale="fa-IR")
    page = visitor.page
    page.set_viewport_size({"width": 360, "height": 740})
    # The page asks for the depth that is best; here the shallowest is enough.
    page.route(
        "**/api/v1/uploads",
        lambda route: route.continue_(post_data={**route.request.post_data_json, "plies": 0}),
    )
    page.goto("/reviews")
    # The first game alone, with a result that the board refutes: the others are judged no otherwise.
    game = MATCH.read_text("utf-8").partition(" Game 2")[0].replace("Wins 4 point", "Wins 3 point")
    page.locator(".upload input").set_input_files(
        {"name": "galaxy.txt", "mimeType": "text/plain", "buffer": game.encode()}
    )
    page.wait_for_function(_DRAWN)
    assert page.locator("ssb-review progress, .judged").first.is_visible(), "the board is there meanwhile"
    page.locator(".numbers").wait_for(timeout=REVIEWED * 1000)
    page.locator(".judged .sign").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.locator(".repairs li").count() == 1

    assert not faults(page)

    dearest = page.evaluate(
        "() => { const view = document.querySelector('ssb-review');"
        " const losses = view.decisions.filter(({ counted }) => counted).map(({ loss }) => loss);"
        " return [view.decisions[view.at].loss, Math.max(...losses), view.at]; }"
    )
    assert dearest[0] == dearest[1], "it opens on the dearest error"
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"() => document.querySelector('ssb-review')?.at === {dearest[2] + 1}")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('ssb-review')?.at === 0")
    rows = page.locator(".errors li")
    errors = rows.count()
    assert errors > 1
    page.locator(".chips .chip").last.click()
    page.wait_for_function(f"() => document.querySelectorAll('.errors li').length > {errors}")
    page.locator(".chips .chip").first.click()
    page.wait_for_function(f"() => document.querySelectorAll('.errors li').length === {errors}")
    rows.last.locator("button").click()
    page.locator(".controls .pri").click()
    expect(rows.first.locator("button")).to_have_attribute("aria-current", "true")
    page.locator(".judged .sign").wait_for()

    deeper = page.locator("ssb-deeper")
    deeper.locator(".look").click()
    expect(deeper.locator(".source")).to_contain_text("7255396c")
    deeper.locator(".try").click()
    page.locator(_DEEPER).wait_for()
    choices = page.evaluate(f"document.querySelector('{_DEEPER}').state.choices")
    type_play(page, page.evaluate(FIRST_PLAY, choices), _DEEPER)
    expect(deeper.locator("[role=status]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360

    page.locator(".controls button[aria-pressed]").click()
    page.wait_for_function(_HIDDEN)
    page.evaluate(
        "() => { const view = document.querySelector('ssb-review');"
        " view.settle(view.detail.candidates[0], ''); }"
    )
    page.locator(".judgement [role=status]").wait_for()
    page.locator(".judged").wait_for()

    page.locator(".owner button").first.click()
    link = page.locator(".owner a").first
    link.wait_for()
    other = arrive().page
    other.goto(str(link.get_attribute("href")))
    other.wait_for_function(_DRAWN)
    assert other.locator(".owner, .repairs").count() == 0
    assert "White" in other.locator(".review h1").inner_text()

    page.locator("a.brand").click()
    page.locator("ssb-home").wait_for()
    assert page.locator("ssb-review").count() == 0, "a question asked meanwhile is cancelled, and keeps it"
