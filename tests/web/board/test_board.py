"""The board as its user meets it: mouse, fingers, keys and a screen reader, in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.sizes import sampled_games
from tests.web.board.conftest import OpenBoard


@pytest.mark.parametrize("game", sampled_games(5))
def test_every_game_is_drawn_and_can_be_played_to_the_end_of_a_turn(open_board: OpenBoard, game: str) -> None:
    """On every fixture: as many checkers as there are, all inside, and the turn goes out as a play."""
    board = open_board(game, size=(360, 640))
    report: list[dict[str, Any]] = board.do(
        """async () => {
          const found = [];
          for (const { d } of states) {
            if (!d.board) continue;
            d.card.touch_move = false;
            board.state = null;
            await board.updateComplete;
            board.state = d;
            await board.updateComplete;
            const svg = board.renderRoot.querySelector("svg");
            const box = svg.getBoundingClientRect();
            const drawn = [...svg.querySelectorAll(".piles .piece, .piles rect")];
            const pieces = drawn.map((p) => p.getBoundingClientRect());
            const inside = pieces.every((p) => p.top >= box.top - 1 && p.bottom <= box.bottom + 1);
            let sent = null;
            board.addEventListener("ssb-play", (e) => (sent = e.detail), { once: true });
            for (let i = 0; board.controller.play?.turn.next().length && i < 12; i++) {
              board.controller.tap(board.controller.play.turn.next()[0].origin);
            }
            if (board.controller.play) board.confirm();
            await board.updateComplete;
            found.push({ inside, pieces: pieces.length, moves: Boolean(d.choices), sent });
          }
          return found;
        }"""
    )
    assert any(row["moves"] for row in report)
    for row in report:
        assert row["inside"]
        assert row["pieces"] > 1
        assert (row["sent"] is not None) == row["moves"]
        if row["moves"]:
            assert re.fullmatch(r"pass|[\w/*() ]+", row["sent"]["play"])


def test_taps_play_the_active_die_then_the_other_and_the_dice_confirm(open_board: OpenBoard) -> None:
    board = open_board()
    board.click(8)
    board.click(6)
    assert board.path == [[8, 5], [6, 5]]
    assert board.do("board.controller.spoken") == "point 6 to point 5, The turn is complete; confirm it"
    board.dice()
    assert board.heard() == [["play", {"play": "8/5 6/5", "steps": [[8, 5], [6, 5]]}]]
    board.click(13)
    assert len(board.path) == 2, "a turn that was sent stands"


def test_the_other_die_by_right_click_control_and_swap(open_board: OpenBoard) -> None:
    board = open_board()
    board.click(24, button="right")
    assert board.path == [[24, 23]]
    board.do("board.undo()")
    board.page.keyboard.down("Control")
    board.click(24)
    board.page.keyboard.up("Control")
    assert board.path == [[24, 23]]
    board.do("board.undo(true)")
    board.dice()
    board.click(24)
    assert board.path == [[24, 23]]
    assert ["swap", {}] in board.heard()


@pytest.mark.parametrize("apart", [0, 450])
def test_a_second_tap_on_a_pile_moves_its_next_checker_however_quick_it_is(
    open_board: OpenBoard, apart: int
) -> None:
    board = open_board()
    board.page.mouse.dblclick(*board.at(24), delay=apart)
    assert board.path == [[24, 21], [24, 23]]


def test_a_tap_on_a_target_makes_the_point(open_board: OpenBoard) -> None:
    board = open_board()
    board.click(5)
    assert sorted(board.path) == [[6, 5], [8, 5]]


def test_dragging_there_back_and_onward(open_board: OpenBoard) -> None:
    board = open_board()
    board.drag(24, 20)
    assert board.path == [[24, 21], [21, 20]]
    board.drag(20, 24)
    assert board.path == []
    board.click(24, button="right")
    board.drag(23, 21)
    assert board.path == [[24, 21]]
    board.drag(13, 4)
    assert board.heard("why") == [["why", {"steps": [[24, 21], [13, 4]]}]]
    assert board.page.locator("ssb-board .refusal").count() == 1


def test_while_dragging_all_ends_are_lit(open_board: OpenBoard) -> None:
    board = open_board()
    board.page.mouse.move(*board.at(24))
    board.page.mouse.down()
    board.page.mouse.move(*board.at(22), steps=4)
    assert board.do("[...board.controller.destinations.keys()].sort()") == [20, 21, 23]
    assert board.page.locator("ssb-board .drag").count() == 1
    lit = board.page.locator("ssb-board .number.lit").all_text_contents()
    assert sorted(lit) == ["20", "21", "23", "24"]
    board.page.mouse.up()
    assert board.path == []


def test_select_then_target(open_board: OpenBoard) -> None:
    board = open_board(mode="taptap")
    board.click(24)
    assert board.path == []
    assert board.page.locator("ssb-board .number.lit").count() == 4
    board.click(20)
    assert board.path == [[24, 21], [21, 20]]


def test_keys(open_board: OpenBoard) -> None:
    board = open_board()
    keys = board.page.keyboard
    board.page.locator("ssb-board [data-spot=dice]").focus()
    keys.type("8/5 6/5")
    assert board.do("board.controller.spoken") == "Typed: 8/5 6/5"
    keys.press("Enter")
    assert board.path == [[8, 5], [6, 5]]
    keys.press("Backspace")
    assert board.path == [[8, 5]]
    keys.press("Shift+U")
    assert board.path == []
    keys.type("8/x")
    keys.press("Enter")
    assert board.do("board.controller.spoken") == "8/x cannot be read as a play"
    keys.press("Escape")
    keys.press("1")
    board.until("board.controller.play.dice[0] === 1")
    board.page.locator("ssb-board [data-spot=p24]").focus()
    keys.press("Enter")
    assert board.path == [[24, 23]]
    keys.press("ArrowLeft")
    assert board.do("board.renderRoot.activeElement.dataset.spot") == "p23"
    keys.press("ArrowDown")
    assert board.do("board.renderRoot.activeElement.dataset.spot") == "p2"
    keys.press("u")
    keys.type("24/20")
    keys.press("Enter")
    keys.press("Space")
    assert board.heard("play", "flip") == [["play", {"play": "24/20", "steps": [[24, 21], [21, 20]]}]]
    keys.press("f")
    assert board.heard("flip") == [["flip", {}]]


def test_fingers(open_board: OpenBoard) -> None:
    """Touch: tap, long press for the other die, a tap beside a narrow column."""
    board = open_board(size=(360, 640), context={"has_touch": True, "is_mobile": True})
    board.page.touchscreen.tap(*board.at(8))
    assert board.path == [[8, 5]]
    board.do("board.undo()")
    x, y = board.at(24)
    client = board.page.context.new_cdp_session(board.page)
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    board.until("board.controller.play.turn.path.length === 1")
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert board.path == [[24, 23]]
    board.do("board.undo()")
    column = board.do("board.renderRoot.querySelector('svg').clientWidth / board.frame.width * 100")
    x, y = board.at(13)
    board.page.touchscreen.tap(x + column * 0.7, y)
    assert board.path == [[13, 10]]


def test_a_touch_screen_can_drag(open_board: OpenBoard) -> None:
    board = open_board(size=(390, 700), context={"has_touch": True, "is_mobile": True})
    client = board.page.context.new_cdp_session(board.page)
    (x1, y1), (x2, y2) = board.at(24), board.at(20)
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x1, "y": y1}]})
    for i in range(1, 7):
        at = {"x": x1 + (x2 - x1) * i / 6, "y": y1 + (y2 - y1) * i / 6 + i}
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert board.path == [[24, 21], [21, 20]]


def test_with_touch_move_the_referee_is_told_each_thing_in_turn(open_board: OpenBoard) -> None:
    board = open_board("takhte")
    first = board.do("board.controller.play.turn.next()[0]")
    board.drag(first["origin"], first["target"])
    assert board.heard() == [["touch", {"point": first["origin"]}]]
    board.change(f"s.turn.touched = {first['origin']}")
    step = {key: first[key] for key in ("origin", "target", "die")}
    assert board.heard() == [["step", step]]
    board.page.keyboard.press("Backspace")
    assert len(board.path) == 1, "nothing is taken back"
    done = [first["origin"], first["target"], first["die"], 0]
    board.change(f"s.turn.touched = null; s.turn.done = [{done}]")
    second = board.do("board.controller.play.turn.next()[0]")
    board.click(second["origin"])
    assert [event[0] for event in board.heard()] == ["step"]
    board.do("board.confirm()")
    assert board.heard() == [], "not before the last step is answered"
    hop = board.path[1]
    board.change(f"s.turn.done = [{done}, [{hop[0]}, {hop[1]}, {second['die']}, 0]]")
    assert board.heard() == [["confirm", {}]]


def test_rolling_and_doubling(open_board: OpenBoard) -> None:
    board = open_board(state=5, still=True)
    assert board.do("board.state.phase") == "roll"
    x, y = board.at(3)
    left, _ = board.at(9)
    board.elapse(400)
    board.page.mouse.click(left, y)
    assert board.heard() == [], "only the roller's half rolls"
    board.page.mouse.click(x, y)
    assert board.heard() == [["roll", {}]]
    board.change("s.allowed = ['roll', 'double']")
    board.do("() => { board.hitTargets.double(); board.hitTargets.double(); }")
    assert board.heard() == [], "the cube is asked twice, and not in one go"
    assert board.do("board.controller.spoken") == "Once more to double"
    board.elapse(400)
    board.page.locator("ssb-board [data-spot=cube]").press("d")
    assert board.heard() == [["double", {}]]
    board.page.keyboard.press("Space")
    assert board.heard() == [["roll", {}]]


def test_no_tap_meant_for_a_move_confirms_or_rolls(open_board: OpenBoard) -> None:
    """The same place may not come to mean something else within 400 ms."""
    board = open_board(still=True)
    board.click(8)
    board.elapse(400)
    board.click(6)
    board.heard()
    board.change("s.phase = 'roll'; s.turn = null; delete s.choices; s.allowed = ['roll']")
    board.page.mouse.click(*board.at(3))
    assert board.heard() == []
    board.elapse(399)
    board.page.mouse.click(*board.at(3))
    assert board.heard() == []
    board.elapse(400)
    board.page.mouse.click(*board.at(3))
    assert board.heard() == [["roll", {}]]


def test_what_is_forced_is_played_and_a_dance_is_shown_first(open_board: OpenBoard) -> None:
    board = open_board(forced="turns", still=True)
    board.change(
        "s.turn = {dice: [6, 5], done: [], touched: null};"
        "s.choices = [{whole: false, next: [[24, 18, 6, 0, 1]]}, {whole: true, next: []}]"
    )
    assert board.path == []
    board.elapse(5000)
    assert board.path == [[24, 18]]
    assert board.heard() == [["play", {"play": "24/18", "steps": [[24, 18]]}]]
    board.change("s.turn = {dice: [4, 3], done: [], touched: null}; s.choices = [{whole: true, next: []}]")
    board.elapse(899)
    assert board.heard() == [], "the dance is seen for 900 ms"
    board.elapse(1)
    assert board.heard() == [["play", {"play": "pass", "steps": []}]]


def test_a_turn_stands_when_the_same_state_comes_again_and_a_refusal_gives_it_back(
    open_board: OpenBoard,
) -> None:
    board = open_board()
    board.click(8)
    board.change("s.clock = null")
    assert board.path == [[8, 5]]
    board.click(6)
    board.do("board.confirm()")
    board.do("board.refuse([[8, 5], [6, 5]], 'No, because.')")
    board.until("board.controller.spoken === 'No, because.'")
    board.do("board.undo(true)")
    assert board.path == []


def test_the_opponents_play_moves_and_is_told(open_board: OpenBoard) -> None:
    board = open_board(speed=120)
    board.do("board.last = {side: 'black', dice: [6, 2], play: '24/18 13/11'}")
    board.change(
        "const by = (place, n) => (s.board.points[place - 1].b += n);"
        "by(1, -1); by(7, 1); by(12, -1); by(14, 1); s.turn = {dice: [5, 4], done: [], touched: null}"
    )
    assert board.page.locator("ssb-board .flight").count() == 1
    assert board.page.locator("ssb-board .die.past").count() == 2, "the opponent's dice are shown meanwhile"
    board.until("!board.controller.animator.busy")
    assert board.page.locator("ssb-board .flight").count() == 0
    assert board.page.locator("ssb-board .last polygon").count() == 4
    spoken = board.page.locator("ssb-board .spoken").inner_text()
    assert spoken == "dark played 24/18 13/11. light rolled 5 and 4"


def test_a_click_acts_while_the_opponents_checkers_still_move(open_board: OpenBoard) -> None:
    board = open_board(speed=500)
    board.do("board.last = {side: 'black', dice: [6, 2], play: '24/18 13/11'}")
    board.change(
        "const by = (place, n) => (s.board.points[place - 1].b += n);"
        "by(1, -1); by(7, 1); by(12, -1); by(14, 1); s.turn = {dice: [3, 1], done: [], touched: null}"
    )
    assert board.do("board.controller.animator.busy") == "black"
    x, y = board.at(8)
    board.page.mouse.click(x, y)
    assert board.path == [[8, 5]]
    assert board.do("board.controller.animator.busy") == "white", "the opponent's play has ended at once"
    assert board.do("board.controller.animator.board.points[13].b") == 1
    board.page.mouse.click(*board.at(6))
    assert board.path == [[8, 5], [6, 5]], "nor does one's own animation hold up the next click"


def test_the_hops_of_an_opponent_bound_by_touch_are_seen_at_once(open_board: OpenBoard) -> None:
    board = open_board(state=4)
    assert board.do("board.state.on_roll") == "black"
    before = board.do("board.controller.animator.board.points.map((p) => p.b)")
    origin = board.do("board.controller.animator.board.points.findIndex((p) => p.b > 0) + 1")
    target = origin + 1
    board.change(f"s.turn.done = [[{25 - origin}, {25 - target}, s.turn.dice[0], 0]]")
    after = board.do("board.controller.animator.board.points.map((p) => p.b)")
    assert after[origin - 1] == before[origin - 1] - 1
    assert after[target - 1] == before[target - 1] + 1
    assert board.page.locator("ssb-board .die.used").count() >= 1


def test_the_draw_for_the_first_move_is_shown_and_told(open_board: OpenBoard) -> None:
    board = open_board(state=1)
    assert board.do("board.state.phase") == "opening"
    board.change("s.opening = {by: 'draw', throws: [[4, 4]], starter: null}")
    spoken = board.page.locator("ssb-board .spoken")
    assert spoken.inner_text() == "light threw 4, dark threw 4, the same: once more"
    halves = [
        die["x"] for die in map(Locator.bounding_box, board.page.locator("ssb-board .die").all()) if die
    ]
    assert len(halves) == 2 and abs(halves[0] - halves[1]) > 200, "each die lies in its thrower's half"
    board.change(
        "s.opening = {by: 'draw', throws: [[4, 4], [2, 5]], starter: 'black'};"
        "s.phase = 'roll'; s.on_roll = 'black'"
    )
    assert spoken.inner_text() == "light threw 2, dark threw 5. dark begins"


def test_the_winner_and_the_score_are_told(open_board: OpenBoard) -> None:
    board = open_board()
    board.change(
        "s.results.push({winner: 'black', points: 1}); s.score = {white: 2, black: 3};"
        "s.phase = 'ready'; s.board = s.turn = null"
    )
    assert board.do("board.controller.spoken") == "dark wins. Score: light 2, dark 3"
    assert board.page.locator("ssb-board .piece").count() == 30, "the last position stays to be looked at"


def test_two_at_one_board_count_from_their_own_sides(open_board: OpenBoard) -> None:
    board = open_board()
    # The columns of points 1 and 24, which face each other.
    seen = """() => [...board.renderRoot.querySelectorAll("text.number")]
      .filter((each) => Number(each.getAttribute("x")) === board.frame.cell(1).x)
      .filter((each) => each.checkVisibility({ visibilityProperty: true }))
      .map((each) => each.textContent)"""
    assert board.do(seen) == ["1", "24"]
    board.change("s.you = ['white', 'black']; s.on_roll = 'black'")
    assert board.do(seen) == ["24", "1"]


_REHEARSAL = """async () => {
  const { rehearse } = await import("/src/sheshbesh/web/board/rehearsal.js");
  const made = [];
  const create = document.createElement;
  document.createElement = (name) => {
    made.push(create.call(document, name));
    return made.at(-1);
  };
  const drawn = () => board.renderRoot.innerHTML.replace(/<!--.*?-->/gs, "");
  const [before, focus] = [drawn(), document.activeElement];
  heard.length = 0;
  const done = [];
  let inPage = false;
  const idle = () => {
    inPage ||= made[0].isConnected;
    const { play, selected } = made[0].controller;
    done.push([selected !== null, play?.turn.path.length ?? 0]);
    return new Promise((go) => setTimeout(go));
  };
  await rehearse(board, idle);
  delete document.createElement;
  return {
    done,
    heard,
    same: before === drawn() && focus === document.activeElement,
    inPage,
  };
}"""


@pytest.mark.parametrize("game", sampled_games(5, 1))
def test_a_turn_is_rehearsed_unseen_and_unheard(open_board: OpenBoard, game: str) -> None:
    """On an unseen board a checker is dragged about, two hops are made and taken back."""
    board = open_board(game)
    board.change("s.card.touch_move = false")
    found = board.do(_REHEARSAL)
    assert [step for step in found["done"] if any(step)] == [[True, 0], [True, 0], [False, 1], [False, 2]]
    assert found["heard"] == [], "nothing of it is reported"
    assert found["same"], "the board and the keyboard are where they were"
    assert not found["inPage"]


def test_nothing_moves_for_those_who_want_stillness(open_board: OpenBoard) -> None:
    board = open_board(speed=500, context={"reduced_motion": "reduce"})
    board.click(24)
    assert board.page.locator("ssb-board .flight").count() == 0
    running = board.do(
        "[...board.renderRoot.querySelectorAll('*')].filter((e) => e.getAnimations().length).length"
    )
    assert running == 0


def test_every_point_has_a_name(open_board: OpenBoard) -> None:
    board = open_board("plakoto", state=6)
    board.change(
        "s.board.points[6] = {w: 2, b: 1, pin: 'black'}; s.turn = {dice: [6, 5], done: [], touched: null}"
    )
    assert board.page.get_by_role("button", name="point 7: one dark pinned under 2 light").count() == 1
    points = board.page.locator("ssb-board [data-spot^=p]")
    assert points.count() == 24
    assert board.page.locator("ssb-board [data-spot^=p][tabindex='0']").count() == 1, (
        "one stop for the Tab key"
    )
    for name in points.evaluate_all("all => all.map((e) => e.getAttribute('aria-label'))"):
        assert re.match(r"point \d+: ", name)


def test_a_screen_readers_click_plays(open_board: OpenBoard) -> None:
    board = open_board()
    point = board.page.locator("ssb-board [data-spot=p8]")
    point.evaluate("e => e.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    assert board.path == [[8, 5]]
