"""The core in Chromium: the module that it can run is found, and both give the same bits as natively."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import sheshbesh as sb
from tests.engine.test_wasm import AT_LENGTH, USUAL, Sizes, compare, compare_cubes
from tests.sizes import sampled
from tests.web.browser import serving

EVERY_TIME = {"relaxed": sb.variants()[1::7], "simd": ("tapa",)}
"""The games in which a module is asked every time; node asks the plain one in others."""

CASES = [
    (build, name, sizes) for sizes in (USUAL, AT_LENGTH) for build in EVERY_TIME for name in sb.variants()
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as found:
        yield found


@pytest.fixture
def page(chromium: Browser, address: str) -> Page:
    found = chromium.new_page()
    found.goto(f"{address}/src/sheshbesh/web/engine/rules.json")
    return found


def test_the_build_with_relaxed_vectors_is_chosen(page: Page) -> None:
    assert (
        page.evaluate("""async () => {
      const { buildFor } = await import("/src/sheshbesh/web/engine/builds.js");
      return buildFor();
    }""")
        == "relaxed"
    )


def ask(page: Page, asked: dict[str, Any]) -> Any:
    """What the core answers in a page."""
    return page.evaluate(
        """async (asked) => {
          const { answer } = await import("/tests/web/ask-core.js");
          const read = async (path) =>
            new Uint8Array(await (await fetch(`/${path}`)).arrayBuffer());
          return answer(asked, read);
        }""",
        asked,
    )


@pytest.mark.parametrize(
    ("build", "name", "sizes"),
    sampled(CASES, lambda case: case[2] is USUAL and case[1] in EVERY_TIME[case[0]]),
)
def test_both_modules_give_the_same_bits(page: Page, build: str, name: str, sizes: Sizes) -> None:
    assert compare(build, name, sizes, partial(ask, page))["isa"] == f"wasm_{build}"


@pytest.mark.parametrize("build", EVERY_TIME)
def test_the_whole_proof_holds_and_the_cube_is_worth_the_same(page: Page, build: str) -> None:
    compare_cubes(build, partial(ask, page))
