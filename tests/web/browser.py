"""A browser for tests: Chromium through Playwright, and the checkout served to it as files."""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.waiting import PATIENCE

CHECKOUT = Path(__file__).parents[2]
_AXE = CHECKOUT / "tools" / "web" / "node_modules" / "axe-core" / "axe.min.js"
_CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""In the order of what they cost: the one without a window needs half the processor time of the others."""
_NO_COMPLAINT = re.compile("status of 401|blocked by Playwright")
WITHOUT_WORKER: dict[str, Any] = {"service_workers": "block"}
"""For a context of its own: no service worker, which fetches all files of the page once more to keep them for
offline use. That takes as long as showing a board, so only tests of what is kept allow it."""
WITHOUT_ENGINE = "delete globalThis.WebAssembly"
"""A script for pages that cannot run the engine: the server's is asked."""
FOR_SHORT_VISITS = ("--js-flags=--no-opt,--no-maglev", "--force-gpu-mem-available-mb=0")
"""Arguments of the browser that halve the processor time of a visit. No page of a test lives long enough for
what its code costs to be optimised. Without memory for tiles nothing is painted: pages are laid out and their
frames come as ever, but pictures of them are empty."""
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


def answered(page: Page, work: str, argument: Any = None, *, seconds: float = PATIENCE) -> Any:
    """Return what an asynchronous function of a page comes to, an error where nothing comes in time.

    Playwright itself waits for ever: for what no worker, cache or line answers any more, too.
    """
    late = f"new Promise((_, no) => setTimeout(() => no(new Error('nothing comes')), {1000 * seconds:.0f}))"
    return page.evaluate(f"(given) => Promise.race([({work})(given), {late}])", argument)


def faults(page: Page) -> list[str]:
    """Return what axe finds wrong on a page, and whether something is wider than the window."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    found = [
        f"{problem['id']}: {[node['html'][:200] for node in problem['nodes']]}"
        for problem in answered(
            page, "async () => (await axe.run({ resultTypes: ['violations'] })).violations"
        )
        if problem["impact"] in ("moderate", "serious", "critical")
    ]
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*found, "wider than the window"] if wide else found


def complaints(page: Page) -> list[str]:
    """Return a list that grows by what the browser complains of, unless nobody is signed in."""
    found: list[str] = []

    def hear(line: ConsoleMessage) -> None:
        if line.type in ("error", "warning") and not _NO_COMPLAINT.search(line.text):
            found.append(f"{page.url}: {line.text}")

    page.on("console", hear)
    return found


def choose_game(page: Page, game: str) -> None:
    """Choose a game on the front page, among all of them."""
    page.locator(".games button.all").click()
    page.locator(f'.games .tile[href="/play/{game}"]').click()


@contextmanager
def serving() -> Iterator[str]:
    """Serve the checkout on this machine; yields the address."""
    handler = functools.partial(_Files, directory=str(CHECKOUT))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def browsing(*arguments: str) -> Iterator[Browser]:
    """A browser of this machine; `make test` installs it where it may."""
    path = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if path is None:
        pytest.fail("these tests drive Chromium, and there is none: install Debian's package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*_ARGUMENTS, *arguments])
        try:
            yield browser
        finally:
            browser.close()
