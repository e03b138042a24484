"""Lessons in a browser: a try, the referee's answer, the next lesson, and what is kept of it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from sheshbesh.i18n import languages
from tests.web.browser import answered, faults, resize
from tests.web.conftest import Arrive
from tests.web.visitor import type_play

_BOARD = "ssb-learn ssb-board"
_HEADER = """() => {
  const header = document.querySelector(".top");
  const parts = [...header.children].filter((part) => part.offsetWidth);
  const nav = document.querySelector(".nav");
  const meet = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const meeting = (all) => {
    const edges = all.map((part) => part.getBoundingClientRect());
    return edges.some((a, i) => edges.slice(i + 1).some((b) => meet(a, b)));
  };
  const over = meeting(parts) || meeting([...nav.children]);
  const cut = nav.scrollWidth > nav.clientWidth + 1;
  return { page: document.documentElement.scrollWidth, inside: header.scrollWidth, over, cut };
}"""


def board(page: Page) -> None:
    page.locator("ssb-learn ssb-board svg").first.wait_for()


def test_a_try_is_refused_with_rule_and_source_and_the_second_is_right(arrive: Arrive) -> None:
    visitor = arrive({"speed": 0, "page": "dark"}, locale="fa-IR", viewport={"width": 360, "height": 740})
    page = visitor.page
    page.goto("/learn/takhte?lesson=hitter")
    board(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    type_play(page, "8/5*/4", _BOARD)
    expect(page.locator(".said.wrong")).to_contain_text("خلیلی (۰۰۴)، ص. ۱۳")
    assert not faults(page)
    type_play(page, "8/5* 6/5", _BOARD)
    expect(page.locator(".said.right")).to_be_visible()
    expect(page.locator(".because")).to_contain_text("8/5*/4")
    page.locator(".actions .pri").click()
    expect(page.locator(".options button")).to_have_count(3)
    assert page.evaluate("document.activeElement.className") == "task"
    page.reload()
    board(page)
    page.locator(".lessons summary").click()
    expect(page.locator(".lessons li .sr")).to_have_count(1)
    # A source that begins with a name in Latin letters is read from the right, too.
    page.goto("/learn/first-tawla31?lesson=count")
    page.locator(".options button").nth(2).click()
    expect(page.locator(".verdict")).to_contain_text("LUD ludii.games")
    assert not page.evaluate(
        "[...document.querySelectorAll('.verdict *')].some((e) => getComputedStyle(e).direction === 'ltr')"
    )
    page.goto("/learn")
    page.locator(".ways a").first.wait_for()
    assert page.evaluate(
        "[...document.querySelectorAll('.ways a')].every((e) => e.getBoundingClientRect().left > 0)"
    )


def test_that_there_is_no_play_is_an_answer_and_a_result_is_counted(arrive: Arrive) -> None:
    visitor = arrive({"speed": 0, "lang": "en"})
    page = visitor.page
    page.goto("/learn/backgammon?lesson=larger")
    board(page)
    page.get_by_role("button", name="There is no play").click()
    expect(page.locator(".said.wrong")).to_be_visible()
    page.goto("/learn/backgammon?lesson=dance")
    board(page)
    page.get_by_role("button", name="There is no play").click()
    expect(page.locator(".said.right")).to_be_visible()
    page.goto("/learn/backgammon?lesson=gammon")
    board(page)
    page.locator(".options").get_by_role("button", name="1", exact=True).click()
    expect(page.locator(".said.wrong")).to_be_visible()
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".because")).to_be_visible()
    page.locator(".options").get_by_role("button", name="2", exact=True).click()
    expect(page.locator(".said.right")).to_be_visible()


_TAP = """(place) => {
  const key = document.querySelector("ssb-board").renderRoot.querySelector(`[data-spot="p${place}"]`);
  const box = key.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def test_first_steps_show_an_arrow_then_ask_and_end_in_a_game_with_the_tutor(arrive: Arrive) -> None:
    narrow = {"width": 360, "height": 740}
    visitor = arrive({"speed": 0, "learned": {}}, locale="fa-IR", viewport=narrow)
    page = visitor.page
    page.goto("/learn/first-long_nardy?lesson=point")
    board(page)
    arrows = page.locator("ssb-board .way.best")
    expect(arrows).to_be_attached()
    expect(page.locator(".task dfn")).to_have_text("خان")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert not faults(page)
    page.mouse.click(*page.evaluate(_TAP, 8))
    expect(page.locator(".said.right")).to_be_visible()
    page.locator(".actions .pri").click()
    expect(page.locator(".lesson .task")).to_contain_text("خان ۹")
    expect(arrows).not_to_be_attached()
    page.mouse.click(*page.evaluate(_TAP, 14))
    expect(page.locator(".said.wrong")).to_be_visible()
    page.locator(".actions button", has_text="نمایش پاسخ").click()
    expect(arrows).to_be_attached()
    page.locator(".actions .pri", has_text="درس بعدی").click()
    expect(page.locator(".lesson .task")).to_contain_text("تاس می‌گوید")
    page.get_by_role("button", name="همین حالا بازی کنید").click()
    page.wait_for_url("**/m/*")
    made = page.request.get(page.url.replace("/m/", "/api/v1/matches/")).json()
    assert "beginner" in str(made) and made["tutor"]


def test_every_lesson_goes_on_after_its_answer_was_shown(arrive: Arrive) -> None:
    visitor = arrive({"speed": 0, "lang": "en"})
    page = visitor.page
    page.goto("/learn/backgammon?lesson=steps")
    board(page)
    type_play(page, "24/23 13/10", _BOARD)
    expect(page.locator(".said.wrong")).to_be_visible()
    page.get_by_role("button", name="Show the answer").click()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.locator(".actions .pri", has_text="Next lesson").click()
    expect(page.locator(".lesson header")).to_contain_text("Lesson 2 of 18")


def test_the_overview_tells_how_far_one_is(arrive: Arrive) -> None:
    visitor = arrive({"lang": "en", "learned": {"irish": ["steps", "hit"], "tapa": 3}})
    page = visitor.page
    page.goto("/learn")
    expect(page.locator('.courses a[href="/learn/irish"]')).to_contain_text("2 of 9 answered")
    expect(page.locator('.courses a[href="/learn/tapa"]')).to_contain_text("12 lessons")
    assert page.locator(".courses > li").count() == 23
    assert not faults(page)
    page.locator('.courses a[href="/learn/irish"]').click()
    board(page)
    expect(page.locator(".lesson header")).to_contain_text("Lesson 3 of 9")


def test_the_header_has_room_for_its_links_in_every_language_at_every_width(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto("/learn")
    for each in languages():
        page.locator(".top .who").wait_for(state="attached")
        page.set_viewport_size({"width": 1280, "height": 740})
        page.locator("select.lang").select_option(each.code)
        expect(page.locator("html")).to_have_attribute("lang", each.code)
        for width in (360, 641, 680, 720, 768, 820, 899, 979, 980):
            resize(page, width, 740)
            # A face is asked for when text is laid out; until it is there, another of other widths stands in.
            answered(page, "async () => void (document.body.offsetWidth, await document.fonts.ready)")
            found = page.evaluate(_HEADER)
            assert found["page"] <= width and found["inside"] <= width, (each.code, width, found)
            assert not found["over"] and not found["cut"], (each.code, width, found)
