"""Challenges in the browser: made from lobby and friends, seen on any page, accepted and declined."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.waiting import until
from tests.web.browser import choose_game
from tests.web.conftest import Arrive
from tests.web.visitor import QUICK


def visit(arrive: Arrive, path: str) -> tuple[Page, str]:
    """The page of a guest, and their name; nothing is played by itself."""
    page = arrive(QUICK | {"forced": "off"}).page
    page.goto(path)
    name = page.locator("header .who")
    name.wait_for()
    return page, str(name.text_content())


def listen_in_another_tab(at: Page) -> Page:
    """Another page of the same player, once it hears of what concerns them."""
    page, heard = at.context.new_page(), list[object]()
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    page.goto("/friends")
    until(lambda: bool(page.title() and heard))
    return page


def test_a_challenge_from_the_lobby_is_declined_and_one_from_the_friends_accepted(arrive: Arrive) -> None:
    omer, other = visit(arrive, "/rules/tavla")
    nava, name = visit(arrive, "/lobby")
    nava.get_by_role("link", name=f"Challenge {other}").click()
    choose_game(nava, "tavla")
    nava.get_by_role("button", name=f"Challenge {other}").click()
    expect(nava.locator(".call")).to_contain_text(f"Waiting for the answer of {other}")
    asked = omer.get_by_role("form", name=f"Challenge by {name}")
    expect(asked).to_contain_text("Tavla")
    asked.get_by_label("Why you decline").select_option("length")
    asked.get_by_role("button", name="Decline").click()
    expect(omer.locator(".call")).to_have_count(0)
    answer = nava.locator(".call")
    expect(answer).to_contain_text(f"{other} declines: rather a match of another length")
    answer.get_by_role("button", name="Close").click()
    expect(nava.locator(".call")).to_have_count(0)

    # Again, from the friends; the player is at a board meanwhile and is told there.
    omer.goto("/play/hypergammon")
    omer.locator(".setup button.pri.big").click()
    omer.wait_for_url("**/m/*")
    nava.goto(f"/u/{other}")
    nava.get_by_role("button", name="Follow", exact=True).click()
    expect(nava.get_by_role("button", name="Following")).to_be_visible()
    nava.goto("/friends")
    expect(nava.locator("ssb-friends .here")).to_contain_text("here now")
    nava.get_by_role("link", name=f"Challenge {other}").click()
    nava.get_by_role("radio", name="1", exact=True).check()
    nava.get_by_role("button", name=f"Challenge {other}").click()
    omer.get_by_role("form", name=f"Challenge by {name}").get_by_role("button", name="Accept").click()
    for page in (nava, omer):
        expect(page.locator("ssb-match ssb-board")).to_be_visible()
    expect(omer.locator(".plate.opp")).to_contain_text(name)
    nava.wait_for_url(omer.url)

    # One of them resigns, and both are taken to the rematch once both want it, wherever they look meanwhile.
    phase = "document.querySelector('ssb-match ssb-board')?.state?.phase"
    # The draw and the throw after it come by themselves; then everything waits for a play.
    until(lambda: nava.evaluate(f"{phase} === 'move'"))
    nava.get_by_role("button", name="More", exact=True).click()
    nava.get_by_role("button", name="Resign", exact=True).click()
    nava.get_by_role("button", name="single game").click()
    omer.locator(".actions").get_by_role("button", name="Accept").click()
    elsewhere, idle = listen_in_another_tab(nava), nava.context.new_page()
    # A player at another match hears of it, too.
    idle.goto("/play/hypergammon")
    idle.locator(".setup button.pri.big").click()
    expect(idle.locator("ssb-match ssb-board")).to_be_visible()
    omer.locator("dialog").get_by_role("button", name="Rematch").click()
    expect(omer.locator("dialog")).to_contain_text("Waiting for your opponent")
    for page, where in ((nava, "dialog"), (elsewhere, ".call"), (idle, ".call")):
        expect(page.locator(where)).to_contain_text(f"{other} would like a rematch.")
    elsewhere.locator(".call").get_by_role("button", name="Rematch").click()
    elsewhere.wait_for_url("**/m/*")
    omer.wait_for_url(elsewhere.url)
    expect(idle.locator(".call")).to_have_text("Your game begins. To the board Close", use_inner_text=True)
    for page in (elsewhere, omer):
        expect(page.locator("ssb-match ssb-board")).to_be_visible()
    nava.locator("dialog").get_by_role("link", name="To the rematch").click()
    nava.wait_for_url(omer.url)


def test_a_match_that_begins_while_the_page_changes_is_not_missed(arrive: Arrive) -> None:
    nava, name = visit(arrive, "/rules/tavla")
    omer, other = visit(arrive, "/rules/tavla")
    held: list[Route] = []
    # The lobby opens its line when it has been read; until then no line is open.
    nava.route("**/api/v1/lobby", lambda route: held.append(route))
    nava.goto(f"/?challenge={other}")
    choose_game(nava, "tavla")
    with nava.expect_request("**/api/v1/lobby"):
        nava.get_by_role("button", name=f"Challenge {other}").click()
    omer.get_by_role("form", name=f"Challenge by {name}").get_by_role("button", name="Accept").click()
    omer.wait_for_url("**/m/*")
    assert held
    for each in held:
        each.continue_()
    nava.wait_for_url(omer.url)

    # A player who left the board on purpose is not brought back.
    nava.unroute("**/api/v1/lobby")
    nava.get_by_role("link", name="Lobby").first.click()
    expect(nava.locator("h1")).to_have_text("Lobby")
    expect(nava.get_by_text("2 people are here")).to_be_visible()
    expect(nava.locator(".call")).to_have_count(0)


def test_who_comes_back_to_a_match_that_has_begun_is_asked_once(arrive: Arrive) -> None:
    nava, name = visit(arrive, "/rules/tavla")
    omer, other = visit(arrive, "/rules/tavla")
    nava.goto(f"/?challenge={other}")
    choose_game(nava, "tavla")
    nava.get_by_role("button", name=f"Challenge {other}").click()
    nava.wait_for_url("**/lobby")
    nava.goto("about:blank")
    omer.get_by_role("form", name=f"Challenge by {name}").get_by_role("button", name="Accept").click()
    omer.wait_for_url("**/m/*")
    nava.goto("/rules/")
    asked = nava.locator(".call", has_text="Your game begins.")
    asked.get_by_role("button", name="Close").click()
    told: list[str] = []
    nava.on("websocket", lambda line: line.on("framereceived", lambda frame: told.append(str(frame))))
    nava.get_by_role("link", name="Lobby").first.click()
    until(lambda: nava.evaluate("true") and any('"challenges"' in frame for frame in told))
    assert any('"late"' in frame for frame in told)
    expect(nava).to_have_url("/lobby")
    expect(nava.locator(".call")).to_have_count(0)
    # Another page of the same player knows nothing of that.
    nava.reload()
    asked.get_by_role("button", name="To the board").click()
    nava.wait_for_url(omer.url)
