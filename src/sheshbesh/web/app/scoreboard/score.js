/**
 * The score of a match on a real board: the games as they were entered, and what they make. Independent of the rules
 * of a game.
 */

import { other, SIDES } from "../../board/types.js";
import { t, tn } from "../../i18n/i18n.js";

/**
 * A finished game: who won it and what it paid, as entered. `worth` is 1, 2 or 3, as a game pays before the
 * cube; 0 where it was agreed upon, or where `kind` says how a record ended otherwise.
 *
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {{winner: Side | null, worth: number, cube: number, points: number, kind?: string}} Game
 * @typedef {{names: Record<Side, string>, length: number | null, by: "points" | "games", games: Game[], late: Side |
 *   null, ended?: {winner: Side | null} | null}} Match
 * @typedef {{winner: Side | null, kind: string, points: number, cube: number, reason: string}} Played
 * @typedef {{state: string, winner: Side | null, ending: string | null, games?: Played[]}} Recorded
 * `late`: whose time has run out, which loses the match at any score; `ended`: a record was ended before its last point
 */

/** The largest multiple of six in a byte: from there on a byte would favour low numbers. */
const FAIR = 252;

/**
 * One die, by the randomness of the browser's cryptography.
 * @param {(bytes: Uint8Array) => Uint8Array} [fill]
 */
export function throwDie(fill = (bytes) => crypto.getRandomValues(bytes)) {
  for (;;) {
    const [byte] = fill(new Uint8Array(1));
    if (byte < FAIR) return (byte % 6) + 1;
  }
}

/** What a game counts for its winner. @param {Match} match @param {Game} game */
const counted = (match, game) => (match.by === "games" ? 1 : game.points);

/**
 * The score after the first `n` games.
 * @param {Match} match
 * @param {number} [n]
 * @returns {Record<Side, number>}
 */
export function scoreAfter(match, n = match.games.length) {
  const score = { white: 0, black: 0 };
  for (const game of match.games.slice(0, n)) if (game.winner) score[game.winner] += counted(match, game);
  return score;
}

/** Points, or games, that win the match; none where it has no end. @param {Match} match */
export const needed = ({ length, by }) =>
  length === null ? null : by === "games" ? Math.floor(length / 2) + 1 : length;

/** The winner of the match, once there is one. @param {Match} match @returns {Side | null} */
export function winnerOf(match) {
  if (match.late) return other(match.late);
  if (match.ended) return match.ended.winner;
  const goal = needed(match);
  if (goal === null) return null;
  const score = scoreAfter(match);
  return SIDES.find((side) => score[side] >= goal) ?? null;
}

/**
 * Whether the next game is the first after a side came within a point of the match, as score boards show it.
 * @param {Match} match
 */
export function isCrawford(match) {
  const { length, by, games } = match;
  if (length === null || length < 2 || by === "games" || winnerOf(match)) return false;
  const within = (/** @type {number} */ n) => SIDES.some((side) => scoreAfter(match, n)[side] === length - 1);
  return within(games.length) && !(games.length && within(games.length - 1));
}

/** How many matches of an evening each has won, by name. @param {Match[]} matches @returns {[string, number][]} */
export function evening(matches) {
  /** @type {Map<string, number>} */
  const won = new Map();
  for (const match of matches) {
    const winner = winnerOf(match);
    for (const side of SIDES)
      won.set(match.names[side], (won.get(match.names[side]) ?? 0) + Number(side === winner));
  }
  return [...won].sort((a, b) => b[1] - a[1]);
}

/** What a side is called. @param {Match} match @param {Side} side */
export const sideName = ({ names }, side) =>
  names[side].trim() || (side === "white" ? t("First player") : t("Second player"));

/** What is played to. @param {Match} match */
export function lengthName({ length, by }) {
  if (length === null) return t("No end");
  return by === "games"
    ? tn("the most of {n} game", "the most of {n} games", length)
    : tn("the first to {n} point", "the first to {n} points", length);
}

/**
 * What a game pays before the cube, by how it ended; other ends are shown by their name.
 * @type {Record<string, number>}
 */
const WORTHS = { single: 1, gammon: 2, backgammon: 3 };

/** @param {Played} played @returns {Game} */
function entry({ winner, kind, points, cube, reason }) {
  if (reason === "settlement") return { winner, worth: 0, cube, points };
  const worth = WORTHS[kind] ?? 0;
  return worth ? { winner, worth, cube, points } : { winner, worth, cube, points, kind };
}

/**
 * The score of the record of a match, for the score board.
 * @param {Recorded} recorded
 * @returns {Pick<Match, "games" | "late" | "ended">}
 */
export function outcome({ state, winner, ending, games = [] }) {
  const late = ending === "time" && winner ? other(winner) : null;
  return { games: games.map(entry), late, ended: state === "over" && !late ? { winner } : null };
}
