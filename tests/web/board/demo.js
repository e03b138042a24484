/**
 * A board alone, for looking at it and for the browser tests: `demo.html?game=tapa&state=3&material=felt`.
 * Any preference may stand in the address; `window.board` and `window.heard` are the tests' handles.
 */
import "/src/sheshbesh/web/board/board.js";

const asked = new URLSearchParams(location.search);
const game = asked.get("game") ?? "backgammon";
const { layout, states } = await (await fetch(`/tests/data/wire/states/${game}.json`)).json();
const board = /** @type {any} */ (document.createElement("ssb-board"));
/** @type {[string, unknown][]} */ const heard = [];
for (const type of [
  "play",
  "step",
  "touch",
  "roll",
  "double",
  "why",
  "swap",
  "progress",
  "flip",
  "confirm",
]) {
  board.addEventListener(`ssb-${type}`, (/** @type {CustomEvent} */ event) =>
    heard.push([type, event.detail]),
  );
}
const moving = states.findIndex((/** @type {any} */ s) => s.d.choices);
board.layout = layout;
board.prefs = Object.fromEntries(
  [...asked].map(([key, value]) => [key, key === "speed" ? Number(value) : value]),
);
if (asked.has("guard")) board.guard = Number(asked.get("guard"));
board.state = states[Number(asked.get("state") ?? moving)].d;
const [side, dice, play] = (asked.get("last") ?? "").split(":");
if (play) board.last = { side, dice: dice.split("-").map(Number), play };
document.body.classList.toggle("dark", asked.get("page") === "dark");
document.body.append(board);
Object.assign(window, { board, states, heard });
