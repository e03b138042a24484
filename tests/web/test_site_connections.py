"""Two browsers at one table, while lines break and the server dies: nothing is lost."""

from __future__ import annotations

from time import monotonic

from tests.web.conftest import Arrive
from tests.web.site import LiveSite
from tests.web.visitor import Visitor

Pair = tuple[Visitor, Visitor]

KEPT = """() => Promise.all(
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
    .filter((path) => /^.(i18n|packed)./.test(path))
    .map((path) => caches.match(path, { ignoreSearch: true }))
).then((found) => found.length > 4 && found.every(Boolean))"""
"""Whether all that the page was made of is kept for a day without a line."""


def sit_down(arrive: Arrive, card: str) -> Pair:
    """Two strangers at a table, one invited by the other's link."""
    one, two = arrive(), arrive()
    invite = one.begin(card, {"kind": "friend"}, side="white")
    two.open(invite)
    two.page.locator("main .pri").first.click()
    two.page.wait_for_url("**/m/*")
    one.open(two.page.url.removeprefix(two.site.url))
    return one, two


def mover_of(players: Pair, seconds: float = 30) -> Visitor:
    """The player who has dice to play, once both see the same; dances and throws take care of themselves."""
    until = monotonic() + seconds
    while monotonic() < until:
        for visitor in players:
            state = visitor.state()
            if state.get("choices") and visitor.onward():
                return visitor
            if "double" in state.get("allowed", ()):
                visitor.roll()
                visitor.page.wait_for_timeout(100)
        players[0].page.wait_for_timeout(30)
    raise AssertionError(f"nobody has anything to play: {[each.state() for each in players]}")


def turns(players: Pair, count: int) -> None:
    """Play a number of turns of either side, each seen by both."""
    for _ in range(count):
        mover = mover_of(players)
        before = mover.state()["board"]
        mover.play_turn()
        agree(players, before)


def agree(players: Pair, before: object = None, seconds: float = 30) -> None:
    """Wait until both see the same, and something else than before."""
    until = monotonic() + seconds
    shown: list[object] = []
    while monotonic() < until:
        shown = [visitor.shown() for visitor in players]
        now = players[0].state().get("board")
        if shown[0] == shown[1] and now is not None and now != before:
            return
        players[0].page.wait_for_timeout(30)
    raise AssertionError(f"the boards differ: {shown}")


def test_a_friend_comes_by_the_link_and_both_see_one_game(arrive: Arrive) -> None:
    players = sit_down(arrive, "backgammon.p3")
    turns(players, 4)


def test_a_line_that_breaks_costs_nothing(arrive: Arrive) -> None:
    players = sit_down(arrive, "tavla.p3")
    turns(players, 2)
    mover = mover_of(players)
    before = mover.state()["board"]
    mover.context.set_offline(True)
    mover.play_turn()  # it waits for the line, and is sent when it is back
    mover.page.wait_for_timeout(1500)
    mover.context.set_offline(False)
    agree(players, before)
    turns(players, 2)


def test_a_server_that_dies_in_the_middle_costs_nothing(arrive: Arrive, site: LiveSite) -> None:
    players = sit_down(arrive, "long_nardy.p3")
    turns(players, 2)
    seen = players[0].shown()
    site.kill()
    players[0].page.wait_for_timeout(500)
    site.start()
    agree(players)
    assert players[0].shown()[:1] == seen[:1]
    turns(players, 2)


def test_the_first_page_opens_without_a_line_and_says_what_is_missing(arrive: Arrive) -> None:
    visitor = arrive({}, service_workers="allow")
    visitor.open()
    until = monotonic() + 20
    while not visitor.page.evaluate(KEPT):
        assert monotonic() < until, "the page was not kept"
        visitor.page.wait_for_timeout(100)
    visitor.context.set_offline(True)
    visitor.page.goto(visitor.site.url)
    visitor.page.get_by_text("The server cannot be reached.").wait_for()
    visitor.page.get_by_role("button", name="Try again").wait_for()
    visitor.context.set_offline(False)  # the page goes on by itself, too
    visitor.page.get_by_role("heading", name="The whole backgammon family").wait_for()


def test_a_page_that_is_loaded_again_goes_on_where_it_was(arrive: Arrive) -> None:
    players = sit_down(arrive, "plakoto.p3")
    turns(players, 2)
    for visitor in players:
        visitor.page.reload()
    agree(players)
    turns(players, 2)
