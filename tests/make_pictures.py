"""Makes the pictures of the documentation: python -m tests.make_pictures

Starts the site on an empty database and photographs a match against the computer, and the board of another
game alone, with chromium. The dice are new each time, and so are the pictures.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image  # comes with matplotlib, of the extra `train`
from playwright.sync_api import Browser, Page

from tests.waiting import until
from tests.web.browser import browsing
from tests.web.site import LiveSite

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
COLOURS = 96
"""A palette this small keeps each picture well below 150 kB."""


def match_page(browser: Browser, url: str, card: str, opponent: dict[str, str], width: int) -> Page:
    """The page of a new match, with the board drawn."""
    context = browser.new_context(viewport={"width": width, "height": round(width * 0.625)})
    for path, body in (("guest", {}), ("matches", {"card": card, "opponent": opponent})):
        answer = context.request.post(f"{url}/api/v1/{path}", data=body, headers={"Origin": url})
        assert answer.ok, answer.text()
    page = context.new_page()
    page.goto(url + answer.json()["url"])
    page.locator("ssb-board svg").wait_for()
    return page


_STANDS = "document.getAnimations().every((each) => each.playState !== 'running')"
_MINE = f"""{_STANDS} && (({{ state, viewer }}) => state.turn && state.on_roll === viewer)(
  document.querySelector("ssb-board"))"""
"""Whether nothing moves, and the viewer has dice to play."""


def main() -> None:
    """Make both pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browsing() as browser:
        site = LiveSite(Path(folder))
        site.start()
        try:
            page = match_page(browser, site.url, "backgammon.p5", {"kind": "engine", "level": "club"}, 1120)
            until(lambda: page.evaluate(_MINE))
            page.screenshot(path=IMAGES / "page.png")
            page = match_page(browser, site.url, "long_nardy.p1", {"kind": "hotseat"}, 900)
            until(lambda: page.evaluate(_STANDS))
            page.locator("ssb-board").screenshot(path=IMAGES / "board.png")
        finally:
            site.stop()
    for file in sorted(IMAGES.glob("*.png")):
        Image.open(file).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
        print(f"{file.name}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
