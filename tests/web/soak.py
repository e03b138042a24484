"""Whole games of every kind through the page: python -m tests.web.soak [--games tapa tavla] [--rounds 1]

One after the other against the weakest level, by keys and buttons, in a real browser. Says how each ended,
and leaves with 1 if one did not.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import product
from pathlib import Path
from time import monotonic

from playwright.sync_api import Browser

import sheshbesh as sb
from tests.waiting import PATIENCE
from tests.web.browser import browsing
from tests.web.site import LiveSite, sow
from tests.web.visitor import Visitor


def play(browser: Browser, site: LiveSite, game: str) -> str | None:
    """Play a game to its end; what was wrong, or None."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(1000 * PATIENCE)
    visitor = Visitor(context, site)
    try:
        visitor.begin(f"{game}.p1")
        visitor.wait("state.board")
        end = visitor.play_on()
    finally:
        context.close()
    if visitor.faults:
        return f"the page complained: {visitor.faults}"
    return None if end["phase"] == "over" and end["winner"] else f"it stopped: {end}"


def main() -> int:
    """Play, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.soak", description=__doc__)
    parser.add_argument("--games", nargs="*", default=sb.variants(), help="all of them, if none is named")
    parser.add_argument("--rounds", type=int, default=1, help="games of each")
    wish = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as folder, browsing() as browser:
        site = LiveSite(Path(folder))
        site.start()
        try:
            for game, number in product(wish.games, range(wish.rounds)):
                began = monotonic()
                sow(f"{game} {number}")
                fault = play(browser, site, game)
                faults += fault is not None
                print(f"{game}: {fault or 'played to its end'}, {monotonic() - began:.0f} s", flush=True)
        finally:
            site.stop()
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
