/** Which messages of a table the reader wants to see, and which they have read. */
import { settings, store } from "../settings.js";

/** @import { Said } from "../wire.js" */

const READ = "sheshbesh.read";
/** Tables of which this browser remembers what was read. */
const MOST = 50;

/** The number of the last message that was read at each table. @returns {Map<string, number>} */
function read() {
  try {
    return new Map(JSON.parse(store.getItem(READ) ?? "[]"));
  } catch {
    return new Map();
  }
}

/** All that has been said at a table is read. @param {string} table @param {readonly Said[]} log */
export function setRead(table, log) {
  const last = log.at(-1)?.n ?? 0;
  const known = read();
  if (last <= (known.get(table) ?? 0)) return;
  known.delete(table);
  try {
    store.setItem(READ, JSON.stringify([...known.set(table, last)].slice(-MOST)));
  } catch {
    // A full storage: what was read counts as unread after a reload.
  }
}

/** Those messages that the reader wants to see. @param {readonly Said[]} log */
export function wanted(log) {
  const { chat } = settings.prefs;
  return log.filter((line) => (line.text === undefined ? chat !== "none" : chat === "all"));
}

/**
 * How many messages of others have not been read.
 * @param {string} table
 * @param {readonly Said[]} log
 * @param {string} [own] the id of the reader
 */
export function unread(table, log, own) {
  const last = read().get(table) ?? 0;
  return wanted(log).filter(({ n, id }) => n > last && id !== own).length;
}
