"""The match page on screens of all sizes: everything in sight, nothing over a button, nothing that moves."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.sizes import sampled
from tests.waiting import until
from tests.web.browser import resize
from tests.web.conftest import Arrive
from tests.web.visitor import BY_HAND, QUICK, TWO, Visitor

_SIZES = [
    (320, 568),
    (360, 640),
    (360, 740),
    (390, 844),
    (740, 360),
    (768, 740),
    (768, 1024),
    (960, 600),
    (1024, 768),
]
_LARGE = [(1280, 800), (1920, 1080)]
_SOME = [*_SIZES[::4], _LARGE[-1]]

_READY = (
    "state.phase === 'over' || (state.choices && board.controller.mover)"
    " || (state.phase === 'roll' && state.allowed.includes('roll'))"
)

_PARTS = """() => {
  // The buttons that can be seen, with what lies on top in their middle, and the boxes of the parts.
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height];
  };
  const all = [...document.querySelectorAll(".match-view button, .match-view a.button")];
  const seen = all.filter((each) => each.checkVisibility());
  const covered = seen.filter((each) => {
    const [x, y, width, height] = box(each);
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return !(top && (each.contains(top) || top.contains(each) && top.closest(".say")));
  });
  const bar = [...document.querySelectorAll(".match-view > .actions > :is(button, .button)")];
  return {
    covered: covered.map((each) => each.outerHTML.slice(0, 120)),
    bar: bar.map(box),
    say: box(document.querySelector(".say")),
    board: box(document.querySelector("ssb-board")),
    svg: box(document.querySelector("ssb-board").renderRoot.querySelector("svg")),
    page: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
    inner: (({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector("main")),
    clipped: [...document.querySelectorAll(".plate .sub > span, .match-view > .actions .two-lines")]
      .filter((each) => {
        // What has fallen into the second line of a plate is not seen at all.
        const line = each.closest(".sub")?.getBoundingClientRect() ?? each.getBoundingClientRect();
        const { top, left, right } = each.getBoundingClientRect();
        const cut = each.scrollWidth > each.clientWidth + 1;
        const sticks = left < line.left - 1 || right > line.right + 1 || cut;
        return top < line.bottom - 4 && each.localName !== "svg" && each.clientWidth > 0 && sticks;
      })
      .map((each) => each.textContent),
  };
}"""


_STANDS = "document.getAnimations().every((each) => each.playState !== 'running')"
"""True if nothing on the page moves."""


_TAPPED_TWICE = """async ([guard, then]) => {
  const view = document.querySelector("ssb-match");
  const board = document.querySelector("ssb-board");
  const button = (text) => [...view.querySelectorAll(".match-view > .actions button")]
    .find((each) => each.textContent.includes(text));
  board.guard = guard;
  button("Double").click();
  await board.updateComplete;
  await view.updateComplete;
  const text = button("Double to").textContent.trim();
  button("Double to").click();
  if (then) button(then).click();
  return [text, board.state.phase];
}"""


def at_size(visitor: Visitor, size: tuple[int, int]) -> dict[str, Any]:
    """Give the window another size; where everything lies then."""
    resize(visitor.page, *size)
    found: dict[str, Any] = visitor.page.evaluate(_PARTS)
    return found


def complaints(parts: dict[str, Any], size: tuple[int, int]) -> list[str]:
    """What is out of sight, covered, clipped or too small."""
    width, height = size
    found = [f"{what}: {each}" for what in ("covered", "clipped") for each in parts[what]]
    if parts["page"][0] > width or parts["page"][1] > height or parts["inner"] > 0:
        found.append(f"has to be scrolled: {parts['page']}, {parts['inner']}")
    for x, y, w, h in parts["bar"]:
        if x < 0 or y < 0 or x + w > width or y + h > height:
            found.append(f"a button is out of sight: {x, y, w, h}")
        if min(w, h) < 44:
            found.append(f"a button is too small: {w, h}")
    x, y, w, h = parts["svg"]
    if x < 0 or y < 0 or x + w > width + 0.5 or y + h > height + 0.5:
        found.append(f"the board is out of sight: {x, y, w, h}")
    return [f"{size}: {each}" for each in found]


@pytest.mark.parametrize(
    ("locale", "sizes"),
    sampled(
        [("ru-RU", _SOME), *((locale, _SIZES + _LARGE) for locale in ("fa-IR", "ru-RU", "en-US"))],
        lambda case: case[1] is _SOME,
    ),
)
def test_everything_is_in_sight_and_keeps_its_place_while_turns_are_played(
    arrive: Arrive, locale: str, sizes: list[tuple[int, int]]
) -> None:
    visitor = arrive(BY_HAND, locale=locale)
    visitor.begin("backgammon.p5", tutor=True)
    found: list[str] = []
    places: dict[tuple[int, int], list[list[list[float]]]] = {}
    # In a throw not yet played, with a verdict, in a complete turn, and while the other side is on roll.
    for _ in range(3):
        visitor.wait(_READY)
        for size in sizes:
            parts = at_size(visitor, size)
            found += complaints(parts, size)
            places.setdefault(size, []).append([*parts["bar"], parts["say"], parts["board"]])
        visitor.take_turn()  # a poor play
        until(lambda: visitor.page.evaluate(_STANDS))
    for size, seen in places.items():
        for before, after in pairwise(seen):
            for one, other in zip(before, after, strict=True):
                if max(abs(a - b) for a, b in zip(one, other, strict=True)) > 8:
                    found.append(f"{size}: moves from {one} to {other}")
    assert not found, json.dumps(found, indent=1)


def test_the_board_of_a_telephone_that_lies_has_the_whole_height(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND, viewport={"width": 740, "height": 360}, locale="tr-TR")
    visitor.begin("tavla.p1", tutor=True)
    visitor.wait("board.controller.mover || state.phase === 'move'")
    parts = at_size(visitor, (740, 360))
    _, y, width, height = parts["svg"]
    assert y >= 0 and y + height <= 360.5 and height > 350
    assert width == pytest.approx(height * 1414 / 1184, abs=1)
    # A verdict of many letters is not cut in the list of moves.
    visitor.take_turn()
    cut = """async () => {
      const view = document.querySelector("ssb-match");
      view.model.tutor.grades = Object.fromEntries(view.model.turns.map((_, i) => [i, "close"]));
      view.requestUpdate();
      await view.updateComplete;
      const list = view.querySelector(".turns .scroll");
      return [list.textContent.includes("kadar yakın"), list.scrollWidth > list.clientWidth];
    }"""
    assert visitor.page.evaluate(cut) == [True, False]


def test_a_verdict_is_one_line_that_opens_and_moves_no_button(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND, viewport={"width": 360, "height": 740})
    visitor.begin("backgammon.p5", tutor=True)
    page = visitor.page
    visitor.take_turn()  # a poor play
    visitor.to_move()  # the other side has played, and nothing goes on by itself
    line = page.locator(".say .told")
    expect(line).to_contain_text("Best was")
    assert line.bounding_box()["height"] < 30  # type: ignore[index]
    before = page.evaluate(_PARTS)
    detail = page.locator(".detail")
    expect(detail).to_be_hidden()
    page.locator(".unfold").click()
    expect(detail).to_contain_text("Your play:")
    after = page.evaluate(_PARTS)
    assert after["bar"] == before["bar"] and after["board"] == before["board"]
    assert not after["covered"]
    # The arrows lie over the position and the throw that they are about; a tap brings back the present.
    assert page.evaluate("document.querySelector('ssb-board').advice.alone")
    assert page.locator("ssb-board .advice .way").count() == 2
    made = len(visitor.onward())
    # A place that the open line does not lie over, which is longer for some plays than for others.
    spots = [visitor.spot(number) for number in [*(hop[0] for hop in visitor.onward()), 18]]
    free = "([x, y]) => document.elementFromPoint(x, y)?.localName === 'ssb-board'"
    page.mouse.click(*next(spot for spot in spots if page.evaluate(free, list(spot))))
    page.wait_for_function("() => document.querySelector('ssb-board')?.advice === null")
    assert len(visitor.onward()) == made, "no checker was moved by it"


def test_the_rarer_actions_are_behind_the_dots(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND, viewport={"width": 360, "height": 740})
    visitor.begin("backgammon.m", tutor=True)
    page = visitor.page
    visitor.wait(_READY)
    entries = page.locator(".more > *")
    expect(entries).to_have_count(0)
    dots = page.get_by_role("button", name="More", exact=True)
    dots.click()
    expect(page.locator(".more")).to_contain_text("Resign")
    assert {"Hint", "Propose", "Resign"} <= set(entries.all_inner_texts())
    assert all(each.bounding_box()["height"] >= 44 for each in entries.all())  # type: ignore[index]
    page.keyboard.press("Escape")
    expect(entries).to_have_count(0)
    expect(dots).to_be_focused()


def test_the_cube_is_never_turned_by_one_tap(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off"}, viewport={"width": 360, "height": 740})
    visitor.begin("backgammon.m", TWO)
    page = visitor.page
    visitor.wait("board.controller.mover")
    visitor.play_turn()
    visitor.wait("state.phase === 'roll'")
    bar = page.locator(".match-view > .actions")
    expect(bar.get_by_role("button", name="Double")).to_be_enabled()
    # In one go, since what was asked once is forgotten after some seconds; the second tap comes too soon.
    assert page.evaluate(_TAPPED_TWICE, [100_000, "Cancel"]) == ["Double to 2", "roll"]
    expect(bar.locator(".pri")).to_have_text("Roll")
    assert page.evaluate(_TAPPED_TWICE, [0, ""]) == ["Double to 2", "roll"]
    visitor.wait("state.phase === 'doubled'")
    expect(bar.locator(".pri")).to_have_text("Take")
