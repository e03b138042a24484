"""A browser for tests: Chromium through Playwright, and the checkout served to it as files."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHECKOUT = Path(__file__).parents[2]
_CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""In the order of what they cost: the one without a window needs half the processor time of the others."""
WITHOUT_WORKER: dict[str, Any] = {"service_workers": "block"}
"""For a context of its own: no service worker, which fetches all files of the page once more to keep them for
offline use. That takes as long as showing a board, so only tests of what is kept allow it."""
WITHOUT_ENGINE = "delete globalThis.WebAssembly"
"""A script for pages that cannot run the engine: the server's is asked."""
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

_TWO_FRAMES = """() => new Promise((done) => {
  let left = 3;
  const next = () => (left-- ? requestAnimationFrame(next) : done());
  next();
})"""


class _Files(http.server.SimpleHTTPRequestHandler):
    """The checkout's files, with the types modules need, and nothing in the log."""

    extensions_map = {  # noqa: RUF012, as the class it comes from
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".json": "application/json",
    }

    def log_message(self, *_args: Any) -> None:
        """Say nothing."""


def resize(page: Page, width: int, height: int) -> None:
    """Give the window another size, and wait until the page is laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    # The board hears of its new size when a frame is drawn, and is drawn anew in the next one.
    page.evaluate(_TWO_FRAMES)


def choose_game(page: Page, game: str) -> None:
    """Choose a game on the front page, among all of them."""
    page.locator(".games button.all").click()
    page.locator(f'.games .tile[href="/play/{game}"]').click()


@contextmanager
def serving() -> Iterator[str]:
    """Serve the checkout on this machine; yields the address."""
    handler = functools.partial(_Files, directory=str(CHECKOUT))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser of this machine; `make test` installs it where it may."""
    path = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if path is None:
        pytest.fail("these tests drive Chromium, and there is none: install Debian's package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
