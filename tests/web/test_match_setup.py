"""Setting a match up: what is offered applies, nothing is covered, and what is asked for is played."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Arrive


def test_the_play_button_covers_no_option(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open("/play/tapa")
    page = visitor.page
    page.locator(".setup summary").click()
    page.locator(".setup #clock").wait_for()
    start = page.locator(".setup button.pri").bounding_box()
    agreed = page.locator(".setup .agreed").bounding_box()
    assert start is not None and agreed is not None
    assert agreed["y"] + agreed["height"] <= start["y"], "the options end above the button"
    assert start["y"] + start["height"] <= 800
    # The last option can be scrolled to and is then seen whole.
    last = page.locator(".setup .agreed .field").last
    last.scroll_into_view_if_needed()
    box = last.bounding_box()
    assert box is not None and box["y"] + box["height"] <= start["y"]


def test_options_are_shown_where_they_apply(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open("/play/backgammon")
    page = visitor.page
    page.locator(".setup summary").click()
    page.locator(".setup #clock").wait_for()

    def choose(length: str) -> None:
        page.locator(".setup .segments label", has_text=length).first.locator("input").check()

    money = page.locator("#option-settle")
    later, dead, cube = (
        page.locator(f"#option-{name}") for name in ("later_start", "allow_dead_double", "cube")
    )
    crawford = page.get_by_label("Crawford game")
    choose("5")
    expect(money).to_have_count(0)
    for each in (later, dead, cube, crawford):
        expect(each).to_have_count(1)
    choose("1")
    for each in (later, crawford, page.locator("input[name=contest]")):
        expect(each).to_have_count(0)
    choose("No end")
    expect(money).to_have_count(1)
    expect(dead).to_have_count(0)


def test_an_option_that_needs_another_one_is_shown_and_sent_beside_it_alone(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open("/play/mahbusa")
    page = visitor.page
    page.locator(".setup summary").click()
    page.locator(".setup #clock").wait_for()
    mother, points, ends, dead = (
        page.locator(f"#option-{name}")
        for name in ("mother", "mother_points", "mother_ends", "allow_dead_double")
    )
    expect(dead).to_be_hidden()
    page.locator("#option-cube").select_option(index=1)
    expect(dead).to_be_visible()
    points.select_option(index=1)
    mother.select_option(index=1)
    expect(points).to_be_hidden()
    expect(ends).to_be_hidden()
    page.locator(".setup button.pri").click()
    visitor.wait("state.board")
    match = page.url.rsplit("/", 1)[1]
    code = page.request.get(f"/api/v1/matches/{match}").json()["card"]["code"]
    assert "mother=false" in code and "cube=true" in code and "mother_points" not in code


@pytest.mark.parametrize("seen", ["in the list", "kept from it"])
def test_a_match_against_the_computer_may_be_kept_from_the_list_of_those_to_watch(
    arrive: Arrive, seen: str
) -> None:
    watched = seen == "in the list"
    visitor = arrive()
    visitor.open("/play/tavla")
    page = visitor.page
    page.locator(".setup summary").click()
    private = page.get_by_label("Nobody watches")
    private.set_checked(not watched)
    page.locator(".setup button.pri").click()
    visitor.wait("state.board")
    match = page.url.rsplit("/", 1)[1]
    live = page.request.get("/api/v1/lobby").json()["live"]
    assert (match in [game["id"] for game in live]) is watched


def test_a_link_with_a_card_opens_the_set_up_as_the_card_says(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open("/play/backgammon?card=backgammon.cube=false.p7.clock-d12-120.onepair")
    page = visitor.page
    page.locator(".setup #clock").wait_for()
    expect(page.locator(".setup #clock")).to_have_value("d12-120")
    expect(page.locator("#points")).to_have_value("7")
    expect(page.get_by_label("one: both throw the same")).to_be_checked()
    expect(page.locator("#option-cube")).to_have_value("no")
    # The card of another game says nothing here.
    visitor.open("/play/tapa?card=backgammon.p7.clock-d12-120")
    expect(page.locator(".setup #clock")).to_have_value("n")
