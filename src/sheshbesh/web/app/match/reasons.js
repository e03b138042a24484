/** Reasons for a play in words, as `sheshbesh.engines.explain.wording` says them: its phrases are fetched. */

import { words } from "../../i18n/i18n.js";

/**
 * @typedef {import("../../engine/core.js").Reason} Reason
 * @typedef {{phrases: Record<string, [more: string, less: string, ownMore: string, ownLess: string]>,
 *   points: [one: string, several: string], results: string[], fewer: string[], same: Record<string, string>,
 *   carries: number, both: number}} Wording
 */

const PLACE = /\{(\w+)(?::\.(\d)([f%]))?\}/g;

/** By language. @type {Map<string, Promise<Wording>>} */
const known = new Map();

/** How reasons are said in the language in use. @returns {Promise<Wording>} */
async function wording() {
  const { code } = words().language;
  const path = `/i18n/${code}/reasons.json`;
  if (!known.has(code)) {
    const found = fetch(path).then((answer) => {
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return answer.json();
    });
    found.catch(() => known.delete(code));
    known.set(code, found);
  }
  return /** @type {Promise<Wording>} */ (known.get(code));
}

/**
 * The reason that is named, as the end of a sentence about a play; null where there is none.
 * @param {Reason[]} reasons  for it @param {number} loss  of the other play against it
 * @returns {Promise<{text: string} | null>}
 */
export async function reasonText(reasons, loss) {
  if (!reasons.length || loss <= 0) return null;
  const how = await wording();
  const texts = decisive(reasons, loss, how).map((reason) => phrase(reason, how));
  return texts.length ? { text: listed(texts) } : null;
}

/**
 * At most two about the board, the heavier first, and one about the result; each carries its share of the loss.
 * @param {Reason[]} reasons @param {number} loss @param {Wording} how
 */
export function decisive(reasons, loss, how) {
  const { same, results, carries, both } = how;
  const pro = reasons
    .filter((each) => each.weight >= carries * loss && speaksForItself(each, how))
    .sort((a, b) => b.weight - a.weight);
  const board = pro.filter(({ id }) => !results.includes(id));
  const about = (/** @type {Reason} */ { id }) => same[id] ?? id;
  const second = board
    .slice(1)
    .find((each) => about(each) !== about(board[0]) && each.weight >= both * board[0].weight);
  const result = pro.find(({ id }) => results.includes(id));
  return [board[0], second, result].filter((each) => each !== undefined);
}

/**
 * Whether a reason favours its play by the very numbers that its sentence gives.
 * @param {Reason} reason
 * @param {Wording} how
 */
function speaksForItself({ id, mine, other, weight, gained, lost }, { phrases, fewer }) {
  if (weight <= 0) return false;
  const place = [...phrases[id][0].matchAll(PLACE)].find(([, name]) => name === "mine");
  if (place && plain(mine, place) === plain(other, place)) return false;
  if (gained.length || lost.length) return gained.length > 0;
  return mine < other === fewer.includes(id);
}

/** A number as English has it at a place. @param {number} value @param {RegExpMatchArray} place */
const plain = (value, [, , places, kind]) =>
  places === undefined ? String(value) : (kind === "%" ? 100 * value : value).toFixed(Number(places));

/** @param {Reason} reason @param {Wording} how */
function phrase({ id, mine, other, weight, gained, lost }, { phrases, points }) {
  const isMore = gained.length || lost.length ? weight > 0 : mine > other;
  const object = (/** @type {number[]} */ held) =>
    filled(points[held.length === 1 ? 0 : 1], { point: held[0], points: [...held].reverse() });
  const values = {
    mine,
    other,
    more: Math.abs(mine - other),
    gained: object(gained),
    lost: object(lost),
  };
  return filled(phrases[id][isMore ? 2 : 3], values);
}

/** @param {string} template @param {Record<string, number | number[] | string>} values */
const filled = (template, values) =>
  words()
    .digits(template)
    .replace(PLACE, (_, name, places, kind) => {
      const value = values[name];
      if (typeof value === "string") return value;
      return listed([value].flat().map((each) => number(each, places, kind)));
    });

/** @param {number} value @param {string | undefined} places @param {string | undefined} kind */
function number(value, places, kind) {
  if (places === undefined) return words().figure(value);
  const fraction = { minimumFractionDigits: Number(places), maximumFractionDigits: Number(places) };
  const style = kind === "%" ? "percent" : "decimal";
  return words().formatted(value, { ...fraction, style, useGrouping: false });
}

/** @param {string[]} texts */
function listed(texts) {
  const { code } = words().language;
  // Without a comma before the last one, as the server lists.
  return new Intl.ListFormat(code === "en" ? "en-GB" : code).format(texts);
}
