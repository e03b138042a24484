/**
 * How parts of the core's questions and answers lie in bytes; see `cpp/wasm/api.cpp`.
 */

/** The fields of a step of a play, in the order of their bytes. */
export const STEP = 4;
/** The bytes of a reason. */
export const REASON = 40;

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {import("./core.js").Step}
 */
export function stepAt(bytes, at) {
  const [origin, landing, die, takes] = bytes.subarray(at, at + STEP);
  return { origin, landing, die, takes: takes === 1 };
}

/**
 * What a question to a level begins with, after the position.
 * @param {import("./core.js").Player} player
 */
export function drawing({ values, weakness, seed }) {
  return [Float64Array.from(weakness), BigUint64Array.of(seed), Float64Array.from(values)];
}

/**
 * @param {DataView} view
 * @param {number} at
 * @param {string[]} names  of the ids
 * @returns {import("./core.js").Reason}
 */
export function reasonAt(view, at, names) {
  const [mine, other, weight] = [0, 8, 16].map((place) => view.getFloat64(at + place, true));
  const [id, gained, lost] = [24, 28, 32].map((place) => view.getUint32(at + place, true));
  return { id: names[id], mine, other, weight, gained: pointsOf(gained), lost: pointsOf(lost) };
}

/**
 * The points of bits, that of point 1 the lowest.
 * @param {number} bits
 */
function pointsOf(bits) {
  return Array.from({ length: 24 }, (_, i) => i + 1).filter((point) => (bits >> (point - 1)) & 1);
}

/** The place in a row of the flag that says whether Black is on roll. */
const BLACK_ON_ROLL = 102;

/** Whether Black is on roll. @param {Uint8Array} row */
export const blackOnRoll = (row) => row[BLACK_ON_ROLL] === 1;

/** The places of a side's counts, see `rows.h`. */
const COUNTS = 27;
const PINS = 54;
const POINTS = 24;
const PENDING = 109;

/**
 * Checkers by place in own numbers (0 off, 25 hand, 26 bar) of the side on roll and of the other one, and the points,
 * in the owner's numbers, where a checker is imprisoned.
 * @param {Uint8Array} row
 */
export function countsOf(row) {
  const pinned = (/** @type {number} */ at) =>
    Array.from({ length: POINTS }, (_, i) => i + 1).filter((point) => row[at + point - 1]);
  return {
    mine: [...row.subarray(0, COUNTS)],
    theirs: [...row.subarray(COUNTS, 2 * COUNTS)],
    pinnedMine: pinned(PINS),
    pinnedTheirs: pinned(PINS + POINTS),
  };
}

/**
 * What is to be played before the next throw: the numbers of its steps, or a double that is to be named; undefined
 * where nothing is.
 * @param {Uint8Array} row
 */
export function owedOf(row) {
  const [die, second, steps, , , choose] = row.subarray(PENDING);
  if (choose) return { choose: true, dice: [], steps: [] };
  if (!steps) return undefined;
  return {
    choose: false,
    dice: [die, second || die],
    steps: second ? [die, second] : Array(steps).fill(die),
  };
}

/** Characters around an id that are left out, as in `rules/ids.py`. */
const BLANKS =
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
  "\u2028\u2029\u202f\u205f\u3000\ufeff";

/** The text of an id without the blanks around it. @param {string} text */
export function stripped(text) {
  let [from, to] = [0, text.length];
  while (from < to && BLANKS.includes(text[from])) from += 1;
  while (to > from && BLANKS.includes(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

/** Bytes that were sent as text. @param {string} text */
export const unpacked = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Whether the side on roll is the same in two positions. @param {Uint8Array} one @param {Uint8Array} other */
export const isSameSide = (one, other) => one[BLACK_ON_ROLL] === other[BLACK_ON_ROLL];

/** A height of the cube for a model. @param {import("./core.js").CubeHeight} height */
export function cubeHeightBytes({ win, lose, cash, drop, ...flags }) {
  const bytes = new DataView(new ArrayBuffer(36));
  [win, lose, cash, drop].forEach((value, i) => bytes.setFloat64(8 * i, value, true));
  const { mine, theirs, mineFree, theirsFree } = flags;
  [mine, theirs, mineFree, theirsFree].forEach((flag, i) => bytes.setUint8(32 + i, Number(flag)));
  return bytes;
}

/** The same for a roller. @param {import("./core.js").ClassHeight} height */
export const classHeightBytes = ({ values, cash, drop, mine, theirs, mineFree, theirsFree }) => [
  Float32Array.from([...values, cash, drop]),
  Uint8Array.from([mine, theirs, mineFree, theirsFree], Number),
];
