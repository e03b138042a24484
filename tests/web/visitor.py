"""Somebody at the site in a real browser: opens it, begins matches, plays by mouse, finger and keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page, Route, expect

from tests.waiting import PATIENCE, until
from tests.web.site import LiveSite

_KEPT = "sheshbesh.settings"
QUICK = {"speed": 0, "confirm": "auto", "forced": "turns", "autoroll": True, "retry": False, "sound": False}
"""Settings with which nothing is waited for."""
BY_HAND = QUICK | {"confirm": "dice", "forced": "off"}
"""The same, but every turn is confirmed."""
TWO = {"kind": "hotseat", "names": ["Nava", "Aslan"]}
"""The opponent of a match of two at one screen."""
PASSWORD = "correct horse battery"

_LOTS = """(seed) => {
  // What is thrown in a match without a server; secrets are longer.
  const whole = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (into) => {
    if (into.byteLength > 12) return whole(into);
    for (let i = 0; i < into.length; i++) {
      const drawn = Number(sessionStorage.getItem("drawn") ?? 0) + 1;
      sessionStorage.setItem("drawn", drawn);
      let bits = drawn;
      for (const sign of seed) bits = Math.imul(bits ^ sign.codePointAt(0), 0x01000193);
      bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
      into[i] = (bits ^ (bits >>> 16)) >>> 0;
    }
    return into;
  };
}"""

_NETS = "caches.open('nets').then((nets) => nets.keys())"
_SPOT = """([where, number, depth]) => {
  const board = document.querySelector(where);
  const { frame } = board;
  const box = board.renderRoot.querySelector("svg").getBoundingClientRect();
  const scale = box.width / frame.width;
  const side = board.state.on_roll ?? board.viewer;
  let spot;
  if (number === 26) spot = frame.onBar(side, 0);
  else if (number === 0) {
    const { x, y, width, height } = frame.tray(side, "off");
    spot = { x: x + width / 2, y: y + height / 2 };
  } else {
    const { x, base, dir } = frame.cell(board.layout.numbers[side][number - 1]);
    spot = { x, y: base + dir * depth };
  }
  return [box.left + spot.x * scale, box.top + spot.y * scale];
}"""

_PLAY_ON = """([patience, turns]) => new Promise((resolve) => {
  // Types whole plays at the board, presses whatever the panel offers, until the match is over or a number of
  // turns is made; gives up when nothing has moved for too long.
  const names = { 26: "bar", 25: "hand", 0: "off" };
  const press = (board, key) => board.renderRoot.querySelector("svg").dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
  let seen = "";
  let until = 0;
  let pressed = null;
  const timer = setInterval(() => {
    const board = document.querySelector("main ssb-board");
    const { model } = document.querySelector("ssb-match, ssb-local") ?? {};
    const state = board?.state;
    const end = (result) => { clearInterval(timer); resolve(result); };
    const now = JSON.stringify([state?.game, state?.phase, state?.on_roll, state?.turn, state?.board]);
    if (now !== seen) {
      seen = now;
      until = performance.now() + patience;
    }
    const made = model?.turns.length ?? 0;
    if (state?.phase === "over" || (turns && made >= turns) || performance.now() > until) {
      const { phase, winner, allowed, turn, game } = state ?? {};
      return end({ phase, winner, allowed, turn, game, made });
    }
    if (!state || model.state !== state || model.connection.busy) return;
    const { controller } = board;
    if (state.choices) {
      if (!controller.mover) return;
      // With touch-move each hop comes back by itself, and the board goes on with what was typed.
      if (controller.play.turn.path.length) {
        if (controller.play.turn.whole && !controller.play.turn.next().length) press(board, " ");
        return;
      }
      const at = JSON.stringify([state.game, state.turn.dice, state.on_roll, state.board]);
      const steps = [];
      // Any play does; the same one for the same position and dice.
      let chosen = [...at].reduce((hash, sign) => (Math.imul(hash, 31) + sign.codePointAt(0)) >>> 0, 7);
      for (let stage = state.choices[0]; stage.next.length; ) {
        const [origin, target, , , onward] = stage.next[chosen % stage.next.length];
        chosen = Math.imul(chosen, 69069) + 1 >>> 0;
        steps.push(`${names[origin] ?? origin}/${names[target] ?? target}`);
        stage = state.choices[onward];
      }
      if (!steps.length) return;
      press(board, "Escape");
      for (const key of steps.join(" ")) press(board, key);
      press(board, "Enter");
      return;
    }
    const panel = [...document.querySelectorAll("main .pri, main .dicepad button, dialog .pri")];
    const button = panel.find((each) => !each.disabled && each.offsetParent);
    // Once for each state: what it does may take a while.
    if (!button || (pressed?.state === state && pressed.text === button.textContent)) return;
    pressed = { state, text: button.textContent };
    button.click();
  }, 15);
})"""

_BOARD = "document.querySelector('main ssb-board:not(ssb-daily-position *)')"
"""The board of the page, but for the one of the front page, which stands there until a match is opened."""

FIRST_PLAY = """(choices) => {
  // The first play of those that a board or a question offers, as it is typed.
  const names = { 26: "bar", 25: "hand", 0: "off" };
  const steps = [];
  for (let stage = choices[0]; stage.next.length; ) {
    const [origin, target, , , onward] = stage.next[0];
    steps.push(`${names[origin] ?? origin}/${names[target] ?? target}`);
    stage = choices[onward];
  }
  return steps.join(" ");
}"""
_PRESS_KEYS = """([board, keys]) => {
  const svg = board.renderRoot.querySelector("svg");
  for (const key of keys)
    svg.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
}"""
_PRESS = f"([where, keys]) => ({_PRESS_KEYS})([document.querySelector(where), keys])"
_MAY_MOVE = """() => {
  // Throws where that is due, sooner than a page that throws by itself.
  const { model } = document.querySelector("ssb-match, ssb-local") ?? {};
  const board = document.querySelector("main ssb-board");
  const { state } = model ?? {};
  if (!state || model.connection.busy || board?.state !== state) return false;
  if (state.choices) return Boolean(state.choices[0].next.length && board.controller.mover);
  if (model.seat && model.allowed(model.seat).includes("roll")) model.act({ type: "roll" });
  return false;
}"""

_ACT = """([action, reached]) => {
  const { model } = document.querySelector("ssb-match, ssb-local") ?? {};
  const board = document.querySelector("main ssb-board");
  const { state } = model ?? {};
  if (!state || model.connection.busy || board?.state !== state) return false;
  if (reached.includes(state.phase)) return true;
  if (model.seat && model.allowed(model.seat).includes(action.type)) model.act(action);
  return false;
}"""


_PLAY_TURN = f"""() => {{
  const board = {_BOARD};
  const text = ({FIRST_PLAY})(board.state.choices);
  ({_PRESS_KEYS})([board, [...text, "Enter"]]);
}}"""
_CONFIRM = f"""(before) => {{
  // Confirms a turn that is whole, until the match has gone on.
  const {{ model }} = document.querySelector("ssb-match, ssb-local") ?? {{}};
  const board = {_BOARD};
  if (!model || !board?.state) return false;
  if (model.turns.length !== before || model.state.phase !== "move") return true;
  if (board.controller.play?.turn.whole && !model.connection.busy) ({_PRESS_KEYS})([board, [" "]]);
  return false;
}}"""
_DOUBLE = f"""() => {{
  // A first asking is forgotten after some seconds: both are made at once.
  const {{ model }} = document.querySelector("ssb-match, ssb-local") ?? {{}};
  const board = {_BOARD};
  if (!model || board?.state !== model.state || model.connection.busy) return false;
  if (model.state.phase === "doubled") return true;
  board.guard = 0;
  if (model.allowed(model.seat).includes("double")) ({_PRESS_KEYS})([board, ["d", "d"]]);
  return false;
}}"""


def press(page: Page, keys: Sequence[str], where: str = "main ssb-board") -> None:
    """Press keys at a board, which need not have the keyboard."""
    page.evaluate(_PRESS, [where, list(keys)])


def type_play(page: Page, text: str, where: str = "main ssb-board") -> None:
    """Type a play at a board in place of what was typed before, and enter it."""
    press(page, ["Escape", *text, "Enter"], where)


def spot(page: Page, number: int, where: str, *, depth: int = 60) -> tuple[float, float]:
    """Where the own number of the side on roll (26 bar, 0 tray) lies on the screen, on this board."""
    x, y = page.evaluate(_SPOT, [where, number, depth])
    return x, y


class Visitor:
    """One page of one browser."""

    def __init__(
        self, context: BrowserContext, site: LiveSite, settings: dict[str, Any] | None = None, seed: str = ""
    ) -> None:
        self.site = site
        self.context = context
        self.faults: list[str] = []
        self._held: list[Route] = []
        self._leaves = False
        if seed:
            context.add_init_script(f"({_LOTS})({json.dumps(seed)})")
        settings = settings if settings is not None else QUICK
        kept = json.dumps(settings)
        context.add_init_script(
            "if (location.protocol !== 'about:') "
            f"localStorage.getItem({_KEPT!r}) ?? localStorage.setItem({_KEPT!r}, {kept!r})"
        )
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def open(self, path: str = "/") -> None:
        """Go there, and wait until something stands on the page."""
        self.go(path)
        self.page.wait_for_selector("main :is(.setup, .panel, ssb-board, .page)")

    def go(self, path: str) -> None:
        """Go there, whatever comes."""
        self.page.goto(self.site.url + path)

    def hold(self, where: str) -> None:
        """Leave requests without an answer for as long as the visitor is here."""
        self.page.route(where, lambda route: route.abort() if self._leaves else self._held.append(route))

    def leave(self) -> None:
        """Close the browser; requests that wait, or that a test answers, are let go first."""
        self._leaves = True
        for route in self._held:
            with suppress(Error):  # the page has dropped it itself
                route.abort()
        for page in self.context.pages:
            page.unroute_all(behavior="ignoreErrors")
        self.context.close()

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What the page itself would post, with its cookie."""
        answer = self.page.request.post(
            f"{self.site.url}/api/v1{path}", data=body, headers={"Origin": self.site.url}
        )
        assert answer.ok, answer.text()
        found: dict[str, Any] = answer.json()
        return found

    def begin(self, card: str, opponent: dict[str, Any] | None = None, **more: Any) -> str:
        """Begin a match as a guest, and go to its table; for a friend's the invitation's path."""
        self.post("/guest", {})
        wish = {"card": card, "opponent": opponent or {"kind": "engine", "level": "beginner"}, **more}
        made = self.post("/matches", wish)
        if not made["invite"]:
            self.open(made["url"])
        return str(made["invite"] or made["url"])

    def load_nets(self, *cards: str) -> None:
        """Look at boards of cards until the browser keeps the nets of their games, the first ones here."""
        for count, card in enumerate(cards, start=1):
            self.page.goto(f"/analysis?card={card}")
            until(partial(self.page.evaluate, f"{_NETS}.then((kept) => kept.length === {count})"))

    # At the board

    def state(self) -> dict[str, Any]:
        """What the board shows."""
        found: dict[str, Any] = self.page.evaluate(f"({_BOARD})?.state ?? {{}}")
        return found

    def wait(self, condition: str) -> None:
        """Wait until something holds for `state`, and perhaps for `board`."""
        script = (
            f"(() => {{ const board = {_BOARD};"
            " const state = board?.state;"
            f" return Boolean(state && ({condition})); }})()"
        )
        # The page's policy lets nothing be evaluated in it that waits by itself.
        try:
            until(lambda: self.page.evaluate(script))
        except TimeoutError:
            raise AssertionError(f"{condition} does not come: {self.faults} {self.state()}") from None

    def spot(self, number: int) -> tuple[float, float]:
        """Where the own number of the side on roll (26 bar, 0 tray) lies on the screen."""
        return spot(self.page, number, "main ssb-board")

    def onward(self) -> list[list[int]]:
        """The hops that may follow those made, origin and target."""
        found: list[list[int]] = self.page.evaluate(
            "(document.querySelector('main ssb-board')?.controller.play?.turn.next() ?? [])"
            ".map((hop) => [hop.origin, hop.target])"
        )
        return found

    def play_on(self, *, turns: int = 0) -> dict[str, Any]:
        """Play by keys and buttons to the end of the match.

        With `turns` until both together have made that number of turns. Ends early when nothing moves any
        more: a long game on a busy machine is no fault.
        """
        found: dict[str, Any] = self.page.evaluate(_PLAY_ON, [1000 * PATIENCE, turns])
        return found

    def act(self, action: dict[str, Any], *reached: str) -> None:
        """Do something at the table until one of these phases is reached.

        What the other side or an automatic throw overtakes is refused: it is done again, as a person would.
        """
        until(lambda: self.page.evaluate(_ACT, [action, reached]))

    def may_move(self) -> bool:
        """Look whether there is something to move here; throw where that is due first."""
        return bool(self.page.evaluate(_MAY_MOVE))

    def to_move(self) -> None:
        """Come to a play with something to move, of either side at a shared screen."""
        until(self.may_move)

    def type_dice(self, first: int, second: int) -> None:
        """Say in the dialog what the dice show."""
        dialog = self.page.locator("dialog")
        expect(dialog.locator(".dicepad")).to_have_count(2)
        for pad, die in zip(dialog.locator(".dicepad").all(), (first, second), strict=True):
            pad.get_by_role("button", name=str(die), exact=True).click()
        dialog.get_by_role("button", name="Done").click()

    def play_turn(self) -> None:
        """Type the first play that the board offers."""
        self.page.evaluate(_PLAY_TURN)

    def take_turn(self) -> None:
        """Come to a play, type the first one, and confirm it."""
        self.to_move()
        before = self.page.evaluate("document.querySelector('ssb-match, ssb-local').model.turns.length")
        self.play_turn()
        until(lambda: self.page.evaluate(_CONFIRM, before))

    def double(self) -> None:
        """Offer the cube, by the key that is pressed twice."""
        until(lambda: self.page.evaluate(_DOUBLE))

    def claim(self, name: str) -> None:
        """Make an account of this name for the guest."""
        self.post("/guest", {})
        self.post("/account/claim", {"name": name, "password": PASSWORD})

    def shown(self) -> list[Any]:
        """What both players must see alike."""
        state = self.state()
        return [state.get(name) for name in ("game", "phase", "on_roll", "board", "cube", "score", "turn")]
