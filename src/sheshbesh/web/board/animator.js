/** Animation of plays: checkers fly from their piles to their targets, hit ones to the bar. */

import { carry, freeOn } from "./checkers.js";
import { fly, prefersReducedMotion, RECOIL } from "./motion.js";
import { restOf } from "./picture.js";
import { BAR, HAND, other } from "./types.js";

/** @typedef {import("./motion.js").Flight} Flight */
/** @typedef {import("./pieces.js").At} At */
/** @typedef {import("./types.js").Board} CheckerBoard */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {{ origin: number, target: number, takes: boolean }} Leg */

/** Milliseconds from the release of a dragged checker until it rests. */
const LET_GO = 100;

/** The checkers as drawn, which may lag behind the position while animations run. */
export class Animator {
  /** @type {CheckerBoard | null} */ board = null;
  /** @type {Flight[]} */ flights = [];
  /** Whose play is being shown. @type {Side | null} */
  busy = null;
  #landing = new AbortController();

  /** @param {import("./board.js").Board} host */
  constructor(host) {
    this.host = host;
  }

  /** Stops every animation. */
  stop() {
    this.#landing.abort();
    this.flights = [];
    this.busy = null;
  }

  /** Shows a board at once. @param {CheckerBoard} board */
  jump(board) {
    this.stop();
    this.board = board;
    this.host.requestUpdate();
  }

  /**
   * Animates to `board` leg by leg, unless motion is switched off.
   *
   * @param {CheckerBoard} board @param {readonly Leg[]} legs @param {Side} side
   * @param {At} [at]  where the first begins, if not on its pile
   */
  async play(board, legs, side, at) {
    this.stop();
    const { signal } = (this.#landing = new AbortController());
    const still = prefersReducedMotion() || this.host.preferences.speed === 0 || document.hidden;
    this.busy = side;
    let start = at;
    for (const leg of still ? [] : legs) {
      if (!this.#lift(leg, side, start)) break;
      start = undefined;
      await this.#fly(signal);
      if (signal.aborted) return;
    }
    this.jump(board);
  }

  /**
   * Animates to `board` by taking hops back, all at once.
   *
   * @param {CheckerBoard} board @param {readonly Leg[]} hops  the last first @param {Side} side
   */
  async recall(board, hops, side) {
    const { frame, preferences } = this.host;
    const before = this.board;
    this.jump(board);
    if (prefersReducedMotion() || preferences.speed === 0 || !frame || !before) return;
    /** @type {{ start: number, end: number }[]} */ const paths = [];
    for (const { origin, target } of hops) {
      const path = paths.find(({ end }) => end === target);
      if (path) path.end = origin;
      else paths.push({ start: target, end: origin });
    }
    const { signal } = (this.#landing = new AbortController());
    this.flights = paths.map(({ start, end }) => ({
      side,
      number: end,
      from: restOf(frame, before, side, start),
      to: restOf(frame, board, side, end),
      delay: 0,
      ms: preferences.speed / 2,
    }));
    await this.#fly(signal);
    if (!signal.aborted) this.jump(board);
  }

  /** Renders the flights and runs them. @param {AbortSignal} signal */
  async #fly(signal) {
    this.host.requestUpdate();
    await this.host.updateComplete;
    const elements = [...this.host.renderRoot.querySelectorAll(".flight")];
    if (!signal.aborted) await fly(elements, this.flights, signal);
  }

  /**
   * Starts the flight of a checker, and of the checker that it hits.
   * @param {Leg} leg
   * @param {Side} side
   * @param {At} [start]
   */
  #lift(leg, side, start) {
    const { frame, layout, preferences } = this.host;
    const before = this.board;
    if (!before || !frame || !layout || freeOn(before, layout, side, leg.origin) < 1) return false;
    const after = carry(before, layout, side, leg);
    const from = start ?? restOf(frame, before, side, leg.origin);
    const to = restOf(frame, after, side, leg.target);
    const ms = start ? LET_GO : preferences.speed;
    this.board = after;
    this.flights = [{ side, number: leg.target, from, to, delay: 0, ms }];
    if (leg.takes && !layout.pins) {
      const number = layout.bar ? BAR : HAND;
      const enemy = other(side);
      const rest = restOf(frame, after, enemy, number);
      this.flights.unshift({
        side: enemy,
        number,
        from: to,
        to: rest,
        delay: ms * 0.6,
        ms: RECOIL + preferences.speed / 2,
      });
    }
    return true;
  }
}
