"""The tutor's arrows on the board: how long they stand, and that they are never over others."""

from __future__ import annotations

from tests.web.board.conftest import BoardPage, OpenBoard

# What was played and what would have been better; the way from 24 to 18 is common to both.
ADVICE = """
board.advice = {
  side: "white",
  board: board.state.board,
  ways: [
    { grade: "best", steps: [[24, 18, 6, 0], [13, 11, 2, 0]] },
    { grade: "blunder", steps: [[24, 18, 6, 0], [6, 4, 2, 0]] },
  ],
}
"""


def arrows(board: BoardPage, kind: str = "advice") -> int:
    """How many arrows of a kind are drawn; each has a tip and its casing."""
    board.do("board.updateComplete")
    return board.page.locator(f"ssb-board .{kind} polygon").count() // 2


def test_advice_on_a_play_that_was_made_outlives_the_answer(open_board: OpenBoard) -> None:
    board = open_board(last="black:6-2:24/18 13/11")
    assert (arrows(board), arrows(board, "last")) == (0, 2)
    board.do(ADVICE)
    assert arrows(board) == 2, "what both plays have in common says nothing about either"
    assert arrows(board, "last") == 0, "one kind at a time"
    styles = board.do("[...board.renderRoot.querySelectorAll('.way')].map((way) => way.classList[1])")
    assert styles == ["blunder", "best"], "the better play lies on top"
    dashes = board.page.locator("ssb-board .way.blunder path[stroke-dasharray]").count()
    assert dashes == 1, "a blunder is told from the best play by shape"
    board.change("s.board.points[23].b = 1; s.clock = null")
    assert arrows(board) == 2
    board.do("board.advice = null")
    assert (arrows(board), arrows(board, "last")) == (0, 2)


def test_a_hint_gives_way_to_the_checkers_and_comes_back_with_them(open_board: OpenBoard) -> None:
    board = open_board()
    steps = [[8, 5, 3, 0], [6, 5, 1, 0]]
    board.do(f"board.advice = {{ side: 'white', ways: [{{ grade: 'best', steps: {steps} }}] }}")
    assert arrows(board) == 2
    board.click(8)
    assert arrows(board) == 0
    board.do("board.undo()")
    board.until("!board.hands.show.flights.length")
    assert arrows(board) == 2


def test_nothing_is_drawn_over_a_checker_in_hand(open_board: OpenBoard) -> None:
    board = open_board(mode="taptap")
    board.do(ADVICE)
    board.click(24)
    assert arrows(board) == 0
    board.page.keyboard.press("Escape")
    board.do("board.spots.escape()")
    assert arrows(board) == 2


def test_checkers_that_go_one_way_share_an_arrow_and_its_number(open_board: OpenBoard) -> None:
    board = open_board()
    steps = [[13, 9, 4, 0], [13, 9, 4, 0], [9, 5, 4, 0], [24, 20, 4, 0]]
    board.do(f"board.advice = {{ side: 'white', ways: [{{ grade: 'best', steps: {steps} }}] }}")
    assert arrows(board) == 3, "13/5, 13/9 and 24/20"
    board.do(f"board.advice = {{ side: 'white', ways: [{{ grade: 'best', steps: {steps[:2]} }}] }}")
    assert arrows(board) == 1
    assert board.page.locator("ssb-board .advice text").all_text_contents() == ["2"]


def test_the_board_tells_when_the_player_acts_and_not_when_it_plays_by_itself(open_board: OpenBoard) -> None:
    board = open_board(forced="turns")
    board.do("() => { window.acted = 0; board.addEventListener('ssb-acted', () => (window.acted += 1)); }")
    board.click(8)
    board.do("board.undo()")
    assert board.do("window.acted") == 2
    board.change(
        "s.turn = {dice: [6, 5], done: [], touched: null};"
        "s.choices = [{whole: false, next: [[24, 18, 6, 0, 1]]}, {whole: true, next: []}]"
    )
    board.until("board.hands.sent")
    assert board.do("window.acted") == 2


def test_arrows_that_were_asked_for_lie_over_their_own_position_until_a_tap(open_board: OpenBoard) -> None:
    board = open_board()
    board.do(ADVICE)
    before = board.do("board.hands.show.board.points[23].w")
    board.do(
        "() => { const past = structuredClone(board.state.board); past.points[23].w = 0;"
        " window.present = 0; board.addEventListener('ssb-present', () => (window.present += 1));"
        " board.advice = { ...board.advice, board: past, dice: [6, 2], alone: true }; }"
    )
    assert arrows(board) > 0
    assert board.do("board.renderRoot.querySelectorAll('.piles.past').length") == 1
    assert before != 0
    board.click(8)
    assert board.do("window.present") == 1, "the tap ends it"
    assert board.do("board.hands.play.turn.path.length") == 0, "and moves nothing"
