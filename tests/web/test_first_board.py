"""From an address to a board: how soon, how heavy, and that every module was asked for at once."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from benchmarks.site.first_board import MARK, PHONE, begin
from benchmarks.site.slow_line import visit
from playwright.sync_api import Browser, Response

from sheshbesh.i18n import languages
from sheshbesh.server.http import static
from sheshbesh.server.http.page_modules import (
    MAIN,
    PackedPage,
    later_modules,
    modules_of,
    modules_of_view,
    page_for,
)
from sheshbesh.server.http.static import FOLDER, FONTS, PAGES
from tests.sizes import sampled
from tests.waiting import until
from tests.web.packed_page import packed_page
from tests.web.site import LiveSite, serving_site

FIRST_PAGE = 238 * 1024
"""Bytes that the way from the first page to the first board may weigh, with files as they are written."""

PACKED_PAGE = 120 * 1024
"""Bytes of a first visit to the front page until its board can be used, in any language, as a release serves
it, with headers and data."""

PACKED_MATCH = 140 * 1024
"""The same of a match."""

OF_OTHERS = ("/api/v1/lobby", "/api/v1/tournaments")
"""Data of which there is the more the more people have been at the site."""

_COMPRESSED = (".js", ".css", ".html", ".svg", ".json", ".webmanifest")


_DRAWN = "performance.getEntriesByName('sheshbesh.board')[0]"


@pytest.fixture(scope="module")
def site_as_written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site that serves the page's modules as they are in the checkout."""
    with serving_site(tmp_path_factory.mktemp("site"), packed=False) as found:
        yield found


@pytest.mark.parametrize("view", sorted(set(PAGES.values())))
def test_every_view_has_its_modules(view: str) -> None:
    found = modules_of(FOLDER, MAIN, f"/app/views/{view}.js")
    assert len(found) == len(set(found)) > 10
    assert "/vendor/lit.js" in found
    for module in found:
        assert (FOLDER / module.lstrip("/")).is_file(), module


def test_scripts_are_served_as_they_are_written(site_as_written: LiveSite) -> None:
    for name in ("app/main.js", "board/turn.js"):
        with urlopen(f"{site_as_written.url}/{name}", timeout=10) as answer:
            assert answer.read() == (FOLDER / name).read_bytes()


def test_a_packed_page_is_whole() -> None:
    packed_web = packed_page()
    packed = PackedPage.of(packed_web, static.build())
    assert packed is not None and set(packed.views) == set(PAGES.values())
    for view in ("home", "match"):
        index, modules = page_for((packed_web / "index.html").read_text(), packed_web, view, packed)
        assert f'src="{packed.main}"' in index and packed.main in modules
        assert f'<link rel="stylesheet" href="{packed.style}">' in index
        later = f'<meta name="further-styles" content="{packed.further}">'
        assert (later in index) == (view == "home"), "the front page fetches them when it can be used"
        assert index.count('rel="stylesheet"') == 1 + (view != "home")
        assert len(modules) <= 5, "each costs a request, and a browser makes six at a time"
        assert all((packed_web / f"{name}.br".lstrip("/")).is_file() for name in modules)


@pytest.mark.parametrize(
    "lang", sampled([language.code for language in languages()], lambda lang: lang in ("fa", "ru"))
)
def test_a_first_visit_to_the_front_page_is_light(chromium: Browser, site: LiveSite, lang: str) -> None:
    found = visit(chromium, site.url, slow=False, locale=lang, **PHONE)
    sizes = {path: size for path, size in found.sizes.items() if path not in OF_OTHERS}
    heaviest = sorted(sizes.items(), key=lambda each: -each[1])
    assert 50 * 1024 < sum(sizes.values()) <= PACKED_PAGE, f"{found.bytes / 1024:.0f} KB: {heaviest}"
    assert any(path.startswith("/packed/") for path in sizes)


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_first_visit_to_a_match_takes_two_round_trips(chromium: Browser, site: LiveSite, lang: str) -> None:
    address, state = begin(chromium, site.url, "backgammon.p3")
    found = visit(chromium, address, slow=False, locale=lang, storage_state=state, **PHONE)
    heaviest = sorted(found.sizes.items(), key=lambda each: -each[1])
    assert 60 * 1024 < found.bytes <= PACKED_MATCH, f"{found.bytes / 1024:.0f} KB: {heaviest}"
    card = [path for path in found.sizes if path.startswith("/api/v1/variants/backgammon?")]
    assert len(card) == 1, found.sizes


def test_each_font_is_fetched_for_the_characters_that_it_has() -> None:
    style = (FOLDER / "styles/page.css").read_text(encoding="utf-8")
    faces = re.findall(
        r'family: "([^"]+)".*?fonts/([\w-]+)\.woff2.*?unicode-range:\s*([^;]+);', style, re.DOTALL
    )
    assert {name for _, name, _ in faces} == {path.stem for path in (FOLDER / "fonts").glob("*.woff2")}
    claimed: dict[tuple[str, int], str] = {}
    for family, name, ranges in faces:
        for part in ranges.replace("U+", "").split(","):
            first, _, last = part.strip().partition("-")
            for code in range(int(first, 16), int(last or first, 16) + 1):
                assert (family, code) not in claimed, f"U+{code:04X}: {name}, {claimed[family, code]}"
                claimed[family, code] = name
    assert set(FONTS) == {language.code for language in languages()}


def test_what_was_packed_from_other_sources_is_not_served() -> None:
    assert PackedPage.of(packed_page(), "newer sources") is None
    assert PackedPage.of(packed_page().parent, static.build()) is None


def test_the_way_to_the_first_board_is_light_and_its_modules_are_named_in_the_page(
    chromium: Browser, site_as_written: LiveSite
) -> None:
    page = chromium.new_page(locale="en-US")
    page.add_init_script(MARK)
    weight = 0
    views = ("home", "match")
    later = {name for view in views for name in later_modules(FOLDER, view)}
    later -= {name for view in views for name in modules_of_view(FOLDER, view)}

    def weigh(response: Response) -> None:
        nonlocal weight
        path = urlsplit(response.url).path
        file = FOLDER / (path.lstrip("/") or "index.html")
        # Data of games does not count, nor does what a page loads once it can be used.
        if file.is_file() and path not in later:
            weight += _travels(file.read_bytes(), file.suffix, response.headers)

    page.on("response", weigh)
    page.goto(site_as_written.url)
    page.locator('.tile[href="/play/backgammon"]').click()
    page.locator("form.setup button.pri").click()
    page.locator("ssb-match ssb-board svg").wait_for()
    assert weight <= FIRST_PAGE, f"{weight / 1024:.1f} KB"
    page.reload()
    until(lambda: page.evaluate(f"Boolean({_DRAWN})"))
    named = {link.get_attribute("href") for link in page.locator("link[rel=modulepreload]").all()}
    used = page.evaluate(
        f"""performance.getEntriesByType("resource")
            .filter(({{ startTime }}) => startTime < {_DRAWN}.startTime)
            .map(({{ name }}) => new URL(name).pathname)
            .filter((path) => path.endsWith(".js"))"""
    )
    page.close()
    assert set(used) == named, "what is missing comes late, what is too much comes for nothing"


def _travels(plain: bytes, suffix: str, headers: dict[str, Any]) -> int:
    """Bytes on the way; compressed by us where the server does not say how many it sent."""
    if size := int(headers.get("content-length", 0)):
        return size
    return len(gzip.compress(plain)) if suffix in _COMPRESSED else len(plain)
