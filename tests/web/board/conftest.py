"""A board in a browser, fed with the fixtures of real matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page

from tests.waiting import until
from tests.web.browser import serving
from tests.web.visitor import spot


class BoardPage:
    """The demonstration page with one board, and what it has said."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def do(self, script: str, argument: Any = None) -> Any:
        """Run a script in the page, where `board` is the element."""
        return self.page.evaluate(script, argument)

    def until(self, script: str) -> None:
        """Wait for something to become true in the page."""
        until(lambda: self.do(script))

    def elapse(self, ms: int) -> None:
        """Let time pass in a page that was opened with `still`."""
        self.page.clock.run_for(ms)

    def heard(self, *types: str) -> list[list[Any]]:
        """The events since the last time, of these types (without `ssb-`), or all but progress."""
        events: list[list[Any]] = self.do("heard.splice(0)")
        return [e for e in events if (e[0] in types if types else e[0] != "progress")]

    @property
    def path(self) -> list[list[int]]:
        """The hops of the turn so far, origin and target."""
        found: list[list[int]] = self.do(
            "(board.controller.play?.turn.path ?? []).map((h) => [h.origin, h.target])"
        )
        return found

    def at(self, number: int, depth: int = 60) -> tuple[float, float]:
        """Where the own number of the side on roll (26 bar, 0 tray) lies on the screen."""
        return spot(self.page, number, "ssb-board", depth=depth)

    def click(self, number: int, **how: Any) -> None:
        """Click a point."""
        self.page.mouse.click(*self.at(number), **how)

    def drag(self, origin: int, target: int) -> None:
        """Drag a checker from one point to another."""
        self.page.mouse.move(*self.at(origin))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(target), steps=6)
        self.page.mouse.up()

    def dice(self) -> None:
        """Click the dice of the side on roll."""
        x, y = self.do(
            """() => {
              const { frame } = board;
              const box = board.renderRoot.querySelector("svg").getBoundingClientRect();
              const { x, y } = frame.dice(board.state.on_roll);
              return [box.left + (x * box.width) / frame.width, box.top + (y * box.width) / frame.width];
            }"""
        )
        self.page.mouse.click(x, y)

    def change(self, script: str) -> None:
        """Give the board a changed state: `script` is the body of a function of a copy, `s`."""
        changed = f"const s = structuredClone(board.state); {script}; board.state = s;"
        self.do(f"async () => {{ {changed} await board.updateComplete; }}")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The checkout as a site."""
    with serving() as found:
        yield found


OpenBoard = Callable[..., BoardPage]


class _Boards:
    """Opens boards: in the page of the board before, unless another kind of browser is asked for."""

    def __init__(self, chromium: Browser, address: str) -> None:
        self._chromium, self._address = chromium, address
        self._kept: Page | None = None
        self._others: list[Page] = []
        self.problems: list[str] = []

    def _new_page(self, **how: Any) -> Page:
        page = self._chromium.new_page(**how)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda line: self.problems.extend([line.text] * (line.type == "error")))
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        return page

    def __call__(
        self,
        game: str = "backgammon",
        size: tuple[int, int] = (900, 760),
        context: dict[str, Any] | None = None,
        *,
        still: bool = False,
        **asked: object,
    ) -> BoardPage:
        """Open one: keyword arguments are preferences, `size` and `context` the browser's.

        The place of a tap keeps its meaning for no time, except where time stands `still`.
        """
        query = urlencode({"game": game, "speed": 0, **({} if still else {"guard": 0}), **asked})
        width, height = size
        if self._kept is not None and not still and context is None:
            page = self._kept
            page.mouse.move(0, 0)
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("(query) => show(query)", query)
            return BoardPage(page)
        page = self._new_page(viewport={"width": width, "height": height}, **(context or {}))
        if still:
            page.clock.install(time=0)
        page.goto(f"{self._address}/tests/web/board/demo.html?{query}")
        page.locator("ssb-board svg").wait_for()
        if still:
            page.clock.pause_at(3600)
        if still or context is not None:
            self._others.append(page)
        else:
            self._kept = page
        return BoardPage(page)

    def end(self) -> None:
        """Close the pages of one test, none of which may have complained."""
        for page in self._others:
            page.context.close()
        self._others.clear()
        problems, self.problems = self.problems, []
        assert not problems, problems

    def close(self) -> None:
        """Close them all."""
        if self._kept is not None:
            self._kept.context.close()


@pytest.fixture(scope="module")
def _boards(_chromium: Browser, address: str) -> Iterator[_Boards]:
    found = _Boards(_chromium, address)
    yield found
    found.close()


@pytest.fixture
def open_board(_boards: _Boards) -> Iterator[OpenBoard]:
    """Opens boards."""
    yield _boards
    _boards.end()
