"""Every view in a real browser: nothing is complained of, every button has a name, digits are as chosen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.sizes import sampled
from tests.waiting import until
from tests.web.browser import complaints
from tests.web.conftest import Arrive
from tests.web.visitor import QUICK

_UNNAMED = """[...document.querySelectorAll("button, a.button")]
    .filter((each) => !each.textContent.trim() && !(each.ariaLabel && each.title))
    .map((each) => each.outerHTML)"""


@pytest.mark.parametrize("locale", sampled(["en-US", "fa-IR"], lambda locale: locale == "fa-IR"))
def test_the_console_is_silent_on_every_view(arrive: Arrive, locale: str) -> None:
    visitor = arrive(locale=locale)
    said = complaints(visitor.page)
    table = visitor.begin("tavla.p1")
    invite = visitor.begin("tavla.p1", {"kind": "friend"})
    match = table.removeprefix("/m/")
    # What `test_page` looks at in English is not looked at once more.
    for path in ("/play/tapa", "/watch", table, f"/replay/{match}", f"/dice/{match}", invite):
        visitor.go(path)
        visitor.page.locator("main :is(h1, h2, ssb-board, .empty)").first.wait_for()
        visitor.page.wait_for_load_state("networkidle")
        assert visitor.page.evaluate(_UNNAMED) == [], path
    assert not said


def test_latin_digits_reach_what_the_server_says_too(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"digits": "latin"}, locale="fa-IR")
    visitor.begin("long_nardy.p3")
    visitor.wait("state.board")
    page = visitor.page
    page.keyboard.press("g")
    page.locator("dialog .rule").first.wait_for()
    text = page.locator("main").inner_text()
    assert re.search("[\u0600-\u06ff]", text), "the page is Persian"
    assert not re.search("[\u06f0-\u06f9\u0660-\u0669]", text)
    assert re.search("[0-9]", page.locator("dialog").inner_text())


def test_a_setting_reaches_the_account_although_the_page_is_left_at_once(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto("/settings")
    page.locator("ssb-settings ssb-board").wait_for()
    page.get_by_text("felt", exact=True).click()
    page.goto("/lobby")
    expect(page.locator("html")).to_have_attribute("data-theme", "felt")
    page.evaluate("localStorage.clear()")  # another browser of the same person knows the account alone
    page.wait_for_function(
        "async () => (await (await fetch('/api/v1/guest', {method: 'POST', headers: "
        "{'Content-Type': 'application/json'}, body: '{}'})).json()).user.settings.material === 'felt'"
    )


def test_a_living_board_follows_its_match_and_rests_where_nobody_sees_it(arrive: Arrive) -> None:
    player, watcher = arrive(), arrive()
    match = player.begin("tavla.p1").removeprefix("/m/")
    watcher.open("/watch")
    page = watcher.page
    living = f"[...document.querySelectorAll('ssb-living-board')].find(({{game}}) => game.id === '{match}')"
    until(lambda: page.evaluate(f"Boolean({living}?.state)"))
    player.play_on(turns=2)

    def is_drawn_as_it_stands() -> bool:
        # The computer may play meanwhile. A board this small draws the checkers on the points alone.
        shown, drawn = page.evaluate(
            f"[{living}.state.board, {living}.querySelectorAll('svg.thumbnail circle').length]"
        )
        on_points = sum(point["w"] + point["b"] for point in shown["points"])
        return bool(drawn == on_points >= 26 and shown == player.state()["board"])

    until(is_drawn_as_it_stands)
    page.evaluate(f"{living}.style.display = 'none'")
    until(lambda: page.evaluate(f"{living}.connection === null"))
    page.evaluate(f"{living}.style.display = ''")
    until(lambda: page.evaluate(f"Boolean({living}.connection?.live)"))
    page.evaluate("""
        Object.defineProperty(document, "hidden", { get: () => true });
        document.dispatchEvent(new Event("visibilitychange"));
    """)
    assert page.evaluate(f"{living}.connection === null")
