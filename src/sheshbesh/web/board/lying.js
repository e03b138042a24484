/** @typedef {import("./types.js").Side} Side */

/**
 * Dice on the board: whose, which of them are spent, how many steps are left of how many; `whole` when a
 * tap on them ends the turn, `past` when the play they were thrown for is over.
 *
 * @typedef {{ side: Side, values: number[], used: boolean[], steps: number, left: number, whole: boolean,
 *   past: boolean }} Lying
 */

const byHeight = (/** @type {number[]} */ dice) => [...dice].sort((a, b) => b - a);

/**
 * Which dice are spent: by name, or of equal ones by half of the steps each.
 *
 * @param {number[]} dice @param {number} steps  what they are good for @param {readonly number[]} played
 */
export function spent(dice, steps, played) {
  if (dice[0] !== dice[1]) return dice.map((die) => played.includes(die));
  return dice.map((_, i) => played.length * dice.length >= steps * (i + 1));
}

/** The dice that lie there now. @param {import("./board.js").Board} board @returns {Lying | null} */
export function lyingDice({ state, last, hands }) {
  const { play, show, sent } = hands;
  if (!state) return null;
  if (last?.dice && show.busy === last.side && show.busy !== play?.side) return pastDice(last.side, last.dice);
  if (play) {
    const { side, dice: values, used, steps, turn } = play;
    return { side, values, used, steps, left: steps - turn.path.length, whole: turn.whole && !sent, past: false };
  }
  const { turn, on_roll: side, dice_steps: steps } = state;
  if (turn && side) {
    const values = byHeight(turn.dice);
    const used = spent(values, steps, turn.done.map(([, , die]) => die));
    return { side, values, used, steps, left: steps - turn.done.length, whole: false, past: false };
  }
  if (!last?.dice || ["over", "ready", "opening"].includes(state.phase)) return null;
  return pastDice(last.side, last.dice);
}

/**
 * The dice of the draw for the first move, each in its thrower's half, until the first throw of the game.
 *
 * @param {import("./board.js").Board} board @returns {Lying[]}
 */
export function openingDice({ state, last }) {
  const thrown = state?.opening?.throws.at(-1);
  if (!state || !thrown || last || !["opening", "roll", "throwing"].includes(state.phase)) return [];
  return [pastDice("white", [thrown[0]]), pastDice("black", [thrown[1]])];
}

/** @param {Side} side @param {number[]} dice @returns {Lying} */
export const pastDice = (side, dice) => ({
  side, values: byHeight(dice), used: [], steps: 0, left: 0, whole: false, past: true,
});
