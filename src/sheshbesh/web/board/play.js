import { carry, freeOn } from "./checkers.js";
import { spent } from "./dice-state.js";
import { DANCE_PAUSE, FORCED_PAUSE } from "./motion.js";
import { formatPlay } from "./notation.js";
import { Turn } from "./turn.js";
import { BAR, OFF } from "./types.js";

/** @typedef {import("./turn.js").Hop} Hop */
/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Prefs} Prefs */

/**
 * What became of something the player did: hops made and taken back, or the steps that were refused.
 *
 * @typedef {{ made: Hop[], undone: Hop[], refused?: number[][] }} Effect
 */

/** A turn of the viewer in progress: what each tap means. Does no drawing. */
export class Play {
  /**
   * @param {State} state  in its phase of moving @param {Layout} layout @param {Side} side
   */
  constructor(state, layout, side) {
    this.layout = layout;
    this.side = side;
    this.base = /** @type {Board} */ (state.board);
    this.turn = new Turn(state.choices ?? [], state.turn?.done);
    /** The dice in display order: the higher one on the left, until they are swapped. */
    this.dice = [...(state.turn?.dice ?? [])].sort((a, b) => b - a);
    this.steps = state.dice_steps;
    this.touchMove = state.card?.touch_move ?? false;
    this.done = state.turn?.done ?? [];
  }

  /** The board after the hops so far. @returns {Board} */
  get board() {
    return this.turn.path.reduce((board, hop) => carry(board, this.layout, this.side, hop), this.base);
  }

  /** Whether another state is the same turn, so that the hops made in it are still valid. @param {State} state */
  continues(state) {
    const dice = [...(state.turn?.dice ?? [])].sort((a, b) => b - a);
    const done = (state.turn?.done ?? []).map(([origin, target]) => `${origin}/${target}`);
    return (
      String(dice) === String([...this.dice].sort((a, b) => b - a)) &&
      JSON.stringify(state.board) === JSON.stringify(this.base) &&
      done.every((step, i) => {
        const hop = this.turn.path[i];
        return hop && `${hop.origin}/${hop.target}` === step;
      })
    );
  }

  /** Takes over what changed in the same turn: which stages are open. @param {State} state */
  refresh(state) {
    const made = this.turn.path.map(({ origin, target, die }) => [origin, target, die]);
    this.turn = new Turn(state.choices ?? [], made);
    this.done = state.turn?.done ?? [];
  }

  /** Which dice are used up, in display order. */
  get used() {
    return spent(
      this.dice,
      this.steps,
      this.turn.path.map((hop) => hop.die),
    );
  }

  /** The numbers still to play, the active one first. @param {boolean} [otherFirst] */
  order(otherFirst = false) {
    const left = this.dice.filter((_, i) => !this.used[i]);
    return otherFirst ? left.reverse() : left;
  }

  /** Lays the dice the other way round; only before anything was moved. */
  swap() {
    if (this.turn.path.length || this.dice[0] === this.dice[1]) return false;
    this.dice.reverse();
    return true;
  }

  /** Makes a die the active one. @param {number} value */
  choose(value) {
    if (this.dice[0] !== value && this.dice.includes(value)) this.dice.reverse();
  }

  /** Own numbers from which something may move now. */
  get origins() {
    return new Set(this.turn.next().map((hop) => hop.origin));
  }

  /** Whether own free checkers are on a number. @param {number} number */
  stands(number) {
    return number !== OFF && freeOn(this.board, this.layout, this.side, number) > 0;
  }

  /** A tap on a point, the bar or the hand. @param {number} number @param {boolean} [otherFirst] @returns {Effect} */
  tap(number, otherFirst = false) {
    const hop = this.turn.tap(number, this.order(otherFirst));
    if (hop) return this.#make([hop]);
    if (number === BAR) return { made: [], undone: [] };
    const made = this.#come(number);
    if (made.made.length) return made;
    return { ...made, refused: this.stands(number) ? this.#attempt(number) : [] };
  }

  /** Brings to a tapped target what exactly one way of the roll brings there. @param {number} number */
  #come(number) {
    if (number === OFF) return this.#bearOff();
    const standing = freeOn(this.board, this.layout, this.side, number);
    const way = this.touchMove || standing > 1 ? null : this.turn.makePoint(number, standing === 1);
    const only = standing === 0 ? this.turn.onlyHop(number) : null;
    return this.#make(way ?? (only ? [only] : []));
  }

  /** A tap on the tray: the checker that the active die, or else the other, bears off. @returns {Effect} */
  #bearOff() {
    const off = this.turn.next().filter((hop) => hop.target === OFF);
    for (const die of this.order()) {
      const hops = off.filter((hop) => hop.die === die);
      if (hops.length === 1) return this.#make(hops);
    }
    return { made: [], undone: [] };
  }

  /** What would have been tried, to ask why it may not be. @param {number} number @returns {number[][]} */
  #attempt(number) {
    const die = this.order()[0] ?? this.dice[0];
    const from = Math.min(number, BAR - 1);
    return [...this.#soFar, [number, Math.max(from - die, OFF)]];
  }

  get #soFar() {
    return this.turn.path.map(({ origin, target }) => [origin, target]);
  }

  /** All places for a checker, own numbers, with the turn's path if it went there. @param {number} number */
  drags(number) {
    if (!this.touchMove) return this.turn.drags(number, this.order());
    const found = this.turn.destinations(number, this.order());
    return new Map([...found].map(([target, path]) => [target, [...this.turn.path, ...path]]));
  }

  /** Puts a checker down where it was dragged. @param {number} from @param {number} to @returns {Effect} */
  drop(from, to) {
    const path = this.drags(from).get(to);
    if (!path) {
      const refused = from === to ? undefined : [...this.#soFar, [from, to]];
      return { made: [], undone: [], refused };
    }
    const before = [...this.turn.path];
    const same = before.findIndex(
      (hop, i) => path[i]?.origin !== hop.origin || path[i]?.target !== hop.target,
    );
    const kept = same < 0 ? before.length : same;
    this.turn.replace(path);
    return { made: path.slice(kept), undone: before.slice(kept).reverse() };
  }

  /** @param {boolean} [all] @returns {Effect} */
  undo(all = false) {
    if (this.touchMove) return { made: [], undone: [] };
    return { made: [], undone: this.turn.undo(all) };
  }

  /** @param {Hop[]} hops @returns {Effect} */
  #make(hops) {
    this.turn.play(hops);
    return { made: hops, undone: [] };
  }

  /** Plays hops found elsewhere, as by typing. @param {Hop[]} hops @returns {Effect} */
  make(hops) {
    return this.#make(hops);
  }

  /** The turn as it is sent. */
  get written() {
    return { play: formatPlay(this.turn.path) || "pass", steps: this.#soFar };
  }
}

/** @typedef {{ what: "hop" | "confirm", after: number }} AutomaticStep  `after` in milliseconds */

/**
 * The automatic step at this moment of a turn, if any: ends a turn without a legal move, plays forced hops as
 * far as the preferences allow, ends a turn with nothing left to play.
 *
 * @param {Play} play @param {Prefs} preferences @returns {AutomaticStep | null}
 */
export function automaticStep({ turn }, { forced, confirm, speed }) {
  if (turn.dance) return { what: "confirm", after: DANCE_PAUSE };
  const next = turn.next();
  const all = forced !== "off" && turn.forced;
  if (next.length === 0) {
    if (!turn.whole || !(all || confirm === "auto")) return null;
    return { what: "confirm", after: all ? FORCED_PAUSE : speed };
  }
  if (turn.whole && !turn.forced) return null;
  const single = new Set(next.map((hop) => `${hop.origin}/${hop.target}`)).size === 1;
  return all || (forced === "steps" && single) ? { what: "hop", after: FORCED_PAUSE } : null;
}

/**
 * Sends a touch-move turn to the server: touches and hops one at a time, each after the server has answered
 * the one before.
 */
export class TouchMove {
  /** How many hops have been sent. */
  #sent = 0;
  /** Whether a touch waits for its answer. */
  #touching = false;
  #confirming = false;

  /** @param {(type: string, detail?: object) => void} emit */
  constructor(emit) {
    this.emit = emit;
  }

  /** A checker was touched. @param {number} point */
  touch(point) {
    this.#touching = true;
    this.emit("ssb-touch", { point });
  }

  /** Ends the turn once all of it has been sent. @param {Play} play */
  confirm(play) {
    this.#confirming = true;
    this.tell(play);
  }

  /** A new state arrived. @param {Play} play */
  answered(play) {
    this.#touching = false;
    this.tell(play);
  }

  /** Something was refused: hops not sent yet are discarded. @param {Play} play */
  refused(play) {
    this.#touching = this.#confirming = false;
    this.#sent = play.done.length;
  }

  /** Sends the next message, if none waits for its answer. @param {Play} play */
  tell(play) {
    const { path } = play.turn;
    const answered = play.done.length;
    if (this.#touching || this.#sent > answered) return;
    const hop = path[answered];
    if (hop) {
      this.#sent = answered + 1;
      this.emit("ssb-step", { origin: hop.origin, target: hop.target, die: hop.die });
    } else if (this.#confirming) {
      this.#confirming = false;
      this.emit("ssb-confirm");
    }
  }
}
