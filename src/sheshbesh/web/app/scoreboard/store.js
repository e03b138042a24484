/** The state of the score board beside a real board, stored in this browser: score, clocks, dice, result sheet. */

import { USUAL_CLOCK } from "../clock-code.js";
import { readKept, writeKept } from "../settings.js";
import { freshClocks } from "./clock.js";
import { outcome } from "./score.js";

/**
 * `dice` are the last throws of each side; `opening` when they are one die each, thrown for the first move.
 *
 * @typedef {import("./score.js").Match} Match
 * @typedef {import("./score.js").Side} Side
 * @typedef {{event: string, round: string, board: string}} Heading
 * @typedef {Record<Side, {name: string}>} Players as the site names them
 * @typedef {{match: Match, evening: Match[], clock: string, clocks: import("./clock.js").Clocks, onePair: boolean,
 *   facing: boolean, shows: {score: boolean, dice: boolean}, dice: {white: number[], black: number[], last: Side |
 *   null, opening: boolean}, heading: Heading, record: string | null}} Table
 *
 * `record` is the match on the site whose record keeps the score, if one does.
 */

const NAME = "sheshbesh.table";

/** @returns {Table} */
export const freshTable = () => ({
  match: { names: { white: "", black: "" }, length: 5, by: "points", games: [], late: null },
  evening: [],
  clock: USUAL_CLOCK,
  clocks: freshClocks(USUAL_CLOCK, 5),
  onePair: false,
  facing: true,
  shows: { score: true, dice: true },
  dice: { white: [], black: [], last: null, opening: false },
  heading: { event: "", round: "", board: "" },
  record: null,
});

/**
 * Whether something kept is built like what is kept now: an older page, or a hand, may have written anything.
 * @param {unknown} found
 * @param {unknown} like
 * @returns {boolean}
 */
function fits(found, like) {
  // What may be missing: a number, a side, a break, a record.
  if (like === null) return (found ?? null) === null || ["string", "number", "object"].includes(typeof found);
  if (Array.isArray(like)) return Array.isArray(found);
  if (typeof like !== "object") return typeof found === typeof like;
  return (
    typeof found === "object" &&
    found !== null &&
    Object.entries(like).every(([name, value]) =>
      fits(/** @type {Record<string, unknown>} */ (found)[name], value),
    )
  );
}

/** @param {unknown} match @returns {match is Match} */
function isMatch(match) {
  const like = { ...freshTable().match, length: null };
  const isGame = (/** @type {unknown} */ game) => fits(game, { winner: null, worth: 0, cube: 1, points: 0 });
  return fits(match, like) && /** @type {Match} */ (match).games.every(isGame);
}

/**
 * What changes when the match is written down in the evening, and another one begins with the same players.
 * @param {Table} table @returns {Partial<Table>}
 */
export const nextOf = ({ match, evening, clock }) => ({
  record: null,
  evening: match.games.length || match.late || match.ended ? [...evening, match] : evening,
  match: { ...match, games: [], late: null, ended: null },
  clocks: freshClocks(clock, match.length),
  dice: { white: [], black: [], last: null, opening: false },
});

/**
 * The table as a rematch begins on it: who had light before may have dark now.
 * @param {Table} table
 * @param {import("./score.js").Recorded & {players: Players}} recorded the match that is over, as the site has it
 * @param {{players: Players}} again the rematch
 * @returns {Table}
 */
export function rematchOf(table, recorded, again) {
  const next = { ...table, ...nextOf({ ...table, match: { ...table.match, ...outcome(recorded) } }) };
  if (again.players.white.name === recorded.players.white.name) return next;
  const { white, black } = next.match.names;
  return { ...next, match: { ...next.match, names: { white: black, black: white } } };
}

/**
 * The match of the site that keeps the score of the table, if one does.
 * @param {Pick<Storage, "getItem" | "setItem">} kept
 */
export const recordAt = (kept) => new TableStore(kept).read().record ?? null;

export class TableStore {
  /** @param {Pick<Storage, "getItem" | "setItem">} kept */
  constructor(kept) {
    this.kept = kept;
  }

  /** @returns {Table} */
  read() {
    const fresh = freshTable();
    const found = readKept(this.kept, NAME);
    const whole =
      fits(found, { ...fresh, match: {} }) && isMatch(found.match) && found.evening.every(isMatch);
    return whole ? found : fresh;
  }

  /** @param {Table} table */
  keep(table) {
    writeKept(this.kept, NAME, table);
  }
}
