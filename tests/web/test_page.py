"""The page in a browser, with the real site behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.sizes import sampled
from tests.web.browser import CHECKOUT, WITHOUT_WORKER, choose_game, resize
from tests.web.conftest import PATIENCE
from tests.web.site import LiveSite, sow

AXE = CHECKOUT / "tools" / "web" / "node_modules" / "axe-core" / "axe.min.js"

_EXPECTED_NOISE = re.compile(r"status of 401|ERR_INTERNET_DISCONNECTED")

# A whole turn by the choices that the page was sent, the first way each time.
_A_PLAY = """() => {
  const { state } = document.querySelector("ssb-board");
  const name = (n) => ({ 26: "bar", 25: "hand", 0: "off" })[n] ?? n;
  const steps = [];
  for (let at = 0; state.choices[at].next.length; ) {
    const [origin, target, , , stage] = state.choices[at].next[0];
    steps.push(`${name(origin)}/${name(target)}`);
    at = stage;
  }
  return steps.join(" ");
}"""

_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

NewPage = Callable[..., Page]


@pytest.fixture
def new_page(chromium: Browser, site: LiveSite) -> Iterator[NewPage]:
    """Makes strangers' browsers; at the end none of them may have complained."""
    complaints: list[str] = []
    contexts = []

    def complain(text: str) -> None:
        if not _EXPECTED_NOISE.search(text):
            complaints.append(text)

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            complain(message.text)

    def make(path: str = "/", **how: Any) -> Page:
        context = chromium.new_context(
            **{"locale": "en-US", "viewport": {"width": 1280, "height": 800}} | WITHOUT_WORKER | how
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: complain(str(error)))
        page.goto(site.url + path)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints


def ways(page: Page) -> None:
    """Wait until the player has to move, rolling where they must."""
    script = """() => {
      const { model } = document.querySelector("ssb-match") ?? {};
      const allowed = model?.state?.allowed ?? [];
      const asked = allowed.includes("roll") && allowed.includes("double");
      if (asked && !model.connection.busy) model.act({ type: "roll" });
      const mover = document.querySelector("ssb-match ssb-board")?.controller.mover;
      return Boolean(model?.state?.choices?.[0].next.length && mover);
    }"""
    page.wait_for_function(script, polling=200)


def start(page: Page, game: str) -> None:
    """From the first page to a board."""
    choose_game(page, game)
    page.locator("form.setup button.pri").click()
    page.locator("ssb-match ssb-board svg").first.wait_for()


def test_a_stranger_plays_within_two_clicks(new_page: NewPage) -> None:
    page = new_page()
    start(page, "tavla")
    expect(page).to_have_url(re.compile(r"/m/[\w-]+$"))
    ways(page)
    confirm = page.get_by_role("button", name="Confirm", exact=True)
    expect(confirm).to_be_disabled()
    before = page.locator(".moves tbody tr").count()
    # Typed notation is played by the board, which tells the panel.
    page.evaluate(
        "(play) => document.querySelector('ssb-match').model.act({ type: 'play', play })",
        page.evaluate(_A_PLAY),
    )
    expect(page.locator(".moves tbody tr").nth(before)).to_be_visible()
    expect(page.locator(".plate")).to_have_count(2)
    page.reload()
    page.locator("ssb-match ssb-board svg").first.wait_for()
    assert page.locator(".moves tbody tr").count() > before


def test_persian_is_right_to_left_and_the_board_is_not(new_page: NewPage) -> None:
    page = new_page("/", locale="fa-IR")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator("html")).to_have_attribute("lang", "fa")
    start(page, "takhte")
    ways(page)
    expect(page.locator(".sheet h1")).to_have_text("تخته نرد سنتی (ایرانی)")
    assert re.search("[۰-۹]", page.locator(".plate .sub").first.inner_text())
    board, panel = page.locator(".match-view .board").bounding_box(), page.locator(".sheet").bounding_box()
    assert board is not None and panel is not None and panel["x"] < board["x"]
    assert page.locator("ssb-board").evaluate("(board) => getComputedStyle(board).direction") == "ltr"


def test_nothing_sticks_out_at_any_width(new_page: NewPage, site: LiveSite) -> None:
    page = new_page("/")

    def widths(where: str) -> Iterator[int]:
        """Each width in turn, at which nothing sticks out."""
        for width in (360, 768, 1280):
            resize(page, width, 740)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{where} at {width}"
            yield width

    for path in ("/settings", "/rules/tapa", "/login", "/account", "/"):
        page.goto(site.url + path)
        page.locator("main .page").wait_for()
        assert list(widths(path))
    start(page, "backgammon")
    ways(page)
    for width in widths("a match"):
        confirm = page.get_by_role("button", name="Confirm", exact=True).bounding_box()
        assert confirm is not None
        assert confirm["y"] + confirm["height"] <= 740, width


def test_a_page_that_nobody_knows_and_a_match_that_is_not_there_are_said_so(new_page: NewPage) -> None:
    page = new_page("/m/nothing")
    expect(page.get_by_role("alert")).to_contain_text("no such match")


def test_the_dice_are_checked_in_the_browser(new_page: NewPage) -> None:
    sow("")  # an audit finds seeded dice wrong
    page = new_page()
    start(page, "portes")
    ways(page)
    page.goto(page.url.replace("/m/", "/dice/"))
    expect(page.get_by_role("heading", name="The dice hold")).to_be_visible()


def test_settings_change_the_page_at_once_and_stay(new_page: NewPage) -> None:
    page = new_page("/settings")
    page.locator("label", has_text="felt").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "felt")
    page.locator("#lang").select_option("ru")
    expect(page.locator("main h1")).to_have_text("Настройки")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.locator("html")).to_have_attribute("data-theme", "felt")


@pytest.mark.parametrize("whole", sampled([False, True], lambda whole: not whole))
def test_axe_finds_nothing_serious(new_page: NewPage, whole: bool) -> None:  # noqa: FBT001
    """In both schemes; every time in one of them, but for the front page and a match."""
    # Without transitions, of whose colours halfway axe would complain.
    page = new_page("/", reduced_motion="reduce")
    found: list[str] = []

    def look(where: str, schemes: Sequence[Literal["light", "dark"]] = _SCHEMES) -> None:
        page.evaluate(AXE.read_text(encoding="utf-8"))
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("html")).to_have_attribute("data-page", scheme)
            for problem in page.evaluate("axe.run().then((result) => result.violations)"):
                if problem["impact"] in ("moderate", "serious", "critical"):
                    nodes = [node["html"][:200] for node in problem["nodes"]]
                    found.append(f"{where}, {scheme}: {problem['id']}: {nodes}")

    page.locator(".tile").first.wait_for()
    look("home")
    for number, path in enumerate(("settings", "rules/tavla", "login", "account", "lobby", "reviews")):
        page.goto("/".join(page.url.split("/")[:3]) + f"/{path}")
        page.locator("main .page h1").first.wait_for()
        look(path, _SCHEMES if whole else _SCHEMES[number % 2 :][:1])
    page.goto("/".join(page.url.split("/")[:3]) + "/")
    start(page, "backgammon")
    ways(page)
    look("match")
    assert not found


def test_with_touch_move_each_step_is_sent_and_the_turn_confirmed(new_page: NewPage) -> None:
    page = new_page("/play/takhte")
    page.locator("form.setup button.pri").click()
    page.locator("ssb-match ssb-board svg").first.wait_for()
    ways(page)
    page.locator("ssb-board").focus()
    confirm = page.get_by_role("button", name="Confirm", exact=True)
    expect(confirm).to_be_disabled()
    steps = page.evaluate(_A_PLAY)
    page.evaluate(
        """async (steps) => {
          const view = document.querySelector("ssb-match");
          const own = { bar: 26, hand: 25, off: 0 };
          for (const step of steps.split(" ")) {
            const [origin, target] = step.split("/").map((name) => own[name] ?? Number(name));
            view.model.act({ type: "step", origin, target });
            while (view.model.connection.busy) await new Promise((done) => setTimeout(done, 20));
          }
        }""",
        steps,
    )
    confirm.click()
    expect(page.locator(".moves tbody tr", has_text=steps.split("/")[0]).first).to_be_visible()


def test_the_page_goes_on_where_it_was_when_the_line_comes_back(new_page: NewPage) -> None:
    page = new_page()
    start(page, "fevga")
    ways(page)
    page.evaluate("document.querySelector('ssb-match').model.connection.socket.close()")
    page.context.set_offline(True)
    expect(page.locator(".lineoff")).to_be_visible()
    play = page.evaluate(_A_PLAY)
    # Played while the line is down: it is sent when the line is back, once.
    page.evaluate("(play) => document.querySelector('ssb-match').model.act({ type: 'play', play })", play)
    page.context.set_offline(False)
    expect(page.locator(".lineoff")).to_have_count(0)
    page.wait_for_function("() => document.querySelector('ssb-match')?.model.connection.busy === false")
    mine = page.evaluate("document.querySelector('ssb-match').model.state.you[0]")
    turns = page.evaluate("document.querySelector('ssb-match').model.turns")
    assert [turn["side"] for turn in turns].count(mine) == 1


def test_a_play_is_made_by_keys_alone(new_page: NewPage) -> None:
    page = new_page("/play/backgammon")
    page.locator("form.setup button.pri").focus()
    page.keyboard.press("Enter")
    page.locator("ssb-match ssb-board svg").first.wait_for()
    ways(page)
    page.evaluate("document.activeElement.blur()")
    play = page.evaluate(_A_PLAY)
    before = page.locator(".moves tbody tr").count()
    page.keyboard.type(play)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_enabled()
    page.keyboard.press(" ")
    expect(page.locator(".moves tbody tr").nth(before)).to_be_visible()


def test_a_player_who_loses_their_chain_of_dice_plays_on_with_a_new_one(new_page: NewPage) -> None:
    sow("")  # an audit finds seeded dice wrong
    page = new_page()
    start(page, "tapa")
    ways(page)
    page.evaluate(
        "for (const n of Object.keys(localStorage)) if (n.includes('.dice.')) localStorage.removeItem(n)"
    )
    page.reload()
    page.locator("ssb-match ssb-board svg").first.wait_for()
    ways(page)
    play = page.evaluate(_A_PLAY)
    page.evaluate("(play) => document.querySelector('ssb-match').model.act({ type: 'play', play })", play)
    mine = page.evaluate("document.querySelector('ssb-match').model.state.you[0]")
    page.wait_for_function(
        """(side) => {
          const { turns } = document.querySelector("ssb-match").model;
          const own = turns.findIndex((turn) => turn.side === side);
          return own >= 0 && turns.findLastIndex((turn) => turn.side !== side) > own;
        }""",
        arg=mine,
    )
    page.goto(page.url.replace("/m/", "/dice/"))
    expect(page.get_by_role("heading", name="The dice hold")).to_be_visible()
    expect(page.get_by_text("New lists were begun")).to_be_visible()
