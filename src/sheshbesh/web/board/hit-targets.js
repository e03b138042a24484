import { KeyboardFocus } from "./accessibility.js";
import { numberOf } from "./checkers.js";
import { Keys } from "./keys.js";
import { Pointer } from "./pointer.js";
import { BAR, HAND, OFF } from "./types.js";
import { WORDS } from "./words.js";

/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {import("./types.js").Side} Side */

/** Milliseconds in which a second tap on the cube confirms the first. */
const SURE = 3000;
/** How far beside a column a tap may fall and still mean it, in columns. */
const NEAR = 0.32;

/** Maps pointer, keyboard and screen-reader input to places of the board and to actions. */
export class HitTargets {
  #doubling = -SURE;
  #tap = { at: -Infinity, spot: "", meaning: "" };
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
    this.focus = new KeyboardFocus(board);
  }

  get #frame() {
    return /** @type {Frame} */ (this.board.frame);
  }

  // Gestures

  /** @param {number} x @param {number} y @returns {Spot} */
  spotAt(x, y) {
    const frame = this.#frame;
    const { controller, state } = this.board;
    const dice = controller.dice;
    if (dice && !dice.past) {
      const at = frame.dice(dice.side);
      if (Math.abs(x - at.x) < frame.m.die * 1.5 && Math.abs(y - at.y) < frame.m.die * 0.8)
        return { kind: "dice" };
    }
    if (state?.cube.in_play) {
      const at = frame.cube(state.cube.owner);
      if (Math.abs(x - at.x) < frame.m.cube && Math.abs(y - at.y) < frame.m.cube) return { kind: "cube" };
    }
    return this.#nearest(frame.spot(x, y), x, y);
  }

  /**
   * A tap just beside the one column that means something is meant for it.
   * @param {Spot} spot
   * @param {number} x
   * @param {number} y
   * @returns {Spot}
   */
  #nearest(spot, x, y) {
    const { controller } = this.board;
    const means = (/** @type {Spot} */ s) => {
      const number = this.#number(s);
      return (
        number !== null &&
        (controller.destinations.has(number) ||
          controller.play?.stands(number) ||
          controller.play?.turn.onlyHop(number))
      );
    };
    if (spot.kind !== "point" || !controller.play || means(spot)) return spot;
    const cell = this.#frame.cell(spot.place);
    const aside = (x - cell.x) / 100;
    if (Math.abs(aside) < 0.5 - NEAR) return spot;
    const beside = this.#frame.spot(cell.x + Math.sign(aside) * 100, y);
    return means(beside) ? beside : spot;
  }

  /** A spot as the side on the move counts it. @param {Spot} spot @returns {number | null} */
  #number(spot) {
    const { layout, controller } = this.board;
    const side = controller.mover;
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
    // Before it is known who begins, two at one screen both throw.
    const sides = state.on_roll ? [state.on_roll] : state.you;
    return sides.some((side) => (state.allowed_of?.[side] ?? state.allowed).includes(action));
  }

  /** What a tap there would do. @param {Spot} spot @param {number} x */
  #meaning(spot, x) {
    const { controller, state } = this.board;
    if (controller.play) {
      if (spot.kind !== "dice") return "move";
      return controller.play.turn.whole ? "confirm" : "swap";
    }
    if (spot.kind === "cube" && this.#may("double")) return "double";
    const side = state?.on_roll ?? this.board.viewer;
    const field = this.#frame.diceField(side);
    const there = x > this.#frame.barX === (field === 1);
    return this.#may("roll") && there && spot.kind !== "cube" ? "roll" : "";
  }

  /** @param {Spot} spot @param {{ other: boolean, x: number, y: number }} how */
  tapped(spot, { other, x }) {
    if (this.#showsPast()) return;
    const { controller, guard } = this.board;
    this.keys.clear();
    const meaning = this.#meaning(spot, x);
    const name = JSON.stringify(spot);
    const now = performance.now();
    const { at, spot: before, meaning: meant } = this.#tap;
    this.#tap = { at: now, spot: name, meaning };
    if (meaning !== meant && before === name && now - at < guard) return;
    if (meaning !== "move" && meaning !== "swap" && now - controller.since < guard) return;
    if (meaning === "confirm") controller.confirm();
    else if (meaning === "swap") controller.swap();
    else if (meaning === "roll") this.board.emit("ssb-roll");
    else if (meaning === "double") this.double();
    else if (meaning === "move") this.#move(spot, other);
  }

  /** @param {Spot} spot @param {boolean} other */
  #move(spot, other) {
    const { controller, preferences } = this.board;
    const number = this.#number(spot);
    if (number === null) return;
    if (preferences.mode === "taptap" && !other) this.#pick(number);
    else controller.tap(number, other);
  }

  /** In two taps: first the checker, then where it goes. @param {number} number */
  #pick(number) {
    const { controller } = this.board;
    const from = controller.selected;
    if (from !== null && from !== number && controller.play?.drags(from).has(number))
      controller.moveTo(from, number);
    else if (controller.play?.origins.has(number)) controller.select(number);
    else if (from !== null && from !== number) controller.moveTo(from, number);
    else controller.tap(number);
  }

  /** @param {Spot} spot */
  grab(spot) {
    if (this.#showsPast()) return false;
    const { controller } = this.board;
    this.keys.clear();
    const number = this.#number(spot);
    if (number === null || !controller.play?.stands(number)) return false;
    controller.selected = number;
    if (controller.play.touchMove && controller.play.origins.has(number)) controller.touch.touch(number);
    return true;
  }

  /** @param {number} x @param {number} y */
  dragged(x, y) {
    const { controller, renderRoot } = this.board;
    const ghost = controller.drag && renderRoot.querySelector(".drag");
    if (controller.selected === null) return;
    const spot = this.#frame.spot(x, y);
    const number = this.#number(spot);
    const over =
      spot.kind === "point" && number !== null && controller.destinations.has(number) ? spot.place : null;
    controller.drag = { x, y, from: Number(controller.selected) };
    if (ghost && over === controller.hover) ghost.setAttribute("transform", `translate(${x} ${y})`);
    else {
      controller.hover = over;
      this.board.requestUpdate();
    }
  }

  /** @param {Spot} spot @param {number} x @param {number} y */
  dropped(spot, x, y) {
    const { controller } = this.board;
    const to = this.#number(spot);
    const from = controller.selected;
    controller.drag = null;
    if (from === null) return;
    if (to === null || to === from) this.cancelled();
    else controller.moveTo(from, to, { x, y });
  }

  cancelled() {
    const { controller } = this.board;
    controller.selected = controller.drag = controller.hover = null;
    this.board.requestUpdate();
  }

  swiped() {
    this.board.controller.undo();
  }

  /** @param {Spot | null} spot */
  hovered(spot) {
    const { controller, preferences } = this.board;
    const number = spot && this.#number(spot);
    const open =
      number !== null &&
      (controller.selected !== null
        ? controller.destinations.has(number)
        : controller.play?.origins.has(number));
    const over = spot?.kind === "point" && open && preferences.targets ? spot.place : null;
    if (over === controller.hover) return;
    controller.hover = over;
    this.board.requestUpdate();
  }

  /** Whether the board shows an earlier position: then the first tap or key only returns to the current one. */
  #showsPast() {
    if (!this.board.advice?.alone) return false;
    this.board.emit("ssb-present");
    return true;
  }

  // Keys

  go() {
    if (this.#showsPast()) return;
    const { controller } = this.board;
    if (controller.play) controller.confirm();
    else if (this.#may("roll")) this.board.emit("ssb-roll");
  }

  /** @param {boolean} all */
  undo(all) {
    if (this.#showsPast()) return;
    this.board.controller.undo(all);
  }

  /** @param {number} die */
  pickDie(die) {
    this.board.controller.play?.choose(die);
    this.board.requestUpdate();
  }

  swap() {
    this.board.controller.swap();
  }

  /** Doubles at the second asking, neither at once nor long after the first. */
  double() {
    if (this.#showsPast() || !this.#may("double")) return;
    const asked = performance.now() - this.#doubling;
    if (asked < this.board.guard) return;
    if (asked < SURE) {
      this.#doubling = -SURE;
      this.board.emit("ssb-double");
      return;
    }
    this.#doubling = performance.now();
    this.board.controller.say(this.board.t(WORDS.sure));
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
    if (this.#showsPast()) return;
    this.cancelled();
  }

  /**
   * Digits, the letter of the bar where the game has one, that of the hand while checkers are in it, when it is time
   * to play.
   * @param {string} key
   */
  begins(key) {
    const { layout, controller, state } = this.board;
    if (!layout || !controller.mover) return false;
    const inHand = state?.board?.hand[controller.mover] ?? 0;
    return /^[0-9]$/.test(key) || (key === "b" && layout.bar) || (key === "h" && inHand > 0);
  }

  /** @param {string} text */
  typed(text) {
    return this.board.controller.typed(text);
  }

  /** @param {string} text */
  typing(text) {
    this.written = text;
    this.board.controller.say(text && this.board.t(WORDS.typing, { text }));
  }

  /** @param {{ dx: number, dy: number }} by */
  walk({ dx, dy }) {
    this.focus.walk(this.#frame, { dx, dy });
  }

  /** @param {boolean} backwards */
  next(backwards) {
    if (this.#showsPast()) return;
    this.focus.next(backwards);
  }

  /** @param {boolean} other */
  press(other) {
    if (this.focus.here) this.#activate(other);
    else this.go();
  }

  /** What the place with the keyboard does. @param {boolean} other */
  #activate(other) {
    if (this.#showsPast()) return;
    const { spot } = this.focus;
    if (!spot || !this.board.controller.play) this.go();
    else if (spot.kind === "dice") this.go();
    else this.#move(spot, other);
  }

  /** @param {Event} event */
  focused = (event) => void this.focus.take(event);

  /** A click without a pointer, as screen readers send it. @param {MouseEvent} event */
  clicked = (event) => {
    if (event.detail > 0 || !this.focus.take(event)) return;
    if (this.focus.name === "cube") this.double();
    else this.#activate(false);
  };

  /** @param {Event} event */
  noMenu = (event) => event.preventDefault();
}
