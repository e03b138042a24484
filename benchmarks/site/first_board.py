"""From an address to a board: python -m benchmarks.site.first_board

Opens the address of a match in a browser that has never been at the site, again and again, and takes the
time from the beginning of the navigation to the frame in which the checkers stand on the board. The browser
and `sheshbesh serve` share the machine; the figure is one of a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser
from tests.waiting import until
from tests.web.browser import browsing
from tests.web.site import LiveSite

MARK = """(() => {
  // The board is drawn in a shadow tree that no observer of the document sees.
  const look = () => {
    const root = document.querySelector("ssb-board")?.renderRoot;
    if (root?.querySelector(".piles :is(.piece, rect)")) performance.mark("sheshbesh.board");
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
DRAW = """async (times) => {
  const { layout, state } = document.querySelector("ssb-board");
  const took = [];
  for (let i = 0; i < times; i++) {
    const begun = performance.now();
    const board = Object.assign(document.createElement("ssb-board"), { layout, state });
    document.body.append(board);
    await board.updateComplete;
    board.getBoundingClientRect();
    took.push(performance.now() - begun);
    board.remove();
  }
  return took;
}"""
_FOUND = "performance.getEntriesByName('sheshbesh.board')[0]?.startTime"
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
}


def begin(browser: Browser, url: str, card: str) -> tuple[str, Any]:
    """A match of two at one screen; its address, and the cookies of its player."""
    context = browser.new_context()
    for path, body in (("guest", {}), ("matches", {"card": card, "opponent": {"kind": "hotseat"}})):
        answer = context.request.post(f"{url}/api/v1/{path}", data=body, headers={"Origin": url})
        assert answer.ok, answer.text()
    address = url + answer.json()["url"]
    page = context.new_page()
    page.goto(address)
    page.locator("ssb-board svg").wait_for()
    state = context.storage_state()
    context.close()
    return address, state


def time_to_board(browser: Browser, address: str, **how: Any) -> float:
    """Milliseconds from the navigation to the drawn board, with nothing in the cache."""
    context = browser.new_context(**how)
    context.add_init_script(MARK)
    page = context.new_page()
    page.goto(address)
    until(lambda: page.evaluate(_FOUND) is not None)
    found = page.evaluate(_FOUND)
    context.close()
    return float(found)


def time_to_draw(browser: Browser, address: str, times: int, **how: Any) -> list[float]:
    """Milliseconds in which one more board is drawn in a page that has one, each time anew."""
    context = browser.new_context(**how)
    page = context.new_page()
    page.goto(address)
    page.locator("ssb-board svg").wait_for()
    found: list[float] = page.evaluate(DRAW, times)
    context.close()
    return sorted(found)


def main() -> None:
    """Measure, print, and write down."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.site.first_board", description=__doc__)
    parser.add_argument("--times", type=int, default=15, help="how often the address is opened")
    parser.add_argument("--card", default="backgammon.p3", help="what is played there")
    parser.add_argument("--out", type=Path, help="write the figures here, as JSON")
    options = parser.parse_args()
    figures: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, browsing() as browser:
        site = LiveSite(Path(folder))
        site.start()
        try:
            address, state = begin(browser, site.url, options.card)
            for name, how in (("desktop", {}), ("telephone", PHONE)):
                times = sorted(
                    time_to_board(browser, address, storage_state=state, **how) for _ in range(options.times)
                )
                figures[name] = [round(ms) for ms in times]
                median, worst = statistics.median(times), times[-1]
                print(f"{name}: median {median:.0f} ms, worst {worst:.0f} ms of {options.times}")
            drawn = time_to_draw(browser, address, options.times, storage_state=state)
            figures["one more board"] = [round(ms) for ms in drawn]
            print(f"one more board: best {drawn[0]:.0f} ms, median {statistics.median(drawn):.0f} ms")
        finally:
            site.stop()
    if options.out is not None:
        options.out.write_text(json.dumps(figures) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
