import { OFF } from "./types.js";

/** @typedef {import("./types.js").Stage} Stage */

/**
 * One checker moved by one die.
 *
 * @typedef {{ origin: number, target: number, die: number, takes: boolean, stage: number }} Hop
 */

/** @param {Hop[]} way */
const written = (way) =>
  way
    .map((hop) => `${hop.origin}/${hop.target}`)
    .sort()
    .join(" ");

/**
 * A turn in progress: a walk through the stages that were sent. What is not among them cannot be
 * done; why not, is not known here.
 */
export class Turn {
  /** @type {Stage[]} */ #stages;
  /** @type {Hop[]} */ #path = [];
  /** @type {Map<string, number>} */ #most = new Map();

  /**
   * @param {Stage[]} stages  the first is the start of the turn
   * @param {number[][]} [done]  steps made already: origin, target, die
   */
  constructor(stages, done = []) {
    this.#stages = stages;
    for (const [origin, target, die] of done) {
      const hop = this.next().find(
        (h) => h.origin === origin && h.target === target && (die === undefined || h.die === die),
      );
      if (!hop) break;
      this.#path.push(hop);
    }
  }

  /** The hops so far, in the order in which they were made. */
  get path() {
    return /** @type {readonly Hop[]} */ (this.#path);
  }

  get stage() {
    return this.#path.at(-1)?.stage ?? 0;
  }

  /** Whether the hops so far are a play that may be confirmed. */
  get whole() {
    return this.#stages[this.stage]?.whole ?? false;
  }

  /** Whether nothing could be played from the start. */
  get dance() {
    return this.#stages.length > 0 && this.#stages[0].whole && this.#stages[0].next.length === 0;
  }

  /** Whether the turn can only end in one way, however it is played. */
  get forced() {
    return this.#stages.length > 1 && this.#stages.filter((s) => s.whole).length === 1;
  }

  /** The hops that may follow, from `stage` on. @param {number} [stage] @returns {Hop[]} */
  next(stage = this.stage) {
    return (this.#stages[stage]?.next ?? []).map(([origin, target, die, takes, to]) => ({
      origin,
      target,
      die,
      takes: takes > 0,
      stage: to,
    }));
  }

  /** @param {Iterable<Hop>} hops */
  play(hops) {
    this.#path.push(...hops);
  }

  /** Takes hops back. @param {boolean} [all] @returns {Hop[]} those taken back, the last first */
  undo(all = false) {
    return this.#path.splice(all ? 0 : -1).reverse();
  }

  /**
   * The hop a tap on a point means: by the first of `dice` that has one there.
   *
   * @param {number} origin @param {number[]} dice  in order of preference
   * @returns {Hop | undefined}
   */
  tap(origin, dice) {
    const here = this.next().filter((hop) => hop.origin === origin);
    for (const die of dice) {
      const hop = here.find((h) => h.die === die);
      if (hop) return hop;
    }
    return here[0];
  }

  /**
   * Everywhere the checker on `origin` may go, with the way there: the shortest, and of equal ones
   * that which begins with the preferred die.
   *
   * @param {number} origin @param {number[]} [dice] @param {number} [stage]
   * @returns {Map<number, Hop[]>}
   */
  destinations(origin, dice = [], stage = this.stage) {
    /** @type {Map<number, Hop[]>} */ const found = new Map();
    /** @type {Hop[][]} */ let front = [[]];
    const rank = (/** @type {Hop} */ hop) => (dice.indexOf(hop.die) + 7) % 7;
    while (front.length) {
      /** @type {Hop[][]} */ const further = [];
      for (const way of front) {
        const at = way.at(-1);
        const hops = this.next(at ? at.stage : stage)
          .filter((hop) => hop.origin === (at ? at.target : origin))
          .sort((a, b) => rank(a) - rank(b));
        for (const hop of hops) {
          const longer = [...way, hop];
          if (!found.has(hop.target)) found.set(hop.target, longer);
          if (hop.target !== OFF) further.push(longer);
        }
      }
      front = further;
    }
    return found;
  }

  /**
   * The one way to bring two more checkers to `target`, or, where `blot` is true because one is there
   * already, one. Null if there is none, or more than one.
   *
   * @param {number} target @param {boolean} blot @returns {Hop[] | null}
   */
  makePoint(target, blot) {
    const wanted = blot ? 1 : 2;
    for (const length of blot ? [1, 2] : [2, 4]) {
      /** @type {Map<string, Hop[]>} */ const ways = new Map();
      this.#search(target, wanted, length, this.stage, [], ways);
      if (ways.size === 1) return [...ways.values()][0];
      if (ways.size > 1) return null;
    }
    return null;
  }

  /**
   * @param {number} target @param {number} wanted @param {number} left @param {number} stage
   * @param {Hop[]} way @param {Map<string, Hop[]>} ways
   */
  #search(target, wanted, left, stage, way, ways) {
    if (wanted === 0) {
      const key = written(way);
      if (left === 0 && !ways.has(key)) ways.set(key, way);
      return;
    }
    if (left === 0 || ways.size > 1) return;
    for (const hop of this.next(stage)) {
      if (hop.origin === target) continue;
      this.#search(target, wanted - Number(hop.target === target), left - 1, hop.stage, [...way, hop], ways);
    }
  }

  /** The only hop that leads to `target` by one die, if just one does. @param {number} target */
  onlyHop(target) {
    const hops = this.next().filter((hop) => hop.target === target);
    return hops.length > 0 && new Set(hops.map((hop) => hop.origin)).size === 1 ? hops[0] : null;
  }

  /** The hops that brought a checker to where it is, the first first. @param {number} at */
  trace(at) {
    /** @type {Hop[]} */ const chain = [];
    let where = at;
    for (let i = this.#path.length - 1; i >= 0; i--) {
      if (this.#path[i].target === where && where !== OFF) {
        chain.unshift(this.#path[i]);
        where = this.#path[i].origin;
      }
    }
    return chain;
  }

  /**
   * Everywhere a checker may be dragged to, with the whole path the turn then has: onward, back to
   * where it came from, or from there by another way.
   *
   * @param {number} origin @param {number[]} dice @returns {Map<number, Hop[]>}
   */
  drags(origin, dice) {
    /** @type {Map<number, Hop[]>} */ const found = new Map();
    for (const [target, way] of this.destinations(origin, dice)) found.set(target, [...this.#path, ...way]);
    const chain = this.trace(origin);
    for (let i = chain.length - 1; i >= 0; i--) {
      const gone = new Set(chain.slice(i));
      const kept = this.#arrange(this.#path.filter((hop) => !gone.has(hop)));
      if (!kept) continue;
      const start = chain[i].origin;
      if (!found.has(start)) found.set(start, kept);
      const stage = kept.at(-1)?.stage ?? 0;
      for (const [target, way] of this.destinations(start, dice, stage)) {
        if (target !== origin && !found.has(target)) found.set(target, [...kept, ...way]);
      }
    }
    return found;
  }

  /** Puts another path, one of `drags`, in place of this one. @param {Hop[]} path */
  replace(path) {
    this.#path = [...path];
  }

  /** Some order in which these hops are possible. @param {Hop[]} hops @returns {Hop[] | null} */
  #arrange(hops, stage = 0) {
    if (!hops.length) return [];
    for (const hop of hops) {
      const step = this.next(stage).find(
        (h) => h.origin === hop.origin && h.target === hop.target && h.die === hop.die,
      );
      const rest =
        step &&
        this.#arrange(
          hops.filter((h) => h !== hop),
          step.stage,
        );
      if (step && rest) return [step, ...rest];
    }
    return null;
  }

  /** How many checkers may still leave `origin` in this turn. @param {number} origin */
  mostFrom(origin, stage = this.stage) {
    const key = `${stage}:${origin}`;
    let most = this.#most.get(key);
    if (most === undefined) {
      most = 0;
      for (const hop of this.next(stage)) {
        most = Math.max(most, Number(hop.origin === origin) + this.mostFrom(origin, hop.stage));
      }
      this.#most.set(key, most);
    }
    return most;
  }
}
