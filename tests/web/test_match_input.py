"""What a player types, clicks and drags in a match: nothing is lost, and nothing stays that was not meant."""

from __future__ import annotations

from functools import partial

from playwright.sync_api import expect

from tests.waiting import until
from tests.web.conftest import Arrive
from tests.web.visitor import BY_HAND, TWO, press

_DROPPED = 5000
"""Milliseconds after which a digit that nothing follows is dropped."""
_WRITTEN = "document.querySelector('ssb-board').hitTargets.written"


def test_a_stray_key_does_not_keep_the_space_bar_from_confirming(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    visitor.begin("tavla.p1", TWO)
    visitor.to_move()
    before = visitor.state()["on_roll"]
    visitor.play_turn()
    # In one go: by itself it goes after some seconds.
    press(visitor.page, ["9", " "])
    visitor.wait(f"state.on_roll !== {before!r}")
    assert visitor.page.evaluate(_WRITTEN) == ""


def test_typed_text_goes_when_the_checkers_are_moved_by_hand_and_when_nothing_follows(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    page = visitor.page
    page.clock.install()
    visitor.begin("tavla.p1", TWO)
    visitor.to_move()
    page.keyboard.type("13/")
    assert page.evaluate(_WRITTEN) == "13/"
    page.mouse.click(*visitor.spot(visitor.onward()[0][0]))
    assert page.evaluate(_WRITTEN) == ""
    page.keyboard.type("9")
    page.clock.fast_forward(_DROPPED)
    visitor.wait("!board.hitTargets.written")


def test_the_rest_of_a_turn_may_be_typed_after_a_checker_was_moved_by_mouse(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    visitor.begin("portes.p3", TWO)
    visitor.to_move()
    page = visitor.page
    page.mouse.click(*visitor.spot(visitor.onward()[0][0]))
    visitor.wait("board.controller.play.turn.path.length === 1")
    first = page.evaluate("document.querySelector('ssb-board').controller.play.written.steps")
    origin, target = visitor.onward()[0]
    page.keyboard.type(f"{origin}/{target}")
    page.keyboard.press("Enter")
    visitor.wait("board.controller.play.turn.path.length === 2")
    made = page.evaluate("document.querySelector('ssb-board').controller.play.written.steps")
    assert made == [*first, [origin, target]]


def test_nothing_can_be_confirmed_while_a_new_turn_is_being_shown(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND | {"speed": 500}, reduced_motion="no-preference")
    visitor.begin("tavla.p1", TWO)
    visitor.to_move()
    page = visitor.page
    page.evaluate(
        """() => {
          window.stale = 0;
          const look = () => {
            const board = document.querySelector("ssb-board");
            const primary = document.querySelector(".actions > .pri");
            const confirms = primary && !primary.disabled && primary.textContent.trim() === "Confirm";
            if (confirms && !board.controller.play?.turn.whole) window.stale += 1;
            window.seen = (window.seen ?? 0) + 1;
            requestAnimationFrame(look);
          };
          look();
        }"""
    )

    def is_looked_at(times: int) -> bool:
        return bool(page.evaluate("window.seen") > times)

    before = visitor.state()["on_roll"]
    visitor.play_turn()
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_enabled()
    page.keyboard.press(" ")
    visitor.wait(f"state.turn && state.on_roll !== {before!r}")
    seen = page.evaluate("window.seen")
    until(partial(is_looked_at, seen + 40))
    assert page.evaluate("window.stale") == 0


def test_a_click_is_heard_after_a_drag_that_ended_outside_of_the_board(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    visitor.begin("portes.p3", TWO)
    visitor.to_move()
    mouse = visitor.page.mouse
    # From the middle of the board, where nothing can be picked up, to the panel.
    box = visitor.page.locator("ssb-board").bounding_box()
    assert box is not None
    mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(box["x"] + box["width"] + 80, box["y"] + box["height"] / 2, steps=4)
    mouse.up()
    visitor.page.mouse.click(*visitor.spot(visitor.onward()[0][0]))
    visitor.wait("board.controller.play.turn.path.length === 1")
