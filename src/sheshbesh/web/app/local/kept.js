/** Matches without a server, kept in this browser: their agreement and their events, in pieces as they come. */

/**
 * @typedef {import("../../engine/table.js").Event} Event
 * @typedef {import("../../engine/table.js").Agreed} Agreed
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store
 * @typedef {Agreed & {began: number, changed: number, over: boolean, score: {white: number, black: number},
 *   title: string}} Kept
 */

const LIST = "sheshbesh.local";
/** Events that lie together: what is written at each new one. */
const PIECE = 50;

/** @param {string} id @param {number | "window"} piece */
const place = (id, piece) => `${LIST}.${id}.${piece}`;

export class KeptMatches {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** All matches, the one played last first. @returns {Kept[]} */
  get list() {
    try {
      return JSON.parse(this.store.getItem(LIST) ?? "[]");
    } catch {
      return [];
    }
  }

  /** @param {string} id */
  find(id) {
    return this.list.find((each) => each.id === id);
  }

  /**
   * Write what belongs to a match. Where the storage is full, matches that are over make room, the oldest first.
   * @param {string} id @param {string} name @param {() => string} value
   * @returns {boolean} false where it is full all the same
   */
  #write(id, name, value) {
    for (;;) {
      try {
        this.store.setItem(name, value());
        return true;
      } catch {
        const old = this.list.findLast((each) => each.over && each.id !== id);
        if (!old) return false;
        this.remove(old.id);
      }
    }
  }

  /** Keep a match, or what is new of it; false where the storage is full. @param {Kept} match */
  put(match) {
    const others = () => this.list.filter(({ id }) => id !== match.id);
    return this.#write(match.id, LIST, () => JSON.stringify([match, ...others()]));
  }

  /**
   * Play a match here. Of two windows that do, the one that came last goes on; the other is told that it has lost it.
   * @param {string} id @param {() => void} lost
   * @returns {() => void} what ends it
   */
  claim(id, lost) {
    const hear = (/** @type {StorageEvent} */ { key, newValue }) => {
      if (key?.startsWith(`${LIST}.${id}.`) && newValue !== null) lost();
    };
    globalThis.addEventListener?.("storage", hear);
    this.#write(id, place(id, "window"), () => String(Math.random()));
    return () => globalThis.removeEventListener?.("storage", hear);
  }

  /** The events of a match, as far as they can be read and follow each other. @param {string} id @returns {Event[]} */
  events(id) {
    /** @type {Event[]} */
    const found = [];
    for (let piece = 0; ; piece++) {
      try {
        const text = this.store.getItem(place(id, piece));
        if (text === null) return found;
        for (const event of JSON.parse(text)) {
          if (event.n !== found.length + 1) return found;
          found.push(event);
        }
      } catch {
        return found;
      }
    }
  }

  /**
   * Keep events of which so many are kept already; false where the storage is full.
   * @param {string} id @param {readonly Event[]} events @param {number} written
   */
  append(id, events, written) {
    for (let piece = Math.floor(written / PIECE); piece * PIECE < events.length; piece++) {
      const written = () => JSON.stringify(events.slice(piece * PIECE, (piece + 1) * PIECE));
      if (!this.#write(id, place(id, piece), written)) return false;
    }
    return true;
  }

  /** @param {string} id */
  remove(id) {
    for (let piece = 0; this.store.getItem(place(id, piece)) !== null; piece++)
      this.store.removeItem(place(id, piece));
    this.store.removeItem(place(id, "window"));
    this.store.setItem(LIST, JSON.stringify(this.list.filter((each) => each.id !== id)));
  }
}

/**
 * A match as a record that the library replays; see docs/guide/records.md. What followed from each event is left out:
 * it is worked out again. The dice are recorded as put in by hand, since nobody can verify them.
 * @param {Kept} match @param {readonly Event[]} events @param {{white: string, black: string}} players
 */
export function recordOf({ code, id, you, level }, events, players) {
  const card = `${code
    .split(".")
    .filter((part) => !part.startsWith("dice-"))
    .join(".")}.dice-typed`;
  const tags = { [you === "white" ? "BlackLevel" : "WhiteLevel"]: level };
  const header = { format: "sheshbesh-record", version: 1, card, match: id, players, tags };
  // No event of a record is before another, whatever the clock of the system did.
  let last = 0;
  const timed = events.map(({ then: _, ...event }) => {
    last = Math.max(last, event.at);
    return { ...event, at: last };
  });
  const lines = [header, ...timed];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
