/**
 * What the page waits for from the server: what takes long is shown, and so is a connection that is interrupted.
 *
 * Fires "change" when there is something else to say, and "again" when the player wants the line to be tried at once.
 */

/** Milliseconds after which something that was asked for is late. */
const LATE = 700;

export class Traffic extends EventTarget {
  constructor() {
    super();
    /** @type {Set<object>} what is late */
    this.late = new Set();
    /** @type {Set<object>} the lines that are interrupted */
    this.lost = new Set();
  }

  /** Whether something that was asked for is late. */
  get slow() {
    return this.late.size > 0;
  }

  /** Whether the server cannot be reached. */
  get away() {
    return this.lost.size > 0;
  }

  /**
   * Wait for something, and show that where it takes long.
   * @template T
   * @param {Promise<T>} work
   * @returns {Promise<T>}
   */
  async track(work) {
    const entry = {};
    const timer = setTimeout(() => this.say(() => this.late.add(entry)), LATE);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.say(() => this.late.delete(entry));
    }
  }

  /** A line is interrupted, or is there again or no longer wanted. @param {object} line @param {boolean} lost */
  line(line, lost) {
    this.say(() => (lost ? this.lost.add(line) : this.lost.delete(line)));
  }

  /** The player does not want to wait for the next attempt. */
  again() {
    this.dispatchEvent(new Event("again"));
  }

  /** @param {() => void} change */
  say(change) {
    const { slow, away } = this;
    change();
    if (slow !== this.slow || away !== this.away) this.dispatchEvent(new Event("change"));
  }
}

export const traffic = new Traffic();
