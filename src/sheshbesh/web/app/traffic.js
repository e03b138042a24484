/**
 * Requests that take long and connections that are lost, for the whole page to show; addresses of
 * sockets, and when to reconnect.
 *
 * Fires "change" when `slow` or `away` has changed, and "again" when the player wants to reconnect at once.
 */

/** Milliseconds after which a request counts as late. */
const LATE = 700;

export class Traffic extends EventTarget {
  constructor() {
    super();
    /** @type {Set<object>} the requests that are late */
    this.late = new Set();
    /** @type {Set<object>} the connections that are lost */
    this.lost = new Set();
  }

  /** When the next attempt is made, by performance.now(). */
  #next = 0;

  /** Whether a request is late. */
  get slow() {
    return this.late.size > 0;
  }

  /** Whether the server cannot be reached. */
  get away() {
    return this.lost.size > 0;
  }

  /**
   * Wait for a request, and show that when it takes long.
   * @template T
   * @param {Promise<T>} work
   * @returns {Promise<T>}
   */
  async track(work) {
    const entry = {};
    const timer = setTimeout(() => this.update(() => this.late.add(entry)), LATE);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.update(() => this.late.delete(entry));
    }
  }

  /**
   * A connection is lost, or is restored or closed.
   * @param {object} connection
   * @param {boolean} lost
   * @param {number} [wait] milliseconds until it is opened again
   */
  setLost(connection, lost, wait = 0) {
    if (lost) this.#next = performance.now() + wait;
    this.update(() => (lost ? this.lost.add(connection) : this.lost.delete(connection)));
  }

  /** Whole seconds until the last connection that was lost is opened again; 0 while that is tried. */
  get wait() {
    return Math.max(0, Math.ceil((this.#next - performance.now()) / 1000));
  }

  /** Ask all connections to reconnect at once. */
  again() {
    this.dispatchEvent(new Event("again"));
  }

  /** @param {() => void} change */
  update(change) {
    const { slow, away } = this;
    change();
    if (slow !== this.slow || away !== this.away) this.dispatchEvent(new Event("change"));
  }
}

export const traffic = new Traffic();

/** The longest wait between two attempts, in milliseconds. */
const CAP = 8000;

/**
 * How long to wait before attempt `n` (from 0): at once, then 0.25 · 2ⁿ seconds with jitter.
 * @param {number} n
 * @param {number} random from 0 to 1
 */
export function backoff(n, random) {
  if (n === 0) return 0;
  return Math.min(CAP, 250 * 2 ** (n - 1)) * (0.5 + random / 2);
}

/** The base address of this site's sockets. */
export function socketBase() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
}
