import { BAR, HAND, letter, OFF, other } from "./types.js";

/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Side} Side */

/** A board without checkers. @returns {Board} */
export function emptyBoard() {
  const none = () => ({ white: 0, black: 0 });
  return {
    points: Array.from({ length: 24 }, () => ({ w: 0, b: 0 })),
    bar: none(),
    hand: none(),
    off: none(),
  };
}

/** The place of a side's own point. @param {Layout} layout @param {Side} side @param {number} number */
export const placeOf = (layout, side, number) => layout.numbers[side][number - 1];

/** A place as `side` counts it. @param {Layout} layout @param {Side} side @param {number} place */
export const numberOf = (layout, side, place) => layout.numbers[side].indexOf(place) + 1;

/**
 * How many checkers of a side are on one of its own numbers, a captive not among them.
 *
 * @param {Board} board @param {Layout} layout @param {Side} side @param {number} number
 */
export function freeOn(board, layout, side, number) {
  if (number === BAR) return board.bar[side];
  if (number === HAND) return board.hand[side];
  if (number === OFF) return board.off[side];
  const point = board.points[placeOf(layout, side, number) - 1];
  return point[letter(side)] - Number(point.pin === side);
}

/**
 * How far a side's checkers have to go, in pips: 25 from the bar and from the hand.
 * @param {Board} board @param {Layout} layout @param {Side} side
 */
export const pipsOf = (board, layout, side) =>
  layout.numbers[side].reduce(
    (sum, place, i) => sum + (i + 1) * board.points[place - 1][letter(side)],
    25 * (board.bar[side] + board.hand[side]),
  );

/**
 * A copy that can be changed; by hand, since a structured clone takes longer than drawing it.
 * @param {Board} board
 * @returns {Board}
 */
const copied = ({ points, bar, hand, off }) => ({
  points: points.map((point) => ({ ...point })),
  bar: { ...bar },
  hand: { ...hand },
  off: { ...off },
});

/**
 * The board after one checker was moved, without any check by the rules.
 *
 * @param {Board} board
 * @param {Layout} layout
 * @param {Side} side
 * @param {{ origin: number, target: number, takes: boolean }} hop
 * @returns {Board}
 */
export function carry(board, layout, side, { origin, target, takes }) {
  const next = copied(board);
  const enemy = other(side);
  const [mine, theirs] = [letter(side), letter(enemy)];
  if (origin === BAR) next.bar[side] -= 1;
  else if (origin === HAND) next.hand[side] -= 1;
  else {
    const from = next.points[placeOf(layout, side, origin) - 1];
    from[mine] -= 1;
    if (from[mine] === 0) delete from.pin;
  }
  if (target === OFF) {
    next.off[side] += 1;
    return next;
  }
  const to = next.points[placeOf(layout, side, target) - 1];
  to[mine] += 1;
  if (takes && layout.pins) to.pin = enemy;
  else if (takes) {
    to[theirs] -= 1;
    if (layout.bar) next.bar[enemy] += 1;
    else next.hand[enemy] += 1;
  }
  return next;
}
