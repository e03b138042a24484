import { placeOf } from "./checkers.js";
import { CRESCENT, DRAWN, SHAPES } from "./measures.js";
import { BAR, HAND, OFF, other } from "./types.js";

/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Prefs} Prefs */
/** @typedef {import("./types.js").Side} Side */

/**
 * Measures of a board in units of which 100 are one column.
 *
 * @typedef {object} Measures
 * @property {number} rimX  width of the rims beside the fields
 * @property {number} bar  width of the bar
 * @property {number} rimY  height of the rims with the numbers
 * @property {number} half  height of half a field
 * @property {number} length  of a point
 * @property {number} r  radius of a checker
 * @property {number} die  @property {number} cube  @property {number} tray
 * @property {number} text  size of the point numbers
 */

/**
 * By which measures a board is drawn: `narrow` has columns as wide as a phone allows, and taller ones, height being
 * what it has; `low`, for a phone in landscape, all of the height and as little beside the fields as can be.
 *
 * @typedef {"wide" | "narrow" | "low"} Shape
 */

/** Below this many CSS pixels a board is drawn with the narrow measures, unless the page chooses otherwise. */
const NARROW_BELOW = 560;

/**
 * The shape of a board: as the page asks for by the property `--board`, else by its width.
 *
 * @param {string} asked @param {number} width  CSS pixels @returns {Shape}
 */
export const shapeOf = (asked, width) =>
  asked in SHAPES ? /** @type {Shape} */ (asked) : width > 0 && width < NARROW_BELOW ? "narrow" : "wide";

/**
 * @typedef {{ x: number, base: number, dir: 1 | -1, column: number }} Cell
 * where a point stands: its middle, its rim, and the way it points (1 down, -1 up)
 *
 * @typedef {{ kind: "point", place: number } | { kind: "bar" } | { kind: "off" | "hand", side: Side }
 *   | { kind: "dice" | "cube" | "none" } | { kind: "field", half: 0 | 1 }} Spot
 */

/** Where everything is on the board that one viewer sees. */
export class Frame {
  /**
   * @param {Layout} layout @param {Side} viewer
   * @param {Pick<Prefs, "home" | "mine" | "seating">} prefs @param {Shape} shape
   */
  constructor(layout, viewer, prefs, shape) {
    this.layout = layout;
    this.viewer = viewer;
    /** Whether marks and lines are drawn larger, since all is small. */
    this.narrow = shape !== "wide";
    /** @type {Readonly<Measures>} */
    this.m = SHAPES[shape];
    const turned = layout.movement === "parallel" && prefs.seating === "L";
    this.flipX = (prefs.home === "left") !== turned;
    this.flipY = (prefs.mine === "top") !== turned;
    this.seatedFar = prefs.mine === "top";
    this.width = 2 * this.m.rimX + this.m.bar + 1200;
    this.height = 2 * (this.m.rimY + this.m.half);
    this.mid = this.height / 2;
    this.barX = this.width / 2;
    /** The left edges of the two fields, each 600 wide. */
    this.fields = [this.m.rimX, this.m.rimX + 600 + this.m.bar];
  }

  /** The cell of the viewer's own number. @param {number} number @returns {Cell} */
  cellOfNumber(number) {
    const low = number <= 12;
    let column = low ? 12 - number : number - 13;
    if (this.flipX) column = 11 - column;
    const bottom = low !== this.flipY;
    return {
      column,
      x: this.fields[column < 6 ? 0 : 1] + (column % 6) * 100 + 50,
      base: bottom ? this.height - this.m.rimY : this.m.rimY,
      dir: bottom ? -1 : 1,
    };
  }

  /** @param {number} place */
  cell(place) {
    return this.cellOfNumber(this.layout.numbers[this.viewer].indexOf(place) + 1);
  }

  /** Which way `side` sits: its last point, beside which it bears off. @param {Side} side */
  home(side) {
    const cell = this.cell(placeOf(this.layout, side, 1));
    return { right: cell.column >= 6, bottom: cell.dir < 0 };
  }

  /** The middle of the rim beside a side's home (or opposite it). @param {Side} side @param {boolean} [opposite] */
  rimX(side, opposite = false) {
    return this.home(side).right !== opposite ? this.width - this.m.rimX / 2 : this.m.rimX / 2;
  }

  /** The tray of borne-off checkers, or of those in hand: opposite. @param {Side} side @param {"off" | "hand"} kind */
  tray(side, kind) {
    const { bottom } = this.home(side);
    const height = this.m.half - 75;
    return {
      x: this.rimX(side, kind === "hand") - this.m.tray / 2,
      y: bottom ? this.height - this.m.rimY - height : this.m.rimY,
      width: this.m.tray,
      height,
      bottom,
    };
  }

  /** The middle of the cube. @param {string | null} owner */
  cube(owner) {
    const side = owner === "white" || owner === "black" ? owner : null;
    const x = this.rimX(side ?? this.viewer, true);
    if (!side) return { x, y: this.mid };
    const inset = this.m.rimY + this.m.cube * 0.62;
    return { x, y: this.home(side).bottom ? this.height - inset : inset };
  }

  /** The middle of a side's dice: in the half on its right. @param {Side} side */
  dice(side) {
    return { x: this.fields[this.diceField(side)] + 300, y: this.mid };
  }

  /** The field (0 left, 1 right on the picture) to the right of where a side sits. @param {Side} side */
  diceField(side) {
    return (side === this.viewer) !== this.seatedFar ? 1 : 0;
  }

  /** Which way the bar fills for a side: towards where it enters. @param {Side} side @returns {1 | -1} */
  barDir(side) {
    return this.cell(placeOf(this.layout, side, 24)).dir < 0 ? 1 : -1;
  }

  /** The middle of the i-th checker on the bar. @param {Side} side @param {number} index */
  onBar(side, index) {
    return { x: this.barX, y: this.mid + this.barDir(side) * (this.m.half * 0.3 + index * this.m.r * 2) };
  }

  /**
   * The middles of a pile's checkers, from the rim inwards; `pinned` leaves room for a captive and
   * `tight` condenses.
   *
   * @param {number} place @param {number} count @param {{ pinned?: boolean, tight?: boolean }} [how]
   */
  pile(place, count, { pinned = false, tight = false } = {}) {
    const { x, base, dir } = this.cell(place);
    const { r } = this.m;
    const start = base + dir * (r + 3 + (pinned ? r * CRESCENT : 0));
    const drawn = pinned ? DRAWN - 1 : DRAWN;
    const pitch = tight ? r * 0.98 : 2 * r;
    return Array.from({ length: Math.min(count, drawn) }, (_, i) => ({ x, y: start + dir * i * pitch }));
  }

  /** The spot at a point of the picture. @param {number} x @param {number} y @returns {Spot} */
  spot(x, y) {
    const { rimX } = this.m;
    if (x < rimX || x > this.width - rimX) return this.#rim(x, y);
    const [left, right] = this.fields;
    if (x > left + 600 && x < right) return { kind: "bar" };
    const fieldX = x < this.barX ? left : right;
    const column = Math.min(5, Math.max(0, Math.floor((x - fieldX) / 100))) + (fieldX === right ? 6 : 0);
    const tip = this.m.rimY + this.m.length + 20;
    if (y > tip && y < this.height - tip) return { kind: "field", half: fieldX === right ? 1 : 0 };
    const bottom = y > this.mid;
    for (let number = 1; number <= 24; number++) {
      const cell = this.cellOfNumber(number);
      if (cell.column === column && cell.dir < 0 === bottom) {
        return { kind: "point", place: placeOf(this.layout, this.viewer, number) };
      }
    }
    return { kind: "none" };
  }

  /** @param {number} x @param {number} y @returns {Spot} */
  #rim(x, y) {
    const right = x > this.barX;
    for (const side of [this.viewer, other(this.viewer)]) {
      const home = this.home(side);
      const near = Math.abs(y - (home.bottom ? this.height : 0)) < this.m.rimY + this.m.half - 75;
      if (near && home.right === right) return { kind: "off", side };
      if (near && home.right !== right && this.layout.hand > 0) return { kind: "hand", side };
    }
    return { kind: "none" };
  }

  /**
   * Where a checker of `side` rests on one of its own numbers, as the `index`-th there.
   *
   * @param {Side} side @param {number} number @param {number} index
   * @param {{ pinned?: boolean, tight?: boolean }} [how]
   */
  rest(side, number, index, how = {}) {
    if (number === BAR) return this.onBar(side, index);
    if (number === OFF || number === HAND) {
      const tray = this.tray(side, number === OFF ? "off" : "hand");
      const step = (tray.height - 14) / 15;
      const y = (Math.min(index, 14) + 0.5) * step + 7;
      return { x: tray.x + tray.width / 2, y: tray.bottom ? tray.y + tray.height - y : tray.y + y };
    }
    const pile = this.pile(placeOf(this.layout, side, number), index + 1, how);
    return pile[pile.length - 1];
  }
}
