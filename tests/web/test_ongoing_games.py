"""The start page for visitors who have been here before: open games, invitations, and the last set-up."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from sheshbesh.i18n import translate
from tests.waiting import until
from tests.web.conftest import Arrive
from tests.web.test_site_connections import mover_of, sit_down
from tests.web.visitor import QUICK, TWO


def test_a_game_that_was_left_is_found_again_with_its_score_turn_and_clock(arrive: Arrive) -> None:
    nava = arrive(QUICK | {"forced": "off"})
    nava.page.clock.install()
    nava.open("/")
    expect(nava.page.locator(".ongoing")).to_have_count(0)
    nava.begin("tavla.p3.clock-d12-600", TWO)
    nava.wait("state.phase === 'move'")
    turn = {"white": "Nava", "black": "Aslan"}[nava.state()["on_roll"]]
    nava.open("/")
    tile = nava.page.locator(".ongoing .tile")
    expect(tile).to_contain_text(f"{turn} is to play")
    expect(tile).to_contain_text("Match to 3 points")
    expect(tile.locator(".score")).to_have_text("0–0")
    clocks = tile.get_by_role("img")
    expect(clocks).to_contain_text(re.compile(r"\b[123]\d:\d\d\b"))
    before = clocks.inner_text()
    nava.page.clock.fast_forward(60_000)  # the free time is over, and one of them runs
    expect(clocks).not_to_have_text(before)
    tile.press("Enter")
    nava.page.wait_for_url("**/m/*")


def test_an_open_invitation_has_its_link_again_and_is_withdrawn(arrive: Arrive) -> None:
    nava = arrive()
    invite = nava.begin("tavla.p3", {"kind": "friend"})
    nava.open("/")
    tile = nava.page.locator(".ongoing li.tile")
    expect(tile.get_by_role("link", name="The link again")).to_have_attribute("href", invite)
    tile.get_by_role("button", name="Withdraw").press("Enter")
    expect(tile).to_have_count(0)
    omer = arrive()
    omer.open("/")
    omer.page.goto(omer.site.url + invite)
    expect(omer.page.get_by_role("alert")).to_contain_text("taken or withdrawn")


def test_a_player_who_withdraws_it_on_its_own_page_is_led_home(arrive: Arrive) -> None:
    nava = arrive()
    nava.open(nava.begin("tavla.p3", {"kind": "friend"}))
    nava.page.get_by_role("button", name="Withdraw").click()
    nava.page.wait_for_url("/")


def test_the_set_up_is_that_of_the_last_time(arrive: Arrive) -> None:
    nava = arrive()
    nava.open("/play/takhte")
    setup = nava.page.locator(".setup")
    setup.get_by_text("7", exact=True).click()
    setup.locator("summary").click()
    setup.get_by_label("Clock", exact=True).select_option("d8-60")
    setup.get_by_label("Tutor").uncheck()
    setup.locator("button.pri").click()
    nava.page.wait_for_url("**/m/*")
    nava.open("/")
    expect(nava.page.locator(".again")).to_contain_text("Play Takhte")
    nava.page.get_by_role("button", name="Change").click()
    expect(setup.get_by_label("7", exact=True)).to_be_checked()
    setup.locator("summary").click()
    expect(setup.get_by_label("Clock", exact=True)).to_have_value("d8-60")
    expect(setup.get_by_label("Tutor")).not_to_be_checked()
    nava.open("/")
    nava.page.get_by_role("button", name="Play Takhte").click()
    nava.page.wait_for_url("**/m/*")


BADGE = "navigator.setAppBadge = async (n) => void (globalThis.badge = n)"


def test_who_is_elsewhere_sees_that_it_is_their_turn_and_one_tap_goes_there(arrive: Arrive) -> None:
    players = sit_down(arrive, "backgammon.p3.clock-t86400")
    mover = mover_of(players)
    (other,) = (each for each in players if each is not mover)
    other.context.add_init_script(BADGE)
    other.open("/")
    mine = other.page.locator(".ongoing .badge.mine")
    other.page.locator(".ongoing .tile").first.wait_for()
    assert mine.count() == 0 and other.page.evaluate("badge") == 0
    mover.play_turn()
    notice = other.page.locator(".call", has_text="It is your turn in Backgammon.")
    notice.wait_for()
    expect(mine.first).to_have_text("1 waits for you")
    until(lambda: other.page.evaluate("badge") == 1)
    notice.get_by_role("button", name="To the board").click()
    other.page.wait_for_url("**/m/*")
    expect(notice).to_have_count(0)


def test_what_comes_after_the_board_speaks_a_language_chosen_later(arrive: Arrive) -> None:
    nava = arrive()
    nava.open("/")
    title = nava.page.locator("#puzzle")
    expect(title).to_have_text("Puzzle of the day")
    nava.page.locator("select.lang").select_option("fa")
    expect(title).to_have_text(translate("Puzzle of the day", "fa"))
