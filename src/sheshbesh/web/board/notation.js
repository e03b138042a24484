import { BAR, HAND, OFF } from "./types.js";

/** @typedef {import("./turn.js").Hop} Hop */
/** @typedef {import("./turn.js").Turn} Turn */

const NAMES = /** @type {Record<number, string>} */ ({ [OFF]: "off", [HAND]: "hand", [BAR]: "bar" });
const NUMBERS = /** @type {Record<string, number>} */ ({
  off: OFF,
  o: OFF,
  hand: HAND,
  h: HAND,
  bar: BAR,
  b: BAR,
});

/** A point as written. @param {number} number */
export const pointName = (number) => NAMES[number] ?? String(number);

/**
 * Hops as text, as the rules' own notation writes plays: the ways of single checkers joined, equal
 * ones counted, a way broken where it hit and others stand.
 *
 * @param {readonly Hop[]} hops
 */
export function formatPlay(hops) {
  /** @type {{ points: number[], marks: boolean[] }[]} */ const chains = [];
  /** @type {Map<number, number>} */ const crowd = new Map();
  const count = (/** @type {number} */ at, /** @type {number} */ by) =>
    crowd.set(at, (crowd.get(at) ?? 0) + by);
  for (const hop of hops) {
    let chain = chains.find((c) => c.points.at(-1) === hop.origin);
    if (chain?.marks.at(-1) && (crowd.get(hop.origin) ?? 0) > 1) chain = undefined;
    if (chain) {
      chain.points.push(hop.target);
      chain.marks.push(hop.takes);
    } else {
      chains.push({ points: [hop.origin, hop.target], marks: [hop.takes] });
    }
    count(hop.origin, -1);
    count(hop.target, 1);
  }
  chains.sort((a, b) => {
    const i = a.points.findIndex((p, k) => p !== b.points[k]);
    return i < 0 ? b.points.length - a.points.length : (b.points[i] ?? -1) - a.points[i];
  });
  /** @type {Map<string, number>} */ const counted = new Map();
  for (const { points, marks } of chains) {
    const parts = points.slice(1).map((point, i) => ({
      text: pointName(point) + (marks[i] ? "*" : ""),
      shown: marks[i] || i === marks.length - 1,
    }));
    const text = [pointName(points[0]), ...parts.filter((p) => p.shown).map((p) => p.text)].join("/");
    counted.set(text, (counted.get(text) ?? 0) + 1);
  }
  return [...counted].map(([text, times]) => (times === 1 ? text : `${text}(${times})`)).join(" ");
}

/** @typedef {{ origin: number, target: number, takes: boolean }} Leg */

/** Whether a checker can leave one number and come to the other. @param {number} origin @param {number} target */
export const isStep = (origin, target) => origin > OFF && origin <= BAR && target >= OFF && target < HAND;

/**
 * The legs a written play names, each as it is written: `13/8*\/3` is two, `24/14` is one.
 *
 * @param {string} text
 * @returns {Leg[] | null} null if it cannot be read
 */
export function parsePlay(text) {
  /** @type {Leg[]} */ const legs = [];
  for (const word of text
    .trim()
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)) {
    if (word === "pass" || word === "-") continue;
    const match = /^([a-z0-9*/]+)(?:\(([1-4])\))?$/.exec(word);
    const parts = match?.[1].split("/") ?? [];
    if (!match || parts.length < 2) return null;
    const points = parts.map((part) => {
      const bare = part.replace("*", "");
      const number = NUMBERS[bare] ?? (/^\d{1,2}$/.test(bare) ? Number(bare) : -1);
      return { number, takes: part.endsWith("*") };
    });
    if (!points.slice(1).every(({ number }, k) => isStep(points[k].number, number))) return null;
    for (let i = 0; i < Number(match[2] ?? 1); i++) {
      for (let k = 1; k < points.length; k++) {
        legs.push({ origin: points[k - 1].number, target: points[k].number, takes: points[k].takes });
      }
    }
  }
  return legs;
}

/**
 * The hops of the turn that a typed play means, from where the turn stands.
 *
 * @param {Turn} turn
 * @param {Leg[]} legs
 * @returns {Hop[] | null}
 */
export function findPlay(turn, legs) {
  /** @param {Leg[]} left @param {number} stage @returns {Hop[] | null} */
  const follow = (left, stage) => {
    if (!left.length) return [];
    for (const leg of left) {
      const rest = left.filter((l) => l !== leg);
      const origin = leg.origin === HAND || leg.origin === BAR ? [HAND, BAR] : [leg.origin];
      for (const from of origin) {
        const way = turn.destinations(from, [], stage).get(leg.target);
        const onward = way && follow(rest, way[way.length - 1].stage);
        if (way && onward) return [...way, ...onward];
      }
    }
    return null;
  };
  return follow(legs, turn.stage);
}
