"""The engine in the visitor's browser: the tutor of a match, and matches without a server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.i18n import languages
from sheshbesh.practice import puzzles
from sheshbesh.server.http import static_copy
from sheshbesh.session import Phase, Record
from tests.sizes import sampled
from tests.waiting import until
from tests.web.browser import WITHOUT_ENGINE, answered
from tests.web.conftest import Arrive
from tests.web.visitor import FIRST_PLAY, QUICK, Visitor, type_play

TABLE = "document.querySelector('ssb-local')"
ANSWERED = f"""() => {{
  if ({TABLE}.may('take')) {TABLE}.act({{type: 'take'}});
  return {TABLE}.may('resign');
}}"""
TUTOR = "document.querySelector('ssb-match, ssb-local').model.tutor"


def frames_of(page: Page) -> list[str]:
    """The types of the frames that the page's socket receives from now on."""
    found: list[str] = []

    def heard(frame: str | bytes) -> None:
        found.append(json.loads(frame)["t"])

    page.on("websocket", lambda socket: socket.on("framereceived", heard))
    return found


def ask_the_tutor(visitor: Visitor) -> list[str]:
    """Ask for a hint, play, and wait for the verdict; the types of the frames that came by the line."""
    page = visitor.page
    heard = frames_of(page)
    visitor.begin("backgammon.p5", tutor=True)
    visitor.to_move()
    page.keyboard.press("h")
    expect(page.locator(".advice .source")).to_be_visible()
    visitor.play_turn()
    until(lambda: page.evaluate(f"{TUTOR}.verdict !== null"))
    return heard


def test_the_tutor_of_a_match_is_asked_in_the_browser(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off"})
    visitor.load_nets("backgammon.p5")
    heard = ask_the_tutor(visitor)
    expect(visitor.page.locator(".advice .source")).to_contain_text("relaxed SIMD")
    verdict = visitor.page.evaluate(f"{TUTOR}.verdict")
    assert verdict["of"] >= verdict["rank"] >= 1
    assert verdict["by"]["build"] == "relaxed"
    assert "ask" in heard
    assert not {"hint", "verdict", "queued"} & set(heard)


def test_a_play_is_tried_in_a_match_and_judged_without_being_sent(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off"})
    page = visitor.page
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    visitor.begin("backgammon.p5", tutor=True)
    visitor.to_move()
    before = visitor.state()["board"]
    begun = len(sent)
    page.evaluate("document.querySelector('ssb-match').try()")
    expect(page.locator(".say")).to_contain_text("A play to try")
    visitor.play_turn()
    told = page.get_by_role("region", name="Details")
    expect(told).to_contain_text(re.compile("Right: that is|Your answer loses"))
    expect(told).to_contain_text("relaxed SIMD")
    assert visitor.state()["board"] != before
    page.get_by_role("button", name="Back to the match").click()
    visitor.wait("state.phase === 'move'")
    assert visitor.state()["board"] == before
    kinds = {json.loads(text)["t"] for text in sent[begun:]}
    assert kinds <= {"hint", "ping", "pong"}, "nothing but numbers is asked for"


def no_engine(visitor: Visitor) -> None:
    """A browser without WebAssembly."""
    visitor.context.add_init_script(WITHOUT_ENGINE)


def no_module(visitor: Visitor) -> None:
    """A line by which the module does not come."""
    visitor.page.route("**/engine/*.wasm", lambda route: route.abort())


@pytest.mark.parametrize(("lacks", "tried"), [(no_engine, False), (no_module, True)])
def test_what_the_browser_cannot_work_out_is_asked_of_the_server(
    arrive: Arrive, lacks: Callable[[Visitor], None], tried: object
) -> None:
    visitor = arrive(QUICK | {"forced": "off"})
    lacks(visitor)
    heard = ask_the_tutor(visitor)
    assert {"hint", "verdict"} <= set(heard)
    assert ("ask" in heard) is tried


WAYS = [(game, whole) for whole in (False, True) for game in ("tapa", "backgammon")]


@pytest.mark.parametrize(("game", "whole"), sampled(WAYS, lambda way: way == ("tapa", False)))
def test_a_match_is_played_without_the_network(arrive: Arrive, game: str, whole: bool) -> None:  # noqa: FBT001
    visitor = arrive()
    page = visitor.page
    visitor.open("/local")
    page.locator("#game").select_option(game)
    page.locator("#level").select_option("expert" if whole else "beginner")
    page.locator("input[name=length]").nth(1 if whole else 0).check()
    page.locator("form .pri").click()
    visitor.play_on(turns=2)
    page.context.set_offline(True)
    if whole:
        end = visitor.play_on()
        assert end["phase"] == "over", end
    else:
        visitor.play_on(turns=5)
        # An offer is answered before anything else.
        page.wait_for_function(ANSWERED, polling=200)
        page.evaluate(f"{TABLE}.open('resign')")
        page.locator("dialog .choice").last.click()
        page.wait_for_function(f"() => {TABLE}.state.phase === 'over'")
    text = page.evaluate(f"{TABLE}.record().text()")
    score = page.evaluate(f"{TABLE}.state.score")
    record = Record.from_text(text)
    assert sorted(record.header.players.values())[1] == ("expert" if whole else "beginner")
    replayed = record.replay()
    assert replayed.phase is Phase.OVER
    assert {"white": replayed.score.white, "black": replayed.score.black} == score


def test_a_match_without_a_server_goes_on_after_a_reload(arrive: Arrive) -> None:
    visitor = arrive(QUICK | {"forced": "off", "confirm": "tap"})
    page = visitor.page
    visitor.open("/local")
    page.locator("#game").select_option("backgammon")
    page.locator("form .pri").click()
    visitor.to_move()
    state = "document.querySelector('ssb-local').state"
    before = page.evaluate(f"[{state}.board, {state}.turn.dice, {state}.score]")
    page.reload()
    page.wait_for_selector("ssb-local ssb-board")
    assert page.evaluate(f"[{state}.board, {state}.turn.dice, {state}.score]") == before
    page.keyboard.press("h")
    expect(page.locator(".advice .source")).to_contain_text("relaxed SIMD")
    page.goto("/local")
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


@pytest.fixture
def copy(lang: str, tmp_path: Path) -> Iterator[str]:
    """What `sheshbesh static` writes, on a host that has nothing but files; its address."""
    folder = tmp_path / "site"
    # Of each game as many puzzles as are solved here, in the language in which that is done and in that of
    # the browser: most of the time of a copy goes into those.
    few = {game: puzzles.puzzles(game)[:5] for game in sb.variants()}
    two = [each for each in languages() if each.code in ("en", lang)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(puzzles, "puzzles", few.__getitem__)
        patch.setattr(static_copy, "languages", lambda: two)
        CliRunner().invoke(cli, ["static", str(folder)], catch_exceptions=False)
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


LANGUAGES = ["en", "fa", "ar", "ru", "tr"]
RIGHT = """() => {
  const view = document.querySelector("ssb-learn");
  void view.answer({ steps: view.lesson.solution.steps.map((step) => step.slice(0, 2)), whole: true });
}"""
REFUSED = """() => void document.querySelector("ssb-learn").answer({ steps: [[24, 11]], whole: false })"""
SOLVED = f"""() => {{
  const drill = document.querySelector("ssb-drill");
  void drill.give(({FIRST_PLAY})(drill.question.choices));
}}"""


def learn_and_analyse(page: Page, address: str, lang: str) -> None:
    """Answer a lesson rightly and wrongly and a puzzle, and have a position judged, in a language."""
    page.goto(f"{address}/learn/tapa?lesson=start&lang={lang}")
    page.wait_for_selector("ssb-learn ssb-board")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    page.evaluate(RIGHT)
    expect(page.locator(".said.right")).to_be_visible()
    page.evaluate(REFUSED)
    expect(page.locator(".said.wrong .reason")).not_to_be_empty()
    page.goto(f"{address}/puzzles/tavla?lang={lang}")
    page.wait_for_selector("ssb-drill ssb-board")
    page.evaluate(SOLVED)
    expect(page.locator(".judged .verdict")).to_be_visible()
    page.goto(f"{address}/analysis?card=tapa.m&dice=31&lang={lang}")
    expect(page.locator(".found .source")).to_contain_text("SIMD")
    expect(page.locator(".found table.plays")).to_be_visible()


def last_play(choices: list[dict[str, Any]]) -> str:
    """The last of the plays that are offered, as it is typed."""
    names = {26: "bar", 25: "hand", 0: "off"}
    steps, stage = [], choices[0]
    while stage["next"]:
        origin, target, _, _, onward = stage["next"][-1]
        steps.append(f"{names.get(origin, origin)}/{names.get(target, target)}")
        stage = choices[onward]
    return " ".join(steps)


def look_deeper(page: Page, address: str) -> None:
    """Answer a puzzle, try another play, have the plays compared and rolled out by the browser."""
    page.goto(f"{address}/puzzles/backgammon?lang=en")
    page.wait_for_selector("ssb-drill ssb-board")
    page.evaluate(SOLVED)
    deeper = page.locator("ssb-deeper")
    deeper.locator(".try").click()
    deeper.locator("ssb-board").wait_for()
    where = "ssb-deeper ssb-board"
    choices = page.evaluate(f"document.querySelector('{where}').state.choices")
    type_play(page, last_play(choices), where)
    expect(deeper.get_by_text(re.compile("^(Right: that is the best|Your answer loses)"))).to_be_visible()
    expect(deeper.locator(".source")).to_contain_text("Worked out in this browser")
    deeper.locator(".look").click()
    expect(deeper.locator(".found[aria-busy=false] table.plays")).to_be_visible()
    deeper.locator(".roll").click()
    expect(deeper.locator("progress")).to_be_visible()
    expect(deeper.locator(".ranking").last).to_contain_text("±")


@pytest.mark.parametrize("lang", sampled(LANGUAGES, lambda lang: lang == "en"))
def test_a_copy_on_a_host_of_files_works_in_every_language(arrive: Arrive, copy: str, lang: str) -> None:
    visitor = arrive()
    page = visitor.page
    missing: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{copy}/")
    expect(page.locator(".nav a")).to_have_count(4)
    page.locator("#game").select_option("tapa")
    page.locator("form .pri").click()
    visitor.play_on(turns=2)
    page.goto(f"{copy}/rules/tapa")
    expect(page.locator("#rules")).to_be_visible()
    learn_and_analyse(page, copy, lang)
    if lang == "en":
        look_deeper(page, copy)
    assert missing == []


INSTALLED = """
const { matchMedia } = window;
window.matchMedia = (query) =>
  query.includes("standalone") ? { ...matchMedia("all"), matches: true } : matchMedia.call(window, query);
"""
KEPT = """async (lang) => {
  const answer = await fetch(`/copy/${lang}/installed.json`);
  const { files, nets } = await answer.json();
  const keys = async (cache) => (await caches.open(cache)).keys();
  const kept = (await Promise.all((await caches.keys()).map(keys))).flat();
  const paths = new Set(kept.map(({ url }) => new URL(url).pathname));
  return [...files, ...nets].every((name) => paths.has(name));
}"""


@pytest.mark.parametrize("lang", sampled(LANGUAGES, lambda lang: lang == "fa"))
def test_an_installed_page_plays_learns_and_analyses_without_the_network(arrive: Arrive, lang: str) -> None:
    visitor = arrive(service_workers="allow")
    page = visitor.page
    visitor.context.add_init_script(INSTALLED)
    page.goto(f"/local?lang={lang}")
    until(partial(answered, page, KEPT, lang))
    # The worker of another release has less, and is asked for all of it again.
    page.evaluate("caches.delete('nets')")
    page.evaluate("navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))")
    until(partial(answered, page, KEPT, lang))
    visitor.context.set_offline(True)
    learn_and_analyse(page, visitor.site.url, lang)
    page.goto(f"/local?game=gul_bara&lang={lang}")
    page.locator("form .pri").click()
    visitor.play_on(turns=2)
    visitor.context.set_offline(False)


def test_a_copy_is_written_into_an_empty_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("kept")
    said = CliRunner().invoke(cli, ["static", str(tmp_path)])
    assert said.exit_code != 0
    assert [each.name for each in tmp_path.iterdir()] == ["kept.txt"]
