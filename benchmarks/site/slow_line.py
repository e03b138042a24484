"""The first visit over a slow connection: python -m benchmarks.site.slow_line

Opens the front page and a match in a browser that has never been at the site, with 150 ms a round trip,
1.6 Mbit/s and a processor four times slower (`--times N` of each; `--latency` and `--kbit` for another line).
Prints the size of all that was requested until the page could be used, how many round trips followed the
page itself, when something of it was painted, when it could be used, and the longest task of the main thread.
The processor is slowed by the browser, so the times are those of a machine that does nothing else; bytes and
round trips are exact. `make pack` first, to measure what a release serves.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from playwright.sync_api import Browser, Page
from tests.web.browser import browsing
from tests.web.site import LiveSite

from benchmarks.site.first_board import PHONE, begin

LATENCY_MS, KBIT, SLOWDOWN = 150, 1600, 4
_TIMEOUT = 60.0

WATCH = """(() => {
  const tasks = (globalThis.longTasks = []);
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask", buffered: true });
  // Usable: the checkers stand on the board, and taps on it are handled.
  const look = () => {
    const root = document.querySelector("ssb-board")?.renderRoot;
    if (root?.querySelector(".piles :is(.piece, rect)")) performance.mark("sheshbesh.usable");
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_USABLE = "performance.getEntriesByName('sheshbesh.usable')[0]?.startTime"
# The icon is left out: the browser requests it at any time.
_TIMES = """performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
  .filter(({ name }) => name !== document.querySelector("link[rel=icon]").href)
  .map(({ name, fetchStart, responseEnd }) => [name, fetchStart, responseEnd])"""

Asked = tuple[str, float, float]
"""A request: its address, and when it began and ended, in milliseconds from the start of the navigation."""


@dataclass(slots=True)
class Visit:
    """One first visit: bytes as they travelled, times in milliseconds from the start of the navigation.

    `sizes` are those of all that was asked for until the page could be used, `rounds` what was asked for in
    each round trip after the page itself.
    """

    painted: float = 0.0
    usable: float = 0.0
    longest_task: float = 0.0
    sizes: dict[str, int] = field(default_factory=dict)
    rounds: list[list[str]] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """The size of all of it."""
        return sum(self.sizes.values())


def rounds(times: Iterable[Asked], until: float) -> list[list[str]]:
    """What was asked for, each time after something of the time before was answered, after the HTML.

    `times` are the requests, the page itself first, of which those count that were answered by `until`. What
    waits for a free connection was asked for already: that depends on the connection, not on the page.
    """
    _, *rest = times
    found = []
    waiting = [each for each in rest if 0 < each[2] <= until]
    while waiting:
        # What was asked for before the first answer of this round came belongs to it.
        first = min(ended for _, _, ended in waiting)
        found.append([path_of(name) for name, began, _ in waiting if began < first])
        waiting = [each for each in waiting if each[1] >= first]
    return found


def path_of(address: str) -> str:
    """An address without the site's."""
    return f"/{address.split('/', 3)[-1]}"


def visit(
    browser: Browser,
    address: str,
    *,
    slow: bool = True,
    latency: int = LATENCY_MS,
    kbit: int = KBIT,
    **how: Any,
) -> Visit:
    """Open an address once with nothing in the cache, on a slow connection and processor if `slow`."""
    context = browser.new_context(**how)
    try:
        context.add_init_script(WATCH)
        page = context.new_page()
        return _watch(page, address, (latency, kbit) if slow else None)
    finally:
        context.close()


def _watch(page: Page, address: str, slow: tuple[int, int] | None) -> Visit:
    found, names, sizes = Visit(), dict[str, str](), dict[str, int]()
    protocol = page.context.new_cdp_session(page)
    protocol.on(
        "Network.requestWillBeSent", lambda sent: names.update({sent["requestId"]: sent["request"]["url"]})
    )
    protocol.on(
        "Network.loadingFinished",
        lambda done: sizes.update({names.get(done["requestId"], "?"): int(done["encodedDataLength"])}),
    )
    protocol.send("Network.enable")
    if slow is not None:
        latency, kbit = slow
        line = {
            "offline": False,
            "latency": latency,
            "downloadThroughput": kbit * 125,
            "uploadThroughput": kbit * 125,
        }
        protocol.send("Network.emulateNetworkConditions", line)
        protocol.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.goto(address)
    until = monotonic() + _TIMEOUT
    while (usable := page.evaluate(_USABLE)) is None:
        if monotonic() > until:
            raise RuntimeError(f"nothing to use at {address}: {page.locator('main').inner_text()}")
        page.wait_for_timeout(50)
    # A request is listed when it has ended.
    page.wait_for_load_state("networkidle")
    times: list[Asked] = page.evaluate(_TIMES)
    found.painted = float(page.evaluate(_PAINTED) or 0.0)
    found.usable, found.rounds = float(usable), rounds(times, float(usable))
    later = {name for name, began, _ in times if began > found.usable}
    found.sizes = {path_of(name): size for name, size in sizes.items() if name not in later}
    found.longest_task = max(page.evaluate("longTasks"), default=0.0)
    return found


def main() -> None:
    """Measure, print, and write a file if one is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.site.slow_line", description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how often each address is opened")
    parser.add_argument("--latency", type=int, default=LATENCY_MS, help="milliseconds of a round trip")
    parser.add_argument("--kbit", type=int, default=KBIT, help="kilobits a second, each way")
    parser.add_argument("--lang", default="en-US", help="the language of the browser")
    parser.add_argument(
        "--sizes", action="store_true", help="list what travelled, the largest first, and in which round trip"
    )
    parser.add_argument("--out", type=Path, help="write the figures here, as JSON")
    options = parser.parse_args()
    figures: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as folder, browsing() as browser:
        site = LiveSite(Path(folder))
        site.start()
        try:
            match, state = begin(browser, site.url, "backgammon.p3")
            pages: tuple[tuple[str, str, dict[str, Any]], ...] = (
                ("front page", site.url, {}),
                ("match", match, {"storage_state": state}),
            )
            for name, address, how in pages:
                visits = [
                    visit(
                        browser,
                        address,
                        latency=options.latency,
                        kbit=options.kbit,
                        locale=options.lang,
                        **{**PHONE, **how},
                    )
                    for _ in range(options.times)
                ]
                figures[name] = [asdict(one) | {"bytes": one.bytes} for one in visits]
                _print(name, visits, with_sizes=options.sizes)
        finally:
            site.stop()
    if options.out is not None:
        options.out.write_text(json.dumps(figures) + "\n", encoding="utf-8")


def _print(name: str, visits: list[Visit], *, with_sizes: bool) -> None:
    usable = [one.usable for one in visits]
    print(
        f"{name}: {max(one.bytes for one in visits) / 1024:.0f} KB, "
        f"{max(len(one.rounds) for one in visits)} round trips after the page, "
        f"painted after {statistics.median(one.painted for one in visits):.0f} ms, "
        f"usable after {statistics.median(usable):.0f} ms (worst {max(usable):.0f}), "
        f"longest task {max(one.longest_task for one in visits):.0f} ms"
    )
    if with_sizes:
        for path, size in sorted(visits[-1].sizes.items(), key=lambda item: -item[1]):
            print(f"  {size / 1024:6.1f} KB  {path}")
        for number, asked in enumerate(visits[-1].rounds, 1):
            print(f"  round trip {number}: {' '.join(asked)}")


if __name__ == "__main__":
    main()
