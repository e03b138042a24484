"""What a player is told: how a match ended, who began it, and what another language leaves as it is."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Route, expect

from tests.sizes import REVIEWED
from tests.web.conftest import Arrive
from tests.web.visitor import BY_HAND, TWO

_MADE = "board.controller.play?.turn.path.length === 1"
_MODEL = "document.querySelector('ssb-match').model"


def test_another_language_in_mid_turn_leaves_what_is_not_confirmed(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    visitor.begin("portes.p1", TWO)
    page = visitor.page
    visitor.to_move()
    page.mouse.click(*visitor.spot(visitor.onward()[0][0]))
    visitor.wait(_MADE)
    page.locator("select.lang").select_option("fa")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator(".sheet h1")).to_have_text(re.compile("[\u0600-\u06ff]"))
    visitor.wait(f"{_MADE} && {_MODEL}.connection.live && board.lang === 'fa'")
    # The line speaks it too, and the turn can be ended.
    page.evaluate(f"{_MODEL}.connection.why([[1, 24]])")
    expect(page.locator(".say .reason")).to_have_text(re.compile("[\u0600-\u06ff]"))
    before = visitor.state()["on_roll"]
    visitor.play_turn()
    visitor.page.keyboard.press(" ")
    visitor.wait(f"state.on_roll !== {before!r}")


def test_whose_time_ran_out_is_said_where_the_score_says_nothing(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    visitor.begin("tavla.p3.clock-t2", TWO)
    page = visitor.page
    visitor.wait("state.phase === 'over'")
    state = visitor.state()
    assert state["ending"] == "time" and state["score"] == {"white": 0, "black": 0}
    winner = state["players"][state["winner"]]["name"]
    loser = next(player["name"] for player in state["players"].values() if player["name"] != winner)
    why = f"{loser} ran out of time, and with it the match"
    dialog = page.locator("dialog")
    expect(dialog.get_by_role("heading", name=f"{winner} wins the match")).to_be_visible()
    expect(dialog).to_contain_text(why)
    expect(dialog.locator(".figures div", has_text="winner of the match")).to_contain_text(winner)
    expect(page.locator(".say")).to_contain_text(why)
    dialog.get_by_text("More", exact=True).click()
    dialog.get_by_role("link", name="Replay").click()
    rows = page.locator("table.moves tr")
    expect(rows.last).to_contain_text(f"{winner} wins the match · {why}")


def test_the_end_of_a_match_tells_my_numbers_the_costliest_play_and_draws_a_card(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.begin("hypergammon.p1")
    page = visitor.page
    visitor.play_on(turns=4)
    visitor.act({"type": "resign", "kind": "backgammon"}, "over")
    dialog = page.locator("dialog")
    expect(dialog.get_by_role("heading", name="You lose the match")).to_be_visible()
    buttons = dialog.locator(".actions > button")
    expect(buttons).to_have_text(["Rematch", "Review"])
    numbers = dialog.locator(".numbers-line")
    rating = re.compile(r"Performance rating\D{0,3}\d+\.\d")
    expect(numbers).to_contain_text(rating, timeout=REVIEWED * 1000)
    expect(numbers).to_contain_text(re.compile(r"Luck\D{0,3}\d\.\d{3}"))
    expect(dialog.locator(".costliest ssb-board svg, ssb-match-ending > p").first).to_be_visible()
    dialog.get_by_text("More", exact=True).click()
    dialog.get_by_role("button", name="Card to share").click()
    card = dialog.locator("canvas")
    expect(card).to_have_attribute("aria-label", re.compile(r"the match.*Performance rating: "))
    # It is painted: a board is darker than paper.
    assert page.evaluate(
        "() => { const c = document.querySelector('canvas'); "
        "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; "
        "return d.filter((v, i) => i % 4 === 0 && v < 120).length > 1000; }"
    )
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save the picture").click()
    assert saved.value.suggested_filename.endswith(".png")
    # A replay is seen from one's own side.
    match, (own,) = visitor.state()["match"], visitor.state()["you"]
    page.goto(f"/replay/{match}")
    page.locator("ssb-replay ssb-board svg").wait_for()
    assert page.evaluate("document.querySelector('ssb-replay ssb-board').viewer") == own


def test_a_replay_has_the_draw_the_end_and_what_was_no_thinking(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    visitor.begin("tavla.p3", TWO)
    page = visitor.page
    visitor.to_move()
    opening = visitor.state()["opening"]
    loser = visitor.state()["on_roll"]
    visitor.act({"type": "resign", "kind": "gammon"}, "resigned")
    visitor.act({"type": "accept"}, "ready")
    assert len(visitor.state()["results"]) == 1
    players = visitor.state()["players"]
    winner = players["black" if loser == "white" else "white"]["name"]

    def mark(route: Route) -> None:
        found = route.fetch(max_retries=2).json()
        found["frames"].insert(0, found["frames"][-1] | _GUESSED)
        route.fulfill(status=200, content_type="application/json", body=json.dumps(found))

    page.route("**/frames?*", mark)
    page.goto(page.url.replace("/m/", "/replay/"))
    rows = page.locator("table.moves tr")
    expect(rows).to_have_count(len(opening["throws"]) + 3)
    expect(rows.nth(len(opening["throws"]) - 1)).to_contain_text(
        f"{players[opening['starter']]['name']} begins"
    )
    expect(rows.nth(len(opening["throws"]) + 1)).to_contain_text("played by heuristics")
    expect(rows.last).to_contain_text(f"{winner} wins · gammon · 2 points · resigned")


_GUESSED = {"kind": "play", "side": "white", "dice": [3, 1], "play": "8/5 6/5", "steps": [], "guessed": True}


def test_equal_dice_typed_for_the_opening_are_asked_for_once_more(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    visitor.begin("tavla.p1.dice-typed", TWO)
    page = visitor.page
    dialog = page.locator("dialog")
    expect(dialog.locator("legend")).to_have_text([re.compile("Nava"), re.compile("Aslan")])
    visitor.type_dice(3, 3)
    expect(dialog.get_by_role("status")).to_have_text("Equal dice: throw once more.")
    expect(dialog.get_by_role("button", name="Done")).to_be_disabled()
    expect(page.locator("table.moves tr", has_text="the same: once more")).to_have_count(1)
    visitor.type_dice(2, 5)
    expect(page.locator("table.moves tr").last).to_contain_text("Aslan begins")
    assert visitor.state()["opening"]["throws"] == [[3, 3], [2, 5]]


def test_the_board_is_set_up_while_the_next_game_is_thrown_for(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    visitor.begin("backgammon.p3.dice-typed", TWO)
    dialog = visitor.page.locator("dialog")
    visitor.type_dice(6, 5)
    visitor.to_move()
    start = visitor.state()["board"]
    visitor.take_turn()
    visitor.wait("state.phase === 'roll'")
    assert visitor.state()["board"] != start
    visitor.act({"type": "resign", "kind": "single"}, "resigned")
    visitor.act({"type": "accept"}, "ready")
    dialog.locator(".pri").click()
    visitor.wait("state.phase === 'opening'")
    assert visitor.state()["board"] == start


def test_the_list_of_moves_stays_until_the_next_game_begins(arrive: Arrive) -> None:
    visitor = arrive(BY_HAND)
    visitor.begin("tavla.p3", TWO)
    page = visitor.page
    visitor.take_turn()
    rows = page.locator("table.moves td.roll")
    expect(rows).to_have_count(1)
    visitor.to_move()
    visitor.act({"type": "resign", "kind": "single"}, "resigned")
    visitor.act({"type": "accept"}, "ready")
    expect(page.locator("dialog .result")).to_be_visible()
    expect(rows).to_have_count(1)
    page.locator("dialog .pri").click()
    visitor.wait("state.game === 2")
    expect(rows).to_have_count(0)


def test_the_first_question_is_asked_in_the_language_of_the_browser(arrive: Arrive) -> None:
    visitor = arrive({}, locale="fa-IR")
    asked: list[str | None] = []
    visitor.page.on(
        "request",
        lambda request: (
            asked.append(request.headers.get("accept-language")) if request.url.endswith("/guest") else None
        ),
    )
    visitor.open()
    assert asked == ["fa"]
