"""Everything that can be done in a match is done by keys, and one always sees where the keyboard is."""

from __future__ import annotations

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.conftest import Arrive
from tests.web.screen_reader import ScreenReader
from tests.web.site import sow
from tests.web.visitor import BY_HAND, TWO, Visitor

_BY_HAND = BY_HAND | {"autoroll": False}
_SEAT = "document.querySelector('ssb-match').seat"
_MAY_ROLL = "document.querySelector('ssb-match').allowed.includes('roll')"
_TO_MOVE = "state.choices?.[0].next.length && board.controller.play"
_MADE = "board.controller.play.turn.path.length"
_HERE = """() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const { outlineStyle, outlineWidth, stroke, strokeWidth } = getComputedStyle(at);
  const seen = at instanceof SVGElement
    ? stroke !== "none" && parseFloat(strokeWidth) > 0
    : outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  const name = at.dataset.spot ?? at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 30);
  return [`${at.localName} ${name}`, seen];
}"""


def press(page: Page, *keys: str) -> None:
    """Press one key after the other."""
    for key in keys:
        page.keyboard.press(key)


def throw_for_the_start(visitor: Visitor) -> None:
    """Throw for either side, by these seeds once."""
    for side in ("white", "black"):
        visitor.wait(f"{_SEAT} === {side!r} && {_MAY_ROLL}")
        press(visitor.page, "Space")
    visitor.wait(_TO_MOVE)


def move(visitor: Visitor) -> None:
    """Play whatever can be played: the next checker that can move, by the first die, until nothing can."""
    for _ in range(2):
        press(visitor.page, "n", "Enter")
    assert not visitor.onward()


def to_the_cube(visitor: Visitor) -> None:
    """Past the opening to a player who may double."""
    throw_for_the_start(visitor)
    move(visitor)
    press(visitor.page, "Space")
    visitor.wait("state.phase === 'roll'")


def choose(visitor: Visitor, text: str) -> None:
    """Go to a button and press it."""
    ScreenReader(visitor.page).go_to("button", text)
    press(visitor.page, "Enter")


def test_a_game_is_rolled_played_taken_back_doubled_and_given_up_by_keys(arrive: Arrive) -> None:
    sow("rolled by keys 1")
    visitor = arrive(_BY_HAND)
    visitor.begin("backgammon.p5", TWO)
    page = visitor.page
    to_the_cube(visitor)
    visitor.double()
    press(page, "t")
    visitor.wait("state.cube.value === 2 && state.phase === 'roll'")
    press(page, "Space")
    visitor.wait(_TO_MOVE)
    press(page, "n", "Enter")
    visitor.wait(f"{_MADE} === 1")
    press(page, "u")
    visitor.wait(f"{_MADE} === 0")
    press(page, "r")
    expect(page.locator("dialog .choice")).to_have_count(3)
    choose(visitor, "^single game")
    visitor.wait("state.phase === 'resigned'")
    choose(visitor, "^Accept$")
    visitor.wait("state.results.length === 1")

    expect(page.get_by_role("dialog").get_by_role("button", name="Next game")).to_be_focused()
    press(page, "Enter")
    visitor.wait("state.game === 2")
    to_the_cube(visitor)
    visitor.double()
    press(page, "x")
    visitor.wait("state.results.length === 2")


def test_a_key_on_a_button_that_waits_for_an_answer_counts(arrive: Arrive) -> None:
    sow("a key at a disabled button 1")
    visitor = arrive(_BY_HAND)
    page = visitor.page

    def withhold(socket: WebSocketRoute) -> None:
        """Pass on what comes, but for the answers to actions."""
        server = socket.connect_to_server()
        server.on_message(lambda text: None if '"t":"ack"' in str(text) else socket.send(text))

    page.route_web_socket("**/ws/match/**", withhold)
    visitor.begin("backgammon.p5", TWO)
    visitor.wait(f"{_SEAT} === 'white' && {_MAY_ROLL}")
    press(page, "Space")
    visitor.wait(f"{_SEAT} === 'black' && {_MAY_ROLL}")
    roll = page.get_by_role("button", name="Roll", exact=True)
    expect(roll).to_be_disabled()
    # Until the next frame the keyboard is still at a button that was disabled.
    roll.dispatch_event("keydown", {"key": " "})
    visitor.wait(_TO_MOVE)


_WITHOUT_POPOVERS = """for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"])
  delete HTMLElement.prototype[name];
delete Element.prototype.checkVisibility;"""
"""As Safari 16 and Firefox 115 are."""


def test_dialogs_open_work_and_close_in_a_browser_without_popovers(arrive: Arrive) -> None:
    visitor = arrive(_BY_HAND)
    visitor.context.add_init_script(_WITHOUT_POPOVERS)
    visitor.begin("backgammon.p3", TWO)
    page = visitor.page
    visitor.take_turn()
    visitor.wait("state.phase === 'roll'")
    more = page.get_by_role("button", name="More")
    keys = page.get_by_role("dialog", name="Keys")
    place = more.bounding_box()
    assert place is not None
    press(page, "?")
    expect(keys).to_be_in_viewport(ratio=1)
    # Neither the pointer nor the keyboard reaches what is behind.
    behind = "([x, y]) => document.elementFromPoint(x, y)?.closest('button') ?? null"
    assert page.evaluate(behind, [place["x"] + 10, place["y"] + 10]) is None
    for _ in range(3):
        press(page, "Tab")
        assert page.evaluate("document.activeElement.matches('body, dialog, dialog *')")
    press(page, "Escape")
    expect(keys).to_have_count(0)
    visitor.wait("document.querySelector('ssb-match').dialog === ''")
    press(page, "r")
    page.locator("dialog .choice").nth(1).click()
    visitor.wait("state.phase === 'resigned'")
    choose(visitor, "^Refuse$")
    visitor.wait("state.phase === 'roll'")
    press(page, "?")
    keys.get_by_role("button", name="Back").click()
    expect(keys).to_have_count(0)


def test_hint_keys_rules_and_settings_are_reached_by_keys(arrive: Arrive) -> None:
    sow("hint by keys 2")  # White begins, and throws once more
    visitor = arrive(_BY_HAND)
    visitor.begin("tavla.p1", tutor=True, side="white")
    page = visitor.page
    visitor.to_move()
    press(page, "h")
    expect(page.locator(".say .told")).to_contain_text("Hint")
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys").locator("dt")).to_have_count(20)
    # The keyboard goes round in the dialog, and only the dialog is there.
    more = page.get_by_role("button", name="More")
    for key in ("Tab", "Tab", "Shift+Tab"):
        press(page, key)
        expect(page.get_by_role("button", name="Back")).to_be_focused()
    expect(more).to_have_count(0)
    press(page, "Escape")
    expect(more).to_have_count(1)
    # The page hears of it a moment after the dialog is gone.
    visitor.wait("document.querySelector('ssb-match').dialog === ''")
    press(page, "g")
    expect(page.get_by_role("dialog", name="Tavla")).to_be_visible()
    press(page, "Escape")
    ScreenReader(page).go_to("link", "^Settings$")
    press(page, "Enter")
    page.wait_for_url("**/settings")


def test_two_people_chat_by_keys(arrive: Arrive) -> None:
    one, two = arrive(_BY_HAND), arrive(_BY_HAND)
    two.post("/guest", {})
    invite = one.begin("tavla.p1", {"kind": "friend"})
    one.open(invite)
    two.open(invite)
    two.page.get_by_role("button", name="Play", exact=True).press("Enter")
    one.wait("state.board")
    press(one.page, "c")
    expect(one.page.get_by_role("textbox", name="Message")).to_be_focused()
    one.page.keyboard.type("hello there")
    press(one.page, "Enter")
    two.wait("state.board")
    press(two.page, "c")
    expect(two.page.get_by_role("log")).to_contain_text("hello there")


def test_tab_goes_round_and_one_sees_where_it_is(arrive: Arrive) -> None:
    visitor = arrive(_BY_HAND)
    visitor.begin("backgammon.p3", TWO)
    visitor.wait(_MAY_ROLL)
    expect(visitor.page.get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    for key in ("Tab", "Shift+Tab"):
        seen: list[str] = []
        for _ in range(60):
            press(visitor.page, key)
            name, visible = visitor.page.evaluate(_HERE)
            if name in seen or name.startswith("body"):
                break
            assert visible, f"{name} does not show that it has the keyboard"
            seen.append(name)
        else:
            raise AssertionError(f"{key} never comes round: {seen}")
        assert {"link To the content", "button More", "button Roll"} <= set(map(_plain, seen)), seen
        assert any(name.startswith("rect p") for name in seen)


def _plain(name: str) -> str:
    """Links and buttons as they are called in words."""
    return name.replace("a ", "link ", 1) if name.startswith("a ") else name


def test_the_keyboard_stays_where_it_was_while_turns_go_by(arrive: Arrive) -> None:
    visitor = arrive(_BY_HAND)
    visitor.begin("tavla.p1", TWO)
    page = visitor.page
    visitor.wait(_MAY_ROLL)
    ScreenReader(page).go_to("button", "^Roll$")
    press(page, "Enter")
    for phase in ("opening", "roll"):  # Black begins, and throws once more
        visitor.wait(f"{_SEAT} === 'black' && {_MAY_ROLL} && state.phase === '{phase}'")
        expect(page.get_by_role("button", name="Roll", exact=True)).to_be_focused()
        press(page, "Enter")
    visitor.wait(f"{_TO_MOVE} && board.rests")
    visitor.play_turn()
    confirm = page.get_by_role("button", name="Confirm", exact=True)
    expect(confirm).to_be_focused()
    page.locator("ssb-board [data-spot=dice]").focus()
    press(page, "Enter")
    visitor.wait("state.phase === 'roll'")
    assert page.evaluate("document.activeElement.localName") == "ssb-board"
    page.get_by_role("button", name="Roll", exact=True).click()
    visitor.wait(f"{_TO_MOVE} && board.rests")


def test_letters_of_a_play_that_is_typed_are_no_commands(arrive: Arrive) -> None:
    """Typing "bar/20" anywhere on the page asked whether to resign, at its third letter."""
    visitor = arrive(_BY_HAND)
    visitor.begin("tavla.p1", TWO)
    page = visitor.page
    visitor.to_move()
    page.get_by_role("button", name="Rules").focus()
    page.keyboard.type("bar/20")
    assert page.evaluate("document.querySelector('ssb-board').writing")
    expect(page.get_by_role("dialog")).to_have_count(0)
