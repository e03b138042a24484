"""No engine answers, or the server does not: that is said, and what was asked for can be asked for again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browser import WITHOUT_ENGINE
from tests.web.conftest import Arrive
from tests.web.site import engines, sow
from tests.web.visitor import QUICK, Visitor

_WAITING = 90_000
"""Milliseconds after which the page no longer waits for a line of a rollout."""


@pytest.fixture
def visitor(arrive: Arrive) -> Visitor:
    found = arrive(QUICK | {"autoroll": False, "forced": "off", "confirm": "dice"})
    found.context.add_init_script(WITHOUT_ENGINE)
    return found


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor.page


@pytest.fixture
def _engineless() -> Iterator[None]:
    """No engine process runs."""
    with engines("gone"):
        yield


def _to_move(visitor: Visitor, seed: str) -> None:
    """Begin a match with the tutor; by these seeds White begins, and throws once more."""
    sow(seed)
    visitor.begin("tavla.p1", tutor=True, side="white")
    visitor.to_move()


@pytest.fixture
def _crowded() -> Iterator[None]:
    """The queue takes no question of a player for now; matches go on."""
    with engines("crowded"):
        yield


@pytest.mark.usefixtures("_crowded")
def test_a_full_queue_is_said_with_the_way_on(visitor: Visitor) -> None:
    page = visitor.page
    _to_move(visitor, "a full queue 2")
    page.keyboard.press("h")
    said = "too many questions wait for the tutor already: ask again in a moment"
    expect(page.locator(".say .reason")).to_contain_text(said)
    expect(page.get_by_text("The tutor is thinking")).to_have_count(0)
    # Played on meanwhile, also where the play is not judged.
    visitor.take_turn()
    expect(page.locator(".say .reason")).to_have_count(0)
    visitor.open("/analysis?card=backgammon.m")
    for what in ("Evaluate", "Roll out"):
        page.get_by_role("button", name=what, exact=True).click()
        refused = page.get_by_role("alert")
        expect(refused).to_contain_text("too many questions wait already: try again in a moment")
        refused.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("button", name=what, exact=True)).to_be_enabled()


@pytest.mark.usefixtures("_engineless")
def test_the_analysis_board_says_that_no_engine_answers_and_asks_again(visitor: Visitor, page: Page) -> None:
    visitor.open("/analysis?card=backgammon.m")
    for what, path in (("Evaluate", "ask"), ("Roll out", "rollout")):
        page.get_by_role("button", name=what, exact=True).click()
        missing = page.get_by_role("alert")
        expect(missing).to_contain_text("the engine has no answer to this just now")
        with page.expect_response(f"**/api/v1/analysis/{path}"):
            missing.get_by_role("button", name="Try again").click()
        expect(missing).to_have_count(1)
        expect(page.get_by_role("button", name=what, exact=True)).to_be_enabled()
        expect(page.get_by_text("The first games are being played")).to_have_count(0)


def test_a_rollout_of_which_nothing_comes_is_given_up(visitor: Visitor, page: Page) -> None:
    page.clock.install()
    visitor.hold("**/api/v1/analysis/rollout")
    visitor.open("/analysis?card=backgammon.m")
    with page.expect_request("**/api/v1/analysis/rollout"):
        page.get_by_role("button", name="Roll out").click()
    expect(page.get_by_text("The first games are being played")).to_be_visible()
    page.clock.fast_forward(_WAITING)
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
    expect(page.get_by_role("alert").get_by_role("button", name="Try again")).to_be_visible()


@pytest.mark.usefixtures("_engineless")
def test_a_hint_that_cannot_be_given_is_refused_and_may_be_asked_for_again(visitor: Visitor) -> None:
    page = visitor.page
    reason = page.locator(".say .reason")
    _to_move(visitor, "no hint 1")
    for _ in range(2):
        page.keyboard.press("h")
        expect(reason).to_contain_text("the tutor has no answer to this just now")
        expect(page.get_by_text("The tutor is thinking")).to_have_count(0)


_REVIEW: dict[str, Any] = {
    "id": "r",
    "source": "match",
    "source_id": "m",
    "file": None,
    "variant": "tavla",
    "error": "",
    "progress": {"done": 1, "total": 9},
    "created": 0,
    "plies": 2,
    "you": None,
    "before": 0,
    "report": None,
    "players": {"white": "A", "black": "B"},
    "levels": {"white": None, "black": None},
    "rates": {"white": None, "black": None},
    "repairs": [],
    "more_repairs": 0,
    "share": None,
    "names": False,
    "public": False,
}


def _told(state: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(json=_REVIEW | {"state": state})


def test_a_review_that_cannot_be_had_or_has_failed_is_asked_for_again(visitor: Visitor, page: Page) -> None:
    where = "**/api/v1/reviews/r?*"
    page.route(where, _told("running"))
    page.goto("/review/r")
    expect(page.get_by_role("status").filter(has_text="Being reviewed: 1 of 9")).to_be_visible()
    page.route(where, lambda route: route.abort())
    missing = page.get_by_role("alert")
    expect(missing).to_contain_text("cannot be reached")
    page.route(where, _told("failed"))
    expect(missing).to_contain_text("could not be reviewed")
    page.route("**/api/v1/reviews", lambda route: route.fulfill(json={"id": "r"}))
    page.route(where, _told("waiting"))
    with page.expect_request("**/api/v1/reviews") as asked:
        page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("status").filter(has_text="Waiting: 0 reviews")).to_be_visible()
    assert asked.value.post_data_json == {"match": "m", "plies": 2}
