"""The whole site for browser tests: one server and one browser for a file, a fresh visitor for a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import browsing
from tests.web.site import LiveSite
from tests.web.visitor import Visitor

Arrive: TypeAlias = Callable[..., Visitor]

PATIENCE = 40_000
"""Milliseconds for anything to appear on a machine that runs all tests at once."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    found = LiveSite(tmp_path_factory.mktemp("site"))
    found.start()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture
def arrive(chromium: Browser, site: LiveSite) -> Iterator[Arrive]:
    """A new visitor: a browser context of their own, with its cookies and storage."""
    visitors: list[Visitor] = []

    def come(settings: dict[str, Any] | None = None, **how: Any) -> Visitor:
        how.setdefault("viewport", {"width": 1280, "height": 800})
        context = chromium.new_context(**how)
        context.set_default_timeout(PATIENCE)
        visitors.append(Visitor(context, site, settings))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.context.close()
        assert not visitor.faults
