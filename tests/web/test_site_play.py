"""A stranger's first game: by mouse, by finger, by keyboard alone; and in Persian."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.web.conftest import Arrive
from tests.web.site import sow
from tests.web.visitor import BY_HAND, Visitor


def turns(visitor: Visitor, count: int, hop: str) -> None:
    """Play a number of turns, each hop by `hop`, a method of the page's mouse or touch screen."""
    for _ in range(count):
        visitor.to_move()
        before = visitor.state()["turn"]
        for _ in range(4):
            onward = visitor.onward()
            if not onward:
                break
            x, y = visitor.spot(onward[0][0])
            (visitor.page.touchscreen.tap if hop == "tap" else visitor.page.mouse.click)(x, y)
        confirm = visitor.page.get_by_role("button", name="Confirm", exact=True)
        expect(confirm).to_be_enabled()
        (confirm.tap if hop == "tap" else confirm.click)()
        visitor.wait(f"state.phase === 'over' || JSON.stringify(state.turn) !== {before_text(before)!r}")


def before_text(turn: object) -> str:
    """A turn as the page's JSON has it."""
    return json.dumps(turn, separators=(",", ":"))


def test_a_stranger_plays_within_two_clicks(arrive: Arrive) -> None:
    visitor = arrive({})
    visitor.open()
    visitor.page.get_by_role("button", name=re.compile("^Play ")).first.click()
    visitor.wait("state.phase === 'move' || state.phase === 'roll'")
    assert visitor.page.url.startswith(f"{visitor.site.url}/m/")


def test_the_first_turns_by_mouse(arrive: Arrive) -> None:
    sow("by mouse 8")  # no double
    visitor = arrive(BY_HAND)
    visitor.open("/play/portes")
    visitor.page.get_by_role("heading", name="Portes").last.wait_for()
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    turns(visitor, 3, "click")
    assert visitor.page.locator("table.moves").inner_text()


def test_the_first_turns_by_finger_on_a_telephone(arrive: Arrive) -> None:
    visitor = arrive(
        BY_HAND,
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    visitor.begin("tavla.p1")
    turns(visitor, 3, "tap")
    wide = visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page is wider than the telephone"


def test_persian_turns_the_page_and_never_the_board(arrive: Arrive) -> None:
    visitor = arrive(locale="fa-IR")
    visitor.begin("takhte.p1.clock-t3000")
    visitor.to_move()
    page = visitor.page
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert page.evaluate("document.documentElement.lang") == "fa"
    expect(page.locator(".sheet h1")).to_have_text("تخته نرد سنتی (ایرانی)")
    board, aside = page.locator("ssb-board").bounding_box(), page.locator(".sheet").bounding_box()
    assert board is not None and aside is not None
    assert aside["x"] < board["x"], "the panels stand on the left"
    direction = (
        "getComputedStyle(document.querySelector('ssb-board').renderRoot.querySelector('svg')).direction"
    )
    assert page.evaluate(direction) == "ltr"
    # Prose and clocks, which tell the seconds of a turn, have the digits of the language.
    expect(page.locator(".plate.own .time")).to_have_text(re.compile("^[۳-۵][۰-۹]:[۰-۹][۰-۹]$"))
