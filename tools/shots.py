"""Screenshots of every view at the sizes the page is made for, into build/shots: `make shots`.

One server and one browser; the pictures are named VIEW-WIDTHxHEIGHT-LANGUAGE-LIGHT.png. With names of views
as arguments only those are taken.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.browser import CHECKOUT, browsing
from tests.web.site import LiveSite
from tests.web.visitor import Visitor

FOLDER = CHECKOUT / "build" / "shots"
SIZES = ((360, 740), (740, 360), (768, 1024), (1280, 800), (1920, 1080))
LANGUAGES = ("en", "fa")
LIGHTS = ("light", "dark")
VIEWS = {
    "home": "/",
    "play": "/play/tavla",
    "match": "",
    "lobby": "/lobby",
    "watch": "/watch",
    "friends": "/friends",
    "week": "/week",
    "rules": "/rules/tapa",
    "analysis": "/analysis?card=backgammon.m",
    "review": "",
    "reviews": "/reviews",
    "practice": "/practice",
    "puzzle": "/puzzles/tapa?level=hard",
    "learn": "/learn",
    "lesson": "/learn/takhte?lesson=hitter",
    "settings": "/settings",
    "login": "/login",
}
_MATCH_FILE = CHECKOUT / "tests" / "data" / "review" / "galaxy.txt"
_SETTLED = 700
"""Milliseconds for fonts, boards and numbers to arrive."""


def _take(page: Page, name: str, *, whole: bool) -> None:
    page.wait_for_timeout(_SETTLED)
    page.screenshot(path=FOLDER / f"{name}.png", full_page=whole)


def _review(browser: Browser, site: LiveSite) -> str:
    """The path of a review of a match file that anybody may read, judged at the shallowest depth."""
    page = Visitor(browser.new_context(), site, {"lang": "en"}).page
    shallow = {"plies": 0}
    page.route(
        "**/api/v1/uploads",
        lambda route: route.continue_(post_data={**route.request.post_data_json, **shallow}),
    )
    page.goto(f"{site.url}/reviews")
    page.locator(".upload input").set_input_files(_MATCH_FILE)
    page.locator("ssb-review ssb-board").wait_for(timeout=120_000)
    page.locator(".owner button").first.click()
    path = str(page.locator(".owner a").first.get_attribute("href"))
    page.context.close()
    return path


def _shoot(browser: Browser, site: LiveSite, views: list[str], *, whole: bool) -> int:
    taken = 0
    paths = VIEWS | ({"review": _review(browser, site)} if "review" in views else {})
    for (width, height), lang, light in product(SIZES, LANGUAGES, LIGHTS):
        settings = {"lang": lang, "page": light, "speed": 0}
        context = browser.new_context(viewport={"width": width, "height": height})
        visitor = Visitor(context, site, settings)
        for view in views:
            if view == "match":
                visitor.begin("backgammon.p3")
            else:
                visitor.open(paths[view])
            _take(visitor.page, f"{view}-{width}x{height}-{lang}-{light}", whole=whole)
            taken += 1
        context.close()
    return taken


def main() -> None:
    """Take the pictures that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("views", nargs="*", metavar="VIEW", help="views to take; all without any")
    parser.add_argument("--whole", action="store_true", help="whole pages, not only what is seen first")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        site = LiveSite(Path(folder))
        site.start()
        try:
            with browsing() as browser:
                taken = _shoot(browser, site, options.views or list(VIEWS), whole=options.whole)
        finally:
            site.stop()
    print(f"{taken} pictures in {FOLDER.relative_to(CHECKOUT)}")


if __name__ == "__main__":
    main()
