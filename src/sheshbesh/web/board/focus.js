import { accessible, firstPlace } from "./access.js";

/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {import("./geometry.js").Spot} Spot */

/** Which spot of a board has the keyboard, by the name its button has: `p7`, `bar`, `off`, `dice`. */
export class Focus {
  name = "";

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  /** The spot itself. @returns {Spot | null} */
  get spot() {
    const { name } = this;
    if (/^p\d+$/.test(name)) return { kind: "point", place: Number(name.slice(1)) };
    const side = this.board.hands.mover ?? this.board.viewer;
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
