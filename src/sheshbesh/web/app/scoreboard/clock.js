/**
 * Two clocks on one telephone, as a value: `now` is passed in, in milliseconds of the day, so that a reload loses
 * nothing.
 */

import { other } from "../../board/types.js";
import { readClock } from "../clock-code.js";

/**
 * `bank` as of the last change; `turn` is the side whose turn it is, `used` what it had used of it when the clock last
 * started, `since` when that was (null: the clock is stopped). `breaks` are those taken, `rest` the one under way.
 *
 * @typedef {import("./score.js").Side} Side
 * @typedef {{code: string, bank: Record<Side, number>, turn: Side | null, used: number, since: number | null,
 *   breaks: Record<Side, number>, rest: {by: Side, until: number} | null}} Clocks
 */

/** The bank of a match without length is that of this many points. */
const UNTIMED_POINTS = 1;

/** @param {string} code @param {number | null} length of the match @returns {Clocks} */
export function freshClocks(code, length) {
  const bank = readClock(code).bank * 1000 * (length ?? UNTIMED_POINTS);
  return {
    code,
    bank: { white: bank, black: bank },
    turn: null,
    used: 0,
    since: null,
    breaks: { white: 0, black: 0 },
    rest: null,
  };
}

/** What the running turn has used so far. @param {Clocks} clocks @param {number} now */
const usedBy = ({ used, since }, now) => used + (since === null ? 0 : Math.max(now - since, 0));

/**
 * What a side has left at `now`, in ms: its bank, and the delay left in its turn.
 * @param {Clocks} clocks
 * @param {Side} side
 * @param {number} now
 */
export function timeLeft(clocks, side, now) {
  const { kind, delay } = readClock(clocks.code);
  const free = delay * 1000;
  const used = side === clocks.turn ? usedBy(clocks, now) : 0;
  if (kind === "t") return { bank: Math.max(free - used, 0), free: 0 };
  const charged = kind === "d" ? Math.max(used - free, 0) : used;
  return {
    bank: Math.max(clocks.bank[side] - charged, 0),
    free: kind === "d" && side === clocks.turn ? Math.max(free - used, 0) : 0,
  };
}

/** Whose time has run out at `now`. @param {Clocks} clocks @param {number} now @returns {Side | null} */
export function lateAt(clocks, now) {
  if (readClock(clocks.code).kind === "n" || clocks.turn === null) return null;
  const { bank, free } = timeLeft(clocks, clocks.turn, now);
  return bank + free > 0 ? null : clocks.turn;
}

/** The running turn is over: what it cost is paid. @param {Clocks} clocks @param {number} now @returns {Clocks} */
function paid(clocks, now) {
  const { turn } = clocks;
  if (turn === null) return clocks;
  const { kind, delay } = readClock(clocks.code);
  const back = kind === "f" ? delay * 1000 : kind === "b" ? Math.min(usedBy(clocks, now), delay * 1000) : 0;
  const bank = kind === "t" ? clocks.bank[turn] : timeLeft(clocks, turn, now).bank + back;
  return { ...clocks, bank: { ...clocks.bank, [turn]: bank }, turn: null, used: 0, since: null };
}

/**
 * A side ends its turn: the other one's begins. Nothing comes of it while the other one's clock runs, or after a fall.
 * @param {Clocks} clocks
 * @param {Side} side
 * @param {number} now
 * @returns {Clocks}
 */
export function press(clocks, side, now) {
  if ((clocks.turn !== null && clocks.turn !== side) || lateAt(clocks, now)) return clocks;
  return { ...paid(clocks, now), turn: other(side), used: 0, since: now, rest: null };
}

/** Stop in the middle of a turn. @param {Clocks} clocks @param {number} now @returns {Clocks} */
export const pause = (clocks, now) => ({ ...clocks, used: usedBy(clocks, now), since: null });

/** Go on with the turn. @param {Clocks} clocks @param {number} now @returns {Clocks} */
export const resume = (clocks, now) => ({ ...clocks, since: clocks.turn === null ? null : now, rest: null });

/**
 * A game is over: both clocks are stopped until the first turn of the next.
 * @param {Clocks} clocks
 * @param {number} now
 * @returns {Clocks}
 */
export const gameOver = (clocks, now) => paid(clocks, now);

/** How many breaks a side may still take. @param {Clocks} clocks @param {Side} side @param {number | null} length */
export function breaksLeft({ code, breaks }, side, length) {
  const own = readClock(code).breaks;
  const points = length ?? 0;
  // As tournaments have it: none in short matches, one to eleven points, two above (Khalili (004), p. 6).
  const allowed = own ?? (points < 7 ? 0 : points <= 11 ? 1 : 2);
  return Math.max(allowed - breaks[side], 0);
}

/** @param {Clocks} clocks @param {Side} by @param {number} now @returns {Clocks} */
export function takeBreak(clocks, by, now) {
  const stopped = pause(clocks, now);
  const until = now + readClock(clocks.code).rest * 1000;
  return { ...stopped, breaks: { ...clocks.breaks, [by]: clocks.breaks[by] + 1 }, rest: { by, until } };
}
