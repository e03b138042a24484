"""Two browsers at one table, while lines break and the server dies: nothing is lost."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.waiting import until
from tests.web.browser import answered
from tests.web.conftest import Arrive
from tests.web.site import LiveSite
from tests.web.visitor import QUICK, Visitor

Pair = tuple[Visitor, Visitor]

KEPT = """async () => {
  const caching = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const kept = (await Promise.all(caching.map((cache) => cache.keys()))).flat();
  const paths = new Set(kept.map(({ url }) => new URL(url).pathname));
  const made = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
    .filter((path) => /^.(i18n|packed)./.test(path));
  return made.length > 4 && made.every((path) => paths.has(path));
}"""
"""Whether all that the page was made of is kept for a day without a line."""


def sit_down(arrive: Arrive, card: str) -> Pair:
    """Two strangers at a table, one invited by the other's link."""
    one, two = (arrive(QUICK | {"forced": "off"}) for _ in range(2))
    invite = one.begin(card, {"kind": "friend"}, side="white")
    two.open(invite)
    two.page.locator("main .pri").first.click()
    two.page.wait_for_url("**/m/*")
    one.open(two.page.url.removeprefix(two.site.url))
    return one, two


def mover_of(players: Pair) -> Visitor:
    """The player who has dice to play; dances and throws take care of themselves."""
    found: Visitor = until(lambda: next((each for each in players if each.may_move()), None))
    return found


def turns(players: Pair, count: int) -> None:
    """Play a number of turns of either side, each seen by both."""
    for _ in range(count):
        mover = mover_of(players)
        before = mover.state()["board"]
        mover.play_turn()
        agree(players, before)


def agree(players: Pair, before: object = None) -> None:
    """Wait until both see the same, and something else than before."""

    def are_alike() -> bool:
        one, other = (visitor.shown() for visitor in players)
        now = players[0].state().get("board")
        return bool(one == other and now is not None and now != before)

    until(are_alike)


def test_a_line_that_breaks_a_page_loaded_again_and_a_server_that_dies_cost_nothing(
    arrive: Arrive, site: LiveSite
) -> None:
    players = sit_down(arrive, "backgammon.p3")
    turns(players, 2)
    mover = mover_of(players)
    before = mover.state()["board"]
    mover.context.set_offline(True)
    mover.play_turn()  # it waits for the line, and is sent when it is back
    expect(mover.page.get_by_text("You are offline.")).to_be_visible()
    mover.context.set_offline(False)
    agree(players, before)

    seen = mover_of(players).shown()
    for visitor in players:
        visitor.page.reload()
    agree(players)
    assert players[0].shown() == seen
    turns(players, 1)

    seen = mover_of(players).shown()
    other = arrive().page
    other.goto("/lobby")
    until(lambda: other.evaluate("document.querySelector('ssb-lobby')?.isLive"))
    other.evaluate("globalThis.setTimeout = () => 0")  # nothing is tried again by itself
    away = other.locator(".toast", has_text="The server cannot be reached.")
    site.kill()
    expect(players[0].page.locator(".lineoff")).to_be_visible()
    expect(away).to_be_visible()
    site.start()
    away.get_by_role("button", name="Try now").click()
    expect(away).to_have_count(0)
    expect(players[0].page.locator(".lineoff")).to_have_count(0)
    agree(players)
    assert players[0].shown() == seen
    turns(players, 2)


def test_the_first_page_opens_without_a_line_and_says_what_is_missing(arrive: Arrive) -> None:
    visitor = arrive({}, service_workers="allow")
    visitor.open()
    until(lambda: answered(visitor.page, KEPT))
    visitor.context.set_offline(True)
    visitor.page.goto(visitor.site.url)
    visitor.page.get_by_text("The server cannot be reached.").wait_for()
    visitor.page.get_by_role("button", name="Try again").wait_for()
    visitor.context.set_offline(False)  # the page goes on by itself, too
    visitor.page.get_by_role("heading", name="The whole backgammon family").wait_for()
