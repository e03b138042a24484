"""The analysis board in a browser: from an edit to its evaluation, from a replay."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.sizes import sampled
from tests.web.browser import WITHOUT_ENGINE, answered, faults
from tests.web.conftest import Arrive

_READY = "() => document.querySelector('ssb-board-editor .layer .key')"
_SPOT = """(place) => {
  const editor = document.querySelector("ssb-board-editor");
  const box = editor.querySelector(".layer").getBoundingClientRect();
  const { frame } = editor;
  const scale = box.width / frame.width;
  const { x, base, dir } = frame.cell(place);
  return [box.left + x * scale, box.top + (base + dir * 60) * scale];
}"""
# The face of headings comes late, and what stands below one may move: places are measured after that.
_STILL = """async () => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  while (!document.documentElement.dataset.face) await drawn();
  await drawn();
  await document.fonts.ready;
  await drawn();
}"""
_MODEL = "document.querySelector('ssb-match').model"
_POINT = "(place) => document.querySelector('ssb-analysis').draft.board.points[place - 1]"
_JUDGED = "(build) => document.querySelector('ssb-analysis')?.found?.build === build"
_SETTLED = """(id) => new URLSearchParams(location.search).get("id") === id"""


def drag(page: Page, origin: int, target: int) -> None:
    page.mouse.move(*page.evaluate(_SPOT, origin))
    page.mouse.down()
    page.mouse.move(*page.evaluate(_SPOT, target), steps=6)
    page.mouse.up()


@pytest.mark.parametrize(
    ("size", "locale"),
    sampled([((360, 740), "fa-IR"), ((1280, 800), "en-GB")], lambda case: case[1] == "fa-IR"),
)
def test_from_an_edit_to_its_evaluation(arrive: Arrive, size: tuple[int, int], locale: str) -> None:
    visitor = arrive(locale=locale, viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    visitor.load_nets("backgammon.m")
    page.wait_for_function(_READY)
    answered(page, _STILL)
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]

    page.mouse.click(*page.evaluate(_SPOT, 4))
    assert page.evaluate(_POINT, 4) == {"w": 1, "b": 0}
    expect(page.locator(".problems li")).to_have_count(1)
    drag(page, 4, 6)
    assert page.evaluate(_POINT, 6) == {"w": 6, "b": 0}
    page.locator('[data-place="6"]').focus()
    page.keyboard.press("4")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    assert page.evaluate(_POINT, 5) == {"w": 1, "b": 0}
    page.wait_for_function(_SETTLED, arg="B4e1c3Ed3C1DA3b:w".replace("Ed", "Ee"))
    assert page.locator(".problems").count() == 0

    page.locator(".setup select").nth(1).select_option("3")
    page.locator(".setup select").nth(2).select_option("1")
    page.wait_for_function(_JUDGED, arg="relaxed")
    with page.expect_response("**/api/v1/analysis/ask"):
        page.locator(".told button.pri").click()
    expect(page.locator(".because")).to_be_visible()
    assert page.evaluate("document.querySelector('ssb-board-editor ssb-board').advice.options.length") == 1
    page.locator(".plays button").nth(2).click()
    assert page.evaluate("document.querySelector('ssb-board-editor ssb-board').advice.options.length") == 2
    page.locator("#a-trials").select_option("144")
    page.locator("#a-roll").click()
    page.wait_for_function("() => document.querySelector('ssb-analysis').rollout?.trials")
    page.evaluate("document.querySelector('ssb-analysis').stop()")
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]

    assert not faults(page)


def test_a_position_is_judged_in_the_browser_while_it_is_edited(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(visitor.site.url)))
    # The server is asked while the net is on its way.
    with page.expect_request("**/api/v1/analysis/ask"):
        visitor.load_nets("hypergammon.m", "backgammon.p5")
    asked.clear()
    page.goto("/analysis?card=backgammon.p5&score=3.1&dice=31")
    page.wait_for_function(_JUDGED, arg="relaxed")
    # That it is what the site says is tested in `test_wasm_analysis`.
    expect(page.locator(".found .source")).to_contain_text("relaxed SIMD")

    page.mouse.click(*page.evaluate(_SPOT, 4))
    assert page.evaluate("document.querySelector('ssb-analysis').found") is None
    page.locator('[data-place="6"]').focus()
    page.keyboard.press("4")
    page.wait_for_function(_JUDGED, arg="relaxed")
    page.goto("/analysis?card=hypergammon.m&dice=31")
    page.wait_for_function(_JUDGED, arg="relaxed")
    page.locator("#a-trials").select_option("144")
    page.locator("#a-roll").click()
    page.wait_for_function("() => document.querySelector('ssb-analysis').rollout?.build")
    mine = page.evaluate("document.querySelector('ssb-analysis').rollout")
    assert (mine["trials"], mine["done"], len(mine["plays"])) == (144, True, 3)
    assert not [each for each in asked if "/analysis/ask" in each or "/analysis/rollout" in each]


@pytest.mark.parametrize(
    "script",
    [WITHOUT_ENGINE, "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"],
    ids=["no WebAssembly", "data is saved"],
)
def test_a_page_that_does_not_run_the_engine_asks_the_server(arrive: Arrive, script: str) -> None:
    visitor = arrive()
    page = visitor.page
    visitor.context.add_init_script(script)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(visitor.site.url)))
    page.goto("/analysis?card=tapa.m&dice=31")
    page.get_by_role("button", name="Evaluate", exact=True).click()
    expect(page.locator(".plays tbody tr").first).to_be_visible()
    expect(page.locator(".found .source")).to_contain_text("by the server")
    assert not [each for each in asked if each.startswith("/engine/") and not each.endswith("client.js")]


_CLIENT = """async (work) => {
  const { localEngine, NoAnswer } = await import("/engine/client.js");
  const scene = async (query) =>
    (await (await fetch(`/api/v1/analysis?core=true&${query}`)).json()).core;
  const question = await scene("card=hypergammon.m&dice=31");
  const judge = (asked) =>
    localEngine.analyse(asked, 1, { isAlone: true }).then(
      ({ found }) => found.of,
      (error) => [error instanceof NoAnswer, error.message],
    );
  const damage = async () => {
    const nets = await caches.open("nets");
    for (const key of await nets.keys()) {
      const bytes = new Uint8Array(await (await nets.match(key)).arrayBuffer());
      bytes[5000] ^= 1;
      await nets.put(key, new Response(bytes));
    }
  };
"""


def test_the_engine_goes_on_after_a_damaged_net_a_trap_and_a_question_that_is_dropped(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto("/rules/hypergammon")

    def run(work: str) -> Any:
        return answered(page, f"{_CLIENT}{work}}}")

    plays = run("return judge(question);")
    assert isinstance(plays, int)
    # Kept by the browser, and damaged there: another copy is fetched.
    run("await damage();")
    page.reload()
    assert run("return judge(question);") == plays
    kept = "(await (await caches.open('nets')).keys()).length"
    assert run(f"return {kept};") == 1
    # A row that no position has ends the core, and the next question has a fresh one.
    broken = "{ ...question, row: btoa(String.fromCharCode(...new Uint8Array(116))) }"
    said, *then = run(f"return [await judge({broken}), await judge(question)];")
    assert said[0] and "hold 0 checkers" in said[1]
    assert then == [plays]
    # Two questions wait for the first; one of them is dropped before its turn, the first during it.
    assert run("""
      const [first, second] = [new AbortController(), new AbortController()];
      const why = (promise) => promise.then(() => "answered", (error) => error.name);
      const asked = [
        why(localEngine.rollOut(question, { trials: 5184, seed: 1 }, {
          signal: first.signal,
          report: ({ trials }) => trials >= 72 && first.abort(),
        })),
        why(localEngine.analyse(question, 2, { signal: second.signal })),
        judge(question),
      ];
      second.abort();
      return Promise.all(asked);
    """) == ["AbortError", "AbortError", plays]


def test_an_id_is_pasted_and_one_that_is_none_is_refused_beside_it(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto("/analysis?card=tapa.m")
    page.wait_for_function(_READY)
    page.locator("#a-text").fill("nothing of the kind")
    page.locator("form button").click()
    expect(page.locator("form [role=alert]")).to_be_visible()
    page.locator("#a-text").fill("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:5:10")
    page.locator("form button").click()
    page.wait_for_function(_SETTLED, arg="B4e1c3Ee3C1E4b:w")
    assert page.evaluate("document.querySelector('ssb-analysis').scene.query.cube") == "2w"
    expect(page.locator(".found .ranking").first).to_be_visible()


def test_a_moment_of_a_replay_has_its_link_and_its_way_to_the_analysis_board(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    match = visitor.begin("hypergammon.p1", {"kind": "hotseat"}).removeprefix("/m/")
    visitor.play_on(turns=3)
    visitor.act({"type": "resign", "kind": "single"}, "resigned")
    visitor.act({"type": "accept"}, "over")
    page.goto(f"/replay/{match}?game=1&n=2")
    page.wait_for_function("() => document.querySelector('ssb-replay')?.at === 2")
    link = page.locator('.more a[href^="/analysis"]')
    box = link.bounding_box()
    assert box is not None and 0 <= box["y"] <= 800 - box["height"]
    link.click()
    page.wait_for_function(_READY)
    expect(page.locator(".plays tbody tr").first).to_be_visible()
    frame = page.request.get(f"/api/v1/matches/{match}/frames?game=1").json()["frames"][2]
    assert page.evaluate("document.querySelector('ssb-analysis').scene.query") == frame["query"]
