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

/** @param {string} id @param {number} piece */
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

  /** Keep a match, or what is new of it. @param {Kept} match */
  put(match) {
    this.store.setItem(LIST, JSON.stringify([match, ...this.list.filter(({ id }) => id !== match.id)]));
  }

  /** The events of a match, as far as they can be read. @param {string} id @returns {Event[]} */
  events(id) {
    /** @type {Event[]} */
    const found = [];
    for (let piece = 0; ; piece++) {
      try {
        const text = this.store.getItem(place(id, piece));
        if (text === null) return found;
        found.push(...JSON.parse(text));
      } catch {
        return found;
      }
    }
  }

  /** Keep the last of the events. @param {string} id @param {readonly Event[]} events */
  append(id, events) {
    const piece = Math.floor((events.length - 1) / PIECE);
    this.store.setItem(place(id, piece), JSON.stringify(events.slice(piece * PIECE)));
  }

  /** @param {string} id */
  remove(id) {
    for (let piece = 0; this.store.getItem(place(id, piece)) !== null; piece++)
      this.store.removeItem(place(id, piece));
    this.store.setItem(LIST, JSON.stringify(this.list.filter((each) => each.id !== id)));
  }
}

/**
 * A match as a record that the library replays; see docs/guide/records.md. What followed from each event is left out:
 * it is worked out again. The dice are recorded as put in by hand, since nobody can verify them.
 * @param {Kept} match @param {readonly Event[]} events @param {{white: string, black: string}} players
 */
export function recordOf({ code, id }, events, players) {
  const card = `${code
    .split(".")
    .filter((part) => !part.startsWith("dice-"))
    .join(".")}.dice-typed`;
  const header = { format: "sheshbesh-record", version: 1, card, match: id, players };
  const lines = [header, ...events.map(({ then: _, ...event }) => event)];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
