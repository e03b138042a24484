"""A chouette of two people at one screen and three bots, in the page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import count

import pytest
from playwright.sync_api import Error, Page, expect

from tests.waiting import until
from tests.web.conftest import Arrive
from tests.web.visitor import FIRST_PLAY

_PLAY = """() => {
  const view = document.querySelector("ssb-chouette");
  const { state } = view.model;
  if (state.choices && !view.advises)
    view.model.act({ type: "play", play: (FIRST_PLAY)(state.choices) || "pass" });
}""".replace("FIRST_PLAY", FIRST_PLAY)
_DRAW = """() => {
  // Throws for the first move until it is known who begins.
  const { model } = document.querySelector("ssb-chouette") ?? {};
  if (!model?.state) return false;
  if (!["ready", "opening"].includes(model.state.phase)) return true;
  const button = document.querySelector(".match-view > .actions > .pri:enabled");
  if (!model.connection.busy) button?.click();
  return false;
}"""


def rows(page: Page) -> int:
    return int(page.evaluate("document.querySelector('ssb-chouette')?.model?.around?.rows.length ?? 0"))


def play_a_game(pages: Sequence[Page]) -> None:
    """Let everybody do what their page offers until the first game is over in each of them."""
    turns = count()

    def is_over() -> bool:
        turn = next(turns)
        for page in pages:
            ready = page.locator(".match-view > .actions > .pri:enabled")
            if turn % 2 and ready.count():
                with suppress(Error):  # the game has gone on meanwhile
                    ready.first.click(timeout=500, no_wait_after=True)
            page.evaluate(_PLAY)
        return all(rows(page) for page in pages)

    until(is_over, seconds=300)
    assert [rows(page) for page in pages] == [1] * len(pages)


def told(page: Page) -> tuple[int, dict[str, int]]:
    """The lines of the sheet that is shown beside the board, and its sums by name."""
    lines = page.locator(".chouette-sheet tbody tr")
    names = page.locator(".chouette-sheet thead th.num").all_inner_texts()
    sums = [text.replace("−", "-") for text in lines.last.locator("td").all_inner_texts()]
    return lines.count(), dict(zip(names, map(int, sums), strict=True))


@pytest.mark.soak
@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_a_game_is_played_and_the_evening_ends(arrive: Arrive, size: tuple[int, int]) -> None:
    """Every state offers a way to go on, the bar stays on the screen, the row sums to nothing."""
    visitor = arrive(viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    page.goto("/chouette")
    page.locator("#names").fill(f"Ann{size[0]}, Bob{size[0]}")
    page.locator("#bots").select_option("3")
    page.locator("#clock").select_option("d12-120")
    page.locator("form .pri").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".chouette-seats li")).to_have_count(5)
    expect(page.get_by_role("timer")).to_contain_text(["2:00", "2:00"])
    for name in (f"Ann{size[0]}", f"Bob{size[0]}"):
        page.locator(".dots-button").click()
        page.get_by_role("button", name=f"{name}: End the evening").click()
    play_a_game([page])
    row = page.evaluate("document.querySelector('ssb-chouette').model.around.rows[0]")
    assert sum(row.values()) == 0
    box = page.locator(".match-view > .actions").bounding_box()
    assert box is not None and box["y"] + box["height"] <= size[1] and box["x"] + box["width"] <= size[0]
    expect(page.locator(".say")).to_contain_text("The chouette is over")
    sheet = page.evaluate("document.querySelector('ssb-chouette').model.around.sheet")
    page.get_by_role("link", name="Replay").first.click()
    expect(page.locator(".replay .moves tr")).not_to_have_count(0)
    assert told(page) == (1, dict.fromkeys(sheet, 0))
    page.keyboard.press("End")
    expect(page.locator(".replay tr[aria-current]")).to_contain_text("wins")
    assert told(page) == (2, sheet)
    # The same moment by its address, and the evening in the list of those that are over.
    page.goto(f"{page.url}?game=1&n=1")
    expect(page.locator(".replay tr[aria-current]")).to_have_count(1)
    assert page.evaluate("document.querySelector('ssb-chouette-replay').at") == 1
    page.goto("/chouette")
    expect(page.get_by_role("link", name="Replay")).to_have_count(1)


def test_a_side_whose_time_runs_out_loses_the_game_and_the_next_one_may_begin(arrive: Arrive) -> None:
    visitor = arrive({"lang": "en", "speed": 0, "autoroll": False, "sounds": False})
    page = visitor.page
    page.goto("/chouette")
    page.locator("#names").fill("Dan, Eva, Fay")
    page.locator("#clock").select_option("own")
    page.locator("#clock-kind").select_option("t")
    page.locator("#clock-delay").fill("2")
    page.locator("form .pri").click()
    page.get_by_role("button", name="Begin").click()
    # From the first turn on nobody does anything.
    until(lambda: page.evaluate(_DRAW))
    expect(page.locator(".status")).to_contain_text("The time has run out")
    expect(page.locator(".chouette-sheet tbody tr")).to_have_count(2)
    _, sums = told(page)
    assert sorted(sums.values()) in ([-2, 1, 1], [-1, -1, 2])
    expect(page.get_by_role("button", name="Next game")).to_be_enabled()
    expect(page.get_by_role("timer")).to_contain_text(["0:02", "0:02"])


def test_everybody_settles_by_the_page_and_the_replay_tells_it(arrive: Arrive) -> None:
    visitor = arrive(viewport={"width": 360, "height": 740})
    page = visitor.page
    page.goto("/chouette")
    page.locator("#names").fill("Sette, Ottone, Novella")
    page.locator("form .pri").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".chouette-seats li")).to_have_count(3)
    around = "document.querySelector('ssb-chouette').model.around"
    until(lambda: page.evaluate(_DRAW))
    until(
        lambda: page.evaluate(f"Object.values({around}.mine).some((own) => own.allowed.includes('settle'))")
    )
    box = page.evaluate(f"{around}.box")
    page.locator(".dots-button").click()
    page.get_by_role("button", name=f"{box}: Settle the game").click()
    page.locator("#settling-who").select_option("own")
    page.get_by_role("button", name="Propose").click()

    def is_other_than(before: str) -> bool:
        return bool(page.evaluate(f"JSON.stringify({around})") != before)

    for _ in range(2):
        expect(page.locator(".say")).to_contain_text(f"{box} offers to settle: {box} pays 1 point")
        before = page.evaluate(f"JSON.stringify({around})")
        page.get_by_role("button", name="Agree").click()
        until(partial(is_other_than, before))
    expect(page.get_by_role("button", name="Next game")).to_be_visible()
    row = page.evaluate(f"{around}.rows[0]")
    assert row == {name: -2 if name == box else 1 for name in ("Sette", "Ottone", "Novella")}
    page.locator(".dots-button").click()
    page.get_by_role("link", name="Replay").click()
    page.keyboard.press("End")
    expect(page.locator(".replay .moves")).to_contain_text(
        f"{box} offers to settle: {box} pays 1 point to each"
    )
    expect(page.locator(".replay .moves")).to_contain_text("settled by agreement")


@pytest.mark.soak
def test_five_people_play_a_game_in_five_browsers_and_a_sixth_watches(arrive: Arrive) -> None:
    host, *others, watcher = (arrive() for _ in range(6))
    host.page.goto("/chouette")
    host.page.locator("form .pri").click()
    expect(host.page.locator(".gathered li")).to_have_count(1)
    for other in others:
        other.page.goto(host.page.url)
        other.page.get_by_role("button", name="Sit down").click()
    expect(host.page.locator(".gathered li")).to_have_count(5)
    host.page.get_by_role("button", name="Begin").click()
    watcher.page.goto(host.page.url)
    pages = [each.page for each in (host, *others)]
    for page in (*pages, watcher.page):
        expect(page.locator(".chouette-seats li")).to_have_count(5)
    for page in pages[:3]:
        page.locator(".dots-button").click()
        page.get_by_role("button", name="End the evening").click()
    play_a_game(pages)
    for page in (*pages, watcher.page):
        expect(page.locator(".say")).to_contain_text("The chouette is over")
    sheets = [page.evaluate("document.querySelector('ssb-chouette').model.around.sheet") for page in pages]
    sheets.append(watcher.page.evaluate("document.querySelector('ssb-chouette').model.around.sheet"))
    assert all(sheet == sheets[0] for sheet in sheets) and sum(sheets[0].values()) == 0
    assert any(sheets[0].values())
