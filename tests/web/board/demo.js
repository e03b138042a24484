/**
 * A board alone, for looking at it and for the browser tests: `demo.html?game=tapa&state=3&material=felt`.
 * Any preference may stand in the address; `window.board` and `window.heard` are the tests' handles, and
 * `window.show` puts another board in place of this one.
 */
import "/src/sheshbesh/web/board/board.js";

const EVENTS = ["play", "step", "touch", "roll", "double", "why", "swap", "progress", "flip", "confirm"];
/** @type {Map<string, Promise<any>>} */ const fixtures = new Map();

/** What is known of a game. @param {string} game */
function fixture(game) {
  const found = fixtures.get(game) ?? fetch(`/tests/data/wire/states/${game}.json`).then((it) => it.json());
  fixtures.set(game, found);
  return found;
}

/** @param {string} query as it stands in the address */
async function show(query) {
  const asked = new URLSearchParams(query);
  const { layout, states } = structuredClone(await fixture(asked.get("game") ?? "backgammon"));
  const board = /** @type {any} */ (document.createElement("ssb-board"));
  /** @type {[string, unknown][]} */ const heard = [];
  for (const type of EVENTS) {
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
  document.body.replaceChildren(board);
  Object.assign(window, { board, states, heard, show });
  await board.updateComplete;
}

await show(location.search);
