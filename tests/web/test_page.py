"""The page in a browser, with the real site behind it: widths, settings, what axe says, the dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.sizes import sampled
from tests.web.browser import choose_game, complaints, faults, resize
from tests.web.conftest import Arrive
from tests.web.site import sow
from tests.web.visitor import BY_HAND

_CUT = """[...document.querySelectorAll(".titles, .titles *, .say, .match-view > .actions")].filter(
  (each) =>
    each.scrollWidth > each.clientWidth + 1 ||
    each.scrollHeight > each.clientHeight + 1 ||
    each.getBoundingClientRect().bottom > innerHeight,
).map((each) => each.outerHTML)"""
"""What of a match does not fit: its title, what is to be done, the buttons."""

_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize(
    ("path", "said"),
    [("/nothing/here", "There is nothing at this address."), ("/m/nothing", "no such match")],
)
def test_an_address_that_leads_nowhere_is_said_so(arrive: Arrive, path: str, said: str) -> None:
    visitor = arrive()
    visitor.go(path)
    expect(visitor.page.locator("main :is(h1, [role=alert])", has_text=said)).to_be_visible()


def test_settings_change_the_page_at_once_and_stay(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open("/settings")
    page = visitor.page
    page.locator("label", has_text="felt").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "felt")
    page.locator("#lang").select_option("ru")
    expect(page.locator("main h1")).to_have_text("Настройки")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.locator("html")).to_have_attribute("data-theme", "felt")


def check_with_large_letters(page: Page) -> None:
    """Check that who has set their browser to letters of twice the size gets them and reaches everything."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "30px"
    for width in (1280, 360, 320):
        resize(page, width, 800)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)
        assert not page.evaluate(_CUT), (page.url, width)
    resize(page, 1280, 800)


@pytest.mark.parametrize("whole", sampled([False, True], lambda whole: not whole))
def test_axe_finds_nothing_serious_and_nothing_sticks_out(arrive: Arrive, whole: bool) -> None:  # noqa: FBT001
    """In both schemes; every time in one of them, but for the front page and a match.

    Nor does the browser complain of any of them, and none is wider than a window of any size.
    """
    visitor = arrive(BY_HAND)
    page = visitor.page
    found = complaints(page)

    def look(where: str, schemes: Sequence[Literal["light", "dark"]] = _SCHEMES) -> None:
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("html")).to_have_attribute("data-page", scheme)
            found.extend(f"{where}, {scheme}: {fault}" for fault in faults(page))

    for number, path in enumerate(
        ("settings", "rules/tavla", "login", "account", "lobby", "reviews", "table")
    ):
        visitor.open(f"/{path}")
        page.locator("main .page h1").first.wait_for()
        look(path, _SCHEMES if whole else _SCHEMES[number % 2 :][:1])
        for width in (360, 768, 1280):
            resize(page, width, 800)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
        check_with_large_letters(page)
    visitor.open()
    page.locator(".tile").first.wait_for()
    look("home")
    choose_game(page, "backgammon")
    page.locator("form.setup button.pri").click()
    visitor.to_move()
    look("match")
    check_with_large_letters(page)
    assert not found


def test_a_player_who_loses_their_chain_of_dice_plays_on_with_a_new_one(arrive: Arrive) -> None:
    sow("")  # an audit finds seeded dice wrong
    visitor = arrive(BY_HAND)
    visitor.begin("tapa.p1")
    visitor.to_move()
    page = visitor.page
    page.evaluate(
        "for (const n of Object.keys(localStorage)) if (n.includes('.dice.')) localStorage.removeItem(n)"
    )
    page.reload()
    for _ in range(2):  # the new lists are for the throws after the next one
        visitor.take_turn()
    visitor.to_move()
    visitor.go(page.url.replace(visitor.site.url, "").replace("/m/", "/dice/"))
    expect(page.get_by_role("heading", name="The dice hold")).to_be_visible()
    expect(page.get_by_text("New lists were begun")).to_be_visible()
