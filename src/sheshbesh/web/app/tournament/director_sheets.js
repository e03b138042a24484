/** How a bracket that is too large for a page is cut into sheets. */

/**
 * @import { Slot } from "../wire.js"
 * @typedef {{round: number, slots: Slot[]}} Round
 */

/** The rounds of a sheet, and its matches in the first of them: sixteen entrants. */
const ROUNDS = 4;
const MATCHES = 8;

/**
 * The sheets of a bracket. One that is too large for a page is cut into parts of four rounds; the winners of a sheet
 * stand, by the names of their matches, on the one that joins it.
 * @param {Round[]} rounds
 * @returns {Round[][]}
 */
export function sheetsOf(rounds) {
  if (!rounds.length) return [];
  const most = Math.max(...rounds.slice(0, ROUNDS).map(({ slots }) => slots.length));
  if (most <= MATCHES && rounds.length <= ROUNDS + 1) return [rounds];
  const [these, later] = [rounds.slice(0, ROUNDS), rounds.slice(ROUNDS)];
  const count = Math.ceil(most / MATCHES);
  const cut = (/** @type {Slot[]} */ slots, /** @type {number} */ part) =>
    slots.slice(Math.floor((part * slots.length) / count), Math.floor(((part + 1) * slots.length) / count));
  const sheets = Array.from({ length: count }, (_, part) =>
    these.map(({ round, slots }) => ({ round, slots: cut(slots, part) })),
  );
  return [...sheets, ...sheetsOf(later)];
}
