"""The page beside a real board: two clocks on one telephone, score and sheet, without a network."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.waiting import until
from tests.web.browser import answered
from tests.web.conftest import Arrive
from tests.web.test_site_connections import KEPT

LATE = "/i18n/en/moderation.json"
"""A file that is asked for by nothing on this page."""
KEPT_TOO = "async (path) => Boolean(await caches.match(path))"
TARGET = 44
"""Pixels that a finger needs."""


def _beside(page: Page) -> None:
    page.get_by_role("button", name="Lay the screen beside the board").click()
    page.locator(".beside").wait_for()


@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_both_halves_and_all_buttons_fit_a_telephone(arrive: Arrive, size: tuple[int, int]) -> None:
    width, height = size
    visitor = arrive(viewport={"width": width, "height": height}, has_touch=True)
    visitor.open("/table")
    page = visitor.page
    _beside(page)
    boxes = [page.locator(f".half.{side} .press").bounding_box() for side in ("white", "black")]
    for box in boxes:
        assert box is not None and box["width"] * box["height"] > 0.3 * width * height
    for button in page.locator(".beside button:visible").all():
        box = button.bounding_box()
        assert box is not None and box["width"] >= TARGET and box["height"] >= TARGET
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
    page.locator(".half.white .press").tap()
    expect(page.locator(".half.black")).to_have_class("half black on runs ")
    before = page.locator(".half.white .time").inner_text()
    page.locator(".half.black .throwing button").tap()
    expect(page.locator(".half.black .faces svg")).to_have_count(2)
    assert page.locator(".half.white .time").inner_text() == before


_FAILING_ONCE = """
// It is tried again after five seconds, which need not pass.
const wait = setTimeout;
globalThis.setTimeout = (work, ms, ...given) => wait(work, ms === 5000 ? 0 : ms, ...given);
const register = ServiceWorkerContainer.prototype.register;
ServiceWorkerContainer.prototype.register = function () {
  ServiceWorkerContainer.prototype.register = register;
  return Promise.reject(new TypeError("the line is away"));
};
"""


def test_a_game_is_entered_and_a_reload_without_network_loses_nothing(arrive: Arrive) -> None:
    visitor = arrive(service_workers="allow")
    visitor.page.add_init_script(_FAILING_ONCE)
    page = visitor.page
    late: list[Route] = []
    page.route(f"**{LATE}", lambda route: late.append(route))
    visitor.open("/table")
    page.evaluate("(path) => void fetch(path)", LATE)
    until(lambda: page.evaluate("true") and late)
    page.locator("#name-white").fill("Nava")
    _beside(page)
    page.locator(".half.white .press").click()
    page.get_by_role("button", name="The game is over").click()
    dialog = page.locator("dialog")
    dialog.get_by_label("Nava").check()
    dialog.get_by_label("gammon", exact=True).check()
    dialog.get_by_role("button", name="Enter").click()
    expect(page.locator(".half.white .figures")).to_have_text("2")
    # The page is kept for offline use once it has been loaded, and tried again where that failed; so is what
    # is still on its way when the worker takes over.
    until(lambda: page.evaluate("navigator.serviceWorker.controller !== null"))
    late[0].continue_()
    until(lambda: answered(page, KEPT_TOO, LATE))
    until(lambda: answered(page, KEPT))
    visitor.context.set_offline(True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    expect(page.locator(".big-score b")).to_have_text("2 – 0")
    expect(page.locator(".entered")).to_contain_text("Nava · gammon · 2 points")
    _beside(page)
    page.locator(".half.black .press").click()
    expect(page.locator(".half.white")).to_have_class("half white on runs ")
    # What cannot be had is not asked for again at each drawing; the worker's try may be counted, too.
    assert sum("/api/v1/variants" in url for url in asked) <= 2
    visitor.context.set_offline(False)
    expect(page.locator(".half.white")).to_have_class("half white on runs ")
    page.get_by_role("button", name="Close", exact=True).first.click()
    expect(page.locator("#record-game")).to_be_enabled()


def test_the_sheet_is_printed_alone_and_whole(arrive: Arrive) -> None:
    visitor = arrive(viewport={"width": 360, "height": 740})
    visitor.open("/table")
    page = visitor.page
    page.locator("#sheet-event").fill("Spring open")
    page.emulate_media(media="print")
    expect(page.locator(".result-sheet tbody tr").last).to_be_visible()
    for hidden in (".top", ".nav", "#table-setup", "#table-record", ".score-board", ".sheet-card .print"):
        expect(page.locator(hidden)).to_be_hidden()
    sheet = page.locator(".result-sheet").bounding_box()
    assert sheet is not None and sheet["x"] >= 0 and sheet["height"] < 1000, "it goes on one page of A4"
    expect(page.locator("#sheet-event")).to_have_value("Spring open")


def test_the_site_is_the_referee_of_a_record_with_typed_dice(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open("/lobby")
    page = visitor.page
    page.get_by_role("link", name="Beside a real board").click()
    page.locator("#name-white").fill("Nava")
    page.locator("#record-game").select_option("takhte")
    page.get_by_role("button", name="Start the record").click()
    visitor.wait("state.board || state.phase === 'ready'")
    match = page.url.rsplit("/", 1)[1]
    made = page.request.get(f"/api/v1/matches/{match}").json()
    assert made["card"]["code"] == "takhte.p5.clock-d12-120.dice-typed"
    assert made["players"]["white"]["name"] == "Nava"


def test_a_record_keeps_the_score_until_one_goes_on_by_hand(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open("/table")
    page = visitor.page
    game = {"winner": "white", "kind": "gammon", "points": 4, "cube": 2, "reason": "played"}
    recorded = {"state": "live", "winner": None, "ending": None, "games": [game]}
    page.route("**/api/v1/matches/abc", lambda route: route.fulfill(json=recorded))
    page.locator("#name-white").fill("Nava")
    page.evaluate(
        """() => {
          const table = JSON.parse(localStorage["sheshbesh.table"]);
          localStorage["sheshbesh.table"] = JSON.stringify({ ...table, record: "abc" });
        }"""
    )
    page.reload()
    expect(page.locator(".big-score b")).to_have_text("4 – 0")
    expect(page.locator(".entered")).to_contain_text("Nava · gammon · 4 points")
    expect(page.get_by_role("link", name="To the match")).to_have_attribute("href", "/m/abc")
    expect(page.get_by_role("button", name="Enter a game")).to_have_count(0)
    page.get_by_role("button", name="Go on by hand").click()
    expect(page.get_by_role("button", name="Enter a game")).to_be_enabled()
    expect(page.locator(".big-score b")).to_have_text("4 – 0")
