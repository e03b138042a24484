/** Why steps may not be made: from steps as a board has them to what the core finds, as `sheshbesh.rules.reading`. */

import { HAND, OFF } from "../board/types.js";
import { countsOf, owedOf } from "./bytes.js";

/** The core's verdicts (`explain.h`). */
const [LEGAL, BROKEN_RULE, GAME_OVER, NOT_THROWN, NO_CHECKER] = [0, 1, 2, 3, 4];

/**
 * The numbers of the dice, one for each step that may be played.
 * @param {Uint8Array} row @param {number[]} dice @param {number} double  steps of a double
 */
function numbersOf(row, [first, second], double) {
  const owed = owedOf(row);
  if (owed && !owed.choose) return owed.steps;
  return first === second ? Array(double).fill(first) : [first, second];
}

/**
 * Every way to give steps numbers, in their order.
 * @param {number[][]} steps @param {number[]} left
 * @returns {Generator<{origin: number, die: number}[]>}
 */
function* readings([step, ...rest], left) {
  if (!step) {
    yield [];
    return;
  }
  const [origin, target, known] = step;
  for (const die of [...new Set(left)].sort((a, b) => b - a)) {
    if ((known && known !== die) || Math.max(Math.min(origin, HAND) - die, OFF) !== target) continue;
    const others = left.filter((_, i) => i !== left.indexOf(die));
    for (const more of readings(rest, others)) yield [{ origin, die }, ...more];
  }
}

/**
 * The number of the rule that steps break, or of a verdict below 0, as `rule_ids` has them; null where they are
 * allowed.
 * @param {import("./core.js").Core} core @param {number} rules
 * @param {{row: Uint8Array, dice: number[], double: number}} turn
 * @param {number[][]} steps  origin, target, and the die where it is known
 * @param {boolean} [whole]  as a whole play, not as the beginning of one
 * @returns {number | null}
 */
export function refusalOf(core, rules, { row, dice, double }, steps, whole = false) {
  if (core.result(rules, row).kind) return -GAME_OVER;
  const found = [...readings(steps, numbersOf(row, dice, double))].map((pairs) =>
    core.explain(rules, row, dice, pairs, whole),
  );
  if (!found.length) {
    const { mine } = countsOf(row);
    const reached = new Set(steps.map(([, target]) => target));
    return steps.some(([origin]) => !mine[origin] && !reached.has(origin)) ? -NO_CHECKER : -NOT_THROWN;
  }
  if (found.some(({ verdict }) => verdict === LEGAL)) return null;
  // The later a referee comes to the rule, the more of the play was in order.
  const reached = (/** @type {{verdict: number, rule: number}} */ { verdict, rule }) =>
    verdict === BROKEN_RULE ? rule : -1;
  const nearest = found.reduce((a, b) => (reached(b) > reached(a) ? b : a));
  return nearest.verdict === BROKEN_RULE ? nearest.rule : -nearest.verdict;
}
