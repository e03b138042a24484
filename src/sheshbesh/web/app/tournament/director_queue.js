/** What the desk keeps in the browser: results that wait to be sent, and what it knew last, while the line is away. */

import { post } from "../api.js";

/** @typedef {{ref: string, kind: string, fields: Record<string, unknown>, text: string}} Waiting */

/** The results that wait for the line, and what was known, by tournament. */
const QUEUE = "sheshbesh-desk";
const KNOWN = "sheshbesh-desk-known";
/** Milliseconds for which an entered result can be taken back before it is sent. */
const UNDO = 10_000;
/** Milliseconds after which a result is sent again where nobody was reached. */
const AGAIN = 15_000;

/** @param {string} name @returns {any} null where nothing is kept, or it cannot be read */
function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value */
function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage it is lost with the page; it is shown until then.
  }
}

/**
 * Keep what a desk knows of its tournament. One tournament is kept, the last one directed here.
 * @param {string} id
 * @param {Record<string, unknown>} known
 */
export const remember = (id, known) => keep(KNOWN, { id, ...known });

/** What a desk knew of a tournament; null where nothing is kept. @param {string} id */
export function remembered(id) {
  const known = read(KNOWN);
  return known?.id === id ? known : null;
}

/** Results that are sent once nobody takes them back and the server can be reached. Fires "change" and "sent". */
export class ResultQueue extends EventTarget {
  /** @param {string} id of the tournament @param {string} path of its actions */
  constructor(id, path) {
    super();
    this.name = `${QUEUE}-${id}`;
    this.path = path;
    /** @type {Waiting[]} */
    this.waiting = read(this.name) ?? [];
    /** Whether the last attempt reached nobody. */
    this.away = false;
    /** @type {Map<string, ReturnType<typeof setTimeout>>} those that can still be taken back */
    this.timers = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.again = undefined;
  }

  /** @param {Waiting[]} waiting */
  #set(waiting) {
    this.waiting = waiting;
    keep(this.name, waiting);
    this.dispatchEvent(new Event("change"));
  }

  /** Send a result in a moment: until then it can be taken back. @param {Waiting} result */
  add(result) {
    this.#set([...this.waiting, result]);
    this.timers.set(
      result.ref,
      setTimeout(() => void this.#send(result), UNDO),
    );
  }

  /** @param {Waiting} result */
  takeBack(result) {
    clearTimeout(this.timers.get(result.ref));
    this.timers.delete(result.ref);
    this.#set(this.waiting.filter(({ ref }) => ref !== result.ref));
  }

  /** @param {Waiting} result */
  async #send(result) {
    this.timers.delete(result.ref);
    try {
      await post(`${this.path}/director/${result.kind}`, { ref: result.ref, fields: result.fields });
      this.away = false;
      this.takeBack(result);
      this.dispatchEvent(new CustomEvent("sent", { detail: null }));
    } catch (error) {
      // What the line has lost is sent when it is there again; what was refused is not.
      if (error && typeof error === "object" && "passing" in error && error.passing) {
        this.away = true;
        clearTimeout(this.again);
        this.again = setTimeout(() => void this.sendAll(), AGAIN);
        this.dispatchEvent(new Event("change"));
        return;
      }
      this.takeBack(result);
      this.dispatchEvent(new CustomEvent("sent", { detail: `${result.text}: ${messageOf(error)}` }));
    }
  }

  /** Send what nobody can take back any more, in the order in which it was entered. */
  async sendAll() {
    clearTimeout(this.again);
    for (const result of this.waiting) {
      if (!this.timers.has(result.ref)) await this.#send(result);
      if (this.away) return;
    }
  }

  /** The desk is left: what can be taken back stays in the browser, and is sent when a desk is opened again. */
  close() {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    clearTimeout(this.again);
    void this.sendAll();
  }
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));
