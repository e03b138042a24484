"""The front page: a position to play, the last choice by one tap, one that finds an opponent."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import expect

import sheshbesh as sb
from sheshbesh.practice.puzzles import puzzle
from tests.waiting import until
from tests.web.browser import resize
from tests.web.conftest import Arrive

_DAILY = "document.querySelector('ssb-daily-position')"
_SIZES = ((360, 740), (740, 360), (768, 1024), (1280, 800), (1920, 1080))


def test_six_games_are_shown_and_every_one_is_two_taps_away_and_found_by_its_name(arrive: Arrive) -> None:
    visitor = arrive({"lang": "fa"}, locale="en-GB")
    visitor.open("/")
    page, tiles = visitor.page, visitor.page.locator(".games .tile")
    expect(tiles).to_have_count(6)
    assert str(tiles.first.get_attribute("href")) == "/play/takhte", "the game of who reads Persian"
    page.locator(".games button.all").click()
    expect(tiles).to_have_count(len(sb.variants()))
    for text, game in (("длинные", "long_nardy"), ("πλακωτό", "plakoto"), ("mültezim", "moultezim")):
        page.locator(".games input").fill(text)
        expect(tiles).to_have_count(1)
        assert tiles.get_attribute("href") == f"/play/{game}"
    tiles.click()
    expect(page.locator("form.setup")).to_be_visible()


def test_the_puzzle_of_the_day_is_played_and_judged(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open("/")
    page = visitor.page
    board = page.locator("ssb-daily-position ssb-board")
    board.locator("svg").first.wait_for()
    caption = page.locator(".daily figcaption")
    expect(caption).to_contain_text("What would you play?")
    found = puzzle(*page.evaluate(f"[{_DAILY}.daily.variant, {_DAILY}.daily.id]"))
    assert found is not None
    judged, today = found.card.judged, page.locator("ssb-practice-today")
    for play, verdict in ((judged.best, "best"), (judged.played, f"Best was {judged.best}")):
        assert board.evaluate("(board, text) => board.controller.typed(text)", play)
        expect(caption).to_contain_text(play)
        expect(caption).to_contain_text(verdict)
        page.get_by_role("button", name="Try again").click()
        expect(caption).to_contain_text("to play")
        # The first play counts, and none after it.
        expect(today).to_contain_text("Right today")
        expect(today).to_contain_text("streak: 1 day")
        rated = today.locator(".rating-change", has_text="Puzzle rating 1")
        expect(rated).to_have_count(int(play == judged.best))


def test_two_who_choose_the_same_preset_play_each_other(arrive: Arrive) -> None:
    nava, omer = arrive(), arrive()
    for visitor in (nava, omer):
        visitor.open("/")
        visitor.page.get_by_role("link", name="Find an opponent").click()
        visitor.page.locator(".presets button", has_text="3 points").first.click()
        if visitor is nava:
            expect(visitor.page.locator(".presets [aria-pressed=true]")).to_contain_text("3 points")
    nava.page.wait_for_url("**/m/*")
    omer.page.wait_for_url(nava.page.url)
    nava.page.locator("ssb-match").wait_for()
    assert nava.page.evaluate("document.querySelector('ssb-match').place.params.id")


def test_a_second_tap_on_a_preset_withdraws_the_seek(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open("/lobby")
    preset = visitor.page.locator(".presets button", has_text="7 points")
    preset.click()
    expect(preset).to_have_attribute("aria-pressed", "true")
    expect(preset).to_contain_text("waiting")
    preset.click()
    expect(preset).to_have_attribute("aria-pressed", "false")
    # The button changes at once, while the request is still on its way.

    def is_withdrawn() -> bool:
        listed = visitor.page.request.get("/api/v1/lobby").json()["seeks"]
        return all(seek["card"] != "backgammon.p7.clock-d12-120" for seek in listed)

    until(is_withdrawn)


@pytest.mark.parametrize("lang", [pytest.param("en", marks=pytest.mark.soak), "fa"])
def test_nothing_on_the_front_page_is_cut_off_or_too_small(arrive: Arrive, lang: str) -> None:
    visitor = arrive({"lang": lang})
    visitor.open("/")
    page = visitor.page
    page.locator("ssb-daily-position ssb-board svg").first.wait_for()
    for path, (width, height) in product(("/", "/play/tapa"), _SIZES):
        if not page.url.endswith(path):
            visitor.open(path)
        resize(page, width, height)
        where = f"{path} at {width} by {height}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
        small = page.evaluate(
            """[...document.querySelectorAll("main :is(button, .tile)")].filter((each) => each.offsetParent)
              .filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.textContent)"""
        )
        assert not small, where
        if path == "/" and height > width:
            play = page.locator(".again .pri").bounding_box()
            assert play is not None and play["y"] + play["height"] <= height, f"Play is seen {where}"
