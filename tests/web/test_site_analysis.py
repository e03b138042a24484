"""The analysis board in a browser: from an edit to its evaluation, from a replay; the head of the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import CHECKOUT
from tests.web.conftest import PATIENCE, Arrive

_AXE = CHECKOUT / "tools" / "web" / "node_modules" / "axe-core" / "axe.min.js"
_READY = "() => document.querySelector('ssb-board-editor .layer .key')"
_SPOT = """(place) => {
  const editor = document.querySelector("ssb-board-editor");
  const box = editor.querySelector(".layer").getBoundingClientRect();
  const { frame } = editor;
  const scale = box.width / frame.width;
  const { x, base, dir } = frame.cell(place);
  return [box.left + x * scale, box.top + (base + dir * 60) * scale];
}"""
# The face of headings comes late, and what stands below one may move: places are measured after that.
_STILL = """async () => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  while (!document.documentElement.dataset.face) await drawn();
  await drawn();
  await document.fonts.ready;
  await drawn();
}"""
_POINT = "(place) => document.querySelector('ssb-analysis').draft.board.points[place - 1]"
_SETTLED = """(id) => new URLSearchParams(location.search).get("id") === id"""


def drag(page: Page, origin: int, target: int) -> None:
    page.mouse.move(*page.evaluate(_SPOT, origin))
    page.mouse.down()
    page.mouse.move(*page.evaluate(_SPOT, target), steps=6)
    page.mouse.up()


@pytest.mark.parametrize(("size", "locale"), [((360, 740), "fa-IR"), ((1280, 800), "en-GB")])
def test_from_an_edit_to_its_evaluation(arrive: Arrive, size: tuple[int, int], locale: str) -> None:
    visitor = arrive(locale=locale, viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    page.goto(f"{visitor.site.url}/analysis?card=backgammon.m")
    page.wait_for_function(_READY, timeout=PATIENCE)
    page.evaluate(_STILL)
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]

    page.mouse.click(*page.evaluate(_SPOT, 4))
    assert page.evaluate(_POINT, 4) == {"w": 1, "b": 0}
    expect(page.locator(".problems li")).to_have_count(1)
    drag(page, 4, 6)
    assert page.evaluate(_POINT, 6) == {"w": 6, "b": 0}
    page.locator('[data-place="6"]').focus()
    page.keyboard.press("4")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    assert page.evaluate(_POINT, 5) == {"w": 1, "b": 0}
    page.wait_for_function(_SETTLED, arg="B4e1c3Ed3C1DA3b:w".replace("Ed", "Ee"), timeout=PATIENCE)
    assert page.locator(".problems").count() == 0

    page.locator(".setup select").nth(1).select_option("3")
    page.locator(".setup select").nth(2).select_option("1")
    page.locator(".told button.pri").click()
    expect(page.locator(".plays tbody tr").first).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("document.querySelector('ssb-board-editor ssb-board').advice.options.length") == 1
    page.locator(".plays button").nth(2).click()
    assert page.evaluate("document.querySelector('ssb-board-editor ssb-board').advice.options.length") == 2
    page.locator("#a-trials").select_option("144")
    page.locator("#a-roll").click()
    page.wait_for_function(
        "() => document.querySelector('ssb-analysis').rollout?.trials", timeout=3 * PATIENCE
    )
    page.evaluate("document.querySelector('ssb-analysis').stop()")
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]

    page.evaluate(_AXE.read_text(encoding="utf-8"))
    violations = page.evaluate("axe.run().then((result) => result.violations)")
    serious = [each for each in violations if each["impact"] in ("moderate", "serious", "critical")]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in serious] == []


def test_an_id_is_pasted_and_one_that_is_none_is_refused_beside_it(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto(f"{visitor.site.url}/analysis?card=tapa.m")
    page.wait_for_function(_READY, timeout=PATIENCE)
    page.locator("#a-text").fill("nothing of the kind")
    page.locator("form button").click()
    expect(page.locator("form [role=alert]")).to_be_visible()
    page.locator("#a-text").fill("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:5:10")
    page.locator("form button").click()
    page.wait_for_function(_SETTLED, arg="B4e1c3Ee3C1E4b:w", timeout=PATIENCE)
    assert page.evaluate("document.querySelector('ssb-analysis').scene.query.cube") == "2w"
    expect(page.locator(".found .ranking").first).to_be_visible(timeout=PATIENCE)


def test_a_moment_of_a_replay_has_its_link_and_its_way_to_the_analysis_board(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    match = visitor.begin("hypergammon.p1", {"kind": "hotseat"}).removeprefix("/m/")
    assert visitor.play_on()["phase"] == "over"
    page.goto(f"{visitor.site.url}/replay/{match}?game=1&n=2")
    page.wait_for_function("() => document.querySelector('ssb-replay')?.at === 2", timeout=PATIENCE)
    link = page.locator('.more a[href^="/analysis"]')
    box = link.bounding_box()
    assert box is not None and 0 <= box["y"] <= 800 - box["height"]
    link.click()
    page.wait_for_function(_READY, timeout=PATIENCE)
    expect(page.locator(".plays tbody tr").first).to_be_visible(timeout=PATIENCE)
    frame = page.request.get(f"{visitor.site.url}/api/v1/matches/{match}/frames?game=1").json()["frames"][2]
    assert page.evaluate("document.querySelector('ssb-analysis').scene.query") == frame["query"]


def test_the_head_of_the_page_fits_in_every_language(arrive: Arrive) -> None:
    visitor = arrive(locale="en-GB")
    page = visitor.page
    page.goto(f"{visitor.site.url}/reviews")
    for language in ("en", "fa", "ar", "ru", "tr"):
        page.locator("select.lang").select_option(language)
        page.wait_for_function("(code) => document.documentElement.lang === code", arg=language)
        for width in (360, 641, 700, 768, 820, 899, 980, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (language, width)
