"""The engine in the visitor's browser: the tutor of a match, and matches without a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from sheshbesh.cli.main import cli
from sheshbesh.session import Phase, Record
from tests.sizes import sampled
from tests.web.browser import WITHOUT_ENGINE
from tests.web.conftest import Arrive
from tests.web.visitor import QUICK, Visitor

TABLE = "document.querySelector('ssb-local')"
ANSWERED = f"""() => {{
  if ({TABLE}.may('take')) {TABLE}.act({{type: 'take'}});
  return {TABLE}.may('resign');
}}"""
TUTOR = "document.querySelector('ssb-match, ssb-local').model.tutor"
JUDGED = f"() => {TUTOR}.verdict"


def frames_of(page: Page) -> list[str]:
    """The types of the frames that the page's socket receives from now on."""
    found: list[str] = []

    def heard(frame: str | bytes) -> None:
        found.append(json.loads(frame)["t"])

    page.on("websocket", lambda socket: socket.on("framereceived", heard))
    return found


def move(visitor: Visitor) -> None:
    """Come to one's first throw."""
    page = visitor.page
    page.wait_for_function(
        """() => {
          const { model } = document.querySelector('ssb-match, ssb-local') ?? {};
          const side = model?.seat;
          if (side && model.allowed(side).includes('roll')) model.act({type: 'roll'});
          return side && model.allowed(side).includes('play');
        }""",
        polling=200,
    )


def test_the_tutor_of_a_match_is_asked_in_the_browser(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off"})
    page = visitor.page
    heard = frames_of(page)
    visitor.begin("backgammon.p5", tutor=True)
    move(visitor)
    page.keyboard.press("h")
    expect(page.locator(".advice .source")).to_contain_text("relaxed SIMD")
    hint = page.evaluate(f"{TUTOR}.hint")
    assert hint["kind"] == "play"
    assert hint["candidates"][0]["grade"] == "best"
    visitor.play_turn()
    page.wait_for_function(JUDGED)
    verdict = page.evaluate(f"{TUTOR}.verdict")
    assert verdict["of"] >= verdict["rank"] >= 1
    assert verdict["by"]["build"] == "relaxed"
    assert "ask" in heard
    assert not {"hint", "verdict", "queued"} & set(heard)


def test_a_browser_without_webassembly_asks_the_server(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off"})
    visitor.context.add_init_script(WITHOUT_ENGINE)
    page = visitor.page
    heard = frames_of(page)
    visitor.begin("backgammon.p5", tutor=True)
    move(visitor)
    page.keyboard.press("h")
    expect(page.locator(".advice .source")).to_contain_text("by the server")
    visitor.play_turn()
    page.wait_for_function(JUDGED)
    assert "ask" not in heard
    assert {"hint", "verdict"} <= set(heard)


def test_what_the_browser_cannot_work_out_is_asked_of_the_server(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off"})
    page = visitor.page
    page.route("**/engine/*.wasm", lambda route: route.abort())
    heard = frames_of(page)
    visitor.begin("backgammon.p5", tutor=True)
    move(visitor)
    page.keyboard.press("h")
    expect(page.locator(".advice .source")).to_contain_text("by the server")
    visitor.play_turn()
    page.wait_for_function(JUDGED)
    assert {"ask", "hint", "verdict"} <= set(heard)


WAYS = [(game, whole) for whole in (False, True) for game in ("tapa", "backgammon")]


@pytest.mark.parametrize(("game", "whole"), sampled(WAYS, lambda way: not way[1]))
def test_a_match_is_played_without_the_network(arrive: Arrive, game: str, whole: bool) -> None:  # noqa: FBT001
    visitor = arrive()
    page = visitor.page
    visitor.open("/local")
    page.locator("#game").select_option(game)
    page.locator("#level").select_option("expert")
    page.locator("input[name=length]").nth(1 if whole else 0).check()
    page.locator("form .pri").click()
    visitor.play_on(turns=4)
    page.context.set_offline(True)
    if whole:
        end = visitor.play_on()
        assert end["phase"] == "over", end
    else:
        visitor.play_on(turns=10)
        # An offer is answered before anything else.
        page.wait_for_function(ANSWERED, polling=200)
        page.evaluate(f"{TABLE}.open('resign')")
        page.locator("dialog .choice").last.click()
        page.wait_for_function(f"() => {TABLE}.state.phase === 'over'")
    text = page.evaluate(f"{TABLE}.record().text()")
    score = page.evaluate(f"{TABLE}.state.score")
    replayed = Record.from_text(text).replay()
    assert replayed.phase is Phase.OVER
    assert {"white": replayed.score.white, "black": replayed.score.black} == score


def test_a_match_without_a_server_goes_on_after_a_reload(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off", "confirm": "tap"})
    page = visitor.page
    visitor.open("/local")
    page.locator("#game").select_option("backgammon")
    page.locator("form .pri").click()
    move(visitor)
    state = "document.querySelector('ssb-local').state"
    before = page.evaluate(f"[{state}.board, {state}.turn.dice, {state}.score]")
    page.reload()
    page.wait_for_selector("ssb-local ssb-board")
    assert page.evaluate(f"[{state}.board, {state}.turn.dice, {state}.score]") == before
    page.keyboard.press("h")
    expect(page.locator(".advice .source")).to_contain_text("relaxed SIMD")
    page.goto(f"{visitor.site.url}/local")
    expect(page.locator("ul.rows li")).to_have_count(1)
    page.locator("ul.rows button").click()
    page.locator("ul.rows button").click()
    expect(page.locator("ul.rows")).to_have_count(0)


def test_a_match_in_two_windows_goes_on_in_the_one_opened_last(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off", "confirm": "tap"})
    page = visitor.page
    visitor.open("/local")
    page.locator("form .pri").click()
    page.wait_for_selector("ssb-local ssb-board")
    second = page.context.new_page()
    second.goto(page.url)
    second.wait_for_selector("ssb-local ssb-board")
    expect(page.get_by_role("alert")).to_contain_text("This match is played in another window.")
    assert second.evaluate(f"{TABLE}.model.connection.live")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What `sheshbesh static` writes, on a host that has nothing but files; its address."""
    folder = tmp_path_factory.mktemp("copy") / "site"
    CliRunner().invoke(cli, ["static", str(folder)], catch_exceptions=False)
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_copy_on_a_host_of_files_is_played(arrive: Arrive, copy: str) -> None:
    visitor = arrive()
    page = visitor.page
    missing: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{copy}/")
    expect(page.locator(".nav a")).to_have_count(2)
    page.locator("#game").select_option("tapa")
    page.locator("form .pri").click()
    visitor.play_on(turns=4)
    page.goto(f"{copy}/rules/tapa")
    expect(page.locator("#rules")).to_be_visible()
    assert missing == []


def test_a_copy_is_written_into_an_empty_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("kept")
    said = CliRunner().invoke(cli, ["static", str(tmp_path)])
    assert said.exit_code != 0
    assert [each.name for each in tmp_path.iterdir()] == ["kept.txt"]
