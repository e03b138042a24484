/**
 * The engine in this browser, as views ask it: promises of answers, with what is known so far on the way.
 *
 * Nothing is loaded before the first question. Questions wait for each other in the page, so one that is cancelled
 * before its turn costs nothing; a worker that fails, or does not stop, is replaced by a fresh one of the same module.
 */

import { canRun, savesData } from "./builds.js";

/**
 * @typedef {import("./analysis.js").Question} Question
 * @typedef {import("./analysis.js").Judged} Judged
 * @typedef {import("./rollout.js").Portion} Portion
 * @typedef {import("./worker.js").Asked} Asked
 * @typedef {import("./worker.js").FromWorker} FromWorker
 * @typedef {{most?: number, signal?: AbortSignal, report?: (found: Judged) => void, isAlone?: boolean}} AnalyseHow
 * @typedef {Asked extends infer Each ? Each extends Asked ? Omit<Each, "id" | "isAlone"> : never : never} Task
 * @typedef {{id: number, task: Task, signal?: AbortSignal, isAlone: boolean, report: (found: unknown) => void,
 *   done: (build: string) => void, fail: (error: Error) => void}} Job
 */

/** Workers that may be busy at once, each with a net of its own. */
const MOST = 1;
/** Milliseconds in which a worker that was told to stop does. */
const PATIENCE = 2000;

/** Why there is no answer: the browser cannot, the net could not be had, or the core failed. */
export class NoAnswer extends Error {
  /** @param {string} text for developers @param {boolean} [unreached] whether a file of the site could not be had */
  constructor(text, unreached = false) {
    super(text);
    this.unreached = unreached;
  }
}

/** One worker, and the job it is at. */
class Hand {
  /** @type {Job | null} */
  job = null;

  /** @param {(hand: Hand, message: FromWorker) => void} hear @param {(hand: Hand, why: string) => void} lose */
  constructor(hear, lose) {
    this.worker = new Worker("/engine/worker.js", { type: "module" });
    this.worker.onmessage = ({ data }) => hear(this, data);
    this.worker.onerror = (event) => lose(this, event.message || "the worker could not be started");
  }
}

class LocalEngine {
  /** @type {Hand[]} */
  #hands = [];
  /** @type {Job[]} */
  #waiting = [];
  /** @type {WebAssembly.Module | undefined} */
  #module;
  #last = 0;
  #failures = 0;
  /** Whether there is no server to ask instead. */
  isAlone = false;

  /** Whether this browser has what the engine needs. */
  get canRun() {
    return canRun();
  }

  /** Whether this browser can be asked in place of a server: it has not failed, and is not to save data. */
  get isHere() {
    return this.canRun && (this.isAlone || (!savesData() && this.#failures < 2));
  }

  /**
   * Chances, plays and the cube of a position, to a number of plies.
   * @param {Question} question @param {number} plies
   * @param {AnalyseHow} [how]  `most` plays are told; `report` is told what is known so far, the static values first;
   *   `isAlone`: there is no server to ask instead
   * @returns {Promise<{found: Judged, build: string}>} rejected by NoAnswer; by the signal's reason once it is aborted
   */
  analyse(question, plies, { most, signal, report, isAlone } = {}) {
    return this.#ask({ ask: "analyse", question, plies, most }, signal, report, isAlone);
  }

  /**
   * A rollout; `report` is told what is known after each portion. Its end, and its errors, as of `analyse`.
   * @param {Question} question
   * @param {{trials: number, seed: number, plays?: Uint8Array[]}} how  the plays by the rows after them
   * @param {{signal?: AbortSignal, report?: (found: Portion) => void, isAlone?: boolean}} [then]
   * @returns {Promise<{found: Portion, build: string}>}
   */
  rollOut(question, { trials, seed, plays = [] }, { signal, report, isAlone } = {}) {
    return this.#ask({ ask: "rollOut", question, trials, seed, plays }, signal, report, isAlone);
  }

  /**
   * The tutor's hint, or its verdict on what was `said`, of a play with the play that was `made`; the last one found
   * is undefined where there is nothing to say.
   * @param {Question} question
   * @param {{said?: import("./advice.js").Done, made?: import("./analysis.js").Made}} [decided]
   * @param {boolean} [isAlone]  there is no server to ask instead
   * @returns {Promise<{found: any, build: string}>}
   */
  advise(question, decided = {}, isAlone = false) {
    return this.#ask({ ask: "advise", question, ...decided }, undefined, undefined, isAlone);
  }

  /**
   * Something done at a table without a server: of `events` those that the worker has not seen are played first.
   * @param {import("./table.js").Agreed} agreed @param {import("./table.js").Event[]} events
   * @param {import("./worker.js").Todo} todo
   * @returns {Promise<any>}
   */
  async table(agreed, events, todo) {
    return (await this.#ask({ ask: "table", agreed, events, todo }, undefined, undefined, true)).found;
  }

  /**
   * A position by itself: what an analysis board shows of it, or why it cannot be.
   * @param {import("./position.js").Asked} asked
   * @returns {Promise<ReturnType<typeof import("./position.js").situation>>}
   */
  async place(asked) {
    return (await this.#ask({ ask: "position", asked }, undefined, undefined, true)).found;
  }

  /**
   * Why steps may not be made: the number of the rule as `Core.refusal` has it, null where they may.
   * @param {Omit<import("./worker.js").Why, "id" | "ask">} asked
   * @returns {Promise<number | null>}
   */
  async refusal(asked) {
    return (await this.#ask({ ask: "why", ...asked }, undefined, undefined, true)).found.rule;
  }

  /**
   * @template T
   * @param {Task} task @param {AbortSignal | undefined} signal @param {((found: T) => void) | undefined} report
   * @param {boolean} [isAlone]
   * @returns {Promise<{found: T, build: string}>}
   */
  #ask(task, signal, report, isAlone = false) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (!(isAlone ? this.canRun : this.isHere))
        return reject(new NoAnswer("the engine does not run in this browser"));
      /** @type {T | undefined} */
      let last;
      /** @type {Job} */
      const job = {
        id: ++this.#last,
        task,
        signal,
        isAlone,
        report: (found) => {
          last = /** @type {T} */ (found);
          if (!signal?.aborted) report?.(last);
        },
        done: (build) => {
          this.#failures = 0;
          if (last === undefined) reject(new NoAnswer("the engine found nothing"));
          else resolve({ found: last, build });
        },
        fail: reject,
      };
      signal?.addEventListener("abort", () => this.#drop(job), { once: true });
      this.#waiting.push(job);
      this.#go();
    });
  }

  /** Give what waits to a worker that is free. */
  #go() {
    let hand = this.#hands.find(({ job }) => !job);
    if (!this.#waiting.length || (!hand && this.#hands.length >= MOST)) return;
    if (!hand) {
      hand = new Hand(this.#hear, this.#lose);
      if (this.#module) hand.worker.postMessage({ module: this.#module });
      this.#hands.push(hand);
    }
    hand.job = /** @type {Job} */ (this.#waiting.shift());
    const { task, id, isAlone } = hand.job;
    hand.worker.postMessage({ ...task, id, isAlone: isAlone || this.isAlone });
    this.#go();
  }

  /** A job that nobody waits for any more. @param {Job} job */
  #drop(job) {
    job.fail(job.signal?.reason);
    this.#waiting = this.#waiting.filter((each) => each !== job);
    const hand = this.#hands.find((each) => each.job === job);
    if (!hand) return;
    hand.worker.postMessage({ cancel: job.id });
    // A search in one piece cannot be cut: the next question is for another worker then.
    setTimeout(() => hand.job === job && this.#end(hand), PATIENCE);
  }

  /** @param {Hand} hand */
  #end(hand) {
    hand.worker.terminate();
    this.#hands = this.#hands.filter((each) => each !== hand);
    this.#go();
  }

  /** @param {Hand} hand @param {FromWorker} message */
  #hear = (hand, message) => {
    if ("module" in message) {
      this.#module = message.module;
      return;
    }
    const { job } = hand;
    if (!job || message.id !== job.id) return;
    if ("found" in message) return job.report(message.found);
    hand.job = null;
    if ("failed" in message) {
      // A line that is away says nothing about this browser.
      if (!message.unreached && !job.isAlone) this.#failures += 1;
      job.fail(new NoAnswer(message.failed, message.unreached));
    } else {
      job.done(message.build);
    }
    this.#go();
  };

  /** A worker that does not run. @param {Hand} hand @param {string} why */
  #lose = (hand, why) => {
    if (!hand.job?.isAlone) this.#failures += 1;
    hand.job?.fail(new NoAnswer(why));
    this.#end(hand);
  };
}

export const localEngine = new LocalEngine();
