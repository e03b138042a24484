"""The whole site for browser tests: one server and one browser for all, a fresh visitor for a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, expect

from tests import waiting
from tests.web.browser import FOR_SHORT_VISITS, WITHOUT_WORKER, browsing
from tests.web.site import LiveSite, serving_site, sow
from tests.web.visitor import Visitor

Arrive: TypeAlias = Callable[..., Visitor]

_USUAL: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 800},
    "locale": "en-US",
    "reduced_motion": "reduce",
}
PATIENCE = 1000 * waiting.PATIENCE
"""Milliseconds for anything to appear."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(autouse=True)
def seed(request: pytest.FixtureRequest) -> str:
    """What all dice of this test follow from; `sow` changes it."""
    found = str(request.node.nodeid)
    sow(found)
    return found


# Of this package, not of the session: while Playwright runs, nothing else in the process may use asyncio.
@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A server that other tests have visited: who needs an empty lobby or a name starts one of their own."""
    with serving_site(tmp_path_factory.mktemp("site")) as found:
        yield found


@pytest.fixture(scope="package")
def _chromium() -> Iterator[Browser]:
    with browsing(*FOR_SHORT_VISITS) as found:
        yield found


@pytest.fixture
def chromium(_chromium: Browser) -> Iterator[Browser]:
    """A browser that nobody uses; what a test leaves open is closed."""
    yield _chromium
    for context in _chromium.contexts:
        context.close()


@pytest.fixture
def arrive(chromium: Browser, site: LiveSite, seed: str) -> Iterator[Arrive]:
    """A new visitor: a browser context of their own, with its cookies and storage.

    It has no service worker unless `service_workers="allow"` is passed, and nothing moves in it without
    `reduced_motion="no-preference"`.
    """
    visitors: list[Visitor] = []

    def come(settings: dict[str, Any] | None = None, **how: Any) -> Visitor:
        context = chromium.new_context(base_url=site.url, **_USUAL | WITHOUT_WORKER | how)
        context.set_default_timeout(PATIENCE)
        visitors.append(Visitor(context, site, settings, seed))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.leave()
        assert not visitor.faults
