import { guard, nothing, svg } from "../vendor/lit.js";
import { numberOf, placeOf } from "./checkers.js";
import { BAR, HAND, OFF } from "./types.js";
import { WORDS } from "./words.js";

/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {import("./geometry.js").Spot} Spot */

/** @typedef {[x: number, y: number, width: number, height: number]} Box */

/**
 * The name of the button of an own number.
 * @param {import("./types.js").Layout} layout
 * @param {import("./types.js").Side} side
 * @param {number} number
 */
const nameOf = (layout, side, number) =>
  ({ [BAR]: "bar", [HAND]: "hand", [OFF]: "off" })[number] ?? `p${placeOf(layout, side, number)}`;

/**
 * The place the Tab key comes to first: the farthest from which something can move.
 * @param {import("./board.js").Board} board
 */
function firstPlace({ layout, controller, viewer }) {
  const side = controller.mover ?? viewer;
  const number = Math.max(...[...(controller.play?.origins ?? [])].filter((n) => n < HAND), 0) || 24;
  return layout?.numbers[side][number - 1] ?? 1;
}

/**
 * The board for screen readers and keyboards: every place is a button with a label. Only one point is a tab
 * stop; arrow keys move between points.
 *
 * @param {import("./board.js").Board} host @param {Frame} frame @param {string} focus  name of the spot
 */
function accessible(host, frame, focus) {
  const { layout, controller, viewer, describe, t } = host;
  const board = controller.animator.board;
  if (!layout || !board) return nothing;
  const side = controller.mover ?? viewer;
  const destinations = controller.destinations;
  const movable = controller.open;
  const first = /^p\d/.test(focus) ? focus : `p${firstPlace(host)}`;
  const { m } = frame;
  const key = (
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {Box} */ [x, y, w, h],
    open = false,
    tip = true,
  ) =>
    svg`<rect class="key ${open ? "movable" : ""}" data-spot=${name} role="button" aria-label=${label}
      tabindex=${name === first || !/^p\d/.test(name) ? 0 : -1} x=${x} y=${y} width=${w} height=${h} rx="8">${
        tip ? svg`<title>${label}</title>` : nothing
      }</rect>`;
  /** What stands somewhere, and what can be done there. */
  const labelled = (/** @type {string} */ label, /** @type {number} */ number) =>
    [
      label,
      movable.has(number) ? t(WORDS.canMove) : destinations.has(number) ? t(WORDS.canGo) : "",
      controller.selected === number && controller.mover ? t(WORDS.selected) : "",
    ]
      .filter(Boolean)
      .join(", ");
  const points = board.points.map((_, i) => {
    const place = i + 1;
    const { x, base, dir } = frame.cell(place);
    const number = numberOf(layout, side, place);
    const open = movable.has(number);
    const { pin } = board.points[i];
    // A checker pinned in the turn in progress is not in the list of turns yet.
    const since = pin && host.state?.board?.points[i].pin === pin ? host.since.get(place) : undefined;
    const { w, b } = board.points[i];
    const goal = destinations.has(number);
    const selected = controller.selected === number && controller.mover !== null;
    const about = [frame, host.state, host.prefs, host.lang, host.t, side, w, b, pin, since];
    // Long labels, most of which stay.
    return guard([...about, open, goal, selected, first === `p${place}`], () =>
      key(
        `p${place}`,
        labelled(describe.point(board, layout, side, place, since), number),
        [x - 48, dir > 0 ? base : base - m.length, 96, m.length],
        open || goal,
        // A pile is plain to see; who lies under it is not.
        pin !== undefined && pin !== null,
      ),
    );
  });
  const heap = (/** @type {string} */ name, /** @type {number} */ number, /** @type {Box} */ box) =>
    key(
      name,
      labelled(describe.heap(board, layout, side, number), number),
      box,
      movable.has(number) || destinations.has(number),
    );
  const tray = (/** @type {"off" | "hand"} */ kind) => {
    const { x, y, width, height } = frame.tray(side, kind);
    return heap(kind, kind === "off" ? OFF : HAND, [x, y, width, height]);
  };
  return svg`<g>${points}
    ${layout.bar ? heap("bar", BAR, [frame.barX - m.bar / 2, m.rimY, m.bar, 2 * m.half]) : nothing}
    ${tray("off")}${layout.hand > 0 ? tray("hand") : nothing}${diceKey()}${cubeKey()}</g>`;

  function diceKey() {
    const { dice } = controller;
    if (!dice) return nothing;
    const { x, y } = frame.dice(dice.side);
    const [first, second] = dice.values;
    const label = second ? t(WORDS.dice, { first, second }) : t(WORDS.die, { first });
    const means = dice.whole ? WORDS.confirm : second ? WORDS.swap : "";
    const meaning = !controller.mover || dice.past || !means ? "" : `, ${t(means)}`;
    return key(
      "dice",
      label + meaning,
      [x - m.die * 1.4, y - m.die * 0.75, m.die * 2.8, m.die * 1.5],
      meaning !== "",
    );
  }

  function cubeKey() {
    const { state } = host;
    if (!state?.cube.in_play) return nothing;
    const { x, y } = frame.cube(state.cube.owner);
    const label = t(WORDS.cube, { value: state.cube.value });
    return key(
      "cube",
      label,
      [x - m.cube / 2, y - m.cube / 2, m.cube, m.cube],
      state.allowed.includes("double"),
    );
  }
}

/** Which spot of a board has the keyboard, by the name its button has: `p7`, `bar`, `off`, `dice`. */
export class KeyboardFocus {
  name = "";

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  /** The spot itself. @returns {Spot | null} */
  get spot() {
    const { name } = this;
    if (/^p\d+$/.test(name)) return { kind: "point", place: Number(name.slice(1)) };
    const side = this.board.controller.mover ?? this.board.viewer;
    if (name === "off" || name === "hand") return { kind: name, side };
    return name === "bar" || name === "dice" || name === "cube" ? { kind: name } : null;
  }

  /** Takes the name of the button an event happened to. @param {Event} event @returns {boolean} whether it was one */
  take(event) {
    const { spot } = /** @type {HTMLElement} */ (event.target).dataset;
    if (spot) this.name = spot;
    return spot !== undefined;
  }

  /** Goes to the next column, or across the board. @param {Frame} frame @param {{ dx: number, dy: number }} by */
  walk(frame, { dx, dy }) {
    const now = /^p(\d+)$/.exec(this.name);
    const from = frame.cell(now ? Number(now[1]) : firstPlace(this.board));
    const column = (from.column + dx + 12) % 12;
    const dir = dy ? -dy : from.dir;
    for (let place = 1; place <= 24; place++) {
      const cell = frame.cell(place);
      if (cell.column === column && cell.dir === dir) this.#goTo(`p${place}`);
    }
  }

  /**
   * Goes to the next place from which something can move, or, with a checker in hand, to the next that it can
   * reach: from the farthest to the nearest, and round again.
   *
   * @param {boolean} backwards
   */
  next(backwards) {
    const { layout, controller } = this.board;
    const side = controller.mover;
    if (!layout || !side) return;
    const numbers = [...(controller.selected === null ? controller.open : controller.destinations.keys())];
    const names = numbers.sort((a, b) => b - a).map((number) => nameOf(layout, side, number));
    if (!names.length) return;
    const at = names.indexOf(this.name);
    const on = at < 0 && backwards ? 0 : at + (backwards ? -1 : 1);
    this.#goTo(names[(on + names.length) % names.length]);
  }

  /** Whether one of the board's buttons has the keyboard. */
  get here() {
    return Boolean(this.board.shadowRoot?.activeElement?.matches("[data-spot]"));
  }

  /** A button that had the keyboard is gone, as the dice are after a turn: the keyboard stays on the board. */
  keep() {
    if (!this.here) this.#goTo(`p${firstPlace(this.board)}`);
  }

  /** @param {string} name */
  async #goTo(name) {
    this.name = name;
    this.board.requestUpdate();
    await this.board.updateComplete;
    const button = this.board.renderRoot.querySelector(`[data-spot="${name}"]`);
    if (button instanceof SVGElement) button.focus();
  }

  /** The buttons. @param {Frame} frame */
  render(frame) {
    return accessible(this.board, frame, this.name);
  }
}
