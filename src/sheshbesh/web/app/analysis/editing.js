/**
 * Editing a board: the effect of a tap with a tool. Independent of the rules; the server refuses impossible
 * positions.
 */

import { letter, other, SIDES } from "../../board/types.js";

/**
 * @typedef {import("../../board/types.js").Board} Board
 * @typedef {import("../../board/types.js").Layout} Layout
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {import("../../board/geometry.js").Spot} Spot
 * @typedef {Side | "pin" | "none"} Tool  whose checker is put down, a captive, or none: one is taken away
 */

/** Checkers of a side that are not off. @param {Board} board @param {Side} side */
const inPlay = (board, side) =>
  board.points.reduce((sum, point) => sum + point[letter(side)], 0) + board.bar[side] + board.hand[side];

/**
 * The same with the trays counted: what is nowhere else is off.
 * @param {Board} board
 * @param {Layout} layout
 * @returns {Board}
 */
function counted(board, layout) {
  for (const side of SIDES) board.off[side] = Math.max(layout.checkers - inPlay(board, side), 0);
  return board;
}

/** A board with every checker off. @param {Board} board @param {Layout} layout @returns {Board} */
export function cleared(board, layout) {
  const next = structuredClone(board);
  next.points = next.points.map(() => ({ w: 0, b: 0 }));
  for (const heap of [next.bar, next.hand]) Object.assign(heap, { white: 0, black: 0 });
  return counted(next, layout);
}

/** Whose checker is on top. @param {Board} board @param {number} place @returns {Side | null} */
export function holder(board, place) {
  const { w, b, pin } = board.points[place - 1];
  return pin ? other(pin) : w ? "white" : b ? "black" : null;
}

/** How many checkers of a side a spot has. @param {Board} board @param {Spot} spot @param {Side} side */
export function countOn(board, spot, side) {
  if (spot.kind === "bar") return board.bar[side];
  if (spot.kind === "hand" || spot.kind === "off") return spot.side === side ? board[spot.kind][side] : 0;
  if (spot.kind !== "point") return 0;
  return board.points[spot.place - 1][letter(side)];
}

/**
 * The board with a number of checkers of a side on a spot; the enemy's there go off, but for a captive.
 *
 * @param {Board} board @param {Layout} layout @param {Spot} spot @param {Side} side @param {number} count
 * @returns {Board}
 */
export function placed(board, layout, spot, side, count) {
  const next = structuredClone(board);
  const most = Math.min(Math.max(count, 0), 15);
  if (spot.kind === "bar") next.bar[side] = most;
  else if (spot.kind === "hand" && spot.side === side) next.hand[side] = most;
  else if (spot.kind === "point") {
    const point = next.points[spot.place - 1];
    if (point.pin !== other(side)) {
      point[letter(other(side))] = 0;
      delete point.pin;
    }
    point[letter(side)] = most;
    if (!most && point.pin) delete point.pin;
  }
  return counted(next, layout);
}

/**
 * A captive under the checkers on a point, or none any more.
 * @param {Board} board
 * @param {Layout} layout
 * @param {number} place
 */
function pinned(board, layout, place) {
  const next = structuredClone(board);
  const point = next.points[place - 1];
  const side = holder(board, place);
  if (!side) return board;
  const captive = other(side);
  if (point.pin) {
    delete point.pin;
    point[letter(captive)] = 0;
  } else {
    point.pin = captive;
    point[letter(captive)] = 1;
  }
  return counted(next, layout);
}

/**
 * What a tap with a tool makes of a board.
 *
 * @param {Board} board @param {Layout} layout @param {Spot} spot @param {Tool} tool @returns {Board}
 */
export function tapped(board, layout, spot, tool) {
  if (tool === "pin") return spot.kind === "point" ? pinned(board, layout, spot.place) : board;
  if (tool !== "none") {
    const side = spot.kind === "hand" ? spot.side : tool;
    return placed(board, layout, spot, side, countOn(board, spot, side) + 1);
  }
  const side = SIDES.filter((each) => countOn(board, spot, each)).find(
    (each) => spot.kind !== "point" || each === holder(board, spot.place),
  );
  return side ? placed(board, layout, spot, side, countOn(board, spot, side) - 1) : board;
}

/**
 * A checker carried from one spot to another.
 *
 * @param {Board} board @param {Layout} layout @param {Spot} from @param {Spot} to @param {Side} side @returns {Board}
 */
export function carried(board, layout, from, to, side) {
  const left =
    from.kind === "off" ? board : placed(board, layout, from, side, countOn(board, from, side) - 1);
  if (to.kind === "off" || to.kind === "none" || to.kind === "field") return left;
  const spot = to.kind === "hand" ? { ...to, side } : to;
  return placed(left, layout, spot, side, countOn(left, spot, side) + 1);
}
