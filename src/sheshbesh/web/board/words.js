import { freeOn, numberOf } from "./checkers.js";
import { BAR, HAND, letter, OFF, other } from "./types.js";

/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Translate} Translate */

/** All texts of the board, as catalogue keys. */
export const WORDS = Object.freeze({
  board: "Board",
  light: "light",
  dark: "dark",
  point: "point {number}",
  empty: "{place}: empty",
  pile: "{place}: {n} {colour}",
  pinned: "{place}: one {captive} pinned under {n} {colour}",
  since: "{told}, since turn {turn}",
  bar: "bar",
  hand: "hand",
  off: "borne off",
  canMove: "can move",
  canGo: "can be reached",
  selected: "selected",
  rolled: "{colour} rolled {first} and {second}",
  rolledOne: "{colour}: the die shows {first}",
  played: "{colour} played {play}",
  passed: "{colour} cannot move",
  doubled: "{colour} doubles to {value}",
  hop: "{from} to {to}",
  hits: "{from} to {to}, hitting",
  pins: "{from} to {to}, pinning",
  undone: "Taken back",
  complete: "The turn is complete; confirm it",
  yourRoll: "Your turn to roll",
  yourRollOrDouble: "Your turn to roll, or to double first",
  drawn: "{white} threw {first}, {black} threw {second}",
  tied: "the same: once more",
  begins: "{colour} begins",
  won: "{colour} wins",
  draw: "A draw",
  score: "Score: {white} {n}, {black} {m}",
  takes: "{colour} takes the cube at {value}",
  unread: "{text} cannot be read as a play",
  refused: "This cannot be played",
  typing: "Typed: {text}",
  dice: "Dice {first} and {second}",
  die: "Die {first}",
  confirm: "Confirm",
  swap: "Swap the dice",
  cube: "Cube at {value}",
  sure: "Once more to double",
});

/** The untranslated text with its values: the default of a board without a catalogue. @type {Translate} */
export const untranslated = (text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** Describes places, piles and hops of one board in one language. */
export class Describer {
  /** @param {Translate} t @param {(side: Side) => "w" | "b"} toneOf */
  constructor(t, toneOf) {
    this.t = t;
    this.toneOf = toneOf;
  }

  /** @param {Side} side */
  colour(side) {
    return this.t(this.toneOf(side) === "w" ? WORDS.light : WORDS.dark);
  }

  /** A number as one side counts it. @param {number} number */
  place(number) {
    if (number === BAR) return this.t(WORDS.bar);
    if (number === HAND) return this.t(WORDS.hand);
    if (number === OFF) return this.t(WORDS.off);
    return this.t(WORDS.point, { number });
  }

  /**
   * A point and whose checkers are on it, in the viewer's numbers.
   *
   * @param {Board} board @param {Layout} layout @param {Side} viewer @param {number} place
   * @param {number} [turn]  in which the captive there was taken
   */
  point(board, layout, viewer, place, turn) {
    const name = this.place(numberOf(layout, viewer, place));
    const point = board.points[place - 1];
    const captive = point.pin;
    const side = captive ? other(captive) : point.w > 0 ? "white" : "black";
    const n = point[letter(side)];
    if (n === 0) return this.t(WORDS.empty, { place: name });
    const values = { place: name, n, colour: this.colour(side) };
    if (!captive) return this.t(WORDS.pile, values);
    const label = this.t(WORDS.pinned, { ...values, captive: this.colour(captive) });
    return turn === undefined ? label : this.t(WORDS.since, { told: label, turn });
  }

  /**
   * A side's bar, hand or tray.
   * @param {Board} board
   * @param {Layout} layout
   * @param {Side} side
   * @param {number} number
   */
  heap(board, layout, side, number) {
    const n = freeOn(board, layout, side, number);
    const place = this.place(number);
    return n ? this.t(WORDS.pile, { place, n, colour: this.colour(side) }) : this.t(WORDS.empty, { place });
  }

  /** @param {{ origin: number, target: number, takes: boolean }} hop @param {boolean} pins */
  hop({ origin, target, takes }, pins) {
    const text = takes ? (pins ? WORDS.pins : WORDS.hits) : WORDS.hop;
    return this.t(text, { from: this.place(origin), to: this.place(target) });
  }
}
