/** What the desk keeps in the browser: results that wait to be sent, and what it knew last, while the line is away. */

import { ApiError, post } from "../api.js";

/** @typedef {{ref: string, kind: string, fields: Record<string, unknown>, text: string}} Waiting */

/** The results that wait for the line, and what was known, by tournament. */
const QUEUE = "sheshbesh-desk";
const KNOWN = "sheshbesh-desk-known";
/** Milliseconds for which an entered result can be taken back before it is sent. */
const UNDO = 10_000;
/** Milliseconds after which a result is sent again where nobody was reached. */
const AGAIN = 15_000;
/** Statuses of who is not signed in, or may not direct: the same result may be taken once they are. */
const LATER = [401, 403];
/** The rule of the refusal of a result that could not be stored just now. */
const BUSY = "wire.busy";

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

/** Results that are sent once nobody takes them back and the server is reached. Fires "change", "refused", "sent". */
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
    /** Why the server did not take the last one, where it is kept and sent again later. */
    this.problem = "";
    /** The ref of the result that is being sent; it cannot be taken back. */
    this.posting = "";
    this.sending = false;
    this.closed = false;
    /** @type {Map<string, ReturnType<typeof setTimeout>>} those that can still be taken back */
    this.timers = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.again = undefined;
  }

  /**
   * Change what waits here, and what is kept: another tab may have added to that.
   * @param {(waiting: Waiting[]) => Waiting[]} change
   */
  #set(change) {
    this.waiting = change(this.waiting);
    keep(this.name, change(read(this.name) ?? []));
    this.dispatchEvent(new Event("change"));
  }

  /** Send a result in a moment: until then it can be taken back. @param {Waiting} result */
  add(result) {
    this.timers.set(
      result.ref,
      setTimeout(() => {
        this.timers.delete(result.ref);
        void this.sendAll();
      }, UNDO),
    );
    this.#set((waiting) => [...waiting, result]);
  }

  /** Take a result back, unless it is being sent. @param {Waiting} result */
  takeBack({ ref }) {
    if (ref === this.posting) return;
    clearTimeout(this.timers.get(ref));
    this.timers.delete(ref);
    this.#drop(ref);
  }

  /** @param {string} ref */
  #drop(ref) {
    this.#set((waiting) => waiting.filter((each) => each.ref !== ref));
    if (this.waiting.length) return;
    this.away = false;
    this.problem = "";
  }

  /** @param {Waiting} result @returns {Promise<boolean>} false where it is kept, to be sent again */
  async #send({ ref, kind, fields, text }) {
    this.posting = ref;
    this.dispatchEvent(new Event("change"));
    /** @type {unknown} */
    let error = null;
    try {
      await post(`${this.path}/director/${kind}`, { ref, fields });
    } catch (caught) {
      error = caught;
    }
    this.posting = "";
    this.away = error instanceof ApiError && error.passing;
    const kept =
      error instanceof ApiError && (error.passing || LATER.includes(error.status) || error.rule === BUSY);
    this.problem = kept && !this.away ? messageOf(error) : "";
    if (kept) {
      clearTimeout(this.again);
      if (!this.closed) this.again = setTimeout(() => void this.sendAll(), AGAIN);
      this.dispatchEvent(new Event("change"));
      return false;
    }
    this.#drop(ref);
    if (error) this.dispatchEvent(new CustomEvent("refused", { detail: `${text}: ${messageOf(error)}` }));
    return true;
  }

  /** Send what nobody can take back any more, in the order in which it was entered; then fire "sent". */
  async sendAll() {
    if (this.sending) return;
    this.sending = true;
    clearTimeout(this.again);
    let done = 0;
    for (;;) {
      const next = this.waiting.find(({ ref }) => !this.timers.has(ref));
      if (!next || !(await this.#send(next))) break;
      done += 1;
    }
    this.sending = false;
    if (done) this.dispatchEvent(new Event("sent"));
  }

  /** The desk is left: what waits is sent now; what is not taken stays in the browser for the next desk. */
  close() {
    this.closed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    clearTimeout(this.again);
    void this.sendAll();
  }
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));
