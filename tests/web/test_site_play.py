"""A stranger's first game: by mouse, by finger, by keyboard alone; and in Persian."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Arrive
from tests.web.site import sow
from tests.web.visitor import QUICK, Visitor

_NAMES = {26: "bar", 25: "hand", 0: "off"}
_BY_HAND = QUICK | {"confirm": "dice", "forced": "off"}


def to_move(visitor: Visitor) -> bool:
    """Wait until the visitor has something to move; False if the match is over."""
    visitor.wait("state.phase === 'over' || (state.choices && board.controller.play)")
    return bool(visitor.state()["phase"] != "over")


def turns(visitor: Visitor, count: int, hop: str) -> None:
    """Play a number of turns, each hop by `hop`, a method of the page's mouse or touch screen."""
    for _ in range(count):
        if not to_move(visitor):
            return
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
    visitor = arrive(_BY_HAND)
    visitor.open("/play/portes")
    visitor.page.get_by_role("heading", name="Portes").last.wait_for()
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    turns(visitor, 3, "click")
    assert visitor.page.locator("table.moves").inner_text()


def test_a_clock_of_seconds_a_turn_is_seen(arrive: Arrive) -> None:
    visitor = arrive(_BY_HAND)
    visitor.begin("tavla.p1.clock-t3000")
    assert to_move(visitor)
    own = visitor.page.locator(".plate.own .time")
    expect(own).to_have_text(re.compile(r"^(50|[34]\d):\d\d$"))


def test_the_first_turns_by_finger_on_a_telephone(arrive: Arrive) -> None:
    visitor = arrive(
        _BY_HAND,
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    visitor.begin("tavla.p1")
    turns(visitor, 3, "tap")
    wide = visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page is wider than the telephone"


@pytest.mark.soak  # `test_screen_reader` plays one by keys alone every time
def test_a_whole_game_by_keyboard_alone(arrive: Arrive) -> None:
    visitor = arrive(_BY_HAND)
    visitor.open("/play/hypergammon")
    press = visitor.page.keyboard.press
    visitor.page.locator("input[name=length]").first.focus()
    press("Space")
    for _ in range(80):
        press("Tab")
        if visitor.page.evaluate("document.activeElement.matches('.setup .pri')"):
            break
    press("Enter")
    visitor.wait("state.board")
    for _ in range(60):
        press("Tab")
        if visitor.page.evaluate("document.activeElement?.localName === 'ssb-board'"):
            break
    for _ in range(500):
        if not to_move(visitor):
            break
        type_turn(visitor)
    assert visitor.state()["phase"] == "over"


def type_turn(visitor: Visitor) -> None:
    """Type the turn as it is written, and confirm it with the space bar."""
    state, keyboard = visitor.state(), visitor.page.keyboard
    stage, hops = state["choices"][0], []
    while stage["next"]:
        origin, target, _die, _takes, onward = stage["next"][0]
        hops.append(f"{_NAMES.get(origin, origin)}/{_NAMES.get(target, target)}")
        stage = state["choices"][onward]
    keyboard.type(" ".join(hops))
    keyboard.press("Enter")
    assert not visitor.onward(), f"{hops} did not arrive"
    keyboard.press("Space")
    turn = before_text(state["turn"])
    visitor.wait(f"state.phase === 'over' || JSON.stringify(state.turn) !== {turn!r}")


def test_persian_turns_the_page_and_never_the_board(arrive: Arrive) -> None:
    visitor = arrive(QUICK, locale="fa-IR")
    visitor.begin("hypergammon.p1")
    visitor.wait("state.board")
    page = visitor.page
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert page.evaluate("document.documentElement.lang") == "fa"
    board = page.locator("ssb-board").bounding_box()
    aside = page.locator(".plate").first.bounding_box()
    assert board is not None and aside is not None
    assert aside["x"] < board["x"], "the panels stand on the left"
    direction = (
        "getComputedStyle(document.querySelector('ssb-board').renderRoot.querySelector('svg')).direction"
    )
    assert page.evaluate(direction) == "ltr"
    assert re.search("[\u06f0-\u06f9]", page.locator("main").inner_text()), "prose has its own digits"
    end = visitor.play_on()
    assert end["phase"] == "over", end
