"""The page of a review in a browser, from a file: it draws its boards and asks the network for nothing."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from sheshbesh.reviews import review
from tests.reviews.test_review import short


def test_the_page_of_a_review_draws_every_board_and_filters_its_errors(
    chromium: Browser, tmp_path: Path
) -> None:
    review(short(), plies=0, workers=1).to_html(tmp_path / "a.html", "fa")
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    asked: list[str] = []
    problems: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((tmp_path / "a.html").as_uri())
    articles = page.locator("article")
    page.wait_for_function(
        "() => [...document.querySelectorAll('article')].every(a => a.querySelector('ssb-board')?.shadowRoot"
        "?.querySelector('.piles'))"
    )
    assert articles.count() > 1
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator("select").first.select_option("black")
    shown = page.locator("article:visible")
    assert 0 < shown.count() < articles.count()
    assert {each.get_attribute("data-side") for each in shown.all()} == {"black"}
    assert problems == [] and all(url.startswith(("file:", "data:")) for url in asked)
