import { numberOf } from "./checkers.js";
import { Focus } from "./focus.js";
import { Keys } from "./keys.js";
import { Pointer } from "./pointer.js";
import { BAR, HAND, OFF } from "./types.js";
import { WORDS } from "./words.js";

/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {import("./types.js").Side} Side */

/** Within this time a place keeps its meaning, in milliseconds: no tap meant for a move may roll. */
const GUARD = 400;
/** How long a first tap on the cube stands, in milliseconds. */
const SURE = 3000;
/** How far beside a column a tap may fall and still mean it, in columns. */
const NEAR = 0.32;

/** The places of a board that can be pointed at: by pointer, by key, by a screen reader. */
export class Spots {
  #doubling = -SURE;
  #tap = { at: -GUARD, spot: "", meaning: "" };
  /** What was typed of a play so far. */
  written = "";

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.pointer = new Pointer(
      this,
      () => /** @type {Element} */ (board.renderRoot.querySelector("svg")).getBoundingClientRect(),
      () => board.frame?.width ?? 1,
    );
    this.keys = new Keys(this);
    this.focus = new Focus(board);
  }

  get #frame() {
    return /** @type {Frame} */ (this.board.frame);
  }

  // Gestures

  /** @param {number} x @param {number} y @returns {Spot} */
  spotAt(x, y) {
    const frame = this.#frame;
    const { hands, state } = this.board;
    const dice = hands.dice;
    if (dice && !dice.past) {
      const at = frame.dice(dice.side);
      if (Math.abs(x - at.x) < frame.m.die * 1.5 && Math.abs(y - at.y) < frame.m.die * 0.8) return { kind: "dice" };
    }
    if (state?.cube.in_play) {
      const at = frame.cube(state.cube.owner);
      if (Math.abs(x - at.x) < frame.m.cube && Math.abs(y - at.y) < frame.m.cube) return { kind: "cube" };
    }
    return this.#nearest(frame.spot(x, y), x, y);
  }

  /** A tap just beside the one column that means something is meant for it. @param {Spot} spot @param {number} x @param {number} y @returns {Spot} */
  #nearest(spot, x, y) {
    const { hands } = this.board;
    const means = (/** @type {Spot} */ s) => {
      const number = this.#number(s);
      return number !== null && (hands.ends.has(number) || hands.play?.stands(number) || hands.play?.turn.onlyHop(number));
    };
    if (spot.kind !== "point" || !hands.play || means(spot)) return spot;
    const cell = this.#frame.cell(spot.place);
    const aside = (x - cell.x) / 100;
    if (Math.abs(aside) < 0.5 - NEAR) return spot;
    const beside = this.#frame.spot(cell.x + Math.sign(aside) * 100, y);
    return means(beside) ? beside : spot;
  }

  /** A spot as the side on the move counts it. @param {Spot} spot @returns {number | null} */
  #number(spot) {
    const { layout, hands } = this.board;
    const side = hands.mover;
    if (!layout || !side) return null;
    if (spot.kind === "point") return numberOf(layout, side, spot.place);
    if (spot.kind === "bar") return BAR;
    if (spot.kind === "off") return spot.side === side ? OFF : null;
    if (spot.kind === "hand") return spot.side === side ? HAND : null;
    return null;
  }

  /** What the viewer may do besides moving. @param {string} action */
  #may(action) {
    const { state } = this.board;
    if (!state) return false;
    const allowed = state.on_roll ? (state.allowed_of?.[state.on_roll] ?? state.allowed) : state.allowed;
    return allowed.includes(action);
  }

  /** What a tap there would do. @param {Spot} spot @param {number} x */
  #meaning(spot, x) {
    const { hands, state } = this.board;
    if (hands.play) {
      if (spot.kind !== "dice") return "move";
      return hands.play.turn.whole ? "confirm" : "swap";
    }
    if (spot.kind === "cube" && this.#may("double")) return "double";
    const side = state?.on_roll ?? this.board.viewer;
    const field = this.#frame.diceField(side);
    const there = x > this.#frame.barX === (field === 1);
    return this.#may("roll") && there && spot.kind !== "cube" ? "roll" : "";
  }

  /** @param {Spot} spot @param {{ other: boolean, double: boolean, x: number, y: number }} how */
  tapped(spot, { other, double, x }) {
    if (this.#looksBack()) return;
    const { hands } = this.board;
    this.keys.clear();
    const meaning = this.#meaning(spot, x);
    const name = JSON.stringify(spot);
    const now = performance.now();
    const { at, spot: before, meaning: meant } = this.#tap;
    this.#tap = { at: now, spot: name, meaning };
    if (meaning !== meant && before === name && now - at < GUARD) return;
    if (meaning !== "move" && meaning !== "swap" && now - hands.since < GUARD) return;
    if (meaning === "confirm") hands.confirm();
    else if (meaning === "swap") hands.swap();
    else if (meaning === "roll") this.board.emit("ssb-roll");
    else if (meaning === "double") this.double();
    else if (meaning === "move") this.#move(spot, other, double && before === name);
  }

  /** @param {Spot} spot @param {boolean} other @param {boolean} again */
  #move(spot, other, again) {
    const { hands, taste } = this.board;
    const number = this.#number(spot);
    if (number === null) return;
    if (taste.mode === "taptap" && !other) this.#pick(number);
    else if (again) hands.tapAgain(number);
    else hands.tap(number, other);
  }

  /** In two taps: first the checker, then where it goes. @param {number} number */
  #pick(number) {
    const { hands } = this.board;
    const from = hands.selected;
    if (from !== null && from !== number && hands.play?.drags(from).has(number)) hands.moveTo(from, number);
    else if (hands.play?.origins.has(number)) hands.select(number);
    else if (from !== null && from !== number) hands.moveTo(from, number);
    else hands.tap(number);
  }

  /** @param {Spot} spot */
  grab(spot) {
    if (this.#looksBack()) return false;
    const { hands } = this.board;
    this.keys.clear();
    const number = this.#number(spot);
    if (number === null || !hands.play?.stands(number)) return false;
    hands.selected = number;
    if (hands.play.touchMove && hands.play.origins.has(number)) hands.touch.touch(number);
    return true;
  }

  /** @param {number} x @param {number} y */
  dragged(x, y) {
    const { hands, renderRoot } = this.board;
    const ghost = hands.drag && renderRoot.querySelector(".drag");
    if (hands.selected === null) return;
    const spot = this.#frame.spot(x, y);
    const number = this.#number(spot);
    const over = spot.kind === "point" && number !== null && hands.ends.has(number) ? spot.place : null;
    hands.drag = { x, y, from: Number(hands.selected) };
    if (ghost && over === hands.hover) ghost.setAttribute("transform", `translate(${x} ${y})`);
    else {
      hands.hover = over;
      this.board.requestUpdate();
    }
  }

  /** @param {Spot} spot @param {number} x @param {number} y */
  dropped(spot, x, y) {
    const { hands } = this.board;
    const to = this.#number(spot);
    const from = hands.selected;
    hands.drag = null;
    if (from === null) return;
    if (to === null || to === from) this.cancelled();
    else hands.moveTo(from, to, { x, y });
  }

  cancelled() {
    const { hands } = this.board;
    hands.selected = hands.drag = hands.hover = null;
    this.board.requestUpdate();
  }

  swiped() {
    this.board.hands.undo();
  }

  /** @param {Spot | null} spot */
  hovered(spot) {
    const { hands, taste } = this.board;
    const number = spot && this.#number(spot);
    const open = number !== null && (hands.selected !== null ? hands.ends.has(number) : hands.play?.origins.has(number));
    const over = spot?.kind === "point" && open && taste.targets ? spot.place : null;
    if (over === hands.hover) return;
    hands.hover = over;
    this.board.requestUpdate();
  }

  /** Whether an earlier position lies there: then the first tap or key only brings back the present one. */
  #looksBack() {
    if (!this.board.advice?.alone) return false;
    this.board.emit("ssb-present");
    return true;
  }

  // Keys

  go() {
    if (this.#looksBack()) return;
    const { hands } = this.board;
    if (hands.play) hands.confirm();
    else if (this.#may("roll")) this.board.emit("ssb-roll");
  }

  /** @param {boolean} all */
  undo(all) {
    if (this.#looksBack()) return;
    this.board.hands.undo(all);
  }

  /** @param {number} die */
  pickDie(die) {
    this.board.hands.play?.choose(die);
    this.board.requestUpdate();
  }

  swap() {
    this.board.hands.swap();
  }

  /** Doubles at the second asking, neither at once nor long after the first. */
  double() {
    if (this.#looksBack() || !this.#may("double")) return;
    const asked = performance.now() - this.#doubling;
    if (asked < GUARD) return;
    if (asked < SURE) {
      this.#doubling = -SURE;
      this.board.emit("ssb-double");
      return;
    }
    this.#doubling = performance.now();
    this.board.hands.say(this.board.t(WORDS.sure));
    setTimeout(() => this.board.requestUpdate(), SURE);
  }

  /** Whether the cube waits to be asked a second time. */
  get doubling() {
    return performance.now() - this.#doubling < SURE && this.#may("double");
  }

  flip() {
    this.board.emit("ssb-flip");
  }

  escape() {
    if (this.#looksBack()) return;
    this.cancelled();
  }

  /** Digits, and the letters of the bar and the hand where the game has them, while it is time to play. @param {string} key */
  begins(key) {
    const { layout, hands } = this.board;
    if (!layout || !hands.mover) return false;
    return /^[0-9]$/.test(key) || (key === "b" && layout.bar) || (key === "h" && layout.hand > 0);
  }

  /** @param {string} text */
  typed(text) {
    return this.board.hands.typed(text);
  }

  /** @param {string} text */
  typing(text) {
    this.written = text;
    this.board.hands.say(text && this.board.t(WORDS.typing, { text }));
  }

  /** @param {{ dx: number, dy: number }} by */
  walk({ dx, dy }) {
    this.focus.walk(this.#frame, { dx, dy });
  }

  /** @param {boolean} other */
  press(other) {
    if (this.#looksBack()) return;
    const { spot } = this.focus;
    if (!spot || !this.board.hands.play) this.go();
    else if (spot.kind === "dice") this.go();
    else this.#move(spot, other, false);
  }

  /** @param {FocusEvent} event */
  focused = (event) => void this.focus.take(event);

  /** A click without a pointer: a screen reader's. @param {MouseEvent} event */
  clicked = (event) => {
    if (event.detail > 0 || !this.focus.take(event)) return;
    if (this.focus.name === "cube") this.double();
    else this.press(false);
  };

  /** @param {Event} event */
  noMenu = (event) => event.preventDefault();
}
