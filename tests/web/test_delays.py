"""A slow line, no line, no server: every view says what is going on, and what to do about it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Arrive
from tests.web.visitor import Visitor

VIEWS = (
    *("/", "/lobby", "/watch", "/reviews", "/practice", "/puzzles", "/learn", "/learn/tapa", "/rules/tapa"),
    *("/analysis", "/search", "/chouette", "/chouette/nothing", "/m/nothing", "/review/nothing", "/account"),
    *("/replay/nothing", "/dice/nothing", "/u/nobody", "/customs/differences", "/customs/conduct"),
)
"""Views that need the server; of signing in, a table and settings everything is in the page."""


def go(page: Page, path: str) -> None:
    """To another view, as a link of the page goes."""
    page.evaluate("(path) => document.querySelector('ssb-app').go(path)", path)


@pytest.fixture
def visitor(arrive: Arrive) -> Visitor:
    found = arrive({"lang": "en"})
    found.open("/login")
    return found


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor.page


def test_what_is_late_is_said_in_every_view(visitor: Visitor, page: Page) -> None:
    visitor.hold("**/api/v1/**")
    for path in VIEWS:
        go(page, path)
        late = page.locator(".toast", has_text="Waiting for the server").or_(page.locator(".lineoff"))
        expect(late.first, path).to_be_visible()


def test_what_cannot_be_had_is_said_in_every_view_and_a_way_on_is_there(page: Page) -> None:
    server = re.compile("/(api/v1|copy)/")
    page.route(server, lambda route: route.abort())
    page.route_web_socket("**/ws/**", lambda socket: socket.close())
    for path in VIEWS:
        go(page, path)
        said = page.locator("main").get_by_text(re.compile("cannot be reached|is interrupted"))
        expect(said.first, path).to_be_visible()
        on = page.locator("main").get_by_role("button", name="Try again").or_(page.locator(".lineoff"))
        expect(on.first, path).to_be_visible()
    # The page tries again by itself, too: the button is pressed in the moment in which the line is back.
    page.evaluate("() => { window.line = fetch; window.fetch = () => Promise.reject(new TypeError()); }")
    page.unroute(server)
    go(page, "/watch")
    again = page.locator("main").get_by_role("button", name="Try again")
    again.evaluate("(button) => { window.fetch = window.line; button.click(); }")
    expect(page.get_by_role("heading", name="Watch")).to_be_visible()


def test_a_match_of_a_known_visitor_does_not_wait_for_their_name(arrive: Arrive) -> None:
    visitor = arrive({"lang": "en"})
    visitor.open("/")
    visitor.begin("backgammon.p3", {"kind": "hotseat"})
    visitor.hold("**/api/v1/guest")
    visitor.page.reload()
    board = visitor.page.locator("ssb-match ssb-board svg")
    expect(board).to_be_visible()
    assert visitor.page.evaluate("document.querySelector('ssb-match').model.state.you.length") == 2


def test_without_a_line_the_page_names_what_works_meanwhile(page: Page) -> None:
    page.context.set_offline(True)
    link = page.get_by_role("link", name="beside a real board work meanwhile")
    expect(link).to_have_attribute("href", "/table")
    page.context.set_offline(False)
    expect(link).to_have_count(0)


def test_a_shared_text_opens_the_analysis_board_or_is_refused_in_words(page: Page) -> None:
    go(page, "/analysis?text=XGID%3D-b----E-C---eE---c-e----B-%3A0%3A0%3A1%3A31%3A0%3A0%3A0%3A0%3A10")
    expect(page.locator("ssb-analysis ssb-board svg")).to_be_visible()
    assert "id=" in page.url and "text=" not in page.url
    go(page, "/analysis?text=good%20morning")
    expect(page.locator("ssb-analysis ssb-board svg")).to_be_visible()
    expect(page.locator("ssb-analysis [role=alert]").first).to_be_visible()
