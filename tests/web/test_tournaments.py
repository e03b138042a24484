"""Tournaments in a real browser: a director's evening at real boards, and two taps to join."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Dialog, Route, expect

from tests.sizes import sampled
from tests.waiting import until
from tests.web.browser import faults
from tests.web.conftest import Arrive
from tests.web.visitor import Visitor

_PHONE = {"width": 360, "height": 740}
_TAKEN_BACK = 10_000
"""Milliseconds for which what was entered can be taken back."""
_SENT_AGAIN = 15_000
"""Milliseconds after which a result is sent again where nobody was reached."""
_SEE_PRINT = """() => {
  globalThis.print = () => {
    const lines = document.querySelector(".sheets table")?.style.getPropertyValue("--lines");
    globalThis.printed = `${document.querySelector(".printed").textContent} ${lines} lines`;
  };
}"""


def director(arrive: Arrive, name: str, **how: Any) -> Visitor:
    """Somebody with an account, who makes tournaments."""
    visitor = arrive(**how)
    visitor.claim(name)
    return visitor


def made(visitor: Visitor, **settings: Any) -> str:
    """A tournament that takes entries; its id."""
    identity = str(visitor.post("/tournaments", {"title": "Friday", **settings})["id"])
    visitor.post(f"/tournaments/{identity}/director/announce", {})
    return identity


@pytest.mark.parametrize(
    ("name", "locale", "viewport"),
    sampled(
        [("Nora", "en-GB", {"width": 1280, "height": 800}), ("Mina", "fa-IR", _PHONE)],
        lambda case: case[0] == "Mina",
    ),
)
def test_an_evening_at_real_boards_is_directed_from_the_desk(
    arrive: Arrive, name: str, locale: str, viewport: dict[str, int]
) -> None:
    visitor = director(arrive, name, locale=locale, viewport=viewport)
    identity = made(visitor, card="tavla.p5", system="knockout", boards="real", draw="manual")
    page = visitor.page
    page.clock.install()
    page.goto(f"/t/{identity}/desk")
    page.locator("textarea[name=names]").fill("Ali,1500\nBea\nCem\nDara")
    page.locator("textarea[name=names] ~ button, form:has(textarea[name=names]) button").last.click()
    expect(page.locator("main details li")).to_have_count(4)
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator(".desk .card button", has_text={"en-GB": "Start", "fa-IR": "شروع"}[locale]).first.click()
    result = page.get_by_role("button", name={"en-GB": "Enter the result", "fa-IR": "ثبت نتیجه"}[locale])
    expect(result).to_have_count(2)
    result.first.click()
    page.locator("td .pri").first.click()
    page.locator("input[name=lost]").fill("3")
    page.locator("td form button.pri").click()
    expect(page.locator(".notice button")).to_be_visible()
    assert page.locator(".notice button").evaluate(
        "(button) => getComputedStyle(button).color === getComputedStyle(button.parentElement).color"
    )
    page.clock.fast_forward(_TAKEN_BACK)
    expect(page.locator(".notice button")).to_have_count(0)
    expect(result).to_have_count(1)
    assert not faults(page)
    page.goto(f"/t/{identity}")
    expect(page.locator(".bracket .won").first).to_be_visible()
    if viewport is _PHONE:
        final = page.locator(".round-tabs button").nth(1)
        final.click()
        expect(final).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".rounds > section").nth(1)).to_be_in_viewport()
    assert not faults(page)
    page.goto("/tournaments")
    page.locator(".tile").first.wait_for()
    assert not faults(page)


def test_a_desk_without_a_line_keeps_results_and_corrects_them_later(arrive: Arrive) -> None:
    visitor = director(arrive, "Siamak")
    identity = made(visitor, card="tavla.p5", system="swiss", rounds=1, boards="real")
    text = "".join(f"{name}\n" for name in ("Ali", "Bea", "Cem", "Dara", "Elif"))
    visitor.post(f"/tournaments/{identity}/director/names", {"text": text})
    page = visitor.page
    page.clock.install()

    def start_meanwhile(route: Route) -> None:
        before = route.fetch()
        visitor.post(f"/tournaments/{identity}/director/start", {})
        until(lambda: page.request.get(f"/api/v1/tournaments/{identity}/pairings").json()["pairings"])
        route.fulfill(response=before)

    # Also without news, what is shown is of one state.
    page.route_web_socket("**/ws/**", lambda _socket: None)
    page.route(f"**/tournaments/{identity}", start_meanwhile, times=1)
    page.goto(f"/t/{identity}/desk")
    enter = page.get_by_role("button", name="Enter the result of table")
    expect(enter).to_have_count(2)
    page.evaluate(_SEE_PRINT)

    def has_printed(text: str) -> bool:
        return text in page.evaluate("globalThis.printed ?? ''")

    for sheet, printed in (("Result sheets", "9 lines"), ("Pairings", "bye")):
        page.get_by_role("button", name=sheet).click()
        until(partial(has_printed, printed))
    page.context.set_offline(True)
    enter.first.click()
    page.locator("td .pri").first.click()
    page.locator("td form button.pri").click()
    expect(page.get_by_role("button", name="Take back")).to_be_visible()
    page.clock.fast_forward(_TAKEN_BACK)
    told = page.get_by_text("Results are kept in this browser and sent when the connection is back")
    expect(told).to_be_visible()
    page.context.set_offline(False)
    page.clock.fast_forward(_SENT_AGAIN)
    expect(told).to_have_count(0)
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    correct = page.get_by_role("button", name="Correct the result of table")
    expect(correct).to_have_count(1)
    correct.click()
    page.locator("td .pri").nth(1).click()
    page.locator("input[name=lost]").fill("4")
    page.once("dialog", lambda dialog: dialog.accept("the sheet was misread"))
    page.locator("td form button.pri").click()
    results = page.locator("section", has=page.get_by_role("heading", name="Results"))
    expect(results.locator("td").filter(has_text="–")).to_contain_text("4")
    page.evaluate("globalThis.printed = ''")
    page.get_by_role("button", name="Pairings").click()
    until(partial(has_printed, "bye"))
    assert all(has_printed(each) for each in text.split())
    # As the code on a result sheet leads there: to what is over in the list of all, else to what is played.
    for table, where in ((1, "details.all"), (2, ".card")):
        page.goto("/tournaments")
        page.goto(f"/t/{identity}#table-{table}")
        row = page.locator(f"{where} > .pairings tr[aria-current]")
        expect(row).to_be_in_viewport()
        expect(row.locator("td").first).to_have_text(str(table))
    page.get_by_text("Decisions and messages").click()
    told = page.locator("details", has_text="Decisions and messages")
    expect(told).to_contain_text("the sheet was misread")


def test_a_late_correction_annuls_later_matches_only_where_the_director_says_so(arrive: Arrive) -> None:
    visitor = director(arrive, "Ziba")
    identity = made(visitor, card="tavla.p5", system="knockout", consolation="none", boards="real")
    names = {"text": "Ali\nBea\nCem\nDara\n"}
    visitor.post(f"/tournaments/{identity}/director/names", names)
    visitor.post(f"/tournaments/{identity}/director/start", {})
    page = visitor.page
    pairings = f"/api/v1/tournaments/{identity}/pairings"

    def statuses() -> list[str]:
        return [each["status"] for each in page.request.get(pairings).json()["pairings"]]

    until(lambda: len(statuses()) == 2)
    for each in page.request.get(pairings).json()["pairings"]:
        fields = {"pairing": each["number"], "winner": each["white"], "score": [5, 0]}
        visitor.post(f"/tournaments/{identity}/director/enter_result", {"fields": fields})
    until(lambda: len(statuses()) == 3)
    said: list[str] = []
    answers = ["misread", None, "misread", ""]

    def answer(dialog: Dialog) -> None:
        said.append(dialog.message)
        given = answers.pop(0)
        if given is None:
            dialog.dismiss()
        else:
            dialog.accept(given)

    page.on("dialog", answer)
    page.goto(f"/t/{identity}/desk")
    annul = page.get_by_role("button", name="Annul").last
    annul.click()
    expect(page.locator(".toast")).to_contain_text("a later match depends on this result")
    assert statuses() == ["decided", "decided", "made"]
    annul.click()
    until(lambda: statuses()[:3] == ["annulled", "decided", "annulled"])
    assert ["Later matches" in each for each in said] == [False, True, False, True]


def test_what_is_said_of_a_system_alone_is_asked_with_it(arrive: Arrive) -> None:
    page = director(arrive, "Kaveh").page
    page.goto("/tournaments")
    page.locator("main details > summary").last.click()
    form = page.locator("main form")
    form.locator("[name=title]").fill("Two lives")
    form.locator("[name=system]").select_option("swiss")
    form.locator("[name=rounds]").fill("9")
    form.locator("[name=system]").select_option("losses")
    expect(form.locator("[name=losses]")).to_have_value("3")
    form.locator("[name=losses]").fill("2")
    expect(form.locator("[name=consolation]")).to_have_count(0)
    form.locator("[name=boards]").select_option("real")
    form.locator("button").click()
    page.wait_for_url("**/desk")
    identity = page.url.split("/")[-2]
    page.goto(f"/t/{identity}")
    expect(page.locator(".terms")).to_contain_text("Losses until elimination")
    settings = page.request.get(f"/api/v1/tournaments/{identity}").json()["settings"]
    assert (settings["system"], settings["losses"], settings["boards"]) == ("losses", 2, "real")


def test_a_guest_joins_in_two_taps_and_leaves_again(arrive: Arrive) -> None:
    host = director(arrive, "Omid")
    made(host, title="Open evening", card="tavla.p1.clock-d12-60", system="swiss", who="guests")
    guest = arrive(viewport=_PHONE)
    guest.open("/tournaments")
    guest.page.locator(".tile", has_text="Open evening").click()
    guest.page.get_by_role("button", name="Join as").click()
    expect(guest.page.locator("main")).to_contain_text("You are entered.")
    guest.page.get_by_role("button", name="Leave").click()
    expect(guest.page.get_by_role("button", name="Join as")).to_be_visible()


def test_a_director_gives_penalties_corrects_lets_two_play_off_and_confirms(arrive: Arrive) -> None:
    visitor = director(arrive, "Lena")
    ties = ["playoff", "shared"]
    identity = made(
        visitor, card="tavla.p5", system="swiss", rounds=1, boards="real", tie_breaks=ties, title="Club"
    )
    text = "".join(f"{name}\n" for name in ("Ali", "Bea", "Cem", "Dara"))
    visitor.post(f"/tournaments/{identity}/director/names", {"text": text})
    visitor.post(f"/tournaments/{identity}/director/start", {})
    page = visitor.page

    def pairings() -> list[dict[str, Any]]:
        answer = page.request.get(f"/api/v1/tournaments/{identity}/pairings")
        found: list[dict[str, Any]] = answer.json()["pairings"]
        return found

    def enter_result(number: int, winner: int, score: list[int]) -> None:
        fields = {"pairing": number, "winner": winner, "score": score}
        visitor.post(f"/tournaments/{identity}/director/enter_result", {"fields": fields})

    answers: list[str] = []
    page.on("dialog", lambda dialog: dialog.accept(answers.pop(0) if answers else ""))
    page.goto(f"/t/{identity}/desk")
    playing = page.locator("section", has=page.get_by_role("heading", name="Being played"))
    enter = page.get_by_role("button", name="Enter the result of table")
    expect(enter).to_have_count(2)
    # Two points of the first match, against White.
    answers += ["2", "came late"]
    playing.get_by_text("Ruling").first.click()
    playing.get_by_role("button", name="Points of this match against").first.click()
    until(lambda: pairings()[0]["points"] == [0, 2])
    first = [each["white"] for each in pairings()]
    looker = page.context.new_page()
    looker.goto(f"/t/{identity}")
    looker.get_by_text("All matches").click()
    matches = looker.locator("details.all tbody tr")
    expect(matches).to_have_count(2)
    for number, winner in enumerate(first, start=1):
        enter_result(number, winner, [5, 0])
    # Both have won: one point decides, which the second of them wins.
    page.get_by_role("button", name="Playoff for place 1").click()
    expect(enter).to_have_count(1)
    playoff = pairings()[2]
    enter_result(3, playoff["black"], [0, 1])
    expect(enter).to_have_count(0)
    winner = {1: "Ali", 2: "Bea", 3: "Cem", 4: "Dara"}[playoff["black"]]
    expect(page.locator(".standings tbody tr").first).to_contain_text(winner)
    # A point off that one's score puts the other first.
    answers += ["1", "smoked"]
    page.locator("details", has_text="Entrants").last.locator("summary").first.click()
    entrant = page.locator("li", has_text=winner).filter(has=page.get_by_text("Decide")).last
    entrant.get_by_text("Decide").click()
    entrant.get_by_role("button", name=f"Take points off {winner}").click()
    expect(page.locator(".standings tbody tr").first).not_to_contain_text(winner)
    page.get_by_role("button", name="Confirm the standings").click()
    expect(page.locator(".badge").first).to_contain_text("over")
    page.goto(f"/t/{identity}")
    expect(page.locator(".podium li").first).not_to_contain_text(winner)
    # Who has looked on all the while sees them too.
    expect(matches).to_have_count(3)
    page.get_by_text("Decisions and messages").click()
    for reason in ("came late", "smoked"):
        expect(page.locator("main")).to_contain_text(reason)
    assert not faults(page)


_NEWS = "document.querySelector('ssb-app').connection"
_HEARD = f"""() => new Promise((heard) => {{
  {_NEWS}.addEventListener("message", () => heard(), {{ once: true }});
  {_NEWS}.socket.send('{{"t":"ping"}}');
}})"""


def test_who_has_entered_is_told_that_it_begins_and_what_is_written(arrive: Arrive) -> None:
    host = director(arrive, "Sohrab")
    guest = arrive(viewport=_PHONE)
    identity = made(host, title="Late evening", card="tavla.p1.clock-d12-60", system="knockout", who="guests")
    guest.open(f"/t/{identity}")
    guest.page.get_by_role("button", name="Join as").click()
    expect(guest.page.locator("main")).to_contain_text("You are entered.")
    host.post(f"/tournaments/{identity}/entry", {})
    guest.page.locator(".chatform input").fill("merhaba")
    guest.page.locator(".chatform button").click()
    expect(guest.page.locator(".chatlog")).to_contain_text("merhaba")
    page = host.page
    page.goto(f"/t/{identity}")
    expect(page.locator(".chatlog")).to_contain_text("merhaba")
    page.once("dialog", lambda dialog: dialog.accept("too loud"))
    page.get_by_role("button", name="Mute").click()
    expect(page.get_by_role("button", name="Let")).to_be_visible()
    guest.page.reload()
    expect(guest.page.locator(".chatlog")).to_contain_text("merhaba")
    expect(guest.page.locator(".chatform")).to_have_count(0)
    guest.open("/settings")
    guest.page.wait_for_function(f"() => {_NEWS}?.socket?.readyState === 1")
    guest.page.evaluate(_HEARD)  # what happens before the site listens is not told again
    host.post(f"/tournaments/{identity}/director/start", {})
    expect(guest.page.locator(".toast")).to_contain_text("Late evening")
    # Who withdraws loses their match; at the other's board the way leads back.
    guest.open(f"/t/{identity}")
    guest.page.get_by_role("link", name="To the board").click()
    guest.page.wait_for_selector("main ssb-board")
    origin = {"Origin": host.site.url, "Content-Type": "application/json"}
    left = page.request.delete(f"/api/v1/tournaments/{identity}/entry", headers=origin)
    assert left.ok, left.text()
    back = guest.page.get_by_role("link", name="To the tournament")
    expect(back).to_be_visible()
    expect(guest.page.get_by_role("button", name="Rematch")).to_have_count(0)
    back.click()
    expect(guest.page.locator(".podium")).to_contain_text("1.")
