"""From an address to a board: how soon, how heavy, and that every module was asked for at once."""

from __future__ import annotations

import gzip
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from benchmarks.site.first_board import begin, time_to_board
from playwright.sync_api import Browser, Response

from sheshbesh.server.http.static import FOLDER, MAIN, PAGES, modules_of
from tests.web.site import LiveSite

FIRST_PAGE = 220 * 1024
"""Bytes that the way from the first page to the first board may weigh, as it travels."""

BOUND = 10_000
"""Milliseconds in which a board stands on a machine that runs all tests at once. On one that does nothing
else it is a third of a second; `python -m benchmarks.site.first_board` measures that."""

_COMPRESSED = (".js", ".css", ".html", ".svg", ".json", ".webmanifest")


@pytest.mark.parametrize("card", ["backgammon.p3", "acey_deucey.p1"])
def test_from_the_address_of_a_match_to_its_board(chromium: Browser, site: LiveSite, card: str) -> None:
    address, state = begin(chromium, site.url, card)
    fastest = min(time_to_board(chromium, address, storage_state=state) for _ in range(2))
    assert fastest <= BOUND, f"{fastest:.0f} ms"


def test_the_modules_of_a_match_are_all_named_in_its_page(chromium: Browser, site: LiveSite) -> None:
    address, state = begin(chromium, site.url, "tapa.p1")
    context = chromium.new_context(storage_state=state)
    page = context.new_page()
    page.goto(address)
    page.locator("ssb-board svg").wait_for()
    named = {link.get_attribute("href") for link in page.locator("link[rel=modulepreload]").all()}
    used = page.evaluate(
        """performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
            .filter((path) => path.endsWith(".js") && path !== "/sw.js")"""
    )
    context.close()
    assert set(used) == named, "what is missing comes late, what is too much comes for nothing"


@pytest.mark.parametrize("view", sorted(set(PAGES.values())))
def test_every_view_has_its_modules(view: str) -> None:
    found = modules_of(FOLDER, MAIN, f"/app/views/{view}.js")
    assert len(found) == len(set(found)) > 10
    assert "/vendor/lit.js" in found
    for module in found:
        assert (FOLDER / module.lstrip("/")).is_file(), module


def test_scripts_are_served_as_they_are_written(site: LiveSite) -> None:
    for name in ("app/main.js", "board/turn.js"):
        with urlopen(f"{site.url}/{name}", timeout=10) as answer:
            assert answer.read() == (FOLDER / name).read_bytes()


def test_the_way_to_the_first_board_is_light(chromium: Browser, site: LiveSite) -> None:
    page = chromium.new_page(locale="en-US")
    weight = 0

    def weigh(response: Response) -> None:
        nonlocal weight
        path = urlsplit(response.url).path
        file = FOLDER / (path.lstrip("/") or "index.html")
        # Data of games does not count.
        if file.is_file():
            weight += _travels(file.read_bytes(), file.suffix, response.headers)

    page.on("response", weigh)
    page.goto(site.url)
    page.locator('.tile[href="/play/backgammon"]').click()
    page.locator("form.setup button.pri").click()
    page.locator("ssb-match ssb-board svg").wait_for()
    page.close()
    assert weight <= FIRST_PAGE, f"{weight / 1024:.0f} KB"


def _travels(plain: bytes, suffix: str, headers: dict[str, Any]) -> int:
    """Bytes on the way; compressed by us where the server does not say how many it sent."""
    if size := int(headers.get("content-length", 0)):
        return size
    return len(gzip.compress(plain)) if suffix in _COMPRESSED else len(plain)
