"""What a frame of a match costs the main thread: python -m benchmarks.site.frame_times

Plays at one screen with real input while Chromium traces itself: the pointer over the board, a checker
dragged, turns by clicks with their animations, the throw, a dialog. Prints for each the processor time of
script, style and layout in a frame (median and worst of all frames that had any), how often style and layout
were computed and for how many elements, and, with the processor slowed four times, the longest task. Times
are processor time of the main thread: what else runs on the machine moves them less than a clock, but does
move them. Counts do not depend on it at all.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser
from tests.web.browser import browsing
from tests.web.site import LiveSite
from tests.web.visitor import Visitor

SLOWDOWN = 4
FRAME_MS, TASK_MS = 4.0, 50.0
"""What is asked for: script, style and layout of a frame at full speed; a task on the slowed processor."""
_SETTINGS = {"speed": 250, "confirm": "dice", "forced": "off", "autoroll": False, "sounds": False}
_CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"]
_STYLE, _LAYOUT = "UpdateLayoutTree", "Layout"
_WORK = {
    *("EventDispatch", "FunctionCall", "TimerFire", "FireAnimationFrame", "RunMicrotasks", "EvaluateScript"),
    *(_STYLE, _LAYOUT),
}
_FRAME_ENDS = "Commit"
_FRAME_US = 1_000_000 / 60
_SECONDS = 1.0
_THROWS = 400
"""How often a throw is asked for on a machine that has no time to answer."""
_TO_MOVE = "state.choices?.[0].next.length && board.controller.play"


@dataclass(slots=True)
class Cost:
    """What one kind of use costs; times in milliseconds of the main thread."""

    frames: int
    median: float
    worst: float
    over: int
    styles: int
    elements: int
    layouts: int
    longest_task: float = 0.0


def cost(events: Iterable[dict[str, Any]]) -> Cost:
    """Add up a trace, frame by frame: what is done between two frames belongs to the later one.

    Where nothing was to be drawn no frame is reported: then a pause of that length ends one.
    """
    all_events = list(events)
    main = _main_thread(all_events)
    work = [e for e in main if e.get("ph") == "X" and e["name"] in _WORK]
    ends = sorted(e["ts"] for e in main if e["name"] == _FRAME_ENDS)
    frames: dict[tuple[int, int], float] = {}
    covered = 0.0
    pauses = 0
    for event in sorted(work, key=lambda e: (e["ts"], -e["dur"])):
        # Style and layout that a script asks for are within its time already.
        if event["ts"] < covered:
            continue
        pauses += event["ts"] - covered > _FRAME_US
        covered = event["ts"] + event["dur"]
        frame = next((i for i, end in enumerate(ends) if end >= event["ts"]), len(ends)), pauses
        frames[frame] = frames.get(frame, 0.0) + event.get("tdur", event["dur"]) / 1000
    times = list(frames.values()) or [0.0]
    styles = [e for e in work if e["name"] == _STYLE]
    tasks = [e.get("tdur", e["dur"]) / 1000 for e in main if e.get("ph") == "X" and "RunTask" in e["name"]]
    return Cost(
        len(frames),
        statistics.median(times),
        max(times),
        sum(time > FRAME_MS for time in times),
        len(styles),
        sum(e.get("args", {}).get("elementCount", 0) for e in styles),
        sum(e["name"] == _LAYOUT for e in work),
        max(tasks, default=0.0),
    )


def _main_thread(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events of the page's own main thread: of all renderers' the one that dispatched most."""
    names = {
        (e["pid"], e["tid"])
        for e in events
        if e.get("name") == "thread_name" and e["args"].get("name") == "CrRendererMain"
    }
    busiest = max(names, key=lambda thread: sum((e["pid"], e["tid"]) == thread for e in events))
    return [e for e in events if (e["pid"], e["tid"]) == busiest]


# What is done at the board


def hover(visitor: Visitor) -> None:
    """The pointer goes over the whole board and back."""
    left, right = visitor.spot(13), visitor.spot(1)
    visitor.page.mouse.move(*left)
    visitor.page.mouse.move(*right, steps=40)
    visitor.page.mouse.move(*left, steps=40)


def drag(visitor: Visitor) -> None:
    """A checker is carried about and put down where it was."""
    x, y = visitor.spot(visitor.onward()[0][0])
    mouse = visitor.page.mouse
    mouse.move(x, y)
    mouse.down()
    for to in ((x + 200, y - 150), (x - 200, y - 200), (x, y)):
        mouse.move(*to, steps=20)
    mouse.up()


def turn(visitor: Visitor) -> None:
    """A turn by clicks, each while the checker before still moves, confirmed and seen to its end."""
    for _ in range(4):
        if onward := visitor.onward():
            visitor.page.mouse.click(*visitor.spot(onward[0][0]))
            visitor.page.wait_for_timeout(120)
    visitor.page.keyboard.press(" ")
    visitor.page.wait_for_timeout(1000 * _SECONDS)


def throw(visitor: Visitor) -> None:
    """The dice are thrown and settle."""
    to_move(visitor)
    visitor.page.wait_for_timeout(1000 * _SECONDS)


def keys(visitor: Visitor) -> None:
    """A dialog opens and closes."""
    visitor.page.keyboard.press("?")
    visitor.page.wait_for_timeout(500 * _SECONDS)
    visitor.page.keyboard.press("Escape")
    visitor.page.wait_for_timeout(500 * _SECONDS)


USES: dict[str, Callable[[Visitor], None]] = {
    "pointer over the board": hover,
    "checker dragged": drag,
    "turn by clicks": turn,
    "throw": throw,
    "dialog": keys,
}


def to_move(visitor: Visitor) -> None:
    """Throw until somebody has something to move; what cannot be played passes by itself."""
    may_roll = "document.querySelector('ssb-match').controls.allowed.includes('roll')"
    for _ in range(_THROWS):
        visitor.wait(f"{may_roll} || {_TO_MOVE}")
        if visitor.onward():
            return
        visitor.page.keyboard.press(" ")
        visitor.page.wait_for_timeout(150)
    raise RuntimeError(f"the dice are not thrown: {visitor.state()}")


def trace(browser: Browser, visitor: Visitor, use: Callable[[Visitor], None]) -> Cost:
    """Do something while the browser traces itself."""
    browser.start_tracing(page=visitor.page, categories=_CATEGORIES)
    use(visitor)
    return cost(json.loads(browser.stop_tracing())["traceEvents"])


def measure(
    browser: Browser, site: LiveSite, *, slowdown: int, card: str, times: int
) -> dict[str, list[Cost]]:
    """All uses in turn in one match, `times` over."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    visitor = Visitor(context, site, _SETTINGS)
    visitor.begin(card, {"kind": "hotseat"})
    visitor.page.context.new_cdp_session(visitor.page).send(
        "Emulation.setCPUThrottlingRate", {"rate": slowdown}
    )
    found: dict[str, list[Cost]] = {name: [] for name in USES}
    for _ in range(times):
        to_move(visitor)
        for name, use in USES.items():
            found[name].append(trace(browser, visitor, use))
    context.close()
    return found


def main() -> None:
    """Measure, print, and write down."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.site.frame_times", description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how often everything is done")
    parser.add_argument("--card", default="backgammon.p7", help="what is played")
    parser.add_argument("--out", type=Path, help="write the figures here, as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, browsing() as browser:
        site = LiveSite(Path(folder))
        site.start()
        try:
            fast, slow = (
                measure(browser, site, slowdown=rate, card=options.card, times=options.times)
                for rate in (1, SLOWDOWN)
            )
        finally:
            site.stop()
    print(f"Asked for: a frame within {FRAME_MS:g} ms, a task {SLOWDOWN} times slower within {TASK_MS:g} ms.")
    print("| use | frames | median | worst | over | styles (elements) | layouts | longest task, slowed |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, costs in fast.items():
        print(_row(name, costs, slow[name]))
    if options.out is not None:
        data = {
            how: {name: list(map(asdict, costs)) for name, costs in found.items()}
            for how, found in (("full speed", fast), (f"{SLOWDOWN} times slower", slow))
        }
        options.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _row(name: str, fast: list[Cost], slow: list[Cost]) -> str:
    """Medians of all times, but for the worst frame, which is the worst of all."""

    def middle(what: str) -> float:
        return float(statistics.median(getattr(each, what) for each in fast))

    cells = (
        name,
        f"{middle('frames'):.0f}",
        f"{middle('median'):.1f} ms",
        f"{max(each.worst for each in fast):.1f} ms",
        f"{middle('over'):.0f}",
        f"{middle('styles'):.0f} ({middle('elements'):.0f})",
        f"{middle('layouts'):.0f}",
        f"{statistics.median(each.longest_task for each in slow):.0f} ms",
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
